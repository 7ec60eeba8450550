import pytest

from inspect_debate.debate.calls import SpanName, read_span_name, span_name
from inspect_debate.debate.record import Kind, Order

NAMES = [
    (SpanName("answer", None, "debater_a", None), "answer: debater_a"),
    (SpanName("speech", 1, "debater_a", None), "round 1: debater_a"),
    (SpanName("speech", 12, "debater_b", None), "round 12: debater_b"),
    (SpanName("answer", 3, "debater_a", None), "answer 3: debater_a"),
    (SpanName("speech", 0, "debater_a", None), "round 0: debater_a"),
    (SpanName("verdict", 0, "judge", None), "verdict 0: judge"),
    (SpanName("sample", 16, "debater_b", None), "sample 16: debater_b"),
    (SpanName("recall", 1, "debater_b", None), "recall 1: debater_b"),
    (SpanName("critique", None, "debater_a", None), "critique: debater_a"),
    (SpanName("update", 1, "debater_b", None), "update 1: debater_b"),
    (SpanName("verdict", None, "judge", None), "verdict: judge"),
    (SpanName("grade", None, "grader", None), "grade: grader"),
    (SpanName("verdict", None, "judge", "ab"), "verdict: judge ab"),
    (SpanName("verdict", None, "judge_10", "ba"), "verdict: judge_10 ba"),
]


@pytest.mark.parametrize(("said", "name"), NAMES)
def test_names_of_turns(said: SpanName, name: str) -> None:
    assert span_name(said.kind, said.participant, said.number, said.order) == name
    assert read_span_name(name) == said


def test_all_names_differ() -> None:
    kinds: tuple[Kind, ...] = ("answer", "update", "speech", "verdict", "grade")
    orders: tuple[Order | None, ...] = (None, "ab", "ba")
    names = {
        span_name(kind, who, round, order)
        for kind in kinds
        for who in ("debater_a", "judge_1")
        for round in ((1, 2, 11) if kind in ("update", "speech") else (None,))
        for order in orders
    }
    assert len(names) == 2 * 3 * (1 + 3 + 3 + 1 + 1)
    assert all(read_span_name(name) for name in names)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "solvers",
        "answer",
        "answer: ",
        "update 1",
        "answer -1: debater_a",
        "answer 1 2: debater_a",
        "speech 1: debater_a",
        "grade",
        "update one: debater_a",
        "round: debater_a",
        "round x: debater_a",
        "round -1: debater_a",
        "opening: debater_a",
        "answer: debater_a cd",
        "answer: debater_a ab ",
        " answer: debater_a",
        "answer: debater_a\n",
        "round 1: debater_a/debater_b",
        "my answer: debater_a",
        "answer: Debater A",
    ],
)
def test_other_spans_are_not_a_turns(name: str) -> None:
    assert read_span_name(name) is None
