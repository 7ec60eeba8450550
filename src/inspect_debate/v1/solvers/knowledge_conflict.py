"""What protocols on questions about a possibly wrong passage share.

A model answers from memory (the prior answer, the Critic's) and from the passage (the
contextual answer, the Defender's), and it is measured how sure it is. A condition is
one way to decide between the two. One run holds several: the two answers themselves,
the choices by confidence, and those that a debate adds.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from inspect_ai.model import GenerateConfig
from pydantic import Field

from inspect_debate.v1.debate.answers import short_answer
from inspect_debate.v1.debate.calls import Reading
from inspect_debate.v1.debate.engine import AskerConfig, Parameters, TurnKind, parameter
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.matching import same_answer
from inspect_debate.v1.debate.outcome import (
    Outcome,
    Rule,
    elsewhere,
    majority,
    own_condition,
    rules_of,
)
from inspect_debate.v1.debate.participants import ModelParticipant, answerer, model_for
from inspect_debate.v1.debate.probabilities import as_drawn
from inspect_debate.v1.debate.question import PassageQuestion, passage_question
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Kind,
    Order,
    Parsed,
    Status,
    Turn,
    answer_given,
    without_answer,
)
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown, table, table_cell
from inspect_debate.v1.debate.settings import Judging, Sampling
from inspect_debate.v1.debate.study import Study
from inspect_debate.v1.debate.visibility import VisibleTurn
from inspect_debate.v1.solvers.self_confidence import (
    ConfidenceFrom,
    answer_of,
    estimate,
    on_one_scale,
)

# --- Settings -------------------------------------------------------------------------


class ConflictConfig(AskerConfig):
    """What is rarely changed in SR-DCR and its baselines.

    Attributes:
        word_limit: The limit that debaters read; longer speeches are not cut.
        answer: Generation settings of answers and their updates.
        sample: Generation settings of further answers, for self-consistency.
        recall: Generation settings of answers for knowledge recall.
        critique: Generation settings of critiques.
        speech: Generation settings of speeches.
        verdict: Generation settings of verdicts, and how a judge's probability is asked
            for.
    """

    word_limit: int = Field(
        default=150, ge=1, strict=True, json_schema_extra={"shapes": "debate"}
    )
    answer: Sampling = parameter(Sampling(), "Of answers.", shapes="answers")
    sample: Sampling = parameter(Sampling(), "Of further answers.", shapes="answers")
    recall: Sampling = parameter(Sampling(), "Of recalls.", shapes="answers")
    critique: Sampling = Sampling()
    speech: Sampling = parameter(Sampling(), "Of speeches.", shapes="debate")
    verdict: Judging = Judging()


# Token limits of the appendix; the paper names none for its own method.
_LIMITS = {"self_ask": 400, "rci": 300, "judge_debate": 300, "naive_debate": 250}
_DRAWN: tuple[Kind, ...] = ("sample", "recall")


def study_default(protocol: str, kind: Kind, parameters: Parameters) -> GenerateConfig:
    """The study's generation settings for a kind of turn.

    Temperature 0 throughout (appendix A.2), but 0.5 for further answers (section 3.1).
    What serves several protocols, the two answers, has one limit in all of them.
    """
    two = parameters if isinstance(parameters, Answered) else None
    shared = two is not None and kind in ("answer", *_DRAWN)
    logprobs = kind == "answer" and two is not None and two.asks_for_tokens
    return GenerateConfig(
        temperature=0.5 if kind in _DRAWN else 0.0,
        max_tokens=1024 if shared else _LIMITS.get(protocol, 1024),
        logprobs=True if logprobs else None,
    )


def fixed_settings(config: ConflictConfig, kind: Kind) -> dict[str, Any]:
    """Draws keep a temperature of their own.

    One that is set for answers, on the role or for the run, would make all draws the
    same where it is 0; only `config.sample` and `config.recall` change theirs.
    """
    if kind not in _DRAWN:
        return config.verdict.fixed(kind)
    own = getattr(config, kind).temperature
    return {"temperature": 0.5 if own is None else None if own == "provider" else own}


STUDY = Study(
    name="srdcr",
    prompts=("srdcr",),
    config=ConflictConfig,
    question=lambda state, config: passage_question(state),
    default=study_default,
    fixed=fixed_settings,
    card=lambda record: decision_card(record),
    aggregation="arbitration",
)


class Answered(Parameters):
    """Parameters of what precedes a debate: two answers, and the model's confidence."""

    tau: float = parameter(
        0.9, "The confidence from which the prior answer is trusted.", ge=0, le=1
    )
    confidence_from: ConfidenceFrom = parameter(
        "auto",
        "`logprobs`, `self_consistency`, `both`, or `auto`: log-probabilities where "
        "there are some, otherwise further answers.",
    )
    consistency_samples: int = parameter(
        16, "Further answers for self-consistency.", ge=1, strict=True
    )
    recall_samples: int = parameter(
        0,
        "Further prior answers, for knowledge recall; 32 in the paper.",
        ge=0,
        strict=True,
    )

    @property
    def asks_for_tokens(self) -> bool:
        """Whether the answers' log-probabilities are asked for."""
        return self.confidence_from != "self_consistency"


AnyDebate = Debate[Any, PassageQuestion]

# --- What participants are shown ------------------------------------------------------


def item(question: PassageQuestion, *, passage: bool) -> dict[str, Any]:
    """The question for a template, with its passage where that may be read."""
    return {
        "question": as_shown(question.asked),
        "passage": as_shown(question.passage) if passage else None,
    }


def visible_parts(
    visible: Sequence[VisibleTurn], names: Mapping[str, str]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The visible turns for a template: answers by participant, and speeches.

    Args:
        visible: What may be read, in order.
        names: The speakers' names by participant.
    """
    answers = {h.participant: h.text for h in visible if h.kind == "answer"}
    speeches = [
        {"speaker": names[h.participant], "round": h.round, "text": h.text}
        for h in visible
        if h.kind == "speech"
    ]
    return answers, speeches


# --- The two answers, and how sure the model is of them (sections 2.2 and 2.3) --------

DEFENDER, CRITIC = "debater_a", "debater_b"
"""Who answers from the passage, and who from memory."""

READS_PASSAGE = {DEFENDER: True, CRITIC: False}
"""Which of the two first answers is given from the passage."""

_APART: dict[Kind, int] = {"sample": 0, "recall": 1_000_000}
"""What keeps the seeds of draws of two kinds apart."""


def read_answer(text: str) -> Reading:
    """Read the answer line; the answer alone is public, without reasons."""
    answer = short_answer(text)
    public = text if answer.value is None else str(answer.value)
    return Reading(as_shown(public).strip(), {"answer": answer})


ANSWER = TurnKind(
    "answer",
    prompt="first_answer",
    form="short_answer",
    read=read_answer,
    required="answer",
    reminder="answer_reminder",
    stage="answers",
    tokens=True,
)
SAMPLE = replace(ANSWER, kind="sample", tokens=False)
RECALL = replace(ANSWER, kind="recall", tokens=False)


def defender_and_critic(*names: str) -> tuple[ModelParticipant, ModelParticipant]:
    """Who answers from the passage and who from memory.

    One that is not bound is played by the model of the other.

    Args:
        names: What they are called; by default Defender and Critic.
    """
    first, second = names or ("Defender", "Critic")
    critic = ModelParticipant(CRITIC, "debater_b", model_for("debater_b", "debater_a"))
    return replace(answerer(), called=first), replace(critic, called=second)


def short(
    debate: AnyDebate, participant: ModelParticipant, turn: TurnKind, draw: int = 0
) -> Awaitable[Turn]:
    """Ask for an answer in words, after solved examples, with the passage or without.

    Args:
        debate: The debate.
        participant: Who answers; the Defender reads the passage, but not for recalls.
        turn: What the answer is for.
        draw: Which of several, from 1.
    """
    passage = READS_PASSAGE[participant.id] and turn.kind != "recall"
    exemplars = [
        {"question": as_shown(shown.question), "answer": as_shown(shown.answer)}
        for shown in debate.question.exemplars
    ]
    return debate.ask(
        participant,
        turn,
        draw=draw,
        apart=_APART[turn.kind] + draw if turn.kind in _APART else 0,
        description={"passage": passage},
        exemplars=exemplars,
        **item(debate.question, passage=passage),
    )


async def two_answers(
    debate: AnyDebate, participants: Sequence[ModelParticipant], *turns: TurnKind
) -> list[ModelParticipant]:
    """The contextual and the prior answer, with further answers where those are wanted.

    All are asked for at once, but for those that an earlier run has, and those that
    take the place of log-probabilities: see `in_place_of_tokens`.

    Args:
        debate: The debate.
        participants: Who answers from the passage, and who from memory.
        turns: What else than answers they are asked for.

    Returns:
        The participants, with the answers that they defend.

    Raises:
        InputError: If a participant was another model in the earlier run, or there are
            no log-probabilities, and nothing else is to be asked for.
    """
    p: Answered = debate.parameters
    sampled = sure_of(debate, participants) if p.confidence_from != "logprobs" else ()
    for participant in participants:
        further = [SAMPLE] * (participant in sampled)
        further += [RECALL] * (p.recall_samples > 0 and participant.id == CRITIC)
        debate.takes_part(participant, ANSWER, *further, *turns)
    limits = {"sample": p.consistency_samples, "recall": p.recall_samples}
    debate.turns += [
        turn
        for turn in debate.reuse("answers", participants)
        if turn.draw <= limits.get(turn.kind, 0)
        and (turn.kind != "sample" or turn.participant in {s.id for s in sampled})
    ]

    async def ask() -> list[Turn]:
        wanted = [
            short(debate, s, ANSWER)
            for s in participants
            if not _has(debate, s, ANSWER)
        ]
        if p.confidence_from in ("self_consistency", "both"):
            wanted += samples(debate, sampled)
        wanted += [
            short(debate, participants[1], RECALL, draw)
            for draw in range(1, p.recall_samples + 1)
            if not _has(debate, participants[1], RECALL, draw)
        ]
        await debate.together(*wanted)
        return debate.turns

    if p.confidence_from == "logprobs":
        gate = debate.shared.setdefault("gate", Gate())
        await gate.pass_through(
            " ".join(str(participant.model) for participant in participants), ask
        )
    else:
        await ask()
    return [
        replace(participant, defends=answer_given(debate.turns, participant.id))
        for participant in participants
    ]


def in_place_of_tokens(
    debate: AnyDebate, participants: Sequence[ModelParticipant]
) -> list[Awaitable[Turn]]:
    """Further answers for those that came without log-probabilities.

    Args:
        debate: The debate, with the first answers.
        participants: Who gave them.
    """
    if debate.parameters.confidence_from != "auto":
        return []
    first = {turn.participant: turn for turn in debate.turns if turn.kind == "answer"}
    sure = sure_of(debate, participants)
    answers = [first[participant.id] for participant in sure]
    read = all(turn.field("answer").status == Status.OK for turn in answers)
    # Confidences are compared on one scale: where one lacks, both are asked again.
    if not read or all(_has_tokens(turn) for turn in answers):
        return []
    return samples(debate, sure)


def samples(
    debate: AnyDebate, participants: Sequence[ModelParticipant]
) -> list[Awaitable[Turn]]:
    """Further answers to the first question, without those that are there already."""
    draws = range(1, debate.parameters.consistency_samples + 1)
    return [
        short(debate, participant, SAMPLE, draw)
        for participant in participants
        for draw in draws
        if not _has(debate, participant, SAMPLE, draw)
    ]


def sure_of(
    debate: AnyDebate, participants: Sequence[ModelParticipant]
) -> Sequence[ModelParticipant]:
    """Whose confidence is measured: the Critic's, or both if the two are compared."""
    both = debate.protocol in ("token_prob", "calibrated_token_prob")
    return participants if both else participants[1:]


def take_sides(
    debate: AnyDebate,
    sides: Sequence[ModelParticipant],
    panel: Sequence[ModelParticipant],
    verdict: TurnKind,
    *,
    skip: bool,
) -> None:
    """Record the sides and the judges, or why the debate is skipped.

    Args:
        debate: The debate, with the two answers.
        sides: The participants with the answers that they defend.
        panel: The judges.
        verdict: What judges are asked for.
        skip: Whether answers that say the same are not debated.
    """
    debate.skip_reason = _skip_reason_of(debate, sides, skip)
    debate.know_as(*sides)
    for judge in panel:
        draws = debate.config.verdict.draws
        debate.takes_part(judge, *(as_drawn(verdict, draw) for draw in draws))


def _skip_reason_of(
    debate: AnyDebate, sides: Sequence[ModelParticipant], skip: bool
) -> str | None:
    answers = {t.participant: t for t in debate.turns if t.kind == "answer"}
    for side in sides:
        status = answers[side.id].field("answer").status
        if status != Status.OK:
            return f"the {side.name}'s answer is {status}"
    first, second = (str(side.defends) for side in sides)
    return "both answers agree" if skip and same_answer(first, second) else None


def _has(
    debate: AnyDebate, participant: ModelParticipant, turn: TurnKind, draw: int = 0
) -> bool:
    return any(
        (t.participant, t.kind, t.draw) == (participant.id, turn.kind, draw)
        for t in debate.turns
    )


def _has_tokens(turn: Turn) -> bool:
    return turn.tokens is not None and turn.tokens.status == "ok"


class Gate:
    """Lets one sample go first, to see whether the models send log-probabilities."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self._verdicts: dict[str, InputError | None] = {}

    async def pass_through(
        self, models: str, answers: Callable[[], Awaitable[list[Turn]]]
    ) -> list[Turn]:
        """Ask for a sample's answers, when those of a first one have come.

        Args:
            models: Who is asked: a task may run with several.
            answers: Asks for a sample's answers.

        Raises:
            InputError: If there were no log-probabilities; for every sample, and before
                the calls of all but the first whose answers could be read.
        """
        if models not in self._verdicts:
            async with self._lock:
                if models not in self._verdicts:
                    asked = await answers()
                    if any_answer_read(asked):
                        self._verdicts[models] = _refusal(asked)
                        self._check(models)
                    return asked
        self._check(models)
        return await answers()

    def _check(self, models: str) -> None:
        if (refusal := self._verdicts[models]) is not None:
            raise refusal


def any_answer_read(turns: Sequence[Turn]) -> bool:
    """Whether an answer could be read, which shows if log-probabilities are sent."""
    return any(
        turn.kind == "answer" and turn.field("answer").status == Status.OK
        for turn in turns
    )


def _refusal(turns: Sequence[Turn]) -> InputError | None:
    """The error of a run that needs log-probabilities and got none, if so."""
    read = [t for t in turns if t.kind == "answer" and t.field("answer").value]
    found = {None if t.tokens is None else t.tokens.status for t in read}
    if not found <= {None, "absent", "refused"}:
        return None
    instead = (
        "give confidence_from=self_consistency, or auto, which takes what there is"
    )
    if None in found:
        return InputError(
            "confidence_from=logprobs: the answers that are used again were asked for "
            f"without log-probabilities; {instead}."
        )
    return InputError(
        f"confidence_from=logprobs: {read[0].model} sends no log-probabilities; "
        f"{instead}."
    )


# --- What a record decides ------------------------------------------------------------

TWO_ANSWERS = ("prior", "few_shot", "golden", "token_prob", "confidence_only")
"""The conditions of every run that asks for both answers.

`prior` and `few_shot` are the two answers; `golden` takes the better source by the
condition, which the record does not know; `token_prob` the more probable answer, and
`confidence_only` the prior one where the model is confident of it (ClashEval; SR-DCR).
"""


def conditions_of(record: DebateRecord) -> tuple[str, ...]:
    """The conditions of a run, the same for all of its records."""
    return tuple(rules_of(record))


def decision(
    record: DebateRecord,
    condition: str | None = None,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """What a condition answers.

    Args:
        record: A complete record.
        condition: One of `conditions_of(record)`; by default the protocol's own.
        judge: Count this judge's verdicts only; all judges' by default.
        order: Count verdicts given in this order only; all orders' by default.

    Returns:
        The answer in words, or why there is none: `abstained`, how a field that it
        needs was read, `tied` where judges are, or `elsewhere` where it takes the
        condition (`golden`) or all items (`calibrated_token_prob`) to decide.
    """
    name = own_condition(record) if condition is None else condition
    return rules_of(record).get(name, elsewhere)(record, judge, order)


def answer_rules(record: DebateRecord) -> dict[str, Rule]:
    """The conditions of every run that asks for both answers."""
    return {
        "prior": partial(given_by, CRITIC),
        "few_shot": partial(given_by, DEFENDER),
        "golden": elsewhere,
        "token_prob": more_probable,
        "confidence_only": by_confidence,
    }


def judged_rounds(record: DebateRecord) -> list[int]:
    """The rounds after which a verdict is given, in order: all rounds, or some."""
    if (after := record.parameters.get("judge_after")) is not None:
        return [int(round) for round in after]
    return list(range(max(1, int(record.parameters.get("rounds", 0)))))


def verdict_after(
    record: DebateRecord,
    round: int,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """The verdict after a round: the only judge's, or that of most judges and orders.

    Returns:
        `reasonable` or `unreasonable`, or in a judged debate `contextual` or `prior`.
    """
    field = "answer" if record.protocol == "judge_debate" else "verdict"
    return majority(
        turn.field(field)
        for turn in record.of_kind("verdict")
        if turn.round == round
        and judge in (None, turn.participant)
        and order in (None, turn.order)
    )


def confident(record: DebateRecord) -> bool | None:
    """Whether the prior answer's confidence reaches tau; None if it has none."""
    value = estimate(record, CRITIC).value
    return None if value is None else value >= record.parameters["tau"]


def given_by(participant: str, record: DebateRecord, *_: object) -> Outcome:
    """A participant's first answer."""
    return as_outcome(answer_of(record, participant))


def as_outcome(answer: Parsed) -> Outcome:
    """An answer as an outcome."""
    if answer.value is None:
        return Outcome(None, answer.status.value)
    return Outcome(str(answer.value), "ok")


def more_probable(record: DebateRecord, *_: object) -> Outcome:
    """The answer of higher confidence; the contextual one where both have the same."""
    source, confidences = on_one_scale(record, CRITIC, DEFENDER)
    if source is None:
        return Outcome(None, "missing")
    prior, contextual = confidences
    return given_by(CRITIC if prior > contextual else DEFENDER, record)


def by_confidence(record: DebateRecord, *_: object) -> Outcome:
    """The prior answer where the model is confident of it, else the contextual one."""
    sure = confident(record)
    if sure is None:
        return Outcome(None, "missing")
    return given_by(CRITIC if sure else DEFENDER, record)


def undebated(record: DebateRecord) -> Outcome:
    """The outcome of a skipped debate: the answer that both gave, if they agree."""
    outcomes = [given_by(who, record) for who in (DEFENDER, CRITIC)]
    return next((o for o in outcomes if o.answer is None), outcomes[0])


def last_of(kind: Kind, record: DebateRecord, *_: object) -> Outcome:
    """The last answer of a kind of turn."""
    turns = record.of_kind(kind)
    return as_outcome(turns[-1].field("answer") if turns else Parsed())


# A debate about a passage at a glance.


def decision_card(record: DebateRecord) -> str:
    """Answers, confidences, verdicts and every condition's answer, as Markdown."""
    decided = decision(record)
    ended = decided.answer or without_answer(decided.status)
    lines = [f"**Outcome: {table_cell(ended)}**"]
    if record.skip_reason:
        lines.append(f"No debate: {record.skip_reason}.")
    conditions = conditions_of(record)
    if set(TWO_ANSWERS) <= set(conditions):
        lines += ["", *_answers(record)]
    if record.of_kind("verdict"):
        lines += ["", *_verdicts(record)]
    outcomes = {condition: decision(record, condition) for condition in conditions}
    rows = [
        (condition, _shown(outcome))
        for condition, outcome in outcomes.items()
        if outcome.status != "elsewhere"
    ]
    lines += ["", *table(["condition", "answer"], rows)]
    lines += [f"\n⚠ {warning}" for warning in record.warnings]
    return "\n".join(lines)


def _answers(record: DebateRecord) -> list[str]:
    rows = []
    for name, who in (("from the passage", DEFENDER), ("from memory", CRITIC)):
        answer, sure = answer_of(record, who), estimate(record, who)
        shown = table_cell(str(answer.value or f"({answer.status})"))
        value = "" if sure.value is None else f"{sure.value:.3f}"
        rows.append((name, shown, value, sure.reason))
    return table(["", "answer", "confidence", "source"], rows)


def _verdicts(record: DebateRecord) -> list[str]:
    rounds = judged_rounds(record)
    verdicts = [_shown(verdict_after(record, round)) for round in rounds]
    return table(["after round", *map(str, rounds)], [["verdict", *verdicts]])


def _shown(outcome: Outcome) -> str:
    return table_cell(outcome.answer or f"({outcome.status})")
