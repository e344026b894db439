"""What a recorded diff says."""

import pytest

from cursor_replay.normalize.diffs import (
    Counts,
    count_changes,
    first_hunk_line,
    patch_as_diff,
    read_patch,
    with_display_paths,
)

HEAD = "--- a/x\n+++ b/x\n"


@pytest.mark.parametrize(
    ("diff", "counts"),
    [
        (f"{HEAD}@@ -1,2 +1,2 @@\n keep\n-old\n+new\n", Counts(1, 1, 2)),
        (f"{HEAD}@@ -1,2 +1,2 @@\n keep\n-old\n+new", Counts(1, 1, 2)),
        (f"{HEAD}@@ -7,2 +7,3 @@\n keep\n+new\n end", Counts(1, 0, 8)),
        (f"{HEAD}@@ -7,2 +7,1 @@\n keep\n-old", Counts(0, 1, 8)),
        (f"{HEAD}@@ -1 +1 @@\n same\n", Counts(0, 0, None)),
        ("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b", Counts(2, 0, 1)),
        # a removed line that begins with two dashes is content, not a header (S5)
        (f"{HEAD}@@ -1,2 +1 @@\n--- comment\n keep", Counts(0, 1, 1)),
        (f"{HEAD}@@ -1 +1,2 @@\n+++ more\n keep", Counts(1, 0, 1)),
    ],
)
def test_a_well_formed_diff_is_counted(diff, counts):
    assert count_changes(diff) == counts


@pytest.mark.parametrize(
    "diff", ["", "nothing of a diff", "@@ -1 +1 @@\n-a\n+b", f"{HEAD}@@ -1,9 +1,9 @@\n-a\n"]
)
def test_a_diff_that_is_not_well_formed_is_not_counted(diff):
    assert count_changes(diff) is None


@pytest.mark.parametrize("diff", [f"{HEAD}@@\n-a\n+b", f"{HEAD}@@ def f\n-a\n+b", f"{HEAD}-a\n+b"])
def test_a_diff_without_a_numbered_hunk_is_not_counted(diff):
    assert count_changes(diff) is None


@pytest.mark.parametrize(
    ("diff", "line"),
    [("@@ -3,2 +5,4 @@ def f", 5), ("@@ -3 +4 @@", 4), ("no hunk", None), ("x\n@@ -1 +2 @@", 2)],
)
def test_the_first_hunk_says_where_a_diff_starts(diff, line):
    assert first_hunk_line(diff) == line


@pytest.mark.parametrize(
    ("diff", "shown"),
    [
        ("--- a//repo/x\n+++ b//repo/x\n@@ -1 +1 @@", "--- a/x\n+++ b/x\n@@ -1 +1 @@"),
        ("--- a/x\n+++ b/x", "--- a/x\n+++ b/x"),
        ("--- /dev/null\n+++ b//repo/x", "--- /dev/null\n+++ b/x"),
        ("--- /repo/x\n+++ /repo/x", "--- /repo/x\n+++ /repo/x"),
        ("--- a//etc/x", "--- a//etc/x"),
        # after a hunk header nothing is a header any more
        ("@@ -1 +1 @@\n--- a//repo/x", "@@ -1 +1 @@\n--- a//repo/x"),
        (
            "diff --git a/x b/x\nindex 1..2\n--- a//repo/x",
            "diff --git a/x b/x\nindex 1..2\n--- a/x",
        ),
    ],
)
def test_only_header_paths_behind_a_and_b_are_made_relative(diff, shown):
    assert with_display_paths(diff, "/repo") == shown


def test_a_removed_line_after_a_hunk_keeps_its_text():
    diff = "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n--- a//repo/x is gone"
    assert with_display_paths(diff, "/repo") == diff


def test_without_a_workspace_nothing_is_made_relative():
    assert with_display_paths("--- a//repo/x", None) == "--- a//repo/x"


def test_a_text_that_is_no_patch_has_no_files():
    assert read_patch("hello\n*** Move to: x\n") == []


def test_a_patch_is_read_file_by_file():
    files = read_patch(
        "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End of File\n"
        "*** Add File: b\n+z\n*** End Patch"
    )
    assert [(each.verb, each.path, each.lines) for each in files] == [
        ("update", "a", ["@@", "-x", "+y"]),
        ("add", "b", ["+z"]),
    ]


def test_a_patch_becomes_a_diff_without_numbers():
    files = read_patch("*** Update File: /repo/a\n-x\n+y\n\n\n*** Delete File: /etc/b\n")
    assert patch_as_diff(files, "/repo") == (
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@\n-x\n+y\n"
        "diff --git /etc/b /etc/b\ndeleted file /etc/b\n--- /etc/b\n+++ /dev/null"
    )
