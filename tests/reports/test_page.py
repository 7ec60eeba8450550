"""The page of debates: what it shows, what it never shows, and that it is inert."""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html.parser import HTMLParser
from math import nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import Score

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import verified
from inspect_debate.reports.page import View, distinct, html, page

LABELS = {
    "error": "the response contains an error",
    "no_error": "the response contains no error",
}
TASK = """Write a word problem about lime trees along a road.

1. The road is 120 metres long, and trees stand 8 metres apart.
2. The answer must be exactly 16.
3. Say whether a tree stands at each end of the section."""
RESPONSE = """The town of Oberlinden plants lime trees along 120 metres of its \
road, with 8 metres between neighbouring trees. The west end has to stay free for a \
driveway; the last tree stands exactly at the east end. How many trees does it need?"""
HOSTILE = (
    '</section></article><script>alert(1)</script><img src=x onerror="alert(2)">'
    "<v_quote>120 metres</v_quote> &lt;winnerName> javascript:alert(3)"
)


def answer(role: str, key: str, text: str = "I worked it out.") -> Turn:
    public = f"{text}\n\nTherefore, {LABELS[key]}."
    fields = {"answer": key}
    return Turn(
        speaker=role,
        role=role,
        kind="answer",
        public=public,
        private=f"PRIVATE {public}",
        fields=fields,
        status="ok",
        model="openai/gpt-4o",
    )


def speech(role: str, round: int, text: str, **fields: Any) -> Turn:
    sources = {"task": TASK, "response": RESPONSE}
    public, quotes = verified(text, sources)
    return Turn(
        speaker={"debater_a": "Alice", "debater_b": "Bob"}[role],
        role=role,
        kind="speech",
        round=round,
        public=public,
        private="<think>PRIVATE thoughts</think>",
        fields={**fields, "words": len(text.split()), "note": "PRIVATE field"},
        quotes=quotes,
        status="ok",
        model="openai/gpt-4o",
    )


def verdict(key: str, order: str = "ab") -> Turn:
    return Turn(
        speaker="judge",
        role="judge",
        kind="verdict",
        order=order,
        public="Alice counts the gaps, and nobody found a mistake.\n\nAnswer: 1",
        private="PRIVATE",
        fields={"answer": key},
        probabilities={"error": 0.93, "no_error": 0.07},
        status="ok",
        model="openai/gpt-4o-mini",
    )


def lost(turn: Turn, status: Any, error: str = "") -> Turn:
    gone = {"status": status, "public": "", "quotes": [], "fields": {}}
    return turn.model_copy(update={**gone, "error": error, "stop_reason": "max_tokens"})


def debated() -> Debate:
    long = " ".join(
        f"Step {n}: tree {n} stands {8 * n} metres from the west end."
        for n in range(1, 16)
    )
    return Debate(
        protocol="colmad",
        options=LABELS,
        defends={"debater_a": "error", "debater_b": "no_error"},
        answer="error",
        turns=[
            answer("debater_a", "error", "120 / 8 = 15 gaps."),
            answer("debater_b", "no_error"),
            speech(
                "debater_a",
                1,
                "The response contains an error.\n\nTest 1 (count): FAIL for answer "
                "2, PASS for answer 1. <quote>The west end has to stay free for a "
                "driveway</quote>, so gaps and trees are equally many: 120 / 8 = 15, "
                "and requirement 2: <quote>The answer must be exactly 16.</quote>\n\n"
                f"```\ngap   1  2 ... 15\ntree  1  2 ... 15\n```\n\n{long}\n\n"
                "My own case is weakest where “section” could mean the whole road.",
                final="error",
                confidence=0.92,
            ),
            speech(
                "debater_b",
                1,
                "Both ends are named: <quote>the last tree stands exactly at the east "
                "end</quote>. The response says <quote>sixteen trees in all</quote>.",
                final="no_error",
                confidence=0.6,
            ),
            speech(
                "debater_a",
                2,
                "It does not. <quote>The west end has to stay free</quote> is clear.",
                final="error",
                confidence=0.95,
            ),
            speech(
                "debater_b", 2, "I agree, and concede.", final="error", confidence=0.9
            ),
            verdict("error"),
        ],
    )


def agreed() -> Debate:
    return Debate(
        protocol="colmad",
        options=LABELS,
        answer="no_error",
        skip_reason="both debaters gave the same first answer",
        turns=[answer("debater_a", "no_error"), answer("debater_b", "no_error")],
    )


def troubled() -> Debate:
    refused = lost(speech("debater_a", 1, "x"), "refused")
    cut = lost(
        speech("debater_b", 1, "x"), "truncated", error="context <b>overflow</b>"
    )
    hostile = speech("debater_a", 2, HOSTILE, final="error", confidence=0.5)
    return Debate(
        protocol="colmad",
        options=LABELS,
        defends={"debater_a": "error", "debater_b": "no_error"},
        skip_reason="no verdict could be read",
        turns=[
            answer("debater_a", "error", HOSTILE),
            answer("debater_b", "no_error"),
            *(refused, cut, hostile),
            lost(verdict("error", "ba"), "unparsed"),
        ],
    )


def sample(debate: Debate | None, id: str = "math-1", **more: Any) -> EvalSample:
    score = (
        nan
        if debate is None or debate.answer is None
        else float(debate.answer == "error")
    )
    fields: dict[str, Any] = {
        "id": id,
        "epoch": 1,
        "input": f"{TASK}\n\n{RESPONSE}",
        "target": "error",
        "metadata": {"task": TASK, "response": RESPONSE},
        "scores": {"error_detection": Score(value={"correct": score})},
        "store": {} if debate is None else {"Stored:debate": debate.model_dump()},
    }
    return EvalSample(**{**fields, **more})


def log(
    samples: Sequence[EvalSample], file: Path, task_id: str = "one", hour: int = 20
) -> str:
    spec = EvalSpec(
        created=f"2026-11-27T{hour}:00:00+00:00",
        task="inspect_debate/colmad",
        task_id=task_id,
        model="openai/gpt-4o",
        model_roles={"judge": ModelConfig(model="openai/gpt-4o-mini")},
        metadata={
            "study": "colmad",
            "protocol": "colmad",
            "changed": {"rounds": 2},
            "data": {"source": "sample", "subset": None},
        },
        dataset=EvalDataset(sample_ids=[sample.id for sample in samples]),
        config=EvalConfig(),
    )
    write_eval_log(
        EvalLog(eval=spec, status="success", samples=list(samples)), str(file)
    )
    return str(file)


def view(one: EvalSample) -> dict[str, Any]:
    return View(one, "d1").shown()


class Parsed(HTMLParser):
    """Ids, links, tags and attributes of a page."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def text(tmp_path: Path) -> str:
    samples = [
        sample(debated()),
        sample(agreed(), "math-2"),
        sample(troubled(), "math-3"),
    ]
    [file] = page([log(samples, tmp_path / "x.eval")], tmp_path / "out")
    assert file.name == "colmad-gpt-4o-gpt-4o-mini.html"
    return file.read_text()


def test_what_models_wrote_is_never_markup(text: str) -> None:
    parsed = Parsed(text)
    assert parsed.tags.count("script") == 1
    assert not {"img", "iframe", "link", "object"} & {*parsed.tags}
    assert not [name for name in parsed.attributes if name.startswith(("on", "src"))]
    assert "&lt;script&gt;alert(1)" in text
    assert "context &lt;b&gt;overflow" in text
    assert "&lt;winnerName&gt;" in text  # as people read it, not escaped twice


def test_page_asks_no_other_host_and_runs_its_own_script_alone(text: str) -> None:
    assert not [link for link in Parsed(text).links if not link.startswith("#")]
    assert "http" not in text.replace("http-equiv", "")
    script = re.findall(r"<script>(.*?)</script>", text, re.S)[0]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert "default-src 'none'" in text
    assert f"script-src 'sha256-{digest}'" in text


def test_every_verified_quote_leads_to_its_place(text: str) -> None:
    parsed = Parsed(text)
    assert len(parsed.ids) == len({*parsed.ids})
    assert {link[1:] for link in parsed.links} <= {*parsed.ids}
    verified_quotes = re.findall(r'<mark class="found"[^>]*><a href="#([^"]+)">', text)
    assert len(verified_quotes) == 5
    marks = dict(re.findall(r' id="([^"]+)"><a[^>]*>(.*?)</a>', text))
    assert [marks[anchor] for anchor in verified_quotes] == [
        "The west end has to stay free for a driveway",
        "The answer must be exactly 16.",
        "the last tree stands exactly at the east end",
        "The west end has to stay free for a driveway",  # overlaps: one mark
        "120 metres",
    ]
    assert text.count('<mark class="lost" title') == 1


def test_a_quote_of_another_text_is_no_broken_link(tmp_path: Path) -> None:
    changed = {"task": "Something shorter.", "response": RESPONSE}
    [file] = page(
        [log([sample(debated(), metadata=changed)], tmp_path / "x.eval")], tmp_path
    )
    parsed = Parsed(file.read_text())
    assert {link[1:] for link in parsed.links} <= {*parsed.ids}


def test_only_public_text_is_shown(text: str) -> None:
    assert "PRIVATE" not in text
    assert "I worked it out." in text


@pytest.mark.parametrize(
    "status", ["unparsed", "refused", "truncated", "capped", "missing"]
)
def test_turns_that_are_not_ok_are_noted(status: str, tmp_path: Path) -> None:
    debate = debated()
    debate.turns[3] = lost(debate.turns[3], status, error="the provider's words")
    [noted] = [
        turn
        for group in view(sample(debate))["groups"]
        for turn in group["turns"]
        if turn["status"] != "ok"
    ]
    assert (noted["speaker"], noted["reason"]) == ("Bob", "the provider's words")
    assert not noted["facts"]
    [file] = page([log([sample(debate)], tmp_path / "x.eval")], tmp_path)
    assert file.read_text().count('<p class="note">') == 1


def case(answer: str | None, score: Any = None, **more: Any) -> EvalSample:
    debate = agreed().model_copy(update={"answer": answer, **more.pop("debate", {})})
    scores = {} if score is None else {"score": Score(value=score)}
    return sample(debate, **{"scores": scores, **more})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (case("error"), "right"),
        (case("no_error"), "wrong"),
        (case("no_error", {"correct": 1.0}), "right"),
        (case("error", {"correct": 0.0}), "wrong"),
        (case("error", {"correct": nan}), "none"),
        (case("error", "I"), "wrong"),
        (case("error", "C"), "right"),
        (case("error", True), "right"),
        (case(None, {"correct": nan}), "none"),
        (case(None, "I"), "none"),  # no prediction is not a wrong one
        (case(None, {"correct": 0.5}, debate={"tied": ["error", "no_error"]}), "tied"),
        (case("error", {"graded": 2.0}), "right"),
        (case("error", target=""), "ended"),
        (
            case(
                "error", error=EvalError(message="x", traceback="", traceback_ansi="")
            ),
            "failed",
        ),
        (sample(None), "failed"),
    ],
)
def test_outcome_is_the_scores(given: EvalSample, expected: str) -> None:
    assert View(given, "d1").outcome() == expected


@pytest.mark.parametrize(
    ("debate", "begins"),
    [
        (agreed(), "No debate: both"),
        (troubled(), "No answer: no verdict"),
        (agreed().model_copy(update={"answer": None}), "No answer: "),
        (debated(), ""),
        (Debate(), "There is no record"),
    ],
)
def test_it_says_why_there_is_no_debate_or_answer(debate: Debate, begins: str) -> None:
    why = View(sample(debate), "d1").why()
    assert why.startswith(begins)
    assert bool(why) == bool(begins)


def test_filters_count_each_outcome(text: str) -> None:
    assert re.findall(r"data-outcome=\"(\w+)\"( data-debated)?>", text) == [
        ("right", " data-debated"),
        ("wrong", ""),
        ("none", " data-debated"),
    ]
    for name in ("right", "wrong", "none"):
        assert f'id="only-{name}"' in text
        assert f"body:has(#only-{name}:checked)" in text
    assert 'id="only-tied"' not in text


def test_long_debates_are_folded() -> None:
    debate = debated()
    debate.turns[2:-1] = [
        speech(role, n, "I repeat.")
        for n in range(1, 6)
        for role in ("debater_b", "debater_a")
    ]
    groups = view(sample(debate))["groups"]
    assert [(g["title"], g["open"]) for g in groups] == [
        ("First answers", False),
        ("Round 1", True),
        ("Round 2", False),
        ("Round 3", False),
        ("Round 4", False),
        ("Round 5", True),
        ("Verdict", True),
    ]
    assert [t["side"] for t in groups[1]["turns"]] == ["right", "left"]  # as they spoke
    [first] = [t for t in view(sample(debated()))["groups"][1]["turns"] if t["text"][1]]
    assert first["speaker"] == "Alice"


def test_a_debater_stays_on_one_side_with_one_name() -> None:
    debate = debated()
    debate.defends = {"debater_a": "no_error", "debater_b": "error"}
    for turn in debate.of("speech"):
        turn.speaker = {"debater_a": "Bob", "debater_b": "Alice"}[turn.role]
    first, round_1, *_ = view(sample(debate))["groups"]
    told = {
        (t["role"], t["speaker"], t["side"]) for t in first["turns"] + round_1["turns"]
    }
    assert told == {("debater_b", "Alice", "left"), ("debater_a", "Bob", "right")}
    assert [turn["speaker"] for turn in first["turns"]] == ["Alice", "Bob"]
    [alone] = view(sample(agreed()))["groups"]
    assert [turn["speaker"] for turn in alone["turns"]] == ["debater_a", "debater_b"]


def test_a_speakers_view_is_read_out() -> None:
    groups = view(sample(debated()))["groups"]
    assert groups[2]["turns"][1]["facts"] == [
        ("final answer", "contains an error, conceded", "right"),
        ("confidence", "0.9", ""),
    ]
    assert groups[3]["turns"][0]["facts"] == [
        ("answer", "contains an error", "right"),
        ("token probability", "0.93", ""),
    ]
    assert groups[3]["turns"][0]["listed_first"] == "contains an error"


def test_questions_with_options_and_in_words() -> None:
    options = {"A": "Vitamin A", "B": "Vitamin &lt;answer>C"}
    turn = answer("debater_a", "error").model_copy(update={"fields": {"answer": "B"}})
    debate = Debate(protocol="colmad", options=options, answer="B", turns=[turn])
    more: dict[str, Any] = {
        "input": "Which one?",
        "metadata": {},
        "target": "B",
        "scores": {},
    }
    shown_choice = view(sample(debate, choices=["Vitamin A", "Vitamin C"], **more))
    assert shown_choice["outcome"] == "right"
    assert shown_choice["right_keys"] == ["B"]
    assert shown_choice["answer"] == shown_choice["right"] == "B) Vitamin <answer>C"
    in_words = view(sample(debate, **more | {"scores": {"match": Score(value="I")}}))
    assert in_words["outcome"] == "wrong"
    # The target is a word, not the second candidate.
    assert (in_words["right_keys"], in_words["right"]) == ([], "B")


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
    parsed = Parsed(html(source))
    assert parsed.tags == blocks


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["one", "two"], ["one", "two"]),
        (["a b c d e f g h one", "a b c d e f g h two"], ["… g h one", "… g h two"]),
        (["same words", "same words"], ["same words", "same words"]),
        (
            ["a b c d e f g h one"] * 2 + ["a b c d e f g h two"],
            ["… g h one"] * 2 + ["… g h two"],
        ),
        (["x " * 200, "y"], ["x " * 39 + "x", "y"]),
        ([""], [""]),
    ],
)
def test_list_entries_can_be_told_apart(texts: list[str], expected: list[str]) -> None:
    assert distinct(texts) == expected


def test_two_logs_of_one_name_have_two_pages(tmp_path: Path) -> None:
    for name in ("a", "b"):
        hour = {"a": 19, "b": 20}[name]
        log([sample(agreed(), name)], tmp_path / f"{name}.eval", name, hour)
    log([sample(debated(), "retried")], tmp_path / "c.eval", task_id="b", hour=21)
    first, second = page([str(tmp_path)], tmp_path / "out")
    assert (first.stem, second.stem) == (
        "colmad-gpt-4o-gpt-4o-mini",
        "colmad-gpt-4o-gpt-4o-mini-2",
    )
    assert "retried" in second.read_text()  # the newest log of a task counts


@pytest.mark.parametrize(
    "given", ["empty", "none.eval", "broken.eval", "undebated.eval"]
)
def test_logs_without_debates_are_refused(tmp_path: Path, given: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.eval").write_text("no log")
    log([sample(None)], tmp_path / "undebated.eval")
    with pytest.raises(InputError) as caught:
        page([str(tmp_path / given)], tmp_path / "out")
    assert given in str(caught.value)
    assert not (tmp_path / "out").exists()
