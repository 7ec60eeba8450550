"""One person's way through debates, step by step, saved at each.

What a person says is a line of a JSONL file. Lines are only added, and of two about one
step the first counts, so what was said before more was read stays as it was.
"""

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath, reason_of
from inspect_debate.reports.judges.sheet_text import Shown, Speech

SUFFIX = ".jsonl"
"""How the file of a judge ends; before it is the judge's name."""

MAJORITY = "majority"
"""A name that no judge can have."""

LONGEST_REMARK = 20_000
"""Characters of a remark."""

Time = Literal["alone", "round", "verdict"]
"""When something is asked: before the debate, after a round, or at the end."""


class Step(NamedTuple):
    """When a person is asked; `round` is 0 but for what is asked after a round."""

    time: Time
    round: int = 0

    @property
    def name(self) -> str:
        """What people read."""
        if self.time == "alone":
            return "Question alone"
        if self.time == "verdict":
            return "Verdict"
        return f"Round {self.round}" if self.round else "First answers"


def steps_of(shown: Shown) -> list[Step]:
    """What is asked of a debate, in order."""
    rounds = sorted({speech.heard for speech in shown.speeches})
    return [Step("alone"), *(Step("round", r) for r in rounds), Step("verdict")]


class Said(BaseModel):
    """What a person said at a step: a line of its file.

    `answer` is the letter of the answer that is more probably right, `percent` how
    probable that is, `seconds` how long the step was open before it was said at `at`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    time: Time
    round: int = Field(ge=0)
    answer: Literal["X", "Y"]
    percent: float = Field(ge=50, le=100)
    remark: str = Field(default="", max_length=LONGEST_REMARK)
    seconds: float = Field(ge=0)
    at: datetime

    @property
    def step(self) -> Step:
        """When it was said."""
        return Step(self.time, self.round)


class Place(NamedTuple):
    """Where a person is.

    Attributes:
        code: Of the debate.
        number: Of the debate, from 1.
        shown: The debate.
        step: What is asked now.
        before: What the person said of this debate so far.
    """

    code: str
    number: int
    shown: Shown
    step: Step
    before: list[Said]

    @property
    def answers(self) -> tuple[str, str]:
        """The answers; before the debate without who argues for them."""
        return self.shown.alone if self.step.time == "alone" else self.shown.answers

    @property
    def stages(self) -> list[tuple[Step, list[Speech]]]:
        """The speeches that may be read now, by round."""
        steps = steps_of(self.shown)
        return [
            (step, [s for s in self.shown.speeches if s.heard == step.round])
            for step in steps[: steps.index(self.step) + 1]
            if step.time == "round"
        ]


@dataclass(frozen=True)
class Judging:
    """What one person judges, and the file in which it is saved.

    Nothing but the file knows how far the person is.

    Attributes:
        judge: The person's name.
        debates: The debates by code, in the order in which they are judged.
        path: The file.
    """

    judge: str
    debates: Mapping[str, Shown]
    path: Path

    def place(self) -> Place | None:
        """Where the person is; None once everything is judged.

        Raises:
            InputError: As `read_said`.
        """
        said = by_code(read_said(self.path, self.debates))
        for number, (code, shown) in enumerate(self.debates.items(), start=1):
            before = said[code]
            done = {one.step for one in before}
            for step in steps_of(shown):
                if step not in done:
                    return Place(code, number, shown, step, before)
        return None

    def say(self, said: Said) -> bool:
        """Save what a person said, unless it is said already or not asked yet.

        Returns:
            Whether it was saved, and will be there after a crash.

        Raises:
            InputError: As `read_said`.
        """
        place = self.place()
        if place is None or (place.code, place.step) != (said.code, said.step):
            return False
        _append(self.path, said.model_dump_json() + "\n")
        return True


def said_now(place: Place, given: Mapping[str, str], seconds: float) -> Said | str:
    """What a person filled in at a step, or what is wrong with it.

    Args:
        place: The step.
        given: The form's fields `answer`, `percent` and `remark`.
        seconds: How long the step was open.
    """
    answer = given.get("answer", "")
    if answer not in ("X", "Y"):
        return "Choose the answer that is more probably right."
    try:
        percent = float(given.get("percent", "").strip().rstrip("%").replace(",", "."))
    except ValueError:
        percent = 0
    if not 50 <= percent <= 100:
        return "Say how probable it is that this answer is right: from 50 to 100."
    remark = given.get("remark", "").replace("\r\n", "\n").strip()
    if len(remark) > LONGEST_REMARK:
        return f"Write at most {LONGEST_REMARK:,} characters."
    if place.step.time == "verdict" and not remark:
        return "Say why you decided so."
    return Said(
        code=place.code,
        time=place.step.time,
        round=place.step.round,
        answer="X" if answer == "X" else "Y",
        percent=percent,
        remark=remark.encode("utf-8", "replace").decode("utf-8"),
        seconds=round(seconds, 1),
        at=datetime.now(UTC),
    )


# The file.


def person(typed: str) -> str:
    """The name of a judge in letters, digits and underscores."""
    return re.sub(r"\W+", "_", typed).strip("_")


def judge_name(typed: str) -> str:
    """The name of a judge, as that of its file.

    Raises:
        InputError: If nothing of it remains, or no judge can be called so.
    """
    name = person(typed)
    if not name or name == MAJORITY:
        raise InputError(
            f"--judge {typed!r} is no name for a judge; give another one, of letters "
            "and digits."
        )
    return name


def read_said(path: AnyPath, codes: Collection[str]) -> list[Said]:
    """What a person said, each step once; what was cut off by a crash was not said.

    Args:
        path: The file, which need not be there.
        codes: The codes on the sheet.

    Raises:
        InputError: If it cannot be read, or has a line that was not written here.
    """
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"Cannot read {path}: {reason_of(error)}.") from error
    found: dict[tuple[str, Step], Said] = {}
    for number, line in enumerate(lines, start=1):
        try:
            said = Said.model_validate_json(line)
        except ValidationError as error:
            raise InputError(
                f"{path}: line {number} is not what a judge said; take the file as "
                "`inspect-debate judge` wrote it."
            ) from error
        if said.code not in codes:
            raise InputError(
                f"{path}: line {number} is about code {said.code!r}, which is not on "
                "the sheet."
            )
        found.setdefault((said.code, said.step), said)
    return list(found.values())


def by_code(said: Sequence[Said]) -> defaultdict[str, list[Said]]:
    """What a person said of each debate."""
    found: defaultdict[str, list[Said]] = defaultdict(list)
    for one in said:
        found[one.code].append(one)
    return found


def _append(path: Path, line: str) -> None:
    """Add a line, which is on the disk afterwards; what a crash cut off goes."""
    new = not path.exists()
    if not new and not (data := path.read_bytes()).endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)
    with path.open("ab") as file:
        file.write(line.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    if new and os.name == "posix":  # the file's name is to be on the disk, too
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


# What a person decided, on a sheet or step by step.


class Belief(NamedTuple):
    """What a judge believed after a round, or -1 before the debate; as a `Decision`."""

    round: int
    letter: str
    confidence: float
    comment: str
    seconds: float


class Decision(NamedTuple):
    """One judge's verdict on one debate.

    `letter` is X or Y; `confidence` the probability, from 0.5 to 1, that it is right,
    NaN where it was left open. Who judged step by step has `beliefs` before, and took
    so many `seconds` for the verdict alone.
    """

    code: str
    letter: str
    confidence: float
    comment: str
    beliefs: tuple[Belief, ...] = ()
    seconds: float = 0.0


def decisions(said: Mapping[str, Sequence[Said]]) -> Iterator[Decision]:
    """The verdicts that a person gave step by step, with its beliefs before.

    Args:
        said: What was said, as from `by_code`.
    """
    for code, of_debate in said.items():
        beliefs = [
            Belief(
                round=-1 if one.time == "alone" else one.round,
                letter=one.answer,
                confidence=one.percent / 100,
                comment=one.remark,
                seconds=one.seconds,
            )
            for one in of_debate
            if one.time != "verdict"
        ]
        for one in of_debate:
            if one.time == "verdict":
                given = (one.answer, one.percent / 100, one.remark)
                yield Decision(code, *given, tuple(beliefs), one.seconds)


def trail(before: Sequence[Said]) -> Iterator[tuple[str, str]]:
    """What a person said so far, by step: `Y, 60 %`."""
    for one in before:
        yield one.step.name, f"{one.answer}, {one.percent:g} %"
