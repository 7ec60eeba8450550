"""What data sets share: where samples come from, their schema and their order."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import BaseModel, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import seeded

M = TypeVar("M", bound=BaseModel)
Stratum = tuple[Any, ...]


class Sourced(MemoryDataset):
    """Samples, and `provenance` for the log: their source, with numbers."""

    def __init__(
        self, samples: list[Sample], provenance: Mapping[str, Any], name: str
    ) -> None:
        super().__init__(samples, name=name)
        self.provenance = dict(provenance)


def checked(kind: type[M], value: object, place: str, schema: str) -> M:
    """Return a record as a model; if it does not fit, the error does not quote it."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(map(str, fault["loc"])) or "the record"
        raise InputError(
            f"{place} does not have {schema}: {key}: {fault['msg']}."
        ) from None


def balanced(
    samples: Sequence[Sample], stratum: Callable[[Sample], Stratum], seed: int
) -> list[Sample]:
    """Order samples so that every prefix is close to the composition of the whole.

    A stratum is what a sample has of some factors, such as its subset and its label.
    Each place goes to the one whose margins, its own count and those of each factor and
    combination of factors, are furthest behind their shares.
    """
    queues = defaultdict[Stratum, list[Sample]](list)
    draws = {one.id: seeded(seed, "order", str(one.id)).random() for one in samples}
    for sample in sorted(samples, key=lambda one: draws[one.id]):
        queues[stratum(sample)].append(sample)
    margins = {
        key: [m for n in range(len(key)) for m in combinations(enumerate(key), n + 1)]
        for key in queues
    }
    whole = Counter(m for one in samples for m in margins[stratum(one)])
    so_far = Counter[Stratum]()
    ordered: list[Sample] = []

    def ahead(key: Stratum) -> int:  # in whole numbers, so ties are exact
        place = len(ordered) + 1
        return sum(so_far[m] * len(samples) - place * whole[m] for m in margins[key])

    while len(ordered) < len(samples):
        # The strata are in the order of their first samples, so the seed breaks ties.
        key = min((key for key, queue in queues.items() if queue), key=ahead)
        ordered.append(queues[key].pop(0))
        so_far.update(margins[key])
    return ordered
