"""Tools that need no rule of their own: a title, what they were about, what they answered.

A table over the remaining tools of the facts documents (SDK formats appendix A, transcript facts
1.6). One row says which arguments name the target; the answer is the first text a result holds,
else its fields, a line each.
"""

from functools import partial
from typing import NamedTuple

from cursor_replay.items import Json
from cursor_replay.lenient import as_text
from cursor_replay.normalize.bounds import bounded, brief, heading
from cursor_replay.normalize.json_words import compact
from cursor_replay.normalize.tools.activity import activity
from cursor_replay.normalize.tools.mcp import brief_json
from cursor_replay.normalize.tools.spec import Call, Draft, ToolSpec


class Plain(NamedTuple):
    """``about``: argument spellings that make the summary, the first present one wins."""

    canonical: str
    title: str
    about: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


ROWS: tuple[Plain, ...] = (
    Plain(
        "await",
        "Cursor await",
        ("task_id", "taskId", "shell_id", "pattern"),
        ("awaitshell", "await_task"),
    ),
    Plain("switchMode", "Cursor mode", ("target_mode_id", "targetModeId"), ("switch_mode",)),
    Plain(
        "updateCurrentStep",
        "Cursor progress",
        (
            *("current_step", "final_summary", "completed_subtitle"),
            *("currentStep", "finalSummary", "completedSubtitle"),
        ),
        ("communicateupdate", "update_current_step"),
    ),
    Plain("getMcpTools", "Cursor MCP tools", ("server", "toolName", "pattern"), ("get_mcp_tools",)),
    Plain("getDynamicTools", "Cursor dynamic tools", ("namespace", "toolName")),
    Plain("listMcpResources", "Cursor MCP resources", ("server",), ("list_mcp_resources",)),
    Plain(
        "readMcpResource",
        "Cursor MCP resource",
        ("uri", "server"),
        ("fetchmcpresource", "fetch_mcp_resource", "read_mcp_resource"),
    ),
    Plain("mcpAuth", "Cursor MCP sign-in", ("serverIdentifier",), ("mcp_auth",)),
    Plain("reflect", "Cursor reflection", ("nextSteps", "criticalSynthesis")),
    Plain("applyAgentDiff", "Cursor agent diff", ("agentId",), ("apply_agent_diff",)),
    Plain("setupVmEnvironment", "Cursor environment setup", ("installCommand", "startCommand")),
    Plain("truncated", "Cursor call (details truncated)"),
    Plain("startGrindExecution", "Cursor long run", ("explanation",)),
    Plain("startGrindPlanning", "Cursor long run planning", ("explanation",)),
    Plain("reportBugfixResults", "Cursor bug fixes", ("summary",), ("report_bugfix_results",)),
    Plain("aiAttribution", "Cursor attribution", ("filePaths", "outputMode"), ("ai_attribution",)),
    Plain("prManagement", "Cursor pull request", ("createPr", "updatePr", "postComment")),
    Plain("blameByFilePath", "Cursor blame", ("filePath",)),
    Plain("reportBug", "Cursor bug report", ("title", "file")),
    Plain("setActiveBranch", "Cursor branch", ("branchName", "path")),
    Plain("sendFinalSummary", "Cursor final summary", ("finalSummary",)),
    Plain("updatePrCodeTour", "Cursor code tour", ("heading", "feedback")),
    Plain("getPrCodeTour", "Cursor code tour", ("revisionId",)),
    Plain("getOriginPrCodeTour", "Cursor code tour", ("revisionId",)),
    Plain("updateOriginPrCodeTour", "Cursor code tour", ("heading", "feedback")),
    Plain("replaceEnv", "Cursor environment", ("mode",)),
    Plain("editPrLabels", "Cursor labels", ("prUrl", "addLabels")),
    Plain("recordCiInvestigationFindings", "Cursor CI findings", ("overall",)),
    Plain("sendMessage", "Cursor message", ("text",)),
    Plain("sendToUser", "Cursor message", ("message",)),
    Plain("fetchCloudAgentData", "Cursor cloud agents", ("bcIds", "sources")),
    Plain("connectScm", "Cursor source control", ("github",)),
    Plain("searchConversations", "Cursor conversation search", ("query",)),
    Plain("createGoal", "Cursor goal", ("objective",)),
    Plain("updateGoal", "Cursor goal", ("status",)),
    Plain("adopt", "Cursor agent adoption", ("sourceAgentId",)),
    Plain("getAgentStatus", "Cursor agent status", ("agentIds",)),
    Plain("sendToAgent", "Cursor message to agent", ("title", "message", "agentId")),
    Plain("readAgentTranscript", "Cursor agent transcript", ("agentId",)),
    Plain("createAgent", "Cursor new agent", ("name", "prompt")),
    Plain("stopAgent", "Cursor agent stop", ("agentId",)),
    Plain("writeCanvas", "Cursor canvas", ("title", "canvasId")),
    Plain("readCanvas", "Cursor canvas", ("canvasId", "url")),
    Plain("generateVideo", "Cursor video generation", ("prompt", "description")),
    Plain("xSearch", "Cursor X search", ("query",)),
    Plain("listTrackedTasks", "Cursor tracked tasks"),
    Plain("createTrackedTasks", "Cursor tracked tasks"),
    Plain("updateTrackedTasks", "Cursor tracked tasks"),
    Plain("deleteTrackedTasks", "Cursor tracked tasks"),
    Plain("updateTrackedTaskStatuses", "Cursor tracked tasks"),
    Plain("updateTrackedTaskTags", "Cursor tracked tasks"),
    Plain("createProject", "Cursor project", ("name", "title")),
    Plain("stopProjectUpdates", "Cursor project updates", ("projectId",)),
    Plain("startProjectUpdates", "Cursor project updates", ("projectId",)),
    Plain("tool_result", "Cursor tool result"),
)

_TEXT = (
    "content", "text", "output", "markdown", "message", "transcript", "summary", "results",
    "attributionText", "finalSummary", "setupLogs", "source",
)  # fmt: skip
_HIDDEN = {"toolCallId", "data", "blob", "screenshot", "imageData", "hookAdditionalContexts"}


def plain(call: Call, row: Plain) -> Draft:
    """The card of one row."""
    about = next((v for key in row.about if (v := call.args.get(key)) not in (None, "", [])), None)
    summary = None if about is None else _words(about)
    body = _answer(call) if call.done else ""
    return activity(
        call,
        title=row.title,
        header=heading(row.canonical, summary),
        body=body,
        summary=summary,
        arguments={
            key: brief_json(value) if not isinstance(value, str) else brief(value)
            for key, value in call.args.items()
            if key not in _HIDDEN and value not in (None, "", [], {})
        },
    )


def _words(value: Json) -> str:
    if isinstance(value, list):
        return brief(", ".join(each if isinstance(each, str) else compact(each) for each in value))
    return brief(value if isinstance(value, str) else compact(value))


def _answer(call: Call) -> str:
    if isinstance(call.value, str):
        return bounded(call.value)
    if isinstance(call.value, list):
        texts = [
            t for part in call.value if isinstance(part, dict) and (t := as_text(part.get("text")))
        ]
        return bounded("\n".join(texts)) if texts else call.fallback()
    text = next((t for key in _TEXT if (t := as_text(call.result.get(key)))), None)
    fields = [
        f"{key}: {value if isinstance(value, str) else compact(value)}"
        for key, value in call.result.items()
        if key not in _HIDDEN and value not in (None, "", [], {}) and value != text
    ]
    return bounded(heading("\n".join(fields), text, separator="\n\n")) if fields or text else ""


SPECS: tuple[ToolSpec, ...] = tuple(
    ToolSpec(
        canonical=row.canonical,
        aliases=row.aliases,
        title=row.title,
        card=partial(plain, row=row),
    )
    for row in ROWS
)
