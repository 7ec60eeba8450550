"""Where ReaLMistake's records are read from: its archive, its hub, a path, a sample."""

import importlib
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import httpx

from inspect_debate.core.errors import InputError, check_choice
from inspect_debate.core.paths import user_path
from inspect_debate.datasets.archive import (
    Pinned,
    fetch,
    read_jsonl,
    read_member,
    sha256_of,
)

COMMIT = "f94a8b978926414deb1dcf6b50076fd06c892192"
PUBLISHED = Pinned(
    url=f"https://github.com/psunlpgroup/ReaLMistake/raw/{COMMIT}/data.zip",
    sha256="84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a",
    name="realmistake/data.zip",
)
PASSWORD = "open-realmistake"  # printed in the README of the authors' repository
HUB = "ryokamoi/realmistake"
SAMPLE_FILE = "realmistake_sample.jsonl"

WORDS = ("published", "huggingface", "sample")
PATHS = "PATH to data.zip, its unpacked folder or one .jsonl"

# Our short name, then the names in the data, of which the first is that of the files.
SUBSETS = {
    "math": ("math_word_problem_generation", "math_problem_generation"),
    "fact": ("finegrained_fact_verification",),
    "answerability": ("answerability_classification",),
}
AUTHORS = {
    "gpt4": ("gpt-4-0613",),
    "llama2": ("Llama-2-70b-chat-hf", "meta-llama/Llama-2-70b-chat-hf"),
}


class Cell(NamedTuple):
    """One of the six parts of the benchmark, by short names."""

    subset: str
    author: str

    @property
    def folder(self) -> str:
        """The part's folder in the archive, and its configuration on the hub."""
        return SUBSETS[self.subset][0]

    @property
    def file(self) -> str:
        """The part's file, from the folder that holds the three task folders."""
        return f"{self.folder}/{AUTHORS[self.author][0]}.jsonl"


class Entry(NamedTuple):
    """A record as it was found, and where, for errors."""

    place: str
    record: object


def entries(source: str, cells: Sequence[Cell]) -> Iterator[Entry]:
    """The records of the cells; a single file's records whatever their cells are.

    Raises:
        InputError: If the source cannot be had or is not of the kind it should be.
    """
    match source:
        case "published":
            return _of_archive(fetch(PUBLISHED, _others(source)), cells)
        case "huggingface":
            return _of_hub(cells)
        case "sample":
            shipped = resources.files("inspect_debate.datasets") / "data" / SAMPLE_FILE
            return _of_file(shipped.read_bytes(), SAMPLE_FILE)
    path = existing(source)
    if path.is_dir():
        return _of_folder(path, cells)
    if path.suffix == ".zip":
        return _of_archive(path, cells)
    return _of_file(_content(path), path.name)


def existing(source: str) -> Path:
    """The path that a source which is no known word stands for.

    Raises:
        InputError: If there is no such path, or a file of another kind.
    """
    path = user_path(str(source))
    if not path.exists():
        if path.suffix or path.name != str(source):
            raise InputError(f"{path} does not exist. {_others(source)}")
        check_choice("source", source, (*WORDS, PATHS))
    if path.is_file() and path.suffix not in (".zip", ".jsonl"):
        raise InputError(f"source={source!r} is no .zip, no .jsonl and no folder.")
    return path


def provenance(source: str) -> dict[str, str]:
    """Where the data come from, for the log; of a path only its last part.

    Raises:
        InputError: If the source is neither a known word nor a path that exists.
    """
    match source:
        case "published":
            pinned = {"url": PUBLISHED.url, "sha256": PUBLISHED.sha256}
            return {"source": source, "commit": COMMIT, **pinned}
        case "huggingface":
            return {"source": source, "dataset": HUB}
        case "sample":
            return {"source": source, "file": SAMPLE_FILE}
    path = existing(source)
    found = {"source": "path", "file": path.name}
    return found | ({"sha256": sha256_of(path)} if path.is_file() else {})


def _others(source: str) -> str:
    words = [f"source={word}" for word in (*WORDS, PATHS) if word != source]
    return f"Other sources: {', '.join(words[:-1])} or {words[-1]}."


def _of_archive(archive: Path, cells: Sequence[Cell]) -> Iterator[Entry]:
    for cell in cells:
        content = read_member(archive, f"data/{cell.file}", PASSWORD)
        yield from _of_file(content, f"{archive.name}/data/{cell.file}")


def _of_folder(folder: Path, cells: Sequence[Cell]) -> Iterator[Entry]:
    root = folder / "data" if (folder / "data").is_dir() else folder
    for cell in cells:
        yield from _of_file(_content(root / cell.file), str(root / cell.file))


def _of_file(content: bytes, where: str) -> Iterator[Entry]:
    for number, record in read_jsonl(content, where):
        yield Entry(f"{where}, line {number}", record)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def _of_hub(cells: Sequence[Cell]) -> Iterator[Entry]:
    # Slow to import, hence here; and by name, because to a type checker that runs at
    # the root of a checkout `import datasets` means this folder.
    hub = importlib.import_module("datasets")
    for cell in cells:
        try:
            rows = list(hub.load_dataset(HUB, name=cell.folder, split=cell.author))
        except (
            OSError,
            ValueError,
            httpx.HTTPError,
            hub.exceptions.DatasetsError,
        ) as error:
            # Only the first line: what follows is advice for other cases.
            reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
            raise InputError(
                f"Hugging Face's {HUB} could not be loaded ({reason}): it is gated, so "
                f"agree to its terms at https://huggingface.co/datasets/{HUB} and log "
                f"in with `hf auth login`. {_others('huggingface')}"
            ) from error
        kept: list[object] = []
        for number, row in enumerate(rows, start=1):
            # The examples of the paper are copies of records, equal in everything.
            if row not in kept:
                kept.append(row)
                yield Entry(f"{HUB}/{cell.folder}/{cell.author}, row {number}", row)
