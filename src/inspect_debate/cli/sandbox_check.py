"""`inspect-debate sandbox-check`: whether programs can be graded here, and where."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import click
from tabulate import tabulate

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.system_calls import system_call_filter

if TYPE_CHECKING:
    from inspect_ai.util import SandboxEnvironment

    from inspect_debate.evals.generative import CodeGrader

_SECRET = re.compile("KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_SYSCTLS = (
    "kernel/unprivileged_userns_clone",
    "kernel/apparmor_restrict_unprivileged_userns",
    "user/max_user_namespaces",
)
# What is asked for inside, as one program: nothing is sent over a network.
_LOOK = """
import json, os, socket
print(json.dumps({
    "user": os.geteuid(),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "variables": sorted(os.environ),
    "processors": len(os.sched_getaffinity(0)),
}))
"""


class Finding(NamedTuple):
    """One line of the result.

    Attributes:
        what: What was tried.
        ok: Whether it is as it should be; None for a fact that may be either way.
        found: What was found.
    """

    what: str
    ok: bool | None
    found: str


@click.command("sandbox-check")
@click.option("--sandbox", "name", metavar="NAME[:FILE]", help="As in -T sandbox=.")
@click.option("--interpreter", metavar="DIR|FILE", help="As in -T interpreter=.")
@click.option(
    "--unsafe-local", is_flag=True, help="Allow --sandbox local, which is no sandbox."
)
def sandbox_check(
    name: str | None, interpreter: str | None, unsafe_local: bool
) -> None:
    """Check whether programs can be graded here, before a run needs it.

    Prints what this machine allows, then grades a right and a wrong program in the
    sandbox and looks at what they could reach. Ends with code 1 if anything is not as
    it should be. No model is called, and nothing is sent over a network.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.evals.generative import code_grader
    from inspect_debate.solvers.generative import Grading

    click.echo(_table(host_facts()))
    grader = code_grader(name, interpreter, unsafe_local, Grading())
    click.echo(f"\nSandbox: {grader.sandbox.type}\n")
    findings = check_inside(grader)
    click.echo(_table(findings))
    wrong = [one.what for one in findings if one.ok is False]
    if wrong:
        raise click.ClickException(
            f"not as it should be: {', '.join(wrong)} (see docs/cluster.md)."
        )
    click.echo("\nPrograms can be graded here.")


def host_facts() -> Iterator[Finding]:
    """What of this machine decides whether bubblewrap works."""
    machine = os.uname()
    yield Finding("kernel", None, machine.release)
    for sysctl in _SYSCTLS:
        path = Path("/proc/sys", sysctl)
        if path.exists():
            yield Finding(sysctl.replace("/", "."), None, path.read_text().strip())
    bwrap = shutil.which("bwrap")
    version = "not installed"
    if bwrap is not None:
        done = subprocess.run([bwrap, "--version"], capture_output=True, text=True)
        version = done.stdout.strip() or done.stderr.strip()
    yield Finding("bubblewrap", None, version)
    filtered = "yes" if system_call_filter() else f"none for {machine.machine}"
    yield Finding("filter of system calls", None, filtered)
    yield Finding("processors", None, str(len(os.sched_getaffinity(0))))


def check_inside(grader: "CodeGrader") -> list[Finding]:
    """Grade known programs in a sandbox, and look at what they can reach.

    Raises:
        InputError: If there is no sandbox to look into.
    """
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.util import sandbox

    findings: list[Finding] = []

    @solver
    def look() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            findings.extend(await _inside(sandbox(), grader.interpreter))
            return state

        return solve

    task = Task(
        name="sandbox_check",
        dataset=MemoryDataset([Sample(input="")]),
        solver=look(),
        sandbox=grader.sandbox,
    )
    with TemporaryDirectory() as logs:
        try:
            (log,) = eval(task, model="none", log_dir=logs, display="none")
        except Exception as error:  # each provider of sandboxes has its own types
            raise InputError(
                f"The sandbox {grader.sandbox.type} does not start: {error}"
            ) from error
    if log.status != "success":
        why = log.error.message if log.error else "no reason"
        raise InputError(f"The sandbox {grader.sandbox.type} does not start: {why}")
    return findings


async def _inside(box: "SandboxEnvironment", interpreter: str) -> list[Finding]:
    from inspect_debate.grading.probes import probe

    try:
        version = await probe(box, interpreter)
    except InputError as error:
        return [Finding("grading", False, error.message)]
    done = await box.exec([interpreter, "-I", "-c", _LOOK], timeout=60)
    seen = json.loads(done.stdout)
    outside = [name for name in seen["interfaces"] if name != "lo"]
    ours = set(os.environ) & set(seen["variables"])
    secrets = sorted(filter(_SECRET.search, ours))
    return [
        Finding(
            "grading", True, f"a right program passes, a wrong one fails ({version})"
        ),
        Finding("time limit", *await _stopped(box, interpreter)),
        Finding("user", seen["user"] != 0, f"number {seen['user']}"),
        Finding("network", not outside, ", ".join(outside) or "loopback only"),
        Finding("your keys", not secrets, ", ".join(secrets) or "not visible"),
        Finding("processors", None, f"{seen['processors']} for each program"),
    ]


async def _stopped(box: "SandboxEnvironment", interpreter: str) -> tuple[bool, str]:
    try:
        await box.exec([interpreter, "-c", "while True: pass"], timeout=1)
    except TimeoutError:
        return True, "an endless program is stopped"
    return False, "an endless program was not reported as stopped"


def _table(findings: Iterable[Finding]) -> str:
    marks = {True: "ok", False: "WRONG", None: ""}
    rows = [(one.what, one.found, marks[one.ok]) for one in findings]
    return tabulate(rows, tablefmt="plain", disable_numparse=True)
