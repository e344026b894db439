"""TOOLS: the one registry (replay facts section 2).

Adding a tool is one row, one function and one fixture. The index is built at import and raises
when a name or an alias is claimed twice.
"""

from cursor_replay.normalize.tools import pi_native, plain
from cursor_replay.normalize.tools.agents import task
from cursor_replay.normalize.tools.edits import edit
from cursor_replay.normalize.tools.files import delete, read, read_lints, write
from cursor_replay.normalize.tools.mcp import mcp
from cursor_replay.normalize.tools.media import computer_use, generate_image, record_screen
from cursor_replay.normalize.tools.planning import (
    ask_question,
    create_plan,
    read_todos,
    update_todos,
)
from cursor_replay.normalize.tools.search import glob, grep, ls, sem_search
from cursor_replay.normalize.tools.shell import shell, shell_stdin
from cursor_replay.normalize.tools.spec import ToolSpec
from cursor_replay.normalize.tools.unknown import unknown
from cursor_replay.normalize.tools.web import web_fetch, web_search

UNKNOWN = ToolSpec(canonical="unknown", title="Cursor tool", card=unknown)
"""The row for every name nobody claims."""

REFERENCE: tuple[ToolSpec, ...] = (
    ToolSpec(
        canonical="read",
        aliases=("read_file", "readfile", "read_file_v2"),
        title="Cursor read",
        disposition="native",
        card=read,
    ),
    ToolSpec(
        canonical="grep",
        aliases=("grep_search", "search", "rg", "ripgrep_search", "ripgrep_raw_search"),
        title="Cursor grep",
        disposition="native",
        card=grep,
    ),
    ToolSpec(
        canonical="glob",
        aliases=("file_search", "glob_file_search"),
        title="Cursor find",
        disposition="native",
        card=glob,
    ),
    ToolSpec(
        canonical="ls",
        aliases=("list_dir", "list_dir_v2"),
        title="Cursor ls",
        disposition="native",
        card=ls,
    ),
    ToolSpec(
        canonical="shell",
        aliases=(
            "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "terminal",
            "bash",
        ),
        title="Cursor shell",
        disposition="native",
        lifecycle="Cursor shell",
        card=shell,
    ),
    ToolSpec(
        canonical="edit",
        aliases=(
            "strreplace", "str_replace", "str-replace", "edit_file", "editfile", "edit_file_v2",
            "edit_notebook", "editnotebook", "notebook_edit", "notebookedit", "applypatch",
            "apply_patch", "search_replace", "multiedit", "reapply",
        ),
        title="Cursor edit",
        disposition="native",
        card=edit,
    ),
    ToolSpec(
        canonical="write",
        aliases=("write_file", "writefile"),
        title="Cursor write",
        disposition="native",
        card=write,
    ),
    ToolSpec(canonical="delete", aliases=("delete_file",), title="Cursor delete", card=delete),
    ToolSpec(
        canonical="readLints",
        aliases=("read_lints",),
        title="Cursor diagnostics",
        card=read_lints,
    ),
    ToolSpec(
        canonical="updateTodos",
        aliases=("todowrite", "todo_write", "update_todos"),
        title="Cursor todos",
        lifecycle="Cursor todos",
        card=update_todos,
    ),
    ToolSpec(
        canonical="createPlan",
        aliases=("create_plan",),
        title="Cursor plan",
        lifecycle="Cursor plan",
        card=create_plan,
    ),
    ToolSpec(
        canonical="task",
        aliases=("subagent", "task_v2"),
        title="Cursor subagent",
        lifecycle="Cursor subagent",
        card=task,
    ),
    ToolSpec(
        canonical="generateImage",
        aliases=("generate_image",),
        title="Cursor image generation",
        lifecycle="Cursor image generation",
        card=generate_image,
    ),
    ToolSpec(
        canonical="mcp",
        aliases=("callmcptool", "calldynamictool", "call_mcp_tool"),
        title="Cursor MCP",
        lifecycle="Cursor MCP",
        card=mcp,
    ),
    ToolSpec(
        canonical="semSearch",
        aliases=(
            "semanticsearch", "semantic_search", "codebase_search", "semantic_search_full",
        ),
        title="Cursor semantic search",
        lifecycle="Cursor semantic search",
        card=sem_search,
    ),
    ToolSpec(
        canonical="recordScreen",
        aliases=("record_screen",),
        title="Cursor screen recording",
        lifecycle="Cursor screen recording",
        card=record_screen,
    ),
    ToolSpec(
        canonical="webSearch",
        aliases=("web_search", "web-search"),
        title="Cursor web search",
        lifecycle="Cursor web search",
        card=web_search,
    ),
    ToolSpec(
        canonical="webFetch",
        aliases=("web_fetch", "web-fetch", "mcp_web_fetch", "fetch"),
        title="Cursor web fetch",
        lifecycle="Cursor web fetch",
        card=web_fetch,
    ),
)  # fmt: skip
"""The 18 canonical tools of the replay documents."""

TOOLS: tuple[ToolSpec, ...] = (
    *REFERENCE,
    ToolSpec(
        canonical="computerUse",
        aliases=("computer_use",),
        title="Cursor computer use",
        card=computer_use,
    ),
    ToolSpec(
        canonical="readTodos",
        aliases=("todo_read", "read_todos"),
        title="Cursor todos",
        card=read_todos,
    ),
    ToolSpec(
        canonical="askQuestion",
        aliases=("ask_question",),
        title="Cursor question",
        card=ask_question,
    ),
    ToolSpec(
        canonical="writeShellStdin",
        aliases=("write_shell_stdin",),
        title="Cursor shell input",
        card=shell_stdin,
    ),
    *pi_native.SPECS,
    *plain.SPECS,
)


def _index(specs: tuple[ToolSpec, ...]) -> dict[str, ToolSpec]:
    index: dict[str, ToolSpec] = {}
    for spec in specs:
        for name in {spec.canonical.lower(), *spec.aliases}:
            if name in index:
                raise ValueError(f"tool name {name} is claimed twice")
            index[name] = spec
    return index


INDEX = _index(TOOLS)
"""Lower-case name or alias -> row."""
