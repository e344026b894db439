"""How both versions of pi draw our sessions: a page to look at, or the goldens of the tests.

``gallery.py FOLDER`` writes ``index.html`` with a picture of every session, version, theme, width and
state; ``gallery.py --goldens`` writes the texts that ``test_written.py`` compares with.
"""

import argparse
import html
import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from realpi import VERSIONS, Pi, Theme, cards_of
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from written import HERE, SHOWN, write

GOLDENS = HERE / "goldens"
GROUNDS: dict[Theme, TerminalTheme] = {
    "dark": TerminalTheme((24, 26, 28), (222, 224, 225), [(0, 0, 0)] * 8),
    "light": TerminalTheme((255, 255, 255), (59, 63, 65), [(255, 255, 255)] * 8),
}
LOOKS: tuple[tuple[Theme, int, bool], ...] = (
    ("dark", 120, False),
    ("dark", 120, True),
    ("light", 120, False),
    ("dark", 60, False),
)
PAGE = """<!doctype html><meta charset="utf-8"><title>Our sessions in pi</title>
<style>body{{font:16px/1.5 system-ui;margin:2rem;background:#777;color:#fff}}
section{{display:flex;gap:1rem;align-items:flex-start;overflow-x:auto}}
figure{{margin:0 0 2rem}}svg{{width:52rem;height:auto}}</style>
{body}
"""


def picture(screen: str, theme: Theme, width: int) -> str:
    """Return a capture with its colours as SVG."""
    console = Console(record=True, width=width, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen), soft_wrap=False)
    return console.export_svg(title="", theme=GROUNDS[theme])


def pictures(pi: Pi, folder: Path) -> Iterator[str]:
    """Yield a section for every session that is shown."""
    for name, case in SHOWN.items():
        session = write(case, folder / f"{name}-{pi.version}.jsonl", cwd=pi.workspace)
        yield f"<h2>{html.escape(name)}, pi {pi.version}</h2><section>"
        for theme, width, expanded in LOOKS:
            screen = pi.screen(session, theme=theme, width=width, expanded=expanded, colours=True)
            state = "expanded" if expanded else "collapsed"
            yield f"<figure><figcaption>{theme}, {width} columns, {state}</figcaption>"
            yield f"{picture(screen, theme, width)}</figure>"
        yield "</section>"


def goldens(pi: Pi, folder: Path) -> None:
    """Write what the tests compare with."""
    GOLDENS.mkdir(exist_ok=True)
    for name, case in SHOWN.items():
        session = write(case, folder / f"{name}-{pi.version}.jsonl", cwd=pi.workspace)
        for state in ("collapsed", "expanded"):
            text = cards_of(pi.screen(session, expanded=state == "expanded"))
            (GOLDENS / f"{name}-{pi.version}-{state}.txt").write_text(text, "utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("target", nargs="?", type=Path)
    parser.add_argument("--goldens", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cursor-replay-pi-") as made:
        found: list[str] = []
        for version in VERSIONS:
            pi = Pi(version, Path(made) / version)
            if given.goldens:
                goldens(pi, Path(made))
            else:
                found += pictures(pi, Path(made))
            pi.close()
    if given.target:
        given.target.mkdir(parents=True, exist_ok=True)
        page = given.target / "index.html"
        page.write_text(PAGE.format(body="\n".join(found)), "utf-8")
        sys.stdout.write(f"{page}\n")


if __name__ == "__main__":
    main()
