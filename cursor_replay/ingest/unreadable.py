"""Why a database could not be read, in words for a user.

Owns what is said of the errors of the system and of SQLite. Knows no database.
"""

import sqlite3
from errno import ENOSPC

_NO_PLACE: dict[type[Exception], str] = {
    FileNotFoundError: "no such file",
    PermissionError: "not permitted to read it",
    IsADirectoryError: "a folder, not a database",
}


def unreadable(error: Exception) -> str:
    """Why a database could not be read; never the message of SQLite, which may quote content."""
    for kind, words in _NO_PLACE.items():
        if isinstance(error, kind):
            return words
    if isinstance(error, OSError) and error.errno == ENOSPC:
        return "no room for a private copy of it"
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return "locked by another program; try again"
    return f"not a readable database ({type(error).__name__})"
