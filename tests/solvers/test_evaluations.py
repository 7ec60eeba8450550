"""Unmodified evaluations of inspect_evals: the table in docs/solvers.md."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.scorer import value_to_float

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.matching import canonical
from inspect_debate.solvers.colmad import copmad
from tests.support.inspect_evals import INSTALLED, foreign
from tests.support.models import Messages, scripted
from tests.support.pages import ROOT
from tests.support.runs import error_of, run, samples

Row = dict[str, Any]
SAMPLES = 4
LETTERS = "ABCDE"


class Evaluation(NamedTuple):
    """An evaluation on records of ours.

    Attributes:
        row: Makes the nth record, of which the right answer is the given one of its
            options; of free answers, where it is `right`.
        options: How many options a record has; 0 where answers are in words.
        module: Where the task is, if not in a folder and file of its name.
        arguments: The task's.
        right: The right answer of the nth record, where answers are in words.
        form: Of the output, where that has to be set.
    """

    row: Callable[[int, int], Row]
    options: int = 4
    module: str | None = None
    arguments: Mapping[str, Any] = MappingProxyType({})
    right: Callable[[int], str] = lambda n: f"right{n}"
    form: str = "auto"


def texts(n: int, options: int) -> list[str]:
    return [f"thing {n}.{option}" for option in range(options)]


def labelled(n: int, k: int, options: int) -> Row:
    labels = [*LETTERS[:options]]
    choices = {"text": texts(n, options), "label": labels}
    return {"id": f"i{n}", "question": f"Q{n}", "choices": choices} | {
        "answerKey": LETTERS[k],
        "question_concept": "x",
    }


def plain(n: int, k: int, **more: Any) -> Row:
    return {"id": f"i{n}", "question": f"Q{n}", "choices": texts(n, 4)} | more


def lab(n: int, k: int) -> Row:
    first, *others = texts(n, 3)
    asked = {"id": f"i{n}", "question": f"Q{n}", "figure": {"bytes": b"\xff\xd8"}}
    return asked | {"ideal": first, "distractors": others}


def spans(n: int) -> Row:
    none = {"number": "", "spans": [], "date": {"day": "", "month": "", "year": ""}}
    found = none | {"number": str(40 + n)}
    again = {kind: [value] for kind, value in found.items()}
    asked = {"passage": "Long ago.", "question": f"Q{n}", "query_id": f"i{n}"}
    return asked | {"answer": found, "validated_answers": again}


# In PubMedQA the ids of the task's own list.
PUBMED = ("12377809", "26163474", "19100463", "18537964")
YES_NO: dict[str, Any] = {"options": 0, "right": lambda n: ("Yes", "No")[n % 2]}
NUMBER: dict[str, Any] = {"options": 0, "right": lambda n: str(40 + n)}

WORKS: dict[str, Evaluation] = {
    "arc_challenge": Evaluation(lambda n, k: labelled(n, k, 4), module="arc"),
    "commonsense_qa": Evaluation(lambda n, k: labelled(n, k, 5), 5),
    "hellaswag": Evaluation(
        lambda n, k: (
            {"ctx": f"Q{n}", "source_id": f"s{n}", "label": str(k)}
            | {"endings": texts(n, 4)}
        )
    ),
    "piqa": Evaluation(
        lambda n, k: (
            {"goal": f"Q{n}", "label": k}
            | dict(zip(("sol1", "sol2"), texts(n, 2), strict=True))
        ),
        2,
    ),
    "race_h": Evaluation(
        lambda n, k: (
            {"article": "Long ago.", "question": f"Q{n}"}
            | {"answer": LETTERS[k], "options": texts(n, 4)}
        )
    ),
    "pubmedqa": Evaluation(
        lambda n, k: (
            {"pubid": PUBMED[n], "question": f"Q{n}", "long_answer": "x"}
            | {"context": {"contexts": ["c"]}}
            | {"final_decision": ("yes", "no", "maybe")[k]}
        ),
        3,
    ),
    "medqa": Evaluation(lambda n, k: plain(n, k, answer=[texts(n, 4)[k]])),
    "musr": Evaluation(
        lambda n, k: (
            {"narrative": "Long ago.", "question": f"Q{n}"}
            | {"choices": str(texts(n, 4)), "answer_index": k}
        )
    ),
    "mmlu_0_shot": Evaluation(
        lambda n, k: plain(n, k, answer=k, subject="law"), module="mmlu"
    ),
    "mmlu_pro": Evaluation(
        lambda n, k: (
            {"question_id": f"i{n}", "question": f"Q{n}", "category": "Law"}
            | {"options": texts(n, 5), "answer": LETTERS[k], "cot_content": "x"}
        ),
        5,
    ),
    "winogrande": Evaluation(
        lambda n, k: (
            {"sentence": f"Q{n} _", "answer": str(k + 1)}
            | dict(zip(("option1", "option2"), texts(n, 2), strict=True))
        ),
        2,
    ),
    "wmdp_bio": Evaluation(lambda n, k: plain(n, k, answer=k), module="wmdp"),
    "bbq": Evaluation(
        lambda n, k: (
            {"context": "Long ago.", "question": f"Q{n}", "label": k}
            | dict(zip(("ans0", "ans1", "ans2"), texts(n, 3), strict=True))
            | {"example_id": n, "category": "c", "question_index": 1, "answer_info": {}}
            | {"question_polarity": "p", "context_condition": "a"}
            | {"additional_metadata": {}}
        ),
        3,
        arguments={"subsets": "Age"},
    ),
    "gpqa_diamond": Evaluation(
        lambda n, k: (
            {"Question": f"Q{n}", "Correct Answer": texts(n, 4)[0]}
            | {f"Incorrect Answer {i}": texts(n, 4)[i] for i in (1, 2, 3)}
            | {"Record ID": f"i{n}", "High-level domain": "Physics", "Subdomain": "x"}
        ),
        module="gpqa",
    ),
    "truthfulqa": Evaluation(
        lambda n, k: (
            {"question": f"Q{n}"}
            | {
                f"mc{i}_targets": {"choices": texts(n, 4), "labels": [1, 0, 0, 0]}
                for i in (1, 2)
            }
        )
    ),
    "lab_bench_litqa": Evaluation(lab, module="lab_bench"),
    "lab_bench_figqa": Evaluation(lab, module="lab_bench"),
    "worldsense": Evaluation(
        lambda n, k: (
            {"text": f"Q{n}", "expectedresp": ["TRUE", "FALSE"], "Key": n}
            | {"goldresp_obfusc": ("Emmanuel", "Megi")[k], "tuple_ID": n}
            | {"problemname": "Infer.trivial", "problemsize": 3}
        ),
        2,
        form="bare",
    ),
    "gsm8k": Evaluation(
        lambda n, _: {"question": f"Q{n}", "answer": f"So.\n#### {40 + n}"}, **NUMBER
    ),
    "drop": Evaluation(lambda n, _: spans(n), **NUMBER),
    "boolq": Evaluation(
        lambda n, _: {"passage": "P.", "question": f"Q{n}", "answer": n % 2 == 0},
        **YES_NO,
    ),
    "paws": Evaluation(
        lambda n, _: (
            {"sentence1": f"Q{n}", "sentence2": "x", "label": 1 - n % 2}
            | {"id": f"i{n}"}
        ),
        **YES_NO,
    ),
    "squad": Evaluation(
        lambda n, _: (
            {"id": f"i{n}", "context": "Long ago.", "question": f"Q{n}"}
            | {"answers": {"text": [f"right{n}"], "answer_start": [0]}}
        ),
        0,
    ),
}
REFUSED: dict[str, tuple[Row, str]] = {
    "xstest": (
        {
            "id": 1,
            "prompt": "Q",
            "type": "x",
            "label": "safe",
            "focus": "x",
            "note": "",
        },
        "if it is a question to be answered in words, give -S config.answers=free",
    ),
    "humaneval": (
        {"task_id": "1", "prompt": "def f():", "canonical_solution": "x"}
        | {"test": "t", "entry_point": "f"},
        "if it is a question to be answered in words, give -S config.answers=free",
    ),
    "truthfulqa": (
        {"question": "Q"}
        | {f"mc{i}_targets": {"choices": ["a", "b"], "labels": [1, 1]} for i in (1, 2)},
        "A debate ends with one answer; sample",
    ),
}


def debated(
    monkeypatch: pytest.MonkeyPatch, name: str, knowing: str, folder: Path
) -> EvalLog:
    """A run in which one debater is always right, and the other always wrong.

    The judge decides for debater A on the first three samples, and for B on the last.
    """
    one = WORKS[name]
    rows = [one.row(n, n % (one.options or 1)) for n in range(SAMPLES)]
    task = foreign(
        monkeypatch, name, {"all": rows}, module=one.module, **dict(one.arguments)
    )

    def answer(prompt: str, participant: str, target: str) -> str:
        if participant == knowing:
            return target
        if not one.options:
            return {"Yes": "No", "No": "Yes"}.get(target, "7")
        return "B" if target == "A" else "A"

    number = {}
    for place, sample in enumerate(task.dataset):
        sample.id = sample.id or place + 1
        asked = sample.input if isinstance(sample.input, str) else sample.input[-1].text
        found = re.findall(r"Q(\d)", asked)[-1]
        number[str(sample.id)] = int(found)
    options = {str(s.id): [*map(str, s.choices or [])] for s in task.dataset}
    targets = {
        str(s.id): (s.target if isinstance(s.target, str) else s.target[0])
        for s in task.dataset
    }

    def script(messages: Messages, turn: TurnDescription) -> str:
        n = number[turn.sample]
        right = targets[turn.sample] if one.options else one.right(n)
        if right in options[turn.sample]:  # the target is an option's own text
            right = LETTERS[options[turn.sample].index(right)]
        if turn.kind == "speech":
            return "<argument>It is so.</argument>"
        side = "debater_b" if n == SAMPLES - 1 else "debater_a"
        who = side if turn.kind == "verdict" else turn.participant
        given = answer(messages[-1].text, who, right)
        if turn.kind == "verdict" and not one.options:
            given = turn.name(canonical(given))
        return f"ANSWER: {given}"

    solver = copmad(
        rounds=1,
        **{"config.answers": "options" if one.options else "free"},
        **{"config.answer_form": one.form},
    )
    return run(task, folder, scripted(script), solver=solver, max_tokens=4096)


@INSTALLED
@pytest.mark.slow
@pytest.mark.parametrize("name", WORKS)
def test_accuracy_is_what_the_judge_s_rule_implies(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for knowing, share in (("debater_a", 0.75), ("debater_b", 0.25)):
        log = debated(monkeypatch, name, knowing, tmp_path)
        assert log.results is not None
        for scorer in {score.scorer for score in log.results.scores}:
            values = [(s.scores or {})[scorer].value for s in samples(log)]
            assert len(values) % SAMPLES == 0  # in all epochs
            assert fmean(map(value_to_float(), values)) == share, (scorer, values)


@INSTALLED
@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_debated_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, message = REFUSED[name]
    more = {"target": "mc2"} if name == "truthfulqa" else {}
    task = foreign(monkeypatch, name, {"all": [row]}, **more)
    task.sandbox = None  # Docker's, which is not everywhere
    log = run(task, tmp_path, scripted(), solver=copmad(), success=False)
    assert message in error_of(log)


def test_the_table_has_these_evaluations() -> None:
    page = (ROOT / "docs" / "solvers.md").read_text(encoding="utf-8")
    for name in (*WORKS, *REFUSED):
        assert f"`{name}" in page, name
