"""ReaLMistake: does a language model's response to a task contain an error?

900 responses of GPT-4 and Llama 2 70B to three tasks, labelled by experts (Kamoi et
al. 2024, "Evaluating LLMs at Detecting Errors in LLM Responses"). Its authors ask that
no example be published in plain text, so the archive stays encrypted on disk, and
errors never quote the data.
"""

import hashlib
import importlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import AliasChoices, BaseModel, Field, ValidationError

from inspect_debate.datasets.download import (
    fetch,
    json_lines,
    read_file,
    read_member,
    user_path,
)
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.seeds import seeded

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


class Size(NamedTuple):
    """The number of items in a cell, and how many of them are labelled `error`."""

    items: int
    errors: int


SIZES = {
    Cell("math", "gpt4"): Size(140, 87),
    Cell("fact", "gpt4"): Size(140, 88),
    Cell("answerability", "gpt4"): Size(140, 87),
    Cell("math", "llama2"): Size(160, 128),
    Cell("fact", "llama2"): Size(160, 129),
    Cell("answerability", "llama2"): Size(160, 130),
}

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
SUBSETS = {
    "math_word_problem_generation": "math",
    "math_problem_generation": "math",
    "finegrained_fact_verification": "fact",
    "answerability_classification": "answerability",
}
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

    Raises:
        InputError: If an argument is unknown, the source is not available, or its
            content is not ReaLMistake.
    """
    check_known("subset", subset, (*FOLDERS, "all"))
    check_known("response_author", response_author, (*FILES, "both"))
    cells = [
        cell
        for cell in SIZES
        if subset in (cell.subset, "all") and response_author in (cell.author, "both")
    ]
    records, sizes = _records(source, cells)
    samples = [record_to_sample(record, place) for place, record in records]
    samples = [sample for sample in samples if _stratum(sample)[:2] in cells]
    _check(samples, cells, sizes, source)
    return MemoryDataset(_interleaved(samples, seed), name="realmistake")


# --- Sources --------------------------------------------------------------------------

Records = Iterator[tuple[str, object]]


def _records(source: str, cells: list[Cell]) -> tuple[Records, dict[Cell, Size]]:
    """Return the records with their places, and the sizes that their cells must have.

    The sample and single files have no given size.
    """
    match source:
        case "published":
            return _in_archive(fetch(URL, SHA256, "realmistake/data.zip"), cells), SIZES
        case "huggingface":
            return _on_hub(cells), SIZES
        case "sample":
            return json_lines(read_file(SAMPLE), SAMPLE.name), {}
    words = ("published", "huggingface", "sample")
    kinds = "the archive (.zip), its unpacked folder or one .jsonl file"
    path = user_path(source, words, kinds)
    if path.is_dir():
        return _in_folder(path, cells), SIZES
    match path.suffix:
        case ".zip":
            return _in_archive(path, cells), SIZES
        case ".jsonl":
            return json_lines(read_file(path), path.name), {}
    raise InputError(
        f"source={source!r} is a file of another kind; give the path of {kinds}."
    )


def _in_archive(archive: Path, cells: list[Cell]) -> Records:
    for cell in cells:
        member = f"data/{FOLDERS[cell.subset]}/{FILES[cell.author]}"
        content = read_member(archive, member, PASSWORD)
        yield from json_lines(content, f"{archive.name}/{member}")


def _in_folder(folder: Path, cells: list[Cell]) -> Records:
    root = folder / "data" if (folder / "data").is_dir() else folder
    for cell in cells:
        path = root / FOLDERS[cell.subset] / FILES[cell.author]
        yield from json_lines(read_file(path), str(path))


def _on_hub(cells: list[Cell]) -> Records:
    # Slow to import. By name, because at the root of a checkout a type checker takes
    # `import datasets` for this folder.
    hub = importlib.import_module("datasets")
    for cell in cells:
        folder = FOLDERS[cell.subset]
        try:
            rows = list(hub.load_dataset(HUB, name=folder, split=cell.author))
        except Exception as error:  # of many libraries, with no common base class
            reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
            raise InputError(
                f"source='huggingface': {HUB} could not be loaded ({reason}); accept "
                f"its terms at https://huggingface.co/datasets/{HUB} and log in with "
                "`hf auth login`, or use source=published."
            ) from error
        # Three examples from the paper are copies, equal in everything.
        kept = [row for place, row in enumerate(rows) if row not in rows[:place]]
        for number, row in enumerate(kept, start=1):
            yield f"{HUB}/{folder}/{cell.author}, row {number}", row


# --- Records --------------------------------------------------------------------------


class _Metadata(BaseModel):
    id: str = Field(min_length=1)
    task_name: str
    llm_response_model: str
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
    """Convert a published record, leaving its texts and its label as they are.

    Args:
        record: A record of the published schema.
        place: Where it was found, for errors.

    Raises:
        InputError: If the record does not have the schema.
    """
    try:
        read = _Record.model_validate(record)
    except ValidationError as error:
        # Neither the value nor the whole message, which would quote the data.
        fault = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(map(str, fault["loc"])) or "the record"
        raise InputError(
            f"{place} does not have ReaLMistake's schema: {key}: {fault['msg']}."
        ) from None
    about = read.metadata
    for key, names in (("task_name", SUBSETS), ("llm_response_model", AUTHORS)):
        if getattr(about, key) not in names:
            raise InputError(
                f"{place} is not from ReaLMistake: metadata.{key} should be one of "
                f"{', '.join(names)}."
            )
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
            "input_group": hashlib.sha256(read.input.encode()).hexdigest()[:16],
            "categories": read.error_categories,
            "explanation": read.human_explanation,
            "difficulty": about.difficulty,
        },
    )


def sample_id(id: str, task_name: str, response_model: str) -> str:
    """Return the sample's id, such as `math_gpt4_66`, from a record's metadata.

    The authors' ids begin with the task and end with the model, which has a slash in
    its name.
    """
    own = id.removeprefix(f"{task_name}_").removesuffix(f"_{response_model}")
    return f"{SUBSETS[task_name]}_{AUTHORS[response_model]}_{own}"


def _check(
    samples: list[Sample], cells: list[Cell], sizes: dict[Cell, Size], source: str
) -> None:
    if not samples:
        asked = ", ".join(f"{cell.subset}/{cell.author}" for cell in cells)
        raise InputError(
            f"source={source!r} has no records of {asked}; "
            "choose another subset or response_author."
        )
    id, times = Counter(sample.id for sample in samples).most_common(1)[0]
    if times > 1:
        raise InputError(f"source={source!r} has {times} records of id {id}.")
    items = Counter(_stratum(sample) for sample in samples)
    for cell in cells if sizes else ():
        errors, others = items[(*cell, "error")], items[(*cell, "no_error")]
        if Size(errors + others, errors) != sizes[cell]:
            raise InputError(
                f"source={source!r} is not the whole of ReaLMistake: {cell.subset}/"
                f"{cell.author} has {errors + others} items with {errors} errors, and "
                f"should have {sizes[cell].items} with {sizes[cell].errors}."
            )


# --- Order ----------------------------------------------------------------------------

Stratum = tuple[str, str, str]


def _stratum(sample: Sample) -> Stratum:
    about: dict[str, Any] = sample.metadata or {}
    return about["subset"], about["response_author"], str(sample.target)


def _interleaved(samples: list[Sample], seed: int) -> list[Sample]:
    """Order samples so that every prefix is close to the composition of the whole.

    Each place goes to the stratum (subset, author and label) whose margins, its own
    count and those of each factor and pair of factors, are furthest behind their
    shares.
    """

    def drawn(sample: Sample) -> tuple[float, str]:
        return seeded(seed, "order", str(sample.id)).random(), str(sample.id)

    queues = defaultdict[Stratum, list[Sample]](list)
    for sample in sorted(samples, key=drawn):
        queues[_stratum(sample)].append(sample)
    margins = {
        stratum: [
            chosen
            for size in (1, 2, 3)
            for chosen in combinations(enumerate(stratum), size)
        ]
        for stratum in queues
    }
    whole = Counter(m for sample in samples for m in margins[_stratum(sample)])
    so_far = Counter[tuple[tuple[int, str], ...]]()
    ordered: list[Sample] = []

    def ahead(stratum: Stratum) -> int:  # in whole numbers, so ties are exact
        place = len(ordered) + 1
        return sum(
            so_far[m] * len(samples) - place * whole[m] for m in margins[stratum]
        )

    while len(ordered) < len(samples):
        # The strata are in the order of their first samples, so the seed breaks ties.
        stratum = min((key for key, queue in queues.items() if queue), key=ahead)
        ordered.append(queues[stratum].pop(0))
        so_far.update(margins[stratum])
    return ordered
