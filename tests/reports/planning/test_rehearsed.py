"""Five items, rehearsed, foretell many of unequal lengths."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.evals.colmad import colmad as task_of_the_study
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.prediction import (
    QUANTITIES,
    Prediction,
    Spent,
    lengths,
    predict,
    spent,
    spread,
)
from inspect_debate.solvers.baselines import judge_alone
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.runs import item, run

TOKENS = {
    "input": ["input_tokens", "cache_read_tokens"],
    "output": ["output_tokens"],
}
HELD = Callable[..., Solver]


def numbered(number: int) -> Sample:
    """An item of a length that most are below, as with real ones."""
    words = 20 + 3000 // (1 + number % 40)
    return item(f"item {number}", task=f"Task {number}: " + "word " * words)


def check(prediction: Prediction, actual: Spent) -> None:
    """Calls within the range, tokens by role within a tenth of what there was."""
    calls = actual.costs["calls"].sum()
    low, high = prediction.calls
    assert low <= calls <= high
    went_on = int(actual.debates["went_on"].sum())
    foretold = prediction.at(went_on).groupby(level="role").sum()
    there = actual.costs.groupby("role")[[*QUANTITIES]].sum()
    assert foretold["calls"].sum() == pytest.approx(calls)
    for name, columns in TOKENS.items():
        told, found = (frame[columns].sum(axis=1) for frame in (foretold, there))
        assert told.to_dict() == pytest.approx(found.to_dict(), rel=0.1), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "parameters"),
    [
        (colmad, {"skip_if_agree": False}),
        (som, {}),
        (self_consistency, {"n": 3}),
        (judge_alone, {"order": "both"}),
    ],
)
def test_five_items_of_forty(
    solver: HELD, parameters: dict[str, Any], tmp_path: Path
) -> None:
    items = [numbered(number) for number in range(40)]
    sizes = lengths(items)

    def held(samples: list[Sample], folder: Path) -> Spent:
        task = Task(dataset=MemoryDataset(samples), solver=solver(**parameters))
        run(task, folder)
        return spent(open_logs(folder))

    chosen = spread(sizes, 5)
    few = held([s for s in items if s.id in chosen], tmp_path / "few")
    prediction = predict(few, sizes, 1)
    assert prediction.certain
    check(prediction, held(items, tmp_path / "all"))


def test_debates_that_are_skipped_are_foretold_from_a_second_run(
    tmp_path: Path,
) -> None:
    """As the command does it, on the shipped items."""
    sample: dict[str, Any] = {"source": "sample"}
    sizes = lengths(list(realmistake("sample", "all", "gpt4", 0)))
    _rehearse(sample, sizes, tmp_path / "few")
    run(task_of_the_study(**sample), tmp_path / "all")
    few, actual = (spent(open_logs(tmp_path / name)) for name in ("few", "all"))
    check(predict(few, sizes, 1), actual)


@pytest.mark.slow
@pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ,
    reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER",
)
@pytest.mark.parametrize("protocol", ["colmad", "judge_alone"])
def test_five_items_of_the_nine_hundred(protocol: str, tmp_path: Path) -> None:
    source = str(Path(os.environ["INSPECT_DEBATE_DATA"]) / "realmistake" / "data.zip")
    parameters: dict[str, Any] = {
        "protocol": protocol,
        "source": source,
        "response_author": "both",
    }
    sizes = lengths(list(realmistake(source, "all", "both", 0)))
    assert len(sizes) == 900
    _rehearse(parameters, sizes, tmp_path / "few")
    run(task_of_the_study(**parameters), tmp_path / "all")
    few, actual = (spent(open_logs(tmp_path / name)) for name in ("few", "all"))
    assert len(few.debates) == 5
    check(predict(few, sizes, 1), actual)


def _rehearse(parameters: dict[str, Any], sizes: dict[str, int], folder: Path) -> None:
    first = run(task_of_the_study(**parameters), folder, sample_id=spread(sizes, 5))
    debates = spent(open_logs(folder)).debates
    skipped = debates.loc[~debates["went_on"], "id"].tolist()
    if skipped:
        every: dict[str, Any] = {"skip_if_agree": False, "reuse_until": "answers"}
        log = first.location.removeprefix("file://")
        again = task_of_the_study(**parameters, **every, reuse=log)
        run(again, folder, sample_id=skipped)
