"""How often each arm is right: the headline table, and by severity."""

import re
from collections.abc import Iterator

import pandas as pd

from inspect_debate.metrics.abstention import Answered
from inspect_debate.reports.elements import COUNT, PERCENT, Cell, Format, Table
from inspect_debate.reports.srdcr.frames import MEASURES
from inspect_debate.reports.srdcr.shown import STRATA, by_model, model_title, share_of
from inspect_debate.reports.srdcr.study import (
    ARMS,
    DOMAINS,
    OFFSETS,
    SEVERITIES,
    titled,
)
from inspect_debate.reports.srdcr.tables import (
    ARM,
    CLUSTERED,
    HALF_TITLES,
    MODEL,
    Rows,
    in_halves,
    rows_of,
    with_ends,
)

ABSTAIN = "Always abstaining"

_SHARES = (
    *("Standard", "Perturbed", "Overall"),
    *("Coverage", "Selective", "Normalised"),
)
_ALL = "All"
_REUSED = "Without the answers, which are those of an earlier run."


def accuracy_table(answers: pd.DataFrame) -> Table:
    """Every arm of every model in both halves and overall, with what it took.

    Args:
        answers: As from `answers_of`.
    """
    rows: list[dict[str, object]] = []
    marks = {}
    for model, of_model in by_model(answers).items():
        for of in rows_of(of_model):
            if of.is_own and of.reuses:
                marks[Cell(len(rows), "Calls")] = _REUSED
            rows.append(_row(of))
        rows.append(_abstaining(model_title(model)))
    return Table(
        name="accuracy",
        title="Accuracy with right and with perturbed passages",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            **dict.fromkeys(_SHARES, PERCENT),
            "Calls": Format(1),
            **dict.fromkeys(["Tokens", "Samples", "Not scored"], COUNT),
        },
        marks=marks,
        note="Percent; strict exact match. Standard: the passage is right; perturbed: "
        "it is not; overall: the mean of the two, as are coverage (answers that are no "
        "abstention) and normalised (spelling, numbers and times by what they say); "
        "selective: right among all answers of both halves. An abstention is not "
        "right. Without looking: never following the passage is the prior answer, "
        "always following it is few-shot. Golden knows which passages are right. Calls "
        "and tokens: mean of a sample in the arm's own runs, with the further answers "
        "for confidence and recall; arms taken from another run cost nothing beside it."
        " Samples: scored ones; not scored: an answer or verdict could not be read. "
        f"{CLUSTERED}",
    )


def severity_tables(answers: pd.DataFrame) -> Iterator[Table]:
    """Accuracy with perturbed passages by severity, and of dates by offset.

    Args:
        answers: As from `answers_of`.
    """
    perturbed = answers[answers["severity"] > 0]
    if perturbed.empty:
        return
    strata = {n: f"Severity {n}" for n in SEVERITIES}
    yield Table(
        name="severity",
        title="Accuracy with perturbed passages by severity",
        frame=pd.DataFrame(_by_stratum(perturbed, perturbed["severity"], strata)),
        groups=MODEL,
        formats=dict.fromkeys([*strata.values(), _ALL], PERCENT),
        note="Percent; strict; an abstention is not right. Severity 1 to 5: dates "
        f"shifted by {', '.join(map(str, OFFSETS))} years; values times 0.8 or 1.2, "
        "1.5, 0.4 or 2, 0.2 or 3, and 0.1, 5 or 10; names and places slightly (1), "
        f"significantly (3) and comically (5) wrong. {STRATA} {CLUSTERED}",
    )
    years = perturbed[perturbed["offset"].abs().isin(OFFSETS)]
    if years.empty:
        return
    offsets = {n: f"{n} years" for n in OFFSETS}
    yield Table(
        name="offsets",
        title="Accuracy with perturbed dates by offset",
        frame=pd.DataFrame(_by_stratum(years, years["offset"].abs(), offsets)),
        groups=MODEL,
        formats=dict.fromkeys([*offsets.values(), _ALL], PERCENT),
        note=f"As above, of the domain {DOMAINS['years']} alone, whose severities are "
        "the paper's; shifts to either side.",
    )


def strata_table(answers: pd.DataFrame) -> Table:
    """How many samples each model has of a domain, with right and wrong passages.

    Args:
        answers: As from `answers_of`.
    """
    samples = answers.drop_duplicates(["model", "sample", "epoch"])
    rows = []
    for model, of_model in by_model(samples).items():
        for domain, title in DOMAINS.items():
            of = of_model[of_model["domain"] == domain]
            if of.empty:
                continue
            counts = of["severity"].value_counts()
            rows.append(
                {
                    MODEL: model_title(model),
                    "Domain": title,
                    HALF_TITLES["standard"]: int((of["half"] == "standard").sum()),
                    HALF_TITLES["perturbed"]: int((of["half"] == "perturbed").sum()),
                    **{f"Severity {n}": int(counts.get(n, 0)) for n in SEVERITIES},
                }
            )
    return Table(
        name="strata",
        title="Samples by domain and severity",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        note="Samples and epochs with an answer of any arm.",
    )


def _row(of: Rows) -> dict[str, object]:
    strict, normalised = in_halves(of.answers), in_halves(of.answers, "normalised")
    overall = strict.overall
    scored = of.answers["strict"].notna()
    return {
        **of.named,
        **with_ends("Standard", strict.standard.accuracy),
        **with_ends("Perturbed", strict.perturbed.accuracy),
        **with_ends("Overall", overall.accuracy),
        "Coverage": overall.coverage.value,
        **with_ends("Selective", overall.selective),
        "Normalised": normalised.overall.accuracy.value,
        "Calls": of.answers["calls"].mean() if of.is_own else None,
        "Tokens": of.answers["tokens"].mean() if of.is_own else None,
        "Samples": int(scored.sum()),
        "Not scored": int((~scored).sum()),
    }


def _abstaining(model: object) -> dict[str, object]:
    nothing = ("Standard", "Perturbed", "Overall", "Coverage", "Normalised")
    return {MODEL: model, ARM: ABSTAIN, **dict.fromkeys(nothing, 0.0)}


def _by_stratum(
    answers: pd.DataFrame, stratum: "pd.Series[float]", names: dict[int, str]
) -> Iterator[dict[str, object]]:
    for of in rows_of(answers.assign(stratum=stratum)):
        row = of.named
        for number, name in names.items():
            part = of.answers[of.answers["stratum"] == number]
            row |= with_ends(name, share_of(part, "strict"))
        row |= with_ends(_ALL, share_of(of.answers, "strict"))
        yield row | {"Samples": int(of.answers["strict"].notna().sum())}


# What arms abstain on, and what that spares them.

_HALVES = (*HALF_TITLES.values(), "Overall")


def abstention_table(answers: pd.DataFrame) -> Table | None:
    """Accuracy, coverage and selective accuracy of the arms that abstain, by half.

    Args:
        answers: As from `answers_of`.

    Returns:
        The table; None where nothing abstained.
    """
    rows = [
        row
        for of in rows_of(answers)
        if (of.answers["answered"] == 0).any()
        for row in _by_half(of)
    ]
    if not rows:
        return None
    return Table(
        name="abstention",
        title="Abstentions",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys(
            ["Accuracy", "Coverage", "Selective", *_SPARED.values()], PERCENT
        ),
        note="Percent; strict. Accuracy counts an abstention as not right, coverage is "
        "the share of answers, selective accuracy the share of right ones among them; "
        "none of the three says enough alone. The other columns: share of the "
        "abstentions where the prior or the contextual answer would have been right, "
        f"or neither. {CLUSTERED}",
    )


_SPARED = {
    "prior": "Prior was right",
    "contextual": "Passage's was right",
    "neither": "Neither was",
}


def _by_half(of: Rows) -> list[dict[str, object]]:
    found = in_halves(of.answers)
    return [
        {
            **of.named,
            "Half": title,
            **_measured(measures),
            **_spared(of.answers, half),
        }
        for half, title, measures in zip(
            (*HALF_TITLES, None), _HALVES, found, strict=True
        )
    ]


def _measured(found: Answered) -> dict[str, float]:
    return {
        **with_ends("Accuracy", found.accuracy),
        **with_ends("Coverage", found.coverage),
        **with_ends("Selective", found.selective),
    }


def _spared(answers: pd.DataFrame, half: str | None) -> dict[str, float]:
    """What the abstentions of a half, or of both together, would have been else."""
    here = answers if half is None else answers[answers["half"] == half]
    silent = here[here["answered"] == 0]
    prior, contextual = silent["strict_prior"] == 1, silent["strict_few_shot"] == 1
    shares = {
        "prior": prior,
        "contextual": contextual,
        "neither": ~(prior | contextual),
    }
    counts = {_SPARED[name]: which.mean() for name, which in shares.items()}
    return {"Abstentions": len(silent), **counts}


# What each judge, and each order of showing, would have decided alone.

_APART = re.compile(
    r"strict_(?P<arm>srdcr|acvd_only|judge_debate_\d+)_(?P<which>judge_\d+|ab|ba)"
)
_ORDERS = {"ab": "passage's answer first", "ba": "prior answer first"}


def panel_table(items: pd.DataFrame) -> Table | None:
    """Accuracy by the verdicts of one judge, or in one order, alone.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None where there was one judge and one order.
    """
    rows = [
        row
        for model, of_model in by_model(items).items()
        for (_, details), of in of_model.groupby(["condition", "details"], sort=False)
        for row in _apart(model_title(model), str(details), of)
    ]
    if not rows:
        return None
    return Table(
        name="panel",
        title="What each judge, or each order, would decide alone",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats=dict.fromkeys([*HALF_TITLES.values(), "Overall", "Coverage"], PERCENT),
        note="Percent; strict; an abstention is not right. The arms themselves take "
        "the verdict of most judges and orders; where a tie leaves none, each answer "
        f"of Judge Debate counts half, and SR-DCR is not scored. {CLUSTERED}",
    )


def _apart(
    model: str, details: str, items: pd.DataFrame
) -> Iterator[dict[str, object]]:
    for name in map(str, items.columns):
        found = _APART.fullmatch(name)
        if found is None or items[name].isna().all():
            continue
        alone = name.removeprefix("strict_")
        answers = items[["half", "question_id"]].assign(
            **{measure: items[f"{measure}_{alone}"] for measure in MEASURES}
        )
        halves = in_halves(answers)
        yield {
            MODEL: model,
            ARM: titled(ARMS[found["arm"]], details),
            "Verdicts": _told(found["which"], items),
            **with_ends("Standard", halves.standard.accuracy),
            **with_ends("Perturbed", halves.perturbed.accuracy),
            **with_ends("Overall", halves.overall.accuracy),
            "Coverage": halves.overall.coverage.value,
            "Samples": int(answers["strict"].notna().sum()),
        }


def _told(which: str, items: pd.DataFrame) -> str:
    """An order in words, or a judge with its model, where it is known."""
    if which in _ORDERS:
        return _ORDERS[which]
    models = items["models"].iloc[0]
    return f"{which.replace('_', ' ')} ({models[which]})" if which in models else which
