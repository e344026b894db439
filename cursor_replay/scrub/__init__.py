"""The scrubbing boundary: items go in, sealed items come out, and nothing else leaves.

Owns the ``RULES`` table, the control characters and the only maker of ``Sealed``. Knows nothing
of where an item goes.
"""

from cursor_replay.scrub.choices import Choices
from cursor_replay.scrub.rules import RULES, Rule
from cursor_replay.scrub.seal import Sealer, clean

__all__ = ["RULES", "Choices", "Rule", "Sealer", "clean"]
