"""Invented scores of SR-DCR runs, and what the report shows of them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import pandas as pd

from inspect_debate.v1.debate.participants import ROLES
from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.reports.calls import Calls
from inspect_debate.v1.reports.elements import Figure, Item, Table
from inspect_debate.v1.reports.srdcr.measures import Data
from inspect_debate.v1.reports.srdcr.report import REPORT
from inspect_debate.v1.reports.srdcr.rows import (
    DEFAULTS,
    VERSIONS,
    conditions,
    items_of,
)
from tests.v1.reports import reported

NONE = float("nan")
MODEL = "openai/gpt-4o-2024-08-06"
OTHER = "acme/other"

Kind = Literal["right", "passage", "other"]
"""An answer: the right one, that of a wrong passage, or none of them."""

ROUNDS = 3
"""Of the debates; they pass for the six of the study, to be worked out by hand."""

_ONE_ANSWER = ("self_ask", "rci", "naive_debate")


class Case(NamedTuple):
    """The answers and verdicts on a sample.

    Attributes:
        question: Its question.
        severity: 0 with the right passage, else 1 to 5.
        prior: The prior answer; None where it was not read.
        contextual: The answer with the passage.
        verdicts: After each round: 1 reasonable, 0 not, NaN not read.
        confidence: In the prior answer.
        contextual_confidence: In the contextual answer.
        recall: The share of right recalls; NaN where none was asked for.
        own: The answer of the protocol, where it is none of the two.
        offset: In years.
        debated: Whether equal answers were debated, too.
    """

    question: str
    severity: int
    prior: Kind | None = "right"
    contextual: Kind | None = "right"
    verdicts: Sequence[float] = (1, 1, 1)
    confidence: float = 0.95
    contextual_confidence: float = 0.8
    recall: float = NONE
    own: Kind | None = None
    offset: float = NONE
    debated: bool = True


def scores(
    protocol: str,
    cases: Iterable[Case],
    *,
    run: str = "",
    model: str = MODEL,
    domain: str = "drugs",
    **columns: Any,
) -> pd.DataFrame:
    """One row per sample.

    Args:
        protocol: The protocol that was run.
        cases: The samples.
        run: The run's id, and the name of its log; the protocol if not given.
        model: Of all seats.
        domain: Of all samples.
        **columns: Replaced or added, for all rows or by row; `parameters` are added to
            those that all have.
    """
    run = run or protocol
    made = list(cases)
    parameters = dict(DEFAULTS[protocol]) | columns.pop("parameters", {})
    common: dict[str, Any] = {
        **dict.fromkeys(ROLES, None),
        "log": f"{run}.eval",
        "run": run,
        "created": pd.Timestamp("2025-01-01"),
        "study": "srdcr",
        "task": "inspect_debate/srdcr",
        "task_version": VERSIONS[-1],
        "protocol": protocol,
        "settings": {},
        "reuse": None,
        "seed": 0,
        "prompts": load_prompts("srdcr").used().hash,
        "data": "sample",
        "debater_a": model,
        "debater_b": model,
        "judge": model,
        "epoch": 1,
        "models": {"debater_a": model, "debater_b": model, "judge": model},
        "error": None,
        "limit": None,
        "scored": True,
        "domain": domain,
    }
    rows = [common | _facts(one) | _scores(protocol, one) for one in made]
    frame = pd.DataFrame(rows)
    return frame.assign(parameters=[parameters] * len(frame), **columns)


CASES = (
    # A known answer: the passage is right, then wrong; the judge sees both.
    Case("q1", 0, "right", "right", (1, 1, 1), confidence=0.95),
    Case("q1", 2, "right", "passage", (1, 0, 0), confidence=0.95),
    # An answer that is not known: trusted rightly, then an abstention.
    Case("q2", 0, "other", "right", (0, 1, 1), confidence=0.3),
    Case("q2", 5, "other", "passage", (0, 0, 0), confidence=0.3),
    # A known answer of which the model is not sure: abstains, then is fooled.
    Case("q3", 0, "right", "right", (1, 0, 0), confidence=0.6),
    Case("q3", 1, "right", "passage", (0, 0, 1), confidence=0.6),
    # A verdict that was not read.
    Case("q4", 0, "right", "right", (1, 1, NONE), confidence=0.95),
    Case("q4", 5, "right", "right", (0, 1, 0), confidence=0.95),
)
"""Samples that the tables are worked out on by hand."""

TRUSTED = Case("q1", 0, recall=1.0)
"""All is right, and the judge says so."""

DOUBTED = Case("q1", 2, "right", "passage", (1, 0, 0), recall=1.0)
"""The passage is wrong, the prior answer right; the judge comes to see that."""

LEARNED = Case("q2", 0, "other", "right", (0, 1, 1), confidence=0.2, recall=0.1)
"""The passage is right, and SR-DCR abstains before the judge sees that."""

ABSTAINS = Case("q2", 1, "other", "passage", (1, 1, 0), confidence=0.5, recall=0.1)
"""Neither is right; SR-DCR abstains in the end."""

FOUR = (TRUSTED, DOUBTED, LEARNED, ABSTAINS)
"""Debates whose figures can be counted by hand."""

UNKNOWN = tuple(case._replace(recall=NONE) for case in FOUR)


def data(*frames: pd.DataFrame) -> Data:
    """What the report reads from runs, the later ones newer."""
    grouped = conditions(joined(*frames))
    return Data([], grouped, items_of(grouped), Calls({}, {}, []))


@cache
def worked() -> Data:
    """The data of `CASES`."""
    return data(scores("srdcr", CASES, model=OTHER))


@cache
def debates() -> Data:
    """The data of `FOUR`."""
    return data(scores("srdcr", FOUR))


def shown(data: Data, name: str) -> list[Item]:
    """What the report shows under the name of a table, a figure or a function."""
    return reported.shown(REPORT, data, name)


def table_of(data: Data, name: str) -> Table:
    """The only table of a name."""
    return reported.table_of(REPORT, data, name)


def figure_of(data: Data, name: str) -> Figure:
    """The only figure of a name."""
    return reported.figure_of(REPORT, data, name)


def notice_of(data: Data, name: str) -> str:
    """The text in place of a table or figure."""
    return reported.notice_of(REPORT, data, name)


def row(table: Table, **at: Any) -> dict[str, Any]:
    """The only row with these values."""
    return reported.row(table.frame, **at)


def joined(*frames: pd.DataFrame) -> pd.DataFrame:
    """The rows of several runs, the later ones newer."""
    dated = [
        frame.assign(created=frame["created"] + pd.Timedelta(number, "D"))
        for number, frame in enumerate(frames)
    ]
    return pd.concat(dated, ignore_index=True)


def _facts(case: Case) -> dict[str, Any]:
    half = "perturbed" if case.severity else "standard"
    return {
        "id": f"{case.question}-{half}",
        "question_id": case.question,
        "half": half,
        "severity": float(case.severity),
        "degree": str(case.severity),
        "offset": case.offset,
    }


def _scores(protocol: str, case: Case) -> dict[str, float]:
    if protocol not in _ONE_ANSWER:
        return _clash(protocol, case) | _confidence(case)
    values = _measures(case, case.own) | {"prior": NONE}
    found = {f"clash.{name}_{protocol}": value for name, value in values.items()}
    return found | {"clash.calls": 1, "clash.tokens": 50, "clash.answers_ok": 1}


def _clash(protocol: str, case: Case) -> dict[str, float]:
    values: dict[str, float] = {
        "calls": 2 + 4 * ROUNDS if protocol in ("srdcr", "acvd_only") else 2,
        "tokens": 100,
        "debated": float(case.debated and protocol in ("srdcr", "acvd_only")),
        "agree": _same(case.prior, case.contextual),
        "p_prior": case.confidence,
        "p_contextual": case.contextual_confidence,
        "answers_ok": (case.prior is not None) + (case.contextual is not None),
        "answers_unparsed": (case.prior is None) + (case.contextual is None),
    }
    conditions = _conditions(protocol, case)
    if protocol in ("srdcr", "acvd_only"):
        given = case.verdicts if case.debated else [NONE] * ROUNDS
        values |= {f"verdict_{n}": float(v) for n, v in enumerate(given)}
        values["verdicts_ok"] = sum(v == v for v in given)
        values["verdicts_unparsed"] = case.debated * sum(v != v for v in given)
    for condition, answer in conditions.items():
        values |= {f"{k}_{condition}": v for k, v in _measures(case, answer).items()}
    values["correct"] = values.get(f"strict_{protocol}", NONE)
    return {f"clash.{name}": value for name, value in values.items()}


def _conditions(protocol: str, case: Case) -> Mapping[str, Kind | str | None]:
    """What every condition of a protocol answers: a kind, `abstain`, or None."""
    prior, contextual = case.prior, case.contextual
    by_probability = case.confidence - case.contextual_confidence
    conditions: dict[str, Kind | str | None] = {
        "prior": prior,
        "few_shot": contextual,
        "golden": prior if case.severity else contextual,
        "token_prob": None
        if by_probability != by_probability
        else (prior if by_probability > 0 else contextual),
        "confidence_only": prior if case.confidence >= 0.9 else contextual,
    }
    if protocol in ("srdcr", "acvd_only"):
        last = case.verdicts[-1] if case.debated else 1.0
        gated = prior if case.confidence >= 0.9 else "abstain"
        for condition, otherwise in (("acvd_only", prior), ("srdcr", gated)):
            conditions[condition] = (
                None if last != last else (contextual if last else otherwise)
            )
    if protocol == "judge_debate":
        conditions |= {f"judge_debate_{n}": case.own for n in (1, 3, 5)}
    return conditions


def _measures(case: Case, answer: Kind | str | None) -> dict[str, float]:
    if answer is None:
        return dict.fromkeys(
            ("strict", "normalised", "answered", "context", "prior"), NONE
        )
    given = answer != "abstain"
    right = float(answer == "right")
    from_passage = answer == ("passage" if case.severity else "right")
    return {
        "strict": right,
        "normalised": right,
        "answered": float(given),
        "context": float(given and from_passage),
        "prior": _same(case.prior, answer) if case.prior else NONE,
    }


def _same(one: str | None, other: str | None) -> float:
    return NONE if one is None or other is None else float(one == other)


def _confidence(case: Case) -> dict[str, float]:
    right = NONE if case.prior is None else float(case.prior == "right")
    values = {
        "confidence": case.confidence,
        "contextual_confidence": case.contextual_confidence,
        "confidence_logprobs": case.confidence,
        "confidence_consistency": NONE,
        "source": 1.0,
        "confident": float(case.confidence >= 0.9),
        "tokens_ok": 1.0,
        "recall_strict": case.recall,
        "tier": _tier(case.recall),
        "tier_normalised": _tier(case.recall),
        "prior_strict": right,
        "prior_normalised": right,
        "calls": 99.0,  # both scorers have the common keys
    }
    return {f"self_confidence.{name}": value for name, value in values.items()}


def _tier(recall: float) -> float:
    if recall != recall:
        return NONE
    return float((recall > 0) + (recall >= 0.3) + (recall >= 0.85))
