"""Tasks of the package inspect_evals, and questions that are answered in words."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import answer, exact, f1, includes, match, pattern
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.conversation import output_of
from inspect_debate.debate.settings import TaskScorer
from inspect_debate.scorers.debate_judge import debate_judge
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from tests.support.inspect_evals import INSTALLED, foreign
from tests.support.models import Messages, Script, scripted
from tests.support.options import (
    TOWNS,
    answers,
    calls,
    cast,
    grades,
    question,
    result,
    towns,
)
from tests.support.runs import dataset, error_of, record, run, samples, score_of


def arc(id: str, key: str, *texts: str) -> dict[str, Any]:
    labels = ("1234" if key.isdigit() else "ABCDE")[: len(texts)]
    options = {"text": list(texts), "label": list(labels)}
    return {"id": id, "question": id, "choices": options, "answerKey": key}


VAGUE = "It is one of the two."


@INSTALLED
def test_arc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        reason = score_of(sample, "choice").reason
        assert (reason == "invalid_response_format") == ("Unread" in str(sample.id))


def truthful(claim: str, labels: list[int]) -> dict[str, Any]:
    options = {"choices": [f"{claim} {n}" for n in range(4)], "labels": labels}
    return {"question": claim, "mc1_targets": options, "mc2_targets": options}


@INSTALLED
def test_truthfulqa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [truthful(f"Claim{n}", [1, 0, 0, 0]) for n in range(6)]
    task = foreign(monkeypatch, "truthfulqa", {"validation": rows})
    targets = {sample.id: sample.target[0] for sample in task.dataset}
    assert len(set(targets.values())) > 1

    def knows(messages: Messages, _: TurnDescription) -> str:
        """Knows that the first text of each is true, whatever its letter."""
        found = re.search(r"^(\w)\) Claim\d 0$", messages[-1].text, re.M)
        assert found
        return f"ANSWER: {found[1]}"

    log = run(task, tmp_path, scripted(knows), solver=ensemble())
    assert result(log) == 1.0
    for sample in samples(log):
        assert sample.output.completion == f"ANSWER: {targets[sample.id]}"


@INSTALLED
def test_truthfulqa_mc2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"validation": [truthful("Claim", [1, 0, 1, 0])]}
    task = foreign(monkeypatch, "truthfulqa", data, target="mc2")
    log = run(task, tmp_path, scripted(), solver=single(), success=False)
    assert error_of(log).startswith("A debate ends with one answer; sample")


@INSTALLED
def test_winogrande(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@INSTALLED
def test_mmlu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


WORDS: dict[str, Any] = {"answers": "free"}
Rows = list[tuple[dict[str, Any], str]]


def problem(asked: str, solution: str) -> dict[str, Any]:
    logged = {"level": "Level 5", "type": "Algebra", "solution": solution}
    return {"problem": asked} | logged


def spans(asked: str, **of_kind: Any) -> dict[str, Any]:
    none = {"number": "", "spans": [], "date": {"day": "", "month": "", "year": ""}}
    found = none | of_kind
    again = {kind: [value] for kind, value in found.items()}
    logged = {"passage": "Long ago.", "question": asked, "answer": found}
    return logged | {"query_id": asked, "validated_answers": again}


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

    def script(messages: Messages, description: TurnDescription) -> str:
        prompt = "\n".join(message.text for message in messages)
        if description is None:
            return "Yes"  # the task's own grader, whether two expressions are equal
        number = re.findall(r"Item(\d)", prompt)[0]
        return f"I thought.\nANSWER: {rows[int(number) - 1][1]}"

    return script


@INSTALLED
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
    def script(messages: Messages, description: TurnDescription) -> str:
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
    assert score_of(sample, "answer").value == "C"


SAME = [
    # Scorers, two answers, and whether they are debated.
    ([match(numeric=True)], "$400", "400", False),
    ([match(numeric=True), exact()], "$400", "400", False),
    ([match(numeric=True), exact()], "€400", "400", True),
    ([match(numeric=True)], "400", "41", True),
    ([match()], "a cat on a mat", "mat", True),
    ([exact()], "The Mat!", "mat", False),
    ([includes()], "400 mg", "400", True),
    ([question_answering()], "$400", "400", True),
]


@pytest.mark.parametrize(("scorers", "one", "other", "debated"), SAME)
def test_answers_that_are_the_same_to_the_task_are_not_debated(
    scorers: list[Any], one: str, other: str, debated: bool, tmp_path: Path
) -> None:
    def script(messages: Messages, description: TurnDescription) -> str:
        if description.kind == "answer":
            given = one if description.participant == "debater_a" else other
            return f"ANSWER: {given}"
        if description.kind == "speech":
            return "<argument>It is so.\nFinal: A\nConf: 0.7</argument>"
        return "Answer: A"

    task = Task(dataset=dataset(Sample(input="Q", target=other)), scorer=scorers)
    solver = colmad(rounds=1, config=WORDS)
    (sample,) = samples(run(task, tmp_path, scripted(script), solver=solver))
    known = record(sample)
    assert known.debated == debated
    said = [turn.field("said").value for turn in known.of_kind("answer")]
    assert said == [one, other]
    if not debated:
        assert known.skip_reason == "both answers agree"
        assert sample.output.completion.endswith(one)


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
def test_form_of_the_output(scorers: list[Any], output: str, tmp_path: Path) -> None:
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


@INSTALLED
@pytest.mark.parametrize("name", ["gsm8k", "simpleqa"])
def test_a_debate_grades_the_answers_of_a_task(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge says what the task's own grader would."""
    if name == "simpleqa":
        where = import_module("inspect_evals.simpleqa.simpleqa")
        made = import_module("inspect_evals.simpleqa.dataset").simpleqa_record_to_sample
        rows = [{"problem": f"Item{n}", "answer": f"X{n}"} for n in (1, 2)]
        data = MemoryDataset([made(row) for row in rows])
        monkeypatch.setattr(where, "simpleqa_dataset", lambda: data)
        task, right = where.simpleqa(), "X2"
    else:
        rows_of = {"test": [row for row, _ in GSM8K]}
        task, right = foreign(monkeypatch, name, rows_of, fewshot=0), "5"

    def script(messages: Messages, turn: TurnDescription | None) -> str:
        prompt = messages[-1].text
        if turn is None:  # the model under test, which knows one of the two answers
            return f"ANSWER: {right if 'Item2' in prompt else 'none'}"
        if turn.kind == "speech":
            return "<argument>So it is.</argument>"
        return f"Answer: {2 if f'ANSWER: {right}' in prompt else 1}"

    task = task_with(task, scorer=debate_judge(rounds=1, show_target=True))
    log = run(task, tmp_path, scripted(script))
    assert result(log, scorer="debate_judge") == 0.5
    graded = {
        "Item2" in str(s.input): grades(log, "debate_judge")[str(s.id)]
        for s in samples(log)
    }
    assert graded == {False: "I", True: "C"}


@pytest.mark.parametrize("hidden", [False, True])
def test_all_see_the_images_of_a_question(hidden: bool, tmp_path: Path) -> None:
    picture = ContentImage(image="data:image/png;base64,AAAA")
    text = ContentText(text="Which town is this?")
    sample = question("x", input=[ChatMessageUser(content=[text, picture])])
    roles = cast(answers(**{"Which town": "AB"}))
    roles["judge"] = scripted(lambda messages, description: "ANSWER: A")
    solver = copmad(rounds=2, judge_sees_problem=not hidden)
    log = run(towns(sample), tmp_path, "none", roles, solver=solver)
    for role, kinds in (("debater_a", 3), ("debater_b", 3), ("judge", 1)):
        asked = calls(roles, role)
        assert len(asked) == kinds
        for call in asked:
            contents = [m.content for m in call.messages]
            seen = [part for content in contents for part in content]
            shown = not (hidden and role == "judge")
            assert (picture in seen) == shown
            assert ("Which town is this?\n[image 1]" in call.prompt) == shown
    first = samples(log)[0].messages[0].content
    assert not isinstance(first, str)
    assert [part.type for part in first] == ["text", "image"]
