"""The two forms of a sheet: a table for spreadsheets, and a page to fill in."""

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined

from inspect_debate.analysis.judges.sheet_text import LETTERS, Shown

TEXTS = ("question", *(f"answer_{letter}" for letter in LETTERS), "debate")
FILLED = ("verdict", "confidence", "comment")
COLUMNS = ("code", *TEXTS, *FILLED)
"""The columns of a sheet; a judge fills in the last three."""

LONGEST_CELL = 32_767
"""Characters that a cell of Excel holds; it drops the rest without a word."""

# What a spreadsheet takes for a formula, also where it stands after white space or is a
# full-width character.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r]")
_GUARDED = re.compile(r"'(?=\s*[=+\-@＝＋－＠]|[\t\r])")


class Entry(NamedTuple):
    """A debate on a sheet."""

    code: str
    shown: Shown

    def cells(self) -> list[str]:
        """What stands in the columns before those that a judge fills in."""
        texts = (self.shown.question, *self.shown.answers, self.shown.debate())
        return [self.code, *map(guarded, texts)]


def guarded(cell: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """A cell without the sign that kept it from being a formula."""
    return _GUARDED.sub("", cell, count=1) if _GUARDED.match(cell) else cell


def csv_sheet(entries: Sequence[Entry]) -> str:
    """A sheet as CSV, with a byte order mark, by which Excel knows UTF-8."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow([*entry.cells(), *("" for _ in FILLED)])
    return "\ufeff" + file.getvalue()


def html_sheet(entries: Sequence[Entry], sheet: str) -> str:
    """A sheet as one page that needs no other file and no network.

    Its policy lets run its own script and nothing else, whatever a debater wrote.

    Args:
        entries: The debates.
        sheet: What tells this sheet from others, under which a browser keeps what was
            filled in.
    """
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    script = _template("sheet.js")
    digest = hashlib.sha256(script.encode()).digest()
    return environment.from_string(_template("sheet.html.j2")).render(
        entries=entries,
        letters=LETTERS,
        script=script,
        script_hash=base64.b64encode(digest).decode(),
        data={
            "sheet": sheet,
            "columns": COLUMNS,
            "rows": [entry.cells() for entry in entries],
        },
    )


def too_long(entries: Sequence[Entry]) -> Iterator[str]:
    """The codes of debates with a text that Excel would cut."""
    for entry in entries:
        if any(len(cell) > LONGEST_CELL for cell in entry.cells()):
            yield entry.code


def _template(name: str) -> str:
    folder = resources.files("inspect_debate.analysis.judges") / "templates"
    return (folder / name).read_text(encoding="utf-8")
