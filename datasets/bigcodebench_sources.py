"""Where tasks of BigCodeBench are read from: its publishers, a path, or the sample."""

from pathlib import Path
from typing import Any

from inspect_debate.core.errors import InputError, check_choice
from inspect_debate.core.paths import user_path
from inspect_debate.datasets.bigcodebench_files import (
    ENDINGS,
    Entry,
    in_file,
    in_folder,
)
from inspect_debate.datasets.bigcodebench_published import Source, original, plus
from inspect_debate.datasets.shipped import shipped_yaml

WORDS = ("published", "sample")
PATHS = (
    f"PATH to a file of tasks ({', '.join(ENDINGS)}), or to a folder with one in each "
    ".json file (such as problems/ of a clone of the repository)"
)
SAMPLE_FILE = "bigcodebench_sample.yaml"


def load(dataset: str, source: str, version: str) -> Source:
    """The tasks of a source.

    Args:
        dataset: `bcb_plus` or `bcb`.
        source: `published`, `sample`, or a path.
        version: Of published tasks.

    Raises:
        InputError: If the source cannot be had or read.
    """
    if source == "published":
        return (plus if dataset == "bcb_plus" else original)(version, _others(source))
    if source == "sample":
        return Source(_sample(), {"source": source, "file": SAMPLE_FILE})
    path = _existing(source)
    entries = in_folder(path) if path.is_dir() else in_file(path)
    if not entries:
        raise InputError(f"{path} holds no tasks. {_others('path')}")
    return Source(entries, {"source": "path", "file": path.name})


def _sample() -> list[Entry]:
    tasks = shipped_yaml(SAMPLE_FILE)
    return [
        Entry(f"{SAMPLE_FILE}: {name}", _record(name, task))
        for name, task in tasks.items()
    ]


def _record(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """A shipped task as a record; its code prompt is its prompt up to the docstring."""
    head, _, _ = task["complete_prompt"].partition('    """')
    derived = {"code_prompt": head.rstrip(), "entry_point": "task_func"}
    return {"task_id": f"bcbs/{name}", **task, **derived}


def _existing(source: str) -> Path:
    path = user_path(source)
    if not path.exists():
        if not path.suffix and path.name == str(source):
            check_choice("source", source, (*WORDS, PATHS))
        raise InputError(f"{path} does not exist. {_others('path')}")
    if path.is_file() and path.suffix.lower() not in ENDINGS:
        raise InputError(
            f"source={source!r} is no folder, and of none of these kinds: "
            f"{', '.join(ENDINGS)}."
        )
    return path


def _others(source: str) -> str:
    sources = {word: f"source={word}" for word in WORDS} | {"path": f"source={PATHS}"}
    rest = [told for word, told in sources.items() if word != source]
    return f"Other sources: {' or '.join(rest)}."
