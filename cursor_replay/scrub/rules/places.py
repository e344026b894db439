"""Secrets of places: credentials in URLs, the endpoints of the bridge.

Owns the rules for what stands in an address. Knows no key names and no vendors. The
endpoint and the user info forms are those of the replay documents (replay facts 5).
"""

import re

from cursor_replay.scrub.rules.rule import MASK, Rule, compiled

ENDPOINT = "[redacted-bridge-endpoint]"
HOME = "~"

_PW = "p" + "w1"

_PLACEHOLDERS = re.compile(
    r"(?:\$\w+|\$?\{\{?[^{}@]{1,60}\}?\}|<[\w-]{1,40}>|\*+|[:]|x-access-token|oauth2|git)+"
)


def _is_template(text: str, found: re.Match[str]) -> bool:
    """Spare user info that names variables only, and the user of every ``ssh://git@`` URL."""
    return _PLACEHOLDERS.fullmatch(text, *found.span(found.lastindex or 0)) is not None


_URL = Rule(
    id="url-credentials",
    pattern=compiled(
        r":\\?/(?:"
        # A password may hold ? and #, but a port followed by one of them is no password. The second
        # slash goes where an address is taken for a path.
        r"(?:\\?/)?([^\s/?#@:\"'`\\]{0,256}:(?!\d{1,5}[?#])[^\s/\"'`\\]{1,256})"
        r"|(?:\\?/|(?<=http:/)|(?<=https:/))([^\s/?#:\"'`\\]{1,512})"
        r")@(?=[\w\[$\{%])"
    ),
    keywords=("@",),
    trigger=r":\\?/[^ \t\n]*@",
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
        (f"https:/u:{_PW}@host/x", f"https:/{MASK}@host/x"),
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
    bcc jdbc author by contact reply-to co-authored-by signed-off-by redacted patch portal link
"""
_LABELS = frozenset(_LABEL_WORDS.split())


_ACCOUNTS = ("git",)
"""A label may stand in front of an account that everybody has: ``origin:git@host``."""


def _is_address(text: str, found: re.Match[str]) -> bool:
    """Spare addresses with a label, times and image digests; see the misses."""
    user, _, password = text[found.start(1) : found.end(1)].partition(":")
    if (
        user.lower() in _LABELS
        or password in _ACCOUNTS
        or (user.isdecimal() and password.replace(":", "").isdecimal())
    ):
        return True
    follows = text[found.end() : found.end() + 1]
    return follows not in (":", "/", "(") and password.isalpha()


_SCP = Rule(
    id="scp-credentials",
    needs=re.compile(r":[^\s/\"'`<>(){}\\,;]{1,128}?@[A-Za-z\d]"),
    pattern=compiled(
        r"(?:(?<![\w./:@+%$-])|(?<=^[+-]))([A-Za-z0-9_][\w.+-]{0,63}:[^\s/\"'`<>(){}\\,;]{1,128})"
        r"@(?!sha\d)(?:[A-Za-z][\w.-]{0,252}|\d{1,3}(?:\.\d{1,3}){3})(?=[:/\s]|$|\()",
        re.MULTILINE,
    ),
    keywords=("@",),
    trigger=r":[^ \t\n/]+@[A-Za-z0-9]",
    hits=(
        (f"user:{_PW}@host:path", f"{MASK}@host:path"),
        ("scp a user:pw@host:path", f"scp a {MASK}@host:path"),
        (f"user:{_PW}@{_PW}@host:path", f"{MASK}@host:path"),
        (f"rsync u:{_PW}@10.0.0.1:/srv .", f"rsync {MASK}@10.0.0.1:/srv ."),
        (f"u:{_PW}@host", f"{MASK}@host"),
        (f"u:{_PW}@tcp(10.0.0.1:3306)/shop", f"{MASK}@tcp(10.0.0.1:3306)/shop"),
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
    pattern=compiled(
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

SLUG = Rule(
    id="home-slug",
    pattern=compiled(
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
"""A home folder in the name of a workspace; it runs with those of ``people``."""

PLACES: tuple[Rule, ...] = (_BRIDGE, _URL, _SCP)
