"""The paper's figures from runs; in place of one without data, the runs it needs."""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.metrics.detection import STATISTICS
from inspect_debate.reports.colmad.comparisons import main_debates, questions_beside
from inspect_debate.reports.colmad.conditions import (
    AUTHORS,
    DEBATES,
    SUBSETS,
    Condition,
    short,
)
from inspect_debate.reports.colmad.measures import COMMAND, NOT_GRADED, Data
from inspect_debate.reports.colmad.pairs import AVERAGE, MEANS, POOLED, RESPONSES
from inspect_debate.reports.elements import Figure, Notice, Series, counted, listed
from inspect_debate.reports.estimates import (
    Estimate,
    clusters,
    estimate,
    mean_estimate,
    of_baselines,
)
from inspect_debate.reports.figures import grouped_bars, heatmap, lines_over
from inspect_debate.reports.views import Part, Plot, rate

_PAIR = "--model-role debater_a=A --model-role debater_b=B"
_SINGLES = [f"{COMMAND} -T protocol=single --model-role debater_a={m}" for m in "AB"]
_SHOWN = ("precision", "recall", "f1")


def _needs(figure: str, what: str, commands: Sequence[str]) -> Notice:
    runs = listed(f"`{command}`" for command in commands)
    return Notice(f"{figure} {what}, on the same items:\n\n{runs}", "info")


def _oracle_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figures 2, 7 and 8: Eq. (4) as a share of the better model's errors."""
    pairs = data.pairs
    if pairs.empty or not pairs.loc[pairs["a"] != pairs["b"], "Samples"].any():
        what = "answers of two models"
        yield _needs("Figures 2, 7 and 8 need", what, _SINGLES)
        return
    for author, name in AUTHORS.items():
        own = pairs[pairs[RESPONSES] == name]
        tasks = {s: t for s, t in SUBSETS.items() if t in set(own["Task"])}
        average = AVERAGE if len(tasks) > 1 else next(iter(tasks.values()), "")
        for figure, paper, task in [
            (f"figure_2_{author}", "Figure 2", average),
            *(
                (f"figures_7_8_{author}_{s}", "Figures 7 and 8", tasks[s])
                for s in tasks
            ),
        ]:
            where = "" if paper == "Figure 2" else f", {task.lower()}"
            title = f"The paper's {paper}: {_REMOVED}, responses of {name}{where}"
            yield from _matrix(figure, title, own[own["Task"] == task])
    title = f"{_REMOVED.capitalize()}, {POOLED} (not in the paper)"
    yield from _matrix("figure_2_pooled", title, pairs[pairs["Task"] == POOLED])


_REMOVED = "errors that an oracle would remove"


def _matrix(name: str, title: str, pairs: pd.DataFrame) -> Iterator[Figure]:
    if pairs.empty:
        return
    models = list(dict.fromkeys(pairs["a"]))
    matrix = pairs.pivot(index="a", columns="b", values=MEANS[0]).astype(float)
    matrix = matrix.reindex(index=models, columns=models)
    matrix = matrix.fillna(matrix.T).rename(index=short, columns=short)
    yield Figure(
        name=name,
        title=title,
        figure=heatmap(
            matrix.rename_axis("Model").rename_axis("Other model", axis=1),
            label="share of the better model's errors (%)",
            limits=(0, 1),
        ),
        alt="Matrix of all pairs of models: share of the better model's errors on "
        "which the other model is right.",
        note="A dash: the better model makes no error, or no item is shared. Two "
        "models of opposite bias fill this matrix without knowing anything: compare "
        "with the corrected shares in the table.",
    )


def on_shared(rows: pd.DataFrame) -> tuple[dict[str, pd.DataFrame], str]:
    """Restrict conditions to the samples and epochs that all of them predict.

    Args:
        rows: Those of the most important condition first: one that shares no sample
            with all before it is left out. A sample of the same id but of other content
            is another one.

    Returns:
        The rows by condition, and what samples these are.
    """
    parts = zip(rows["id"], rows["epoch"], rows["gold"], clusters(rows), strict=True)
    keys = pd.Series(list(parts), rows.index, dtype=object)
    kept: list[str] = []
    shared: set[Hashable] = set()
    predicted = rows["prediction"].notna()
    for name, of in keys[predicted].groupby(rows["Condition"][predicted], sort=False):
        common = shared & {*of} if kept else {*of}
        if common:
            kept.append(str(name))
            shared = common
    out = [name for name in rows["Condition"].unique() if name not in kept]
    rows = rows[keys.map(shared.__contains__).astype(bool)]
    found = {name: rows[rows["Condition"] == name] for name in kept}
    left = f" (without {'; '.join(out)}, which shares none of them)" if out else ""
    words = f"On the {counted(len(shared), 'sample')} that all conditions predict{left}"
    return found, words


class _Part(NamedTuple):
    """What a figure is on: an author's responses, or all samples at once."""

    key: str
    words: str
    conditions: Mapping[str, pd.DataFrame]
    estimate: Callable[[pd.DataFrame, str], Estimate]
    note: str


def _figure_parts(rows: pd.DataFrame, *, pooled: bool = False) -> Iterator[_Part]:
    cells = 0
    for author, name in AUTHORS.items():
        conditions, note = on_shared(rows[rows["response_author"] == author])
        if conditions:
            cells += next(iter(conditions.values()))["subset"].nunique()
            words, note = f"responses of {name}", f"{note}, averaged over tasks."
            yield _Part(author, words, conditions, _over_tasks, note)
    if pooled and cells > 1:
        conditions, note = on_shared(rows)
        yield _Part("pooled", POOLED, conditions, estimate, f"{note}, pooled.")


def _over_tasks(rows: pd.DataFrame, name: str) -> Estimate:
    return mean_estimate([of for _, of in rows.groupby("subset", sort=False)], name)


def _series(found: Mapping[str, Mapping[Any, Estimate]]) -> Series:
    """Estimates by name and place, as figures take them."""
    ends = (
        {
            name: {place: one[end] for place, one in of.items()}
            for name, of in found.items()
        }
        for end in range(3)
    )
    return Series(*(pd.DataFrame(end).sort_index() for end in ends))


def _protocol_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 3: precision, recall and F1 by protocol, for each pair of models."""
    conditions = data.conditions
    debates = [c for c in conditions if c.rounds and c.rows["prediction"].notna().any()]
    ordered = sorted(main_debates(debates), key=lambda one: one.models)
    pairs = [list(of) for _, of in groupby(ordered, key=lambda one: one.models)]
    names = {c.name: c.name if c.protocol == "single" else c.title for c in conditions}
    for number, of_pair in enumerate(pairs, start=1):
        others = [
            one
            for one in conditions
            if one.protocol in ("single", "som")
            and [*questions_beside(of_pair[0], one)]
        ]
        order = [one.name for one in (*others, *of_pair)]
        for part in _figure_parts(data.of([*of_pair, *others]), pooled=True):
            found = {
                names[name]: {
                    score: part.estimate(part.conditions[name], score)
                    for score in _SHOWN
                }
                for name in order
                if name in part.conditions
            }
            values = _series(found)
            yield Figure(
                name=f"figure_3_{number}_{part.key}",
                title=f"The paper's Figure 3, with {of_pair[0].models}, {part.words}"
                + (" (not in the paper)" if part.key == "pooled" else ""),
                figure=grouped_bars(
                    *(frame.loc[[*_SHOWN]].rename(str.title) for frame in values),
                    label="share (%)",
                    references={"Always error": _always_error(part)},
                    limits=(0, 1),
                ),
                alt="Bars of precision, recall and F1, one series per protocol: "
                f"{', '.join(found)}.",
                note=f"{part.note} Lines are 95 % intervals; the dashed line always "
                "says that there is an error.",
            )
    if not pairs:
        protocols = (f"{COMMAND} -T protocol={p} {_PAIR}" for p in ("som", *DEBATES))
        what = "single models and debates of them"
        yield _needs("Figure 3 needs", what, [*_SINGLES, *protocols])


def _always_error(part: _Part) -> dict[str, float]:
    items = next(iter(part.conditions.values())).drop_duplicates("id")
    cells = (
        [items] if part.key == "pooled" else [of for _, of in items.groupby("subset")]
    )
    blind = [of_baselines(of)["always_error"] for of in cells]
    return {
        name.title(): fmean(float(STATISTICS[name](of, "parsed")) for of in blind)
        for name in _SHOWN
    }


def _judge_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 5a: F2 by judge and other debater, single models on the diagonal."""
    places: dict[tuple[str, str], Condition] = {}
    as_in_paper = sorted(data.conditions, key=lambda c: (not c.rounds, c.rounds != 2))
    for one in as_in_paper:
        if place := _place(one):
            places.setdefault(place, one)
    names = {one.name: place for place, one in places.items()}
    drawn = False
    for part in _figure_parts(data.of(places.values())):
        cells = {
            names[name]: part.estimate(rows, "f2").value
            for name, rows in part.conditions.items()
        }
        if all(debater == judge for debater, judge in cells):
            continue
        drawn = True
        models = sorted({model for place in cells for model in place})
        values = [[cells.get((a, b), math.nan) for b in models] for a in models]
        frame = pd.DataFrame(values, models, models).rename_axis("Other debater")
        yield Figure(
            name=f"figure_5a_{part.key}",
            title="The paper's Figure 5a: F2 of ColMAD by judge and other debater, "
            + part.words,
            figure=heatmap(
                frame.rename_axis("Judge and debater", axis=1),
                label="F2 (%)",
                diagonal="the model alone",
            ),
            alt="Matrix of F2: a column per judge, who debates as well, a row per "
            "other debater; models alone on the diagonal.",
            note=f"{part.note} Of several conditions of the same models the first one "
            "with the paper's two rounds is shown.",
        )
    if not drawn:
        what = "ColMAD with the judge among the debaters"
        yield _needs("Figure 5a needs", what, [f"{COMMAND} {_PAIR}", *_SINGLES])


def _place(condition: Condition) -> tuple[str, str] | None:
    """Row and column in the matrix of debaters and judges."""
    if condition.protocol == "single" and condition.debater_a:
        return short(condition.debater_a), short(condition.debater_a)
    judge, debaters = condition.judge, condition.debaters
    if condition.protocol != "colmad" or not condition.rounds or judge not in debaters:
        return None
    others = debaters - {judge}
    return (short(min(others)), short(judge)) if others else None


def _graded(data: Data) -> pd.DataFrame:
    """Conditions with graded explanations."""
    graded = data.rows.groupby("Condition")["aligned"].transform("count") > 0
    return data.rows[graded].assign(place="Aligned")


def _sizes(rows: pd.DataFrame) -> str:
    unread = [f"alignment_{status}" for status in NOT_GRADED]
    return "; ".join(
        f"{name} n = {of['aligned'].count()}, and "
        f"{of['alignment_no_explanation'].sum():.0f} without a human explanation, "
        f"{of[unread].sum().sum():.0f} unreadable"
        for name, of in rows.groupby("Condition", sort=False)
    )


_GRADED_RUN = f"-T grade=explanation_alignment {_PAIR} --model-role grader=G"

ALIGNMENT = Plot[Data](
    "figure_5b",
    "The paper's Figure 5b: errors found for the experts' reason",
    _graded,
    "bars",
    x="place",
    series="Condition",
    values={"": rate("aligned")},
    label="aligned explanations (%)",
    limits=(0, 1),
    note=lambda rows: (
        f"Of the errors that were found and graded: {_sizes(rows)}. The grader's "
        "prompt is ours, as the paper prints none: not comparable with the printed "
        "figure."
    ),
    missing=_needs(
        "Figure 5b needs", "graded explanations", [f"{COMMAND} {_GRADED_RUN}"]
    ).text,
)


def _rounds_figures(data: Data) -> Iterator[Figure | Notice]:
    """Figure 6: F1 and F2 over rounds of speeches, 0 being first answers alone."""
    lines = _by_rounds(data.conditions)
    drawn = False
    for part in _figure_parts(data.of(one for line in lines for one in line)):
        there = [[one for one in line if one.name in part.conditions] for line in lines]
        longer = [line for line in there if len({one.rounds for one in line}) > 1]
        for score in ("F1", "F2") if longer else ():
            drawn = True
            found = {
                line[-1].name: {
                    one.rounds: part.estimate(part.conditions[one.name], score.lower())
                    for one in line
                }
                for line in longer
            }
            yield Figure(
                name=f"figure_6_{score.lower()}_{part.key}",
                title=f"The paper's Figure 6: {score} over rounds, {part.words}",
                figure=lines_over(
                    *_series(found), label=f"{score} (%)", x_label="rounds of speeches"
                ),
                alt=f"{score} over the number of rounds, a line per debate: "
                f"{', '.join(found)}.",
                note=f"{part.note} With 0 rounds the judge sees the first answers "
                "only; lines are 95 % intervals.",
            )
    if not drawn:
        runs = [f"{COMMAND} -T rounds={n} {_PAIR}" for n in (0, 1, 2)]
        yield _needs("Figure 6 needs", "debates that differ in rounds alone", runs)


def _by_rounds(conditions: Sequence[Condition]) -> list[list[Condition]]:
    """The debates that differ in rounds alone, together."""

    def line(one: Condition) -> str:
        shape = {k: v for k, v in one.shape.items() if k != "rounds"}
        return repr((one.protocol, one.models, one.judge, sorted(shape.items())))

    debates = sorted((c for c in conditions if c.protocol in DEBATES), key=line)
    lines = [list(of) for _, of in groupby(debates, key=line)]
    return [of for of in lines if len({one.rounds for one in of}) > 1]


PARTS: Sequence[Part[Data]] = [
    Part(
        "Figures",
        [
            *(_oracle_figures, _protocol_figures, _judge_figures),
            *(ALIGNMENT, _rounds_figures),
        ],
    ),
]
