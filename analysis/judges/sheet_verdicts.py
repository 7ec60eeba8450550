"""Verdicts on the debates of a sheet: people's, their majority's, and models'."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from inspect_debate.analysis.judges.sheet_debates import Contest, DebateKey
from inspect_debate.analysis.judges.sheet_filled import MAJORITY, Decision, Filled
from inspect_debate.analysis.judges.sheet_key import Key, KeyRow
from inspect_debate.analysis.judges.verdicts import verdict_rows
from inspect_debate.core.outcome import judges_of, outcome
from inspect_debate.core.record import DebateRecord, Parsed
from inspect_debate.core.voting import majority

Kind = Literal["human", "majority", "model"]


class Verdict(NamedTuple):
    """One verdict on one debate, in the terms of the debate.

    Attributes:
        judge: Who decided: a name, `majority`, or a model.
        kind: Whether that is a person, the majority of people, or a model.
        code: The debate's code.
        log: The log that it is in.
        run: That log's eval id.
        id: Its sample.
        epoch: Its epoch.
        input_group: What makes debates dependent: their question.
        answer: The answer decided for; None of a model that named each of them in one
            of two orders.
        first_answer: 1 if it is the first of the two among the choices, else 0.
        correct: 1 if it is the right one, else 0; NaN where that is not known.
        for_first_shown: The share of this judge's verdicts on the debate that are for
            the side that it was shown first: of a person 0 or 1, of a model that was
            shown both orders perhaps 0.5; NaN for the majority.
        confidence: The probability of being right, from 0.5 to 1; NaN if not told.
        comment: What a person wrote beside it.
    """

    judge: str
    kind: Kind
    code: str
    log: str
    run: str
    id: str
    epoch: int
    input_group: str
    answer: str | None
    first_answer: float
    correct: float
    for_first_shown: float
    confidence: float
    comment: str


def decisions_df(
    key: Key, filled: Sequence[Filled], debates: Mapping[DebateKey, Contest]
) -> pd.DataFrame:
    """All verdicts on the debates of a sheet, with the columns of `Verdict`.

    Args:
        key: The sheet's key.
        filled: What people filled in.
        debates: The debates, as from `debates_of`.
    """
    rows = {row.code: row for row in key.rows}
    human = [
        _human(one.judge, decision, rows[decision.code], debates)
        for one in filled
        for decision in one.decisions
    ]
    verdicts = [
        *human,
        *_majorities(human, rows, debates),
        *(v for row in key.rows for v in _of_models(row, debates[row.debate])),
    ]
    return pd.DataFrame(verdicts, columns=list(Verdict._fields))


def _human(
    judge: str,
    decision: Decision,
    row: KeyRow,
    debates: Mapping[DebateKey, Contest],
) -> Verdict:
    answer = row.answers[decision.letter]
    return _verdict(
        judge,
        "human",
        row,
        debates[row.debate],
        answer,
        for_first_shown=float(answer == next(iter(row.answers.values()))),
        confidence=decision.confidence,
        comment=decision.comment,
    )


def _majorities(
    human: Iterable[Verdict],
    rows: Mapping[str, KeyRow],
    debates: Mapping[DebateKey, Contest],
) -> Iterator[Verdict]:
    """The answer of most people; a tie is nobody's.

    Its confidence is the mean probability that those who told one give it.
    """
    by_code: dict[str, list[Verdict]] = {}
    for verdict in human:
        by_code.setdefault(verdict.code, []).append(verdict)
    for code, verdicts in by_code.items():
        answer = majority(Parsed.ok(str(v.answer)) for v in verdicts).answer
        if answer is None:
            continue
        told = [
            v.confidence if v.answer == answer else 1 - v.confidence
            for v in verdicts
            if not math.isnan(v.confidence)
        ]
        row = rows[code]
        yield _verdict(
            MAJORITY,
            "majority",
            row,
            debates[row.debate],
            answer,
            confidence=sum(told) / len(told) if told else math.nan,
        )


def _of_models(row: KeyRow, debate: Contest) -> Iterator[Verdict]:
    """The log's own judges. One that was turned round by the order has no answer.

    A judge is left out of debates on which none of its verdicts could be read.
    """
    record = debate.record
    names = _names(record)
    given = list(verdict_rows(debate.held))
    for judge in judges_of(record):
        firsts = [g["first"] for g in given if g["judge"] == judge and g["answer"]]
        if not firsts:
            continue
        yield _verdict(
            names[judge],
            "model",
            row,
            debate,
            outcome(record, judge=judge).answer,
            for_first_shown=sum(firsts) / len(firsts),
        )


def _names(record: DebateRecord) -> dict[str, str]:
    """Judges by the model, and by their seat where a model sits in several."""
    models = {judge: record.participant(judge).model for judge in judges_of(record)}
    return {
        judge: model if [*models.values()].count(model) == 1 else f"{model} ({judge})"
        for judge, model in models.items()
    }


def _verdict(
    judge: str,
    kind: Kind,
    row: KeyRow,
    debate: Contest,
    answer: str | None,
    **told: Any,
) -> Verdict:
    def among(answers: Collection[str]) -> float:
        known = answer is not None and answers
        return float(answer in answers) if known else math.nan

    facts: dict[str, Any] = {
        "for_first_shown": math.nan,
        "confidence": math.nan,
        "comment": "",
    }
    return Verdict(
        judge=judge,
        kind=kind,
        code=row.code,
        log=row.log,
        run=row.run,
        id=row.id,
        epoch=row.epoch,
        input_group=debate.question,
        answer=answer,
        first_answer=among(debate.answers[:1]),
        correct=among(debate.accepted),
        **facts | told,
    )
