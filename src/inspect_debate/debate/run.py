"""What holds for a whole run: the user's generation settings, and how it ends."""

import os
import shlex
import sys
from collections.abc import Sequence
from math import isnan

from click import echo, get_current_context
from inspect_ai.hooks import Hooks, RunEnd, TaskStart, hooks
from inspect_ai.log import EvalLog
from inspect_ai.util import display_type

from inspect_debate.debate.ask import typed_settings
from inspect_debate.debate.roles import COMMANDS, current_run


@hooks(
    name="debate_run",
    description="Settings for all roles, and what comes next.",
)
class DebateRun(Hooks):
    """Inspect gives a run's settings to the main model alone, and not to roles."""

    async def on_task_start(self, data: TaskStart) -> None:
        """Remember what the user set; a task's own settings are for its own solver.

        Our tasks have none, so the plan's are the user's. Elsewhere they are in the
        main model's, unless that was made with settings of its own.
        """
        current_run.set(data.run_id)
        ours = "protocol" in (data.spec.metadata or {})
        typed_settings.set(
            data.plan.config if ours else data.spec.model_generate_config
        )

    async def on_run_end(self, data: RunEnd) -> None:
        """Say what comes next, or end with an exit code where a debate failed."""
        logs = [log for log in data.logs if _is_ours(log)]
        command = get_current_context(silent=True)
        if not logs or command is None or command.info_name not in COMMANDS:
            return
        if any(log.status == "error" for log in logs):
            command.call_on_close(lambda: sys.exit(1))  # Inspect's own code is 0
        elif display_type() != "none":
            command.call_on_close(lambda: _say_what_comes_next(logs))


def _is_ours(log: EvalLog) -> bool:
    metadata = log.eval.metadata or {}
    named = any(step.solver.startswith("inspect_debate/") for step in log.plan.steps)
    return "protocol" in metadata or named


def _say_what_comes_next(logs: Sequence[EvalLog]) -> None:
    """The headline of each run, and a command for each study's report."""
    commands: list[str] = []
    for log in logs:
        metadata = log.eval.metadata or {}
        if "study" not in metadata:
            continue
        for score in log.results.scores[:1] if log.results else ():
            numbers = {n: m.value for n, m in score.metrics.items()}
            shown = [f"{n} {v:.3f}" for n, v in numbers.items() if not isnan(v)]
            name = (log.eval.solver or metadata["protocol"]).rpartition("/")[2]
            echo(f"\n{name.rpartition('@')[2]}: {', '.join(shown)}")
        folder = os.path.dirname(log.location.removeprefix("file://"))
        if folder.startswith("/"):
            folder = min(folder, os.path.relpath(folder), key=len)
        study = metadata["study"]
        read = [*filter(None, [metadata.get("rejudged")]), folder]
        commands.append(f"{study} {shlex.join(read)} --out report/{study}")
    uv = "uv run " if os.environ.get("UV_RUN_RECURSION_DEPTH") else ""
    for command in dict.fromkeys(commands):
        echo(f"Next: {uv}inspect-debate report {command}")
