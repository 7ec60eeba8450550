"""The `inspect-debate` command."""

import gc

import click

from inspect_debate.v1.cli.check import check
from inspect_debate.v1.cli.compare import compare
from inspect_debate.v1.cli.examples import examples
from inspect_debate.v1.cli.import_ import import_
from inspect_debate.v1.cli.page import page
from inspect_debate.v1.cli.prompts import prompts
from inspect_debate.v1.cli.report import report


@click.group()
@click.version_option(package_name="inspect-debate")
def main() -> None:
    """Work with the debate studies; `inspect eval` runs them."""
    # What commands import and read stays to the end: looking through it for garbage
    # over and over would be a tenth of what a report takes.
    gc.set_threshold(100_000, 50, 1000)


main.add_command(check)
main.add_command(compare)
main.add_command(examples)
main.add_command(import_)
main.add_command(page)
main.add_command(prompts)
main.add_command(report)
