"""Table 6: what debaters spent, of runs and of released debates."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.cli.released_debates import released
from inspect_debate.published.audit import checked_cells
from inspect_debate.published.engine import Audit, Data
from inspect_debate.published.printed import confidence_tables
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.confidence.costs import COUNTED, SPENT, rates_of, table_6
from inspect_debate.reports.confidence.study import model_name, published_models
from inspect_debate.reports.confidence.twins import Twin, counts
from inspect_debate.transcripts.debates import Costs
from inspect_debate.transcripts.logs import score_rows
from inspect_debate.transcripts.release import read_release
from tests.reports.confidence.released import needs_release, release_folder
from tests.transcripts.made import COSTS, cross_model, four_rounds, saved, three_rounds

O3, FREE = "openai/o3-mini", "qwen/qwq-32b"


def spent(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """Rows of condition, rounds, model, seats, prompt and completion tokens, cost."""
    return pd.DataFrame(
        [
            (condition, f"d{n}", rounds, model, seats, prompt, completion, tokens, cost)
            for n, (condition, rounds, model, seats, prompt, completion, cost) in (
                enumerate(rows)
            )
            for tokens in [prompt + completion]
        ],
        columns=list(SPENT),
    )


def test_prices_are_the_authors_and_costs_are_worked_by_hand() -> None:
    # 2 million at 1.1 dollars and half a million at 4.4 are 2.2 + 2.2.
    made = spent(("self", 3, O3, 2, 2_000_000, 500_000, math.nan))
    cells = table_6(made, rates_of([])).cells
    assert cells[O3, "cost_usd"].ours == "4.40"
    assert cells[O3, "total_tokens"].ours == "2,500,000"
    assert cells["overall", "cost_usd"].ours == "4.40"


def test_a_run_s_own_cost_counts_and_an_unknown_one_is_none() -> None:
    ours = ("self", 3, "mine/a", 2, 10, 5, 0.25)
    unknown = ("self", 3, "mine/b", 2, 10, 5, math.nan)
    cells = table_6(spent(ours, unknown), rates_of([])).cells
    assert cells["mine/a", "cost_usd"].ours == "0.25"
    assert cells["mine/b", "cost_usd"].ours is None
    assert cells["overall", "cost_usd"].ours is None
    assert cells["overall", "total_tokens"].ours == "30"


@pytest.mark.parametrize(
    ("condition", "rounds", "counted"),
    [
        ("cross_model", 3, True),
        ("redteam judge=a", 3, True),
        ("four_round", 4, False),
        ("self rounds=4", 4, False),
        ("deceptive", 3, False),
    ],
)
def test_what_the_paper_counts(condition: str, rounds: int, counted: bool) -> None:
    made = spent(("self", 3, O3, 2, 1, 1, 0.0), (condition, rounds, O3, 2, 10, 10, 0.0))
    cells = table_6(made, rates_of([])).cells
    assert cells[O3, "debates"].ours == ("4" if counted else "2")
    assert cells[O3, "total_tokens"].ours == ("22" if counted else "2")


def test_other_debates_than_the_papers_are_shown_beside_it_but_not_compared() -> None:
    parts = [("self", 3, m, 2, 1000, 1, math.nan) for m in published_models("table_6")]
    table = table_6(spent(*parts), rates_of([]))
    assert table.cells[O3, "debates"].status == "not comparable"
    assert "Debates with oneself" in table.note
    assert "lack Cross-model, Informed self" in table.note
    shown = table.table().frame.set_index(("Model", "")).loc[O3]
    assert shown["Debates"].to_dict() == {"ours": "2", "paper": "60"}
    # What a free model costs does not depend on how many debates there are.
    assert table.cells[FREE, "cost_usd"].status == "equal"
    assert counts([table])["table_6"]["equal"] == 2


def test_all_conditions_are_compared() -> None:
    parts = [
        (condition, 3, model, 2, 1000, 1, math.nan)
        for model in published_models("table_6")
        for condition in COUNTED
    ]
    table = table_6(spent(*parts), rates_of([]))
    found = counts([table])["table_6"]
    assert found["equal"] + found["differs"] == 31
    assert table.cells[O3, "debates"].difference == "−50"


def test_the_file_of_costs_is_read(tmp_path: Path) -> None:
    saved(tmp_path, "experiments/a/a_vs_b_20250316_155334.json", cross_model())
    saved(tmp_path, "model_token_usage_and_cost.json", COSTS)
    found = read_release(str(tmp_path))
    assert dict(found.costs) == dict(Costs.model_validate(COSTS).model_stats)
    assert found.stopped == ()


def test_a_damaged_file_of_costs_is_told(tmp_path: Path) -> None:
    saved(tmp_path, "experiments/a/a_vs_b_20250316_155334.json", cross_model())
    damaged = {"summary": {}, "model_stats": {"a/b": {"prompt_tokens": -1}}}
    saved(tmp_path, "model_token_usage_and_cost.json", damaged)
    found = read_release(str(tmp_path))
    assert len(found.debates) == 1
    (stopped,) = found.stopped
    assert stopped.file == "model_token_usage_and_cost.json"
    assert stopped.reason.startswith("model_stats.a/b.prompt_tokens")


@needs_release
def test_the_folders_at_hand_with_red_team_debates_give_every_cell(
    tmp_path: Path,
) -> None:
    real = score_rows(read_release(str(release_folder().parent)))
    for name, debate in _red_team(real):
        saved(tmp_path, f"experiments/SELF_REDTEAM_DEBATE/{name}.json", debate)
    four = four_rounds(models=("openai/o3-mini", "openai/o3-mini"))
    saved(tmp_path, "experiments/multi_round_experiments/o3_debate_1.json", four)
    made = score_rows(read_release(str(tmp_path)))
    made_of = Data(debates=lambda: released(real + made))
    found = list(checked_cells(Audit(paper_of("confidence"), made_of)))
    cells = [cell for cell in found if cell.table == "Table 6"]
    assert not [c for c in cells if (c.how, c.ours) != ("data", c.printed)]
    assert len(cells) == 31


def _red_team(real: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Six debates of each model, with the tokens that the printed totals leave them.

    The totals are printed; how they divide into prompts and completions follows from
    the printed costs at the authors' prices.
    """
    rates = rates_of([])
    ids = {model_name(m): m for row in real for m in row["released_tokens"]}
    for model, id in ids.items():
        told = [r["released_tokens"][id] for r in real if id in r["released_tokens"]]
        prompt, completion = (
            sum(t[f"{how}_{kind}_tokens"] for t in told for how in _HOW)
            for kind in ("prompt", "completion")
        )
        total = int(_printed(model, "total_tokens")) - prompt - completion
        per_prompt, per_completion = rates[model]
        at_hand = prompt * per_prompt + completion * per_completion
        left = 1e6 * _printed(model, "cost_usd") - at_hand
        written = 0
        if per_completion > per_prompt:
            written = round((left - total * per_prompt) / (per_completion - per_prompt))
        assert 0 <= written <= total, model
        for n in range(6):
            debate = three_rounds("readteam_debate", (id, id), f"Motion {n}")
            counts = debate["debator_token_counts"][id]
            first = n == 0
            counts["successful_prompt_tokens"] = first * (total - written)
            counts["successful_completion_tokens"] = first * written
            counts["successful_total_tokens"] = first * total
            yield f"{id.replace('/', '_')}_{n}", debate


_HOW = ("successful", "failed")


def _printed(model: str, column: str) -> float:
    cell = confidence_tables().cell("table_6", model, column)
    assert cell is not None
    return float(cell.plain.replace(",", ""))


def test_a_twin_that_is_not_comparable_says_no_difference() -> None:
    paper = confidence_tables().cell("table_6", O3, "debates")
    twin = Twin("2", paper, comparable=False)
    assert (twin.difference, twin.reason) == (None, "")
