"""The key of a sheet: what its codes and letters stand for."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from inspect_debate.analysis.debates import Held, read_samples
from inspect_debate.analysis.judges.sheet_debates import (
    Contest,
    DebateKey,
    contests,
    key_of,
)
from inspect_debate.analysis.judges.sheet_draw import Row
from inspect_debate.analysis.judges.sheet_text import LETTERS
from inspect_debate.analysis.logs import Log, open_logs
from inspect_debate.core.errors import InputError
from inspect_debate.core.paths import user_path
from inspect_debate.core.question import fingerprint
from inspect_debate.core.record import Order


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KeyRow(_Part):
    """What one code stands for.

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
    """The key of a sheet; `logs` has the path of each run's log, as it was written."""

    sheet: str
    seed: int
    logs: dict[str, str]
    rows: tuple[KeyRow, ...]


def key_to(rows: list[Row], seed: int) -> Key:
    """The key of a sheet's rows."""
    told = tuple(_told(row) for row in rows)
    return Key(
        sheet=fingerprint(
            *(text for row in told for text in (row.code, *row.debate[:2]))
        ),
        seed=seed,
        logs={row.contest.key[0]: str(row.contest.held.log.path) for row in rows},
        rows=told,
    )


def _told(row: Row) -> KeyRow:
    direction = 1 if row.order == "ab" else -1
    run, id, epoch = row.contest.key
    return KeyRow(
        code=row.code,
        log=row.contest.held.log.path.name,
        run=run,
        id=id,
        epoch=epoch,
        order=row.order,
        answers=dict(zip(LETTERS, row.contest.answers[::direction], strict=True)),
        shown_first=row.contest.speakers[::direction][0].id,
    )


def read_key(typed: str | Path) -> Key:
    """Read a key.

    Raises:
        InputError: If there is none, or the file is none.
    """
    path = user_path(typed)
    try:
        return Key.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"--key {typed}: cannot read {path}: {error.strerror}."
        ) from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise InputError(
            f"--key {typed} is not the key of a judging sheet; give the key.json that "
            "was written with the sheet."
        ) from error


def debates_of(key: Key, logs: tuple[str | Path, ...] = ()) -> dict[DebateKey, Contest]:
    """The debates that stand on a sheet.

    Args:
        key: The sheet's key.
        logs: Where the logs are now; by default where they were.

    Raises:
        InputError: If a log or a debate is missing.
    """
    found = {log.header.eval.eval_id: log for log in _opened(key, logs)}
    if missing := [path for run, path in key.logs.items() if run not in found]:
        raise InputError(
            f"The sheet's log {Path(missing[0]).name} is not among those given; give "
            "all logs of the sheet with --log."
        )
    wanted = {row.debate for row in key.rows}
    held = [one for run in key.logs for one in read_samples(found[run])]
    known = _by_key(held, wanted)
    if gone := wanted - known.keys():
        run, id, epoch = min(gone)
        raise InputError(
            f"{found[run].typed} has no debate between two answers on sample {id}, "
            f"epoch {epoch}, which the sheet has; give the log that it was made from."
        )
    return known


def _opened(key: Key, logs: tuple[str | Path, ...]) -> list[Log]:
    try:
        return open_logs(list(logs or key.logs.values()))
    except InputError as error:
        if logs:
            raise
        raise InputError(
            f"{error.message} The sheet was made from it; say where it is with --log."
        ) from error


def _by_key(held: list[Held], wanted: set[DebateKey]) -> dict[DebateKey, Contest]:
    among = [one for one in held if key_of(one) in wanted]
    return {contest.key: contest for contest in contests(among).found}
