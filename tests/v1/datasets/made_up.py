from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample

ROOT = Path(__file__).resolve().parents[3]


def ids(samples: Iterable[Sample]) -> list[object]:
    return [sample.id for sample in samples]


def metadata(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata
