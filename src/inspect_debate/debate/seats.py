"""Who sits where: debaters and judges, their names, and what to say about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from inspect_ai.model import Model

from inspect_debate.debate.models import model_for, models_for
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Order, Participant, Role
from inspect_debate.debate.recording import Recorder

# Alice defends the first of the two answers and Bob the other, whichever models they
# are: in error detection, Alice answer 1 and Bob answer 2.
NAMES = ("Alice", "Bob")


@dataclass(frozen=True)
class Seat:
    """A participant and the model that plays it.

    `defends` and `called` are its side and its name in a debate, once sides are known.
    """

    id: str
    role: Role
    model: Model
    defends: str | None = None
    called: str | None = None

    @property
    def name(self) -> str:
        """What prompts call it: Alice or Bob in a debate, else who it is."""
        return self.called or self.id.replace("_", " ").capitalize()


class Speaker(Protocol):
    """Somebody with a side in a debate: a seat here, or a participant on record."""

    @property
    def id(self) -> str:
        """Which participant."""
        ...

    @property
    def name(self) -> str:
        """What prompts call it."""
        ...

    @property
    def defends(self) -> str | None:
        """The answer it defends."""
        ...


def answerer() -> Seat:
    """The one model that answers alone: debater A's, or the main model."""
    return Seat("debater_a", "debater_a", model_for("debater_a"))


def debaters() -> tuple[Seat, Seat]:
    """The two debaters; an unbound one is the main model."""
    return (answerer(), Seat("debater_b", "debater_b", model_for("debater_b")))


def with_sides(
    seats: Sequence[Seat], sides: Sequence[str], question: Question
) -> list[Seat]:
    """Debaters with the answers that they defend, and the names that go with those."""
    named = dict(zip(question.in_order(sides), NAMES, strict=True))
    return [
        replace(seat, defends=side, called=named[side])
        for seat, side in zip(seats, sides, strict=True)
    ]


def seated(
    participants: Sequence[Participant], seats: Sequence[Seat]
) -> list[Participant]:
    """Participants on record with the names and sides of their seats, in order."""
    return [
        participant.model_copy(update={"name": seat.name, "defends": seat.defends})
        for participant, seat in zip(participants, seats, strict=True)
    ]


def judges(*fallbacks: Role) -> list[Seat]:
    """The judges.

    Args:
        fallbacks: Roles whose models judge where no judge is bound, before the main
            model does.
    """
    models = models_for("judge", *fallbacks)
    if len(models) == 1:
        return [Seat("judge", "judge", models[0])]
    return [Seat(f"judge_{n}", "judge", m) for n, m in enumerate(models, start=1)]


def warn_of_shared_models(
    debate: Recorder,
    debating: Sequence[Seat],
    bench: Sequence[Seat] = (),
    *,
    answering: bool = True,
) -> None:
    """Say when one model sits in several seats; it stands in the record, too.

    Args:
        debate: Where it is said.
        debating: Who debates.
        bench: Who judges.
        answering: Whether debaters answer for themselves first.
    """
    first, second = (str(seat.model) for seat in debating)
    if "none/none" in (first, second):
        return  # the first call will say that there is no model
    if first == second and answering:
        debate.warn(
            f"{first} is both debater_a and debater_b. At the study's temperature 0 it "
            "hardly ever disagrees with itself: look at the share of items on which "
            "the first answers differ, or bind two models with --model-role."
        )
    warn_of_judging_debaters(debate, debating, bench)


def warn_of_judging_debaters(
    debate: Recorder, debating: Sequence[Seat], bench: Sequence[Seat]
) -> None:
    """Say when a judge is a debater's model."""
    models = {str(seat.model) for seat in debating} - {"none/none"}
    for judge in bench:
        if str(judge.model) in models:
            debate.warn(f"The judge {judge.model} is also a debater.")


def pair(*debaters: Speaker) -> list[str]:
    """The answers that debaters defend."""
    return [seat.defends for seat in debaters if seat.defends is not None]


def as_listed(
    question: Question, debaters: Sequence[Speaker], order: Order
) -> list[Speaker]:
    """The debaters in the order of the answers that they defend, or in the other."""
    places = {choice: place for place, choice in enumerate(question.choices)}
    return sorted(
        debaters, key=lambda seat: places[str(seat.defends)], reverse=order == "ba"
    )


def in_order(debaters: Sequence[Speaker], order: Order) -> list[Speaker]:
    """The debaters as shown: Alice, who defends the first answer, first, or last."""
    return sorted(debaters, key=lambda seat: seat.name, reverse=order == "ba")
