"""Released transcripts of "When Two LLMs Debate, Both Think They'll Win" as logs.

arXiv 2505.19184 comes with 328 debates in six conditions and a grader's labels of bets
beside the reasoning. Speeches are released without their bets, and of the prompts only
parts; neither completions nor prompts are rebuilt.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ModelUsage
from inspect_ai.scorer import Score
from pydantic import AfterValidator, AliasPath, BaseModel, Field

from inspect_debate.datasets.motions import Line, Motion
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.record import KEY, Debate, Turn
from inspect_debate.debate.text import escape
from inspect_debate.debate.view import messages
from inspect_debate.scorers.bet_alignment import (
    ASSESSMENTS,
    MALFORMED,
    Grade,
    alignment_values,
    eligible_bets,
)
from inspect_debate.scorers.bets import bets_score
from inspect_debate.scorers.jury import jury_score
from inspect_debate.solvers.bets import SIDES, stages, without_bet
from inspect_debate.solvers.confidence import DEBATERS, PRESETS, decide
from inspect_debate.transcripts.logs import scored_log, write_logs

CONDITIONS = {
    "private_bet": "cross_model",
    "private_same_debator": "self",
    "private_same_debator_informed": "informed_self",
    "PUBLIC_SAME_DEBATOR": "public",
    "readteam_debate": "redteam",
    "private_self_bet": "four_round",
}
"""Our names of the released debate types."""

_GRADES = "bet_analysis_results_*.json"
_Grades = dict[tuple[str, str, str], Grade]  # by file, side and stage


# What is released.

Side = Literal["proposition", "opposition"]
Percent = Annotated[int, Field(ge=0, le=100)]
Name = Annotated[str, AfterValidator(lambda name: name.removesuffix(":free"))]
Tokens = dict[Name, dict[str, int]]


class _Bet(BaseModel):
    side: Side
    speech_type: str
    amount: Percent
    thoughts: str


class _Verdict(BaseModel):
    model: Name
    winner: Side
    confidence: Percent
    logic: str


class _Transcript(BaseModel):
    """A released file; those of four rounds have no verdicts and no tokens."""

    file: Annotated[str, Field(pattern=r"_\d{8}_\d{6}$")]
    topic: Line = Field(validation_alias=AliasPath("motion", "topic_description"))
    debate_type: str
    proposition_model: Name
    opposition_model: Name
    proposition: dict[str, str] = Field(
        validation_alias=AliasPath("proposition_output", "speeches")
    )
    opposition: dict[str, str] = Field(
        validation_alias=AliasPath("opposition_output", "speeches")
    )
    debator_bets: list[_Bet]
    judge_results: list[_Verdict] = []
    debator_token_counts: Tokens = {}
    judge_token_counts: Tokens = {}

    @property
    def id(self) -> str:
        return self.file.replace(":free", "")

    @property
    def models(self) -> tuple[str, str]:
        return self.proposition_model, self.opposition_model

    @property
    def started(self) -> str:
        """The stamp at the end of the file's name; its time zone is not known."""
        stamp = datetime.strptime(self.file[-15:], "%Y%m%d_%H%M%S")
        return stamp.strftime("%FT%T+00:00")


def import_release(folder: Path, out: Path) -> list[Path]:
    """Write a log for each condition, scored.

    The folder is the root of the release, or one of its transcripts; the grades of bets
    are read from the root.
    """
    folder = folder.resolve()
    root = folder / "experiments"
    files = sorted((root if root.is_dir() else folder).rglob("*.json"))
    found = [_transcript(file) for file in files if not file.match(_GRADES)]
    if not found:
        raise InputError(
            f"{folder.name} has no transcripts; give the root of the release, which "
            "has a folder `experiments`, or a folder of transcripts."
        )
    grades, held = _grades(folder), dict[str, dict[str, _Transcript]]()
    # By its name, so that a copy of a file is no other debate.
    for one in sorted(found, key=lambda one: one.started):
        held.setdefault(CONDITIONS[one.debate_type], {})[one.id] = one
    logs = (_log(name, [*some.values()], grades) for name, some in held.items())
    return write_logs(logs, out)


def _transcript(file: Path) -> _Transcript:
    try:
        content = json.loads(file.read_bytes()) | {"file": file.stem}
        one = _Transcript.model_validate(content)
    except (TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{file.name} is no transcript: {reason}.") from None
    check_known(f"{file.name}: debate_type", one.debate_type, CONDITIONS)
    return one


def _grades(folder: Path) -> _Grades:
    """The published grades, in the folder or in that of the release above it."""
    found: _Grades = {}
    above = (folder, *folder.parents[:2])
    for file in chain.from_iterable(place.glob(_GRADES) for place in above):
        for entry in json.loads(file.read_bytes()):
            labels = entry["analysis"]["betting_alignment"]
            assessment = labels["assessment"].lower()
            strategic = entry["analysis"]["strategic_betting"]["present"]
            found[entry["debate_id"], entry["side"], entry["speech_type"]] = {
                "assessment": assessment if assessment in ASSESSMENTS else MALFORMED,
                "degree": labels["degree"].lower(),
                "stated": labels["numeric_confidence_present"],
                "strategic": strategic == "Yes",
            }
    return found


# How they are logged.


def _log(condition: str, released: Sequence[_Transcript], grades: _Grades) -> EvalLog:
    verdicts = chain.from_iterable(one.judge_results for one in released)
    jurors = sorted({verdict.model for verdict in verdicts})
    preset, changed = PRESETS[condition], {"order": "ab"} if jurors else {}
    graded = {file for file, _, _ in grades} & {one.file for one in released}
    before, samples, debates = Counter[tuple[str, ...]](), [], []
    for one in released:
        before[what := (one.topic, *one.models)] += 1
        debate = _debate(one, preset | changed, jurors)
        debates.append(debate)
        samples.append(_sample(one, debate, before[what]))
        samples[-1].scores = scores = {"bets": bets_score(debate)}
        if jurors:
            scores["jury"] = jury_score(debate)
        if graded:
            named = stages(preset["rounds"])
            eligible = (
                (one.file, debate.defends[turn.role], named[turn.round - 1])
                for turn in eligible_bets(debate)
            )
            labels = alignment_values(grades.get(key, {}) for key in eligible)
            scores["bet_alignment"] = Score(value=labels)
    models = sorted({model for one in released for model in one.models})
    about = {
        "study": "confidence",
        "protocol": condition,
        "parameters": preset | changed,
        "changed": changed,
        "data": {
            "source": "llms-overconfidence",
            "pairings": None,
            # The paper's tables have this in place of a bet that was not made.
            "missing_bets": 0,
            "notes": [*_notes(debates, before)],
        },
    }
    return scored_log(
        f"llms-overconfidence-{condition}",
        about,
        samples,
        dataset="motions",
        roles={"debater_a": models} | ({"judge": jurors} if jurors else {}),
        created=released[0].started,
    )


def _debate(
    one: _Transcript, parameters: Mapping[str, Any], jurors: Sequence[str]
) -> Debate:
    """The record, in which a bet that was not made is no bet of 0."""
    debate = Debate(protocol=CONDITIONS[one.debate_type], parameters={**parameters})
    debate.options = {side: side.capitalize() for side in SIDES}
    debate.defends = dict(zip(DEBATERS, SIDES, strict=True))
    named = stages(parameters["rounds"])
    speeches = dict(zip(SIDES, (one.proposition, one.opposition), strict=True))
    for bet in one.debator_bets:
        second = bet.side == SIDES[1]
        speech = speeches[bet.side][bet.speech_type]
        cut, made = without_bet(speech), was_bet(bet.amount, bet.thoughts)
        turn = Turn(
            speaker=debate.options[bet.side],
            role=DEBATERS[second],
            kind="speech",
            round=1 + named.index(bet.speech_type),
            status="ok",
            model=one.models[second],
            public=escape(cut),
            private="" if cut == speech else speech,
            fields={"bet": float(bet.amount)} if made else {},
        )
        turn.fields["reasoning"] = bet.thoughts
        debate.turns.append(turn)
    draws = Counter[str]()
    for verdict in one.judge_results:
        draws[verdict.model] += 1
        turn = Turn(
            speaker=f"juror_{jurors.index(verdict.model) + 1}",
            role="judge",
            kind="verdict",
            order="ab",
            draw=draws[verdict.model],
            status="ok",
            model=verdict.model,
            public=escape(verdict.logic),
            fields=verdict.model_dump(include={"winner", "confidence"}),
        )
        debate.turns.append(turn)
    if jurors:
        debate.answer, debate.skip_reason = decide(debate)
    debate.complete = True
    return debate


def was_bet(amount: int, reasoning: str) -> bool:
    """Whether an amount was bet. A zero, if its reasoning last speaks of betting none.

    Where no bet could be read, the authors typed one by hand, mostly 0.
    """
    named = _NAMED.findall(_SCALE.sub("", reasoning))
    return amount > 0 or (bool(named) and not named[-1].strip("0"))


_SCALE = re.compile(r"\b0\s*(?:-|–|to|and)\s*100\b")
_NAMED = re.compile(
    r"\b(?:bet|wager|stak)\w*\W+(?:[a-z'’]+\W+){0,6}?"
    r"(?:zero|nothing|none|(\d+))\b(?!%|\.\d)",
    re.I,
)


def _sample(one: _Transcript, debate: Debate, repetition: int) -> EvalSample:
    motion = Motion(text=one.topic)
    pair = dict(zip(DEBATERS, one.models, strict=True))
    about = {"motion_id": motion.id, "repetition": repetition, "swapped": False}
    debaters, judges = one.debator_token_counts, one.judge_token_counts
    # The two sides of a model's debate with its copy are released as one.
    roles = {name: role for role, name in reversed(pair.items()) if name in debaters}
    return EvalSample(
        id=one.id,
        epoch=1,
        input=motion.text,
        target="",
        metadata=about | pair,
        messages=messages(debate, motion.text),
        store={KEY: debate.model_dump_json()},
        model_usage={
            name: _usage(of[name] for of in (debaters, judges) if name in of)
            for name in debaters | judges
        },
        role_usage={role: _usage([debaters[name]]) for name, role in roles.items()}
        | ({"judge": _usage(judges.values())} if judges else {}),
        started_at=one.started,
    )


def _usage(counts: Iterable[dict[str, int]]) -> ModelUsage:
    """The sum of tokens, those of failed calls included."""
    sums = Counter[str]()
    for one in counts:
        for name, count in one.items():  # such as successful_prompt_tokens
            sums[name.split("_")[1]] += count
    return ModelUsage(
        input_tokens=sums["prompt"],
        output_tokens=sums["completion"],
        total_tokens=sums["total"],
    )


def _notes(debates: Sequence[Debate], times: Mapping[Any, int]) -> Iterator[str]:
    """What is odd about the transcripts, with counts."""
    speeches = [turn for debate in debates for turn in debate.of("speech")]
    reasons = [turn.fields["reasoning"].strip().lower() for turn in speeches]
    most = max(len(debate.of("verdict")) for debate in debates)
    repeated = len(debates) - len(times)
    counts = {
        "Bets of 0 that were never made": sum("bet" not in t.fields for t in speeches),
        "Reasonings that are NA or empty": sum(one in ("", "na") for one in reasons),
        "Speeches that spoke of their bet, which is taken out": sum(
            turn.private != "" for turn in speeches
        ),
        f"Debates with fewer than {most} verdicts": sum(
            len(debate.of("verdict")) < most for debate in debates
        ),
        "Debates with the motion and sides of an earlier one": repeated,
    }
    yield from (f"{what}: {count}." for what, count in counts.items() if count)
