"""The readers, on the replies of `replies.yaml`."""

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
import yaml

from inspect_debate.debate.readers import (
    ERROR_CLAIMS,
    Found,
    abstains,
    choice,
    declines,
    labelled,
    number,
    numbered,
    peeled,
    realmistake_label,
    short_answer,
    stated,
)
from inspect_debate.debate.structured import Object, Scalar, objects
from inspect_debate.debate.text import escape, split_reasoning, verified

ERROR = numbered(
    {
        "error": "the response contains an error",
        "no_error": "the response contains no error",
    }
)
CITIES = {
    "A": ["A", "Paris"],
    "B": ["B", "London"],
    "C": ["C", "Rome"],
    "D": ["D", "Berlin"],
}

REPLIES = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text("utf-8"))

Value = TypeVar("Value")


def value(found: Found[Value] | None) -> Value | None:
    return found.value if found else None


def public(reply: str) -> str:
    return split_reasoning(reply).public


def by_number(reply: str) -> str | None:
    return value(choice(public(reply), "answer", ERROR))


def by_letter(reply: str) -> str | None:
    return value(choice(public(reply), "answer", CITIES))


def share(reply: str) -> float | None:
    return value(number(public(reply), "confidence"))


def words(reply: str) -> str | None:
    return value(short_answer(public(reply)))


def label(reply: str) -> str | None:
    return value(stated(reply, ERROR_CLAIMS))


def verdict(reply: str) -> str | None:
    return by_number(reply) if labelled(reply, "answer") else label(reply)


READERS: list[Callable[[str], object]] = [
    by_number,
    by_letter,
    share,
    words,
    label,
    verdict,
    realmistake_label,
    abstains,
    declines,
]
"""The tables of replies have the names of these."""


def table(prefix: str = "") -> list[tuple[Callable[[str], object], str, object]]:
    return [
        (reader, reply, expected)
        for reader in READERS
        for reply, expected in REPLIES.get(prefix + reader.__name__, ())
    ]


def test_every_table_is_read() -> None:
    assert len(table()) + len(table("missed_")) == sum(map(len, REPLIES.values()))
    assert len(table()) > 500


@pytest.mark.parametrize(("reader", "reply", "expected"), table())
def test_replies(reader: Callable[[str], object], reply: str, expected: object) -> None:
    assert reader(reply) == pytest.approx(expected)


@pytest.mark.xfail(strict=True)
@pytest.mark.parametrize(("reader", "reply", "expected"), table("missed_"))
def test_known_misses(
    reader: Callable[[str], object], reply: str, expected: object
) -> None:
    assert reader(reply) == pytest.approx(expected)


def test_a_long_text_is_no_refusal() -> None:
    assert not declines("I cannot help with that. " * 20)


def test_objects_in_order() -> None:
    text = "a {\"x\": 1} é [{'y': True, 'y': [2, {z: \"é\"}]}] {broken"
    first, listed = objects(text)
    assert isinstance(first, Object)
    assert isinstance(listed, list)
    (second,) = listed
    assert isinstance(second, Object)
    assert [key for key, _ in first.pairs] == ["x"]
    assert text[first.start : first.end] == '{"x": 1}'
    (_, true), (_, listed) = second.pairs
    assert isinstance(true, Scalar)
    assert true.value is True
    assert isinstance(listed, list)
    number, inner = listed
    assert isinstance(number, Scalar)
    assert text[number.start : number.end] == "2"
    assert isinstance(inner, Object)
    assert inner.pairs[0][0] == "z"
    said = inner.pairs[0][1]
    assert isinstance(said, Scalar)
    assert text[said.start : said.end] == '"é"'
    assert objects(text, 12) == [[second]]
    assert objects(text, 0, 12) == [first]


@pytest.mark.parametrize(
    ("reply", "found", "there"),
    [
        ("1 is odd.\n\n**Answer: `1`**", choice, "1"),
        ("Answer: Ｔhe response contains\u00a0no error", choice, None),
        ("Answer: 2\nWait.\n<answer>1</answer>", choice, "1"),
        ("é 80\n**Conf:** about $80\\%$", number, "80"),
        ("Conf: &nbsp;\\boxed{\\text{.75}}", number, ".75"),
        ("We say:\r\n\r\n **Answer:** “Café ½” \r\nBye", short_answer, "Café ½"),
        ("Answer: <b>15&nbsp;mg</b>.", short_answer, "15&nbsp;mg"),
        (
            "It contains no error? No.\n*The response contains an error.*",
            stated,
            "contains an error",
        ),
    ],
)
def test_place_of_the_answer(
    reply: str, found: Callable[..., Found[object]], there: str | None
) -> None:
    arguments: dict[Callable[..., object], tuple[object, ...]] = {
        choice: ("answer", ERROR),
        number: ("confidence",),
        stated: (ERROR_CLAIMS,),
    }
    place = found(reply, *arguments.get(found, ()))
    there = there or reply.removeprefix("Answer: ")
    assert reply[place.start : place.end] == there
    assert place.end == reply.rindex(there) + len(there)


def test_a_name_of_two_values_is_none() -> None:
    options = {"A": ["A", "seven"], "B": ["B", "seven"]}
    assert choice("Answer: seven", "answer", options) is None
    assert value(choice("Answer: B) seven", "answer", options)) == "B"


def test_decoration_goes_and_the_text_stays() -> None:
    assert peeled("## **a_b** `x`  &amp; \\textbf{c}\n2 * 3") == "a_b x & c 2 3"
    assert peeled("«(yes)».") == "yes"


HOSTILE = ["<think>", "{", "[{", "{}", "Answer: ", "<quote>", "<quote>a</quote>"]
HOSTILE += [
    "\\boxed{",
    "\\text{",
    "*",
    "1",
    "1.",
    "<",
    "＜",
    "_",
    "т",
    "/",
    "[",
    "&amp;",
]
HOSTILE += ["e\u0301", "<answer>", "<|channel|>analysis "]
HOSTILE += [" ", "\n", "```\n", "answer ", "Answer: 1\n", "I'm sorry, ", "a ", ", so "]
HOSTILE += [
    "the ",
    "contains an error. ",
    "not ",
    "A or ",
    "def f(:\n",
    "import a\nx y\n",
]
HOSTILE += ["Conf: 0.8 - ", '"', '"""\n', "so "]
FUNCTIONS: list[Callable[[str], object]] = [
    split_reasoning,
    escape,
    lambda text: verified(text, {"source": "abc"}),
    lambda text: choice(f"Answer: {text}", "answer", CITIES),
    lambda text: number(f"Answer: {text}", "answer"),
    short_answer,
    lambda text: objects("[" * 3_000 + "]" * 3_000 + text),
    declines,
    label,
]


@pytest.fixture
def no_collections() -> Iterator[None]:
    """Collecting what other tests have left takes longer than any reader."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collections")
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_text_and_not_its_square(piece: str) -> None:
    def seconds(function: Callable[[str], object], size: int) -> float:
        start = time.process_time()
        function(piece * (size // len(piece)))
        return time.process_time() - start

    for function in FUNCTIONS:
        # What grows with the square takes 16 times as long; machines may be busy.
        assert any(
            seconds(function, 8_000) < 10 * seconds(function, 2_000) + 0.05
            for _ in range(3)
        )
