"""What several judges, orders and rounds decide, from records made by hand."""

from itertools import permutations

import pytest

from inspect_debate.debate.outcome import Outcome, outcome
from inspect_debate.solvers.knowledge_conflict import decision, verdict_after
from tests.support.clash_records import (
    OTHER,
    SAYS,
    contextual,
    held,
    picks,
    prior,
    series,
)

PRIOR, CONTEXTUAL = Outcome(OTHER, "ok"), Outcome(SAYS, "ok")
UNPARSED, TIED = Outcome(None, "unparsed"), Outcome(None, "tied")
BENCH = ("judge_1", "judge_2", "judge_3")


@pytest.mark.parametrize(
    ("last", "decided"),
    [
        ("RRU", CONTEXTUAL),
        ("RUU", PRIOR),
        ("UUU", PRIOR),
        ("R?U", TIED),
        ("R??", CONTEXTUAL),
        ("???", UNPARSED),
        ("RR", CONTEXTUAL),
        ("RU", TIED),
    ],
)
def test_of_a_panel_most_of_those_that_could_be_read_decide(
    last: str, decided: Outcome
) -> None:
    bench = BENCH[: len(last)]
    for way in permutations(zip(bench, last, strict=True)):
        votes = [series("U" + letter, judge) for judge, letter in way]
        record = held("srdcr", prior(), contextual(), *votes, judges=bench, rounds=2)
        assert decision(record) == decided
        assert verdict_after(record, 0).answer == "unreasonable"
        for judge, letter in way:
            alone = {"R": CONTEXTUAL, "U": PRIOR, "?": UNPARSED}[letter]
            assert decision(record, judge=judge) == alone
            assert outcome(record, judge=judge) == alone


@pytest.mark.parametrize(
    ("ab", "ba", "decided"),
    [
        ("C", "C", CONTEXTUAL),
        ("P", "P", PRIOR),
        ("C", "P", TIED),
        ("?", "P", PRIOR),
        ("?", "?", UNPARSED),
    ],
)
def test_a_judge_shown_both_orders(ab: str, ba: str, decided: Outcome) -> None:
    record = held(
        "judge_debate",
        prior(),
        contextual(),
        picks("PP" + ab, order="ab"),
        picks("PP" + ba, order="ba"),
        order="both",
    )
    alone = {"C": CONTEXTUAL, "P": PRIOR, "?": UNPARSED}
    assert decision(record) == outcome(record) == decided
    assert decision(record, order="ab") == alone[ab]
    assert outcome(record, order="ba") == alone[ba]
    assert decision(record, "judge_debate_3") == PRIOR


def test_each_round_of_a_judged_debate_is_an_arm() -> None:
    record = held("judge_debate", prior(), contextual(), picks("CP?"))
    assert decision(record, "judge_debate_1") == CONTEXTUAL
    assert decision(record, "judge_debate_3") == PRIOR
    assert decision(record, "judge_debate_5") == decision(record) == UNPARSED
