"""The figures of ColMAD's paper from runs; of one without data, which runs it needs."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from statistics import fmean
from typing import NamedTuple, TypeVar

import matplotlib.figure
import numpy as np
import pandas as pd

from inspect_debate.metrics.detection import STATISTICS
from inspect_debate.reports.colmad.comparisons import (
    POOLED,
    Detectors,
    Shared,
    few_shared,
    main_debates,
    mean_ratios,
    on_shared,
    pairs,
    places,
    ratios,
    restricted,
)
from inspect_debate.reports.colmad.frames import (
    AUTHORS,
    DEBATES,
    NOT_GRADED,
    SUBSETS,
    Arm,
    short,
)
from inspect_debate.reports.colmad.tables import gold_items
from inspect_debate.reports.elements import Figure, Notice
from inspect_debate.reports.estimates import (
    Estimate,
    estimate,
    mean_estimate,
    of_baselines,
    share,
)
from inspect_debate.reports.figures import grouped_bars, heatmap, lines_over
from inspect_debate.reports.sanity import total

COMMAND = "inspect eval inspect_debate/colmad"
_PAIR = "--model-role debater_a=A --model-role debater_b=B"
_ROUNDS = 2  # the paper's
_Place = TypeVar("_Place", bound=Hashable)

_IS_POOLED = (
    "It pools tasks and authors of responses; Average in Tables 1 and 2 is the mean "
    "over tasks."
)
_MEAN = "Each value is the unweighted mean over the tasks, as Average in the tables."
_ORACLE = (
    "Read it beside the corrected shares in the table: two models of opposite bias "
    "fill this matrix without knowing anything. Each cell is on the samples that both "
    "models answered."
)
_SHOWN = ("precision", "recall", "f1")
_BARS = ("single", "som", "copmad", "colmad")


class _Part(NamedTuple):
    """What a figure is on: an author's responses, or all samples at once."""

    key: str
    words: str
    shared: Shared
    pooled: bool = False

    def estimate(self, arm: Arm, name: str) -> Estimate:
        """The mean over tasks, or over all samples at once."""
        if self.pooled:
            return estimate(arm.rows, name)
        return mean_estimate(list(_of_tasks(arm.rows)), name)


def oracle_figures(found: Detectors) -> Iterator[Figure | Notice]:
    """Figures 2, 7 and 8: Eq. (4) as a share of the better model's errors.

    By author of the responses the mean over the tasks (Figure 2), then every task for
    itself (Figures 7 and 8), then all samples at once, which the paper does not do.
    """
    if not any(pairs(found).values()):
        yield _needs(
            "Figures 2, 7 and 8 need",
            "answers of two models to the same items",
            _singles(),
        )
        return
    of_authors = places(found)
    for author, subsets in of_authors.items():
        of = f"responses of {AUTHORS[author]}"
        yield _oracle_figure(
            f"figure_2_{author}",
            f"The paper's Figure 2: errors that an oracle would remove, {of}",
            mean_ratios(found, author),
            f"The unweighted mean over {_tasks(subsets)}; a dash where the better "
            f"model makes no error in one of them. {_ORACLE}",
        )
        for subset in subsets:
            part = restricted(found, author, subset)
            task = SUBSETS[subset].lower()
            yield _oracle_figure(
                f"figures_7_8_{author}_{subset}",
                "The paper's Figures 7 and 8: errors that an oracle would remove, "
                f"{of}, {task}",
                ratios(part),
                f"{_ORACLE}{few_shared(part)}",
            )
    if sum(map(len, of_authors.values())) > 1:
        yield _oracle_figure(
            "figure_2_pooled",
            f"Errors that an oracle would remove, {POOLED}",
            ratios(found),
            f"Not in the paper, which does not pool. {_ORACLE}{few_shared(found)}",
        )


def _oracle_figure(name: str, title: str, ratio: pd.DataFrame, note: str) -> Figure:
    shown = ratio.rename(index=short, columns=short)
    return Figure(
        name=name,
        title=title,
        figure=heatmap(
            shown.rename_axis("Model").rename_axis("Other model", axis=1),
            label="share of the better model's errors (%)",
            limits=(0, 1),
        ),
        alt="Matrix of all pairs of models: share of the better model's errors on "
        "which the other model is right.",
        note=note,
    )


def _tasks(subsets: Sequence[str]) -> str:
    return ", ".join(SUBSETS[subset].lower() for subset in subsets)


def protocol_figures(arms: Sequence[Arm]) -> Iterator[Figure | Notice]:
    """Figure 3: precision, recall and F1 by protocol, for each pair of models.

    By author of the responses the mean over the tasks, then all samples at once, which
    the paper does not do.
    """
    held = [arm for arm in arms if arm.protocol in DEBATES and arm.rounds]
    answered = [arm for arm in held if arm.rows["prediction"].notna().any()]
    pairs = _by_pair(main_debates(answered))
    for number, debates in enumerate(pairs, start=1):
        others = [arm for arm in arms if _belongs(arm, debates[0])]
        for part in _parts([*debates, *others], pooled=True):
            shown = sorted(part.shared.arms, key=lambda arm: arm.protocol in DEBATES)
            title = f"The paper's Figure 3, with {debates[0].models}, {part.words}"
            yield Figure(
                name=f"figure_3_{number}_{part.key}",
                title=f"{title} (not in the paper)" if part.pooled else title,
                figure=_bars(shown, part),
                alt="Bars of precision, recall and F1, one series per protocol: "
                + ", ".join(arm.title for arm in shown)
                + ".",
                note=f"{_samples(part)} Lines are 95 % intervals. The dashed line "
                "always says that there is an error.",
            )
    if not pairs:
        yield _needs(
            "Figure 3 needs",
            "single models and debates of them",
            [*_singles(), *(f"{COMMAND} -T protocol={p} {_PAIR}" for p in _BARS[1:])],
        )


def judge_figures(arms: Sequence[Arm]) -> Iterator[Figure | Notice]:
    """Figure 5a: F2 by judge and other debater, single models on the diagonal.

    By author of the responses the mean over the tasks.
    """
    chosen: dict[tuple[str, str], Arm] = {}
    for arm in sorted(arms, key=lambda arm: (not arm.rounds, arm.rounds != _ROUNDS)):
        place = _place(arm)
        if place is not None:
            chosen.setdefault(place, arm)
    drawn = [
        _judges(part, cells)
        for part in _parts(list(chosen.values()))
        if (cells := dict(_judged(part)))
        and any(debater != judge for debater, judge in cells)
    ]
    yield from drawn
    if not drawn:
        yield _needs(
            "Figure 5a needs",
            "ColMAD with the judge among the debaters",
            [f"{COMMAND} {_PAIR}", *_singles()],
        )


def _judged(part: _Part) -> Iterator[tuple[tuple[str, str], float]]:
    for arm in part.shared.arms:
        place = _place(arm)
        if place is not None:
            yield place, part.estimate(arm, "f2").value


def _judges(part: _Part, cells: Mapping[tuple[str, str], float]) -> Figure:
    models = sorted({model for place in cells for model in place})
    matrix = [[cells.get((row, column), np.nan) for column in models] for row in models]
    frame = pd.DataFrame(matrix, models, models)
    return Figure(
        name=f"figure_5a_{part.key}",
        title="The paper's Figure 5a: F2 of ColMAD by judge and other debater, "
        + part.words,
        figure=heatmap(
            frame.rename_axis("Other debater").rename_axis("Judge and debater", axis=1),
            label="F2 (%)",
            diagonal="the model alone",
        ),
        alt="Matrix of F2: a column per judge, who debates as well, a row per other "
        "debater; models alone on the diagonal.",
        note=f"{_samples(part)} Of several arms of the same models the first one "
        "with the paper's two rounds. Judges from outside the debate are in the tables "
        "only.",
    )


def alignment_figure(arms: Sequence[Arm]) -> Figure | Notice:
    """Figure 5b: how often an error was found for the experts' reason."""
    graded = [
        a for a in arms if "aligned" in a.rows and a.rows["aligned"].notna().any()
    ]
    if not graded:
        return _needs(
            "Figure 5b needs",
            "graded explanations",
            [f"{COMMAND} -T grade=explanation_alignment {_PAIR} --model-role grader=G"],
        )
    found = {arm.name: share(arm.rows, "aligned") for arm in graded}
    values, low, high = _frames({"Aligned": found})
    return Figure(
        name="figure_5b",
        title="The paper's Figure 5b: errors found for the experts' reason",
        figure=grouped_bars(
            values, low, high, label="aligned explanations (%)", limits=(0, 1)
        ),
        alt="A bar per arm: share of found errors whose explanation agrees with the "
        "experts'.",
        note="Of the errors that were found and graded, which differ from arm to arm: "
        f"{'; '.join(map(_graded, graded))}. {_IS_POOLED} The grader's prompt is not "
        "the paper's, which prints none: not comparable with the printed figure.",
    )


def rounds_figures(arms: Sequence[Arm]) -> Iterator[Figure | Notice]:
    """Figure 6: F1 and F2 over rounds of speeches, 0 being first answers alone.

    By author of the responses the mean over the tasks.
    """
    drawn = False
    for part in _parts([arm for line in _by_rounds(arms) for arm in line]):
        lines = _by_rounds(part.shared.arms)
        for score in ("f1", "f2") if lines else ():
            drawn = True
            yield _over_rounds(part, lines, score)
    if not drawn:
        yield _needs(
            "Figure 6 needs",
            "debates that differ in rounds alone",
            [f"{COMMAND} -T rounds={n} {_PAIR}" for n in (0, 1, 2)],
        )


def _over_rounds(part: _Part, lines: Sequence[Sequence[Arm]], score: str) -> Figure:
    found = {
        _line_name(line): {arm.rounds: part.estimate(arm, score) for arm in line}
        for line in lines
    }
    values, low, high = _frames(found)
    return Figure(
        name=f"figure_6_{score}_{part.key}",
        title=f"The paper's Figure 6: {score.upper()} over rounds, {part.words}",
        figure=lines_over(
            values.sort_index(),
            low.sort_index(),
            high.sort_index(),
            label=f"{score.upper()} (%)",
            x_label="rounds of speeches",
        ),
        alt=f"{score.upper()} over the number of rounds, a line per debate: "
        + ", ".join(found)
        + ".",
        note=f"{_samples(part)} 0 rounds: the judge sees the first answers only. "
        "Lines are 95 % intervals.",
    )


def _parts(arms: Sequence[Arm], *, pooled: bool = False) -> Iterator[_Part]:
    """The authors of the responses, and all samples at once where that is more."""
    cells = 0
    for author, name in AUTHORS.items():
        of_author = [
            replace(arm, samples=arm.samples[arm.samples["response_author"] == author])
            for arm in arms
        ]
        shared = on_shared(of_author)
        if shared.arms:
            cells += len(list(_of_tasks(shared.arms[0].rows)))
            yield _Part(author, f"responses of {name}", shared)
    if pooled and cells > 1:
        yield _Part("pooled", POOLED, on_shared(arms), pooled=True)


def _of_tasks(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    return (part for _, part in rows.groupby("subset", sort=False))


def _samples(part: _Part) -> str:
    """What a figure is on, and who is not in it for that."""
    shared = part.shared
    out = "; ".join(shared.left_out)
    left = f" Left out, as they share none of these: {out}." if out else ""
    return (
        f"On the {shared.samples} samples that all arms shown have and predict.{left} "
        f"{_IS_POOLED if part.pooled else _MEAN}"
    )


def _graded(arm: Arm) -> str:
    unread = sum(total(arm.rows, f"alignment_{status}") for status in NOT_GRADED)
    unexplained = arm.rows["alignment_no_explanation"].sum()
    return (
        f"{arm.name} n = {arm.rows['aligned'].count()}, and {unexplained:.0f} without "
        f"a human explanation, {unread:.0f} unreadable"
    )


def _singles() -> list[str]:
    return [f"{COMMAND} -T protocol=single --model-role debater_a={m}" for m in "AB"]


def _needs(figure: str, what: str, commands: Sequence[str]) -> Notice:
    runs = "\n".join(f"- `{command}`" for command in commands)
    return Notice(f"{figure} {what}, on the same items:\n\n{runs}", "info")


def _by_pair(arms: Iterable[Arm]) -> list[list[Arm]]:
    ordered = sorted(arms, key=lambda arm: arm.models)
    return [list(of) for _, of in groupby(ordered, key=lambda arm: arm.models)]


def _belongs(arm: Arm, debate: Arm) -> bool:
    if arm.protocol == "single":
        return arm.debaters <= debate.debaters
    return arm.protocol == "som" and arm.debaters == debate.debaters


def _bars(arms: Sequence[Arm], part: _Part) -> matplotlib.figure.Figure:
    found = {
        arm.title if arm.protocol != "single" else arm.name: {
            name.title(): part.estimate(arm, name) for name in _SHOWN
        }
        for arm in arms
    }
    values, low, high = _frames(found)
    return grouped_bars(
        values,
        low,
        high,
        label="share (%)",
        references={"Always error": _always_error(gold_items(arms), part)},
        limits=(0, 1),
    )


def _always_error(items: pd.DataFrame, part: _Part) -> dict[str, float]:
    groups = [items] if part.pooled else list(_of_tasks(items))
    blind = [of_baselines(group)["always_error"] for group in groups]
    return {
        name.title(): fmean(float(STATISTICS[name](of, "parsed")) for of in blind)
        for name in _SHOWN
    }


def _place(arm: Arm) -> tuple[str, str] | None:
    """Row and column in the matrix of debaters and judges."""
    if arm.protocol == "single" and arm.debater_a:
        return short(arm.debater_a), short(arm.debater_a)
    if arm.protocol != "colmad" or not arm.rounds or arm.judge not in arm.debaters:
        return None
    others = arm.debaters - {arm.judge}
    return (short(min(others)), short(arm.judge)) if others else None


def _by_rounds(arms: Sequence[Arm]) -> list[list[Arm]]:
    """The debates that differ in rounds alone, together."""

    def line(arm: Arm) -> str:
        condition = {k: v for k, v in arm.condition.items() if k != "rounds"}
        return repr((arm.protocol, arm.models, arm.judge, sorted(condition.items())))

    debates = sorted((a for a in arms if a.protocol in DEBATES), key=line)
    lines = [list(of) for _, of in groupby(debates, key=line)]
    return [of for of in lines if len({arm.rounds for arm in of}) > 1]


def _frames(
    series: Mapping[str, Mapping[_Place, Estimate]],
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Values, lower and upper ends: a row per place, a column per series."""
    value, low, high = (
        pd.DataFrame(
            {
                name: {place: found[end] for place, found in of.items()}
                for name, of in series.items()
            }
        )
        for end in range(3)
    )
    return value, low, high


def _line_name(line: Sequence[Arm]) -> str:
    return line[-1].name
