"""shell -> bash, and what belongs to a running shell (replay facts 3.2, 8)."""

from functools import partial

from cursor_replay.items import Json
from cursor_replay.lenient import Number, Text, as_int, as_number, as_text
from cursor_replay.normalize.bounds import LINE_CHARS, bounded, brief, heading, plural
from cursor_replay.normalize.json_words import compact, half_up
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.spec import Arguments, Call, Draft, named, native, present


class ShellArgs(Arguments):
    """``Shell``, ``run_terminal_cmd`` and the SDK's ``shell``; timeouts are milliseconds."""

    command: Text = named("command", "cmd")
    timeout: Number = named("timeout")
    directory: Text = named("workingDirectory", "working_directory", "cwd")


def shell(call: Call) -> Draft:
    """A command with its output; a non-zero exit, a signal or a timeout is a failure."""
    args = ShellArgs.read(call.args)
    command = args.command
    timeout = args.timeout / 1000 if args.timeout else None
    ends, failed = _endings(call, args) if call.done else ([], False)
    arguments: dict[str, Json] = (
        {"command": command, **present(timeout=_seconds(timeout), cwd=_elsewhere(call, args))}
        if command
        else dict(call.args)
    )
    draft = native(
        call,
        "bash",
        title="Cursor shell",
        arguments=arguments,
        header=f"$ {command or compact(call.args)}",
        body=partial(_output, call, ends),
        summary=brief(command, LINE_CHARS) if command else None,
        failed=call.failed or failed,
    )
    draft.duration_ms = as_number(call.result.get("executionTime"))
    draft.reason = ends[-1] if failed else None
    return draft


def shell_transcript(call: Call) -> str:
    """Header, output and ``Took N.Ns``, as a trace shows it."""
    draft = shell(call)
    took = as_number(call.result.get("executionTime"))
    if took is None or call.failed:
        return draft.transcript
    return heading(draft.transcript, f"Took {half_up(took / 1000, 1)}s\n", separator="\n")


def _elsewhere(call: Call, args: ShellArgs) -> str | None:
    """The working directory, when it is not the workspace itself."""
    shown = call.path(args.directory)
    return None if shown in (None, ".") else shown


def _seconds(seconds: float | None) -> float | None:
    return int(seconds) if seconds is not None and seconds.is_integer() else seconds


def _output(call: Call, ends: list[str]) -> str:
    if isinstance(call.value, str):
        return bounded(call.value) if call.value else "(no output)"
    streams = [_stream(call.result.get(key)) for key in ("stdout", "stderr")]
    if not any(streams):
        streams = [_stream(call.result.get(key)) for key in ("interleavedOutput", "output")][:2]
        streams = [next((each for each in streams if each), "")]
    kept = [bounded(each) for each in streams if each]
    return heading(*kept, *ends, separator="\n\n") or "(no output)"


def _stream(value: Json) -> str:
    return value.rstrip() if isinstance(value, str) else ""


def _endings(call: Call, args: ShellArgs) -> tuple[list[str], bool]:
    """The lines that say how the command ended, and whether that is a failure."""
    value, ends, failed = call.result, [], False
    exit_code, signal = as_int(value.get("exitCode")), as_text(value.get("signal"))
    if signal:
        ends.append(f"Command killed by signal {signal}")
        failed = True
    if exit_code:
        ends.append(f"Command exited with code {exit_code}")
        failed = True
    if value.get("aborted") is True:
        ends.append("Command aborted")
        failed = True
    took = as_number(value.get("executionTime"))
    if args.timeout and took is not None and took >= args.timeout:
        seconds = plural(int(half_up(args.timeout / 1000)), "second")
        ends.append(f"Command backgrounded after {seconds} timeout")
        failed = True
    elif value.get("isBackground") is True or value.get("backgroundReason"):
        ends.append("Command continues in the background")
    return ends, failed


def shell_stdin(call: Call) -> Draft:
    """Input typed into a running shell; shown as text, never as a command."""
    chars = as_text(call.args.get("chars")) or ""
    shell_id = as_int(call.args.get("shellId", call.args.get("shell_id")))
    where = f"shell {shell_id}" if shell_id is not None else None
    return activity(
        call,
        title="Cursor shell input",
        header=heading("write to", where or "shell"),
        body=bounded(chars),
        summary=where,
        arguments=present(shellId=shell_id),
    )
