"""How a pi session file is recognised: by its header, as pi writes it (pi facts 1.2).

Other programs write a first line of type ``session`` too, and pi itself puts this very header in
front of the events that it prints (``--mode json``); those are no entries of a session.
"""

from cursor_replay.errors import InputError
from cursor_replay.ingest.formats.fields import has
from cursor_replay.ingest.formats.pi.tree import Tree
from cursor_replay.ingest.jsontext import decode
from cursor_replay.ingest.lines import split_lines
from cursor_replay.ingest.times import from_iso
from cursor_replay.items import Json
from cursor_replay.lenient import as_text


def fits(head: bytes) -> bool:
    """Whether the first JSON object of a stream is the header of a pi session."""
    if b"session" not in head.replace(b"\0", b""):
        return False
    for line in split_lines((head,)):
        for value in decode(line.data, ended=line.ended).values:
            if isinstance(value, dict):
                return _is_header(value)
    return False


def refuse_others(tree: Tree, name: str) -> None:
    """Raise InputError where no line is an entry of a session, unless a header stands alone."""
    if tree.header is None and not tree.links:
        raise InputError(f"{name} holds no record of the format pi-session")
    if tree.links and not tree.known:
        raise InputError(
            f"{name} is no session file of pi: none of its records is an entry of a session "
            "(the events that pi prints with --mode json are not read)"
        )


def _is_header(record: dict[str, Json]) -> bool:
    if record.get("type") != "session" or not isinstance(record.get("id"), str):
        return False
    if has(record, "agent_id", "session_id", "run_id", "uuid", "message"):
        return False
    stamped = from_iso(as_text(record.get("timestamp"))) is not None
    numbered = type(record.get("version")) is int
    bare = numbered and record.keys() <= {"type", "version", "id"}  # as little as pi itself accepts
    return isinstance(record.get("cwd"), str) or (numbered and stamped) or bare
