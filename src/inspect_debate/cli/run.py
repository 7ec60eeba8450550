"""`inspect-debate run`: the shards of a study, each by a worker, watched together.

A worker is a process with the study's own command and `--shard I/K`. It is started by
`output_of`, on this machine or, as a task, wherever Ray has a place for it.
"""

import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import gethostname
from threading import Event
from typing import BinaryIO, NamedTuple, cast

import click

from inspect_debate.debate.errors import InputError, check_name, check_whole_number
from inspect_debate.debate.paths import STARTED_IN, local_path, user_path
from inspect_debate.debate.shards import Shard

WORKER = "INSPECT_DEBATE_WORKER"
"""Set for a worker, which then prints how far it is and ends with who started it."""
PROGRESS = "Progress: "
LEFT = "Not run yet: "
"""Lines of a worker begin so that are for the terminal, or say that it has to run
again once all are finished."""
SECONDS_TO_STOP = 30.0
"""Until a worker that was interrupted, and writes its logs, is killed."""
_WAITS = "waits for a place"
_CONFIGS = Path(__file__).parents[1] / "configs"


class Work(NamedTuple):
    """What a worker runs: a shard of a study, typed with its options in a folder."""

    study: str
    options: Sequence[str]
    folder: str
    shard: str


Output = Generator[bytes | int, None, None]
"""What a worker writes, at least once a second and as often empty; then its exit code,
which is negative if it was killed."""
Engine = Callable[[Work], Output]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("study")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Processes of this machine, or tasks of a Ray cluster.",
)
@click.option(
    "--workers",
    default=2,
    show_default=True,
    metavar="K",
    help="Into how many shards the samples are divided, one for each worker.",
)
@click.option(
    "--retries",
    default=3,
    show_default=True,
    metavar="N",
    help="How often a worker that died is started again.",
)
@click.option(
    "--address",
    metavar="ADDRESS",
    help="The Ray cluster. Default: RAY_ADDRESS, one on this machine, or a new one.",
)
@click.option(
    "--cpus",
    default=1,
    show_default=True,
    metavar="N",
    help="Processors that Ray reserves for each worker, and the programs it grades.",
)
def run(
    study: str,
    options: tuple[str, ...],
    engine: str,
    workers: int,
    retries: int,
    address: str | None,
    cpus: int,
) -> None:
    """Run a study by several workers, each on its shard of the samples.

    STUDY is the name of a script in configs/, such as colmad, or the path of one like
    these; OPTIONS are the script's own.
    """
    check_whole_number("--workers", workers, at_least=1)
    check_whole_number("--retries", retries, at_least=0)
    check_whole_number("--cpus", cpus, at_least=1)
    if engine == "local" and address is not None:
        raise InputError(f"--address {address} is for --engine ray; give both.")
    log_dir = _log_dir(study, options, workers)
    start = output_of if engine == "local" else _on_ray(address, cpus)
    work = partial(Work, study, options, str(STARTED_IN))
    click.echo("Checking what would run.", err=True)
    _check(start, Work(study, [*options, "--list"], str(STARTED_IN), f"1/{workers}"))
    watch = _Watch(start, work, log_dir, retries)
    # What needs the logs of all shards is left at first.
    watch.run(watch.run([Shard(number + 1, workers) for number in range(workers)]))
    click.echo(watch.last)


def _script(study: str) -> Path:
    """The script of a study, of which the name or the path was typed."""
    return local_path(study if study.endswith(".py") else _CONFIGS / f"{study}.py")


def _log_dir(study: str, options: Sequence[str], workers: int) -> str:
    """Where the study's logs are to be.

    Raises:
        InputError: If there is no such study, or options are not for a worker.
    """
    # Seconds of import time, which help should not pay.
    from inspect_debate.cli.whole_study import Study, whole_study

    if not study.endswith(".py"):
        check_name("STUDY", study, sorted(path.stem for path in _CONFIGS.glob("*.py")))
    script = _script(study)
    if not script.is_file():
        raise InputError(f"STUDY {study}: there is no script at {script}.")
    own = runpy.run_path(str(script)).get("STUDY")
    if not isinstance(own, Study):
        raise InputError(f"STUDY {study} has no STUDY, as the scripts in configs/ do.")
    given = whole_study(own).make_context(study, [*options]).params
    typed = study if study.endswith(".py") else f"configs/{study}.py"
    for name, says in {
        "shard": f"each worker has its own --shard; for one: python {typed} --shard",
        "plan": f"make the plan first: python {typed} --plan FILE ..., then run",
        "listed": f"to list the runs: python {typed} --list",
    }.items():
        if given[name]:
            raise InputError(f"{says} ...")
    if (limit := given["limit"]) is not None and 0 < limit < workers:
        raise InputError(
            f"--limit {limit} leaves some of {workers} workers without a sample; take "
            f"--workers {limit} or fewer."
        )
    log_dir = given["log_dir"]
    assert isinstance(log_dir, str)
    return log_dir


def _check(start: Engine, work: Work) -> None:
    """Have a worker list the runs, so that what is wrong is said once, and not by all.

    Raises:
        InputError: If it cannot.
    """
    written, code = b"", 0
    with closing(start(work)) as output:
        for item in output:
            if isinstance(item, int):
                code = item
            else:
                written += item
    if code:
        text = written.decode(errors="replace")
        says = re.split("^Error: ", text, flags=re.M)[-1].strip()
        raise InputError(says or f"Listing the runs ended with exit code {code}.")


def output_of(work: Work) -> Output:
    """Run a worker where this is called; it ends if what is returned is closed."""
    if not Path(work.folder).is_dir():
        yield f"Error: there is no {work.folder} on {gethostname()}.\n".encode()
        yield 1
        return
    script = str(_script(work.study))
    with tempfile.TemporaryFile() as written:
        process = subprocess.Popen(
            [sys.executable, script, *work.options, "--shard", work.shard],
            cwd=work.folder,
            env=os.environ | {WORKER: "1", "INSPECT_DISPLAY": "log"},
            # Closed when this process ends, however it does, or lets go of it.
            stdin=subprocess.PIPE,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        seen, code = 0, None
        try:
            while code is None:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(1)
                new = os.pread(written.fileno(), 1 << 24, seen)
                seen += len(new)
                yield new
            yield code
        finally:
            try:
                process.communicate(timeout=SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()


def _on_ray(address: str | None, cpus: int) -> Engine:
    """What starts workers as tasks of a Ray cluster.

    Raises:
        InputError: If Ray is missing, or the cluster cannot be reached.
    """
    # The machines have the environment: under `uv run` Ray would make it anew on each.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    import logging

    try:
        import ray
    except ModuleNotFoundError as error:
        raise InputError(
            "--engine ray needs Ray; install it with `uv pip install 'ray>=2.50'`."
        ) from error
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(f"--address {address} cannot be reached: {error}") from error
    placed = ray.remote(num_cpus=cpus, max_retries=0, scheduling_strategy="SPREAD")
    task = placed(output_of)

    def output(work: Work) -> Output:
        stream = cast("ray.ObjectRefGenerator[bytes | int]", task.remote(work))
        try:
            while True:
                ready, _ = ray.wait([stream], timeout=1)
                yield ray.get(next(stream)) if ready else b""
        except StopIteration:
            return
        except ray.exceptions.RayError as error:  # the task's process or machine died
            yield f"{error}\n".encode()
            yield -signal.SIGKILL
        finally:
            ray.cancel(stream)
            ray.wait([stream.completed()], timeout=SECONDS_TO_STOP)

    return output


@dataclass
class _Watch:
    """Workers, and how far each is.

    Attributes:
        start: Starts one.
        work: What it runs, by the shard.
        log_dir: The folder of logs.
        retries: How often one that died is started again.
        last: What a worker that finished wrote last, which names the report.
    """

    start: Engine
    work: Callable[[str], Work]
    log_dir: str
    retries: int
    last: str = ""

    def __post_init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._states: dict[Shard, str] = {}
        self._stop = Event()

    def run(self, shards: Sequence[Shard]) -> list[Shard]:
        """Run workers, and wait for all; which shards have runs left.

        Raises:
            InputError: If one failed.
        """
        from rich.live import Live
        from rich.text import Text

        if not shards:
            return []
        user_path(self.log_dir).mkdir(parents=True, exist_ok=True)
        self._states = dict.fromkeys(shards, _WAITS)

        def lines() -> Text:
            return Text("\n".join(f"Shard {s}: {t}" for s, t in self._states.items()))

        live = Live(console=self._console, get_renderable=lines, refresh_per_second=2)
        shown = live if self._console.is_terminal else nullcontext()
        with shown, ThreadPoolExecutor(len(shards)) as pool:
            try:
                ended = dict(zip(shards, pool.map(self._follow, shards), strict=True))
            except BaseException:  # such as Ctrl+C
                self._console.print("Stopping, which takes up to half a minute.")
                self._stop.set()
                raise
        failed = [
            f"Shard {shard} failed ({reason}); its output is in {self._file(shard)}."
            for shard, reason in ended.items()
            if reason not in ("", LEFT)
        ]
        if failed:
            raise InputError("\n".join([*failed, "Run the same command again."]))
        return [shard for shard, reason in ended.items() if reason == LEFT]

    def _file(self, shard: Shard) -> str:
        return f"{self.log_dir}/{shard.number}_of_{shard.of}.log"

    def _follow(self, shard: Shard) -> str:
        """Run a worker, again if it dies; why it failed, `LEFT`, or nothing."""
        with user_path(self._file(shard)).open("ab") as out:
            for lives in range(1, self.retries + 2):
                code, last, left = self._to_its_end(shard, out)
                if code >= 0 or self._stop.is_set() or lives > self.retries:
                    break
                state = self._states[shard]
                far = "" if state == _WAITS else f" ({state})"
                self._console.print(f"Shard {shard} died{far}, and is started again.")
        if code < 0:
            return f"it died {lives} times, last of {signal.Signals(-code).name}"
        if code > 0:
            return last.removeprefix("Error: ").rstrip(".")
        where = f"**/{shard.number}_of_{shard.of}/*.eval"
        if not any(True for _ in user_path(self.log_dir).glob(where)):
            return f"it wrote its logs elsewhere; {self.log_dir} has to be shared"
        self._states[shard] += ", done"
        self.last = last
        return LEFT if left else ""

    def _to_its_end(self, shard: Shard, out: BinaryIO) -> tuple[int, str, bool]:
        """A worker's exit code, what it wrote last, and whether it left runs."""
        code, last, left, rest = 0, "", False, b""
        with closing(self.start(self.work(str(shard)))) as output:
            for item in output:
                if self._stop.is_set():
                    break
                if isinstance(item, int):
                    code = item
                    continue
                out.write(item)
                out.flush()
                *lines, rest = (rest + item).split(b"\n")
                for line in (each.decode(errors="replace") for each in lines):
                    if line.startswith(PROGRESS):
                        self._says(shard, line.removeprefix(PROGRESS))
                    elif line.strip():
                        last, left = line, left or line.startswith(LEFT)
        return code, last, left

    def _says(self, shard: Shard, state: str) -> None:
        runs, _, _ = state.partition(",")
        if not self._console.is_terminal and not self._states[shard].startswith(runs):
            self._console.print(f"Shard {shard}: {state}")
        self._states[shard] = state
