"""`docs/parameters.md`, made from the code: the parameters of all tasks.

`uv run python docs/parameters.py` writes it; with `--check` it ends with exit code 1 if
the page is out of date.
"""

import inspect
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from inspect_ai.model import GenerateConfig
from pydantic import BaseModel

from inspect_debate.debate.engine import Parameters
from inspect_debate.debate.settings import Sampling
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import QUESTION_PROTOCOLS, debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import PROTOCOLS as SRDCR_PROTOCOLS
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.evals.tasks import PROTOCOLS
from inspect_debate.solvers import knowledge_conflict, question_answering
from inspect_debate.solvers.confidence import PRESETS, BetConfig
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative import STUDY_DEFAULTS, GenerativeConfig
from inspect_debate.solvers.generative_debate import GenerativeParameters
from inspect_debate.solvers.knowledge_conflict import ConflictConfig
from inspect_debate.solvers.question_answering import DebateConfig
from inspect_debate.solvers.self_consistency import CALLS_OF_A_DEBATE

Defaults = Mapping[str, Mapping[str, Any]]


class Study(NamedTuple):
    """What a study's tables are made of.

    Attributes:
        task: The task.
        protocol: The protocol that is run where none is named.
        defaults: Of each protocol, the parameters that it takes, with their defaults.
        config: The rarer settings.
        sampling: The generation settings of a kind of turn where nothing is set.
        elsewhere: Settings that are not for this task.
    """

    task: Callable[..., Any]
    protocol: str
    defaults: Defaults
    config: type[BaseModel]
    sampling: Callable[[Any], GenerateConfig]
    elsewhere: tuple[str, ...] = ()


def _of_debates(protocols: Mapping[str, Mapping[str, Any]]) -> Defaults:
    return {
        name: {**kind} | ({"n": CALLS_OF_A_DEBATE} if "n" in kind else {})
        for name, kind in protocols.items()
    }


def _of_clashes() -> Defaults:
    return {
        name: knowledge_conflict.STUDY.protocols[name].parameters().logged(name)
        for name in SRDCR_PROTOCOLS
    }


def _of_formats() -> Defaults:
    return {name: GenerativeParameters().logged(name) for name in FORMATS}


_ELSEWHERE = ("answers", "passage", "answer_form", "max_unparsed")
_OF_DEBATERS = ("quotes", "quote_source", "word_limit", "parser", "answer", "speech")

STUDIES = {
    "colmad": Study(
        colmad,
        "colmad",
        _of_debates(PROTOCOLS),
        DebateConfig,
        lambda kind: question_answering.STUDY_DEFAULT,
        _ELSEWHERE,
    ),
    "confidence": Study(
        confidence,
        "cross_model",
        {name: preset.model_dump(mode="json") for name, preset in PRESETS.items()},
        BetConfig,
        lambda kind: GenerateConfig(),
        ("verdict.first", "verdict.samples"),
    ),
    "srdcr": Study(
        srdcr,
        "srdcr",
        _of_clashes(),
        ConflictConfig,
        lambda kind: knowledge_conflict.study_default("srdcr", kind, Parameters()),
        ("verdict.samples",),
    ),
    "generative": Study(
        generative,
        "dual_debate",
        _of_formats(),
        GenerativeConfig,
        STUDY_DEFAULTS.__getitem__,
        ("verdict.samples",),
    ),
    "debate": Study(
        debate,
        "copmad",
        _of_debates(QUESTION_PROTOCOLS),
        DebateConfig,
        lambda kind: question_answering.STUDY_DEFAULT,
        _ELSEWHERE,
    ),
    "judge_check": Study(
        judge_check,
        "",
        {},
        DebateConfig,
        lambda kind: question_answering.STUDY_DEFAULT,
        (*_ELSEWHERE, *_OF_DEBATERS, "beliefs", "beliefs_shown", "verdict.samples"),
    ),
}


def described(owner: Callable[..., Any], section: str) -> dict[str, str]:
    """What a docstring says of each name in one of its sections."""
    text = inspect.getdoc(owner) or ""
    found = re.search(rf"^{section}:\n((?:    .*\n?|\n)*)", text, re.M)
    entries = re.split(r"^    (\w+): ", found[1] if found else "", flags=re.M)
    pairs = zip(entries[1::2], entries[2::2], strict=True)
    return {name: " ".join(meaning.split()) for name, meaning in pairs}


Row = tuple[str, str, str]
"""A parameter, how it is shown with its default, and what it means."""


def page() -> str:
    """The page: what is the same in most tasks or in two, then what is not."""
    rows = {
        name: ([*_parameters(study)], [*_settings(study, study.config)])
        for name, study in STUDIES.items()
    }
    shared = tuple(_common(own[kind] for own in rows.values()) for kind in (0, 1))
    both = tuple(
        [row for row in rows["debate"][kind] if row in rows["colmad"][kind]]
        for kind in (0, 1)
    )
    parts = [_HEAD, *_lists(*shared)]
    parts += ["## colmad and debate", ""]
    parts += _lists(*(_without(both[kind], shared[kind]) for kind in (0, 1)))
    for name, own in rows.items():
        known = [[*shared[kind], *both[kind]] for kind in (0, 1)]
        if name not in ("colmad", "debate"):
            known = [*shared]
        parameters, settings = (_without(own[kind], known[kind]) for kind in (0, 1))
        if name == "debate":
            parameters = [*_as_in("colmad", parameters, rows["colmad"][0])]
        parts += [f"## {name}", "", *_lists(parameters, settings)]
    return "\n".join(parts)


_HEAD = """# Parameters

Give them as `-T NAME=VALUE`, or as `-S NAME=VALUE` where a protocol is used as a
solver. They are shown with their defaults, and those of some protocols in brackets.
Where the default is `true` or `false`, both are allowed.

`uv run python docs/parameters.py` makes this page from the code.

## Generation settings

Strongest first: the role (`--model-role 'judge={model: M, temperature: 0.2}'`), the
kind of turn (`-T config.verdict.temperature=0.2`; also `max_tokens`, `top_p`, `seed`),
the run (`--temperature`, which here reaches every role), the study's default. The
record has the settings of each call. Reasoning counts against `max_tokens`: for
reasoning models raise it, for example with `--max-tokens 32000`.

## All tasks
"""


def _common(rows: Iterable[list[Row]]) -> list[Row]:
    """The rows that are the same in all tasks, or in all but one."""
    studies = [*rows]
    counted = Counter(row for of_study in studies for row in of_study)
    return [row for row, number in counted.items() if number >= len(studies) - 1]


def _without(rows: Iterable[Row], known: list[Row]) -> list[Row]:
    return [row for row in rows if row not in known]


def _as_in(other: str, rows: Iterable[Row], known: Iterable[Row]) -> Iterator[Row]:
    """Rows, with those that mean the same in another study together at the end."""
    meanings = {name: _split(meaning)[0] for name, _, meaning in known}
    same: dict[str, list[str]] = {}
    for name, shown, meaning in rows:
        text, protocols = _split(meaning)
        if text == meanings.get(name):
            same.setdefault(protocols, []).append(shown)
        else:
            yield name, shown, meaning
    for protocols, alike in same.items():
        yield "", ", ".join(alike), f"As in [{other}](#{other}).{protocols}"


def _split(meaning: str) -> tuple[str, str]:
    """A meaning without the protocols that take the parameter, and these."""
    text, of, protocols = meaning.partition(" (Of ")
    return text, of + protocols


def _lists(parameters: Iterable[Row], settings: Iterable[Row]) -> list[str]:
    """The two lists of a section; none where it would be empty."""
    lines: list[str] = []
    for rows in ([*parameters], [*settings]):
        if rows:
            lines += [_entry(shown, meaning) for _, shown, meaning in rows]
            lines.append("")
    return lines


def _entry(shown: str, meaning: str) -> str:
    return textwrap.fill(
        f"- {shown}: {meaning}",
        width=100,
        subsequent_indent="  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def _parameters(study: Study) -> Iterator[Row]:
    meanings = described(study.task, "Args")
    hints = get_type_hints(study.task)
    for name, parameter in inspect.signature(study.task).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        shown = _shown(study, name, parameter.default)
        meaning = _with_allowed(meanings[name], _allowed(hints[name]), shown)
        if name == "protocol" and hints[name] is not str:
            page = study.task.__name__
            meaning = f"[The protocol]({page}.md#the-protocol)."
        yield name, shown, f"{meaning}{_protocols(study, name)}"


def _protocols(study: Study, name: str) -> str:
    """Which protocols take a parameter, if not all or none do."""
    takes = [protocol for protocol, own in study.defaults.items() if name in own]
    others = [protocol for protocol in study.defaults if protocol not in takes]
    if not takes or not others:
        return ""
    if len(takes) <= len(others):
        return f" (Of {_words(takes)}.)"
    return f" (Not of {_words(others)}.)"


def _shown(study: Study, name: str, default: object) -> str:
    """A parameter with its default, and those of protocols that have another."""
    if name == "protocol":
        return _with(name, study.protocol)
    own = {p: values[name] for p, values in study.defaults.items() if name in values}
    if default is not None or not own:
        return _with(name, default)
    first = own.get(study.protocol, next(iter(own.values())))
    others: dict[str, list[str]] = {}
    for protocol, value in own.items():
        if value != first:
            others.setdefault(_value(value), []).append(protocol)
    if len(others) == 1 and len(own) > 3 and len(*others.values()) == len(own) - 1:
        return f"{_with(name, first)} (otherwise {next(iter(others))})"
    differing = (f"{_words(names)}: {value}" for value, names in others.items())
    more = "; ".join(differing)
    return _with(name, first) + (f" ({more})" if more else "")


def _with(name: str, default: object) -> str:
    """A parameter with its default, if it has one."""
    value = _value(default)
    return f"`{name}={value}`" if value else f"`{name}`"


def _settings(study: Study, config: type[BaseModel]) -> Iterator[Row]:
    """The rarer settings; kinds of turn with the same generation settings are a row."""
    turns: dict[str, list[str]] = {}
    for name, shown, meaning in _single(study, config):
        if name:
            yield name, shown, meaning
        else:
            turns.setdefault(meaning, []).append(shown)
    for sent, kinds in turns.items():
        yield "", ", ".join(kinds), sent


def _single(study: Study, config: type[BaseModel], path: str = "") -> Iterator[Row]:
    """The settings one by one; generation settings have no name, but what is sent."""
    meanings: dict[str, str] = {}
    for kind in reversed(config.__mro__):
        meanings |= described(kind, "Attributes")
    for name, field in config.model_fields.items():
        annotation, place = field.annotation, path + name
        if place in study.elsewhere:
            continue
        if place.rpartition(".")[2] in Sampling.model_fields and path:
            continue  # generation settings, which have a row of their own
        if isinstance(annotation, type) and issubclass(annotation, Sampling):
            yield "", f"`config.{place}.`", _sampled(study.sampling(name))
        if annotation is Sampling:
            continue
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from _single(study, annotation, f"{place}.")
        else:
            shown = _with(f"config.{place}", field.default)
            meaning = _with_allowed(meanings[name], _allowed(annotation), shown)
            yield place, shown, meaning


def _sampled(config: GenerateConfig) -> str:
    """Generation settings that are sent where nothing is set."""
    sent = {name: getattr(config, name) for name in Sampling.model_fields}
    given = [f"{name} {_number(v)}" for name, v in sent.items() if v is not None]
    return (", ".join(given) or "none is sent") + "."


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def _with_allowed(meaning: str, allowed: list[str], shown: str) -> str:
    """A meaning, with what is allowed unless this or the default names all of it."""
    if all(f"`{value}`" in meaning or f"={value}`" in shown for value in allowed):
        return meaning
    return f"{meaning} ({_words(allowed)})"


def _allowed(annotation: Any) -> list[str]:
    """The values that a type lists; none where it is open."""
    if get_origin(annotation) is Literal:
        return [*map(str, get_args(annotation))]
    if get_origin(annotation) in (Union, UnionType):
        return [value for way in get_args(annotation) for value in _allowed(way)]
    return []


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def main() -> int:
    """Write the page, or report whether it is out of date."""
    place = Path(__file__).parent / "parameters.md"
    fresh = page()
    if place.exists() and place.read_text(encoding="utf-8") == fresh:
        return 0
    print(f"{place.name}: out of date")
    if "--check" in sys.argv:
        return 1
    place.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
