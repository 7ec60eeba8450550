"""A run of a study that `inspect-debate run` started: how far it is, and its end."""

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import click
from inspect_ai.hooks import SampleEnd, TaskEnd
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries

from inspect_debate.cli.run import PROGRESS, SECONDS_TO_STOP, WORKER
from inspect_debate.debate.paths import user_path
from inspect_debate.debate.settings import after_each


class Progress:
    """Prints for a worker's terminal how many runs are done, and samples of this stage.

    Args:
        runs: The number of all runs.
    """

    def __init__(self, runs: int) -> None:
        self._runs, self._earlier, self._done = runs, 0, 0
        self._samples, self._finished = 0, 0
        self._printed = 0.0

    @contextmanager
    def stage(self, log_dir: str, samples: Mapping[str, int]) -> Iterator[None]:
        """Count what is run meanwhile; nothing is, unless a worker runs it.

        Args:
            log_dir: Where an earlier worker may have left some of it.
            samples: The number of samples of each run of the stage, by its name.
        """
        if WORKER not in os.environ:
            yield
            return
        there = {k: v for k, v in _finished(log_dir).items() if k in samples}
        self._done = self._earlier + sum(there[k] >= samples[k] for k in there)
        self._samples, self._finished = sum(samples.values()), sum(there.values())
        self._print()
        before = after_each.set(self._count)
        try:
            yield
        finally:
            after_each.reset(before)
        self._earlier += len(samples)

    def _count(self, ended: SampleEnd | TaskEnd) -> None:
        if isinstance(ended, TaskEnd):
            self._done += ended.log.status == "success"
        else:
            self._finished += ended.sample.error is None
        if isinstance(ended, TaskEnd) or time.monotonic() - self._printed > 1:
            self._print()

    def _print(self) -> None:
        self._printed = time.monotonic()
        done = min(self._done, self._runs)
        finished = min(self._finished, self._samples)
        click.echo(
            f"{PROGRESS}{done}/{self._runs} runs, {finished}/{self._samples} samples"
        )


def _finished(log_dir: str) -> dict[str, int]:
    """How many samples of each run are in the newest of its logs."""
    found: dict[str, int] = {}
    if user_path(log_dir).is_dir():
        for log in list_eval_logs(str(user_path(log_dir)), descending=False):
            (name,) = read_eval_log(log, header_only=True).eval.tags or [""]
            summaries = read_eval_log_sample_summaries(log)
            found[name] = sum(s.completed and s.error is None for s in summaries)
    return found


def end_with_starter() -> None:
    """Interrupt this worker once who started it is gone, or lets go of its input."""
    if WORKER not in os.environ:
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored so far

    def wait() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(SECONDS_TO_STOP)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
