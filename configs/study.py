"""What the scripts in this folder share."""

import re
from typing import Any

import click
from inspect_ai import eval_set


def run(tasks: Any, log_dir: str, **options: Any) -> bool:
    """Run an eval set; whether all of it is complete.

    Raises:
        ClickException: It cannot be started, for a reason in one sentence.
    """
    try:
        return eval_set(tasks, log_dir, **options)[0]
    except click.ClickException:
        raise
    except Exception as error:  # Inspect and providers have types of their own
        said = str(getattr(error, "message", error)).removeprefix("ERROR: ")
        text = " ".join(re.sub(r"\[/?[a-z ]+\]", "", said).split())
        raise click.ClickException(text or type(error).__name__) from error
