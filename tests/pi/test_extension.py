"""The display extension in both versions of pi: cards in the terminal and in the HTML export."""

import json
import re
import shutil
import sys
from collections import Counter

import pytest
from handmade import Handmade, text
from realpi import EXTENSION, NODE, OTHER_OWNER, Terminal, another_version, cards_of

from cursor_replay.cli import pi_home
from cursor_replay.scrub.controls import strip_controls

DIFF = "\n".join(["  1 one", "- 2 two", "+ 2 TWO", *(f"  {n} line" for n in range(3, 20))])
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
MARK = "Asked"


def activity(title, summary, **more):
    return {"variant": "activity", "title": title, "summary": summary, **more}


def with_cursor(session, title, summary, words, *, error=False, blocks=(), details=None, **args):
    session.user(MARK).call(
        1, "cursor", {"activityTitle": title, "activitySummary": summary, **args}
    )
    return session.result(1, "cursor", words, details=details, error=error, blocks=blocks)


# -- the cursor card ------------------------------------------------------------------------------


def test_a_cursor_card_has_title_summary_and_eight_lines_until_it_is_opened(
    session, screen, tmp_path
):
    lines = [f"hit {number}" for number in range(1, 13)]
    words = "\n".join(["Cursor web search: python 3.14", "", *lines])
    details = activity("Cursor web search", "python 3.14", sourceToolName="webSearch")
    path = with_cursor(session, "Cursor web search", "python 3.14", words, details=details).write(
        tmp_path
    )

    head = f" {MARK}\n\n Cursor web search python 3.14\n\n"
    assert cards_of(screen(path)) == (
        head
        + "".join(f" hit {number}\n" for number in range(1, 9))
        + " ... (4 more lines, ctrl+o to expand)\n"
    )
    assert cards_of(screen(path, expanded=True)) == head + "".join(f" {x}\n" for x in lines)


def test_a_cursor_card_in_the_export_opens_with_a_click(session, pi, page_text, tmp_path):
    words = "\n".join(f"hit {number}" for number in range(1, 13))
    details = activity("Cursor web search", "python", sourceToolName="webSearch")
    path = with_cursor(session, "Cursor web search", "python", words, details=details).write(
        tmp_path
    )

    html = pi.export_html(path)

    closed = page_text(html)
    assert "Cursor web search python\n" in closed
    assert "hit 8\n... (4 more lines)" in closed
    assert "activityTitle" not in closed
    assert "hit 12" in page_text(html, expanded=True)


def test_a_recorded_diff_is_drawn_in_the_colours_of_pi(session, screen, tmp_path):
    details = activity("Cursor edit", "a.py added 1 line", sourceToolName="edit", path="a.py")
    path = with_cursor(
        session, "Cursor edit", "a.py added 1 line", "done", details={**details, "diff": DIFF}
    ).write(tmp_path)

    shown = screen(path, colours=True)

    plain = cards_of(shown)
    assert " Cursor edit a.py added 1 line\n\n   1 one\n - 2 two\n + 2 TWO\n" in plain
    assert " ... (12 more lines, ctrl+o to expand)" in plain
    removed, added = (line for line in shown.split("\n") if " 2 " in line)
    assert removed.split("- 2")[0].rsplit("\x1b", 1) != added.split("+ 2")[0].rsplit("\x1b", 1)
    assert "\x1b[7m" in added


def test_a_written_file_is_highlighted(session, screen, tmp_path):
    details = activity("Cursor write", "b.py", sourceToolName="write", path="b.py")
    content = "\n".join(f"def f{number}():\n\treturn {number}" for number in range(6))
    path = with_cursor(
        session, "Cursor write", "b.py", "x", details={**details, "fileContentAfterWrite": content}
    ).write(tmp_path)

    shown = screen(path, colours=True)

    assert " def f0():\n    return 0\n" in cards_of(shown)
    assert " ... (4 more lines, ctrl+o to expand)" in cards_of(shown)
    assert "def f0():" not in shown  # colours stand between the words


def test_a_file_too_long_to_highlight_is_shown_plain(session, screen, tmp_path):
    content = "\n".join(f"def f{number}(): pass" for number in range(800))
    details = activity("Cursor write", "b.py", path="b.py", fileContentAfterWrite=content)
    path = with_cursor(session, "Cursor write", "b.py", "x", details=details).write(tmp_path)

    assert "def f799(): pass" in screen(path, expanded=True, colours=True)


def test_a_card_of_details_that_stay_folded_shows_its_head_only(session, screen, tmp_path):
    details = activity("Cursor todos", "2 items", expandedText="[x] one\n[ ] two")
    path = with_cursor(
        session,
        "Cursor todos",
        "2 items",
        "x",
        details={**details, "collapseDetailsByDefault": True},
    ).write(tmp_path)

    assert cards_of(screen(path)) == f" {MARK}\n\n Cursor todos 2 items\n"
    assert "[x] one\n [ ] two" in cards_of(screen(path, expanded=True))


def test_an_error_card_keeps_title_and_summary_without_details(
    session, pi, screen, page_text, tmp_path
):
    path = with_cursor(session, "Cursor MCP", "server tool", "it broke\nbadly", error=True).write(
        tmp_path
    )

    assert cards_of(screen(path)) == f" {MARK}\n\n Cursor MCP server tool\n\n it broke\n badly\n"
    exported = page_text(pi.export_html(path))
    assert "Cursor MCP server tool" in exported
    assert "it broke\nbadly" in exported


def test_an_error_card_without_arguments_takes_its_head_from_the_kept_card(
    session, screen, tmp_path
):
    kept = {"title": "Cursor recording", "summary": "of a screen", "status": "failed"}
    session.user(MARK).call(1, "cursor", {}, kept=kept)
    path = session.result(1, "cursor", "no display", error=True).write(tmp_path)

    assert " Cursor recording of a screen\n\n no display\n" in cards_of(screen(path))


def test_an_image_is_named_where_it_cannot_be_drawn(session, pi, screen, page_text, tmp_path):
    image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    details = {
        "variant": "generateImage",
        "imageDisplayPath": "out/pic.png",
        "imageMimeType": "image/png",
        "summary": "out/pic.png",
    }
    path = with_cursor(
        session, "Cursor image generation", "out/pic.png", "saved", details=details, blocks=(image,)
    ).write(tmp_path)

    shown = cards_of(screen(path))
    assert " Cursor image generation out/pic.png\n\n" in shown
    assert "[image/png] 1x1" in shown
    assert "[image/png] 1x1" in page_text(pi.export_html(path))


def test_control_characters_of_a_result_do_not_reach_the_terminal(session, screen, tmp_path):
    words = "\x1b[31mred\x1b[0m\x07 \x9b1mbold\x1b]0;title\x07 left\u202eright\nsecond"
    path = with_cursor(session, "Cur\x1b[2Jsor\nMCP", "a\tb", words).write(tmp_path)

    shown = cards_of(screen(path))

    assert " Cursor MCP a b\n\n red 1mbold leftright\n second\n" in shown


CONTROLS = {chr(n) for n in range(sys.maxunicode + 1) if strip_controls(chr(n)) != chr(n)}
SEQUENCES = "\x1b]0;EVIL\x07|\x1b[31mEVIL\x1b[6n|\x1b]8;;http://EVIL\x1b\\|\x1bPqEVIL\x1b\\|\x1b_GEVIL|\x1b]52;c;EVIL"
EVIL = "".join(f"a{c}" for c in sorted(CONTROLS) if not "\ud800" <= c <= "\udfff") + SEQUENCES
ODD = (5, True, None, [], [5, {}], {"toString": 5, "constructor": 5}, "word")
TOOLS = {
    "cursor": {"activityTitle": "Title", "activitySummary": "summary", "path": "a.py"},
    "read": {"path": "a.py", "offset": 1},
    "bash": {"command": "make", "timeout": 1},
    "edit": {"path": "a.py", "edits": [{"oldText": "one", "newText": "two"}]},
    "write": {"path": "a.py", "content": "one"},
    "grep": {"pattern": "x", "path": "src", "glob": "*.py", "limit": 1},
    "find": {"pattern": "x", "path": "src"},
    "ls": {"path": "src"},
}
CUT = ("truncated", "truncatedBy", "firstLineExceedsLimit")
COUNTS = ("outputLines", "totalLines", "maxLines", "maxBytes")
DETAILS = (
    *("title", "summary", "expandedText", "path", "diff", "patch", "fileContentAfterWrite"),
    *("imageDisplayPath", "imageMimeType", "sourceToolName", "collapseDetailsByDefault"),
    *("fullOutputPath", "matchLimitReached", "resultLimitReached", "entryLimitReached"),
    *("linesTruncated", "imageUnsupportedByModel", "firstChangedLine", "truncation"),
)
KEPT = ("title", "summary", "status", "reason", "diff", "source_tool", "content", "details")


def details_of(value):
    """Details that say ``value`` everywhere, and one that has a change to show besides."""
    everywhere = dict.fromkeys(DETAILS, value)
    cut = {**dict.fromkeys(COUNTS, value), **dict.fromkeys(CUT, True), "truncatedBy": value}
    yield everywhere
    yield {**everywhere, "diff": "", "fileContentAfterWrite": "", "truncation": cut}
    yield {"fullOutputPath": value, "matchLimitReached": value, "truncation": {"truncated": True}}


def with_everything(session, value):
    """Calls of every tool, unanswered, answered and failed, that say ``value`` wherever they can."""
    identities = iter(range(10_000))
    for tool, arguments in TOOLS.items():
        odd = {name: value for name in arguments if name != "edits"}
        for details in details_of(value):
            words = value if isinstance(value, str) else "words"
            image = {"type": "image", "data": PIXEL, "mimeType": value}
            blocks = (text(value), image)
            kept = {**dict.fromkeys(KEPT, value), "content": [text(words)], "details": details}
            session.call(next(identities), tool, arguments, kept=kept)
            kept = {**kept, "content": [text(words), *blocks], "diff": ""}
            session.call(next(identities), tool, odd, kept=kept)
            for error in (False, True):
                number = next(identities)
                session.call(number, tool, odd, kept=kept)
                session.result(number, tool, words, details=details, error=error)
    for level in ("warning", value):
        session.custom("cursor-replay-notice", level=level, code=value, message=value, count=value)
    source = {"format": value, "file": value, "sha256": value}
    return session.custom("cursor-replay", version=value, source=source, unknown=[value])


def test_the_extension_takes_out_what_the_scrubbing_takes_out():
    source = EXTENSION.read_text("utf-8")
    character_class = re.search(r"CONTROL =\s+/(.*)/gu;", source)[1]
    spelled = re.sub(r"\\u\{(\w+)\}", lambda code: f"\\U{code[1]:>08}", character_class)
    ours = re.compile(spelled)
    assert {chr(n) for n in range(sys.maxunicode + 1) if ours.match(chr(n))} == CONTROLS


def test_nothing_a_recording_says_reaches_the_terminal_as_a_command(session, pi, tmp_path):
    path = with_everything(session.user(MARK), EVIL).said("Finished").write(tmp_path)

    sent = pi.output(path)

    assert "EVIL" in sent
    assert set(sent) & CONTROLS <= set("\x1b\r\x07")
    assert not re.search(r"\x1b(?:[]P_]|\[31m)[^\x1b]{0,20}EVIL|\x1b\[6n", sent)


def test_a_recording_of_any_types_is_drawn_to_its_end(session, screen, tmp_path):
    for value in ODD:
        with_everything(session.user(MARK), value)
    path = session.said("Finished").write(tmp_path)

    shown = cards_of(screen(path, expanded=True))

    assert shown.endswith(" Finished\n")
    heads = re.findall(r"^ (read|bash|edit|write|grep|find|ls|\$)(?=\s)", shown, re.MULTILINE)
    drawn = Counter("bash" if head == "$" else head for head in heads)
    assert drawn == {name: 12 * len(ODD) for name in TOOLS if name != "cursor"}


def test_a_recording_of_any_depth_is_drawn(session, screen, tmp_path):
    deep = {}
    for _ in range(500):
        deep = {"details": deep}
    kept = {"title": "Cursor task", "details": deep}
    session.user(MARK).call(1, "cursor", {"deep": deep}, kept=kept)
    path = session.result(1, "cursor", "done", details=deep).said("Finished").write(tmp_path)

    assert " Cursor task\n\n done\n" in cards_of(screen(path))


def test_a_card_of_wrong_types_is_drawn_as_far_as_it_goes(session, screen, tmp_path):
    details = {"variant": "activity", "title": 5, "summary": [], "expandedText": {}, "diff": 7}
    kept = {"title": [], "content": "x", "details": "y", "diff": 3, "status": 8}
    session.user(MARK)
    session.call(1, "cursor", {"activityTitle": 3}, kept=kept).result(1, "cursor", "still here")
    session.entry("message", message={"role": "toolResult"}, cursorReplay={"cards": [1]})
    session._entries[-1]["message"] = {"role": "user", "content": [text("Bye")], "timestamp": 1}
    session.result(1, "cursor", "unmatched", details=details)
    path = session.call(2, "cursor", {}, kept=kept).write(tmp_path)

    shown = cards_of(screen(path))

    assert " Cursor activity\n\n still here\n" in shown
    assert " Cursor activity\n\n [outcome not recorded]\n" in shown


def test_a_first_line_that_names_the_tool_and_repeats_the_head_is_left_out(
    session, screen, tmp_path
):
    details = activity("Cursor diagnostics", "1 in a.py", sourceToolName="readLints")
    words = "readLints a.py\n\na.py:4: unused"
    with_cursor(session, "Cursor diagnostics", "1 in a.py", words, details=details)
    details = activity("Cursor MCP", "chart", sourceToolName="mcp")
    words = "harbour/chart port=North\n\ndrawn"
    session.call(2, "cursor", {}).result(2, "cursor", words, details=details)

    assert cards_of(screen(session.write(tmp_path))) == (
        f" {MARK}\n\n Cursor diagnostics 1 in a.py\n\n a.py:4: unused\n\n"
        " Cursor MCP chart\n\n harbour/chart port=North\n\n drawn\n"
    )


def test_an_unanswered_change_is_drawn_from_its_kept_diff(session, screen, tmp_path):
    kept = {"diff": "-1 old\n+1 new", "details": {"diff": "--- a\n+++ b\n@@ -1 +1 @@"}}
    arguments = {"activityTitle": "Cursor edit", "activitySummary": "a.py"}
    path = session.user(MARK).call(1, "cursor", arguments, kept=kept).write(tmp_path)

    assert cards_of(screen(path)) == (
        f" {MARK}\n\n Cursor edit a.py\n\n -1 old\n +1 new\n\n [outcome not recorded]\n"
    )


# -- pi's own cards -------------------------------------------------------------------------------


def test_recorded_calls_of_pi_tools_look_as_pi_draws_them(session, screen, tmp_path):
    session.user(MARK)
    session.call(1, "read", {"path": "a.py"}).result(1, "read", "import os")
    session.call(2, "bash", {"command": "make"})
    session.result(2, "bash", "no rule\n\nCommand exited with code 2", error=True)
    session.call(3, "edit", {"path": "a.py", "edits": [{"oldText": "two", "newText": "TWO"}]})
    session.result(3, "edit", "ok", details={"diff": DIFF, "firstChangedLine": 2})
    session.call(4, "write", {"path": "c.py", "content": "print(1)\n"}).result(4, "write", "ok")
    session.call(5, "grep", {"pattern": "x", "path": "src"}).result(5, "grep", "a.py:1: x")
    session.call(6, "find", {"pattern": "*.py"}).result(6, "find", "a.py")
    path = session.call(7, "ls", {"path": "src"}).result(7, "ls", "a.py").write(tmp_path)

    ours = cards_of(screen(path, colours=True), colours=True)

    assert ours == cards_of(screen(path, colours=True, extensions=()), colours=True)
    assert " edit a.py\n\n   1 one\n - 2 two\n" in cards_of(ours)


def test_calls_that_are_not_replayed_are_drawn_by_pi(session, screen, tmp_path):
    session.user(MARK)
    session.call("cursor-pi-bridge-0-t1", "bash", {"command": "make"})
    session.call("toolu_1", "read", {"path": "a.py"})
    path = session.said("Finished").write(tmp_path)

    ours = cards_of(screen(path, colours=True), colours=True)

    assert ours == cards_of(screen(path, colours=True, extensions=()), colours=True)


def test_calls_without_a_result_say_in_words_what_is_known(session, screen, tmp_path):
    session.user(MARK)
    session.call(1, "read", {"path": "a.py"})
    session.call(2, "bash", {"command": "make"}, kept={"status": "unrecorded"})
    kept = {"status": "incomplete", "reason": "missing completion"}
    session.call(3, "write", {"path": "c.py", "content": "one\ntwo\n"}, kept=kept)
    kept = {"status": "failed", "reason": "no such folder"}
    session.call(4, "ls", {"path": "src"}, kept=kept)
    kept = {"status": "unrecorded", "reason": "the turn ended", "content": [text("a.py:1: x")]}
    session.call(5, "grep", {"pattern": "x"}, kept=kept)
    session.call(6, "find", {"pattern": "*.py"}, kept={"status": "succeeded"})
    path = session.said("Finished").write(tmp_path)

    assert cards_of(screen(path)) == (
        f" {MARK}\n\n read a.py\n\n [outcome not recorded]\n\n"
        " $ make\n\n [outcome not recorded]\n\n"
        " write c.py\n\n one\n two\n\n [did not complete: missing completion]\n\n"
        " ls src\n\n [failed: no such folder]\n\n"
        " grep /x/ in .\n\n a.py:1: x\n\n [the turn ended]\n\n"
        " find *.py in .\n\n [succeeded; its result was not recorded]\n\n"
        " Finished\n"
    )


def test_an_edit_without_a_result_shows_its_kept_diff_and_reads_no_file(
    session, pi, screen, tmp_path
):
    (pi.workspace / "a.py").write_text("two\n", "utf-8")
    edit = {"path": "a.py", "edits": [{"oldText": "two", "newText": "TWO"}]}
    session.user(MARK).call(1, "edit", edit, kept={"diff": "- two\n+ three"})
    path = session.call(2, "edit", edit, kept={}).said("Finished").write(tmp_path)

    assert cards_of(screen(path)) == (
        f" {MARK}\n\n edit a.py\n\n - two\n + three\n\n [outcome not recorded]\n\n"
        " edit a.py\n\n [outcome not recorded]\n\n Finished\n"
    )


def test_an_unanswered_cursor_card_shows_what_its_line_keeps(
    session, pi, screen, page_text, tmp_path
):
    kept = {
        "title": "Cursor task",
        "summary": "explore",
        "status": "incomplete",
        "reason": "aborted",
        "content": [text("step one\nstep two")],
    }
    path = session.user(MARK).call(1, "cursor", {}, kept=kept).said("Finished").write(tmp_path)

    expected = "Cursor task explore\n\n step one\n step two\n\n [did not complete: aborted]\n"
    assert expected in cards_of(screen(path))
    exported = page_text(pi.export_html(path))
    assert "Cursor task explore" in exported
    assert "[did not complete: aborted]" in exported


def test_an_export_says_of_an_unanswered_search_what_the_terminal_says(
    session, pi, page_text, tmp_path
):
    session.user(MARK).call(1, "grep", {"pattern": "x"}, kept={"status": "unrecorded"})
    session.call(2, "grep", {"pattern": "y"}).result(2, "grep", "a.py:1: y")

    exported = page_text(pi.export_html(session.write(tmp_path)))

    assert exported.count("[outcome not recorded]") == 1


# -- entries --------------------------------------------------------------------------------------


def test_notices_and_provenance_are_single_lines(session, screen, tmp_path):
    source = {"format": "transcript", "file": "run.jsonl", "sha256": "ab12"}
    unknown = ["when anything happened", "how commands ended"]
    session.custom("cursor-replay", version="9.9", source=source, unknown=unknown)
    session.user(MARK)
    session.custom(
        "cursor-replay-notice", level="warning", code="cut", message="a line was cut", count=3
    )
    session.custom("cursor-replay-notice", level="info", code="lost", message="", count=1)
    path = session.said("Finished").write(tmp_path)

    notices = " Warning: a line was cut (3 times)\n\n Note: lost\n"
    head = " Replayed by cursor-replay 9.9 from transcript"
    closed = cards_of(screen(path))
    assert f"{head}; expand to see what it cannot know\n" in closed
    assert notices in closed
    assert cards_of(screen(path, expanded=True)).startswith(
        f"{head}\n run.jsonl\n sha256 ab12\n - when anything happened\n - how commands ended\n"
    )


# -- ownership and switches -----------------------------------------------------------------------


def test_tools_of_another_extension_stay_its_own_and_that_is_said_once(session, pi, tmp_path):
    session.user(MARK).call(1, "bash", {"command": "make"}).call(2, "ls", {"path": "src"})
    path = session.said("Finished").write(tmp_path)

    for extensions in ((EXTENSION, OTHER_OWNER), (OTHER_OWNER, EXTENSION)):
        with pi.started(path, extensions=extensions) as running:
            running.request({"type": "switch_session", "sessionPath": str(path)})
            running.request({"type": "get_state"})
            told = [e for e in running.events if e.get("method") == "notify"]
            assert [event["notifyType"] for event in told] == ["warning"]
            assert "bash (" in told[0]["message"]
            assert "cursor (" in told[0]["message"]
            assert "ls (" not in told[0]["message"]


def test_a_taken_name_is_drawn_by_its_owner_and_the_others_by_us(session, screen, tmp_path):
    session.user(MARK).call(1, "bash", {"command": "make"}).call(2, "ls", {"path": "src"})
    path = session.said("Finished").write(tmp_path)

    shown = cards_of(screen(path, extensions=(EXTENSION, OTHER_OWNER)))

    assert " the other bash\n\n" in shown
    assert " ls src\n\n [outcome not recorded]\n" in shown


def test_all_display_tools_can_be_switched_off(session, screen, tmp_path):
    session.user(MARK).call(1, "cursor", {"activityTitle": "Cursor task"}).call(2, "ls", {})
    path = session.said("Finished").write(tmp_path)

    for off in ("0", "Off"):
        shown = cards_of(screen(path, env={"PI_CURSOR_NATIVE_TOOL_DISPLAY": off}))
        assert '"activityTitle"' in shown or "activityTitle=" in shown
        assert "outcome not recorded" not in shown


def test_the_wrappers_can_be_switched_off_alone(session, screen, tmp_path):
    session.user(MARK).call(1, "cursor", {"activityTitle": "Cursor task"}).call(2, "ls", {})
    path = session.said("Finished").write(tmp_path)

    shown = cards_of(screen(path, env={"PI_CURSOR_REGISTER_NATIVE_TOOLS": "0"}))

    assert " Cursor task\n\n [outcome not recorded]\n\n ls .\n\n Finished\n" in shown


def test_cards_look_the_same_after_a_switch_of_sessions(session, pi, page_text, tmp_path):
    session.user(MARK).call(1, "grep", {"pattern": "x"}, kept={"reason": "aborted"})
    path = session.call(2, "cursor", {}, kept={"title": "Cursor task"}).write(tmp_path)
    target = tmp_path / "first.html"

    with pi.started(path) as running:
        running.request({"type": "export_html", "outputPath": str(target)})

    first = page_text(target)
    assert "Cursor task" in first
    assert "[aborted]" in first
    assert page_text(pi.export_html(path)) == first


def test_cards_look_the_same_in_a_session_resumed_from_the_list(pi, screen, tmp_path):
    first = Handmade(pi.workspace).user("Alpha").said("Alphadone").write(tmp_path)
    session = Handmade(pi.workspace).user("Beta").call(1, "ls", {}, kept={"reason": "aborted"})
    session.call(2, "cursor", {}, kept={"title": "Cursor task"}).call(3, "grep", {"pattern": "x"})
    second = session.result(3, "grep", "a.py:1: x").said("Betadone").write(tmp_path)

    with pi.terminal(first, "--session-dir", str(tmp_path)) as terminal:
        terminal.settle("Alphadone")
        terminal.type("/resume", "Enter")
        terminal.settle("Resume Session")
        terminal.type("Beta")
        terminal.settle("Beta")
        terminal.type("Enter")
        terminal.settle("Betadone")
        resumed = cards_of(terminal.capture())

    assert resumed.replace("\n Resumed session\n", "") == cards_of(screen(second))


# -- several copies -------------------------------------------------------------------------------


@pytest.fixture(params=["the newer first", "the older first"])
def copies(request, tmp_path):
    """Two copies of this extension, in the order they are loaded."""
    both = (EXTENSION, another_version(tmp_path))
    return both[::-1] if request.param == "the older first" else both


def with_each_kind(session):
    """A session of a cursor card, an answered call, and two without a result."""
    session.user(MARK).call(1, "cursor", {}, kept={"title": "Cursor task", "reason": "aborted"})
    session.call(2, "grep", {"pattern": "x"}).result(2, "grep", "a.py:1: x")
    session.call(3, "ls", {}, kept={"reason": "aborted"})
    return session.call(4, "bash", {"command": "make"}).said("Finished")


def told(running):
    """What the extension has said to the user."""
    running.request({"type": "get_state"})
    return [event["message"] for event in running.events if event.get("method") == "notify"]


def test_two_copies_draw_as_one_and_say_nothing(session, screen, copies, tmp_path):
    path = with_each_kind(session).write(tmp_path)

    both = screen(path, extensions=copies)

    assert "leaves these tools" not in both
    assert cards_of(both) == cards_of(screen(path))


def test_two_copies_are_one_in_every_later_session(session, pi, page_text, copies, tmp_path):
    path = with_each_kind(session).write(tmp_path)
    exported = []
    with pi.started(path, extensions=copies) as running:
        for number in range(3):
            target = tmp_path / f"{number}.html"
            running.request({"type": "export_html", "outputPath": str(target)})
            exported.append(page_text(target))
            running.request({"type": "new_session"})
            running.request({"type": "switch_session", "sessionPath": str(path)})
        assert told(running) == []

    assert exported == [page_text(pi.export_html(path))] * 3
    assert "[aborted]" in exported[0]


def test_two_copies_are_one_after_a_reload_and_a_resume(pi, screen, copies, tmp_path):
    other = Handmade(pi.workspace).user("Alpha").said("Alphadone").write(tmp_path)
    path = with_each_kind(Handmade(pi.workspace)).write(tmp_path)

    with pi.terminal(other, "--session-dir", str(tmp_path), extensions=copies) as terminal:
        terminal.settle("Alphadone")
        terminal.type("/reload", "Enter")
        terminal.settle("Reloaded")
        terminal.type("/resume", "Enter")
        terminal.settle("Resume Session")
        terminal.type(MARK)
        terminal.settle(MARK)
        terminal.type("Enter")
        terminal.settle("Finished")
        resumed = terminal.capture()

    assert "leaves these tools" not in resumed
    assert cards_of(resumed).replace("\n Resumed session\n", "") == cards_of(screen(path))


def test_an_installed_extension_may_be_named_too(session, pi, screen, monkeypatch, tmp_path):
    agent = tmp_path / "agent"
    shutil.copytree(pi.agent(), agent)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(agent))
    pi_home.install_extension(force=False)
    path = with_each_kind(session).write(tmp_path)

    with pi.started(path, env={"PI_CODING_AGENT_DIR": str(agent)}) as running:
        assert told(running) == []
    assert cards_of(screen(path, env={"PI_CODING_AGENT_DIR": str(agent)})) == cards_of(screen(path))


def test_two_copies_leave_a_tool_to_its_owner_and_say_so_once(session, pi, copies, tmp_path):
    path = with_each_kind(session).write(tmp_path)

    with pi.started(path, extensions=(*copies, OTHER_OWNER)) as running:
        running.request({"type": "switch_session", "sessionPath": str(path)})
        (message,) = told(running)

    assert "bash (" in message
    assert "ls (" not in message


# -- a pi of few tools ----------------------------------------------------------------------------


@pytest.mark.parametrize("args", [("--tools", "read"), ("--no-tools",)])
def test_cards_are_drawn_also_where_their_tools_are_switched_off(
    session, pi, screen, tmp_path, args
):
    path = with_each_kind(session).write(tmp_path)

    with pi.terminal(path, *args) as terminal:
        terminal.settle("Finished")
        shown = cards_of(terminal.capture())

    if pi.version == "0.84.0":  # it draws a tool that is switched off by itself
        assert "outcome not recorded" not in shown
        return
    assert shown == cards_of(screen(path))


# -- opened by the command ------------------------------------------------------------------------


def test_a_recording_from_a_pipe_is_opened_in_a_pi_that_can_be_typed_in(pi, tmp_path):
    said = {"role": "user", "message": {"content": [{"type": "text", "text": "Begin here"}]}}
    recording = tmp_path / "run.jsonl"
    recording.write_text(json.dumps(said) + "\n", "utf-8")
    program = tmp_path / "pi"
    program.write_text(f'#!/bin/sh\nexec {NODE} {pi.program} "$@"\n', "utf-8")
    program.chmod(0o755)
    command = f"cat {recording} | {sys.executable} -m cursor_replay pi - --open --pi {program}"

    environment = pi.environment(pi.agent(), PI_CODING_AGENT_SESSION_DIR=str(tmp_path))
    started = ["sh", "-c", f"{command}; sleep 60"]
    with Terminal(started, environment, pi.workspace, (120, 40)) as terminal:
        terminal.settle("Begin here")
        terminal.type("Typedwords")
        terminal.settle("Typedwords")
