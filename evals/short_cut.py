"""ColMAD and CopMAD, each with and without the short-cut for items on which both agree.

`inspect eval evals/short_cut.py` runs all four; each takes `colmad`'s parameters. The
published comparison is one of ColMAD with the short-cut and CopMAD without: what the
manner of debate does and what the short-cut does can only be told apart with the other
two. With `--cache --max-tasks 1` what they have in common is asked for once: the first
answers, and the debates that one manner holds with and without the short-cut.
"""

from typing import Any

from inspect_ai import Task, task

from inspect_debate.evals.colmad import colmad


@task
def colmad_short_cut(**parameters: Any) -> Task:
    """ColMAD as published: an answer on which both agree is returned."""
    return colmad(protocol="colmad", skip_if_agree=True, **parameters)


@task
def colmad_every_item(**parameters: Any) -> Task:
    """ColMAD on every item."""
    return colmad(protocol="colmad", skip_if_agree=False, **parameters)


@task
def copmad_short_cut(**parameters: Any) -> Task:
    """CopMAD on items on which the first answers differ."""
    return colmad(protocol="copmad", skip_if_agree=True, **parameters)


@task
def copmad_every_item(**parameters: Any) -> Task:
    """CopMAD on every item, as its published counts demand."""
    return colmad(protocol="copmad", skip_if_agree=False, **parameters)
