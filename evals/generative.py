"""Does debate help a weaker judge? Generative debate on tasks that can be graded."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from logging import getLogger
from pathlib import Path
from typing import Any, Literal

import yaml
from inspect_ai import Task, task
from inspect_ai.dataset import Dataset, MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.util import SandboxEnvironmentSpec
from inspect_ai.viewer import ViewerConfig

from inspect_debate.v1.datasets.arc_agi import arc
from inspect_debate.v1.datasets.bigcodebench import bigcodebench
from inspect_debate.v1.datasets.sources import Loaded
from inspect_debate.v1.debate.engine import parameter
from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.paths import file_name, local_path
from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.debate.reuse import Logs, Until
from inspect_debate.v1.evals.tasks import (
    Given,
    Reusing,
    check_reuse,
    dataset_to_reuse,
    declared,
    log_metadata,
    samples_view,
)
from inspect_debate.v1.grading.choice import COMPOSE, sandbox_spec
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.eligible import checklist_of
from inspect_debate.v1.grading.interpreter import (
    environment_of,
    prepared_home,
    resolve_interpreter,
)
from inspect_debate.v1.grading.stored import GRADER
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.solvers.formats import FORMATS, Format
from inspect_debate.v1.solvers.generative import STUDY, GenerativeConfig, Grading
from inspect_debate.v1.solvers.generative_answers import INTERPRETER, WAY
from inspect_debate.v1.solvers.generative_debate import (
    GenerativeParameters,
    GenerativeProtocol,
)

VERSION = "3-B"


class GenerativeTask(Reusing):
    """The task's own parameters; those of the formats are `GenerativeParameters`."""

    protocol: GenerativeProtocol = parameter(
        "dual_debate",
        "`dual_debate`, `single_debate`, `dual_consultancy`, `single_consultancy`, "
        "`dual_no_transcript`, `single_no_transcript`, or `direct_qa`, in which the "
        "judge answers alone; and two formats that are not the study's: "
        "`single_critique`, one review by a critic, and `critic_alone`, in which the "
        "critic rules.",
    )
    dataset: Literal["arc", "bcb_plus", "bcb"] = parameter(
        "arc", "`arc`; `bcb_plus`, BigCodeBench+; or `bcb`, BigCodeBench."
    )
    source: str = parameter(
        "published",
        "`published`, `sample` (ships with the suite), or a path.",
    )
    version: str | int | None = parameter(
        None,
        "Of ARC-AGI 1 (the default) or 2; of BigCodeBench+ `v1.0.2`; or a name for "
        "tasks at a path.",
    )
    split: str | None = parameter(
        None,
        "Of ARC-AGI: `training`, `evaluation`, or `both` (the default).",
    )
    sandbox: str | None = parameter(
        None,
        "Where programs are graded: `bubblewrap`, `docker`, `local`, or any installed "
        "sandbox of Inspect's (`k8s:values.yaml`); by default the first of the first "
        "two that works.",
    )
    interpreter: str | None = parameter(
        None,
        "The Python that runs programs: a folder made by `inspect-debate bcb-env`, or "
        "an executable; by default the one that runs this. In sandboxes other than "
        "bubblewrap a path inside, by default `python3`.",
    )
    eligible: str | None = parameter(
        None,
        "The tasks whose own solutions pass here: a file by `inspect-debate "
        "bcb-eligible`.",
    )
    grades: str | None = parameter(
        None, "A folder where grades of programs are stored and reused."
    )
    unsafe_local: bool = parameter(
        False, "Allows `sandbox=local`, which runs programs as you, on this machine."
    )
    reuse: Logs | None = parameter(None, "A log whose answers or debates are reused.")
    reuse_until: Until | None = parameter(
        None,
        "The last stage to reuse: `answers` (the default), or `debate`, of the same "
        "format, for another judge.",
    )


@task
@declared(GenerativeTask, GenerativeParameters)
def generative(given: Given[GenerativeTask]) -> Task:
    """Does the judge see which answers are right, and does what is said help it?

    Roles: `debater_a`, the proposer; `debater_b`, the second proposer or the critic,
    by default another sample of the same model; `judge`, in the study a weaker model (a
    list makes a panel); `reward`, which scores candidates for a speech, by default the
    judge; `grader` for `verdict_checks`. A parameter that is not given has the format's
    own default.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    own, protocol, reuse = given.own, given.own.protocol, given.own.reuse
    declaration = STUDY.protocols[protocol]
    chosen = {name: v for name, v in given.chosen.items() if v is not None}
    parameters = declaration.effective(protocol, chosen)
    until: Until = own.reuse_until or "answers"
    check_reuse(reuse, own.reuse_until)
    STUDY.check_reuse(protocol, reuse, own.reuse_until)
    settings = given.settings(GenerativeConfig)
    loaded = load(own.dataset, own.version, own.split, own.source, own.seed)
    grader = None
    if own.dataset in CODED:
        grader = code_grader(
            own.sandbox, own.interpreter, own.unsafe_local, settings.grading
        )
        loaded = eligible_only(loaded, own.eligible, grader)
    else:
        asked = own.model_dump(
            include={"sandbox", "interpreter", "eligible", "grades", "unsafe_local"}
        )
        limits = settings.grading.model_dump(exclude_defaults=True)
        check_not_coded(own.dataset, asked | {"config.grading": limits})
    graded: dict[str, Any] = {}
    if grader is not None:
        graded = {
            "unsafe_local": own.unsafe_local,
            "grades": grader.cached_in(own.grades),
            "sandbox": grader.sandbox.type,
            "interpreter": grader.interpreter,
        }
    reused: dict[str, Any] = {}
    if reuse is not None:
        reused = {"reuse": reuse, "reuse_until": until}
    solver = declaration.solver(
        protocol,
        **chosen,
        seed=own.seed,
        prompts=own.prompts,
        config=settings.model_dump(mode="json", exclude_defaults=True),
        **graded,
        **reused,
    )

    data: Dataset = loaded.dataset
    logged = parameters.logged(protocol) | settings.logged() | {"dataset": own.dataset}
    if grader is not None:
        logged |= {"grader": grader.logged}
    prompt_set = load_prompts(
        *("generative", own.prompts, declaration.texts),
        extra=settings.extra_prompts,
    )
    if reuse is not None:
        data = dataset_to_reuse(
            STUDY,
            protocol,
            logged,
            reuse,
            until,
            data,
            prompts=prompt_set,
            same="dataset, source, version and split",
        )
        logged |= {"reuse": file_name(reuse), "reuse_until": until}
    return Task(
        dataset=data,
        solver=solver,
        scorer=[verdicts()],
        sandbox=None if grader is None else grader.sandbox,
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="verdicts", metric="accuracy"),
        viewer=verdicts_view(FORMATS[protocol]),
        metadata=log_metadata(
            "generative",
            VERSION,
            protocol=protocol,
            parameters=logged,
            seed=own.seed,
            data=loaded.provenance,
            # A format's own prompts only where they are not the shipped ones: reports
            # compare runs by these texts.
            prompts={
                key: text
                for key, text in prompt_set.texts.items()
                if key not in declaration.texts or text != declaration.texts[key].text
            },
        ),
    )


# The data sets of generative debate, and how answers to them are graded.

Load = Callable[[str | int | None, str | None, str, int], Loaded]
"""Loads a data set's version and split from a source, in an order by a seed."""


def _arc(
    version: str | int | None, split: str | None, source: str, seed: int
) -> Loaded:
    return arc(version, "both" if split is None else split, source, seed)


def _code(
    dataset: str, version: str | int | None, split: str | None, source: str, seed: int
) -> Loaded:
    if split is not None:
        raise InputError(
            f"split={split} has no meaning for dataset={dataset}, which has one part."
        )
    return bigcodebench(dataset, version, source, seed)


CODED = ("bcb_plus", "bcb")
"""The data sets whose answers are programs."""

DATASETS: Mapping[str, Load] = {
    "arc": _arc,
    **{name: partial(_code, name) for name in CODED},
}
"""The data sets by the name of the task's parameter."""


def load(
    dataset: str, version: str | int | None, split: str | None, source: str, seed: int
) -> Loaded:
    """A data set's samples, and where they come from.

    Args:
        dataset: A key of `DATASETS`.
        version: Which release; the data set's default if None.
        split: Which part; the data set's default if None.
        source: `published`, `sample`, or a path.
        seed: Of the order.

    Raises:
        InputError: If there is no such data set, or it cannot be loaded.
    """
    check_choice("dataset", dataset, tuple(DATASETS))
    return DATASETS[dataset](version, split, source, seed)


# In what programming tasks are graded, and which of them can be.

logger = getLogger(__name__)

# Parameters that `inspect-debate bcb-eligible` shares with the task.
_OF_LIST = (
    *("sandbox", "config_sha256", "interpreter", "image", "grader"),
    *("python", "platform", "packages_sha256", "nltk_data", "seconds", "memory_mb"),
)
_OF_DATA = ("dataset", "version", "sha256")


@dataclass(frozen=True)
class CodeGrader:
    """Where code runs that is graded.

    Attributes:
        sandbox: The sandbox, for Inspect.
        interpreter: The Python inside it, a path or a name.
        logged: What decides about a grade, for the log: the sandbox, the interpreter
            with a checksum of its libraries, and limits.
    """

    sandbox: SandboxEnvironmentSpec
    interpreter: str
    logged: dict[str, Any]

    def cached_in(self, grades: str | None) -> str | None:
        """The folder for grades of this sandbox, within one that a user named.

        Raises:
            InputError: If there can be no such folder.
        """
        if grades is None:
            return None
        folder = Path(grades) / str(self.logged["id"])
        try:
            (local_path(grades) / folder.name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"grades={grades}: no folder can be made there: {error.strerror}."
            ) from error
        return str(folder)


def code_grader(
    sandbox: str | None, interpreter: str | None, unsafe_local: bool, limits: Grading
) -> CodeGrader:
    """The sandbox that is asked for, or that there is.

    Args:
        sandbox: As for `sandbox_spec`; bubblewrap or Docker, whichever works, if None.
        interpreter: In bubblewrap a folder that `inspect-debate bcb-env` made, or an
            executable; this Python's standard library if None. In any other sandbox the
            path of a Python inside it; the `python3` on its PATH if None.
        unsafe_local: Whether `local` is allowed.
        limits: What code may use.

    Raises:
        InputError: If there is no such sandbox or interpreter, or if limits are given
            to a sandbox that has its own.
    """
    given = sandbox in (None, "bubblewrap")
    program = resolve_interpreter(interpreter) if given else None
    config = BubblewrapConfig(
        interpreter=program,
        home=_home(program),
        **limits.model_dump(exclude={"seconds"}),
    )
    spec = sandbox_spec(sandbox, config=config, unsafe_local=unsafe_local)
    ours = spec.type == "bubblewrap"
    inside = INTERPRETER if ours else interpreter or INTERPRETER
    logged = {"sandbox": spec.type, "grader": GRADER}
    if ours or spec.type == "local":
        logged |= _environment(interpreter if ours else inside)
    else:
        logged |= {"interpreter": inside} | _configuration(spec)
    if not ours:
        _check_limits(spec.type, limits)
    logged |= limits.model_dump(mode="json", exclude={"parallel"})
    id = hashlib.sha256(json.dumps(logged, sort_keys=True).encode()).hexdigest()[:16]
    return CodeGrader(spec, inside, logged | {"id": id})


def _check_limits(sandbox: str, limits: Grading) -> None:
    """Raise if the user sets a limit that only bubblewrap takes from us."""
    usual = Grading()
    for name in ("memory_mb", "disk_mb", "processes"):
        if getattr(limits, name) != getattr(usual, name):
            where = COMPOSE.name if sandbox == "docker" else "its own configuration"
            raise InputError(
                f"config.grading.{name}={getattr(limits, name)} has no effect with "
                f"sandbox={sandbox}; set that limit in {where}."
            )


def _home(interpreter: str | None) -> str | None:
    """The home directory that `inspect-debate bcb-env` prepared, where it did."""
    home = None if interpreter is None else prepared_home(interpreter)
    return str(home) if home is not None and home.is_dir() else None


def _configuration(spec: SandboxEnvironmentSpec) -> dict[str, Any]:
    """What is logged of a sandbox whose interpreter cannot be inspected from here."""
    if spec.config is None:
        return {}
    text = Path(str(spec.config)).read_bytes()
    logged: dict[str, Any] = {"config_sha256": hashlib.sha256(text).hexdigest()}
    if spec.config == str(COMPOSE):
        logged["image"] = yaml.safe_load(text)["services"]["default"]["image"]
    return logged


def _environment(interpreter: str | None) -> dict[str, Any]:
    found = environment_of(resolve_interpreter(interpreter))
    return {
        "python": found.python,
        "platform": found.platform,
        "packages": len(found.packages),
        "packages_sha256": found.sha256,
        "nltk_data": list(found.nltk_data),
    }


def check_not_coded(dataset: str, given: Mapping[str, Any]) -> None:
    """Check that nothing is asked of a grader of code where no answer is code.

    Raises:
        InputError: Naming the first parameter that was given.
    """
    for name, value in given.items():
        if value:
            raise InputError(
                f"{name}={value} has no meaning for dataset={dataset}, whose answers "
                f"are not run; it is for {' and '.join(CODED)}."
            )


def of_data(loaded: Loaded) -> dict[str, Any]:
    """Which tasks these are, however they came here."""
    dataset = loaded.dataset.name
    return {name: loaded.provenance.get(name, dataset) for name in _OF_DATA}


def eligible_only(loaded: Loaded, eligible: str | None, grader: CodeGrader) -> Loaded:
    """The tasks whose own solutions passed in the user's sandbox.

    Args:
        loaded: All tasks.
        grader: What grades here, and has to be what made the list.
        eligible: A file that `inspect-debate bcb-eligible` wrote; without one all tasks
            stay, and it is said that they were not checked. Tasks that are not on it
            are left out, too.

    Raises:
        InputError: If the file is of other tasks or another grader, or none is
            eligible.
    """
    samples = list(loaded.dataset)
    if eligible is None:
        logger.warning(
            f"{len(samples)} tasks are unchecked: the tests of some may fail for every "
            "answer here, as where the interpreter lacks a library. `inspect-debate "
            "bcb-eligible` finds out which; give its list as eligible=FILE."
        )
        logged: dict[str, Any] = {"unchecked": len(samples)}
        return Loaded(loaded.dataset, loaded.provenance | logged)
    made_by = {n: v for n, v in grader.logged.items() if n in _OF_LIST}
    found = checklist_of(eligible, of_data(loaded), made_by)
    kept = [sample for sample in samples if str(sample.id) in found.eligible]
    ways = Counter(found.checked[str(sample.id)].way for sample in kept)
    for sample in kept:
        way = found.checked[str(sample.id)].way
        sample.metadata = {**(sample.metadata or {}), **({WAY: way} if way else {})}
    unchecked = len([s for s in samples if str(s.id) not in found.checked])
    if unchecked:
        logger.warning(
            f"eligible={eligible}: {unchecked} of {len(samples)} tasks are not on it, "
            "and are left out."
        )
    logged = {
        "eligible": file_name(eligible),
        "eligible_sha256": found.sha256,
        "ineligible": len(samples) - len(kept) - unchecked,
        "unchecked_left_out": unchecked,
        "graded_by_value": ways["by_value"],
        "graded_in_process": ways["in_process"],
    }
    dataset = MemoryDataset(kept, name=loaded.dataset.name)
    return Loaded(dataset, loaded.provenance | logged)


def verdicts_view(format: Format) -> ViewerConfig:
    """The sample list of judged answers: which were right, and what was ruled.

    Args:
        format: How many answers are judged, and how it is spoken about them.
    """
    values = []
    for proposer in "ab"[: format.proposers]:
        values += [f"right_{proposer}", f"endorsed_{proposer}"]
    return samples_view(
        "Tasks",
        *("sampleId", "answer", "verdicts.correct"),
        *(f"verdicts.{value}" for value in (*values, "calls", "tokens")),
        sort="verdicts.correct",
    )
