"""Why a score is what it is, for people: what was right, and what was decided."""

from inspect_debate.core.free_answers import given_answers, is_free
from inspect_debate.core.outcome import outcome
from inspect_debate.core.record import DebateRecord


def decision_told(record: DebateRecord, gold_is: str, gold: str) -> str:
    """The right answer, the outcome, and what the judges said, as Markdown.

    Args:
        record: A complete record.
        gold_is: What the right answer is called, e.g. `Gold label`.
        gold: The right answer.
    """
    decided = outcome(record)
    said = given_answers(record.turns) if is_free(record) else {}
    ended = said.get(str(decided.answer), decided.answer) or decided.status
    summary = [
        f"**{gold_is}:** {said.get(gold, gold)}",
        f"**Outcome:** {ended}{' (by a coin)' if decided.status == 'coin' else ''}",
    ]
    if record.undebated_because:
        summary.append(f"**No debate:** {record.undebated_because}")
    reasons = [
        f"### {record.participant(turn.participant).name}"
        f"{f', shown {turn.order}' if turn.order else ''}\n\n{turn.public}"
        for turn in record.of_kind("verdict")
    ]
    return "\n\n".join(["  \n".join(summary), *reasons])
