"""What a debate with bets asks: a speech, a bet, a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from inspect_ai.model import GenerateConfig, Model
from inspect_ai.solver import TaskState

from inspect_debate.debate.bet_text import read_bet, read_jury_verdict, without_bets
from inspect_debate.debate.bets import (
    BET,
    BET_OUTSIDE,
    SIDES,
    SOURCES,
    STAKE,
    speech_name,
    speech_type,
)
from inspect_debate.debate.calls import Form, Reading, Request, ask
from inspect_debate.debate.cue import Cue
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.models import (
    debater_pool,
    is_bound,
    is_missing,
    model_for,
    model_named,
    playing,
)
from inspect_debate.debate.prompts import PromptSet
from inspect_debate.debate.record import Order, Parsed, Role, Status, Turn
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.rendering import as_shown, block, paragraphs
from inspect_debate.debate.seats import Seat, judges
from inspect_debate.debate.seeds import mirrored
from inspect_debate.debate.settings import say_once
from inspect_debate.debate.visibility import (
    NO_SPEECH,
    Heard,
    visible_to_judge,
    visible_to_side,
)
from inspect_debate.solvers.asking import BaseAsker, Texts
from inspect_debate.solvers.bets_settings import BetConfig, BetParameters

# How speeches with bets, bets and jurors' verdicts are read.

SPEECH = "speech"
"""The field that tells whether there is a speech; its value is the speech's length."""


@dataclass(frozen=True)
class BetForms:
    """The forms of a debate with bets.

    `asks` names what a bet consists of; a completion of fewer characters than
    `shortest` holds no speech.
    """

    prompts: PromptSet
    asks: tuple[str, ...]
    shortest: int

    def speech(self, with_bet: bool) -> Form:
        """A speech, which others may read, and a bet, which is taken out of it."""
        asks = self.asks if with_bet else ()
        return Form(
            lambda text: self._read_speech(text, asks),
            (SPEECH, *asks),
            self.prompts.render("speech_reminder"),
            kept,
            speech=SPEECH,
        )

    def bet(self) -> Form:
        """A bet alone."""
        return Form(
            lambda text: _read_bet(text, self.asks),
            self.asks,
            self.prompts.render("bet_reminder"),
            kept,
        )

    def verdict(self) -> Form:
        """A juror's winner and confidence."""
        return Form(
            lambda text: Reading(as_shown(text), read_jury_verdict(text)),
            ("answer", "confidence"),
            self.prompts.render("juror_reminder"),
            added,
        )

    def _read_speech(self, text: str, asks: Sequence[str]) -> Reading:
        read = read_bet(text, asks=asks or (BET,))
        speech = as_shown(read.speech).strip()
        long_enough = bool(speech) and len(text.strip()) >= self.shortest
        said = Parsed.ok(float(len(speech))) if long_enough else Parsed.unparsed()
        amounts = {name: read.amounts[name] for name in asks}
        outside = Parsed.ok(float(read.outside))
        fields = {SPEECH: said, BET_OUTSIDE: outside, **amounts}
        return Reading(speech, fields, private=read.reasoning)


def _read_bet(text: str, asks: Sequence[str]) -> Reading:
    read = read_bet(text, asks=asks)
    return Reading("", read.amounts, private=read.reasoning or read.speech)


def kept(earlier: Reading, later: Reading) -> Reading:
    """One reading of a speech and of what a re-ask adds.

    Who is asked for its bet again has no need to give its speech again.
    """
    spoke = earlier.fields.get(SPEECH, Parsed()).status == Status.OK
    fields = _updated(earlier, later)
    if spoke:
        fields[SPEECH] = earlier.fields[SPEECH]
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


def asked_for(bet_as: str) -> tuple[str, ...]:
    """What a bet consists of."""
    return (BET, STAKE) if bet_as == "apart" else (BET,)


# What stands in the prompts of a debate with bets, and in those of its jury.
#
# Pure functions from what a participant may read to texts (study, sections D.1 to D.5),
# so that the prompts of a published transcript can be written again by the same rules.


@dataclass(frozen=True)
class BetWording:
    """The prompts of one debate.

    `motion` and `burdens` (what each side has to show, if that is told) are the item;
    `sides` maps participants to the sides that they speak for.
    """

    prompts: PromptSet
    parameters: BetParameters
    config: BetConfig
    motion: str
    burdens: Mapping[str, str]
    sides: Mapping[str, str]

    def speech(self, participant: str, round: int, heard: Sequence[Heard]) -> Texts:
        """Asks a side for its speech, and its bet where both come in one completion.

        Args:
            participant: Who speaks.
            round: The round, from 1.
            heard: What it may read of the debate.
        """
        parameters = self.parameters
        together = parameters.bet_call == "speech"
        structure = self._render(f"{speech_type(round, parameters.rounds)}_structure")
        opening = self._render("opening_line") if round == 1 else ""
        task = self._task(participant, round) if round > 1 else ""
        history = self._history(participant, heard)
        if self.config.structure_in == "instruction":
            # What does not change comes first, then what grows.
            last = [structure, opening, task, self._render("bet_last") * together]
            said = [self._situation(), history, *last]
            return Texts(self._rules(participant), paragraphs(said))
        form = paragraphs([structure, self._render("judging_guidance")])
        bet = self._bet() if together else ""
        return Texts(
            self._system(participant, form),
            paragraphs([self._situation(), opening, history, bet, task]),
        )

    def bet(self, participant: str, round: int, heard: Sequence[Heard]) -> Texts:
        """Asks a side for its bet alone, after its speech, which `heard` ends with."""
        constant = self.config.structure_in == "instruction"
        return Texts(
            self._rules(participant) if constant else self._system(participant, ""),
            paragraphs(
                [
                    self._situation(),
                    self._history(participant, heard),
                    self.prompts.render(
                        "bet_alone",
                        side=self._side(participant),
                        speech=self._speech(round),
                    ),
                    self._bet(),
                ]
            ),
        )

    def verdict(self, heard: Sequence[Heard], order: Order) -> Texts:
        """Asks a juror, who is told no model and shown no bet, who won.

        Args:
            heard: The speeches.
            order: Which side is shown first in every round.
        """
        first = SIDES if order == "ab" else SIDES[::-1]
        shown = sorted(heard, key=lambda s: (s.round, first.index(self._of(s))))
        debate = paragraphs(self._turn(speech) for speech in shown)
        return Texts(
            self.prompts.render("juror_system"),
            paragraphs(
                [
                    self._motion() if self.config.juror_sees_motion else "",
                    self.prompts.render("juror", debate=debate),
                    self.prompts.render("juror_format"),
                ]
            ),
        )

    # --- parts -----------------------------------------------------------------------

    def _system(self, participant: str, task: str) -> str:
        side = self._side(participant)
        return self.prompts.render("debater_system", side=side, task=task)

    def _rules(self, participant: str) -> str:
        """A system prompt that is the same in every round."""
        keys = ("speech_rules", "judging_guidance")
        bet = self._bet() if self.parameters.bet_call == "speech" else ""
        return self._system(participant, paragraphs([*map(self._render, keys), bet]))

    def _render(self, key: str) -> str:
        return self.prompts.render(key)

    def _situation(self) -> str:
        """The motion, and what is said of the other side."""
        note, percent = self.parameters.opponent_note, self.parameters.win_probability
        return paragraphs(
            [
                self._motion(),
                self._burdens(),
                self.prompts.render(f"note_{note}") if note != "none" else "",
                "" if percent is None else self._chance("win_probability"),
            ]
        )

    def _burdens(self) -> str:
        if not any(self.burdens.values()):
            return ""
        shown = {side: as_shown(text) for side, text in self.burdens.items()}
        return self.prompts.render("burdens", **shown)

    def _motion(self) -> str:
        return self.prompts.render("motion", motion=as_shown(self.motion))

    def _history(self, participant: str, heard: Sequence[Heard]) -> str:
        """The speeches of earlier rounds, the proposition's first, with their bets."""
        if not heard:
            return ""
        spoken = sorted(heard, key=lambda s: (s.round, SIDES.index(self._of(s))))
        parts = [self.prompts.render("history_intro")]
        for speech in spoken:
            parts += [self._turn(speech), self._shown_bet(participant, speech)]
        return paragraphs(parts)

    def _turn(self, speech: Heard) -> str:
        text = as_shown(without_bets(speech.text)).strip() or NO_SPEECH
        return block(
            "turn",
            text,
            {
                "speaker": self._of(speech).capitalize(),
                "stage": self._speech(speech.round),
            },
        )

    def _shown_bet(self, participant: str, speech: Heard) -> str:
        if speech.bet is None:
            return ""
        told = {
            "side": self._of(speech).capitalize(),
            "speech": self._speech(speech.round),
            "amount": f"{speech.bet:g}",
        }
        if speech.participant != participant:
            return self.prompts.render("opponent_bet", **told)
        reasoning = as_shown(speech.thoughts)
        return self.prompts.render("own_bet", **told, reasoning=reasoning)

    def _bet(self) -> str:
        """How a bet is asked for."""
        asked, note = self.parameters.bet_as, self.parameters.opponent_note
        public = self.parameters.bet_visibility == "public"
        percent = self.parameters.win_probability
        # The four-round script names neither a private bet nor a probability.
        keys = [f"bet_{self.parameters.bet_visibility}"] * (public or asked != "stake")
        keys += ["ask_probability"] * (asked in ("probability", "both"))
        keys += ["ask_stake"] * (asked == "stake") + ["bet_each"] * (asked == "apart")
        keys += ["self_reminder"] * (note == "self")
        reminder = "" if percent is None else self._chance("win_probability_reminder")
        after = ["stakes"] * self.parameters.stakes
        after.append(f"reasoning_{self.parameters.bet_reasoning}")
        after.append("bet_format_apart" if asked == "apart" else "bet_format")
        return paragraphs(
            [
                *(self.prompts.render(key) for key in keys),
                reminder,
                *(self.prompts.render(key) for key in after),
            ]
        )

    def _task(self, participant: str, round: int) -> str:
        told = {"side": self._side(participant), "speech": self._speech(round)}
        if self.parameters.rounds > 3:  # several rebuttals have to be told apart
            return self.prompts.render("your_task_numbered", **told, round=round)
        return self.prompts.render("your_task", **told)

    def _chance(self, key: str) -> str:
        return self.prompts.render(key, percent=self.parameters.win_probability)

    def _side(self, participant: str) -> str:
        return self.sides[participant]

    def _of(self, speech: Heard) -> str:
        return self.sides[speech.participant]

    def _speech(self, round: int) -> str:
        return speech_name(round, self.parameters.rounds)


# The study sends a model and messages only.
STUDY_DEFAULT = GenerateConfig()


@dataclass(frozen=True)
class BetAsker(BaseAsker):
    """One motion under debate: makes the calls of the protocol.

    `sides` maps the two speakers to the sides that they speak for. A completion of
    fewer characters than `shortest` holds no speech.
    """

    config: BetConfig
    parameters: BetParameters
    sides: Mapping[str, str]
    shortest: int

    async def speech(self, seat: Seat, round: int, turns: Sequence[Turn]) -> Turn:
        """A side's speech in a round, with its bet unless that is asked for apart.

        Args:
            seat: Who speaks.
            round: The round, from 1.
            turns: What was said before; of it the side reads what it may.
        """
        with_bet = self.parameters.bet_call == "speech"
        texts = self._wording.speech(seat.id, round, self._heard(seat, turns))
        cue = self.cue(
            seat,
            "speech",
            "bet_speech" if with_bet else "plain_speech",
            round=round,
            asks=self._asks if with_bet else (),
        )
        return await ask(self._request(seat, texts, cue, self._forms.speech(with_bet)))

    async def bet(self, seat: Seat, round: int, turns: Sequence[Turn]) -> Turn:
        """A side's bet in a round, after the speech that it gave there."""
        texts = self._wording.bet(seat.id, round, self._heard(seat, turns))
        cue = self.cue(seat, "bet", "bet", round=round, asks=self._asks)
        return await ask(self._request(seat, texts, cue, self._forms.bet()))

    async def verdict(
        self, juror: Seat, order: Order, number: int, turns: Sequence[Turn]
    ) -> Turn:
        """A juror's verdict on the speeches.

        Args:
            juror: Who judges.
            order: Which side it is shown first in every round: proposition for `ab`.
            number: Which of its passes, from 1; 0 where there is one.
            turns: All turns so far.
        """
        heard = visible_to_judge(turns, show_openings=False)
        texts = self._wording.verdict(heard, order)
        shown = SIDES if order == "ab" else SIDES[::-1]
        draw = f"{order} {number}" if number else order
        cue = self.cue(juror, "verdict", "jury", draw=draw, shown=shown)
        speakers = {side: who for who, side in self.sides.items()}
        return await ask(
            self._request(
                juror,
                texts,
                cue,
                self._forms.verdict(),
                order=order,
                shown_first=speakers[shown[0]],
                draw=number,
            )
        )

    # --- how it is asked -------------------------------------------------------------

    @cached_property
    def _wording(self) -> BetWording:
        motion, *burdens = (self.question.sources.get(name, "") for name in SOURCES)
        return BetWording(
            self.prompts,
            self.parameters,
            self.config,
            motion,
            dict(zip(SIDES, burdens, strict=True)),
            self.sides,
        )

    @cached_property
    def _forms(self) -> BetForms:
        return BetForms(self.prompts, self._asks, self.shortest)

    @property
    def _asks(self) -> tuple[str, ...]:
        return asked_for(self.parameters.bet_as)

    def _heard(self, seat: Seat, turns: Sequence[Turn]) -> list[Heard]:
        return visible_to_side(
            seat.id,
            turns,
            own_bets=self.parameters.own_bets_shown,
            opponent_bets=self.parameters.bet_visibility == "public",
        )

    def _request(
        self,
        seat: Seat,
        texts: Texts,
        cue: Cue,
        form: Form,
        *,
        order: Order | None = None,
        shown_first: str | None = None,
        draw: int = 0,
    ) -> Request:
        return Request(
            model=seat.model,
            role=seat.role,
            config=self.settings(seat, cue.kind),
            messages=texts.messages(),
            cue=cue,
            form=form,
            max_reasks=self.config.max_reasks,
            max_characters=self.config.max_characters,
            order=order,
            shown_first=shown_first,
            draw=draw,
        )


# Who speaks for which side of a motion, and who sits in the jury.

_ROLES: tuple[Role, Role] = ("debater_a", "debater_b")


def speakers(state: TaskState, parameters: BetParameters) -> tuple[Seat, Seat]:
    """The two debaters with their sides.

    A sample that names its models (`debater_a`, `debater_b` in its metadata) takes them
    from the pool that `debater_a` is bound to. Otherwise the roles decide. `debater_a`
    speaks for the proposition; they change sides where the sample says so (`swapped`),
    and in every second epoch.

    Args:
        state: The sample.
        parameters: Of the debate.

    Raises:
        InputError: If the roles do not fit the sample or the parameters.
    """
    first, second = _models(state, parameters)
    swapped = mirrored(state.epoch) != bool(state.metadata.get("swapped"))
    sides = SIDES[::-1] if swapped else SIDES
    a = Seat("debater_a", "debater_a", first)
    b = Seat("debater_b", "debater_b", second)
    return (
        replace(a, defends=sides[0], called=sides[0].capitalize()),
        replace(b, defends=sides[1], called=sides[1].capitalize()),
    )


def jury(parameters: BetParameters) -> list[Seat]:
    """The jurors; the main model where none is bound, nobody without passes.

    Raises:
        InputError: If there is neither a juror nor a main model.
    """
    if not parameters.jury_passes:
        return []
    bench = judges()
    if any(is_missing(seat.model) for seat in bench):
        raise InputError(
            "The debate has a jury and no model for it: bind --model-role judge=... "
            "(a list makes a panel), or give -T jury_passes=0."
        )
    return bench


def warn_of_shared_models(
    debate: Recorder, bench: Sequence[Seat], parameters: BetParameters
) -> None:
    """Say when one model sits in several seats; it stands in the record, too."""
    models = {participant.model for participant in debate.participants}
    if len(models) == 1 and parameters.opponent == "other":
        debate.warn(
            f"{models.copy().pop()} is on both sides and is not told so. Bind "
            "debater_b, or give a list as debater_a, for debates of different models; "
            "protocol=self is for debates with oneself."
        )
    for juror in bench:
        if str(juror.model) in models:
            debate.warn(f"The juror {juror.model} is also a debater.")


def check_seats(parameters: BetParameters, *, debated: bool, graded: bool) -> None:
    """Check that every seat has a model, and every bound role a part, before any call.

    Args:
        parameters: Of the debates.
        debated: Whether debates are held, and not those of an earlier run used again.
        graded: Whether bets are graded.

    Raises:
        InputError: If they do not fit.
    """
    if debated:
        itself = parameters.opponent == "self"
        _check_roles(itself)
        if debater_pool() is None:
            for role in _ROLES[: 1 if itself else 2]:
                _with_model(role)
    jury(parameters)
    if not parameters.jury_passes and is_bound("judge"):
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


def _models(state: TaskState, parameters: BetParameters) -> tuple[Model, Model]:
    itself, pool = parameters.opponent == "self", debater_pool()
    _check_roles(itself)
    named = [state.metadata.get(role) for role in _ROLES]
    if None not in named:
        models = pool or [_with_model("debater_a"), _with_model("debater_b")]
        first, second = (model_named(str(name), models) for name in named)
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
