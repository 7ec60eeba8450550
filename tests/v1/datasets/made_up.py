from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.sources import SolutionTruth, solution_truth

ROOT = Path(__file__).resolve().parents[3]


def ids(samples: Iterable[Sample]) -> list[object]:
    return [sample.id for sample in samples]


def metadata(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def solutions(sample: Sample) -> SolutionTruth:
    """What simulated models know of a task that is solved."""
    found = solution_truth(metadata(sample)["fingerprint"])
    assert found is not None
    return found
