"""The names of turns' spans, as the viewer shows them."""

import pytest

from inspect_debate.debate.calls import span_name

NAMES = [
    (("answer", "debater_a", None), "answer: debater_a"),
    (("speech", "debater_a", 1), "round 1: debater_a"),
    (("speech", "debater_b", 12), "round 12: debater_b"),
    (("answer", "debater_a", 3), "answer 3: debater_a"),
    (("speech", "debater_a", 0), "round 0: debater_a"),
    (("verdict", "judge", 0), "verdict 0: judge"),
    (("critique", "debater_a", None), "critique: debater_a"),
    (("cross_question", "debater_a", 2), "cross_question 2: debater_a"),
    (("verdict", "judge", None), "verdict: judge"),
    (("verdict", "judge", None, "ab"), "verdict: judge ab"),
    (("verdict", "judge_10", None, "ba"), "verdict: judge_10 ba"),
]


@pytest.mark.parametrize(("turn", "name"), NAMES)
def test_names_of_turns(turn: tuple[str, str, int | None], name: str) -> None:
    assert span_name(*turn) == name


def test_all_names_differ() -> None:
    names = {
        span_name(kind, who, round, order)
        for kind in ("answer", "update", "speech", "verdict", "grade", "round_table")
        for who in ("debater_a", "judge_1")
        for round in (None, 0, 1, 2, 11)
        for order in (None, "ab", "ba")
    }
    assert len(names) == 6 * 2 * 5 * 3
