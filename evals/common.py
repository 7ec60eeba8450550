"""What tasks share: what a log says of its protocol, and the viewer's sample list."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from inspect_ai.solver import Solver
from inspect_ai.viewer import (
    SampleScoreView,
    TaskSamplesColumn,
    TaskSamplesSort,
    TaskSamplesView,
    ViewerConfig,
)

from inspect_debate.debate.errors import typed_path
from inspect_debate.debate.prompts import hashes_of, read_prompts
from inspect_debate.solvers.colmad import colmad

Protocol = Callable[..., Solver]


def protocol_metadata(
    study: str,
    protocol: str,
    defaults: Mapping[str, Any],
    given: Mapping[str, Any],
    data: Mapping[str, Any],
) -> dict[str, Any]:
    """What reports read in the header of a log; `data` is what identifies the data."""
    parameters = {**defaults, **given}
    conditions = {k: v for k, v in parameters.items() if k not in ("seed", "prompts")}
    changed = {k: v for k, v in conditions.items() if v != defaults[k]}
    texts = read_prompts(typed_path(given["prompts"])) if given.get("prompts") else {}
    return {
        "study": study,
        "protocol": protocol,
        "parameters": parameters,
        "changed": changed,
        "prompts": hashes_of(texts),
        "data": {**data},
    }


def defaults_of(protocol: Protocol) -> dict[str, Any]:
    """The defaults of a protocol, over those of `colmad` if it hands on parameters."""
    parameters = signature(protocol).parameters.values()
    own = {p.name: p.default for p in parameters if p.kind is not p.VAR_KEYWORD}
    return own if len(own) == len(parameters) else defaults_of(colmad) | own


def viewer(title: str, *columns: str) -> ViewerConfig:
    """The sample list of a task: id, target, answer, then scores.

    Args:
        title: Its title.
        columns: What it shows, each as `SCORER.VALUE`; the first one sorts.
    """
    pairs = [column.split(".") for column in columns]
    shown = [TaskSamplesColumn(id=one) for one in ("sampleId", "target", "answer")]
    rest = ("input", "tokens", "duration", "retries")
    hidden = [TaskSamplesColumn(id=one, visible=False) for one in rest]
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
