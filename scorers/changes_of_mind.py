"""From first answers to the outcome: who changed, for better or worse, and what for."""

from inspect_debate.debate.outcome import probability
from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.common import NAN, Values

_DEBATERS = ("debater_a", "debater_b")


def first_answers(record: DebateRecord) -> dict[str, str | None]:
    """Each debater's own answer before it knew any other; None where it is unreadable.

    Who answered several times, as in self-consistency, has no first answer.
    """
    drawn: dict[str, list[str | None]] = {}
    for turn in record.of_kind("answer"):
        value = turn.field("answer").value
        answers = drawn.setdefault(turn.participant, [])
        answers.append(None if value is None else str(value))
    return {who: answers[0] for who, answers in drawn.items() if len(answers) == 1}


def agreed_before(record: DebateRecord) -> float:
    """Whether both first answers were the same, 0 or 1.

    NaN unless there were two that could be read.
    """
    answers = first_answers(record)
    if len(answers) != 2 or None in answers.values():
        return NAN
    return float(len(set(answers.values())) == 1)


def change_values(record: DebateRecord, target: str) -> Values:
    """What became of the debaters' first answers.

    `first_right_*` tells whether a first answer is right; NaN where there is none, or
    none that could be read.

    The others compare first answers with the outcome, and are NaN where either is
    missing or no verdict or update followed. `right_to_wrong` and `wrong_to_right` are
    about debater A's (the single-model detector that the debate is to improve on) and 0
    where the outcome is the same. `both_wrong_to_right` is about items that both had
    wrong, `both_right_to_wrong` about those that both had right, and NaN on others.
    Where a coin gave the outcome they are probabilities.
    """
    first = first_answers(record)
    right = {
        who: NAN if (answer := first.get(who)) is None else float(answer == target)
        for who in _DEBATERS
    }
    ended = probability(record, target)
    if ended is None or not (record.of_kind("verdict") or record.of_kind("update")):
        ended = NAN
    own, both = right["debater_a"], sum(right.values())
    return {
        **{f"first_right_{who}": value for who, value in right.items()},
        "right_to_wrong": own * (1 - ended),
        "wrong_to_right": (1 - own) * ended,
        "both_wrong_to_right": ended if both == 0 else NAN,
        "both_right_to_wrong": 1 - ended if both == len(_DEBATERS) else NAN,
    }
