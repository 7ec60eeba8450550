"""A run that is killed in the middle goes on, and runs no program twice."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log

from inspect_debate.debate.record import Grade
from tests.support.code_dying import CHOSEN, killed
from tests.support.code_runs import gradings, needs_bubblewrap
from tests.support.commands import as_installed
from tests.support.runs import QUIET, record, samples

DONE, UNDER_WAY, TO_COME = CHOSEN
ENDS_AT = 4
"""When both answers to the first task are graded, and one to the second."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run was killed: its log, its grades, and what Inspect keeps of it."""
    made = tmp_path_factory.mktemp("killed")
    places = [str(made / name) for name in ("logs", "grades")]
    there = {"XDG_DATA_HOME": str(made / "data")} | as_installed(made)
    killed("study", ENDS_AT, *places, **there)
    shutil.copytree(made / "grades", made / "grades at the end")
    return made


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize("with_grades", [True, False])
def test_after_a_kill_only_what_was_under_way_is_graded_again(
    with_grades: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folder / "grades")
    if with_grades:
        shutil.copytree(folder / "grades at the end", folder / "grades")
    # There, Inspect finds what a run has not yet written into its log.
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    run_there = gradings(monkeypatch)
    (path,) = (folder / "logs").glob("*.eval")
    assert read_eval_log(str(path), header_only=True).status == "started"

    (last,) = eval_retry(str(path), log_dir=str(folder / "again"), **QUIET)
    assert last.status == "success", last.error
    again = Counter(task for task, _ in run_there)
    assert again == {UNDER_WAY: 1 if with_grades else 2, TO_COME: 2}

    grades = {str(sample.id): record(sample).grades for sample in samples(last)}
    assert set(grades) == set(CHOSEN)
    assert all(map(whole, grades.values()))
    reused = {id: [one.reused for one in found] for id, found in grades.items()}
    nothing = [False, False]
    assert reused == {
        DONE: nothing,
        UNDER_WAY: [with_grades, False],
        TO_COME: nothing,
    }


def whole(grades: tuple[Grade, ...]) -> bool:
    """Whether two answers are graded, which is known of both."""
    return [g.status in ("pass", "fail") and bool(g.parts) for g in grades] == [
        True
    ] * 2
