"""Replay facts 11.6, cases 97 to 141: everything that is shown as neutral activity."""

import pytest

from cursor_replay.items import Card, TextContent
from cursor_replay.normalize.tools.media import duration
from cursor_replay.scrub import Sealer

from .helpers_cases import called, card, case, check, err, item, numbers_in, ok, row


def todo(content, status, **more):
    return {"content": content, "status": status, **more}


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            97,
            "no diagnostics",
            "readLints",
            {"paths": ["/repo/src/index.ts"]},
            ok({"fileDiagnostics": []}),
            tool="cursor",
            title="Cursor diagnostics",
            text="readLints src/index.ts\n\nNo diagnostics in src/index.ts",
            summary="0 diagnostics in src/index.ts",
            some_arguments={
                "paths": ["src/index.ts"],
                "path": "src/index.ts",
                "diagnosticCount": 0,
            },
        ),
        row(
            98,
            "two diagnostics over two paths",
            "ReadLints",
            {"paths": ["b.ts"]},
            ok(
                {
                    "fileDiagnostics": [
                        {
                            "path": "a.ts",
                            "diagnostics": [
                                {"severity": "error", "source": "ts", "message": "bad"},
                                {"message": "hm"},
                            ],
                        }
                    ]
                }
            ),
            lines=["a.ts: error ts: bad", "a.ts: diagnostic: hm"],
            summary="2 diagnostics in b.ts, a.ts",
            some_arguments={"paths": ["b.ts", "a.ts"], "path": None, "diagnosticCount": 2},
        ),
        # The line of a diagnostic is its most useful part: it is shown (S2).
        row(
            98,
            "one diagnostic with its place",
            "ReadLints",
            {"path": "a.ts"},
            ok(
                {
                    "fileDiagnostics": [
                        {
                            "path": "/repo/a.ts",
                            "diagnostics": [
                                {
                                    "severity": "DIAGNOSTIC_SEVERITY_WARNING",
                                    "source": "eslint",
                                    "code": "no-var",
                                    "message": "bad",
                                    "range": {"start": {"line": 3, "character": 5}},
                                }
                            ],
                        }
                    ]
                }
            ),
            lines=["a.ts:3:5: warning eslint [no-var]: bad"],
            summary="1 diagnostic in a.ts",
        ),
        row(
            98,
            "a diagnostic of no path, with a line alone",
            "ReadLints",
            {},
            ok({"fileDiagnostics": [{"diagnostics": [{"range": {"start": {"line": 3}}}]}]}),
            text="readLints\n\nunknown:3: diagnostic:",
            summary="1 diagnostic",
        ),
        row(
            99,
            "the same path twice",
            "readLints",
            {"paths": ["/repo/a.ts", "a.ts"]},
            ok({"fileDiagnostics": [{"path": "a.ts", "diagnostics": []}]}),
            some_arguments={"paths": ["a.ts"], "path": "a.ts"},
            summary="0 diagnostics in a.ts",
        ),
        row(
            100,
            "nothing at all",
            "readLints",
            {},
            ok({}),
            text="readLints\n\n{}",
            summary=None,
            arguments={"activityTitle": "Cursor diagnostics"},
        ),
        row(
            101,
            "completed and pending",
            "updateTodos",
            {"todos": []},
            ok({"todos": [todo("Write", "completed"), todo("Test", "pending")]}),
            title="Cursor todos",
            text="updateTodos\n\n✓ Write (completed)\n○ Test (pending)",
            summary="1/2 completed, 1 pending",
            some_arguments={
                "totalCount": 2,
                "completedCount": 1,
                "inProgressCount": 0,
                "pendingCount": 1,
            },
        ),
        row(
            102,
            "in progress",
            "updateTodos",
            {},
            ok({"todos": [todo("Write", "inProgress")], "totalCount": 3}),
            text="updateTodos\n\n… Write (inProgress)",
            summary="0/3 completed, 1 in progress",
        ),
        # The status of the snake-case dialect is counted too; the reference shows a mere dot.
        row(
            102,
            "in_progress",
            "TodoWrite",
            {"todos": [todo("Write", "in_progress")]},
            None,
            text="updateTodos\n\n… Write (inProgress)",
            summary="0/1 completed, 1 in progress",
        ),
        row(103, "a total alone", "updateTodos", {"totalCount": 1}, ok({}), summary="1 item"),
        row(103, "a total of two", "updateTodos", {}, ok({"totalCount": 2}), summary="2 items"),
        # A cancelled todo has its own mark and is counted (S2); the reference does neither.
        row(
            104,
            "cancelled",
            "updateTodos",
            {"todos": [todo("Write", "cancelled")]},
            ok({}),
            text="updateTodos\n\n✗ Write (cancelled)",
            summary="0/1 completed, 1 cancelled",
            some_arguments={"totalCount": 1, "completedCount": 0, "cancelledCount": 1},
        ),
        row(
            104,
            "a status nobody knows",
            "updateTodos",
            {"todos": [todo("Write", "paused"), {"content": "Test"}, {"content": 5}]},
            ok({}),
            text="updateTodos\n\n• Write (paused)\n• Test",
            summary="0/2 completed",
        ),
        row(
            105,
            "a plan",
            "createPlan",
            {"plan": "\n  Plan:\n1. do it"},
            ok({}),
            title="Cursor plan",
            transcript="createPlan\n\n\n  Plan:\n1. do it\n",
            summary="Plan:",
            some_arguments={"planTitle": "Plan:", "totalCount": 0},
        ),
        row(
            106,
            "todos alone",
            "createPlan",
            {"todos": [todo("Write", "pending")]},
            ok({}),
            summary="0/1 completed, 1 pending",
            text="createPlan\n\n○ Write (pending)",
        ),
        row(
            107,
            "a long title",
            "createPlan",
            {"plan": "x" * 130},
            ok({}),
            summary="x" * 119 + "…",
            some_arguments={"planTitle": "x" * 119 + "…"},
        ),
        row(
            108,
            "an error",
            "createPlan",
            {"plan": "Plan:\n1. do it"},
            err("x"),
            text="Error: x",
            some_arguments={"planTitle": "Plan:"},
            details={"summary": None},
            failed=True,
        ),
        row(
            109,
            "nothing",
            "createPlan",
            {},
            ok({}),
            summary="0 items",
            text="createPlan\n\n{}",
            some_arguments={"totalCount": 0},
        ),
    ],
)
def test_the_card_of_diagnostics_todos_and_plans(name, args, outcome, expected):
    check(name, args, outcome, expected)


REVIEWER = {
    "description": "desc",
    "subagentType": {"kind": "builtin", "name": "reviewer"},
    "model": "model",
    "agentId": "0123456789abcdef0123",
}


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            110,
            "a command",
            "task",
            {"description": "desc"},
            ok({"result": {"success": {"command": "ls src | head -5", "stdout": "a.ts\nb.ts\n"}}}),
            tool="cursor",
            title="Cursor subagent",
            summary="desc: $ ls src | head -5",
            text="subagent desc\n\n$ ls src | head -5\na.ts\nb.ts",
        ),
        row(
            110,
            "output that is interleaved",
            "task",
            {"description": "desc"},
            ok(
                {"result": {"success": {"command": "ls", "stdout": "", "interleavedOutput": "a\n"}}}
            ),
            text="subagent desc\n\n$ ls\na",
        ),
        row(
            111,
            "what the sub-agent did",
            "task",
            {"description": "desc"},
            ok(
                {
                    "conversationSteps": [
                        {
                            "type": "toolCall",
                            "message": {"type": "read", "args": {"path": "/repo/package.json"}},
                        },
                        {"toolCall": {"grepToolCall": {"args": {"pattern": "main"}}}},
                        {"toolCall": {"webSearchToolCall": {"args": {"query": "jsonl"}}}},
                        {"toolCall": {"lsToolCall": {"args": {}}}},
                        {
                            "type": "toolCall",
                            "message": {
                                "type": "shell",
                                "args": {"command": "ls"},
                                "result": {
                                    "status": "success",
                                    "value": {"stdout": "a\n", "stderr": "b\n"},
                                },
                            },
                        },
                        {"type": "thinkingMessage", "message": {"text": "hm"}},
                        {"assistantMessage": {"text": "Found it."}},
                        {"type": "assistantMessage", "message": {"text": "Done."}},
                        {"toolCall": {}},
                        "no step",
                    ]
                }
            ),
            text=(
                "subagent desc\n\nread package.json\ngrep main\nwebSearch jsonl\nls\n"
                "$ ls\na\nb\nFound it.\nDone."
            ),
        ),
        row(
            112,
            "a description in the value",
            "task",
            {},
            ok({"description": "from the value", "isBackground": True}),
            summary="from the value · backgrounded",
            starts="subagent from the value\n",
        ),
        row(
            113,
            "an agent id that is none",
            "task",
            {"description": "desc", "agentId": "../../agent/sub 123", "model": "m"},
            ok({}),
            summary="desc · m",
            some_arguments={"agentId": None},
        ),
        row(
            114,
            "who it was",
            "task",
            REVIEWER,
            ok({"isBackground": True}),
            summary="desc · Builtin · model · ID: 01234567 · backgrounded",
            starts="subagent reviewer desc\n",
            some_arguments={
                "subagentName": "reviewer",
                "subagentKind": "Builtin",
                "model": "model",
                "agentId": "01234567",
                "isBackground": True,
            },
        ),
        row(
            114,
            "a short id, and the transcript's spelling of the kind",
            "Task",
            {"description": "desc", "subagent_type": "explore", "resume": "abc-1"},
            None,
            summary="desc · Explore · ID: abc-1",
        ),
        # What the SDK reports of a finished task is read (S2); the reference prints its JSON.
        row(
            116,
            "empty steps of the SDK",
            "task",
            {"description": "Count", "subagentType": {"kind": "explore"}},
            ok(
                {
                    "conversationSteps": [],
                    "agentId": "0f1e2d3c-0000-0000",
                    "isBackground": False,
                    "durationMs": 2500,
                    "backgroundReason": "unspecified",
                    "transcriptPath": "t/sub.jsonl",
                }
            ),
            summary="Count · Explore · ID: 0f1e2d3c",
            text="subagent Count\n\nTook 2.5s\nTranscript: t/sub.jsonl",
        ),
        row(
            116,
            "nothing but empty steps",
            "task",
            {"description": "Count", "subagentType": {"kind": "explore"}},
            ok({"conversationSteps": [], "agentId": "0f1e2d3c-0000-0000"}),
            summary="Count · Explore · ID: 0f1e2d3c",
            text=(
                "subagent Count\n\n"
                '{\n  "conversationSteps": [],\n  "agentId": "0f1e2d3c-0000-0000"\n}'
            ),
        ),
        row(
            116,
            "a result text, a suffix and a reason",
            "task",
            {"description": "Count", "subagentType": {"kind": "unspecified"}},
            ok({"result": "42", "resultSuffix": "(of 50)", "backgroundReason": "userRequest"}),
            text="subagent Count\n\n42\n(of 50)\n\nBackground: userRequest",
            summary="Count: 42",
        ),
        row(
            117,
            "an error",
            "task",
            {"description": "desc"},
            err("boom"),
            transcript="subagent desc\n\nError: boom\n",
            text="Error: boom",
            details={"summary": None},
            some_arguments={"activitySummary": "desc"},
            failed=True,
        ),
    ],
)
def test_the_card_of_a_task(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize(
    "path",
    [
        case(111, "a home", "~/notes.txt"),
        case(111, "the home of somebody", "~root/notes.txt"),
        case(111, "a folder up", "../notes.txt"),
        case(111, "a folder up inside", "src/../../notes.txt"),
        case(111, "a folder up with backslashes", "..\\notes.txt"),
        case(111, "relative to a drive", "C:notes.txt"),
        case(111, "on a drive", "C:\\notes\\a.txt"),
        case(111, "on a drive with slashes", "D:/notes/a.txt"),
        case(111, "a file URI", "file:///notes.txt"),
        case(111, "a web address", "https://example.org/notes.txt"),
        case(111, "absolute outside", "/etc/notes.txt"),
        case(111, "inside, then up", "/repo/../notes.txt"),
        case(111, "a share", "\\\\server\\notes.txt"),
    ],
)
def test_a_sub_agents_path_outside_the_workspace_is_not_named(path):
    steps = [{"type": "toolCall", "message": {"type": "read", "args": {"path": path}}}]
    draft = card("task", {"description": "desc"}, ok({"conversationSteps": steps}))
    assert draft.text == "subagent desc\n\nread"


# The presentation of a task is no setting of an offline replay: the title is always the same.
@pytest.mark.parametrize(
    "mode", [case(115, mode, mode) for mode in ("task", "subagent", "subagent-meta", "other")]
)
def test_a_task_is_always_a_sub_agent(mode, monkeypatch):
    monkeypatch.setenv("PI_CURSOR_TASK_PRESENTATION", mode)
    draft = card("task", {"description": "desc"}, ok({"result": "42"}))
    assert draft.title == "Cursor subagent"
    assert draft.transcript == "subagent desc\n\n42\n"


@pytest.mark.parametrize(
    ("kind", "summary", "name"),
    [
        ({"custom": {"name": "reviewer"}}, "desc · Custom", "reviewer"),
        ({"explore": {}}, "desc · Explore", None),
        ({"kind": "unspecified", "name": "reviewer"}, "desc", "reviewer"),
        ({}, "desc", None),
    ],
)
def test_who_a_sub_agent_is_may_be_said_in_protobuf_form(kind, summary, name):
    draft = card("task", {"description": "desc", "subagentType": kind})
    assert (draft.summary, draft.arguments.get("subagentName")) == (summary, name)


def test_a_task_keeps_how_long_it_took():
    whole = item("task", {"description": "desc"}, ok({"durationMs": "2500"}))
    assert whole.timing.duration_ms == 2500


def test_a_preview_that_repeats_the_description_is_left_out():
    draft = card("task", {"description": "desc"}, ok({"result": "desc"}))
    assert draft.summary == "desc"


def test_a_task_without_a_result_shows_what_it_was_asked():
    draft = card("Task", {"description": "desc", "prompt": "Count the files."})
    assert draft.text == "subagent desc\n\nCount the files."
    assert draft.arguments["prompt"] == "Count the files."


# -- images, MCP, web, search, recordings -----------------------------------------------------

PIXELS = "iVBORw0KGgo" * 3


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            118,
            "a path outside",
            "generateImage",
            {"prompt": "a cat"},
            ok({"filePath": "/tmp/cat.png", "imageData": PIXELS}),  # noqa: S108
            tool="cursor",
            title="Cursor image generation",
            summary="/tmp/cat.png",  # noqa: S108
            variant="generateImage",
            details={
                "image_path": "/tmp/cat.png",  # noqa: S108
                "image_display_path": "/tmp/cat.png",  # noqa: S108
                "image_mime_type": "image/png",
            },
            lines=["Saved image: /tmp/cat.png", "Image data returned by Cursor SDK."],
            without=[PIXELS],
        ),
        row(
            118,
            "a path inside",
            "GenerateImage",
            {"description": "a cat", "filePath": "/repo/cat.WEBP"},
            ok({}),
            summary="cat.WEBP",
            details={
                "image_path": "/repo/cat.WEBP",
                "image_display_path": "cat.WEBP",
                "image_mime_type": "image/webp",
            },
            text="generateImage a cat\n\nSaved image: cat.WEBP",
            arguments={
                "prompt": "a cat",
                "path": "cat.WEBP",
                "activityTitle": "Cursor image generation",
                "activitySummary": "cat.WEBP",
            },
        ),
        row(
            119,
            "data without a path",
            "generateImage",
            {"prompt": "a cat"},
            ok({"imageData": PIXELS}),
            text="generateImage a cat\n\nImage data returned by Cursor SDK.",
            summary="a cat",
            details={"image_mime_type": None},
            without=[PIXELS],
        ),
        row(
            119,
            "neither",
            "generateImage",
            {},
            ok({}),
            text="generateImage image\n\n{}",
            summary="image",
        ),
        row(
            120,
            "an error",
            "generateImage",
            {"prompt": "a cat"},
            err("no quota"),
            title="Cursor image generation",
            text="Error: no quota",
            details={"summary": None},
            failed=True,
            without=["Cursor generateImage"],
        ),
        row(
            120,
            "a call without a result",
            "generateImage",
            {"prompt": "a cat"},
            None,
            text="",
            details={"expanded_text": None},
        ),
        row(
            122,
            "an image before the text",
            "mcp",
            {"toolName": "shot"},
            ok(
                {
                    "content": [
                        {"type": "image", "data": PIXELS},
                        {"type": "text", "text": "\n two \nthree"},
                    ]
                }
            ),
            summary="shot · two",
            text="shot\n\n\n two \nthree",
            without=[PIXELS],
        ),
        row(
            123,
            "an image and a resource",
            "mcp",
            {"toolName": "shot"},
            ok(
                {
                    "content": [
                        {"type": "image", "data": PIXELS, "mimeType": "image/png"},
                        {"type": "resource", "resource": {"text": "payload"}},
                    ]
                }
            ),
            text="shot\n\n[image image/png omitted]\n[resource omitted]",
            summary="shot · [image image/png omitted]",
            without=[PIXELS, "payload"],
        ),
        row(
            123,
            "other parts",
            "mcp",
            {"toolName": "shot"},
            ok({"content": [{"audio": {"data": PIXELS}}, {"mystery": 1}, {"type": "video"}]}),
            text="shot\n\n[audio omitted]\n[content omitted]\n[video omitted]",
        ),
        row(
            124,
            "text and an image",
            "mcp",
            {"toolName": "shot"},
            ok({"content": [{"text": {"text": "one\ntwo"}}, {"type": "image"}]}),
            text="shot\n\none\ntwo",
            summary="shot · one",
        ),
        row(
            125,
            "no content",
            "mcp",
            {"toolName": "shot"},
            ok({"content": []}),
            text='shot\n\n{"content":[]}',
            summary="shot",
        ),
        # A tool that answers isError has failed (S10); the reference shows it as a success.
        row(
            126,
            "a tool error",
            "mcp",
            {"toolName": "git"},
            ok({"content": [{"type": "text", "text": "failed remotely"}], "isError": True}),
            text="git\n\n[tool error]\nfailed remotely",
            summary="git · failed remotely",
            failed=True,
        ),
        row(
            127,
            "a preview equal to the tool",
            "mcp",
            {"toolName": "git"},
            ok({"content": [{"text": "git"}]}),
            summary="git",
        ),
        # The image entries of the SDK are read (S2); the reference says "[content omitted]".
        row(
            128,
            "an image of the SDK",
            "mcp",
            {"toolName": "shot"},
            ok({"content": [{"image": {"data": {"0": 137, "1": 80}, "mimeType": "image/png"}}]}),
            text="shot\n\n[image image/png omitted]",
            without=["137"],
        ),
        row(
            129,
            "a web search over MCP",
            "mcp",
            {"toolName": "WebSearch", "args": {"search_term": " jsonl "}},
            ok({"content": [{"text": "jsonlines.org"}]}),
            title="Cursor web search",
            transcript="web search jsonl\n\njsonlines.org\n",
            source="webSearch",
            details={"source_tool_name": "webSearch", "collapse_details_by_default": True},
        ),
        row(
            130,
            "a web fetch",
            "WebFetch",
            {"url": "https://example.org"},
            ok({"content": [{"text": "page"}]}),
            title="Cursor web fetch",
            arguments={
                "url": "https://example.org",
                "activityTitle": "Cursor web fetch",
                "activitySummary": "https://example.org",
            },
            summary="https://example.org",
            text="web fetch https://example.org\n\npage",
        ),
        row(
            131,
            "a web error",
            "webSearch",
            {"query": "jsonl"},
            err("rate"),
            text="Error: rate",
            details={"collapse_details_by_default": True, "summary": None},
            failed=True,
        ),
        row(
            132,
            "a search for nothing",
            "webSearch",
            {"query": "  "},
            ok({"content": [{"text": "x"}]}),
            transcript="web search\n\nx\n",
            summary=None,
            arguments={"activityTitle": "Cursor web search"},
        ),
        row(
            133,
            "a semantic search",
            "semSearch",
            {"query": "main entrypoint", "targetDirectories": ["/repo/src"]},
            ok({"results": "src/main.ts"}),
            title="Cursor semantic search",
            summary="main entrypoint (1 dir)",
            text="semSearch main entrypoint\n\nScope: src\n\nsrc/main.ts",
            without=['"results"'],
        ),
        row(
            134,
            "a long query",
            "semSearch",
            {"query": "q" * 130, "targetDirectories": ["a", "b"], "explanation": "why"},
            ok({"results": "x"}),
            summary="q" * 119 + "… (2 dirs)",
            text=f"semSearch {'q' * 119}…\n\nExplanation: why\n\nScope: a, b\n\nx",
        ),
        # A field of the wrong type is absent, so such an entry is none; the reference prints it.
        row(
            134,
            "an entry that is no text",
            "semSearch",
            {"query": "q", "targetDirectories": ["a", 5]},
            ok({}),
            summary="q (1 dir)",
            lines=["Scope: a"],
        ),
        row(
            134,
            "no query and no results",
            "semSearch",
            {},
            ok({"x": 1}),
            summary="semantic search",
            text='semSearch semantic search\n\n{\n  "x": 1\n}',
        ),
        row(
            135,
            "a saved recording",
            "recordScreen",
            {"mode": "SAVE_RECORDING"},
            ok({"path": "/repo/rec.mp4", "recordingDurationMs": 4200}),
            title="Cursor screen recording",
            transcript="recordScreen save recording\n\nRecording: rec.mp4\nDuration: 4.2s\n",
            summary="rec.mp4 · 4.2s",
        ),
        row(
            136,
            "a start that cancelled another",
            "recordScreen",
            {"mode": "START_RECORDING"},
            ok({"wasPriorRecordingCancelled": True}),
            text="recordScreen start recording\n\nPrior recording cancelled.",
            summary="START_RECORDING",
        ),
        row(
            136,
            "a start",
            "recordScreen",
            {"mode": "START_RECORDING"},
            ok({}),
            text="recordScreen start recording\n\nRecording started.",
        ),
        row(
            136,
            "a discard",
            "recordScreen",
            {"mode": "DISCARD_RECORDING"},
            ok({}),
            text="recordScreen discard recording\n\nRecording discarded.",
        ),
        row(
            136,
            "another mode",
            "recordScreen",
            {"mode": "PAUSE"},
            ok({}),
            text="recordScreen PAUSE\n\nScreen recording updated.",
        ),
        row(
            136,
            "no mode",
            "recordScreen",
            {},
            ok({}),
            text="recordScreen record screen\n\nScreen recording updated.",
            summary=None,
        ),
        row(
            138,
            "13 arguments and 40 results",
            "mystery",
            {f"key{number}": number for number in range(13)},
            ok({"results": [{"name": f"result {number}"} for number in range(40)]}),
            starts="mystery\n\nkey0=0, key1=1, ",
            source="mystery",
            details={"source_tool_name": "unregisteredActivity"},
        ),
        row(
            140,
            "every type of argument",
            "mystery",
            {"a": [1, 2, 3, 4], "b": {"c": 1}, "d": None, "e": True},
            ok({}),
            lines=['a=[1, 2, 3, +1 more], b={ "c": 1 }, d=null, e=true'],
        ),
        row(
            140,
            "more types",
            "mystery",
            {"f": False, "g": 1.0, "h": 1.5, "i": [], "j": "x" * 121},
            None,
            lines=[f"f=false, g=1, h=1.5, i=[], j={'x' * 119}…"],
        ),
        row(
            141,
            "an empty success",
            "mystery",
            {},
            ok({}),
            transcript="mystery\n\n{}\n",
            summary="{}",
        ),
    ],
)
def test_the_card_of_other_activity(name, args, outcome, expected):
    check(name, args, outcome, expected)


def test_case_121_secrets_of_an_mcp_result_are_masked_in_the_sealed_card():
    key, bearer = "k" + "3y9" * 8, "t" + "0k3n" * 8
    text = f"apiKey={key} Authorization: Bearer {bearer}\nBearer {bearer}"
    whole = item("mcp", {"toolName": "auth"}, ok({"content": [{"type": "text", "text": text}]}))
    sealed = Sealer().seal(whole).item
    assert isinstance(sealed, Card)
    assert sealed.summary.startswith("auth · apiKey=[redacted:api-key]")
    assert [secret for secret in (key, bearer) if secret in repr(sealed)] == []


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        case(137, "under a second", 999, "999ms"),
        case(137, "a second", 1000, "1.0s"),
        case(137, "a tenth", 4200, "4.2s"),
        # Rounded once (S17): the reference prints "1m 60s".
        case(137, "just under two minutes", 119_600, "2m 0s"),
        case(137, "just under a minute", 59_960, "1m 0s"),
        case(137, "a minute and a half", 90_000, "1m 30s"),
    ],
)
def test_a_duration_is_rounded_once(ms, words):
    assert duration(ms) == words


def test_case_138_an_unknown_call_is_bounded():
    args = {f"key{number}": "v" * 50 for number in range(13)}
    draft = card("mystery", args, ok({"results": ["r" * 100] * 40}))
    assert "(+5 more)" in draft.text
    assert len(draft.text) < 1200


def test_case_139_an_unknown_error_is_bounded_and_in_no_label():
    draft = card("mystery", {"a": 1}, err({"message": "x" * 5000}))
    assert len(draft.text) < 1200
    assert "x" * 500 not in repr(draft)
    assert draft.failed
    assert (draft.summary, draft.details.summary) == (None, None)
    assert "activitySummary" not in draft.arguments


@pytest.mark.parametrize(
    ("error", "text"),
    [
        case(139, "no error value", None, "mystery\n\na=2\n\nError"),
        case(139, "a text", "no", "mystery\n\na=2\n\nError: no"),
        case(
            139,
            "six lines",
            "1\n2\n3\n4\n5\n6\n7",
            "mystery\n\na=2\n\nError: 1\n2\n3\n4\n5\n6\n... (1 more line truncated)",
        ),
    ],
)
def test_an_unknown_error_is_shown_after_the_arguments(error, text):
    assert card("mystery", {"a": 2}, err(error)).text == text


def test_an_unknown_call_with_a_text_as_input_shows_it():
    draft = card("mystery", "some text")
    assert (draft.text, draft.summary) == ("mystery\n\ninput=some text", "input=some text")


def test_an_unknown_result_is_one_line_of_at_most_240_characters():
    draft = card("mystery", None, ok("a\n  b\t" + "c" * 300))
    assert draft.text == f"mystery\n\na b {'c' * 235}…"


def test_the_content_of_a_card_is_one_text():
    whole = item("delete", {"path": "a"}, ok({"fileSize": 9}))
    assert whole.content == (TextContent(text="delete a\n\nDeleted 9 bytes"),)


def test_a_call_knows_whether_its_result_says_error():
    assert [called("read", {}, each).failed for each in (ok({}), err("x"), None)] == [
        False,
        True,
        False,
    ]


def test_a_list_of_todos_with_a_stray_value_keeps_the_todos():
    args = {"todos": [todo("Write", "pending"), 7]}
    assert card("TodoWrite", args).summary == "0/1 completed, 1 pending"


def test_an_image_without_a_prompt_takes_its_description():
    draft = card("generateImage", {"prompt": "", "description": "a cat"})
    assert draft.arguments["prompt"] == "a cat"


def test_every_number_from_97_to_141_is_here():
    assert numbers_in(globals()) == set(range(97, 142))
