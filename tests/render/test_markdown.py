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
    TurnEnd,
    Usage,
)
from cursor_replay.render.markdown import MarkdownRenderer, language

HERE = Evidence(file="run.jsonl", line=7)
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = re.compile(r"<!-- -->|</?code>|</?(?:details|summary|b|i|p)>")
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
        "## Turn 1\n\n**User · 2026-01-02T03:04:05.000Z**\n\n> Do it\\\n> now @<!-- -->bob\n\n"
    )


def test_a_turn_has_one_heading_whatever_opens_it():
    answer = Answer(text="a", turn=1, evidence=HERE)
    other = Answer(text="b", turn=2, evidence=HERE)
    assert rendered(answer, answer, other) == "## Turn 1\n\na\n\na\n\n## Turn 2\n\nb\n\n"


def test_a_prompt_of_cursor_and_its_context_are_told_apart():
    part = ContextPart(tag="open_<files>", text="```\n</details>")
    prompt = Prompt(text=" ", author="cursor", context=(part,), turn=0, evidence=HERE)
    assert rendered(prompt) == (
        "**Cursor, not typed by a human**\n\n> *(empty)*\n\n"
        "<details><summary>Context: <code>open_&lt;files&gt;</code></summary>\n\n"
        "````\n```\n</details>\n````\n\n</details>\n\n"
    )


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("succeeded", "ok"),
        ("failed", "failed"),
        ("incomplete", "did not complete"),
        ("unrecorded", "not recorded"),
        ("running", "running"),
    ],
)
def test_every_state_is_a_word(status, word):
    assert f"<p><b>{word}</b> · <code>$ ls</code></p>\n\n" in rendered(card(status=status))


def test_a_card_with_output_is_a_fold():
    shown = card(content=(TextContent(text="one\n```\ntwo"),), turn=0)
    assert rendered(shown) == (
        "<details><summary><b>ok</b> · <code>$ ls</code></summary>\n\n"
        "````\none\n```\ntwo\n````\n\n</details>\n\n"
    )


def test_a_command_of_many_lines_stands_in_the_fold():
    shown = card(arguments={"command": "a\nb </summary>"}, parent="task-1", turn=0)
    assert rendered(shown) == (
        "<details><summary>↳ <b>ok</b> · <code>$ a b &lt;/summary&gt;</code></summary>\n\n"
        "```sh\na\nb </summary>\n```\n\n</details>\n\n"
    )


def test_long_output_is_cut_and_says_so_unless_it_is_expanded():
    text = "\n".join(f"line {number}" for number in range(9))
    shown = card(content=(TextContent(text=text),))
    cut, whole = rendered(shown), rendered(shown, expand=True)
    assert cut.index("*... (4 earlier lines, --expand to show)*") < cut.index("line 4")
    assert "line 3" not in cut
    assert "line 0" in whole
    assert "expand" not in whole


def test_an_edit_is_a_diff():
    edits = [{"oldText": "a\nb", "newText": "a\nc"}]
    shown = card(tool="edit", source_tool="edit", arguments={"path": "x.py", "edits": edits})
    assert "```diff\n a\n-b\n+c\n```\n" in rendered(shown)


def test_a_written_file_has_its_language_and_its_hint():
    content = "\n".join(f"x = {number}" for number in range(12)) + "\n"
    shown = card(tool="write", source_tool="write", arguments={"path": "x.py", "content": content})
    made = rendered(shown)
    assert "```py\nx = 0\n" in made
    assert "more lines, 12 total, --expand to show)*" in made


def test_an_image_is_its_path():
    details = GenerateImage(image_path="out/a.png", image_mime_type="image/png", summary="done")
    shown = card(tool="cursor", source_tool="generateImage", arguments={}, details=details)
    assert "Image `out/a.png` (`image/png`)" in rendered(shown)


def test_a_reason_is_a_remark():
    details = Activity(title="Cursor search", summary="x")
    shown = card(tool="cursor", status="incomplete", reason="cut *off*", details=details)
    assert "*cut \\*off\\**" in rendered(shown)


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
                folds += one.content.count("<details>") - one.content.count("</details>")
    assert headings == ["h1", "h2", "h2"]
    assert folds == 0
