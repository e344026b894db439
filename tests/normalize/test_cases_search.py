"""Replay facts 11.4, cases 49 to 71: grep, glob and ls."""

import pytest

from .helpers_cases import card, check, err, numbers_in, ok, row


def found(kind, output, folder="/repo"):
    """A grep result of one workspace."""
    return ok({"workspaceResults": {folder: {"type": kind, "output": output}}})


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            49,
            "one trailing colon of a file is dropped",
            "grep",
            {"pattern": "x"},
            found("files", {"files": ["a.ts:", "b.ts", "/repo/c.ts:"]}),
            text="a.ts\nb.ts\nc.ts",
            tool="grep",
            failed=False,
        ),
        row(
            50,
            "zero matches",
            "grep",
            {"pattern": "x"},
            ok({"totalMatches": 0}),
            text="(no matches)",
        ),
        row(
            50,
            "content without matches",
            "grep",
            {"pattern": "x"},
            found("content", {"matches": [], "totalMatches": 0}),
            text="(no matches)",
        ),
        row(
            50,
            "an untyped entry with zero matches",
            "grep",
            {"pattern": "x"},
            ok({"activeEditorResult": {"totalMatches": 0}}),
            text="(no matches)",
        ),
        row(51, "one match", "grep", {"pattern": "x"}, ok({"totalMatches": 1}), text="1 match"),
        row(
            51, "seven matches", "grep", {"pattern": "x"}, ok({"totalMatches": 7}), text="7 matches"
        ),
        row(
            52,
            "neither number nor text",
            "grep",
            {"pattern": "x"},
            found("content", {"matches": [{"file": "a.ts"}]}),
            text="a.ts",
        ),
        row(
            53,
            "number and text, number, text",
            "grep",
            {"pattern": "x"},
            found(
                "content",
                {
                    "matches": [
                        {"file": "f", "lineNumber": 3, "line": "t"},
                        {"file": "f", "lineNumber": 9},
                        {"file": "f", "line": "t"},
                    ]
                },
            ),
            text="f:3: t\nf:9\nf: t",
        ),
        row(
            54,
            "quotes in a pattern",
            "grep",
            {"pattern": 'say "hi"', "path": "/repo/src"},
            ok({"totalMatches": 1}),
            transcript='$ grep "say \\"hi\\"" src\n\n1 match\n',
        ),
        row(
            55,
            "the arguments of pi",
            "grep",
            {"pattern": "x", "caseInsensitive": True, "contextBefore": 2, "headLimit": 5},
            ok({"totalMatches": 1}),
            arguments={"pattern": "x", "ignoreCase": True, "context": 2, "limit": 5},
        ),
        row(
            55,
            "the spellings of rg",
            "rg",
            {"pattern": "x", "-i": True, "-A": 2, "head_limit": 5, "path": "/repo/src"},
            None,
            arguments={"pattern": "x", "path": "src", "ignoreCase": True, "context": 2, "limit": 5},
        ),
        row(
            55,
            "none of them: as recorded",
            "grep",
            {"foo": 1},
            ok({"totalMatches": 1}),
            arguments={"foo": 1},
        ),
        row(
            56,
            "a glob without a path",
            "grep",
            {"pattern": "x", "glob": "*.ts"},
            ok({"totalMatches": 1}),
            transcript='$ grep "x" *.ts\n\n1 match\n',
        ),
        row(
            56,
            "a path before a glob",
            "grep",
            {"pattern": "x", "glob": "*.ts", "path": "src"},
            ok({"totalMatches": 1}),
            transcript='$ grep "x" src\n\n1 match\n',
        ),
        row(
            57,
            "counts",
            "grep",
            {"pattern": "x"},
            found("count", {"counts": [{"file": "a", "count": 2}, {"count": 1}], "total": 3}),
            text="a: 2\n: 1",
        ),
        row(
            58,
            "matches of no type",
            "grep",
            {"pattern": "x"},
            ok({"matches": [{"file": "a"}]}),
            text='{\n  "matches": [\n    {\n      "file": "a"\n    }\n  ]\n}',
        ),
        # The SDK's own totals are read (S2); the reference prints the JSON of such a result.
        row(
            59,
            "files of the SDK, none",
            "grep",
            {"pattern": "x"},
            found("files", {"files": [], "count": 0}),
            text="(no matches)",
        ),
        row(
            60,
            "counts of the SDK, none",
            "grep",
            {"pattern": "x"},
            found("count", {"counts": [], "total": 0}),
            text="(no matches)",
        ),
        # Context lines are shown as grep prints them (S2); the reference drops them.
        row(
            61,
            "context lines",
            "grep",
            {"pattern": "x"},
            found(
                "content",
                {
                    "matches": [
                        {
                            "file": "f",
                            "lineNumber": 3,
                            "line": "t",
                            "beforeContext": ["one", "two"],
                            "afterContext": ["four"],
                        }
                    ]
                },
            ),
            text="f-1- one\nf-2- two\nf:3: t\nf-4- four",
        ),
        row(
            61,
            "context lines without a number",
            "grep",
            {"pattern": "x"},
            found(
                "content",
                {
                    "matches": [
                        {"file": "f", "line": "t", "beforeContext": ["a"], "afterContext": ["b"]}
                    ]
                },
            ),
            text="f- a\nf: t\nf- b",
        ),
    ],
)
def test_the_card_of_a_grep(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            62,
            "two files",
            "glob",
            {"globPattern": "*.ts", "targetDirectory": "/repo/src"},
            ok({"files": ["/repo/src/a.ts", "src/b.ts"]}),
            tool="find",
            arguments={"pattern": "*.ts", "path": "src"},
            text="src/a.ts\nsrc/b.ts",
            transcript="$ glob *.ts in src\n\nsrc/a.ts\nsrc/b.ts\n",
        ),
        row(
            62,
            "other spellings",
            "file_search",
            {"pattern": "*.ts", "path": "src", "headLimit": 3},
            ok({"files": ["src/a.ts"]}),
            arguments={"pattern": "*.ts", "path": "src", "limit": 3},
        ),
        row(
            63,
            "no matches",
            "glob",
            {"globPattern": "*.ts"},
            ok({"files": [], "totalMatches": 0}),
            text="No files found matching pattern",
        ),
        row(
            63,
            "no files",
            "glob",
            {"globPattern": "*.ts"},
            ok({"files": [], "totalFiles": 0}),
            text="No files found matching pattern",
        ),
        row(
            64,
            "no total",
            "glob",
            {"globPattern": "*.ts"},
            ok({"files": []}),
            text='{\n  "files": []\n}',
        ),
        row(
            65,
            "202 files",
            "glob",
            {"globPattern": "*"},
            ok({"files": [f"f{number}" for number in range(202)]}),
            text="\n".join([*(f"f{n}" for n in range(200)), "... (2 more files truncated)"]),
        ),
        row(
            65,
            "201 files",  # the noun is right for one (S17)
            "glob",
            {"globPattern": "*"},
            ok({"files": [f"f{number}" for number in range(201)]}),
            text="\n".join([*(f"f{n}" for n in range(200)), "... (1 more file truncated)"]),
        ),
        row(66, "no pattern", "glob", {}, ok({"files": ["a"]}), arguments={"pattern": "*"}),
        # That Cursor itself shortened the list is said (S2); the reference never tells.
        row(
            67,
            "shortened by the client",
            "glob",
            {"globPattern": "*"},
            ok({"files": ["a", "b"], "clientTruncated": True}),
            text="a\nb\n(truncated by Cursor: 2 files returned)",
        ),
        row(
            67,
            "shortened by ripgrep, with a total",
            "glob",
            {"globPattern": "*"},
            ok({"files": ["a"], "totalFiles": 9, "ripgrepTruncated": True}),
            text="a\n(truncated by Cursor: 1 file of 9 returned)",
        ),
        row(
            67,
            "whole",
            "glob",
            {"globPattern": "*"},
            ok({"files": ["a"], "totalFiles": 1, "clientTruncated": False}),
            text="a",
        ),
    ],
)
def test_the_card_of_a_glob(name, args, outcome, expected):
    check(name, args, outcome, expected)


SDK_TREE = {
    "absPath": "/repo/src",
    "childrenDirs": [
        {
            "absPath": "/repo/src/lib",
            "childrenDirs": [],
            "childrenFiles": [{"name": "a.ts"}],
            "childrenWereProcessed": True,
            "numFiles": 1,
        },
        {
            "absPath": "/repo/src/big",
            "childrenDirs": [],
            "childrenFiles": [],
            "childrenWereProcessed": False,
            "numFiles": 900,
        },
    ],
    "childrenFiles": [{"name": "main.ts"}, {}],
    "childrenWereProcessed": True,
    "fullSubtreeExtensionCounts": {"ts": 2},
    "numFiles": 2,
}


@pytest.mark.parametrize(
    ("name", "args", "outcome", "expected"),
    [
        row(
            68,
            "a root with two children",
            "ls",
            {},
            ok(
                {
                    "directoryTreeRoot": {
                        "name": "root",
                        "children": [{"name": "src"}, {"name": "test"}],
                    }
                }
            ),
            tool="ls",
            text="root\n  src\n  test",
            transcript="ls .\n\nroot\n  src\n  test\n",
        ),
        row(
            69,
            "other names of nodes and children",
            "ls",
            {"path": "src"},
            ok(
                {
                    "directoryTreeRoot": {
                        "path": "src",
                        "entries": [
                            {"relativePath": "lib", "files": ["a.ts", {"name": "b.ts"}]},
                            {"name": "main.ts", "children": []},
                        ],
                    }
                }
            ),
            text="src\n  lib\n    a.ts\n    b.ts\n  main.ts",
        ),
        row(
            69,
            "a value that is the tree itself",
            "ls",
            {},
            ok({"children": [{"name": "a"}, 5]}),
            text="a",
        ),
        # The path is made relative in the arguments too (S11).
        row(
            70,
            "the path",
            "ls",
            {"path": "/repo/src", "ignore": ["*.o"]},
            ok({"directoryTreeRoot": {"name": "src"}}),
            transcript="ls src\n\nsrc\n",
            arguments={"path": "src", "ignore": ["*.o"]},
            without=["/repo"],
        ),
        # The SDK's own tree is read (S2); the reference prints its JSON.
        row(
            71,
            "the tree of the SDK",
            "ls",
            {"path": "/repo/src"},
            ok({"directoryTreeRoot": SDK_TREE}),
            text="lib/\n  a.ts\nbig/  (900 files, not listed)\nmain.ts\n?",
        ),
        row(
            71,
            "an empty directory of the SDK",
            "ls",
            {"path": "/repo/src"},
            ok(
                {
                    "directoryTreeRoot": {
                        "absPath": "/repo/src",
                        "childrenDirs": [],
                        "childrenFiles": [],
                    }
                }
            ),
            text="(empty directory)",
        ),
        row(71, "no tree at all", "ls", {}, ok({"foo": 1}), text='{\n  "foo": 1\n}'),
    ],
)
def test_the_card_of_a_listing(name, args, outcome, expected):
    check(name, args, outcome, expected)


@pytest.mark.parametrize("name", ["grep", "glob", "ls"])
def test_a_failed_search_shows_its_error(name):
    draft = card(name, {"pattern": "x"}, err("no such folder"))
    assert (draft.text, draft.failed) == ("Error: no such folder", True)


def test_the_open_editor_comes_before_the_workspaces():
    value = {
        "activeEditorResult": {"type": "files", "output": {"files": ["open.ts"]}},
        "workspaceResults": {
            "/repo": {"type": "files", "output": {"files": ["a.ts"]}},
            "/lib": {"type": "files", "output": {"files": ["/lib/b.ts"]}},
            "/bad": 5,
        },
    }
    assert card("grep", {"pattern": "x"}, ok(value)).text == "open.ts\na.ts\n/lib/b.ts"


def test_more_than_200_matches_are_counted():
    draft = card("grep", {"pattern": "x"}, found("files", {"files": [f"f{n}" for n in range(203)]}))
    assert draft.text.split("\n")[199:] == ["f199", "... (3 more matches truncated)"]


def test_a_shortened_grep_says_so():
    draft = card(
        "grep", {"pattern": "x"}, found("files", {"files": ["a"], "clientTruncated": True})
    )
    assert draft.text == "a\n(results were truncated)"


def test_a_match_with_a_number_of_the_wrong_type_has_none():
    value = found("content", {"matches": [{"file": "f", "lineNumber": True, "line": "t"}, 5]})
    assert card("grep", {"pattern": "x"}, value).text == "f: t"


def test_matches_in_protobuf_form_are_read():
    value = ok(
        {
            "workspaceResults": {
                "/repo": {
                    "content": {
                        "matches": [
                            {
                                "file": "/repo/f.ts",
                                "matches": [
                                    {"lineNumber": 1, "content": "near", "isContextLine": True},
                                    {"lineNumber": 2, "content": "hit"},
                                ],
                            },
                            {"file": "g.ts", "matches": []},
                        ]
                    }
                }
            }
        }
    )
    assert card("grep", {"pattern": "x"}, value).text == "f.ts-1- near\nf.ts:2: hit\ng.ts"


def test_an_empty_search_result_is_shown_as_it_is():
    assert card("grep", {"pattern": "x"}, ok({})).text == "{}"


def test_a_tree_nested_deeper_than_any_folder_ends():
    node = {"name": "leaf"}
    for _ in range(200):
        node = {"name": "d", "children": [node]}
    text = card("ls", {}, ok({"directoryTreeRoot": node})).text
    assert "leaf" not in text
    assert text.startswith("d\n  d\n    d\n")


def test_arguments_of_the_wrong_type_are_absent():
    args = {"pattern": "x", "caseInsensitive": "yes", "headLimit": True}
    assert card("grep", args).arguments == {"pattern": "x"}


def test_every_number_from_49_to_71_is_here():
    assert numbers_in(globals()) == set(range(49, 72))
