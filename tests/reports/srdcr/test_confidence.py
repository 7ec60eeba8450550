"""Tiers of knowledge and confidences, by hand."""

from math import log
from typing import Any

import pandas as pd
import pytest

from inspect_debate.reports.srdcr.calibration import (
    calibration_table,
    estimates_of,
    origins_table,
    sources_table,
)
from inspect_debate.reports.srdcr.frames import conditions, items_of
from inspect_debate.reports.srdcr.knowledge import known_table, tiers_table
from tests.reports.srdcr.made_clash import NONE, Said, scores
from tests.reports.srdcr.worked import row

SAID = (
    Said("q1", 0, "right", "right", confidence=0.95, recall=1.0),
    Said("q2", 0, "right", "right", confidence=0.9, recall=0.9),
    Said("q3", 0, "other", "right", confidence=0.92, recall=0.5),
    Said("q4", 1, "other", "passage", confidence=0.3, recall=0.1),
    Said("q5", 1, "other", "passage", confidence=0.2, recall=0.0),
)


def estimates(*said: Said, **columns: Any) -> pd.DataFrame:
    made = scores("srdcr", said or SAID).assign(
        **{f"self_confidence.{name}": value for name, value in columns.items()}
    )
    return estimates_of(items_of(conditions(made)))


def test_tiers_and_the_confidence_in_them() -> None:
    table = tiers_table(estimates())
    highly = row(table, Tier="Highly known")
    assert (highly["Items"], highly["Share"]) == (2, 0.4)
    assert (highly["Mean"], highly["Prior right"]) == (pytest.approx(0.925), 1)
    assert highly["Confident"] == 1
    maybe = row(table, Tier="Maybe known")
    assert (maybe["Prior right"], maybe["Confident"]) == (0, 1)
    assert row(table, Tier="Unknown")["Median"] == 0.2
    assert tiers_table(estimates(SAID[0]._replace(recall=NONE))) is None


def test_highly_known_given_a_confidence() -> None:
    found = row(known_table(estimates()), **{"Confidence from": "the one used"})
    assert (found["0.90"], found["0.90: n"]) == (pytest.approx(2 / 3), 3)
    assert (found["0.95"], found["0.95: n"]) == (1, 1)
    assert found["0.50: n"] == 3
    assert known_table(estimates(SAID[0]._replace(recall=NONE))) is None


def test_confidences_against_what_is_right() -> None:
    table = calibration_table(estimates())
    at = {"Answer": "Prior", "Confidence from": "the one used"}
    found = row(table, **at)
    wrong = [0.05, 0.1, 0.92, 0.3, 0.2]
    assert found["Items"] == 5
    assert found["Right"] == 0.4
    assert found["Brier"] == pytest.approx(sum(w**2 for w in wrong) / 5)
    assert found["Brier, base rate"] == pytest.approx(0.4 * 0.6)
    assert found["Log score"] == pytest.approx(-sum(log(1 - w) for w in wrong) / 5)
    # Bins of 0.9 (three items), 0.3 and 0.2 (one each).
    gaps = [abs(0.95 + 0.9 + 0.92 - 2), 0.3, 0.2]
    assert found["ECE"] == pytest.approx(sum(gaps) / 5)
    contextual = row(table, **(at | {"Answer": "Contextual"}))
    assert (contextual["Right"], contextual["Mean"]) == (0.6, pytest.approx(0.8))
    unknown = [one._replace(prior=None, contextual=None) for one in SAID]
    assert calibration_table(estimates(*unknown)) is None


def test_both_sources_on_the_same_items() -> None:
    shares = [0.95, 0.5, 1.0, 0.1, NONE]
    found = row(sources_table(estimates(confidence_consistency=shares)), Items=4)
    assert found["Mean, log-probabilities"] == pytest.approx(3.07 / 4)
    assert found["Mean, self-consistency"] == pytest.approx(2.55 / 4)
    assert found["Same side of tau"] == 0.75  # all but the second
    assert found["Spearman"] == pytest.approx(0.8)  # ranks 4231 and 3241
    assert sources_table(estimates()) is None


def test_where_confidences_came_from() -> None:
    found = row(
        origins_table(
            estimates(
                source=[1.0, 1.0, 2.0, 2.0, NONE],
                tokens_ok=[1.0, 1.0, 0.0, 0.0, 0.0],
                tokens_absent=[0.0, 0.0, 1.0, 0.0, 0.0],
                tokens_misaligned=[0.0, 0.0, 0.0, 0.0, 1.0],
            )
        )
    )
    assert found["From log-probabilities"] == found["From self-consistency"] == 2
    assert found["No confidence"] == 1
    assert found["None were sent"] == found["Tokens do not spell the answer"] == 1
    assert found["Not asked for"] == 1
    own = scores("self_ask", [SAID[0]._replace(own="right")])
    assert origins_table(estimates_of(items_of(conditions(own)))) is None
