"""Which tokens of a completion belong to its answer, and what other answers had."""

import asyncio
import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import (
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    TopLogprob,
)
from pydantic import ValidationError

from inspect_debate.debate.ask import ask
from inspect_debate.debate.logprobs import answer_tokens, option_probabilities
from inspect_debate.debate.readers import short_answer
from inspect_debate.debate.roles import Participant
from inspect_debate.debate.text import split_reasoning
from inspect_debate.solvers.srdcr import read_answer
from tests.support import Call, Script


def content(tokens: Sequence[str], with_bytes: bool = False) -> list[Logprob]:
    """Tokens whose log-probabilities tell them apart: -1, -2, ..."""
    return [
        Logprob(
            token=token,
            logprob=-float(n),
            bytes=list(token.encode()) if with_bytes else None,
        )
        for n, token in enumerate(tokens, start=1)
    ]


def split(*parts: bytes) -> list[Logprob]:
    """Tokens that may end inside a character."""
    return [
        Logprob(token=part.decode(errors="replace"), logprob=-float(n), bytes=[*part])
        for n, part in enumerate(parts, start=1)
    ]


def found(completion: str, tokens: Sequence[Logprob] | None) -> tuple[str, list[float]]:
    """The answer that is read, and the log-probabilities of its tokens."""
    output = ModelOutput.from_content("m", completion)
    if tokens is not None:
        output.choices[0].logprobs = Logprobs(content=list(tokens))
    public = split_reasoning(completion).public
    said = short_answer(public)
    assert said is not None
    own = answer_tokens(output, public, said.start, said.end)
    return said.value, [token.logprob for token in own]


def marked(text: str) -> tuple[list[str], list[float]]:
    """Tokens between middle dots, and the log-probabilities of those marked with ^."""
    tokens = text.split("·") if text else []
    own = [-float(n) for n, token in enumerate(tokens, 1) if token.startswith("^")]
    return [token.removeprefix("^") for token in tokens], own


# A tokenised completion, whose own tokens are marked, and its answer.
CASES = [
    ("Answer·:·^ New·^ York", "New York"),
    ("Answer·:·^ 19·^69·.", "1969"),
    ('Answer:·^ "Par·^is·"·\n', "Paris"),
    ('Answer:· "·^Par·^is"\n', "Paris"),
    ("Answer:·^ Par·^is\n·\n", "Paris"),
    ("Answer:·^ Par·^is.", "Paris"),
    ("Answer·^: Par·^is", "Paris"),
    ("^Answer: Paris\n", "Paris"),
    ("Answer:· ·^New· ·^York", "New York"),
    ("Answer:·  ·^Paris· ·\n", "Paris"),
    ("Answer:·^ D·^.C·^.", "D.C."),
    ("**·Answer·:**· **·^Par·^is·**", "Paris"),
    ("Answer·:\n·^Par·^is", "Paris"),
    ("^ Par·^is·.", "Paris"),
    ("The· answer· is·^ Paris", "Paris"),
    ("·Answer: ··^Paris·", "Paris"),
    ("Answer:·^ Paris·\n·Paris·!", "Paris"),
    ("Paris· it is.\n·Answer·: ·^Paris", "Paris"),
    ("Answer:· Paris·\n·No.\n·Answer:·^ Paris", "Paris"),
    ("<think>·Answer: Paris·</think>·\n\n·Answer:·^ Paris", "Paris"),
    ("Paris·?\n·</think>·\n·^Paris", "Paris"),
    ("Well.\n·<think>·Rome·</think>·Answer: ·^Paris", "Paris"),
    ("Answer:·^ Paris·<think>·Answer:· Rome·</think>", "Paris"),
    ("Answer:·^ 7·\n·<think>· Answer:· 7", "7"),
    ("Answer:·<think>·Answer: 7·</think>·^ 7", "7"),
    ("Answer:·^ 7·<|eot_id|>", "7"),
    ("Answer:·^ Café·^ Zoë·\n", "Café Zoë"),
    ("😀\n·Answer:·^ 😀a·^😀", "😀a😀"),
]
ENDS = ["", "<|eot_id|>", "</s>", "\n·<|im_end|>·\n", "<|END_OF_TURN|>"]


@pytest.mark.parametrize("with_bytes", [False, True])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("text", "answer"), CASES)
def test_the_answers_own_tokens(
    text: str, answer: str, end: str, with_bytes: bool
) -> None:
    tokens, own = marked(text)
    listed = content([*tokens, *marked(end)[0]], with_bytes)
    assert found("".join(tokens), listed) == (answer, own)


@pytest.mark.parametrize(
    ("text", "completion"),
    [
        # The provider took the reasoning, or a control token, out of the completion.
        ("<think>·Answer: Rome·</think>·\n\n·Answer:·^ Rome", "Answer: Rome"),
        ("Answer:·^ Rome·<think>·Answer:· Rome", "Answer: Rome"),
        ("Maybe\nAnswer:· 1999·\n\n·^1999", "1999"),
        ("Is it 1999?· Hm.·\nAnswer:·^ 1999", "Answer: 1999"),
        ("Hm. Answer: 7·\n· Answer:·^ 7·</s>", "Answer: 7"),
        ("<|channel|>·final·<|message|>·^Rome·<|return|>", "Rome"),
        ("<s>·Answer:·^ <5>", "Answer: <5>"),
        # Another text, one that has it twice, or one that does not begin with it.
        ("So\nAnswer:· Rome·\nmore text", "Answer: Rome"),
        ("Answer:· Rome·\n·Answer:· Rome", "Answer: Rome"),
        ("Rome·\n·Rome", "Rome"),
        ("I· think· 1·4", "4"),
        ("Hm· Rome", "Rome"),
        ("<think>·Rome?·</think>·Rome·<think>·hm", "Rome"),
        ("Answer·:· Rome", "Answer: Paris"),
        ("Answer: ·Caf·�·�", "Answer: Café"),
        # Reasoning is no answer.
        ("Answer:· Rome·</think>", "Answer: Rome"),
        # No tokens, or the list ends before the answer does.
        ("", "Answer: Paris"),
        ("Answer·:· Par", "Answer: Paris"),
        ("<|eot_id|>", "Answer: Paris"),
        ("Answer:· D·.C", "Answer: D.C."),
        ("Answer: Rome·\n", "Answer: Rome\nNo.\nAnswer: Rome"),
        ("<think>·Paris", "<think>Paris?</think>Paris"),
        # It ends after it.
        ("Answer:·^ Paris·\n", "Answer: Paris\n\nThat is all."),
        ('Answer:· "·^Paris', 'Answer: "Paris"'),
    ],
)
def test_what_is_left_out(text: str, completion: str) -> None:
    tokens, own = marked(text)
    assert found(completion, content(tokens))[1] == own


def test_no_log_probabilities_and_no_completion() -> None:
    assert found("Answer: Paris", None)[1] == []
    assert answer_tokens(ModelOutput(model="m"), "Paris", 0, 5) == []


def points(*tokens: str) -> list[Logprob]:
    """Tokens with code points as `bytes`."""
    return [
        one.model_copy(update={"bytes": [*map(ord, one.token)]})
        for one in content(tokens)
    ]


@pytest.mark.parametrize(
    ("tokens", "completion", "own"),
    [
        (split(b"Answer:", b" Caf\xc3", b"\xa9"), "Answer: Café", [2, 3]),
        (split(b'So "', b"\xf0\x9f", b"\x98", b'\x80x"'), 'So "😀x"', [1, 2, 3, 4]),
        (split(b"\xf0\x9f", b"\x98\x80\nAnswer:", b" 7"), "😀\nAnswer: 7", [3]),
        (split(b"Answer: Caf", b"\xc3"), "Answer: Café", []),
        (split(b"Caf\xc3", b"\xa9") + content(["<|eot_id|>"]), "Café", [1, 2]),
        # The spelling of a vocabulary.
        (points("Answer:", "ĠNew", "ĠCafÃ©", "<|eot_id|>"), "Answer: New Café", [2, 3]),
        (points("Answer:", "▁New", "▁Café", "</s>"), "Answer: New Café", [2, 3]),
        (points("Answer:", " New", " Café"), "Answer: New Café", [2, 3]),
        (content(["▁Answer:", "▁Caf", "<0xC3>", "<0xA9>"]), "Answer: Café", [2, 3, 4]),
    ],
)
def test_spellings(tokens: list[Logprob], completion: str, own: list[int]) -> None:
    assert found(completion, tokens)[1] == [-float(n) for n in own]


@pytest.mark.parametrize(
    ("logprob", "valid"),
    [
        *((value, True) for value in (-0.5, 0.0, 1e-7, 1e-6, -9999.0)),
        *((value, False) for value in (1.1e-6, 0.5, math.nan, math.inf, -math.inf)),
    ],
)
def test_invalid_values_give_none(logprob: float, valid: bool) -> None:
    tokens = content(["Answer:", " Par", "is"])
    tokens[0].logprob, tokens[2].logprob = math.nan, logprob
    expected = [-2.0, logprob] if valid else []
    assert found("Answer: Paris", tokens)[1] == expected


WORDS = st.text("Paré19é😀ü名-", min_size=1, max_size=6)
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@given(phrase=PHRASES.filter(lambda x: (x[0] + x[-1]).isalnum()), data=st.data())
def test_tokens_of_any_split(phrase: str, data: st.DataObject) -> None:
    text = f'Well.\nAnswer: "{phrase}"\n'
    whole = text.encode()
    cuts = data.draw(st.sets(st.integers(1, len(whole) - 1)))
    edges = [0, *sorted(cuts), len(whole)]
    parts = [whole[a:b] for a, b in pairwise(edges)]
    first = len('Well.\nAnswer: "')
    letters = [i for i in range(first, first + len(phrase)) if text[i] != " "]
    holders = {
        sum(cut <= byte for cut in cuts)
        for i in letters
        for byte in range(len(text[:i].encode()), len(text[: i + 1].encode()))
    }
    answer, logprobs = found(text, split(*parts))
    assert answer == phrase
    assert logprobs == [-float(n + 1) for n in sorted(holders)]


# --- Options --------------------------------------------------------------------------

LOG = math.log


@pytest.mark.parametrize(
    ("tops", "expected"),
    [
        # Spellings of one answer are added up, and others count for none.
        ({"1": 0.6, " 1": 0.1, "2": 0.1}, {"error": 0.875, "no_error": 0.125}),
        ({"Ġ1": 0.5, "▁2": 0.5}, {"error": 0.5, "no_error": 0.5}),
        ({"**1": 0.75, '"2': 0.25}, {"error": 0.75, "no_error": 0.25}),
        # An option that is not listed has at most what is left.
        ({"1": 0.995}, {"error": 1, "no_error": 0}),
        ({"1": 0.98}, {}),
        ({"1": 0.7, "12": 0.2, "x": 0.095}, {"error": 1, "no_error": 0}),
        ({"x": 0.9, "12": 0.1}, {}),
        ({}, {}),
    ],
)  # fmt: skip
def test_probabilities_of_options(
    tops: dict[str, float], expected: dict[str, float]
) -> None:
    listed = [TopLogprob(token=t, logprob=LOG(p)) for t, p in tops.items()]
    token = Logprob(token="1", logprob=-1, top_logprobs=listed)
    other = Logprob(token="2", logprob=-1, top_logprobs=[])
    names = {"error": "1", "no_error": "2"}
    assert option_probabilities([token, other], names) == pytest.approx(expected)
    assert option_probabilities([], names) == {}


@pytest.mark.parametrize("value", [math.nan, 0.1, math.inf])
def test_invalid_alternatives_give_none(value: float) -> None:
    listed = [TopLogprob(token="1", logprob=-0.1), TopLogprob(token="2", logprob=value)]
    token = Logprob(token="1", logprob=-0.1, top_logprobs=listed)
    assert option_probabilities([token], {"error": "1", "no_error": "2"}) == {}


# --- Servers that refuse them ---------------------------------------------------------


class Refused(RuntimeError):
    """A bad request that does not name the setting."""

    def __init__(self, status_code: int = 400) -> None:
        super().__init__("no")
        self.provider_message = "this engine is not configured for that"
        self.status_code = status_code


def null(_: int = 0) -> Exception:
    """What Inspect raises where a server sends null."""
    with pytest.raises(ValidationError) as caught:
        Logprob.model_validate({"token": "x", "logprob": None})
    return caught.value


def tried(error: Exception, always: bool = False, **own: Any) -> tuple[list[Any], Any]:
    """What two calls send to a server that refuses log-probabilities, and the turn."""

    def answer(call: Call) -> str:
        if always or call.config.logprobs:
            raise error
        return "Answer: Paris"

    script = Script(answer)
    who = Participant("Alice", "debater_a", script.model(**own))
    config = GenerateConfig(logprobs=True, top_logprobs=2, temperature=0.0)
    calls = [
        partial(ask, who, "answer", "?", read_answer, reminder="!", config=config)
    ] * 2
    try:
        last: Any = [asyncio.run(call()) for call in calls][-1]
    except Exception as raised:
        last = raised
    return [call.config.logprobs for call in script.calls], last


@pytest.mark.parametrize("error", [Refused(), Refused(422), null()])
def test_a_server_is_asked_once_without_them(error: Exception) -> None:
    sent, turn = tried(error)
    assert sent == [True, None, None]
    assert (turn.status, turn.omitted) == ("ok", ["logprobs", "top_logprobs"])


@pytest.mark.parametrize(
    ("error", "always", "own", "sent"),
    [
        (Refused(), True, {}, [True, None]),  # it was about something else
        (Refused(500), True, {}, [True]),
        (Refused(), False, {"logprobs": True}, [True]),  # the user's own setting
    ],
)
def test_other_errors_are_raised(
    error: Exception, always: bool, own: Any, sent: list[Any]
) -> None:
    assert tried(error, always, **own) == (sent, error)
