"""Debates about questions of any data set: who debates, judges and knows what."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.questions import questions
from inspect_debate.debate.config import DebateConfig, load_config, split_dotted
from inspect_debate.debate.engine import held_by, of_another_package
from inspect_debate.debate.errors import (
    InputError,
    check_choice,
    check_name,
    check_whole_number,
)
from inspect_debate.debate.prompts import Prompt, load_prompts
from inspect_debate.debate.settings import say_once
from inspect_debate.evals.caps import caps
from inspect_debate.evals.prepared import check_reuse, log_metadata, prepare
from inspect_debate.evals.protocols import PROTOCOLS, Protocol, effective
from inspect_debate.evals.views import question_view
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers.consultancy import consultancy

VERSION = "2-A"


@task
def debate(
    protocol: str = "copmad",
    dataset: str = "sample",
    fields: str | dict[str, Any] | None = None,
    answers: Literal["options", "free"] | None = None,
    candidates: Literal["two", "all"] = "two",
    hidden: Literal["passage", "nothing"] = "passage",
    sides: Literal["free", "assigned"] | None = None,
    rounds: int | None = None,
    skip_if_agree: bool | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    order: Literal["ab", "ba", "both"] | None = None,
    show_openings: bool | None = None,
    judge_sees_problem: bool | None = None,
    n: int | None = None,
    match: str | None = None,
    match_on: Literal["calls", "tokens", "cost"] | None = None,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] | None = None,
    budget_usd: float | None = None,
    prices: str | dict[str, Any] | None = None,
    max_unparsed: float | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: str | dict[str, Any] | None = None,
    **rest: Any,
) -> Task:
    """Does a debate help a judge who knows less than the debaters to the right answer?

    Roles: `debater_a` and `debater_b` (each the main model where it is unbound) and
    `judge` (the model of `debater_a` where it is unbound; a list makes a panel). By
    default two debaters who have read a passage argue for two given answers, of which
    one is right, before a judge who has not read it and sees which quotes are verified
    (Michael et al. 2023; Khan et al. 2024).

    Args:
        protocol: `copmad`, a competitive debate, `colmad`, a collaborative one,
            `consultancy`, `judge_alone`, `single`, `ensemble`, `self_consistency`,
            `som`; or the registered solver of another package, as `package/name`.
        dataset: `sample` (shipped, written for this suite), a file, or
            `huggingface:NAME`.
        fields: Which columns hold what: a YAML file, or `fields.question=COLUMN`.
        answers: Whether a question is answered by one of its `options`, or in words,
            `free`; by default as the data has options or not.
        candidates: How many of a question's options are given: `two`, the right one and
            one of the others, drawn, alike in all protocols; or `all`.
        hidden: `passage`: judges do not read what the questions are about; `nothing`:
            all do. `protocol=judge_alone` with either is the judge without a debate.
        sides: `assigned`: who argues for which of two answers is drawn, and the other
            way round in every second epoch; or `free`: for one's own first answer.
            Free where answers are in words.
        rounds: Rounds of speeches or updates.
        skip_if_agree: Whether agreeing first answers are returned without a debate.
        turn_order: Whether both debaters speak at once (`simultaneous`), or one after
            the other (`sequential`).
        order: Which answer and defender a judge is shown first: `ab` the first, `ba`
            the second; `both` asks twice.
        show_openings: Whether first answers are part of the transcript.
        judge_sees_problem: Whether the judge is shown the question.
        n: How many answers `self_consistency` draws.
        match: The log of a debate; as many answers are drawn as cost the same.
        match_on: What is to cost the same: `calls`, if nothing else is given,
            `tokens`, or `cost`.
        reuse: A log whose first answers or debates are used again.
        reuse_until: The last stage to use again.
        budget_usd: US dollars that the run may spend; then no other sample starts.
        prices: For `budget_usd`: a YAML file of the models' prices.
        max_unparsed: The share of what is asked for that may be unreadable; above it no
            other sample starts.
        seed: Seed of sides, candidates, coins and of the samples' order.
        prompts: A YAML file laid over the prompts, `key: text` for each that changes
            (`inspect-debate prompts show choices` names them).
        config: A YAML file with rarer settings; `config.key=value` sets one.
        rest: The `config.key=value`, `fields.key=value` and, for a protocol of another
            package, `protocol.key=value` parameters.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = {name: value for name, value in locals().items() if name != "rest"}
    check_whole_number("seed", seed, at_least=0)
    check_choice("hidden", hidden, ("passage", "nothing"))
    check_reuse(reuse, reuse_until)
    stopping = caps(budget_usd, max_unparsed, prices)
    dotted = split_dotted(rest, list(given), "config", "fields", "protocol")
    chosen = {name: given[name] for name in PARAMETERS}
    kind = question_protocol(protocol, chosen, dotted["protocol"])

    loaded = questions(
        dataset,
        _fields(fields, dotted["fields"]),
        seed=seed,
        answers=answers,
        candidates=candidates,
    )
    free = loaded.provenance["answers"] == "free"
    if free and "sides" in kind.defaults:
        kind, chosen = _in_words(protocol, kind, chosen)
    settings = _settings(config, dotted["config"], free, hidden)
    if hidden == "passage" and not loaded.provenance["with_passage"]:
        say_once(
            "The questions are about no passage: judges know as much as debaters. If "
            "there is one, name its column with fields.passage=COLUMN."
        )
    prompt_set = load_prompts("choices", prompts, own_prompts(protocol))
    arguments = effective(protocol, kind, chosen | dotted["protocol"])
    if arguments.get("sides") == "assigned" and any(
        len(sample.choices or ()) > 2 for sample in loaded.dataset
    ):
        raise InputError(
            "sides=assigned needs questions with two answers; give candidates=two, or "
            "sides=free with candidates=all."
        )
    solver, parameters, samples = prepare(
        protocol,
        kind,
        arguments,
        loaded.dataset,
        settings=settings,
        seed=seed,
        prompts=prompt_set,
        data="dataset, fields, answers, candidates and seed",
    )
    return Task(
        dataset=samples,
        solver=solver,
        scorer=[question_answering(), debate_process()],
        early_stopping=stopping,
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="question_answering", metric="accuracy"),
        viewer=question_view(debated="rounds" in parameters),
        metadata=log_metadata(
            "debate",
            VERSION,
            protocol=protocol,
            parameters=parameters,
            seed=seed,
            data=loaded.provenance,
            prompts=prompt_set.texts,
        ),
    )


def _settings(
    config: str | dict[str, Any] | None,
    single: dict[str, Any],
    free: bool,
    hidden: str,
) -> DebateConfig:
    """The rarer settings, with those that the task's own parameters decide."""
    settings = load_config(DebateConfig, config, single)
    for name, parameter in {"answers": "answers", "passage": "hidden"}.items():
        if name in settings.model_fields_set:
            raise InputError(f"config.{name} is not for this task; give {parameter}.")
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


def _in_words(
    protocol: str, kind: Protocol, chosen: dict[str, Any]
) -> tuple[Protocol, dict[str, Any]]:
    """A protocol whose debaters answer in words, so that their sides are free.

    Raises:
        InputError: If it needs answers to choose from.
    """
    if protocol == "consultancy" or chosen["sides"] == "assigned":
        named = protocol if protocol == "consultancy" else "sides=assigned"
        raise InputError(
            f"{named} needs questions with options, and these are answered in words. "
            "Name options with fields.options=COLUMN, or hold a debate with sides=free."
        )
    return kind.but({"sides": "free"}), chosen


# The protocols of debates about questions: the suite's, and any other package's.

PARAMETERS = (
    *("sides", "rounds", "skip_if_agree", "turn_order", "order", "show_openings"),
    *("judge_sees_problem", "n", "match", "match_on", "reuse", "reuse_until"),
)
"""The task's parameters that are a protocol's own."""

_ASSIGNED = {"sides": "assigned"}

QUESTION_PROTOCOLS: dict[str, Protocol] = {
    **PROTOCOLS,
    "colmad": PROTOCOLS["colmad"].but(_ASSIGNED),
    "copmad": PROTOCOLS["copmad"].but(_ASSIGNED),
    "consultancy": Protocol(
        consultancy,
        {
            "rounds": 2,
            "sides": "assigned",
            "order": "ab",
            "judge_sees_problem": True,
            "reuse": None,
            "reuse_until": "debate",
        },
    ),
}


def question_protocol(
    name: str, given: Mapping[str, Any], own: Mapping[str, Any]
) -> Protocol:
    """A protocol by its name.

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
    return Protocol(partial(of_another_package, name), {**chosen, **own})


def own_prompts(name: str) -> Mapping[str, Prompt]:
    """The prompts that a protocol of another package brings with it, by key.

    Args:
        name: The protocol; those of the suite bring none.

    Raises:
        InputError: If there is no such protocol.
    """
    return held_by(of_another_package(name)).texts if "/" in name else {}
