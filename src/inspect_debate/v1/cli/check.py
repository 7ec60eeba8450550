"""`inspect-debate check`: do live models follow the suite's output formats?"""

from typing import TextIO

import click

from inspect_debate.v1.cli.options import bound_models, model_options
from inspect_debate.v1.debate.errors import InputError


@click.command()
@model_options
@click.option(
    "--study",
    "studies",
    multiple=True,
    metavar="STUDY",
    help="Only the protocols of this study. Repeatable.",
)
@click.option("--items", default=1, show_default=True, help="Items of each protocol.")
@click.option("--seed", default=0, show_default=True, help="As in -T seed=.")
@click.option("--max-tokens", type=int, metavar="N", help="As for `inspect eval`.")
@click.option("--temperature", type=float, metavar="X", help="As for `inspect eval`.")
@click.option("--max-connections", type=int, metavar="N", help="As for `inspect eval`.")
@click.option(
    "--prices",
    "--model-cost-config",
    "prices",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Prices of models, as for `inspect eval`.",
)
@click.option(
    "--max-retries",
    default=3,
    show_default=True,
    help="How often a failed call is retried.",
)
@click.option(
    "--max-unparsed",
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="The share of fields that may be unreadable, in every row of the table.",
)
@click.option(
    "--log-dir",
    default="logs/check",
    show_default=True,
    metavar="DIR",
    help="Where the logs are kept.",
)
@click.option(
    "--json",
    "json_file",
    type=click.File("w", encoding="utf-8", lazy=False),
    metavar="FILE",
    help="Also write the results to this file.",
)
@click.pass_context
def check(
    context: click.Context,
    model: str | None,
    model_args: tuple[str, ...],
    model_roles: tuple[str, ...],
    studies: tuple[str, ...],
    items: int,
    seed: int,
    max_tokens: int | None,
    temperature: float | None,
    max_connections: int | None,
    prices: str | None,
    max_retries: int,
    max_unparsed: float,
    log_dir: str,
    json_file: TextIO | None,
) -> None:
    """Run every protocol on an item, and report which replies could be read.

    Exit codes: 0, all could be read; 1, something could not; 2, the command was wrong;
    3, a run failed.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.v1.cli.check_runs import How, check_models, check_numbers

    settings = {
        "max_tokens": max_tokens,
        "temperature": temperature,
        "max_connections": max_connections,
        "max_retries": max_retries,
    }
    how = How(
        studies=studies,
        items=items,
        seed=seed,
        settings={name: value for name, value in settings.items() if value is not None},
        prices=prices,
        max_unparsed=max_unparsed,
        log_dir=log_dir,
        json_file=json_file,
    )
    try:
        check_numbers(how, max_retries)
        code = check_models(lambda: bound_models(model, model_args, model_roles), how)
    except InputError as error:
        raise _WrongCommand(error.message) from error
    context.exit(code)


class _WrongCommand(InputError):
    """Bad input, with an exit code of its own: 1 says that something was not read."""

    exit_code = 2
