"""Grades of bets as the confidence study published them, and where they are kept."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.util import Store
from pydantic import TypeAdapter, ValidationError

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.record import Frozen, Parsed
from inspect_debate.debate.rendering import paragraphs
from inspect_debate.scorers.bet_grading import LABELS, BetGrade, read_internal
from inspect_debate.solvers.bet_records import Side, speech_name


class _Alignment(Frozen):
    numeric_confidence_present: bool | str | None
    internal_confidence: str | None
    bet_amount: float
    assessment: str | None
    degree: str | None
    explanation: str | None


class _Strategic(Frozen):
    present: str | None
    explanation: str | None


class _Analysis(Frozen):
    betting_alignment: _Alignment
    strategic_betting: _Strategic


class _Entry(Frozen):
    debate_id: str
    motion: str
    side: Side
    speech_type: str
    raw_bet_amount: float
    raw_thoughts: str
    analysis: _Analysis


def grade_of_published(entry: Mapping[str, Any], rounds: int = 3) -> BetGrade:
    """One entry of a published file `bet_analysis_results_*.json`.

    A label outside the rubric (`Slight Overbetting`, a blank, null) is kept in
    `as_coded` and folded into none; so is a confidence that cannot be read.

    Args:
        entry: The entry, as read from the file.
        rounds: The rounds of its debate, which tell what its speeches are called.

    Raises:
        InputError: If a key is missing or unknown, a value has another type, or there
            is no such speech.
    """
    try:
        read = _Entry.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {first['msg']}.") from error
    alignment = read.analysis.betting_alignment
    strategic = read.analysis.strategic_betting
    coded: dict[str, str | None] = {
        "numeric": _in_words(alignment.numeric_confidence_present),
        "internal": alignment.internal_confidence,
        "assessment": alignment.assessment,
        "degree": alignment.degree,
        "strategic": strategic.present,
    }
    fields = {name: _parsed(name, value or "") for name, value in coded.items()}
    as_coded = {
        name: "null" if value is None else value
        for name, value in coded.items()
        if fields[name].value is None
    }
    if alignment.bet_amount != read.raw_bet_amount:
        as_coded["bet"] = f"{alignment.bet_amount:g}"
    return BetGrade(
        side=read.side,
        round=_round(read.speech_type, rounds),
        bet=read.raw_bet_amount,
        fields=fields,
        as_coded=as_coded,
        explanation=paragraphs(
            (alignment.explanation or "", strategic.explanation or "")
        ),
    )


def _in_words(flag: bool | str | None) -> str | None:
    return ("yes" if flag else "no") if isinstance(flag, bool) else flag


def _parsed(name: str, said: str) -> Parsed:
    if name == "internal":
        return read_internal(said)
    label = said.strip().lower()
    return Parsed.ok(label) if label in LABELS[name] else Parsed.unparsed()


def _round(speech_type: str, rounds: int) -> int:
    names = {
        speech_name(round, rounds).replace(" ", "_"): round
        for round in range(1, rounds + 1)
    }
    check_name("speech_type", speech_type, tuple(names))
    return names[speech_type]


_STORED = "PublishedGrades:text"
_GRADES = TypeAdapter(list[BetGrade])


def write_grades(store: Store, grades: Sequence[BetGrade]) -> None:
    """Put published grades of a debate into its sample's store, as one JSON text."""
    store.set(_STORED, _GRADES.dump_json(list(grades)).decode())


def stored_grades(store: Store) -> list[BetGrade]:
    """The published grades of a debate; none where its sample's store has none."""
    text = store.get(_STORED)
    return [] if text is None else _GRADES.validate_json(text)
