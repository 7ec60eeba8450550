"""What a run has spent and could not read so far, and whether samples may still start.

A run with caps has a ledger, and each attempt at a sample an entry in it. Calls find
their entry through a context variable, which all tasks of a sample inherit, so that
runs and samples beside each other are kept apart; where there is none nothing is noted.
"""

from collections import Counter
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

import anyio
from inspect_ai.hooks import (
    Hooks,
    ModelUsageData,
    SampleAttemptEnd,
    SampleAttemptStart,
    SampleEnd,
    hooks,
)
from inspect_ai.model import Model, get_model_info
from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord, Status, read_record, write_record

FIRST_FIELDS = 20
"""Fields that are asked for before their share of unread ones is looked at."""

HALF = 0.5
"""The share of unread fields that is warned of where no other was given."""

LEVEL = 0.95
"""How sure it has to be that the share in the long run is above its cap."""

_PATIENCE = 300.0
"""Seconds after which a sample that was let in and did not begin holds up no other.

Inspect does not tell of an attempt whose sandbox failed before another is made."""

_ROUNDING = 1e-9


@dataclass(eq=False)
class Entry:
    """One attempt at a sample: what its calls cost so far, in US dollars."""

    ledger: "Ledger"
    cost: float = 0.0
    calls: int = 0
    begun: bool = False

    def pay(self, dollars: float) -> None:
        """Note what a call cost."""
        self.cost += dollars
        self.ledger.spent += dollars
        self.ledger.largest = max(self.ledger.largest, self.cost)

    def settle(self, dollars: float) -> None:
        """Note what all calls cost, where more is known of them at the end.

        A call that exceeds a limit of the sample is reported only afterwards.
        """
        self.pay(max(0.0, dollars - self.cost))


@dataclass
class Ledger:
    """The account of one run.

    Attributes:
        budget: US dollars that may be spent; None for any number.
        max_unparsed: The share of fields that may be unread; None for any.
        spent: US dollars that all calls cost so far.
        largest: The most that one sample has cost.
        informed: How many samples ended without an error, having made calls: they tell
            what others may be like.
        statuses: How fields were read without which a turn is useless.
        unpriced: Models that were called and have no known price.
        under_way: Samples that were let in and did not end.
        ended: Records by sample and epoch, of debates after which a cap was passed.
    """

    budget: float | None = None
    max_unparsed: float | None = None
    spent: float = 0.0
    largest: float = 0.0
    informed: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    unpriced: set[str] = field(default_factory=set)
    under_way: set[Entry] = field(default_factory=set)
    ended: dict[tuple[int | str, int], DebateRecord] = field(default_factory=dict)
    _changed: anyio.Event = field(default_factory=anyio.Event)

    async def admit(self) -> Entry | None:
        """Wait until another sample may start, and open its entry.

        At first one sample runs alone; later no more at once than have shown what one
        costs and how it is read, so that on average fewer than one of those under way
        costs more than the largest before them.

        Returns:
            None where no other sample is to start in this run.
        """
        while self.reached is None:
            if self._has_room():
                entry = Entry(self)
                self.under_way.add(entry)
                _entry.set(entry)
                return entry
            with anyio.move_on_after(_PATIENCE) as waiting:
                await self._changed.wait()
            if waiting.cancelled_caught:
                self.under_way = {entry for entry in self.under_way if entry.begun}
        return None

    def close(self, entry: Entry, *, whole: bool) -> None:
        """End an attempt, and look again who may start.

        Args:
            entry: Its entry.
            whole: Whether it ended without an error.
        """
        self.under_way.discard(entry)
        self.informed += whole and entry.calls > 0
        self.wake()

    def wake(self) -> None:
        """Let samples that wait look again whether they may start."""
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

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
        """Which cap is reached, with the numbers that show it; None while none is."""
        return self._out_of_budget() or self._too_much_unread()

    def _out_of_budget(self) -> str | None:
        if self.budget is None:
            return None
        if self.unpriced:
            names = ", ".join(sorted(self.unpriced))
            return f"budget_usd={self.budget:g} cannot be kept: {names} has no price"
        if self._fits(self.spent + self.largest):
            return None
        return (
            f"budget_usd={self.budget:g} is reached: ${self.spent:.4g} was spent, and "
            f"another sample may cost ${self.largest:.4g}, the most that one has cost"
        )

    def _too_much_unread(self) -> str | None:
        asked, unread = self.statuses.total(), self.unread
        if self.max_unparsed is None or asked < FIRST_FIELDS:
            return None
        if not surely_above(self.max_unparsed, unread, asked):
            return None
        return (
            f"max_unparsed={self.max_unparsed:g} is passed: {unread} of {asked} fields "
            f"that were asked for could not be read ({self.counts})"
        )

    def _has_room(self) -> bool:
        if len(self.under_way) >= max(1, self.informed):
            return False
        missing = sum(max(0.0, self.largest - entry.cost) for entry in self.under_way)
        return self._fits(self.spent + missing + self.largest)

    def _fits(self, dollars: float) -> bool:
        return self.budget is None or dollars <= self.budget * (1 + _ROUNDING)


_entry: ContextVar[Entry | None] = ContextVar("entry", default=None)
_read: ContextVar[Ledger] = ContextVar("read")


def begin_reading() -> None:
    """Count from here how the fields of a run are read."""
    _read.set(Ledger(max_unparsed=HALF))


def note_read(statuses: Sequence[Status]) -> None:
    """Note how the fields of a turn were read."""
    if (read := _read.get(None)) is not None:
        read.statuses.update(statuses)
    if (entry := _entry.get()) is not None:
        entry.ledger.statuses.update(statuses)


def check_parse_failures(max_unparsed: float | None, state: TaskState) -> None:
    """Check that enough of a run could be read so far to go on with it.

    For protocols on other tasks, which end a run by an error of a sample. Tasks of this
    suite have `caps`.

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


def has_price(model: Model) -> bool:
    """Whether it is known what a model's calls cost."""
    info = get_model_info(model)
    return is_free(str(model)) or (info is not None and info.cost is not None)


@hooks(
    name="inspect_debate_spending",
    description="Notes what calls cost in runs of debates that have caps.",
)
class Accounting(Hooks):
    """Notes in a sample's entry what its calls cost, and when it ends."""

    def enabled(self) -> bool:
        """Only in samples of a run with caps."""
        return _entry.get() is not None

    async def on_sample_attempt_start(self, data: SampleAttemptStart) -> None:
        """The sandbox is there, and the sample begins."""
        _own().begun = True

    async def on_model_usage(self, data: ModelUsageData) -> None:
        """A model was called, and not the cache."""
        entry = _own()
        entry.calls += 1
        if data.usage.total_cost is not None:
            entry.pay(data.usage.total_cost)
        elif not is_free(data.model_name):
            entry.ledger.unpriced.add(data.model_name)

    async def on_sample_attempt_end(self, data: SampleAttemptEnd) -> None:
        """An attempt failed, and another will be made, from an entry of its own."""
        if data.will_retry:
            _own().ledger.close(_own(), whole=False)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """A sample is done, or failed."""
        entry = _own()
        used = data.sample.model_usage.values()
        entry.settle(sum(usage.total_cost or 0.0 for usage in used))
        entry.ledger.close(entry, whole=data.sample.error is None)


def _own() -> Entry:
    entry = _entry.get()
    assert entry is not None  # or else the hook were not enabled
    return entry
