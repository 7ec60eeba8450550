"""The rarer settings of a debate: one typed configuration, `-T config=...`."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import read_user_yaml
from inspect_debate.debate.record import Frozen
from inspect_debate.debate.settings import Sampling

ConfigT = TypeVar("ConfigT", bound=Frozen)

MAX_CHARACTERS = 120_000
"""At about 6 a word, 20 times the longest speech asked for, and twice what an answer's
16,384 tokens can be."""


# A run that uses another's answers again has to have the same values.
_SHAPES: dict[str, Any] = {"shapes": "answers"}
_SHAPES_DEBATE: dict[str, Any] = {"shapes": "debate"}


class AskerConfig(Frozen):
    """What all studies' rarer settings have.

    Attributes:
        max_reasks: How often an unreadable completion is asked for again.
        max_characters: How much of a completion is read and passed on; far more than
            anyone is asked to write. What is longer is cut there, and counts as
            `capped`, not as read.
    """

    max_reasks: int = Field(default=1, ge=0, strict=True, json_schema_extra=_SHAPES)
    max_characters: int = Field(
        default=MAX_CHARACTERS, ge=1, strict=True, json_schema_extra=_SHAPES
    )

    def logged(self) -> dict[str, Any]:
        """The settings as records and tasks' metadata have them."""
        return self.model_dump(mode="json")


AnswerForm = Literal["auto", "line", "bare"]
"""How the output of a sample gives an answer in words, see `free_answers.output_of`."""


class DebateConfig(AskerConfig):
    """What is rarely changed in an error-detection debate.

    Attributes:
        quotes: How quotes are verified. `typography_blind` finds them whatever their
            dashes, quotation marks, ellipses, spaces at punctuation, soft hyphens and
            ligatures, and marks those that differ in these; `exact` takes them for
            unverified; `khan` is the rule of Khan et al.'s code, blind to case and
            punctuation; `none` asks for no quotes and checks none. Of a question
            without a passage none are asked for, unless `quote_source=input`.
        quote_source: What may be quoted: task and response, each checked apart, or the
            task (`input`) alone; of a question without a passage, `input` is the
            question and its options.
        answers: What an answer is: one of the `options` (or a label); or, where samples
            have none, `free`, in the answerer's own words.
        passage: What becomes of a passage in the samples' metadata: `unused`; `hidden`,
            read by those who answer and debate, and not by judges; or `shown` to all.
            Where it is read, what is quoted is checked against it alone.
        word_limit: Words that a speech is asked to stay within. The paper leaves the
            number open. Longer speeches are counted, never cut.
        parser: How a first answer is read: the `last_sentence`, or the published
            detectors' own rule `realmistake`, for comparison with their numbers.
        answer_form: How a sample's output gives an answer in words: `line`, as the line
            `ANSWER: x`; `bare`, as the answer and nothing else; or `auto`, as the
            task's scorers read it.
        max_unparsed: The share of what is asked for that may be unreadable; above it
            the run ends. Tasks of this suite have a parameter of that name instead.
        answer: Generation settings of first answers.
        speech: Generation settings of speeches.
        verdict: Generation settings of verdicts.
    """

    quotes: Literal["typography_blind", "exact", "khan", "none"] = Field(
        default="typography_blind", json_schema_extra=_SHAPES
    )
    quote_source: Literal["input_and_response", "input"] = Field(
        default="input_and_response", json_schema_extra=_SHAPES
    )
    answers: Literal["options", "free"] = "options"
    passage: Literal["unused", "hidden", "shown"] = "unused"
    word_limit: int = Field(
        default=300, ge=1, strict=True, json_schema_extra=_SHAPES_DEBATE
    )
    parser: Literal["last_sentence", "realmistake"] = Field(
        default="last_sentence", json_schema_extra=_SHAPES
    )
    answer_form: AnswerForm = "auto"
    max_unparsed: float | None = Field(default=0.5, gt=0, le=1)
    answer: Sampling = Field(default=Sampling(), json_schema_extra=_SHAPES)
    speech: Sampling = Field(default=Sampling(), json_schema_extra=_SHAPES_DEBATE)
    verdict: Sampling = Sampling()

    def logged(self) -> dict[str, Any]:
        """The settings that shape a debate, as records and tasks' metadata have them.

        The form of the output and the cap are arguments of the solver in the log.
        """
        return self.model_dump(mode="json", exclude={*ON_OTHER_TASKS})


ON_OTHER_TASKS = ("answer_form", "max_unparsed")
"""Settings for protocols on tasks that are not of this suite."""


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
