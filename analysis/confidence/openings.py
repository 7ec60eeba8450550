"""Opening bets: the paper's Tables 2 and 7."""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.analysis.confidence.printed import (
    SIGNIFICANT,
    fixed,
    mean_sd,
    small_p,
)
from inspect_debate.analysis.confidence.sides import by_condition, has_published_pool
from inspect_debate.analysis.confidence.statistics import (
    against,
    spread,
)
from inspect_debate.analysis.confidence.study import (
    EVEN,
    OVERALL,
    conditions_of,
    in_order,
    protocol_of,
    title,
)
from inspect_debate.analysis.confidence.twins import PaperTable, paired_cells
from inspect_debate.analysis.published import confidence_tables
from inspect_debate.core.measures.means import ranked_above


def openings(bets: pd.DataFrame) -> pd.DataFrame:
    """The rows of opening bets."""
    return bets[bets["speech"] == "opening"]


def table_2(bets: pd.DataFrame) -> PaperTable:
    """Mean opening bets by model and condition, with sample standard deviations."""
    rows = openings(bets)
    parts = by_condition(rows)
    conditions = conditions_of(parts)
    models = in_order(rows["model"], "table_2")
    cells: dict[str, dict[str, str]] = {row: {} for row in (*models, OVERALL)}
    for condition in conditions:
        part = parts[condition]
        for model, own in part.groupby("model"):
            cells[str(model)][condition] = mean_sd(spread(own["recorded"], ddof=1))
        cells[OVERALL][condition] = mean_sd(spread(part["recorded"], ddof=1))

    def twin_of(row: str, condition: str) -> tuple[str, str] | None:
        if row == OVERALL and not has_published_pool(parts[condition]):
            return None
        return row, protocol_of(condition)

    return PaperTable(
        name="table_2",
        title="Opening bets (the paper's Table 2)",
        heading="Model",
        rows={model: model for model in models} | {OVERALL: "Overall average"},
        columns={condition: title(condition) for condition in conditions},
        cells=paired_cells("table_2", cells, twin_of),
        note="Mean ± standard deviation (divided by n − 1). College debaters expect to "
        f"win with {_HUMANS} (Meer and Van Wesep 2007). "
        f"{confidence_tables().notes['table_2']}",
    )


def table_7(bets: pd.DataFrame) -> PaperTable:
    """Tests that models open above 50, by condition and model."""
    parts = by_condition(openings(bets))
    rows, groups, cells, twins = {}, {}, {}, {}
    for condition in conditions_of(parts):
        for model, values in _of_models(parts[condition]):
            row = f"{condition} {model}"
            rows[row], groups[row] = model, title(condition)
            cells[row] = _tests(values)
            twins[row] = f"{protocol_of(condition)} {model}"
    return PaperTable(
        name="table_7",
        title="Are opening bets above 50? (the paper's Table 7)",
        heading="Model",
        rows=rows,
        columns=_COLUMNS,
        cells=paired_cells("table_7", cells, lambda row, column: (twins[row], column)),
        groups=groups,
        grouped_by="Condition",
        note="One-sided: Student's t test, and Wilcoxon's signed-rank test as scipy "
        "does it by default. Significant: p < 0.05, uncorrected. "
        f"{confidence_tables().notes['table_7']}",
    )


def _of_models(bets: pd.DataFrame) -> Iterator[tuple[str, "pd.Series[float]"]]:
    for model in in_order(bets["model"], "table_7"):
        yield model, bets.loc[bets["model"] == model, "recorded"]


def _tests(values: "pd.Series[float]") -> dict[str, str]:
    t_test, wilcoxon = against(values), ranked_above(values, EVEN)
    return {
        "N": str(t_test.n),
        "mean": fixed(t_test.mean),
        "t_p": small_p(t_test.p),
        "t_significant": str(t_test.p < SIGNIFICANT),
        "wilcoxon_p": small_p(wilcoxon),
        "wilcoxon_significant": str(wilcoxon < SIGNIFICANT),
    }


_COLUMNS = {
    "N": "N",
    "mean": "Mean",
    "t_p": "t test: p",
    "t_significant": "t test: significant",
    "wilcoxon_p": "Wilcoxon: p",
    "wilcoxon_significant": "Wilcoxon: significant",
}
_HUMANS = confidence_tables().tables["human"]["opening"]["value"].printed
