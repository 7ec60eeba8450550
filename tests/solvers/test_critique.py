"""The two formats that are not the study's: a single critique, and the critic alone."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.reports.frames import scores_df
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative import CRITIQUE_TEXTS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    RIGHT,
    by_kind,
    description_of,
    fenced,
    marked,
    ruled,
    solvable,
)
from tests.support.models import Messages, calls_of, scripted
from tests.support.runs import dataset, records, run, samples, values

SHIPPED: dict[str, Any] = {"source": "sample"}


def on_shipped(protocol: GenerativeProtocol, log_dir: Path, **given: Any) -> EvalLog:
    task = generative(protocol, **SHIPPED, **given)
    return run(task, log_dir, model="simulated/balanced", limit=4)


def test_the_models_of_a_critic_alone(tmp_path: Path) -> None:
    """The critic rules, and no judge is asked, though one is bound."""
    models = {
        role: scripted(marked, role) for role in ("debater_a", "debater_b", "judge")
    }
    solver = generative_debate("critic_alone")
    task = Task(dataset=dataset(solvable()), solver=solver, scorer=verdicts())
    log = run(task, tmp_path, "none/none", models)
    kinds = {
        role: [description_of(call).kind for call in calls_of(model)]
        for role, model in models.items()
    }
    assert kinds == {"debater_a": ["answer"], "debater_b": ["verdict"], "judge": []}
    [record], [sample] = records(log), samples(log)
    assert {p.id for p in record.participants} == {"debater_a", "debater_b"}
    found = values(sample, "verdicts")
    assert (found["right_a"], found["endorsed_a"], found["correct"]) == (0, 1, 0)
    assert record.warnings == ()


def test_a_critic_is_by_default_the_proposers_model(tmp_path: Path) -> None:
    model = scripted(marked)
    for protocol in ("critic_alone", "single_critique"):
        task = Task(dataset=dataset(solvable()), solver=generative_debate(protocol))
        [record] = records(run(task, tmp_path, model, {"judge": scripted(marked, "j")}))
        assert record.participant("debater_b").model == str(model)
        assert record.warnings == ()


def test_the_judge_of_a_critique_rules_on_answer_and_stance(tmp_path: Path) -> None:
    def say(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        if description.format == "solution":
            return fenced(RIGHT[1])
        if description.format == "rulings":
            return ruled(description.choices, 0.8, "correct", "incorrect")
        return marked(messages, description)

    model = scripted(say)
    task = Task(
        dataset=dataset(solvable()),
        solver=generative_debate("single_critique"),
        scorer=verdicts(),
    )
    [sample] = samples(run(task, tmp_path, model))
    found = values(sample, "verdicts")
    names = ("correct", "stance", "stance_right", "stance_endorsed")
    assert [found[name] for name in names] == [1, 0, 0, 0]
    [critique] = by_kind(calls_of(model), "speech")
    assert description_of(critique).participant == "debater_b"


def test_critiques_are_judged_again(tmp_path: Path) -> None:
    first = on_shipped("single_critique", tmp_path)
    again = on_shipped(
        "single_critique", tmp_path, reuse=first.location, reuse_until="debate"
    )
    for old, new in zip(records(first), records(again), strict=True):
        assert [t.public for t in new.of_kind("speech")] == [
            t.public for t in old.of_kind("speech")
        ]
        assert [turn.kind for turn in new.turns if not turn.reused] == ["verdict"]
    with pytest.raises(InputError, match="ran protocol=single_critique"):
        generative(
            "single_debate", **SHIPPED, reuse=first.location, reuse_until="debate"
        )


def test_prompts_of_a_critique_leave_runs_comparable(tmp_path: Path) -> None:
    """Shipped, they are in no log's texts; those of a user are, and are checked."""
    for protocol in ("single_no_transcript", "critic_alone", "single_critique"):
        on_shipped(protocol, tmp_path / "logs")
    assert scores_df(tmp_path / "logs")["prompts"].nunique() == 1
    mine = tmp_path / "mine.yaml"
    mine.write_text(yaml.safe_dump({"critique_speaker": "You are {name}. {untrusted}"}))
    changed = on_shipped("single_critique", tmp_path / "mine", prompts=str(mine))
    metadata = changed.eval.metadata
    assert metadata is not None
    logged = metadata["prompts"]
    assert logged.keys() & CRITIQUE_TEXTS.keys() == {"critique_speaker"}
    with pytest.raises(InputError, match="the prompt 'critique_speaker' is another"):
        generative(
            "single_critique", **SHIPPED, reuse=changed.location, reuse_until="debate"
        )
    with pytest.raises(InputError, match="critique_speaker"):
        generative("single_debate", **SHIPPED, prompts=str(mine))
