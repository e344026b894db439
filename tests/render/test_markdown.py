"""The Markdown document: its shape, and that no item can leave its place in it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cursor_replay.items import (
    Activity,
    Answer,
    Card,
    ContextPart,
    Evidence,
    GenerateImage,
    Notice,
    Prompt,
    Sealed,
    Session,
    TextContent,
    Thought,
    Time,
    Timing,
    TurnEnd,
    Usage,
)
from cursor_replay.render.markdown import MarkdownRenderer, language

HERE = Evidence(file="run.jsonl", line=7)
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = re.compile(r"<!-- -->|</?code>|<details open>|</?(?:details|summary|b|i|p)>")
PIECES = (
    "```",
    "\n",
    "</details>",
    "</summary>",
    "<b>",
    "# ",
    "> ",
    "`",
    "- ",
    "![x](u)",
    "word ",
    "~~~\n",
)
TEXT = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def rendered(*items, expand=False):
    renderer = MarkdownRenderer(expand=expand)
    return "".join(renderer.render(Sealed(item)) for item in items)


def card(**changes):
    given = {
        "id": "1",
        "tool": "bash",
        "source_tool": "shell",
        "title": "Cursor shell",
        "arguments": {"command": "ls"},
        "status": "succeeded",
        "turn": 1,
        "evidence": HERE,
    }
    return Card(**(given | changes))


def test_the_head_names_the_run():
    head = Session(
        format="sdk-stream",
        file="a b.jsonl",
        session_id="s-1",
        title="Fix *it*",
        model="m`x",
        cwd="/w",
    )
    assert rendered(head) == (
        "# Fix \\*it\\*\n\n"
        "- Session: `s-1`\n- Model: ``m`x``\n- Folder: `/w`\n"
        "- Source: `a b.jsonl`\n- Format: `sdk-stream`\n\n"
    )


def test_the_head_says_when_nothing_was_scrubbed():
    head = rendered(Session(format="transcript", file="a", scrubbed=False))
    assert head.startswith("# Cursor session\n\n> [!WARNING]\n> Not scrubbed: secrets are shown")


def test_a_later_head_tells_only_what_is_new():
    first = Session(format="transcript", file="a")
    later = Session(format="transcript", file="a", model="gpt", revision=1)
    assert rendered(first, later).endswith("- Model: `gpt`\n\n")
    assert rendered(first, Session(format="transcript", file="a", revision=1)) == rendered(first)


def test_a_turn_is_a_heading_over_the_quoted_prompt():
    time = Time(at="2026-01-02T03:04:05.000Z")
    prompt = Prompt(text="Do it\nnow @bob", turn=1, time=time, evidence=HERE)
    assert rendered(prompt) == (
        "## Turn 1\n\n**User · 2026-01-02 03:04 UTC**\n\n> Do it\\\n> now @<!-- -->bob\n\n"
    )


def test_a_time_carried_forward_from_the_turn_is_not_told():
    time = Time(at="2026-01-02T03:04:05.000Z", basis="turn")
    assert "**User**" in rendered(Prompt(text="x", turn=1, time=time, evidence=HERE))


def test_a_turn_has_one_heading_whatever_opens_it():
    answer = Answer(text="a", turn=1, evidence=HERE)
    other = Answer(text="b", turn=2, evidence=HERE)
    assert rendered(answer, answer, other) == "## Turn 1\n\na\n\na\n\n## Turn 2\n\nb\n\n"


def test_a_prompt_of_cursor_and_its_context_are_told_apart():
    part = ContextPart(tag="open_<files>", text="```\n</details>")
    prompt = Prompt(text=" ", author="cursor", context=(part,), turn=0, evidence=HERE)
    assert rendered(prompt) == (
        "**Cursor, not typed by a human**\n\n> (empty)\n\n"
        "<details><summary>Context: <code>open_&lt;files&gt;</code></summary>\n\n"
        "````\n```\n</details>\n````\n\n</details>\n\n"
    )


@pytest.mark.parametrize(
    ("status", "lead"),
    [
        ("succeeded", "✓"),
        ("failed", "✗ <b>failed</b> ·"),
        ("incomplete", "! <b>did not complete</b> ·"),
        ("unrecorded", "○ <b>not recorded</b> ·"),
        ("running", "… <b>running</b> ·"),
    ],
)
def test_every_state_is_a_mark_and_a_word_for_all_but_success(status, lead):
    assert rendered(card(status=status, turn=0)) == f"<p>{lead} <code>$ ls</code></p>\n\n"


@pytest.mark.parametrize("status", ["failed", "incomplete"])
def test_a_card_with_a_bad_end_is_open(status):
    shown = rendered(card(status=status, content=(TextContent(text="a\nb"),)))
    assert "<details open><summary>" in shown
    good = rendered(card(content=(TextContent(text="a\nb"),)))
    assert "<details><summary>" in good


def test_an_incomplete_card_says_so_once():
    title = "Cursor shell did not complete"
    shown = card(
        tool="cursor",
        title=title,
        arguments={"command": "curl x"},
        status="incomplete",
        details=Activity(title=title, summary="curl x · cut off"),
        turn=0,
    )
    assert rendered(shown) == (
        "<p>! <b>did not complete</b> · <code>Cursor shell curl x · cut off</code></p>\n\n"
    )


def test_a_name_that_holds_a_state_word_keeps_it():
    details = Activity(title="Cursor failed_jobs failed", summary="x")
    shown = rendered(card(tool="cursor", status="failed", reason="r", details=details))
    assert "<code>Cursor failed_jobs failed x</code>" in shown


def test_a_card_with_output_is_a_fold():
    shown = card(content=(TextContent(text="one\n```\ntwo"),), turn=0)
    assert rendered(shown) == (
        "<details><summary>✓ <code>$ ls</code></summary>\n\n"
        "````\none\n```\ntwo\n````\n\n</details>\n\n"
    )


def test_a_command_of_many_lines_stands_in_the_fold():
    shown = card(arguments={"command": "a\nb </summary>"}, parent="task-1", turn=0)
    assert rendered(shown) == (
        "<details><summary>↳ ✓ <code>$ a b &lt;/summary&gt;</code></summary>\n\n"
        "```sh\na\nb </summary>\n```\n\n</details>\n\n"
    )


LONG = "echo " + "word " * 60 + "end"


def test_a_command_too_long_for_the_summary_is_whole_in_the_fold():
    for expand in (False, True):
        made = rendered(card(arguments={"command": LONG, "timeout": 30}), expand=expand)
        assert "word wo…</code></summary>" in made
        assert f"</summary>\n\n```sh\n{LONG}\n```\n\n</details>\n" in made


def test_a_command_of_very_many_lines_is_one_block_cut_only_while_not_expanded():
    command = "\n".join(f"echo {number}" for number in range(60))
    shown = card(arguments={"command": command, "timeout": 30})
    cut, whole = rendered(shown), rendered(shown, expand=True)
    assert "echo 39\n```\n\n*… 20 more lines not shown*\n" in cut
    assert "echo 40" not in cut
    assert f"```sh\n{command}\n```\n" in whole
    assert whole.count("echo 1\n") == 1


@pytest.mark.parametrize("command", [LONG, "echo " + "w" * 150])
def test_a_command_that_never_completed_is_whole_and_keeps_its_reason(command):
    title = "Cursor shell did not complete"
    shown = card(
        tool="cursor",
        title=title,
        arguments={"command": command},
        status="incomplete",
        reason="cut off",
        details=Activity(source_tool_name="shell", title=title, summary=f"{command} · cut off"),
    )
    assert f"```sh\n{command}\n```\n\n*cut off*\n\n</details>" in rendered(shown)


def test_what_a_terminal_keeps_to_itself_is_not_told_until_it_is_expanded():
    shown = card(tool="read", arguments={"path": "a.py"}, content=(TextContent(text="x = 1"),))
    assert rendered(shown).endswith("<p>✓ <code>read a.py</code></p>\n\n")
    assert "```py\nx = 1\n```\n" in rendered(shown, expand=True)


def test_a_title_too_long_for_the_summary_is_whole_in_the_fold():
    path = "folder/" * 60 + "a.py"
    assert f"```\nread {path}\n```\n" in rendered(card(tool="read", arguments={"path": path}))
    details = Activity(title="Cursor fetch", summary="https://a.test/" + "x" * 400)
    shown = card(tool="cursor", source_tool="fetch", arguments={}, details=details)
    assert f"```\nCursor fetch {details.summary}\n```\n" in rendered(shown)


def test_a_title_that_is_the_whole_result_is_not_said_again():
    text = "x" * 300
    details = Activity(title="Cursor MCP", expanded_text=text)
    made = rendered(card(tool="cursor", source_tool="mcp", arguments={}, details=details))
    assert made.count(text) == 1


def test_a_title_whose_text_stays_hidden_is_whole_all_the_same():
    text = "x" * 300
    details = Activity(title="Cursor MCP", expanded_text=text, collapse_details_by_default=True)
    shown = card(tool="cursor", source_tool="mcp", arguments={}, details=details)
    for expand in (False, True):
        assert rendered(shown, expand=expand).count(text) == 1


def test_a_long_title_that_never_completed_says_each_thing_once():
    title, target = "Cursor fetch did not complete", "https://a.test/" + "x" * 170
    shown = card(
        tool="cursor",
        source_tool="fetch",
        arguments={"url": target},
        status="incomplete",
        reason="cut off",
        details=Activity(title=title, summary=f"{target} · cut off"),
    )
    made = rendered(shown)
    assert f"```\nCursor fetch {target} · cut off\n```\n" in made
    assert made.count("did not complete") == made.count("cut off") == 1


def test_a_text_cut_by_the_recording_itself_is_shown_as_recorded():
    made = rendered(card(tool="read", arguments={"path": "a" * 200 + "…"}))
    assert f"```\nread {'a' * 200}…\n```\n" in made


def test_output_is_cut_late_and_says_so_to_a_reader_of_a_document():
    text = "\n".join(f"line {number}" for number in range(49))
    shown = card(content=(TextContent(text=text),))
    cut, whole = rendered(shown), rendered(shown, expand=True)
    assert cut.index("*… 9 earlier lines not shown*\n\n```\n") < cut.index("line 9\n")
    assert "line 8\n" not in cut
    assert "line 0\n" in whole
    assert "not shown" not in whole
    assert "expand" not in cut


def test_output_of_very_long_lines_is_cut_by_its_characters():
    long = card(tool="grep", content=(TextContent(text="x" * 5_000 + "\nsecond"),))
    made = rendered(long)
    assert "x" * 3_999 + "…\n```\n\n*… 1 more line not shown*\n" in made
    assert "second" in rendered(long, expand=True)
    tail = rendered(card(content=(TextContent(text="first\n" + "x" * 4_000),)))
    assert f"*… 1 earlier line not shown*\n\n```\n{'x' * 4_000}\n```\n" in tail
    one = rendered(card(content=(TextContent(text="y" * 4_010),)))
    assert "…\n```\n\n*… 11 more characters not shown*" in one
    fits = rendered(card(content=(TextContent(text="\n".join(["z" * 199] * 20)),)))
    assert "not shown" not in fits


def test_an_edit_is_cut_no_earlier_than_in_a_terminal():
    edits = [{"oldText": "", "newText": "\n".join(f"new {number}" for number in range(300))}]
    shown = card(tool="edit", source_tool="edit", arguments={"path": "x.py", "edits": edits})
    assert "+new 299\n" in rendered(shown)


TEXT_OF_A_TASK = "subagent reviewer Survey\n\n" + "\n".join("abc")


def test_a_fold_never_holds_only_a_hint():
    details = Activity(
        source_tool_name="task", title="Cursor subagent", summary="x", expanded_text=TEXT_OF_A_TASK
    )
    made = rendered(card(tool="cursor", source_tool="task", arguments={}, details=details))
    assert f"```\n{TEXT_OF_A_TASK}\n```\n" in made
    assert "not shown" not in made


@given(st.text(alphabet="ab \n", max_size=200), st.sampled_from(["bash", "grep", "write"]))
def test_a_fold_holds_a_block_whatever_the_text_is(text, tool):
    for content in (text, text * 40):
        arguments = {"command": "ls", "path": "p", "content": content}
        shown = card(tool=tool, arguments=arguments, content=(TextContent(text=content),))
        kinds = [token.type for token in PARSER.parse(rendered(shown))]
        assert ("fence" in kinds) == ("<details>" in rendered(shown))


def test_a_result_of_one_line_is_a_block_and_not_prose():
    text = 'appliedChanges: [{"path":"~/a_b"}]'
    details = Activity(title="Cursor lints", summary="1 change", expanded_text=text)
    made = rendered(card(tool="cursor", source_tool="x", arguments={}, details=details))
    assert f"```\n{text}\n```\n" in made


def test_a_remark_with_nothing_else_stands_on_the_line_of_the_card():
    shown = card(timing=Timing(duration_ms=12), turn=0)
    assert rendered(shown) == "<p>✓ <code>$ ls</code> · Took 12ms</p>\n\n"


def test_a_remark_behind_a_result_stands_under_it():
    shown = card(timing=Timing(duration_ms=12), content=(TextContent(text="a"),))
    assert "```\na\n```\n\n*Took 12ms*\n\n</details>" in rendered(shown)


def test_an_edit_is_a_diff():
    edits = [{"oldText": "a\nb", "newText": "a\nc"}]
    shown = card(tool="edit", source_tool="edit", arguments={"path": "x.py", "edits": edits})
    assert "```diff\n a\n-b\n+c\n```\n" in rendered(shown)


def test_a_written_file_has_its_language_and_its_hint():
    content = "\n".join(f"x = {number}" for number in range(12)) + "\n"
    shown = card(tool="write", source_tool="write", arguments={"path": "x.py", "content": content})
    made = rendered(shown)
    assert "```py\nx = 0\n" in made
    assert "x = 11\n```\n\n</details>" in made


def test_an_image_is_its_path():
    details = GenerateImage(image_path="out/a.png", image_mime_type="image/png", summary="done")
    shown = card(tool="cursor", source_tool="generateImage", arguments={}, details=details)
    assert "Image `out/a.png` (`image/png`)" in rendered(shown)


def test_a_reason_is_a_remark():
    details = Activity(title="Cursor search", summary="x", expanded_text="half\na result")
    shown = card(tool="cursor", status="incomplete", reason="cut *off*", details=details)
    assert "```\n\n*cut \\*off\\**\n" in rendered(shown)
    bare = card(tool="cursor", status="incomplete", reason="cut *off* by @bob <b>", turn=0)
    assert rendered(bare).endswith("</code> · cut *off* by @<!-- -->bob &lt;b&gt;</p>\n\n")


def test_answers_stay_markdown_and_those_of_a_sub_agent_are_folded():
    answer = Answer(text="**a** <b>", turn=0, evidence=HERE)
    nested = Answer(text="b", turn=0, parent="task-1", evidence=HERE)
    assert rendered(answer, nested) == (
        "**a** &lt;b>\n\n"
        "<details><summary>↳ Answer of the sub-agent</summary>\n\nb\n\n</details>\n\n"
    )
    assert rendered(Answer(text="\n", turn=0, evidence=HERE)) == ""


def test_thoughts_are_folded_and_removed_ones_are_named():
    thought = Thought(text="hm *x*", duration_ms=4200, turn=0, evidence=HERE)
    assert rendered(thought) == (
        "<details><summary><i>Thinking (4.2s)</i></summary>\n\n> hm \\*x\\*\n\n</details>\n\n"
    )
    removed = Thought(text="", removed=True, turn=0, parent="t", evidence=HERE)
    assert rendered(removed) == "↳ *thinking removed by Cursor*\n\n"
    assert rendered(Thought(text=" ", turn=0, evidence=HERE)) == ""


def test_a_run_of_removed_thoughts_is_named_once():
    removed = Thought(text="", removed=True, turn=0, evidence=HERE)
    nested = Thought(text="", removed=True, turn=0, parent="t", evidence=HERE)
    told = "*thinking removed by Cursor*\n\n"
    assert rendered(removed, removed, removed) == told
    assert rendered(removed, Answer(text="", turn=0, evidence=HERE), removed) == told
    assert rendered(removed, Answer(text="a", turn=0, evidence=HERE), removed).count(told) == 2
    assert rendered(removed, nested, nested) == f"{told}↳ {told}"
    other = Thought(text="", removed=True, turn=1, evidence=HERE)
    assert rendered(removed, other, other) == f"{told}## Turn 1\n\n{told}"


def test_a_removed_thought_with_some_text_left_is_never_skipped():
    removed = Thought(text="", removed=True, turn=0, evidence=HERE)
    partly = Thought(text="hm", removed=True, turn=0, evidence=HERE)
    made = rendered(removed, partly, removed)
    assert "> hm\n" in made
    assert made.count("thinking removed") == 2


def test_notices_and_turn_ends_are_lines():
    notice = Notice(code="x", level="error", message="bad <line>", count=3, evidence=HERE)
    end = TurnEnd(
        status="error", reason="no *more*", usage=Usage(input_tokens=3), turn=0, evidence=HERE
    )
    assert rendered(notice, end) == (
        "> **Error**: bad &lt;line&gt; (line 7, 3 times)\n\n"
        "*turn end: error · no \\*more\\* · 3 in*\n\n"
    )


@pytest.mark.parametrize(
    ("path", "expected"), [("a/b.PY", "py"), ("Makefile", ""), (None, ""), (".env", "")]
)
def test_a_language_is_the_extension(path, expected):
    assert language(path) == expected


@given(TEXT, TEXT, TEXT)
def test_no_item_can_leave_its_place(first, second, third):
    made = rendered(
        Session(format=first, file=second, title=third),
        Prompt(text=first, context=(ContextPart(tag=second, text=third),), turn=1, evidence=HERE),
        Thought(text=third, turn=1, evidence=HERE),
        card(arguments={"command": first}, content=(TextContent(text=second),), reason=third),
        card(arguments={"command": first * 20}, status="failed", reason=third),
        card(tool="cursor", status="incomplete", reason=second, title=third * 20),
        card(tool="write", arguments={"path": second, "content": third}),
        card(
            tool="edit", arguments={"path": third, "edits": [{"oldText": first, "newText": third}]}
        ),
        card(tool="cursor", details=Activity(title=first, summary=second, expanded_text=third)),
        Answer(text=second, turn=1, evidence=HERE),
        Answer(text=third, turn=1, parent="1", evidence=HERE),
        Notice(code="x", message=first, evidence=HERE),
        TurnEnd(status=second, reason=third, turn=1, evidence=HERE),
        expand=True,
    )
    headings, folds = [], 0
    for token in PARSER.parse(made + "## after\n"):
        if token.type == "heading_open" and token.tag in {"h1", "h2"} and token.level == 0:
            headings.append(token.tag)
        for one in (token, *(token.children or ())):
            assert one.type != "image"
            if one.type in {"html_block", "html_inline"}:
                assert "<" not in OURS.sub("", one.content)
                folds += one.content.count("<details") - one.content.count("</details>")
    assert headings == ["h1", "h2", "h2"]
    assert folds == 0
