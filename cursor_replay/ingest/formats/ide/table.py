"""The tools of the IDE: which arguments and results of them mean what.

Transcript facts 3 name some tools and the numbers 15, 38 and 40; the other names, numbers and
argument spellings are reported by public readers of this database and were not measured.

One table from a recorded tool name to argument spellings and the reader of its result, and the
numbers by which nameless tools are known. Adding a tool is one row here.
"""

from typing import NamedTuple

from cursor_replay.ingest.formats.ide import edits, results

_PATH = ("path", "relativeWorkspacePath", "targetFile", "target_file", "filePath", "file_path",
         "relative_workspace_path")  # fmt: skip


class Tool(NamedTuple):
    """``arguments``: our name and its further spellings; none of them means "as recorded"."""

    read: results.Reader
    arguments: tuple[tuple[str, ...], ...] = ()


SHELL = Tool(
    results.shell,
    (
        ("command",),
        ("cwd", "workingDirectory", "working_directory"),
        ("timeout", "options.timeout"),
    ),
)
_READ = Tool(
    results.read,
    (
        _PATH,
        ("offset", "startLineOneIndexed", "start_line_one_indexed"),
        ("limit",),
        ("endLine", "endLineOneIndexedInclusive", "end_line_one_indexed_inclusive"),
    ),
)
_EDIT = Tool(
    edits.edit,
    (
        _PATH,
        ("old_string", "oldString"),
        ("new_string", "newString"),
        ("edits",),
        ("replace_all", "replaceAll", "allowMultipleMatches"),
        ("cell_idx", "notebookCellIdx"),
    ),
)
_WRITE = Tool(edits.write, (_PATH, ("contents", "content", "contentsAfterEdit", "fileText")))
_GREP = Tool(
    results.grep,
    (
        ("pattern", "query", "patternInfo.pattern"),
        ("path", "target_directory"),
        ("glob", "includePattern", "include_pattern"),
        ("caseInsensitive", "case_insensitive", "-i"),
        ("context", "-C"),
        ("headLimit", "head_limit"),
    ),
)
_GLOB = Tool(
    results.glob,
    (("globPattern", "glob_pattern", "pattern", "query"), ("targetDirectory", "target_directory")),
)
_LS = Tool(
    results.ls,
    (("path", "directoryPath", "targetDirectory", "target_directory", "relative_workspace_path"),),
)
_SEMANTIC = Tool(
    results.semantic,
    (("query",), ("targetDirectories", "target_directories"), ("explanation",)),
)
_TASK = Tool(
    results.task,
    (
        ("description", "taskTitle"),
        ("prompt", "taskDescription"),
        ("subagentType", "subagent_type"),
        ("model", "modelOverride"),
    ),
)
_DELETE = Tool(results.delete, (_PATH,))
_LINTS = Tool(results.lints, (("paths",), _PATH))
_TODOS = Tool(results.todos, (("todos",), ("merge",)))
_MODE = Tool(results.same, (("target_mode_id", "toModeId", "targetModeId"), ("explanation",)))
MCP = Tool(results.mcp)
OTHER = Tool(results.same)

_NAMES: tuple[tuple[Tool, tuple[str, ...]], ...] = (
    (SHELL, ("run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "shell")),
    (_READ, ("read_file", "read_file_v2", "read")),
    (_EDIT, ("edit_file", "edit_file_v2", "search_replace", "reapply", "multiedit", "edit",
             "edit_notebook", "strreplace")),
    (_WRITE, ("write", "write_file")),
    (_GREP, ("grep_search", "ripgrep_search", "ripgrep_raw_search", "grep", "rg")),
    (_GLOB, ("file_search", "glob_file_search", "glob")),
    (_LS, ("list_dir", "list_dir_v2", "ls")),
    (_SEMANTIC, ("codebase_search", "semantic_search_full", "semanticsearch")),
    (_TASK, ("task", "task_v2", "subagent")),
    (_DELETE, ("delete_file", "delete")),
    (_LINTS, ("read_lints", "readlints")),
    (_TODOS, ("todo_write", "todowrite")),
    (_MODE, ("switch_mode", "switchmode")),
    (MCP, ("mcp", "call_mcp_tool", "callmcptool")),
)  # fmt: skip
TOOLS: dict[str, Tool] = {name: tool for tool, names in _NAMES for name in names}
"""Recorded name in lower case -> how to read it."""
NUMBERS: dict[int, str] = {
    3: "ripgrep_search", 5: "read_file", 6: "list_dir", 7: "edit_file", 8: "file_search",
    9: "codebase_search", 11: "delete_file", 12: "reapply", 15: "run_terminal_cmd",
    18: "web_search", 19: "mcp", 30: "read_lints", 32: "task", 34: "todo_read", 35: "todo_write",
    38: "edit_file_v2", 39: "list_dir_v2", 40: "read_file_v2", 41: "ripgrep_raw_search",
    42: "glob_file_search", 43: "create_plan", 48: "task_v2", 49: "call_mcp_tool",
    51: "ask_question", 52: "switch_mode", 53: "generate_image", 57: "web_fetch",
}  # fmt: skip
"""Tool number -> name, for calls that carry no name."""
NO_SERVER = {"mcp_auth", "mcp_web_fetch"}
"""Tools of Cursor whose names look like those of a server."""
