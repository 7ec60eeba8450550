"""Self-reflective debate for contextual reliability ("When to Trust Context")."""

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import StrictBool

from inspect_debate.v1.debate.answers import (
    Decision,
    decision_on_line,
    reasonable,
)
from inspect_debate.v1.debate.calls import SPEECH_LENGTH, Reading, read_text
from inspect_debate.v1.debate.engine import TurnKind, parameter, protocol
from inspect_debate.v1.debate.outcome import Outcome, Rule, decides
from inspect_debate.v1.debate.participants import ModelParticipant, judges
from inspect_debate.v1.debate.probabilities import as_drawn, as_judged, with_probability
from inspect_debate.v1.debate.question import PassageQuestion
from inspect_debate.v1.debate.record import DebateRecord, Order, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.debate.visibility import visible_to_debater, visible_to_judge
from inspect_debate.v1.solvers.knowledge_conflict import (
    ANSWER,
    CRITIC,
    DEFENDER,
    RECALL,
    SAMPLE,
    STUDY,
    Answered,
    answer_rules,
    confident,
    defender_and_critic,
    given_by,
    in_place_of_tokens,
    item,
    judged_rounds,
    take_sides,
    two_answers,
    undebated,
    verdict_after,
    visible_parts,
)


class SRDCR(Answered):
    """SR-DCR, with its gate (`srdcr`) or without (`acvd_only`)."""

    rounds: int = parameter(
        6,
        "Rounds of speeches, the paper's rounds 0 to 5. With 0 the judge decides on "
        "the two answers.",
        shapes="debate",
        ge=0,
        strict=True,
    )
    turn_order: Literal["simultaneous", "sequential"] = parameter(
        "sequential",
        "Who speaks after round 0: the Critic first (`sequential`), or both at once.",
        shapes="debate",
    )
    skip_if_agree: bool = parameter(
        False,
        "Do not debate answers that agree.",
        shapes="debate",
        strict=True,
    )
    show_openings: bool = parameter(
        False,
        "Each debater reads the other's answer from the start.",
        shapes="debate",
        strict=True,
    )
    judge_sees_context: bool = parameter(
        False, "The judge reads the passage.", strict=True
    )
    critic_sees_context: StrictBool | Literal["openings"] = parameter(
        False,
        "The Critic reads the passage; `openings`: for its opening speech only, as in "
        "the authors' code.",
        shapes="debate",
    )
    followups_see: Literal["all", "transcript"] = parameter(
        "all",
        "What debaters read after round 0: `all`, or the speeches alone "
        "(`transcript`), as in the authors' code.",
        shapes="debate",
    )

    def transcript_alone(self, round: int) -> bool:
        """Whether debaters are shown nothing but the speeches in a round."""
        return round > 0 and self.followups_see == "transcript"

    def shows_passage(self, participant: str, round: int) -> bool:
        """Whether a debater is shown the passage in a round."""
        if self.transcript_alone(round):
            return False
        sees = participant != CRITIC or self.critic_sees_context
        return sees is True or (sees == "openings" and round == 0)


def read_verdict(text: str, turn: TurnKind | None = None) -> Reading:
    """Reasons, and a line that says whether it is reasonable to rely on the passage."""
    found = Reading(as_shown(text), {"verdict": reasonable(text)})
    return found if turn is None else with_probability(turn, found, text)


def speech_of(side: Literal["defender", "critic"]) -> TurnKind:
    """A speech of a side."""
    return TurnKind(
        "speech",
        prompt="speech",
        system=f"{side}_system",
        form="free_speech",
        read=read_text,
        required=SPEECH_LENGTH,
        reminder="speech_reminder",
        speech=SPEECH_LENGTH,
        stage="debate",
        in_series=True,
    )


SPEECHES = {DEFENDER: speech_of("defender"), CRITIC: speech_of("critic")}
VERDICT = TurnKind(
    "verdict",
    prompt="arbitrate",
    system="arbiter_system",
    form="reasonable",
    read=read_verdict,
    required="verdict",
    reminder="arbiter_reminder",
    in_series=True,
)


@protocol(
    STUDY,
    SRDCR,
    "srdcr",
    "acvd_only",
    turns=(ANSWER, SAMPLE, RECALL, *SPEECHES.values(), VERDICT),
    shares={"answers": "two_answers", "debate": "srdcr"},
)
async def srdcr(debate: Debate[SRDCR, PassageQuestion]) -> None:
    """A Defender who has read the passage debates a Critic who has not.

    A judge says after every round whether it is reasonable to rely on the passage; the
    last verdict decides. If it is, the answer from the passage is given, and if not,
    that from memory where the model is confident of it; else it abstains.

    Returns:
        A solver for samples with a `passage` in their metadata; roles `debater_a` (the
        Defender), `debater_b` (the Critic) and `judge`, which may be a list; the
        Defender's model plays the others where they are not bound.
    """
    p, panel = debate.parameters, judges("debater_a")
    participants = defender_and_critic()
    # Sections 2.2 and 2.3: the contextual and the prior answer, and its confidence.
    defender, critic = await two_answers(debate, participants, SPEECHES[DEFENDER])
    if debate.replays("debate"):
        replay(debate, participants)
    take_sides(debate, (defender, critic), panel, VERDICT, skip=p.skip_if_agree)
    async with debate.background() as start:
        start(*in_place_of_tokens(debate, participants))
        if debate.skip_reason is not None:
            return
        # Section 2.4: in round 0 both speak at once; later the Critic speaks first.
        for round in range(max(1, p.rounds)):
            if p.rounds > 0 and not debate.replays("debate"):
                defends = partial(speak, debate, defender, critic, round)
                criticises = partial(speak, debate, critic, defender, round)
                if round == 0 or p.turn_order == "simultaneous":
                    await debate.together(defends(), criticises())
                else:
                    await debate.together(criticises())
                    await debate.together(defends())
            # The debate does not wait for the verdicts.
            start(
                *(
                    give_verdict(debate, judge, (defender, critic), round, draw)
                    for judge in panel
                    for draw in debate.config.verdict.draws
                )
            )


@decides("srdcr", "srdcr", "acvd_only")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """The two answers, the choices by confidence, and those by the verdicts."""
    return {
        **answer_rules(record),
        "acvd_only": partial(by_verdict, gated=False),
        "srdcr": partial(by_verdict, gated=True),
    }


def by_verdict(
    record: DebateRecord, judge: str | None, order: Order | None, *, gated: bool
) -> Outcome:
    """SR-DCR (section 2.3): the passage if it is reasonable; else memory, if sure.

    Without the gate the answer from memory is taken however sure the model is. If the
    debate was skipped because both answers agree, that answer is the outcome.
    """
    if record.skip_reason is not None:
        return undebated(record)
    verdict = verdict_after(record, judged_rounds(record)[-1], judge, order)
    if verdict.answer is None:
        return verdict
    if verdict.answer == "reasonable":
        return given_by(DEFENDER, record)
    sure = confident(record) if gated else True
    if sure is None:
        return Outcome(None, "missing")
    return given_by(CRITIC, record) if sure else Outcome(None, "abstained")


def speak(
    debate: Debate[SRDCR, PassageQuestion],
    participant: ModelParticipant,
    opponent: ModelParticipant,
    round: int,
) -> Awaitable[Turn]:
    """A speech of the Defender or the Critic, who knows what it may read so far."""
    p = debate.parameters
    visible = visible_to_debater(
        participant.id,
        debate.turns,
        show_openings=p.show_openings,
        speeches_alone=p.transcript_alone(round),
    )
    answers, speeches = visible_parts(
        visible, {s.id: s.name for s in (participant, opponent)}
    )
    passage = p.shows_passage(participant.id, round)
    return debate.ask(
        participant,
        SPEECHES[participant.id],
        round=round,
        description={"passage": passage},
        name=f"the {participant.name}",
        opponent=f"the {opponent.name}",
        first=round == 0,
        stated=not p.transcript_alone(round),
        own_answer_given=answers.get(participant.id),
        other_answer_given=answers.get(opponent.id),
        speeches=speeches,
        word_limit=debate.config.word_limit,
        judge_sees_context=p.judge_sees_context,
        critic_sees_context=bool(p.critic_sees_context),
        **item(debate.question, passage=passage),
    )


RELIES = {name: (name,) for name in ("reasonable", "unreasonable")}
"""What a judge decides between, and what it may be called."""


def decision_of(text: str) -> dict[str, Decision | None]:
    """Where a verdict decides."""
    return {"verdict": decision_on_line(text, "verdict", RELIES)}


def give_verdict(
    debate: Debate[SRDCR, PassageQuestion],
    judge: ModelParticipant,
    sides: Sequence[ModelParticipant],
    round: int,
    draw: int = 0,
) -> Awaitable[Turn]:
    """A judge's verdict after a round: is it reasonable to rely on the passage?

    Args:
        debate: The debate.
        judge: The judge.
        sides: Who debates.
        round: The round.
        draw: The number of a further draw of the same verdict, from 1.
    """
    sees = debate.parameters.judge_sees_context
    visible = visible_to_judge(debate.turns, show_openings=True)
    # A replayed debate has turns of later rounds, too.
    until = [h for h in visible if h.kind == "answer" or h.round <= round]
    answers, speeches = visible_parts(until, {s.id: s.name for s in sides})
    turn = as_judged(VERDICT, debate.config.verdict, ("arbiter", "arbiter_first"))
    return debate.ask(
        judge,
        as_drawn(turn, draw),
        round=round,
        draw=draw,
        apart=draw,
        read=partial(read_verdict, turn=turn),
        decided=decision_of,
        description={"passage": sees},
        contextual=answers[DEFENDER],
        prior=answers[CRITIC],
        speeches=speeches,
        judge_sees_context=sees,
        **item(debate.question, passage=sees),
    )


def replay(
    debate: Debate[Any, PassageQuestion], participants: Sequence[ModelParticipant]
) -> None:
    """Take over the speeches of an earlier run, with the settings of its debaters."""
    earlier = debate.earlier
    assert earlier is not None
    debate.turns += [
        t for t in debate.reuse("debate", participants) if t.kind == "speech"
    ]
    debate.participants = [
        p.model_copy(
            update={"settings": p.settings | earlier.participant(p.id).settings}
        )
        for p in debate.participants
    ]
