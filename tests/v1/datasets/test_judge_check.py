"""The finished debates of a judge check, and human labels of debates."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.judge_check import (
    _draw_sides,
    finished_debates,
    human_labels,
)
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.judge_checks import PERTURBED, debate_in_sample
from tests.v1.support.judge_checks import state_of
from tests.v1.support.runs import item


def shipped(seed: int = 0) -> list[Sample]:
    return list(finished_debates("sample", seed).dataset)


def test_there_are_24_debates_of_two_with_two_speeches_a_side() -> None:
    assert len(shipped()) == 24
    for sample in shipped():
        debate = debate_in_sample(state_of(sample))
        assert debate.rounds == 2
        assert {s.name for s in debate.debaters} == {"Alice", "Bob"}
        assert {s.defends for s in debate.debaters} == {"A", "B"}
        turns = [(turn.round, turn.participant) for turn in debate.turns]
        assert turns == [(n, f"debater_{who}") for n in (1, 2) for who in "ab"]
        assert not any("{" in turn.public for turn in debate.turns)


def test_the_right_answer_is_balanced_over_places_and_names() -> None:
    places: Counter[tuple[str, str]] = Counter()
    for sample in shipped():
        speakers = debate_in_sample(state_of(sample)).debaters
        (name,) = (s.name for s in speakers if s.defends == sample.target)
        places[str(sample.target), name] += 1
    assert set(places.values()) == {6}
    assert len(places) == 4


def test_a_reader_of_quotes_finds_most_right_answers() -> None:
    better = 0
    for sample in shipped():
        debate = debate_in_sample(state_of(sample))
        (right,) = (s.id for s in debate.debaters if s.defends == sample.target)
        score = sum(
            (1 if quote.verified else -1) * (1 if turn.participant == right else -1)
            for turn in debate.turns
            for quote in turn.quotes
        )
        better += score > 0
    assert 20 <= better < 24


def test_neither_side_speaks_much_longer() -> None:
    for sample in shipped():
        words: Counter[str] = Counter()
        for turn in debate_in_sample(state_of(sample)).turns:
            words[turn.participant] += len(turn.public.split())
        assert max(words.values()) < 1.3 * min(words.values()), sample.id


@pytest.mark.parametrize("limit", [4, 10, 24])
def test_right_and_wrong_sides_are_manipulated_alike_in_any_prefix(limit: int) -> None:
    right = [s.target == (s.metadata or {})[PERTURBED] for s in shipped()[:limit]]
    assert abs(2 * sum(right) - limit) <= 1


@pytest.mark.parametrize("options", [2, 4, 24])
@pytest.mark.parametrize("known", [True, False])
def test_sides_are_manipulated_alike_wherever_the_right_one_stands(
    options: int, known: bool
) -> None:
    for seed in range(50):
        drawn = Random(seed)
        samples = []
        for place in range(24):
            sides = sorted(drawn.sample(range(options), 2))
            right = [drawn.choice(sides)] if known else []
            metadata = {"sides": [*map(str, sides)], "right": [*map(str, right)]}
            samples.append(Sample(input="x", id=place, metadata=metadata))
        stands = [dict(sample.metadata or {}) for sample in samples]
        _draw_sides(samples, seed)
        drawn_sides = [(sample.metadata or {})[PERTURBED] for sample in samples]
        pairs = [*zip(drawn_sides, stands, strict=True)]
        first = sum(side == stood["sides"][0] for side, stood in pairs)
        assert 11 <= first <= 13
        if known:
            assert sum(side in stood["right"] for side, stood in pairs) == 12


def test_the_seed_decides_order_and_sides() -> None:
    def drawn(seed: int) -> list[tuple[object, object]]:
        return [(s.id, (s.metadata or {})[PERTURBED]) for s in shipped(seed)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert sorted(map(str, drawn(1))) != sorted(map(str, drawn(2)))


def test_a_log_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"debates=none\.eval: there is no log"):
        finished_debates("none.eval")


CHOICE = Sample(id="q1", input="Which?", choices=["At noon", "At one"], target="A")
OTHER = Sample(id="q2", input="Which?", choices=["Two", "Three"], target="A")
WORDS = Sample(id="q3", input="Which?", target=["Ash"])
SAMPLES = [CHOICE, OTHER, WORDS, item("e1")]


def written(folder: Path, text: str, name: str = "labels.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("id", "given", "answer"),
    [
        ("q1", "B", "B"),
        ("q1", "b", "B"),
        ("q1", "at one", "B"),
        ("q2", "Two", "A"),
        ("q3", "The Ash", "ash"),
        ("e1", "error", "error"),
        ("e1", "2", "no_error"),
    ],
)
def test_answers_are_read_as_records_have_them(
    id: str, given: str, answer: str, tmp_path: Path
) -> None:
    labels = human_labels(written(tmp_path, f"id,answer\n{id},{given}\n"), SAMPLES)
    assert labels.answers == {id: answer}
    assert labels.provenance["file"] == "labels.csv"


def test_most_annotators_decide_and_a_tie_is_nobodys(tmp_path: Path) -> None:
    rows = ["id,answer,annotator", "q1,A,x", "q1,A,y", "q1,B,z", "q2,A,x", "q2,B,y"]
    labels = human_labels(written(tmp_path, "\n".join(rows)), SAMPLES)
    assert labels.answers == {"q1": "A", "q2": None}
    assert labels.provenance == {
        "file": "labels.csv",
        "labels": 5,
        "annotators": 3,
        "labelled": 2,
        "tied": 1,
    }


def test_forms_of_files(tmp_path: Path) -> None:
    plain = '{"id": "q1", "answer": "A"}\n\n{"id": "q2", "answer": "B"}\n'
    labels = human_labels(written(tmp_path, plain, "labels.jsonl"), SAMPLES)
    assert labels.answers == {"q1": "A", "q2": "B"}
    as_excel = written(tmp_path, 'id,answer\r\nq1,"at\n one"\r\nq2,A\r\n', "L.CSV")
    assert human_labels(as_excel, SAMPLES).answers == {"q1": "B", "q2": "A"}
    lines = '{"id": "q3", "answer": "ash\u2028", "annotator": 0}'
    other = '{"id": "q3", "answer": "ash", "annotator": 1}'
    labels = human_labels(written(tmp_path, f"{lines}\n{other}", "l.jsonl"), SAMPLES)
    assert labels.provenance["annotators"] == 2
    with pytest.raises(InputError, match="line 2 has 'more cells'"):
        human_labels(written(tmp_path, "id,answer\nq1,A,x\n"), SAMPLES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,answer\nq9,A\n", "line 2: no debate has the id 'q9'"),
        ("id,answer\nq1,C\n", "line 2: 'C' is no answer to q1"),
        ("id,answer\ne1,A\n", "line 2: 'A' is no answer to e1"),
        ("id,answer\nq1,A\nq1,B\n", "line 3: q1 is labelled by .* twice"),
        ("id,label\nq1,A\n", "lacks 'answer'"),
        ("id,answer,who\nq1,A,x\n", "has 'who'; allowed: annotator, answer, id"),
        ("id,answer\nq1,\n", "lacks 'answer'"),
        ("id,answer\n", "has no label"),
        ("id,answer\nq1,A,x,y\n", "has 'more cells'"),
    ],
)
def test_what_is_wrong_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        human_labels(written(tmp_path, text), SAMPLES)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "line 1 is not JSON"), ("[1]", "line 1 is no JSON object")],
)
def test_broken_json_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        human_labels(written(tmp_path, text, "labels.jsonl"), SAMPLES)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(InputError, match=r"human_labels=none\.csv cannot be read"):
        human_labels("none.csv", SAMPLES)
