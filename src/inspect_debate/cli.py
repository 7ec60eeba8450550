"""The `inspect-debate` command; `inspect eval` runs the studies.

Commands import what they need when they run, so that help is there at once.
"""

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

_OUT = click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write into.",
)
_LOGS = click.argument("logs", nargs=-1, required=True)


@click.group()
@click.version_option(package_name="inspect-debate")
def main() -> None:
    """Reports, pages and prompts of the debate studies; `inspect eval` runs them."""


# --- Reports and pages ----------------------------------------------------------------


@main.group()
def report() -> None:
    """Write the report of a study from the logs of its runs."""


def _report(study: str, help: str) -> None:
    """Add the report of a study."""

    @report.command(study, help=help)
    @_LOGS
    @_OUT
    @click.option("--full", is_flag=True, help="With every table and figure.")
    def command(logs: tuple[str, ...], out: Path, full: bool) -> None:
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


_report("colmad", "Report on error detection by debate.")
_report("confidence", "Report on debates with bets.")
_report("generative", "Report on generative debate.")
_report("srdcr", "Report on SR-DCR and its baselines.")


@main.command()
@_LOGS
@_OUT
def page(logs: tuple[str, ...], out: Path) -> None:
    """Write a page of debates to read for each of LOGS, files or folders."""
    from inspect_debate.reports.page import page as pages

    ours, theirs = _by_version(logs)
    if ours or not theirs:
        for path in pages(ours or logs, out):
            click.echo(f"Open {path}")
    if theirs:
        _call_v1("page:page", [*theirs, "--out", str(out), "--allow-partial"])


@main.command()
@click.argument("baseline")
@click.argument("treatment")
@click.option("--score", metavar="SCORER.VALUE", help="Default: the headline metric's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write a page and CSV files there.",
)
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
@click.option(
    "--study", type=click.Choice(["colmad", "srdcr", "confidence", "generative"])
)
@click.option("--items", type=click.IntRange(1), default=1, show_default=True)
@click.option("--max-tokens", type=click.IntRange(1), help="Of each reply.")
@click.option("--log-dir", default="logs/check", show_default=True, metavar="DIR")
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

_QUESTIONS, _SPEECHES = "solvers/questions.yaml", "solvers/colmad.yaml"
_BETS, _CONFLICT = "solvers/confidence.yaml", "solvers/srdcr.yaml"
_TASKS = "solvers/generative.yaml"
_PROMPTS = {
    **dict.fromkeys(("colmad", "copmad"), (_QUESTIONS, _SPEECHES)),
    **dict.fromkeys(
        ("som", "ensemble", "self_consistency", "single", "judge_alone"), (_QUESTIONS,)
    ),
    **dict.fromkeys(
        ("confidence", "cross_model", "self", "informed_self", "public"), (_BETS,)
    ),
    **dict.fromkeys(("redteam", "redteam_v2", "deceptive", "four_round"), (_BETS,)),
    **dict.fromkeys(("generative", "dual_debate", "single_debate"), (_TASKS,)),
    **dict.fromkeys(("dual_consultancy", "single_consultancy"), (_TASKS,)),
    **dict.fromkeys(
        ("dual_no_transcript", "single_no_transcript", "direct_qa"), (_TASKS,)
    ),
    "srdcr": (_CONFLICT,),
    **dict.fromkeys(
        ("few_shot", "self_ask", "rci", "naive_debate", "judge_debate"),
        (_CONFLICT, "solvers/srdcr_baselines.yaml"),
    ),
}


@main.group()
def prompts() -> None:
    """Show the prompts of a protocol, to edit them and pass `-T prompts=FILE`."""


@prompts.command()
@click.argument("protocol")
def show(protocol: str) -> None:
    """Print the prompts of PROTOCOL as YAML; a file of your own may keep only some."""
    for path in _shipped(protocol):
        click.echo(f"# --- {path.name} ---\n\n{path.read_text(encoding='utf-8')}")


@prompts.command("list")
@click.argument("protocol")
def list_(protocol: str) -> None:
    """Print the names of the prompts of PROTOCOL."""
    import yaml

    for path in _shipped(protocol):
        for key in yaml.safe_load(path.read_text(encoding="utf-8")):
            click.echo(f"{key:<24}{path.name}")


def _shipped(protocol: str) -> list[Path]:
    from inspect_debate.debate.errors import check_known

    check_known("protocol", protocol, _PROMPTS)
    return [Path(__file__).parent / file for file in _PROMPTS[protocol]]


# --- Published transcripts ------------------------------------------------------------


@main.group("import")
def import_() -> None:
    """Turn published transcripts into logs."""


@import_.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@_OUT
def realmistake_detectors(path: Path, out: Path) -> None:
    """Import what ReaLMistake's released detectors answered, as `single` of ColMAD.

    PATH is detector_labels.csv or its folder. A log
    is written for each detector and prompt.
    """
    from inspect_debate.transcripts.realmistake_detectors import import_detectors

    logs = import_detectors(path, out)
    click.echo(f"{len(logs)} logs in {out}")


@import_.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_OUT
def llms_overconfidence(folder: Path, out: Path) -> None:
    """Import the transcripts of "When Two LLMs Debate, Both Think They'll Win".

    FOLDER is the root of the release or a folder of transcripts in it. A log is
    written for each condition, scored as runs are.
    """
    from inspect_debate.transcripts.confidence import import_release

    logs = import_release(folder, out)
    click.echo(f"{len(logs)} logs in {out}")


# --- What is still to be ported -------------------------------------------------------


def _by_version(logs: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The logs of studies that are ported, and those of v1."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    from inspect_debate.debate.errors import InputError

    ours: list[str] = []
    theirs: list[str] = []
    for given in logs:
        one = given.endswith((".eval", ".json"))
        try:
            for file in [given] if one else [log.name for log in list_eval_logs(given)]:
                log = read_eval_log(file, header_only=True)
                (theirs if "suite" in (log.eval.metadata or {}) else ours).append(file)
        except Exception as error:  # whatever a file system, zip or JSON reader raises
            reason = str(error).strip().split("\n", 1)[0]
            raise InputError(f"{given} cannot be read as a log: {reason}.") from None
    return ours, theirs


def _call_v1(place: str, args: list[str], called: str | None = None) -> None:
    module, attribute = place.split(":")
    command = getattr(import_module(f"inspect_debate.v1.cli.{module}"), attribute)
    sys.exit(command.main(args, prog_name=called, standalone_mode=False) or 0)


def _add_v1(group: click.Group, name: str, help: str, place: str) -> None:
    """Add a command of v1, which is imported when it is called.

    Args:
        group: Where it belongs.
        name: Its name.
        help: What the group's help says of it.
        place: `MODULE:COMMAND`; of a group other than `main`, v1's group.
    """

    @group.command(
        name,
        help=help,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True},
    )
    @click.argument("args", nargs=-1, type=click.UNPROCESSED)
    @click.pass_context
    def command(context: click.Context, args: tuple[str, ...]) -> None:
        if group is main:
            _call_v1(place, [*args], context.command_path)
        called = context.command_path.removesuffix(f" {name}")
        _call_v1(place, [name, *args], called)


for _name, _help in {
    "debate": "Report on debates over questions.",
    "judge_check": "Report on judge checks.",
}.items():
    _add_v1(report, _name, _help, "report:report")
_add_v1(main, "examples", "Write configurations and logs.", "examples:examples")
