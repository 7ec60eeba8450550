"""What a run could not read so far, for protocols on the tasks of others."""

from collections import Counter
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Status,
    read_record,
    write_record,
)

FIRST_FIELDS = 20
"""Fields that are asked for before their share of unread ones is looked at."""

HALF = 0.5
"""The share of unread fields that is warned of where no other was given."""

LEVEL = 0.95
"""How sure it has to be that the share in the long run is above its cap."""


@dataclass
class Ledger:
    """How the fields of one run were read.

    Attributes:
        max_unparsed: The share of fields that may be unread; None for any.
        statuses: How fields were read without which a turn is useless.
        ended: Records by sample and epoch, of debates after which the cap was passed.
    """

    max_unparsed: float | None = None
    statuses: Counter[Status] = field(default_factory=Counter)
    ended: dict[tuple[int | str, int], DebateRecord] = field(default_factory=dict)

    @property
    def unread(self) -> int:
        """How many fields could not be read."""
        return self.statuses.total() - self.statuses[Status.OK]

    @property
    def counts(self) -> str:
        """How many fields could not be read, by the reason."""
        unread = sorted(s for s in self.statuses if s != Status.OK)
        return ", ".join(f"{self.statuses[s]} {s}" for s in unread)

    @property
    def reached(self) -> str | None:
        """That the cap is passed, with the numbers that show it; None while not."""
        asked, unread = self.statuses.total(), self.unread
        if self.max_unparsed is None or asked < FIRST_FIELDS:
            return None
        if not surely_above(self.max_unparsed, unread, asked):
            return None
        return (
            f"max_unparsed={self.max_unparsed:g} is passed: {unread} of {asked} fields "
            f"that were asked for could not be read ({self.counts})"
        )


_read: ContextVar[Ledger] = ContextVar("read")


def begin_reading() -> None:
    """Count from here how the fields of a run are read."""
    _read.set(Ledger(max_unparsed=HALF))


def note_read(statuses: Sequence[Status]) -> None:
    """Note how the fields of a turn were read."""
    if (read := _read.get(None)) is not None:
        read.statuses.update(statuses)


def check_parse_failures(max_unparsed: float | None, state: TaskState) -> None:
    """Check that enough of a run could be read so far to go on with it.

    For protocols on other tasks, which end a run by an error of a sample.

    Args:
        max_unparsed: The share of fields that may be unread; None for any.
        state: The sample. If its debate has ended, the record is kept for the
            log, which has the last attempt's alone.

    Raises:
        InputError: If more are.
    """
    read = _read.get(None)
    if read is None or max_unparsed is None:
        return
    read.max_unparsed = max_unparsed
    if read.reached is not None:
        attempt = (state.sample_id, state.epoch)
        record = read_record(state.store) or read.ended.get(attempt)
        if record is not None:
            read.ended[attempt] = record
            write_record(state.store, record)
        advice = "type --max-tokens 4096, or " if _cut_off(read) else ""
        raise InputError(
            f"{read.reached}. Read the replies in the log; {advice}"
            "give -S config.max_unparsed=1 to go on regardless."
        )


def parse_failure_note() -> str | None:
    """What to warn of at the end of a run in which too much could not be read.

    Here chance has no say, and any number of fields is enough. The share is the one
    that `check_parse_failures` was given, or else a half.
    """
    read = _read.get(None)
    if read is None or read.max_unparsed is None:
        return None
    asked = read.statuses.total()
    if read.unread <= read.max_unparsed * asked:
        return None
    advice = "Type --max-tokens 4096. " if _cut_off(read) else ""
    return (
        f"{read.unread} of {asked} fields that were asked for could not be read "
        f"({read.counts}), a larger share than {read.max_unparsed:g}: scores may count "
        f"them as wrong answers. {advice}Read the replies in the log."
    )


def _cut_off(read: Ledger) -> bool:
    """Whether many replies were cut off, which a larger limit of tokens may help."""
    return read.statuses[Status.TRUNCATED] > read.statuses.total() / 4


def surely_above(share: float, hits: int, n: int) -> bool:
    """Whether `hits` of `n` are more than chance makes of a share, by a binomial test.

    One reply in ten that cannot be read does so little against a cap of 0.05.

    Args:
        share: The share, above 0 and at most 1.
        hits: From 0 to `n`.
        n: How many there are.
    """
    if hits <= share * n:
        return False
    # A second of import time, which no run that goes well should pay.
    from scipy.stats import binom

    return bool(binom.sf(hits - 1, n, share) < 1 - LEVEL)


def is_free(model: str) -> bool:
    """Whether a model costs nothing: a simulated one."""
    return model.startswith(("simulated/", "reading_judge/"))
