"""How probable a simulated judge holds what it may decide, for its tokens."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from math import log

from inspect_ai.model import Logprob, Logprobs, TopLogprob

from inspect_debate.v1.simulator.policy import (
    Draws,
    judge_confidence,
    label,
    right_answer,
)
from inspect_debate.v1.simulator.texts import NUMBERS, Content

IMPOSSIBLE = -9999.0
"""The log-probability that OpenAI sends for a token that is never taken."""


def decisions(draws: Draws) -> dict[str, Mapping[str, float]]:
    """What a judge decides in a turn, and with which probabilities.

    Returns:
        By a pattern of what comes before the decision in the text, the probability of
        each word that may follow, that of the one that is chosen first. Empty for turns
        in which nothing is decided.
    """
    description = draws.description
    match description.format.split("_")[0]:
        case "verdict" | "belief":
            chosen = label(draws)
            sure = judge_confidence(draws, chosen == right_answer(description))
            names = {c: description.name(c) for c in description.choices}
            words = {choice: NUMBERS.get(name, name) for choice, name in names.items()}
            return {"Answer: ": _law(words.pop(chosen), sure, *words.values())}
    return {}


def _law(chosen: str, sure: float, *others: str) -> dict[str, float]:
    return {chosen: sure} | dict.fromkeys(others, (1 - sure) / max(len(others), 1))


def stated(says: Callable[[Draws, str], Content]) -> Callable[[Draws, str], Content]:
    """What a judge says, with the probability of its decision."""

    def with_probability(draws: Draws, prompt: str) -> Content:
        found = says(draws, prompt)
        ((_, law),) = decisions(draws).items()
        sure = f"Probability: {100 * next(iter(law.values())):.0f}%"
        if len(law) > 2:
            each = (f"Probability {w}: {100 * p:.4g}%" for w, p in sorted(law.items()))
            sure = "\n".join(each)
        return replace(found, fields={**found.fields, "probability": sure})

    return with_probability


def decision_logprobs(draws: Draws, pieces: list[str]) -> Logprobs | None:
    """The tokens of a judge's reply, with alternatives where it decides.

    Args:
        draws: Of the turn.
        pieces: The reply, cut into tokens.

    Returns:
        None where the model sends none, or decides nothing.
    """
    found = decisions(draws)
    if draws.behaviour.logprobs == "none" or not found:
        return None
    text = "".join(pieces)
    ends = list(accumulate(map(len, pieces)))
    tokens = [Logprob(token=piece, logprob=0.0, top_logprobs=[]) for piece in pieces]
    for before, law in found.items():
        chosen = next(iter(law))
        place = re.search(rf"{before}({re.escape(chosen)})\b", text)
        if place is None:
            continue
        at = next(n for n, end in enumerate(ends) if end > place.start(1))
        lead = pieces[at][: place.start(1) - ends[at] + len(pieces[at])]
        options = [
            TopLogprob(token=lead + word, logprob=log(p) if p else IMPOSSIBLE)
            for word, p in law.items()
        ]
        options[0] = options[0].model_copy(update={"token": pieces[at]})
        tokens[at] = Logprob(
            token=pieces[at], logprob=options[0].logprob, top_logprobs=options
        )
    return Logprobs(content=tokens)
