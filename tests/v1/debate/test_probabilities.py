"""How probable each answer was at the token that decides, and what is made of it."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import pytest
from inspect_ai.model import Logprob, Logprobs, ModelOutput, TopLogprob

from inspect_debate.v1.debate.answers import decision_on_line
from inspect_debate.v1.debate.record import Parsed, Status, TokenProbabilities
from inspect_debate.v1.debate.tokens import decision_probabilities

LETTERS = {"a": ("A",), "b": ("B",)}
LABELS = {"error": ("1", "error", "an error"), "no_error": ("2", "no error")}
WORDS = {"reasonable": ("reasonable",), "unreasonable": ("unreasonable",)}
Listed = dict[str, float]


class Case(NamedTuple):
    """Tokens, those with alternatives as mappings to probabilities, and what follows.

    The first of the alternatives is the token that was taken.
    """

    tokens: Sequence[str | Listed]
    read: str
    by_answer: dict[str, float]
    place: str = "before_reasons"
    names: Mapping[str, Sequence[str]] = LETTERS
    label: str = "answer"


CASES = {
    "one token": Case(["Answer:", {" B": 0.7, " A": 0.3}], "b", {"a": 0.3, "b": 0.7}),
    "other tokens have a part": Case(
        ["Answer:", {" B": 0.6, " A": 0.2, " The": 0.1, "\n": 0.1}],
        "b",
        {"a": 0.25, "b": 0.75},
    ),
    "spellings are added": Case(
        ["Answer:", {" B": 0.5, "B": 0.1, " b": 0.1, " **A": 0.2, "(A": 0.1}],
        "b",
        {"a": 0.3, "b": 0.7},
    ),
    "the label is split": Case(
        ["Ans", "wer", ":", " ", {"1": 0.9, "2": 0.1}],
        "error",
        {"error": 0.9, "no_error": 0.1},
        names=LABELS,
    ),
    "glued to the colon": Case(
        ["Answer", {": B": 0.8, ": A": 0.2}], "b", {"a": 0.2, "b": 0.8}
    ),
    "all in one token": Case(
        [{"Answer: B": 0.8, "Answer: A": 0.2}], "b", {"a": 0.2, "b": 0.8}
    ),
    "the first piece of a word": Case(
        [
            "Verdict",
            ":",
            {" un": 0.6, " reasonable": 0.3, " reason": 0.1},
            "reasonable",
        ],
        "unreasonable",
        {"reasonable": 0.4, "unreasonable": 0.6},
        names=WORDS,
        label="verdict",
    ),
    "words that begin alike": Case(
        ["Answer:", {" reading": 1.0}, {" one": 0.75, " two": 0.25}],
        "one",
        {"one": 0.75, "two": 0.25},
        names={"one": ("reading one",), "two": ("reading two",)},
    ),
    "after reasons": Case(
        ["B is right.\n", "Answer:", {" B": 0.99, " A": 0.01}],
        "b",
        {"a": 0.01, "b": 0.99},
        "after_reasons",
    ),
    "reasons after it": Case(
        ["**", "Answer:", {" B": 0.8, " A": 0.2}, "\n", "A is wrong."],
        "b",
        {"a": 0.2, "b": 0.8},
    ),
    "the last line decides": Case(
        ["Answer:", {" A": 0.9, " B": 0.1}, "\nAnswer:", {" B": 0.6, " A": 0.4}],
        "b",
        {"a": 0.4, "b": 0.6},
        "after_reasons",
    ),
    "nearly all is listed": Case(["Answer:", {" B": 0.995}], "b", {"a": 0.0, "b": 1.0}),
    "a stop token": Case(
        ["Answer:", {" B": 0.7, " A": 0.3}, "<|eot_id|>"], "b", {"a": 0.3, "b": 0.7}
    ),
    "a vocabulary's spelling": Case(
        ["Answer", ":", {"ĠB": 0.7, "ĠA": 0.3}], "b", {"a": 0.3, "b": 0.7}
    ),
}


def _logprob(token: str | Listed) -> Logprob:
    listed = {token: 1.0} if isinstance(token, str) else token
    taken, *_ = listed
    options = [TopLogprob(token=t, logprob=math.log(p)) for t, p in listed.items()]
    top = None if isinstance(token, str) else options
    return Logprob(token=taken, logprob=options[0].logprob, top_logprobs=top)


def _output(tokens: Sequence[str | Listed]) -> ModelOutput:
    content = [_logprob(token) for token in tokens]
    text = "".join(token.token for token in content).replace("Ġ", " ")
    output = ModelOutput.from_content("m", text.removesuffix("<|eot_id|>"))
    output.choices[0].logprobs = Logprobs(content=content)
    return output


def _found(
    case: Case, read: Parsed | None = None, reasoned: bool = False
) -> TokenProbabilities:
    output = _output(case.tokens)
    decision = decision_on_line(output.completion.strip(), case.label, case.names)
    read = Parsed.ok(case.read) if read is None else read
    return decision_probabilities(output, decision, read, reasoned=reasoned)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_probabilities_of_the_answers(case: Case) -> None:
    found = _found(case)
    assert (found.status, found.place) == ("ok", case.place)
    assert found.by_answer == pytest.approx(case.by_answer)
    assert sum(found.by_answer.values()) == pytest.approx(1)


def test_what_is_on_other_tokens_is_known() -> None:
    assert _found(CASES["other tokens have a part"]).mass == pytest.approx(0.8)


def test_reasons_elsewhere_count() -> None:
    assert _found(CASES["one token"], reasoned=True).place == "after_reasons"


ABSENT = {
    "no alternatives": (["Answer:", " B"], "missing"),
    "an answer may be hidden": (["Answer:", {" B": 0.7, " The": 0.2}], "missing"),
    "more than certain": (["Answer:", {" B": 0.9, " A": 0.9}], "invalid"),
}


@pytest.mark.parametrize(("tokens", "status"), ABSENT.values(), ids=ABSENT)
def test_why_there_are_none(tokens: Sequence[str | Listed], status: str) -> None:
    found = _found(Case(tokens, "b", {}))
    assert (found.status, found.by_answer, found.mass) == (status, {}, None)


def test_another_answer_than_the_one_read_is_invalid() -> None:
    assert (
        _found(Case(["Answer:", {" B": 0.7, " A": 0.3}], "a", {})).status == "invalid"
    )


@pytest.mark.parametrize("value", [math.nan, 0.5])
def test_values_that_are_no_logarithms_of_probabilities(value: float) -> None:
    output = _output(["Answer:", {" B": 0.7, " A": 0.3}])
    assert output.choices[0].logprobs is not None
    output.choices[0].logprobs.content[1].top_logprobs[1].logprob = value  # type: ignore[index]  # there are some
    decision = decision_on_line(output.completion, "answer", LETTERS)
    found = decision_probabilities(output, decision, Parsed.ok("b"))
    assert found.status == "invalid"


def test_what_openai_sends_for_an_impossible_token_is_impossible() -> None:
    output = _output(["Answer:", {" B": 0.999, " A": 0.001}])
    assert output.choices[0].logprobs is not None
    output.choices[0].logprobs.content[1].top_logprobs[1].logprob = -9999.0  # type: ignore[index]  # there are some
    decision = decision_on_line(output.completion, "answer", LETTERS)
    found = decision_probabilities(output, decision, Parsed.ok("b"))
    assert found.by_answer == {"a": 0.0, "b": 1.0}


@pytest.mark.parametrize(
    ("read", "status"),
    [
        (Parsed.unparsed(), "no_answer"),
        (Parsed(status=Status.REFUSED), "no_answer"),
        (Parsed(status=Status.TRUNCATED), "truncated"),
        (Parsed(status=Status.CAPPED), "truncated"),
    ],
)
def test_no_decision_could_be_read(read: Parsed, status: str) -> None:
    assert _found(CASES["one token"], read).status == status


def test_a_list_that_ends_before_the_decision() -> None:
    output = _output(["Answer:", {" B": 0.7, " A": 0.3}])
    assert output.choices[0].logprobs is not None
    del output.choices[0].logprobs.content[1]
    find = partial(decision_on_line, label="answer", names=LETTERS)
    found = decision_probabilities(output, find(output.completion), Parsed.ok("b"))
    assert found.status == "truncated"


def test_none_were_sent() -> None:
    output = ModelOutput.from_content("m", "Answer: B")
    decision = decision_on_line("Answer: B", "answer", LETTERS)
    found = decision_probabilities(output, decision, Parsed.ok("b"))
    assert found == TokenProbabilities(status="missing", place="before_reasons")
