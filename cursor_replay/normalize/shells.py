"""The shells that run, and whose output a chunk is: the SDK does not say (replay facts 8).

With two shells running it belongs to nobody for sure, also after one of them has ended.
"""

from dataclasses import replace

from cursor_replay.events import Outcome, OutputArrived
from cursor_replay.lenient import as_text
from cursor_replay.normalize.ledger import OpenCall


class Shells:
    """The running shells of one run, by card id."""

    def __init__(self) -> None:
        self._running: dict[str, OpenCall] = {}

    def begins(self, identity: str, shell: OpenCall | None) -> None:
        """A shell was started; one whose arguments still arrive has not begun."""
        if shell is None or identity in self._running:
            return
        self._running[identity] = shell
        if len(self._running) > 1:
            for each in self._running.values():
                each.ambiguous = True

    def ends(self, identity: str) -> None:
        """A shell completed, or was given up."""
        self._running.pop(identity, None)

    def heard(self, event: OutputArrived) -> None:
        """Keep a chunk for the one shell it can belong to; count it for all it may belong to."""
        last = next((line for line in reversed(event.data.split("\n")) if line.strip()), "")
        for shell in self._running.values():
            shell.outputs += 1
            shell.last_output_at = event.time or shell.last_output_at
            shell.last_output = last or shell.last_output
            if not shell.ambiguous:
                (shell.stdout if event.stream == "stdout" else shell.stderr).append(event.data)


def with_output(outcome: Outcome | None, start: OpenCall | None) -> Outcome | None:
    """Streamed output fills a success that completed without any (replay facts 8)."""
    if outcome is None or start is None or start.ambiguous or outcome.status != "success":
        return outcome
    value = outcome.value
    if not (start.stdout or start.stderr) or not isinstance(value, dict):
        return outcome
    if any((as_text(value.get(key)) or "").strip() for key in ("stdout", "stderr")):
        return outcome
    streamed = {"stdout": "".join(start.stdout), "stderr": "".join(start.stderr)}
    return replace(outcome, value={**value, **streamed})
