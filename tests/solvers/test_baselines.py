"""Baselines on items of error detection: outcomes, draws, chats."""

from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from inspect_ai.solver import Solver

from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.baselines import (
    ensemble,
    judge_alone,
    self_consistency,
    single,
    som,
)
from tests.support import Call, good, items, labelled, run

E, N = "error", "no_error"


def drawn(answers: str) -> Any:
    """Answers by draw, or by debater: e for an error, n for none, ? for neither."""
    names = {"e": labelled(E), "n": labelled(N), "?": "Who knows?"}

    def answer(call: Call) -> str:
        return names[answers[call.what.draw or int(call.what.role == "debater_b")]]

    return answer


@pytest.mark.parametrize(
    ("solver", "answers", "answer", "correct"),
    [
        (single(), "e", E, 1),
        (single(), "n", N, 0),
        (single(), "?", None, None),
        (ensemble(), "ee", E, 1),
        (ensemble(), "en", None, 0.5),
        (ensemble(), "ne", None, 0.5),
        (ensemble(), "e?", None, None),
        (som(rounds=1), "nn", N, 0),
        (som(), "en", None, 0.5),
        (self_consistency(), "eeennnn", N, 0),
        (self_consistency(), "eee????", E, 1),  # unread draws do not vote
        (self_consistency(n=4), "eenn", None, 0.5),
        (self_consistency(n=2), "??", None, None),
        (self_consistency(n=1, temperature=0), "e", E, 1),
    ],
)
def test_outcomes(
    tmp_path: Path, solver: Solver, answers: str, answer: Any, correct: float | None
) -> None:
    done = run(tmp_path, solver, drawn(answers), scorer=error_detection())
    debate = done.debate
    assert debate.answer == answer
    assert debate.tied == ([E, N] if correct == 0.5 else [])
    assert (debate.drawn in debate.tied) == (correct == 0.5)
    values = done.values("error_detection")
    if correct is None:
        assert isnan(values["correct"])
        assert isnan(values["prediction"])
    else:
        assert values["correct"] == values["prediction"] == correct
    assert debate.complete


def test_recorded_draws_are_fair_and_fixed_by_the_seed(tmp_path: Path) -> None:
    def draws(seed: int) -> list[str | None]:
        done = run(tmp_path, ensemble(seed=seed), drawn("en"), samples=items(30))
        return [debate.drawn for debate in done.debates]

    first = draws(0)
    assert first == draws(0)
    assert first != draws(1)
    assert 0.2 < fmean(one == E for one in first) < 0.8


def test_a_mind_updates_in_its_own_chat(tmp_path: Path) -> None:
    done = run(tmp_path, som(rounds=3), lambda c: f"<think>Hm.</think>{good(c)}")
    assert [turn.kind for turn in done.debate.turns] == ["answer"] * 2 + ["update"] * 4
    assert [turn.round for turn in done.debate.turns] == [0, 0, 1, 1, 2, 2]
    for call in done.calls[-2:]:
        roles = [message.role for message in call.messages]
        assert roles == ["user", "assistant", "user", "assistant", "user"]
        own = labelled(N if call.what.role == "debater_b" else E)
        other = labelled(E if call.what.role == "debater_b" else N)
        assert call.messages[1].text == call.messages[3].text == own
        assert other in call.messages[2].text
        assert other in call.messages[4].text


def test_a_mind_that_said_nothing_is_shown_so(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        silent = call.what.kind == "answer" and call.what.role == "debater_a"
        return "<think>Hm." if silent else good(call)

    done = run(tmp_path, som(), answer)
    updates = {c.what.role: c for c in done.calls if c.what.kind == "update"}
    assert "(no answer)" in updates["debater_b"].messages[-1].text
    assert updates["debater_a"].messages[1].text == "-"
    assert {t.status for t in done.debate.of("update")} == {"ok"}


@pytest.mark.parametrize(
    ("order", "verdicts", "answer"),
    [("ab", ["1"], E), ("ba", ["2"], N), ("both", ["1", "2"], None), ("both", "11", E)],
)
def test_judge_alone(tmp_path: Path, order: Any, verdicts: Any, answer: Any) -> None:
    def said(call: Call) -> str:
        second = call.what.order == "ba" and order == "both"
        return f"Answer: {verdicts[second]}"

    done = run(tmp_path, judge_alone(order=order), said, roles=["judge"], epochs=1)
    assert done.debate.answer == answer
    assert [t.role for t in done.debate.turns] == ["judge"] * len(verdicts)


@pytest.mark.parametrize(
    ("parser", "answer"), [("last_sentence", E), ("realmistake", N)]
)
def test_parsers(tmp_path: Path, parser: Any, answer: str) -> None:
    text = f"The response is correct in part.\n{labelled(E)}"
    assert run(tmp_path, single(parser=parser), lambda _: text).debate.answer == answer


def test_generation_settings(tmp_path: Path) -> None:
    temperatures = {
        solver: {call.config.temperature for call in run(tmp_path, solver).calls}
        for solver in (
            single(),
            ensemble(),
            self_consistency(),
            self_consistency(2, 1.0),
        )
    }
    assert list(temperatures.values()) == [{0.0}, {0.0}, {0.7}, {1.0}]
    done = run(tmp_path, single(max_tokens=77))
    assert done.calls[0].config.max_tokens == 77
