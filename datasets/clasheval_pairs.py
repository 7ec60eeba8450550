"""The two samples of a question: with the right passage, and with a modified one."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.dataset import Sample

from inspect_debate.core import answer_key
from inspect_debate.core.clash import clash_fingerprint
from inspect_debate.core.errors import InputError
from inspect_debate.core.matching import canonical, right_answer
from inspect_debate.core.seeds import seeded
from inspect_debate.datasets.clasheval_degrees import UNMODIFIED
from inspect_debate.datasets.clasheval_questions import ClashItem, Modified

_MOST_OTHERS = 8


def pair(
    item: ClashItem, severity: int, domain: Sequence[ClashItem], shots: int, seed: int
) -> list[Sample]:
    """A question's two samples, in a seeded order, both with the same solved questions.

    What is true of each is told to the simulated models.

    Args:
        item: The question.
        severity: Of the modified passage, from 1 to 5.
        domain: All questions of the item's domain, sorted by id.
        shots: How many of these are shown as solved.
        seed: Decides which modification of that severity, which questions are shown
            and in what order.

    Raises:
        InputError: If the domain has not enough questions.
    """
    others = [other for other in domain if other.id != item.id]
    if len(others) < shots:
        raise InputError(
            f"shots={shots} is not possible: {item.domain} has "
            f"{len(others) + 1} questions, and that asked is not shown as solved."
        )
    drawn = seeded(seed, "exemplars", item.id).sample(others, shots)
    exemplars = [
        {"question_id": one.id, "question": one.question, "answer": one.answer}
        for one in drawn
    ]
    modified = seeded(seed, "degree", item.id).choice(item.modified[severity])
    right = Modified(UNMODIFIED, item.passage, item.answer, split=item.split)
    wrong_answers = _wrong_answers(item, modified, others, seed)
    samples = [
        _sample(item, shown, level, exemplars, wrong_answers)
        for shown, level in ((right, 0), (modified, severity))
    ]
    seeded(seed, "halves", item.id).shuffle(samples)
    return samples


def _sample(
    item: ClashItem,
    shown: Modified,
    severity: int,
    exemplars: Sequence[dict[str, str]],
    wrong_answers: tuple[str, ...],
) -> Sample:
    condition = "perturbed" if severity else "standard"
    fingerprint = clash_fingerprint(item.question, shown.passage, exemplars)
    truth = answer_key.Passage(item.answer, shown.answer, severity, wrong_answers)
    answer_key.register_passage(fingerprint, truth)
    metadata: dict[str, Any] = {
        "question_id": item.id,
        "domain": item.domain,
        "condition": condition,
        "severity": severity,
        "degree": shown.degree,
        "offset": shown.offset,
        "passage": shown.passage,
        "passage_answer": shown.answer,
        "exemplars": exemplars,
        "split": shown.split,
        "fingerprint": fingerprint,
    }
    return Sample(
        input=item.question,
        target=item.answer,
        id=f"{item.id}-{condition}",
        metadata=metadata,
    )


def _wrong_answers(
    item: ClashItem, modified: Modified, others: Sequence[ClashItem], seed: int
) -> tuple[str, ...]:
    """Answers to other questions that are neither right here nor the passage's."""
    wrong: list[str] = []
    told = {canonical(modified.answer)}
    for other in seeded(seed, "others", item.id).sample(others, len(others)):
        meaning = canonical(other.answer)
        if meaning not in told and not right_answer(other.answer, item.answer):
            wrong.append(other.answer)
        told.add(meaning)
        if len(wrong) == _MOST_OTHERS:
            break
    return tuple(wrong)
