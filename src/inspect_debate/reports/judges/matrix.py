"""Which judge was right about which debate: judges that judged the same debates.

Judges are of one panel if they judged a debate in common: bound to a list in one run,
or in runs that use the debates of one log again. Several logs of one condition, on
other samples each, are parts of one run.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import combinations, groupby
from typing import Any, NamedTuple

import matplotlib.figure
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from inspect_debate.debate.errors import check_choice
from inspect_debate.debate.outcome import majority
from inspect_debate.debate.participants import PEOPLE, PERSON
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.metrics.agreement import Share, cohen_kappa, krippendorff_alpha
from inspect_debate.metrics.shares import share
from inspect_debate.reports.conditions import flat, label, text
from inspect_debate.reports.drawing import (
    EMPTY,
    INK,
    LOOKS,
    MUTED,
    blank,
    drawing,
    legend,
    wrapped,
)
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    Figure,
    Item,
    Table,
    counted,
)
from inspect_debate.reports.figures import grouped_bars
from inspect_debate.reports.judges.verdicts import DEBATE, ORIGINS
from inspect_debate.reports.sanity import STATUSES
from inspect_debate.reports.views import Rows

VALUES = ("right", "answer", "status")
"""What the cells of a matrix can be."""

JUDGEMENT = ("panel", *DEBATE, "group", "judge", "answer", "status", "right")
"""The columns of `judgements`."""


class Panel(NamedTuple):
    """Judges of the same debates.

    Attributes:
        number: Of the panel, from 1, in the order of the logs.
        verdicts: Their rows, as from `named`.
        judgements: Their rows, as from `judgements`.
    """

    number: int
    verdicts: pd.DataFrame
    judgements: pd.DataFrame

    @property
    def judges(self) -> list[str]:
        """The judges, those that are right most often first."""
        right = self.judgements.groupby("judge", sort=False)["right"].mean()
        ordered = right.sort_values(ascending=False, kind="stable", na_position="last")
        return [str(judge) for judge in ordered.index]

    @property
    def compares(self) -> bool:
        """Whether any debate has several judges."""
        return bool(self.judgements.duplicated(DEBATE).any())

    def matrix(self, value: str = "right") -> pd.DataFrame:
        """A row per debate and a column per judge, as from `judge_matrix`."""
        cells = self.judgements.pivot(
            index=DEBATE, columns="judge", values=value
        ).reindex(columns=self.judges)
        return cells.rename_axis(columns=None)


def judge_matrix(verdicts: pd.DataFrame, value: str = "right") -> pd.DataFrame:
    """Judges by debates.

    Args:
        verdicts: As from `verdicts_df`.
        value: `right` (1 or 0, NaN where that is not known), the `answer`, or the
            `status`: `ok`, why there is no answer, or `tied` where a judge's verdicts
            in both orders differ.

    Returns:
        A row per debate (the index has `panel`, `id`, `epoch` and `debate`) and a
        column per judge, missing where it did not judge the debate.

    Raises:
        InputError: If there is no such value.
    """
    check_choice("value", value, VALUES)
    parts = {panel.number: panel.matrix(value) for panel in panels(verdicts)}
    empty = pd.MultiIndex.from_arrays([[]] * 4, names=["panel", *DEBATE])
    return pd.concat(parts, names=["panel"]) if parts else pd.DataFrame(index=empty)


def judgements(verdicts: pd.DataFrame) -> pd.DataFrame:
    """What each judge made of each debate: one row, whatever the number of orders.

    Args:
        verdicts: As from `verdicts_df`.

    Returns:
        The columns of `JUDGEMENT`. A judge's answer is that of most of its verdicts
        after the last round; one in either order that differ are `tied`.
    """
    parts = [panel.judgements for panel in panels(verdicts)]
    columns = pd.Index(JUDGEMENT)
    return (
        pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    )


def panels(verdicts: pd.DataFrame) -> list[Panel]:
    """Put judges together that judged a debate in common.

    Args:
        verdicts: As from `verdicts_df`.
    """
    if verdicts.empty:
        return []
    found = []
    numbers = _numbers(verdicts)
    for number, rows in verdicts.groupby(numbers):
        of_panel = named(rows)
        cells = pd.DataFrame(_cells(of_panel, int(number)), columns=pd.Index(JUDGEMENT))
        found.append(Panel(int(number), of_panel, cells))
    return found


def named(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Call judges by their models, and by how they were asked where that differs.

    Args:
        verdicts: As from `verdicts_df`, of one panel.

    Returns:
        The rows with `judge` as the judge's name. A model that judged a debate several
        times in one way is several judges, with a number: "model (2)".
    """
    key = ["run", "judge"]
    judges = verdicts.drop_duplicates(key)
    models = verdicts.groupby(key)["model"].nunique()
    ways = {
        who: _way(row, in_turns=models[who] > 1)
        for row in judges.to_dict("records")
        for who in [(row["run"], row["judge"])]
    }
    names = {who: label(way, ways.values(), "model") for who, way in ways.items()}
    who = pd.MultiIndex.from_frame(verdicts[key])
    name = pd.Series(who.map(names), verdicts.index)
    again = _repeats(verdicts.assign(name=name))
    return verdicts.assign(
        judge=name.where(again == 1, name + " (" + again.map(str) + ")")
    )


def _numbers(verdicts: pd.DataFrame) -> "pd.Series[int]":
    """By verdict the number of the panel: that of runs which share a debate."""
    runs, names = pd.factorize(verdicts["run"].map(_parts(verdicts)))
    debates = verdicts.groupby(DEBATE, sort=False).ngroup().to_numpy()
    # Slow to import, and few reports have several judges.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    # Runs and debates are nodes; a verdict joins the two that it belongs to.
    size = len(names) + debates.max() + 1
    joined = (np.ones(len(runs)), (runs, len(names) + debates))
    _, parts = connected_components(coo_array(joined, (size, size)), directed=False)
    numbers, _ = pd.factorize(parts[runs])
    return pd.Series(numbers + 1, verdicts.index)


def _parts(verdicts: pd.DataFrame) -> dict[Hashable, Hashable]:
    """By run the first run of its condition that has none of its samples."""
    found: dict[Hashable, Hashable] = {}
    # Of a condition the runs so far, and their samples.
    known: dict[Hashable, list[tuple[Hashable, set[tuple[object, ...]]]]] = {}
    for (run, condition), rows in verdicts.groupby(["run", "condition"], sort=False):
        samples = {*rows[["id", "epoch"]].itertuples(index=False, name=None)}
        of_condition = known.setdefault(condition, [])
        for first, theirs in of_condition:
            if theirs.isdisjoint(samples):
                theirs |= samples
                found.setdefault(run, first)
                break
        else:
            of_condition.append((run, samples))
            found.setdefault(run, run)
    return found


def _way(row: Mapping[Any, Any], *, in_turns: bool) -> dict[str, str]:
    """All in which judges may differ, by name; people who take turns are one judge."""
    parameters = {k: v for k, v in row["parameters"].items() if k not in ORIGINS}
    given = dict(flat(parameters)) | dict(flat({"verdict": row["settings"]}))
    shown = {name: text(value) for name, value in given.items()}
    people = in_turns and str(row["model"]).startswith(PERSON)
    model = PEOPLE if people else row["model"]
    return {"model": model, "prompts": row["prompts"][:8], **shown}


def _repeats(verdicts: pd.DataFrame) -> "pd.Series[int]":
    """By verdict how often its judge had been asked about its debate, and this time."""
    asked = [*DEBATE, "name", "run", "judge"]
    once = verdicts.drop_duplicates(asked)
    number = once.groupby([*DEBATE, "name"]).cumcount() + 1
    numbers = once[asked].assign(number=number)
    return (
        verdicts[asked]
        .merge(numbers, on=asked, how="left")["number"]
        .set_axis(verdicts.index)
    )


def _cells(verdicts: pd.DataFrame, panel: int) -> Iterator[dict[str, Any]]:
    """A row per judge and debate."""
    key = [*DEBATE, "group", "judge"]
    last = verdicts["round"] == verdicts.groupby(key)["round"].transform("max")
    columns = [*key, "answer", "status", "right"]
    asked: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for *of, answer, status, right in verdicts.loc[last, columns].itertuples(
        index=False, name=None
    ):
        asked.setdefault(tuple(of), []).append((answer, status, right))
    for of_cell, readings in asked.items():
        answer, status = majority(_read(given, read) for given, read, _ in readings)
        right = {given: value for given, _, value in readings}.get(answer, np.nan)
        values = (panel, *of_cell, answer, status, right)
        yield dict(zip(JUDGEMENT, values, strict=True))


def _read(answer: str, status: str) -> Parsed:
    read = Status(status)
    return Parsed.ok(answer) if read == Status.OK else Parsed(status=read)


# What judges of the same debates have in common, and what not, as tables.

Judged = Mapping[str, Panel]
"""Panels by what readers call what they judged."""

PANEL = "Panel"

_TIED = "Orders differ"
_ROWS = 20
"""How many debates of a matrix a page shows; its file has all."""


def _of_panels(
    rows: Callable[[Panel], Iterable[Mapping[str, object]]],
) -> Callable[[Judged], Iterator[dict[str, object]]]:
    """Rows of each panel, below its title."""
    return lambda judged: (
        {PANEL: title, **row} for title, panel in judged.items() for row in rows(panel)
    )


def judge_items(judged: Judged) -> Iterator[Item]:
    """Judges by themselves, two by two, and all of a panel, as tables and figures.

    Args:
        judged: The panels, those of a single judge too, which has a row of the first
            table alone.
    """
    for table in _TABLES:
        yield from table(judged)
    several = {title: panel for title, panel in judged.items() if panel.compares}
    for title, panel in several.items():
        yield from panel_figures(panel, title)
    for title, panel in several.items():
        yield Table(
            name=f"judge_matrix_{panel.number}",
            title=f"Debates and judges: {title}",
            frame=_in_words(panel),
            note="Debates that most judges were right about come first. Missing: this "
            "judge was not asked about the debate.",
            first=_ROWS,
        )


def right_counts(panel: Panel) -> pd.DataFrame:
    """Debates by the number of judges that were right, of a panel of several.

    Returns:
        Columns `Judges right` (from 0), `Debates`, their `Share`, and the share `If
        independent`; empty without a debate that all judges gave a known answer to.
    """
    right = panel.matrix().dropna()
    if right.shape[1] < 2 or right.empty:
        return pd.DataFrame()
    judges = right.shape[1]
    counts = np.bincount(right.sum(axis=1).astype(int), minlength=judges + 1)
    chance = np.ones(1)
    for accuracy in right.mean():
        chance = np.convolve(chance, [1 - accuracy, accuracy])
    return pd.DataFrame(
        {
            "Judges right": [f"{n} of {judges}" for n in range(judges + 1)],
            "Debates": counts,
            "Share": counts / len(right),
            "If independent": chance,
        }
    )


def by_number_right(matrix: pd.DataFrame) -> pd.DataFrame:
    """A matrix of 1, 0 and NaN with the debates first that most judges have right.

    Those of as many are sorted by which judges these are, so that alike ones adjoin.
    """
    order = matrix.fillna(0.5).assign(number=matrix.sum(axis=1))
    columns = ["number", *matrix.columns]
    return matrix.loc[order.sort_values(columns, ascending=False, kind="stable").index]


def _judges(panel: Panel) -> Iterator[dict[str, object]]:
    for judge in panel.judges:
        cells = panel.judgements[panel.judgements["judge"] == judge]
        verdicts = panel.verdicts[panel.verdicts["judge"] == judge]
        statuses = cells["status"].value_counts(normalize=True)
        yield {
            "Judge": judge,
            "Debates": len(cells),
            "Accuracy": share(cells["right"].astype(float), cells["group"]),
            **{name: statuses.get(status, 0.0) for status, name in STATUSES.items()},
            _TIED: statuses.get("tied", 0.0),
            "Verdicts": len(verdicts),
            "For the first": share(verdicts["first"].astype(float), verdicts["group"]),
            "Right is first": verdicts["right_first"].mean(),
            "Both orders agree": _orders(verdicts),
        }


def _people(panel: Panel) -> Iterator[dict[str, object]]:
    """Each person by itself, of people who take turns as a judge."""
    rows = panel.verdicts[panel.verdicts["model"].str.startswith(PERSON)]
    rows = rows.drop_duplicates([*DEBATE, "model"], keep="last")
    for person, of in rows.groupby("model"):
        yield {
            "Person": str(person).removeprefix(PERSON),
            "Debates": len(of),
            "Accuracy": share(of["right"].astype(float), of["group"]),
        }


def _orders(verdicts: pd.DataFrame) -> Share | None:
    """How often a judge gives the same answer in both orders."""
    read = verdicts[verdicts["status"] == "ok"]
    sides = read.pivot_table(
        index=[*DEBATE, "group"], columns="order", values="answer", aggfunc="last"
    )
    if not {"ab", "ba"} <= set(sides):
        return None
    both = sides.dropna(subset=["ab", "ba"])
    same = (both["ab"] == both["ba"]).astype(float)
    return share(same, both.index.get_level_values("group"))


def _pairs(panel: Panel) -> Iterator[dict[str, object]]:
    answers, right = panel.matrix("answer"), panel.matrix()
    groups = panel.judgements.drop_duplicates(DEBATE).set_index(DEBATE)["group"]
    for one, other in combinations(panel.judges, 2):
        both = answers[[one, other]].dropna()
        if both.empty:
            continue
        a, b = both[one], both[other]
        apart = (right.loc[both.index, one] - right.loc[both.index, other]).abs()
        yield {
            "Judge": one,
            "Other judge": other,
            "Debates": len(both),
            "Agreement": share((a == b).astype(float), groups.loc[both.index]),
            "Kappa": cohen_kappa(list(a), list(b)),
            "Alpha": _alpha(both),
            "Only one right": apart.mean(),
        }


def _alpha(answers: pd.DataFrame) -> float:
    """Krippendorff's alpha of answers, of which there are two; NaN of others."""
    labels = sorted({*answers.to_numpy().ravel()})
    if len(labels) != 2:
        return float("nan")
    return krippendorff_alpha((answers == labels[0]).astype(float))


def _right_rows(panel: Panel) -> Iterator[dict[str, object]]:
    for row in right_counts(panel).to_dict("records"):
        yield {str(column): value for column, value in row.items()}


_TABLES = (
    Rows(
        "judges",
        "Judges",
        _of_panels(_judges),
        dict.fromkeys(
            [
                *("Accuracy", *STATUSES.values(), _TIED),
                *("For the first", "Right is first", "Both orders agree"),
            ],
            PERCENT,
        )
        | {"Verdicts": COUNT},
        groups=PANEL,
        optional=[*STATUSES.values(), _TIED],
        known_only=True,
        note="In percent: accuracy of the debates with an answer of this judge, the "
        "shares without one of all that it was asked about. “For the first” are the "
        "verdicts for the answer that the judge was shown first; a judge that is "
        "always right has the share under “Right is first”.",
    ),
    Rows(
        "judge_people",
        "People as judges",
        _of_panels(_people),
        {"Accuracy": PERCENT},
        groups=PANEL,
        folded=True,
        note="Accuracy of the debates with an answer of this person, in percent. In "
        "other tables those who take turns are one judge.",
    ),
    Rows(
        "judge_pairs",
        "Agreement of judges",
        _of_panels(_pairs),
        {"Agreement": PERCENT, "Kappa": NUMBER, "Only one right": PERCENT},
        groups=PANEL,
        note="In percent of the debates that both judges gave an answer to; a panel "
        "can gain only where just one is right. Cohen's kappa, and Krippendorff's "
        "alpha of two answers, are 0 where they agree as often as by chance, and "
        "missing where both give the same answer to all.",
    ),
    Rows(
        "judges_right",
        "How many judges were right",
        _of_panels(_right_rows),
        {"Share": PERCENT, "If independent": PERCENT},
        groups=PANEL,
        note="Over the debates that all judges of the panel gave an answer to, in "
        "percent. If independent: what judges of the same accuracies would come to if "
        "the errors of one had nothing to do with those of another; many more debates "
        "than that at both ends mean that judges err together, so that a vote of "
        "theirs gains little.",
    ),
)


def _in_words(panel: Panel) -> pd.DataFrame:
    """One row per debate; in each judge's column what became of its verdict."""
    right, status = panel.matrix(), panel.matrix("status")
    words = status.replace({"ok": "answered", "tied": _TIED.lower()} | _WORDS)
    words = words.mask(right == 1, "right").mask(right == 0, "wrong")
    ordered = by_number_right(right)
    shown = words.loc[ordered.index].reset_index().drop(columns="debate")
    shown.insert(2, "Judges right", ordered.sum(axis=1).astype(int).to_numpy())
    return shown.rename(columns={"id": "Sample", "epoch": "Epoch"})


_WORDS = {status: name.lower() for status, name in STATUSES.items()}


# The judges of a panel and its debates in one picture.

_HEIGHT = 0.86
_APART = 100
"""Up to how many debates have lines between them."""

_ROOM = 0.06
"""Share of the width that a word above a group of debates needs."""

_LOOKS = {
    "right": (LOOKS[0].colour, ""),
    "wrong": (LOOKS[1].colour, "///"),
    "no answer": (EMPTY, "..."),
    "not asked": ("white", "xxx"),
}
"""Colour and hatch of a cell, so that nobody depends on colour alone."""


class _Stretch(NamedTuple):
    """Debates side by side with the same value."""

    value: str
    start: int
    length: int


def panel_figures(panel: Panel, title: str) -> Iterator[Figure]:
    """The matrix of a panel, and by how many judges debates were judged rightly.

    Args:
        panel: The panel.
        title: What readers call what it judged.

    Yields:
        Nothing for a single judge, or where nobody knows what is right.
    """
    known = panel.judgements["right"].notna().any()
    if len(panel.judges) < 2 or not known:
        return
    words = _drawn_words(panel)
    debates, judges = words.shape
    yield Figure(
        name=f"judge_map_{panel.number}",
        title=f"Judges and debates: {title}",
        figure=_matrix(words, panel.matrix().loc[words.index].sum(axis=1)),
        alt=f"A row for each of {judges} judges and a column for each of "
        f"{counted(debates, 'debate')}: right, wrong, no answer or not asked.",
        note="A column is a debate; those that most judges were right about are at "
        "the left, and lines part numbers of judges that were right. Judges that "
        "were right most often are on top.",
    )
    counts = right_counts(panel)
    if counts.empty:
        return
    yield Figure(
        name=f"judges_right_{panel.number}",
        title=f"How many judges were right: {title}",
        figure=grouped_bars(
            counts.set_index("Judges right")[["Share", "If independent"]].rename(
                columns={"Share": "Debates"}
            ),
            label="debates (%)",
        ),
        alt="Bars of the share of debates by the number of judges that were right, "
        "beside what independent judges would come to.",
        note=f"Over the {counted(int(counts['Debates'].sum()), 'debate')} that all "
        "judges gave an answer to.",
    )


def _drawn_words(panel: Panel) -> pd.DataFrame:
    """What each judge made of each debate, a row per debate in the figure's order."""
    right = by_number_right(panel.matrix())
    asked = panel.matrix("status").loc[right.index].notna()
    words = asked.replace({True: "no answer", False: "not asked"})
    return words.mask(right == 1, "right").mask(right == 0, "wrong")


@drawing()
def _matrix(words: pd.DataFrame, right: "pd.Series[float]") -> matplotlib.figure.Figure:
    debates, judges = words.shape
    figure, axes = blank(width=7.4, height=1.5 + 0.36 * judges)
    for row, judge in enumerate(words):
        for value, start, length in _stretches(words[judge]):
            colour, hatch = _LOOKS[value]
            axes.broken_barh(
                [(start, length)],
                (row - _HEIGHT / 2, _HEIGHT),
                facecolor=colour,
                hatch=hatch,
                edgecolor=MUTED if hatch and colour in (EMPTY, "white") else "white",
                linewidth=0,
            )
    _divide(axes, right, judges)
    axes.set_yticks(range(judges), [wrapped(str(name), 32) for name in words])
    axes.set_xlim(0, debates)
    axes.set_ylim(judges - 0.5, -0.5)
    axes.set_xlabel("debates")
    axes.tick_params(axis="y", length=0)
    axes.spines[:].set_visible(False)
    found = [name for name in _LOOKS if (words == name).any(axis=None)]
    legend(figure, [_patch(name) for name in found], found)
    return figure


def _stretches(values: "pd.Series[Any]") -> Iterator[_Stretch]:
    start = 0
    for value, same in groupby(values):
        length = len(list(same))
        yield _Stretch(str(value), start, length)
        start += length


def _divide(axes: Axes, right: "pd.Series[float]", judges: int) -> None:
    """Lines between debates, and between those that other numbers were right about."""
    debates = len(right)
    if debates <= _APART:
        axes.vlines(range(1, debates), -0.5, judges - 0.5, color="white", linewidth=0.8)
    for number, start, length in _stretches(right.astype(int)):
        if start:
            axes.vlines(start, -0.5, judges - 0.5, color=INK, linewidth=1.2)
        if length > _ROOM * debates:
            middle = start + length / 2
            axes.text(middle, -0.55, f"{number} right", ha="center", va="bottom")


def _patch(name: str) -> Patch:
    colour, hatch = _LOOKS[name]
    edge = MUTED if hatch and colour in (EMPTY, "white") else "white"
    return Patch(facecolor=colour, hatch=hatch, edgecolor=edge, linewidth=0.5)
