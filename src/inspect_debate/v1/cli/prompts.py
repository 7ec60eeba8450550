"""`inspect-debate prompts`: see the prompts of a study, and what a file changes."""

from difflib import unified_diff
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspect_debate.v1.debate.prompts import Prompt, PromptSet

# Checked by `load_prompts`, whose sentence names what there is.
_study = click.argument(
    "study",
    metavar="[choices|confidence|generative|grading|judge_checks|probability|srdcr"
    "|PACKAGE/PROTOCOL]",
)
_overlay = click.option(
    "--prompts",
    "overlay",
    metavar="FILE",
    help="A YAML file that replaces some of the study's prompts.",
)


@click.group()
def prompts() -> None:
    """Show a study's prompts, or what a file changes in them.

    A protocol with prompts of its own has those of its study, too; one of another
    package has those of `choices`.
    """


@prompts.command()
@_study
@_overlay
@click.option("--key", help="Show the text of this key only.")
def show(study: str, overlay: str | None, key: str | None) -> None:
    """Print the effective prompts with their placeholders."""
    chosen = _prompts(study, overlay)
    if key is not None and key not in chosen.prompts:
        raise click.ClickException(
            f"--key {key!r} is not known; allowed: {', '.join(chosen.prompts)}."
        )
    click.echo(f"{chosen.name} {chosen.used().hash}\n")
    for name, prompt in chosen.prompts.items():
        if key in (None, name):
            takes = ", ".join(prompt.placeholders)
            click.echo(f"--- {name}" + (f" ({takes})" if takes else ""))
            click.echo(f"{prompt.text.rstrip()}\n")
    for name, texts in _of_one_format(study).items():
        if key is None:
            click.echo(
                f"{name} also has {', '.join(texts)}: `inspect-debate prompts show "
                f"{name}` shows them."
            )


@prompts.command()
@_study
@click.argument("overlay", metavar="FILE")
def diff(study: str, overlay: str) -> None:
    """Print what FILE changes in a study's prompts, as a unified diff."""
    ours, theirs = _prompts(study), _prompts(study, overlay)
    for line in _changes(ours, theirs):
        click.echo(line)


def _prompts(study: str, overlay: str | None = None) -> "PromptSet":
    """A study's prompts, or those of a protocol that has its own."""
    # Seconds of import time, which no other command should pay.
    from inspect_debate.evals.debate import QUESTION_PROTOCOLS, own_prompts
    from inspect_debate.v1.debate.prompts import load_prompts

    if "/" in study or (study in QUESTION_PROTOCOLS and own_prompts(study)):
        return load_prompts("choices", overlay, own_prompts(study))
    own = _of_one_format("generative").get(study)
    if own is not None:
        return load_prompts("generative", overlay, own)
    return load_prompts(study, overlay)


def _of_one_format(study: str) -> "Mapping[str, Mapping[str, Prompt]]":
    """The prompts that single formats of generative debate have beside the study's."""
    from inspect_debate.v1.debate.prompts import read_texts
    from inspect_debate.v1.solvers.generative import CRITIQUE_TEXTS

    if study != "generative":
        return {}
    return {"single_critique": read_texts(CRITIQUE_TEXTS)}


def _changes(ours: "PromptSet", theirs: "PromptSet") -> list[str]:
    return [
        line
        for key in ours.prompts
        for line in unified_diff(
            ours.texts[key].splitlines(),
            theirs.texts[key].splitlines(),
            f"{ours.name}/{key}",
            f"{theirs.overlay}/{key}",
            lineterm="",
        )
    ]
