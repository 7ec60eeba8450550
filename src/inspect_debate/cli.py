"""The `inspect-debate` command; `inspect eval` runs the studies.

Commands import what they need when they run, so that help is there at once.
"""

import json
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import click

_FOLDER = click.Path(file_okay=False, path_type=Path)
_OUT = click.option("--out", required=True, type=_FOLDER, help="Where to write.")
_LOGS = click.argument("logs", nargs=-1, required=True)
_STUDIES = ("colmad", "srdcr", "confidence", "generative", "debate")


@click.group()
@click.version_option(package_name="inspect-debate")
def main() -> None:
    """Reports, pages and prompts of the debate studies; `inspect eval` runs them."""


# --- Reports and pages ----------------------------------------------------------------


@main.command()
@click.argument("study", metavar="STUDY", type=click.Choice([*_STUDIES, "judge_check"]))
@_LOGS
@_OUT
@click.option("--full", is_flag=True, help="With every table and figure.")
def report(study: str, logs: tuple[str, ...], out: Path, full: bool) -> None:
    """Write the report of a study from LOGS, the files or folders of its runs."""
    from inspect_debate.reports.frames import samples
    from inspect_debate.reports.report import Headline, write

    module = import_module(f"inspect_debate.reports.{study}")
    items = [*module.report(samples(logs, study, module.PROTOCOLS), full)]
    more = ["--full"] if full else []
    typed = ["inspect-debate", "report", study, *logs, "--out", str(out), *more]
    path = write(items, out, module.TITLE, shlex.join(typed))
    for item in items:
        if isinstance(item, Headline):
            click.echo(item.text)
    click.echo(f"Open {path}")


@main.command()
@_LOGS
@_OUT
def page(logs: tuple[str, ...], out: Path) -> None:
    """Write a page of debates to read for each of LOGS, files or folders."""
    from inspect_debate.reports.page import page as pages

    for path in pages(logs, out):
        click.echo(f"Open {path}")


@main.command()
@click.argument("baseline")
@click.argument("treatment")
@click.option("--score", metavar="SCORER.VALUE", help="Default: the headline metric's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--out", type=_FOLDER, help="Also write a page and CSV files there.")
def compare(
    baseline: str, treatment: str, score: str | None, as_json: bool, out: Path | None
) -> None:
    """Compare two runs of any task on the samples that both have.

    BASELINE and TREATMENT are log files, or folders with the logs of one condition.
    """
    from inspect_debate.reports import compare as comparing
    from inspect_debate.reports.report import write

    items = comparing.compare(baseline, treatment, score)
    if as_json:
        click.echo(comparing.as_json(items))
    else:
        click.echo("\n".join(comparing.as_text(items)))
    if out:
        more = ["--score", score] if score else []
        typed = ["inspect-debate", "compare", baseline, treatment, *more]
        path = write(items, out, "Two runs compared", shlex.join(typed))
        click.echo(f"Open {path}", err=as_json)


# --- Checking a model -----------------------------------------------------------------


@main.command()
@click.option(
    "--model", envvar="INSPECT_EVAL_MODEL", help="For roles without their own."
)
@click.option(
    "--model-role",
    "model_roles",
    multiple=True,
    metavar="ROLE=MODEL",
    help="As for `inspect eval`. Repeatable.",
)
@click.option("--study", type=click.Choice(_STUDIES))
@click.option("--items", type=click.IntRange(1), default=1, show_default=True)
@click.option("--max-tokens", type=click.IntRange(1), help="Of each reply.")
@click.option(
    "--log-dir",
    default="logs/check",
    show_default=True,
    metavar="DIR",
    type=click.Path(file_okay=False, writable=True),
)
@click.pass_context
def check(context: click.Context, /, **options: Any) -> None:
    """Check on an item of every protocol whether a model's replies can be read.

    Exit codes: 0, all could be read; 1, one could not; 2, the command was wrong; 3, a
    run failed.
    """
    from inspect_debate.check import check as check_model
    from inspect_debate.debate.errors import InputError

    try:
        code = check_model(**options)
    except InputError as error:
        error.show()
        code = 2
    context.exit(code)


@main.command()
@_LOGS
@click.option("--items", type=click.IntRange(2, 10**7), help="Default: the data set's.")
@click.option("--epochs", type=click.IntRange(1), help="Default: those of the pilot.")
@click.option(
    "--effect",
    metavar="POINTS",
    type=click.FloatRange(0, min_open=True),
    help="Also tell how many items find this difference.",
)
@click.option("--score", metavar="SCORER.VALUE", help="Default: the headline metric's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(
    logs: tuple[str, ...],
    items: int | None,
    epochs: int | None,
    effect: float | None,
    score: str | None,
    as_json: bool,
) -> None:
    """Forecast what a run takes and what it can show, from a pilot on a few items.

    LOGS are the pilots of one condition, or of two on the same samples: for each a log
    file, or a folder with its logs.
    """
    from inspect_debate.reports import plan as planning

    found = planning.plan(logs, items, epochs, effect, score)
    lines = [json.dumps(found, indent=2)] if as_json else planning.as_text(found)
    click.echo("\n".join(lines))


# --- Prompts --------------------------------------------------------------------------

_PROMPTS = {
    "colmad copmad debate": "questions colmad",
    "judge_check": "questions colmad judge_check",
    "consultancy": "questions colmad debate",
    "som ensemble self_consistency single judge_alone": "questions",
    "confidence cross_model self informed_self public redteam redteam_v2 deceptive "
    "four_round": "confidence",
    "generative dual_debate single_debate dual_consultancy single_consultancy "
    "dual_no_transcript single_no_transcript direct_qa": "generative",
    "srdcr": "srdcr",
    "few_shot self_ask rci naive_debate judge_debate": "srdcr srdcr_baselines",
}
"""The names of protocols, and those of the files in `solvers` with their prompts."""


@main.group()
def prompts() -> None:
    """Show the prompts of a protocol, to edit them and pass `-T prompts=FILE`."""


@prompts.command()
@click.argument("protocol")
def show(protocol: str) -> None:
    """Print the prompts of PROTOCOL as YAML; a file of your own may keep only some."""
    from inspect_debate.debate.errors import check_known

    files = {name: of for names, of in _PROMPTS.items() for name in names.split()}
    check_known("protocol", protocol, files)
    for file in files[protocol].split():
        path = Path(__file__).parent / "solvers" / f"{file}.yaml"
        click.echo(f"# --- {path.name} ---\n\n{path.read_text(encoding='utf-8')}")


# --- Published transcripts ------------------------------------------------------------


@main.command("import")
@click.argument(
    "release", type=click.Choice(["realmistake-detectors", "llms-overconfidence"])
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@_OUT
def import_(release: str, path: Path, out: Path) -> None:
    """Turn published transcripts into logs, one for each condition.

    PATH is, of realmistake-detectors (ReaLMistake's released error detectors, as
    `single` of ColMAD), detector_labels.csv or its folder; of llms-overconfidence
    ("When Two LLMs Debate, Both Think They'll Win"), the root of the release or a
    folder of transcripts in it.
    """
    if release == "realmistake-detectors":
        from inspect_debate.transcripts.realmistake_detectors import import_detectors

        logs = import_detectors(path, out)
    else:
        from inspect_debate.transcripts.confidence import import_release

        logs = import_release(path, out)
    click.echo(f"{len(logs)} logs in {out}")
