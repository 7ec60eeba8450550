"""`inspect-debate published`: how far printed numbers are reproduced, and errors."""

import sys
from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import local_path

if TYPE_CHECKING:
    from inspect_debate.published.confidence import Released
    from inspect_debate.published.engine import Data
    from inspect_debate.published.human_debate import People

_Command = Callable[..., None]


@click.group()
def published() -> None:
    """Check the numbers that papers print against released data and each other."""


def _arguments(command: _Command) -> _Command:
    for decorate in (
        click.option(
            "--data",
            envvar="INSPECT_DEBATE_DATA",
            metavar="DIR",
            help="Released data: realmistake/detector_labels.csv and "
            "published_performance.json, the checkout llms_overconfidence/, and "
            "nyu_debates/debates.jsonl.xz.  "
            "[default: the variable INSPECT_DEBATE_DATA]",
        ),
        click.argument("studies", nargs=-1, metavar="[STUDY ...]"),
    ):
        command = decorate(command)
    return command


@published.command()
@_arguments
@click.option("--cells", is_flag=True, help="Also list every cell.")
@click.option("--out", metavar="FILE", help="Write the cells to a CSV file.")
def counts(
    studies: tuple[str, ...], data: str | None, cells: bool, out: str | None
) -> None:
    """Count the printed cells of each table by how far they are reproduced."""
    # Seconds of import time, which no other command should pay.
    from inspect_debate.published.audit import (
        cells_text,
        checked,
        counts_text,
        write_cells,
    )

    found = checked(_data(data, studies), studies)
    if out is not None:
        write_cells(found, out)
    if cells:
        click.echo(cells_text(found) + "\n")
    click.echo(counts_text(found))


_only = click.option(
    "--only", multiple=True, metavar="ID", help="Only these inconsistencies."
)


@published.command()
@_arguments
@_only
def inconsistencies(
    studies: tuple[str, ...], data: str | None, only: tuple[str, ...]
) -> None:
    """Print what is wrong in printed numbers, with the arithmetic that shows it.

    The exit code is 1 where a check finds that nothing is wrong.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.published.audit import inconsistencies as all_of
    from inspect_debate.published.audit import shown

    every = {one.id: one for one in all_of(_data(data, studies), studies)}
    for id in only:
        check_name("inconsistency", id, every)
    found = [shown(one) for id, one in every.items() if not only or id in only]
    click.echo("\n\n".join(one.text for one in found))
    if any(one.holds is False for one in found):
        sys.exit(1)


_faults = copy(inconsistencies)
_faults.hidden = True
published.add_command(_faults, "faults")
"""The name that the command had."""


def _data(data: str | None, studies: tuple[str, ...]) -> "Data":
    """The released data in a folder, where there is one."""
    from inspect_debate.published.audit import RELEASE
    from inspect_debate.published.engine import Data
    from inspect_debate.published.human_debate import DEBATES

    if data is None:
        return Data()
    folder = local_path(data)
    if not folder.is_dir():
        raise InputError(f"--data={data}: there is no folder at {folder}.")
    _warn_of_missing(data, folder, studies)
    release = folder / RELEASE
    return Data(
        folder,
        partial(_released, release) if release.is_dir() else None,
        partial(_people, folder) if (folder / DEBATES.name).is_file() else None,
    )


def _warn_of_missing(data: str, folder: Path, studies: tuple[str, ...]) -> None:
    from inspect_debate.published.audit import NEEDED

    missing = [
        name
        for study, names in NEEDED.items()
        for name in names
        if (not studies or study in studies) and not (folder / name).exists()
    ]
    if missing:
        click.echo(f"--data={data} lacks {', '.join(missing)}.", err=True)


def _released(release: Path) -> "Released":
    from inspect_debate.cli.released_debates import released, released_rows

    return released(released_rows(release))


def _people(folder: Path) -> "People":
    from inspect_debate.cli.released_people import released_people

    return released_people(folder)
