"""`inspect-debate examples`: the files that only a checkout has."""

from importlib import resources
from pathlib import Path

import click

from inspect_debate.v1.debate.errors import InputError

# The folder in the package, the one that is written, and which files of it.
_FOLDERS = (
    ("configs", "configs", (".yaml",)),
    ("example_logs", "logs/examples", (".eval",)),
)


@click.command()
@click.option("--out", required=True, metavar="DIR", help="The folder to write into.")
def examples(out: str) -> None:
    """Write the run configurations and the example logs into a folder.

    Configurations go to DIR/configs, logs to DIR/logs/examples. Existing
    files are never overwritten.
    """
    package = resources.files("inspect_debate")
    found = {
        Path(out, target, file.name): file
        for folder, target, endings in _FOLDERS
        for file in (package / folder).iterdir()
        if file.name.endswith(endings)
    }
    present = sorted(str(path) for path in found if path.exists())
    if present:
        raise InputError(
            f"{present[0]} exists already (and {len(present) - 1} others); give a "
            "folder without these files."
        )
    for path, file in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.read_bytes())
    logs = Path(out, "logs", "examples")
    click.echo(f"{len(found)} files; look with `inspect view --log-dir {logs}`.")
