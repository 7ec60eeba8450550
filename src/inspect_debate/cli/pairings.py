"""`inspect-debate pairings`: who debates whom, on which motion and on which side."""

from collections.abc import Sequence
from typing import TextIO

import click
from tabulate import tabulate

from inspect_debate.datasets.schedules import (
    Extent,
    Imbalance,
    Pairing,
    Standing,
    imbalance,
    rebalanced,
    standings,
)
from inspect_debate.datasets.schedules import balanced as balance
from inspect_debate.datasets.schedules import swiss as next_round
from inspect_debate.debate.errors import InputError, check_whole_number

_motions = click.option(
    "--motions",
    metavar="N|FILE",
    help="The first N of the suite's motions, or a file or folder as in -T motions=. "
    "Default: all of the suite's; swiss takes the motions debated so far if there are "
    "others among them, and rebalance always.",
)
_debates = click.option("--debates", type=int, metavar="N", help="How many debates.")
_families = click.option(
    "--family",
    "families",
    multiple=True,
    metavar="MODEL=FAMILY",
    help="A model's family, where it is not the maker in its name. Repeatable.",
)
_seed = click.option(
    "--seed", default=0, show_default=True, help="Chooses among equally good schedules."
)
_out = click.option(
    "--out",
    type=click.File("w", encoding="utf-8", lazy=True),
    default="-",
    metavar="FILE",
    help="The CSV file to write, for -T pairings=FILE. Default: print it.",
)
_models = click.option(
    "--models",
    metavar="MODEL,MODEL...",
    help="Models of the pool besides those that have debated so far.",
)
_partial = click.option(
    "--allow-partial", is_flag=True, help="Also take runs that did not finish."
)


@click.group()
def pairings() -> None:
    """Pair a pool of models for debates, and show how uneven the schedule is."""


@pairings.command()
@click.argument("models", nargs=-1, required=True)
@_motions
@_debates
@_families
@_seed
@_out
def balanced(
    models: tuple[str, ...],
    motions: str | None,
    debates: int | None,
    families: tuple[str, ...],
    seed: int,
    out: TextIO,
) -> None:
    """Pair MODELS so that all of them debate equally often on both sides.

    By default every model debates every motion twice.
    """
    if debates is not None:
        check_whole_number("debates", debates, at_least=1)
    topics, family = _topics(motions), _family(families)
    schedule = balance(models, topics, debates=debates, families=family, seed=seed)
    _write(schedule, out)
    _show(imbalance(schedule, models, topics, family), out)


@pairings.command()
@click.argument("logs", nargs=-1)
@_models
@_motions
@_seed
@_partial
@_out
def swiss(
    logs: tuple[str, ...],
    models: str | None,
    motions: str | None,
    seed: int,
    allow_partial: bool,
    out: TextIO,
) -> None:
    """Pair the next round of a Swiss tournament from the LOGS of all rounds so far.

    Without LOGS, and with --models, it is the first round.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.reports.confidence.results import debate_results

    results = debate_results(logs, allow_partial=allow_partial) if logs else []
    if results and all(result.proposition_won is None for result in results):
        raise InputError(
            "No debate in the logs was won: a tournament needs a jury. Have them "
            "judged with -T reuse=LOG -T jury_passes=2 --model-role judge=MODEL."
        )
    debates = [result.debate for result in results]
    pool = _pool(debates, models)
    if logs and len(pool) < 2:
        raise InputError(
            "The logs hold no debate of two models: in a tournament models debate each "
            "other, not copies of themselves. Give --models for its first round."
        )
    own = _topics()
    debated = {debate.motion for debate in debates}
    topics = _topics(motions, own if debated <= {*own} else sorted(debated))
    paired = next_round(results, pool, topics, seed=seed)
    _write(paired.pairings, out)
    apart = _apart(out)
    click.echo(_ranking(standings(results, pool, seed)), err=apart)
    if paired.bye is not None:
        click.echo(f"\n{paired.bye} has a bye, which counts as nothing.", err=apart)
    _show(imbalance([*debates, *paired.pairings], pool, topics), out)


@pairings.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE|LOGS...")
@_models
@_motions
@_debates
@_families
@_seed
@_partial
@_out
def rebalance(
    sources: tuple[str, ...],
    models: str | None,
    motions: str | None,
    debates: int | None,
    families: tuple[str, ...],
    seed: int,
    allow_partial: bool,
    out: TextIO,
) -> None:
    """Write the debates to add so that those of schedules or logs are even.

    By default the fewest after which every model was equally often on each side.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.datasets.pairings import pairings_file, read_pairings
    from inspect_debate.reports.confidence.results import debate_results

    schedules = [path for path in sources if pairings_file(path)]
    logs = [path for path in sources if path not in schedules]
    existing = [debate for path in schedules for debate in read_pairings(path)]
    if logs:
        results = debate_results(logs, allow_partial=allow_partial)
        existing += [result.debate for result in results]
    pool, family = _pool(existing, models), _family(families)
    topics = _topics(motions, sorted({debate.motion for debate in existing}))
    further = rebalanced(
        existing, pool, topics, debates=debates, families=family, seed=seed
    )
    _write(further, out)
    click.echo(f"{len(existing)} debates so far, {len(further)} more.", err=_apart(out))
    _show(imbalance([*existing, *further], pool, topics, family), out)


def _topics(motions: str | None = None, otherwise: Sequence[str] = ()) -> list[str]:
    """The ids of the motions that are asked for; without other ones the suite's own."""
    from inspect_debate.datasets.motions import load_motions

    own = [motion.id for motion in load_motions()]
    if motions is None:
        return list(otherwise) or own
    if not motions.isdecimal():
        return [motion.id for motion in load_motions(motions)]
    if not 0 < int(motions) <= len(own):
        raise InputError(
            f"--motions={motions} is not allowed; the suite has {len(own)}: give 1 to "
            f"{len(own)}, or a file with others."
        )
    return own[: int(motions)]


def _family(typed: Sequence[str]) -> dict[str, str]:
    families = {}
    for given in typed:
        model, _, family = given.rpartition("=")
        if not model or not family:
            raise InputError(f"--family={given!r} is not allowed; give MODEL=FAMILY.")
        families[model] = family
    return families


def _pool(debates: Sequence[Pairing], models: str | None) -> list[str]:
    given = [name.strip() for name in (models or "").split(",")]
    seen = {name for debate in debates for name in debate[:2]}
    return sorted({*seen, *filter(None, given)})


def _write(schedule: Sequence[Pairing], out: TextIO) -> None:
    from inspect_debate.datasets.pairings import pairings_text

    out.write(pairings_text(schedule))


def _apart(out: TextIO) -> bool:
    """Whether other output goes to stderr, as the schedule is printed on stdout."""
    return out.name == "-"


def _ranking(table: Sequence[Standing]) -> str:
    header = ["rank", "model", "wins - losses", "margin", "debates"]
    return tabulate([[n, *one] for n, one in enumerate(table, 1)], header)


def _show(found: Imbalance, out: TextIO) -> None:
    """Show who debates what how often; motions have numbers, explained at the end."""
    topics = list(next(iter(found.on_motion.values())))
    numbers = [f"on {number}" for number in range(1, len(topics) + 1)]
    rows = [
        [name, *sides, *found.on_motion[name].values()]
        for name, sides in found.seats.items()
    ]
    facts = [
        ("debates", found.debates),
        ("appearances of a model", _between(found.appearances)),
        ("greatest difference of sides", found.sides),
        ("rematches", found.rematches),
        ("debates within a family", found.same_family),
        ("debates per motion", _between(found.motions)),
        ("debates per motion and model", _between(found.motions_per_model)),
        *((f"motion {n}", _short(topic)) for n, topic in enumerate(topics, start=1)),
    ]
    table = tabulate(rows, ["model", "proposition", "opposition", *numbers])
    click.echo(f"\n{table}\n\n{tabulate(facts, tablefmt='plain')}", err=_apart(out))


def _between(extent: Extent) -> str:
    return f"{extent.least} to {extent.most}"


def _short(motion: str) -> str:
    return motion if len(motion) <= 60 else f"{motion[:59]}…"
