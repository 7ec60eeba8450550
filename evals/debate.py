"""Debates about questions of any data set: who debates, judges and knows what."""

from collections.abc import Mapping
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.v1.datasets.questions import questions, questions_of_log
from inspect_debate.v1.debate.engine import (
    load_config,
    of_another_package,
    parameter,
    solver_info,
    split_dotted,
)
from inspect_debate.v1.debate.errors import (
    InputError,
    check_name,
)
from inspect_debate.v1.debate.paths import existing_log
from inspect_debate.v1.debate.prompts import Prompt, load_prompts
from inspect_debate.v1.debate.settings import say_once
from inspect_debate.v1.evals.tasks import (
    PROTOCOLS,
    Defaults,
    Given,
    Reusing,
    answers_view,
    check_reuse,
    declared,
    defaults_of,
    effective,
    extra_prompts,
    log_metadata,
    prepare,
)
from inspect_debate.v1.scorers.debate_process import debate_process
from inspect_debate.v1.scorers.question_answering import question_answering
from inspect_debate.v1.solvers.baselines import JudgeAlone
from inspect_debate.v1.solvers.colmad import ColMAD, CopMAD
from inspect_debate.v1.solvers.consultancy import Consultancy
from inspect_debate.v1.solvers.question_answering import STUDY, DebateConfig
from inspect_debate.v1.solvers.self_consistency import SelfConsistency
from inspect_debate.v1.solvers.som import SoM

VERSION = "2-B"


class DebateTask(Reusing):
    """The task's own parameters; those of its protocols are in `solvers/`."""

    protocol: str = parameter(
        "copmad",
        "`copmad`, a competitive debate, `colmad`, a collaborative one, `consultancy`, "
        "`judge_alone`, `single`, "
        "`ensemble`, `self_consistency`, `som`; or the registered solver of another "
        "package, as `package/name`.",
    )
    dataset: str = parameter(
        "sample",
        "`sample` (ships with the suite), a file, or `huggingface:NAME`.",
    )
    fields: str | dict[str, Any] | None = parameter(
        None, "Which columns have what: a YAML file, or `fields.question=COLUMN`."
    )
    answers: Literal["options", "free"] | None = parameter(
        None,
        "A question is answered by one of its `options`, or in words (`free`); by "
        "default by options if the data have any.",
    )
    candidates: Literal["two", "all"] = parameter(
        "two",
        "Which options are given: `two`, the right one and one other, drawn, the same "
        "in all protocols; or `all`.",
    )
    hidden: Literal["passage", "nothing"] = parameter(
        "passage",
        "`passage`: judges do not read what the questions are about; `nothing`: they "
        "do.",
    )
    prompts: str | None = parameter(
        None,
        "A YAML file with texts in place of the prompts (`inspect-debate prompts show "
        "choices` names them).",
    )


@task
@declared(
    *(DebateTask, ColMAD, CopMAD, Consultancy, SelfConsistency, SoM, JudgeAlone),
)
def debate(given: Given[DebateTask]) -> Task:
    """Does a debate help a judge who knows less than the debaters to the right answer?

    Roles: `debater_a` and `debater_b` (each the main model where it is unbound) and
    `judge` (the model of `debater_a` where it is unbound; a list makes a panel). By
    default two debaters who have read a passage argue for two given answers, of which
    one is right, before a judge who has not read it and sees which quotes are verified
    (Michael et al. 2023; Khan et al. 2024). A parameter of a protocol of another
    package is given as `protocol.key=value`.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = _as_imported(given)
    own, protocol = given.own, given.own.protocol
    check_reuse(own.reuse, own.reuse_until)
    dotted = split_dotted(given.rest, given.names, "config", "fields", "protocol")
    chosen = given.chosen | {"reuse": own.reuse, "reuse_until": own.reuse_until}
    defaults = question_protocol(protocol, chosen, dotted["protocol"])

    condition: dict[str, str] = {}
    if own.dataset == REUSED and isinstance(own.reuse, str):
        loaded = questions_of_log(own.reuse)
        there = existing_log("reuse", own.reuse).eval.metadata or {}
        condition["condition"] = str(there["condition"])
    else:
        loaded = questions(
            own.dataset,
            _fields(own.fields, dotted["fields"]),
            seed=own.seed,
            answers=own.answers,
            candidates=own.candidates,
        )
    free = loaded.provenance["answers"] == "free"
    if free and "sides" in defaults:
        _check_in_words(protocol, chosen["sides"])
        defaults = {**defaults, "sides": "free"}
    settings = _settings(own.config, dotted["config"], free, own.hidden)
    if own.hidden == "passage" and not loaded.provenance["with_passage"]:
        say_once(
            "The questions are about no passage: judges know as much as debaters. If "
            "there is one, name its column with fields.passage=COLUMN."
        )
    arguments = effective(protocol, defaults, chosen | dotted["protocol"])
    prompt_set = load_prompts(
        "choices",
        own.prompts,
        own_prompts(protocol),
        extra=extra_prompts(protocol, arguments, settings),
    )
    drawn = own.dataset != REUSED and arguments.get("sides") == "assigned"
    if drawn and any(len(sample.choices or ()) > 2 for sample in loaded.dataset):
        raise InputError(
            "sides=assigned needs questions with two answers; give candidates=two, or "
            "sides=free with candidates=all."
        )
    solver, parameters, samples = prepare(
        protocol,
        arguments,
        loaded.dataset,
        settings=settings,
        seed=own.seed,
        prompts=prompt_set,
        data="dataset, fields, answers, candidates and seed",
    )
    return Task(
        dataset=samples,
        solver=solver,
        scorer=[question_answering(), debate_process()],
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="question_answering", metric="accuracy"),
        viewer=answers_view(
            "Questions", "question_answering", debated="rounds" in parameters
        ),
        metadata=log_metadata(
            "debate",
            VERSION,
            protocol=protocol,
            parameters=parameters,
            seed=own.seed,
            data=loaded.provenance,
            prompts=prompt_set.texts,
        )
        | condition,
    )


REUSED = "reused"
"""The data set of a run that judges imported debates anew: theirs."""


def _as_imported(given: Given[DebateTask]) -> Given[DebateTask]:
    """What was given, with what the log says where imported debates are judged anew.

    Their protocol, its parameters and their questions are those of the log, unless a
    user gives other ones.
    """
    own = given.own
    if not isinstance(own.reuse, str):  # several are shards, and imports are none
        return given
    there = existing_log("reuse", own.reuse).eval.metadata or {}
    if not there.get("imported"):
        return given
    defaults = {n: f.default for n, f in DebateTask.model_fields.items()}
    check_name("protocol", there["protocol"], [*QUESTION_PROTOCOLS])
    parameters = there["parameters"]
    update: dict[str, Any] = {"reuse_until": own.reuse_until or "debate"}
    if own.protocol == defaults["protocol"]:
        update["protocol"] = there["protocol"]
    if own.dataset == defaults["dataset"]:
        update["dataset"] = REUSED
    if own.hidden == defaults["hidden"] and parameters.get("passage") == "shown":
        update["hidden"] = "nothing"
    same = update.get("protocol", own.protocol) == there["protocol"]
    known = STUDY.protocols[there["protocol"]].parameters.model_fields if same else ()
    chosen = {
        name: parameters.get(name)
        if value is None and name in known and name in parameters
        else value
        for name, value in given.chosen.items()
    }
    return given._replace(own=own.model_copy(update=update), chosen=chosen)


def _settings(
    config: str | dict[str, Any] | None,
    single: dict[str, Any],
    free: bool,
    hidden: str,
) -> DebateConfig:
    """The rarer settings, with those that the task's own parameters decide."""
    settings = load_config(DebateConfig, config, single)
    for name, instead in {"answers": "answers", "passage": "hidden"}.items():
        if name in settings.model_fields_set:
            raise InputError(f"config.{name} is not for this task; give {instead}.")
    return settings.model_copy(
        update={
            "answers": "free" if free else "options",
            "passage": "hidden" if hidden == "passage" else "shown",
        }
    )


def _fields(
    given: str | dict[str, Any] | None, single: dict[str, Any]
) -> str | dict[str, Any] | None:
    """The fields from a file or a mapping, or given one by one."""
    if isinstance(given, str) and single:
        raise InputError(
            f"fields={given} and fields.{next(iter(single))}: give one of the two."
        )
    return {**given, **single} if isinstance(given, dict) else (given or single or None)


def _check_in_words(protocol: str, sides: str | None) -> None:
    """Check that a protocol needs no answers to choose from: its sides are free.

    Raises:
        InputError: If it does.
    """
    if protocol == "consultancy" or sides == "assigned":
        named = protocol if protocol == "consultancy" else "sides=assigned"
        raise InputError(
            f"{named} needs questions with options, and these are answered in words. "
            "Name options with fields.options=COLUMN, or hold a debate with sides=free."
        )


# The protocols of debates about questions: the suite's, and any other package's.

QUESTION_PROTOCOLS: dict[str, Defaults] = {
    **PROTOCOLS,
    "colmad": {**PROTOCOLS["colmad"], "sides": "assigned"},
    "copmad": {**PROTOCOLS["copmad"], "sides": "assigned"},
    "consultancy": defaults_of("consultancy"),
}


def question_protocol(
    name: str, given: Mapping[str, Any], own: Mapping[str, Any]
) -> Defaults:
    """The parameters of a protocol, with their defaults.

    Args:
        name: One of the suite's, or `package/name` of a registered solver, which has to
            take `seed`, `prompts` and `config`, and what is given for it.
        given: What the user gave of the task's parameters for protocols; None where
            nothing was.
        own: What the user gave for parameters of that solver's own.

    Raises:
        InputError: If there is no such protocol, or if one of the suite's is given
            parameters of its own.
    """
    if "/" not in name:
        check_name("protocol", name, (*QUESTION_PROTOCOLS, "PACKAGE/NAME"))
        if own:
            raise InputError(
                f"protocol.{next(iter(own))} is for protocols of other packages; the "
                f"parameters of {name} are given by their names."
            )
        return QUESTION_PROTOCOLS[name]
    chosen = {name: value for name, value in given.items() if value is not None}
    if twice := chosen.keys() & own.keys():
        both = min(twice)
        raise InputError(f"{both} and protocol.{both}: give one of the two.")
    if "reuse" in chosen:
        chosen.setdefault("reuse_until", "debate")
    return {**chosen, **own}


def own_prompts(name: str) -> Mapping[str, Prompt]:
    """The prompts that a protocol brings with it, by key.

    Args:
        name: The protocol, of the suite or of another package.

    Raises:
        InputError: If there is no such protocol.
    """
    if "/" not in name:
        return STUDY.protocols[name].texts
    return solver_info(of_another_package(name)).texts
