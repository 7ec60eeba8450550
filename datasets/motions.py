"""Motions, and who debates them with whom."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, NamedTuple

import yaml
from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import AfterValidator, AliasChoices, AliasPath, BaseModel, Field

from inspect_debate.datasets.common import checked
from inspect_debate.datasets.download import read_file, read_rows, reason, sha256_of
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
    """
    file = OURS if path is None else typed_path(path)
    check_known(f"motions={path}: the ending", file.suffix, (".txt", ".yaml", ".yml"))
    try:
        text = read_file(file).decode("utf-8-sig")
        lines = [line for line in text.splitlines() if line.strip()]
        entries = lines if file.suffix == ".txt" else yaml.safe_load(text)
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"motions={path} cannot be read: {reason(error)}.") from None
    if not entries or not isinstance(entries, list):
        raise InputError(f"motions={path} has no motions; give a list of them.")
    found = []
    for number, entry in enumerate(entries, start=1):
        given = entry if isinstance(entry, dict) else {"text": entry}
        place = f"motions={path}, number {number}"
        found.append(checked(Motion, given, place, "the form of a motion"))
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
        if not rows:
            raise InputError(f"pairings={pairings} has no debates; give another file.")
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


def _id_of(text: str) -> str:
    words = re.findall(r"[a-z0-9]+", text.lower())[:6]
    return "-".join([*words, sha256_of(text.encode())[:6]])


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
    known = {name: motion for motion in motions for name in (motion.id, motion.text)}
    for number, given in enumerate(read_rows(typed_path(typed)), start=1):
        where = f"pairings={typed}, debate {number}"
        row = checked(_Pairing, given, where, "the form of a debate")
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
