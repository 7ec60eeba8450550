"""What happened on the way: changes of mind, quotes, confidences, failures, cost."""

from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.conversation import answer_in_words
from inspect_debate.v1.debate.outcome import graded, probability, votes_missing
from inspect_debate.v1.debate.record import DebateRecord, Status, Turn
from inspect_debate.v1.debate.rendering import table, table_cell
from inspect_debate.v1.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    column,
    common_values,
    cost,
    first_answers,
    mean,
    over_scores,
    record_scorer,
    score_of,
)

_DEBATERS = ("debater_a", "debater_b")


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


# How much of what was quoted is in the item?


def quote_values(record: DebateRecord) -> Values:
    """Counts of quotes in the speeches of one debate.

    `empty` quotes (without a letter or digit) are neither verified nor unverified. Of
    the verified ones `typography` differ from the source in typography alone. A
    duplicate is counted as verified or unverified as well.
    """
    speeches = _speeches(record)
    quotes = [quote for turn in speeches for quote in turn.quotes]
    values: Values = {
        "quoting_speeches": len(speeches),
        "quotes": len(quotes),
        "verified": sum(q.verified and not q.empty for q in quotes),
        "typography": sum(q.typography for q in quotes),
        "unverified": sum(not q.verified and not q.empty for q in quotes),
        "duplicate": sum(quote.duplicate for quote in quotes),
        "empty": sum(quote.empty for quote in quotes),
    }
    for source in ("input", "response"):
        values[f"from_{source}"] = sum(quote.source == source for quote in quotes)
    return values


# Are debaters as right as they say? Stated confidences against the gold label.


def confidence_values(record: DebateRecord, target: str) -> Values:
    """What each debater said last: its confidence, and whether its answer is right.

    NaN where there was no speech, or the line could not be read. A debater's earlier
    lines are in the record.
    """
    values: Values = {}
    for debater in _DEBATERS:
        own = [t for t in record.spoken() if t.participant == debater]
        final = own[-1].field("final").value if own else None
        stated = own[-1].field("confidence").value if own else None
        values[f"confidence_{debater}"] = NAN if stated is None else float(stated)
        values[f"right_{debater}"] = NAN if final is None else float(final == target)
    return values


# What is counted by status: the fields that turns of a kind have.
_FIELDS = {
    "answer": ("answer", "answer"),
    "update": ("update", "answer"),
    "speech": ("speech", "argument"),
    "final": ("speech", "final"),
    "confidence": ("speech", "confidence"),
    "verdict": ("verdict", "answer"),
}
_NOT_OK = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.CAPPED)


def process_values(record: DebateRecord) -> Values:
    """Counts of what happened in one debate.

    A concession is a speech whose final answer is not the one it was to defend.
    `shown_first` counts verdicts for the answer whose defender was shown first (or,
    without debaters, that was listed first); NaN where that is not known, or votes
    are missing because of others. The fields of turns are counted by status:
    `final_unparsed` speeches had no readable final line, and `final_ok` ones had.
    """
    speeches, verdicts = _speeches(record), record.of_kind("verdict")
    limit = record.parameters.get("word_limit", float("inf"))
    spent = cost(record)
    values = {
        "speeches": len(speeches),
        "concessions": sum(_concedes(record, turn) for turn in speeches),
        "over_word_limit": sum(_words(turn) > limit for turn in speeches),
        "verdicts": len(verdicts),
        "shown_first": sum(_for_the_first(record, turn) for turn in verdicts)
        if _order_known(verdicts) and not votes_missing(record)
        else NAN,
        "reasks": sum(len(turn.superseded) for turn in record.turns),
        "input_tokens": sum(_input_tokens(turn) for turn in record.turns),
        "cached_tokens": sum(_cached(turn) for turn in record.turns),
        "output_tokens": sum(turn.usage.output_tokens for turn in record.turns),
        "reused_calls": spent.reused_calls,
        "reused_tokens": spent.reused_tokens,
    }
    for name, (kind, field) in _FIELDS.items():
        of_kind = speeches if kind == "speech" else record.of_kind(kind)
        statuses = [turn.field(field).status for turn in of_kind]
        for status in (Status.OK, *_NOT_OK):
            values[f"{name}_{status}"] = statuses.count(status)
    return values | between_rounds_values(record)


# What judges ask between rounds, by the field that says so.
_BETWEEN = {"judge_question": "to", "ready": "ready"}


def between_rounds_values(record: DebateRecord) -> Values:
    """Rounds, and a judge's questions, of a debate in which a judge was to take part.

    `rounds_held`, `questions_asked` and `ended_by_judge` (1 or 0), which are NaN where
    there was no debate, and how the fields of the judge's turns were read. Of other
    debates, whose parameters say how many rounds there were: nothing.
    """
    if record.parameters.keys().isdisjoint(("judge_questions", "ends")):
        return {}
    between = [turn for turn in record.turns if turn.kind in _BETWEEN]
    # Closings after the rounds of a cross-examination are none of them.
    speeches = [turn for turn in _speeches(record) if turn.kind != "closing"]
    held = max((turn.round for turn in speeches), default=NAN)
    values: Values = {
        "rounds_held": held,
        "questions_asked": sum(t.is_spoken for t in between) if record.debated else NAN,
        "ended_by_judge": float(any(t.field("ready").value == "yes" for t in between))
        if record.debated
        else NAN,
    }
    for name, field in _BETWEEN.items():
        statuses = [turn.field(field).status for turn in between]
        for status in (Status.OK, *_NOT_OK):
            values[f"{name}_{status}"] = statuses.count(status)
    return values


def _speeches(record: DebateRecord) -> list[Turn]:
    """What debaters said, without the questions of a judge."""
    return [turn for turn in record.spoken() if turn.role != "judge"]


@over_scores
def debated_share(scores: list[SampleScore]) -> Value:
    """The share of samples on which there was a debate, with its standard error."""
    return mean("debated", scores, column(scores, "debated"))


@record_scorer(debated_share)
def debate_process() -> RecordScorer:
    """How the debate went: concessions, quotes, and what it cost.

    Returns:
        A scorer with the values `debated` (1 or 0), `concessions` (speeches that end
        with another answer than the one they were to defend), `verified_quotes` and
        `unverified_quotes`, and the new `calls` and `tokens` (NaN where transcripts do
        not have them).
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        record, gold = graded(record, target)
        known, quotes = common_values(record, gold), quote_values(record)
        return score_of(
            record,
            {
                "debated": known["debated"],
                "concessions": sum(_concedes(record, turn) for turn in record.spoken()),
                "verified_quotes": quotes["verified"],
                "unverified_quotes": quotes["unverified"],
                "calls": known["calls"],
                "tokens": known["tokens"],
            },
            explanation=_told(record),
        )

    return score


def _told(record: DebateRecord) -> str:
    """What each debater answered at first, said last, and how much it quoted."""
    first = first_answers(record)
    rows = []
    for person in record.participants:
        speeches = [t for t in record.spoken() if t.participant == person.id]
        if person.id not in first and not speeches:
            continue
        quotes = [q for turn in speeches for q in turn.quotes if not q.empty]
        verified = sum(quote.verified for quote in quotes)
        cells = (
            person.name,
            *(
                answer_in_words(record, str(answer)) if answer else ""
                for answer in (
                    first.get(person.id),
                    person.defends,
                    speeches[-1].field("final").value if speeches else None,
                )
            ),
            f"{verified} of {len(quotes)}" if quotes else "",
        )
        rows.append([*map(table_cell, cells)])
    if not rows:
        return "Nobody debated."
    head = ["who", "first answer", "defends", "last answer", "verified quotes"]
    return "\n".join(table(head, rows))


def _concedes(record: DebateRecord, turn: Turn) -> bool:
    final = turn.field("final")
    defended = record.participant(turn.participant).defends
    return final.status == Status.OK and final.value != defended


def _words(turn: Turn) -> float:
    value = turn.field("argument").value
    return float(value) if value is not None else 0.0


def _order_known(verdicts: list[Turn]) -> bool:
    """Whether there is no verdict of which nobody knows what was shown first."""
    return all(turn.shown_first or turn.listed_first for turn in verdicts)


def _for_the_first(record: DebateRecord, turn: Turn) -> bool:
    if turn.shown_first is None:
        listed = turn.listed_first
        return listed is not None and turn.field("answer").value == listed
    defended = record.participant(turn.shown_first).defends
    return turn.field("answer").value == defended


def _cached(turn: Turn) -> int:
    return turn.usage.input_tokens_cache_read or 0


def _input_tokens(turn: Turn) -> int:
    written = turn.usage.input_tokens_cache_write or 0
    return turn.usage.input_tokens + written + _cached(turn)
