"""`inspect-debate published`: how far printed numbers are reproduced, and faults."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import user_path

if TYPE_CHECKING:
    from inspect_debate.reports.printed_studies import Sources

_Command = Callable[..., None]


@click.group()
def published() -> None:
    """Hold the numbers that papers print against released data and each other."""


def _arguments(command: _Command) -> _Command:
    for decorate in (
        click.option(
            "--data",
            envvar="INSPECT_DEBATE_DATA",
            metavar="DIR",
            help="Released data: realmistake/detector_labels.csv and "
            "published_performance.json, and the checkout llms_overconfidence/.  "
            "[default: the variable INSPECT_DEBATE_DATA]",
        ),
        click.argument("studies", nargs=-1, metavar="[STUDY ...]"),
    ):
        command = decorate(command)
    return command


@published.command()
@_arguments
@click.option("--cells", is_flag=True, help="List every cell, too.")
@click.option("--out", metavar="FILE", help="Write the cells to a CSV file.")
def counts(
    studies: tuple[str, ...], data: str | None, cells: bool, out: str | None
) -> None:
    """Count the printed cells of each table by how far they are reproduced."""
    # Seconds of import time, which no other command should pay.
    from inspect_debate.published.reproduction import (
        cells_text,
        counts_text,
        write_cells,
    )
    from inspect_debate.reports.printed_studies import checked

    found = checked(_sources(data, studies), studies)
    if out is not None:
        write_cells(found, out)
    if cells:
        click.echo(cells_text(found) + "\n")
    click.echo(counts_text(found))


@published.command()
@_arguments
@click.option("--only", multiple=True, metavar="ID", help="Only these faults.")
def faults(studies: tuple[str, ...], data: str | None, only: tuple[str, ...]) -> None:
    """Print what is wrong in printed numbers, with the arithmetic that shows it.

    The exit code is 1 where a check finds that nothing is wrong.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.published.faults import shown
    from inspect_debate.reports.printed_studies import all_faults

    every = {fault.id: fault for fault in all_faults(_sources(data, studies), studies)}
    for id in only:
        check_name("fault", id, every)
    found = [shown(fault) for id, fault in every.items() if not only or id in only]
    click.echo("\n\n".join(one.text for one in found))
    if any(one.holds is False for one in found):
        sys.exit(1)


def _sources(data: str | None, studies: tuple[str, ...]) -> "Sources":
    """The released data in a folder, where there is one."""
    from inspect_debate.reports.printed_studies import RELEASE, Sources

    if data is None:
        return Sources()
    folder = user_path(data)
    if not folder.is_dir():
        raise InputError(f"--data={data}: there is no folder at {folder}.")
    _tell_missing(data, folder, studies)
    release = folder / RELEASE
    return Sources(folder, partial(_rows, release) if release.is_dir() else None)


def _tell_missing(data: str, folder: Path, studies: tuple[str, ...]) -> None:
    from inspect_debate.reports.printed_studies import NEEDED

    missing = [
        name
        for study, names in NEEDED.items()
        for name in names
        if (not studies or study in studies) and not (folder / name).exists()
    ]
    if missing:
        click.echo(f"--data={data} lacks {', '.join(missing)}.", err=True)


def _rows(release: Path) -> list[dict[str, Any]]:
    from inspect_debate.cli.released_debates import released_rows

    return released_rows(release)
