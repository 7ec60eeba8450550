"""Blinded sheets, on which people decide debates."""

import base64
import csv
import hashlib
import io
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined
from pydantic import BaseModel, ConfigDict, ValidationError

from inspect_debate.debate.errors import InputError, check_whole_number
from inspect_debate.debate.paths import AnyPath, reason_of, user_path
from inspect_debate.debate.record import Order
from inspect_debate.debate.seeds import fingerprint, seeded
from inspect_debate.reports.debates import read_debates
from inspect_debate.reports.judges.sheet_text import (
    LETTERS,
    Contest,
    Contests,
    DebateKey,
    Shown,
    contests,
    key_of,
    shown,
)
from inspect_debate.reports.logs import Log, LogPaths, open_logs
from inspect_debate.reports.samples import read_samples

# Drawing the rows of a sheet: which debates, in which order, under which codes.

# Without vowels and digits no code is a word, a number, or a date to a spreadsheet.
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_LENGTH = 5


class Row(NamedTuple):
    """A debate on a sheet, with the order in which its sides are shown."""

    code: str
    contest: Contest
    order: Order


def drawn(
    contests: Sequence[Contest],
    *,
    seed: int,
    limit: int | None = None,
    per_stratum: int | None = None,
) -> list[Row]:
    """Draw the rows of a sheet.

    A stratum is a run and which of the two answers is right: the first, the second, or
    neither as far as is known. What is drawn depends on the seed and on the debates,
    not on their order.

    Args:
        contests: The debates that there are.
        seed: Of all draws.
        limit: How many to take in all, as equally from the strata as they allow.
        per_stratum: How many to take from a stratum at most.

    Returns:
        Rows in random order. Of each stratum, and in all, half are shown in either
        order, or one more in one of them.
    """
    strata = _strata(sorted(contests, key=lambda c: c.key))
    for name, members in strata.items():
        seeded(seed, "stratum", *name).shuffle(members)
        strata[name] = members[:per_stratum]
    taken = _in_turn(strata.values())[:limit]
    orders = _orders(taken, seed)
    runs = sorted({contest.key[0] for contest in taken})
    seeded(seed, "rows", *runs).shuffle(taken)
    codes = _codes(seeded(seed, "codes", *runs))
    return [
        Row(code, contest, orders[contest.key])
        for code, contest in zip(codes, taken, strict=False)
    ]


def _strata(contests: Iterable[Contest]) -> dict[tuple[str, str], list[Contest]]:
    """Debates by run and by which of the answers are right."""
    strata: dict[tuple[str, str], list[Contest]] = defaultdict(list)
    for contest in contests:
        right = [answer in contest.accepted for answer in contest.answers]
        strata[contest.key[0], str(right)].append(contest)
    return strata


def _in_turn(strata: Iterable[Sequence[Contest]]) -> list[Contest]:
    """One of every stratum, then another of every stratum, and so on."""
    rounds = zip_longest(*strata)
    return [contest for round in rounds for contest in round if contest is not None]


def _orders(taken: Iterable[Contest], seed: int) -> dict[DebateKey, Order]:
    """Both orders by turns within each stratum; strata of odd size take turns, too."""
    turn = int(seeded(seed, "first order").random() < 0.5)
    orders: dict[DebateKey, Order] = {}
    for members in _strata(taken).values():
        for contest in members:
            orders[contest.key] = "ba" if turn % 2 else "ab"
            turn += 1
    return orders


def _codes(draws: random.Random) -> Iterator[str]:
    """Codes without a meaning, each once, without end."""
    given = set[str]()
    while True:
        code = "".join(draws.choices(_LETTERS, k=_LENGTH))
        if code not in given:
            given.add(code)
            yield code


# The two forms of a sheet: a table for spreadsheets, and a page to fill in.

TEXTS = ("question", *(f"answer_{letter}" for letter in LETTERS), "debate")
FILLED = ("verdict", "confidence", "comment")
COLUMNS = ("code", *TEXTS, *FILLED)
"""The columns of a sheet; a judge fills in the last three."""

LONGEST_CELL = 32_767
"""Characters that a cell of Excel holds; it drops the rest without a word."""

# What a spreadsheet takes for a formula, also after white space or as a
# full-width character.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r]")
_GUARDED = re.compile(r"'(?=\s*[=+\-@＝＋－＠]|[\t\r])")


class Entry(NamedTuple):
    """A debate on a sheet."""

    code: str
    shown: Shown

    def cells(self) -> list[str]:
        """The cells of the columns before those that a judge fills in."""
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
        sheet: The name of this sheet, under which a browser stores what was
            filled in.
    """
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    script = template("sheet.js")
    digest = hashlib.sha256(script.encode()).digest()
    return environment.from_string(template("sheet.html.j2")).render(
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


def template(name: str) -> str:
    """The text of a page's template, or of a script in it."""
    folder = resources.files("inspect_debate.reports") / "templates"
    return (folder / name).read_text(encoding="utf-8")


# The key of a sheet: what its codes and letters mean.


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KeyRow(_Part):
    """What one code means.

    `log` is the log's name and `run` its eval id; `answers` maps letters to answers;
    `shown_first` is the participant whose speeches come first in every round.
    """

    code: str
    log: str
    run: str
    id: str
    epoch: int
    order: Order
    answers: dict[str, str]
    shown_first: str

    @property
    def debate(self) -> DebateKey:
        """Which debate of which run."""
        return self.run, self.id, self.epoch


class Key(_Part):
    """The key of a sheet; `logs` has the path of each run's log, or those of
    its shards, as it was written."""

    sheet: str
    seed: int
    logs: dict[str, str | list[str]]
    rows: tuple[KeyRow, ...]


def key_to(rows: list[Row], seed: int) -> Key:
    """The key of a sheet's rows."""
    found = tuple(_key_row(row) for row in rows)
    return Key(
        sheet=fingerprint(
            *(text for row in found for text in (row.code, *row.debate[:2]))
        ),
        seed=seed,
        logs={row.contest.key[0]: _place(row.contest.logged.log) for row in rows},
        rows=found,
    )


def _place(log: Log) -> str | list[str]:
    paths = [str(path) for path in log.paths]
    return paths if log.shards else paths[0]


def _files(key: Key) -> dict[str, list[str]]:
    return {r: [p] if isinstance(p, str) else p for r, p in key.logs.items()}


def _key_row(row: Row) -> KeyRow:
    direction = 1 if row.order == "ab" else -1
    run, id, epoch = row.contest.key
    return KeyRow(
        code=row.code,
        log=row.contest.logged.log.path.name,
        run=run,
        id=id,
        epoch=epoch,
        order=row.order,
        answers=dict(zip(LETTERS, row.contest.answers[::direction], strict=True)),
        shown_first=row.contest.speakers[::direction][0].id,
    )


def read_key(typed: str | AnyPath) -> Key:
    """Read a key.

    Raises:
        InputError: If there is none, or the file is none.
    """
    path = user_path(typed)
    try:
        return Key.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"--key {typed}: cannot read {path}: {reason_of(error)}."
        ) from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(
            f"--key {typed} is not the key of a judging sheet; give the key.json that "
            "was written with the sheet."
        ) from error


def debates_of(
    key: Key, logs: tuple[str | AnyPath, ...] = ()
) -> dict[DebateKey, Contest]:
    """The debates on a sheet.

    Args:
        key: The sheet's key.
        logs: Where the logs are now; by default where they were.

    Raises:
        InputError: If a log or a debate is missing.
    """
    found = {log.header.eval.eval_id: log for log in _opened(key, logs)}
    if missing := [paths[0] for run, paths in _files(key).items() if run not in found]:
        raise InputError(
            f"The sheet's log {Path(missing[0]).name} is not among those given; give "
            "all logs of the sheet with --log."
        )
    wanted = {row.debate for row in key.rows}
    debates = (one for run in key.logs for one in read_samples(found[run]))
    there = contests(one for one in debates if key_of(one) in wanted).found
    known = {contest.key: contest for contest in there}
    if gone := wanted - known.keys():
        run, id, epoch = min(gone)
        raise InputError(
            f"{found[run].typed} has no debate between two answers on sample {id}, "
            f"epoch {epoch}, which the sheet has; give the log that it was made from."
        )
    return known


def _opened(key: Key, logs: tuple[str | AnyPath, ...]) -> list[Log]:
    try:
        return open_logs(
            list(logs) or [p for paths in _files(key).values() for p in paths]
        )
    except InputError as error:
        if logs:
            raise
        raise InputError(
            f"{error.message} The sheet was made from it; say where it is with --log."
        ) from error


KEY = "key.json"


class Written(NamedTuple):
    """The files of a sheet, and what the one who made it has to know."""

    form: AnyPath
    table: AnyPath
    key: AnyPath
    notices: list[str]


class Sheet(NamedTuple):
    """The debates that people judge, their key, and what to know about the choice."""

    entries: list[Entry]
    key: Key
    notices: list[str]


def sheet_of(
    logs: LogPaths,
    *,
    seed: int = 0,
    limit: int | None = None,
    per_stratum: int | None = None,
) -> Sheet:
    """Draw and blind the debates of logs that people judge.

    Args:
        logs: As in `read_debates`.
        seed: Of all draws; see `drawn`.
        limit: How many debates to take in all.
        per_stratum: How many to take of a run with the same answer right.

    Raises:
        InputError: As `read_debates`; if no debate is between two answers, a number is
            not positive, or two logs have one name.
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
    entries = [Entry(row.code, shown(row.contest, row.order)) for row in rows]
    return Sheet(entries, key_to(rows, seed), list(_notices(there, rows)))


def write_sheet(
    logs: LogPaths,
    out: str | AnyPath,
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
        InputError: As `sheet_of` and `write_key`.
    """
    sheet = sheet_of(logs, seed=seed, limit=limit, per_stratum=per_stratum)
    key = write_key(sheet.key, out)
    written = Written(
        key.with_name("sheet.html"),
        key.with_name("sheet.csv"),
        key,
        [*sheet.notices, *_too_long(sheet.entries)],
    )
    # As they are: the page knows its script by a hash, and lines of CSV end in CRLF.
    _write(written.form, html_sheet(sheet.entries, sheet.key.sheet))
    _write(written.table, csv_sheet(sheet.entries))
    return written


def _check_names(found: Sequence[Contest]) -> None:
    paths = {contest.logged.log.path for contest in found}
    for name, times in Counter(path.name for path in paths).items():
        if times > 1:
            raise InputError(
                f"{times} logs are called {name}; what comes back is kept by the logs' "
                "names, so rename all but one."
            )


def _write(path: AnyPath, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def write_key(key: Key, out: str | AnyPath) -> AnyPath:
    """Write a key into a folder, which is made if need be.

    Raises:
        InputError: If the folder has the key of another sheet.
    """
    path = user_path(out) / KEY
    path.parent.mkdir(parents=True, exist_ok=True)
    text = key.model_dump_json(indent=1)
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise InputError(
            f"{path} is the key of another sheet, without which nobody could read what "
            "judges filled in; write into another folder."
        )
    path.write_text(text, encoding="utf-8")
    return path


def _notices(there: Contests, rows: Sequence[Row]) -> Iterator[str]:
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


def _too_long(entries: Sequence[Entry]) -> Iterator[str]:
    if cut := list(too_long(entries)):
        yield (
            f"Debates that are longer than a cell of Excel: {len(cut)} "
            f"({', '.join(cut[:3])}{', ...' if len(cut) > 3 else ''}). Their judges "
            "need the form."
        )


def _reasons(left_out: Counter[str]) -> str:
    return "; ".join(f"{number} x {why}" for why, number in left_out.most_common())
