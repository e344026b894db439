import re
import runpy
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")


def texts(svg):
    return [unescape(text).replace("\xa0", " ") for text in TEXT.findall(svg)]


def test_the_picture_of_the_readme_is_what_is_drawn_today(monkeypatch):
    monkeypatch.chdir(ROOT)
    draw = runpy.run_path(str(ROOT / "docs/make_demo_svg.py"))["draw"]
    shown = texts((ROOT / "docs/demo.svg").read_text("utf-8"))
    assert shown == texts(draw("fixtures/demo/voucher.jsonl")), "run: make demo-svg"
    assert len(shown) > 20
