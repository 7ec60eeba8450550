"""What the released debates give, and what finished runs do."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.cli.released_debates import released
from inspect_debate.published.audit import checked_cells
from inspect_debate.published.confidence import Released
from inspect_debate.published.engine import Audit, Data
from inspect_debate.published.tables import paper_of
from inspect_debate.reports.confidence.bets import BY_MODEL
from inspect_debate.reports.confidence.frames import (
    bets_of,
    conditions,
    model_name,
)
from inspect_debate.reports.confidence.jury import judged_debates
from inspect_debate.reports.confidence.paper_others import rates_of
from inspect_debate.reports.frames import scores_df
from inspect_debate.transcripts.llms_overconfidence import import_release
from inspect_debate.transcripts.logs import score_rows
from inspect_debate.transcripts.release import read_release
from tests.reports.confidence.made import data, items, row
from tests.reports.confidence.released import (
    FOLDERS,
    release_folder,
    released_bets,
)
from tests.support.released import data as released_data
from tests.support.released import needs_data
from tests.transcripts.made import four_rounds, saved, three_rounds

pytestmark = needs_data


def released_debates() -> Released:
    found = released_data().released
    assert found is not None
    return found


@cache
def made(part: str) -> dict[str, Any]:
    found = released_debates()
    stated = [f"bets.stated_{name}" for name in ("n", "gap_sum", "abs_gap_sum")]
    graded = found.graded.assign(**dict.fromkeys(stated, 0.0))
    of = data(found.bets, found.verdicts, graded)
    return {
        name: it.frame for name, it in items(of, part).items() if hasattr(it, "frame")
    }


def test_the_scores_have_the_bets_of_the_files() -> None:
    """Printed cells are counted from the scores; these are read without them."""
    found = released_debates()
    key = ["condition", "debate", "side", "round"]
    ours, expected = (
        bets.drop(columns=["run", "motion"]).sort_values(key, ignore_index=True)
        for bets in (found.bets, released_bets())
    )
    pd.testing.assert_frame_equal(ours, expected)


def test_model_means_are_compared_as_in_the_paper() -> None:
    frame = made("Conditions compared")["comparisons_conditions"]
    informed, public = (
        row(frame, "Opening bet", f"Self-debate less {other}")
        for other in ("Informed self (told 50 %)", "Public bets")
    )
    assert informed["Difference"] == pytest.approx(14.075)
    assert informed[BY_MODEL] == pytest.approx(2 * 2.9e-5, rel=0.02)
    assert public[BY_MODEL] == pytest.approx(0.708, abs=0.0005)


def test_strategic_bets_and_gaps() -> None:
    found = made("Bets and private")
    assert found["strategic"]["Strategic"].tolist() == [31, 37, 67, 46]
    assert found["strategic"]["Malformed"].tolist() == [1, 2, 1, 2]
    gaps = found["graded_gaps"]
    assert gaps["Mean gap"].round(1).tolist() == [-1.6, 0.2, 0.3, 0.4]
    assert gaps["Mean absolute gap"].round(1).tolist() == [2.9, 3.4, 2.4, 3.8]


def test_who_wins_by_each_rule() -> None:
    frame = made("The jury")["jury_rules"]
    assert frame["Opposition"].tolist() == [38, 36, 43]
    assert frame["Tie"].tolist() == [1, 7, 0]
    assert frame["Opposition wins"].round(3).tolist() == [0.633, 0.6, 0.717]


@pytest.mark.parametrize(
    ("judge", "opposed", "repeated", "own"),
    [
        ("google/gemini-pro-1.5", 108, 56, (0, 0)),
        ("qwen/qwq-32b", 66, 52, (24, 19)),
        ("deepseek/deepseek-chat", 59, 43, (24, 14)),
    ],
)
def test_the_judges(
    judge: str, opposed: int, repeated: int, own: tuple[int, int]
) -> None:
    found = row(made("The jury")["judges"], "Cross-model", judge)
    assert found["Verdicts"] == 119
    assert found["For the opposition"] == pytest.approx(opposed / 119)
    assert found["Repeated"] == pytest.approx(repeated / 59)
    judged = judged_debates(released_debates().verdicts, released_bets())
    votes = judged[judged["judge"] == judge]
    assert (votes["on_itself"].sum(), votes["for_itself"].sum()) == own


def test_logs_of_the_release_give_the_same_bets(tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    for name in FOLDERS.values():
        for file in sorted((release_folder() / name).glob("*.json"))[::20]:
            (folder / file.name).symlink_to(file)
    import_release(str(folder), str(tmp_path / "logs"), "1-A")
    grouped = conditions(scores_df(tmp_path / "logs", "confidence"))
    key = ["condition", "debate", "side", "round"]
    found = bets_of(grouped).sort_values(key, ignore_index=True)
    expected = released_bets()
    expected = expected[expected["debate"].isin(found["debate"])]
    expected = expected.sort_values(key, ignore_index=True)
    named = ["run", "motion"]  # which the import names in its own way
    assert len(found) == 4 * 3 * 6
    pd.testing.assert_frame_equal(
        found.drop(columns=named), expected.drop(columns=named)
    )


# The file of costs of a release, and Table 6 of all of its debates.


def test_the_folders_at_hand_with_red_team_debates_give_every_cell(
    tmp_path: Path,
) -> None:
    real = score_rows(read_release(str(release_folder().parent)))
    for name, made_up in _red_team(real):
        saved(tmp_path, f"experiments/SELF_REDTEAM_DEBATE/{name}.json", made_up)
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
        counts_of = [
            r["released_tokens"][id] for r in real if id in r["released_tokens"]
        ]
        prompt, completion = (
            sum(t[f"{how}_{kind}_tokens"] for t in counts_of for how in _HOW)
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
