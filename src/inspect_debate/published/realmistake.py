"""The released labels of ReaLMistake's detectors, and the metrics published of them."""

import csv
import hashlib
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from inspect_debate.debate.errors import InputError
from inspect_debate.metrics.detection import STATISTICS, Counts, baselines, count

# Files exactly as they were released, to compare printed numbers with.


class ReleasedFile(NamedTuple):
    """A released file of text.

    Attributes:
        name: Its path in a folder of released data; packed if it ends in `.xz`.
        lines: How many it has.
        sha256: Of its bytes, in hexadecimal digits, with lines that end in a line feed.
    """

    name: str
    lines: int
    sha256: str


def released_text(folder: Path, file: ReleasedFile) -> str:
    """The text of a released file.

    Raises:
        InputError: If it cannot be read, or is another than the one released.
    """
    path = folder / file.name
    try:
        content = path.read_bytes()
        if path.suffix == ".xz":
            content = lzma.decompress(content)
    except (OSError, lzma.LZMAError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} can't be read: {reason}.") from error
    content = content.replace(b"\r\n", b"\n")
    lines, found = content.count(b"\n"), hashlib.sha256(content).hexdigest()
    if found != file.sha256:
        raise InputError(
            f"{path} is not the released file: {_described(lines, found)}; "
            f"expected: {_described(file.lines, file.sha256)}."
        )
    return content.decode()


def _described(lines: int, sha256: str) -> str:
    return f"{lines:,} line{'s' * (lines != 1)}, sha256 {sha256[:12]}…"


LABELS = ReleasedFile(
    "realmistake/detector_labels.csv",
    28_801,
    "0b2c83c2760102ee810151e32dda3b317bc8f1d207c7a188ba5f2932043bd1c4",
)
PUBLISHED = ReleasedFile(
    "realmistake/published_performance.json",
    5_465,
    "28fddad7d26f12d4f3a3f0d26a0a9cd20bb15393faa4cbca4051d6114d294c72",
)
"""Both files: labels of 8 detectors with 4 prompts on 900 items, below a header."""

PROMPTS, AVERAGES = "ReaLMistake, by prompt", "ReaLMistake, averages"
SIZES = {PROMPTS: 192 * 11, AVERAGES: (48 + 16) * 16}
"""What the authors of the data published, and how many numbers that are."""

EXACT = 1e-12
"""How far ours may be from a published number, which has all its digits."""

_VALUES = {"error": 1.0, "no_error": 0.0, "unparsed": float("nan")}
_AVERAGE = "average"

Labels = list[tuple[float, float]]
Numbers = dict[str, float]
Prompts = dict[str, Numbers]


class Detector(NamedTuple):
    """A detector on the responses of an author; models without their organisation."""

    task: str
    author: str
    model: str


class Detectors(NamedTuple):
    """Both files, read.

    Attributes:
        labels: Gold and predicted labels of the items in their order, of each detector
            by prompt: 1 for an error, 0 for none, NaN for one that could not be read.
        published: The numbers of each detector, by prompt.
        averages: The means and standard deviations over the prompts; where the task is
            "average", over the tasks.
    """

    labels: Mapping[Detector, Mapping[str, Labels]]
    published: Mapping[Detector, Prompts]
    averages: Mapping[Detector, Numbers]


def read_detectors(folder: Path) -> Detectors | None:
    """The detectors in a folder of released data; None without both files.

    Raises:
        InputError: If a file is another than the one released.
    """
    if not all((folder / file.name).is_file() for file in (LABELS, PUBLISHED)):
        return None
    labels = _labels(released_text(folder, LABELS))
    prompts, averages = _published(json.loads(released_text(folder, PUBLISHED)))
    return Detectors(labels, prompts, averages)


def counted(labels: Labels) -> Counts:
    """The counts of a detector's labels."""
    gold, predicted = zip(*labels, strict=True)
    return count(gold, predicted)


def metrics(counts: Counts) -> Numbers:
    """The published metrics; their `_rate` are cells over all items."""
    n = sum(float(cell) for cell in counts)
    statistics = {
        name: float(STATISTICS[name](counts, "realmistake"))
        for name in ("accuracy", "precision", "recall", "f1")
    }
    return statistics | {
        "true_negative_rate": float(counts.tn + counts.unparsed_no_error) / n,
        "false_positive_rate": float(counts.fp) / n,
        "false_negative_rate": float(counts.fn + counts.unparsed_error) / n,
        "true_positive_rate": float(counts.tp) / n,
    }


def numbers(counts: Counts) -> Numbers:
    """All numbers that are published of a detector and prompt."""
    always = baselines(counts)["always_error"]
    return metrics(counts) | {
        "prediction_error_num": float(counts.tp + counts.fp),
        "gold_error_num": float(always.tp),
        "total_num": float(always.tp + always.fp),
    }


def averages(found: Detectors) -> dict[Detector, Numbers]:
    """Means and standard deviations over prompts, and of the means over tasks."""
    over_prompts = {
        detector: _spread([metrics(counted(labels)) for labels in by_prompt.values()])
        for detector, by_prompt in found.labels.items()
    }
    tasks: dict[Detector, list[Numbers]] = defaultdict(list)
    for detector, values in over_prompts.items():
        means = {
            name.partition(" ")[0]: value
            for name, value in values.items()
            if name.endswith(" average")
        }
        tasks[detector._replace(task=_AVERAGE)].append(means)
    return over_prompts | {detector: _spread(of) for detector, of in tasks.items()}


class Number(NamedTuple):
    """A published number: where it is, and what the labels give; None for nothing."""

    table: str
    cell: str
    published: float
    ours: float | None

    @property
    def equal(self) -> bool:
        """Whether ours is the published one."""
        return self.ours is not None and abs(self.ours - self.published) <= EXACT


def detector_numbers(found: Detectors) -> Iterator[Number]:
    """Every published number beside ours."""
    for detector, by_prompt in found.published.items():
        for prompt, published in by_prompt.items():
            labels = found.labels.get(detector, {}).get(prompt)
            ours = {} if labels is None else numbers(counted(labels))
            cell = f"{' / '.join(detector)}, {prompt}"
            for name, value in published.items():
                yield Number(PROMPTS, f"{cell}, {name}", value, ours.get(name))
    own = averages(found)
    for detector, published in found.averages.items():
        of = own.get(detector, {})
        for name, value in published.items():
            cell = f"{' / '.join(detector)}, {name}"
            yield Number(AVERAGES, cell, value, of.get(name))


def _spread(values: Sequence[Numbers]) -> Numbers:
    found = {name: [one[name] for one in values] for name in values[0]}
    return {f"{name} average": fmean(of) for name, of in found.items()} | {
        f"{name} stdev": pstdev(of) for name, of in found.items()
    }


def _labels(text: str) -> dict[Detector, dict[str, Labels]]:
    items: dict[tuple[Detector, str], dict[int, tuple[float, float]]] = {}
    for row in csv.DictReader(text.splitlines()):
        detector = Detector(row["task"], row["response_model"], row["detector_model"])
        of = items.setdefault((detector, row["prompt"]), {})
        both = _VALUES[row["gold_label"]], _VALUES[row["predicted_label"]]
        of[int(row["index"])] = both
    labels: dict[Detector, dict[str, Labels]] = defaultdict(dict)
    for (detector, prompt), of in items.items():
        labels[detector][prompt] = [of[index] for index in sorted(of)]
    return dict(labels)


def _published(
    content: Mapping[str, Any],
) -> tuple[dict[Detector, Prompts], dict[Detector, Numbers]]:
    prompts: dict[Detector, Prompts] = defaultdict(dict)
    averages: dict[Detector, Numbers] = {}
    for detector, key, entry in _entries(content):
        if key == _AVERAGE:
            averages[detector] = {
                f"{name} {which}": value
                for name, of in entry["metrics"].items()
                for which, value in of.items()
            }
        else:
            numbers = {k: v for k, v in entry.items() if k != "metrics"}
            name = key.removeprefix("prompt=")
            prompts[detector][name] = dict(entry["metrics"]) | numbers
    return dict(prompts), averages


def _entries(content: Mapping[str, Any]) -> Iterator[tuple[Detector, str, Any]]:
    for task, authors in content.items():
        for author, models in authors.items():
            for model, entries in models.items():
                detector = Detector(task, _model(author), _model(model))
                for key, entry in entries.items():
                    yield detector, key, entry


def _model(key: str) -> str:
    """`baseline_model=organisation/name` to `name`."""
    return key.partition("=")[2].rpartition("/")[2]
