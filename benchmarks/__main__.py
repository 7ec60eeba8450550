"""What the suite costs, beside plain Inspect: `python -m benchmarks [NAME ...]`."""

import importlib
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.table import Row, table

ROOT = Path(__file__).parents[1]

BENCHMARKS = ("calls", "cpu", "bill")
"""Modules here whose `rows(repeats)` yields rows of the table."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(BENCHMARKS))
@click.option("--repeats", default=3, show_default=True, help="Medians of so many.")
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True),
    default=ROOT,
    help="Measure another checkout of the suite, after `uv sync` there.",
)
@click.option("--rows", "out", type=Path, hidden=True)
def main(names: Sequence[str], repeats: int, checkout: Path, out: Path | None) -> None:
    """Run all benchmarks, or those named, each in a process of its own."""
    if out is not None:
        return _measure(names[0], repeats, out)
    found: list[Row] = []
    for name in names or BENCHMARKS:
        click.echo(f"{name} ...", err=True)
        found += measured(name, repeats, checkout)
    print(table(found))


def measured(name: str, repeats: int, checkout: Path) -> list[Row]:
    """What a benchmark of this checkout finds out about the code of another."""
    python = checkout / ".venv" / "bin" / "python"
    with tempfile.NamedTemporaryFile() as file:
        options = ["--repeats", str(repeats), "--rows", file.name]
        command = [str(python), "-m", "benchmarks", name, *options]
        subprocess.run(command, cwd=ROOT, check=True)
        return [Row(*json.loads(line)) for line in file]


def _measure(name: str, repeats: int, out: Path) -> None:
    with out.open("w", encoding="utf-8") as file:
        for row in importlib.import_module(f"benchmarks.{name}").rows(repeats):
            click.echo(f"  {' '.join(row.cells())}", err=True)
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
