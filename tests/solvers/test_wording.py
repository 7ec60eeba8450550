"""What prompts have to say, and what they must not: read as the model reads them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.solver import Solver

from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from inspect_debate.solvers.som import som
from tests.solvers.test_golden_prompts import Case, prompts_of
from tests.support.code_runs import calls_on_code
from tests.support.generative import PROTOCOLS, SPOKEN, description_of, held

CRITERION = "contains an error if it breaks any of the instructions or requirements"
"""ReaLMistake's criterion, which ColMAD's prompts give to everybody."""


@pytest.mark.parametrize(
    "case",
    [
        Case(single()),
        Case(judge_alone()),
        Case(colmad()),
        Case(colmad(rounds=1, judge_sees_problem=False)),
        Case(copmad()),
        Case(som()),
    ],
    ids=["single", "judge_alone", "colmad", "blind_judge", "copmad", "som"],
)
def test_everybody_reads_what_an_error_is(case: Case, tmp_path: Path) -> None:
    prompts = prompts_of(case, tmp_path)
    without = [n for n, text in prompts.items() if CRITERION not in _words(text)]
    assert not without
    for name, text in prompts.items():
        assert "Style and taste" not in text, name
        assert "asserts something false" not in text, name


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("make", [colmad, copmad])
@pytest.mark.parametrize("options", [False, True])
@pytest.mark.parametrize("seen", [False, True])
def test_debaters_know_whether_the_judge_sees_the_problem(
    make: Callable[..., Solver], options: bool, seen: bool, tmp_path: Path
) -> None:
    case = Case(make(rounds=1, judge_sees_problem=seen), options=options)
    for name, text in prompts_of(case, tmp_path).items():
        if name.startswith("round"):
            told = "is what is said in this discussion" in _words(text)
            assert told is not seen, name


@pytest.mark.parametrize("options", [False, True])
def test_prompts_mention_only_what_is_there(options: bool, tmp_path: Path) -> None:
    """A judge alone has no transcript; where nobody spoke, nobody quoted."""
    for solver in (judge_alone(), colmad(rounds=0)):
        for name, text in prompts_of(Case(solver, options=options), tmp_path).items():
            if "<transcript>" not in text:
                assert "transcript" not in text, name
            assert "quote" not in text, name
            assert "who argued" not in text, name


@pytest.mark.parametrize("options", [False, True])
@pytest.mark.parametrize("make", [colmad, copmad])
def test_debaters_are_asked_for_tests_and_not_told_when_it_ends(
    make: Callable[..., Solver], options: bool, tmp_path: Path
) -> None:
    prompts = prompts_of(Case(make(rounds=2), options=options), tmp_path)
    speeches = [_words(text) for name, text in prompts.items() if "round" in name]
    assert len(speeches) == 4
    for text in speeches:
        assert "Make two to four. Each takes" in text
        assert "says PASS or FAIL for" in text
        assert "more rounds may follow" in text
        assert not re.search(r"round \d of \d", text)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (Case(colmad(rounds=1)), "the task or the response"),
        (Case(copmad(rounds=1), options=True), None),
        (
            Case(copmad(rounds=1, config={"passage": "shown"}), options=True),
            "the passage",
        ),
        (
            Case(copmad(rounds=1, config={"quote_source": "input"}), options=True),
            "the question or its options",
        ),
        (Case(copmad(rounds=1, config={"answers": "free"}), free=True), None),
    ],
    ids=["error_detection", "no_passage", "passage", "question", "in_words"],
)
def test_quotes_are_asked_for_where_there_is_a_text(
    case: Case, text: str | None, tmp_path: Path
) -> None:
    prompts = prompts_of(case, tmp_path)
    asked = {n: t for n, t in prompts.items() if not n.startswith("answer")}
    assert len(asked) == 3
    for name, prompt in asked.items():
        words = re.sub(r"&lt;/?quote>", "", _words(prompt))  # what debaters wrote
        if text is None:
            assert "quote" not in words, name
        else:
            assert re.search(rf"(copied exactly from|do stand in) {text}", words), name


ASKS_FOR_HONESTY = ("hold to be", "hold it to be", "hold the answer", "to check")
"""Words of `debater_style=honest`."""
ASKS_FOR_SUSPICION = ("granted", "made with confidence", "check", "mislead")
"""Words of `judge_style=verifying`."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grids", "code"])
@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p != "direct_qa"])
def test_by_default_nobody_is_told_to_be_honest_or_suspicious(
    protocol: GenerativeProtocol,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Either would work against what is measured: wrong answers that are endorsed."""
    best_of = 2 if protocol in SPOKEN else None
    solver = generative_debate(
        protocol, best_of=best_of, judge_answer=True, unsafe_local=True
    )
    told = _instructions(solver, kind, tmp_path, monkeypatch)
    for name, texts in told.items():
        for words in (*ASKS_FOR_HONESTY, *ASKS_FOR_SUSPICION):
            assert not any(words in text for text in texts), (name, words)


@pytest.mark.parametrize("kind", ["grids", "code"])
@pytest.mark.parametrize("protocol", SPOKEN)
def test_styles_are_told_to_those_whose_styles_they_are(
    protocol: GenerativeProtocol,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = generative_debate(
        protocol,
        best_of=2,
        judge_style="verifying",
        debater_style="honest",
        unsafe_local=True,
    )
    told = _instructions(solver, kind, tmp_path, monkeypatch)
    for name, texts in told.items():
        honest = name == "candidate"
        for text in texts:
            assert ("Give the judge something to check" in text) is honest, name
            assert ("is made with confidence" in text) is not honest, name


def _instructions(
    solver: Solver, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[str]]:
    """What those who speak and judge are told beside the task, by kind of turn."""
    calls = (
        calls_on_code(solver, folder, monkeypatch)
        if kind == "code"
        else held(solver, folder)[1]
    )
    told: dict[str, list[str]] = {}
    for call in calls:
        description = description_of(call)
        if description.kind == "answer" and description.participant != "judge":
            continue
        system, asked = call.messages
        # What is asked comes after all blocks.
        final = asked.text.rpartition("</")[2]
        told.setdefault(description.kind, []).append(_words(f"{system.text} {final}"))
    return told
