import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from inspect_debate.datasets.realmistake import realmistake
from tests.datasets.made_up import ITEMS, ids, lines, stratum


@pytest.mark.parametrize("author", ["gpt4", "llama2", "both"])
@pytest.mark.parametrize("subset", ["all", "fact"])
@pytest.mark.parametrize("source", ["sample", "made up"])
def test_every_prefix_is_balanced(
    source: str, subset: str, author: str, archive: Path
) -> None:
    """Strata and all their margins, the labels for one, are close to their shares."""
    bound = 1.5 if author == "both" else 1.0
    for seed in range(3):
        path = str(archive) if source == "made up" else source
        strata = [stratum(s) for s in realmistake(path, subset, author, seed)]
        for size in (1, 2, 3):
            for factors in combinations(range(3), size):
                seen = [tuple(key[n] for n in factors) for key in strata]
                assert farthest(seen) < bound, (seed, factors)


def farthest(seen: list[tuple[object, ...]]) -> float:
    """The largest distance, over all prefixes, of a count from its share."""
    whole, so_far, distance = Counter(seen), Counter[tuple[object, ...]](), 0.0
    for place, key in enumerate(seen, start=1):
        so_far[key] += 1
        shares = {key: place * count / len(seen) for key, count in whole.items()}
        distance = max(distance, *(abs(so_far[k] - s) for k, s in shares.items()))
    return distance


def test_farthest_sees_an_imbalance() -> None:
    assert farthest([("a",), ("a",), ("b",), ("b",)]) == 1.0
    assert farthest([("a",), ("b",), ("a",), ("b",)]) == 0.5


def test_order_depends_on_the_seed_alone() -> None:
    first = ids(realmistake("sample", seed=1))
    assert ids(realmistake("sample", seed=1)) == first
    assert ids(realmistake("sample", seed=2)) != first
    assert set(ids(realmistake("sample", seed=2))) == set(first)


def test_order_does_not_depend_on_the_file(tmp_path: Path) -> None:
    expected = ids(realmistake("sample", response_author="both", seed=7))
    for shuffle in range(5):
        records = list(ITEMS)
        random.Random(shuffle).shuffle(records)
        path = tmp_path / f"{shuffle}.jsonl"
        path.write_bytes(lines(records))
        assert ids(realmistake(str(path), response_author="both", seed=7)) == expected
