"""The samples of a data set of questions; simulated models are told what is true."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from inspect_ai.dataset import Sample

from inspect_debate.core import answer_key
from inspect_debate.core.matching import canonical, right_answer
from inspect_debate.core.question import choice_fingerprint
from inspect_debate.core.seeds import seeded
from inspect_debate.datasets.questions_rows import Item

_MOST_OTHERS = 8
_LOOKED_THROUGH = 32


def choice_sample(
    item: Item, data_name: str, two: bool, shuffle: bool, seed: int
) -> Sample:
    """A question with options, whose target is the letter of the right one.

    Args:
        item: The question; it has a right option.
        data_name: What the data set is called.
        two: Whether only the right option and a drawn wrong one are shown.
        shuffle: Whether the options are put in a random order.
        seed: Decides both, beside the question's id.
    """
    assert item.right is not None
    shown = [*range(len(item.options))]
    if two:
        wrong = [place for place in shown if place != item.right]
        drawn = seeded(seed, "candidates", item.id).choice(wrong)
        shown = sorted([item.right, drawn])
    if shuffle:
        seeded(seed, "options", item.id).shuffle(shown)
    options = [item.options[place] for place in shown]
    target = ascii_uppercase[shown.index(item.right)]
    for mark in _marks(item, options):
        answer_key.register(mark, target)
    return _sample(item, data_name, options, choices=options, target=target)


def free_sample(item: Item, items: Sequence[Item], data_name: str, seed: int) -> Sample:
    """A question that is answered in words; its target is all accepted answers.

    Args:
        item: The question.
        items: All questions. Where it has no wrong options, simulated models give
            answers to others of these as wrong ones.
        data_name: What the data set is called.
        seed: Decides which, beside the question's id.
    """
    best = item.accepted[0]
    truth = answer_key.Passage(best, best, 0, _wrong_answers(item, items, seed))
    for mark in _marks(item, ()):
        answer_key.register(mark, best)
        answer_key.register_passage(mark, truth)
    return _sample(item, data_name, (), target=[*item.accepted])


def _marks(item: Item, options: Sequence[str]) -> set[str]:
    """The question's hashes: its passage may be used or not."""
    passages = {None, item.passage}
    return {choice_fingerprint(item.question, options, p) for p in passages}


def _sample(
    item: Item, data_name: str, options: Sequence[str], **answered: Any
) -> Sample:
    return Sample(
        input=item.question,
        id=item.id,
        metadata={
            "data_name": data_name,
            "passage": item.passage,
            "input_group": item.group,
            "fingerprint": choice_fingerprint(item.question, options, item.passage),
        },
        **answered,
    )


def _wrong_answers(item: Item, items: Sequence[Item], seed: int) -> tuple[str, ...]:
    """The wrong options, or else answers to other questions that are not right here."""
    others = [text for place, text in enumerate(item.options) if place != item.right]
    if not others:
        rng = seeded(seed, "others", item.id)
        some = rng.sample(items, min(len(items), _LOOKED_THROUGH))
        others = [one.accepted[0] for one in some]
    wrong = {
        canonical(other): other
        for other in others
        if not any(right_answer(other, right) for right in item.accepted)
    }
    return tuple(wrong.values())[:_MOST_OTHERS]
