"""What turns and participants are called where people read about them."""

from inspect_debate.debate.record import DebateRecord, Order, Turn

_WITHOUT_ANSWER = {
    "tied": "a tie",
    "abstained": "abstained",
    "unparsed": "none, as it could not be read",
    "refused": "none, as it was refused",
    "truncated": "none, as a reply was cut off at the token limit",
    "capped": "none, as a reply was too long",
    "missing": "none",
    "elsewhere": "not decided by the debate alone",
}


def person(id: str) -> str:
    """A participant's id in words: `debater A` for `debater_a`, `judge 2`."""
    *words, last = id.split("_")
    return " ".join([*words, last.upper() if words and len(last) == 1 else last])


def capitalised(text: str) -> str:
    """A text with a capital at its beginning, and the rest as it is."""
    return text[:1].upper() + text[1:]


def without_answer(status: str) -> str:
    """In place of an outcome: why there is none."""
    return _WITHOUT_ANSWER[status]


def stage(
    kind: str,
    round: int = 0,
    draw: int = 0,
    about: str | None = None,
    *,
    in_series: bool = False,
) -> str:
    """When a turn is taken: `round 2`, `answer 3` of several, `verdict after round 1`.

    Args:
        kind: The kind of turn.
        round: Its round; speeches of round 0 are openings.
        draw: Which of several replies to one prompt it is; 0 where there is one.
        about: The check that a verdict is for.
        in_series: Whether there is a verdict after every round.
    """
    words = kind.replace("_", " ")
    match kind:
        case "speech":
            return f"round {round}" if round else "opening"
        case "verdict" if about:
            return f"verdict, check “{about.replace('_', ' ')}”"
        case "verdict" if in_series:
            return f"verdict after {f'round {round}' if round else 'the openings'}"
        case "verdict" | "answer" | "sample" | "recall" | "update":
            number = draw or round
            return f"{words} {number}" if number else words
        case "candidate":
            return f"candidate {draw}, round {round}"
        case "reward":
            return f"reward of candidate {draw}, round {round}"
    return f"{words}, round {round}" if round else words


def order_shown(record: DebateRecord, turn: Turn) -> str:
    """In which order a judge was shown a debate: `Bob shown first`; empty for none."""
    if turn.shown_first is not None:
        return f"{record.participant(turn.shown_first).name} shown first"
    if turn.listed_first is not None:
        return f"{turn.listed_first} listed first"
    return _ORDERS[turn.order] if turn.order else ""


_ORDERS: dict[Order, str] = {
    "ab": "first answer shown first",
    "ba": "second answer shown first",
}


def span_name(
    kind: str,
    participant: str,
    round: int = 0,
    draw: int = 0,
    *,
    order: Order | None = None,
    shown_first: str | None = None,
    about: str | None = None,
    in_series: bool = False,
) -> str:
    """The name of the span around one turn, e.g. `Round 2, debater B`.

    The viewer's outline shows what follows the last slash of a name, so it has none.

    Args:
        kind: The kind of turn.
        participant: Whose turn it is.
        round: The round, or after which one a verdict was given.
        draw: Which of several replies to one prompt it is.
        order: In which order a judge was shown the debate.
        shown_first: The participant that the judge saw first.
        about: The check that a verdict is for; whose turn a reward or a grade is for.
        in_series: Whether there is a verdict after every round.
    """
    check = about if kind == "verdict" else None
    who = person(participant if check or about is None else about)
    shown = ""
    if order is not None:
        first = f"{person(shown_first)} shown first" if shown_first else _ORDERS[order]
        shown = f" ({first})"
    when = stage(kind, round, draw, check, in_series=in_series)
    return f"{capitalised(when)}, {who}{shown}"


def best_of_name(round: int) -> str:
    """The name of the span around a round's candidates and their rewards."""
    return f"Round {round}, best of several"
