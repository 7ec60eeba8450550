"""Votes that `config.stop_when_decided` asks for, of 100 that it may ask for.

    uv run python -m benchmarks.votes [--data DIR]

Of independent judges who are as often right, by simulation; and of panels of the models
whose released labels ReaLMistake's authors published, each panel of some of the eight,
asked in a random order about each item.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import isnan
from pathlib import Path
from random import Random

import click
from tabulate import tabulate

from inspect_debate.debate.outcome import majority, still_needed
from inspect_debate.debate.record import Parsed
from inspect_debate.published.realmistake import Detectors, read_detectors

SIZES = (3, 5, 7)
_RIGHT = (0.6, 0.75, 0.9)
_SIMULATED = 5000


def votes_cast(ballots: Sequence[Parsed]) -> int:
    """How many of some ballots are asked for, in their order."""
    cast = 0
    while left := len(ballots) - cast:
        if not (needed := still_needed(ballots[:cast], left)):
            break
        cast += needed
    assert majority(ballots[:cast]) == majority(ballots)
    return cast


def share_cast(panels: Iterable[Sequence[Parsed]]) -> float:
    """The percentage of all ballots that is asked for."""
    pairs = [(votes_cast(ballots), len(ballots)) for ballots in panels]
    return 100 * sum(cast for cast, _ in pairs) / sum(n for _, n in pairs)


def simulated(size: int, right: float, random: Random) -> Iterator[list[Parsed]]:
    """Panels of judges, each of whom is right with a probability."""
    for _ in range(_SIMULATED):
        yield [Parsed.ok(random.random() < right) for _ in range(size)]


def released(found: Detectors, size: int, random: Random) -> Iterator[list[Parsed]]:
    """Panels of so many models on each item of each task, with each prompt."""
    for task, author in dict.fromkeys((d.task, d.author) for d in found.labels):
        models = [of for d, of in found.labels.items() if d[:2] == (task, author)]
        for panel in combinations(models, size):
            for prompt in panel[0]:
                for item in zip(*(of[prompt] for of in panel), strict=True):
                    labels = random.sample([label for _, label in item], size)
                    yield [
                        Parsed.unparsed() if isnan(label) else Parsed.ok(label)
                        for label in labels
                    ]


@click.command()
@click.option("--data", envvar="INSPECT_DEBATE_DATA", default=".", type=Path)
def main(data: Path) -> None:
    """Print the table."""
    random = Random(0)
    rows: list[list[object]] = [
        [f"independent, right in {right:.0%}"]
        + [share_cast(simulated(size, right, random)) for size in SIZES]
        for right in _RIGHT
    ]
    if (found := read_detectors(data)) is not None:
        of = [share_cast(released(found, size, random)) for size in SIZES]
        rows.append(["models of ReaLMistake", *of])
    print(tabulate(rows, ["judges", *map(str, SIZES)], floatfmt=".1f"))


if __name__ == "__main__":
    main()
