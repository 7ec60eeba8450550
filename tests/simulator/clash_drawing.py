"""A model whose rates are round numbers, and large draws from its laws."""

from typing import Any

import numpy as np

from inspect_debate.simulator.behaviour import Behaviour
from tests.support.laws import ConflictDraws, draw_conflict

N = 20_000
KNOWN: dict[str, Any] = {
    **{"highly_known": 0.4, "maybe_known": 0.3, "weakly_known": 0.2},
    **{"recall_highly": 0.95, "recall_maybe": 0.5, "recall_weakly": 0.1},
}
MODEL = Behaviour(
    **KNOWN,
    certainty_right=0.85,
    certainty_wrong=0.8,
    certainty_spread=0.15,
    follows_passage=0.9,
    follow_per_severity=-0.1,
    credulity_standard=0.8,
    credulity_perturbed=0.6,
    credulity_per_severity=-0.1,
    verdict_flip=0.2,
    yield_right=0.1,
    yield_wrong=0.4,
)


def drawn(behaviour: Behaviour, seed: int = 1) -> ConflictDraws:
    """Of questions with a right passage, and one of every severity in turn."""
    severities = np.stack([np.zeros(N, int), 1 + np.arange(N) % 5], axis=1)
    return draw_conflict(behaviour, severities, np.random.default_rng(seed))
