"""The page of debates: what it shows, what it never shows, and that it is inert."""

import re
from base64 import b64encode
from hashlib import sha256
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalError, EvalSample
from inspect_ai.scorer import Score

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import verified
from inspect_debate.reports.page import View, html, page
from tests.reports.conftest import WriteLog
from tests.reports.test_report import Page

LABELS = {
    "error": "the response contains an error",
    "no_error": "the response contains no error",
}
TASK = "Write a word problem about lime trees.\n\n1. The answer must be exactly 16."
RESPONSE = """Trees stand 8 metres apart along 120 metres of road. The west end has \
to stay free for a driveway; the last tree stands exactly at the east end. How many?"""
HOSTILE = (
    '</section></article><script>alert(1)</script><img src=x onerror="alert(2)">'
    "<v_quote>120 metres</v_quote> &lt;winnerName> javascript:alert(3)"
)
ALICE, BOB = "debater_a", "debater_b"


def turn(role: str, kind: str, text: str = "I worked it out.", **more: Any) -> Turn:
    given: dict[str, Any] = {"speaker": role, "public": text, "status": "ok"}
    if kind == "speech":
        given["speaker"] = {ALICE: "Alice", BOB: "Bob"}[role]
        sources = {"task": TASK, "response": RESPONSE}
        given["public"], given["quotes"] = verified(text, sources)
    return Turn(role=role, kind=kind, private="PRIVATE", **given | more)


def answer(role: str, key: str, text: str = "I worked it out.") -> Turn:
    return turn(role, "answer", text, fields={"answer": key})


def speech(role: str, round: int, text: str, final: str, confidence: float) -> Turn:
    fields = {"final": final, "confidence": confidence, "words": 9, "note": "PRIVATE"}
    return turn(role, "speech", text, round=round, fields=fields)


def debated() -> Debate:
    verdict = turn("judge", "verdict", order="ab", fields={"answer": "error"})
    verdict.probabilities = {"error": 0.93, "no_error": 0.07}
    first = (
        "<quote>The west end has to stay free for a driveway</quote>, so requirement "
        "1 fails: <quote>The answer must be exactly 16.</quote>\n\n" + "It is 15. " * 90
    )
    second = (
        "Both ends are named: <quote>the last tree stands exactly at the east end"
        "</quote>. The response says <quote>sixteen trees in all</quote>."
    )
    again = "<quote>The west end has to stay free</quote> is clear."
    return Debate(
        protocol="colmad",
        options=LABELS,
        defends={ALICE: "error", BOB: "no_error"},
        answer="error",
        turns=[
            answer(ALICE, "error"),
            answer(BOB, "no_error"),
            speech(ALICE, 1, first, "error", 0.92),
            speech(BOB, 1, second, "no_error", 0.6),
            speech(ALICE, 2, again, "error", 0.95),
            speech(BOB, 2, "I agree, and concede.", "error", 0.9),
            verdict,
        ],
    )


def agreed(**more: Any) -> Debate:
    given: dict[str, Any] = {
        "options": LABELS,
        "answer": "no_error",
        "skip_reason": "both debaters gave the same first answer",
        "turns": [answer(ALICE, "no_error"), answer(BOB, "no_error")],
    }
    return Debate(protocol="colmad", **given | more)


def troubled() -> Debate:
    lost: dict[str, Any] = {"text": "", "error": "context <b>overflow</b>"}
    turns = [
        answer(ALICE, "error", HOSTILE),
        turn(ALICE, "speech", round=1, status="refused", **lost),
        turn(BOB, "speech", round=1, status="truncated", **lost),
        speech(ALICE, 2, HOSTILE.replace("v_quote", "quote"), "error", 0.5),
        turn("judge", "verdict", status="unparsed", reminded=True, **lost),
    ]
    return agreed(answer=None, skip_reason="no verdict could be read", turns=turns)


def sample(debate: Debate | None, id: str = "math-1", **more: Any) -> EvalSample:
    given: dict[str, Any] = {
        "input": f"{TASK}\n\n{RESPONSE}",
        "target": "error",
        "metadata": {"task": TASK, "response": RESPONSE},
        "store": {} if debate is None else {"debate": debate.model_dump_json()},
    }
    return EvalSample(id=id, epoch=1, **given | more)


def view(debate: Debate, **more: Any) -> View:
    return View(sample(debate, **more), "d1")


@pytest.fixture
def text(write_log: WriteLog, tmp_path: Path) -> str:
    debates = {"math-1": debated(), "math-2": agreed(), "math-3": troubled()}
    log = write_log([sample(debate, id) for id, debate in debates.items()])
    [file] = page([log], tmp_path / "out")
    return file.read_text("utf-8")


def test_what_models_wrote_is_never_markup_and_reasoning_never_shown(text: str) -> None:
    assert Page(text).tags.count("script") == 1
    assert not {"img", "iframe", "link", "object"} & {*Page(text).tags}
    assert "&lt;script&gt;alert(1)" in text
    assert "context &lt;b&gt;overflow" in text
    assert "&lt;winnerName&gt;" in text  # as people read it, not escaped twice
    assert "&lt;v_quote&gt;120 metres" in text  # forged, so no quote
    assert "PRIVATE" not in text
    assert "I worked it out." in text


def test_page_asks_no_other_host_and_runs_its_own_script_alone(text: str) -> None:
    assert not [link for link in Page(text).links if not link.startswith("#")]
    assert "http" not in text.replace("http-equiv", "")
    [script] = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert "default-src 'none'" in text
    assert f"script-src 'sha256-{digest}'" in text


def test_every_verified_quote_leads_to_its_place(text: str) -> None:
    found = Page(text)
    assert len(found.ids) == len({*found.ids})
    assert {link[1:] for link in found.links} <= {*found.ids}
    quotes = re.findall(r'<mark class="found"><a href="#([^"]+)">', text)
    marks = dict(
        re.findall(r'<mark class="found" id="([^"]+)"><a[^>]*>(.*?)</a>', text)
    )
    assert [marks[anchor] for anchor in quotes] == [
        "The west end has to stay free for a driveway",
        "The answer must be exactly 16.",
        "the last tree stands exactly at the east end",
        "The west end has to stay free for a driveway",  # overlaps: one mark
        "120 metres",
    ]
    assert text.count('<mark class="lost">sixteen') == 1


def test_turns_that_are_not_ok_are_noted(text: str) -> None:
    notes = re.findall(r'<p class="note">Reply (\w+)', text)
    assert notes == ["refused", "truncated", "unparsed"]


ERROR = EvalError(message="x", traceback="", traceback_ansi="")
IN_WORDS: dict[str, Any] = {"metadata": {}}  # so the target is no option


@pytest.mark.parametrize(
    ("debate", "more", "score", "outcome"),
    [
        (debated(), {}, None, "right"),
        (agreed(), {}, None, "wrong"),
        (debated(), IN_WORDS, "I", "wrong"),
        (debated(), IN_WORDS, "C", "right"),
        (debated(), IN_WORDS, {"correct": 0.0}, "wrong"),
        (debated(), IN_WORDS, {"correct": nan}, "ended"),
        (debated(), IN_WORDS, {"verdict_correct": 0}, "wrong"),
        (debated(), IN_WORDS, None, "ended"),
        (agreed(answer=None), {}, "I", "none"),  # no prediction is not a wrong one
        (agreed(answer=None, tied=["error", "no_error"]), {}, 0.5, "tied"),
        (debated(), {"error": ERROR}, None, "failed"),
        (Debate(), {}, None, "failed"),
    ],
)
def test_outcomes(debate: Debate, more: Any, score: Any, outcome: str) -> None:
    scores = {} if score is None else {"score": Score(value=score)}
    assert view(debate, scores=scores, **more).outcome == outcome


@pytest.mark.parametrize(
    ("debate", "begins"),
    [
        (agreed(), "No debate: both"),
        (troubled(), "No answer: no verdict"),
        (debated(), ""),
        (Debate(), "There is no record"),
    ],
)
def test_it_says_why_there_is_no_debate_or_answer(debate: Debate, begins: str) -> None:
    why = view(debate).why
    assert why.startswith(begins)
    assert bool(why) == bool(begins)


def test_filters_count_each_outcome(text: str) -> None:
    found = re.findall(r"data-outcome=\"(\w+)\"( data-debated)?>", text)
    assert [outcome for outcome, _ in found] == ["right", "none", "wrong"]
    assert [bool(debated) for _, debated in found] == [True, True, False]
    filters = {*re.findall(r'id="only-(\w+)"', text)}
    assert filters == {"right", "wrong", "none", "debated"}


def test_long_debates_are_folded() -> None:
    debate = debated()
    spoken = product(range(1, 6), (BOB, ALICE))
    debate.turns[2:-1] = [speech(who, n, "So.", "error", 1) for n, who in spoken]
    found = [*view(debate).groups()]
    folded = [title for title, is_open, _ in found if not is_open]
    assert folded == ["First answer", "Round 2", "Round 3", "Round 4"]
    assert [one.role for _, one in found[1][2]] == [BOB, ALICE]  # as they spoke
    assert "<details" in html("It is 15. " * 90)
    assert "<details" not in html("It is 15.")


def test_a_debater_stays_on_one_side_with_one_name() -> None:
    debate = debated()
    for one in debate.of("speech"):
        one.speaker = {ALICE: "Bob", BOB: "Alice"}[one.role]
    shown = view(debate)
    _, _, first = next(shown.groups())
    assert shown.sides == {BOB: "left", ALICE: "right"}
    assert [shown.speaker(one) for _, one in first] == ["Alice", "Bob"]


def test_what_was_read_from_a_reply() -> None:
    debate = debated()
    shown, (*_, conceding, judge) = view(debate), debate.turns
    assert shown.facts(conceding) == [
        ("final answer", "contains an error, conceded", "right"),
        ("confidence", "0.9", ""),
    ]
    assert shown.facts(judge) == [
        ("answer", "contains an error", "right"),
        ("token probability", "0.93", ""),
    ]
    assert "“contains an error” listed first" in shown.about(judge)


def test_questions_with_options_and_in_words() -> None:
    debate = agreed(options={"A": "Vitamin A", "B": "&lt;answer>C"}, answer="B")
    more: dict[str, Any] = {"input": "Which one?", "metadata": {}, "target": "B"}
    choice = view(debate, choices=["Vitamin A", "C"], **more)
    assert (choice.outcome, choice.answer) == ("right", "B) <answer>C")
    assert choice.expected == choice.answer
    in_words = view(debate, **more, scores={"match": Score(value="I")})
    assert in_words.outcome == "wrong"
    assert in_words.right == []  # the target is a word, not the second candidate


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("a < b\n\nc", ["p"]),
        ("Look:\n```python\nprint(1)\n```\nDone.", ["p", "pre", "p"]),
        ("Look:\n```python\nprint(1)", ["p", "pre"]),
        ("Grid:\n0 1 0\n1 0 1\nend", ["p", "pre", "p"]),
        ("[[0, 1],\n [1, 0]]", ["pre"]),
        ("|a|b|\n|-|-|\n|1|2|", ["pre"]),
        ("In 1 2 cases\nand 3 4", ["p"]),
        ("", []),
    ],
)
def test_code_and_grids_are_in_fixed_width(source: str, blocks: list[str]) -> None:
    assert Page(html(source)).tags == ["div", *blocks]


def test_each_log_has_a_page(write_log: WriteLog, tmp_path: Path) -> None:
    logs = [
        write_log([sample(agreed(), id)], task_id=task)
        for id, task in (("a", "one"), ("b", "two"), ("retried", "two"))
    ]
    first, second = page(logs, tmp_path / "out")
    assert (first.stem, second.stem) == ("colmad-one", "colmad-two")
    assert "retried" in second.read_text("utf-8")


@pytest.mark.parametrize("given", ["empty", "none.eval", "log_01.eval"])
def test_logs_without_debates_are_refused(
    write_log: WriteLog, tmp_path: Path, given: str
) -> None:
    (tmp_path / "empty").mkdir()
    write_log([sample(None)])
    with pytest.raises(InputError, match=given):
        page([str(tmp_path / given)], tmp_path / "out")
    assert not (tmp_path / "out").exists()
