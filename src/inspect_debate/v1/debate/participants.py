"""Who takes part: debaters and judges, their names, and the answers they defend."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import anyio
from inspect_ai.model import Model, get_model, model_roles

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Order, Parsed, Participant, Role, Status
from inspect_debate.v1.debate.seeds import heads, mirrored, seeded
from inspect_debate.v1.debate.settings import of_run, own_config, say_once

if TYPE_CHECKING:
    from inspect_debate.v1.debate.recording import Recorder

# Roles: the only way from a protocol to a model.

ROLES: tuple[Role, ...] = get_args(Role)

PERSON = "human/"
"""What the name of a person begins with where others have a model's."""

PEOPLE = "people"
"""In place of a model, where people have a role."""


# What the studies call their roles.
CALLED: dict[str, Role] = {
    "defender": "debater_a",
    "critic": "debater_b",
}


def models_for(role: Role, *fallbacks: Role) -> list[Model]:
    """The models that play a role, in the order in which they were bound.

    Args:
        role: The role.
        fallbacks: Roles whose models stand in, first come first served, where the
            role itself is not bound; after them the evaluation's main model.

    Returns:
        One model, or several where a list was bound. All are tagged with `role`, so
        that usage is counted under it, and none is the main model's own object, so
        that the settings of the run are merged in one place (`debate.settings`).

    Raises:
        InputError: If a role was bound whose name looks like a misspelt one.
    """
    bound = model_roles()
    for name in bound:
        if name in ROLES:
            continue
        if _meant(name):
            raise InputError(_no_role(name))
        # `check_roles` lets none through that was typed for a debate: a task brings
        # this one, or is scored by the debate.
        if of_run():
            say_once(f"The role {name!r} is no role of a debate and not used by it.")
    for candidate in (role, *fallbacks):
        if candidate in bound:
            models = bound[candidate]
            models = models if isinstance(models, list) else [models]
            if candidate == role:
                return models
            return [get_model(role=role, default=model) for model in models]
    main = get_model(role=role, default=get_model())
    main.config = own_config(main)
    return [main]


def check_roles() -> None:
    """Check that roles typed for a run are those of this suite.

    For tasks and solvers, which are made before the run's first sample; where it is not
    known yet which run they are for, nothing is checked. A task that a debate scores
    may have other roles, unless they look like misspelt ones.

    Raises:
        InputError: Naming the role, and the one that may have been meant.
    """
    if not made_for_a_run():
        return
    for name in model_roles():
        if name not in ROLES and (of_run() or _meant(name)):
            raise InputError(_no_role(name))


def _no_role(name: str) -> str:
    meant = _meant(name)
    return (
        f"--model-role {name}=... binds no role of this suite; its roles: "
        f"{', '.join(ROLES)}." + (f" Did you mean {meant!r}?" if meant else "")
    )


def _meant(name: str) -> Role | None:
    """The role that a misspelt name may mean."""
    if name in CALLED:
        return CALLED[name]
    return next((r for r in ROLES if r in get_close_matches(name, ROLES, n=1)), None)


def made_for_a_run() -> bool:
    """Whether a task or solver is made in the run that it is for, with its roles.

    After an evaluation set its roles stay bound, where no loop runs.
    """
    try:
        anyio.get_current_task()
    except RuntimeError:
        return False
    return in_a_run()


def is_bound(role: Role) -> bool:
    """Whether a user bound a role."""
    return role in model_roles()


def in_a_run() -> bool:
    """Whether roles are known: a task is made, or runs, with some of them bound."""
    return bool(model_roles())


def is_missing(model: Model) -> bool:
    """Whether a model is only the place of one, as with `--model none`."""
    return str(model) == "none/none"


def model_for(role: Role, *fallbacks: Role) -> Model:
    """The model that plays a role which takes one.

    Raises:
        InputError: If a list of models was bound to it.
    """
    models = models_for(role, *fallbacks)
    if len(models) == 1:
        return models[0]
    names = ", ".join(str(model) for model in models)
    if not is_bound(role):
        stands_in = next(other for other in fallbacks if is_bound(other))
        raise InputError(
            f"{role} is not bound, and {stands_in}, which would stand in for it, is "
            f"bound to {len(models)} models: {names}. Bind --model-role {role}=MODEL."
        )
    raise InputError(
        f"--model-role {role}=... takes one model here, given were "
        f"{len(models)}: {names}. Only `judge` takes a list."
    )


# Debaters and judges.

# Alice defends the first of the two answers and Bob the other, whichever models they
# are: in error detection, Alice answer 1 and Bob answer 2.
NAMES = ("Alice", "Bob")


@dataclass(frozen=True)
class ModelParticipant:
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


class Debater(Protocol):
    """Somebody who defends an answer, in a running debate or in a record."""

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


def answerer() -> ModelParticipant:
    """The one model that answers alone: debater A's, or the main model."""
    return ModelParticipant("debater_a", "debater_a", model_for("debater_a"))


def debaters() -> tuple[ModelParticipant, ModelParticipant]:
    """The two debaters; an unbound one is the main model."""
    return (
        answerer(),
        ModelParticipant("debater_b", "debater_b", model_for("debater_b")),
    )


def with_sides(
    participants: Sequence[ModelParticipant], sides: Sequence[str], question: Question
) -> list[ModelParticipant]:
    """Debaters with the answers that they defend, and the names that go with those."""
    named = dict(zip(question.in_order(sides), NAMES, strict=True))
    return [
        replace(participant, defends=side, called=named[side])
        for participant, side in zip(participants, sides, strict=True)
    ]


def seated(
    records: Sequence[Participant], participants: Sequence[ModelParticipant]
) -> list[Participant]:
    """Recorded participants with their present names and sides."""
    return [
        recorded.model_copy(
            update={"name": participant.name, "defends": participant.defends}
        )
        for recorded, participant in zip(records, participants, strict=True)
    ]


def judges(*fallbacks: Role) -> list[ModelParticipant]:
    """The judges.

    Args:
        fallbacks: Roles whose models judge where no judge is bound, before the main
            model does.
    """
    models = models_for("judge", *fallbacks)
    if len(models) == 1:
        return [ModelParticipant("judge", "judge", models[0])]
    return [
        ModelParticipant(f"judge_{n}", "judge", m)
        for n, m in enumerate(models, start=1)
    ]


def warn_of_shared_models(
    debate: "Recorder",
    debating: Sequence[ModelParticipant],
    panel: Sequence[ModelParticipant] = (),
    *,
    answering: bool = True,
) -> None:
    """Warn, also in the record, if one model plays several participants.

    Args:
        debate: Where the warning is recorded.
        debating: Who debates.
        panel: Who judges.
        answering: Whether debaters answer for themselves first.
    """
    first, second = (str(participant.model) for participant in debating)
    if "none/none" in (first, second):
        return  # the first call will say that there is no model
    if first == second and answering:
        debate.warn(
            f"{first} is both debater_a and debater_b. At the study's temperature 0 it "
            "hardly ever disagrees with itself: look at the share of items on which "
            "the first answers differ, or bind two models with --model-role."
        )
    warn_of_judging_debaters(debate, debating, panel)


def warn_of_judging_debaters(
    debate: "Recorder",
    debating: Sequence[ModelParticipant],
    panel: Sequence[ModelParticipant],
) -> None:
    """Warn if a judge is also a debater's model."""
    models = {str(participant.model) for participant in debating} - {"none/none"}
    for judge in panel:
        if str(judge.model) in models:
            debate.warn(f"The judge {judge.model} is also a debater.")


def pair(*debaters: Debater) -> list[str]:
    """The answers that debaters defend."""
    return [
        participant.defends
        for participant in debaters
        if participant.defends is not None
    ]


def as_listed(
    question: Question, debaters: Sequence[Debater], order: Order
) -> list[Debater]:
    """The debaters in the order of the answers that they defend, or in the other."""
    places = {choice: place for place, choice in enumerate(question.choices)}
    return sorted(
        debaters,
        key=lambda participant: places[str(participant.defends)],
        reverse=order == "ba",
    )


def in_order(debaters: Sequence[Debater], order: Order) -> list[Debater]:
    """The debaters as shown: Alice, who defends the first answer, first, or last."""
    return sorted(
        debaters, key=lambda participant: participant.name, reverse=order == "ba"
    )


# Sides: who defends which answer, and in which order a debate is shown.


def defended_answers(
    answers: Sequence[str], question: Question, seed: int
) -> tuple[str, str]:
    """The answer that each of two debaters defends.

    Args:
        answers: Their own first answers.
        question: What is debated.
        seed: The run's seed.

    Returns:
        Their own answers where those differ. Where they agree, the other answer is a
        distractor drawn among the other choices, and debater A's side is drawn; both by
        the sample's id, and the side is mirrored in every second epoch.

    Raises:
        InputError: If they agree, and there is no other choice.
    """
    first, second = answers
    if first != second:
        return first, second
    others = [choice for choice in question.choices if choice != first]
    if not others:
        raise InputError(
            f"Sample {question.id!r} has no other answer to defend than the one given; "
            "this protocol needs questions with options."
        )
    distractor = seeded(seed, "distractor", question.id).choice(others)
    one, other = question.in_order((first, distractor))
    as_drawn = heads(seed, "sides", question.id, question.rank)
    return (one, other) if as_drawn != mirrored(question.epoch) else (other, one)


def assigned_answers(question: Question, seed: int) -> tuple[str, str]:
    """The answers that two debaters are to defend without having answered before.

    Args:
        question: What is debated; its two answers are the sides.
        seed: The run's seed.

    Returns:
        What debater A defends, drawn by the sample's id and mirrored in every second
        epoch, and what debater B does.

    Raises:
        InputError: If the question has more answers than two.
    """
    if len(question.choices) != 2:
        raise InputError(
            "sides=assigned needs questions with two answers; sample "
            f"{question.id!r} has {len(question.choices)}. Give sides=free: who argues "
            "answers first, and argues for that answer."
        )
    one, other = question.choices
    as_drawn = heads(seed, "sides", question.id, question.rank)
    return (one, other) if as_drawn != mirrored(question.epoch) else (other, one)


def random_tie_break(
    answers: Sequence[Parsed], question: Question, seed: int
) -> str | None:
    """One of two differing answers, drawn at random with equal chances.

    Args:
        answers: The answers, one of each participant.
        question: What they answer; every second epoch takes the answer that the epoch
            before did not.
        seed: The run's seed.

    Returns:
        The drawn answer; None where nothing is to be drawn, because the answers are the
        same or one could not be read.
    """
    values = [str(answer.value) for answer in answers if answer.status == Status.OK]
    if len(values) < len(answers) or len(set(values)) == 1:
        return None
    seeded(seed, "coin", question.id, (question.epoch - 1) // 2).shuffle(values)
    return values[-1] if mirrored(question.epoch) else values[0]


def orders(order: Literal["ab", "ba", "both"], epoch: int) -> list[Order]:
    """The orders in which every judge is shown a debate.

    Args:
        order: `ab` lists and shows the first answer first, `ba` last, `both` asks for
            two verdicts.
        epoch: Every second epoch mirrors the order.

    Returns:
        One order, or both.
    """
    if order == "both":
        return ["ab", "ba"]
    return ["ab"] if (order == "ab") != mirrored(epoch) else ["ba"]
