"""Questions about passages in which every sentence carries a mark."""

import re
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, Logprob, Logprobs, ModelOutput

from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.question import passage_fingerprint

QUESTION = "In which year was the lighthouse of Saltness lit for the first time?"
RIGHT, WRONG = "1871", "1911"
EXEMPLARS = [
    {
        "question_id": f"years-{n}",
        "question": f"In which year was harbour {n} opened?",
        "answer": f"18{n}5",
    }
    for n in range(4)
]
MARK = re.compile(r"(?:PASSAGE|PLEA|REASONS|CRITIQUE|ANSWER)-\w+")
"""A mark says what a text is, whose, and of which round."""


def passage(year: str) -> str:
    """A passage of three sentences, each with a mark of its own."""
    return (
        "PASSAGE-one The lighthouse of Saltness stands on the western cliff.\n\n"
        f"PASSAGE-two It was lit for the first time in {year}, on a night of fog.\n"
        "PASSAGE-three Its lamp burned oil."
    )


def question(
    condition: str = "perturbed",
    id: str | None = None,
    exemplars: list[dict[str, str]] | None = None,
    **metadata: Any,
) -> Sample:
    """One half of a question, as the loader makes it."""
    standard = condition == "standard"
    says = RIGHT if standard else WRONG
    shown = EXEMPLARS if exemplars is None else exemplars
    content = passage_fingerprint(QUESTION, passage(says), shown)
    answer_key.register_passage(
        content,
        answer_key.PassageTruth(RIGHT, says, 0 if standard else 2, ("1850", "1902")),
    )
    return Sample(
        id=id or f"years-lamp-{condition}",
        input=QUESTION,
        target=RIGHT,
        metadata={
            "question_id": "years-lamp",
            "domain": "years",
            "condition": condition,
            "severity": 0 if standard else 2,
            "degree": "0" if standard else "+40",
            "offset": None if standard else 40,
            "passage": passage(says),
            "passage_answer": says,
            "exemplars": shown,
            "split": None,
            "fingerprint": content,
            **metadata,
        },
    )


def marked(
    messages: list[ChatMessage], description: TurnDescription | None
) -> str | ModelOutput:
    """A completion of which every part tells whose it is.

    From the passage the answer is what it says, from memory 1902, and the verdicts
    are reasonable after even rounds.
    """
    assert description is not None
    who = f"{description.participant}_{description.round}"
    match description.format:
        case "short_answer":
            year = WRONG if description.passage else "1902"
            if description.participant.startswith("debater_a_"):
                return f"ANSWER-{who} It says so.\nAnswer: {year}"
            return with_tokens(f"Answer: {year}")
        case "self_ask":
            return (
                "Sub-question: Which lighthouse?\nSub-answer: Saltness\n"
                f"Final answer: {WRONG}"
            )
        case "critique":
            return f"- CRITIQUE-{who} The passage may be wrong."
        case "free_speech":
            return f"PLEA-{who} I hold to it."
        case "reasonable" | "reasonable_stated" | "reasonable_first_stated":
            word = "UNREASONABLE" if description.round % 2 else "REASONABLE"
            return f"REASONS-{who}\nVerdict: {word}"
        case "pick" | "pick_stated":
            number = 1 + description.choices.index(
                "prior" if description.round == 3 else "contextual"
            )
            return f"Final answer: {number}\nREASONS-{who}"
    raise AssertionError(description.format)


def with_tokens(text: str, logprob: float = -0.05) -> ModelOutput:
    """A completion with log-probabilities, a token a character."""
    output = ModelOutput.from_content("x", text)
    output.choices[0].logprobs = Logprobs(
        content=[Logprob(token=c, logprob=logprob) for c in text]
    )
    return output
