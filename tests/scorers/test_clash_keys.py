"""What no sample of a run may change: its keys, and values by the order of draws."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.record import Turn
from inspect_debate.evals.srdcr import PROTOCOLS
from inspect_debate.scorers.knowledge_conflict import conflict_values
from inspect_debate.scorers.self_confidence import confidence_values
from tests.support.clash_records import (
    GOLD,
    PERTURBED,
    RIGHT_PASSAGE,
    agents,
    contextual,
    further,
    held,
    picks,
    prior,
    series,
    speeches,
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("bench", [("judge",), ("judge_1", "judge_2")])
def test_all_samples_of_a_run_have_the_same_keys(
    protocol: str, bench: tuple[str, ...]
) -> None:
    judged = protocol in ("srdcr", "acvd_only", "judge_debate")
    changes: dict[str, Any] = {"judges": bench} if judged else {}
    if protocol == "judge_debate":
        changes["order"] = "both"
    made: list[tuple[list[Turn], dict[str, Any]]] = [
        ([prior(), contextual(), *further("1902", None)], {}),
        ([prior(None, "no_answer"), contextual(None, "cut")], {}),
        ([prior("1911"), contextual()], {"skip_reason": "both answers agree"}),
    ]
    if judged:
        make = picks if protocol == "judge_debate" else series
        letters = "CP?" if protocol == "judge_debate" else "RUUR?R"
        votes = [t for judge in bench for t in make(letters, judge=judge)]
        made.append(([prior(), contextual(), *speeches(), *votes], {}))
    if protocol in ("rci", "naive_debate", "self_ask"):
        made = [([*agents(["1911"])], {}), ([*agents([None], ["1871"])], {})]
    keys = set()
    for turns, more in made:
        record = held(protocol, *turns, **changes, **more)
        for facts in (RIGHT_PASSAGE, PERTURBED._replace(says=None)):
            found = conflict_values(record, facts)
            if "tau" in record.parameters:
                found |= confidence_values(record, GOLD)
            keys.add(tuple(found))
    assert len(keys) == 1


TURNS = [
    prior("1902", "absent"),
    contextual("1911", 0.8),
    *further("1902", "1911", None, "1902"),
    *further("1871", "1902", None, kind="recall"),
    *speeches(2),
    *series("RU", "judge_1"),
    *series("?U", "judge_2"),
    *series("UR", "judge_3"),
]


@given(st.permutations(TURNS))
def test_the_order_of_independent_draws_changes_nothing(turns: list[Turn]) -> None:
    def of(order: Sequence[Turn]) -> dict[str, float | None]:
        bench = ("judge_1", "judge_2", "judge_3")
        record = held("srdcr", *order, judges=bench, rounds=2)
        found = conflict_values(record, PERTURBED) | confidence_values(record, GOLD)
        return {k: None if isnan(v) else v for k, v in found.items()}

    assert of(turns) == of(TURNS)
