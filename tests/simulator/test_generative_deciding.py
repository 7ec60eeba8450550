"""Solutions, stances and rulings as they are decided, call by call."""

from itertools import pairwise, product
from statistics import mean
from typing import Any

import pytest

from inspect_debate.debate.record import Kind
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import (
    difficulty,
    endorse_probability,
    rulings,
    solution,
    solve_probability,
    stance,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from tests.simulator.asking import check_share
from tests.simulator.generative_asking import (
    INTERACTIONS,
    endorsed,
    generative_cue,
    known,
    review_cue,
    verdict_cue,
)
from tests.support.generative_planted import planted_cell, planted_pair
from tests.support.laws import Condition

N = 1500
BALANCED = PROFILES["balanced"]
MODEL = Behaviour(
    solve_rate=0.55,
    solve_spread=0.35,
    best_of_gain_debate=0.15,
    best_of_gain_consultancy=-0.1,
    first_bonus=0.2,
    both_correct=0.1,
)


def _solves(behaviour: Behaviour, n: int, **values: Any) -> bool:
    said = solution(Draws(behaviour, generative_cue("answer", n, **values)))
    assert said in (known(n).right, *known(n).wrong)
    return said == known(n).right


# --- solutions ---------------------------------------------------------------------


def test_solutions_follow_the_law_and_share_the_difficulty() -> None:
    """Of two seats, epochs, draws, runs and models, both are right as planted."""
    planted = planted_cell(MODEL, MODEL, Condition(2, "none")).regimes
    other = MODEL.model_copy(update={"label": "ben"})
    pairs: list[tuple[Behaviour, dict[str, Any]]] = [
        (MODEL, {"participant": "debater_b"}),
        (MODEL, {"epoch": 2}),
        (MODEL, {"draw": "dual_debate"}),
        (MODEL, {"seed": 1}),
        (other, {}),
    ]
    first = [_solves(MODEL, n) for n in range(N)]
    check_share(first, 0.55)
    for behaviour, values in pairs:
        second = [_solves(behaviour, n, **values) for n in range(N)]
        right = [a + b for a, b in zip(first, second, strict=True)]
        for regime, p in enumerate(planted):
            check_share([r == regime for r in right], p)


def test_hard_questions_are_hard_for_all() -> None:
    cues = [generative_cue("answer", n) for n in range(N)]
    drawn = [difficulty(description) for description in cues]
    assert mean(drawn) == pytest.approx(0, abs=0.05)
    assert mean(d**2 for d in drawn) == pytest.approx(1 / 3, abs=0.03)
    asked = cues[3].model_copy(update={"participant": "judge", "seed": 5, "epoch": 2})
    assert difficulty(asked) == drawn[3]
    for low in (-1.0, -0.5, 0.0, 0.5):
        those = [n for n, d in enumerate(drawn) if low <= d < low + 0.5]
        law = float(solve_probability(MODEL, low + 0.25))
        check_share([_solves(MODEL, n) for n in those], law)


def test_all_wrong_solutions_are_given() -> None:
    wrong = Behaviour(solve_rate=0.0, solve_spread=0.0)
    said = [solution(Draws(wrong, generative_cue("answer", n))) for n in range(N)]
    for x in range(3):
        check_share([text == known(n).wrong[x] for n, text in enumerate(said)], 1 / 3)


@pytest.mark.parametrize(
    "values",
    [
        {"interaction": "debate", "best_of": 4},
        {"interaction": "consultancy", "rounds": 3},
        {"round": 2},
        {"reask": 1},
        {"own_answer": "1", "shown": ("1", "2"), "defends": "Alice"},
    ],
)
def test_a_solution_is_the_same_in_every_format(values: dict[str, Any]) -> None:
    for n in range(50):
        description = generative_cue("answer", n)
        other = description.model_copy(update=values)
        assert solution(Draws(MODEL, description)) == solution(Draws(MODEL, other))


@pytest.mark.parametrize(
    "values", [{"participant": "debater_b"}, {"epoch": 2}, {"draw": "x"}, {"seed": 1}]
)
def test_solutions_differ_where_they_are_drawn_anew(values: dict[str, Any]) -> None:
    cues = [generative_cue("answer", n) for n in range(50)]
    again = [description.model_copy(update=values) for description in cues]
    assert _said(BALANCED, cues) != _said(BALANCED, again)
    labelled, seeded = (
        BALANCED.model_copy(update=update) for update in ({"label": "a"}, {"seed": 1})
    )
    texts = [_said(model, cues) for model in (BALANCED, labelled, seeded)]
    assert len(set(map(tuple, texts))) == 3


def _said(behaviour: Behaviour, cues: Any) -> list[str]:
    return [solution(Draws(behaviour, description)) for description in cues]


# --- stances -----------------------------------------------------------------------


def test_stances_follow_the_law_and_are_kept() -> None:
    for right, law in ((True, 0.8), (False, 0.35)):
        agreed = []
        for n in range(500):
            held = known(n).right if right else known(n).wrong[0]
            taken = {
                stance(Draws(BALANCED, review_cue(n, own_answer=held, **values)))
                for values in ({}, {"round": 2}, {"draw": "1"}, {"draw": "4"})
            }
            assert len(taken) == 1
            agreed.append(taken == {"agree"})
        check_share(agreed, law)


def test_an_answer_that_was_not_read_is_wrong() -> None:
    always = Behaviour(critic_agrees_right=1.0, critic_agrees_wrong=0.0)
    assert stance(Draws(always, review_cue(own_answer=None))) == "disagree"
    perfect = PROFILES["perfect"]
    assert endorsed(perfect, verdict_cue(shown=("",))) == (False,)


# --- rulings -----------------------------------------------------------------------


def _law(interaction: str, best_of: int, right: bool, first: bool) -> float:
    own = endorse_probability(MODEL, right, interaction, best_of, first)
    return 0.1 + 0.9 * float(own)


@pytest.mark.slow
@pytest.mark.parametrize("interaction", INTERACTIONS)
@pytest.mark.parametrize("best_of", [1, 4])
@pytest.mark.parametrize("kind", ["verdict", "reward"])
def test_rulings_follow_the_law(interaction: str, best_of: int, kind: Kind) -> None:
    """A reward knows nothing of what comes of the choice, and so of no gain."""
    gained = best_of if kind == "verdict" else 1
    told: dict[str, Any] = {"interaction": interaction, "best_of": best_of}
    told |= {"kind": kind}
    for right in (True, False):
        alone = [verdict_cue(n, (right,), **told) for n in range(400)]
        law = _law(interaction, gained, right, False)
        check_share([endorsed(MODEL, description)[0] for description in alone], law)
    pairs = [verdict_cue(n, (True, False), **told) for n in range(400)]
    found = [endorsed(MODEL, description) for description in pairs]
    check_share([one for one, _ in found], _law(interaction, gained, True, True))
    check_share([other for _, other in found], _law(interaction, gained, False, False))


def test_verdicts_of_formats_go_together_as_planted() -> None:
    steady = MODEL.model_copy(update={"judge_steadiness": 0.9})
    solved = Behaviour(solve_rate=1.0, solve_spread=0.0)
    orders = (("Alice", "Bob"), ("Bob", "Alice"))
    planted = planted_pair(solved, steady, Condition(2, "none"), Condition(2, "debate"))
    both = []
    for n in range(N):
        cues = [
            verdict_cue(n, (True, True), interaction=each, choices=orders[n % 2])
            for each in ("none", "debate")
        ]
        both.append(
            all(endorsed(steady, description) == (True, True) for description in cues)
        )
    check_share(both, planted.both_right)


COIN = PROFILES["coin"].model_copy(update={"judge_steadiness": 1.0})
ONE = {"interaction": "debate"}


@pytest.mark.parametrize(
    "values",
    [
        {"interaction": "none"},
        {"best_of": 4},
        {"rounds": 3, "round": 3},
        {"choices": ("Bob", "Alice"), "draw": "ba"},
        {"choices": ("Alice",), "shown": ("1",)},
    ],
)
def test_a_steady_judge_rules_alike_in_all_formats(values: dict[str, Any]) -> None:
    def ruled(**changed: Any) -> list[bool]:
        cues = [verdict_cue(n, (True, True), **(ONE | changed)) for n in range(60)]
        return [
            rulings(Draws(COIN, description))["Alice"].correct for description in cues
        ]

    assert ruled() == ruled(**values)
    assert ruled() != ruled(**values, participant="judge_2")
    assert ruled() != ruled(**values, epoch=2)
    assert ruled() != ruled(**values, kind="reward")


@pytest.mark.parametrize(
    "values",
    [
        {"interaction": "none"},
        {"best_of": 4},
        {"draw": "ba"},
        {"shown": ("1",), "choices": ("Alice",)},
        {"kind": "reward"},
    ],
)
def test_other_judges_rule_anew(values: dict[str, Any]) -> None:
    anew = COIN.model_copy(update={"judge_steadiness": 0.0})

    def ruled(**changed: Any) -> list[bool]:
        cues = [verdict_cue(n, (True, True), **(ONE | changed)) for n in range(400)]
        return [
            rulings(Draws(anew, description))["Alice"].correct for description in cues
        ]

    pairs = zip(ruled(), ruled(**values), strict=True)
    check_share([one == other for one, other in pairs], 0.5)


def test_candidates_are_ruled_on_apart() -> None:
    """Of each candidate there is another ruling and another confidence."""
    draws = [f"{seat} {n}" for seat in ("debater_a", "debater_b") for n in (1, 2)]
    same = []
    for n, (one, other) in product(range(200), pairwise(draws)):
        first, second = (
            rulings(Draws(COIN, generative_cue("reward", n, draw=draw)))["Alice"]
            for draw in (one, other)
        )
        same.append(first.correct == second.correct)
    check_share(same, 0.5)
    stated = {
        rulings(Draws(BALANCED, generative_cue("reward", draw=f"debater_a {k}")))[
            "Alice"
        ].confidence
        for k in range(20)
    }
    assert len(stated) > 5
    rounds = [
        endorsed(COIN, generative_cue("reward", n, round=round))
        for round in (1, 2)
        for n in range(50)
    ]
    assert rounds[:50] != rounds[50:]


@pytest.mark.parametrize("held", ["agree", "disagree", None])
@pytest.mark.parametrize("kind", ["verdict", "reward"])
def test_a_critic_is_ruled_on_as_the_answer_is(held: str | None, kind: Kind) -> None:
    names = ("Alice", "Bob")
    for n, right in product(range(60), (True, False)):
        description = verdict_cue(
            n, (right,), choices=names, own_answer=held, kind=kind
        )
        answer, critic = endorsed(BALANCED, description)
        assert critic == (held == ("agree" if answer else "disagree"))
        alone = verdict_cue(n, (right,), kind=kind)
        assert endorsed(BALANCED, alone) == (answer,)


def test_confidences_follow_whether_the_ruling_is_right() -> None:
    stated: dict[bool, list[float]] = {True: [], False: []}
    critics: dict[bool, list[float]] = {True: [], False: []}
    for n, right in product(range(600), (True, False)):
        description = verdict_cue(
            n, (right,), choices=("Alice", "Bob"), own_answer="agree"
        )
        answer, critic = rulings(Draws(BALANCED, description)).values()
        stated[answer.correct == right].append(answer.confidence)
        critics[answer.correct == right].append(critic.confidence)
    for found, (right, law) in product(
        (stated, critics), ((True, 0.82), (False, 0.72))
    ):
        assert mean(found[right]) == pytest.approx(law, abs=0.015)
        assert max(found[right]) == pytest.approx(law + 0.1, abs=0.01)
        assert min(found[right]) == pytest.approx(law - 0.1, abs=0.01)
        assert all(value == round(value, 2) for value in found[right])


def test_profiles_of_one_mind() -> None:
    perfect, yes = PROFILES["perfect"], PROFILES["yes_man"]
    for n, interaction in product(range(40), INTERACTIONS):
        assert _solves(perfect, n)
        for right in ((True, False), (False, True), (True,), (False, False)):
            description = verdict_cue(n, right, interaction=interaction)
            assert endorsed(perfect, description) == right
            assert all(endorsed(yes, description))


def test_labels_tell_models_apart() -> None:
    cues = [verdict_cue(n, (True, False)) for n in range(100)]
    anna, ben = (behaviour_of(f"balanced/{name}", {}) for name in ("anna", "ben"))
    assert [endorsed(anna, description) for description in cues] != [
        endorsed(ben, description) for description in cues
    ]
    reviews = [review_cue(n) for n in range(100)]
    assert len({tuple(stance(Draws(m, c)) for c in reviews) for m in (anna, ben)}) == 2
