"""All published tasks, where `INSPECT_DEBATE_DATA` says they are."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.v1.datasets.arc_agi import PUBLISHED_SIZES, RELEASES, SPLITS, arc
from inspect_debate.v1.datasets.sources import Loaded
from inspect_debate.v1.debate.participants import display_orders
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.grading.grids import (
    Grid,
    grids_text,
    parse_grids_text,
    parts_right,
    read_grids,
)
from tests.v1.datasets.made_up import metadata, solutions
from tests.v1.support.grid_layouts import LAYOUTS
from tests.v1.support.made import question
from tests.v1.support.released import DATA

pytestmark = pytest.mark.released

# By the number of test inputs: tasks, in ARC-AGI's two versions.
TESTS = {
    (1, "training"): {1: 386, 2: 12, 3: 2},
    (1, "evaluation"): {1: 381, 2: 19},
    (2, "training"): {1: 931, 2: 63, 3: 5, 4: 1},
    (2, "evaluation"): {1: 75, 2: 43, 3: 2},
}


def path(version: int) -> str:
    return str(DATA / f"arc_agi_{version}")


@cache
def part(version: int, split: str) -> Loaded:
    return arc(version, split, path(version))


@pytest.fixture(scope="module")
def released() -> dict[int, Loaded]:
    return {version: arc(version, source=path(version)) for version in RELEASES}


def parts(sample: Sample) -> int:
    return int(metadata(sample)["parts"])


def of(loaded: Loaded, split: str) -> list[Sample]:
    return [s for s in loaded.dataset if metadata(s)["split"] == split]


def names(loaded: Loaded, split: str) -> set[str]:
    return {str(sample.id).partition("-")[2] for sample in of(loaded, split)}


def test_the_pinned_content_and_how_much_it_is(released: dict[int, Loaded]) -> None:
    for version, loaded in released.items():
        assert loaded.provenance["sha256"] == RELEASES[version].sha256
    for (version, split), expected in TESTS.items():
        found = [*map(parts, of(released[version], split))]
        assert {number: found.count(number) for number in expected} == expected
        assert (len(found), sum(found)) == PUBLISHED_SIZES[version, split]


def test_ids_are_of_one_version_and_many_names_of_both(
    released: dict[int, Loaded],
) -> None:
    ids = [str(s.id) for loaded in released.values() for s in loaded.dataset]
    assert len(set(ids)) == len(ids) == 1920
    shared = {
        (first, second): len(names(released[1], first) & names(released[2], second))
        for first in SPLITS
        for second in SPLITS
    }
    assert shared["training", "training"] == 391
    assert shared["evaluation", "training"] == 376
    assert shared["evaluation", "evaluation"] == 6


def test_every_solution_is_read_in_every_layout(released: dict[int, Loaded]) -> None:
    """Each in one of the layouts, taken in turn; every third after an echo, too."""
    layouts = list(LAYOUTS.values())
    for loaded in released.values():
        for number, sample in enumerate(loaded.dataset):
            right = Parsed.ok(str(sample.target))
            grids = parse_grids_text(str(sample.target))
            text = layouts[number % len(layouts)](grids)
            assert read_grids(text, parts(sample)) == right, sample.id
            if number % 3 == 0:
                echoed = f"{sample.input}\n\nTherefore:\n{layouts[0](grids)}"
                assert read_grids(echoed, parts(sample)) == right, sample.id


def changed(grid: Grid, draw: Random) -> Iterator[Grid]:
    """A grid with a cell changed, with a colour changed, and in two other shapes."""
    at, column = draw.randrange(len(grid)), draw.randrange(len(grid[0]))
    row, old = grid[at], grid[at][column]
    new = draw.choice([colour for colour in range(10) if colour != old])
    yield (*grid[:at], (*row[:column], new, *row[column + 1 :]), *grid[at + 1 :])
    yield tuple(tuple(new if cell == old else cell for cell in row) for row in grid)
    yield from draw.sample(list(reshaped(grid)), 2)


def reshaped(grid: Grid) -> Iterator[Grid]:
    if len(grid) < 30:
        yield (*grid, grid[-1])
    if len(grid[0]) < 30:
        yield tuple((*row, row[-1]) for row in grid)
    if len(grid) > 1:
        yield grid[:-1]
    if len(grid[0]) > 1:
        yield tuple(row[:-1] for row in grid)
    transposed = tuple(zip(*grid, strict=True))
    if transposed != grid:
        yield transposed


def test_every_change_is_refused(released: dict[int, Loaded]) -> None:
    """Of every third task."""
    layout = LAYOUTS["fences"]
    for loaded in released.values():
        for sample in loaded.dataset[::3]:
            target, count = str(sample.target), parts(sample)
            grids = parse_grids_text(target)
            assert parts_right(target, target) == count
            draw = seeded(0, "changed", str(sample.id))
            which = draw.randrange(count)
            for other in changed(grids[which], draw):
                answer = [*grids[:which], other, *grids[which + 1 :]]
                read = read_grids(layout(answer), count)
                assert read == Parsed.ok(grids_text(answer)) != Parsed.ok(target)
                assert parts_right(str(read.value), target) == count - 1
            fewer = read_grids(layout(grids[1:]), count)
            assert fewer == Parsed.unparsed()


def test_wrong_solutions_are_wrong_and_three(released: dict[int, Loaded]) -> None:
    for loaded in released.values():
        for sample in loaded.dataset:
            found = solutions(sample)
            assert found.right == sample.target
            assert len({found.right, *found.wrong}) == 4
            grids = [parse_grids_text(text) for text in found.wrong]
            assert {len(each) for each in grids} == {parts(sample)}


@pytest.mark.parametrize("version", RELEASES)
def test_a_published_version_is_known_wherever_it_lies(version: int) -> None:
    loaded = arc(source=path(version), split="evaluation")
    assert loaded.provenance["version"] == version
    assert all(str(s.id).startswith(f"arc{version}-") for s in loaded.dataset)


def ranked_orders(loaded: Loaded) -> dict[str, bool]:
    """Whether answer A is first, for each task in the order of the data set."""
    ranks = {str(sample.id): metadata(sample)["rank"] for sample in loaded.dataset}
    asked = {id: replace(question(id), rank=rank) for id, rank in ranks.items()}
    return {id: display_orders("hash", one) == ["ab"] for id, one in asked.items()}


@pytest.mark.parametrize("split", ["both", *SPLITS])
def test_the_first_tasks_are_balanced_by_order(
    split: str, released: dict[int, Loaded]
) -> None:
    """By a hash of the id alone 34 of the first 100 tasks had answer A first.

    Up to one more or less than half are of either answer, for each split in a sample.
    """
    for version, whole in released.items():
        loaded = part(version, split) if split != "both" else whole
        first = [*ranked_orders(loaded).values()]
        for count in range(1, 1 + len(first)):
            splits = 2 if split == "both" else 1
            assert abs(2 * sum(first[:count]) - count) <= 2 * splits


def test_a_split_alone_has_its_tasks_in_the_same_orders(
    released: dict[int, Loaded],
) -> None:
    """Ranked among the loaded tasks alone, 187 of 400 had another order."""
    for version, whole in released.items():
        orders = ranked_orders(whole)
        for split in SPLITS:
            alone = ranked_orders(part(version, split))
            assert [task for task in orders if task in alone] == [*alone]
            assert {task: orders[task] for task in alone} == alone


def test_the_orders_of_one_split_do_not_follow_from_the_other(
    released: dict[int, Loaded],
) -> None:
    orders = ranked_orders(released[1])
    ids = {split: names(released[1], split) for split in SPLITS}
    one, other = (
        [order for id, order in orders.items() if id.partition("-")[2] in ids[split]]
        for split in SPLITS
    )
    same = sum(a == b for a, b in zip(one, other, strict=True))
    assert 150 < same < 250
