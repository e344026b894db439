"""Replay facts 11.5, cases 72 to 96: edit, write and delete."""

import pytest

from cursor_replay.items import NativeWrite

from .helpers_cases import card, case, check, err, item, numbers_in, ok, row

DIFF = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -4,2 +4,2 @@\n keep\n-old\n+new"
ADDED = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1,2 @@\n keep\n+new"
PAIR = {"oldText": "old", "newText": "new"}


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            72,
            "old and new text",
            "edit",
            {"path": "/repo/src/a.ts", **PAIR},
            ok({"linesAdded": 1, "linesRemoved": 1, "diffString": DIFF}),
            tool="edit",
            arguments={"path": "src/a.ts", "edits": [PAIR]},
            variant="nativeEdit",
            details={
                "path": "src/a.ts",
                "lines_added": 1,
                "lines_removed": 1,
                "diff_string": DIFF,
                "diff": DIFF,
                "first_changed_line": 5,
            },
            # the text of a native edit keeps its final newline
            text=f"edit src/a.ts\n\n+1 -1\n\n{DIFF}\n",
            failed=False,
        ),
        row(
            73,
            "a path alone",
            "edit",
            {"path": "/repo/src/a.ts"},
            ok({"linesAdded": 1, "diffString": ADDED}),
            tool="cursor",
            title="Cursor edit",
            arguments={
                "path": "src/a.ts",
                "activityTitle": "Cursor edit",
                "activitySummary": "src/a.ts",
            },
            variant="activity",
            details={
                "source_tool_name": "edit",
                "title": "Cursor edit",
                "summary": "src/a.ts added 1 line",
                "path": "src/a.ts",
                "diff_string": ADDED,
                "diff": ADDED,
                "lines_added": 1,
                "lines_removed": None,
            },
            text=f"edit src/a.ts\n\n+1\n\n{ADDED}",
        ),
        row(
            74,
            "StrReplace with a diff",
            "StrReplace",
            {"path": "src/a.ts", "old_string": "old", "new_string": "new"},
            ok({"diff": DIFF}),
            tool="edit",
            variant="nativeEdit",
            arguments={"path": "src/a.ts", "edits": [PAIR]},
            details={"diff_string": DIFF, "diff": DIFF},
        ),
        row(
            75,
            "EditNotebook",
            "EditNotebook",
            {"path": "nb.ipynb", "cellId": "c1", "old_string": "old", "new_string": "new"},
            ok({"unifiedDiff": DIFF}),
            tool="cursor",
            variant="activity",
            details={"diff_string": DIFF, "diff": DIFF},
        ),
        row(
            75,
            "cell arguments alone",
            "edit",
            {"path": "nb.txt", "cell_index": 2, "old_string": "old", "new_string": "new"},
            ok({}),
            tool="cursor",
            variant="activity",
        ),
        row(
            76,
            "a notebook with texts",
            "edit",
            {"path": "nb.ipynb", **PAIR},
            ok({"linesAdded": 1}),
            tool="cursor",
            variant="activity",
            arguments={
                "path": "nb.ipynb",
                **PAIR,
                "activityTitle": "Cursor edit",
                "activitySummary": "nb.ipynb",
            },
        ),
        row(
            77,
            "str_replace of a notebook",
            "str_replace",
            {"path": "nb.ipynb", "old_str": "old", "new_str": "new"},
            ok({}),
            tool="edit",
            variant="nativeEdit",
        ),
        row(
            78,
            "two spellings in one list",
            "edit",
            {"path": "a", "edits": [PAIR, {"old_string": "o", "new_string": "n"}]},
            ok({}),
            tool="edit",
            arguments={"path": "a", "edits": [PAIR, {"oldText": "o", "newText": "n"}]},
        ),
        row(
            79,
            "an empty old text among others",
            "edit",
            {"path": "a", "edits": [PAIR, {"oldText": "", "newText": "n"}]},
            ok({}),
            tool="cursor",
            variant="activity",
        ),
        row(
            80,
            "no path",
            "edit",
            PAIR,
            ok({"linesAdded": 1}),
            tool="cursor",
            arguments={**PAIR, "activityTitle": "Cursor edit"},
            details={"summary": "replayed added 1 line", "path": None},
        ),
        # The trace names the path too (S11); the reference says "edit unknown" there.
        row(
            81,
            "file_path",
            "edit",
            {"file_path": "/repo/src/a.ts", **PAIR},
            ok({"linesAdded": 1}),
            arguments={"path": "src/a.ts", "edits": [PAIR]},
            transcript="edit src/a.ts\n\n+1\n",
        ),
        row(
            82,
            "an empty new text",
            "StrReplace",
            {"path": "a", "old_string": "old", "new_string": ""},
            ok({}),
            tool="edit",
            arguments={"path": "a", "edits": [{"oldText": "old", "newText": ""}]},
        ),
        row(
            83,
            "header paths of the workspace",
            "edit",
            {"path": "/repo/src/x"},
            ok({"diffString": "--- a//repo/src/x\n+++ b//repo/src/x\n@@ -1 +1 @@\n-a\n+b"}),
            details={"diff": "--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-a\n+b"},
            without=["/repo"],
        ),
        row(
            84,
            "header paths that stay",
            "edit",
            {"path": "x"},
            ok({"diffString": "--- /dev/null\n+++ /repo/x\n@@ -0,0 +1 @@\n+b"}),
            details={"diff": "--- /dev/null\n+++ /repo/x\n@@ -0,0 +1 @@\n+b"},
        ),
        row(
            84,
            "a header path outside",
            "edit",
            {"path": "x"},
            ok({"diffString": "--- a//etc/x\n+++ b//etc/x\n@@ -1 +1 @@\n-a\n+b"}),
            details={"diff": "--- a//etc/x\n+++ b//etc/x\n@@ -1 +1 @@\n-a\n+b"},
        ),
        row(
            85,
            "diffString first",
            "edit",
            {"path": "x"},
            ok({"patch": "4", "unifiedDiff": "3", "diff": "2", "diffString": "1"}),
            details={"diff": "1", "diff_string": "1"},
        ),
        row(
            85,
            "diff when diffString is empty",
            "edit",
            {"path": "x"},
            ok({"patch": "4", "unifiedDiff": "3", "diff": "2", "diffString": ""}),
            details={"diff": "2", "diff_string": "2"},
        ),
        row(
            85,
            "unifiedDiff third",
            "edit",
            {"path": "x"},
            ok({"patch": "4", "unifiedDiff": "3", "diff": ""}),
            details={"diff": "3"},
        ),
        row(85, "patch last", "edit", {"path": "x"}, ok({"patch": "4"}), details={"diff": "4"}),
        row(
            85,
            "none",
            "edit",
            {"path": "x"},
            ok({"diff": ""}),
            details={"diff": None, "diff_string": None},
        ),
        row(
            86,
            "an error",
            "edit",
            {"path": "src/a.ts"},
            err("no match"),
            title="Cursor edit",
            text="Error: no match",
            details={"summary": None, "title": "Cursor edit"},
            failed=True,
        ),
        row(
            87,
            "counts of zero",
            "edit",
            {"path": "src/a.ts"},
            ok({"linesAdded": 0, "linesRemoved": 0}),
            title="Cursor edit",
            details={"summary": "src/a.ts"},
            text="edit src/a.ts\n\n+0 -0",
        ),
    ],
)
def test_the_card_of_an_edit(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        # "Created 1 line": plurals are right (S17).
        row(
            88,
            "with its content",
            "write",
            {"path": "/repo/src/a.ts", "content": "hello\n"},
            ok({"linesCreated": 1, "fileSize": 6}),
            tool="write",
            arguments={"path": "src/a.ts", "content": "hello\n"},
            variant="nativeWrite",
            details={"path": "src/a.ts", "lines_created": 1, "file_size": 6},
            text="write src/a.ts\n\nCreated 1 line\nFile size: 6 bytes\n\nhello",
            failed=False,
        ),
        row(
            88,
            "one byte",
            "write",
            {"path": "a", "content": "x"},
            ok({"linesCreated": 2, "fileSize": 1}),
            text="write a\n\nCreated 2 lines\nFile size: 1 byte\n\nx",
        ),
        row(
            89,
            "a path alone, and what the file holds now",
            "write",
            {"path": "/repo/src/a.ts"},
            ok({"linesCreated": 1, "fileContentAfterWrite": "hello\n"}),
            tool="cursor",
            title="Cursor write",
            variant="activity",
            details={
                "source_tool_name": "write",
                "path": "src/a.ts",
                "file_content_after_write": "hello\n",
                "summary": "src/a.ts",
            },
            arguments={
                "path": "src/a.ts",
                "activityTitle": "Cursor write",
                "activitySummary": "src/a.ts",
            },
            text="write src/a.ts\n\nCreated 1 line\n\nhello",
        ),
        # One copy of a file is enough: `contents` becomes `content`; the reference keeps both.
        row(
            90,
            "contents",
            "Write",
            {"path": "a", "contents": "x", "explanation": "why"},
            ok({"fileSize": 1}),
            tool="write",
            arguments={"path": "a", "content": "x", "explanation": "why"},
        ),
        row(
            91,
            "an empty file",
            "write",
            {"path": "a", "content": ""},
            ok({"linesCreated": 0, "fileSize": 0}),
            tool="write",
            variant="nativeWrite",
            arguments={"path": "a", "content": ""},
            text="write a\n\nCreated 0 lines\nFile size: 0 bytes",
        ),
        row(
            92,
            "nothing",
            "write",
            {},
            ok({}),
            tool="cursor",
            arguments={"activityTitle": "Cursor write", "activitySummary": "file"},
            details={"summary": "wrote file", "path": None},
            text="write unknown\n\n{}",
        ),
        # The SDK's own argument is read (S2): a native card, and the file in it once.
        row(
            93,
            "fileText",
            "write",
            {"path": "/repo/a", "fileText": "hello"},
            ok({"linesCreated": 1, "fileSize": 5}),
            tool="write",
            variant="nativeWrite",
            arguments={"path": "a", "content": "hello"},
        ),
        row(
            94,
            "an error",
            "write",
            {"path": "a", "content": "x"},
            err("disk full"),
            failed=True,
            text="Error: disk full",
        ),
        row(
            95,
            "delete",
            "delete",
            {"path": "/repo/.debug/x"},
            ok({"fileSize": 9}),
            tool="cursor",
            title="Cursor delete",
            text="delete .debug/x\n\nDeleted 9 bytes",
            summary=".debug/x",
            details={"path": ".debug/x", "file_size": 9, "source_tool_name": "delete"},
            without=["/repo"],
        ),
        row(
            95,
            "delete of one byte",  # plurals are right (S17)
            "delete",
            {"path": "a"},
            ok({"fileSize": 1}),
            text="delete a\n\nDeleted 1 byte",
        ),
        row(
            96,
            "delete without a path",
            "delete",
            {},
            ok({}),
            summary="unknown",
            some_arguments={"activitySummary": "unknown", "path": None},
            text="delete unknown\n\n{}",
        ),
    ],
)
def test_the_card_of_a_write_or_delete(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize(
    "details", [case(94, "the details", NativeWrite(expanded_text="write a\n\nError: disk full\n"))]
)
def test_a_failed_write_keeps_its_text_alone(details):
    assert card("write", {"path": "a", "content": "x"}, err("disk full")).details == details


def test_content_after_a_write_is_kept_when_it_differs_from_what_was_written():
    draft = card("write", {"path": "a", "content": "x"}, ok({"fileContentAfterWrite": "x\n"}))
    assert draft.details.file_content_after_write == "x\n"


def test_a_write_takes_its_path_from_the_result_when_the_arguments_have_none():
    draft = card("write", {"content": "x"}, ok({"path": "/repo/a"}))
    assert (draft.tool, draft.arguments) == ("write", {"content": "x", "path": "a"})


def test_a_write_without_a_result_claims_nothing():
    draft = card("Write", {"path": "a", "contents": "x"})
    assert (draft.tool, draft.text, draft.details.expanded_text) == ("write", "", None)
    path_only = card("Write", {"path": "a"})
    assert (path_only.tool, path_only.text) == ("cursor", "")


def test_an_edit_without_a_result_claims_nothing():
    draft = card("edit", {"path": "a"})
    assert draft.text == ""
    assert (draft.details.summary, draft.details.expanded_text) == ("a", None)
    assert card("StrReplace", {"path": "a", **PAIR}).text == ""


def test_an_edit_without_counts_takes_them_from_its_diff():
    draft = card("edit", {"path": "src/a.ts", **PAIR}, ok({"diffString": DIFF}))
    assert (draft.details.lines_added, draft.details.lines_removed) == (1, 1)
    assert draft.details.first_changed_line == 5


def test_an_edit_whose_diff_is_not_well_formed_starts_at_its_first_hunk():
    diff = "@@ -7,9 +8,9 @@\n-old\n+new"
    draft = card("edit", {"path": "a", **PAIR}, ok({"diff": diff}))
    assert draft.details.first_changed_line == 8
    assert (draft.details.lines_added, draft.details.lines_removed) == (None, None)


def test_an_edit_without_a_diff_shows_its_message():
    draft = card("edit", {"path": "a"}, ok({"message": "applied", "linesAdded": 2}))
    assert draft.text == "edit a\n\n+2\n\napplied"


def test_an_edit_whose_result_says_nothing_shows_its_json():
    assert card("edit", {"path": "a"}, ok({"x": 1})).text == 'edit a\n\n{\n  "x": 1\n}'


def test_an_edit_of_every_place_says_so():
    args = {"path": "a", "old_string": "old", "new_string": "new", "replace_all": True}
    assert card("StrReplace", args, ok({})).arguments == {
        "path": "a",
        "edits": [PAIR],
        "replaceAll": True,
    }


@pytest.mark.parametrize(
    "args",
    [
        {"path": "a", "strReplace": {"oldText": "old", "newText": "new"}},
        {"path": "a", "multiStrReplace": {"edits": [PAIR]}},
    ],
)
def test_the_edit_forms_of_2025_are_lifted(args):
    draft = card("edit", args, ok({}))
    assert (draft.tool, draft.arguments) == ("edit", {"path": "a", "edits": [PAIR]})


PATCH = """*** Begin Patch
*** Update File: /repo/src/a.ts
@@ def f
 keep
-old
+new
*** End Patch"""


@pytest.mark.parametrize(
    "args", [PATCH, {"patch": PATCH}, {"input": PATCH}, {"applyPatch": {"patchContent": PATCH}}]
)
def test_a_patch_is_a_neutral_card_with_its_diff(args):
    draft = card("ApplyPatch", args)
    diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ def f\n keep\n-old\n+new"
    assert (draft.tool, draft.title, draft.summary) == ("cursor", "Cursor edit", "src/a.ts")
    assert draft.arguments == {
        "path": "src/a.ts",
        "activityTitle": "Cursor edit",
        "activitySummary": "src/a.ts",
    }
    assert draft.text == f"edit src/a.ts\n\n{diff}"
    assert (draft.details.diff, draft.details.lines_added, draft.details.lines_removed) == (
        diff,
        1,
        1,
    )


def test_a_patch_of_several_files_names_how_many():
    text = (
        "*** Begin Patch\n*** Add File: new.ts\n+one\n*** Delete File: old.ts\n"
        "*** Update File: b.ts\n*** Move to: c.ts\n-x\n+y\n\n*** End Patch"
    )
    draft = card("functions.ApplyPatch", text)
    assert draft.summary == "3 files"
    assert draft.arguments["paths"] == ["new.ts", "old.ts", "c.ts"]
    assert draft.details.diff == (
        "diff --git a/new.ts b/new.ts\n--- /dev/null\n+++ b/new.ts\n@@\n+one\n"
        "diff --git a/old.ts b/old.ts\ndeleted file old.ts\n--- a/old.ts\n+++ /dev/null\n"
        "diff --git a/b.ts b/c.ts\nrename from b.ts\nrename to c.ts\n"
        "--- a/b.ts\n+++ b/c.ts\n@@\n-x\n+y"
    )
    assert draft.details.path is None


def test_a_text_that_is_no_patch_is_an_edit_without_a_path():
    draft = card("ApplyPatch", "not a patch")
    assert (draft.tool, draft.summary) == ("cursor", None)


@pytest.mark.parametrize(
    ("name", "args", "kept"),
    [
        ("ApplyPatch", "not a patch", "not a patch"),
        ("Shell", "ls -la", "ls -la"),
        ("Read", ["a.ts"], '["a.ts"]'),
    ],
)
def test_an_input_that_is_no_object_is_kept(name, args, kept):
    assert item(name, args).arguments["input"] == kept


@pytest.mark.parametrize(
    ("name", "args"), [("mystery", "some text"), ("ApplyPatch", PATCH), ("Read", None)]
)
def test_an_input_that_is_shown_already_is_not_repeated(name, args):
    assert "input" not in item(name, args).arguments


def test_the_single_pair_counts_when_an_entry_of_the_list_is_invalid():
    args = {"path": "a", **PAIR, "edits": [{"oldText": "", "newText": "n"}]}
    draft = card("edit", args, ok({}))
    assert (draft.tool, draft.arguments["edits"]) == ("edit", [PAIR])


def test_a_list_with_an_entry_that_is_no_object_is_not_native():
    assert card("edit", {"path": "a", "edits": [PAIR, 7]}, ok({})).tool == "cursor"


def test_a_null_path_does_not_hide_another_spelling():
    assert card("edit", {"path": None, "file_path": "/repo/a"}, ok({})).summary == "a"


def test_every_number_from_72_to_96_is_here():
    assert numbers_in(globals()) == set(range(72, 97))
