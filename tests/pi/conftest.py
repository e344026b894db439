"""Fixtures for tests with a real pi, a terminal and a browser.

Where one of them is missing the tests skip and the summary says so; with ``CI=true`` they fail.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from handmade import Handmade
from install import stamp
from realpi import VERSIONS, Pi

CHROMIUM = os.environ.get("CURSOR_REPLAY_CHROMIUM", "/usr/bin/chromium")
CHROMIUM_ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

OPEN_ALL = "document.querySelectorAll('.expandable').forEach(e => e.classList.add('expanded'))"
CARDS = """cards => cards.map(card => [
    ["success", "error", "pending"].find(state => card.classList.contains(state)), card.innerText
])"""


def need(present: object, what: str) -> None:
    """Skip, or fail where everything has to be there."""
    if present:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    ours = (each.longrepr[2] for each in skipped if each.nodeid.startswith("tests/pi/"))
    for what in sorted({reason.removeprefix("Skipped: ") for reason in ours}):
        terminalreporter.write_line(f"NOT TESTED WITH A REAL PI: {what}", red=True, bold=True)


@pytest.fixture(scope="session", params=VERSIONS)
def pi(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pi]:
    """Each version of pi, with one RPC process for all tests."""
    need(stamp().exists(), "pi is not installed (make test does it, with a network)")
    version = request.param
    running = Pi(version, tmp_path_factory.mktemp(f"pi-{version}"))
    yield running
    running.close()


@pytest.fixture(scope="session")
def _tmux() -> None:
    need(shutil.which("tmux"), "tmux is not installed")


@pytest.fixture
def screen(pi: Pi, _tmux: None) -> Callable[..., str]:
    """`Pi.screen` of the version at hand."""
    return pi.screen


@pytest.fixture
def session(pi: Pi) -> Handmade:
    """An empty session in the workspace of the version at hand."""
    return Handmade(pi.workspace)


@pytest.fixture(scope="session")
def _page() -> Iterator[Any]:
    need(Path(CHROMIUM).exists(), f"no Chromium at {CHROMIUM} (CURSOR_REPLAY_CHROMIUM names one)")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is needed

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*CHROMIUM_ARGS])
        yield browser.new_page()
        browser.close()


@pytest.fixture(scope="session")
def page_text(_page: Any) -> Callable[..., str]:
    """Read an HTML export in a browser: ``page_text(path, expanded=False)``."""

    def read(path: Path, *, expanded: bool = False) -> str:
        _page.goto(path.as_uri())
        if expanded:
            _page.evaluate(OPEN_ALL)
        return "\n".join(line.rstrip() for line in _page.inner_text("#messages").split("\n"))

    return read


@pytest.fixture(scope="session")
def page_cards(_page: Any) -> Callable[[Path], list[tuple[str, str]]]:
    """Return the cards of an HTML export in order: state, and text with single spaces."""

    def read(path: Path) -> list[tuple[str, str]]:
        _page.goto(path.as_uri())
        cards = _page.eval_on_selector_all(".tool-execution", CARDS)
        return [(state, " ".join(text.split())) for state, text in cards]

    return read
