"""Answers in words: the forms in which they are compared, and how they were put."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from inspect_debate.debate.config import AnswerForm
from inspect_debate.debate.matching import canonical, right_answer
from inspect_debate.debate.record import DebateRecord, Parsed, Turn
from inspect_debate.debate.settings import OWN_SCORERS, TaskScorer, say_once

SAID = "said"
"""The field of an answer as it was put; `answer` has its canonical form."""


class Graded(NamedTuple):
    """A record in which all right answers are one, and that answer."""

    record: DebateRecord
    gold: str


def given_answers(turns: Iterable[Turn]) -> dict[str, str]:
    """The answers that turns gave, by canonical form, as each was put first."""
    given: dict[str, str] = {}
    for turn in turns:
        if (value := turn.field("answer").value) is not None:
            given.setdefault(str(value), str(turn.field(SAID).value or value))
    return given


# Inspect's own scorers that find an answer on its line or within a text.
_FIND = re.compile(r"answer|includes|math|model_graded_\w+")


def output_of(said: str, form: AnswerForm, scorers: Sequence[TaskScorer]) -> str:
    """An answer in words as a sample's output gives it, for the task's scorers.

    Args:
        said: The answer.
        form: `line`, the line `ANSWER: x`; `bare`, the answer and nothing else; `auto`,
            the line, unless a scorer compares the whole output: `exact`, `f1` without a
            function of its own, `match` at the beginning or of all, and `pattern` where
            its expression does not find in the line what it finds in the bare answer.
            Bare, too, where all scorers are of this suite, which read the record.
        scorers: The task's.
    """
    line = f"ANSWER: {said}"
    if form != "auto":
        return line if form == "line" else said
    others = [s for s in scorers if s.name.rpartition("/")[2] not in OWN_SCORERS]
    if scorers and not others:
        return said
    whole = [_compares_all(scorer, said, line) for scorer in others]
    for scorer, compares in zip(others, whole, strict=True):
        if compares is None:
            say_once(
                f"It is not known how the scorer {scorer.name} reads an answer in words"
                f": the output is {'bare' if True in whole else 'the line `ANSWER: x`'}"
                ". If it takes another form, give -S config.answer_form=line or =bare."
            )
    return said if True in whole else line


def _compares_all(scorer: TaskScorer, said: str, line: str) -> bool | None:
    """Whether a scorer compares the whole output; None where that is not known."""
    options = scorer.options
    match scorer.name.removeprefix("inspect_ai/"):
        case "exact":
            return True
        case "f1":
            return options.get("answer_fn") is None
        case "match":
            return options.get("location") in ("begin", "exact")
        case "pattern":
            flags = re.I if options.get("ignore_case", True) else 0
            expression = re.compile(str(options["pattern"]), flags)
            bare, found = expression.search(said), expression.search(line)
            if bare is None or found is None:
                return bare is not None
            return bare.groups() != found.groups()
        case name:
            return False if _FIND.fullmatch(name) else None


def right_forms(record: DebateRecord, accepted: Sequence[str]) -> set[str]:
    """The forms of the right answer, of which free answers can have several.

    Args:
        record: The debate.
        accepted: The answers that count as right: one, unless answers are free.
    """
    if not record.answers_free:
        return {"".join(accepted)}
    return {canonical(accepted[0])} | {
        choice
        for choice, said in given_answers(record.turns).items()
        if any(right_answer(said, one) for one in accepted)
    }


def graded(record: DebateRecord, accepted: Sequence[str]) -> Graded:
    """A record as it is to be scored.

    Two answers in words can be right in different forms ("400", "400 mg"). Scores count
    them as one: neither is wrong, and judges who pick one each do not disagree.

    Args:
        record: The debate.
        accepted: The answers that count as right: one, unless answers are free.

    Returns:
        Where answers are free, the record with the form of the first accepted answer in
        place of all right ones; otherwise the record as it is.
    """
    if not record.answers_free:
        return Graded(record, "".join(accepted))
    gold = canonical(accepted[0])
    right = dict.fromkeys(right_forms(record, accepted), gold)
    return Graded(_with(record, right), gold)


def _with(record: DebateRecord, forms: Mapping[str, str]) -> DebateRecord:
    """A record with other forms in place of some answers."""
    if all(form == choice for choice, form in forms.items()):
        return record

    def other(choice: str | None) -> str | None:
        return None if choice is None else forms.get(choice, choice)

    def renamed(turn: Turn) -> Turn:
        fields = {
            name: Parsed.ok(forms.get(str(field.value), field.value))
            if name in ("answer", "final") and field.value is not None
            else field
            for name, field in turn.fields.items()
        }
        listed = other(turn.listed_first)
        return turn.model_copy(update={"fields": fields, "listed_first": listed})

    return record.model_copy(
        update={
            "choices": tuple(dict.fromkeys(forms.get(c, c) for c in record.choices)),
            "drawn": other(record.drawn),
            "turns": tuple(map(renamed, record.turns)),
            "participants": tuple(
                p.model_copy(update={"defends": other(p.defends)})
                for p in record.participants
            ),
        }
    )
