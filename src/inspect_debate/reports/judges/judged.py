"""Logs in which people are the judges, as if they had been bound to the role.

What debaters said is used again, as with `-T reuse=LOG`; beliefs and verdicts are those
of a person, whose model is called `human/NAME`.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from math import isnan
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalStats,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import ModelConfig, ModelOutput, ModelUsage
from inspect_ai.scorer import Scorer
from inspect_ai.util import Store

from inspect_debate.debate.conversation import (
    conversation,
    ending,
    item_message,
    outcome_card,
)
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.participants import PERSON
from inspect_debate.debate.paths import AnyPath
from inspect_debate.debate.probabilities import QUESTION_ALONE
from inspect_debate.debate.record import (
    PROBABILITY_OF,
    DebateRecord,
    Parsed,
    Participant,
    Turn,
    write_record,
)
from inspect_debate.debate.rendering import as_shown
from inspect_debate.debate.reuse import reused_turns
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.reports.debates import state_of
from inspect_debate.reports.judges.sheet import KeyRow
from inspect_debate.reports.judges.sheet_text import Contest
from inspect_debate.reports.judges.steps import Belief, Decision
from inspect_debate.reports.logs import Log
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.challenges import challenges
from inspect_debate.scorers.common import rescored
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.jury import jury
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers.bet_records import speech_of

JUDGE = "judge"
"""The participant that a person is."""

_SCORERS: Mapping[str, Callable[[], Scorer]] = {
    "error_detection": error_detection,
    "question_answering": question_answering,
    "debate_process": debate_process,
    "challenges": challenges,
    "bets": bets,
    "jury": jury,
}
"""The scorers of debates between two answers that need no model."""


def judged_by(
    judge: str, decision: Decision, row: KeyRow, contest: Contest
) -> DebateRecord:
    """The record of a debate with a person in the place of its judges.

    Args:
        judge: The person.
        decision: What the person decided, and believed before.
        row: What the letters of the sheet mean.
        contest: The debate.
    """
    record = contest.record
    turns = reused_turns(record, "debate")
    for belief in sorted(decision.beliefs, reverse=True):
        at = [n for n, t in enumerate(turns, start=1) if _heard(t) <= belief.round]
        turns.insert(max(at, default=0), _turn(judge, belief, row, contest))
    turns.append(_turn(judge, decision, row, contest))
    spoke = {turn.participant for turn in turns}
    others = [
        p
        for p in record.participants
        if p.id != JUDGE and (p.role != "judge" or p.id in spoke)
    ]
    person = Participant(id=JUDGE, role="judge", name="Judge", model=PERSON + judge)
    return record.model_copy(
        update={
            "participants": (*others, person),
            "parameters": _once(record.parameters),
            "turns": tuple(turns),
            "reused_from": row.run,
        }
    )


def _once(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A run's parameters for a judge who decides once, in one order."""
    other = {"order": "ab"} if parameters.get("order") == "both" else {}
    passes = {"jury_passes": 1} if "jury_passes" in parameters else {}
    return {**parameters, **other, **passes}


def _heard(turn: Turn) -> int:
    """The round with which a turn is heard; what a judge asks is heard in the next."""
    return turn.round + (turn.role == "judge")


def _turn(judge: str, said: Belief | Decision, row: KeyRow, contest: Contest) -> Turn:
    """A belief, or the verdict, as a model's would be recorded."""
    belief = isinstance(said, Belief)
    fields = {"answer": Parsed.ok(row.answers[said.letter])}
    if not isnan(said.confidence):
        other = round(1 - said.confidence, 6)
        # Jurors of debates with bets state a confidence in percent.
        if not belief and contest.record.aggregation == "confidence":
            fields["confidence"] = Parsed.ok(100 * said.confidence)
        else:
            fields |= {
                PROBABILITY_OF + answer: Parsed.ok(p)
                for letter, answer in row.answers.items()
                for p in [said.confidence if letter == said.letter else other]
            }
    after = said.round if isinstance(said, Belief) else 0
    return Turn(
        participant=JUDGE,
        role="judge",
        kind="belief" if belief else "verdict",
        round=max(after, 0),
        model=PERSON + judge,
        served=PERSON + judge,
        public=as_shown(said.comment),
        fields=fields,
        order=row.order,
        listed_first=next(iter(row.answers.values())),
        shown_first=row.shown_first if len(contest.speakers) == 2 else None,
        about=QUESTION_ALONE if after < 0 else None,
        stop_reason="stop",
        usage=ModelUsage(),
        seconds=said.seconds,
        calls=0,
    )


def write_judged(
    log: Log,
    judge: str,
    records: Mapping[tuple[str, int], DebateRecord],
    folder: AnyPath,
) -> AnyPath:
    """Write the log of a person's judgements on the debates of a run.

    It is a run of its own, with the samples that the person judged to the end, scored
    as the run was as far as that takes no model.

    Args:
        log: The run's log.
        judge: The person.
        records: The records, as from `judged_by`, by the samples' ids and epochs.
        folder: Where it is written.

    Returns:
        The log: `LOG_human_NAME.eval`.
    """
    read = [
        read_eval_log(str(path), exclude_fields={"events"}, resolve_attachments="full")
        for path in log.paths
    ]
    samples = [
        _sample(sample, record)
        for part in read
        for sample in part.samples or []
        if (record := records.get((str(sample.id), sample.epoch)))
    ]
    spec, now = log.header.eval, datetime.now(UTC).isoformat(timespec="seconds")
    scorers = _scorers([scorer.name for scorer in spec.scorers or []])
    headline = spec.headline_metric
    ids = {
        name: fingerprint(name, spec.eval_id, judge)
        for name in ("eval_id", "run_id", "task_id")
    }
    known = dict(spec.metadata or {})
    reuse = {"reuse": log.path.name, "reuse_until": "debate"}
    known["parameters"] = _once(known.get("parameters") or {}) | reuse
    named = [*dict.fromkeys(sample.id for sample in samples)]
    data = {"samples": len(named), "sample_ids": named}
    header = spec.model_copy(
        update={
            **ids,
            "created": now,
            "metadata": known,
            "headline_metric": headline
            if headline and headline.scorer in scorers
            else None,
            "dataset": spec.dataset.model_copy(update=data),
            "model_roles": {
                **log.roles,
                # Of the provider without models, as `inspect score` makes all of them.
                "judge": [ModelConfig(model=f"none/{PERSON}{judge}")],
            },
        }
    )
    new = EvalLog(
        status="success",
        # Else Inspect would make the run's models, for which keys may be missing here.
        eval=header.model_copy(update={"model_roles": None}),
        plan=log.header.plan,
        stats=EvalStats(started_at=now, completed_at=now),
        samples=samples,
    )
    scored = rescored(new, [make() for make in scorers.values()], "none/none")
    scored.eval = header.model_copy(update={"scorers": scored.eval.scorers})
    path = folder / f"{log.path.stem}_human_{judge}.eval"
    write_eval_log(scored, str(path))
    return path


def _scorers(names: Iterable[str]) -> dict[str, Callable[[], Scorer]]:
    """Those of a run's scorers that need no model, or else that of questions."""
    found = {n: _SCORERS[n] for name in names if (n := _bare(name)) in _SCORERS}
    return found or {"question_answering": question_answering}


def _bare(name: str) -> str:
    return name.rpartition("/")[2]


def _sample(sample: EvalSample, record: DebateRecord) -> EvalSample:
    """A sample with another record, laid out for reading as after a run."""
    store = Store(sample.store)
    write_record(store, record)
    speech = speech_of if record.study == "confidence" else None
    seconds = sum(turn.seconds for turn in record.turns if not turn.reused)
    decided = outcome(record)
    return EvalSample(
        id=sample.id,
        epoch=sample.epoch,
        input=sample.input,
        choices=sample.choices,
        target=sample.target,
        metadata=sample.metadata,
        messages=[
            item_message(state_of(sample), record),
            *conversation(record, speech),
            ending(outcome_card(record)),
        ],
        output=ModelOutput.from_content(
            model=record.protocol, content=decided.answer or f"({decided.status})"
        ),
        store=dict(store.items()),
        total_time=seconds,
        working_time=seconds,
    )
