"""Where paths that a user typed are looked for."""

from pathlib import Path

# While Inspect loads a task file the working directory is the file's folder. This
# module is first imported with the entry point, before that, and so sees the folder
# in which the command was typed.
STARTED_IN = Path.cwd()


def user_path(typed: str | Path) -> Path:
    """A path that a user typed, relative to where the command was typed."""
    return STARTED_IN / Path(typed).expanduser()
