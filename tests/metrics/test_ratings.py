"""Ratings of debaters: worked out by hand, by statsmodels, and planted."""

from collections.abc import Mapping, Sequence
from math import inf, isnan, log
from typing import NamedTuple

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.special import expit, logit
from statsmodels.miscmodels.ordinal_model import OrderedModel

from inspect_debate.metrics.ratings import (
    ELO,
    Rating,
    Ratings,
    agreement_with_others,
    rate,
)

PLANTED = {"a": 0.9, "b": 0.1, "c": -0.3, "d": -0.7}


class Debates(NamedTuple):
    """Verdicts, with who is shown first."""

    one: list[str]
    other: list[str]
    outcomes: NDArray[np.int_]
    first: NDArray[np.int_]
    questions: list[int]

    def rated(self, resamples: int = 10, seed: int = 1) -> Ratings:
        return rate(
            self.one,
            self.other,
            self.outcomes,
            self.questions,
            {"first": self.first},
            seed=seed,
            resamples=resamples,
        )

    @property
    def estimates(self) -> list[float]:
        """All ratings but the last, and the effect of the side."""
        found = self.rated()
        rated = [rating.value for rating in found.ratings.values()]
        return [*rated[:-1], found.effects["first"].value]


def planted(seed: int, number: int, side: float = 0.4, width: float = 0.3) -> Debates:
    """Two verdicts for each question, with the debaters on either side."""
    draws = np.random.default_rng(seed)
    pairs = [draws.choice([*PLANTED], 2, replace=False) for _ in range(number // 2)]
    one = [str(a) for a, _ in pairs for _ in range(2)]
    other = [str(b) for _, b in pairs for _ in range(2)]
    first = np.tile([1, -1], number // 2)
    eta = np.array([PLANTED[a] - PLANTED[b] for a, b in zip(one, other, strict=True)])
    eta += side * first
    chance = draws.random(len(eta))
    won, lost = chance < expit(eta - width), chance > 1 - expit(-eta - width)
    questions = [n // 2 for n in range(number)]
    return Debates(one, other, won.astype(int) - lost, first, questions)


Counts = tuple[str, str, int, int, int]


def counted(*rows: Counts) -> Debates:
    """Debates of (one, other, wins, ties, defeats), each about another question."""
    said = [
        (one, other, outcome)
        for one, other, *numbers in rows
        for outcome, number in zip((1, 0, -1), numbers, strict=True)
        for _ in range(number)
    ]
    one, other, outcomes = zip(*said, strict=True)
    nobody = np.zeros(len(said), int)
    questions = [*range(len(said))]
    return Debates([*one], [*other], np.array(outcomes), nobody, questions)


def values(found: Mapping[str, Rating]) -> dict[str, float]:
    return {name: rating.value for name, rating in found.items()}


def test_odds_that_fit_exactly() -> None:
    """A beats B by 3 to 1, and B beats C so: then A beats C by 9 to 1."""
    found = counted(
        ("a", "b", 6, 0, 2), ("c", "b", 2, 0, 6), ("a", "c", 9, 0, 1)
    ).rated(1000)
    by_hand = {"a": log(3), "b": 0, "c": -log(3)}
    assert values(found.ratings) == pytest.approx(by_hand, abs=1e-5)
    assert found.threshold == Rating(0, 0, 0)
    assert found.ratings["a"].value * ELO == pytest.approx(190.85, abs=0.01)


def test_ties_have_the_closed_form_of_two_debaters() -> None:
    """Of 20 debates A wins 12 and loses 3: L(d - c) = 0.6, L(-d - c) = 0.15."""
    found = counted(("a", "b", 12, 5, 3)).rated(1000)
    won, lost = logit(0.6), logit(0.15)
    assert found.ratings["a"].value == pytest.approx((won - lost) / 4, abs=1e-5)
    assert found.threshold.value == pytest.approx(-(won + lost) / 2, abs=1e-5)


def test_a_side_has_the_closed_form_of_two_debaters() -> None:
    """A wins 8 of 10 debates in which it is first, and 6 of 12 others."""
    debates = counted(("a", "b", 8, 0, 2), ("a", "b", 6, 0, 6))
    found = debates._replace(first=np.repeat([1, -1], [10, 12])).rated()
    with_it, without = logit(0.8), logit(0.5)
    rating, effect = found.ratings["a"].value, found.effects["first"].value
    assert rating == pytest.approx((with_it + without) / 4, abs=1e-5)
    assert effect == pytest.approx((with_it - without) / 2, abs=1e-5)


def design(debates: Debates) -> NDArray[np.float64]:
    """The columns of `estimates`: the last rating is the others' sum, negative."""
    coding = np.vstack([np.eye(3), -np.ones(3)])
    rows = dict(zip(PLANTED, coding, strict=True))
    apart = [rows[a] - rows[b] for a, b in zip(debates.one, debates.other, strict=True)]
    return np.column_stack([apart, debates.first])


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_the_cumulative_logit_of_statsmodels(seed: int) -> None:
    """Seen from both debaters its thresholds are symmetric, as each verdict counts."""
    debates = planted(seed, 300)
    x, y = design(debates), debates.outcomes
    model = OrderedModel(np.r_[y, -y] + 1, np.vstack([x, -x]), distr="logit")
    theirs = model.fit(method="bfgs", disp=0, gtol=1e-8).params
    ours = [*debates.estimates, -debates.rated().threshold.value]
    assert ours == pytest.approx(theirs[:5], abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_without_ties_it_is_logistic_regression(seed: int) -> None:
    debates = planted(seed, 300, width=0)
    won = (debates.outcomes > 0).astype(int)
    theirs = sm.GLM(won, design(debates), family=sm.families.Binomial()).fit().params
    assert debates.estimates == pytest.approx(theirs, abs=1e-4)
    assert debates.rated().threshold.value == 0


def test_it_does_not_matter_who_is_named_first_or_how() -> None:
    debates = planted(3, 200)
    found = debates.rated(200)
    turned = Debates(
        debates.other,
        debates.one,
        -debates.outcomes,
        -debates.first,
        debates.questions,
    ).rated(200)
    assert values(turned.ratings) == pytest.approx(values(found.ratings))
    assert turned.effects["first"] == pytest.approx(found.effects["first"])
    names = {"a": "z", "b": "y", "c": "x", "d": "w"}
    one, other = ([names[n] for n in of] for of in (debates.one, debates.other))
    renamed = debates._replace(one=one, other=other).rated(200)
    for name, new in names.items():
        assert renamed.ratings[new] == pytest.approx(found.ratings[name], abs=1e-6)


def test_the_other_side_has_the_opposite_effect() -> None:
    debates = planted(3, 200)
    found = debates.rated(200)
    second = debates._replace(first=-debates.first).rated(200)
    value, low, high = found.effects["first"]
    assert second.effects["first"] == pytest.approx((-value, -high, -low), abs=0.05)
    assert second.ratings["a"] == pytest.approx(found.ratings["a"], abs=1e-6)


def test_verdicts_on_one_question_are_one_observation() -> None:
    """Four times the same verdicts are worth no more than once."""
    debates = planted(5, 200)
    four = Debates(
        debates.one * 4,
        debates.other * 4,
        np.tile(debates.outcomes, 4),
        np.tile(debates.first, 4),
        debates.questions * 4,
    )
    once, again = debates.rated(300), four.rated(300)
    for name in PLANTED:
        assert again.ratings[name] == pytest.approx(once.ratings[name], abs=1e-4)
    apart = four._replace(questions=[*range(len(four.one))]).rated(300)
    width = once.ratings["a"].high - once.ratings["a"].low
    assert apart.ratings["a"].high - apart.ratings["a"].low < 0.8 * width


def refused(*rows: Counts) -> str:
    found = counted(*rows).rated()
    assert found.ratings == {}
    assert isnan(found.threshold.value)
    assert isnan(found.effects["first"].value)
    return found.reason


def test_groups_that_never_met_are_refused() -> None:
    said = refused(("a", "b", 3, 0, 2), ("c", "d", 2, 0, 3))
    assert said == (
        "Debaters are in 2 groups that never met, so that no rating compares them: "
        "{a, b} {c, d}."
    )


def test_who_never_lost_has_no_finite_rating() -> None:
    said = refused(("a", "b", 5, 0, 0), ("b", "c", 2, 0, 3), ("c", "a", 0, 0, 4))
    assert said.endswith("likely: a won all 9.")
    assert refused(("a", "b", 2, 0, 1), ("b", "c", 4, 0, 0)).endswith("c lost all 4.")
    # Together they won all against the others.
    said = refused(
        *(("a", "b", 2, 0, 1), ("c", "d", 2, 0, 1)),
        *(("a", "c", 2, 0, 0), ("b", "d", 2, 0, 0)),
    )
    assert said.endswith("likely: {a, b} won all 4 against the others.")
    # A side, and not a debater, explains who wins.
    debates = counted(("a", "b", 3, 0, 0), ("a", "b", 0, 0, 3), ("a", "b", 0, 1, 0))
    sided = debates._replace(first=np.array([1] * 3 + [-1] * 3 + [0]))
    assert sided.rated().reason.endswith("explain some verdicts without error.")
    # A tie is enough.
    assert counted(("a", "b", 4, 1, 0)).rated(1000).ratings == {}
    assert counted(("a", "b", 4, 1, 1)).rated(1000).ratings


def test_who_is_always_first_cannot_be_told_from_that() -> None:
    nobody = counted(("a", "b", 6, 2, 3))
    always = nobody._replace(first=np.ones(11, int))
    for found in (nobody.rated(), always.rated()):
        assert isnan(found.effects["first"].value)
    assert nobody.rated().ratings == always.rated().ratings


def test_an_interval_without_an_end() -> None:
    """A debater that lost once wins all in a third of the resamples."""
    found = counted(("a", "b", 9, 0, 1)).rated(1000).ratings["a"]
    assert found.value == pytest.approx(log(9) / 2, abs=1e-4)
    assert found.high == inf
    assert 0 < found.low < found.value


def test_nobody_met() -> None:
    assert rate([], [], [], [], seed=1).reason == "No two debaters met."


@pytest.mark.parametrize(
    ("one", "other", "outcomes", "said"),
    [
        (["a"], ["a"], [1], "a meets itself."),
        (["a"], ["b"], [0.5], "outcomes holds 0.5; allowed: -1, 0 and 1."),
        (["a", "a"], ["b", "c"], [1], "the arrays differ in length"),
    ],
)
def test_wrong_verdicts(
    one: Sequence[str], other: Sequence[str], outcomes: Sequence[float], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        rate(one, other, outcomes, [*one], seed=1)


@pytest.mark.slow
def test_what_is_planted_is_found_again() -> None:
    """In 100 data sets 95 % intervals have the planted value in 90 to 99 %."""
    truth = {**PLANTED, "first": 0.4, "threshold": 0.3}
    found: dict[str, list[Rating]] = {name: [] for name in truth}
    for seed in range(100):
        rated = planted(seed, 400).rated(200, seed)
        of = {**rated.ratings, **rated.effects, "threshold": rated.threshold}
        for name, rating in of.items():
            found[name].append(rating)
    for name, value in truth.items():
        held = np.mean([low <= value <= high for _, low, high in found[name]])
        assert 0.9 <= held <= 0.99, (name, held)
        assert np.mean([r.value for r in found[name]]) == pytest.approx(value, abs=0.05)


def test_agreement_with_other_judges() -> None:
    """X says 1, 1, Y 1, -1 and Z 0 on two debates; W is alone on a third."""
    judges = ["x", "y", "z", "x", "y", "w"]
    debates = [1, 1, 1, 2, 2, 3]
    found = agreement_with_others(judges, debates, [1, 1, 0, 1, -1, 1])
    assert found[:5].tolist() == [0.5, 0.5, 0, 0, 0]
    assert isnan(found[5])
