"""`inspect-debate estimate`: what a run will take, from a rehearsal on a few items."""

import click

from inspect_debate.cli.options import (
    bound_models,
    generate_settings,
    model_options,
    run_options,
    task_arguments,
)
from inspect_debate.debate.errors import InputError, check_whole_number

_CONNECTIONS = 10
"""Inspect's own default for most providers."""


@click.command()
@click.argument("task")
@model_options
@run_options
@click.option(
    "--prices",
    "--model-cost-config",
    "prices",
    metavar="FILE",
    help="Prices of models, as `inspect eval --model-cost-config` takes them.",
)
@click.option(
    "--rehearse",
    default=5,
    show_default=True,
    metavar="N",
    help="How many items, spread over their lengths, to run the task on.",
)
@click.option(
    "--rehearsal",
    metavar="LOG",
    help="The log, or folder of logs, of an earlier rehearsal; no model is called.",
)
@click.option(
    "--log-dir",
    default="logs/rehearsals",
    show_default=True,
    metavar="DIR",
    help="Where each rehearsal has a folder of its own.",
)
@click.option(
    "--seconds-per-call",
    type=float,
    metavar="SECONDS",
    help="For the wall time. Default: as in the rehearsal.",
)
@click.option(
    "--connections",
    default=_CONNECTIONS,
    show_default=True,
    metavar="N",
    help="Calls at once to one model, for the wall time.",
)
@click.option(
    "--actual",
    metavar="LOG",
    help="The log of the finished run, to compare with the estimate.",
)
@click.option("--out", metavar="DIR", help="Also write a page and CSV files there.")
def estimate(
    task: str,
    task_args: tuple[str, ...],
    model: str | None,
    model_args: tuple[str, ...],
    model_roles: tuple[str, ...],
    limit: int | None,
    epochs: int | None,
    generate_config: str | None,
    prices: str | None,
    rehearse: int,
    rehearsal: str | None,
    log_dir: str,
    seconds_per_call: float | None,
    connections: int,
    actual: str | None,
    out: str | None,
) -> None:
    """Estimate the calls, tokens, cost and time of a run of TASK, and what it can show.

    TASK and its options are those of `inspect eval`: a file or a registered name.
    """
    # Seconds of import time, which no other command should pay.
    from inspect_debate.cli.estimate_runs import check_same, rehearse_in, set_prices
    from inspect_debate.cli.loading import Run, load_task
    from inspect_debate.reports.logs import open_logs
    from inspect_debate.reports.planning import Pace, Planned, estimate_report
    from inspect_debate.reports.prediction import lengths, predict, spent
    from inspect_debate.reports.terminal import terminal_text

    _check(limit=limit, epochs=epochs, rehearse=rehearse, connections=connections)
    if seconds_per_call is not None and seconds_per_call <= 0:
        raise InputError(f"--seconds-per-call={seconds_per_call} must be above 0.")
    known = set_prices(prices) if prices is not None else {}
    run = Run(
        task,
        task_arguments(task_args),
        lambda: bound_models(model, model_args, model_roles),
        generate_settings(generate_config),
    )
    loaded = load_task(run)
    sizes = lengths(list(loaded.task.dataset)[:limit])
    if rehearsal is None:
        rehearsal = rehearse_in(log_dir, run, loaded, sizes, rehearse)
        known = {}  # the logs have what was paid
    logs = open_logs(rehearsal)
    finished = open_logs(actual) if actual else ()
    check_same(loaded, [*logs, *finished])
    shown = spent(logs, known)
    others = {*shown.costs["model"]} - {str(each) for each in run.bound().models}
    if others and (model or model_roles):
        click.echo(
            f"Warning: the rehearsal used {', '.join(sorted(others))}.", err=True
        )
    times = epochs or loaded.task.epochs or 1
    report = estimate_report(
        Planned(task, len(sizes), times),
        predict(shown, sizes, times),
        shown,
        Pace(seconds_per_call or shown.seconds_per_call, connections),
        finished,
    )
    click.echo(terminal_text(report))
    if out is not None:
        from inspect_debate.reports.report import write_report

        click.echo(f"{write_report(report, out)[0]} has the same, with CSV files.")
    click.echo(f"To repeat this without calls: --rehearsal {rehearsal}")


def _check(**numbers: int | None) -> None:
    for name, given in numbers.items():
        if given is not None:
            check_whole_number(f"--{name}", given, at_least=1)
