"""Tasks of the package inspect_evals as they are, on a few questions of our own."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.baselines import ensemble, single
from inspect_debate.solvers.colmad import colmad, copmad
from tests.support.inspect_evals import INSTALLED
from tests.support.models import scripted
from tests.support.options import TOWNS, answers, calls, cast, grades, result
from tests.support.runs import record, run, samples

pytestmark = INSTALLED


def foreign(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: Mapping[str, list[dict[str, Any]]],
    *,
    module: str | None = None,
    **arguments: Any,
) -> Task:
    """A task of the installed package whose data sets, by their split, are ours."""

    def load(
        *,
        split: str,
        sample_fields: Callable[[dict[str, Any]], Sample],
        shuffle_choices: int | None = None,
        **_: Any,
    ) -> MemoryDataset:
        loaded = MemoryDataset([sample_fields(row) for row in data[split]], "ours")
        if shuffle_choices is not None:
            loaded.shuffle_choices(shuffle_choices)
        return loaded

    folder = module or name
    where = import_module(f"inspect_evals.{folder}.{folder}")
    monkeypatch.setattr(where, "hf_dataset", load)
    task = getattr(where, name)(**arguments)
    assert isinstance(task, Task)
    return task


def arc(id: str, key: str, *texts: str) -> dict[str, Any]:
    labels = ("1234" if key.isdigit() else "ABCDE")[: len(texts)]
    options = {"text": list(texts), "label": list(labels)}
    return {"id": id, "question": id, "choices": options, "answerKey": key}


VAGUE = "It is one of the two."


def test_arc_has_three_to_five_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        arc("Agreed, right", "B", "ice", "tea", "soot", "mist"),
        arc("Agreed, wrong", "4", "ice", "tea", "soot", "mist"),
        arc("Judged, right", "C", "ice", "tea", "soot"),
        arc("Judged, wrong", "E", "ice", "tea", "soot", "mist", "fog"),
        arc("Unread verdict", "A", "ice", "tea", "soot", "mist"),
        arc("Unread answer", "A", "ice", "tea", "soot", "mist"),
    ]
    known = answers(**{"Agreed, right": "BB", "Agreed, wrong": "AA"})
    known |= answers(**{"Judged, right": "CAC", "Judged, wrong": "AEA"})
    known["Unread verdict"] = {"debater_a": "A", "debater_b": "B", "judge": VAGUE}
    known["Unread answer"] = {"debater_a": VAGUE, "debater_b": "A"}
    task = foreign(monkeypatch, "arc_challenge", {"test": rows}, module="arc")
    log = run(task, tmp_path, "none", cast(known), solver=colmad(rounds=1))
    ended = {
        s.id: (grades(log)[str(s.id)], s.output.completion, record(s).debated)
        for s in samples(log)
    }
    assert ended == {
        "Agreed, right": ("C", "ANSWER: B", False),
        "Agreed, wrong": ("I", "ANSWER: A", False),
        "Judged, right": ("C", "ANSWER: C", True),
        "Judged, wrong": ("I", "ANSWER: A", True),
        "Unread verdict": ("I", "(unparsed)", True),
        "Unread answer": ("I", "(unparsed)", False),
    }
    assert result(log) == pytest.approx(2 / 6)
    for sample in samples(log):
        reason = (sample.scores or {})["choice"].reason
        assert (reason == "invalid_response_format") == ("Unread" in str(sample.id))


def truthful(claim: str, labels: list[int]) -> dict[str, Any]:
    options = {"choices": [f"{claim} {n}" for n in range(4)], "labels": labels}
    return {"question": claim, "mc1_targets": options, "mc2_targets": options}


def test_truthfulqa_shuffles_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [truthful(f"Claim{n}", [1, 0, 0, 0]) for n in range(6)]
    task = foreign(monkeypatch, "truthfulqa", {"validation": rows})
    targets = {sample.id: sample.target[0] for sample in task.dataset}
    assert len(set(targets.values())) > 1

    def knows(messages: list[ChatMessage], _: TurnDescription | None) -> str:
        """Knows that the first text of each is true, whatever its letter."""
        found = re.search(r"^(\w)\) Claim\d 0$", messages[-1].text, re.M)
        assert found
        return f"ANSWER: {found[1]}"

    log = run(task, tmp_path, scripted(knows), solver=ensemble())
    assert result(log) == 1.0
    for sample in samples(log):
        assert sample.output.completion == f"ANSWER: {targets[sample.id]}"


def test_truthfulqa_with_several_truths_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"validation": [truthful("Claim", [1, 0, 1, 0])]}
    task = foreign(monkeypatch, "truthfulqa", data, target="mc2")
    log = run(task, tmp_path, scripted(), solver=single(), success=False)
    assert log.error is not None
    assert log.error.message.startswith("A debate ends with one answer; sample")


def test_winogrande_has_two_options_and_a_token_limit_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row(who: str, right: str) -> dict[str, Any]:
        options = {"option1": "box", "option2": "bag", "answer": right}
        return {"sentence": f"The _ is heavy, said {who}."} | options

    rows = [row("Ann", "1"), row("Ben", "2"), row("Cid", "2")]
    data = {"validation": rows, "train": rows[:1]}
    task = foreign(monkeypatch, "winogrande", data, fewshot=1)
    assert task.config.max_tokens == 64
    roles = cast(answers(Ann="ABA", Ben="BAA", Cid="BBB"))
    log = run(task, tmp_path, "none", roles, solver=copmad(rounds=1), max_tokens=500)
    right = {str(s.input)[-4:-1]: grades(log)[str(s.id)] for s in samples(log)}
    assert right == {"Ann": "C", "Ben": "I", "Cid": "C"}
    assert result(log) == pytest.approx(2 / 3)
    # What is typed for the run wins over what the task sets for its bare letter.
    assert {c.config.max_tokens for c in calls(roles, "debater_a")} == {500}
    # The task's instruction and solved examples went with the solver they are in.
    (prompt, *_) = calls(roles, "debater_a", "answer")
    assert "The following are multiple choice questions" not in prompt.prompt


def test_mmlu_has_solved_examples_in_its_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def row(asked: str, right: int) -> dict[str, Any]:
        return {
            "question": asked,
            "choices": TOWNS,
            "answer": right,
            "subject": "towns",
        }

    data = {"dev": [row("Solved one?", 3)], "test": [row("Which town?", 1)]}
    task = foreign(monkeypatch, "mmlu_5_shot", data, module="mmlu")
    roles = cast(answers(**{"Which town?": "BAB"}))
    log = run(task, tmp_path, "none", roles, solver=colmad(rounds=1))
    assert result(log) == 1.0
    prompt = calls(roles, "debater_a", "answer")[0].prompt
    assert "<question>\nSystem: The following are multiple choice" in prompt
    assert "\n\nUser: Answer the following multiple choice question" in prompt
    assert "\n\nAssistant: Answer: D\n\nUser: Which town?\n</question>" in prompt
    assert "User: Which town?" in samples(log)[0].messages[0].text
