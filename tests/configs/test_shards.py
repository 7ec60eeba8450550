"""A study on several machines comes to the same as on one, even if some are killed.

The machines are processes, as a user starts them, which ask one server on loopback.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.reports.elements import Report, Table
from inspect_debate.reports.generative.report import REPORT
from inspect_debate.reports.logs import study_logs
from tests.support.commands import as_installed
from tests.support.configurations import CONFIGS, ROOT
from tests.support.generative_world import BOUND, World
from tests.support.wire.replies import Brain, Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer

pytestmark = pytest.mark.slow

TASKS = 3
AT_ONCE = 3
"""Connections of one worker."""
LOG = re.compile(r"[-0-9T]+_generative_\w+\.eval")
SCRIPT = (sys.executable, CONFIGS / "generative.py")
RUN = (Path(sys.executable).with_name("inspect-debate"), "run", "generative")


def study(server: WireServer, folder: Path, *command: str | Path) -> None:
    """Do the study on generative debate to its end.

    Args:
        server: The server that its models ask.
        folder: Of the study, whose logs are in `logs`.
        command: What is typed, without models and data.
    """
    bound = [f"--model-role={r}=openai-api/loopback/{m}" for r, m in BOUND.items()]
    settings = folder / "settings.yaml"
    settings.write_text(f"max_connections: {AT_ONCE}\n")
    there = {
        "LOOPBACK_BASE_URL": server.url,
        "LOOPBACK_API_KEY": KEY,
        "INSPECT_CACHE_DIR": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"),
        "INSPECT_DISPLAY": "none",
        "no_proxy": "127.0.0.1",
        "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home folder
        "RAY_USAGE_STATS_ENABLED": "0",
        **as_installed(folder),
    }
    with (folder / "stderr.txt").open("w+") as stderr:
        done = subprocess.run(
            [
                *(*command, f"--log-dir={folder / 'logs'}", f"--limit={TASKS}"),
                *("-T", "source=sample", "-T", "config.speech.seed=1"),
                *(*bound, f"--generate-config={settings}"),
            ],
            cwd=ROOT,
            env=os.environ | there,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            timeout=240,
        )
        stderr.seek(0)
        assert done.returncode == 0, stderr.read()


def process_of(folder: Path, shard: str) -> int:
    """The process in which `inspect-debate run` runs a shard."""
    for words in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            found = words.read_text(errors="replace").split("\0")
            if f"--log-dir={folder / 'logs'}" in found and shard in found:
                return int(words.parent.name)
    raise AssertionError(f"no process has shard {shard}")


def parent_of(process: int) -> int:
    """The process that started another, such as Ray's."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(r"^PPid:\t(\d+)$", status, re.M)[0])


class Killing:
    """Replies as a brain does, and kills a process at one of the requests."""

    def __init__(self, brain: Brain, at: int, victim: Callable[[], int]) -> None:
        self.brain = brain
        self.at = at
        self.victim = victim
        self.asked = 0

    def __call__(self, request: ChatRequest) -> Reply:
        self.asked += 1
        if self.asked == self.at:
            os.kill(self.victim(), signal.SIGKILL)
        return self.brain(request)


class Done(NamedTuple):
    """A study that is done: its folder of logs, and how often each call was made."""

    logs: Path
    asked: Counter[str]


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(generative(source="sample").dataset)


@pytest.fixture(scope="module")
def whole(world: World, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """On one machine."""
    folder = tmp_path_factory.mktemp("whole")
    with WireServer(world.brain) as server:
        study(server, folder, *SCRIPT)
    return Done(folder / "logs", Counter(r.identity for r in server.requests))


@pytest.fixture(scope="module", params=["local", "ray"])
def watched(
    request: pytest.FixtureRequest,
    world: World,
    tmp_path_factory: pytest.TempPathFactory,
) -> Done:
    """By two workers of one command, of which one is killed; Ray loses its process."""
    folder = tmp_path_factory.mktemp(request.param)

    def victim() -> int:
        process = process_of(folder, "1/2")
        return process if request.param == "local" else parent_of(process)

    words = ["--engine=ray", "--address=local"] if request.param == "ray" else []
    with WireServer(Killing(world.brain, 20, victim)) as server:
        study(server, folder, *RUN, *words)
    return Done(folder / "logs", Counter(r.identity for r in server.requests))


def test_workers_of_one_command_come_to_the_same(whole: Done, watched: Done) -> None:
    found, wanted = (tables(REPORT([str(done.logs)])) for done in (watched, whole))
    assert len(wanted) > 10
    assert found == wanted


def test_a_worker_that_dies_is_started_again(watched: Done) -> None:
    printed = (watched.logs.parent / "stderr.txt").read_text()
    assert re.search(r"Shard 1/2 died \(.* runs, .*\), and is started again", printed)
    for shard in ("1_of_2", "2_of_2"):
        output = (watched.logs / f"{shard}.log").read_text().splitlines()
        *_, last = (line for line in output if line.startswith("Progress: "))
        assert last.startswith("Progress: 7/7 runs")


def tables(report: Report) -> dict[str, str]:
    """The tables of a report without the names of logs, but for that of logs."""
    return {
        table.name: LOG.sub("LOG", table.frame.to_csv())
        for section in report.sections
        for table in section.items
        if isinstance(table, Table) and table.name != "runs"
    }


def test_shards_tell_what_they_are_and_have_every_sample_once(watched: Done) -> None:
    logs = [
        read_eval_log(each, header_only=True)
        for each in list_eval_logs(str(watched.logs))
    ]
    ids: dict[str, list[str | int]] = {}
    for log in [log for log in logs if log.status != "started"]:  # killed
        assert log.status == "success"
        shard = (log.eval.metadata or {})["shard"]
        own = f"{shard['number']}_of_{shard['of']}"
        assert Path(log.location).parent.name == own
        reused = log.eval.task_args_passed.get("reuse")
        assert reused is None or Path(reused).parent == watched.logs / own
        ids.setdefault((log.eval.tags or [""])[0], []).extend(samples_of(log))
    assert len(ids) == 7
    for of_run in ids.values():
        assert len(of_run) == len({*of_run}) == TASKS


def samples_of(log: EvalLog) -> Sequence[str | int]:
    assert log.eval.dataset.sample_ids is not None
    assert isinstance(log.eval.config.limit, int)
    return log.eval.dataset.sample_ids[: log.eval.config.limit]


def test_only_calls_that_were_under_way_are_paid_twice(
    whole: Done, watched: Done
) -> None:
    assert watched.asked.keys() == whole.asked.keys()
    twice = watched.asked - whole.asked
    assert twice.total() <= AT_ONCE * len(BOUND)


def test_a_shard_that_is_missing_is_named(watched: Done, tmp_path: Path) -> None:
    shutil.copytree(watched.logs / "2_of_2", tmp_path / "2_of_2")
    with pytest.raises(InputError) as raised:
        study_logs(tmp_path, "generative")
    assert raised.value.message.endswith(
        ": a shard is missing (1/2), so samples may be missing; run the command of "
        "each again, or give --allow-partial (allow_partial=True)."
    )
    report = REPORT(str(tmp_path), allow_partial=True)
    assert "a shard is missing (1/2)" in report.notices[0].text
