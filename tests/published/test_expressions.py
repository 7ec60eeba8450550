"""Arithmetic in texts: what it may hold, and nothing else."""

from typing import Any

import pytest

from inspect_debate.published.expressions import evaluate, filled_in

NAMES: dict[str, Any] = {"a": 3.0, "b": [1.0, 4.0], "scale": {40.0: "mild"}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + 2 * -1 ** 2", 1),
        ("a / 2 - 0.5", 1),
        ("abs(1 - a) < 2 or a == 3", True),
        ("not a > 1 and a != 2", False),
        ("a >= 3", True),
        ("a <= 2", False),
        ("round(mean(b), 1)", 2.5),
        ("(min(b), max(b), sum(b))", (1, 4, 5)),
        ("(1, 4) in [(1, 4)]", True),
        ("scale[a + 37]", "mild"),
        ("sqrt(16)", 4),
        ("round(z(0.05), 3)", 1.96),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    "text",
    [
        *("c", "open('x')", "a.real", "__import__('os')", "(lambda: 1)()", "1 < a < 5"),
        *("[x for x in b]", "max(b, key=a)", "f'{a}'", "b[0:1]", "a if a else b"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"."):
        evaluate(text, NAMES)


def test_texts_are_filled_in() -> None:
    text = "{a:.2f} less {a / 2:g} is {a - a / 2:+.1f}, {scale[40]}."
    assert filled_in(text, NAMES) == "3.00 less 1.5 is +1.5, mild."
