"""Which samples are compared, and how the others are counted."""

import shutil
from math import isnan
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.compare.comparison import Comparison, compare
from inspect_debate.reports.compare.report import comparison_report, notices_of
from inspect_debate.reports.terminal import terminal_text
from tests.reports.compare.made import NAN, log, samples, scored


def comparison(folder: Path, *arms: list[EvalSample]) -> Comparison:
    paths = [log(folder, held, model=f"m/{n}") for n, held in enumerate(arms)]
    return compare(paths, "match")


def test_drops_are_counted_by_cause_and_add_up(tmp_path: Path) -> None:
    a = [
        *(scored("both", 1), scored("both", 0, 2)),
        scored("only here", 1),
        scored("epoch", 1, 2),
        scored("failed", None, error="down"),
        scored("stopped there", 1),
        scored("unscored", NAN),
        scored("changed", 1, input="Another question?"),
        scored("also changed", 1, target="43"),
    ]
    b = [
        *(scored("both", 1), scored("both", 0, 2)),
        scored("epoch", 1, 1),
        scored("failed", 1),
        scored("stopped there", None, limit=True),
        scored("unscored", None),
        scored("changed", 1),
        scored("also changed", 1),
    ]
    of = comparison(tmp_path, a, b)
    assert of.paired.keys == [("both", 1), ("both", 2)]
    assert of.paired.drops[0] == {
        "not in another arm": 2,
        "error": 1,
        "without a value in another arm": 1,
        "unscored": 1,
        "of other content": 2,
    }
    assert of.paired.drops[1] == {
        "not in another arm": 1,
        "without a value in another arm": 1,
        "limit": 1,
        "unscored": 1,
        "of other content": 2,
    }
    for held, drops in zip((a, b), of.paired.drops, strict=True):
        assert sum(drops.values()) + 2 == len(held)


def test_only_what_all_arms_have_is_compared(tmp_path: Path) -> None:
    of = comparison(
        tmp_path,
        samples([1, 0, 1, 1]),
        samples([1, 1, 1]),
        [scored(n, 0) for n in (2, 3, 4)],
    )
    assert of.paired.keys == [("2", 1), ("3", 1)]
    assert [one.mean_b for one in of.compared] == [1, 0, 0]


def test_a_value_in_spite_of_a_limit_counts_and_is_said(tmp_path: Path) -> None:
    of = comparison(tmp_path, samples([1, 0]), samples([1, 0], limit=True))
    assert len(of.paired.keys) == 2
    assert of.paired.drops == [{}, {}]


@pytest.mark.parametrize(
    ("choices", "target", "same"),
    [
        (["ice", "tea", "soot"], "B", True),
        (["tea", "soot", "ice"], "A", True),
        (["tea", "soot", "ice"], "B", False),
        (["tea", "soot", "mist"], "A", False),
    ],
)
def test_choices_in_another_order_are_the_same_question(
    choices: list[str], target: str, same: bool, tmp_path: Path
) -> None:
    first = samples([1, 0], choices=["ice", "tea", "soot"], target="B")
    second = [
        scored(1, 1, choices=["ice", "tea", "soot"], target="B"),
        scored(2, 1, choices=choices, target=target),
    ]
    of = comparison(tmp_path, first, second)
    assert len(of.paired.keys) == (2 if same else 1)


def test_without_a_common_sample_the_causes_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        comparison(tmp_path, samples([1, 0]), [scored(7, 1), scored(1, NAN)])
    assert "No sample has a value in all arms" in error.value.message
    assert "log1.eval: 1 not in another arm, 1 unscored" in error.value.message


def test_parts_of_a_run_are_one_arm(tmp_path: Path) -> None:
    halves = [
        log(tmp_path, [scored(n, 1) for n in part], config={"limit": (min(part), 9)})
        for part in ((1, 2), (3, 4))
    ]
    whole = log(tmp_path, samples([0, 0, 0, 0]), model="m/two")
    of = compare([*halves, whole], "match")
    assert [arm.logs for arm in of.arms] == ["log0.eval, log1.eval", "log2.eval"]
    assert len(of.paired.keys) == 4
    assert of.compared[0].difference.difference == -1


def test_of_an_arms_logs_the_newest_row_counts(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, samples([0, 0, 0])),
        log(tmp_path, samples([1, None])),
        log(tmp_path, samples([1, 1, 1]), model="m/two"),
    ]
    of = compare(paths[::-1], "match")
    assert [read.replaced for read in of.read] == [0, 2]
    said = [notice.text for notice in notices_of(of) if notice.level == "info"]
    assert [text[:32] for text in said] == ["B: 2 samples of older logs are l"]
    assert of.paired.keys == [("1", 1), ("3", 1)]
    assert of.compared[0].mean_b == 0.5


def test_arms_stand_in_the_order_given_and_a_baseline_is_a_log(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, samples([float(n > 1), 1.0]), model=f"m/{n}") for n in range(3)
    ]
    of = compare([paths[2], paths[0], paths[1]], "match", baseline=paths[1])
    assert [arm.logs for arm in of.arms] == ["log2.eval", "log0.eval", "log1.eval"]
    assert [(one.a, one.b) for one in of.compared] == [(2, 0), (2, 1)]
    with pytest.raises(InputError, match=r"--baseline=.*is none of the logs"):
        compare(paths[:2], "match", baseline=paths[2])


def test_a_folder_stands_for_its_logs(tmp_path: Path) -> None:
    first = log(tmp_path, samples([1, 0]), name="z")
    folder = tmp_path / "more"
    folder.mkdir()
    other = log(
        folder,
        samples([0, 0]),
        model="m/two",
        created="2026-04-01T00:00:00Z",
        task_id="another",
    )
    shutil.copy(other, folder / "the_same.json.txt")
    of = compare([first, folder], "match")
    assert [arm.logs for arm in of.arms] == ["z.eval", "log0.eval"]


def test_what_samples_share_by_the_first_name_that_any_arm_has(tmp_path: Path) -> None:
    a = [scored(1, 1), scored(2, 1, metadata={"question_id": 7})]
    b = [
        scored(1, 1, metadata={"question_id": "q", "input_group": "text"}),
        scored(2, 1, metadata={"input_group": ""}),
    ]
    a, b = ([*held, scored(3, 0, metadata={"other": 1})] for held in (a, b))
    assert comparison(tmp_path, a, b).paired.clusters == ["text", "7", "3"]


@pytest.mark.parametrize("values", [(1, 0), (1, 1)])
def test_a_single_sample_has_no_interval(
    values: tuple[float, float], tmp_path: Path
) -> None:
    of = comparison(tmp_path, *(samples([value]) for value in values))
    (found,) = of.compared
    assert found.difference.difference == values[1] - values[0]
    assert isnan(found.difference.low)
    assert found.p >= 0.5
    terminal_text(comparison_report(of))


def test_logs_of_both_forms(tmp_path: Path) -> None:
    first = log(tmp_path, samples([1, 0, NAN]))
    other = log(tmp_path, samples([1, 1, 1]), model="m/two", form="json")
    of = compare([first, other], "match")
    assert of.compared[0].difference.difference == 0.5


def test_one_log_is_not_enough(tmp_path: Path) -> None:
    path = log(tmp_path, samples([1, 0]))
    with pytest.raises(InputError, match=r"nothing to compare .*log0.eval with"):
        compare([path, path], "match")
