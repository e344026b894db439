"""The ``dataclass`` of items and events: frozen to the type checker, plain when it runs.

``frozen=True`` makes every construction three times as slow, which is 14 % of a whole run, and a
run makes millions. The type checker reads the standard decorator and rejects every assignment.
Owns nothing else.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, **options: Any) -> Callable[[type], type]:
        """Read ``frozen`` as what it is for a reader: equal by value, hashable, never changed."""
        return dataclasses.dataclass(unsafe_hash=frozen, **options)
