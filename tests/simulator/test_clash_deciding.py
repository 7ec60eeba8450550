"""Knowledge, answers, their certainty, updates and verdicts, as they are decided."""

from itertools import pairwise
from statistics import mean
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.knowledge_conflict import (
    credulity,
    follow_probability,
    picked,
    question_of,
    reasonable,
    recall_rates,
    stated_answer,
    tier,
    tier_shares,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import check_share
from tests.simulator.clash_asking import (
    CHOICES,
    QUESTIONS,
    clash_cue,
    contextual_cue,
    passage,
    pick_cue,
    prior_cue,
)

AGENTS = [f"debater_a_{n}" for n in (1, 2, 3)]
BALANCED = PROFILES["balanced"]


def _said(behaviour: Behaviour, description: TurnDescription) -> str:
    return stated_answer(Draws(behaviour, description)).answer


def _right(behaviour: Behaviour, description: TurnDescription, n: int) -> bool:
    return _said(behaviour, description) == f"Right {n}"


# --- knowledge ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "question"),
    [
        ("years-12ab-standard", "years-12ab"),
        ("years-12ab-perturbed", "years-12ab"),
        ("q-standard-x", "q-standard-x"),
        ("17", "17"),
    ],
)
def test_questions_of_samples(sample: str, question: str) -> None:
    assert question_of(clash_cue("answer", sample=sample)) == question


def test_knowledge_is_of_the_question() -> None:
    tiers = [tier(Draws(BALANCED, prior_cue(n))) for n in range(QUESTIONS)]
    for known, share in enumerate(tier_shares(BALANCED)):
        check_share([t == known for t in tiers], share)
    for change in ({"seed": 4}, {"epoch": 2}, {"participant": "debater_a"}):
        again = [tier(Draws(BALANCED, prior_cue(n, 3, **change))) for n in range(99)]
        assert again == tiers[:99]
    other = BALANCED.model_copy(update={"seed": 1})
    assert [tier(Draws(other, prior_cue(n))) for n in range(99)] != tiers[:99]


def test_prior_answers_are_right_at_the_rate_of_their_tier() -> None:
    right: dict[int, list[bool]] = {}
    for n in range(2 * QUESTIONS):
        draws = Draws(BALANCED, prior_cue(n))
        right.setdefault(tier(draws), []).append(_right(BALANCED, draws.description, n))
    assert not any(right[0])
    for known in (1, 2, 3):
        check_share(right[known], float(recall_rates(BALANCED)[known]))


@pytest.mark.parametrize(
    "change", [{"participant": "debater_a"}, {"severity": 4}, {"draw": "1"}]
)
def test_a_prior_answer_is_shared(change: dict[str, Any]) -> None:
    for n in range(60):
        one, other = (
            stated_answer(Draws(BALANCED, prior_cue(n, **values)))
            for values in ({}, change)
        )
        assert one == other


@pytest.mark.parametrize("change", [{"epoch": 2}, {"seed": 1}])
def test_a_prior_answer_is_drawn_anew(change: dict[str, Any]) -> None:
    coin = PROFILES["coin"]
    same = [
        _right(coin, prior_cue(n), n) == _right(coin, prior_cue(n, **change), n)
        for n in range(400)
    ]
    check_share(same, 0.5)


def test_recalls_are_right_at_the_rate_of_the_tier() -> None:
    drawn: dict[int, list[bool]] = {}
    for n in range(150):
        for draw in range(1, 33):
            description = clash_cue("recall", n, draw=str(draw))
            known = tier(Draws(BALANCED, description))
            drawn.setdefault(known, []).append(_right(BALANCED, description, n))
    for known, right in drawn.items():
        check_share(right, float(recall_rates(BALANCED)[known]))


def test_wrong_answers_are_those_of_the_question() -> None:
    unknowing = Behaviour(highly_known=0, maybe_known=0, weakly_known=0)
    recalled = set()
    for n in range(60):
        assert _said(unknowing, prior_cue(n)) in passage(n).others
        cues = (clash_cue("recall", n, draw=str(draw)) for draw in range(9))
        recalled |= {_said(unknowing, description)[:7] for description in cues}
    assert recalled == {"Other a", "Other b", "Other c"}


# --- confidence --------------------------------------------------------------------


@pytest.mark.parametrize("reads", [True, False])
def test_further_draws_repeat_the_answer_as_often_as_it_is_probable(
    reads: bool,
) -> None:
    who = "debater_a" if reads else "debater_b"
    excess, shares = [], []
    for n in range(200):
        seat: dict[str, Any] = {"participant": who, "passage": reads}
        first = stated_answer(Draws(BALANCED, clash_cue("answer", n, 2, **seat)))
        draws = [
            _said(BALANCED, clash_cue("sample", n, 2, draw=str(draw), **seat))
            for draw in range(1, 17)
        ]
        share = mean(answer == first.answer for answer in draws)
        shares.append(share)
        excess.append(share - first.certainty)
        known = {*passage(n, 2).others, f"Right {n}", *([f"Said {n}"] * reads)}
        assert set(draws) <= known
    assert mean(excess) == pytest.approx(0, abs=0.03)
    assert max(shares) - min(shares) > 0.3


def test_certainty_goes_by_whether_the_answer_is_right() -> None:
    behaviour = Behaviour(
        certainty_right=0.9,
        certainty_wrong=0.4,
        passage_certainty_right=0.8,
        passage_certainty_wrong=0.6,
        certainty_spread=0.1,
    )
    for make, means in ((prior_cue, (0.4, 0.9)), (contextual_cue, (0.6, 0.8))):
        found: dict[bool, list[float]] = {True: [], False: []}
        for n in range(QUESTIONS):
            answer = stated_answer(Draws(behaviour, make(n, 3)))
            found[answer.answer == f"Right {n}"].append(answer.certainty)
        for right, law in enumerate(means):
            assert mean(found[bool(right)]) == pytest.approx(law, abs=0.02)
            assert max(found[bool(right)]) <= law + 0.1


# --- passages ----------------------------------------------------------------------


@pytest.mark.parametrize("severity", [0, 1, 5])
@pytest.mark.parametrize("form", ["short_answer", "self_ask"])
def test_passages_are_followed_as_planted(severity: int, form: str) -> None:
    follow = float(follow_probability(BALANCED, severity))
    follows = []
    for n in range(QUESTIONS):
        prior = _said(BALANCED, prior_cue(n, severity))
        said = _said(BALANCED, contextual_cue(n, severity, format=form))
        assert said in (prior, passage(n, severity).says)
        if prior != passage(n, severity).says:
            follows.append(said != prior)
    check_share(follows, follow)


def test_forms_epochs_and_agents_are_drawn_apart() -> None:
    """With a coin between two answers; what is shared would always be the same."""
    behaviour = Behaviour(
        highly_known=1, maybe_known=0, weakly_known=0, recall_highly=1,
        follows_passage=0.5, follow_per_severity=0,
    )  # fmt: skip
    first = _follows(behaviour)
    changes: list[dict[str, Any]] = [{"format": "self_ask"}, {"epoch": 2}]
    changes += [{"participant": agent} for agent in AGENTS]
    for change in changes:
        other = _follows(behaviour, **change)
        check_share([a == b for a, b in zip(first, other, strict=True)], 0.5)


def _follows(behaviour: Behaviour, severity: int = 1, **values: Any) -> list[bool]:
    cues = (contextual_cue(n, severity, **values) for n in range(400))
    return [_said(behaviour, description).startswith("Said") for description in cues]


# --- updates -----------------------------------------------------------------------


@pytest.mark.parametrize(("held", "law"), [("Right {n}", 0.1), ("Oslo", 0.7)])
def test_agents_yield_to_the_majority(held: str, law: float) -> None:
    behaviour = Behaviour(yield_right=0.1, yield_wrong=0.7)
    yields = []
    for n in range(400):
        own = held.format(n=n)
        description = clash_cue(
            "update", n, own_answer=own, shown=("Rome", "Rome"), round=1
        )
        assert _said(behaviour, description) in (own, "Rome")
        yields.append(_said(behaviour, description) == "Rome")
    check_share(yields, law)


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (("Oslo", "Rome"), {"Oslo"}),  # it is the majority
        (("Rome", "Bonn"), {"Rome", "Bonn"}),
        (("Rome",), {"Rome"}),
        (("Bonn", "Rome", "Rome", "Oslo"), {"Rome"}),
        (("Bonn", "Rome", "Rome", "Rome", "Oslo"), {"Rome"}),
        (("Oslo", "Oslo"), {"Oslo"}),
    ],
)
def test_who_always_yields_goes_where_most_are(
    shown: tuple[str, ...], said: set[str]
) -> None:
    behaviour = Behaviour(yield_right=1, yield_wrong=1)
    cues = (clash_cue("update", n, own_answer="Oslo", shown=shown) for n in range(50))
    assert {_said(behaviour, description) for description in cues} == said


@pytest.mark.parametrize(
    ("held", "severity", "law", "revised"),
    [
        ("Right {n}", 2, 0.2, "Said {n}"),
        ("Right {n}", 0, 0.2, "Other"),
        ("Said {n}", 2, 0.6, "Right {n}"),
        ("Oslo", 0, 0.6, "Right {n}"),
    ],
)
def test_revisions_follow_the_law(
    held: str, severity: int, law: float, revised: str
) -> None:
    behaviour = Behaviour(yield_right=0.2, yield_wrong=0.6)
    changed = []
    for n in range(400):
        own = held.format(n=n)
        answer = _said(behaviour, clash_cue("update", n, severity, own_answer=own))
        changed.append(answer != own)
        assert answer == own or answer.startswith(revised.format(n=n))
    check_share(changed, law)


def test_who_was_not_understood_answers_anew() -> None:
    follower = Behaviour(follows_passage=1, follow_per_severity=0)
    cues = [clash_cue("update", n, 3, shown=("Rome", "Rome")) for n in range(50)]
    assert all(_said(follower, description).startswith("Said") for description in cues)


# --- verdicts ----------------------------------------------------------------------


@pytest.mark.parametrize("severity", [0, 1, 4])
def test_verdicts_follow_credulity(severity: int) -> None:
    cues = [clash_cue("verdict", n, severity) for n in range(QUESTIONS)]
    found = [reasonable(Draws(BALANCED, description)) for description in cues]
    check_share(found, float(credulity(BALANCED, severity)))


def test_earlier_verdicts_flip_and_the_last_stands() -> None:
    behaviour = Behaviour(verdict_flip=0.3)
    series = [
        [
            reasonable(Draws(behaviour, clash_cue("verdict", n, 2, round=round)))
            for round in range(6)
        ]
        for n in range(QUESTIONS)
    ]
    for round in range(5):
        check_share([one[round] == one[-1] for one in series], 0.7)
    for one, other in pairwise(range(5)):
        check_share([s[one] == s[other] for s in series], 0.49 + 0.09)
    steady = Behaviour(verdict_flip=0)
    for n in range(50):
        cues = [clash_cue("verdict", n, 2, round=round) for round in range(6)]
        assert (
            len({reasonable(Draws(steady, description)) for description in cues}) == 1
        )


def test_judged_debates_are_settled_after_their_last_round() -> None:
    behaviour = Behaviour(verdict_flip=1)
    for n in range(50):
        first, fourth, last = (
            picked(Draws(behaviour, pick_cue(n, 2, round=round))) for round in (1, 4, 5)
        )
        assert first == fourth != last


@pytest.mark.parametrize("choices", [CHOICES, CHOICES[::-1]])
@pytest.mark.parametrize("severity", [0, 3])
def test_picks_follow_credulity_and_order(
    choices: tuple[str, ...], severity: int
) -> None:
    behaviour = Behaviour(follow_first=0.2)
    cues = [pick_cue(n, severity, choices=choices) for n in range(QUESTIONS)]
    found = [
        picked(Draws(behaviour, description)) == "contextual" for description in cues
    ]
    first = choices[0] == "contextual"
    own = float(credulity(behaviour, severity))
    check_share(found, 0.2 * first + 0.8 * own)


def test_judges_are_drawn_apart() -> None:
    coin = PROFILES["coin"]
    one, other = (
        [
            reasonable(Draws(coin, clash_cue("verdict", n, participant=judge)))
            for n in range(400)
        ]
        for judge in ("judge_1", "judge_2")
    )
    check_share([a == b for a, b in zip(one, other, strict=True)], 0.5)
