"""Whether samples may start: ledgers under made-up samples, and a binomial test."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.debate import spending
from inspect_debate.debate.record import Status
from inspect_debate.debate.spending import FIRST_FIELDS, Entry, Ledger, surely_above

BAD = Status.UNPARSED


@dataclass
class Outcome:
    """What became of samples: how many were refused, and how many ran at once."""

    refused: int = 0
    peak: int = 0
    at_once: list[int] = field(default_factory=list)


def run_samples(
    ledger: Ledger,
    costs: Sequence[int],
    slots: int,
    seed: int = 0,
    each: Callable[[Entry], None] = lambda entry: None,
) -> Outcome:
    """Run samples that cost so many dollars, a dollar a call, as Inspect schedules."""
    outcome, rng = Outcome(), random.Random(seed)

    async def sample(cost: int, places: anyio.Semaphore) -> None:
        async with places:
            entry = await ledger.admit()
            if entry is None:
                outcome.refused += 1
                return
            outcome.at_once.append(len(ledger.under_way))
            for _ in range(cost):
                for _ in range(rng.randint(1, 3)):
                    await checkpoint()
                entry.calls += 1
                entry.pay(1.0)
            each(entry)
            ledger.close(entry, whole=True)

    async def run() -> None:
        places = anyio.Semaphore(slots)
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for cost in costs:
                    group.start_soon(sample, cost, places)

    anyio.run(run)
    assert not ledger.under_way
    outcome.peak = max(outcome.at_once)
    return outcome


@pytest.mark.parametrize("slots", [1, 3, 8])
@pytest.mark.parametrize(
    ("budget", "done"), [(100, 20), (25, 5), (26, 5), (5, 1), (0.1, 1)]
)
def test_equal_samples_fill_a_budget(budget: float, done: int, slots: int) -> None:
    ledger = Ledger(budget)
    outcome = run_samples(ledger, [5] * 20, slots)
    assert (ledger.spent, outcome.refused) == (5 * done, 20 - done)


def test_what_fits_but_for_rounding_fits() -> None:
    ledger = Ledger(budget=0.3)
    for number in range(3):
        entry = anyio.run(ledger.admit)
        assert entry is not None, f"sample {number}"
        entry.pay(0.1)
        ledger.close(entry, whole=True)
    assert anyio.run(ledger.admit) is None


@settings(max_examples=60, deadline=None)
@given(
    costs=st.lists(st.integers(1, 12), min_size=1, max_size=25),
    budget=st.integers(1, 120),
    slots=st.integers(1, 6),
    seed=st.integers(0, 9),
)
def test_end_of_a_run(costs: list[int], budget: int, slots: int, seed: int) -> None:
    ledger = Ledger(budget)
    outcome = run_samples(ledger, costs, slots, seed)
    if outcome.refused:
        assert ledger.spent + ledger.largest > budget
    else:
        assert ledger.spent == sum(costs)
    if slots == 1:
        assert ledger.spent < budget + max(costs)
    # Of those at once only what each costs above the largest before was not foreseen.
    assert ledger.spent <= budget + outcome.peak * (max(costs) - 1) + 1


def test_in_random_order_a_run_exceeds_its_budget_by_less_than_a_sample() -> None:
    """On average, where one in three samples is debated and costs 3.5 times as much."""
    excess = []
    for seed in range(60):
        rng = random.Random(seed)
        costs = [7 if rng.random() < 0.3 else 2 for _ in range(60)]
        ledger = Ledger(budget=40)
        assert run_samples(ledger, costs, 10, seed).refused
        excess.append(ledger.spent - 40)
    assert sum(excess) / len(excess) < 2
    assert sorted(excess)[len(excess) * 9 // 10] <= 10


@pytest.mark.parametrize(("budget", "max_unparsed"), [(1000.0, None), (None, 0.5)])
def test_samples_at_once(budget: float | None, max_unparsed: float | None) -> None:
    ledger = Ledger(budget, max_unparsed)
    outcome = run_samples(ledger, [3] * 40, slots=10)
    assert outcome.at_once[0] == 1
    for number, at_once in enumerate(outcome.at_once[1:], start=1):
        assert at_once <= max(1, number)
    assert outcome.peak == 10


@pytest.mark.parametrize("ends", ["failed", "called nothing"])
def test_what_tells_nothing_lets_no_more_in(ends: str) -> None:
    ledger = Ledger(budget=1000)

    async def run() -> None:
        for _ in range(3):
            entry = await ledger.admit()
            assert entry is not None
            entry.calls = int(ends == "failed")
            ledger.close(entry, whole=ends != "failed")

    anyio.run(run)
    assert ledger.informed == 0


def test_a_sample_that_never_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spending, "_PATIENCE", 0.01)
    ledger = Ledger(budget=10)

    async def run() -> None:
        lost = await ledger.admit()
        with anyio.fail_after(5):
            found = await ledger.admit()
        assert found is not None
        assert ledger.under_way == {found}
        found.begun = True
        with anyio.move_on_after(0.1) as waiting:
            await ledger.admit()
        assert waiting.cancelled_caught, "one that began is waited for"
        assert lost is not None

    anyio.run(run)


def test_what_a_sample_cost_at_last_counts_once() -> None:
    ledger = Ledger(budget=10)
    entry = Entry(ledger)
    entry.pay(2.0)
    entry.settle(3.0)
    entry.settle(2.5)
    assert (entry.cost, ledger.spent, ledger.largest) == (3.0, 3.0, 3.0)


def test_a_model_without_a_price_ends_a_run_with_a_budget() -> None:
    assert Ledger(budget=5, unpriced={"x/m"}).reached == (
        "budget_usd=5 cannot be kept: x/m has no price"
    )
    assert Ledger(max_unparsed=0.5, unpriced={"x/m"}).reached is None


# --- what cannot be read -------------------------------------------------------------


def reading(*statuses: Status) -> Callable[[Entry], None]:
    return lambda entry: entry.ledger.statuses.update(statuses)


@pytest.mark.slow
def test_garbage_ends_a_run_after_the_first_fields() -> None:
    ledger = Ledger(max_unparsed=0.1)
    outcome = run_samples(ledger, [1] * 60, 1, each=reading(BAD, BAD, Status.REFUSED))
    assert 60 - outcome.refused == 7  # the first 20 fields are those of 7 samples
    assert ledger.reached == (
        "max_unparsed=0.1 is passed: 21 of 21 fields that were asked for could not be "
        "read (7 refused, 14 unparsed)"
    )


def test_one_bad_reply_at_the_start_ends_no_run() -> None:
    ledger = Ledger(max_unparsed=0.05, statuses=_counted(1, 0))
    assert run_samples(ledger, [1] * 40, 3, each=reading(Status.OK)).refused == 0


@pytest.mark.parametrize(
    ("ok", "bad", "cap", "ends"),
    [
        (0, FIRST_FIELDS - 1, 0.1, False),  # too few to tell
        (0, FIRST_FIELDS, 0.1, True),
        (16, 4, 0.1, False),  # 4 or more of 20 happen in 13 % of runs at 0.1
        (15, 5, 0.1, True),  # 5 or more, in 4 %
        (19, 1, 0.01, False),
        (18, 2, 0.01, True),
        (0, 50, 1.0, False),
        (0, 50, None, False),
        (900, 100, 0.1, False),
        (880, 120, 0.1, True),
    ],
)
def test_too_large_a_share(ok: int, bad: int, cap: float | None, ends: bool) -> None:
    ledger = Ledger(max_unparsed=cap, statuses=_counted(bad, ok))
    assert (ledger.reached is not None) == ends


def _counted(bad: int, ok: int) -> Counter[Status]:
    return Counter({BAD: bad, Status.OK: ok})


def test_the_test_is_the_binomial_one() -> None:
    # P(X >= 2) of 3 at 0.1 is 3 * 0.01 * 0.9 + 0.001 = 0.028; of 5, 0.081.
    assert surely_above(0.1, 2, 3)
    assert not surely_above(0.1, 2, 5)
    assert not surely_above(0.1, 0, 5)


def test_outside_of_a_run_with_caps_nothing_is_noted() -> None:
    assert not spending.Accounting().enabled()
    spending.note_read([BAD])
