"""The audit of a pair finds whether debate helps, in pairs that are simulated.

Which size of study that takes: `uv run pytest -n 0 -m slow -s
tests/recovery/test_debate_help.py` prints how often each pair is predicted to gain.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from inspect_debate.metrics.debate_help import BETTER, KEPT, Audit, audit
from tests.support.judged_pairs import Pair, Study, balanced, true_gain

pytestmark = pytest.mark.slow

STUDIES = 200
ANSWERS = 500
"""The size of a study that is enough; half of it is not."""
DETECTABLE = 0.12
"""The gain over a consultancy from which on such a study predicts it."""

LOST = Pair(verifies=0.32, follows_critic=0.1)
"""A judge that no longer checks once a critic spoke, and believes the proposer."""

GAINS = {
    "a good critic": Pair(critic_sees=0.9, check=0.9),
    "a fair critic": Pair(critic_sees=0.7),
}
NULLS = {
    "a critic little better than the judge, who errs": Pair(0.45, check=0.7),
    "believes the proposer": LOST,
    "believes a critic who objects to all": Pair(
        verifies=0.3, follows_critic=0.9, objects_anyway=0.83
    ),
    "checks ten points less, and in vain": Pair(0.75, verifies=0.69, check=0.455),
}
HURTS = {
    "believes a poor critic who objects to all": Pair(
        0.45, verifies=0.3, follows_critic=0.9, objects_anyway=0.9
    ),
    "a critic worse than the judge, who errs": Pair(
        0.3, check=0.6, follows_critic=0.9, objects_anyway=0.5
    ),
}


@cache
def audits(pair: Pair, answers: int = ANSWERS) -> list[Audit]:
    def each() -> Iterator[Study]:
        for seed in range(STUDIES):
            yield pair.study(answers, np.random.default_rng(seed))

    # Few resamples, as there are many studies.
    return [
        audit(*study, study.questions, seed=n, resamples=400)
        for n, study in enumerate(each())
    ]


def predicted(pair: Pair, answers: int = ANSWERS) -> float:
    """In which share of the studies debate is predicted to help."""
    found = audits(pair, answers)
    share = sum(each.predicted == "helps" for each in found) / len(found)
    gain, shown = true_gain(pair), sum(a.observed == "helps" for a in found)
    print(
        f"{answers} answers, {pair}: gain {gain:+.3f}; predicted to help in "
        f"{share:.1%}, shown to in {shown / len(found):.1%}"
    )
    return share


@pytest.mark.parametrize("name", NULLS)
def test_no_gain_is_predicted_where_there_is_none(name: str) -> None:
    assert abs(true_gain(NULLS[name])) < 0.005
    assert predicted(NULLS[name]) <= 0.05
    helped = sum(each.observed == "helps" for each in audits(NULLS[name]))
    assert helped <= 0.05 * STUDIES


@pytest.mark.parametrize("name", GAINS)
def test_a_gain_that_can_be_detected_is_predicted_and_found(name: str) -> None:
    assert true_gain(GAINS[name]) > DETECTABLE
    assert predicted(GAINS[name]) >= 0.9
    found = audits(GAINS[name])
    assert sum(each.observed == "helps" for each in found) >= 0.9 * STUDIES
    assert not [each for each in found if each.predicted == "no gain"]


@pytest.mark.parametrize("name", HURTS)
def test_what_hurts_is_not_predicted_to_help(name: str) -> None:
    assert true_gain(HURTS[name]) < -0.05
    assert predicted(HURTS[name]) <= 0.05
    found = audits(HURTS[name])
    assert sum(each.gain.difference < 0 for each in found) >= 0.9 * STUDIES
    assert not [each for each in found if each.observed == "helps"]


def test_half_the_answers_are_too_few() -> None:
    """To predict a gain; that a null pair has none is safe with any number."""
    assert predicted(GAINS["a fair critic"], ANSWERS // 2) < 0.9
    assert predicted(NULLS["believes the proposer"], ANSWERS // 2) <= 0.05


def test_a_judge_that_checks_in_vain_is_beyond_the_rule() -> None:
    """Both conditions are met, and there is little gain: what the audit cannot see."""
    vain = Pair(check=0.47)
    assert abs(true_gain(vain)) < 0.02
    assert predicted(vain) > 0.5


def test_the_conditions_of_the_mechanism_are_what_the_audit_measures() -> None:
    """Differences of one large study, against their plain definitions."""
    study = LOST.study(4000, np.random.default_rng(1))
    found = audit(*study, study.questions, seed=1)
    of = {name: balanced(study.right, getattr(study, name)) for name in study._fields}
    assert found.critic_better.difference == pytest.approx(of["critic"] - of["judge"])
    assert found.gain.difference == pytest.approx(of["spoken"] - of["consultancy"])
    fall = study.verifies_spoken.mean() - study.verifies_alone.mean()
    assert found.kept.difference == pytest.approx(fall)
    assert found.critic_better.low > BETTER
    assert found.kept.high < -KEPT
    assert found.predicted == "no gain"
