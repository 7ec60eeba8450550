"""`inspect-debate bcb-env`: an interpreter with what programming tasks import."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from tabulate import tabulate

from inspect_debate.cli.bcb_env_check import import_problems, warnings
from inspect_debate.cli.bcb_env_install import (
    PYTHON,
    Libraries,
    build,
    find_python,
    open_to_all,
    own_libraries,
    prepare_home,
    users_libraries,
)
from inspect_debate.cli.bcb_env_nltk import (
    TASKS,
    copy_nltk_data,
    download_nltk_data,
    nltk_folder,
)
from inspect_debate.core.errors import InputError
from inspect_debate.core.interpreter import Environment, environment_of
from inspect_debate.core.paths import user_path

RECORD = "inspect_debate_env.json"


@click.command("bcb-env")
@click.argument("folder", metavar="DIR")
@click.option(
    "--python",
    default=PYTHON,
    show_default=True,
    metavar="VERSION|PATH",
    help="The Python to build from; the suite's list is for 3.11.",
)
@click.option(
    "--requirements",
    metavar="FILE",
    help="Libraries to install in place of the suite's list, in pip's format.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="A library of the suite's list to leave out; repeatable. tensorflow-cpu "
    "serves 4 tasks and takes 1.1 of 2.4 GiB with what it needs.",
)
@click.option(
    "--nltk-data",
    default="download",
    show_default=True,
    metavar="download|skip|FOLDER",
    help="Where NLTK's data comes from: a folder as its downloader makes them, where "
    "there is no network.",
)
def bcb_env(
    folder: str,
    python: str,
    requirements: str | None,
    without: tuple[str, ...],
    nltk_data: str,
) -> None:
    """Build an interpreter in DIR with the libraries of BigCodeBench-Plus.

    DIR becomes a virtual environment, made by uv with its usual settings. On a cluster,
    build it where there is a network, in a folder that all nodes see. Run again, the
    command repairs what is there.
    """
    libraries = _libraries(requirements, without)
    source = None if nltk_data in ("download", "skip") else nltk_folder(nltk_data)
    base = find_python(python)
    if requirements is None:
        _check_version(base)
    place = Path(os.path.abspath(user_path(folder)))
    with TemporaryDirectory() as scratch:
        inside = build(place, base, libraries, Path(scratch))
    data = place / "nltk_data"
    if source is not None:
        copy_nltk_data(source, data)
    elif nltk_data == "download":
        _download(inside, data)
    prepare_home(inside)
    click.echo(f"Importing {len(libraries.versions)} libraries ...")
    problems = import_problems(inside, list(libraries.versions))
    environment = environment_of(inside)
    _record(place, environment, problems)
    closed = open_to_all(place)
    _tell(environment, libraries, problems)
    for caution in warnings(inside, environment):
        click.echo(f"Warning: {caution}.", err=True)
    if closed:
        click.echo(f"Warning: {closed} files are not readable for all.", err=True)
    click.echo(f"Next: inspect-debate bcb-eligible --interpreter {folder}")


def _libraries(requirements: str | None, without: tuple[str, ...]) -> Libraries:
    if requirements is None:
        return own_libraries(without)
    if without:
        raise InputError(
            "--without is for the suite's own list; take the library out of the file "
            "that --requirements names."
        )
    return users_libraries(requirements)


def _check_version(python: str) -> None:
    version = environment_of(python).python
    if not version.startswith(f"{PYTHON}."):
        raise InputError(
            f"{python} is Python {version}, and the suite's list is for {PYTHON}; give "
            "another, or a list of your own with --requirements=FILE."
        )


def _download(python: str, data: Path) -> None:
    environment = environment_of(python)
    missing = TASKS.keys() - {*environment.nltk_data}
    if missing and "nltk" in environment.packages:
        download_nltk_data(python, sorted(missing), data)


def _record(place: Path, environment: Environment, problems: Mapping[str, str]) -> None:
    told = environment._asdict() | {
        "sha256": environment.sha256,
        "problems": dict(problems),
    }
    text = json.dumps(told, indent=1)
    (place / RECORD).write_text(f"{text}\n", encoding="utf-8")


def _tell(
    environment: Environment, libraries: Libraries, problems: Mapping[str, str]
) -> None:
    rows = []
    for name, wanted in libraries.versions.items():
        there = environment.packages.get(name, "")
        other = f"{wanted} is on the list" if wanted and there != wanted else ""
        rows.append([name, there, problems.get(name) or other or "ok"])
    click.echo(tabulate(rows, ["library", "version", ""], disable_numparse=True))
    good = len(libraries.versions) - len(problems)
    click.echo(
        f"\nPython {environment.python} on {environment.platform}: {good} of "
        f"{len(libraries.versions)} libraries can be imported; "
        f"{len(environment.packages)} are installed (sha256 {environment.sha256[:12]})."
    )
