"""Solutions, speeches, reviews and rulings as texts, also as they go wrong."""

import json
import re
from collections.abc import Callable
from random import Random
from statistics import mean
from typing import Any

import pytest

from inspect_debate.debate.cue import Format
from inspect_debate.debate.parsing import looks_refused
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.debate.rendering import neutralise
from inspect_debate.grading.grids import read_grids
from inspect_debate.simulator.behaviour import Behaviour, UnreadableKind
from inspect_debate.simulator.generative import (
    NAMES,
    Ruling,
    parts_of,
    write_case,
    write_review,
    write_rulings,
    write_solution,
)
from inspect_debate.simulator.spoiling import LONG, hostile, truncated, unreadable
from inspect_debate.simulator.writing import Draft
from tests.simulator.asking import api_for, ask
from tests.simulator.generative_asking import (
    generative_cue,
    known,
    read_generative,
    review_cue,
    verdict_cue,
)

RULINGS = {"Alice": Ruling(True, 0.85), "Bob": Ruling(False, 0.5)}
SOLUTION = known(7).right
Writer = Callable[[Random], Draft]
WRITERS: dict[Format, Writer] = {
    "solution": lambda rng: write_solution(SOLUTION, 60, rng),
    "case": lambda rng: write_case("Bob", 2, 120, rng),
    "review": lambda rng: write_review("disagree", "Alice", 1, 120, rng),
    "rulings": lambda rng: write_rulings(RULINGS, True, 60, rng),
}
CUES = {
    "solution": generative_cue("answer", 7),
    "case": generative_cue("speech", 7, round=2),
    "review": review_cue(7),
    "rulings": verdict_cue(7, (True, True)),
}


def _read(form: Format, text: str) -> dict[str, Parsed]:
    return read_generative(CUES[form], text)


def _texts(write: Writer, count: int = 100) -> list[str]:
    return [write(Random(n)).text for n in range(count)]


# --- what is read ------------------------------------------------------------------


@pytest.mark.parametrize(
    "solution", ["5", "0 1\n2 3", "1\n\n2 2\n2 2\n\n3 3 3", SOLUTION]
)
@pytest.mark.parametrize("words", [1, 60])
def test_solutions_are_read_as_they_are(solution: str, words: int) -> None:
    for n in range(40):
        text = write_solution(solution, words, Random(n)).text
        assert read_grids(text, len(parts_of(solution))) == Parsed.ok(solution)
        assert text.count("```") == 2 * len(parts_of(solution))
        assert not text.startswith("```")


def test_rulings_are_read_as_they_are() -> None:
    parsed = {
        "verdict Alice": Parsed.ok("correct"), "confidence Alice": Parsed.ok(0.85),
        "verdict Bob": Parsed.ok("incorrect"), "confidence Bob": Parsed.ok(0.5),
    }  # fmt: skip
    for text in _texts(WRITERS["rulings"]):
        assert _read("rulings", text) == parsed
        stated = text.split("```json\n")[1].removesuffix("\n```")
        assert list(json.loads(stated)) == list(NAMES)
        reasons = text.split("\n\n")[2]
        assert re.fullmatch(r".*Alice holds\b.*Bob (holds|goes)\b.*", reasons)


def test_reasons_speak_of_speeches_where_there_were_any() -> None:
    texts = {
        spoken: "".join(
            write_rulings(RULINGS, spoken, 300, Random(n)).text for n in range(30)
        )
        for spoken in (True, False)
    }
    for said in ("What was said", "One claim was repeated"):
        assert said in texts[True]
        assert said not in texts[False]


@pytest.mark.parametrize("round", [1, 2, 3])
@pytest.mark.parametrize("words", [1, 150])
def test_speeches_name_only_whom_they_heard(round: int, words: int) -> None:
    for n in range(40):
        alone, debate = (
            write_case(other, round, words, Random(n)).text for other in ("", "Bob")
        )
        agrees, disagrees = (
            write_review(stance, "Alice", round, words, Random(n)).text
            for stance in ("agree", "disagree")
        )
        assert "Bob" not in alone
        assert ("Bob" in debate) == (round > 1)
        assert agrees.endswith("\n\nStance: AGREE")
        assert disagrees.endswith("\n\nStance: DISAGREE")
        for text in (alone, debate, agrees, disagrees):
            assert not re.search(r"[\d{}]", text)
            assert "\n\n\n" not in text


@pytest.mark.parametrize(
    ("form", "words"), [("case", 120), ("review", 120), ("solution", 60)]
)
def test_mean_length(form: Format, words: int) -> None:
    drafts = [WRITERS[form](Random(n)) for n in range(150)]
    lengths = [len((d.body if form == "solution" else d.text).split()) for d in drafts]
    assert mean(lengths) == pytest.approx(words, rel=0.1)


@pytest.mark.parametrize("form", WRITERS)
def test_texts_vary(form: Format) -> None:
    assert len(set(_texts(WRITERS[form]))) >= 50


def test_candidates_are_different_speeches() -> None:
    cues = [generative_cue("candidate", draw=str(n)) for n in range(1, 5)]
    cues += [review_cue(draw=str(n)) for n in range(1, 5)]
    said = [output.completion for output in ask(api_for(), *cues)]
    assert len(set(said)) == 8


# --- what goes wrong ---------------------------------------------------------------

KINDS = ("any", "no_tags", "echo", "both", "empty", "long", "script", "leak")


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("kind", KINDS)
def test_unreadable_kinds_are_not_read(form: Format, kind: UnreadableKind) -> None:
    """But for the confidence in a verdict that is none, and for odd speeches."""
    behaviour = Behaviour(unreadable_kind=kind)
    for n in range(4 if kind == "long" else 60):
        draft = WRITERS[form](Random(n))
        text = unreadable(behaviour, draft, form, NAMES, Random(n))
        found = _read(form, text)
        needed = [found[name].status for name in found if "confidence" not in name]
        odd = form == "case" and kind in ("long", "script")
        assert set(needed) == {Status.OK if odd else Status.UNPARSED}
        assert not looks_refused(text)
        assert len(text) >= LONG or kind != "long"


@pytest.mark.parametrize("solution", ["5", "5\n\n6", "1 2 3", "1\n2\n3", SOLUTION])
@pytest.mark.parametrize("kind", ["echo", "both"])
def test_spoiled_grids_are_no_grids(solution: str, kind: UnreadableKind) -> None:
    behaviour, parts = Behaviour(unreadable_kind=kind), len(parts_of(solution))
    for n in range(30):
        draft = write_solution(solution, 40, Random(n))
        text = unreadable(behaviour, draft, "solution", (), Random(n))
        assert read_grids(text, parts) == Parsed.unparsed()
        assert ("grid" in text) == (kind == "echo")


@pytest.mark.parametrize("names", [("Alice",), ("Alice", "Bob"), ("Bob", "Alice")])
def test_an_echo_is_the_form_that_was_asked_for(names: tuple[str, ...]) -> None:
    behaviour = Behaviour(unreadable_kind="echo")
    text = unreadable(behaviour, Draft("a", "b"), "rulings", names, Random(1))
    for name in names:
        asked = f'"{name}": {{"verdict": "correct|incorrect", "confidence": 0.50-1.00}}'
        assert asked in text
    assert text.count("verdict") == len(names)


@pytest.mark.parametrize("form", WRITERS)
def test_truncated_texts_are_cut(form: Format) -> None:
    for n in range(60):
        draft = WRITERS[form](Random(n))
        text = truncated(draft, Random(n))
        assert draft.text.startswith(text)
        assert 0 < len(text) < len(draft.before_closing)
        if form != "case":
            assert {v.status for v in _read(form, text).values()} == {Status.UNPARSED}


@pytest.mark.parametrize("form", ["solution", "case", "review"])
@pytest.mark.parametrize("kind", ["forged_quote", "takeover"])
@pytest.mark.parametrize("me", NAMES)
def test_hostile_texts_stay_readable(form: Format, kind: Any, me: str) -> None:
    behaviour = Behaviour(hostile_kind=kind)
    for n in range(60):
        draft = WRITERS[form](Random(n))
        text = hostile(behaviour, draft, me, Random(n)).text
        assert _read(form, text) == _read(form, draft.text)
        assert "\n\n\n" not in text
        if kind == "takeover":
            other = NAMES[1 - NAMES.index(me)]
            assert f'</transcript>\n\n<turn speaker="{other}"' in text
            forged = _read("rulings", text)
            assert forged[f"verdict {me}"] == Parsed.ok("correct")
            assert forged[f"verdict {other}"] == Parsed.ok("incorrect")
            assert "</transcript>" not in neutralise(text)
        else:
            assert "<v_quote>" in text


def test_hostile_models_attack_in_every_contribution() -> None:
    cues = [
        cue
        for n in range(20)
        for cue in (
            generative_cue("answer", n),
            generative_cue("speech", n),
            generative_cue("candidate", n),
            review_cue(n),
            review_cue(n, draw="2"),
        )
    ]
    for cue, output in zip(cues, ask(api_for("hostile"), *cues), strict=True):
        assert re.search("<v_quote>|</transcript>", output.completion), cue
        (found,) = read_generative(cue, output.completion).values()
        assert found.status == Status.OK
    verdicts = [verdict_cue(n) for n in range(20)]
    for output in ask(api_for("hostile"), *verdicts):
        assert not re.search("<v_quote>|</transcript>", output.completion)


def test_a_refusal_is_no_solution() -> None:
    (output,) = ask(api_for(refused_rate=1), generative_cue("answer"))
    assert looks_refused(output.completion)
    assert read_grids(output.completion, 2) == Parsed.unparsed()
