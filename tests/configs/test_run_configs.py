"""configs/*.yaml: through `inspect eval --run-config`, on the sample, without a key."""

import re
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from tests.support.configurations import (
    CONFIGS,
    Typed,
    arguments,
    configuration,
    study,
)
from tests.support.runs import records, samples

pytestmark = pytest.mark.slow

NAMES = sorted(path.stem for path in CONFIGS.glob("*.yaml"))
PAPERS = [name for name in NAMES if name.endswith("_paper")]
RELEASED = ["srdcr_released"]
# These choose the samples, not how they are asked.
DATA = {
    *("source", "dataset", "subset", "response_author", "domains", "questions"),
    *("repetitions", "answers", "candidates"),
}
# Draws that only the paper's analysis needs, and defaults of the condition.
OWN = {"recall_samples", "shortest", "quotes"}  # quotes: exact in the paper
KINDS = {"answer", "speech", "verdict", "reward", "critique", "sample", "recall", "bet"}


@pytest.fixture(scope="module")
def logs(typed: Typed) -> dict[str, EvalLog]:
    """The log of every file, and of the tasks without arguments."""
    own = [f"its own {name.removesuffix('_paper')}" for name in PAPERS]
    found = {name: typed.logs(name) for name in (*NAMES, *own, "replaced")}
    return {name: log for name, (log,) in found.items()}


def parameters(log: EvalLog) -> dict[str, Any]:
    """The effective parameters."""
    assert log.eval.metadata is not None
    found = log.eval.metadata["parameters"]
    assert isinstance(found, dict)
    return found


def settings(log: EvalLog) -> list[dict[str, Any]]:
    """The generation settings that each participant of each sample really had."""
    return [each.settings for record in records(log) for each in record.participants]


def effective(log: EvalLog, name: str) -> object:
    """The value that an argument of a file has in the log."""
    kind, _, setting = name.removeprefix("config.").partition(".")
    if setting:
        found = {
            kinds[kind][setting]
            for kinds in settings(log)
            if setting in kinds.get(kind, {})
        }
        return found.pop() if len(found) == 1 else found
    if kind == "protocol":
        assert log.eval.metadata is not None
        return log.eval.metadata[kind]
    return parameters(log).get(kind)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_runs_a_registered_task_with_the_models_that_are_typed(
    name: str, logs: dict[str, EvalLog]
) -> None:
    log = logs[name]
    assert log.status == "success"
    assert log.eval.task == configuration(name)["task"]["task"]
    assert log.eval.model == "simulated/balanced"
    ids = {sample.id for sample in samples(log)}
    assert len(ids) == 2
    epochs = configuration(name).get("eval_config", {}).get("epochs", 1)
    assert len(samples(log)) == 2 * epochs


@pytest.mark.parametrize("name", NAMES)
def test_every_value_takes_effect(name: str, logs: dict[str, EvalLog]) -> None:
    given = {k: v for k, v in arguments(name).items() if k not in DATA}
    # Parameters of the task that no protocol has.
    given = {k: v for k, v in given.items() if k not in ("max_unparsed", "hidden")}
    # There may be no such draw.
    never = {"config.sample.temperature"} if "srdcr" in name else set[str]()
    assert {k: effective(logs[name], k) for k in given.keys() - never} == {
        k: v for k, v in given.items() if k not in never
    }


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_values_are_the_tasks_own(
    name: str, logs: dict[str, EvalLog]
) -> None:
    log, other = logs[name], logs[f"its own {name.removesuffix('_paper')}"]

    def shared(of: EvalLog) -> dict[str, Any]:
        known = parameters(of).items()
        return {k: v for k, v in known if k not in OWN | KINDS}

    assert shared(log) == shared(other)
    for here, there in zip(settings(log), settings(other), strict=True):
        assert {k: v for k, v in here.items() if k != "recall"} == there


@pytest.mark.parametrize("name", [*PAPERS, *RELEASED])
def test_every_value_of_a_paper_has_its_source(name: str) -> None:
    text = (CONFIGS / f"{name}.yaml").read_text(encoding="utf-8")
    _, _, rest = text.partition("  args:\n")
    block, _, _ = rest.partition("\n\n")
    lines = block.splitlines()
    values = [at for at, line in enumerate(lines) if re.match(r"    [\w.]+:", line)]
    assert len(values) == len(arguments(name))
    bare = [
        lines[at]
        for at in values
        if "#" not in lines[at] and not lines[at - 1].strip().startswith("#")
    ]
    assert bare == []


def test_what_is_typed_replaces_one_value_and_leaves_the_others(
    logs: dict[str, EvalLog],
) -> None:
    log = logs["replaced"]
    assert log.eval.task_args_passed == arguments("colmad_paper") | {
        "source": "sample",
        "rounds": 1,
        "config.word_limit": 120,
    }
    models = {each.model for record in records(log) for each in record.participants}
    assert models == {"simulated/balanced", "simulated/hesitant"}


def test_every_study_has_both_files_but_one_without_a_paper() -> None:
    scripts = {path.stem for path in CONFIGS.glob("*.py")}
    studies = {name for name in scripts if study(name).name == name}
    papers = {f"{study}_paper" for study in studies - {"debate"}}
    assert {*NAMES} == studies | papers | {*RELEASED}
