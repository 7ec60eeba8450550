"""What the suite costs beside plain Inspect."""

import importlib
import json
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks import page
from benchmarks.table import Row, table

ROOT = Path(__file__).parents[1]

BENCHMARKS = ("calls", "cpu", "latency", "start", "logs", "bill")
"""Modules with a function `rows(repeats)` that yields rows of the table."""

TABLES = ("votes",)
"""Modules with a `main()` that prints a table of its own, which the page has, too."""

TOOLS = [
    path.stem
    for path in sorted(Path(__file__).parent.glob("[!_]*.py"))
    if "\ndef main(" in path.read_text(encoding="utf-8")
    and path.stem not in (*BENCHMARKS, *TABLES)
]


@click.command(
    epilog=f"Or one of {', '.join(TOOLS)}, each with its own --help. To run that on "
    "another checkout, call this with DIR/.venv/bin/python."
)
@click.argument("names", nargs=-1, type=click.Choice([*BENCHMARKS, *TABLES]))
@click.option("--repeats", default=3, show_default=True, help="Medians of so many.")
@click.option("--page", "out", type=Path, help="Also write the page of the docs.")
@click.option(
    "--checkout",
    "checkouts",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    default=[ROOT],
    help="Measure another checkout of the suite, after `uv sync` there. Repeatable.",
)
@click.option("--rows", "found", type=Path, hidden=True)
def main(
    names: Sequence[str],
    repeats: int,
    out: Path | None,
    checkouts: Sequence[Path],
    found: Path | None,
) -> None:
    """Run the benchmarks NAMES, by default all, each in a process of its own."""
    if found is not None:
        return _measure(names[0], repeats, found)
    if out is not None and (names or len(checkouts) > 1):
        raise click.UsageError("--page is for all benchmarks of one checkout.")
    rows, texts, began = list[Row](), list[str](), time.monotonic()
    for name in names or (*BENCHMARKS, *TABLES):
        for checkout in checkouts:
            passed = time.monotonic() - began
            click.echo(f"{passed / 60:.0f} min: {name}, {checkout}", err=True)
            if name in TABLES:
                text = _run(checkout, f"benchmarks.{name}").strip()
                texts.append(f"`{name}`:\n\n```\n{text}\n```")
            else:
                rows += _rows(name, repeats, checkout, len(checkouts) > 1)
    tables = [table(rows), *texts]
    print(*tables, sep="\n\n")
    if out is not None:
        page.write(out, tables)


def _rows(name: str, repeats: int, checkout: Path, named: bool) -> list[Row]:
    with tempfile.NamedTemporaryFile() as file:
        given = (name, "--repeats", str(repeats), "--rows", file.name)
        _run(checkout, "benchmarks", *given)
        rows = [Row(*json.loads(line)) for line in file]
    if named:
        rows = [row._replace(measure=f"{row.measure} [{checkout}]") for row in rows]
    return rows


def _run(checkout: Path, module: str, *given: str) -> str:
    """What a module of this checkout prints, run on the code of another."""
    python = checkout / ".venv" / "bin" / "python"
    command = [str(python), "-m", module, *given]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        click.echo(f"{module} {' '.join(given)} failed", err=True)
    return done.stdout


def _measure(name: str, repeats: int, out: Path) -> None:
    with out.open("w", encoding="utf-8", buffering=1) as file:
        for row in importlib.import_module(f"benchmarks.{name}").rows(repeats):
            click.echo(f"  {' | '.join(row.cells())}", err=True)
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in TOOLS:
        tool = sys.argv.pop(1)
        runpy.run_module(f"benchmarks.{tool}", run_name="__main__", alter_sys=True)
    else:
        main()
