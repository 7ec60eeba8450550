"""ReaLMistake: does the response that a language model gave contain an error?

900 responses of GPT-4 and Llama 2 70B to three tasks, labelled by experts (Kamoi et
al. 2024, "Evaluating LLMs at Detecting Errors in LLM Responses"). Its authors ask
that its examples not be published in plain text: the archive stays encrypted on disk.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
)

from inspect_debate.datasets.archive import (
    Pinned,
    download_errors,
    fetch,
    read_member,
    sha256_of,
)
from inspect_debate.datasets.sources import (
    Entry,
    Sources,
    check_unique,
    in_jsonl,
    interleaved,
    register_truth,
    shipped_bytes,
)
from inspect_debate.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.debate.seeds import fingerprint

__all__ = ["provenance", "realmistake", "record_to_sample"]

# Where ReaLMistake's records are read from: its archive, its hub, a path, a sample.

COMMIT = "f94a8b978926414deb1dcf6b50076fd06c892192"
PUBLISHED = Pinned(
    url=f"https://github.com/psunlpgroup/ReaLMistake/raw/{COMMIT}/data.zip",
    sha256="84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a",
    name="realmistake/data.zip",
)
PASSWORD = "open-realmistake"  # printed in the README of the authors' repository
HUB = "ryokamoi/realmistake"
SAMPLE_FILE = "realmistake_sample.jsonl"

SOURCES = Sources(
    words=("published", "huggingface", "sample"),
    path="PATH to data.zip, its unpacked folder or one .jsonl",
    endings=(".zip", ".jsonl"),
    folders=True,
)

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


class Subset(NamedTuple):
    """One of the six parts of the benchmark, by short names."""

    subset: str
    author: str

    @property
    def folder(self) -> str:
        """The part's folder in the archive, and its configuration on the hub."""
        return SUBSETS[self.subset][0]

    @property
    def file(self) -> str:
        """The part's file, relative to the folder with the three task folders."""
        return f"{self.folder}/{AUTHORS[self.author][0]}.jsonl"


def entries(source: str, subsets: Sequence[Subset]) -> Iterator[Entry]:
    """The records of the subsets; of a single file all records.

    Raises:
        InputError: If the source cannot be had or is not of the kind it should be.
    """
    match source:
        case "published":
            return _of_archive(fetch(PUBLISHED, SOURCES.others(source)), subsets)
        case "huggingface":
            return _of_hub(subsets)
        case "sample":
            return iter(in_jsonl(shipped_bytes(SAMPLE_FILE), SAMPLE_FILE))
    path = SOURCES.existing(source)
    if path.is_dir():
        return _of_folder(path, subsets)
    if path.suffix == ".zip":
        return _of_archive(path, subsets)
    return iter(in_jsonl(_content(path), path.name))


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
    path = SOURCES.existing(source)
    found = {"source": "path", "file": path.name}
    return found | ({"sha256": sha256_of(path)} if path.is_file() else {})


def _of_archive(archive: Path, subsets: Sequence[Subset]) -> Iterator[Entry]:
    for subset in subsets:
        content = read_member(archive, f"data/{subset.file}", PASSWORD)
        yield from in_jsonl(content, f"{archive.name}/data/{subset.file}")


def _of_folder(folder: Path, subsets: Sequence[Subset]) -> Iterator[Entry]:
    root = folder / "data" if (folder / "data").is_dir() else folder
    for subset in subsets:
        yield from in_jsonl(_content(root / subset.file), str(root / subset.file))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def _of_hub(subsets: Sequence[Subset]) -> Iterator[Entry]:
    # Slow to import, hence here; and by name, because to a type checker that runs at
    # the root of a checkout `import datasets` means this folder.
    hub = importlib.import_module("datasets")
    gated = (
        "It is gated: agree to its terms at "
        f"https://huggingface.co/datasets/{HUB} and log in with `hf auth login`."
    )
    for subset in subsets:
        with download_errors(
            f"Hugging Face's {HUB}", f"{gated} {SOURCES.others('huggingface')}"
        ):
            rows = list(hub.load_dataset(HUB, name=subset.folder, split=subset.author))
        kept: list[object] = []
        for number, row in enumerate(rows, start=1):
            # The examples of the paper are copies of records, equal in everything.
            if row not in kept:
                kept.append(row)
                yield Entry(f"{HUB}/{subset.folder}/{subset.author}, row {number}", row)


class Size(NamedTuple):
    """The number of items in a subset, and of those with the label `error`."""

    items: int
    errors: int


# Of the released data; the same numbers of items as in the paper (Kamoi et al. 2024).
PUBLISHED_SIZES = {
    Subset("math", "gpt4"): Size(140, 87),
    Subset("fact", "gpt4"): Size(140, 88),
    Subset("answerability", "gpt4"): Size(140, 87),
    Subset("math", "llama2"): Size(160, 128),
    Subset("fact", "llama2"): Size(160, 129),
    Subset("answerability", "llama2"): Size(160, 130),
}
SAMPLE_SIZES = dict.fromkeys(PUBLISHED_SIZES, Size(7, 4))


def realmistake(
    source: str = "published",
    subset: str = "all",
    response_author: str = "gpt4",
    seed: int = 0,
) -> MemoryDataset:
    """Load ReaLMistake, or a part of it, in an order of which every prefix is balanced.

    Args:
        source: `published` (the authors' archive, downloaded once), `huggingface`
            (gated), `sample` (42 items written for this package), or the path of the
            archive, of the folder that it unpacks to or of one `.jsonl`.
        subset: `math`, `fact`, `answerability` or `all`, or a name in the data.
        response_author: `gpt4`, `llama2` or `both`, or a name in the data.
        seed: Decides the order, and nothing else does: no order of files, no protocol.

    Returns:
        One sample for each response. Among the first k samples the count of each
        subset, label and subset x label is within one of its share; with `both`
        authors the counts, also by author, are within one and a half.

    Raises:
        InputError: If an argument is unknown, the source cannot be had, or what it
            holds is not ReaLMistake (schema, labels, unique ids, published counts).
    """
    check_whole_number("seed", seed, 0)
    subsets = [
        Subset(short, author)
        for short in _chosen("subset", subset, SUBSETS, "all")
        for author in _chosen("response_author", response_author, AUTHORS, "both")
    ]
    samples = in_order(source, subsets)
    for sample in samples:
        register_truth(_metadata(sample)["fingerprint"], str(sample.target))
    ordered = interleaved(
        samples,
        identity=lambda sample: str(sample.id),
        stratum=lambda sample: (*subset_of(sample), str(sample.target)),
        seed=seed,
    )
    return MemoryDataset(ordered, name="realmistake")


def in_order(source: str, subsets: Sequence[Subset]) -> list[Sample]:
    """The samples of some subsets, each subset in the order of its records.

    Args:
        source: As for `realmistake`.
        subsets: The subsets.

    Raises:
        InputError: As `realmistake`.
    """
    read = [_sample(entry) for entry in entries(source, subsets)]
    samples = [sample for sample in read if subset_of(sample) in subsets]
    check_unique((sample.id for sample in samples), source, "records of id")
    _check_sizes(samples, subsets, source)
    return samples


def _short(names: Mapping[str, tuple[str, ...]]) -> Callable[[object], object]:
    """A function from a name in the data to ours; other things stay as they are."""
    ours = {name: short for short, long in names.items() for name in long}
    return lambda given: ours.get(str(given), given)


TaskName = Annotated[
    Literal["math", "fact", "answerability"], BeforeValidator(_short(SUBSETS))
]
AuthorName = Annotated[Literal["gpt4", "llama2"], BeforeValidator(_short(AUTHORS))]
Label = Literal["error", "no_error"]


class RecordMetadata(BaseModel):
    """What records of the data, and of detectors' outputs, say of an item."""

    id: str = Field(min_length=1)
    task_name: TaskName
    llm_response_model: AuthorName
    task_source: str
    difficulty: str

    @property
    def subset(self) -> Subset:
        """The subset that the item belongs to."""
        return Subset(self.task_name, self.llm_response_model)


class _Record(BaseModel):
    input: str = Field(min_length=1)
    llm_response: str = Field(min_length=1)
    # `label` in the README of the data, `error_label` in the data themselves.
    label: Label = Field(validation_alias=AliasChoices("error_label", "label"))
    human_explanation: str
    error_categories: list[str]
    metadata: RecordMetadata


def record_to_sample(record: object) -> Sample:
    """The sample of one record, its texts unchanged and its label as it is given.

    The label is not derived: categories and explanations disagree with a few of them.

    Args:
        record: A record of the published schema.

    Returns:
        The task as user message and the response as assistant message; the target
        `error` or `no_error`; in the metadata `input_group`, equal where two
        responses answer the same input, to cluster by.

    Raises:
        InputError: If the record is of another schema, naming the key.
    """
    try:
        read = _Record.model_validate(record)
    except ValidationError as error:
        raise InputError(_first_problem(error)) from None
    return Sample(
        input=[
            ChatMessageUser(content=read.input),
            ChatMessageAssistant(content=read.llm_response),
        ],
        target=read.label,
        id=read.metadata.id,
        metadata={
            "subset": read.metadata.task_name,
            "response_author": read.metadata.llm_response_model,
            "categories": read.error_categories,
            "explanation": read.human_explanation,
            "difficulty": read.metadata.difficulty,
            "task_source": read.metadata.task_source,
            "input_group": fingerprint(read.input),
            "fingerprint": fingerprint(read.input, read.llm_response),
        },
    )


def _first_problem(error: ValidationError) -> str:
    # The message of a problem tells what was expected and quotes nothing of the data.
    problem = error.errors(include_input=False, include_url=False)[0]
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f"The record lacks the key {key!r}."
    return f"The record's {key or 'type'} is wrong: {problem['msg']}."


def _sample(entry: Entry) -> Sample:
    try:
        return record_to_sample(entry.record)
    except InputError as error:
        raise InputError(f"{entry.place}: {error.message}") from None


def _metadata(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def subset_of(sample: Sample) -> Subset:
    """The subset that a sample belongs to."""
    metadata = _metadata(sample)
    return Subset(metadata["subset"], metadata["response_author"])


def _chosen(
    parameter: str, given: str, names: Mapping[str, tuple[str, ...]], everything: str
) -> list[str]:
    long = [name for several in names.values() for name in several]
    check_choice(parameter, given, (*names, everything, *long))
    return [short for short in names if given in (everything, short, *names[short])]


def _check_sizes(
    samples: Sequence[Sample], subsets: Sequence[Subset], source: str
) -> None:
    if not samples:
        asked = ", ".join("/".join(subset) for subset in subsets)
        raise InputError(f"source={source!r} has no record of {asked}.")
    expected = _expected_sizes(source)
    if expected is None:
        return
    items = Counter(subset_of(sample) for sample in samples)
    errors = Counter(
        subset_of(sample) for sample in samples if sample.target == "error"
    )
    for subset in subsets:
        found, wanted = Size(items[subset], errors[subset]), expected[subset]
        if found != wanted:
            raise InputError(
                f"source={source!r} is not ReaLMistake or not all of it: "
                f"{'/'.join(subset)} has {found.items} items, {found.errors} of them "
                f"errors, and should have {wanted.items} and {wanted.errors}."
            )


def _expected_sizes(source: str) -> Mapping[Subset, Size] | None:
    """The sizes of the whole benchmark; None for one file, which may be any part."""
    if source == "sample":
        return SAMPLE_SIZES
    if source not in SOURCES.words and SOURCES.existing(source).suffix == ".jsonl":
        return None
    return PUBLISHED_SIZES
