"""The debates of Michael et al. (2023, arXiv 2311.08702) as transcripts.

People judge; people or a model debate, or one alone is a consultant. The judge gives
probabilities before the debate and after each round, may ask, and ends the debate.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.probabilities import QUESTION_ALONE
from inspect_debate.debate.record import Status, capitalised, person
from inspect_debate.solvers.asking_judges import BOTH
from inspect_debate.transcripts.format import (
    Said,
    Speaker,
    Transcript,
    Unread,
)
from inspect_debate.transcripts.importing import Lines, opened, problems_of

SOURCE = "nyu-debates"

Side = Annotated[int, Field(ge=0, le=1)]
Probabilities = Annotated[
    list[Annotated[float, Field(ge=0, le=1)]], Field(min_length=2, max_length=2)
]
_LETTERS = "AB"


class Released(BaseModel):
    """Base of all parts of a line: an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Passage(Released):
    """The story."""

    source: str
    article_id: str
    title: str
    tokens: int
    text: str


class Seat(Released):
    """Who takes part."""

    id: Literal["debater_a", "debater_b", "judge"]
    role: Literal["debater", "judge"]
    name: str
    kind: Literal["human", "model"]
    side: Side | None


class Limits(Released):
    """How long a speech may be."""

    characters: int
    quoted: int


class Span(Released):
    """A quote."""

    start: int
    end: int
    text: str
    at: int
    tokens: list[int]


class Speech(Released):
    """A speech; `failed` if it is a server's error."""

    by: Literal["debater_a", "debater_b"]
    name: str
    time: int
    text: str
    marked_text: str
    quotes: list[Span]
    failed: bool


class Judgement(Released):
    """A judge's turn."""

    name: str
    time: int
    text: str
    probabilities: Probabilities
    ends_debate: bool


class Round(Released):
    """A round; round 0 has the judge's turn alone."""

    round: int
    order: Literal["simultaneous", "sequential"] | None
    limits: Limits | None
    speeches: list[Speech]
    judge: Judgement


class Ended(Released):
    """Who ended the debate."""

    by: Literal["judge"]
    time: int


class Scoring(Released):
    """The rule of the judge's score."""

    model_config = ConfigDict(extra="allow")


class Room(Released):
    """A line of the release."""

    id: str
    setting: Literal["human_debate", "human_consultancy", "ai_debate", "ai_consultancy"]
    question: str
    options: Annotated[list[str], Field(min_length=2, max_length=2)]
    correct: Side
    passage: Passage
    participants: list[Seat]
    created: int
    rounds: Annotated[list[Round], Field(min_length=2)]
    ended: Ended
    final: Probabilities
    continues: int
    judge_score: float
    scoring: Scoring


def rooms_in(typed: str) -> Lines:
    """The debates of the released file.

    Args:
        typed: The file `debates.jsonl`, or the same packed with xz.

    Yields:
        Where each line is, and its debate.

    Raises:
        InputError: If the file cannot be read, or a line of it is not as released.
    """
    with opened(typed) as file:
        for number, line in enumerate(file, start=1):
            where = f"{typed}, line {number}"
            try:
                room = Room.model_validate_json(line)
            except ValidationError as error:
                raise InputError(f"{where}: {problems_of(error)[0]}") from error
            transcript = transcript_of_room(room)
            for problem in transcript.contradictions():
                raise InputError(f"{where}: {problem}")
            yield where, transcript


def transcript_of_room(room: Room) -> Transcript:
    """A released debate in the transcript format.

    Its readers know the debaters as `Debater A` and `Debater B`, as in the study; who
    they were, and who wrote a turn in the place of another, is kept with each turn. A
    consultant is the first debater, whichever answer it argues for.
    """
    debaters = [person for person in room.participants if person.role == "debater"]
    seats = {person.id: person for person in room.participants}
    ids = {str(id): str(id) for id in seats}
    if len(debaters) == 1:
        ids[debaters[0].id] = "debater_a"
    return Transcript(
        id=room.id,
        condition=room.setting,
        question=room.question,
        options=tuple(room.options),
        right=_LETTERS[room.correct],
        passage=room.passage.text,
        participants=tuple(
            Speaker(
                id=ids[id],
                name=capitalised(person(id)),
                kind="person" if sitting.kind == "human" else "model",
                who=sitting.name,
                defends=None if sitting.side is None else _LETTERS[sitting.side],
            )
            for id, sitting in seats.items()
        ),
        turns=tuple(
            said.model_copy(update={"by": ids[said.by]})
            for said in _turns(room, [one.id for one in debaters])
        ),
        ends="judge",
        metadata={
            "input_group": room.passage.article_id,
            "title": room.passage.title,
            "released": room.model_dump(mode="json", include=_KEPT),
        },
        started=datetime.fromtimestamp(room.created / 1000, UTC).isoformat(),
    )


_KEPT: Any = {
    **dict.fromkeys(("created", "ended", "judge_score"), True),
    "rounds": {"__all__": {"order": True, "limits": True}},
}
"""What has no field of its own in the transcript format."""


def _turns(room: Room, debaters: Sequence[str]) -> Iterator[Said]:
    names = {str(one.id): one.name for one in room.participants}

    def instead(id: str, name: str) -> str | None:
        return None if name == names[id] else name

    for held in room.rounds:
        for speech in held.speeches:
            failed: dict[str, float | str | Unread] = {
                "argument": Unread(status=Status.MISSING)
            }
            yield Said(
                by=speech.by,
                round=held.round,
                text=speech.marked_text,
                starts=tuple(span.start for span in speech.quotes),
                who=instead(speech.by, speech.name),
                # An error message of a server is no speech.
                fields=failed if speech.failed else None,
            )
        judge = held.judge
        believed = dict(zip(_LETTERS, judge.probabilities, strict=True))
        who = instead("judge", judge.name)
        yield Said(
            by="judge",
            kind="belief",
            round=held.round,
            about=None if held.round else QUESTION_ALONE,
            probabilities=believed,
            who=who,
        )
        if judge.ends_debate:
            yield Said(
                by="judge",
                kind="ready",
                round=held.round,
                fields={"ready": "yes"},
                who=who,
            )
            yield Said(
                by="judge",
                kind="verdict",
                text=judge.text,
                probabilities=believed,
                who=who,
            )
        elif judge.text.strip():
            yield Said(
                by="judge",
                kind="judge_question",
                round=held.round,
                text=judge.text,
                to=BOTH if len(debaters) == 2 else "debater_a",
                who=who,
            )
