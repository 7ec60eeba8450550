"""Challenge: who loses a debate may challenge the verdict before another judge."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import model_validator

from inspect_debate.debate.calls import Reading
from inspect_debate.debate.engine import TurnKind, parameter, protocol
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import (
    Outcome,
    Rule,
    decides,
    majority,
    outcome,
)
from inspect_debate.debate.parsing import choice_line, split_argument
from inspect_debate.debate.participants import (
    ModelParticipant,
    debaters,
    judges,
    orders,
    pair,
)
from inspect_debate.debate.probabilities import Believe, as_judged, without_probability
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import DebateRecord, Order, Parsed, Status, Turn
from inspect_debate.debate.recording import Debate
from inspect_debate.debate.rendering import as_shown
from inspect_debate.debate.reuse import check_models
from inspect_debate.debate.visibility import (
    VisibleTurn,
    visible_to_challenger,
    visible_to_second_judge,
)
from inspect_debate.solvers.colmad import opposed, rounds_heard
from inspect_debate.solvers.cross_examination import Opposed
from inspect_debate.solvers.question_answering import (
    ANSWER,
    BELIEF,
    COMPETITIVE,
    STUDY,
    VERDICT,
    DebateConfig,
    beliefs,
    checked,
    decision_of,
    judged,
    material,
    passage_hidden,
    quotable,
    read_verdict_of,
    shown,
    speech,
)


class Challenge(Opposed):
    """A debate whose verdict can be challenged."""

    rounds: int = parameter(
        2, "Rounds of speeches.", shapes="debate", ge=1, strict=True
    )
    second_judge: Literal["auto", "another", "same"] = parameter(
        "auto",
        "Who decides after a challenge: `another`, the second model of the list bound "
        "to `judge`; `same`, the first judge's model in a call of its own; `auto`, "
        "another where two are bound.",
    )

    @model_validator(mode="after")
    def _one_verdict(self) -> "Challenge":
        if self.order == "both":
            raise ValueError(
                "order=both has no meaning for protocol=challenge, where one verdict "
                "has one loser; give order=ab or order=ba."
            )
        return self


CHALLENGE = TurnKind(
    "challenge",
    prompt="challenge",
    system="competitor_system",
    form="challenge",
    required="decision",
    reminder="challenge_reminder",
    asked_for_as="speech",
)
SECOND_VERDICT = replace(
    VERDICT,
    kind="second_verdict",
    prompt="second_verdict",
    asked_for_as="verdict",
)


@protocol(
    STUDY,
    Challenge,
    turns=(ANSWER, COMPETITIVE, VERDICT, CHALLENGE, SECOND_VERDICT, BELIEF),
    shares={"answers": "first_answers", "debate": "copmad"},
    until="debate",
    texts=Path(__file__).with_suffix(".yaml"),
)
async def challenge(debate: Debate[Challenge, Question]) -> None:
    """A competitive debate whose loser may challenge the verdict once.

    1. Two debaters defend two opposite answers in rounds of speeches, at once, as in
       CopMAD (the competitive debate of ColMAD's paper), whose debates can be reused.
    2. A judge decides, with reasons.
    3. The loser reads the verdict and its reasons, and challenges it with one argument
       or accepts it.
    4. After a challenge a second judge reads the debate, the first verdict with its
       reasons and the challenge, and decides again: it upholds or overturns.
    5. The last verdict is the outcome.

    Steps 3 to 5 are ours, and so are their prompts.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge` (one model, or a list of
        two).
    """
    p = debate.parameters
    first, second = judges_of_both(debate)
    debate.aggregation = "appeal"
    async with beliefs(debate, [first], p.order) as believe:
        await believe()
        if debate.replays("debate"):
            sides = replayed(debate)
            for round in rounds_heard(debate):
                await believe(round, sides)
        else:
            sides = await opposed(debate, (first, second), COMPETITIVE, CHALLENGE)
            await speak(debate, sides, believe)  # 1
        await judged(debate, [first], sides, p.order)  # 2
    debate.takes_part(second, SECOND_VERDICT)
    if (loser := loser_of(sides, debate.turns)) is None:
        return
    [challenged] = await debate.together(ask_loser(debate, loser, sides))  # 3
    if challenged.field("decision").value == "challenge":
        await debate.together(judge_again(debate, second, sides))  # 4, 5


async def speak(
    debate: Debate[Challenge, Question],
    sides: Sequence[ModelParticipant],
    believe: Believe,
) -> None:
    """Rounds of speeches, in each of which both speak at once; none without sides."""
    if not sides:
        return
    a, b = sides
    for round in range(1, debate.parameters.rounds + 1):
        await debate.together(
            speech(debate, COMPETITIVE, a, b, round),
            speech(debate, COMPETITIVE, b, a, round),
        )
        await believe(round, sides)


def judges_of_both(
    debate: Debate[Challenge, Question],
) -> tuple[ModelParticipant, ModelParticipant]:
    """The judge, and the one who decides after a challenge.

    Raises:
        InputError: If `judge` is bound to more models than decide, or to fewer than
            `second_judge` needs.
    """
    bound, wanted = judges("debater_a"), debate.parameters.second_judge
    allowed = {"auto": (1, 2), "another": (2,), "same": (1,)}[wanted]
    if len(bound) not in allowed:
        raise InputError(
            f"second_judge={wanted} needs judge bound to "
            f"{' or '.join(map(str, allowed))} model(s), and it has {len(bound)}: "
            f"{', '.join(str(judge.model) for judge in bound)}. Give --model-role "
            "judge=M1,M2 for a second judge of its own."
        )
    if len(bound) == 1:
        debate.warn(
            f"{bound[0].model} also decides on challenges of its own verdicts, in a "
            "call of its own. Bind a second judge with --model-role judge=M1,M2."
        )
    return bound[0], bound[-1]


def replayed(debate: Debate[Challenge, Question]) -> list[ModelParticipant]:
    """The debaters of an earlier run's debate, who can be asked again.

    Raises:
        InputError: If one of them was another model there.
    """
    before = {recorded.id: recorded for recorded in debate.replay()}
    now = [debater for debater in debaters() if debater.id in before]
    if debate.earlier is not None:
        check_models(debate.earlier, {d.id: str(d.model) for d in now})
    for debater in now:
        debate.takes_part(debater, CHALLENGE)
    return [
        replace(d, defends=before[d.id].defends, called=before[d.id].name) for d in now
    ]


def loser_of(
    sides: Sequence[ModelParticipant], turns: Sequence[Turn]
) -> ModelParticipant | None:
    """Against whom the verdict is; None where none could be read."""
    verdict = next((turn for turn in turns if turn.kind == "verdict"), None)
    decided = None if verdict is None else verdict.field("answer").value
    if decided is None:
        return None
    return next((side for side in sides if side.defends != decided), None)


def ask_loser(
    debate: Debate[Challenge, Question],
    loser: ModelParticipant,
    sides: Sequence[ModelParticipant],
) -> Awaitable[Turn]:
    """Whether the loser challenges the verdict, and with which argument."""
    question, p = debate.question, debate.parameters
    (opponent,) = (side for side in sides if side.id != loser.id)
    listed = question.in_order(pair(*sides))
    visible = visible_to_challenger(
        loser.id, debate.turns, show_openings=p.show_openings
    )
    earlier = [quote.text for turn in debate.turns for quote in turn.quotes]
    return debate.ask(
        loser,
        CHALLENGE,
        round=p.rounds,
        read=partial(read_challenge, question, debate.config, earlier),
        description={"choices": listed},
        **material(debate)
        | after_verdict(visible, debate.config)
        | shown(debate, _said(visible), sides, "ab", listed, argued=False),
        name=loser.name,
        opponent=opponent.name,
        answer=loser.defends,
        number=question.called(str(loser.defends)),
        other_answer=opponent.defends,
        other_number=question.called(str(opponent.defends)),
        word_limit=debate.config.word_limit,
    )


def judge_again(
    debate: Debate[Challenge, Question],
    judge: ModelParticipant,
    sides: Sequence[ModelParticipant],
) -> Awaitable[Turn]:
    """The verdict of a judge who also knows the first verdict and the challenge."""
    question, p = debate.question, debate.parameters
    (order,) = orders(p.order, question.epoch)
    visible = visible_to_second_judge(debate.turns, show_openings=p.show_openings)
    pair_of = question.in_order(pair(*sides))
    listed = pair_of if order == "ab" else pair_of[::-1]
    (verdict, *_) = (turn for turn in debate.turns if turn.kind == "verdict")
    given = material(debate)
    if quotable(question, debate.config):
        given["quote_rules"] = debate.prompts.render("judge_quote_rules", **given)
    defends = {side.id: side for side in sides}
    (appellant,) = (v.participant for v in visible if v.kind == "challenge")
    judging = debate.config.verdict.model_copy(update={"first": False})
    turn = as_judged(SECOND_VERDICT, judging)
    return debate.ask(
        judge,
        turn,
        order=order,
        listed_first=listed[0],
        shown_first=verdict.shown_first,
        read=partial(read_verdict_of, question, pair_of, turn=turn),
        decided=partial(decision_of, question, pair_of),
        description={
            "draw": order,
            "shown": tuple(pair(*_as_seen(sides, verdict.shown_first))),
            "choices": pair_of,
            "hidden": passage_hidden(debate),
        },
        **given
        | after_verdict(visible, debate.config)
        | shown(debate, _said(visible), sides, order, listed, argued=True),
        challenger=defends[appellant].name,
        other_number=question.called(str(verdict.field("answer").value)),
    )


def after_verdict(
    visible: Sequence[VisibleTurn], config: DebateConfig
) -> dict[str, Any]:
    """The first verdict and the challenge, for the templates.

    The verdict is shown without the probability that a judge may have been asked for:
    asking for it is not to change what follows. A challenge is escaped as it is read,
    as speeches are; a verdict is here, as nobody else reads one.
    """
    found = {turn.kind: turn.text for turn in visible}
    verdict = found["verdict"]
    if config.verdict.stated:
        verdict = without_probability(verdict)
    texts = {"first_verdict": as_shown(verdict)}
    return texts | ({"challenged": found["challenge"]} if "challenge" in found else {})


def _said(visible: Sequence[VisibleTurn]) -> list[VisibleTurn]:
    return [turn for turn in visible if turn.kind not in ("verdict", "challenge")]


def _as_seen(
    sides: Sequence[ModelParticipant], first: str | None
) -> list[ModelParticipant]:
    return sorted(sides, key=lambda side: side.id != first)


def read_challenge(
    question: Question, config: DebateConfig, earlier: Sequence[str], text: str
) -> Reading:
    """A decision on its own line, `challenge` or `accept`, after an argument.

    A challenge without an argument is none that could be read.

    Args:
        question: What is debated.
        config: The rarer settings.
        earlier: Quotes used in the debate so far.
        text: The reply.
    """
    thinking, argument, status = split_argument(text)
    decision = Parsed.unparsed()
    if status == Status.OK:
        decision = choice_line(argument, "Decision", _DECISIONS)
    lines = [line for line in argument.splitlines() if line.strip()]
    if decision.value == "challenge" and len(lines) < 2:
        decision = Parsed.unparsed()
    found = checked(question, config, argument, earlier)
    return Reading(found.text, {"decision": decision}, thinking, found.quotes)


_DECISIONS = {"challenge": ("challenge",), "accept": ("accept",)}


@decides("colmad", "challenge")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """The last verdict."""
    return {"challenge": last_verdict}


def last_verdict(
    record: DebateRecord, judge: str | None, order: Order | None
) -> Outcome:
    """The second verdict where there is one, else the first.

    If it cannot be read whether the loser challenged, nobody knows whether it stands.
    """
    decisions = [turn.field("decision") for turn in record.of_kind("challenge")]
    given = [
        turn.field("answer")
        for kind in ("second_verdict", "verdict")
        for turn in record.of_kind(kind)
        if judge in (None, turn.participant) and order in (None, turn.order)
    ]
    if judge is None and any(each.status != Status.OK for each in decisions):
        return majority(decisions)
    if given:
        return majority(given[:1])
    # Without a verdict answers in words agreed, or could not be read.
    return outcome(record.model_copy(update={"aggregation": "agreement"}), judge, order)
