"""Writes the logs in `logs/`, and what was seen of them in `expected/old_logs_*`.

    uv run python -m tests.frozen.write_old_logs logs
    uv run python -m tests.frozen.write_old_logs expected [PART ...]

Files that are there are left as they are: those of the code as it was are the point.
Nothing is written of the machine: neither paths, nor who made the logs, nor of which
checkout.
"""

import contextlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai.log import EvalError, EvalLog, read_eval_log, write_eval_log

from tests.frozen.old_logs import (
    CUT,
    HERE,
    LIMITED,
    LOGS,
    ROOT,
    RUNS,
    apart,
    broken,
    held,
)

EARLIEST = "bfb05a4"
"""The commit with the first example logs."""

WITH_EVENTS = ("colmad_cut", "debate_cut")
"""Events are most of a log, and few of ours are read again."""

EARLIER = (
    "colmad",
    "confidence",
    "debate",
    "generative",
    "generative_code",
    "judge_check",
    "srdcr",
)


def _forget_places(error: EvalError | None) -> None:
    """Leave of an error what it says, and not in which files of this machine."""
    if error:
        error.traceback = error.traceback_ansi = ""
        error.message = error.message.split(" via ")[0]


def _write(log: EvalLog, name: str, *, events: bool) -> None:
    log.eval.revision = log.eval.sandbox = None
    for sample in log.samples or []:
        for event in sample.events:
            if event.event == "error":
                _forget_places(event.error)
            if event.event == "model":
                event.traceback = event.traceback_ansi = None
        _forget_places(sample.error)
        sample.attachments = {
            hash: text
            for hash, text in sample.attachments.items()
            if str(ROOT) not in text
        }
    _forget_places(log.error)
    if not events:
        for sample in log.samples or []:
            sample.events = []
    path = LOGS / f"{name}.eval"
    write_eval_log(log, str(path))
    # The journal says again what the other parts say.
    with zipfile.ZipFile(path) as parts:
        kept = {i: parts.read(i) for i in parts.infolist()}
    with zipfile.ZipFile(path, "w") as parts:
        for info, content in kept.items():
            if not info.filename.startswith("_journal/"):
                parts.writestr(info.filename, content, info.compress_type)


def main(log_dir: str, *names: str) -> None:
    """Make some of the runs.

    Args:
        log_dir: Where their logs are written, each in a folder of its name.
        names: Of `RUNS`, `CUT` or `LIMITED`.
    """
    for name in names:
        if name in RUNS:
            held(RUNS[name], f"{log_dir}/{name}")
        else:
            broken(name, f"{log_dir}/{name}")


def write_logs() -> None:
    """Make the logs that are not there."""
    LOGS.mkdir(exist_ok=True)
    missing = [
        name for name in (*RUNS, *CUT, *LIMITED) if not (LOGS / f"{name}.eval").exists()
    ]
    alone = [name for name in missing if name in CUT and CUT[name].alone]
    with TemporaryDirectory() as folder:
        apart("write_old_logs", folder, *(n for n in missing if n not in alone))
        for name in alone:
            with contextlib.suppress(RuntimeError):  # it does not survive that
                apart("write_old_logs", folder, name)
        for name in missing:
            (path,) = (Path(folder) / name).glob("*.eval")
            _write(read_eval_log(str(path)), name, events=name in WITH_EVENTS)
    for name in EARLIER:
        if (LOGS / f"earliest_{name}.eval").exists():
            continue
        with TemporaryDirectory() as folder:
            path = Path(folder) / "x.eval"
            what = f"{EARLIEST}:logs/examples/{name}.eval"
            shown = subprocess.run(
                ["git", "show", what], cwd=ROOT, capture_output=True, check=True
            )
            path.write_bytes(shown.stdout)
            log = read_eval_log(str(path))
        number = 1 if name == "confidence" else 2
        log.samples, log.results, log.reductions = (
            (log.samples or [])[:number],
            None,
            None,
        )
        _write(log, f"earliest_{name}", events=False)


def write_expected() -> None:
    """Write what is seen of the logs, where no file has it yet."""
    from tests.frozen.old_logs_seen import PARTS

    for part in sys.argv[2:] or PARTS:
        path = HERE / "expected" / f"old_logs_{part}.json"
        if path.exists():
            continue
        first = json.loads(apart("old_logs_seen", part))[part]
        if bad := [case for case, seen in first.items() if "crashed" in seen]:
            raise RuntimeError(f"{part}: {bad[0]}: {first[bad[0]]['crashed']}")
        text = json.dumps(first, indent=1, sort_keys=True, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
        print(path.name, len(first), len(text))


if __name__ == "__main__":
    {"logs": write_logs, "expected": write_expected}[sys.argv[1]]()
