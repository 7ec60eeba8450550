"""The `inspect-debate` command."""

import gc

import click

from inspect_debate.cli.bcb_eligible import bcb_eligible
from inspect_debate.cli.bcb_env import bcb_env
from inspect_debate.cli.check import check
from inspect_debate.cli.compare import compare
from inspect_debate.cli.estimate import estimate
from inspect_debate.cli.examples import examples
from inspect_debate.cli.export import export
from inspect_debate.cli.import_ import import_
from inspect_debate.cli.judge import judge
from inspect_debate.cli.judge_sheet import judge_sheet
from inspect_debate.cli.page import page
from inspect_debate.cli.pairings import pairings
from inspect_debate.cli.prompts import prompts
from inspect_debate.cli.published import published
from inspect_debate.cli.report import report
from inspect_debate.cli.run import run
from inspect_debate.cli.sandbox_check import sandbox_check


@click.group()
@click.version_option(package_name="inspect-debate")
def main() -> None:
    """Work with the debate studies; `inspect eval` runs them."""
    # What commands import and read stays to the end: looking through it for garbage
    # over and over would be a tenth of what a report takes.
    gc.set_threshold(100_000, 50, 1000)


main.add_command(bcb_eligible)
main.add_command(bcb_env)
main.add_command(check)
main.add_command(compare)
main.add_command(estimate)
main.add_command(examples)
main.add_command(export)
main.add_command(import_)
main.add_command(judge)
main.add_command(judge_sheet)
main.add_command(page)
main.add_command(pairings)
main.add_command(prompts)
main.add_command(published)
main.add_command(report)
main.add_command(run)
main.add_command(sandbox_check)
