"""The items of a task: how long they are, and which of them to rehearse on."""

from collections.abc import Mapping, Sequence

import numpy as np
from inspect_ai.dataset import Sample

_SHOWN = ("passage", "proposition_burden", "opposition_burden")
"""Metadata of samples that stand in prompts beside the input."""


def lengths(samples: Sequence[Sample]) -> dict[str, int]:
    """How much text each item puts into prompts, by sample id, in characters.

    Counted are the input, the choices, and the metadata that protocols show.
    """
    return {str(sample.id): _length(sample) for sample in samples}


def spread(lengths: Mapping[str, int], number: int) -> list[str]:
    """Items that stand for all: of equal groups by length, one of each.

    From each group the item nearest to the group's mean length is taken, not the
    middle one: lengths are skewed, and totals follow from means.

    Args:
        lengths: By sample id.
        number: How many items; all where there are no more.

    Returns:
        Their ids, the shortest item first.
    """
    ascending = sorted(lengths, key=lambda id: (lengths[id], id))
    groups = np.array_split(np.arange(len(ascending)), min(number, len(ascending)))
    chosen = []
    for places in groups:
        group = [ascending[place] for place in places]
        mean = sum(lengths[id] for id in group) / len(group)
        chosen.append(min(group, key=lambda id: abs(lengths[id] - mean)))
    return chosen


def _length(sample: Sample) -> int:
    asked = sample.input
    texts = [asked] if isinstance(asked, str) else [message.text for message in asked]
    metadata = sample.metadata or {}
    texts += sample.choices or []
    texts += [str(metadata[name]) for name in _SHOWN if metadata.get(name)]
    return sum(map(len, texts))
