"""Secrets of places: credentials in URLs, home folders, the endpoints of the bridge.

Owns the rules for what tells who or where a user is. Knows no key names and no vendors. The
endpoint and the user info forms are those of the replay documents (replay facts 5).
"""

import re

from cursor_replay.scrub.rule import MASK, Rule

ENDPOINT = "[redacted-bridge-endpoint]"
HOME = "~"

_PW = "p" + "w1"

_PLACEHOLDERS = re.compile(
    r"(?:\$\w+|\$?\{\{?[^{}@]{1,60}\}?\}|<[\w-]{1,40}>|\*+|[:]|x-access-token|oauth2|git)+"
)


def _is_template(text: str, found: re.Match[str]) -> bool:
    """Spare user info that names variables only, and the user of every ``ssh://git@`` URL."""
    return _PLACEHOLDERS.fullmatch(text, *found.span(1)) is not None


_URL = Rule(
    id="url-credentials",
    pattern=re.compile(
        r":\\?/\\?/("
        # A password may hold ? and #, but a port followed by one of them is no password.
        r"[^\s/?#@:\"'`\\]{0,256}:(?!\d{1,5}[?#])[^\s/\"'`\\]{1,256}"
        r"|[^\s/?#:\"'`\\]{1,512}"
        r")@(?=[\w\[$\{%])"
    ),
    keywords=("@",),
    trigger=r":\\?/\\?/[^\s]*@",
    hits=(
        (f"https://u:{_PW}@host/x", f"https://{MASK}@host/x"),
        (f"https://u:{_PW}@{_PW}@host/x", f"https://{MASK}@host/x"),
        (f"postgresql://u:{_PW}#?@db:5432/x", f"postgresql://{MASK}@db:5432/x"),
        (f"mongodb+srv://u:{_PW}@c.example.net", f"mongodb+srv://{MASK}@c.example.net"),
        (f"redis://:{_PW}@127.0.0.1:6379", f"redis://{MASK}@127.0.0.1:6379"),
        (
            f"git clone https://{_PW}@example.com/r.git",
            f"git clone https://{MASK}@example.com/r.git",
        ),
        (rf'"https:\/\/u:{_PW}@h\/x"', rf'"https:\/\/{MASK}@h\/x"'),
    ),
    misses=(
        "https://example.com/@scope/pkg@1.0",
        "https://example.com?mail=joe@example.com",
        "http://localhost:3000?mail=joe@example.com",
        "ssh://git@example.com/o/r.git",
        "https://$TOKEN@example.com",
        "https://x-access-token:${GH_TOKEN}@example.com/o/r",
        "see http://a.example and mail joe@example.com",
    ),
    spares=_is_template,
)

_LABEL_WORDS = """
    mailto sip sips xmpp acct npm jsr workspace file http https ssh email mail e-mail from to cc
    bcc author by contact reply-to co-authored-by signed-off-by redacted
"""
_LABELS = frozenset(_LABEL_WORDS.split())


def _is_address(text: str, found: re.Match[str]) -> bool:
    """Spare addresses with a label, times and image digests; see the misses."""
    user, _, password = text[found.start(1) : found.end(1)].partition(":")
    if user.lower() in _LABELS or (user.isdecimal() and password.replace(":", "").isdecimal()):
        return True
    follows = text[found.end() : found.end() + 1]
    return follows not in (":", "/") and password.isalpha()


_SCP = Rule(
    id="scp-credentials",
    needs=re.compile(r":[^\s/\"'`<>(){}\\,;]{1,128}?@[A-Za-z\d]"),
    pattern=re.compile(
        r"(?<![\w./:@+%$-])([A-Za-z0-9_][\w.+-]{0,63}:[^\s/\"'`<>(){}\\,;]{1,128})"
        r"@(?!sha\d)(?:[A-Za-z][\w.-]{0,252}|\d{1,3}(?:\.\d{1,3}){3})(?=[:/\s]|$)"
    ),
    keywords=("@",),
    trigger=r":[^\s/]+@[A-Za-z0-9]",
    hits=(
        (f"user:{_PW}@host:path", f"{MASK}@host:path"),
        ("scp a user:pw@host:path", f"scp a {MASK}@host:path"),
        (f"user:{_PW}@{_PW}@host:path", f"{MASK}@host:path"),
        (f"rsync u:{_PW}@10.0.0.1:/srv .", f"rsync {MASK}@10.0.0.1:/srv ."),
        (f"u:{_PW}@host", f"{MASK}@host"),
    ),
    misses=(
        "mailto:joe@example.com",
        "12:30@home",
        "git@github.com:o/r.git",
        "Author:joe@example.com",
        "team:joe@example.com",
        '"left-pad": "npm:pad@^1.0.0"',
        "image: nginx:1.25@sha256:0123",
        "joe@example.com",
        "@app.route",
    ),
    spares=_is_address,
)

_SLASH = r"\\?/"

_BRIDGE = Rule(
    id="bridge-endpoint",
    pattern=re.compile(
        r"(?:(?:https?:\\?/\\?/)?(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|localhost|\[::1\])(?::\d{1,5})?)?"
        rf"{_SLASH}cursor-pi-tool-bridge{_SLASH}[^\s/\"'`<>(){{}}\\]{{1,512}}(?:{_SLASH}mcp\b)?"
    ),
    keywords=("cursor-pi-tool-bridge",),
    hits=(
        (f"at http://127.0.0.1:49152/cursor-pi-tool-bridge/{_PW}/mcp.", f"at {ENDPOINT}."),
        (f"http://localhost/cursor-pi-tool-bridge/{_PW}/mcp", ENDPOINT),
        (f"http://[::1]:80/cursor-pi-tool-bridge/{_PW}/mcp", ENDPOINT),
        (f"127.0.0.1:49152/cursor-pi-tool-bridge/{_PW}/mcp", ENDPOINT),
        (f"POST /cursor-pi-tool-bridge/{_PW}/mcp 200", f"POST {ENDPOINT} 200"),
        (rf'"http:\/\/127.0.0.1:1\/cursor-pi-tool-bridge\/{_PW}\/mcp"', f'"{ENDPOINT}"'),
    ),
    misses=("/cursor-pi-tool-bridge/<token>/mcp", "the cursor-pi-tool-bridge package"),
    replacement=ENDPOINT,
)

_USER = r"\w(?:[\w.@+-]{0,62}[\w$])?"

# What may precede the first slash of a path: nothing of a longer path, of a host or of a name.
_EDGES = (
    r"(?<![\w./~%\\@})*-]/)",
    "(?<=file:///)",
    r"(?<=\\[nrt]/)",
    r"(?<=\s-[A-Z]/)",
    r"(?<=[\s\"'][ab]/)",
    "(?<=wsl%2[Bb]ubuntu/)",
)
_EDGE = f"(?:{'|'.join(_EDGES)})"

_UNIX = Rule(
    id="home",
    pattern=re.compile(
        rf"/{_EDGE}(?:(?:mnt/|cygdrive/)?[A-Za-z]:?/(?=Users/)|(?:var|export|private|data)/(?=home/))?(?:home|Users)/(?!Shared\b|Public\b){_USER}"
    ),
    keywords=("/home/", "/users/"),
    hits=(
        ("cd /home/joe/x", "cd ~/x"),
        ("/home/joe", "~"),
        ("/home/joe/home/jim", "~/home/jim"),
        ("/Users/mary.jane/x.", "~/x."),
        ("file:///home/joe/x", "file://~/x"),
        ("file:///c:/Users/joe/x", "file://~/x"),
        ("/c:/Users/joe/x", "~/x"),
        ("/mnt/c/Users/joe/x", "~/x"),
        ("/c/Users/joe/x", "~/x"),
        ("/cygdrive/c/Users/joe/x", "~/x"),
        ("ls >/home/joe/x 2>>/home/joe/y", "ls >~/x 2>>~/y"),
        ("<path>/home/joe/x</path>", "<path>~/x</path>"),
        ("/var/home/joe/x", "~/x"),
        ("/export/home/joe", "~"),
        (r'"a\n/home/joe/x"', r'"a\n~/x"'),
        ("gcc -I/home/joe/inc", "gcc -I~/inc"),
        ("--- a/home/joe/x", "--- a~/x"),
        ("PATH=/home/joe/bin:/home/joe/.local/bin", "PATH=~/bin:~/.local/bin"),
        ("vscode-remote://wsl%2Bubuntu/home/joe/x", "vscode-remote://wsl%2Bubuntu~/x"),
    ),
    misses=(
        "/home/",
        "/home",
        "/usr/home.txt",
        "/usr/home/x",
        "https://example.com/home/page",
        "https://example.com/Users/joe",
        "./home/joe",
        "src/Users/list.ts",
        "/home/<user>/x",
        "/home/$USER/x",
        "/home/*/x",
        "/Users/Shared/x",
    ),
    replacement=HOME,
)

_ROOT = Rule(
    id="home-root",
    pattern=re.compile(rf"/{_EDGE}root(?=/|[\s\"'`:;,)]|$)"),
    keywords=("/root",),
    hits=(("ls /root/x", "ls ~/x"), ("/root", "~"), ("HOME=/root:x", "HOME=~:x")),
    misses=("/rootfs", "/var/root", "~/root", "/root.txt", "https://example.com/root/x"),
    replacement=HOME,
)

_ESCAPED = Rule(
    id="home-escaped",
    pattern=re.compile(rf"\\/(?<![\w./~%@}})*-]\\/)(?:home|Users)\\/{_USER}"),
    keywords=(r"\/home\/", r"\/users\/"),
    hits=((r'"\/home\/joe\/x"', r'"~\/x"'),),
    misses=(r'"a\/home\/joe"', r'"\/homes\/joe"'),
    replacement=HOME,
)

_DRIVE = Rule(
    id="home-drive",
    pattern=re.compile(rf"(?<![\w/])[A-Za-z]:/[Uu]sers/(?!Public\b|Default\b|All ){_USER}"),
    keywords=(":/users/",),
    hits=(("C:/Users/joe/x", "~/x"), ('"c:/Users/joe"', '"~"')),
    misses=("C:/Users", "abc:/Users", "C:/Users/Public/x"),
    replacement=HOME,
)

_BACK = r"\\{1,8}"

_WINDOWS = Rule(
    id="home-windows",
    pattern=re.compile(
        rf"[A-Za-z]:{_BACK}[Uu]sers{_BACK}(?!Public\b|Default\b|All )"
        rf"(?:\w[^\\/:*?\"<>|\r\n]{{0,62}}(?=\\)|{_USER})"
    ),
    keywords=("\\users\\",),
    hits=(
        (r"dir C:\Users\joe\x", r"dir ~\x"),
        (r"C:\Users\Joe Doe\x", r"~\x"),
        (r'{"p": "C:\\Users\\joe\\x"}', r'{"p": "~\\x"}'),
        (r'"c:\\\\Users\\\\joe\\\\x"', r'"~\\\\x"'),
        (r"c:\users\joe", "~"),
    ),
    misses=(r"C:\Users", r"C:\Users\Public\x", r"C:\Windows\x", r"C:\Users\%USERNAME%\x"),
    replacement=HOME,
)

_SLUG = Rule(
    id="home-slug",
    pattern=re.compile(
        r"(?:\.cursor|\.claude|\.pi(?:\\?/|\\{1,8})agent)(?:\\?/|\\{1,8})(?:projects|sessions)(?:\\?/|\\{1,8})"
        r"-{0,2}((?:[A-Za-z]-{1,2})?(?:home|Users)-[A-Za-z0-9]{1,64}|root)(?=[-/\\\s\"'`]|$)"
    ),
    keywords=(".cursor", ".claude", ".pi"),
    hits=(
        ("~/.cursor/projects/home-joe-proj/x", "~/.cursor/projects/~-proj/x"),
        ("~/.cursor/projects/Users-joe-proj", "~/.cursor/projects/~-proj"),
        (r"~\\.cursor\\projects\\c-Users-joe-proj", r"~\\.cursor\\projects\\~-proj"),
        ("~/.claude/projects/-home-joe-proj/x", "~/.claude/projects/-~-proj/x"),
        ("~/.pi/agent/sessions/--home-joe-proj--/x", "~/.pi/agent/sessions/--~-proj--/x"),
        ("~/.cursor/projects/root-proj", "~/.cursor/projects/~-proj"),
    ),
    misses=("~/.cursor/projects/srv-app", "~/.cursor/projects/empty-window", "projects/home-page"),
    replacement=HOME,
)

PLACES: tuple[Rule, ...] = (_BRIDGE, _URL, _SCP)
HOMES: tuple[Rule, ...] = (_DRIVE, _UNIX, _ROOT, _ESCAPED, _WINDOWS, _SLUG)
