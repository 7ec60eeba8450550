"""What characterises a run: all in which it may differ from others, by kind."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalSampleSummary

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.participants import PEOPLE
from inspect_debate.v1.debate.paths import file_name
from inspect_debate.v1.reports.conditions import flat, text
from inspect_debate.v1.reports.frames import models_told, people_named, shaping
from inspect_debate.v1.reports.logs import Log, check_finished, open_logs
from inspect_debate.v1.reports.samples import full_summaries

_PACKAGE = "inspect_debate/"

# The runs that are compared: headers and summaries of samples, of any Inspect log.


class Run(NamedTuple):
    """A log and the summaries of its samples."""

    log: Log
    samples: Sequence[EvalSampleSummary]

    @property
    def name(self) -> str:
        """The file's name."""
        return self.log.path.name


def read_runs(logs: Sequence[str | Path], *, allow_partial: bool = False) -> list[Run]:
    """Read runs, in the order in which their logs were given.

    Args:
        logs: Files or folders, as in `open_logs`.
        allow_partial: Whether to take runs that did not finish.

    Raises:
        InputError: As `open_logs`, or if a run did not finish.
    """
    opened = sorted(open_logs(logs), key=lambda log: _place(log, logs))
    for log in opened:
        check_finished(log, allow_partial=allow_partial)
    return [
        Run(log, [*chain.from_iterable(files)])
        for log, files in zip(opened, full_summaries(opened), strict=True)
    ]


def _place(log: Log, logs: Sequence[str | Path]) -> int:
    return next(
        place
        for place, typed in enumerate(map(str, logs))
        if log.typed == typed or log.typed.startswith(f"{typed}/")
    )


class Fact(NamedTuple):
    """Something that may differ, such as the setting `temperature`."""

    kind: str
    name: str


Facts = Mapping[Fact, str]
"""Values as texts, in full; what a run does not have is absent."""

STEPS = Fact("solver", "steps")
NAMED = Fact("parameters", "condition")
"""What imported debates are called."""
SERVED = "served"

_LIMITS = (
    *("message_limit", "token_limit", "token_limit_type", "turn_limit"),
    *("time_limit", "working_limit", "cost_limit"),
)
_OF_THE_RUN = (
    *("epochs", "epochs_reducer", "limit", "sample_id", "sample_shuffle"),
    *("retry_on_error", "score_on_error"),
)

_CAPS = ("budget_usd", "prices", "max_unparsed", "shard")
"""Parameters that shape no completion."""

_OF_ANOTHER = {"reuse_until": "reuse", "match_on": "match"}
"""Parameters that mean nothing without another one."""

CHOICE_OF_SAMPLES = frozenset(
    {
        *(Fact("run", name) for name in ("limit", "sample_id", "sample_shuffle")),
        *(Fact("parameters", name) for name in ("reuse", "reuse_until", "match")),
        *(Fact("versions", name) for name in ("commit", "uncommitted changes")),
        Fact("data", "samples"),
    }
)
"""What may differ between the logs of one condition, such as parts of a run."""


def facts_of(run: Run) -> dict[Fact, str]:
    """All facts of a run that its header and its samples' summaries have.

    Left out are settings that shape no completion, such as timeouts, and what a run is
    called or when it was made. Prompts and other long texts are there in full.
    """
    spec, metadata = run.log.header.eval, run.log.metadata
    data, config, revision = spec.dataset, spec.config, spec.revision
    found: dict[str, Mapping[str, Any]] = {
        "task": {
            # A task of ours has its package's name where it ran by name, not by file.
            "task": (spec.task_registry_name or spec.task).removeprefix(_PACKAGE),
            "file": file_name(spec.task_file),
            "sandbox": spec.sandbox and spec.sandbox.type,
        },
        "parameters": _parameters(run),
        "prompts": _metadata(run, "prompts"),
        "data": {
            "name": data.name,
            "location": data.location,
            "samples": data.samples,
            "shuffled": data.shuffled or None,
            **dict(flat(_metadata(run, "data"))),
        },
        "models": _models(run),
        "settings": _settings(run),
        "solver": _solver(run),
        "scorer": _scorers(run),
        "run": {name: getattr(config, name) for name in _OF_THE_RUN},
        "limits": {name: getattr(config, name) for name in _LIMITS},
        "versions": {
            "task": spec.task_version,
            "inspect_debate": metadata.get("suite"),
            **spec.packages,
            "commit": revision and revision.commit[:10],
            "uncommitted changes": (revision and revision.dirty) or None,
        },
        "metadata": {k: v for k, v in metadata.items() if k not in _ELSEWHERE},
    }
    # Imported debates name their condition; how many rounds they had, and questions of
    # the judge, is what happened.
    named = metadata.get("condition")
    if named and found["parameters"].get("ends") == "judge":
        observed = ("rounds", "judge_questions")
        found["parameters"] = {
            k: v for k, v in found["parameters"].items() if k not in observed
        }
    found["parameters"] = {NAMED.name: named, **found["parameters"]}
    return {
        Fact(kind, name): text(value)
        for kind, values in found.items()
        for name, value in flat(values)
        if value is not None
    }


_ELSEWHERE = frozenset(
    {
        *("task", "version", "task_version", "suite", "protocol", "seed", "rounds"),
        *("parameters", "prompts", "data", "condition", "imported"),
        *("shard", "run_number"),
    }
)
"""Metadata that other kinds of facts have."""


def shown(value: str | None, width: int = 48) -> str:
    """A fact's value in a few words; a long text with the first digits of its hash."""
    if value is None:
        return "–"
    line = " ".join(value.split())
    if line.startswith("/"):
        line = Path(line).name
    if line == value and len(line) <= width:
        return line
    digest = hashlib.sha256(value.encode()).hexdigest()[:6]
    return f"{line[: width - 10].rstrip()}… #{digest}"


def _parameters(run: Run) -> dict[str, Any]:
    """Parameters in effect, where the log has them; else those that were given."""
    spec = run.log.header.eval
    given = spec.task_args | (spec.solver_args or {})
    named = {key: run.log.metadata.get(key) for key in ("protocol", "seed")}
    known = {key: value for key, value in named.items() if value is not None}
    found = dict(flat(given)) | known | dict(flat(_metadata(run, "parameters")))
    for name in ("reuse", "match"):
        if isinstance(found.get(name), list):  # the logs of all shards of a run
            found[name] = ",".join(found[name])
    return {
        key: value
        for key, value in found.items()
        if key.partition(".")[0] not in _CAPS
        and (key not in _OF_ANOTHER or found.get(_OF_ANOTHER[key]) is not None)
    }


def _metadata(run: Run, key: str) -> Mapping[str, Any]:
    found = run.log.metadata.get(key)
    return found if isinstance(found, Mapping) else {}


def _models(run: Run) -> dict[str, Any]:
    """Who took part, by the scores; else the run's model; and models of roles."""
    log, spec = run.log, run.log.header.eval
    roles = {r: ", ".join(one.model for one in of) for r, of in log.roles.items()}
    scores = (s for one in run.samples for s in (one.scores or {}).values())
    named = models_told(scores, PEOPLE, people_named(log))
    if named:
        judges = [named.pop(name) for name in [*named] if name.startswith("judge")]
        return roles | named | ({"judge": ", ".join(judges)} if judges else {})
    model = None if spec.model.startswith("none") else spec.model
    return {"model": model, "base_url": spec.model_base_url} | roles


def _settings(run: Run) -> dict[str, Any]:
    log = run.log
    found = shaping(log.settings) | log.header.eval.model_args
    for role, bound in log.roles.items():
        for number, model in enumerate(bound, start=1):
            name = f"{role}_{number}" if len(bound) > 1 else role
            own = shaping(model.config) | model.args
            found |= {f"{name}.{key}": value for key, value in own.items()}
    return found


def _solver(run: Run) -> dict[str, Any]:
    """The steps, and the parameters of each; those of a repeated one by number."""
    steps = run.log.header.plan.steps
    names = [step.solver.rpartition("/")[2] for step in steps]
    found: dict[str, Any] = {STEPS.name: " → ".join(names) or None}
    for place, step in enumerate(steps):
        name, before = names[place], names[:place].count(names[place])
        name += f" ({before + 1})" if before else ""
        found |= {f"{name}.{key}": value for key, value in flat(step.params)}
    return found


def _scorers(run: Run) -> dict[str, Any]:
    scorers = run.log.header.eval.scorers or []
    found: dict[str, Any] = {"scorers": ", ".join(s.name for s in scorers) or None}
    for scorer in scorers:
        options = dict(flat(scorer.options or {}))
        found |= {f"{scorer.name}.{key}": value for key, value in options.items()}
    return found


# What differs between conditions: the factor, and what else may explain a result.

PROTOCOL = Fact("parameters", "protocol")


class Difference(NamedTuple):
    """A fact, and its value in each condition; None where there is none."""

    fact: Fact
    values: tuple[str | None, ...]


class Split(NamedTuple):
    """All differences.

    Attributes:
        factor: What the comparison is about.
        confounds: All others: each may be why the conditions' results differ.
        chosen: Why the factor is what it is, in a sentence.
    """

    factor: Sequence[Difference]
    confounds: Sequence[Difference]
    chosen: str

    @property
    def of_protocols(self) -> bool:
        """Whether protocols are compared."""
        return bool({PROTOCOL, NAMED} & {one.fact for one in self.factor})


def only_some_have(one: Difference) -> bool:
    """Whether all conditions that have it have the same, as a protocol's rounds.

    Of other kinds what is absent has a default, and so is another value.
    """
    alike = len({value for value in one.values if value is not None}) == 1
    return alike and one.fact.kind in ("parameters", "models", "prompts")


def differences(conditions: Sequence[Facts]) -> list[Difference]:
    """What differs between conditions, by kind.

    What follows from another difference is left out: a solver that has the name of the
    protocol, and parameters of steps of which a condition has none.

    Args:
        conditions: The facts of each condition.
    """
    facts = list(dict.fromkeys(fact for one in conditions for fact in one))
    kinds = list(dict.fromkeys(fact.kind for fact in facts))
    found: list[Difference] = []
    for fact in sorted(facts, key=lambda fact: kinds.index(fact.kind)):
        candidate = Difference(fact, tuple(one.get(fact) for one in conditions))
        if _differs(candidate) and not any(_follows(e, candidate) for e in found):
            found.append(candidate)
    return found


def split(found: Sequence[Difference], named: Sequence[str], known: Facts) -> Split:
    """Tell the factor from the confounds.

    Args:
        found: All differences.
        named: What the user called the factor: names, `kind.name` or kinds. Without
            any it is the only difference, or else the protocol.
        known: Facts of any condition, so that the error for one that is the same can
            say so.

    Raises:
        InputError: If nothing of such a name differs.
    """
    factor: Sequence[Difference] = []
    if named:
        meant = [one for name in named for one in _named(name, found, known)]
        factor, why = list(dict.fromkeys(meant)), "It was named with --factor."
    elif len(found) == 1:
        factor, why = found, "It is the only thing that differs."
    elif factor := [one for one in found if one.fact == NAMED]:
        why = "The conditions have names, and no --factor was named."
    elif factor := [one for one in found if one.fact == PROTOCOL]:
        why = "The protocols differ, and no --factor was named."
    elif found:
        why = (
            f"{len(found)} things differ, and none was named: give --factor to say "
            "which one the comparison is about."
        )
    else:
        why = "Nothing differs: the runs repeat each other."
    return Split(factor, [one for one in found if one not in factor], why)


def _named(name: str, found: Sequence[Difference], known: Facts) -> list[Difference]:
    for meant in (
        [one for one in found if name in (one.fact.name, ".".join(one.fact))],
        [one for one in found if one.fact.kind == name],
    ):
        if meant:
            return meant
    same = any(name in (fact.name, ".".join(fact), fact.kind) for fact in known)
    what = "is the same in all conditions" if same else "is nothing that differs"
    others = ", ".join(dict.fromkeys(one.fact.name for one in found)) or "nothing"
    raise InputError(f"--factor={name!r} {what}; what differs: {others}.")


def _differs(candidate: Difference) -> bool:
    fact, values = candidate
    present = [value for value in values if value is not None]
    if fact.kind == SERVED:
        return len(set(present)) > 1
    if fact.kind in ("solver", "scorer") and "." in fact.name and None in values:
        return False
    return len(set(values)) > 1


def _follows(earlier: Difference, candidate: Difference) -> bool:
    """Whether one difference follows from another."""
    (kind, name), (other_kind, other) = earlier.fact, candidate.fact
    if (earlier.fact, candidate.fact) == (NAMED, PROTOCOL):
        return True
    if earlier.values != candidate.values or kind == other_kind:
        return False
    if candidate.fact == STEPS:
        return earlier.fact == PROTOCOL
    return other == name or other.endswith(f".{name}")
