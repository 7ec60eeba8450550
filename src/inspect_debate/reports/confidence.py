"""The report on confidence in zero-sum debates (arXiv 2505.19184)."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.metrics.bets import brier, chances, clustered, t_above, wilcoxon
from inspect_debate.published import published
from inspect_debate.reports import figures, stats, trust
from inspect_debate.reports.frames import Protocol, scored_by, short
from inspect_debate.reports.report import Figure, Heading, Headline, Item, Notice, Table
from inspect_debate.solvers.bets import SIDES, stages

TITLE = "Confidence in zero-sum debates: do both sides expect to win?"
PROTOCOLS = {
    "cross_model": Protocol("Cross-model", ()),
    "self": Protocol("Self-debate", ()),
    "informed_self": Protocol("Informed", ()),
    "public": Protocol("Public bets", ()),
    "redteam": Protocol("Red team", ()),
    "redteam_v2": Protocol("Perspectives", ()),
    "deceptive": Protocol("Deceptive", ()),
    "four_round": Protocol("Four rounds", ()),
}
"""Without roles: models are told apart in the tables, not by conditions."""
OUTCOME = "bets.complete"
MAIN = CROSS, SELF, INFORMED, PUBLIC = [one.title for one in PROTOCOLS.values()][:4]
"""The conditions that the paper pools."""
POOLED, ALL_MODELS = "Pooled conditions", "All models"
ROUNDS = ["opening", "rebuttal", "closing"]
STEPS = {
    "Open to rebuttal": ("opening", "rebuttal"),
    "Rebuttal to closing": ("rebuttal", "closing"),
    "Open to closing": ("opening", "closing"),
}
_LABELS = {
    "Assessment": ["aligned", "overbetting", "underbetting"],
    "Degree": ["none", "slight", "moderate", "significant"],
}


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "confidence", PROTOCOLS)`; `full` adds more."""
    samples = scored_by(samples, "bets.missing")
    # How a jury was asked changes no bet: it is named only where conditions differ.
    named = samples["condition"]
    names = named.str.replace(r", (?:order|jury_passes)=[^,]+", "", regex=True)
    if names.nunique() == named.nunique():
        samples["condition"] = names
    missing = samples["bets.missing"]
    samples[OUTCOME] = missing.where(missing == 0)
    debates = samples[(samples["status"] == "finished") & missing.notna()]
    bets = read(debates)
    yield Headline(_headline(bets))
    # A debate has no counterpart in another condition.
    warnings = trust.warnings(samples, OUTCOME, alike=False)
    yield Notice([*warnings, *_notices(debates, bets)])
    yield _figure(bets)
    yield _overview(bets)
    yield _tests(bets)
    known = bets[bets["chance"].notna() & bets["closing"].notna()]
    if len(known):
        yield _calibration(known)
    if full:
        yield Heading("The paper's tables")
        yield from _paper_tables(debates, bets)
    yield from trust.section(samples, OUTCOME, _reading(debates))
    once = debates.drop_duplicates("condition").set_index("condition")["data"]
    notes = [f"{n}: {note}" for n, of in once.items() for note in of.get("notes", ())]
    if full and notes:
        yield Notice(notes)


def read(debates: pd.DataFrame) -> pd.DataFrame:
    """The bets, a row for each side of a debate.

    Columns: `Condition`, `debate`, `cluster`, `rounds`, `side`, `Model`; the bet
    of each stage, NaN where it is missing, and `rise`; of the debate `over_100` and
    `both_over_50`; `chance`, that of winning; `input` and `output`, the debater's
    tokens; `zeros`, whether the paper takes missing bets for 0.
    """
    given, swapped = debates["parameters"], debates["bets.swapped"] == 1
    models = {
        role: debates.get(f"metadata.{role}", debates[role]).fillna(debates[role])
        for role in ("debater_a", "debater_b")
    }
    itself = debates["bets.itself"] == 1
    models["debater_b"] = models["debater_b"].mask(itself, models["debater_a"])
    rounds = given.map(lambda one: one["rounds"])
    about = pd.DataFrame(
        {
            "Condition": debates["condition"],
            "debate": debates.index.astype(str),
            "cluster": debates["models"] + " " + debates["cluster"],
            "rounds": rounds,
            "zeros": debates["data"].map(lambda data: data.get("missing_bets") == 0),
        }
    )
    named = [*dict.fromkeys([*ROUNDS, *(s for n in rounds for s in stages(n))])]
    chance = chances(debates["bets.winner"], debates["bets.itself"])
    parts = []
    for place, side in enumerate(SIDES):
        roles = swapped.map(lambda other, n=place: f"debater_{'ab'[other != n]}")
        made = debates.reindex(columns=[f"bets.{stage}_{side}" for stage in named])
        part = about.assign(
            side=side,
            Model=models["debater_a"].where(roles == "debater_a", models["debater_b"]),
            chance=1 - chance if place else chance,
        )
        parts.append(part.join(made.astype(float).set_axis(named, axis=1)))
    bets = pd.concat(parts, ignore_index=True)
    bets["Model"] = bets["Model"].map(short).str.removesuffix(":free")
    bets["rise"] = bets["closing"] - bets["opening"]
    closing = bets["closing"].groupby(bets["debate"])
    total, lower = closing.transform("sum", min_count=2), closing.transform("min")
    bets["over_100"] = (total > 100).astype(float).where(total.notna())
    bets["both_over_50"] = (lower > 50).astype(float).where(total.notna())
    confident = bets.groupby("Model")["opening"].transform("mean")
    order = pd.DataFrame({"of": pd.factorize(bets["Condition"])[0], "by": -confident})
    return bets.loc[order.sort_values(["of", "by"]).index]


def _mean(column: str, rows: pd.DataFrame) -> stats.Measured:
    # The bets of a debate depend on each other, and so do its epochs.
    bounds = {"rise": (-100, 100), "brier": (0, 1)}.get(column, (0, 100))
    value, _, low, high = intervals.mean(rows[column], rows["cluster"], bounds=bounds)
    return stats.Measured(value, low, high)


def _share(column: str, rows: pd.DataFrame) -> stats.Measured:
    """A share of debates, of which each counts once."""
    return stats.mean(column, rows[rows["side"] == SIDES[0]])


def _headline(bets: pd.DataFrame) -> str:
    (name, of), *others = bets.groupby("Condition", sort=False)
    opening, rise = _mean("opening", of), _mean("rise", of)
    text = (
        f"{name}: debaters open with a mean bet of {opening.text()}, where 50 would be "
        "right on average"
    )
    if not math.isnan(rise.value):
        over, both = (_share(c, of).value for c in ("over_100", "both_over_50"))
        way = "lower" if rise.value < 0 else "higher"
        text += (
            f", and close {abs(rise.value):.1f} points {way}. In {over:.0f} % of "
            f"debates the closing bets sum to more than 100, in {both:.0f} % both are "
            "over 50"
        )
    rest = [f"{one['opening'].mean():.1f} in {name}" for name, one in others]
    more = f" Mean openings elsewhere: {', '.join(rest)}." if rest else ""
    return f"{text}.{more}"


def _notices(debates: pd.DataFrame, bets: pd.DataFrame) -> Iterator[str]:
    once = debates.drop_duplicates("condition").set_index("condition")["parameters"]
    shown = once.map(lambda given: given["own_bets_shown"])
    if shown.nunique() > 1:
        yield (
            f"Debaters read their own earlier bets again in "
            f"{', '.join(shown.index[shown])}, but not in "
            f"{', '.join(shown.index[~shown])}, which may change later ones."
        )
    motions = debates.groupby("condition", sort=False)["metadata.motion_id"].agg(set)
    if any(one != motions.iloc[0] for one in motions):
        counts = [f"{len(one)} in {name}" for name, one in motions.items()]
        yield f"Conditions differ in their motions: {', '.join(counts)}."
    both = once.index[once.map(lambda given: given["bet_as"] == "both")]
    low = bets[bets["opening"].le(10) & bets["Condition"].isin(both)]
    if len(low):
        yield (
            f"Openings of 10 or lower: {len(low)} ({', '.join(low['Model'].unique())})."
            " One number is both chance and stake: these may only be low stakes."
        )


def _figure(bets: pd.DataFrame) -> Figure:
    series = {
        str(name): {
            float(n): _mean(stage, of)
            for n, stage in enumerate(stages(int(of["rounds"].iloc[0])), 1)
        }
        for name, of in bets.groupby("Condition", sort=False)
    }
    draw = partial(figures.lines, series, "Round", "Mean bet", 50)
    note = "At 50 (dashed) bets would be right on average. Lines are 95 % intervals."
    return Figure("bets", "Mean bets by round", draw, note)


def _overview(bets: pd.DataFrame) -> Table:
    columns: stats.Measures = {
        "Debates": lambda of: of["debate"].nunique(),
        "Opening": partial(_mean, "opening"),
        "Closing": partial(_mean, "closing"),
        "Rise": partial(_mean, "rise"),
        "Sum > 100 (%)": partial(_share, "over_100"),
        "Both > 50 (%)": partial(_share, "both_over_50"),
    }
    ours = stats.by(bets, ["Condition"], columns).set_index("Condition")
    printed = _printed("tables_8_to_16", model=ALL_MODELS)
    printed = printed.rename(columns={"Open to closing": "Rise"})
    note = (
        "95 % intervals, clustered by debate; the paper has deviations, and p as if "
        "bets were independent. Rise: closing minus opening bet of the same debater. "
        "The last two are shares of debates, by their closing bets."
    )
    title = "Bets, and pairs of closing bets (the paper's Tables 2 to 4 in short)"
    return _beside("overview", ours, printed, title, note, digits=1)


def _tests(bets: pd.DataFrame) -> Table:
    """Section 4.1: openings against 50, and in two conditions by means of models."""
    found: dict[str, dict[str, object]] = {}
    for name, of in bets.groupby("Condition", sort=False):
        t, p = clustered(of["opening"] - 50, of["cluster"], of["Model"])
        pooled = _tested(of["opening"] - 50)
        found[str(name)] = pooled | {"Clustered t": t, "p (clustered)": p}
    note = (
        "Openings against 50, one-sided: the paper's t, as if bets were independent, "
        "and clustered, as those of one debate or one model are related."
    )
    means = bets.pivot_table("opening", "Model", "Condition")
    paired = [one for one in (INFORMED, PUBLIC) if {SELF, one} <= {*means}]
    for other in paired:
        change = means[SELF] - means[other]
        found[f"{SELF} minus {other}"] = _tested(change, two_sided=other == PUBLIC)
    if paired:
        note += " Below, conditions by the paired means of models"
        note += "; two-sided with public bets." if PUBLIC in paired else "."
    frame = pd.DataFrame.from_dict(found, orient="index").rename_axis("Condition")
    return _beside("section_4_1", frame, note=note)


def _tested(values: "pd.Series[float]", two_sided: bool = False) -> dict[str, object]:
    t, p = t_above(values)
    p = 2 * min(p, 1 - p) if two_sided else p
    text = "<0.001" if p < 0.001 else f"{p:.3f}"
    # Rounded as the paper rounds 14.075.
    return {"Difference": np.round(values.mean(), 2), "t": t, "p": text}


def _calibration(known: pd.DataFrame) -> Table:
    known = known.assign(brier=brier(known["closing"], known["chance"]))
    columns: stats.Measures = {
        "Bets": len,
        "Closing bet": partial(_mean, "closing"),
        "Of winners": lambda of: _mean("closing", of[of["chance"] == 1]),
        "Of losers": lambda of: _mean("closing", of[of["chance"] == 0]),
        "Brier score": partial(_mean, "brier"),
    }
    frame = stats.by(known, ["Condition"], columns)
    note = (
        "By the majority of the jury, without ties. Between a model and its copy the "
        "chance is 50 %, and the score is the expected one. Always betting 50 scores "
        "0.25. Intervals are clustered by debate."
    )
    return Table("calibration", "Closing bets against outcomes", frame, note, digits=2)


def _reading(debates: pd.DataFrame) -> Table:
    """Bets that are missing, and speeches that may give one away."""
    counts = {
        "bets.missing": "Missing bets",
        "bets.mentions": "May speak of the bet",
        "bets.short": "Under 200 characters",
    }
    found = debates.groupby("condition", sort=False)[[*counts]].sum().astype(int)
    frame = found.rename(columns=counts).rename_axis("Condition").reset_index()
    note = (
        "Every speech has a bet; missing ones are left out of what needs them. The "
        "opponent and the jury read what speeches may still say of the bet."
    )
    return Table("reading", "Bets and speeches", frame, note)


# The paper's tables, in its own form of cells.


def _paper_tables(debates: pd.DataFrame, bets: pd.DataFrame) -> Iterator[Table]:
    three = bets[bets["rounds"] == 3]
    if len(three):
        yield from _three_rounds(three)
    four = bets[bets["Condition"] == PROTOCOLS["four_round"].title]
    if len(four):
        yield _beside("appendix_o", _rows(_with_all(four), "Model", _four_rounds))
    yield from _jury(debates)
    yield from _alignment(debates)


def _printed(source: str, **where: str) -> pd.DataFrame:
    """Rows of a published table, named as ours; their notes are a column."""
    table = published("confidence")[source]
    titles = {key: protocol.title for key, protocol in PROTOCOLS.items()}
    named = {"condition": titles | {"all": POOLED}, "model": {"all": ALL_MODELS}}
    frame = table.frame.replace(named).rename(columns=titles)
    frame["note"] = (" ".join(table.notes) + " " + frame["note"]).str.strip()
    for column, value in where.items():
        frame = frame[frame[column] == value].drop(columns=column)
    frame = frame.set_index(frame.columns[0])
    return frame.rename(columns=lambda name: name.replace("_", " "))


def _beside(
    name: str,
    ours: pd.DataFrame,
    printed: pd.DataFrame | None = None,
    title: str = "",
    note: str = "",
    digits: int = 2,
) -> Table:
    """Our rows, each above the printed one of its name, with the notes on these."""
    theirs = _printed(name) if printed is None else printed
    ours = ours.replace(r"\bnan\b", stats.DASH, regex=True)
    places = {
        stats.plain_model(str(key)): place for place, key in enumerate(ours.index)
    }
    found = theirs.index.map(stats.plain_model).map(places)
    theirs = theirs.set_axis(found)[found.notna()]
    note = note or " ".join(theirs["note"].unique())
    theirs = theirs.reindex(columns=ours.columns).dropna(how="all").convert_dtypes()
    order = [*range(len(ours)), *theirs.index.astype(int)]
    frame = pd.concat([ours.assign(Source="Run"), theirs.assign(Source="Paper")])
    label = str(ours.index.name)
    frame[label] = ours.index[order]
    columns = [label, *["Source"] * (len(theirs) > 0), *ours]
    frame = frame.iloc[np.argsort(order, kind="stable")][columns]
    title = title or published("confidence")[name].title
    return Table(name, title, frame, note, digits, group=label)


def _rows(
    rows: pd.DataFrame, column: str, cells: Callable[[pd.DataFrame], object]
) -> pd.DataFrame:
    """A row of cells for each value of a column."""
    found = {str(name): cells(of) for name, of in rows.groupby(column, sort=False)}
    return pd.DataFrame.from_dict(found, orient="index").rename_axis(column)


def _crossed(bets: pd.DataFrame, cell: Callable[[pd.DataFrame], str]) -> pd.DataFrame:
    """Models by conditions."""
    cells = bets.groupby(["Model", "Condition"], sort=False).apply(cell)
    return cells.unstack().fillna("")


def _with_all(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, and once more as those of all models."""
    again = rows.assign(Model=ALL_MODELS)
    return pd.concat([rows, again]) if rows["Model"].nunique() > 1 else rows


def _three_rounds(bets: pd.DataFrame) -> Iterator[Table]:
    """Tables 2 to 14, in which the paper takes missing bets for 0; its notes say so."""
    bets = bets.assign(**bets[ROUNDS].mask(bets["zeros"], bets[ROUNDS].fillna(0.0)))
    every, main = bets, bets[bets["Condition"].isin(MAIN)]
    if main["Condition"].nunique() == len(MAIN):
        every = pd.concat([bets, main.assign(Condition=POOLED)])
    openings = _crossed(_with_all(bets), lambda of: _mean_sd(of["opening"], ddof=1))
    yield _beside("table_2", openings)
    yield _beside("table_3", _rows(every, "Condition", _escalation))
    pairs = _rows(every, "Condition", _pairs).fillna(0.0)
    yield _beside("table_4", pairs, digits=1)
    yield _beside("table_7", _crossed(bets, _above_50))
    rising = {}
    for place, (name, of) in enumerate(every.groupby("Condition", sort=False)):
        ours = _rows(_with_all(of), "Model", _by_round)
        printed = _printed("tables_8_to_16", condition=str(name))
        title = f"{name}: bets by round and model (Tables 8 to 12, 14 to 16)"
        yield _beside(f"by_model_{place}", ours, printed, title)
        steps = ours.loc[ours.index != ALL_MODELS, [*STEPS]]
        starred = steps.map(lambda cell: cell.endswith("*")).sum()
        rising[name] = starred.astype(str) + f"/{len(steps)}"
    yield _beside("table_13", pd.DataFrame(rising).T.rename_axis("Condition"))


def _mean_sd(values: "pd.Series[float]", ddof: int = 0) -> str:
    """Mean and standard deviation: of the population, except in Table 2."""
    return f"{values.mean():.2f} ± {values.std(ddof=ddof):.2f}"


def _escalation(rows: pd.DataFrame, p: str = "") -> dict[str, str]:
    """A row of Table 3, or with p and numbers of the others."""
    cells = {}
    for stage in ROUNDS:
        n = f" (N={rows[stage].count()})" if p else ""
        cells[stage.capitalize()] = _mean_sd(rows[stage]) + n
    for step, (first, then) in STEPS.items():
        rise = rows[then] - rows[first]
        value = t_above(rise)[1]
        stars = "*" * sum(value < level for level in (0.05, 0.01, 0.001))
        exact = f", p={value:.4f}{stars}"
        bounded = f", p<0.001{stars}" if value < 0.001 else exact
        text = {"": "", "exact": exact, "bounded": bounded, "stars": stars}[p]
        cells[step] = f"Δ={rise.mean():.2f}{text}"
    return cells


def _by_round(rows: pd.DataFrame) -> dict[str, str]:
    """A row of Tables 8 to 12 and 14 to 16."""
    condition, model = rows[["Condition", "Model"]].iloc[0]
    overall = "stars" if condition == POOLED else "bounded"
    return _escalation(rows, overall if model == ALL_MODELS else "exact")


def _pairs(rows: pd.DataFrame) -> dict[Any, float]:
    """A row of Table 4, in percent of the debates that have both closing bets."""
    known = rows[rows["over_100"].notna()].sort_values("closing")
    classes = pd.cut(
        known["closing"], [-1, 50, 75, 100], labels=["≤ 50", "51–75", "> 75"]
    )
    pairs = classes.astype(str).groupby(known["debate"]).agg(" and ".join)
    return (100 * pairs.value_counts(normalize=True)).to_dict()


def _above_50(rows: pd.DataFrame) -> str:
    """A cell of Table 7."""
    over, cell = rows["opening"].dropna() - 50, ""
    for name, p in (("t", t_above(over)[1]), ("W", wilcoxon(over))):
        digits, power = f"{p:.2e}".split("e") if p < 1e-4 else (f"{p:.4f}", "")
        text = f"{digits}×10^{int(power)}" if power else digits
        cell += f", {name} {text}{'*' * (p < 0.05)}"
    return f"{over.mean() + 50:.2f} (N={len(over)}){cell}"


def _four_rounds(rows: pd.DataFrame) -> dict[str, object]:
    """A row of Appendix O: both rebuttals are pooled."""
    found: dict[str, object] = {
        "N debates": rows["debate"].nunique(),
        "N bets": int(rows[stages(4)].count().sum()),
        "Opening n": int(rows["opening"].count()),
    }
    for stage in ROUNDS:
        values = rows.filter(like=stage).stack().dropna()
        found[f"{stage.capitalize()} mean"] = values.mean()
        found[f"{stage.capitalize()} sd"] = values.std(ddof=stage == "opening")
    found["Open to closing delta"] = rows["rise"].mean()
    return found | {"Open to closing p": np.round(t_above(rows["rise"])[1], 4)}


def _jury(debates: pd.DataFrame) -> Iterator[Table]:
    """Appendix D, and who wins by which rule."""
    if "jury.dissent" not in debates:
        return
    voted = debates[debates["jury.dissent"].notna()]
    for place, (name, of) in enumerate(voted.groupby("condition", sort=False)):
        dissent, winner = of["jury.dissent"], of["bets.winner"]
        by_sum = of["bets.winner_by_confidence"]
        words = ("Unanimous", "One dissent", "Two dissents", "Three dissents")
        found = {word: dissent == n for n, word in enumerate(words)}
        found |= {
            "Split": dissent > 0,
            "Opposition wins": winner == 0,
            "Opposition wins or even split": winner <= 0.5,
            "Opposition wins by the sum of confidences": by_sum == 0,
            "Even by the sum of confidences": by_sum == 0.5,
        }
        for motion, split in found["Split"].groupby(of["metadata.motion_id"]):
            found[f"Split on {motion}"] = split
        hits = pd.DataFrame(found)
        counts = {"Debates": hits.sum().astype(int), "Percent": 100 * hits.mean()}
        frame = pd.DataFrame(counts).rename_axis("Votes")
        printed = _printed("appendix_d")[: None if name == CROSS else 0]
        title = f"{name}: votes of the jury (Appendix D)"
        yield _beside(f"appendix_d_{place}", frame, printed, title, digits=1)


def _alignment(debates: pd.DataFrame) -> Iterator[Table]:
    """Tables 17 to 19, and section 4.4: bets against the private reasoning."""
    counts = debates.filter(regex=r"^bet_alignment\.").dropna(how="all")
    if counts.empty:
        return
    sums = counts.groupby(debates["condition"], sort=False).sum()
    sums = sums.rename(columns=lambda name: name.removeprefix("bet_alignment."))
    coded = sums["overbetting_stated"] + sums["overbetting_unstated"]
    for flag in ("stated", "unstated"):
        sums[f"overbetting_{flag}"] += sums[f"malformed_overbetting_{flag}"]

    shares = []
    for kind, labels in _LABELS.items():
        stated, unstated = (
            sums[[f"{label}_{flag}" for label in labels]].set_axis(labels, axis=1)
            for flag in ("stated", "unstated")
        )
        of = {f"{kind}: ": stated + unstated, "Stated ": stated, "Unstated ": unstated}
        for prefix, counts in of.items():
            part = counts.div(counts.sum(axis=1), axis=0)
            shares.append(part.add_prefix(prefix))
    others = {
        "Figure: present": stated.sum(axis=1),
        "Figure: absent": unstated.sum(axis=1),
        "Overbetting: as coded": coded,
        "Strategic: present": sums["strategic"],
    }
    shares.append(pd.DataFrame(others).div(sums["graded"], axis=0))
    percent = 100 * pd.concat(shares, axis=1)
    overall = percent.filter(like=": ").T.rename_axis("Label")
    yield _beside("table_17", overall, digits=1)
    by_figure = percent.filter(like="tated ").rename_axis("Condition")
    yield _beside("tables_18_19", by_figure, digits=1)
