"""What tasks share: what a log says of its protocol, and the viewer's sample list."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

from inspect_ai.solver import Solver
from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from inspect_debate.debate.errors import InputError, typed_path
from inspect_debate.debate.prompts import hashes_of, read_prompts
from inspect_debate.debate.record import Debate
from inspect_debate.scorers.process import process_values

Protocol = Callable[..., Solver]


def protocol_metadata(
    study: str,
    protocol: str,
    defaults: Mapping[str, Any],
    given: Mapping[str, Any],
    **rest: Any,
) -> dict[str, Any]:
    """What reports read in the header of a log.

    Args:
        study: The study.
        protocol: The protocol.
        defaults: Its parameters with their defaults.
        given: The parameters that it was given.
        rest: What else identifies the run, such as the data.
    """
    parameters = {**defaults, **given}
    conditions = {k: v for k, v in parameters.items() if k not in ("seed", "prompts")}
    changed = {k: v for k, v in conditions.items() if v != defaults[k]}
    texts = read_prompts(typed_path(given["prompts"])) if given.get("prompts") else {}
    own = {"parameters": parameters, "changed": changed, "prompts": hashes_of(texts)}
    return {"study": study, "protocol": protocol, **own, **rest}


def defaults_of(*protocols: Protocol) -> dict[str, Any]:
    """The defaults of a protocol, over those of one to which it hands parameters on."""
    return {
        parameter.name: parameter.default
        for protocol in protocols
        for parameter in signature(protocol).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    }


def as_list(name: str, given: str | Sequence[str] | None, allowed: Any) -> list[str]:
    """A parameter that takes one name or several, checked."""
    names = given.split(",") if isinstance(given, str) else list(given or ())
    for one in names:
        if one not in allowed:
            raise InputError(
                f"{name}={one} is not known; allowed: {', '.join(sorted(allowed))}."
            )
    return names


def viewer(title: str, *columns: str) -> ViewerConfig:
    """The sample list of a task: id, target, answer, then scores.

    Args:
        title: Its title.
        columns: What it shows, each as `SCORER.VALUE`; the first one sorts.
    """
    pairs = [column.split(".") for column in columns]
    shown = [TaskSamplesColumn(id=one) for one in ("sampleId", "target", "answer")]
    hidden = [TaskSamplesColumn(id=one, visible=False) for one in _HIDDEN]
    hidden += [
        TaskSamplesColumn.score("process", name, visible=False)
        for name in process_values(Debate(), "")
        if f"process.{name}" not in columns
    ]
    scores = [TaskSamplesColumn.score(*pair) for pair in pairs]
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name=title,
            multiline=False,
            columns=[*shown, *scores, *hidden],
            sort=[TaskSamplesSort.score(*pairs[0], dir="asc")],
        ),
        sample_score_view=SampleScoreView(default="chips"),
    )


_HIDDEN = ("input", "tokens", "duration", "retries")
