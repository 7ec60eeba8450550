"""What the conditions of the SR-DCR study decide: to abstain, passage or memory."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import matplotlib.figure
import numpy as np
import pandas as pd

from inspect_debate.v1.metrics.calibration import area_under, excess_area, risk_coverage
from inspect_debate.v1.metrics.knowledge import Biases, biases, passage_alone
from inspect_debate.v1.metrics.transitions import settling_round
from inspect_debate.v1.reports.comparisons import SEED
from inspect_debate.v1.reports.drawing import Curve, curve_panels, histogram_panels
from inspect_debate.v1.reports.elements import PERCENT, Column, Figure, Format, Notice
from inspect_debate.v1.reports.srdcr.accuracy import HOLLOW, printed_half
from inspect_debate.v1.reports.srdcr.measures import (
    ABSTENTIONS,
    ACCURACIES,
    BY,
    CLUSTERED,
    HALF_TITLES,
    JUDGE_RUN,
    RECALL_RUN,
    SAMPLES,
    SEVERITY_AXIS,
    SEVERITY_PLACES,
    SRDCR_RUN,
    Data,
    Rows,
    arranged,
    by_half,
    each_sample,
    joined,
    lines,
    needs,
    of_half,
    on_samples,
    perturbed,
    samples_in,
    share_of,
    shared,
    sizes,
    the_share,
    with_value,
)
from inspect_debate.v1.reports.srdcr.rows import (
    CONDITIONS,
    DEBATES,
    JUDGE_DEBATES,
    MEASURES,
    OFFSETS,
    SEVERITIES,
    TIERS,
    stacked,
    titled,
)
from inspect_debate.v1.reports.views import (
    Columns,
    Measure,
    Panels,
    Part,
    View,
    across,
    known,
)

# Abstention.


def _that_abstain(data: Data) -> pd.DataFrame:
    least = data.answers.groupby("place")["answered"].transform("min")
    return by_half(data.answers[least == 0])


def _abstention(rows: pd.DataFrame) -> dict[Column, object]:
    found, silent = of_half(rows), rows[rows["answered"] == 0]
    prior, contextual = silent["strict_prior"] == 1, silent["strict_few_shot"] == 1
    return {
        "Accuracy": found.accuracy,
        "Coverage": found.coverage,
        "Selective": found.selective,
        "Abstentions": len(silent),
        "Prior was right": prior.mean(),
        "Passage's was right": contextual.mean(),
        "Neither was": (~(prior | contextual)).mean(),
    }


_PERCENTS = ("Accuracy", "Coverage", "Selective", "Prior was right")

ABSTENTION = View[Data](
    "abstention",
    "Abstentions",
    _that_abstain,
    {**BY, "Half": "Half"},
    [
        Columns(
            _abstention,
            dict.fromkeys((*_PERCENTS, "Passage's was right", "Neither was"), PERCENT),
        )
    ],
    note="The last columns are shares of the abstentions: whether the prior or the "
    f"contextual answer would have been right, or neither. {CLUSTERED}",
)

_CONFIDENCES = {
    "prior": ["confidence"],
    "few_shot": ["contextual_confidence"],
    "token_prob": ["p_prior", "p_contextual"],
}


def ranked(data: Data) -> pd.DataFrame:
    """The conditions that have a confidence, with it as `ranked`, without abstentions.

    The prior and the contextual answer are ranked by the confidence in each, token
    probability by the higher of both, the debate alone by that in the answer it gives.
    SR-DCR over all thresholds answers what the judge finds reasonable at once, and the
    rest by the confidence in the prior answer.
    """
    parts = []
    for key, columns in _CONFIDENCES.items():
        rows = data.answers[data.answers["key"] == key]
        confidence = rows[columns].max(axis=1, skipna=False)
        named = rows.assign(Condition=CONDITIONS[key], ranked=confidence)
        parts.append(named.drop_duplicates(["model", "sample", "epoch", "variant"]))
    last = data.rounds[data.rounds["key"] == "acvd_only"].sort_values("round")
    item = ["model", "sample", "epoch", "variant"]
    last = last.drop_duplicates(item, keep="last")
    trusted, prior = last["verdict"] == 1, last["confidence"]
    # The two can be ranked together only on one scale.
    given = last["p_contextual"].where(trusted, last["p_prior"])
    # What is trusted comes before all that has a confidence, which is at most 1.
    gate = prior.mask(trusted, 2.0).where(prior.notna())
    over_all = [titled(_OVER_ALL, variant) for variant in last["variant"]]
    both = [last.assign(ranked=given), last.assign(Condition=over_all, ranked=gate)]
    parts.append(pd.concat(both).sort_values("place", kind="stable"))
    return pd.concat(parts, ignore_index=True).dropna(subset="ranked")


_OVER_ALL, _AS_IT_IS = "SR-DCR over all thresholds", "SR-DCR as it is"

RISK = View[Data](
    "risk_coverage",
    "Area under the risk-coverage curve",
    lambda data: shared(ranked(data)),
    BY,
    [
        Measure("Samples", len),
        Measure("Wrong", lambda rows: 1 - rows["strict"].mean(), PERCENT),
        Measure(
            "Area",
            lambda rows: area_under(risk_coverage(rows["ranked"], rows["strict"])),
            Format(3),
        ),
        Measure(
            "Above the least",
            lambda rows: excess_area(rows["ranked"], rows["strict"]),
            Format(3),
        ),
    ],
    note="On the samples that all conditions of a model have; an uninformative "
    "confidence has the share of wrong answers as area. Above the least: the area "
    "above that of an order with all right answers first.",
    folded=True,
)


def risk_figures(data: Data) -> Iterator[Figure | Notice]:
    """Risk over coverage, a figure for each model."""
    as_it_is = data.answers[data.answers["key"] == "srdcr"]
    names = [titled(_AS_IT_IS, variant) for variant in as_it_is["variant"]]
    rows = shared(pd.concat([ranked(data), as_it_is.assign(Condition=names)]))
    number = 0
    for model, of in rows.groupby("Model", sort=False):
        if of.get("ranked", pd.Series(dtype=float)).notna().any():
            number += 1
            yield _risk_figure(number, str(model), of)
    if not number:
        text = needs("The risk-coverage curve needs a confidence", SRDCR_RUN)
        yield Notice(text, "info")


def _risk_figure(number: int, model: str, rows: pd.DataFrame) -> Figure:
    curves = {}
    for name, of in rows.groupby("Condition", sort=False):
        if of["ranked"].notna().all():
            curve = risk_coverage(of["ranked"], of["strict"])
            # Steps: the risk of the next point holds up to it.
            edges = np.concatenate([[0.0], np.repeat(curve.coverage, 2)[:-1]])
            steps = Curve(edges, np.repeat(curve.risk, 2))
            curves[f"{name} ({area_under(curve):.3f})"] = steps
        else:
            answered = of["answered"] == 1
            wrong = 1 - of["strict"][answered].mean()
            curves[str(name)] = Curve(np.array([answered.mean()]), np.array([wrong]))
    return Figure(
        name=f"figure_risk_{number}",
        title=f"Risk over coverage, {model}",
        figure=curve_panels(
            {samples_in(rows): curves},
            label="risk: wrong among answered (%)",
            x_label="coverage: answered (%)",
            size=(6.0, 3.0),
        ),
        alt="Share of wrong answers among those given with most confidence over the "
        f"share given: {', '.join(curves)}.",
        note=f"{on_samples()(rows)} A curve answers the items with the highest "
        "confidence first, and its area is in brackets; the mark is SR-DCR with its "
        "own threshold.",
    )


# Passage or memory: whose answer is given.


def _one_right(rows: pd.DataFrame) -> Biases:
    """ClashEval's measures: where exactly one of prior and passage is right."""
    standard = (rows["half"] == "standard").astype(float)
    # Whether two answers are the same goes by what they say, so right does, too.
    return biases(
        passage_alone(rows["normalised_prior"], standard, rows["context_prior"]),
        rows["question_id"],
        correct=rows["normalised"],
        from_passage=rows["context"],
        from_prior=rows["prior"],
        seed=SEED,
    )


_BIASES = ("Accuracy", "Context bias", "Prior bias")


def _biases(rows: pd.DataFrame) -> dict[Column, object]:
    cells: dict[Column, object] = {}
    for name, found in zip(_BIASES, _one_right(rows), strict=True):
        cells |= {name: found, f"{name}: n": found.n}
    return cells


BIASES = View[Data](
    "biases",
    "Context bias and prior bias",
    lambda data: data.answers,
    BY,
    [Columns(_biases, dict.fromkeys(_BIASES, PERCENT))],
    note="Percent, with intervals of a bootstrap of questions. Self-Ask, RCI and Naive "
    "Debate ask for no prior answer and are compared with that of the model's newest "
    "run; whether they repeat it is not known.",
    keep=lambda rows: bool(_one_right(rows).accuracy.n),
)

AGREEMENT = View[Data](
    "agreement",
    "Prior and contextual answer say the same",
    lambda data: arranged(
        each_sample(data.answers[data.answers["agree"].notna()]),
        *("half", "Half", HALF_TITLES),
    ),
    {"Model": "Model", "Half": "Half"},
    [Measure("Agree", the_share("agree"), PERCENT), Measure("Samples", len)],
    note=f"Percent of the samples whose two answers could both be read. {CLUSTERED}",
    heads=False,
)


CONTESTED = View[Data](
    "contested",
    "Accuracy where prior and contextual answer differ",
    lambda data: data.answers[data.answers["agree"] == 0],
    BY,
    [ACCURACIES, SAMPLES],
    note=f"{ABSTENTIONS} {CLUSTERED}",
)


def _given(data: Data) -> pd.DataFrame:
    """Answers to perturbed passages, twice: whether the passage's, and the prior."""
    rows = data.answers
    rows = rows[(rows["severity"] > 0) & rows["context"].notna()]
    has_prior = rows["prior"].notna().groupby(rows["place"]).transform("any")
    parts = {"Passage's": rows["context"].notna(), "Prior": has_prior.astype(bool)}
    found = stacked(rows, "Given", parts)
    from_passage = found["Given"] == "Passage's"
    return found.assign(value=found["context"].where(from_passage, found["prior"]))


def _preference(
    name: str, rows: Callable[[Data], pd.DataFrame], names: Mapping[Any, str]
) -> View[Data]:
    return View(
        f"preference_{name}",
        f"Whose answer is given with perturbed passages, by {name}",
        rows,
        {**BY, "Given": "Given"},
        [
            Measure("All", the_share("value"), PERCENT),
            *across(name, names, the_share("value"), PERCENT),
            Measure("Samples", known("value")),
        ],
        note="Percent of the answers and abstentions; other answers are neither, equal "
        f"answers both. {CLUSTERED}",
        folded=True,
    )


PREFERENCE_BY_SEVERITY = _preference(
    "severity", _given, {n: f"Severity {n}" for n in SEVERITIES}
)
PREFERENCE_BY_TIER = _preference(
    "tier",
    lambda data: (rows := _given(data))[rows["tier"].notna()],
    dict(enumerate(TIERS)),
)

GIVEN: Mapping[str, Rows] = {
    "the passage's answer": the_share("context"),
    "the prior answer": the_share("prior"),
    "none (it abstains)": the_share("abstained"),
}
_BY_DEFINITION = ("prior", "golden")
_GIVEN_NOTE = (
    "Where the prior answer is the passage's it counts for both; other answers count "
    "for neither."
)
_TIER_PLACES = {n: tier.removesuffix(" known").lower() for n, tier in enumerate(TIERS)}


def _with_abstentions(rows: pd.DataFrame) -> pd.DataFrame:
    """Perturbed samples with `abstained`, for conditions that abstain at all."""
    rows = perturbed(rows)
    abstained = 1 - rows["answered"]
    ever = abstained.groupby(rows["place"]).transform("max") > 0
    titles = zip(rows["Model"], rows["Condition"], strict=True)
    panels = [f"{model}: {condition}" for model, condition in titles]
    return rows.assign(abstained=abstained.where(ever), Panel=panels)


def _with_tiers(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers to questions whose tier is known from any run of the model."""
    tier = answers.groupby(["model", "sample"])["tier"].transform("first")
    return answers.assign(tier=tier)[tier.notna()]


def _choosing(answers: pd.DataFrame) -> pd.DataFrame:
    """Conditions that choose whose answer to give, on the same perturbed samples."""
    free = answers[~answers["key"].isin(_BY_DEFINITION)]
    return _with_abstentions(shared(perturbed(free)))


_BY_ROUND = lines(
    "figure_preference_rounds",
    "Whose answer is given, by round of SR-DCR's debate",
    lambda data: _with_abstentions(data.rounds),
    x="round",
    panel="Panel",
    values=GIVEN,
    label="decisions (%)",
    x_label="round (0: opening speeches)",
    note=lambda rows: (
        f"{_GIVEN_NOTE} Of the rounds whose verdict could be read, in "
        f"{sizes(rows, 'Panel')}."
    ),
    missing=needs(
        "Whose answer is given by round needs debates on perturbed passages", SRDCR_RUN
    ),
)
_BY_SEVERITY = replace(
    _BY_ROUND,
    name="figure_preference_severity",
    title="Whose answer is given, by severity",
    rows=lambda data: _choosing(data.answers),
    x="severity",
    panel="Condition",
    each="Model",
    label="answers (%)",
    x_label=SEVERITY_AXIS,
    places=SEVERITY_PLACES,
    note=on_samples(_GIVEN_NOTE),
    missing=needs(
        "Whose answer is given by severity needs answers on perturbed passages",
        SRDCR_RUN,
    ),
)
_BY_TIER = replace(
    _BY_SEVERITY,
    name="figure_preference_tiers",
    title="Whose answer is given, by knowledge",
    rows=lambda data: _choosing(_with_tiers(data.answers)),
    x="tier",
    x_label="how well the right answer is known without the passage",
    places=_TIER_PLACES,
    missing=needs(
        "Whose answer is given by knowledge needs recall on perturbed passages",
        RECALL_RUN,
    ),
)
PREFERENCE_FIGURES = (_BY_ROUND, _BY_SEVERITY, _BY_TIER)


def _by_variant(rows: pd.DataFrame) -> pd.DataFrame:
    titles = zip(rows["Model"], rows["variant"], strict=True)
    return rows.assign(Panel=[titled(model, variant) for model, variant in titles])


def _few_shots(data: Data) -> pd.DataFrame:
    rows = perturbed(_with_tiers(data.answers))
    rows = rows[(rows["key"] == "few_shot") & rows["context"].notna()]
    best_first = {n: TIERS[n] for n in reversed(range(len(TIERS)))}
    return _by_variant(arranged(rows, "tier", "Line", best_first))


def _judged(data: Data) -> pd.DataFrame:
    rows = perturbed(data.answers)
    rows = rows[rows["key"].isin(JUDGE_DEBATES) & rows["prior"].notna()]
    rows = rows.assign(after=[int(key.rpartition("_")[2]) for key in rows["key"]])
    offsets = zip(SEVERITIES, OFFSETS, strict=True)
    names = {n: f"severity {n} ({years} years)" for n, years in offsets}
    return _by_variant(arranged(rows, "severity", "Line", names))


FIGURES_2_AND_8 = lines(
    "figure_2_and_8",
    "The paper's Figures 2 and 8: the passage's answer, by severity and knowledge "
    "(few-shot)",
    _few_shots,
    x="severity",
    series="Line",
    panel="Panel",
    values={"passage": the_share("context")},
    label="answers that are the passage's (%)",
    x_label=SEVERITY_AXIS,
    places=SEVERITY_PLACES,
    note=lambda rows: f"On {sizes(rows, 'Panel')}. {_BY_OFFSET}",
    missing=needs(
        "The paper's Figures 2 and 8 need recall on perturbed passages", RECALL_RUN
    ),
)
FIGURES_4_AND_9 = lines(
    "figure_4_and_9",
    "The paper's Figures 4 and 9: the prior answer, by round and severity (Judge "
    "Debate)",
    _judged,
    x="after",
    series="Line",
    panel="Panel",
    values={"prior": the_share("prior")},
    label="decisions for the prior answer (%)",
    x_label="rounds of speeches before the verdict",
    note=lambda rows: f"On {sizes(rows, 'Panel')}. {_BY_OFFSET}",
    missing=needs(
        "The paper's Figures 4 and 9 need Judge Debate on perturbed passages", JUDGE_RUN
    ),
)
_BY_OFFSET = "The paper has dates alone, by offset."


# Rounds and verdicts.


def _by_rounds(rows: pd.DataFrame) -> dict[Column, object]:
    wrong = perturbed(rows)
    return {
        "Passage's": share_of(wrong, "context").value,
        "Prior": share_of(wrong, "prior").value,
    }


DECISIONS = View[Data](
    "rounds",
    "Decisions by round of the debate",
    lambda data: data.rounds,
    {**BY, "Round": "round"},
    [ACCURACIES, Columns(_by_rounds, dict.fromkeys(("Passage's", "Prior"), PERCENT))],
    note="What the verdict after a round would have decided; round 0 are the opening "
    "speeches. Passage's and prior: shares of the decisions with perturbed passages.",
)


def _debates(data: Data) -> pd.DataFrame:
    """Each debate once, although two conditions have its verdicts."""
    first = data.rounds.groupby("Debate")["key"].transform("first")
    return data.rounds[data.rounds["key"] == first]


VERDICTS = View[Data](
    "verdicts",
    "Verdicts for the passage by round",
    _debates,
    {"Debate": "Debate", "Round": "round"},
    [
        *across("half", HALF_TITLES, the_share("verdict"), PERCENT),
        Measure("Verdicts", known("verdict")),
    ],
    note="Percent of the readable verdicts; perfect ones would be 100 for standard and "
    f"0 for perturbed passages. {CLUSTERED}",
)

VERDICT_FIGURE = lines(
    "figure_verdicts",
    "Verdicts for the contextual answer by round",
    lambda data: arranged(_debates(data), "half", "Half", HALF_TITLES),
    x="round",
    series="Half",
    panel="Debate",
    values={"verdict": the_share("verdict")},
    label="reasonable (%)",
    x_label="round (0: opening speeches)",
    note=lambda rows: (
        f"Debates: {sizes(rows, 'Debate')}. Perfect verdicts would be "
        "100 % on standard passages and 0 % on perturbed ones."
    ),
    missing=needs("The figure of verdicts needs debates with a judge", SRDCR_RUN),
)


def _series(rows: pd.DataFrame) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Verdicts: a row for each debate, a column for each round."""
    found = rows.pivot(index=["sample", "epoch"], columns="round", values="verdict")
    return found.to_numpy(dtype=float)


def _settling(rows: pd.DataFrame) -> dict[Column, object]:
    series = _series(rows)
    judged = series[~np.isnan(series).all(axis=1)]
    settled = settling_round(judged)
    known = settled[~np.isnan(settled)]
    # A verdict differs from the last one before it that could be read.
    filled = pd.DataFrame(judged).ffill(axis=1).to_numpy()
    before, after = filled[:, :-1], filled[:, 1:]
    changes = ((before != after) & ~np.isnan(before)).sum(axis=1)
    return {
        "Debates": len(judged),
        **{
            f"From {round}": float(np.mean(known == round)) if known.size else None
            for round in range(series.shape[1])
        },
        "Changes": changes.mean() if changes.size else None,
        "Never changed": np.mean(changes == 0) if changes.size else None,
        "Last not read": len(judged) - len(known),
        "Not judged": len(series) - len(judged),
    }


SETTLING = View[Data](
    "settling",
    "When verdicts settle",
    lambda data: arranged(_debates(data), "half", "Half", HALF_TITLES),
    {"Debate": "Debate", "Half": "Half"},
    [
        Columns(
            _settling,
            {"Changes": Format(2), "Never changed": PERCENT}
            | dict.fromkeys([f"From {n}" for n in range(31)], PERCENT),
        )
    ],
    note="Percent of the debates with a readable last verdict, by the round from which "
    "verdicts do not change. Not judged: equal answers that were not debated, and "
    "debates without a readable verdict.",
    folded=True,
)


def _settled(data: Data) -> pd.DataFrame:
    """The round from which on verdicts do not change, by debate."""
    rows = arranged(_debates(data), "half", "Half", HALF_TITLES)
    parts = (
        pd.DataFrame({"settled": settling_round(_series(of))}).assign(
            Debate=str(debate), Panel=f"{debate}: {half}"
        )
        for (debate, half), of in rows.groupby(["Debate", "half"], sort=False)
    )
    return with_value(joined(parts, rows.assign(Panel="")), "settled")


def _draw_settling(
    panels: Mapping[str, pd.DataFrame], data: Data
) -> matplotlib.figure.Figure:
    last = int(data.rounds["round"].max())
    return histogram_panels(
        {name: of["settled"] for name, of in panels.items()},
        np.arange(last + 2) - 0.5,
        label="debates (%)",
        x_label="round (0: opening speeches)",
        places=range(last + 1),
        columns=4 if pd.concat(panels)["Debate"].nunique() > 1 else 2,
    )


SETTLING_FIGURE = Panels[Data](
    "figure_settling",
    "The round from which verdicts do not change",
    _settled,
    "Panel",
    _draw_settling,
    "Distribution of the round from which verdicts do not change any more, a panel per "
    "debate and half.",
    note="Debates with a readable last verdict.",
    missing=needs("The figure of settling needs debates with a judge", SRDCR_RUN),
)


def _over_rounds(data: Data) -> pd.DataFrame:
    """Conditions by the rounds of speeches before the answer, as `after`."""
    named = data.answers
    after = [_rounds_before(*of) for of in named[["key", "parameters"]].to_numpy()]
    names = [
        titled("Judge Debate" if key in JUDGE_DEBATES else CONDITIONS[key], variant)
        for key, variant in named[["key", "variant"]].to_numpy()
    ]
    others = named.assign(after=after, Line=names).dropna(subset="after")
    debates = data.rounds.assign(after=data.rounds["round"] + 1)
    debates = debates.assign(Line=debates["Condition"])
    rows = pd.concat([others, debates], ignore_index=True)
    points = rows["Line"] + " " + rows["after"].astype(int).astype(str)
    place = rows.assign(point=points).groupby(["Model", "point"], sort=False).ngroup()
    rows = rows.assign(point=points, place=place)
    # Figures are of models with a line of more than one point.
    counts = rows.groupby("Model")[["Line", "point"]].transform("nunique")
    return by_half(shared(rows[counts["Line"] < counts["point"]], "point"))


def _rounds_before(key: str, parameters: Mapping[str, Any]) -> float:
    """The rounds before an answer, at most; NaN for conditions that are not shown."""
    if key == "few_shot":
        return 0
    if key == "naive_debate":
        return int(parameters["rounds"]) + 1
    return int(key.rpartition("_")[2]) if key in JUDGE_DEBATES else math.nan


def _printed_rounds(rows: pd.DataFrame) -> float:
    row = rows.iloc[0]  # SR-DCR has six rounds in the paper
    other = row["key"] in DEBATES and row["after"] != 6
    return math.nan if other else printed_half(rows)


ROUNDS_FIGURE = lines(
    "figure_rounds",
    "Accuracy over rounds",
    _over_rounds,
    x="after",
    series="Line",
    panel="Half",
    each="Model",
    values={"accuracy": lambda rows: of_half(rows).accuracy},
    printed=_printed_rounds,
    label="accuracy (%)",
    x_label="rounds of speeches",
    columns=3,
    note=on_samples(
        f"Naive Debate is at the most rounds that it may take. {HOLLOW.format(1)}"
    ),
    missing=needs(
        "The figure of accuracies over rounds needs debates judged several times",
        *(SRDCR_RUN, JUDGE_RUN),
    ),
)

AGENTS = View[Data](
    "agents",
    "Agents whose first answers are the same",
    lambda data: with_value(data.items, "first_answers_same"),
    {"Model": "Model", "Condition": "title"},
    [
        Measure("The same", the_share("first_answers_same"), PERCENT),
        Measure("Samples", len),
    ],
    note="Percent of the samples on which all first answers could be read. The "
    "paper's agents share one prompt at temperature 0 and differ only by the "
    "provider's randomness.",
    folded=True,
)

_ALONE = re.compile(
    r"strict_((?P<key>srdcr|acvd_only|judge_debate_\d+)_(?P<which>judge_\d+|ab|ba))"
)
_ORDERS = {"ab": "passage's answer first", "ba": "prior answer first"}


def _alone(data: Data) -> pd.DataFrame:
    """What the verdicts of one judge, or in one order, would decide alone."""
    parts = []
    for (_, _, details), of in data.items.groupby(
        ["Model", "condition", "details"], sort=False
    ):
        for name in of.columns[of.notna().any()]:
            if found := _ALONE.fullmatch(str(name)):
                parts.append(
                    of[["Model", "half", "question_id"]].assign(
                        Condition=titled(CONDITIONS[found["key"]], details),
                        Verdicts=_whose(found["which"], of["models"].iloc[0]),
                        **{
                            measure: of[f"{measure}_{found[1]}"] for measure in MEASURES
                        },
                    )
                )
    return joined(parts, data.items)


def _whose(which: str, models: Mapping[str, str]) -> str:
    """An order in words, or a judge with its model, where it is known."""
    if which in _ORDERS:
        return _ORDERS[which]
    return f"{which.replace('_', ' ')} ({models[which]})" if which in models else which


PANEL = View[Data](
    "panel",
    "What each judge, or each order, would decide alone",
    _alone,
    {**BY, "Verdicts": "Verdicts"},
    [ACCURACIES, SAMPLES],
    note="The conditions take the majority of judges and orders. In a tie each answer "
    "of Judge Debate counts half, and SR-DCR is not scored.",
    folded=True,
)


PARTS: Sequence[Part[Data]] = [
    Part(
        "Abstention",
        [ABSTENTION, RISK, risk_figures],
        "An abstention is neither right nor wrong, so accuracy over all items, "
        "coverage, and accuracy over the answered ones belong together. In the "
        "risk-coverage curves, items are answered in the order of confidence: the "
        "prior and the contextual answer by the confidence in each, token "
        "probability by the higher of both, the debate alone by that in the answer "
        "it gives. SR-DCR over all thresholds answers what the judge finds "
        "reasonable at once, and the rest by the confidence in the prior answer.",
    ),
    Part(
        "Passage or memory",
        [
            *(AGREEMENT, CONTESTED, BIASES),
            *(PREFERENCE_BY_SEVERITY, PREFERENCE_BY_TIER),
            *(*PREFERENCE_FIGURES, FIGURES_2_AND_8, FIGURES_4_AND_9),
        ],
        "It matters whose answer is given only where prior and contextual answer "
        "differ. Biases are ClashEval's: accuracy where exactly one of the prior "
        "answer and the passage is right; context bias: answers of a wrong passage "
        "over a right prior answer; prior bias: a wrong prior answer kept over a "
        "right passage. Answers are compared by meaning.",
    ),
    Part(
        "Rounds and verdicts",
        [
            *(DECISIONS, ROUNDS_FIGURE, AGENTS, VERDICTS, VERDICT_FIGURE),
            *(SETTLING, PANEL, SETTLING_FIGURE),
        ],
    ),
]
