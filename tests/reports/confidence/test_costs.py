"""The file of costs of a release, and Table 6 of all of its debates."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspect_debate.cli.released_debates import released
from inspect_debate.published.audit import checked_cells
from inspect_debate.published.engine import Audit, Data
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.confidence.frames import model_name
from inspect_debate.reports.confidence.paper import rates_of
from inspect_debate.transcripts.debates import Costs
from inspect_debate.transcripts.logs import score_rows
from inspect_debate.transcripts.release import read_release
from tests.reports.confidence.released import needs_release, release_folder
from tests.transcripts.made import COSTS, cross_model, four_rounds, saved, three_rounds


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
    cell = paper_of("confidence").cell("table_6", model, column)
    assert cell is not None
    return float(cell.plain.replace(",", ""))
