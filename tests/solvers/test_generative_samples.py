"""Which samples can be solved, and what is said of those that cannot, before a call."""

from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser

from inspect_debate.solvers.generative_debate import generative_debate
from tests.support.generative import ONE, RIGHT, held, marked, solvable
from tests.support.models import calls_of, scripted
from tests.support.runs import dataset, records, run, samples, values


def changed(change: Callable[[Sample], None], parts: int = 1) -> Sample:
    """A task with something else about it."""
    sample = solvable(parts)
    change(sample)
    return sample


def with_metadata(**metadata: object) -> Sample:
    """A task that says other things of itself; what is None is left out."""

    def change(sample: Sample) -> None:
        merged = {**(sample.metadata or {}), **metadata}
        sample.metadata = {k: v for k, v in merged.items() if v is not None}

    return changed(change)


def with_target(target: str, parts: int = 1) -> Sample:
    """A task with another target."""
    return changed(lambda sample: setattr(sample, "target", target), parts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "told"),
    [
        (with_metadata(answer_kind=None), ["cannot be solved here", "answer_kind"]),
        (with_metadata(answer_kind=7), ["answer_kind (a word; given: 7)"]),
        (with_metadata(answer_kind="poem"), ["answer_kind='poem'", "allowed: grids"]),
        (with_metadata(parts=0), ["parts", "given: 0"]),
        (with_metadata(parts="two"), ["given: 'two'"]),
        (with_metadata(parts=True), ["given: True"]),
        (with_metadata(parts=2), ["has 1 grids", "parts=2"]),
        (with_target(RIGHT[1], 2), ["has 1 grids", "parts=2"]),
        (with_target("blue"), ["no text of grids", "blue"]),
        (with_target("1 2\n3"), ["no text of grids"]),
        (
            changed(lambda sample: setattr(sample, "choices", ["1", "2"])),
            ["has choices", "have none"],
        ),
    ],
)
def test_what_cannot_be_solved_ends_before_a_call(
    sample: Sample, told: list[str], tmp_path: Path
) -> None:
    model = scripted(marked)
    task = Task(dataset=dataset(sample), solver=generative_debate("dual_debate"))
    log = run(task, tmp_path, model=model, success=False)
    assert log.status == "error"
    assert log.error is not None
    assert str(sample.id) in log.error.message
    assert all(part in log.error.message for part in told), log.error.message
    assert not calls_of(model)


@pytest.mark.parametrize(
    "sample",
    [
        with_metadata(parts=None, question_id=None, dataset=None, fingerprint=None),
        with_target(RIGHT[1].replace("\n", "\r\n") + "\n"),
        changed(lambda s: setattr(s, "input", [ChatMessageUser(content=ONE)])),
    ],
)
def test_what_the_loader_did_not_make_can_be_solved(
    sample: Sample, tmp_path: Path
) -> None:
    log, calls = held(generative_debate("dual_no_transcript"), tmp_path, sample)
    assert all(ONE in call.prompt for call in calls)
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["fail", "pass"]
    assert values(samples(log)[0], "verdicts")["regime"] == 1
