"""Running the tasks of `inspect-debate check`, after a first call to every model."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task, eval
from inspect_ai.model import GenerateConfig, Model

from inspect_debate.cli.model_options import Bound

_PARALLEL = 8
_FIRST_CALL = "Answer with the single word: yes"


def first_calls(models: Sequence[Model], settings: Mapping[str, Any]) -> dict[str, str]:
    """Ask every model something short, at once.

    Args:
        models: The models, whose clients are closed afterwards.
        settings: Generation settings of the run.

    Returns:
        By model what its provider said, of those that gave no answer.
    """
    errors: dict[str, str] = {}
    config = GenerateConfig(**settings)

    async def ask(model: Model) -> None:
        try:
            output = await model.generate(_FIRST_CALL, config=config)
            if not output.choices:
                errors[str(model)] = output.error or "there was no completion"
        except Exception as error:  # each provider has its own type
            errors[str(model)] = said(error)
        finally:
            await model.api.aclose()

    async def ask_all() -> None:
        async with anyio.create_task_group() as group:
            for model in models:
                group.start_soon(ask, model)

    anyio.run(ask_all)
    return errors


def said(error: BaseException) -> str:
    """What a provider said, in one line; at the last attempt, where there were some."""
    if (attempts := getattr(error, "last_attempt", None)) is not None:
        error = attempts.exception()
    told = getattr(error, "provider_message", None) or str(error)
    return f"{type(error).__name__}: {' '.join(told.split())}"


def run_tasks(
    tasks: Sequence[Task],
    bound: Bound,
    *,
    items: int,
    log_dir: str,
    settings: Mapping[str, Any],
    prices: str | None,
) -> list[Path]:
    """Run tasks, several at once; one that fails keeps no other from going on.

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
        log_level="critical",  # what fails is told at the end, in a line each
        log_realtime=False,
        **settings,
    )
    return [Path(log.location.removeprefix("file://")) for log in logs]


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
