"""Tasks of inspect_evals without options, whose answers their own scorers read."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import answer, exact, f1, includes, match, pattern
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.conversation import output_of
from inspect_debate.debate.settings import TaskScorer
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from tests.solvers.test_inspect_evals import foreign
from tests.support.models import Script, scripted
from tests.support.runs import dataset, run, samples

WORDS: dict[str, Any] = {"answers": "free"}
Rows = list[tuple[dict[str, Any], str]]


def problem(asked: str, solution: str) -> dict[str, Any]:
    told = {"level": "Level 5", "type": "Algebra", "solution": solution}
    return {"problem": asked} | told


def spans(asked: str, **of_kind: Any) -> dict[str, Any]:
    none = {"number": "", "spans": [], "date": {"day": "", "month": "", "year": ""}}
    found = none | of_kind
    again = {kind: [value] for kind, value in found.items()}
    told = {"passage": "Long ago.", "question": asked, "answer": found}
    return told | {"query_id": asked, "validated_answers": again}


def context(asked: str, *texts: str) -> dict[str, Any]:
    answers = {"text": list(texts), "answer_start": [0 for _ in texts]}
    return {"id": asked, "context": "Long ago.", "question": asked, "answers": answers}


MATH: Rows = [
    (problem("Item1", r"So \boxed{\frac{1}{2}}."), r"\frac{1}{2}"),
    (problem("Item2", r"So \boxed{[0,1]}."), "[0,1]"),
    (problem("Item3", r"So \boxed{(-\infty, 3]}."), r"(-\infty, 3]"),
    (problem("Item4", r"So \boxed{-5}."), "-5"),
    (problem("Item5", r"So \boxed{x^2 + 2x + 1}."), "x^2 + 2x + 1"),
]
GSM8K: Rows = [
    ({"question": "Item1", "answer": "He has 70.\n#### 70,000"}, "70,000"),
    ({"question": "Item2", "answer": "He has 5.\n#### 5"}, "5"),
]
AIME: Rows = [
    ({"ID": "1", "Problem": "Item1", "Solution": "x", "Answer": 204}, "204"),
    ({"ID": "2", "Problem": "Item2", "Solution": "x", "Answer": 25}, "025"),
]
SQUAD: Rows = [
    (context("Item1", "10th century", "the 10th century"), "10th century"),
    (context("Item2"), "unanswerable"),
    (context("Item3", "O'Neil's law"), "O'Neil's law"),
]
DROP: Rows = [
    (spans("Item1?", number="4"), "4"),
    (spans("Item2?", spans=["Ann Lee", "Bob"]), "Ann Lee,Bob"),
    (spans("Item3?", date={"day": "4", "month": "May", "year": "1901"}), "4 May 1901"),
]
BOOLQ: Rows = [
    ({"passage": "P.", "question": "Item1", "answer": True}, "Yes"),
    ({"passage": "P.", "question": "Item2", "answer": False}, "No"),
]
TASKS: dict[str, tuple[str, Rows, dict[str, Any]]] = {
    "math": ("test", MATH, {}),
    "gsm8k": ("test", GSM8K, {"fewshot": 0}),
    "aime2024": ("train", AIME, {}),
    "squad": ("validation", SQUAD, {}),
    "drop": ("validation", DROP, {"fewshot": 0}),
    "boolq": ("validation", BOOLQ, {}),
}


def always_right(rows: Rows) -> Script:
    """Answers rightly, in the words in which the record has it, and grades so."""

    def script(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        prompt = "\n".join(message.text for message in messages)
        if description is None:
            return "Yes"  # the task's own grader, whether two expressions are equal
        number = re.findall(r"Item(\d)", prompt)[0]
        return f"I thought.\nANSWER: {rows[int(number) - 1][1]}"

    return script


@pytest.mark.slow
@pytest.mark.parametrize("by", [single, colmad, judge_alone])
@pytest.mark.parametrize("name", TASKS)
def test_a_model_that_is_always_right_gets_all_points(
    name: str,
    by: Callable[..., Solver],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    split, rows, arguments = TASKS[name]
    data = {split: [row for row, _ in rows]}
    task = foreign(monkeypatch, name, data, **arguments)
    log = run(task, tmp_path, scripted(always_right(rows)), solver=by(config=WORDS))
    assert log.results is not None
    assert log.results.scores
    for score in log.results.scores:
        metric = next(m for n, m in score.metrics.items() if n != "stderr")
        # Sympy reads no intervals, whoever gives them.
        best = 0.6 if score.name == "expression_exact_match_sympy" else 1.0
        assert metric.value == best, (score.name, samples(log)[0].output.completion)


def test_a_debated_answer_is_in_the_form_of_the_task(tmp_path: Path) -> None:
    def script(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        if description.kind == "speech":
            return "<argument>It is so.\nFinal: A\nConf: 0.7</argument>"
        if description.kind == "verdict":
            prompt = messages[-1].text
            return f"Answer: {'A' if 'Answer A: 42' in prompt else 'B'}"
        return f"ANSWER: {42 if description.participant == 'debater_a' else 43}"

    task = Task(dataset=dataset(Sample(input="Q", target="42")), scorer=answer("line"))
    solver = copmad(rounds=1, config=WORDS)
    log = run(task, tmp_path, scripted(script), solver=solver)
    (sample,) = samples(log)
    assert sample.output.completion == "ANSWER: 42"
    assert (sample.scores or {})["answer"].value == "C"


def taken(text: str) -> str:
    return text


FORMS = [
    # Scorers, and the output of an answer "Yes".
    ([match()], "ANSWER: Yes"),
    ([match("any"), includes()], "ANSWER: Yes"),
    ([match("begin")], "Yes"),
    ([match("exact")], "Yes"),
    ([exact()], "Yes"),
    ([f1()], "Yes"),
    ([f1(taken)], "ANSWER: Yes"),
    ([pattern(r"\A(Yes|No)\Z")], "Yes"),
    ([pattern(r"(?i)answer:\s*(\w+)")], "ANSWER: Yes"),
    ([pattern(r"(Yes|No)")], "ANSWER: Yes"),
    ([pattern(r"([A-Za-z]+)")], "Yes"),
    ([question_answering()], "Yes"),
    ([question_answering(), answer("line")], "ANSWER: Yes"),
]


@pytest.mark.parametrize(("scorers", "output"), FORMS)
def test_the_output_is_as_the_scorers_read_it(
    scorers: list[Any], output: str, tmp_path: Path
) -> None:
    task = Task(dataset=dataset(Sample(input="Q", target="Yes")), scorer=scorers)
    model = scripted(lambda messages, description: "ANSWER: Yes")
    (sample,) = samples(run(task, tmp_path, model, solver=single(config=WORDS)))
    assert sample.output.completion == output


@pytest.mark.parametrize(("form", "output"), [("line", "ANSWER: x"), ("bare", "x")])
def test_the_form_can_be_set(form: Any, output: str, tmp_path: Path) -> None:
    scorers = [exact(), answer("line")]
    task = Task(dataset=dataset(Sample(input="Q", target="x")), scorer=scorers)
    solver = single(**{"config.answers": "free", "config.answer_form": form})
    model = scripted(lambda messages, description: "ANSWER: x")
    (sample,) = samples(run(task, tmp_path, model, solver=solver))
    assert sample.output.completion == output


def test_a_scorer_that_nobody_knows_is_named(caplog: pytest.LogCaptureFixture) -> None:
    assert output_of("x", "auto", [TaskScorer("mine/anls", {})]) == "ANSWER: x"
    assert "scorer mine/anls" in caplog.text
    assert "config.answer_form=line or =bare" in caplog.text
