"""Paths as a reader of the workspace writes them."""

import pytest

from cursor_replay.normalize.paths import display_path, is_safe_relative


@pytest.mark.parametrize(
    ("path", "cwd", "shown"),
    [
        ("/repo/src/a.ts", None, "/repo/src/a.ts"),
        ("/repo/src/a.ts", "", "/repo/src/a.ts"),
        ("/repo/src/a.ts", "/", "/repo/src/a.ts"),
        ("/repo/src/a.ts", "/repo/", "src/a.ts"),
        ("/repo//src/./a.ts", "/repo", "src/a.ts"),
        ("/repo/src//a.ts", "/repo", "src/a.ts"),
        ("/repo/src/a/", "/repo", "src/a"),
        ("/Repo/a", "/repo", "/Repo/a"),
        ("/repo/a\\b", "/repo", "a\\b"),
        ("a\\b/c", "/repo", "a/b/c"),
        ("/repo/..", "/repo", "/repo/.."),
        ("/repo/...", "/repo", "..."),
    ],
)
def test_a_path_is_shown_relative_by_its_components(path, cwd, shown):
    assert display_path(path, cwd) == shown


@pytest.mark.parametrize(
    ("path", "cwd", "shown"),
    [
        ("C:\\code\\src\\a.ts", "C:\\code", "src/a.ts"),
        ("c:/code/src/a.ts", "C:\\code", "src/a.ts"),
        ("/c:/code/a.ts", "C:/code", "a.ts"),
        ("C:\\code", "c:\\code", "."),
        ("D:\\code\\a.ts", "C:\\code", "D:\\code\\a.ts"),
        ("C:\\codeshop\\a.ts", "C:\\code", "C:\\codeshop\\a.ts"),
    ],
)
def test_drives_are_compared_without_case(path, cwd, shown):
    assert display_path(path, cwd) == shown


@pytest.mark.parametrize(
    ("path", "cwd"),
    [("/private/tmp/w/a.ts", "/tmp/w"), ("/tmp/w/a.ts", "/private/tmp/w")],  # noqa: S108
)
def test_the_private_alias_of_macos_is_the_same_folder(path, cwd):
    assert display_path(path, cwd) == "a.ts"


@pytest.mark.parametrize(
    "path", ["a.ts", "./a.ts", "/repo/src/a.ts", "..foo/a", "src\\a.ts", "/repo"]
)
def test_a_path_inside_the_workspace_is_safe(path):
    assert is_safe_relative(path, "/repo")


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        "~",
        "~/a",
        "..",
        "a/../b",
        "..\\a",
        "/etc/a",
        "C:a",
        "C:\\a",
        "file:a",
        "git+ssh://a",
        "\\\\server\\a",
    ],
)
def test_a_path_that_names_anything_else_is_not_safe(path):
    assert not is_safe_relative(path, "/repo")
