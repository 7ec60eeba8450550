"""Paired comparisons of SR-DCR with other arms, by hand."""

from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.elements import Table
from inspect_debate.reports.srdcr.comparisons import comparisons_table, failed_of
from inspect_debate.reports.srdcr.frames import answers_of, conditions, items_of
from inspect_debate.reports.srdcr.study import ARMS
from tests.reports.srdcr.made_clash import NONE, Said, joined, scores
from tests.reports.srdcr.worked import row

SEEN = [Said(f"q{n}", 1, "right", "passage", (0, 0, 0)) for n in range(8)]
"""Perturbed passages that SR-DCR sees through."""

DOUBTED = [Said(f"q{n}", 0, "other", "right", (0, 0, 0)) for n in range(4)]
"""Right passages that it doubts: half as many, so that halves do not weigh as items."""


def compared(*frames: pd.DataFrame) -> Table | None:
    grouped = conditions(joined(*frames))
    return comparisons_table(answers_of(items_of(grouped)), failed_of(grouped.frame))


def found(table: Table | None, arm: str, scope: str = "overall") -> dict[str, Any]:
    return row(table, **{"Compared with": arm, "Model": f"GPT-4o: {scope}"})


def test_overall_is_the_mean_of_both_halves() -> None:
    table = compared(scores("srdcr", SEEN + DOUBTED))
    overall = found(table, ARMS["few_shot"])
    # Eight gained of eight, four lost of four.
    assert (overall["SR-DCR"], overall["Other arm"]) == (0.5, 0.5)
    assert (overall["Difference"], overall["Samples"]) == (0, 12)
    assert overall["Test"] == "sign flip"
    perturbed = found(table, ARMS["few_shot"], "perturbed")
    assert (perturbed["Difference"], perturbed["Samples"]) == (1, 8)
    assert perturbed["Test"] == "McNemar"
    assert perturbed["p"] == pytest.approx(0.5**8)  # mid-p of eight to none
    standard = found(table, ARMS["few_shot"], "standard")
    assert standard["Difference"] == -1
    assert standard["p"] == pytest.approx(0.5**4)
    assert overall["p"] > 0.9


def test_p_values_are_corrected_over_the_arms_of_a_scope() -> None:
    table = compared(scores("srdcr", SEEN + DOUBTED))
    assert table is not None
    family = table.frame[table.frame["Model"] == "GPT-4o: perturbed"]
    assert len(family) == 7  # all arms but SR-DCR itself
    # Few-shot alone is told apart, or ties with others that took the passage's answer.
    least = family["p"].min()
    first = family[family["p"] == least].iloc[0]
    assert first["p (Holm)"] == pytest.approx(min(1, 7 * least))
    assert set(table.frame["Answers"]) == {"same"}


def test_samples_that_are_left_out_are_counted_by_cause() -> None:
    ours = [*SEEN[:4], Said("q9", 1, "right", "passage", (0, 0, NONE))]
    failed = scores("srdcr", [Said("q7", 1)], run="b", scored=False)
    others = [one._replace(own="passage") for one in SEEN]
    others[0] = others[0]._replace(severity=3)
    table = compared(
        pd.concat([scores("srdcr", ours, run="b"), failed]),
        scores("self_ask", [*others, Said("q9", 1, own="right")]),
    )
    against = found(table, "Self-Ask", "perturbed")
    assert against["Samples"] == 3
    assert against["Left out"] == (
        "3 in one arm only, 1 of other content, 1 failed, 1 not read"
    )
    assert against["Answers"] == "own"


def test_whether_arms_share_their_answers_is_told() -> None:
    ours = scores("srdcr", SEEN)
    table = compared(ours, scores("few_shot", SEEN), scores("golden", SEEN))
    assert table is not None
    assert set(table.frame["Answers"]) == {"same"}  # those of SR-DCR's run
    bold: dict[str, Any] = {"parameters": {"tau": 0.8}}
    named = f"{ARMS['confidence_only']}, tau=0.8"
    for reuse, told in ((None, "anew"), ("srdcr.eval", "same")):
        gated = scores("confidence_only", SEEN, reuse=reuse, **bold)
        assert found(compared(ours, gated), named)["Answers"] == told
    mixed = pd.concat(
        [
            scores("confidence_only", SEEN[:4], run="a", reuse="srdcr.eval", **bold),
            scores("confidence_only", SEEN[4:], run="b", **bold),
        ]
    )
    assert found(compared(ours, mixed), named)["Answers"] == "partly the same"


def test_another_variant_is_an_arm_like_others() -> None:
    seeing = scores("srdcr", SEEN, run="b", parameters={"critic_sees_context": True})
    table = compared(scores("srdcr", SEEN, run="a"), seeing)
    assert table is not None
    told = set(table.frame["Compared with"])
    assert "SR-DCR, critic_sees_context=true" in told
    assert "SR-DCR" not in told


def test_without_sr_dcr_nothing_is_compared() -> None:
    assert compared(scores("few_shot", SEEN)) is None
    one_half = found(compared(scores("srdcr", SEEN)), ARMS["few_shot"])
    assert one_half["Test"] == "none"  # there is no mean of both halves
    assert pd.isna(one_half["Difference"])
