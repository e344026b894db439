"""What is said once of many messages of a chat that are not shown."""

from typing import NamedTuple

from cursor_replay.ingest.formats.ide.rows import LARGEST
from cursor_replay.items import Level


class Sum(NamedTuple):
    """What is said once of many messages; ``one`` and ``many`` follow the number."""

    one: str
    many: str
    level: Level = "warning"


SUMS = {
    "purged": Sum("message was purged by Cursor", "messages were purged by Cursor"),
    "missing": Sum("message is listed but not stored", "messages are listed but not stored"),
    "too-large": Sum(
        f"message is over the limit of {LARGEST // 2**20} MB and not read",
        f"messages are over the limit of {LARGEST // 2**20} MB and not read",
    ),
    "no-id": Sum("entry of the message list names none", "entries of the message list name none"),
    "repeated": Sum(
        "message is listed again and shown once", "messages are listed again and shown once", "info"
    ),
    "empty": Sum("message holds nothing to show", "messages hold nothing to show", "info"),
    "orphans": Sum(
        "stored message is in no list of this chat, so its place is unknown and it is not shown",
        "stored messages are in no list of this chat, so their places are unknown and they are"
        " not shown",
        "info",
    ),
}
