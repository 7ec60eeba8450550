"""The debates of a log, judged again."""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Scorer
from inspect_ai.util import registry_create

from inspect_debate.datasets.logged import logged
from inspect_debate.debate.errors import typed_path, validated
from inspect_debate.debate.prompts import hashes_of, read_prompts
from inspect_debate.scorers.graded import GRADED
from inspect_debate.solvers.rejudge import protocol_of
from inspect_debate.solvers.rejudge import rejudge as solver


@task
@validated
def rejudge(debates: str, **parameters: Any) -> Task:
    """Other judges on the debates of a log; what was said in them costs no call.

    The result is a log of the same study and protocol: reports and `compare` read both.
    Role: `judge` (may be a panel; by default the main model).

    Args:
        debates: The log.
        parameters: Parameters of its protocol that change what judges read and are
            asked, such as `order`, `judge_sees_passage` or `prompts`, a YAML file.
    """
    read, spoke = logged(debates), dict[str, set[str]]()
    for debate in read.debates.values():
        for turn in debate.turns:
            if turn.role != "judge":
                spoke.setdefault(turn.role, set()).add(turn.model)
    spec, about = read.log.eval, dict(read.log.eval.metadata or {})
    if spec.solver or "protocol" not in about:  # run with --solver, on any task
        protocol, given = protocol_of(read.log, debates)
        name = protocol.removeprefix("inspect_debate/")
        about |= {"study": "debate", "protocol": name, "data": {"source": spec.task}}
        about |= {"parameters": given, "changed": given}
    before = about.get("parameters", {})
    changed = {k: v for k, v in parameters.items() if v != before.get(k)}
    prompts = changed.pop("prompts", None)
    about |= {
        "rejudged": debates,
        "spoke": {role: ", ".join(sorted(models)) for role, models in spoke.items()},
        "parameters": before | parameters,
        "changed": about.get("changed", {}) | changed,
    }
    if path := prompts or before.get("prompts"):  # as the file is now
        about["prompts"] = hashes_of(read_prompts(typed_path(path)))
    return Task(
        dataset=read.samples,
        solver=solver(debates, **parameters),
        scorer=_scorers(read.log),
        epochs=spec.config.epochs or 1,
        version=spec.task_version,
        display_name=f"{spec.task_display_name or spec.task}, rejudged",
        tags=spec.tags,
        headline_metric=spec.headline_metric,
        viewer=spec.viewer,
        metadata=about,
    )


def _scorers(log: EvalLog) -> list[Scorer]:
    """The scorers of a log, but for those that ask a model about what was said."""
    given = {one.name: one.options or {} for one in log.eval.scorers or []}
    if (log.eval.metadata or {}).get("study") == "confidence":
        given = {"bets": {}, "jury": {}}
    scorers: list[Scorer] = []
    for name, options in given.items():
        if name in GRADED:
            continue
        try:
            found = registry_create("scorer", f"inspect_debate/{name}", **options)
        except LookupError:  # of another task
            found = registry_create("scorer", name, **options)
        scorers.append(found)
    return scorers
