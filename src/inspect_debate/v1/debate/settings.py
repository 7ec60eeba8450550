"""One place that resolves generation settings, because Inspect's roles inherit none.

Who wins, strongest first: what the user set on the role (`--model-role 'judge={model:
..., temperature: 0.2}'`), what `-T config.<kind>.<setting>=` sets, what was set for
the run (`--temperature`, `--max-tokens`, ...; Inspect alone would give those to the
main model only), the study's default for that kind of turn.
"""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from logging import getLogger
from math import isnan
from typing import Annotated, Any, Literal, NamedTuple

from click import echo, get_current_context
from inspect_ai.hooks import Hooks, RunEnd, SampleEnd, TaskEnd, TaskStart, hooks
from inspect_ai.log import EvalLog
from inspect_ai.model import CachePolicy, GenerateConfig, Model
from inspect_ai.util import display_type
from pydantic import Field, ValidationError, model_validator

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.record import Frozen
from inspect_debate.v1.debate.spending import begin_reading, parse_failure_note

logger = getLogger(__name__)

_run_config: ContextVar[GenerateConfig] = ContextVar("run_config")
_logged: ContextVar[set[str]] = ContextVar("logged")
_scorers: ContextVar[Sequence["TaskScorer"]] = ContextVar("scorers", default=())
_task_limit: ContextVar[int | None] = ContextVar("task_limit", default=None)
_of_run: ContextVar[bool] = ContextVar("of_run", default=True)
after_each: ContextVar[Callable[[SampleEnd | TaskEnd], None] | None] = ContextVar(
    "after_each", default=None
)
"""What is called after each sample and each run, such as a progress bar's next step."""

OWN_SCORERS = ("debate_process", "judge_check", "question_answering")
"""The scorers of this suite, by their names."""

_COMMANDS = ("eval", "eval-retry")

LEAST_TOKENS = 400
"""What the 300 words take that a speech has by default, and an answer with reasons."""


class TaskScorer(NamedTuple):
    """A scorer of the task that runs, with the arguments that it was made with."""

    name: str
    options: Mapping[str, Any]


@hooks(
    name="inspect_debate_settings",
    description="Lets the settings of a run reach every role of a debate.",
)
class RunSettings(Hooks):
    """Keeps the run's generation settings where the task's samples can read them."""

    async def on_task_start(self, data: TaskStart) -> None:
        """Remember the settings of this run, and what the task's scorers are."""
        _run_config.set(data.plan.config)
        _logged.set(set())
        _scorers.set(
            [TaskScorer(s.name, s.options or {}) for s in data.spec.scorers or ()]
        )
        # Inspect copies what was typed into the main model; what the task sets it does
        # not.
        limit = data.plan.config.max_tokens
        typed = data.spec.model_generate_config.max_tokens
        _task_limit.set(None if limit == typed else limit)
        begin_reading()
        _warn_of_reducers(data.spec.config.epochs_reducer or ())

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Tell the command that runs these samples, if it counts them."""
        if (done := after_each.get()) is not None:
            done(data)

    async def on_task_end(self, data: TaskEnd) -> None:
        """Warn of a run that came to its end with too much that could not be read."""
        if (done := after_each.get()) is not None:
            done(data)
        message = parse_failure_note()
        if message is not None and data.log.status == "success":
            say_once(message)

    async def on_run_end(self, data: RunEnd) -> None:
        """Say what comes next, or let `inspect eval` fail where a debate did.

        By itself it ends with 0 then.
        """
        failed = [log for log in data.logs if log.status == "error" and _is_own(log)]
        typed = get_current_context(silent=True)
        if typed is None or typed.info_name not in _COMMANDS:
            return
        if not failed:
            if display_type() != "none":
                typed.call_on_close(lambda: _say_what_comes_next(data.logs))
            return
        if display_type() == "none":
            for log in failed:
                message = log.error.message if log.error else "the run failed"
                echo(f"Error: {log.eval.task}: {message}", err=True)
        typed.call_on_close(lambda: sys.exit(1))


def _say_what_comes_next(logs: Sequence[EvalLog]) -> None:
    """The numbers of each run, and a command for each study's report."""
    first = "uv run " if os.environ.get("UV_RUN_RECURSION_DEPTH") else ""
    commands: list[str] = []
    for log in logs:
        study = (log.eval.metadata or {}).get("study")
        if log.status != "success" or study is None or not _is_own(log):
            continue
        folder = log.location.removeprefix("file://").rpartition("/")[0]
        if folder.startswith("/"):
            folder = min(folder, os.path.relpath(folder), key=len)
        if not commands:
            echo()  # Inspect's last line may have no end
        commands.append(f"report {study} {shlex.quote(folder)} --out report")
        if numbers := dict(_numbers(log)):
            protocol = (log.eval.metadata or {}).get("protocol", study)
            run = study if protocol == study else f"{study}, {protocol}"
            scored = log.results.completed_samples if log.results else 0
            echo(f"{run}: {scored} sample{'s' * (scored != 1)} (± standard error)")
            width = max(map(len, numbers))
            for name, number in numbers.items():
                echo(f"  {name:<{width}}  {number}")
    for command in dict.fromkeys(commands):
        echo(f"Next: {first}inspect-debate {command}")


def _numbers(log: EvalLog) -> Iterator[tuple[str, str]]:
    """The numbers of a run by name, each with its standard error; the headline first.

    Numbers that are not defined are left out.
    """
    for score in log.results.scores if log.results else ():
        found = {name: metric.value for name, metric in score.metrics.items()}
        for name, value in found.items():
            error = found.get(f"{name}_stderr")
            if not name.endswith("_stderr") and not isnan(value):
                known = error is not None and not isnan(error)
                extra = f" ± {error:.3f}" if known else " (no standard error)"
                yield name, f"{value:.3f}{extra}"


def _is_own(log: EvalLog) -> bool:
    """Whether a task of the old suite ran."""
    return "suite" in (log.eval.metadata or {})


def _warn_of_reducers(reducers: Sequence[str]) -> None:
    """Say once that a reducer of epochs does nothing to this suite's scores."""
    found = [s.name.rpartition("/")[2] for s in scorers_of_run()]
    own = [name for name in found if name in OWN_SCORERS]
    if own and any(reducer != "mean" for reducer in reducers):
        say_once(
            f"--epochs-reducer {','.join(reducers)} has no effect on {', '.join(own)}: "
            "the metrics of this suite count every epoch as an attempt of its own."
        )


def scorers_of_run() -> Sequence[TaskScorer]:
    """The scorers of the task that runs; none where none does."""
    return _scorers.get()


def say_once(warning: str) -> None:
    """Log a warning at its first occurrence in a run."""
    logged = _logged.get(None)
    if logged is None or warning not in logged:
        logger.warning(warning)
    if logged is not None:
        logged.add(warning)


Temperature = Annotated[float, Field(ge=0, strict=True, allow_inf_nan=False)]


class Sampling(Frozen):
    """The generation settings of one kind of turn that `-T config` can set.

    `temperature="provider"` sends none: reasoning models often refuse one.
    """

    temperature: Temperature | Literal["provider"] | None = None
    max_tokens: int | None = Field(default=None, ge=1, strict=True)
    top_p: float | None = Field(default=None, gt=0, le=1, strict=True)
    seed: int | None = Field(default=None, strict=True)


Probability = Literal["none", "stated", "token", "both"]
"""How a judge's probability is asked for: in words, by its token, or both."""


def _as_before(value: object) -> bool:
    return value in ("none", False, 0)


class Judging(Sampling):
    """The generation settings of verdicts, and how a judge's probability is asked for.

    Settings that are not used are not in the record, as in records of before.

    Attributes:
        probability: `stated`: the judge is asked for the probability, in percent, that
            its verdict is right; `token`: the log-probabilities of its decision's token
            and of the alternatives are asked for; `both`; or `none`.
        first: The verdict comes before its reasons, so that its token does not follow
            from them; papers whose judges give reasons first are not reproduced then.
        samples: So many further draws of each verdict, at temperature 1, whatever that
            of verdicts is, or the provider's. Their share is a probability where a
            provider gives none.
    """

    probability: Probability = Field(default="none", exclude_if=_as_before)
    first: bool = Field(default=False, strict=True, exclude_if=_as_before)
    samples: int = Field(default=0, ge=0, strict=True, exclude_if=_as_before)

    @model_validator(mode="before")
    @classmethod
    def _of_sampling(cls, given: object) -> object:
        """Generation settings alone are settings of verdicts, too."""
        if isinstance(given, Sampling) and not isinstance(given, Judging):
            return given.model_dump(exclude_none=True)
        return given

    @property
    def stated(self) -> bool:
        """Whether judges are asked for a probability in words."""
        return self.probability in ("stated", "both")

    @property
    def by_token(self) -> bool:
        """Whether log-probabilities are asked for."""
        return self.probability in ("token", "both")

    @property
    def draws(self) -> range:
        """The numbers of a verdict, 0, and of its further draws."""
        return range(self.samples + 1)

    def fixed(self, kind: str) -> dict[str, Any]:
        """What only these settings can change of a kind of turn.

        The log-probabilities that are asked for with verdicts, and the temperature of
        further draws: that of verdicts, which is often 0 and may be set on the role or
        for the run, would make all of them the same.
        """
        if kind == "verdict_sample":
            own = self.temperature
            return {"temperature": None if own == "provider" else DRAWN_AT}
        if self.by_token and kind in ("verdict", "second_verdict", "belief"):
            return {"logprobs": True, "top_logprobs": ALTERNATIVES}
        return {}


DRAWN_AT = 1.0
"""The temperature of further draws of a verdict."""
ALTERNATIVES = 20
"""The tokens asked for at each place: as many as OpenAI gives."""
_FEWER = 5
"""As many as those give that refuse more."""

_ONLY_PROBABILITY = {"probability", "first", "samples"}
_NOTHING_SET = GenerateConfig()


def effective_config(
    model: Model, default: GenerateConfig, chosen: Sampling
) -> GenerateConfig:
    """The settings that a role's call really has.

    Args:
        model: The role's model, with what the user set on it.
        default: The study's default for this kind of turn.
        chosen: What `-T config` says for this kind of turn.

    Returns:
        The merged settings, to be passed to `generate`, where they win.

    Raises:
        InputError: If the task sets a limit of tokens, for its own short replies, that
            cuts off a debate's.
    """
    run = _set(_run_config.get(GenerateConfig())) if of_run() else {}
    own = _set(model.config)
    own_settings = chosen.model_dump(exclude_none=True, exclude=_ONLY_PROBABILITY)
    settings = _set(default) | run | own_settings
    if settings.get("temperature") == "provider":
        del settings["temperature"]
    limit = _task_limit.get() if of_run() else None
    own_limit = own.get("max_tokens", chosen.max_tokens)
    if own_limit is None and limit is not None and limit < LEAST_TOKENS:
        raise InputError(
            f"The task limits replies to {limit} tokens (its max_tokens), and debates "
            "take several hundred, so that every reply would be cut off: type "
            "--max-tokens 4096."
        )
    # Every value was validated where it was set; at each call that would be costly.
    return _NOTHING_SET.model_copy(update=settings | own)


def of_run() -> bool:
    """Whether a run is for the debate, and not for the answers that it judges."""
    return _of_run.get()


# What models refused, by setting: they run without it from then on.
_refused: dict[str, set[str]] = {"temperature": set(), "logprobs": set()}
_SAID = {
    "temperature": "takes no temperature and runs with its own",
    "logprobs": "takes no request for log-probabilities and runs without",
}
_NOT_TAKEN = ("support", "only the default", "not allowed", "not permitted")


def refused_setting(model: Model, config: GenerateConfig, error: Exception) -> bool:
    """Whether a call failed because the model takes no temperature, or no request for
    log-probabilities; if so, a warning is logged.

    Reasoning models often take neither. The call can be made again with `sendable`.
    """
    # Inspect's error ends with the request, in which all settings are named.
    message = (getattr(error, "provider_message", None) or str(error)).lower()
    if not any(words in message for words in _NOT_TAKEN):
        return False
    for name, models in _refused.items():
        if getattr(config, name) is not None and name in message:
            if name == "logprobs" and fewer_alternatives(model, config):
                return True
            models.add(str(model))
            say_once(f"{model} {_SAID[name]}.")
            return True
    return False


_few_alternatives: set[str] = set()


def fewer_alternatives(model: Model, config: GenerateConfig) -> bool:
    """Whether a call can be made again that asks for fewer alternatives of a token."""
    if (config.top_logprobs or 0) <= _FEWER:
        return False
    _few_alternatives.add(str(model))
    return True


def perhaps_for_logprobs(config: GenerateConfig, error: Exception) -> bool:
    """Whether a call may have failed because it asked for log-probabilities.

    Servers refuse them in many words, so any 400 or 422 counts, and so does a reply
    whose log-probabilities are null, which Inspect cannot read. Whether they were the
    reason shows when the call is made again without them (`runs_without_logprobs`).
    """
    if not config.logprobs:
        return False
    unreadable = isinstance(error, ValidationError) and "Logprob" in error.title
    return unreadable or getattr(error, "status_code", None) in (400, 422)


def runs_without_logprobs(model: Model) -> None:
    """Remember that a model answers only without log-probabilities, and say so once."""
    _refused["logprobs"].add(str(model))
    say_once(f"{model} {_SAID['logprobs']}.")


def refuses(model: Model, name: Literal["temperature", "logprobs"]) -> bool:
    """Whether a model refused a setting before."""
    return str(model) in _refused[name]


def sendable(model: Model, config: GenerateConfig) -> GenerateConfig:
    """The settings without those that the model refused before."""
    refused = [n for n, models in _refused.items() if models and str(model) in models]
    unsent: dict[str, int | None] = {
        n: None for n in refused if getattr(config, n) is not None
    }
    if config.top_logprobs is not None:
        if "logprobs" in refused:
            unsent["top_logprobs"] = None
        elif _few_alternatives and str(model) in _few_alternatives:
            unsent["top_logprobs"] = min(config.top_logprobs, _FEWER)
    return config.model_copy(update=unsent) if unsent else config


def as_sent(model: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings as recorded, with those that the model refused."""
    message = {"temperature": "provider", "logprobs": "refused"}
    refused = {n: message[n] for n, models in _refused.items() if model in models}
    return {name: refused.get(name, value) for name, value in settings.items()}


def own_config(main: Model) -> GenerateConfig:
    """What was set on the main model itself.

    Inspect copies the run's settings into a main model that was given by name; here
    they have a place of their own.
    """
    run = _set(_run_config.get(GenerateConfig()))
    own = _set(main.config)
    return GenerateConfig(**{k: v for k, v in own.items() if run.get(k) != v})


def _set(config: GenerateConfig) -> dict[str, Any]:
    """The settings that are set; merged as mappings, which is cheap at every call."""
    return {key: value for key, value in vars(config).items() if value is not None}


def loggable(config: GenerateConfig) -> dict[str, Any]:
    """The settings that are set, as recorded."""
    return config.model_dump(exclude_none=True, exclude={"cache"})


def cache_policy(config: GenerateConfig, **scopes: str) -> CachePolicy | bool:
    """The user's cache setting, with entries of its own for each scope.

    Args:
        config: Effective settings; `cache` in them is the user's wish.
        scopes: What keeps entries apart, e.g. `role="judge"`, `draw="2"`.
    """
    match config.cache:
        case CachePolicy() as policy:
            return policy.model_copy(update={"scopes": policy.scopes | scopes})
        case True:
            return CachePolicy(scopes=scopes)
        case _:
            return False
