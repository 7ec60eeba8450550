"""Which tokens of a completion belong to its answer."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import Logprob, Logprobs, ModelOutput

from inspect_debate.debate.answers import find_answer, short_answer
from inspect_debate.debate.parsing import split_reasoning
from inspect_debate.debate.record import AnswerTokens, TokensStatus
from inspect_debate.debate.tokens import answer_tokens, mean_probability


def _output(completion: str, content: Sequence[Logprob] | None) -> ModelOutput:
    output = ModelOutput.from_content("m", completion)
    if content is not None:
        output.choices[0].logprobs = Logprobs(content=list(content))
    return output


def _content(tokens: Sequence[str], with_bytes: bool = False) -> list[Logprob]:
    """Tokens whose log-probabilities tell them apart: -1, -2, ..."""
    return [
        Logprob(
            token=token,
            logprob=-float(n),
            bytes=list(token.encode()) if with_bytes else None,
        )
        for n, token in enumerate(tokens, start=1)
    ]


def _read(completion: str) -> str | None:
    value = short_answer(split_reasoning(completion).visible).value
    return None if value is None else str(value)


class Case(NamedTuple):
    """A tokenised completion, which tokens (from 1) hold its answer, and the answer."""

    tokens: list[str]
    own: list[int]
    answer: str


CASES = {
    "leading spaces": Case(["Answer", ":", " New", " York"], [3, 4], "New York"),
    "one token": Case(["Answer", ":", " Paris"], [3], "Paris"),
    "a year": Case(["Answer", ":", " 19", "69", "."], [3, 4], "1969"),
    "quotes glued": Case(["Answer:", ' "Par', "is", '"', "\n"], [2, 3], "Paris"),
    "closing quote glued": Case(["Answer:", ' "', "Par", 'is"\n'], [3, 4], "Paris"),
    "newline glued": Case(["Answer:", " Par", "is\n", "\n"], [2, 3], "Paris"),
    "stop glued": Case(["Answer:", " Par", "is."], [2, 3], "Paris"),
    "colon glued": Case(["Answer", ": Par", "is"], [2, 3], "Paris"),
    "all in one": Case(["Answer: Paris\n"], [1], "Paris"),
    "a space alone": Case(["Answer:", " ", "New", " ", "York"], [3, 5], "New York"),
    "spaces around": Case(["Answer:", "  ", "Paris", " ", "\n"], [3], "Paris"),
    "stop that belongs": Case(["Answer:", " D", ".C", "."], [2, 3, 4], "D.C."),
    "markdown": Case(
        ["**", "Answer", ":**", " **", "Par", "is", "**"], [5, 6], "Paris"
    ),
    "next line": Case(["Answer", ":\n", "Par", "is"], [3, 4], "Paris"),
    "bare": Case(["Par", "is"], [1, 2], "Paris"),
    "bare, stop": Case([" Par", "is", "."], [1, 2], "Paris"),
    "preface": Case(["The", " answer", " is", " Paris"], [4], "Paris"),
    "empty tokens": Case(["", "Answer: ", "", "Paris", ""], [4], "Paris"),
    "explained after": Case(["Answer:", " Paris", "\n", "Paris", "!"], [2], "Paris"),
    "repeated before": Case(
        ["Paris", " it is.\n", "Answer", ": ", "Paris"], [5], "Paris"
    ),
    "an earlier line": Case(
        ["Answer:", " Paris", "\n", "No.\n", "Answer:", " Paris"], [6], "Paris"
    ),
    "reasoning": Case(
        ["<think>", "Answer: Paris", "</think>", "\n\n", "Answer:", " Paris", "\n"],
        [6],
        "Paris",
    ),
    "reasoning, unopened": Case(
        ["Paris", "?\n", "</think>", "\n", "Paris"], [5], "Paris"
    ),
    "reasoning between": Case(
        ["Well.\n", "<think>", "Rome", "</think>", "Answer: ", "Paris"], [6], "Paris"
    ),
    "reasoning after": Case(
        ["Answer:", " Paris", "<think>", "Answer:", " Rome", "</think>"], [2], "Paris"
    ),
    "reasoning after, unclosed": Case(
        ["Answer:", " 7", "\n", "<think>", " Answer:", " 7"], [2], "7"
    ),
    "reasoning after the label": Case(
        ["Answer:", "<think>", "Answer: 7", "</think>", " 7"], [5], "7"
    ),
    "left in the completion": Case(["Answer:", " 7", "<|eot_id|>"], [2], "7"),
    "accents": Case(["Answer:", " Café", " Zoë", "\n"], [2, 3], "Café Zoë"),
    "outside the plane": Case(["😀\n", "Answer:", " 😀a", "😀"], [3, 4], "😀a😀"),
}
ENDS = [[], ["<|eot_id|>"], ["</s>"], ["\n", "<|im_end|>", "\n"], ["<end_of_turn>"]]


@pytest.mark.parametrize("with_bytes", [False, True])
@pytest.mark.parametrize("end", ENDS, ids="".join)
@pytest.mark.parametrize("name", CASES)
def test_the_answers_own_tokens(name: str, end: list[str], with_bytes: bool) -> None:
    tokens, own, answer = CASES[name]
    completion = "".join(tokens)
    assert _read(completion) == answer
    output = _output(completion, _content([*tokens, *end], with_bytes))
    assert answer_tokens(output, answer) == AnswerTokens(
        status="ok",
        tokens=tuple(tokens[n - 1] for n in own),
        logprobs=tuple(-float(n) for n in own),
    )


@pytest.mark.parametrize(
    ("tokens", "completion", "own"),
    [
        # The provider took the reasoning out of the completion.
        (
            ["<think>", "Answer: Rome", "</think>", "\n\n", "Answer:", " Rome"],
            "Answer: Rome",
            [6],
        ),
        (["Answer:", " Rome", "<think>", "Answer:", " Rome"], "Answer: Rome", [2]),
        (["Maybe\nAnswer:", " 1999", "\n\n", "1999"], "1999", [4]),
        (
            ["Hm.\nAnswer:", " Rome", "\n\n", "The answer is", " Rome"],
            "The answer is Rome",
            [5],
        ),
        (["Is it 1999?", " Hm.", "\nAnswer:", " 1999"], "Answer: 1999", [4]),
        (["Hm. Answer: 7", "\n", " Answer:", " 7", "</s>"], "Answer: 7", [4]),
        (["<|channel|>", "final", "<|message|>", "Rome", "<|return|>"], "Rome", [4]),
        (["<s>", "Answer:", " Rome"], "Answer: Rome", [3]),
        (["<s>", "Answer:", " <5>"], "Answer: <5>", [3]),
        # Another text, or one that has it twice.
        (["So\nAnswer:", " Rome", "\nmore text"], "Answer: Rome", []),
        (["Answer:", " Rome", "\nmore text"], "Answer: Rome", []),
        (["Answer:", " Rome", "\n", "Answer:", " Rome"], "Answer: Rome", []),
        (["Rome", "\n", "Rome"], "Rome", []),
        (["Rome?", " Well.", "\n", "Rome"], "Rome", []),
        (["I", " think", " 1", "4"], "4", []),
        (["Hm", " Rome"], "Rome", []),
        (["<think>", "Rome?", "</think>", "Rome", "<think>", "hm"], "Rome", []),
    ],
)
def test_tokens_left_out(tokens: list[str], completion: str, own: list[int]) -> None:
    found = answer_tokens(_output(completion, _content(tokens)), _read(completion))
    assert found.logprobs == tuple(-float(n) for n in own)
    assert found.status == ("ok" if own else "misaligned")


def test_reasoning_is_no_answer() -> None:
    tokens = _content(["Answer:", " Rome", "</think>"])
    assert answer_tokens(_output("Answer: Rome", tokens), "Rome").status == "cut"


def _split(parts: Sequence[bytes]) -> list[Logprob]:
    return [
        Logprob(token=part.decode(errors="replace"), logprob=-float(n), bytes=[*part])
        for n, part in enumerate(parts, start=1)
    ]


@pytest.mark.parametrize(
    ("parts", "own"),
    [
        ([b"Answer:", b" Caf\xc3", b"\xa9"], (-2.0, -3.0)),
        ([b"Answer: ", b"\xf0\x9f", b"\x98", b"\x80x", b'"'], (-2.0, -3.0, -4.0)),
        ([b"\xf0\x9f", b"\x98\x80\n", b"Answer:", b" 7", b"\n"], (-4.0,)),
    ],
)
def test_split_characters(parts: list[bytes], own: tuple[float, ...]) -> None:
    completion = b"".join(parts).decode()
    found = answer_tokens(_output(completion, _split(parts)), _read(completion))
    assert (found.status, found.logprobs) == ("ok", own)


def test_an_end_token_without_bytes() -> None:
    parts = [b"Answer: Caf\xc3", b"\xa9"]
    content = [*_split(parts), Logprob(token="<|eot_id|>", logprob=-9, bytes=None)]
    found = answer_tokens(_output("Answer: Café", content), "Café")
    assert found.logprobs == (-1.0, -2.0)


@pytest.mark.parametrize(
    "tokens",
    [
        ["Answer", ":", "ĠNew", "ĠCafÃ©", "<|eot_id|>"],  # byte-level vocabularies
        ["Answer", ":", "▁New", "▁Café", "</s>"],  # SentencePiece
    ],
)
def test_tokens_in_the_spelling_of_a_vocabulary(tokens: list[str]) -> None:
    content = [
        Logprob(token=token, logprob=-float(n), bytes=[ord(c) for c in token])
        for n, token in enumerate(tokens, start=1)
    ]
    found = answer_tokens(_output("Answer: New Café", content), "New Café")
    assert (found.status, found.logprobs) == ("ok", (-3.0, -4.0))


def test_sentencepiece_bytes() -> None:
    tokens = ["▁Answer", ":", "▁Caf", "<0xC3>", "<0xA9>", "s"]
    found = answer_tokens(_output("Answer: Cafés", _content(tokens)), "Cafés")
    assert (found.status, found.logprobs) == ("ok", (-3.0, -4.0, -5.0, -6.0))


def test_code_points_sent_as_bytes() -> None:
    content = [
        Logprob(token=token, logprob=-1.0, bytes=[ord(c) for c in token])
        for token in ("Answer:", " Café")
    ]
    found = answer_tokens(_output("Answer: Café", content), "Café")
    assert (found.status, found.tokens) == ("ok", (" Café",))


@pytest.mark.parametrize(
    ("completion", "tokens", "status"),
    [
        # No tokens.
        ("Answer: Paris", None, "absent"),
        ("Answer: Paris", [], "absent"),
        # The list ends before the answer does.
        ("Answer: Paris", ["Answer", ":", " Par"], "cut"),
        ("Answer: Paris", ["Answer", ":"], "cut"),
        ("Answer: Paris", ["<|eot_id|>"], "cut"),
        ("Answer: D.C.", ["Answer:", " D", ".C"], "cut"),
        ("Paris", ["Par"], "cut"),
        ("So.\nAnswer: Paris", ["So", ".\n"], "cut"),
        ("Answer: Rome\nNo.\nAnswer: Rome", ["Answer: Rome", "\n"], "cut"),
        ("<think>Paris?</think>Paris", ["<think>", "Paris"], "cut"),
        # The list ends after it.
        ("Answer: Paris\n\nThat is all.", ["Answer:", " Paris", "\n"], "ok"),
        ('Answer: "Paris"', ["Answer:", ' "', "Paris"], "ok"),
        # It spells something else.
        ("Answer: Paris", ["Answer", ":", " Rome"], "misaligned"),
        ("Answer: Paris", ["Paris", "\n", "Rome"], "misaligned"),
        ("4", ["I", " think", " 14", "\n", "so"], "misaligned"),
        ("Answer: Paris", ["nswer", ":", " Paris", " is", " it"], "misaligned"),
        (
            "😀 Why?\nAnswer: Paris",
            ["��", " Why?\n", "Answer: ", "Paris"],
            "misaligned",
        ),
        ("Answer: Café", ["Answer: ", "Caf", "�", "�"], "misaligned"),
    ],
)
def test_why_there_are_no_tokens(
    completion: str, tokens: list[str] | None, status: TokensStatus
) -> None:
    content = None if tokens is None else _content(tokens)
    found = answer_tokens(_output(completion, content), _read(completion))
    assert found.status == status
    assert bool(found.tokens) is bool(found.logprobs) is (status == "ok")


def test_a_list_that_ends_inside_a_character() -> None:
    found = answer_tokens(
        _output("Answer: Café", _split([b"Answer: Caf", b"\xc3"])), "Café"
    )
    assert found.status == "cut"


def test_no_answer_and_no_completion() -> None:
    tokens = _content(["I", " pass", "\n", "now"])
    assert answer_tokens(_output("I pass\nnow", tokens), None).status == "no_answer"
    assert answer_tokens(ModelOutput(model="m"), "Paris").status == "absent"


@pytest.mark.parametrize(
    ("logprob", "stored"),
    [
        (-0.5, -0.5),
        (0.0, 0.0),
        (1e-7, 0.0),
        (1e-6, 0.0),
        (-9999.0, -9999.0),
        (1.1e-6, None),
        (0.5, None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
    ],
)
def test_log_probabilities(logprob: float, stored: float | None) -> None:
    content = [
        Logprob(token="Answer:", logprob=math.nan),
        Logprob(token=" Par", logprob=-1.0),
        Logprob(token="is", logprob=logprob),
    ]
    found = answer_tokens(_output("Answer: Paris", content), "Paris")
    if stored is None:
        assert found == AnswerTokens(status="invalid")
    else:
        assert found.logprobs == (-1.0, stored)


@pytest.mark.parametrize(
    ("tokens", "probability"),
    [
        (AnswerTokens(status="ok", tokens=("a",), logprobs=(math.log(0.9),)), 0.9),
        (
            # The geometric mean: sqrt(0.5 * 0.125) = 0.25.
            AnswerTokens(
                status="ok",
                tokens=("a", "b"),
                logprobs=(math.log(0.5), math.log(0.125)),
            ),
            0.25,
        ),
        (AnswerTokens(status="ok", tokens=("a",), logprobs=(0.0,)), 1.0),
        (AnswerTokens(status="ok", tokens=("a",), logprobs=(-9999.0,)), 0.0),
        (AnswerTokens(status="absent"), None),
        (AnswerTokens(status="invalid"), None),
    ],
)
def test_mean_probability(tokens: AnswerTokens, probability: float | None) -> None:
    assert mean_probability(tokens) == pytest.approx(probability)


def test_tokens_can_be_logged() -> None:
    content = [Logprob(token="Answer: a\ud800", logprob=-1.0)]
    found = answer_tokens(_output("Answer: a\ufffd", content), "a\ufffd")
    assert found.status == "ok"
    assert AnswerTokens.model_validate_json(found.model_dump_json()) == found


WORDS = st.text("Paré19é😀ü名-", min_size=1, max_size=6)
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@given(phrase=PHRASES.filter(lambda x: any(c.isalnum() for c in x)), data=st.data())
def test_tokens_of_any_split(phrase: str, data: st.DataObject) -> None:
    text = f'Well.\nAnswer: "{phrase}"\n'
    size = len(text.encode())
    cuts = data.draw(st.sets(st.integers(1, size - 1)))
    edges = [0, *sorted(cuts), size]
    logprobs = data.draw(
        st.lists(st.floats(-50, 0), min_size=len(edges) - 1, max_size=len(edges) - 1)
    )
    content = [
        Logprob(token=part.decode(errors="replace"), logprob=logprob, bytes=[*part])
        for a, b, logprob in zip(edges, edges[1:], logprobs, strict=False)
        for part in [text.encode()[a:b]]
    ]
    first = len('Well.\nAnswer: "')
    letters = [i for i in range(first, first + len(phrase)) if text[i] != " "]
    holders = {
        sum(cut <= byte for cut in cuts)
        for i in letters
        for byte in range(len(text[:i].encode()), len(text[: i + 1].encode()))
    }
    found = answer_tokens(_output(text, content), phrase)
    assert find_answer(text) == (first, first + len(phrase))
    assert found.status == "ok"
    assert found.logprobs == tuple(logprobs[n] for n in sorted(holders))
    assert found.tokens == tuple(content[n].token for n in sorted(holders))
