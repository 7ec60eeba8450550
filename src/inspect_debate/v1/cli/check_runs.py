"""What `inspect-debate check` does: tasks of one item, run and looked into."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

import anyio
import click
from inspect_ai import Task, eval, task_with
from inspect_ai.model import GenerateConfig, Model

from inspect_debate.evals.debate import debate
from inspect_debate.v1.cli.options import Bound, check_bound
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.paths import AnyPath, any_path, user_path
from inspect_debate.v1.debate.progress import samples_counted
from inspect_debate.v1.debate.record import Kind
from inspect_debate.v1.reports.checking import REPORT, as_data, look_into, status_of
from inspect_debate.v1.reports.terminal import terminal_text

_NEEDED = ("debater_a", "debater_b", "judge")


@dataclass(frozen=True)
class How:
    """The options of a check, but for the models."""

    studies: Sequence[str] = ()
    items: int = 1
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    prices: str | None = None
    max_unparsed: float = 0.0
    log_dir: str = "logs/check"
    json_file: TextIO | None = None


def check_models(bound: Callable[[], Bound], how: How) -> int:
    """Check models and print what was found.

    Args:
        bound: Makes the models; called twice, as clients are closed after a first call.
        how: The options.

    Returns:
        The exit code.

    Raises:
        InputError: If a model or an option cannot be taken; before any call.
    """
    models = bound()
    _check_roles(models)
    errors = first_calls(models.models, how.settings)
    for model, error in errors.items():
        click.echo(f"{model} did not answer a first call: {error}", err=True)
    if errors:
        return 3
    with quietly():
        tasks = [task_of(check, how.seed) for check in chosen(how.studies)]
        each = "1 item" if how.items == 1 else f"{how.items} items"
        click.echo(f"Running {len(tasks)} protocols on {each} each")
        logs = run_tasks(
            tasks,
            bound(),
            items=how.items,
            log_dir=str(user_path(how.log_dir)),
            settings=how.settings,
            prices=how.prices,
        )
    found = look_into(logs)
    click.echo(f"\n{terminal_text(REPORT.of(found))}")
    click.echo(f"To read everything: inspect view --log-dir {how.log_dir}")
    if how.json_file is not None:
        json.dump(as_data(found), how.json_file, indent=1)
    return status_of(found, how.max_unparsed)


def check_numbers(how: How, max_retries: int) -> None:
    """Check the options of a check that are numbers or studies.

    Raises:
        InputError: If one is not allowed.
    """
    for study in how.studies:
        check_choice("--study", study, STUDIES)
    check_whole_number("--items", how.items, at_least=1)
    check_whole_number("--seed", how.seed, at_least=0)
    check_whole_number("--max-retries", max_retries, at_least=0)
    if not 0 <= how.max_unparsed <= 1:
        raise InputError(
            f"--max-unparsed={how.max_unparsed} is not allowed; give a share from 0 "
            "to 1."
        )


def _check_roles(models: Bound) -> None:
    check_bound(models, _NEEDED)
    for role, bound in models.roles.items():
        if isinstance(bound, list) and role != "judge":
            raise InputError(
                f"--model-role {role}=... takes one model here, given were "
                f"{len(bound)}; only `judge` takes several. Check them one by one."
            )


# What `inspect-debate check` runs: an item of every protocol, made short.

_TASKS: Mapping[str, Callable[..., Task]] = {
    "debate": debate,
}
STUDIES = tuple(_TASKS)
"""The studies of the suite, by the names of their tasks."""


@dataclass(frozen=True)
class Check:
    """A protocol as it is checked.

    Attributes:
        study: The name of the task.
        protocol: The task's parameter of that name.
        stages: The kinds of turns that have to happen.
        parameters: Further ones; with these the protocol is shorter, or shows more.
        variant: What distinguishes it from another check of the same protocol.
    """

    study: str
    protocol: str
    stages: tuple[Kind, ...]
    parameters: Mapping[str, Any]
    variant: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return " ".join(filter(None, [self.study, self.protocol, self.variant]))


def _of(study: str, protocol: str, stages: str, **parameters: Any) -> Check:
    kinds: Any = tuple(stages.split())
    return Check(study, protocol, kinds, parameters)


CHECKS: tuple[Check, ...] = (
    _of("debate", "copmad", "speech verdict"),
    _of("debate", "consultancy", "speech verdict"),
    _of("debate", "judge_alone", "verdict"),
    _of("debate", "som", "answer update"),
    Check(
        *("debate", "colmad", ("answer", "speech", "verdict")),
        {"sides": "free", "skip_if_agree": False},
        "with free sides",
    ),
    Check(
        *("debate", "copmad", ("answer", "speech", "verdict")),
        {"answers": "free", "skip_if_agree": False},
        "in words",
    ),
)
"""All checks, each of which asks for something that no other one does.

Other protocols are asked for in the forms of one of these.
"""


def chosen(studies: Sequence[str]) -> list[Check]:
    """The checks of some studies, or of all where none is named."""
    return [check for check in CHECKS if not studies or check.study in studies]


def task_of(check: Check, seed: int) -> Task:
    """Make the task of a check."""
    given: dict[str, Any] = {"protocol": check.protocol, "seed": seed}
    made = _TASKS[check.study](**given, **check.parameters)
    facts = {"check": check.name, "check_stages": list(check.stages)}
    return task_with(made, metadata=(made.metadata or {}) | facts)


# Running the tasks of `inspect-debate check`, after a first call to every model.

_PARALLEL = 8
_FIRST_CALL = "Answer with the single word: yes"


def first_calls(models: Sequence[Model], settings: Mapping[str, Any]) -> dict[str, str]:
    """Ask every model something short, at once.

    Args:
        models: The models, whose clients are closed afterwards.
        settings: Generation settings of the run.

    Returns:
        The provider's message for each model that gave no answer.
    """
    errors: dict[str, str] = {}
    config = GenerateConfig(**settings)

    async def ask(model: Model) -> None:
        try:
            output = await model.generate(_FIRST_CALL, config=config)
            if not output.choices:
                errors[str(model)] = output.error or "there was no completion"
        except Exception as error:  # each provider has its own type
            errors[str(model)] = message_of(error)
        finally:
            await model.api.aclose()

    async def ask_all() -> None:
        async with anyio.create_task_group() as group:
            for model in models:
                group.start_soon(ask, model)

    anyio.run(ask_all)
    return errors


def message_of(error: BaseException) -> str:
    """A provider's message in one line, from the last attempt."""
    if (attempts := getattr(error, "last_attempt", None)) is not None:
        error = attempts.exception()
    text = getattr(error, "provider_message", None) or str(error)
    return f"{type(error).__name__}: {' '.join(text.split())}"


def run_tasks(
    tasks: Sequence[Task],
    bound: Bound,
    *,
    items: int,
    log_dir: str,
    settings: Mapping[str, Any],
    prices: str | None,
) -> list[AnyPath]:
    """Run tasks, several at once; if one fails, the others go on.

    Args:
        tasks: The tasks.
        bound: The models, which were not used before.
        items: How many items of each.
        log_dir: Where the logs go.
        settings: Generation settings of the run.
        prices: A file with prices of models, for Inspect.

    Returns:
        The logs.
    """
    with samples_counted("Checking", len(tasks) * items):
        logs = eval(
            list(tasks),
            model=bound.main or "none",
            model_roles=dict(bound.roles),
            limit=items,
            max_tasks=_PARALLEL,
            model_cost_config=prices,
            log_dir=log_dir,
            fail_on_error=False,
            display="log",  # with "none" all metrics are laid out, and not shown
            score_display=False,
            log_level="critical",  # failures are listed at the end
            log_realtime=False,
            **settings,
        )
    return [any_path(log.location) for log in logs]


@contextmanager
def quietly() -> Iterator[None]:
    """Leave the suite's own warnings out, which are about a study and not a check."""
    own = logging.getLogger("inspect_debate")
    # Inspect sets the levels of the others for good.
    loggers = [own, *map(logging.getLogger, (None, "inspect_ai", "httpx"))]
    before = [logger.level for logger in loggers]
    own.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
