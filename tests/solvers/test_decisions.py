"""Where judges' completions decide, in the forms of the studies without options."""

import math
from collections.abc import Mapping, Sequence

import pytest
from inspect_ai.model import Logprob, Logprobs, ModelOutput, TopLogprob

from inspect_debate.debate.answers import Decision
from inspect_debate.debate.record import TokenProbabilities
from inspect_debate.debate.tokens import decision_probabilities
from inspect_debate.solvers.bet_text import read_jury_verdict, winner_in
from inspect_debate.solvers.rulings import decisions_of, read_rulings
from inspect_debate.solvers.srdcr import decision_of, read_verdict

Token = str | Mapping[str, float]
NAMES = {"debater_a": "Alice", "debater_b": "Bob"}
RIGHT = {"correct": 0.8, "incorrect": 0.2}
WRONG = {"in": 0.9, "correct": 0.1}


def output(tokens: Sequence[Token]) -> ModelOutput:
    listed = [{t: 1.0} if isinstance(t, str) else t for t in tokens]
    content = [
        Logprob(
            token=next(iter(options)),
            logprob=math.log(next(iter(options.values()))),
            top_logprobs=[
                TopLogprob(token=t, logprob=math.log(p)) for t, p in options.items()
            ],
        )
        for options in listed
    ]
    made = ModelOutput.from_content("m", "".join(token.token for token in content))
    made.choices[0].logprobs = Logprobs(content=content)
    return made


RULINGS: dict[str, tuple[Sequence[Token], str]] = {
    "fenced": (
        [
            *('```json\n{"Alice": {"verdict": "', RIGHT, '", "confidence": 0.8}, '),
            *('"Bob": {"verdict": "', WRONG, 'correct", "confidence": 0.9}}\n```'),
        ],
        "before_reasons",
    ),
    "after reasons": (
        [
            *('Checked.\n```json\n{"Alice": {"verdict": "', RIGHT, '"}, "Bob": '),
            *('{"verdict": "', WRONG, 'correct"}}\n```'),
        ],
        "after_reasons",
    ),
    "without a fence, bare": (
        ['{"Alice": "', RIGHT, '", "Bob": "', WRONG, 'correct"}'],
        "before_reasons",
    ),
    "in another order, with blanks": (
        [
            *('{\n "bob" : {\n "verdict" : "', WRONG, 'correct" },\n "ALICE": '),
            *('{ "verdict": "', RIGHT, '"}}'),
        ],
        "before_reasons",
    ),
}


@pytest.mark.parametrize("name", RULINGS)
def test_rulings(name: str) -> None:
    tokens, place = RULINGS[name]
    made = output(tokens)
    text = made.completion.strip()
    read = read_rulings(text, list(NAMES.values()))
    found = decisions_of(text, NAMES)
    for id, expected in (("debater_a", RIGHT), ("debater_b", WRONG)):
        decided = decision_probabilities(
            made, found[f"verdict_{id}"], read[NAMES[id]].verdict
        )
        correct = expected["correct"]
        assert (decided.status, decided.place) == ("ok", place)
        assert decided.by_answer == pytest.approx(
            {"correct": correct, "incorrect": 1 - correct}
        )


def test_a_ruling_that_a_speech_is_quoted_with_is_not_the_judges() -> None:
    quoted = '```json\n{"Alice": {"verdict": "correct"}}\n```\nSo says Alice.\n'
    tokens: list[Token] = [
        quoted,
        '```json\n{"Alice": {"verdict": "',
        {"incorrect": 1.0},
        '"}}\n```',
    ]
    made = output(tokens)
    read = read_rulings(made.completion, ["Alice"])["Alice"].verdict
    found = decisions_of(made.completion, {"debater_a": "Alice"})
    decided = decision_probabilities(made, found["verdict_debater_a"], read)
    assert decided.by_answer == {"correct": 0.0, "incorrect": 1.0}


def test_nobody_is_ruled_on() -> None:
    found = decisions_of("I cannot say.", NAMES)
    assert found == {"verdict_debater_a": None, "verdict_debater_b": None}


def decided_by(
    tokens: Sequence[Token], found: Decision | None, field: str
) -> TokenProbabilities:
    made = output(tokens)
    fields = (
        read_jury_verdict(made.completion)
        if field == "answer"
        else read_verdict(made.completion).fields
    )
    return decision_probabilities(made, found, fields[field])


def test_a_verdict_on_a_passage() -> None:
    tokens: list[Token] = ["It holds.\nVerdict: ", {"RE": 0.75, "UN": 0.25}, "ASONABLE"]
    text = output(tokens).completion
    found = decided_by(tokens, decision_of(text)["verdict"], "verdict")
    assert found.place == "after_reasons"
    assert found.by_answer == pytest.approx({"reasonable": 0.75, "unreasonable": 0.25})


def test_a_jurors_winner() -> None:
    tokens: list[Token] = [
        *("<winnerName>", {"Opp": 0.6, "Prop": 0.4}, "osition</winnerName>\n"),
        "<confidence>60</confidence>",
    ]
    text = output(tokens).completion
    found = decided_by(tokens, winner_in(text)["answer"], "answer")
    assert (found.status, found.place) == ("ok", "before_reasons")
    assert found.by_answer == pytest.approx({"proposition": 0.4, "opposition": 0.6})
