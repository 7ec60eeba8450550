"""As many draws as a debated item costs, against a count by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.self_consistency import self_consistency
from tests.support.models import Script, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import RIGHT, dataset, item, run

E = "Therefore, the model response contains an error."


def priced(per_token: float | None) -> Callable[[Script], Script]:
    """Makes each answer cost 10 tokens, each speech 25 and each verdict 100."""

    def price(script: Script) -> Script:
        def say(
            messages: list[ChatMessage], description: TurnDescription | None
        ) -> ModelOutput:
            assert description is not None
            text = script(messages, description)
            assert isinstance(text, str)
            output = ModelOutput.from_content("x", text)
            tokens = {"answer": 10, "speech": 25, "verdict": 100}[description.kind]
            cost = None if per_token is None else per_token * tokens**2
            output.usage = ModelUsage(
                input_tokens=tokens - 1,
                output_tokens=1,
                total_tokens=tokens,
                total_cost=cost,
            )
            return output

        return say

    return price


def debates(log_dir: Path, per_token: float | None = None) -> EvalLog:
    """One debated item of two rounds and one on which both agree."""
    price = priced(per_token)
    return run(
        Task(
            dataset=dataset(item("debated"), item("agreed", response=RIGHT)),
            solver=colmad(),
        ),
        log_dir,
        model=scripted(price(reader(True)), "sharp"),
        roles={"debater_b": scripted(price(reader(False)), "dull")},
    )


def matched(log: EvalLog, **parameters: Any) -> dict[str, Any]:
    task = colmad_task(
        protocol="self_consistency",
        source="sample",
        match=log.location,
        **parameters,
    )
    assert task.metadata is not None
    told: dict[str, Any] = task.metadata["parameters"]
    return told


def test_as_many_draws_as_a_debated_item_makes_calls(tmp_path: Path) -> None:
    log = debates(tmp_path)
    told = matched(log)
    assert told["n"] == 7
    assert told["matched"] == {
        "run": log.eval.eval_id,
        "unit": "calls",
        "per_debate": 7.0,
        "per_answer": 1.0,
    }


def test_as_many_draws_as_a_debated_item_takes_tokens(tmp_path: Path) -> None:
    # Two answers, four speeches and a verdict: 20 + 100 + 100 tokens, of 10 each.
    told = matched(debates(tmp_path), match_on="tokens")
    assert told["n"] == 22
    assert (told["matched"]["per_debate"], told["matched"]["per_answer"]) == (220, 10)


def test_as_many_draws_as_a_debated_item_costs(tmp_path: Path) -> None:
    # Squares: 2 x 100 + 4 x 625 + 10,000 against 100.
    told = matched(debates(tmp_path, per_token=0.001), match_on="cost")
    assert told["n"] == 127
    assert told["matched"]["per_debate"] == pytest.approx(12.7)


def test_a_log_without_prices_matches_no_cost(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"calls without known cost.*match_on=calls"):
        matched(debates(tmp_path), match_on="cost")


def test_the_solver_draws_as_many_as_the_task_says(tmp_path: Path) -> None:
    log = debates(tmp_path)
    model = scripted(lambda *_: E)
    solver = self_consistency(match=log.location, match_on="tokens")
    run(Task(dataset=dataset(item()), solver=solver), tmp_path, model=model)
    assert len(calls_of(model)) == 22


def test_what_was_asked_again_counts(tmp_path: Path) -> None:
    def slow(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        if description.kind == "verdict":
            return "Answer: 1" if description.reask else "Undecided."
        return reader(True)(messages, description)

    log = run(
        Task(dataset=dataset(item()), solver=colmad()),
        tmp_path,
        model=scripted(slow, "slow"),
        roles={"debater_b": scripted(reader(False), "dull")},
    )
    assert matched(log)["matched"]["per_debate"] == 8


def test_nothing_debated_matches_nothing(tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(item(response=RIGHT)), solver=colmad()),
        tmp_path,
        model=scripted(reader(True)),
    )
    with pytest.raises(InputError, match="holds no debated item"):
        matched(log)


def test_other_logs_match_nothing(tmp_path: Path) -> None:
    foreign = run(Task(dataset=dataset(item())), tmp_path, model=scripted(lambda *_: E))
    with pytest.raises(InputError, match="holds no debated item"):
        matched(foreign)
    (tmp_path / "x.eval").write_text("no log")
    with pytest.raises(InputError, match=r"match=.*x\.eval is not an Inspect log"):
        self_consistency(match=str(tmp_path / "x.eval"))
