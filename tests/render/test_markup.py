"""Recorded text inside Markdown: inert whatever it holds. The oracle is a CommonMark parser."""

import re
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cursor_replay.render.markup import (
    BREAK,
    code,
    details,
    escape,
    fence,
    html_code,
    html_prose,
    moment,
    quote,
)
from cursor_replay.render.tame import tame

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
NASTY = (
    "`",
    "``",
    "```",
    "````",
    "~~~",
    "```py",
    "# ",
    "#1",
    "@bob",
    "GH-7",
    "> ",
    "- ",
    "1. ",
    "+ ",
    "===",
    "---",
    "***",
    "| a ",
    "|-|",
    "<b>",
    "</b>",
    "<script>alert(1)</script>",
    "</details>",
    "</summary>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "<http://a.test>",
    "![x](http://a.test/x.png)",
    "![",
    "[x](javascript:alert(1))",
    "[x](java&#115;cript:x)",
    "[x](&#106;avascript&colon;x)",
    "[x](",
    "[x](<",
    "[x]: ",
    "[x]:",
    "](",
    "]",
    "![x][x]",
    "javascript:x",
    "data:text/html,x",
    "https://a.test/@x#1",
    "www.a.test",
    "&lt;",
    "&#60;",
    "&",
    "\\",
    "\\`",
    "\\!",
    "*",
    "_",
    "$$",
    "    ",
    "  ",
    " ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\u2028",
    "word",
    "a<b",
)
TEXT = st.lists(
    st.sampled_from(NASTY) | st.characters(exclude_categories=["Cc", "Cs"]), max_size=24
).map("".join)
OURS = re.compile(r"<!-- -->|</?code>|<details open>|</?(?:details|summary|b|i|p)>")


def nodes(markdown):
    """All tokens, inline ones included."""
    for token in PARSER.parse(markdown):
        yield token
        yield from token.children or ()


def assert_inert(markdown):
    """No HTML but ours, no image, and links only to places that are welcome."""
    for token in nodes(markdown):
        assert token.type != "image"
        if token.type in {"html_block", "html_inline"}:
            assert "<" not in OURS.sub("", token.content)
        if token.type == "link_open":
            place = re.sub(r"[\x00-\x20]", "", unescape(token.attrs["href"])).lower()
            scheme = re.match(r"([a-z][a-z0-9+.-]*):", place)
            assert scheme is None or scheme[1] in {"http", "https", "mailto"}


def assert_contained(markdown):
    """What follows is read as if ``markdown`` had not been there."""
    tokens = PARSER.parse(markdown + "\n## after\n\n<p>end</p>\n")
    kinds = [(token.type, token.level) for token in tokens[-4:]]
    assert kinds == [
        ("heading_open", 0),
        ("inline", 1),
        ("heading_close", 0),
        ("html_block", 0),
    ]


# -- plain text -------------------------------------------------------------------------------


@given(TEXT)
@example("www.a.test")
@example("1. a\n===\n- b")
def test_escaped_text_has_no_structure_at_all(text):
    line = " ".join(text.split())
    tokens = [token.type for token in nodes("x " + escape(line))]
    assert set(tokens) <= {
        "paragraph_open",
        "inline",
        "text",
        "text_special",
        "html_inline",
        "paragraph_close",
    }
    assert shown("x " + escape(line)) == ("x " + line).rstrip()


@given(TEXT)
def test_a_quote_is_one_block_quote_of_paragraphs(text):
    made = quote(text)
    tokens = list(nodes(made))
    assert (tokens[0].type, tokens[-1].type) == ("blockquote_open", "blockquote_close")
    kinds = {token.type for token in tokens[1:-1]}
    assert kinds <= {
        "paragraph_open",
        "inline",
        "text",
        "text_special",
        "html_inline",
        "hardbreak",
        "softbreak",
        "paragraph_close",
    }
    assert_inert(made)
    assert_contained(made)


def shown(markdown):
    """The text a reader sees of one paragraph."""
    (inline,) = [token for token in PARSER.parse(markdown) if token.type == "inline"]
    kept = [token.content for token in inline.children if token.type != "html_inline"]
    return "".join(kept).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, (brackets) and a-b", "plain words, (brackets) and a-b"),
        ("@bob", f"@{BREAK}bob"),
        ("see #12", rf"see \#{BREAK}12"),
        ("gh-12", f"gh-{BREAK}12"),
        ("https://a.test", f"https:{BREAK}//a.test"),
        ("<b>", "&lt;b&gt;"),
        ("- x", r"\- x"),
        ("1. x", r"1\. x"),
        ("    x", "&nbsp;&nbsp;&nbsp;&nbsp;x"),
        ("a\r\nb", "a\nb"),
    ],
)
def test_escape_is_written_like_this(text, expected):
    assert escape(text) == expected


def test_a_quote_keeps_its_lines():
    assert quote("one\ntwo\n\nthree\n") == "> one\\\n> two\n>\n> three\n"


# -- code -------------------------------------------------------------------------------------


@given(TEXT)
def test_a_fence_holds_whatever_it_was_given(text):
    made = fence(text, "py")
    tokens = PARSER.parse(made)
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].info == "py"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    assert tokens[0].content == lines + "\n"
    assert_contained(made)


@pytest.mark.parametrize("language", ["py`", "a b", "", "<b>", "x" * 31])
def test_a_language_that_is_no_word_is_left_out(language):
    assert fence("x", language) == "```\nx\n```\n"


@given(TEXT)
def test_a_code_span_is_one_span_on_one_line(text):
    line = " ".join(text.split())
    if not line:
        assert code(text) == ""
        return
    tokens = [token for token in nodes("x " + code(text)) if token.type != "text"]
    (span,) = [token for token in tokens if token.type == "code_inline"]
    assert span.content == line


@given(TEXT, TEXT)
def test_a_fold_opens_and_closes_itself(title, body):
    made = details(html_code(title), fence(body))
    kinds = [token.type for token in PARSER.parse(made)]
    assert kinds == ["html_block", "fence", "html_block"]
    assert_inert(made)
    assert_contained(made)


@given(TEXT)
def test_an_open_fold_differs_only_in_being_open(text):
    made = details(html_code("t"), fence(text), is_open=True)
    assert made.startswith("<details open><summary>")
    assert made.replace("<details open>", "<details>", 1) == details(html_code("t"), fence(text))
    assert_contained(made)


@given(TEXT)
def test_prose_in_html_is_one_block_and_shows_exactly_its_text(text):
    made = f"<p>x {html_prose(text)}</p>\n"
    (block,) = PARSER.parse(made)
    assert block.type == "html_block"
    assert "<" not in OURS.sub("", block.content)
    assert not re.search(r"@\w|GH-\d|://|www\.", made, re.IGNORECASE)
    line = unescape(re.sub("<!-- -->|</?p>", "", block.content)).rstrip("\n")
    assert line == f"x {' '.join(text.split())}"
    assert_contained(made)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-06-02T03:20:41.123Z", "2026-06-02 03:20 UTC"),
        ("2026-06-02T03:20:41Z", "2026-06-02 03:20 UTC"),
        ("yesterday", "yesterday"),
    ],
)
def test_a_moment_is_told_to_the_minute(at, expected):
    assert moment(at) == expected


# -- answers ----------------------------------------------------------------------------------


@given(TEXT)
@example("- ```\n  <b>\n  ```\n")
@example("[x](\njavascript:x)")
@example("[x]:\njavascript:x\n\n[x]")
@example("[a](x![b](http://a.test) y)")
@example("`a\n![x](u) `")
@example("| `a | ![x](u) ` |\n|-|-|\n")
@example("para\n    ```\n<script>\n")
@example("\\`![x](u)\\`")
@example("\\\\![x](u)")
@example("!![x](u)")
@example("https://a.test!![x](u)")
@example("```py`# `")
def test_a_tamed_answer_is_inert_and_stays_in_its_place(text):
    made = tame(text)
    assert_inert(made)
    assert_contained(made)
    for token in nodes(made):
        if token.type == "heading_open" and token.level == 0:
            assert token.tag not in {"h1", "h2"}


@given(TEXT)
def test_nobody_is_mentioned_outside_code(text):
    quiet = False
    for token in nodes(tame(text)):
        if token.type == "html_inline" and "code>" in token.content:
            quiet = token.content == "<code>"
        if token.type == "text" and not quiet:
            assert not re.search(
                r"(?:^| )@bob|(?:^| )GH-7", re.sub(r"https?:\S+", "", token.content)
            )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**bold** and `code`", "**bold** and `code`\n"),
        ("# Big\n## Less\n###### Least", "### Big\n#### Less\n###### Least\n"),
        ("- # in a list", "- ### in a list\n"),
        ("#no heading", "#no heading\n"),
        ("Title\n===", "Title\n\\===\n"),
        ("Title\n---", "Title\n\n---\n"),
        ("a\n\n---\n\nb", "a\n\n---\n\nb\n"),
        ("`a<b`", "<code>a&#60;b</code>\n"),
        ("`` x`y ``", "`` x`y ``\n"),
        ("a `open tick", "a `open tick\n"),
        ("<b>&amp;", "&lt;b>&amp;\n"),
        ("![i](http://a.test/x.png)", "[i](http://a.test/x.png)\n"),
        ("[![i](u)](v)", "[[i](u)](v)\n"),
        ("[l](docs/a.md#top)", "[l](docs/a.md#top)\n"),
        ("[l](mailto:a@b.test)", "[l](mailto:a@b.test)\n"),
        ("[l](javascript:x)", "[l]\\(javascript:x)\n"),
        ("[l](vscode://file)", "[l]\\(vscode://file)\n"),
        ("[l]: data:x", "[l]\\: data:x\n"),
        ("@bob #5 GH-5", f"@{BREAK}bob #{BREAK}5 GH-{BREAK}5\n"),
        ("a@b.test &#35; https://a.test/@x#1", "a@b.test &#35; https://a.test/@x#1\n"),
        ("```py\na<b @bob\n```\nx", "```py\na<b @bob\n```\nx\n"),
        ("```\nopen", "```\nopen\n```\n"),
        ("~~~js title=x\n```\n~~~", "````js\n```\n````\n"),
        ("1. a\n   ```sh\n   x\n\n   y\n   ```", "1. a\n   ```sh\n   x\n   \n   y\n   ```\n"),
        ("- a\n      ```\n      x\n      ```", "- a\n   ```\n   x\n   ```\n"),
        ("\t```\n\tx\n\t```", "   ```\n   x\n   ```\n"),
        ("\n\n", ""),
        ("", ""),
    ],
)
def test_an_answer_is_tamed_like_this(text, expected):
    assert tame(text) == expected


@pytest.mark.parametrize(
    "piece", ["`", "](", "<", "[x](&", "```\n", "> ", "- # ", "\\", "@a", "a`b``"]
)
def test_a_megabyte_of_one_thing_is_tamed_at_once(piece):
    assert tame(piece * (200_000 // len(piece)))


def test_a_long_target_with_entities_is_not_trusted():
    assert tame(f"[x](j{'&Tab;' * 90}avascript:x)").startswith("[x]\\(")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("&#64;bob", "&#64;<!-- -->bob"),
        ("&#x0040;bob and &commat;eve", "&#x0040;<!-- -->bob and &commat;<!-- -->eve"),
        ("@&#98;ob", "@<!-- -->&#98;ob"),
        ("&#35;1, &num;2 and #&#51;", "&#35;<!-- -->1, &num;<!-- -->2 and #<!-- -->&#51;"),
        ("GH-&#49;", "GH-<!-- -->&#49;"),
        ("a &amp; b, &#65;", "a &amp; b, &#65;"),
    ],
)
def test_a_mention_spelled_with_entities_is_none(said, shown):
    assert tame(said) == shown + "\n"
