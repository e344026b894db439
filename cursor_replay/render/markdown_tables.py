"""Pipe tables that fit the width, with plain cells.

``read_table`` refuses every other table, which a full parser then reads. Knows no colour.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cursor_replay.render.cells import Run, width_of
from cursor_replay.render.markdown_spans import Span, spans
from cursor_replay.render.themes import Palette

ROW = re.compile(r"\|.*\| *")
RULE = re.compile(r":?-+:?")
GAP = 2
"""Columns between two cells."""

Cell = list[Span]


@dataclass(slots=True)
class Table:
    """Rows of cells, the first one the header, and how each column is aligned."""

    rows: list[list[Cell]]
    rules: list[str]
    widths: list[int]

    @property
    def width(self) -> int:
        """Cells the whole table takes."""
        return sum(self.widths) + GAP * (len(self.widths) - 1) + 2


def read_table(lines: list[str]) -> Table | None:
    """Read the lines of a table block; None when it is not regular or a cell is not plain."""
    if len(lines) < 2 or not all(map(ROW.fullmatch, lines)):
        return None
    header, rules, *body = [_cells(line) for line in lines]
    if not all(map(RULE.fullmatch, rules)):
        return None
    rows = []
    for texts in (header, *body):
        cells = [spans(text) for text in texts]
        if len(cells) != len(rules) or None in cells:
            return None
        rows.append([cell or [] for cell in cells])
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return Table(rows, rules, widths) if all(widths) else None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def _width(cell: Cell) -> int:
    return width_of("".join([text for _, _, text in cell]))


def table_lines(table: Table, palette: Palette) -> Iterator[list[Run]]:
    """Yield a table as lines, a rule under its header."""
    for number, row in enumerate(table.rows):
        line: list[Run] = [("", " ")]
        for cell, width, rule in zip(row, table.widths, table.rules, strict=True):
            left, right = _padding(width - _width(cell), rule)
            line.append(("", " " * left))
            for token, codes, text in cell:
                line.append((palette.style(token if number else "heading", *codes), text))
            line.append(("", " " * (right + GAP)))
        yield line[:-1]
        if not number:
            yield [("", " "), (palette.fg["dim"], "─" * (table.width - 2))]


def _padding(free: int, rule: str) -> tuple[int, int]:
    if rule[-1] != ":":
        return 0, free
    left = free // 2 if rule[0] == ":" else free
    return left, free - left
