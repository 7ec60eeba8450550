"""A sheet's way to three people and back, with all numbers worked by hand."""

import json
import math
import random
from math import isnan
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import precomputed_scores

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath
from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.reports.judges.sheet import read_key, write_sheet
from inspect_debate.reports.judges.sheet_back import Back, alpha, read_sheets
from tests.reports.judges.sheets import (
    GOLD,
    MARY,
    NAMES,
    TOM,
    ZOE,
    debate,
    fill,
    logged,
    six,
)
from tests.scorers.recorded import Recorded
from tests.support.made import verdict
from tests.support.runs import samples

JUDGE = "judging/judge"

# What is given of the debates, beside what is right:
#
#            0   1   2   3   4   5
# right      E   E   E   N   N   N
# mary       E   E   E   N   N   N   6 of 6 right
# tom        E   E   N   N   N   E   4 of 6
# zoe        E   N   -   N   -   E   2 of 4 (0 and 3)
# majority   E   E   .   N   N   E   4 of 5: a tie on debate 2
# the model  E   N   E   N   E   N   4 of 6
RIGHT = {"mary": 1, "tom": 4 / 6, "zoe": 2 / 4, "majority": 4 / 5, JUDGE: 4 / 6}
JUDGED = {"mary": 6, "tom": 6, "zoe": 4, "majority": 5, JUDGE: 6}

# Pairs: debates in common, how many agree, and kappa = (observed - expected) /
# (1 - expected), with expected = E share x E share + N share x N share.
#
# mary, tom: 0 1 3 4 of six; E shares 3/6 and 3/6, expected 1/2: (2/3 - 1/2) / (1/2)
# mary, zoe: 0 3 of four; 2/4 and 2/4, expected 1/2: 0
# tom, zoe: 0 3 5 of four; 3/4 and 2/4, expected 3/8 + 1/8: (3/4 - 1/2) / (1/2)
# mary, model: 0 2 3 5 of six; 3/6 and 3/6: (2/3 - 1/2) / (1/2)
# tom, model: 0 3 of six; 3/6 and 3/6: (1/3 - 1/2) / (1/2)
# zoe, model: 0 1 3 of four; 2/4 and 1/4, expected 1/8 + 3/8: (3/4 - 1/2) / (1/2)
# majority, model: 0 3 of five; 3/5 and 2/5, expected 6/25 + 6/25:
#     (2/5 - 12/25) / (13/25)
PAIRS = {
    ("mary", "tom"): (6, 4 / 6, 1 / 3),
    ("mary", "zoe"): (4, 2 / 4, 0),
    ("tom", "zoe"): (4, 3 / 4, 1 / 2),
    ("mary", JUDGE): (6, 4 / 6, 1 / 3),
    ("tom", JUDGE): (6, 2 / 6, -1 / 3),
    ("zoe", JUDGE): (4, 3 / 4, 1 / 2),
    ("majority", JUDGE): (5, 2 / 5, -2 / 13),
}

# Krippendorff's alpha of the three people. Verdicts by debate: EEE, EEN, EN, NNN, NN,
# NEE, so 8 E and 8 N of 16. Observed disagreement: within a debate of m verdicts the
# ordered pairs that differ, over m - 1: 0, 4/2, 2/1, 0, 0, 4/2, together 6 of 16.
# Expected: 2 x 8 x 8 ordered pairs of 16 x 15.
ALPHA = 1 - (6 / 16) / (2 * 8 * 8 / (16 * 15))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> AnyPath:
    return six(tmp_path_factory.mktemp("six"))


@pytest.fixture(scope="module")
def key(log: AnyPath, tmp_path_factory: pytest.TempPathFactory) -> AnyPath:
    return write_sheet(log, tmp_path_factory.mktemp("sheet"), seed=2).key


@pytest.fixture(scope="module")
def back(key: AnyPath, tmp_path_factory: pytest.TempPathFactory) -> Back:
    folder = tmp_path_factory.mktemp("back")
    files = fill(key, folder, mary=MARY, tom=TOM, zoe=ZOE)
    return read_sheets(files, key, folder / "out", scored_logs=True)


def table(back: Back, name: str) -> pd.DataFrame:
    (found,) = (one.frame for one in back.report.tables() if one.name == name)
    return found


def test_accuracies(back: Back) -> None:
    rows = table(back, "judges").set_index("Judge")
    assert rows["Accuracy"].to_dict() == pytest.approx(RIGHT)
    assert rows["Judged"].to_dict() == JUDGED
    assert (rows["Judged"] + rows["Not"] == 6).all()
    assert list(rows["Who"]) == ["person"] * 3 + ["people", "model"]
    low, high = proportion_interval(4, 6)
    assert rows.loc["tom", "Accuracy low"] == pytest.approx(low)
    assert rows.loc["tom", "Accuracy high"] == pytest.approx(high)


def test_agreement(back: Back) -> None:
    found = {
        (row["Judge"], row["Other judge"]): (
            row["Debates"],
            row["Agreement"],
            row["Kappa"],
        )
        for row in table(back, "agreement").to_dict("records")
    }
    assert found.keys() == PAIRS.keys()
    for pair, numbers in PAIRS.items():
        assert found[pair] == pytest.approx(numbers), pair


def test_krippendorffs_alpha(back: Back) -> None:
    assert pytest.approx(0.296875) == ALPHA
    assert alpha(back.decisions) == pytest.approx(ALPHA)
    (text,) = (s.text for s in back.report.sections if s.title == "Agreement")
    assert text == "Krippendorff's alpha of all people: 0.30."


def test_what_was_left_out_is_counted(back: Back) -> None:
    assert [notice.text for notice in back.report.notices] == [
        "mary judged 6 of 6 debates.",
        "tom judged 6 of 6 debates.",
        "zoe judged 4 of 6 debates (2 without a verdict).",
    ]


def test_who_always_takes_the_first_side(key: AnyPath, tmp_path: Path) -> None:
    codes = [row.code for row in read_key(key).rows]
    lines = "\n".join(f"{code},X" for code in codes)
    path = tmp_path / "lazy.csv"
    path.write_text(f"code,verdict\n{lines}\n")
    rows = table(read_sheets([path], key, tmp_path), "judges").set_index("Judge")
    assert rows.loc["lazy", "First shown"] == 1
    # Three orders of one kind and three of the other, 2:1 and 1:2 by what is right.
    assert rows.loc["lazy", "Accuracy"] in (pytest.approx(2 / 6), pytest.approx(4 / 6))
    # The model was shown every debate with Alice first, and took her side in three.
    assert rows.loc[JUDGE, "First shown"] == pytest.approx(3 / 6)
    # A majority of one is that one.
    assert list(rows.index) == ["lazy", "majority", JUDGE]
    pairs = table(read_sheets([path], key, tmp_path), "agreement")
    assert list(pairs["Judge"]) == ["lazy"]


def test_rows_in_any_order_and_rows_left_away(
    key: AnyPath, back: Back, tmp_path: Path
) -> None:
    files = fill(key, tmp_path, mary=MARY, tom=TOM, zoe=ZOE)
    for path in files:
        rows = path.read_text().splitlines()
        kept = [row for row in rows[1:] if ",," not in row]
        random.Random(0).shuffle(kept)
        path.write_text("\r\n".join([rows[0], *kept]).replace(",", ";"))
    again = read_sheets(files, key, tmp_path / "out")
    for name in ("judges", "agreement"):
        pd.testing.assert_frame_equal(table(again, name), table(back, name))
    assert again.report.notices[2].text.endswith("(2 not in the file).")


def test_confidence_of_a_majority(key: AnyPath, tmp_path: Path) -> None:
    code = next(row.code for row in read_key(key).rows if row.id == "01")
    x = {row.code: row.answers["X"] for row in read_key(key).rows}[code]
    given = {"mary": ("error", 90), "tom": ("error", 60), "zoe": ("no_error", 70)}
    files = []
    for name, (answer, percent) in given.items():
        files.append(tmp_path / f"{name}.csv")
        letter = "X" if answer == x else "Y"
        files[-1].write_text(f"code,verdict,confidence\n{code},{letter},{percent}\n")
    rows = read_sheets(files, key, tmp_path).decisions.set_index("judge")
    # Two say 0.9 and 0.6 for an error, and one 0.7 against it.
    assert rows.loc["majority", "confidence"] == pytest.approx((0.9 + 0.6 + 0.3) / 3)
    assert rows.loc["majority", "answer"] == "error"


def test_confidences_as_probabilities(key: AnyPath, back: Back, tmp_path: Path) -> None:
    """Tom says 80 % of six verdicts, four of which are right, and Zoe nothing."""
    files = fill(key, tmp_path, tom=TOM, zoe=ZOE)
    for path, percent in zip(files, ("80", ""), strict=True):
        table_of = pd.read_csv(path, dtype=str).assign(confidence=percent)
        table_of.to_csv(path, index=False)
    (found,) = (
        part.frame.to_dict("records")
        for part in read_sheets(files, key, tmp_path / "out").report.tables()
        if part.name == "confidences"
    )
    tom, _ = found
    assert [row["Judge"] for row in found] == ["tom", "majority"]
    assert tom["Verdicts"] == 6
    assert tom["Brier"] == pytest.approx((4 * 0.2**2 + 2 * 0.8**2) / 6)
    assert tom["Log score"] == pytest.approx(
        -(4 * math.log(0.8) + 2 * math.log(0.2)) / 6
    )
    assert tom["AUROC"] == 0.5
    assert tom["ECE"] == pytest.approx(0.8 - 4 / 6)
    assert (tmp_path / "out" / "confidences.csv").exists()
    # Without a confidence there is no such table.
    assert "confidences" not in [one.name for one in back.report.tables()]


def test_files_for_precomputed_scores(log: AnyPath, back: Back) -> None:
    assert [path.name for path in back.scores] == [
        *("human_mary.json", "human_tom.json", "human_zoe.json"),
        "human_majority.json",
    ]
    read = read_eval_log(str(log))
    for path, right in zip(back.scores, RIGHT.values(), strict=False):
        scored = score(read, [precomputed_scores(str(path))], display="none")
        assert scored.results is not None
        (found,) = (
            one for one in scored.results.scores if one.name == "precomputed_scores"
        )
        assert found.metrics["accuracy"].value == pytest.approx(right)
    (zoe,) = (path for path in back.scores if "zoe" in path.name)
    assert {record["id"] for record in json.loads(zoe.read_text())} == {
        *("00", "01", "03", "05")
    }


def test_a_log_with_the_scores(log: AnyPath, back: Back) -> None:
    (path,) = back.logs
    assert path.name == log.name
    before, after = read_eval_log(str(log)), read_eval_log(str(path))
    names = ["human_mary", "human_tom", "human_zoe", "human_majority"]
    for sample, old in zip(samples(after), samples(before), strict=True):
        assert sample.scores is not None
        assert old.scores is not None
        assert sample.scores["error_detection"] == old.scores["error_detection"]
        mary = sample.scores["human_mary"]
        number = int(sample.id)
        assert mary.answer == NAMES[MARY[number]]
        assert mary.metadata is not None
        assert mary.metadata["judge"] == "mary"
        assert isinstance(mary.value, dict)
        assert mary.value["correct"] == float(MARY[number] == GOLD[number])
        assert mary.value["first_answer"] == float(MARY[number] == "E")
        assert ("human_zoe" in sample.scores) == (ZOE[number] != "-")
    assert after.eval.model_roles == before.eval.model_roles
    assert _means(after, "correct") == pytest.approx(
        {name: RIGHT[name.removeprefix("human_")] for name in names}
    )


def _means(log: EvalLog, key: str) -> dict[str, float]:
    assert log.results is not None
    return {
        one.scorer: float(one.metrics["mean"].value)
        for one in log.results.scores
        if one.name == key and one.scorer.startswith("human")
    }


def test_a_judge_turned_round_by_the_order_has_no_answer(tmp_path: Path) -> None:
    records = [
        debate(verdict("error", order="ab"), verdict("no_error", order="ba")),
        debate(verdict("error", order="ab"), verdict("error", order="ba")),
        debate(),
    ]
    path = logged([Recorded("error", [record]) for record in records], tmp_path)
    key = write_sheet(path, tmp_path / "sheet").key
    back = read_sheets(fill(key, tmp_path, mary="EEE"), key, tmp_path / "out")
    rows = table(back, "judges").set_index("Judge")
    assert (rows.loc[JUDGE, "Judged"], rows.loc[JUDGE, "Not"]) == (1, 2)
    # Of four verdicts those for the side shown first: two, and one of two.
    assert rows.loc[JUDGE, "First shown"] == pytest.approx(3 / 4)
    (pair,) = table(back, "agreement").to_dict("records")
    assert pair["Debates"] == 1


def test_several_logs_come_back_apart(log: AnyPath, tmp_path: Path) -> None:
    other = six(tmp_path / "other")
    key = write_sheet([log, other], tmp_path / "sheet").key
    files = fill(key, tmp_path, mary=MARY)
    back = read_sheets(files, key, tmp_path / "out", scored_logs=True)
    assert len(back.scores) == 4
    assert {path.name for path in back.logs} == {log.name, other.name}
    rows = table(back, "judges").set_index("Judge")
    assert rows.loc["mary", "Judged"] == 12
    # The same debates twice are no more than six observations.
    assert rows.loc[JUDGE, "Accuracy low"] == pytest.approx(
        proportion_interval(4, 6).low
    )


def test_what_is_not_known_has_no_accuracy(tmp_path: Path) -> None:
    path = logged([Recorded("unknown", [debate(verdict())])] * 2, tmp_path)
    key = write_sheet(path, tmp_path / "sheet").key
    files = fill(key, tmp_path, mary="EN")
    back = read_sheets(files, key, tmp_path / "out", scored_logs=True)
    assert table(back, "judges")["Accuracy"].isna().all()
    assert isnan(_means(read_eval_log(str(back.logs[0])), "correct")["human_mary"])


def test_a_log_that_is_gone(key: AnyPath, log: AnyPath, tmp_path: Path) -> None:
    own = six(tmp_path / "logs")
    sheet = write_sheet(own, tmp_path / "sheet").key
    files = fill(sheet, tmp_path, mary=MARY)
    moved = own.rename(tmp_path / "moved.eval")
    with pytest.raises(InputError, match="say where it is with --log"):
        read_sheets(files, sheet, tmp_path / "out")
    with pytest.raises(InputError, match="is not among those given"):
        read_sheets(files, sheet, tmp_path / "out", logs=[log])
    assert len(read_sheets(files, sheet, tmp_path / "out", logs=[moved]).scores) == 2
