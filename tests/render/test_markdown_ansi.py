import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cursor_replay.render.markdown_ansi import MarkdownAnsi
from cursor_replay.render.markdown_blocks import split_blocks
from cursor_replay.render.themes import palette

DRAWERS = {depth: MarkdownAnsi(palette("dark", depth)) for depth in ("truecolor", "16", "none")}


def codes(style):
    return frozenset(style.replace("\x1b[1;", "\x1b[1m\x1b[").split("\x1b"))


def seen(lines):
    """What is seen of styled lines: every character with its style, a space with none."""
    found = []
    for line in lines:
        cells = [
            (char, None if char == " " else codes(style)) for style, text in line for char in text
        ]
        while cells and cells[-1][0] == " ":
            cells.pop()
        found.append(cells)
    full = [number for number, cells in enumerate(found) if cells]
    return found[full[0] : full[-1] + 1] if full else []


def by_short_way(text, width, depth="truecolor"):
    """The block drawn without rich, or None; it is one block for the splitter too."""
    drawer = DRAWERS[depth]
    blocks = list(split_blocks(text))
    assert len(blocks) == 1
    kind, block = blocks[0]
    drawn = drawer._fence(block, width) if kind == "fence" else drawer._short(kind, block, width)
    if drawn is None:
        return None
    return seen(drawn)


def by_rich(text, width, depth="truecolor"):
    return seen(DRAWERS[depth].rich.lines(text, width))


PLAIN = [
    "plain words that go on for a good while so that they have to be wrapped somewhere",
    "with `code`, **bold words** and `more code` that is long enough to be wrapped as well",
    "*italic*, **bold with `code` in it** and *`code`*, then a [link to](https://x.y/z_1?q=1#a).",
    "two\nlines",
    "snake_case_name, 2 < 3 & 4 and Vec<T>",
    '(**x**) "**y**" **z**: `a`',
    "日本語テキスト **太字** `コード` and more words to wrap around the edge of it",
    "# A heading with `code`, **bold** and *italic* that is too long for forty columns",
    "### 3",
    "- a\n- **b**: `c` is long enough to be wrapped over the edge of the item\n- d",
    "- a\n\n- b\n  goes on\nlazily\n\n- c",
    "* a\n  * b `c`\n    1. d\n    2. e\n  * f\n* g",
    "9. nine\n10. ten is long enough to be wrapped over the edge of forty columns\n11. eleven",
    "1) a\n   - b\n2) c",
    "- [ ] to do\n- [x] done",
    "| a | b |\n|---|:-:|\n| `1` | **long** |\n| 日本 | x |",
    "| a | b |\n|--:|:--|\n| 1 | 2 |\n| | 3 |",
    "```py\nx = 1\n\ndef f(): pass\n```",
    "```\n    indented\n```",
    "~~~ts\nconst a = `b`\n~~~",
]


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.parametrize("depth", DRAWERS)
def test_what_answers_are_made_of_is_drawn_without_rich_and_looks_the_same(text, depth):
    assert by_short_way(text, 40, depth) == by_rich(text, 40, depth) is not None


UNUSUAL = [
    "a*b and c * d",
    "`` ` `` is left to the parser",
    "**a *b* c**",
    "**a &amp; b**",
    "[a](x 'title')",
    "[a][b]",
    "![a](b)",
    "_em_ and ~~gone~~",
    "a  \nhard break",
    "title\n=====",
    "> quote",
    "    code",
    "# closed #",
    "- a\n\n  second paragraph",
    "- a\n1. b",
    "- a\n  2. b",
    "- # heading",
    "- - a",
    "- <div>",
    "- a\n  ```\n  code\n  ```",
    "-     code",
    "| a | b |\n|---|---|\n| 1 |",
    "| a | b |\n|---|---|\nafter",
    "| not | a table |",
]


@pytest.mark.parametrize("text", UNUSUAL)
def test_what_is_unusual_is_left_to_rich(text):
    assert by_short_way(text, 40) is None


# No word is wider than the narrowest nested item: rich breaks such words in its own way.
WORD = st.text("abé日1_.,:!?()[]<>&-#=|'\"/", min_size=1, max_size=12)
INLINE = st.one_of(
    WORD,
    st.lists(st.text("ab _*&<|", min_size=1, max_size=9), min_size=1, max_size=2).map(
        lambda words: f"`{' '.join(words)}`"
    ),
    st.builds(
        "{0}{1}{0}{2}".format,
        st.sampled_from(["*", "**"]),
        st.lists(WORD | st.just("`c d`"), min_size=1, max_size=3).map(" ".join),
        st.sampled_from(["", ".", ":", ")", "x"]),
    ),
    st.builds("[{}]({})".format, WORD, st.sampled_from(["https://x.y/a_b", "a/b.md#c", "x:1", ""])),
)
LINE = st.builds("{}{}".format, st.sampled_from(["", "(", "- ", "1. "]), st.lists(
    INLINE, min_size=1, max_size=9
).map(" ".join))  # fmt: skip
PARAGRAPH = st.lists(LINE, min_size=1, max_size=3).map("\n".join)
LIST_LINE = st.builds(
    "{}{} {}{}".format,
    st.sampled_from(["", "", "  ", "   ", "    ", "      "]),
    st.sampled_from(["-", "-", "*", "1.", "2.", "10.", "1)", ""]),
    LINE,
    st.sampled_from(["", "", "\n", "\ngoes on", "\n  goes on"]),
)
LIST = st.lists(LIST_LINE, min_size=1, max_size=7).map("\n".join)
HEADING = st.builds("{} {}".format, st.sampled_from(["#", "##", "######"]), LINE)
CELL = st.lists(INLINE, max_size=2).map(" ".join)


@st.composite
def tables(draw):
    count = draw(st.integers(1, 3))
    rules = st.sampled_from(["---", ":--", "--:", ":-:", "-"])
    rows = [draw(st.lists(CELL, min_size=count, max_size=count)) for _ in range(3)]
    rows.insert(1, draw(st.lists(rules, min_size=count, max_size=count)))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


FENCED = st.builds(
    "{0}{1}\n{2}\n{0}".format,
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["", "python", "json", " ts x", "nolanguage"]),
    st.text("ab =('\"#:1\n", max_size=60),
)


@given(st.one_of(PARAGRAPH, LIST, HEADING, tables(), FENCED), st.integers(40, 90))
@example("a b  c " * 12, 40)
def test_generated_markdown_looks_the_same_by_the_short_way_and_by_rich(text, width):
    if len(list(split_blocks(text))) == 1:
        short = by_short_way(text, width)
        assert short is None or short == by_rich(text, width)


def test_blocks_are_cut_where_commonmark_ends_them():
    text = "# H\ntext\n- a\n- b\n\n  c\n\nend\n```\nx\n\ny\n```\n1. one\n\n| t |\n|---|\n2. not"
    assert [(kind, block) for kind, block in split_blocks(text)] == [
        ("heading", ["# H"]),
        ("prose", ["text"]),
        ("list", ["- a", "- b", "", "  c"]),
        ("prose", ["end"]),
        ("fence", ["```", "x", "", "y", "```"]),
        ("list", ["1. one"]),
        ("table", ["| t |", "|---|", "2. not"]),
    ]


def test_a_document_with_link_definitions_stays_whole():
    text = "see [a]\n\n[a]: http://b"
    assert list(split_blocks(text)) == [("document", text.split("\n"))]
