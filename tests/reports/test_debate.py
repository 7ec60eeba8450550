"""The report on debates over questions: numbers by hand, and logs of other tasks."""

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score, choice
from inspect_ai.solver import Generate, Solver, SolverSpec, TaskState, solver

from inspect_debate.cli import main
from inspect_debate.debate.errors import InputError
from inspect_debate.reports import frames
from inspect_debate.reports.compare import compare
from inspect_debate.reports.debate import PROTOCOLS, report
from inspect_debate.reports.report import Headline, Item, Notice, Table
from tests.reports.conftest import WriteLog, sample

A, B, J = "p/a", "p/b", "p/judge"
PASSAGE = {"judge_sees_passage": True}


def question(id: object, correct: float, **process: float) -> EvalSample:
    """A question with two options, as the task `debate` leaves it."""
    value = {"correct": correct, "chance": 0.5}
    one = sample(str(id), "A", process=process, scores={"question_answering": value})
    return one.model_copy(update={"choices": ["x", "y"]})


def foreign(id: object, value: Any, **scores: Any) -> EvalSample:
    """A question of some other task, with three options and the score `match`."""
    one = sample(str(id), "A").model_copy(update={"choices": ["x", "y", "z"]})
    given = {"match": value} | scores
    one.scores = {n: Score(value=of) for n, of in given.items() if of is not None}
    return one


def asked(correct: Sequence[float], **process: float) -> list[EvalSample]:
    return [question(n, one, **process) for n, one in enumerate(correct)]


def items(logs: Iterable[str], full: bool = False) -> list[Item]:
    return [*report(frames.samples([*logs], "debate", PROTOCOLS), full)]


def table(found: Iterable[Item], name: str, index: str = "Condition") -> Any:
    [frame] = [i.frame for i in found if isinstance(i, Table) and i.name == name]
    return frame.set_index(index)


def notes(found: Iterable[Item]) -> str:
    return " ".join(" ".join(i.texts) for i in found if isinstance(i, Notice))


@pytest.fixture
def run(write_log: WriteLog) -> Any:
    """Write a log of the task `debate`."""

    def write(protocol: str, samples: Sequence[EvalSample], **given: Any) -> str:
        return write_log(samples, protocol, **{"study": "debate", **given})

    return write


def test_accuracy_with_and_without_an_outcome(run: Any) -> None:
    found = items([run("debate", asked([1, 1, 0, 0.5, nan]))])
    row = table(found, "scores").loc["Debate"]
    assert (row["Samples"], row["No outcome"]) == (5, 1)
    assert row["Accuracy"].value == pytest.approx(62.5)
    assert row["Of all samples"].value == pytest.approx(50)
    assert row["Chance"] == 50
    # Wilson at four independent samples; their variance is below that of 0 and 1.
    assert row["Accuracy"].low < 62.5 < row["Accuracy"].high


def test_consultants_are_honest_or_not(run: Any) -> None:
    samples = [question(n, n != 3, honest=n < 2, speeches=2) for n in range(4)]
    log = run("consultancy", samples)
    row = table(items([log]), "scores").loc["Consultancy"]
    assert (row["Honest"].value, row["Dishonest"].value) == (100, 50)
    assert "Honest" not in table(items([run("debate", asked([1, 0]))]), "scores")


def test_what_was_said(run: Any) -> None:
    said: dict[str, float] = {
        "speeches": 4,
        "speeches_lost": 1,
        "concessions": 1,
        "quotes": 4,
    }
    said |= {"quotes_verified": 3, "passage_read": 0.25, "words": 90}
    logs = [run("debate", asked([1, 0], **said)), run("judge_alone", asked([1, 0]))]
    found = table(items(logs), "debates")
    assert [*found.index] == ["Debate"]
    values = {n: getattr(v, "value", v) for n, v in found.loc["Debate"].items()}
    assert values == pytest.approx(
        {
            "Debates": 2,
            "Words a speech": 90,
            "Quotes a debate": 4,
            "Quotes verified": 75,
            "Passage read": 25,
            "Conceded": 100 / 3,
        }
    )


def test_differences_are_paired_and_the_judge_alone_comes_first(run: Any) -> None:
    logs = [
        run("single", asked([1, 1, 1, 1])),
        run("judge_alone", asked([1, 1, 1, 1]), changed=PASSAGE),
        run("consultancy", asked([1, 1, 0, 0])),
        run("judge_alone", asked([0, 0, 0, 1, nan])),
        run("debate", asked([1, 1, 1, 0, 1])),
    ]
    found = items(logs)
    paired = table(found, "paired", "Treatment").loc["Debate"]
    assert [*paired["Baseline"]] == [
        "Judge alone",
        "Consultancy",
        "Judge alone, judge_sees_passage=true",
        "Single",
    ]
    differences = [one.value for one in paired["Difference"]]
    assert differences == pytest.approx([50, 25, -25, -25])
    assert [*paired["Pairs"]] == [4, 4, 4, 4]
    # 3 better and 1 worse of 4: P(3 or more of 4) = 5/16, and mid-p takes half of 4/16.
    assert paired["p"].iloc[0] == pytest.approx(2 * (5 / 16 - 2 / 16))
    headline = found[0]
    assert isinstance(headline, Headline)
    assert "50.0 points higher" in headline.text
    assert "0.38; 4 paired" in headline.text


@pytest.mark.parametrize(
    ("protocol", "given", "compared"),
    [
        ("judge_alone", {"judge": J}, True),
        ("judge_alone", {"judge": A}, False),
        ("consultancy", {"judge": J}, True),
        ("consultancy", {"judge": B}, False),
        ("single", {"debater_a": B, "judge": B}, True),
        ("single", {"debater_a": J}, False),
        ("som", {"debater_a": A, "debater_b": J}, False),
        ("ensemble", {"debater_a": A, "debater_b": B}, True),
        ("colmad", {"debater_a": J, "judge": B}, True),
    ],
)
def test_judges_are_compared_with_themselves_and_debaters_are(
    run: Any, protocol: str, given: Mapping[str, str], compared: bool
) -> None:
    debate = {"debater_a": A, "debater_b": B, "judge": J}
    logs = [
        run("debate", asked([1, 0]), roles=debate),
        run(protocol, asked([0, 1]), roles=given),
    ]
    names = [item.name for item in items(logs) if isinstance(item, Table)]
    assert ("paired" in names) == compared


def test_other_content_is_another_question(run: Any) -> None:
    other = [one.model_copy(update={"input": "Other"}) for one in asked([1, 1])]
    reordered = asked([0, 0])
    reordered[0].choices, reordered[0].target = ["y", "x"], "B"
    logs = [
        run("debate", asked([1, 1])),
        run("judge_alone", reordered),
        run("single", other),
    ]
    paired = table(items(logs), "paired", "Baseline")
    assert [*paired.index] == ["Judge alone"]
    assert paired["Pairs"].iloc[0] == 2


def test_epochs_and_groups_are_clusters(run: Any) -> None:
    def two(first: float, second: float) -> list[EvalSample]:
        pairs = enumerate((first, second), start=1)
        return [question("q", c).model_copy(update={"epoch": n}) for n, c in pairs]

    logs = [run("debate", two(1, 1)), run("judge_alone", two(0, 0))]
    row = table(items(logs), "paired", "Treatment").loc["Debate"]
    assert (row["Pairs"], row["Difference"].value) == (2, 100)
    assert isnan(row["p"])
    assert isnan(row["Difference"].low)


def test_debates_are_compared_with_each_other(run: Any) -> None:
    logs = [run("debate", asked([1, 0]), changed={"rounds": n}) for n in (3, 4, 5)]
    for full, rows in ((False, 2), (True, 3)):
        assert len(table(items(logs, full), "paired", "Treatment")) == rows


FOREIGN: list[Any] = [
    ({}, "C", 100),
    ({}, 0.5, 50),
    ({}, {"a": 0.25, "b": 1}, 25),
    ({}, {"a": 0, "correct": 1}, 100),
    ({"other": "C"}, "I", 0),
    ({"question_answering": {"correct": 1.0}}, "I", 100),
]


@pytest.mark.parametrize(("more", "value", "accuracy"), FOREIGN)
def test_other_tasks_count_as_they_score(
    write_log: WriteLog, more: dict[str, Any], value: Any, accuracy: float
) -> None:
    samples = [foreign(n, value, **more) for n in range(3)]
    log = write_log(samples, study=None, solver="mine.py@rebut", task="quiz")
    row = table(items([log]), "scores").loc["rebut"]
    assert row["Accuracy"].value == accuracy
    assert row["Chance"] == pytest.approx(100 / 3)


@pytest.mark.parametrize("value", ["label", 7, [1], None])
def test_other_scores_are_left_out_and_named(
    run: Any, write_log: WriteLog, value: Any
) -> None:
    other = write_log([foreign(1, value)], study=None, solver="mine.py@rebut")
    found = items([run("debate", asked([1, 0])), other])
    assert [*table(found, "scores").index] == ["Debate"]
    assert Path(other).name in notes(found)
    with pytest.raises(InputError, match=Path(other).name):
        items([other])
    with pytest.raises(InputError, match=Path(other).name):
        items([other, run("debate", [sample("1", error="Overloaded")])])


def test_a_log_without_a_finished_sample_is_in_the_tables(run: Any) -> None:
    failed = run("judge_alone", [sample("1", error="Overloaded")])
    found = items([run("debate", asked([1, 0])), failed])
    assert table(found, "samples").loc["Judge alone", "Failed"] == 1


OWN = """
from inspect_ai.solver import solver
from inspect_debate.debate.record import Turn, recorded

@solver
def rebut(rounds: int = 2):
    async def solve(state, generate):
        with recorded("rebut", {"rounds": rounds}) as debate:
            debate.turns.append(Turn(speaker="Judge", role="judge", kind="verdict"))
        for place in range(len(state.choices)):
            state.choices.mark_choice(place, place == 0)
        return state
    return solve
"""


@solver
def second() -> Solver:
    """The solver of another's task: always the second option."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for place in range(len(state.choices)):
            state.choices.mark_choice(place, place == 1)
        return state

    return solve


def test_a_protocol_in_a_local_file_on_anothers_task(tmp_path: Path) -> None:
    data = [
        Sample(id=n, input=f"Q{n}", target="AABC"[n], choices=["x", "y", "z"])
        for n in range(4)
    ]
    quiz = Task(MemoryDataset(data), solver=second(), scorer=choice(), name="quiz")
    (own := tmp_path / "mine.py").write_text(OWN)
    logs = []
    for given in (None, SolverSpec(f"{own}@rebut", {"rounds": 3}, {"rounds": 3})):
        [log] = inspect_eval(
            quiz,
            solver=given,
            model="mockllm/model",
            log_dir=str(tmp_path / "logs"),
            display="none",
        )
        assert log.status == "success"
        logs.append(log.location)
    out = tmp_path / "out"
    arguments = ["report", "debate", str(tmp_path / "logs"), "--out", str(out)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(main, ["page", *logs, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert ["rebut" in page.name for page in out.glob("quiz-*.html")] == [True]
    found = items(logs)
    scores = table(found, "scores")
    assert [*scores.index] == ["rebut, rounds=3", "second"]
    assert "4 of 4 debates" in notes(found)  # the scorer counts what has no answer
    assert [one.value for one in scores["Accuracy"]] == [50, 25]
    row = table(found, "paired", "Treatment").iloc[0]
    theirs = compare(*logs)
    difference = table(theirs, "difference", "Score").iloc[0]
    for ours, other in zip(row["Difference"], difference["Difference"], strict=True):
        assert ours == pytest.approx(other, nan_ok=True)
    assert row["p"] == pytest.approx(difference["p"])
    assert isinstance(theirs[0], Headline)
    assert re.search("rebut.*second", theirs[0].text)
