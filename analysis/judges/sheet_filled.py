"""Reading sheets that people filled in, as spreadsheets and the form leave them."""

import codecs
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.judges.sheet_files import FILLED, unguarded
from inspect_debate.analysis.judges.sheet_text import LETTERS
from inspect_debate.core.errors import InputError
from inspect_debate.core.paths import user_path

MAJORITY = "majority"
"""A name that no judge can have."""

_SHOWN_PROBLEMS = 5


class Decision(NamedTuple):
    """One judge's verdict on one debate.

    `letter` is X or Y; `confidence` the probability, from 0.5 to 1, that it is right,
    NaN where it was left open.
    """

    code: str
    letter: str
    confidence: float
    comment: str


class Filled(NamedTuple):
    """What one judge filled in, and the debates left without a verdict or left away."""

    judge: str
    decisions: list[Decision]
    empty: int
    absent: int


def read_filled(paths: Sequence[str | Path], codes: Collection[str]) -> list[Filled]:
    """Read filled sheets, one per judge, whose name is the file's.

    Commas, semicolons or tabs between cells, any line ends, a byte order mark and
    Windows' own encoding are all welcome, rows and columns may stand in any order, and
    rows may be missing.

    Args:
        paths: The files.
        codes: The codes on the sheet.

    Raises:
        InputError: If a file cannot be read or is no sheet, two judges have one name,
            or a cell holds what it must not: all such cells are told at once.
    """
    files = [(_judge(path), _table(path)) for path in paths]
    names = Counter(judge for judge, _ in files)
    if doubled := [name for name, files_of in names.items() if files_of > 1]:
        raise InputError(
            f"Two files are of a judge {doubled[0]}; the name of a file is that of its "
            "judge, and each judge has one."
        )
    if MAJORITY in names:
        raise InputError(f"A judge cannot be called {MAJORITY}; rename the file.")
    problems = [
        f"{judge}: {problem}"
        for judge, table in files
        for problem in _problems(table, codes)
    ]
    if problems:
        shown = "; ".join(problems[:_SHOWN_PROBLEMS])
        more = len(problems) - _SHOWN_PROBLEMS
        raise InputError(shown + (f"; and {more} more." if more > 0 else "."))
    return [_filled(judge, table, codes) for judge, table in files]


def _judge(path: str | Path) -> str:
    """The name of a judge, in letters, digits and underscores."""
    name = re.sub(r"\W+", "_", Path(path).stem).strip("_")
    if not name:
        raise InputError(
            f"{path}: the name of a file is that of its judge; it has none."
        )
    return name


# --- a file ---------------------------------------------------------------------------


def _table(typed: str | Path) -> pd.DataFrame:
    """A file's cells as text, with its columns' names in lower case."""
    path = user_path(typed)
    try:
        text = _decoded(path.read_bytes())
    except OSError as error:
        raise InputError(f"{typed}: cannot read {path}: {error.strerror}.") from error
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        table = pd.read_csv(
            StringIO(text), sep=separator, dtype=str, keep_default_na=False
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{typed} is not a CSV table: {error}") from error
    table.columns = [str(name).strip().lower() for name in table.columns]
    if missing := [name for name in ("code", "verdict") if name not in table]:
        raise InputError(
            f"{typed} has no column {missing[0]}; its columns are "
            f"{', '.join(table.columns)}."
        )
    trimmed = table.reindex(columns=["code", *FILLED], fill_value="").map(str.strip)
    # Spreadsheets save rows of nothing below a table.
    return trimmed[(trimmed != "").any(axis=1)].reset_index(drop=True)


def _decoded(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


# --- its cells ------------------------------------------------------------------------


def _problems(table: pd.DataFrame, codes: Collection[str]) -> Iterator[str]:
    for code, times in Counter(table["code"]).items():
        if code not in codes:
            yield f"code {code!r} is not on the sheet"
        elif times > 1:
            yield f"code {code} stands there {times} times"
    for row in _rows(table):
        if _letter(row) is None:
            allowed = " or ".join(LETTERS)
            yield f"{row['code']}: verdict {row['verdict']!r} is not {allowed}"
        if _confidence(row) is None:
            given = row["confidence"]
            yield f"{row['code']}: confidence {given!r} is not a number from 50 to 100"


def _filled(judge: str, table: pd.DataFrame, codes: Collection[str]) -> Filled:
    decisions = [
        Decision(
            row["code"],
            letter,
            math.nan if confidence is None else confidence,
            unguarded(row["comment"]),
        )
        for row in _rows(table)
        if (letter := _letter(row))
        for confidence in [_confidence(row)]
    ]
    return Filled(
        judge, decisions, len(table) - len(decisions), len(codes) - len(table)
    )


def _rows(table: pd.DataFrame) -> Iterator[Mapping[str, str]]:
    for row in table.to_dict("records"):
        yield {str(name): str(cell) for name, cell in row.items()}


def _letter(row: Mapping[str, str]) -> str | None:
    """The verdict; empty where there is none, None where it is neither letter."""
    letter = row["verdict"].upper()
    return letter if letter in ("", *LETTERS) else None


def _confidence(row: Mapping[str, str]) -> float | None:
    """The confidence as a share; NaN where it was left open, None where it is none."""
    given = row["confidence"].removesuffix("%").strip().replace(",", ".")
    if not given:
        return math.nan
    try:
        percent = float(given)
    except ValueError:
        return None
    return percent / 100 if 50 <= percent <= 100 else None
