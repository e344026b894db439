"""The words of a shell command, and secrets that are piped or given to a program's input.

Owns what a word is, in quotes or not, and when it is no secret; ``echo x | sudo -S`` and
``sudo -S <<< x``. Programs with options are in ``commands``.
"""

import re

from cursor_replay.scrub.rules.judge import LONGEST, spares_argument
from cursor_replay.scrub.rules.rule import Rule, compiled
from cursor_replay.scrub.rules.values import lines_of, pairs_of, string_of

QUOTE = r"\\{0,7}[\"']"
_NO_END = r"(?!\\{0,7}[\"'](?:\\{0,7}[\"'`]|\\{1,7}[nrt]|[\s,:;)\]}|&]|\Z))"
"""A quote that ends a string, or that nothing stands behind, begins no word."""
_AND = r"&(?=[\w@])(?![\w.-]{1,40}[=;])"
"""Such a sign is part of a word that goes on, though a shell would end there."""
WORD = (
    rf"(?:{_NO_END}(?:{'|'.join(map(string_of, (0, 1, 3)))})"
    rf"|([^\s\"'`;|&<>$\\](?:[^\s\"'`;|&<>\\]|{_AND})*+))"
)
"""A word of a command, in quotes or not; once in a pattern, for its groups have names."""
REACH = r"(?:[^\n;|&]{0,200}?[ \t])??"
"""What may stand between a program and its option, on the same line and in the same command."""
BEGIN = r"(?:(?<![\w.-])|(?<=\\[nrt])|(?<=^-))"
_IS_KEY = re.compile(r"\\{0,7}[\"'][ \t]{0,4}:(?!:)")


def is_key(text: str, end: int) -> bool:
    """Whether what ends at ``end`` is the key of an object, and so no value."""
    return _IS_KEY.match(text, end) is not None


def spares_word(text: str, found: re.Match[str]) -> bool:
    """Whether a word of a command is no secret: a variable, a path, a placeholder, a key."""
    start, end = found.span(found.lastindex or 0)
    value = text[start:end][:LONGEST]
    capitals = value.isupper() and value.isalpha()
    return spares_argument(value) or capitals or is_key(text, end)


_READERS = (
    r"(?:(?:sudo[ \t]{1,4})?chpasswd\b|(?:sudo[ \t]{1,4})?passwd[ \t]|kinit\b"
    r"|sudo[ \t](?:-\w{1,8}[ \t]){0,4}-\w{0,4}S"
    r"|(?:gh[ \t]secret[ \t]set|wrangler[ \t]secret[ \t]put|gcloud[ \t]secrets[ \t]create"
    r"|vercel[ \t]env[ \t]add|kubectl[ \t]create[ \t]secret)[ \t]"
    r"|[^\n|;&]{1,80}[ \t](?:--password-stdin|--with-token)"
    r"|[^\n|;&]{0,80}passwd[ \t][^\n|;&]{0,40}--stdin)"
)
_READ = (
    r"(?:sudo[ \t]+(?:-|chpasswd|passwd)|chpasswd|passwd |kinit|gh sec|wrangler|gcloud|vercel|kube)"
)
_PIPED = Rule(
    id="piped-password",
    kind="password",
    pattern=compiled(
        rf"{BEGIN}(?:echo(?:[ \t]-\w{{1,3}})?|printf(?:[ \t](?:{QUOTE})?%s(?:\\{{1,8}}n)?"
        rf"(?:{QUOTE})?)?)[ \t]{{1,4}}{WORD}"
        rf"(?=(?:{QUOTE})?[ \t]{{0,4}}\|[ \t]{{0,4}}{_READERS})",
        re.MULTILINE,
    ),
    keywords=("echo", "printf"),
    trigger=rf"\|[ \t]{{0,4}}{_READ}|--password-stdin|--with-token| --stdin",
    hits=pairs_of(
        r"""
        echo «hunter2» | sudo -S apt-get update
        echo '«hunter 2»' | docker login -u joe --password-stdin
        echo '«a"9»' | sudo -S x
        printf '%s' "«hunter2»" | gh auth login --with-token
        echo "«joe:hunter2»" | chpasswd
        echo "«joe:hunter2»" | sudo chpasswd
        echo «hunter2» | gh secret set X
        echo «hunter2» | passwd --stdin joe
        {"a": "echo -n \"«hunter2»\" | podman login --password-stdin"}
        """
    ),
    misses=lines_of(
        """
        echo $PASS | sudo -S x
        echo hello | grep x
        echo done; sudo -S x
        echo "foo" | xargs -n1 --stdin
        echo 'user ALL=(ALL) ALL' | sudo tee /etc/sudoers.d/x
        """
    ),
    spares=spares_word,
)

_HERE = Rule(
    id="here-string",
    kind="password",
    pattern=compiled(
        rf"{BEGIN}(?:sudo[ \t](?:-\w{{1,8}}[ \t]){{0,4}}-\w{{0,4}}S|chpasswd|gh[ \t]secret[ \t]set"
        r"|wrangler[ \t]secret[ \t]put|vercel[ \t]env[ \t]add|pass[ \t]insert"
        r"|gpg[ \t][^\n;|&<]{0,100}--passphrase-fd|read[ \t][^\n;|&<]{0,40}(?i:pass\w{0,8}|token)"
        r"|[a-z]{1,16}[ \t][^\n;|&<]{0,100}(?:--password-stdin|--with-token))"
        rf"[^\n;|&<]{{0,200}}<<<[ \t]{{0,4}}{WORD}",
        re.MULTILINE,
    ),
    keywords=("<<<",),
    trigger="<<<",
    hits=pairs_of(
        r"""
        sudo -S ls <<< «hunter2»
        sudo -S <<< '«a b»' ls
        docker login --password-stdin <<< "«hunter2»"
        gh secret set DB <<< «hunter2»
        chpasswd <<< "«joe:hunter2»"
        {"a": "gh auth login --with-token <<< \"«hunter2»\"", "b": 1}
        """
    ),
    misses=lines_of(
        """
        sudo -S ls <<< $PASS
        grep x <<< "text"
        <<<<<<< HEAD
        """
    ),
    spares=spares_word,
)

SHELLS: tuple[Rule, ...] = (_PIPED, _HERE)
