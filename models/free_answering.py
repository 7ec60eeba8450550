"""Answers in words to questions without options, right as often as a model is able."""

from inspect_debate.core import answer_key
from inspect_debate.models.deciding import Draws, label

_WITHOUT_ABILITY = 0.5
_UNKNOWN = ("the former", "the latter", "neither")


def free_answer(draws: Draws) -> str:
    """What is answered: the right answer or a wrong one, as the data set told them.

    An update holds to its answer or takes another's, as with options. Where no data set
    has told, all answers are guesses; who may not read the passage does not find it.
    """
    cue = draws.cue
    if cue.kind == "update" and cue.held is not None:
        return label(draws)
    rng = draws.content("label")
    known = answer_key.passage(cue.question)
    if known is None:
        return rng.choice(_UNKNOWN)
    able = draws.behaviour.choice_accuracy
    accuracy = _WITHOUT_ABILITY if able == "chance" else able
    if cue.hidden:
        accuracy = 0.0
    right = rng.random() < accuracy
    return known.answer if right else rng.choice(known.others or _UNKNOWN)
