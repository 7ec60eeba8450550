"""What is planted in simulated models, as probabilities of what a full run counts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pytest
from inspect_ai.log import EvalLog

from inspect_debate.debate.record import DebateRecord, Kind, Turn
from inspect_debate.simulator.behaviour import Behaviour
from tests.support.runs import metrics, records, samples


class Check(NamedTuple):
    """So many successes in trials that have these probabilities."""

    name: str
    successes: float
    probabilities: Sequence[float]

    @property
    def tail(self) -> float:
        """How likely a count so low, or one so high, is; the smaller of both."""
        pmf = np.ones(1)
        for p in self.probabilities:
            pmf = np.convolve(pmf, [1 - p, p])
        count = round(self.successes)
        assert self.successes == pytest.approx(count, abs=1e-6), self.name
        assert 0 <= count < len(pmf), self.name
        return float(min(pmf[: count + 1].sum(), pmf[count:].sum()))


@dataclass(frozen=True)
class Read:
    """A run as read for checking: debates with their gold labels, and metrics."""

    log: EvalLog
    behaviours: dict[str, Behaviour]

    @cached_property
    def debates(self) -> list[tuple[DebateRecord, str]]:
        targets = [str(sample.target) for sample in samples(self.log)]
        return list(zip(records(self.log), targets, strict=True))

    def turns(
        self, kind: Kind | None = None, field: str | None = None
    ) -> Iterator[tuple[Turn, str, str | None, Behaviour]]:
        """Turns, those whose field was read, with gold label, side and behaviour."""
        for record, gold in self.debates:
            for turn in record.turns if kind is None else record.of_kind(kind):
                if field is None or turn.field(field).status == "ok":
                    side = record.participant(turn.participant).defends
                    yield turn, gold, side, self.behaviours[turn.participant]


def p_read(b: Behaviour) -> float:
    lost = b.refused_rate + b.truncated_rate
    return 1 - lost - b.unreadable_rate * (1 - b.reask_success)


def p_own(b: Behaviour, gold: str) -> float:
    return b.sensitivity if gold == "error" else b.specificity


def p_judged(b: Behaviour, gold: str) -> float:
    """Right, in order `ab`: who defends "error" is shown first."""
    return b.follow_first * (gold == "error") + (1 - b.follow_first) * b.judge_accuracy


def p_final_right(b: Behaviour, gold: str, side: str | None, round: int) -> float:
    if side == gold:
        return 1 - b.wrong_concession
    return min(1.0, b.concession + b.concession_growth * (round - 1))


def fates(run: Read) -> Iterator[Check]:
    found = metrics(run.log, "debate_process")
    rates: dict[str, Callable[[Behaviour], float]] = {
        "unparsed": lambda b: b.unreadable_rate * (1 - b.reask_success),
        "refused": lambda b: b.refused_rate,
        "truncated": lambda b: b.truncated_rate,
    }
    kinds: tuple[Kind, ...] = ("answer", "speech", "verdict")
    for kind, (status, rate) in product(kinds, rates.items()):
        name = f"{kind}_{status}_rate"
        planted = [rate(b) for _, _, _, b in run.turns(kind)]
        yield Check(name, found[name] * len(planted), planted)
    planted = [b.unreadable_rate for _, _, _, b in run.turns()]
    yield Check("reasks", found["reasks"] * len(run.debates), planted)


def decisions(run: Read) -> Iterator[Check]:
    a, b, judge = (run.behaviours[who] for who in ("debater_a", "debater_b", "judge"))
    for who, gold in product(("debater_a", "debater_b"), ("error", "no_error")):
        read = [
            (turn.field("answer").value == gold, p_own(behaviour, gold))
            for turn, truth, _, behaviour in run.turns("answer", "answer")
            if (turn.participant, truth) == (who, gold)
        ]
        correct = sum(is_right for is_right, _ in read)
        yield Check(f"{who} on {gold}", correct, [p for _, p in read])
    for gold in ("error", "no_error"):
        right_verdicts = [
            turn.field("answer").value == gold
            for turn, truth, *_ in run.turns("verdict", "answer")
            if truth == gold
        ]
        planted = [p_judged(judge, gold)] * len(right_verdicts)
        yield Check(f"judge on {gold}", sum(right_verdicts), planted)
    found = metrics(run.log, "error_detection") | metrics(run.log, "debate_process")
    judged = [p_judged(judge, gold) for _, gold, *_ in run.turns("verdict", "answer")]
    yield Check("judge", found["accuracy_debated"] * len(judged), judged)

    both = p_read(a) * p_read(b)
    courses: dict[str, list[float]] = {}
    for record, gold in run.debates:
        p_a, p_b, p_j = p_own(a, gold), p_own(b, gold), p_judged(judge, gold)
        differ = p_a * (1 - p_b) + p_b * (1 - p_a)
        decided = 1 - differ + differ * p_read(judge)
        courses.setdefault("debated_share", []).append(both * differ)
        courses.setdefault("no_prediction_rate", []).append(1 - both * decided)
        verdicts = record.of_kind("verdict")
        last = verdicts or record.of_kind("answer")
        if any(turn.field("answer").status != "ok" for turn in last):
            continue
        if verdicts:
            to_wrong = p_a * (1 - p_b) * (1 - p_j) / differ
            to_right = (1 - p_a) * p_b * p_j / differ
            courses.setdefault("right_to_wrong", []).append(to_wrong)
            courses.setdefault("wrong_to_right", []).append(to_right)
        changed = p_read(judge) / decided
        right = p_a * p_b / decided + differ * p_j * changed
        courses.setdefault("accuracy", []).append(right)
    for name, of_items in courses.items():
        yield Check(name, found[name] * len(of_items), of_items)


def speeches(run: Read) -> Iterator[Check]:
    # One draw decides all rounds of a debater, so rounds are checked one by one.
    finals: dict[tuple[str, int, bool], list[tuple[bool, float]]] = {}
    for turn, gold, side, b in run.turns("speech", "final"):
        right = (
            turn.field("final").value == gold,
            p_final_right(b, gold, side, turn.round),
        )
        finals.setdefault((turn.participant, turn.round, side == gold), []).append(
            right
        )
    for (who, round, defends_right), counted in finals.items():
        name = f"{who} final {round}, defends {'right' if defends_right else 'wrong'}"
        yield Check(name, sum(right for right, _ in counted), [p for _, p in counted])
    own = [(q, b) for t, *_, b in run.turns("speech", "argument") for q in t.quotes]
    first = [(q, b) for q, b in own if not q.duplicate]  # repeats are no new draws
    verified = sum(q.verified for q, _ in first)
    yield Check("verified", verified, [b.quote_verified_rate for _, b in first])
    # The first quote of a round may repeat one of a speech that was not read.
    later = [
        (q, b) for t, *_, b in run.turns("speech", "argument") for q in t.quotes[1:]
    ]
    repeated = sum(q.duplicate for q, _ in later)
    yield Check("repeated", repeated, [b.quote_duplicate_rate for _, b in later])


def confidence_scores(run: Read) -> Iterator[tuple[str, float]]:
    """How many standard errors the metrics are from their planted expectation."""
    squares, stated = [], []
    for turn, gold, side, b in run.turns("speech", "final"):
        if turn.round < 2:
            continue
        p = p_final_right(b, gold, side, 2)
        law = [
            (p, b.confidence_right + b.drift, 1),
            (1 - p, b.confidence_wrong + b.drift, 0),
        ]
        # Moments of a uniform law of half-width s around m.
        s2 = b.confidence_spread**2
        first = sum(p * m for p, m, _ in law)
        second = sum(p * (m**2 + s2 / 3) for p, m, _ in law)
        stated.append((first, second - first**2))
        first = sum(p * ((m - r) ** 2 + s2 / 3) for p, m, r in law)
        second = sum(
            p * ((m - r) ** 4 + 2 * (m - r) ** 2 * s2 + s2**2 / 5) for p, m, r in law
        )
        squares.append((first, second - first**2))
    found = metrics(run.log, "debate_process")
    assert found["statements"] == len(stated) > 50
    for name, moments in (("brier", squares), ("mean_confidence", stated)):
        mean = fmean(m for m, _ in moments)
        error = sum(v for _, v in moments) ** 0.5 / len(moments)
        yield name, (found[name] - mean) / error
