"""The release of Michael et al.: what becomes of a line, and of one that is broken."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.debate.errors import InputError
from inspect_debate.transcripts.format import Transcript, record_of
from inspect_debate.transcripts.importing import transcripts_in
from inspect_debate.transcripts.nyu import rooms_in
from tests.support.released import DATA, needs_data, nyu_debates
from tests.transcripts.test_format import changed

STORY = "The potters of Lomme carried water up to the kiln on the hill."


def spoken(by: str, name: str, text: str, **more: Any) -> dict[str, Any]:
    quotes = [
        {"start": 0, "end": 3, "text": "The", "at": 0, "tokens": [0, 1]}
        for _ in range(text.count("<quote>"))
    ]
    return {
        **{"by": by, "name": name, "time": 5, "text": text, "marked_text": text},
        **{"quotes": quotes, "failed": False},
        **more,
    }


def judged(p: float, text: str = "", *, ends: bool = False, name: str = "Jo") -> Any:
    return {
        **{"name": name, "time": 6, "text": text, "probabilities": [1 - p, p]},
        "ends_debate": ends,
    }


def room(**update: Any) -> dict[str, Any]:
    """An invented consultancy for B of two rounds, in the form of the release."""
    limits = {"characters": 1500, "quoted": 500}
    speeches = [
        spoken("debater_b", "Ava", "They <quote>carried water up</quote>."),
        spoken("debater_b", "Ben", "server error", failed=True),
    ]
    judgements = [judged(0.6, "Why?"), judged(0.9, "Up.", ends=True, name="Kim")]
    rounds = [
        {
            "round": 0,
            "order": None,
            "limits": None,
            "speeches": [],
            "judge": judged(0.4),
        }
    ] + [
        {
            **{"round": n, "order": "sequential", "limits": limits},
            **{"speeches": [speech], "judge": judgement},
        }
        for n, (speech, judgement) in enumerate(
            zip(speeches, judgements, strict=True), start=1
        )
    ]
    passage = {
        **{"source": "S", "article_id": "7", "title": "Kilns", "tokens": 13},
        "text": STORY,
    }
    people = [
        {
            **{"id": "debater_b", "role": "debater", "name": "Ava"},
            **{"kind": "human", "side": 1},
        },
        {
            **{"id": "judge", "role": "judge", "name": "Jo"},
            **{"kind": "human", "side": None},
        },
    ]
    return {
        **{"id": "kilns-0", "setting": "human_consultancy", "correct": 0},
        **{"question": "Where was it?", "options": ["River", "Hill"]},
        **{"passage": passage, "participants": people, "created": 1, "rounds": rounds},
        **{"ended": {"by": "judge", "time": 9}, "final": [0.1, 0.9], "continues": 2},
        **{"judge_score": -3.4, "scoring": {"rule": "log2"}},
        **update,
    }


def read(path: Path, *lines: str) -> list[Transcript]:
    path.write_text("".join(line + "\n" for line in lines))
    return [transcript for _, transcript in rooms_in(str(path))]


def test_a_consultancy_of_people(tmp_path: Path) -> None:
    (transcript,) = read(tmp_path / "debates.jsonl", json.dumps(room()))
    record = record_of(transcript, {"ends": "judge"})
    assert (record.protocol, transcript.right) == ("consultancy", "A")
    consultant, judge = record.participants
    assert (consultant.id, consultant.defends) == ("debater_a", "B")
    assert (consultant.model, judge.model) == ("human/Ava", "human/Jo")
    told = [(t.kind, t.round, t.model.removeprefix("human/")) for t in record.turns]
    assert told == [
        ("belief", 0, "Jo"),
        ("speech", 1, "Ava"),
        ("belief", 1, "Jo"),
        ("judge_question", 1, "Jo"),
        ("speech", 2, "Ben"),
        ("belief", 2, "Kim"),
        ("ready", 2, "Kim"),
        ("verdict", 0, "Kim"),
    ]
    first, failed = record.of_kind("speech")
    assert [quote.verified for quote in first.quotes] == [True]
    assert failed.field("argument").status == "missing"
    verdict = record.of_kind("verdict")[0]
    assert verdict.field("answer").value == "B"
    assert verdict.field("probability_of_A").value == 1 - 0.9  # the double as released


# Lines that were renamed, put in another order, cut or broken.

Line = dict[str, Any]
READERS: dict[str, tuple[Callable[..., Any], Callable[[], Line]]] = {
    "nyu": (rooms_in, room),
    "transcripts": (transcripts_in, lambda: changed()),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values within a line."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(one, (*path, key))
    return found


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same with the keys of all its objects in another order."""
    if isinstance(value, list):
        return [shuffled(one, rng) for one in value]
    if not isinstance(value, dict):
        return value
    keys = rng.sample([*value], len(value))
    return {key: shuffled(value[key], rng) for key in keys}


def attempt(reader: str, file: Path, text: str) -> list[Transcript] | str:
    file.write_text(text)
    try:
        return [one for _, one in READERS[reader][0](str(file))]
    except InputError as error:
        return error.message


@pytest.mark.parametrize("reader", READERS)
@given(seed=st.integers(0, 10_000), name=st.sampled_from(["a.jsonl", "b c.txt"]))
@settings(max_examples=40, deadline=None)
def test_names_and_order_make_no_difference(
    reader: str, seed: int, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng, made = random.Random(seed), READERS[reader][1]
    lines = [{**made(), "id": f"kilns-{n}"} for n in range(3)]
    folder = tmp_path_factory.mktemp("made")
    plain = attempt(reader, folder / "x.jsonl", "\n".join(map(json.dumps, lines)))
    assert isinstance(plain, list)
    mixed = [json.dumps(shuffled(one, rng)) for one in rng.sample(lines, 3)]
    found = attempt(reader, folder / name, "\n".join(mixed))
    assert isinstance(found, list)
    assert sorted(found, key=lambda one: one.id) == plain


@pytest.mark.parametrize("reader", READERS)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=150, deadline=None)
def test_what_is_broken_is_refused_with_its_place(
    reader: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A field that is lost, unknown or of another type; a line that breaks off."""
    rng, made = random.Random(seed), READERS[reader][1]
    good, bad = made(), {**made(), "id": "other"}
    path = rng.choice(places(bad))
    holder = bad
    for key in path[:-1]:
        holder = holder[key]
    text, harm = None, rng.choice(["type", "unknown", "lost", "cut"])
    if harm == "type":
        holder[path[-1]] = object_of_another_type(holder[path[-1]])
    elif harm == "unknown" and isinstance(holder, dict):
        holder[f"{path[-1]}_"] = holder.pop(path[-1])
    elif harm == "lost" and isinstance(holder, dict):
        del holder[path[-1]]
    else:
        whole = json.dumps(bad)
        text = whole[: rng.randrange(1, len(whole))]
    lines = [json.dumps(good), text or json.dumps(bad)]
    file = tmp_path_factory.mktemp("made") / "x.jsonl"
    found = attempt(reader, file, "\n".join(lines))
    if isinstance(found, list):
        # Only a field that may be missing, or whose content is free, can be lost.
        assert len(found) == 2
        assert harm != "cut"
        return
    assert f"{file}, line 2: " in found
    named = found.partition("line 2: ")[2]
    assert named.partition(":")[0]
    if harm == "cut":
        assert "Invalid JSON" in named


def object_of_another_type(value: Any) -> Any:
    return {"not": "expected"} if isinstance(value, str | list) else [["not", value]]


@needs_data
def test_all_released_debates_keep_every_word_and_probability() -> None:
    released = nyu_debates()
    file = DATA / "nyu_debates" / "debates.jsonl.xz"
    for (_, transcript), there in zip(rooms_in(str(file)), released, strict=True):
        record = record_of(transcript, {})
        speeches = [s for held in there["rounds"] for s in held["speeches"]]
        assert [turn.public for turn in record.of_kind("speech")] == [
            turn.public for turn in record.spoken() if turn.role != "judge"
        ]
        assert len(record.of_kind("speech")) == len(speeches)
        for turn, speech in zip(record.of_kind("speech"), speeches, strict=True):
            bare = re.sub("</?v_quote>", "", turn.public)
            # Quotes without a letter or digit are in quotation marks instead of tags.
            assert re.sub("[“”]", "", bare) == re.sub("[“”]", "", speech["text"])
        beliefs = record.of_kind("belief")
        assert [
            [t.field("probability_of_A").value, t.field("probability_of_B").value]
            for t in beliefs
        ] == [held["judge"]["probabilities"] for held in there["rounds"]]
        said = [t.public for t in record.turns if t.role == "judge" and t.public]
        assert len(said) == sum(
            bool(h["judge"]["text"].strip()) for h in there["rounds"]
        )
