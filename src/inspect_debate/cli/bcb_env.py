"""`inspect-debate bcb-env`: an interpreter with what programming tasks import."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from click import ClickException
from tabulate import tabulate

from inspect_debate.cli.import_probe import STANDARD
from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import local_path
from inspect_debate.grading.interpreter import (
    Environment,
    environment_of,
    prepared_home,
    resolve_interpreter,
)

# Building a virtual environment with uv.

PYTHON = "3.11"
# A name, and a version after ==; addresses and options are no names.
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9][\w.-]*)(?=\s*(?:$|[\[=<>!~;@#(]))(?:\[.*?\])?\s*(?:==\s*([^\s;,#]+))?"
)


class Libraries(NamedTuple):
    """What is to be installed.

    Attributes:
        files: The requirements and the constraints, as texts for pip.
        versions: The versions asked for by the libraries' names; None: any.
    """

    files: dict[str, str]
    versions: dict[str, str | None]


def own_libraries(without: Sequence[str]) -> Libraries:
    """The libraries of the suite's own list.

    Args:
        without: The names of those to leave out.

    Raises:
        InputError: If one is not on the list.
    """
    data = resources.files("inspect_debate.cli") / "data"
    listed = (data / "bcb_requirements.txt").read_text(encoding="utf-8")
    left_out = {_normal(name) for name in without}
    for name in left_out:
        check_name("--without: the library", name, _versions(listed))
    lines = [
        line
        for line in listed.splitlines()
        if left_out.isdisjoint(_versions(line))  # comments name none
    ]
    wanted = "\n".join(lines)
    constraints = (data / "bcb_constraints.txt").read_text(encoding="utf-8")
    files = {"requirements.txt": wanted, "constraints.txt": constraints}
    return Libraries(files, _versions(wanted))


def users_libraries(typed: str) -> Libraries:
    """The libraries of a user's requirements file.

    Raises:
        InputError: If it cannot be read.
    """
    path = local_path(typed).absolute()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--requirements={typed} cannot be read: {error}.") from error
    # Through its own path, from where other files that it names are found.
    return Libraries({"requirements.txt": f"-r {path}"}, _versions(text))


def find_uv() -> str:
    """The path of uv.

    Raises:
        InputError: If it is not on PATH.
    """
    uv = shutil.which("uv")
    if uv is None:
        raise InputError(
            "bcb-env builds with uv, which is not on PATH; install it, for example "
            "with `pip install uv`."
        )
    return uv


def find_python(wanted: str) -> str:
    """The path of the Python to build with.

    Args:
        wanted: A version as in 3.11, which uv looks for; or what `resolve_interpreter`
            takes.

    Raises:
        InputError: If there is none.
    """
    if not re.fullmatch(r"3\.\d+", wanted):
        return resolve_interpreter(wanted, "--python")
    command = [find_uv(), "python", "find", "--no-project", "--system", wanted]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        raise InputError(
            f"There is no Python {wanted} here; get one with `uv python install "
            f"{wanted}`, or say where one is with --python=PATH."
        )
    return resolve_interpreter(found.stdout.strip(), "--python")


def build(folder: Path, python: str, libraries: Libraries, scratch: Path) -> str:
    """Make a virtual environment with libraries, or repair one.

    Args:
        folder: Where; it may have the environment of an earlier run.
        python: The interpreter to build it from.
        libraries: What to install in it.
        scratch: An empty folder. uv is started there, so that it reads no settings of
            the project in which the command was typed.

    Returns:
        The path of the environment's interpreter.

    Raises:
        InputError: If the folder has other content, or uv is missing.
        ClickException: If uv fails; its own message is on the terminal.
    """
    uv = find_uv()
    made = _is_made(folder, python)
    for name, text in libraries.files.items():
        (scratch / name).write_text(f"{text}\n", encoding="utf-8")
    inside = str(folder / "bin" / "python")
    if not made:
        make = [uv, "venv", "--no-project", "--allow-existing", "--python", python]
        _run([*make, str(folder)], scratch, "Making the environment")
    # Solutions see the environment read-only, where Python could not keep what it
    # compiles.
    install = [uv, "pip", "install", "--compile-bytecode", "--python", inside]
    install += ["-r", "requirements.txt"]
    if "constraints.txt" in libraries.files:
        install += ["-c", "constraints.txt"]
    _run(install, scratch, "Installing the libraries")
    return inside


def prepare_home(python: str) -> None:
    """Make the home directory that programs are to find in a sandbox.

    Matplotlib looks through all fonts where its list of them is missing, which takes
    longer than most tasks.

    Args:
        python: The interpreter.
    """
    folder = prepared_home(python)
    folder.mkdir(exist_ok=True)
    environment = {"HOME": str(folder), "PATH": os.defpath}
    command = [python, "-I", "-c", "import matplotlib.font_manager"]
    # Without the library, or where it fails, there is nothing to prepare.
    subprocess.run(command, env=environment, capture_output=True, check=False)


def open_to_all(folder: Path) -> int:
    """Let every user read an environment, since solutions run as another one.

    Returns:
        How many files and folders stayed closed, as they belong to somebody else.
    """
    closed = 0
    for root, _, files in os.walk(folder):
        for path in (root, *(os.path.join(root, name) for name in files)):
            if os.path.islink(path):
                continue
            mode = os.stat(path).st_mode & 0o7777
            opened = mode | (0o555 if path == root or mode & 0o100 else 0o444)
            try:
                if opened != mode:
                    os.chmod(path, opened)
            except PermissionError:
                closed += 1
    return closed


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _versions(text: str) -> dict[str, str | None]:
    found = map(_REQUIREMENT.match, text.splitlines())
    return {_normal(one[1]): one[2] for one in found if one}


def _is_made(folder: Path, python: str) -> bool:
    """Whether a folder is an environment of that Python already."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return False
    if not (folder / "pyvenv.cfg").is_file():
        raise InputError(
            f"{folder} holds something else; give a new folder, or one that this "
            "command made."
        )
    try:
        there = environment_of(str(folder / "bin" / "python")).python
    except InputError:  # made by half, or its Python has gone
        return False
    wanted = environment_of(python).python
    if there.split(".")[:2] != wanted.split(".")[:2]:
        raise InputError(
            f"{folder} has Python {there}, and {wanted} is wanted; give another "
            "folder, or remove this one first."
        )
    return True


def _run(command: Sequence[str], folder: Path, doing: str) -> None:
    if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode:
        raise ClickException(
            f"{doing} failed; see the output above. Once that is fixed, run the same "
            "command again to continue."
        )


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
    build it where there is a network, in a folder that all nodes see. Running
    the command again repairs an existing environment.
    """
    libraries = _libraries(requirements, without)
    source = None if nltk_data in ("download", "skip") else nltk_folder(nltk_data)
    base = find_python(python)
    if requirements is None:
        _check_version(base)
    place = Path(os.path.abspath(local_path(folder)))
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
    _show(environment, libraries, problems)
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
    facts = {"sha256": environment.sha256, "problems": dict(problems)}
    text = json.dumps(environment._asdict() | facts, indent=1)
    (place / RECORD).write_text(f"{text}\n", encoding="utf-8")


def _show(
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


# What an environment can do: what it imports, and what tasks find beside it.

_CHECK_SECONDS = 600
_PROGRAMS = ("bash", "ps", "pkill")


def import_problems(python: str, names: Sequence[str]) -> dict[str, str]:
    """Try to import libraries in an interpreter, all in one process if none ends it.

    Args:
        python: The interpreter.
        names: The libraries' names as they are installed.

    Returns:
        What is wrong, by name; only libraries with which something is.
    """
    left, found = list(names), dict[str, str]()
    while left:
        answers, end = _probe(python, left)
        found |= zip(left, answers, strict=False)
        del left[: len(answers)]
        if left:
            found[left.pop(0)] = end
    return {name: problem for name, problem in found.items() if problem}


def warnings(python: str, environment: Environment) -> Iterator[str]:
    """What tasks need that no installer of libraries brings."""
    if "nltk" in environment.packages:
        for place in sorted(TASKS.keys() - {*environment.nltk_data}):
            yield f"NLTK's {place} is not in nltk_data{_lost(TASKS[place])}"
    if import_problems(python, [STANDARD]):
        yield f"this Python has no tkinter (Debian: python3-tk){_lost((220,))}"
    for program in _PROGRAMS:
        if shutil.which(program, path=os.defpath) is None:
            yield f"there is no {program} in {os.defpath}: some tasks run it"


def _lost(tasks: Sequence[int]) -> str:
    numbers = ", ".join(map(str, tasks))
    return f": not eligible without it: {numbers}" if tasks else ""


def _probe(python: str, names: Sequence[str]) -> tuple[list[str], str]:
    """What the probe reported on each library before it ended, and how it ended."""
    source = resources.files("inspect_debate.cli") / "import_probe.py"
    code = source.read_text(encoding="utf-8")
    with TemporaryDirectory() as scratch:
        try:
            done = subprocess.run(
                [python, "-I", "-c", code, *names],
                cwd=scratch,
                env=os.environ | {"MPLBACKEND": "Agg"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=_CHECK_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            output, end = error.stdout, f"not imported within {_CHECK_SECONDS} s"
        else:
            output, end = done.stdout, f"importing it ends Python ({done.returncode})"
    return [json.loads(line) for line in (output or b"").splitlines()], end


# The data of NLTK that tasks need: downloaded, or taken from a folder that has it.

# By their places in NLTK's folders, the tasks of BigCodeBench-Plus v1.0.2 whose own
# solutions fail without them. Task 656 uses the lexicon but passes without it.
TASKS: dict[str, tuple[int, ...]] = {
    "corpora/stopwords": (290, 332, 376, 633, 635, 655, 658, 806, 808, 849),
    "corpora/words": (726,),
    "sentiment/vader_lexicon": (),
    "taggers/averaged_perceptron_tagger": (734,),
    "tokenizers/punkt": (177, 334, 383, 940, 1109),
}
_NLTK_SECONDS = 300


def nltk_folder(typed: str) -> Path:
    """A user's folder that has some of the data, laid out as NLTK does.

    Raises:
        InputError: If nothing of it is there.
    """
    folder = local_path(typed)
    if not any(_present(folder / place) for place in TASKS):
        raise InputError(
            f"--nltk-data={typed} has none of {', '.join(TASKS)}; give a folder as "
            "NLTK's downloader makes them, download or skip."
        )
    return folder


def copy_nltk_data(source: Path, target: Path) -> None:
    """Copy what tasks need, and no more, from one folder of NLTK's into another."""
    for place in TASKS:
        for one in _present(source / place):
            copy = target / one.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if one.is_dir():
                shutil.copytree(one, copy, dirs_exist_ok=True)
            else:
                shutil.copy(one, copy)


def download_nltk_data(python: str, missing: Iterable[str], target: Path) -> None:
    """Let NLTK download what is missing; without network nothing comes, in silence.

    Args:
        python: The interpreter that has NLTK.
        missing: Places as in `TASKS`.
        target: The folder to download into.
    """
    names = [place.split("/")[1] for place in missing]
    target.mkdir(exist_ok=True)
    command = [python, "-I", "-W", "ignore", "-m", "nltk.downloader", "-e"]
    try:
        subprocess.run(
            [*command, "-d", str(target), *names],
            stdin=subprocess.DEVNULL,
            timeout=_NLTK_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return


def _present(place: Path) -> list[Path]:
    """The folder and the archive of a place, where they are there."""
    return [
        one for one in (place, place.with_name(f"{place.name}.zip")) if one.exists()
    ]
