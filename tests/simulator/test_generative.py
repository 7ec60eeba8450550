"""Solutions, speeches that doubt tasks, and rulings, as they are decided and given."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise, product
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.record import Kind, Parsed
from inspect_debate.grading.code import read_code
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import (
    DOUBTS,
    Doubt,
    difficulty,
    doubt,
    endorse_probability,
    fault,
    rulings,
    solution,
    solve_probability,
    stance,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from inspect_debate.simulator.simulated import play
from inspect_debate.solvers.generative_debate import generative_debate
from tests.simulator.asking import api_for, ask, check_share
from tests.simulator.generative_asking import (
    ENTRY_POINT,
    INTERACTIONS,
    endorsed,
    generative_turn,
    generative_turns,
    in_code,
    known,
    known_code,
    review_turn,
    verdict_turn,
)
from tests.support.generative import solvable
from tests.support.generative_planted import planted_cell
from tests.support.laws import Condition
from tests.support.runs import records, run_solver

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
    answer = solution(Draws(behaviour, generative_turn("answer", n, **values)))
    assert answer in (known(n).right, *known(n).wrong)
    return answer == known(n).right


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
    turns = [generative_turn("answer", n) for n in range(N)]
    drawn = [difficulty(turn) for turn in turns]
    assert mean(drawn) == pytest.approx(0, abs=0.05)
    assert mean(d**2 for d in drawn) == pytest.approx(1 / 3, abs=0.03)
    asked = turns[3].model_copy(update={"participant": "judge", "seed": 5, "epoch": 2})
    assert difficulty(asked) == drawn[3]
    for low in (-1.0, -0.5, 0.0, 0.5):
        those = [n for n, d in enumerate(drawn) if low <= d < low + 0.5]
        law = float(solve_probability(MODEL, low + 0.25))
        check_share([_solves(MODEL, n) for n in those], law)


def test_all_wrong_solutions_are_given() -> None:
    wrong = Behaviour(solve_rate=0.0, solve_spread=0.0)
    answers = [solution(Draws(wrong, generative_turn("answer", n))) for n in range(N)]
    for x in range(3):
        check_share(
            [text == known(n).wrong[x] for n, text in enumerate(answers)], 1 / 3
        )


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
        turn = generative_turn("answer", n)
        other = turn.model_copy(update=values)
        assert solution(Draws(MODEL, turn)) == solution(Draws(MODEL, other))


@pytest.mark.parametrize(
    "values", [{"participant": "debater_b"}, {"epoch": 2}, {"draw": "x"}, {"seed": 1}]
)
def test_solutions_differ_where_they_are_drawn_anew(values: dict[str, Any]) -> None:
    turns = [generative_turn("answer", n) for n in range(50)]
    again = [turn.model_copy(update=values) for turn in turns]
    assert _solved(BALANCED, turns) != _solved(BALANCED, again)
    labelled, seeded = (
        BALANCED.model_copy(update=update) for update in ({"label": "a"}, {"seed": 1})
    )
    texts = [_solved(model, turns) for model in (BALANCED, labelled, seeded)]
    assert len(set(map(tuple, texts))) == 3


def _solved(behaviour: Behaviour, turns: Any) -> list[str]:
    return [solution(Draws(behaviour, turn)) for turn in turns]


# --- stances -----------------------------------------------------------------------


def test_stances_follow_the_law_and_are_kept() -> None:
    for right, law in ((True, 0.8), (False, 0.35)):
        agreed = []
        for n in range(500):
            given = known(n).right if right else known(n).wrong[0]
            taken = {
                stance(Draws(BALANCED, review_turn(n, own_answer=given, **values)))
                for values in ({}, {"round": 2}, {"draw": "1"}, {"draw": "4"})
            }
            assert len(taken) == 1
            agreed.append(taken == {"agree"})
        check_share(agreed, law)


def test_an_answer_that_was_not_read_is_wrong() -> None:
    always = Behaviour(critic_agrees_right=1.0, critic_agrees_wrong=0.0)
    assert stance(Draws(always, review_turn(own_answer=None))) == "disagree"
    perfect = PROFILES["perfect"]
    assert endorsed(perfect, verdict_turn(shown=("",))) == (False,)


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
    asked: dict[str, Any] = {"interaction": interaction, "best_of": best_of}
    asked |= {"kind": kind}
    for right in (True, False):
        alone = [verdict_turn(n, (right,), **asked) for n in range(400)]
        law = _law(interaction, gained, right, False)
        check_share([endorsed(MODEL, turn)[0] for turn in alone], law)
    pairs = [verdict_turn(n, (True, False), **asked) for n in range(400)]
    found = [endorsed(MODEL, turn) for turn in pairs]
    check_share([one for one, _ in found], _law(interaction, gained, True, True))
    check_share([other for _, other in found], _law(interaction, gained, False, False))


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
        turns = [verdict_turn(n, (True, True), **(ONE | changed)) for n in range(60)]
        return [rulings(Draws(COIN, turn))["Alice"].correct for turn in turns]

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
        turns = [verdict_turn(n, (True, True), **(ONE | changed)) for n in range(400)]
        return [rulings(Draws(anew, turn))["Alice"].correct for turn in turns]

    pairs = zip(ruled(), ruled(**values), strict=True)
    check_share([one == other for one, other in pairs], 0.5)


def test_candidates_are_ruled_on_apart() -> None:
    """Of each candidate there is another ruling and another confidence."""
    draws = [f"{seat} {n}" for seat in ("debater_a", "debater_b") for n in (1, 2)]
    same = []
    for n, (one, other) in product(range(200), pairwise(draws)):
        first, second = (
            rulings(Draws(COIN, generative_turn("reward", n, draw=draw)))["Alice"]
            for draw in (one, other)
        )
        same.append(first.correct == second.correct)
    check_share(same, 0.5)
    stated = {
        rulings(Draws(BALANCED, generative_turn("reward", draw=f"debater_a {k}")))[
            "Alice"
        ].confidence
        for k in range(20)
    }
    assert len(stated) > 5
    rounds = [
        endorsed(COIN, generative_turn("reward", n, round=round))
        for round in (1, 2)
        for n in range(50)
    ]
    assert rounds[:50] != rounds[50:]


@pytest.mark.parametrize("given", ["agree", "disagree", None])
@pytest.mark.parametrize("kind", ["verdict", "reward"])
def test_a_critic_is_ruled_on_as_the_answer_is(given: str | None, kind: Kind) -> None:
    names = ("Alice", "Bob")
    for n, right in product(range(60), (True, False)):
        turn = verdict_turn(n, (right,), choices=names, own_answer=given, kind=kind)
        answer, critic = endorsed(BALANCED, turn)
        assert critic == (given == ("agree" if answer else "disagree"))
        alone = verdict_turn(n, (right,), kind=kind)
        assert endorsed(BALANCED, alone) == (answer,)


def test_confidences_follow_whether_the_ruling_is_right() -> None:
    stated: dict[bool, list[float]] = {True: [], False: []}
    critics: dict[bool, list[float]] = {True: [], False: []}
    for n, right in product(range(600), (True, False)):
        turn = verdict_turn(n, (right,), choices=("Alice", "Bob"), own_answer="agree")
        answer, critic = rulings(Draws(BALANCED, turn)).values()
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
            turn = verdict_turn(n, right, interaction=interaction)
            assert endorsed(perfect, turn) == right
            assert all(endorsed(yes, turn))


def test_labels_tell_models_apart() -> None:
    turns = [verdict_turn(n, (True, False)) for n in range(100)]
    anna, ben = (behaviour_of(f"balanced/{name}", {}) for name in ("anna", "ben"))
    assert [endorsed(anna, turn) for turn in turns] != [
        endorsed(ben, turn) for turn in turns
    ]
    reviews = [review_turn(n) for n in range(100)]
    assert len({tuple(stance(Draws(m, c)) for c in reviews) for m in (anna, ben)}) == 2


ALWAYS = Behaviour(doubted_tasks=1, doubts_task=1)
HALF = Behaviour(doubted_tasks=0.5, doubts_task=0.5)


def _doubts(text: str) -> list[str]:
    """What is at fault by the sentences of a text."""
    return [what for what, lines in DOUBTS.items() for line in lines if line in text]


def _speeches(n: int) -> list[TurnDescription]:
    rounds = [generative_turn("speech", n, round=round) for round in (1, 2)]
    others = [generative_turn("candidate", n, draw="3"), review_turn(n)]
    return [*rounds, *others, review_turn(n, draw="2", round=2)]


def _of(kind: str, turns: Iterable[TurnDescription], n: int) -> list[TurnDescription]:
    return [in_code(turn, n) if kind == "code" else turn for turn in turns]


KINDS = pytest.mark.parametrize("kind", ["grids", "code"])


@KINDS
def test_what_is_drawn_is_what_is_said(kind: str) -> None:
    found = Counter[str]()
    for n in range(120):
        for turn in _of(kind, _speeches(n), n):
            drawn = doubt(Draws(HALF, turn))
            assert _doubts(play(HALF, turn, "").text) == ([drawn] if drawn else [])
            found[str(drawn)] += 1
    assert set(found) == {"tests", "statement", "examples", "None"}


@KINDS
def test_a_faulty_task_is_so_for_all(kind: str) -> None:
    """For all seats, rounds, epochs, runs and models of one rate."""
    faults: list[Doubt | None] = []
    for n in range(300):
        one, other = _of(kind, [generative_turn("speech", n), review_turn(n)], n)
        anew = other.model_copy(update={"seed": 7, "epoch": 2, "sample": "x"})
        found = {
            fault(Draws(behaviour, turn))
            for behaviour in (HALF, Behaviour(doubted_tasks=0.5, seed=3, label="ben"))
            for turn in (one, other, anew)
        }
        assert len(found) == 1
        faults += found
        less = fault(Draws(Behaviour(doubted_tasks=0.2), one))
        assert less in (None, faults[-1])
    check_share([what is not None for what in faults], 0.5)
    for what in ("tests", "statement", "examples"):
        check_share([each == what for each in faults if each], 1 / 3)


@pytest.mark.parametrize(("tasks", "speeches"), [(1, 0.3), (0.4, 1), (0, 1), (1, 0)])
def test_rates(tasks: float, speeches: float) -> None:
    behaviour = Behaviour(doubted_tasks=tasks, doubts_task=speeches)
    answers = [
        doubt(Draws(behaviour, generative_turn("speech", n))) is not None
        for n in range(500)
    ]
    check_share(answers, tasks * speeches)


@KINDS
def test_only_speeches_doubt(kind: str) -> None:
    for turn in _of(kind, generative_turns(1), 1):
        doubts = _doubts(play(ALWAYS, turn, "").text)
        assert len(doubts) == (turn.kind in ("speech", "candidate")), turn


def test_nothing_else_changes() -> None:
    """Speeches are the same wherever nothing is doubted, whatever the rates."""
    for n in range(60):
        for turn in _speeches(n):
            if doubt(Draws(HALF, turn)) is None:
                never = Behaviour(doubted_tasks=0)
                assert play(HALF, turn, "") == play(never, turn, "")


@KINDS
def test_doubts_vary(kind: str) -> None:
    texts = [
        play(ALWAYS, turn, "").text
        for n in range(60)
        for turn in _of(kind, _speeches(n), n)
    ]
    for lines in DOUBTS.values():
        assert all(any(line in text for text in texts) for line in lines)


# --- what is drawn is what is read -------------------------------------------------


def test_completions_of_answers_are_the_same_in_every_format() -> None:
    """Down to how they go wrong, so that runs of several formats are paired."""
    faulty = Behaviour(unreadable_rate=0.3, refused_rate=0.2, hostile_rate=0.5)
    asked = {"interaction": "consultancy", "best_of": 4, "rounds": 3}
    for n in range(60):
        turn = generative_turn("answer", n)
        other = turn.model_copy(update=asked)
        assert play(faulty, turn, "") == play(faulty, other, "")


@pytest.mark.parametrize("kind", ["answer", "verdict", "reward"])
def test_what_no_data_set_has_registered_is_not_played(kind: Kind) -> None:
    turn = generative_turn(kind, question="nowhere")
    with pytest.raises(InputError, match="the task of sample 'task1'"):
        ask(api_for(), turn)


def test_a_stance_needs_a_known_task_and_a_plain_speech_does_not() -> None:
    with pytest.raises(InputError, match="register_solution"):
        ask(api_for(), review_turn(question="nowhere"))
    (output,) = ask(api_for(), generative_turn("speech", question="nowhere"))
    assert output.completion


CASES = [(n, epoch) for n in range(100) for epoch in (1, 2, 3)]


def _read(text: str) -> Parsed:
    return read_code(text, ENTRY_POINT)


# --- programs ----------------------------------------------------------------------


def test_right_and_wrong_programs_are_those_of_the_data_set() -> None:
    turns = [
        in_code(generative_turn("answer", n, epoch=epoch), n) for n, epoch in CASES
    ]
    given: list[int] = []
    for (n, _), output in zip(CASES, ask(api_for(), *turns), strict=True):
        known = known_code(n)
        given.append(
            (known.right, *known.wrong).index(str(_read(output.completion).value))
        )
    check_share([which == 0 for which in given], 0.6)
    for wrong in (1, 2, 3):
        check_share([which == wrong for which in given if which], 1 / 3)


def test_rulings_are_the_same_as_on_grids() -> None:
    """What is decided does not depend on what a solution consists of."""
    behaviour = Behaviour()
    for n in range(30):
        for turn in (verdict_turn(n, (True, False)), generative_turn("reward", n)):
            other = in_code(turn, n).model_copy(update={"question": turn.question})
            shown = {"shown": turn.shown, "own_answer": turn.own_answer}
            assert rulings(Draws(behaviour, turn)) == rulings(
                Draws(behaviour, other.model_copy(update=shown))
            )


def test_a_verdict_before_its_reasons_is_written_first(tmp_path: Path) -> None:
    """So that its tokens do not follow from reasons."""
    config = {"verdict": {"first": True, "probability": "token"}}
    solver = generative_debate("dual_debate", rounds=1, config=config)
    log = run_solver(solver, solvable(), tmp_path, "simulated/balanced")
    (record,) = records(log)
    (verdict,) = record.of_kind("verdict")
    assert verdict.public.startswith("```json")
    assert len(verdict.public.rpartition("```")[2].split()) > 20
    rows = [r for r in judged_probabilities(record) if r.channel == "token"]
    assert {(r.place, r.status) for r in rows} == {("before_reasons", "ok")}
