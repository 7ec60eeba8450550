"""How a protocol is declared, set up, run on a sample and recorded.

A protocol is an async function that is given a `Debate`: it asks for turns, and what
it asks for is recorded. Its parameters are a class of fields, and a kind of turn is
data: a prompt, and how the reply is read.
"""

import inspect
import json
import re
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)
from zipfile import ZipFile

from annotated_types import Ge
from inspect_ai.log._samples import sample_active  # nothing public names a run's log
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import registry_create
from pydantic import BaseModel, Field, ValidationError

from inspect_debate.v1.debate.calls import (
    MAX_CHARACTERS,
    Reading,
    replaced,
)
from inspect_debate.v1.debate.conversation import AnswerForm, show
from inspect_debate.v1.debate.errors import (
    InputError,
    check_choice,
    check_flag,
    check_name,
    check_whole_number,
)
from inspect_debate.v1.debate.participants import check_roles
from inspect_debate.v1.debate.paths import any_path, file_name, read_user_yaml
from inspect_debate.v1.debate.prompts import (
    Prompt,
    load_prompt_sets,
    load_prompts,
    read_texts,
)
from inspect_debate.v1.debate.record import (
    KINDS,
    Frozen,
)
from inspect_debate.v1.debate.recording import Debate, recording
from inspect_debate.v1.debate.reuse import (
    Logs,
    Until,
    earlier_record,
    open_source,
)
from inspect_debate.v1.debate.settings import Judging
from inspect_debate.v1.debate.spending import check_parse_failures
from inspect_debate.v1.debate.study import Study

# --- Parameters ----------------------------------------------------------------------


def parameter(
    default: Any, description: str, *, shapes: Until | None = None, **bounds: Any
) -> Any:
    """A parameter of a protocol, or a rarer setting.

    Args:
        default: Its value where none is given.
        description: What it does, for the documentation.
        shapes: The stage of a debate that it shapes: a run that uses this stage of an
            earlier one again has to have the same value.
        bounds: As for pydantic's `Field`: `ge`, `le`, `strict` and the like.
    """
    extra: dict[str, Any] = {} if shapes is None else {"shapes": shapes}
    return Field(
        default=default, description=description, json_schema_extra=extra, **bounds
    )


class Parameters(Frozen):
    """The parameters of a protocol; the fields of a subclass, each declared once.

    Attributes:
        names: The protocols that have these parameters.
    """

    @classmethod
    def taken_by(cls, protocol: str) -> tuple[str, ...]:
        """The parameters that a protocol takes, where several share one class."""
        return tuple(cls.model_fields)

    def logged(self, protocol: str) -> dict[str, Any]:
        """The parameters as logged, with derived values."""
        return self.model_dump(mode="json", include=set(self.taken_by(protocol)))

    def check_reuse(self, until: Until) -> None:
        """Check that a stage of an earlier run can be used again with these.

        Raises:
            InputError: If not.
        """

    def check_without_reuse(self, protocol: str) -> None:
        """Check that the protocol can run without an earlier run.

        Raises:
            InputError: If not.
        """

    @classmethod
    def check_given(cls, given: Mapping[str, Any]) -> None:
        """Check that no given parameter contradicts another.

        Raises:
            InputError: If one is.
        """

    @classmethod
    def implied(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Values that follow from the given parameters, unless given themselves."""
        return {}

    @property
    def extra_prompts(self) -> tuple[str, ...]:
        """Prompt sets that the parameters add to those of the study."""
        return ()

    @property
    def round_count(self) -> int:
        """The largest number of rounds, for simulated models."""
        return int(getattr(self, "rounds", 0))


P = TypeVar("P", bound=Parameters)


def validated(
    kind: type[P], protocol: str, given: Mapping[str, Any], preset: P | None = None
) -> P:
    """A protocol's parameters, with those that a user gave in place of the defaults.

    Args:
        kind: The protocol's parameters.
        protocol: Its name, for the error.
        given: Parameters by name; None where the default is to be taken.
        preset: The protocol's own defaults, where those of the class are not its.

    Raises:
        InputError: If the protocol has no such parameter, or a value is not allowed.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        if name not in kind.taken_by(protocol):
            takes = ", ".join(kind.taken_by(protocol)) or "none of them"
            raise InputError(
                f"{name}={value!r} has no meaning for protocol={protocol}; "
                f"of the protocols' parameters it takes: {takes}."
            )
    defaults = {} if preset is None else preset.model_dump()
    try:
        found = kind.model_validate({**defaults, **kind.implied(chosen), **chosen})
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:  # a rule about several parameters, which says all
            raise InputError(first["msg"].removeprefix("Value error, ")) from error
        name = str(first["loc"][0])
        check_typed(kind, name, chosen[name])
        why = dict.fromkeys(e["msg"] for e in error.errors() if e["loc"][0] == name)
        raise InputError(
            f"{name}={chosen[name]!r} is not allowed: {', or '.join(why)}."
        ) from error
    kind.check_given(chosen)
    return found


def check_typed(kind: type[Frozen], name: str, given: object) -> None:
    """Check a value of a field whose type is a choice, a flag or a whole number.

    Raises:
        InputError: If the value is not of the field's type.
    """
    field = kind.model_fields[name]
    if get_origin(field.annotation) is Literal:
        check_choice(name, given, get_args(field.annotation))
    if field.annotation is bool:
        check_flag(name, given)
    least = next((m.ge for m in field.metadata if isinstance(m, Ge)), None)
    if field.annotation is int and isinstance(least, int):
        check_whole_number(name, given, least)


# --- The rarer settings: one typed configuration, `-T config=...` --------------------

ConfigT = TypeVar("ConfigT", bound=Frozen)


# A run that uses another's answers again has to have the same values.
SHAPES: dict[str, Any] = {"shapes": "answers"}
SHAPES_DEBATE: dict[str, Any] = {"shapes": "debate"}


class AskerConfig(Frozen):
    """What all studies' rarer settings have.

    Attributes:
        max_reasks: How often an unreadable completion is asked for again.
        max_characters: A longer completion is cut there, and counts as `capped`, not
            as read.
    """

    max_reasks: int = Field(default=1, ge=0, strict=True, json_schema_extra=SHAPES)
    max_characters: int = Field(
        default=MAX_CHARACTERS, ge=1, strict=True, json_schema_extra=SHAPES
    )

    @property
    def extra_prompts(self) -> tuple[str, ...]:
        """Prompt sets that the settings add to those of the study."""
        judging = getattr(self, "verdict", None)
        asked = isinstance(judging, Judging) and (judging.stated or judging.first)
        return ("probability",) if asked else ()

    def check_for(self, protocol: str, parameters: Parameters) -> None:
        """Check that the settings mean something for a protocol with its parameters.

        Raises:
            InputError: If one does not.
        """

    def logged(self) -> dict[str, Any]:
        """The settings as records and tasks' metadata have them."""
        return self.model_dump(mode="json")


def load_config(
    kind: type[ConfigT], given: object, single: Mapping[str, Any] | None = None
) -> ConfigT:
    """A typed configuration from what a user gave.

    Args:
        kind: The configuration's type.
        given: Nothing, a YAML or JSON file, or a mapping with nested or dotted keys.
        single: Settings given one by one, which win.

    Raises:
        InputError: Naming the key, what was given and what is allowed.
    """
    if given is None:
        values: object = {}
    elif isinstance(given, str):
        values = read_user_yaml("config", given)
    else:
        values = given
    if not isinstance(values, Mapping):
        raise InputError(f"config={given!r} has to be a file or a mapping of settings.")
    try:
        return kind.model_validate(_nested([*values.items(), *(single or {}).items()]))
    except ValidationError as error:
        first = error.errors()[0]
        path = [str(part) for part in first["loc"]]
        if first["type"] != "extra_forbidden":
            # Pydantic adds the alternatives of a union ("float") to the path.
            path = _settings_path(kind, path)
        key = ".".join(path)
        if first["type"] == "extra_forbidden":
            allowed = ", ".join(_fields(kind, path[:-1]))
            raise InputError(
                f"config.{key} is not known; allowed: {allowed}."
            ) from error
        raise InputError(
            f"config.{key}={first['input']!r} is not allowed: {first['msg']}."
        ) from error


def _settings_path(kind: type[BaseModel], path: list[str]) -> list[str]:
    """The part of an error's path that names settings."""
    known = next(
        (n for n, part in enumerate(path) if part not in _fields(kind, path[:n])),
        len(path),
    )
    return path[:known]


def _fields(kind: type[BaseModel], path: list[str]) -> list[str]:
    """The settings at a place in a nested configuration."""
    for part in path:
        inner = kind.model_fields[part].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        kind = inner
    return list(kind.model_fields)


def split_config(rest: Mapping[str, Any], known: list[str]) -> dict[str, Any]:
    """The `config.key=value` parameters among those that a task does not name.

    Raises:
        InputError: If another unknown parameter is among them.
    """
    return split_dotted(rest, known, "config")["config"]


def split_dotted(
    rest: Mapping[str, Any], known: list[str], *prefixes: str
) -> dict[str, dict[str, Any]]:
    """The `prefix.key=value` parameters among those that a task does not name.

    Args:
        rest: Those parameters.
        known: The names of the others, for the error.
        prefixes: The prefixes that there are.

    Returns:
        Values by key, for each prefix.

    Raises:
        InputError: If another unknown parameter is among them.
    """
    split: dict[str, dict[str, Any]] = {prefix: {} for prefix in prefixes}
    for name, value in rest.items():
        prefix, _, key = name.partition(".")
        if not key or prefix not in split:
            check_name("parameter", name, known)
        split[prefix][key] = value
    return split


def _nested(values: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Dotted keys as nested ones; what comes later wins, setting by setting."""
    nested: dict[str, Any] = {}
    for key, value in values:
        *path, last = str(key).split(".")
        place = nested
        for part in path:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise InputError(f"config.{key}: {part!r} has no settings of its own.")
        if isinstance(value, Mapping):
            inner = _nested(value.items())
            before = place.get(last)
            place[last] = (before if isinstance(before, dict) else {}) | inner
        else:
            place[last] = value
    return nested


# --- Kinds of turn -------------------------------------------------------------------


@dataclass(frozen=True)
class TurnKind:
    """A kind of turn, as data.

    Attributes:
        kind: What the record calls it: one of the suite's `KINDS`, or a name of one's
            own.
        prompt: The key of the prompt that asks for it.
        system: The key of the system prompt, if there is one.
        form: What the reply has to look like, by its name: simulated models write it.
        read: Reads a reply; None where that takes more, see `Debate.ask`.
        required: The fields without which the turn is useless.
        reminder: The key of the prompt that asks again where they cannot be read.
        combined: Makes one reading of an earlier one and that of a re-ask, which
            otherwise replaces it.
        speech: The field that any text would fill, a refusal in words, too.
        stage: The stage that a run can use again of another one, with this turn in it.
        spoken: Whether a turn of a kind of one's own is part of the debate: everybody
            may read its public text, as that of a speech.
        asked_for_as: The kind whose generation settings are used, where not its own.
        in_series: Whether there is a verdict after every round.
        tokens: Whether the log-probabilities of the answer's tokens are kept.
        instead: Keys of prompts in place of which others are shown, with theirs.
        also: Prompts that follow the prompt, as further paragraphs.
    """

    kind: str
    prompt: str
    form: str
    required: str | tuple[str, ...]
    reminder: str
    read: Callable[[str], Reading] | None = None
    system: str | None = None
    combined: Callable[[Reading, Reading], Reading] = replaced
    speech: str | None = None
    stage: Until | None = None
    spoken: bool = False
    asked_for_as: str | None = None
    in_series: bool = False
    tokens: bool = False
    instead: tuple[tuple[str, str], ...] = ()
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the name, which is part of spans' names and of reports."""
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.kind):
            raise ValueError(
                f"a kind of turn is named by small letters and _, not {self.kind!r}"
            )

    @property
    def settings_of(self) -> str:
        """The kind whose generation settings are used: a spoken one has a speech's."""
        if self.asked_for_as is not None or self.kind in KINDS:
            return self.asked_for_as or self.kind
        return "speech" if self.spoken else "answer"


# --- Protocols -----------------------------------------------------------------------


@dataclass(frozen=True)
class Protocol:
    """A protocol as it was declared.

    Attributes:
        run: The function.
        names: The names of its protocols: with several its solver takes one of them.
        parameters: Its parameters.
        turns: The kinds of turn that it asks for.
        shares: By stage, a name that all protocols have in common which can use this
            stage of one another's runs.
        borrows: Further such names whose stages it can use.
        make: Makes its solver.
        texts: Its own prompts by key.
        place: The file that declares it.
        preset: The defaults of its parameters, where those of the class are not its.
        means: What else its solver takes, see `protocol`.
    """

    run: "Run"
    names: tuple[str, ...]
    parameters: type[Parameters]
    turns: Sequence[TurnKind]
    shares: Mapping[str, str]
    make: Callable[..., Solver]
    borrows: tuple[str, ...]
    texts: Mapping[str, Prompt]
    place: str
    preset: Parameters | None
    means: type[Frozen] | None

    def effective(self, protocol: str, given: Mapping[str, Any]) -> Any:
        """Its parameters, see `validated`."""
        return validated(self.parameters, protocol, given, self.preset)

    def solver(self, protocol: str, **given: Any) -> Solver:
        """The solver of a protocol; `given` are its parameters and settings.

        Raises:
            InputError: If one of them is not allowed.
        """
        which = {"protocol": protocol} if len(self.names) > 1 else {}
        return self.make(**which, **given)


Run = Callable[[Any], Awaitable[None]]
Stages = Mapping[str, str]
Texts = Mapping[str, str] | Path


def protocol(
    study: Study[Any],
    parameters: type[Parameters],
    *names: str,
    turns: Sequence[TurnKind],
    shares: Stages | Callable[[str], Stages] = MappingProxyType({}),
    borrows: Sequence[str] | Callable[[str], Sequence[str]] = (),
    until: Until | None = None,
    reuses: bool = True,
    texts: Texts | Callable[[str], Texts] = MappingProxyType({}),
    presets: Mapping[str, Parameters] = MappingProxyType({}),
    means: type[Frozen] | None = None,
) -> Callable[[Run], Callable[..., Solver]]:
    """Make a solver of a protocol, with its parameters as the solver's.

    Args:
        study: The study that it belongs to.
        parameters: Its parameters.
        names: What records call it, where that is not the function's name; with
            several the solver has a parameter `protocol`, the first by default.
        turns: The kinds of turn that it asks for.
        shares: The stages that runs can use again of one another, see `Protocol`; or a
            function that says so by the protocol's name.
        borrows: Further names of stages that it can use again, or a function.
        until: The last stage that is used again where nothing else is given.
        reuses: Whether it uses stages again itself, and not only others its own.
        texts: Prompts of its own by key, or a YAML file of them, over which a user's
            file is laid. Those under keys of the study replace its prompts; the others
            are added to them. Or a function, by the protocol's name.
        means: What else the solver takes that is no parameter of the protocol and in
            no record, such as where code may run.
        presets: The defaults of the parameters by name of the protocol, where each has
            its own. A parameter of the solver that is not given is then None.

    Returns:
        A decorator for the protocol. The solver also takes `reuse` and `reuse_until`
        where there is something to reuse, `seed`, `prompts` (a file laid over the
        study's prompts) and `config` (values of the rarer settings), and raises an
        InputError where one of them is not allowed.

    Raises:
        ValueError: If the study has such a protocol already, or none of the protocol's
            turns uses one of its own prompts.
    """

    def decorate(run: Run) -> Callable[..., Solver]:
        name = getattr(run, "__name__", names[0] if names else "")
        known = names or (name,)
        own = {
            each: read_texts(texts(each) if callable(texts) else texts)
            for each in known
        }
        for prompts in own.values():
            _check_used(study, turns, prompts)

        def make(*args: Any, **kwargs: Any) -> Solver:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return protocol_solver(study, known[0], bound.arguments)

        stages = {each: _by_name(shares, each) for each in known}
        reused = {stage for of_one in stages.values() for stage in of_one}
        signature = _signature(
            parameters, known, reused if reuses else (), until, bool(presets), means
        )
        made: Callable[..., Solver] = solver(name)(
            declared_as(make, name, signature, _documented(run, parameters), run)
        )
        place = str(Path(inspect.getfile(run)).resolve())
        for each in known:
            if each in study.protocols and study.protocols[each].place != place:
                raise ValueError(f"{study.name} has a protocol {each}; choose a name")
            study.protocols[each] = Protocol(
                run,
                known,
                parameters,
                turns,
                MappingProxyType(dict(stages[each])),
                made,
                tuple(_by_name(borrows, each)),
                MappingProxyType(own[each]),
                place,
                presets.get(each),
                means,
            )
        return made

    return decorate


_ByName = TypeVar("_ByName")


def _by_name(given: _ByName | Callable[[str], _ByName], protocol: str) -> _ByName:
    return given(protocol) if callable(given) else given


def _check_used(
    study: Study[Any], turns: Sequence[TurnKind], own: Mapping[str, Prompt]
) -> None:
    keys = {key for t in turns for key in (t.prompt, t.system, t.reminder) if key}
    used = keys
    for name in study.prompts if own.keys() - keys else ():  # which parses them all
        used |= load_prompts(name).texts.keys()
        used |= load_prompts(name, own=own).reached_from(*keys)
    if unused := sorted(own.keys() - used):
        raise ValueError(f"the protocol's prompt {unused[0]} is in none of its turns")


def of_another_package(name: str, **given: Any) -> Solver:
    """The solver of a protocol that another package declares.

    Args:
        name: `PACKAGE/PROTOCOL`, as it is registered with Inspect.
        given: Its parameters.

    Raises:
        InputError: If there is no such solver, or it has no such parameter.
    """
    try:
        return registry_create("solver", name, **given)
    except LookupError as error:
        raise InputError(
            f"protocol={name} is no registered solver; is its package installed, and "
            "does it name an entry point of the group inspect_ai?"
        ) from error
    except TypeError as error:
        raise InputError(f"protocol={name} could not be made: {error}.") from error


def _signature(
    parameters: type[Parameters],
    names: Sequence[str],
    stages: Collection[str],
    until: Until | None,
    preset: bool,
    means: type[Frozen] | None,
) -> inspect.Signature:
    given: dict[str, tuple[Any, Any]] = {}
    if len(names) > 1:
        given["protocol"] = (Literal[*names], names[0])
    hints = get_type_hints(parameters)
    for name, info in parameters.model_fields.items():
        given[name] = (
            (hints[name] | None, None) if preset else (hints[name], info.default)
        )
    if stages:
        given["reuse"] = (Logs | None, None)
    if "debate" in stages:
        given["reuse_until"] = (Until | None if until is None else Until, until)
    given["seed"] = (int, 0)
    given["prompts"] = (str | None, None)
    given["config"] = (Mapping[str, Any] | None, None)
    for name, info in (means.model_fields if means else {}).items():
        given[name] = (get_type_hints(means)[name], info.default)
    return signature_of(given, Solver)


def signature_of(
    given: Mapping[str, tuple[Any, Any]], returns: Any
) -> inspect.Signature:
    """The signature of what takes some parameters and, as `rest`, settings one by one.

    Args:
        given: By name the type and the default.
        returns: What is returned.
    """
    named = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=annotation,
        )
        for name, (annotation, default) in given.items()
    ]
    rest = inspect.Parameter("rest", inspect.Parameter.VAR_KEYWORD, annotation=Any)
    return inspect.Signature([*named, rest], return_annotation=returns)


Made = TypeVar("Made", bound=Callable[..., Any])


def declared_as(
    make: Made,
    name: str,
    signature: inspect.Signature,
    documentation: str,
    run: Callable[..., Any],
) -> Made:
    """A function that Inspect takes for one that was written with this signature.

    Args:
        make: The function, which takes anything.
        name: What it is called.
        signature: The signature that Inspect reads.
        documentation: Its docstring.
        run: The function that it serves, whose package Inspect takes for its own.
    """
    make.__name__ = make.__qualname__ = name
    make.__module__, make.__doc__ = run.__module__, documentation
    make.__annotations__ = {
        **{n: p.annotation for n, p in signature.parameters.items()},
        "return": signature.return_annotation,
    }
    make.__signature__ = signature  # type: ignore[attr-defined]  # read by Inspect
    return make


def _documented(run: Run, parameters: type[Parameters]) -> str:
    """The protocol's docstring, with its parameters under `Args`."""
    lines = [f"    {n}: {i.description}" for n, i in parameters.model_fields.items()]
    lines += [
        "    reuse: A log whose answers or debates are used again.",
        "    reuse_until: The last stage to use again: `answers`, or `debate`.",
        "    seed: Seed of the run.",
        "    prompts: A file laid over the study's prompts.",
        "    config: Values of the rarer settings; `config.key=value` sets one.",
    ]
    return "\n".join([inspect.cleandoc(run.__doc__ or ""), "", "Args:", *lines])


def protocol_solver(study: Study[Any], name: str, given: Mapping[str, Any]) -> Solver:
    """The solver that runs a protocol on every sample.

    Args:
        study: The study.
        name: The protocol's name, unless `given` has a `protocol`.
        given: What the solver was given.

    Raises:
        InputError: If a parameter is not allowed, or there is no log to reuse.
    """
    protocol = given.get("protocol", name)
    if "protocol" in given:
        check_choice("protocol", protocol, study.protocols[name].names)
    declared = study.protocols[protocol]
    fields = declared.parameters.model_fields
    chosen = {n: v for n, v in given.items() if n in fields}
    effective = declared.effective(protocol, chosen)
    reuse, seed = given.get("reuse"), given["seed"]
    until: Until = given.get("reuse_until") or "answers"
    check_choice("reuse_until", until, tuple(declared.shares) or ("answers", "debate"))
    check_roles()
    known = [name for name in given if name != "rest"]
    rest = dict(given.get("rest", {}))
    single = split_config(rest, known)
    config = load_config(study.config, given["config"], single)
    extra = (*config.extra_prompts, *effective.extra_prompts)
    sets = load_prompt_sets(study.prompts, given["prompts"], declared.texts, extra)
    config.check_for(protocol, effective)
    most_unread = getattr(config, "max_unparsed", None)
    if reuse is not None:
        effective.check_reuse(until)
    else:
        effective.check_without_reuse(protocol)
    source = None if reuse is None else open_source(reuse, until)
    logged = effective.logged(protocol) | config.logged()
    means = None
    if declared.means is not None:
        own = {n: given[n] for n in declared.means.model_fields}
        means = declared.means.model_validate(own)
    shared: dict[Hashable, Any] = {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        check_parse_failures(most_unread, state)
        if not shared:
            shared["begun"] = True
            check_version()
        question = study.question(state, config)
        several = len(study.prompts) > 1
        prompts = sets.get(question.prompt_set if several else study.prompts[0])
        if prompts is None:
            raise InputError(
                f"prompts={given['prompts']} does not fit the prompts of this kind of "
                f"question: see `inspect-debate prompts show {question.prompt_set}`."
            )
        study.check_prompted(protocol, prompts.name)
        earlier = None
        if source is not None:
            earlier = await earlier_record(
                source,
                question,
                protocols=study.with_stage(until, protocol),
                parameters=study.shaped(until, protocol, logged),
                absent=study.left_out(until, protocol),
            )
        debate: Debate[Any, Any] = Debate(
            study=study,
            protocol=protocol,
            question=question,
            parameters=effective,
            config=config,
            prompts=prompts,
            seed=seed,
            earlier=earlier,
            until=until,
            source=source,
            state=state,
            means=means,
            shared=shared,
            aggregation=study.aggregation,
        )
        async with recording(
            state,
            debate,
            reused_from=None if source is None else source.run,
            study=study.name,
            protocol=protocol,
            parameters=logged,
            prompts=prompts.used(),
            question=question,
            seed=seed,
        ):
            if source is not None and earlier is None:
                log = file_name([*source.logs])
                debate.ended_by = f"a failure of this sample in {log}"
            else:
                await declared.run(debate)
        form: AnswerForm = getattr(config, "answer_form", "auto")
        state = show(state, study.card, form)
        check_parse_failures(most_unread, state)  # the record and output are in the log
        return state

    setattr(solve, INFO, SolverInfo(study, protocol, logged))
    return solve


INFO = "inspect_debate_protocol"


class SolverInfo(NamedTuple):
    """The protocol of a solver, and its parameters in effect."""

    study: Study[Any]
    protocol: str
    logged: dict[str, Any]

    @property
    def texts(self) -> Mapping[str, Prompt]:
        """The protocol's own prompts by key."""
        return self.study.protocols[self.protocol].texts


def solver_info(solver: Solver) -> SolverInfo:
    """The protocol of one of our solvers, and its parameters.

    Raises:
        InputError: If the solver is none of a protocol.
    """
    found: SolverInfo | None = getattr(solver, INFO, None)
    if found is None:
        raise InputError("This solver is not a protocol of inspect-debate.")
    return found


@cache
def _begun_with(log: str) -> dict[str, Any]:
    """A running log's metadata, as far as they can be read."""
    path = any_path(log)
    if path.suffix != ".eval" or not path.is_file():
        return {}
    # Nothing is awaited, so that the order of samples stays what it is.
    with path.open("rb") as file, ZipFile(file) as archive:
        begun = json.loads(archive.read("_journal/start.json"))
    return begun["eval"].get("metadata") or {}


def check_version() -> None:
    """Check that a run does not go on with the samples of an earlier version.

    `inspect eval-retry` runs the task as it is now, and the run has the earlier run's
    metadata beside its own.

    Raises:
        InputError: If it does.
    """
    sample = sample_active()
    there = {} if sample is None else _begun_with(sample.log_location)
    begun, now = there.get("version"), there.get("task_version")
    if begun is not None and begun != now:
        raise InputError(
            f"This log was begun by version {begun} of the task. It cannot go on with "
            f"version {now}, whose parameters or scores differ: run the task again. "
            "Answers and debates that are done can be used with reuse=LOG."
        )
