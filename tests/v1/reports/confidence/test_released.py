"""What the released debates give, and what finished runs do."""

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.published.tables import paper_of
from inspect_debate.v1.reports.confidence.bets import BY_MODEL
from inspect_debate.v1.reports.confidence.frames import (
    bets_of,
    conditions,
    model_name,
    titled,
)
from inspect_debate.v1.reports.confidence.jury import judged_debates
from inspect_debate.v1.reports.confidence.paper_bets import changed_by_missing
from inspect_debate.v1.reports.confidence.paper_others import (
    alignment_tables,
    appendix_d,
    rates_of,
)
from inspect_debate.v1.reports.frames import scores_df
from inspect_debate.v1.scorers.bet_grading import BetGrade, grade_of_published
from inspect_debate.v1.transcripts.llms_overconfidence import import_release
from tests.v1.reports.confidence.made import data, items, row
from tests.v1.reports.confidence.released import (
    FOLDERS,
    release_folder,
    released_bets,
)
from tests.v1.reports.confidence.test_paper import debate
from tests.v1.support.released import needs_data
from tests.v1.transcripts.made import three_rounds

pytestmark = needs_data


@cache
def graded() -> pd.DataFrame:
    """Debates with the published grades."""
    models = released_bets().groupby("debate")["model"].unique()
    rows = []
    for condition, folder in FOLDERS.items():
        file = release_folder().parent / f"bet_analysis_results_{folder}.json"
        by_debate: dict[str, list[BetGrade]] = defaultdict(list)
        for entry in json.loads(file.read_text(encoding="utf-8")):
            by_debate[entry["debate_id"]].append(grade_of_published(entry))
        for name, grades in by_debate.items():
            sides = {"proposition": models[name][0], "opposition": models[name][-1]}
            rows.append(debate(condition, "", *grades) | {"sides": sides})
    return pd.DataFrame(rows)


@cache
def verdicts() -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for path in sorted((release_folder() / FOLDERS["cross_model"]).glob("*.json")):
        passes: dict[str, int] = {}
        for verdict in json.loads(path.read_text(encoding="utf-8"))["judge_results"]:
            judge = model_name(verdict["model"])
            passes[judge] = passes.get(judge, 0) + 1
            rows.append(
                {
                    "condition": "cross_model",
                    "run": "cross_model",
                    "debate": path.stem,
                    "epoch": 1,
                    "juror": judge,
                    "judge": judge,
                    "pass": passes[judge],
                    "order": None,
                    "winner": verdict["winner"],
                    "confidence": float(verdict["confidence"]),
                }
            )
    return titled(pd.DataFrame(rows))


@cache
def made(part: str) -> dict[str, Any]:
    of = data(released_bets(), verdicts(), graded())
    return {
        name: it.frame for name, it in items(of, part).items() if hasattr(it, "frame")
    }


@pytest.mark.parametrize(
    ("condition", "model", "what", "recorded", "left_out"),
    [
        ("Self-debate", "openai/gpt-4o-mini", "Rebuttal", "67.92", "74.09"),
        ("Self-debate", "openai/gpt-4o-mini", "Opening to rebuttal", ".4534", ".0153"),
        (
            *("Self-debate", "Models that rise (p < 0.05)", "Opening to rebuttal"),
            *("7/10", "8/10"),
        ),
        ("Public bets", "google/gemma-3-27b-it", "Rebuttal", "68.75", "75.00"),
        (
            *("Public bets", "google/gemma-3-27b-it", "Opening to rebuttal"),
            *(".2455", ".0028"),
        ),
        (
            *("Public bets", "Models that rise (p < 0.05)", "Opening to rebuttal"),
            *("7/10", "8/10"),
        ),
    ],
)
def test_what_missing_bets_change(
    condition: str, model: str, what: str, recorded: str, left_out: str
) -> None:
    frame = changed_by_missing(released_bets())
    found = row(frame, condition, model, what)
    assert recorded in found["Counted as 0"]
    assert left_out in found["Left out"]
    assert set(frame["Condition"]) == {"Self-debate", "Public bets"}


def test_model_means_are_compared_as_in_the_paper() -> None:
    frame = made("Conditions compared")["comparisons_conditions"]
    informed, public = (
        row(frame, "Opening bet", f"Self-debate less {other}")
        for other in ("Informed self (told 50 %)", "Public bets")
    )
    assert informed["Difference"] == pytest.approx(14.075)
    assert informed[BY_MODEL] == pytest.approx(2 * 2.9e-5, rel=0.02)
    assert public[BY_MODEL] == pytest.approx(0.708, abs=0.0005)


def test_labels_are_as_printed_but_for_two_cells_with_a_footnote() -> None:
    tables = {table.name: table for table in alignment_tables(graded())}
    equal = [tables[f"table_{n}"].counts()["equal"] for n in (17, 18, 19)]
    assert equal == [36, 22, 32]
    different = {
        (table.name, row.title, column): (cell.ours, cell.paper and cell.paper.printed)
        for table in tables.values()
        for row in table.rows
        for column, cell in row.cells.items()
        if cell.status == "differs"
    }
    informed = "Informed self (told 50 %)"
    assert different == {
        ("table_18", informed, "absent/Overbetting"): ("10.4%", "10.5%"),
        ("table_18", "Public bets", "present/Overbetting"): ("15.6%", "15.7%"),
    }
    notes = [c.note for table in tables.values() for c in table.cells() if c.note]
    assert len(notes) == 2
    assert all("rounded before they were added" in note for note in notes)
    as_coded = {of.title: of.cells for of in tables["section_4_4"].rows}
    assert as_coded[informed]["overbetting"].ours == "11.6%"
    assert as_coded["Public bets"]["overbetting"].ours == "10.0%"


def test_strategic_bets_and_gaps() -> None:
    found = made("Bets and private")
    assert found["strategic"]["Strategic"].tolist() == [31, 37, 67, 46]
    assert found["strategic"]["Malformed"].tolist() == [1, 2, 1, 2]
    gaps = found["graded_gaps"]
    assert gaps["Mean gap"].round(1).tolist() == [-1.6, 0.2, 0.3, 0.4]
    assert gaps["Mean absolute gap"].round(1).tolist() == [2.9, 3.4, 2.4, 3.8]


def test_appendix_d_is_as_printed_but_for_the_share_with_a_footnote() -> None:
    bets = released_bets()
    hashed = bets.assign(motion=bets["motion"].map(lambda m: f"-{fingerprint(m)[:6]}"))
    (table,) = appendix_d(verdicts(), hashed)
    assert table.counts() == {"equal": 12, "differs": 1}
    (won,) = (cell for cell in table.cells() if cell.status == "differs")
    assert (won.ours, won.paper and won.paper.printed) == ("63.3", "71.7")
    assert "even splits" in won.note
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
    judged = judged_debates(verdicts(), released_bets())
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
