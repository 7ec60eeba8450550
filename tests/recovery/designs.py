"""Designs of simulated debates, and the exact value of all that is estimated of them.

The values are computed from the meaning of the parameters alone, by enumeration, and
not by the code under test.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.profiles import PROFILES, behaviour_of

Event = Callable[[bool, bool, bool, bool], bool]
"""Of the truth, both answers and the outcome; True is "error"."""

# Errors and others of ReaLMistake's three cells of responses by GPT-4.
CELLS = {"math": (87, 53), "fact": (88, 52), "answerability": (87, 53)}
GOLD = np.repeat([True, False], np.sum(list(CELLS.values()), axis=0))
ERRORS = float(GOLD.mean())


class Design(NamedTuple):
    """Who debates and judges. `first` is the answer whose defender judges see first;
    None where it is either in half of the debates."""

    debater_a: Behaviour
    debater_b: Behaviour
    judge: Behaviour
    first: bool | None = None


def of_one(behaviour: Behaviour, first: bool | None = None) -> Design:
    return Design(behaviour, behaviour, behaviour, first)


DESIGNS = {
    "balanced": of_one(PROFILES["balanced"]),
    "eager": of_one(
        behaviour_of(
            "overconfident",
            {
                "sensitivity": 0.85,
                "specificity": 0.5,
                "judge_accuracy": 0.7,
                "concession": 0.12,
            },
        )
    ),
    "led by the first": of_one(
        behaviour_of("balanced", {"follow_first": 0.4, "judge_accuracy": 0.85}), True
    ),
    "three models": Design(
        behaviour_of("hesitant", {"sensitivity": 0.65, "specificity": 0.8}),
        behaviour_of("balanced", {"sensitivity": 0.7, "specificity": 0.55}),
        behaviour_of("first_speaker", {"follow_first": 0.3, "judge_accuracy": 0.75}),
    ),
}


def law(design: Design) -> Iterator[tuple[float, bool, bool, bool, bool]]:
    """Every course of a debate: its probability, truth, both answers, outcome.

    Written from the meaning of the parameters alone, by enumeration.
    """
    judge = design.judge
    firsts = (True, False) if design.first is None else (design.first,)
    for truth, a, b, first, outcome in product((True, False), repeat=5):
        if first not in firsts or (a == b != outcome):
            continue
        p = (ERRORS if truth else 1 - ERRORS) / len(firsts)
        for behaviour, answer in ((design.debater_a, a), (design.debater_b, b)):
            right = behaviour.sensitivity if truth else behaviour.specificity
            p *= right if answer == truth else 1 - right
        if a != b:
            own = judge.judge_accuracy
            p *= judge.follow_first * (outcome == first) + (1 - judge.follow_first) * (
                own if outcome == truth else 1 - own
            )
        yield p, truth, a, b, outcome


def by_definition(
    detector: str, p: Callable[[Event], float], says: Callable[[bool, bool], bool]
) -> dict[str, float]:
    """The detection statistics of probabilities, not by the code under test.

    Args:
        detector: Their prefix.
        p: The probability of an event.
        says: What the detector says, by debater A's answer and by the outcome.
    """
    true = p(lambda t, a, b, o: t)
    called = p(lambda t, a, b, o: says(a, o))
    hit = p(lambda t, a, b, o: t and says(a, o))
    clear = p(lambda t, a, b, o: not t and not says(a, o))
    precision, recall = hit / called, hit / true
    found = {
        "accuracy": hit + clear,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
        "f2": 5 * precision * recall / (4 * precision + recall),
        "balanced_accuracy": (recall + clear / (1 - true)) / 2,
        # The correlation of two events.
        "mcc": (hit - true * called)
        / (true * (1 - true) * called * (1 - called)) ** 0.5,
    }
    return {f"{detector} {name}": value for name, value in found.items()}


def planted_values(design: Design) -> dict[str, float]:
    """The exact value of all that is estimated, at expected counts."""
    courses = list(law(design))

    def p(event: Event) -> float:
        return sum(p for p, *course in courses if event(*course))

    detected = by_definition("single", p, lambda a, o: a) | by_definition(
        "debate", p, lambda a, o: o
    )
    debated = p(lambda t, a, b, o: a != b)
    values = {
        "debated share": debated,
        "verdict accuracy": p(lambda t, a, b, o: a != b and o == t) / debated,
        "right to wrong": p(lambda t, a, b, o: a == t != o),
        "wrong to right": p(lambda t, a, b, o: a != t == o),
    }
    defends_right = p(lambda t, a, b, o: t == a != b) / debated
    for round in (1, 2):
        speaker = design.debater_a
        grown = speaker.concession + (round - 1) * speaker.concession_growth
        values[f"concessions {round}"] = (
            defends_right * speaker.wrong_concession + (1 - defends_right) * grown
        )
    return detected | values
