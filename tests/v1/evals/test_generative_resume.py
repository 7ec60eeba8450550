"""A run that ends in the middle and is started again asks and grades nothing twice.

But for what was under way: without a cache those are the samples, with one the calls.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import eval_retry, score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from pandas.testing import assert_frame_equal

from inspect_debate.evals.generative import generative
from inspect_debate.v1.debate.record import Grade
from inspect_debate.v1.reports.debates import debates_df
from inspect_debate.v1.reports.frames import scores_df
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.solvers import generative_answers
from tests.v1.support.commands import INSPECT, as_installed
from tests.v1.support.generative_world import BOUND, World, calls_of, roles, task_of
from tests.v1.support.runs import QUIET, run, samples
from tests.v1.support.wire.replies import Brain, Reply
from tests.v1.support.wire.requests import ChatRequest
from tests.v1.support.wire.server import KEY, WireServer

TASKS, AT_ONCE = 5, 2
CALLS = calls_of("dual_debate", 2, rounds=1)
ENDS_AT = 3 * CALLS + CALLS // 2
"""The call at which a run ends: some samples are done, and some under way."""
UNDER_WAY = AT_ONCE * 4
"""Calls that can be under way: two speakers' two candidates, of each sample."""
# With seeds, what is asked for again is answered alike, and what follows from it, too.
PARAMETERS: dict[str, Any] = {
    "source": "sample",
    "best_of": 2,
    "rounds": 1,
    "config": {"speech": {"seed": 1}},
}
ROOT = Path(__file__).parents[3]


class Whole(NamedTuple):
    """A run that nothing interrupts: its log, and how often each call is made."""

    log: EvalLog
    asked: Counter[str]


@pytest.fixture(scope="module")
def world() -> World:
    return World.of(generative(**PARAMETERS).dataset)


@pytest.fixture(scope="module")
def whole(world: World, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    with WireServer(world.brain) as server:
        log = begun(server, tmp_path_factory.mktemp("whole"))
    assert len(server.requests) == TASKS * CALLS
    return Whole(log, Counter(request.identity for request in server.requests))


@pytest.fixture(autouse=True)
def models_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log tells of its models all but the key; and caches are not shared."""
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def gradings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often answers to each task were graded."""
    counted = Counter[str]()
    kind = generative_answers.KINDS["grids"]

    async def grade(state: Any, terms: Any, participant: str, answer: str) -> Grade:
        counted[state.input] += 1
        return await kind.grade(state, terms, participant, answer)

    counting = {"grids": replace(kind, grade=grade)}
    monkeypatch.setattr(generative_answers, "KINDS", counting)
    return counted


def begun(server: WireServer, log_dir: Path, **settings: Any) -> EvalLog:
    """A run of some tasks, of which a few are under way at once."""
    return run(
        generative,
        log_dir,
        "none/none",
        roles(server),
        task_args=PARAMETERS,
        limit=TASKS,
        max_samples=AT_ONCE,
        **settings,
    )


def resumed(log: EvalLog | str, log_dir: Path) -> EvalLog:
    """The same run, started again."""
    (last,) = eval_retry(log, log_dir=str(log_dir), **QUIET)
    assert last.status == "success", last.error
    return last


def check_same(log: str, whole: Whole) -> None:
    """Nothing tells that a run was interrupted, but for what it took."""
    found, wanted = (
        scores_df([each])
        .set_index("id")
        .filter(regex=r"^verdicts\.(?!tokens|grade_seconds)")
        for each in (log, whole.log.location)
    )
    assert len(wanted) == TASKS
    assert_frame_equal(found, wanted)


def check_records_are_kept(log: EvalLog, whole: Whole) -> None:
    """Samples that Inspect had set aside are read and scored like the others.

    It sets them aside without their stores.
    """
    assert any(not sample.store for sample in samples(log))
    found, wanted = (debates_df([each.location]) for each in (log, whole.log))
    assert found["complete"].tolist() == [True] * TASKS
    assert found["outcome"].tolist() == wanted["outcome"].tolist()
    again = score(log, verdicts(), action="overwrite", display="none")
    path = log.location.replace(".eval", "_scored.eval")
    write_eval_log(again, path)
    check_same(path, whole)


def asked_again(
    before: Sequence[ChatRequest], after: Sequence[ChatRequest], whole: Whole
) -> list[ChatRequest]:
    """The requests before a run ended that were made once more after it."""
    made = Counter(request.identity for request in (*before, *after))
    assert set(made) == set(whole.asked), "something was never asked, or in other words"
    return [r for r in before if made[r.identity] > whole.asked[r.identity]]


@pytest.mark.slow
@pytest.mark.parametrize("cache", [False, True])
def test_after_an_error_only_what_was_under_way_is_done_again(
    cache: bool, world: World, whole: Whole, gradings: Counter[str], tmp_path: Path
) -> None:
    with WireServer(world.brain) as server:
        server.fault("malformed", when=lambda r: r.number >= ENDS_AT)
        log = begun(server, tmp_path, success=False, cache=cache)
        assert log.status == "error"
        done = {str(s.input) for s in log.samples or [] if s.scores}
        assert 1 <= len(done) <= 3
        server.rules.clear()
        last = resumed(log, tmp_path)
    check_same(last.location, whole)
    asked = server.requests
    repeated = asked_again(asked[:ENDS_AT], asked[ENDS_AT:], whole)
    assert not done & {task_of(request.prompt) for request in repeated}
    if cache:
        assert all(r.number >= ENDS_AT - UNDER_WAY for r in repeated)
    once = {task: number for task, number in gradings.items() if task in done}
    assert set(once) == done
    assert max(once.values()) <= 2  # two proposers, whose answers may be the same
    assert len(gradings) == TASKS
    assert max(gradings.values()) <= 2 * 2


@pytest.fixture(scope="module")
def killed(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[WireServer, Path]]:
    """A run that was killed, as a user starts it: the server, and where its log is."""
    folder = tmp_path_factory.mktemp("killed")
    with WireServer(world.brain) as server:
        with started(server, folder) as process:
            server.brain = killing(process, world)
            try:
                ended = process.wait(timeout=120)
            finally:
                process.kill()
        asked = f"after {len(server.requests)} requests"
        assert ended == -signal.SIGKILL, f"the run ended by itself {asked}"
        server.brain = world.brain
        yield server, folder


@pytest.mark.slow
@pytest.mark.parametrize("cache", [False, True])
def test_after_a_kill_only_what_was_under_way_is_done_again(
    cache: bool,
    killed: tuple[WireServer, Path],
    world: World,
    whole: Whole,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, folder = killed
    monkeypatch.setenv("LOOPBACK_BASE_URL", server.url)
    # There, Inspect finds what a run has not yet written into its log.
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    if cache:
        monkeypatch.setenv("INSPECT_CACHE_DIR", str(folder / "cache"))
    (path,) = folder.glob("*.eval")
    assert read_eval_log(str(path), header_only=True).status == "started"
    start = len(server.requests)
    last = resumed(str(path), folder / "again")
    check_same(last.location, whole)
    check_records_are_kept(last, whole)
    before = [r for r in server.requests if r.number <= ENDS_AT]
    repeated = asked_again(before, server.requests[start:], whole)
    assert repeated
    assert len({task_of(request.prompt) for request in repeated}) <= AT_ONCE
    if cache:
        assert all(r.number >= ENDS_AT - UNDER_WAY for r in repeated)


def started(server: WireServer, log_dir: Path) -> subprocess.Popen[bytes]:
    """The same run in a process of its own, with a cache."""
    bound = [f"--model-role={r}=openai-api/loopback/{m}" for r, m in BOUND.items()]
    command = [
        *(str(INSPECT), "eval", "evals/generative.py", "--model=none/none"),
        *("-T", "source=sample", "-T", "best_of=2", "-T", "rounds=1"),
        *("-T", "config.speech.seed=1"),
        *(f"--limit={TASKS}", f"--max-samples={AT_ONCE}", "--display=none"),
        *(*bound, f"--log-dir={log_dir}", "--cache=1W", "--log-buffer=100"),
    ]
    there = os.environ | {
        "LOOPBACK_BASE_URL": server.url,
        "LOOPBACK_API_KEY": KEY,
        "INSPECT_CACHE_DIR": str(log_dir / "cache"),
        "XDG_DATA_HOME": str(log_dir / "data"),
        "no_proxy": "127.0.0.1",
        **as_installed(log_dir),
    }
    return subprocess.Popen(command, cwd=ROOT, env=there)


def killing(process: subprocess.Popen[bytes], world: World) -> Brain:
    """A brain that kills whoever asks it too often."""

    def answer(request: ChatRequest) -> Reply:
        if request.number == ENDS_AT:
            os.kill(process.pid, signal.SIGKILL)
        return world.brain(request)

    return answer
