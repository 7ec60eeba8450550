"""Protocols on tasks of others: with options, in words, and what is refused."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    ContentImage,
    ContentText,
)
from inspect_ai.scorer import (
    answer as answer_scorer,
)
from inspect_ai.scorer import (
    choice,
    exact,
    f1,
    includes,
    match,
    pattern,
    value_to_float,
)
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice, solver

from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.process import process
from inspect_debate.solvers.baselines import (
    ensemble,
    judge_alone,
    self_consistency,
    single,
    som,
)
from inspect_debate.solvers.colmad import colmad, copmad
from tests.support import Answer, Call, Run, Script, run, speech

CITIES = ["Paris", "London", "Rome", "Berlin"]


def which(target: str = "A", choices: Any = CITIES, **more: Any) -> Sample:
    return Sample(id="q", input="Which city?", choices=choices, target=target, **more)


def chose(a: str, b: str, verdict: str = "A", label: str = "ANSWER") -> Answer:
    """Debaters who answer so, defend that, and a judge."""

    def answer(call: Call) -> str:
        own = b if call.what.role == "debater_b" else a
        if call.what.kind == "speech":
            return speech(own, "Reasons.")
        if call.what.kind == "verdict" and call.what.role == "judge":
            return f"{label}: {verdict}"
        return f"Reasons.\n{label}: {own}"

    return answer


# --- Options --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "verdict", "target", "outcome", "right"),
    [
        ("A", "B", "B", "B", "B", True),
        ("A", "B", "B", "A", "B", False),
        ("C", "C", "", "C", "C", True),
        ("D", "B", "D", "D", "D", True),
        ("A", "B", "C", "C", None, False),  # an answer that nobody defended
        ("A", "?", "A", "A", None, False),
        ("(b) London", "Paris", "**B**", "B", "B", True),
        ("A sum", "B", "B", "B", None, False),
    ],
)
def test_options(
    tmp_path: Path, a: str, b: str, verdict: str, target: str, outcome: Any, right: bool
) -> None:
    """`choice` reads the marks, `answer("letter")` the text; both agree."""
    done = run(
        tmp_path, colmad(rounds=1, reminders=0), chose(a, b, verdict),
        samples=[which(target)],
        scorer=[choice(), answer_scorer("letter"), error_detection(), process()],
    )  # fmt: skip
    assert done.log.status == "success"
    assert done.debate.answer == outcome
    scores = done.samples[0].scores or {}
    assert {scores[name].value == "C" for name in ("choice", "answer")} == {right}
    assert done.debate.options == dict(zip("ABCD", CITIES, strict=True))
    assert done.log.results
    counts = {s.scorer: s.scored_samples for s in done.log.results.scores}
    assert counts["error_detection"] == 0
    if len(a) == 1:
        assert done.values("process")["first_a"] == (a == target)


@pytest.mark.parametrize("debated", [True, False])
def test_what_a_judge_may_choose(tmp_path: Path, debated: bool) -> None:
    """After a debate, an answer that was defended; alone, any of them."""
    protocol = colmad(rounds=1) if debated else judge_alone()
    done = run(tmp_path, protocol, chose("B", "D", "C"), samples=[which("C")])
    assert done.debate.answer == (None if debated else "C")


def test_sides_are_assigned_between_two_options_only(tmp_path: Path) -> None:
    assigned = colmad(sides="assigned", rounds=1)
    two = run(tmp_path, assigned, samples=[which(choices=CITIES[:2])])
    assert sorted(two.debate.defends.values()) == ["A", "B"]
    four = run(tmp_path, assigned, samples=[which()])
    assert (four.log.status, four.calls) == ("error", [])


def test_equal_answers_are_debated_against_a_drawn_one(tmp_path: Path) -> None:
    samples = [
        Sample(id=n, input="Which?", choices=CITIES, target="A") for n in range(9)
    ]
    protocol = copmad(rounds=1)
    done = run(tmp_path, protocol, chose("B", "B", "B"), samples=samples)
    sides = [sorted(debate.defends.values()) for debate in done.debates]
    assert all("B" in side for side in sides)
    others = {key for side in sides for key in side} - {"B"}
    assert others == {"A", "C", "D"}


@solver
def shuffled() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.choices.shuffle()
        state.choices.shuffle()
        return state

    return solve


IMAGE = [ContentText(text="Which?"), ContentImage(image="data:image/png;base64,AAAA")]


@pytest.mark.parametrize(
    ("sample", "before"),
    [
        (which("AC"), []),
        (Sample(input="Which?", choices=CITIES, target=["A", "C"]), []),
        (which(choices=["Paris"]), []),
        (which(choices=[str(n) for n in range(27)]), []),
        (Sample(input=[ChatMessageUser(content=IMAGE)], target="x"), []),  # type: ignore[arg-type]  # lists are invariant
        (which(choices=[*map(str, range(20))]), [shuffled()]),
    ],
)
def test_what_no_debate_can_give_is_refused_before_any_call(
    tmp_path: Path, sample: Sample, before: list[Solver]
) -> None:
    study = Task(MemoryDataset([sample]), solver=[*before, colmad()], scorer=match())
    done = run(tmp_path, study)
    assert (done.log.status, done.calls) == ("error", [])
    assert done.log.error
    assert "InputError" in done.log.error.traceback


# --- In words -------------------------------------------------------------------------


def asks(target: str, **more: Any) -> Sample:
    return Sample(id="q", input="How much?", target=target, **more)


@pytest.mark.parametrize(
    ("a", "b", "verdict", "outcome", "completion"),
    [
        ("400 mg", "500 mg", "B", "B", "500 mg"),
        ("400 mg", "500 mg", "400 mg", "A", "400 mg"),
        # Forms of one answer are no disagreement.
        ("1,000", "1000.0", "", "A", "1,000"),
        ("The Thames", "thames.", "", "A", "The Thames"),
        ("400 mg", "400 mg", "", "A", "400 mg"),
    ],
)
def test_in_words(
    tmp_path: Path, a: str, b: str, verdict: str, outcome: str, completion: str
) -> None:
    """The task's own scorer gets the winner's first answer without its reasons."""
    done = run(
        tmp_path, colmad(rounds=1), chose(a, b, verdict),
        samples=[asks("500 mg")], scorer=includes(),
    )  # fmt: skip
    assert done.debate.answer == outcome
    assert done.samples[0].output.completion == completion
    assert bool(done.debate.of("speech")) == bool(verdict)
    score = (done.samples[0].scores or {})["includes"].value
    assert score == ("C" if "500 mg" in completion else "I")


@pytest.mark.parametrize(
    ("scorer", "target", "right", "wrong"),
    [
        (match(numeric=True), "1,200", "$1200", "1,300"),
        (match(location="any"), "Ada", "Ada", "Max"),
        (includes(), ["0.4 g", "400 mg"], "400 mg", "500 mg"),
        (f1(lambda said: said.rpartition(":")[2]), ["753 BC"], "753 BC", "509 AD"),
        (pattern(r"\A(Yes|No)\W*\Z"), "Yes", "Yes.", "No"),
        (exact(), ["Ada", "Ada Lovelace"], "Ada", "Max"),
        (f1(), "Ada Lovelace", "Ada Lovelace", "Max"),
    ],
)
def test_other_tasks_scorers_agree_with_the_outcome(
    tmp_path: Path, scorer: Any, target: Any, right: str, wrong: str
) -> None:
    """The judge decides for the right answer, then for the wrong one."""
    for verdict, value in (("A", 1), ("B", 0)):
        said = chose(right, wrong, verdict)
        sample = Sample(id="q", input="Which?", target=target)
        done = run(tmp_path, colmad(rounds=1), said, samples=[sample], scorer=scorer)
        assert done.debate.answer == verdict
        (score,) = (done.samples[0].scores or {}).values()
        assert value_to_float()(score.value) == value


@pytest.mark.parametrize(
    ("protocol", "said", "answer", "tied"),
    [
        (single(), ["7", "8"], "7", []),
        (ensemble(), ["7", "8"], None, ["7", "8"]),
        (ensemble(), ["7", "7.0"], "7", []),
        (som(), ["7", "8"], None, ["7", "8"]),
        (self_consistency(n=5), ["7", "8", "9", "8.0", "7"], None, ["7", "8"]),
        (self_consistency(n=3), ["7", "8", "8"], "8", []),
    ],
)
def test_baselines_in_words(
    tmp_path: Path, protocol: Solver, said: list[str], answer: Any, tied: list[str]
) -> None:
    def answered(call: Call) -> str:
        place = call.what.draw or int(call.what.role == "debater_b")
        return f"ANSWER: {said[place]}"

    done = run(tmp_path, protocol, answered, samples=[asks("7")], scorer=match())
    debate = done.debate
    assert [debate.options[key] for key in debate.tied] == tied
    assert (debate.options[debate.answer] if debate.answer else None) == answer
    drawn = debate.options.get(debate.drawn or debate.answer or "")
    assert done.samples[0].output.completion == drawn
    assert debate.complete


def test_judges_alone_in_words(tmp_path: Path) -> None:
    script = Script(lambda c: "ANSWER: " + ("7" if c.what.name != "judge_2" else "8"))
    panel = {"judge": [script.model() for _ in range(3)]}
    done = run(
        tmp_path, judge_alone(), script, roles=panel,
        samples=[asks("7")], scorer=[match(), process()],
    )  # fmt: skip
    assert done.debate.options == {"A": "7", "B": "8"}
    assert done.debate.answer == "A"
    assert (done.samples[0].scores or {})["match"].value == "C"
    assert isnan(done.values("process")["first_listed"])  # nothing was listed


def test_messages_as_input(tmp_path: Path) -> None:
    chat: Any = [
        ChatMessageSystem(content="Be exact."),
        ChatMessageUser(content="Why?"),
    ]
    samples = [
        Sample(input=chat, target="x"),
        Sample(input=chat, choices=CITIES, target="B"),
    ]
    script = chose("A", "B", "B")
    done = run(tmp_path, colmad(rounds=1), script, samples=samples, scorer=match())
    for call in done.calls:
        assert "System: Be exact.\n\nUser: Why?" in call.text
    assert (done.samples[1].scores or {})["match"].value == "C"


def test_metadata_that_only_looks_like_an_item(tmp_path: Path) -> None:
    metadata = {"task": "algebra", "response": "42"}
    sample = asks("7", metadata=metadata)
    done = run(tmp_path, single(), chose("7", "7"), samples=[sample], scorer=match())
    assert "How much?" in done.calls[0].text
    assert (done.samples[0].scores or {})["match"].value == "C"


# --- A task as others write them ------------------------------------------------------


@task
def quiz() -> Task:
    return Task(
        MemoryDataset(
            [which("B"), Sample(id="r", input="R?", choices=CITIES, target="A")]
        ),
        solver=multiple_choice(),
        scorer=choice(),
    )


def test_another_tasks_solver_is_replaced(tmp_path: Path) -> None:
    done: Run = run(
        tmp_path, quiz(), chose("A", "B", "B"), solver=colmad(rounds=1), epochs=2
    )
    assert done.log.status == "success"
    assert done.metrics()["accuracy"] == 0.5
    assert done.log.eval.solver == "inspect_debate/colmad"
    assert (done.log.eval.solver_args or {})["rounds"] == 1
    assert all(len(debate.turns) == 5 for debate in done.debates)
