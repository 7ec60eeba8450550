"""Released error detectors of ReaLMistake as debates of one participant.

Kamoi et al. 2024 (arXiv 2404.03602) released what detectors answered to each of the 900
items. Each detector with each prompt is a condition of protocol `single`.
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from inspect_ai.dataset import Sample
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from inspect_debate.datasets.realmistake import (
    PUBLISHED_SIZES,
    AuthorName,
    Label,
    RecordMetadata,
    Size,
    Subset,
    TaskName,
    in_order,
    subset_of,
)
from inspect_debate.datasets.sources import in_jsonl, read_text
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.parsing import label_sentence, realmistake_label
from inspect_debate.debate.paths import local_copy, user_path
from inspect_debate.debate.record import Status
from inspect_debate.debate.rendering import as_shown
from inspect_debate.solvers.question_answering import DebateConfig
from inspect_debate.transcripts.format import (
    Message,
    Said,
    Speaker,
    Transcript,
    Unread,
)
from inspect_debate.transcripts.importing import Lines, problems_of

SOURCE = "realmistake-detectors"
Parser = Literal["realmistake", "last_sentence"]
PARSER: Parser = "realmistake"
"""How the released labels were read, and so what published numbers need."""

TABLE = "detector_labels.csv"

_ALL = tuple(PUBLISHED_SIZES)
_PROMPT = "baseline_errordetection_prompt_"

# What is released: labels in one table, or outputs in a file for each part, detector
# and prompt.

Name = Annotated[str, Field(pattern=r"^[\w.+-]+$")]
"""A name that can be part of a file's name."""


class Answer(NamedTuple):
    """What a detector answered to an item.

    Attributes:
        place: Where that is said, for errors.
        detector: The model.
        prompt: The released name of its prompt, or the number of one of the four.
        subset: The part of the benchmark.
        item: The item's id, or its place among those of the subset.
        gold: The right label, as released beside the answer.
        label: The answer; None where it could not be read.
        response: The detector's output; empty where labels alone are released.
    """

    place: str
    detector: str
    prompt: str
    subset: Subset
    item: str | int
    gold: str
    label: str | None
    response: str = ""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Row(_Strict):
    """A line of the table of labels."""

    task: TaskName
    response_model: AuthorName
    detector_model: Name
    prompt: Name
    index: int = Field(ge=0)
    predicted_label: Literal[Label, "unparsed"]
    gold_label: Label


class _Output(_Strict):
    """A line of a file of outputs."""

    response: str
    prediction: Label | None
    label: Label
    correct: bool = Field(strict=True)
    metadata: RecordMetadata


class _Where(_Strict):
    """What the path of a file of outputs says, in its last four parts."""

    task: TaskName
    response_model: AuthorName
    detector: Name
    prompt: Name


R = TypeVar("R", bound=BaseModel)


def _read(kind: type[R], given: object, place: str) -> R:
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise InputError(f"{place}: {'; '.join(problems_of(error))}.") from None


def _labels(path: Path) -> Iterator[Answer]:
    """The answers in a table of labels."""
    rows = csv.reader(io.StringIO(read_text(path.name, path), newline=""), strict=True)
    try:
        head = next(rows, [])
        for cells in rows:
            place = f"{path.name}, line {rows.line_num}"
            if len(cells) != len(head) or len({*head}) != len(head):
                raise InputError(
                    f"{place}: {len(cells)} cells under the columns {', '.join(head)}."
                )
            row = _read(_Row, dict(zip(head, cells, strict=True)), place)
            yield Answer(
                place,
                row.detector_model,
                row.prompt.removeprefix(_PROMPT),
                Subset(row.task, row.response_model),
                row.index,
                row.gold_label,
                None if row.predicted_label == "unparsed" else row.predicted_label,
            )
    except csv.Error as error:
        raise InputError(f"{path.name}, line {rows.line_num}: {error}.") from error


def _outputs(root: Path, path: Path, parser: Parser) -> Iterator[Answer]:
    """The answers in a file of outputs."""
    name = path.relative_to(root).as_posix()
    folders = dict(zip(_Where.model_fields, name.split("/"), strict=True))
    where = _read(_Where, folders | {"prompt": path.stem}, name)
    subset = Subset(where.task, where.response_model)
    read = realmistake_label if parser == PARSER else label_sentence
    for place, line in in_jsonl(path.read_bytes(), name):
        found = _read(_Output, line, place)
        _check_output(found, subset, place)
        label = read(found.response).value
        yield Answer(
            place,
            where.detector,
            where.prompt.removeprefix(_PROMPT),
            subset,
            found.metadata.id,
            found.label,
            None if label is None else str(label),
            found.response,
        )


def _check_output(found: _Output, subset: Subset, place: str) -> None:
    """Check that the fields of a line agree with each other, and with its file."""
    read = realmistake_label(found.response).value
    right = found.prediction == found.label
    problem = None
    if found.metadata.subset != subset:
        own = "/".join(found.metadata.subset)
        problem = f"metadata: an item of {own}, in a file of {'/'.join(subset)}"
    elif found.prediction != read:
        problem = f"prediction: {found.prediction!r}, and response says {read!r}"
    elif found.correct != right:
        problem = f"correct: {found.correct}, but prediction and label give {right}"
    if problem:
        raise InputError(f"{place}: {problem}.")


def answers_in(path: Path, parser: Parser = PARSER) -> list[Answer]:
    """The answers in a table of labels, or in files of outputs.

    Args:
        path: A `.csv`, a folder with `detector_labels.csv`, or one with
            `TASK/RESPONSE_MODEL/DETECTOR/PROMPT.jsonl` as in the authors' repository,
            whose root will do.
        parser: How outputs are read; labels are read already.

    Raises:
        InputError: If there is neither, or a line is not as released: with its file,
            line and field.
    """
    table = path / TABLE if path.is_dir() else path
    if table.is_file():
        if parser != PARSER:
            raise InputError(
                f"--parser={parser} needs the detectors' outputs; {table.name} has "
                f"labels alone, which were read by the parser {PARSER}."
            )
        return [*_labels(table)]
    below = path / "error_detection_outputs" / "simple_prompt_baseline"
    root = below if below.is_dir() else path
    files = sorted(root.glob("*/*/*/*.jsonl"))
    if not files:
        raise InputError(
            f"{path} has neither {table.name} nor files such as "
            f"TASK/RESPONSE_MODEL/DETECTOR/{_PROMPT}1.jsonl."
        )
    return [one for file in files for one in _outputs(root, file, parser)]


# The items that were answered.

Key = tuple[Subset, str | int]
Items = Mapping[Key, Sample]
"""By subset and id, or place in the subset."""


def items_of(answers: Sequence[Answer], data: str | None) -> Items:
    """The items that answers are to.

    Args:
        answers: The answers.
        data: Where the benchmark is, as `source` of the task. Without it the items have
            no text, their labels are those released beside the answers, and an item in
            a table of labels is called by its place.

    Raises:
        InputError: If an answer is to another item, or says that another label is
            right, than the data or an earlier answer.
    """
    found: dict[Key, Sample] = {}
    if data is not None:
        places: Counter[Subset] = Counter()
        for sample in in_order(data, _ALL):
            subset = subset_of(sample)
            found[subset, str(sample.id)] = found[subset, places[subset]] = sample
            places[subset] += 1
    for one in answers:
        key = one.subset, one.item
        if data is None:
            found.setdefault(key, _without_text(one))
        if key not in found:
            raise InputError(f"{one.place}: {one.item!r} is no item of the data.")
        if found[key].target != one.gold:
            whose = "earlier in the release" if data is None else "in the data"
            raise InputError(
                f"{one.place}: the gold label is {one.gold!r}, and "
                f"{found[key].target!r} {whose}."
            )
    return found


def _without_text(one: Answer) -> Sample:
    part = one.subset.file.removesuffix(".jsonl")
    id = one.item if isinstance(one.item, str) else f"{part}/{one.item}"
    return Sample(
        input=f"{id} (without the text of the item)",
        target=one.gold,
        id=id,
        metadata={
            "subset": one.subset.subset,
            "response_author": one.subset.author,
        },
    )


def check_complete(answers: Sequence[Answer], sizes: Mapping[Subset, Size]) -> None:
    """Check that each detector answered each item once with each of its prompts.

    Args:
        answers: The answers.
        sizes: How many items there are, and how many with an error.

    Raises:
        InputError: If one has two answers to an item, or not to all.
    """
    found: dict[tuple[str, str], dict[Key, Answer]] = defaultdict(dict)
    for one in answers:
        own = found[one.detector, one.prompt]
        first = own.setdefault((one.subset, one.item), one)
        if first is not one:
            raise InputError(
                f"{one.place}: {one.detector} has answered item {one.item!r} with "
                f"prompt {one.prompt} already, in {first.place}."
            )
    for (detector, prompt), own in found.items():
        for subset, size in sizes.items():
            here = [one for one in own.values() if one.subset == subset]
            given = Size(len(here), sum(one.gold == "error" for one in here))
            if given != size:
                last = f" (the last in {here[-1].place})" if here else ""
                raise InputError(
                    f"{detector} with prompt {prompt} has {given.items} answers on "
                    f"{'/'.join(subset)}{last}, {given.errors} of them to errors; "
                    f"{size.items} and {size.errors} are expected."
                )


def _sizes(items: Items) -> dict[Subset, Size]:
    samples = {str(sample.id): sample for sample in items.values()}.values()
    every = Counter(map(subset_of, samples))
    errors = Counter(subset_of(s) for s in samples if s.target == "error")
    return {subset: Size(every[subset], errors[subset]) for subset in _ALL}


# Answers in the transcript format.


def data_beside(path: str) -> str | None:
    """The archive of the benchmark in the folder of a release, if it is there."""
    archive = user_path(path) / "data.zip"
    return str(archive) if archive.is_file() else None


def detectors_in(path: str, data: str | None = None, parser: Parser = PARSER) -> Lines:
    """What detectors answered, each answer as a debate of one participant.

    Args:
        path: As for `answers_in`, as the user typed it.
        data: As for `items_of`.
        parser: As for `answers_in`.

    Yields:
        Where each answer is, and the answer.

    Raises:
        InputError: If there is no such path, or the release is not complete and
            consistent.
    """
    given = user_path(path)
    if not given.exists():
        raise InputError(f"{path}: there is no file or folder at {given}.")
    answers = answers_in(local_copy(given), parser)
    if not answers:
        raise InputError(f"{path} has no answers.")
    items = items_of(answers, data)
    check_complete(answers, PUBLISHED_SIZES if data is None else _sizes(items))
    # Detectors were asked once; their other settings are not released.
    config = DebateConfig(parser=parser, max_reasks=0).logged()
    for one in answers:
        yield one.place, _transcript(one, items[one.subset, one.item], config)


def _transcript(one: Answer, item: Sample, config: Mapping[str, Any]) -> Transcript:
    fields: dict[str, float | str | Unread] = {}
    if one.label is None:
        fields["answer"] = Unread(status=Status.UNPARSED)
    return Transcript(
        id=str(item.id),
        condition=f"realmistake-{one.detector}-prompt-{one.prompt}",
        question=item.input
        if isinstance(item.input, str)
        else tuple(
            Message.model_validate({"role": m.role, "text": m.text}) for m in item.input
        ),
        right=one.gold,
        participants=(Speaker(id="debater_a", who=one.detector),),
        turns=(
            Said(
                by="debater_a",
                kind="answer",
                text=as_shown(one.response),
                answer=one.label,
                fields=fields,
                quotes=(),
            ),
        ),
        metadata=item.metadata or {},
        task="colmad",
        protocol="single",
        parameters={**config, "prompt": one.prompt},
    )
