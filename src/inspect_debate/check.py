"""`inspect-debate check`: can the suite read what a model replies?"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

import click
import pandas as pd
from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai._cli.util import parse_model_role_cli_args
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model
from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.record import debate_of
from inspect_debate.debate.roles import PANELS, ROLES
from inspect_debate.evals.colmad import PROTOCOLS as COLMAD
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import PROTOCOLS as SRDCR
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.grading.grade import available_sandbox
from inspect_debate.solvers.confidence import PRESETS
from inspect_debate.solvers.generative import FORMATS

SHORT = {
    "rounds": 1,
    "skip_if_agree": False,
    "n": 2,
    "confidence_from": "both",
    "consistency_samples": 1,
    "recall_samples": 1,
    "best_of": 2,  # so that there are rewards
}
"""What makes protocols short that have these parameters, and keeps all their forms."""
STUDIES: dict[str, tuple[Callable[..., Task], Collection[str]]] = {
    "colmad": (partial(colmad, source="sample"), COLMAD),
    "srdcr": (partial(srdcr, source="sample"), SRDCR),
    "confidence": (confidence, PRESETS),
    "generative": (partial(generative, source="sample"), FORMATS),
    "debate": (debate, ("debate", "consultancy", "judge_alone", "single")),
}
_ADVICE = (
    "refused: bind another model; truncated, missing: raise --max-tokens; capped: "
    "lower it; unparsed: write prompts of your own (inspect-debate prompts show)."
)
_NEEDED = ("debater_a", "debater_b", "judge")
_SHOWN = 5
_RETRIED = re.compile(r"RetryError\(<Future .* raised (\w+)>\)")


def check(
    model: str | None,
    model_roles: Sequence[str],
    study: str | None,
    items: int,
    max_tokens: int | None,
    log_dir: str,
) -> int:
    """Run every protocol on some items, and print which turns could be read.

    Returns:
        The exit code: 0 if all were, 1 if one was not, 3 if a run failed.
    """
    _bound(model, model_roles)
    together, alone = _tasks(study)
    tasks = together + alone
    number = sum(min(items, len(task.dataset)) for task in tasks)
    logs: list[EvalLog] = []
    with click.progressbar(length=number, label=f"{len(tasks)} protocols") as bar:

        async def done(state: TaskState) -> None:
            bar.update(1)

        for task in tasks:
            task.cleanup = done
        for group in filter(None, (together, alone)):
            roles = _bound(model, model_roles)  # anew: Inspect closes their connections
            if group is alone:
                roles.pop("debater_b", None)  # who debates itself has no opponent
            logs += run(
                group,
                model=model or "none",
                model_roles=roles,
                limit=items,
                max_tasks=len(tasks),
                max_tokens=max_tokens,
                max_retries=3,
                fail_on_error=False,
                score=False,
                log_dir=log_dir,
                log_level="error",  # what a model ran without is printed at the end
                display="none",
            )
    frame, failures = turns(logs), _failures(logs)
    unread = frame[frame["status"] != "ok"]
    if not frame.empty:
        click.echo(f"\n{_counts(frame)}\n\n{_usage(frame)}")
    shown = unread.drop_duplicates(["study", "kind", "role", "status"]).head(_SHOWN)
    for turn in shown.to_dict("records"):
        place = f"{turn['study']} {turn['kind']}, {turn['role']}: {turn['status']}"
        click.echo(f"\n{place}, stop reason {turn['stop_reason'] or 'unknown'}")
        click.echo(f"  {_line(turn['error'] or turn['private'], 200) or '(nothing)'}")
    if len(unread):
        click.echo(f"\nNot read: {len(unread)}. {_ADVICE}")
    if failures:
        click.echo("\n".join([f"\nFailed: {len(failures)}", *failures[:_SHOWN]]))
    click.echo(f"\nTo read everything: inspect view --log-dir {log_dir}")
    if failures or frame.empty:
        return 3
    return int(len(unread) > 0)


def _bound(model: str | None, given: Sequence[str]) -> dict[str, Any]:
    """Models by role, as `inspect eval` reads them."""
    for one in given:
        if not one.partition("=")[2].strip():
            raise InputError(f"--model-role {one} is not of the form ROLE=MODEL.")
    try:
        roles: dict[str, Any] = dict(parse_model_role_cli_args(tuple(given)))
        for bound in filter(None, [*roles.values(), model]):
            for each in bound if isinstance(bound, list) else [bound]:
                get_model(each, memoize=False)
    except Exception as error:  # each provider has its own type
        said = re.sub(r"\[/?[a-z ]+\]", "", str(getattr(error, "message", error)))
        reason = _line(said.removeprefix("ERROR: "))
        raise InputError(f"A model cannot be used: {reason}") from None
    for role, bound in roles.items():
        check_known("model role", role, ROLES)
        if isinstance(bound, list) and role not in PANELS:
            raise InputError(f"--model-role {role} takes one model, not {bound}.")
    missing = [] if model else [one for one in _NEEDED if one not in roles]
    if missing:
        raise InputError(
            f"No model plays {', '.join(missing)}: give --model MODEL, or "
            f"--model-role {missing[0]}=MODEL."
        )
    return roles


def _tasks(study: str | None) -> tuple[list[Task], list[Task]]:
    """The tasks, and those in which a model debates itself."""
    together: list[Task] = []
    alone: list[Task] = []
    for name in [study] if study else STUDIES:
        make, protocols = STUDIES[name]
        for protocol in protocols:
            itself = name == "confidence" and PRESETS[protocol]["opponent"] == "self"
            known = (make(protocol=protocol).metadata or {})["parameters"]
            short = {key: value for key, value in SHORT.items() if key in known}
            task = make(protocol=protocol, **short)
            (alone if itself else together).append(task)
        if name == "generative" and available_sandbox():
            together.append(make(dataset="bcb_plus", rounds=1, best_of=2))
        elif name == "generative":
            click.echo("Programs are left out: neither Docker nor bubblewrap is here.")
    return together, alone


def turns(logs: Iterable[EvalLog]) -> pd.DataFrame:
    """A row for every turn that was asked for, from the records in logs."""
    rows = []
    for log in logs:
        for sample in log.samples or []:
            debate = debate_of(sample)
            for turn in debate.turns if debate else []:
                if turn.calls:  # none: an answer that another protocol asked for
                    study = (log.eval.metadata or {})["study"]
                    rows.append({"study": study, **dict(turn)})
    columns = ["study", "kind", "role", "model", "status", "calls"]
    return pd.DataFrame(rows, columns=None if rows else columns)


def _failures(logs: Iterable[EvalLog]) -> list[str]:
    """What went wrong, each once, with the protocols in which it did."""
    found = defaultdict[str, dict[str, None]](dict)
    for log in logs:
        errors = [sample.error for sample in log.samples or []]
        for error in filter(None, [*errors, log.error]):
            said = _RETRIED.sub(r"\1, after retries", _line(error.message))
            found[said][(log.eval.metadata or {})["protocol"]] = None
    return [f"{', '.join(protocols)}: {said}" for said, protocols in found.items()]


def _counts(frame: pd.DataFrame) -> str:
    """How the turns of each kind were read; columns of zeros are left out."""
    place = ["study", "kind", "role", "model"]
    statuses = pd.get_dummies(frame["status"].replace("ok", "read"))
    counts = frame[place].assign(asked=1).join(statuses).join(frame["reminded"])
    counts = counts.groupby(place, sort=False).sum()
    return counts.loc[:, counts.any()].reset_index().to_string(index=False)


def _usage(frame: pd.DataFrame) -> str:
    """Calls, tokens (unknown if a reply came without), and settings left out."""
    tokens = frame[["input_tokens", "output_tokens"]].astype("Int64")
    used = frame[["calls"]].join(tokens.mask(frame["input_tokens"] == 0))
    used = used.groupby(frame["model"], sort=False).sum(skipna=False)
    omitted = frame["omitted"].map(", ".join).groupby(frame["model"]).max()
    shown = used.astype(str).assign(**{"ran without": omitted})
    return shown.to_string(na_rep="unknown")


def _line(text: str, limit: int = 300) -> str:
    """The beginning of a text in a line, without what a terminal would obey."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else f"{line[:limit]} ..."
