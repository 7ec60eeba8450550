"""Motions, and who debates them with whom."""

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import yaml
from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
)

from inspect_debate.datasets.download import read_file
from inspect_debate.debate.errors import InputError, check_known, typed_path
from inspect_debate.debate.seeds import seeded

OURS = Path(__file__).parent / "data" / "motions.yaml"

Line = Annotated[
    str, AfterValidator(lambda text: " ".join(text.split())), Field(min_length=1)
]


class Motion(BaseModel, frozen=True, extra="forbid"):
    """What is debated, and what each side has to show, where that is given.

    The id is by default made of the first words, and a hash of the text.
    """

    text: Line
    id: Annotated[str, Field(pattern=r"^[\w.-]+$")] = Field(
        default_factory=lambda given: _id_of(given.get("text", ""))
    )
    proposition: Line = ""
    opposition: Line = ""


class Row(NamedTuple):
    """A debate of a schedule; both names are empty where the run's roles decide."""

    motion: Motion
    proposition: str = ""
    opposition: str = ""


def motions(path: str | None = None) -> list[Motion]:
    """The motions that a user chose; by default the suite's own six.

    Args:
        path: A text file with one motion per line, or a YAML file with a list of
            motions: texts, or mappings with `text` and, if wanted, `id`, `proposition`
            and `opposition`, what each side has to show.

    Raises:
        InputError: If there is no motion, or something there is none.
    """
    where = f"motions={path}"
    entries = _content(where, OURS if path is None else typed_path(path), _MOTIONS)
    if isinstance(entries, list):
        entries = [one if isinstance(one, dict) else {"text": one} for one in entries]
    needed = "give a list of motions, each a text or a mapping with `text`"
    found: list[Motion] = _checked(where, Motion, entries, needed)
    id, count = Counter(motion.id for motion in found).most_common(1)[0]
    if count > 1:
        raise InputError(f"{where} has {id!r} {count} times; give each motion an id.")
    return found


def debates(
    motions: Sequence[Motion],
    models: Sequence[str] = (),
    itself: bool = False,
    pairings: str | None = None,
    repetitions: int = 1,
    seed: int = 0,
) -> MemoryDataset:
    """The debates of a run as samples, without a target.

    Without models every motion is debated once. Of several models each debates a copy
    of itself on every motion, or else all pairs meet once: every model meets the
    motions in turn and has either side in half of its debates.

    Args:
        motions: What is debated.
        models: The names of a pool of models, as they are bound.
        itself: Whether each debates a copy of itself.
        pairings: A schedule: the released JSON file, or a CSV file with the columns
            `proposition`, `opposition` and `motion` (an id, or a text).
        repetitions: How often all of it is debated; every second time `debater_a`,
            otherwise the proposition, is the opposition (`swapped`).
        seed: Decides who meets whom on which motion.

    Raises:
        InputError: If a model is there twice, or the schedule is not as it should be.
    """
    if len({*models}) < len(models):
        raise InputError(f"debater_a has a model twice: {models}; give each once.")
    if pairings is not None and (itself or not models):
        raise InputError(
            f"pairings={pairings} is a schedule for a pool of different models; give "
            "it with protocol=cross_model and a list of models as debater_a."
        )
    if pairings is not None:
        rows = [*_scheduled(pairings, motions, models)]
    elif not models:
        rows = [Row(motion) for motion in motions]
    elif itself:
        rows = [Row(motion, name, name) for motion in motions for name in models]
    else:
        rows = [*_round_robin(motions, models, seed)]
    samples, seen = [], Counter[Row]()
    for repetition, row in product(range(1, repetitions + 1), rows):
        seen[row] += 1
        motion, *names = row
        about = motion.model_dump(include={"proposition", "opposition"})
        about |= zip(("debater_a", "debater_b"), names, strict=True)
        about = {key: text for key, text in about.items() if text}
        about |= {"motion_id": motion.id, "repetition": seen[row]}
        about["swapped"] = repetition % 2 == 0
        id = ".".join([motion.id, *filter(None, names), str(seen[row])])
        id = re.sub(r"[^\w.-]+", "_", id)
        samples.append(Sample(id=id, input=motion.text, metadata=about))
    return MemoryDataset(samples, name="motions")


# What is in a file.

_table = partial(csv.DictReader, restkey="cells left", skipinitialspace=True)
_Readers = Mapping[str, Callable[[str], Any]]
_MOTIONS: _Readers = {
    ".txt": lambda text: [line for line in text.splitlines() if line.strip()],
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}
_SCHEDULES: _Readers = {
    ".csv": lambda text: [*_table(text.splitlines())],
    ".json": json.loads,
}


def _content(where: str, file: Path, readers: _Readers) -> Any:
    """The content of a file, read as its ending says."""
    check_known(f"{where}: ending", file.suffix, readers)
    content = read_file(file)
    try:
        return readers[file.suffix](content.decode("utf-8-sig"))
    except (ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{where} cannot be read: {reason}.") from None


def _checked(where: str, kind: type[BaseModel], entries: Any, needed: str) -> Any:
    """The entries of a file as models, of which there has to be one."""
    wanted = Annotated[list[kind], Field(min_length=1)]  # type: ignore[valid-type]
    try:
        return TypeAdapter[Any](wanted).validate_python(entries)
    except ValidationError as error:
        fault = error.errors()[0]
        place = "".join(f"[{part}]" for part in fault["loc"])
        raise InputError(f"{where}{place}: {fault['msg']}; {needed}.") from None


def _id_of(text: str) -> str:
    words = re.findall(r"[a-z0-9]+", text.lower())[:6]
    return "-".join([*words, hashlib.sha256(text.encode()).hexdigest()[:6]])


# Who meets whom.


def _round_robin(
    motions: Sequence[Motion], models: Sequence[str], seed: int
) -> Iterator[Row]:
    """All pairs in rounds, in which nobody meets two others, by the circle method.

    Each round has a motion, so that models meet motions in turn; of an odd number one
    is left out of each round. The lower place is the proposition where the distance of
    the two is odd, which balances sides.
    """
    if len(models) < 2:
        raise InputError(
            f"debater_a is {', '.join(models)} alone; give several models, of which "
            "pairs are made, or bind debater_b as well."
        )
    draw = seeded(seed, "round robin")
    topics, names = [*motions], [*models]
    draw.shuffle(topics)
    draw.shuffle(names)
    rounds = len(names) - 1 + len(names) % 2
    meetings = [
        ((low + (low if high == rounds else high)) % rounds, low, high)
        for low, high in combinations(range(len(names)), 2)
    ]
    for round, low, high in sorted(meetings):
        sides = (low, high) if (high - low) % 2 else (high, low)
        yield Row(topics[round % len(topics)], *(names[place] for place in sides))


class _Pairing(BaseModel, extra="forbid"):
    proposition: Line
    opposition: Line
    motion: Line = Field(
        validation_alias=AliasChoices("motion", AliasPath("topic", "topic_description"))
    )


def _scheduled(
    typed: str, motions: Sequence[Motion], models: Sequence[str]
) -> Iterator[Row]:
    """The debates of a file; a text that is none of the motions is debated as it is."""
    where = f"pairings={typed}"
    rows = _content(where, typed_path(typed), _SCHEDULES)
    needed = "each debate has a proposition, an opposition and a motion"
    known = {name: motion for motion in motions for name in (motion.id, motion.text)}
    for row in _checked(where, _Pairing, rows, needed):
        if " " not in row.motion:
            check_known(f"{where}: motion", row.motion, [one.id for one in motions])
        sides = [
            _bound(where, name, models) for name in (row.proposition, row.opposition)
        ]
        yield Row(known.get(row.motion) or Motion(text=row.motion), *sides)


def _bound(where: str, name: str, models: Sequence[str]) -> str:
    """The bound model that a schedule names, with or without its provider."""
    wanted = f"/{name.removesuffix(':free')}"
    fitting = [m for m in models if f"/{m.removesuffix(':free')}".endswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    check_known(f"{where}: model", name, models)
    return name
