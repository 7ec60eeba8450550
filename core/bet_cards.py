"""A debate with bets as a person sees it, as Markdown: each round, and all at a glance.

Private reasoning stands in these cards, which the viewer shows among the events, and
never in the conversation, which a debater's prompt could be mistaken for.
"""

from collections.abc import Mapping, Sequence

from inspect_debate.core.betting import (
    BET,
    SIDES,
    STAKE,
    bets,
    rounds_of,
    sides_of,
    speech_name,
)
from inspect_debate.core.outcome import outcome
from inspect_debate.core.record import DebateRecord, Parsed, Status, Turn


def round_card(
    turns: Sequence[Turn], sides: Mapping[str, str], round: int, rounds: int
) -> str:
    """One round: for each side its bet, the private reasoning and the speech.

    Args:
        turns: All turns so far.
        sides: The side of each speaker, by participant.
        round: The round, from 1.
        rounds: The number of rounds.
    """
    speakers = dict(zip(sides.values(), sides, strict=True))
    parts = [f"## {speech_name(round, rounds).capitalize()}"]
    for side in SIDES:
        said = [t for t in turns if (t.participant, t.round) == (speakers[side], round)]
        parts.append(_side_card(side, said))
    return "\n\n".join(parts)


def _side_card(side: str, said: Sequence[Turn]) -> str:
    spoken = next((turn for turn in said if turn.kind == "speech"), None)
    betting = next((turn for turn in said if BET in turn.fields), None)
    bet = "no bet asked" if betting is None else _amount(betting)
    lines = [f"### {side.capitalize()} · {bet}"]
    if spoken is not None:
        lines[0] += f"\n*{spoken.model}*"
    if betting is not None and betting.private:
        quoted = "\n".join(f"> {line}" for line in betting.private.splitlines())
        lines.append(f"**Private reasoning**\n\n{quoted}")
    text = spoken.public if spoken is not None else ""
    lines.append(f"**Speech**\n\n{text or '(no speech)'}")
    return "\n\n".join(lines)


def _amount(turn: Turn) -> str:
    stake = turn.field(STAKE)
    more = "" if stake.status == Status.MISSING else f", stake {told(stake)}"
    return f"bet {told(turn.field(BET))}{more}"


def bets_card(record: DebateRecord) -> str:
    """The bets of all rounds, their sums, and what the jury said."""
    decided, found = outcome(record), bets(record)
    rounds = range(1, rounds_of(record) + 1)
    models = {
        side: record.participant(who).model for side, who in sides_of(record).items()
    }
    heads = [f"{side} ({models.get(side, '?')})" for side in SIDES]
    lines = [
        f"**Jury: {decided.answer or decided.status}**"
        if record.of_kind("verdict")
        else "**No jury**",
        "",
        f"| | {' | '.join(heads)} | sum |",
        "|---|---|---|---|",
    ]
    for round in rounds:
        pair = [found[side, round] for side in SIDES]
        numbers = [float(bet.value) for bet in pair if bet.value is not None]
        total = f"{sum(numbers):g}" if len(numbers) == len(pair) else ""
        cells = [speech_name(round, len(rounds)), *map(told, pair), total]
        lines.append(f"| {' | '.join(cells)} |")
    if verdicts := record.of_kind("verdict"):
        lines += ["", "| juror | winner | confidence |", "|---|---|---|"]
        lines += [_verdict_row(record, turn) for turn in verdicts]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _verdict_row(record: DebateRecord, turn: Turn) -> str:
    number = f" pass {turn.draw}" if turn.draw else ""
    juror = f"{record.participant(turn.participant).model}{number} ({turn.order})"
    return (
        f"| {juror} | {told(turn.field('answer'))} | {told(turn.field('confidence'))} |"
    )


def told(field: Parsed) -> str:
    """A field's value, or why there is none."""
    if field.value is None:
        return f"({field.status})"
    return field.value if isinstance(field.value, str) else f"{field.value:g}"
