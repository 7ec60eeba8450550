"""Memory of a run, size of its log, and time of what reads logs, sample by sample.

Runs of two sizes tell what is fixed from what each sample adds.
"""

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.made_data import responses
from benchmarks.process import cost
from benchmarks.table import Row, in_turn

SIZES = (300, 1500)
COMPARED = 100
_MIB = 2**20


def rows(repeats: int) -> Iterator[Row]:
    """Runs of ColMAD by simulated models, once each, and commands on their logs."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        made = [_run(folder / str(size), size) for size in SIZES]
        logs, peaks = [log for log, _ in made], [peak for _, peak in made]
        yield _total("memory", peaks, "MiB", "500 MiB")
        yield _total("log", [log.stat().st_size / _MIB for log in logs], "MiB", "")
        yield _total("viewer's summaries", [*map(_summaries, logs)], "MB", "10 MB")
        report = ["inspect-debate", "report", "colmad", "--out", f"{folder}/report"]
        fixed, each = _line(
            in_turn(repeats, *(partial(wall, *report, log) for log in logs))
        )
        yield Row("report, fixed part", fixed, None, "s", "", "3 s")
        yield Row("report, each sample", 1000 * each, None, "ms", "", "1 ms")
        pair = [
            _run(folder / protocol, COMPARED, protocol)[0]
            for protocol in ("colmad", "copmad")
        ]
        compare = ["inspect-debate", "compare", "--metric", "correct", *map(str, pair)]
        score = ["inspect", "score", "--scorer", "inspect_debate/debate_process"]
        score += ["--action", "append", "--output-file", f"{folder}/scored.eval"]
        score += ["--overwrite", "--display", "none"]
        compared, few, many = in_turn(
            repeats,
            partial(wall, *compare),
            *(partial(wall, *score, log) for log in (pair[0], logs[0])),
        )
        yield Row(f"compare, two logs of {COMPARED}", compared, None, "s", "", "4 s")
        each = (many - few) / (SIZES[0] - COMPARED)
        yield Row("inspect score, each sample", 1000 * each, None, "ms", "", "5 ms")


def wall(*command: str | Path) -> float:
    return cost(*command).wall


def _run(folder: Path, samples: int, protocol: str = "colmad") -> tuple[Path, float]:
    """A log, and the MiB at the peak of the process that wrote it."""
    folder.mkdir()
    task = ["inspect_debate/colmad", "-T", f"source={responses(samples, folder)}"]
    task += ["-T", f"protocol={protocol}", "--model", "none"]
    roles = {"debater_a": "balanced", "debater_b": "hesitant", "judge": "swayed"}
    for role, profile in roles.items():
        task += ["--model-role", f"{role}=simulated/{profile}"]
    peak = cost(
        *("inspect", "eval", *task, "--log-dir", str(folder), "--display", "none")
    ).peak
    (log,) = folder.glob("*.eval")
    return log, peak


def _summaries(log: Path) -> float:
    """Megabytes of what the viewer reads of all samples."""
    with zipfile.ZipFile(log) as packed:
        return packed.getinfo("summaries.json").file_size / 1e6


def _line(values: Sequence[float]) -> tuple[float, float]:
    """What is fixed, and what each sample adds."""
    few, many = values
    each = (many - few) / (SIZES[1] - SIZES[0])
    return few - SIZES[0] * each, each


def _total(name: str, values: Sequence[float], unit: str, goal: str) -> Row:
    fixed, each = _line(values)
    total = fixed + 10_000 * each
    measure = f"{name}, 10,000 ColMAD samples by those of {SIZES[1]:,}"
    return Row(measure, total, None, unit, "", goal)
