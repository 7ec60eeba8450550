"""Placebo: a judge reads a debate of the same length that is about another item."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import anyio
from anyio import to_thread
from inspect_ai.model import ModelUsage

from inspect_debate.debate.engine import Parameters, parameter, protocol
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.participants import judges
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import DebateRecord, Donor, Participant, Turn
from inspect_debate.debate.recording import Debate
from inspect_debate.debate.reuse import (
    Debated,
    Source,
    check_whole,
    debates_of,
    record_of,
)
from inspect_debate.debate.seeds import seeded
from inspect_debate.solvers.question_answering import (
    STUDY,
    VERDICT,
    OrderSetting,
    checked,
    judged,
)


class Placebo(Parameters):
    """A judge who reads another item's debate."""

    order: OrderSetting = parameter(
        "ab", "Which answer and which debater a judge is shown first."
    )
    nearest: int = parameter(
        5,
        "Among how many other items' debates, those nearest in words to the item's own "
        "one, the debate is drawn that the judge reads.",
        ge=1,
        strict=True,
    )

    def check_without_reuse(self, protocol: str) -> None:
        """There is nothing to read without the debates of a log.

        Raises:
            InputError: Always.
        """
        raise InputError(
            f"protocol={protocol} judges items by the debates of a finished run: give "
            "reuse=LOG, a log of one of the protocols "
            f"{', '.join(OF_DEBATES)}."
        )


class AsJudged(Placebo):
    """The same, with what judges were shown in the run whose debates are used."""

    show_openings: bool = True
    judge_sees_problem: bool = True


OF_DEBATES = ("colmad", "copmad", "cross_examination", "consultancy")
"""The protocols whose debates can be read in the place of others."""

# A verdict is asked for with the prompts of the log, which have to be the same here.
AS_THERE = replace(VERDICT, stage="debate")


@protocol(
    STUDY,
    Placebo,
    turns=(AS_THERE,),
    shares={"debate": "placebo"},
    borrows=OF_DEBATES,
    until="debate",
)
async def placebo(debate: Debate[Placebo, Question]) -> None:
    """Judge an item by a debate on another item, to see what length alone does.

    1. The log has the item's own debate, which says who argued for which answer.
    2. A donor is drawn: another item of the log, about another passage or task, whose
       debate is among the `nearest` in words, and, if there is one, has the same
       debaters by the same names for the same sides.
    3. Each debater is given the speeches of the donor's debater of that name. Quotes
       are checked against the item's own material; nothing private is taken over.
    4. The judge decides on the item, by the prompts of the log's protocol.

    All of it is ours. What a debate adds to this is the effect of what is argued; what
    this adds to a judge alone is that of there being a transcript of this length.

    Returns:
        A solver; role `judge`.
    """
    source, own = debate.source, debate.earlier
    assert source is not None  # nothing runs without a log
    assert own is not None
    check_debated(source, own)
    debate.parameters = as_judged(debate.parameters, own)
    sides = debate.replay()  # 1
    read: Sequence[Turn] = ()
    if debate.skip_reason is None:
        donor = await drawn_donor(debate, source, own)  # 2
        read = await given_to(debate, source, donor)  # 3
        spoken = [turn for turn in read if turn.is_spoken]
        debate.donor = Donor(
            sample=donor.sample,
            epoch=donor.epoch,
            words=sum(len(turn.public.split()) for turn in spoken),
            own_words=sum(len(turn.public.split()) for turn in own.spoken()),
        )
        answers = [turn for turn in debate.turns if turn.kind == "answer"]
        debate.turns = [*answers, *spoken]
    await judged(debate, judges("debater_a"), sides, debate.parameters.order, read)  # 4


def check_debated(source: Source, own: DebateRecord) -> None:
    """Check that a whole run's debates are there, with speeches, on their own items.

    Raises:
        InputError: If not.
    """
    check_whole("reuse", source.logs)
    if own.protocol == "placebo":
        raise InputError(
            f"reuse={source.typed} ran protocol=placebo itself; give the log of the "
            "debates that it used."
        )
    if own.skip_reason is None and not own.debated:
        raise InputError(f"reuse={source.typed} has no speeches (rounds=0).")


def as_judged(parameters: Placebo, own: DebateRecord) -> AsJudged:
    """The parameters, with those of the run whose debates are used."""
    names = AsJudged.model_fields.keys() - Placebo.model_fields.keys()
    there = {name: own.parameters[name] for name in names if name in own.parameters}
    return AsJudged(**parameters.model_dump(), **there)


@dataclass(frozen=True)
class Donors:
    """The debates of a log, among which donors are looked for.

    Attributes:
        debates: All of them, in order of their length.
    """

    debates: Sequence[Debated]

    @cached_property
    def by_place(self) -> dict[tuple[str, int], Debated]:
        """The debate of each sample and epoch."""
        return {(debated.sample, debated.epoch): debated for debated in self.debates}

    @cached_property
    def pools(self) -> dict[object, list[Debated]]:
        """Those that are alike in something, in the same order; see `_alike`."""
        found: dict[object, list[Debated]] = {}
        for debated in self.debates:
            for alike in _alike(debated):
                found.setdefault(alike, []).append(debated)
        return found

    def nearest(self, own: Debated, number: int) -> list[Debated]:
        """The debates on other items that are nearest in length to one.

        Args:
            own: The debate.
            number: How many.

        Returns:
            The nearest first, of two the shorter one: among those in which debaters
            of the same names defend what they do in this one, or, if there are none,
            among those with debaters of the same names, or among all.
        """
        for alike in _alike(own):
            around = _around(self.pools[alike], own)
            others = (other for other in around if other.group != own.group)
            if found := list(islice(others, number)):
                return found
        return []


def _alike(debated: Debated) -> tuple[object, ...]:
    """What debates can have in common, from most to nothing."""
    return debated.speakers, tuple((id, name) for id, name, _ in debated.speakers), ()


def _around(pool: Sequence[Debated], own: Debated) -> Iterator[Debated]:
    """A pool in order of length, from one of its debates outwards."""
    right = bisect_left(pool, own)
    left = right - 1
    while left >= 0 or right < len(pool):
        shorter = own.words - pool[left].words if left >= 0 else math.inf
        longer = pool[right].words - own.words if right < len(pool) else math.inf
        if shorter <= longer:
            yield pool[left]
            left -= 1
        else:
            yield pool[right]
            right += 1


async def donors_of(debate: Debate[Placebo, Question], source: Source) -> Donors:
    """The debates of the log, which all samples of the run have in common."""
    async with debate.shared.setdefault("reading", anyio.Lock()):
        if "donors" not in debate.shared:
            found = await to_thread.run_sync(debates_of, source)
            debate.shared["donors"] = Donors(found)
    donors: Donors = debate.shared["donors"]
    return donors


async def drawn_donor(
    debate: Debate[Placebo, Question], source: Source, own: DebateRecord
) -> Debated:
    """The debate that is read in place of the item's own one, drawn by the seed.

    Raises:
        InputError: If there is none on another item.
    """
    donors, question = await donors_of(debate, source), debate.question
    ours = donors.by_place[question.id, own.epoch]
    nearest = donors.nearest(ours, debate.parameters.nearest)
    if not nearest:
        raise InputError(
            f"reuse={source.typed} has no debate about another passage or task than "
            f"that of sample {question.id}; a placebo needs debates on several."
        )
    return seeded(debate.seed, "placebo", question.id, question.epoch).choice(nearest)


async def given_to(
    debate: Debate[Placebo, Question], source: Source, donor: Debated
) -> list[Turn]:
    """What a judge can read of another item's debate, by the debaters of this one."""
    record = await record_of(source, donor.sample, donor.epoch)
    assert record is not None  # as its debate was found
    there = {participant.id: participant.name for participant in record.participants}
    here = {participant.name: participant for participant in debate.participants}
    given: list[Turn] = []
    for turn in record.turns:
        speaker = here.get(there[turn.participant])
        if speaker is not None and (turn.is_spoken or turn.kind == "answer"):
            quotes = [quote.text for earlier in given for quote in earlier.quotes]
            given.append(_public_part(debate, turn, speaker, quotes))
    return given


def _public_part(
    debate: Debate[Placebo, Question],
    turn: Turn,
    speaker: Participant,
    earlier: Sequence[str],
) -> Turn:
    """A turn of another debate without all that is private, as another's."""
    found = checked(debate.question, debate.config, turn.public, earlier)
    return Turn(
        participant=speaker.id,
        role=speaker.role,
        kind=turn.kind,
        round=turn.round,
        model=turn.model,
        served=turn.served,
        public=found.text,
        fields={name: turn.fields[name] for name in _KEPT if name in turn.fields},
        quotes=found.quotes,
        spoken=turn.spoken,
        stop_reason=turn.stop_reason,
        usage=ModelUsage(),
        seconds=0.0,
        calls=0,
        reused=True,
    )


_KEPT = ("argument", "answer")
"""What is known of a turn: its length, and the answer that it gives openly."""
