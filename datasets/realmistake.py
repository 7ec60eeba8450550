"""ReaLMistake: does a language model's response to a task contain an error?

900 responses of GPT-4 and Llama 2 70B to three tasks, labelled by experts (Kamoi et
al. 2024, "Evaluating LLMs at Detecting Errors in LLM Responses"). Its authors ask that
no example be published in plain text, so the archive stays encrypted on disk, and
errors never quote the data.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import AliasChoices, BaseModel, Field

from inspect_debate.datasets.common import balanced, checked
from inspect_debate.datasets.download import (
    fetch,
    fetch_from_hub,
    json_lines,
    read_file,
    read_member,
    sha256_of,
    user_path,
)
from inspect_debate.debate.errors import InputError, check_known

COMMIT = "f94a8b978926414deb1dcf6b50076fd06c892192"
URL = f"https://github.com/psunlpgroup/ReaLMistake/raw/{COMMIT}/data.zip"
SHA256 = "84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a"
PASSWORD = "open-realmistake"  # from the README of the authors' repository
HUB = "ryokamoi/realmistake"
SAMPLE = Path(__file__).parent / "data" / "realmistake_sample.jsonl"


class Cell(NamedTuple):
    """One of the benchmark's six parts."""

    subset: str
    author: str


SIZES = {
    Cell("math", "gpt4"): (140, 87),
    Cell("fact", "gpt4"): (140, 88),
    Cell("answerability", "gpt4"): (140, 87),
    Cell("math", "llama2"): (160, 128),
    Cell("fact", "llama2"): (160, 129),
    Cell("answerability", "llama2"): (160, 130),
}
"""The items of each cell, and how many of them are labelled `error`."""

# The folders and files of the archive; on Hugging Face, the folder is the configuration
# and the author the split.
FOLDERS = {
    "math": "math_word_problem_generation",
    "fact": "finegrained_fact_verification",
    "answerability": "answerability_classification",
}
FILES = {"gpt4": "gpt-4-0613.jsonl", "llama2": "Llama-2-70b-chat-hf.jsonl"}

# What records call them. The responses of our sample are listed under the default
# author, although no model wrote them.
SUBSETS = {folder: subset for subset, folder in FOLDERS.items()}
SUBSETS["math_problem_generation"] = "math"
AUTHORS = {
    "gpt-4-0613": "gpt4",
    "Llama-2-70b-chat-hf": "llama2",
    "meta-llama/Llama-2-70b-chat-hf": "llama2",
    "sample": "gpt4",
}


def realmistake(
    source: str = "published",
    subset: str = "all",
    response_author: str = "gpt4",
    seed: int = 0,
) -> MemoryDataset:
    """Load ReaLMistake in an order that is balanced wherever `--limit` cuts it off.

    Among the first k samples, the count of each subset, label, response author and
    combination of these differs from its share by at most one and a half.

    Args:
        source: `published` (the authors' archive, downloaded once), `huggingface`
            (gated), `sample` (24 items written for this package), or the path of the
            archive, of its unpacked folder or of one `.jsonl` file.
        subset: `math`, `fact`, `answerability` or `all`.
        response_author: `gpt4`, `llama2` or `both`. Items of the sample count as
            `gpt4`.
        seed: Determines the order.

    Returns:
        One sample per response. Its input is what people read, the target is `error`
        or `no_error`, and the metadata holds `task`, `response`, `subset`,
        `response_author`, `categories`, `explanation`, `difficulty` and
        `input_group`, which responses to the same task share.
    """
    check_known("subset", subset, (*FOLDERS, "all"))
    check_known("response_author", response_author, (*FILES, "both"))
    cells = [
        cell
        for cell in SIZES
        if subset in (cell.subset, "all") and response_author in (cell.author, "both")
    ]
    records, whole = _records(source, cells)
    samples = [record_to_sample(record, place) for place, record in records]
    samples = [sample for sample in samples if _stratum(sample)[:2] in cells]
    if not samples:
        raise InputError(
            f"source={source!r} has no records of subset={subset} and "
            f"response_author={response_author}; choose others."
        )
    for cell in cells if whole else ():
        labels = [one.target for one in samples if _stratum(one)[:2] == cell]
        found = len(labels), labels.count("error")
        if found != SIZES[cell]:
            raise InputError(
                f"source={source!r} is not the whole of ReaLMistake: {cell.subset}/"
                f"{cell.author} has (items, errors) {found}, and should have "
                f"{SIZES[cell]}."
            )
    return MemoryDataset(balanced(samples, _stratum, seed), name="realmistake")


def _stratum(sample: Sample) -> tuple[str, str, str]:
    about: dict[str, Any] = sample.metadata or {}
    return about["subset"], about["response_author"], str(sample.target)


# --- Sources --------------------------------------------------------------------------

Records = Iterator[tuple[str, object]]


def _records(source: str, cells: list[Cell]) -> tuple[Records, bool]:
    """Return the records with their places, and whether they must be all of `cells`."""
    if source == "published":
        source = str(fetch(URL, SHA256, "realmistake/data.zip"))
    if source == "huggingface":
        return _on_hub(cells), True
    if source == "sample":
        source = str(SAMPLE)
    kinds = "the archive (.zip), its unpacked folder or one .jsonl file"
    path = user_path(source, ("published", "huggingface", "sample"), kinds)
    if path.is_dir() or path.suffix == ".zip":
        return _in_archive(path, cells), True
    return json_lines(read_file(path), path.name), False


def _in_archive(archive: Path, cells: list[Cell]) -> Records:
    unpacked = archive / "data" if (archive / "data").is_dir() else archive
    for cell in cells:
        name = f"{FOLDERS[cell.subset]}/{FILES[cell.author]}"
        if archive.is_dir():
            content = read_file(unpacked / name)
        else:
            content = read_member(archive, f"data/{name}", PASSWORD)
        yield from json_lines(content, f"{archive.name}/{name}")


def _on_hub(cells: list[Cell]) -> Records:
    for cell in cells:
        folder = FOLDERS[cell.subset]
        _, loaded = fetch_from_hub(HUB, name=folder, split=cell.author)
        rows = list(loaded)
        # Three examples from the paper are copies, equal in everything.
        kept = [row for place, row in enumerate(rows) if row not in rows[:place]]
        for number, row in enumerate(kept, start=1):
            yield f"{HUB}/{folder}/{cell.author}, row {number}", row


# --- Records --------------------------------------------------------------------------


class _Metadata(BaseModel):
    id: str = Field(min_length=1)
    task_name: str = Field(pattern=f"^({'|'.join(SUBSETS)})$")
    llm_response_model: str = Field(pattern=f"^({'|'.join(AUTHORS)})$")
    difficulty: str


class _Record(BaseModel):
    input: str = Field(min_length=1)
    llm_response: str = Field(min_length=1)
    # Never derived: in six records categories or explanation say something else. Some
    # of the authors' files call it `label`.
    label: Literal["error", "no_error"] = Field(
        validation_alias=AliasChoices("error_label", "label")
    )
    human_explanation: str
    error_categories: list[str]
    metadata: _Metadata


def record_to_sample(record: object, place: str = "The record") -> Sample:
    """Convert a published record, leaving its texts and its label as they are."""
    read = checked(_Record, record, place, "ReaLMistake's schema")
    about = read.metadata
    return Sample(
        id=sample_id(about.id, about.task_name, about.llm_response_model),
        input=(
            f"### Task given to a model\n\n{read.input}\n\n"
            f"### The model's response\n\n{read.llm_response}"
        ),
        target=read.label,
        metadata={
            "task": read.input,
            "response": read.llm_response,
            "subset": SUBSETS[about.task_name],
            "response_author": AUTHORS[about.llm_response_model],
            "input_group": sha256_of(read.input.encode())[:16],
            "categories": read.error_categories,
            "explanation": read.human_explanation,
            "difficulty": about.difficulty,
        },
    )


def sample_id(id: str, task_name: str, response_model: str) -> str:
    """Return a sample's id, such as `math_gpt4_66`, without the authors' long names."""
    own = id.removeprefix(f"{task_name}_").removesuffix(f"_{response_model}")
    return f"{SUBSETS[task_name]}_{AUTHORS[response_model]}_{own}"
