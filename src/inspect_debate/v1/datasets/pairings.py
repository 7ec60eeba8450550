"""Schedules of debates as files: our own, to be read and edited, and the study's."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from inspect_debate.v1.datasets.schedules import Pairing
from inspect_debate.v1.datasets.sources import nonempty_text, read_json, read_text
from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.debate.paths import user_path

__all__ = ["COLUMNS", "pairings_file", "pairings_text", "read_pairings"]

COLUMNS = ("round", "motion", "proposition", "opposition")
"""Columns of a schedule. A round may be left out; a motion is an id or a full text."""

_RELEASED = (
    "a list of debates, each with `proposition`, `opposition` and a `topic` that has a "
    "`topic_description`, as released with the study"
)


def read_pairings(typed: str) -> list[Pairing]:
    """The debates of a schedule, in the order of the file.

    Args:
        typed: A CSV file with the `COLUMNS`, as `inspect-debate pairings` writes it, or
            a JSON file of pairings as released with the confidence study. A debate that
            is listed twice is run twice.

    Returns:
        The debates; `motion` is as in the file, an id or a text, in which
        white space is made even, as in the motions themselves.

    Raises:
        InputError: If there is no such file, or a row is not as it should be.
    """
    where, path = f"pairings={typed}", user_path(typed)
    text = read_text(where, path)
    check_name(f"{where}: ending", path.suffix.lower(), (".csv", ".json"))
    read = _released if path.suffix.lower() == ".json" else _table
    pairings = list(read(where, text))
    if not pairings:
        raise InputError(f"{where} holds no debate.")
    return pairings


def pairings_file(typed: str) -> bool:
    """Whether a path is that of a schedule, by its ending and its first character."""
    path = user_path(typed)
    if path.suffix.lower() != ".json":
        return path.suffix.lower() == ".csv"
    return path.is_file() and read_text(typed, path).lstrip().startswith("[")


def pairings_text(pairings: Iterable[Pairing]) -> str:
    """A schedule as the text of a file that `read_pairings` reads."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(pairing._asdict() for pairing in pairings)
    return text.getvalue()


def _table(where: str, text: str) -> Iterator[Pairing]:
    first = text.partition("\n")[0]
    # Spreadsheets write semicolons where the comma is the decimal mark.
    rows = csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    header = [name.strip() for name in next(rows, [])]
    for name in COLUMNS[1:]:
        if header.count(name) != 1:
            raise InputError(
                f"{where}: the first line needs the column {name!r}, once; it has "
                f"{', '.join(header) or 'nothing'}."
            )
    for name in header:
        check_name(f"{where}: column", name, COLUMNS)
    for cells in rows:
        if any(cells):
            line = f"{where}, line {rows.line_num}"
            if len(cells) != len(header):
                raise InputError(
                    f"{line} has {len(cells)} cells; the first line has {len(header)}."
                )
            yield _pairing(line, dict(zip(header, cells, strict=True)))


def _pairing(where: str, cells: Mapping[str, str]) -> Pairing:
    words = {
        name: nonempty_text(f"{where}: {name}", cells[name]) for name in COLUMNS[1:]
    }
    return Pairing(**words, round=_round(where, cells.get("round", "").strip()))


def _round(where: str, cell: str) -> int | None:
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit() and int(cell) > 0):
        raise InputError(
            f"{where}: round={cell!r} is not allowed; give a whole number of at least "
            "1, or nothing."
        )
    return int(cell)


def _released(where: str, text: str) -> Iterator[Pairing]:
    content = read_json(where, text)
    if not isinstance(content, list):
        raise InputError(f"{where} is not {_RELEASED}.")
    for number, entry in enumerate(content, start=1):
        place = f"{where}, entry {number}"
        topic = entry.get("topic") if isinstance(entry, Mapping) else None
        if not isinstance(topic, Mapping):
            raise InputError(f"{place} has no `topic`; the file should be {_RELEASED}.")
        yield Pairing(
            nonempty_text(f"{place}: proposition", entry.get("proposition")),
            nonempty_text(f"{place}: opposition", entry.get("opposition")),
            nonempty_text(
                f"{place}: topic_description", topic.get("topic_description")
            ),
        )
