"""Bets on winning a debate of two sides: who speaks when, what was bet, the outcome."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from inspect_debate.v1.debate.outcome import outcome
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Parsed,
    Status,
    Turn,
    order_shown,
    without_answer,
)
from inspect_debate.v1.debate.rendering import table, table_cell

Side = Literal["proposition", "opposition"]
SIDES: tuple[Side, ...] = get_args(Side)
"""Who argues for a motion, and who against it; the choices of a jury."""

SOURCES = ("motion", "proposition_burden", "opposition_burden")
"""The sources of a question that is a motion: its text, and what each side has to show.
"""

SpeechType = Literal["opening", "rebuttal", "closing"]

Bets = Mapping[tuple[str, int], Parsed]
"""Bets by side and round, from 1."""

BET, RECORDED, STAKE = "bet", "recorded_bet", "stake"
"""Fields of a turn: the bet from 0 to 100; what a published transcript has in its place
where none was made; the stake, where it is asked for apart from the probability."""

BET_OUTSIDE = "bet_outside"
"""A field of a speech: 1 if it spoke of its bet outside the tags, too, else 0."""


def speech_type(round: int, rounds: int) -> SpeechType:
    """What a speech of a round is: the first is an opening, the last a closing.

    Args:
        round: The round, from 1.
        rounds: The number of rounds; of one there is only an opening.
    """
    if round == 1:
        return "opening"
    return "closing" if round == rounds else "rebuttal"


def speech_name(round: int, rounds: int) -> str:
    """What a speech is called: several rebuttals are numbered from 1."""
    kind = speech_type(round, rounds)
    return f"rebuttal {round - 1}" if kind == "rebuttal" and rounds > 3 else kind


def speech_of(record: DebateRecord, turn: Turn) -> str:
    """What a speech of a debate with bets is called."""
    return speech_name(turn.round, rounds_of(record))


def sides_of(record: DebateRecord) -> dict[str, str]:
    """The participant that spoke for each side, by side."""
    return {p.defends: p.id for p in record.participants if p.defends in SIDES}


def bets(record: DebateRecord, field: str = BET) -> dict[tuple[str, int], Parsed]:
    """The bets of a debate, made within speeches or in calls of their own.

    Args:
        record: A debate whose participants defend the two sides.
        field: Which number: `bet`, `recorded_bet` or `stake`.

    Returns:
        A field for every side and round of the debate, by (side, round); `missing`
        where nothing was asked or recorded.
    """
    found = {
        side: asked_bets(record.turns, who)
        for side, who in _participants_by_side(record)
    }
    return {
        (side, round): found.get(side, {}).get(round, {}).get(field, Parsed())
        for side in SIDES
        for round in range(1, rounds_of(record) + 1)
    }


def as_recorded(record: DebateRecord) -> dict[tuple[str, int], Parsed]:
    """The bets as a published data set has them, missing ones perhaps coded as 0."""
    recorded = bets(record, RECORDED)
    return {
        key: recorded[key] if recorded[key].value is not None else bet
        for key, bet in bets(record).items()
    }


def asked_bets(
    turns: tuple[Turn, ...] | list[Turn], participant: str
) -> dict[int, Mapping[str, Parsed]]:
    """The fields of a participant's turns that hold bets, by round."""
    return {
        turn.round: turn.fields
        for turn in turns
        if turn.participant == participant and BET in turn.fields
    }


def rounds_of(record: DebateRecord) -> int:
    """The number of rounds that a debate was to have."""
    spoken = max((turn.round for turn in record.of_kind("speech")), default=0)
    return int(record.parameters.get("rounds", spoken))


def _participants_by_side(record: DebateRecord) -> list[tuple[str, str]]:
    return list(sides_of(record).items())


# A debate with bets as a person sees it, as Markdown: each round, and all at a glance.
#
# Private reasoning is in these cards, which the viewer shows among the events, and
# never in the conversation, which a debater's prompt could be mistaken for.

BRIEF = 230
"""Characters of a text that are shown side by side with the other side's."""


def round_card(
    turns: Sequence[Turn], sides: Mapping[str, str], round: int, rounds: int
) -> str:
    """One round: both sides next to each other in brief, then their texts in full.

    Args:
        turns: All turns so far.
        sides: The side of each speaker, by participant.
        round: The round, from 1.
        rounds: The number of rounds.
    """
    debaters = dict(zip(sides.values(), sides, strict=True))
    parts = [
        _part(side, [t for t in turns if t.participant == debaters[side]], round)
        for side in SIDES
    ]
    return "\n\n".join(
        [
            _in_brief(parts),
            *(_in_full(each) for each in parts),
        ]
    )


class _Part(NamedTuple):
    """What a side said in a round."""

    side: str
    model: str
    bet: str
    reasoning: str
    speech: str


def _part(side: str, turns: Sequence[Turn], round: int) -> _Part:
    of_round = [turn for turn in turns if turn.round == round]
    spoken = next((turn for turn in of_round if turn.kind == "speech"), None)
    betting = next((turn for turn in of_round if BET in turn.fields), None)
    return _Part(
        side.capitalize(),
        spoken.model if spoken else "?",
        _amount(betting) if betting else "not asked",
        betting.private if betting else "",
        spoken.public if spoken else "",
    )


def _in_brief(parts: Sequence[_Part]) -> str:
    """A table of two columns, as long as the viewer shows without a click."""
    rows = {
        "": [f"{each.side} ({each.model})" for each in parts],
        "bet": [f"**{each.bet}**" for each in parts],
        "private reasoning": [brief(each.reasoning) for each in parts],
        "speech": [brief(each.speech) for each in parts],
    }
    head, *others = ([name, *cells] for name, cells in rows.items())
    return "\n".join(table(head, others))


def _in_full(part: _Part) -> str:
    return "\n\n".join(
        [
            f"### {part.side}: private reasoning",
            part.reasoning or "(none)",
            f"### {part.side}: speech",
            part.speech or "(no speech)",
        ]
    )


def brief(text: str) -> str:
    """The beginning of a text, in one line for a table."""
    line = table_cell(text)
    return f"{line[:BRIEF].rstrip()} ..." if len(line) > BRIEF else line


def _amount(turn: Turn) -> str:
    stake = turn.field(STAKE)
    more = "" if stake.status == Status.MISSING else f", stake {shown_field(stake)}"
    return f"{shown_field(turn.field(BET))}{more}"


def bets_card(record: DebateRecord) -> str:
    """The bets of all rounds, their sums, and what the jury said."""
    lines = [f"**Outcome: {_won(record)}**", "", *bets_table(record)]
    if record.of_kind("verdict"):
        lines += ["", *jury_table(record)]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _won(record: DebateRecord) -> str:
    if not record.of_kind("verdict"):
        return "no jury was asked"
    decided = outcome(record)
    if decided.answer is None:
        return without_answer(decided.status)
    return f"the {decided.answer} wins"


def bets_table(record: DebateRecord) -> list[str]:
    """The bets of both sides by round, and their sums, as the lines of a table."""
    found, rounds = bets(record), range(1, rounds_of(record) + 1)
    models = {
        side: record.participant(who).model for side, who in sides_of(record).items()
    }
    head = ["", *(f"{side} ({models.get(side, '?')})" for side in SIDES), "sum"]
    rows = []
    for round in rounds:
        pair = [found[side, round] for side in SIDES]
        numbers = [float(bet.value) for bet in pair if bet.value is not None]
        total = f"{sum(numbers):g}" if len(numbers) == len(pair) else ""
        rows.append([speech_name(round, len(rounds)), *map(shown_field, pair), total])
    return table(head, rows)


def jury_table(record: DebateRecord) -> list[str]:
    """The votes of all jurors, as the lines of a table."""
    rows = [
        (
            record.participant(turn.participant).model
            + (f", pass {turn.draw}" if turn.draw else ""),
            order_shown(record, turn),
            shown_field(turn.field("answer")),
            shown_field(turn.field("confidence")),
        )
        for turn in record.of_kind("verdict")
    ]
    return table(["juror", "saw", "winner", "confidence"], rows)


def shown_field(field: Parsed) -> str:
    """A field's value, or why there is none."""
    if field.value is None:
        return f"({field.status})"
    return field.value if isinstance(field.value, str) else f"{field.value:g}"
