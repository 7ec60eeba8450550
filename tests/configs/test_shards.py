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
from tests.support.configurations import CONFIGS, ROOT, Words
from tests.support.generative_world import BOUND, World
from tests.support.wire.replies import Brain, Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer

pytestmark = pytest.mark.slow

TASKS = 5
AT_ONCE = 3
"""Connections of one worker."""
LOG = re.compile(r"[-0-9T]+_generative_\w+\.eval")
SCRIPT = (sys.executable, CONFIGS / "generative.py")
RUN = (Path(sys.executable).with_name("inspect-debate"), "run", "generative")


def worker(
    server: WireServer, folder: Path, *words: str, command: Words = SCRIPT
) -> subprocess.Popen[bytes]:
    """A machine that runs the study on generative debate, or a shard of it.

    Args:
        server: The server that its models ask.
        folder: Of the study, whose logs are in `logs`.
        words: What is typed further, such as the shard.
        command: What is typed first.
    """
    bound = [f"--model-role={r}=openai-api/loopback/{m}" for r, m in BOUND.items()]
    settings = folder / "settings.yaml"
    folder.mkdir(exist_ok=True)
    settings.write_text(f"max_connections: {AT_ONCE}\n")
    command = [
        *(*command, f"--log-dir={folder / 'logs'}", f"--limit={TASKS}", *words),
        *("-T", "source=sample", "-T", "config.speech.seed=1"),
        *(*bound, f"--generate-config={settings}"),
    ]
    there = {
        "LOOPBACK_BASE_URL": server.url,
        "LOOPBACK_API_KEY": KEY,
        # One for each machine, as each has a disk of its own.
        "INSPECT_CACHE_DIR": str(folder / "cache" / "".join(words).replace("/", "_")),
        "XDG_DATA_HOME": str(folder / "data"),
        "INSPECT_DISPLAY": "none",
        "no_proxy": "127.0.0.1",
        "RAY_AUTH_MODE": "disabled",  # else it writes a token into the home folder
        "RAY_USAGE_STATS_ENABLED": "0",
        **as_installed(folder),
    }
    with (folder / "stderr.txt").open("a") as stderr:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | there,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )


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
    """Kills a worker at some of its requests, which are counted over all its lives."""

    def __init__(
        self, brain: Brain, at: Sequence[int], victim: Callable[[], int] | None
    ) -> None:
        self.brain = brain
        self.at = set(at)
        self.asked = 0
        self.worker: subprocess.Popen[bytes] | None = None
        self.victim = victim
        self.killed = 0

    def __call__(self, request: ChatRequest) -> Reply:
        self.asked += 1
        if self.asked in self.at:
            assert self.worker is not None
            victim = self.victim() if self.victim else self.worker.pid
            os.kill(victim, signal.SIGKILL)
            self.killed += 1
        return self.brain(request)


def run_to_the_end(
    server: WireServer,
    folder: Path,
    *words: str,
    command: Words = SCRIPT,
    kills: Sequence[int] = (),
    victim: Callable[[], int] | None = None,
) -> int:
    """Start a worker, again whenever it was killed; how often it or `victim` was."""
    calm = server.brain
    server.brain = killing = Killing(calm, kills, victim)
    code = -signal.SIGKILL
    while code == -signal.SIGKILL:
        killing.worker = worker(server, folder, *words, command=command)
        try:
            code = killing.worker.wait(timeout=240)
        finally:
            killing.worker.kill()
    server.brain = calm
    assert code == 0, (folder / "stderr.txt").read_text()
    return killing.killed


class Done(NamedTuple):
    """A study that is done: its folder of logs, and how often each call was made."""

    logs: Path
    asked: Counter[str]
    kills: int = 0


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(generative(source="sample").dataset)


@pytest.fixture(scope="module")
def whole(world: World, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """On one machine."""
    folder = tmp_path_factory.mktemp("whole")
    with WireServer(world.brain) as server:
        run_to_the_end(server, folder)
    return Done(folder / "logs", Counter(r.identity for r in server.requests))


@pytest.fixture(scope="module")
def sharded(world: World, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """On two machines, one of which is killed in its second stage."""
    folder = tmp_path_factory.mktemp("sharded")
    with WireServer(world.brain) as server:
        kills = run_to_the_end(server, folder, "--shard", "1/2", kills=(30,))
        kills += run_to_the_end(server, folder, "--shard", "2/2")
    return Done(folder / "logs", Counter(r.identity for r in server.requests), kills)


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
    with WireServer(world.brain) as server:
        kills = run_to_the_end(
            server, folder, *words, command=RUN, kills=(30,), victim=victim
        )
    calls = Counter(r.identity for r in server.requests)
    return Done(folder / "logs", calls, kills)


def test_workers_of_one_command_come_to_the_same(whole: Done, watched: Done) -> None:
    assert watched.kills == 1
    printed = (watched.logs.parent / "stderr.txt").read_text()
    assert re.search(r"Shard 1/2 died \(.* runs, .*\), and is started again", printed)
    assert tables(REPORT([str(watched.logs)])) == tables(REPORT([str(whole.logs)]))
    assert watched.asked.keys() == whole.asked.keys()
    assert (watched.asked - whole.asked).total() <= AT_ONCE * len(BOUND)
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


def test_every_table_is_the_same_on_one_machine_and_on_two(
    whole: Done, sharded: Done
) -> None:
    found, wanted = (tables(REPORT([str(d.logs)])) for d in (sharded, whole))
    assert len(wanted) > 10
    assert found == wanted


def test_shards_tell_what_they_are_and_have_every_sample_once(sharded: Done) -> None:
    logs = [
        read_eval_log(each, header_only=True)
        for each in list_eval_logs(str(sharded.logs))
    ]
    ids: dict[str, list[str | int]] = {}
    for log in [log for log in logs if log.status != "started"]:  # killed
        assert log.status == "success"
        shard = (log.eval.metadata or {})["shard"]
        own = f"{shard['number']}_of_{shard['of']}"
        assert Path(log.location).parent.name == own
        reused = log.eval.task_args_passed.get("reuse")
        assert reused is None or Path(reused).parent == sharded.logs / own
        ids.setdefault((log.eval.tags or [""])[0], []).extend(samples_of(log))
    assert len(ids) == 7
    for of_run in ids.values():
        assert len(of_run) == len({*of_run}) == TASKS


def samples_of(log: EvalLog) -> Sequence[str | int]:
    assert log.eval.dataset.sample_ids is not None
    assert isinstance(log.eval.config.limit, int)
    return log.eval.dataset.sample_ids[: log.eval.config.limit]


def test_only_calls_that_were_under_way_are_paid_twice(
    whole: Done, sharded: Done
) -> None:
    assert sharded.kills == 1
    assert sharded.asked.keys() == whole.asked.keys()
    twice = sharded.asked - whole.asked
    assert twice.total() <= sharded.kills * AT_ONCE * len(BOUND)


def test_a_shard_that_is_missing_is_named(sharded: Done, tmp_path: Path) -> None:
    shutil.copytree(sharded.logs / "2_of_2", tmp_path / "2_of_2")
    with pytest.raises(InputError) as raised:
        study_logs(tmp_path, "generative")
    assert raised.value.message.endswith(
        ": a shard is missing (1/2), so samples may be missing; run the command of "
        "each again, or give --allow-partial (allow_partial=True)."
    )
    report = REPORT(str(tmp_path), allow_partial=True)
    assert "a shard is missing (1/2)" in report.notices[0].text
