"""Writes what test_data.py, test_scores.py and test_reports.py compare with.

    uv run python tests/frozen/write_numbers.py data|logs|scores|reports

A file that is there is never written again: what changes on purpose is written into
mapping.yaml by hand.
"""

import gzip
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from tests.frozen import test_data, test_reports, test_scores
from tests.frozen.comparing import LOGS, ROOT
from tests.frozen.mapping import EXPECTED


def write(name: str, found: Any) -> None:
    """Write an expected file, unless there is one."""
    path = EXPECTED / name
    if path.exists():
        sys.exit(f"{path.name} is there, and stays as it is.")
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False)
    content = f"{text}\n".encode()
    path.write_bytes(
        gzip.compress(content, mtime=0) if name.endswith(".gz") else content
    )


def data(folder: Path) -> None:
    """Samples of all data sets."""
    made = {name: make(folder) for name, make in test_data.MADE.items()}
    for kind, cases in (("shipped", test_data.SHIPPED), ("made", made)):
        described = {
            name: test_data.described(list(test_data.dataset(case)), names=True)
            for name, case in cases.items()
        }
        write(f"data_{kind}.json", described)
    write("data_schedules.json", test_data.schedules())
    real = {name: test_data.released(name) for name in test_data.RELEASED}
    write("data_released.json", real)


def logs(folder: Path) -> None:
    """The logs of small studies, without what neither scorers nor reports read."""
    for name in test_scores.STUDIES:
        path = ROOT / LOGS / f"{name}.eval"
        if path.exists():
            sys.exit(f"{path.name} is there, and stays as it is.")
        log = read_eval_log(
            test_scores.ran(name, folder).location, resolve_attachments=True
        )
        log.eval.revision = log.eval.sandbox = None
        for sample in log.samples or []:
            sample.events, sample.messages, sample.attachments = [], [], {}
        write_eval_log(log, str(path))


def scores(folder: Path) -> None:
    """Scores and metrics of stored logs, as the logs have them."""
    for name in (*test_scores.EXAMPLES, *test_scores.STUDIES):
        log = read_eval_log(str(ROOT / LOGS / f"{name}.eval"))
        write(f"scores_{name}.json", test_scores.found_in(log))


def reports(folder: Path) -> None:
    """Everything that reports and other commands write, or what is not there yet."""
    os.environ.pop("INSPECT_DEBATE_DATA", None)
    with pytest.MonkeyPatch.context() as patch:
        test_reports.without_figures(patch)
        for name, make in (test_reports.CASES | test_reports.RELEASED).items():
            write(test_reports.file_of(name), make(folder / name / "out"))
        alone = test_reports.published(out=folder / "alone", data=False)
        write(test_reports.file_of("published_alone"), alone)


if __name__ == "__main__":
    os.chdir(ROOT)
    with TemporaryDirectory() as made_in:
        {"data": data, "logs": logs, "scores": scores, "reports": reports}[sys.argv[1]](
            Path(made_in)
        )
