"""Debates with bets: the motion, who debates it, how replies are read and shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from inspect_ai.log import transcript
from inspect_ai.model import Model
from inspect_ai.solver import TaskState
from inspect_ai.util import span

from inspect_debate.v1.debate.calls import SPEECH_LENGTH, Reading
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.participants import (
    ModelParticipant,
    debater_pool,
    is_bound,
    is_missing,
    judges,
    model_for,
    model_named,
    playing,
)
from inspect_debate.v1.debate.question import Question, text_asked
from inspect_debate.v1.debate.record import Parsed, Role, Status, Turn
from inspect_debate.v1.debate.recording import Recorder
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.debate.seeds import fingerprint, mirrored
from inspect_debate.v1.debate.settings import say_once
from inspect_debate.v1.debate.visibility import NO_SPEECH, VisibleTurn, visible_to_judge
from inspect_debate.v1.solvers.bet_records import (
    BET,
    BET_OUTSIDE,
    SIDES,
    SOURCES,
    STAKE,
    round_card,
    speech_name,
)
from inspect_debate.v1.solvers.bet_text import read_bet, read_jury_verdict, without_bets

_ROLES: tuple[Role, Role] = ("debater_a", "debater_b")

# --- The motion -----------------------------------------------------------------------


@dataclass(frozen=True)
class Motion(Question):
    """A motion under debate.

    `models` are the models that debate it, where the sample names two of a pool, and
    with `swapped` they change sides.
    """

    models: tuple[str, str] | None = None
    swapped: bool = False

    @property
    def shown(self) -> dict[str, str]:
        """What prompts show: the motion, and what each side has to prove, if given."""
        texts = (as_shown(self.sources.get(name, "")) for name in SOURCES)
        return dict(zip(("motion", *SIDES), texts, strict=True))


def motion_of(state: TaskState) -> Motion:
    """The motion that a sample is about.

    Raises:
        InputError: If the sample's input is not a text.
    """
    burdens = [str(state.metadata.get(name) or "") for name in SOURCES[1:]]
    texts = (text_asked(state), *burdens)
    named = [state.metadata.get(role) for role in _ROLES]
    return Motion(
        id=str(state.sample_id),
        epoch=state.epoch,
        fingerprint=fingerprint(*texts),
        choices=SIDES,
        sources=dict(zip(SOURCES, texts, strict=True)),
        models=None if None in named else (str(named[0]), str(named[1])),
        swapped=bool(state.metadata.get("swapped")),
    )


# --- How replies are read -------------------------------------------------------------


def asked_for(bet_as: str) -> tuple[str, ...]:
    """What a bet consists of."""
    return (BET, STAKE) if bet_as == "apart" else (BET,)


def read_speech(text: str, asks: Sequence[str], shortest: int) -> Reading:
    """A speech, which others may read, and a bet, which is taken out of it.

    Args:
        text: The completion.
        asks: What the bet consists of; nothing if it is asked for apart.
        shortest: The characters below which a completion holds no speech.
    """
    read = read_bet(text, asks=asks or (BET,))
    speech = as_shown(read.speech).strip()
    long_enough = bool(speech) and len(text.strip()) >= shortest
    length = Parsed.ok(float(len(speech))) if long_enough else Parsed.unparsed()
    amounts = {name: read.amounts[name] for name in asks}
    outside = Parsed.ok(float(read.outside))
    fields = {SPEECH_LENGTH: length, BET_OUTSIDE: outside, **amounts}
    return Reading(speech, fields, private=read.reasoning)


def read_bet_alone(text: str, asks: Sequence[str]) -> Reading:
    """A bet that is asked for apart."""
    read = read_bet(text, asks=asks)
    return Reading("", read.amounts, private=read.reasoning or read.speech)


def read_verdict(text: str) -> Reading:
    """A juror's winner and confidence."""
    return Reading(as_shown(text), read_jury_verdict(text))


def kept(earlier: Reading, later: Reading) -> Reading:
    """One reading of a speech and of what a re-ask adds.

    A debater that is asked for its bet again need not repeat its speech.
    """
    spoke = earlier.fields.get(SPEECH_LENGTH, Parsed()).status == Status.OK
    fields = _updated(earlier, later)
    if spoke:
        fields[SPEECH_LENGTH] = earlier.fields[SPEECH_LENGTH]
    return Reading(
        public=earlier.public if spoke else later.public,
        fields=fields,
        private=later.private or earlier.private,
    )


def added(earlier: Reading, later: Reading) -> Reading:
    """One reading of a verdict and of what a re-ask adds: the reasons stay."""
    reasons = "\n\n".join(filter(None, [earlier.public, later.public]))
    return Reading(reasons, _updated(earlier, later))


def _updated(earlier: Reading, later: Reading) -> dict[str, Parsed]:
    return {
        name: field if later.fields[name].status != Status.OK else later.fields[name]
        for name, field in earlier.fields.items()
    }


# --- What prompts show ----------------------------------------------------------------


class Said(TypedDict):
    """A speech as prompts show it, and its bet where that may be read."""

    speaker: str
    speech: str
    text: str
    amount: str
    reasoning: str
    own: bool


def debate_values(
    turns: Sequence[Turn],
    sides: Mapping[str, str],
    rounds: int,
    *,
    first: Sequence[str] = SIDES,
    reader: str | None = None,
    own_bets: bool = False,
    other_bets: bool = False,
) -> list[Said]:
    """Speeches round by round, as prompts show them.

    Args:
        turns: What the reader may know of.
        sides: The sides that participants speak for.
        rounds: The rounds of the debate.
        first: The sides in the order in which each round is shown.
        reader: Who reads, if it is one of them.
        own_bets: Whether it is shown its own bets again, with their reasoning.
        other_bets: Whether it is shown the other side's bets, the amounts alone.
    """
    bets = {(t.participant, t.round): t for t in turns if BET in t.fields}
    visible = visible_to_judge(turns, show_openings=False)
    visible.sort(key=lambda turn: (turn.round, first.index(sides[turn.participant])))

    def shown(speech: VisibleTurn) -> Said:
        own = speech.participant == reader
        bet = bets.get((speech.participant, speech.round))
        amount = (
            bet.field(BET).value if bet and (own_bets if own else other_bets) else None
        )
        return Said(
            speaker=sides[speech.participant].capitalize(),
            speech=speech_name(speech.round, rounds),
            text=as_shown(without_bets(speech.text)).strip() or NO_SPEECH,
            amount="" if amount is None else f"{amount:g}",
            reasoning=as_shown(bet.private) if bet and own else "",
            own=own,
        )

    return [shown(speech) for speech in visible]


async def show_round(debate: Recorder, round: int, rounds: int) -> None:
    """Show a round in the viewer: both sides next to each other."""
    sides = {p.id: str(p.defends) for p in debate.participants}
    name = speech_name(round, rounds)
    async with span(f"Round {round} ({name}), both sides", type="round"):
        transcript().info(round_card(debate.turns, sides, round, rounds), source=name)


# --- Who speaks for which side, and who is in the jury ------------------------------


def debaters(
    motion: Motion, *, itself: bool
) -> tuple[ModelParticipant, ModelParticipant]:
    """The two debaters with their sides.

    A sample that names its models (`debater_a`, `debater_b` in its metadata) takes them
    from the pool that `debater_a` is bound to. Otherwise the roles decide. `debater_a`
    speaks for the proposition; they change sides where the sample says so (`swapped`),
    and in every second epoch.

    Args:
        motion: The motion.
        itself: Whether a model debates a copy of itself.

    Raises:
        InputError: If the roles do not fit the sample or the parameters.
    """
    first, second = _models(motion, itself)
    swapped = mirrored(motion.epoch) != motion.swapped
    sides = SIDES[::-1] if swapped else SIDES
    a = ModelParticipant("debater_a", "debater_a", first)
    b = ModelParticipant("debater_b", "debater_b", second)
    return (
        replace(a, defends=sides[0], called=sides[0].capitalize()),
        replace(b, defends=sides[1], called=sides[1].capitalize()),
    )


def jury(passes: int) -> list[ModelParticipant]:
    """The jurors: the main model if no judge is bound, none if there are no passes.

    Raises:
        InputError: If there is neither a juror nor a main model.
    """
    if not passes:
        return []
    panel = judges()
    if any(is_missing(participant.model) for participant in panel):
        raise InputError(
            "The debate has a jury and no model for it: bind --model-role judge=... "
            "(a list makes a panel), or give -T jury_passes=0."
        )
    return panel


def warn_of_shared_models(
    debate: Recorder, panel: Sequence[ModelParticipant], *, paired: bool
) -> None:
    """Warn, also in the record, if one model plays several participants."""
    models = {participant.model for participant in debate.participants}
    if len(models) == 1 and paired:
        debate.warn(
            f"{models.copy().pop()} is on both sides and is not told so. Bind "
            "debater_b, or give a list as debater_a, for debates of different models; "
            "protocol=self is for debates with oneself."
        )
    for juror in panel:
        if str(juror.model) in models:
            debate.warn(f"The juror {juror.model} is also a debater.")


def check_roles_used(passes: int, *, itself: bool, debated: bool, graded: bool) -> None:
    """Check that every participant has a model and every bound role is used.

    Args:
        passes: How often each juror judges.
        itself: Whether a model debates a copy of itself.
        debated: Whether this run has debates of its own instead of reused ones.
        graded: Whether bets are graded.

    Raises:
        InputError: If they do not fit.
    """
    if debated:
        _check_roles(itself)
        if debater_pool() is None:
            for role in _ROLES[: 1 if itself else 2]:
                _with_model(role)
    jury(passes)
    if not passes and is_bound("judge"):
        say_once(
            "--model-role judge=... is bound, but these debates have no jury: give "
            "-T jury_passes=2, or more or fewer, to have them judged."
        )
    if graded:
        model_for("grader", "judge", "debater_a")


def _check_roles(itself: bool) -> None:
    if not is_bound("debater_b"):
        return
    if itself:
        raise InputError(
            "In a self-debate the model of debater_a debates a copy of itself; "
            "--model-role debater_b=... has no part in it. Give protocol=cross_model "
            "or -T opponent=other for a debate of two models."
        )
    if debater_pool() is not None:
        raise InputError(
            "debater_a is bound to several models, which debate among themselves; "
            "--model-role debater_b=... has no part in it. Add it to the list, or bind "
            "one model to each."
        )


def _with_model(role: Role) -> Model:
    """The model of a role that takes one, and has to have one."""
    if is_missing(model := model_for(role)):
        raise InputError(
            f"{role} has no model: bind --model-role {role}=MODEL, or give --model."
        )
    return model


def _models(motion: Motion, itself: bool) -> tuple[Model, Model]:
    pool = debater_pool()
    _check_roles(itself)
    if motion.models is not None:
        models = pool or [_with_model("debater_a"), _with_model("debater_b")]
        first, second = (model_named(name, models) for name in motion.models)
    elif pool is not None:
        raise InputError(
            "debater_a is bound to several models, and this sample does not say which "
            "of them debate; let the task be made by `inspect eval` or `eval(...)` "
            "from its name, or give -T pairings=FILE."
        )
    else:
        first = _with_model("debater_a")
        second = first if itself else _with_model("debater_b")
    return first, second if is_bound("debater_b") else playing("debater_b", second)
