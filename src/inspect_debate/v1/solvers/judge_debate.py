"""A debate in which all read the passage, and a judge (Liang et al. 2024)."""

from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from pydantic import field_validator, model_validator

from inspect_debate.v1.debate.answers import Decision, decision_on_line, picked
from inspect_debate.v1.debate.calls import SPEECH_LENGTH, Reading, read_text
from inspect_debate.v1.debate.engine import TurnKind, parameter, protocol
from inspect_debate.v1.debate.outcome import Outcome, Rule, decides
from inspect_debate.v1.debate.participants import (
    NAMES,
    ModelParticipant,
    in_order,
    judges,
    orders,
)
from inspect_debate.v1.debate.probabilities import as_drawn, as_judged, with_probability
from inspect_debate.v1.debate.question import PassageQuestion
from inspect_debate.v1.debate.record import DebateRecord, Order, Parsed, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.rendering import as_shown
from inspect_debate.v1.debate.seeds import mirrored
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


class Judged(Answered):
    """A debate in which all read the passage, judged after some of its rounds."""

    rounds: int = parameter(5, "Rounds of the debate.", ge=0, strict=True)
    judge_after: tuple[int, ...] | None = parameter(
        None,
        "Rounds after which there is a verdict, besides the last; by default 1, 3 and "
        "5.",
    )
    turn_order: Literal["simultaneous", "sequential"] = parameter(
        "sequential",
        "Who speaks: the contextual answer's debater first (`sequential`, the prior "
        "answer's in every second epoch), or both at once.",
    )
    order: Literal["ab", "ba", "both"] = parameter(
        "ab",
        "Which answer the judge reads first: `ab` the contextual one, `ba` the prior "
        "one, or `both` in turn; every second epoch has the other order.",
    )
    skip_if_agree: bool = parameter(
        False, "Do not debate answers that agree.", strict=True
    )

    @field_validator("judge_after", mode="before")
    @classmethod
    def _split(cls, given: object) -> object:
        return str(given).split(",") if isinstance(given, int | str) else given

    @model_validator(mode="after")
    def _within(self) -> "Judged":
        after, rounds = self.judge_after, self.rounds
        if after is not None and (
            not after or not all(1 <= round <= rounds for round in after)
        ):
            raise ValueError(
                f"judge_after={','.join(map(str, after))} is not allowed with "
                f"rounds={rounds}; give some of the rounds 1 to {rounds}."
            )
        return self

    @property
    def judged(self) -> list[int]:
        """The rounds after which verdicts are given; 0 if there are no rounds."""
        chosen = (1, 3, 5) if self.judge_after is None else self.judge_after
        return [*sorted({r for r in chosen if 0 < r < self.rounds}), self.rounds]

    def logged(self, protocol: str) -> dict[str, Any]:
        """The parameters, with the rounds that are judged."""
        return super().logged(protocol) | {"judge_after": self.judged}


SPEECH = TurnKind(
    "speech",
    prompt="speech",
    system="debater_system",
    form="free_speech",
    read=read_text,
    required=SPEECH_LENGTH,
    reminder="speech_reminder",
    speech=SPEECH_LENGTH,
    in_series=True,
)


def read_pick(listed: Sequence[str], text: str) -> Reading:
    """Reasons, and a line with the number of an answer.

    Args:
        listed: What the two answers are, in the order in which they are listed.
        text: The reply.
    """
    number = picked(text)
    if number.value is None:
        return Reading(as_shown(text), {"answer": number})
    which = listed[int(number.value) - 1]
    return Reading(as_shown(text), {"answer": Parsed.ok(which)})


def verdict_of(*listed: str) -> TurnKind:
    """A verdict on two answers that are listed in an order."""
    return TurnKind(
        "verdict",
        prompt="pick",
        system="picker_system",
        form="pick",
        read=partial(read_pick, listed),
        required="answer",
        reminder="picker_reminder",
        in_series=True,
    )


VERDICTS: Mapping[Order, TurnKind] = {
    "ab": verdict_of("contextual", "prior"),
    "ba": verdict_of("prior", "contextual"),
}


@protocol(
    STUDY,
    Judged,
    turns=(ANSWER, SAMPLE, RECALL, SPEECH, *VERDICTS.values()),
    shares={"answers": "two_answers"},
)
async def judge_debate(debate: Debate[Judged, PassageQuestion]) -> None:
    """Two debaters defend the two answers; a judge names the right one, several times.

    One defends the answer from the passage, the other that from memory. Both read the
    passage, and so does the judge, who decides after some of the rounds; nobody waits
    for these verdicts.

    Returns:
        A solver for samples with a `passage` in their metadata; roles as in `srdcr`.
    """
    p, panel, epoch = debate.parameters, judges("debater_a"), debate.question.epoch
    participants = defender_and_critic(*NAMES)
    sides = await two_answers(debate, participants, SPEECH)
    take_sides(debate, sides, panel, VERDICTS["ab"], skip=p.skip_if_agree)
    first, second = sides[::-1] if mirrored(epoch) else sides
    async with debate.background() as start:
        start(*in_place_of_tokens(debate, participants))
        if debate.skip_reason is not None:
            return
        for round in range(p.rounds + 1):
            if round > 0 and p.turn_order == "simultaneous":
                await debate.together(
                    speak(debate, first, second, round),
                    speak(debate, second, first, round),
                )
            elif round > 0:
                await debate.together(speak(debate, first, second, round))
                await debate.together(speak(debate, second, first, round))
            if round in p.judged:
                start(
                    *(
                        pick(debate, judge, sides, round, order, draw)
                        for judge in panel
                        for order in orders(p.order, epoch)
                        for draw in debate.config.verdict.draws
                    )
                )


@decides("srdcr", "judge_debate")
def rules(record: DebateRecord) -> dict[str, Rule]:
    """The two answers, the choices by confidence, and the judge's after some rounds."""
    after = {
        f"judge_debate_{round}": partial(by_verdict_after, round)
        for round in judged_rounds(record)
    }
    return {**answer_rules(record), **after}


def by_verdict_after(
    round: int, record: DebateRecord, judge: str | None, order: Order | None
) -> Outcome:
    """The answer that the judge takes after a round."""
    if record.skip_reason is not None:
        return undebated(record)
    verdict = verdict_after(record, round, judge, order)
    if verdict.answer is None:
        return verdict
    return given_by(DEFENDER if verdict.answer == "contextual" else CRITIC, record)


def speak(
    debate: Debate[Judged, PassageQuestion],
    participant: ModelParticipant,
    opponent: ModelParticipant,
    round: int,
) -> Awaitable[Turn]:
    """A speech of a debater who, as its opponent, has read the passage."""
    visible = visible_to_debater(participant.id, debate.turns, show_openings=True)
    answers, speeches = visible_parts(
        visible, {s.id: s.name for s in (participant, opponent)}
    )
    return debate.ask(
        participant,
        SPEECH,
        round=round,
        description={"passage": True},
        name=participant.name,
        opponent=opponent.name,
        first=round == 1,
        stated=True,
        own_answer_given=answers.get(participant.id),
        other_answer_given=answers.get(opponent.id),
        speeches=speeches,
        word_limit=debate.config.word_limit,
        **item(debate.question, passage=True),
    )


def pick(
    debate: Debate[Judged, PassageQuestion],
    judge: ModelParticipant,
    sides: Sequence[ModelParticipant],
    round: int,
    order: Order,
    draw: int = 0,
) -> Awaitable[Turn]:
    """Which of the two answers a judge who reads the passage holds right.

    Args:
        debate: The debate.
        judge: The judge.
        sides: Who debates.
        round: The round after which it is asked.
        order: `ab` lists the contextual answer first, `ba` last.
        draw: The number of a further draw of the same verdict, from 1.
    """
    visible = visible_to_judge(debate.turns, show_openings=True)
    until = [h for h in visible if h.kind == "answer" or h.round <= round]
    answers, speeches = visible_parts(until, {s.id: s.name for s in sides})
    first, second = in_order(sides, order)
    which = ("contextual", "prior") if order == "ab" else ("prior", "contextual")
    turn = as_judged(VERDICTS[order], debate.config.verdict, begins=True)

    def read(text: str) -> Reading:
        return with_probability(turn, read_pick(which, text), text)

    def decided(text: str) -> dict[str, Decision | None]:
        names = {answer: (str(n),) for n, answer in enumerate(which, start=1)}
        return {"answer": decision_on_line(text, "answer", names)}

    return debate.ask(
        judge,
        as_drawn(turn, draw),
        round=round,
        draw=draw,
        apart=draw,
        read=read,
        decided=decided,
        order=order,
        listed_first=which[0],
        description={
            "passage": True,
            "draw": f"{order} {draw}" if draw else order,
            "choices": which,
            "shown": (str(first.defends), str(second.defends)),
        },
        first=answers[first.id],
        first_name=first.name,
        second=answers[second.id],
        second_name=second.name,
        speeches=speeches,
        **item(debate.question, passage=True),
    )
