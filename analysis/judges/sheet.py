"""Blinded sheets, on which people decide debates."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inspect_debate.analysis.debates import read_debates
from inspect_debate.analysis.judges.sheet_debates import Contest, Contests, contests
from inspect_debate.analysis.judges.sheet_draw import Row, drawn
from inspect_debate.analysis.judges.sheet_files import (
    Entry,
    csv_sheet,
    html_sheet,
    too_long,
)
from inspect_debate.analysis.judges.sheet_key import Key, key_to
from inspect_debate.analysis.judges.sheet_text import shown
from inspect_debate.analysis.logs import LogPaths
from inspect_debate.core.errors import InputError, check_whole_number
from inspect_debate.core.paths import user_path

KEY = "key.json"


class Written(NamedTuple):
    """The files of a sheet, and what the one who made it has to know."""

    form: Path
    table: Path
    key: Path
    notices: list[str]


def write_sheet(
    logs: LogPaths,
    out: str | Path,
    *,
    seed: int = 0,
    limit: int | None = None,
    per_stratum: int | None = None,
) -> Written:
    """Write the debates of logs as a sheet for human judges, and its key.

    Args:
        logs: As in `read_debates`.
        out: The folder, which is made if need be.
        seed: Of all draws; see `drawn`.
        limit: How many debates to take in all.
        per_stratum: How many to take of a run with the same answer right.

    Raises:
        InputError: As `read_debates`; if no debate is between two answers, a number is
            not positive, two logs have one name, or the folder has the key of another
            sheet.
    """
    for name, number in (("limit", limit), ("per_stratum", per_stratum)):
        if number is not None:
            check_whole_number(name, number, at_least=1)
    there = contests(read_debates(logs))
    if not there.found:
        raise InputError(
            "None of these logs' debates can be put on a sheet: "
            f"{_reasons(there.left_out)}."
        )
    _check_names(there.found)
    rows = drawn(there.found, seed=seed, limit=limit, per_stratum=per_stratum)
    key = key_to(rows, seed)
    entries = [Entry(row.code, shown(row.contest, row.order)) for row in rows]

    folder = user_path(out)
    folder.mkdir(parents=True, exist_ok=True)
    written = Written(
        folder / "sheet.html",
        folder / "sheet.csv",
        folder / KEY,
        list(_notices(there, rows, entries)),
    )
    _write_key(written.key, key)
    # As they are: the page knows its script by a hash, and lines of CSV end in CRLF.
    _write(written.form, html_sheet(entries, key.sheet))
    _write(written.table, csv_sheet(entries))
    return written


def _check_names(found: Sequence[Contest]) -> None:
    paths = {contest.held.log.path for contest in found}
    for name, times in Counter(path.name for path in paths).items():
        if times > 1:
            raise InputError(
                f"{times} logs are called {name}; what comes back is kept by the logs' "
                "names, so rename all but one."
            )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def _write_key(path: Path, key: Key) -> None:
    text = key.model_dump_json(indent=1)
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise InputError(
            f"{path} is the key of another sheet, without which nobody could read what "
            "judges filled in; write into another folder."
        )
    path.write_text(text, encoding="utf-8")


def _notices(
    there: Contests, rows: Sequence[Row], entries: Sequence[Entry]
) -> Iterator[str]:
    """What was taken, what was left out, and what may mislead."""
    yield f"{len(rows)} of {len(there.found)} debates between two answers are on it."
    if there.left_out:
        yield f"Other samples are not: {_reasons(there.left_out)}."
    asked = Counter(row.contest.question for row in rows)
    if repeated := sum(times > 1 for times in asked.values()):
        yield (
            f"Questions that occur more than once: {repeated}. A judge may remember an "
            "earlier debate about them."
        )
    if cut := list(too_long(entries)):
        yield (
            f"Debates that are longer than a cell of Excel: {len(cut)} "
            f"({', '.join(cut[:3])}{', ...' if len(cut) > 3 else ''}). Their judges "
            "need the form."
        )


def _reasons(left_out: Counter[str]) -> str:
    return "; ".join(f"{number} x {why}" for why, number in left_out.most_common())
