"""Prompt sets: one file per study, over which a user can lay another."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Any

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing
from pydantic import PrivateAttr

from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.debate.paths import read_user_yaml
from inspect_debate.v1.debate.record import Frozen, PromptsUsed

PARAGRAPH = "\n{# paragraph #}\n"
"""Stands between paragraphs of which those that come out empty are left out."""


class Prompt(Frozen):
    """A template, with the placeholders that a user's text may have in its place.

    `{name}` is a placeholder and `{{` a brace; conditions and loops are Jinja's,
    `{% if name %}`. A placeholder without a value is filled with the prompt of that
    name; `{prompt("key", name=value)}` is another prompt with values of its own. A list
    of texts in a file of prompts is one text with `PARAGRAPH` between them.
    """

    text: str
    placeholders: tuple[str, ...] = ()


class PromptSet(Frozen):
    """The effective prompts of a study. `overlay` is the file laid over, as typed."""

    name: str
    prompts: dict[str, Prompt]
    overlay: str | None = None
    _templates: "Templates | None" = PrivateAttr(default=None)

    def render(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled in.

        Values are put in as they are: templates in them are never rendered.

        Raises:
            KeyError: If there is no such key, or a value for a placeholder lacks.
        """
        if self._templates is None:
            self._templates = Templates(self.prompts)
        return self._templates.render(key, values)

    @property
    def texts(self) -> dict[str, str]:
        """The effective text of every key."""
        return {key: prompt.text for key, prompt in self.prompts.items()}

    def used(self) -> PromptsUsed:
        """The set's name and hash, for the record."""
        canonical = json.dumps(self.texts, sort_keys=True).encode()
        digest = hashlib.sha256(canonical).hexdigest()[:16]
        return PromptsUsed(name=self.name, hash=digest)

    def reached_from(self, *keys: str) -> set[str]:
        """These prompts, and all prompts included in them."""
        reached: set[str] = set()
        ahead = [key for key in keys if key in self.prompts]
        while ahead:
            reached.add(key := ahead.pop())
            text = self.prompts[key].text
            names = _placeholders(text) | set(_OTHER.findall(text))
            ahead += [n for n in names if n in self.prompts and n not in reached]
        return reached


INSTEAD = "instead_of"
"""The value with the prompts that are shown in place of others, by the others' keys."""


class Templates:
    """The templates of a prompt set, each compiled when it is first rendered."""

    def __init__(self, prompts: Mapping[str, Prompt]) -> None:
        """Take over the prompts by their keys."""
        self.prompts = prompts
        self.environment = _environment()
        self.environment.context_class = _Values
        self.environment.extend(templates=self)
        self.globals = {**self.environment.globals, "prompt": self._other}
        self.compiled: dict[str, list[Template | str]] = {}

    def render(self, key: str, values: Mapping[str, object]) -> str:
        """A prompt's text; see `PromptSet.render`."""
        given = {**self.globals, **values}
        return self.text(key, _Values(self.environment, given, None, {}))

    def text(self, key: str, values: Context) -> str:
        """A prompt's text, for the values of the prompt that it is a part of."""
        key = values.parent.get(INSTEAD, {}).get(key, key)
        if key not in self.compiled:
            paragraphs = self.prompts[key].text.split(PARAGRAPH)
            self.compiled[key] = [self._compiled(text) for text in paragraphs]
        try:
            parts = [
                part if isinstance(part, str) else _rendered(part, values)
                for part in self.compiled[key]
            ]
        except TemplateError as error:
            raise KeyError(f"prompt {key!r}: {error}") from error
        return "\n\n".join(part for part in parts if part)

    def _compiled(self, text: str) -> Template | str:
        source = _as_jinja(text)
        return self.environment.from_string(source) if "{" in source else source.strip()

    @pass_context
    def _other(self, context: Context, key: str, **values: object) -> str:
        if not values:
            return self.text(key, context)
        return self.render(key, {**context.get_all(), **values})


class _Values(Context):
    """What a prompt is rendered with; other prompts are in place of what lacks."""

    def resolve_or_missing(self, key: str) -> Any:
        if (found := super().resolve_or_missing(key)) is not missing:
            return found
        templates: Templates = vars(self.environment)["templates"]
        return templates.text(key, self) if key in templates.prompts else missing


def _rendered(template: Template, values: Context) -> str:
    """A paragraph's text; what it sets with `{% set %}` is not known outside of it."""
    outer, values.vars = values.vars, dict(values.vars)
    try:
        return "".join(template.root_render_func(values)).strip()
    finally:
        values.vars = outer


def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(
        variable_start_string="{",
        variable_end_string="}",
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_PIECE = re.compile(r"\{%.*?%\}|\{\{|\{[^{}]*\}|\}\}", re.DOTALL)


def _as_jinja(text: str) -> str:
    """A template with its doubled braces as Jinja takes them."""
    braces = {"{{": "{'{'}", "}}": "{'}'}"}
    return _PIECE.sub(lambda match: braces.get(match[0], match[0]), text)


@cache
def _placeholders(text: str) -> frozenset[str]:
    names = meta.find_undeclared_variables(_environment().parse(_as_jinja(text)))
    return frozenset(names - {"prompt"})


_OTHER = re.compile(r"""\bprompt\(["'](\w+)["']""")


def put_together(name: str) -> dict[str, str]:
    """Those of a study's shipped prompts that are put together of others.

    Logs of before have none of these: what they say was in the code.
    """
    texts = load_prompts(name).texts
    alone = leaves(texts)
    return {key: text for key, text in texts.items() if key not in alone}


def leaves(texts: Mapping[str, str] | None) -> dict[str, str]:
    """The prompts that are not put together of others, by which older logs compare."""
    return {
        key: text
        for key, text in (texts or {}).items()
        if "{%" not in text and not _OTHER.search(text)
    }


def prompt_set_names() -> list[str]:
    """The studies that have a prompt set."""
    folder = files("inspect_debate.v1.debate") / "prompt_sets"
    return sorted(
        entry.name.removesuffix(".yaml")
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    )


def load_prompts(
    name: str,
    overlay: str | None = None,
    own: Mapping[str, Prompt] = MappingProxyType({}),
    *,
    extra: Sequence[str] = (),
) -> PromptSet:
    """A study's prompts, with a user's file laid over them.

    Args:
        name: The study, e.g. `colmad`.
        own: A protocol's own prompts. Those under keys of the study replace its texts;
            the others are kept.
        overlay: A YAML file that maps keys to texts; its keys replace. Or a prompt file
            of the study's authors (`debate/prompts.py`), taken over as it is.
        extra: Other prompt sets, whose prompts are added to the study's.

    Raises:
        InputError: If the overlay is missing or malformed, or has an unknown key or
            placeholder; the sentence names it.
    """
    check_name("prompt set", name, prompt_set_names())
    prompts = dict(_shipped(name))
    for other in extra:
        prompts |= _shipped(other)
    for key, prompt in own.items():
        prompts[key] = (
            _replaced(prompts[key], prompt.text, f"The protocol's own {key}")
            if key in prompts
            else prompt
        )
    if overlay is not None:
        for key, text in _read_overlay(name, overlay).items():
            check_name(f"prompts={overlay}: key", key, tuple(prompts))
            if not isinstance(text, str):
                raise InputError(f"prompts={overlay}: the text of {key!r} is no text.")
            prompts[key] = _replaced(prompts[key], text, f"prompts={overlay}: {key}")
    return PromptSet(name=name, prompts=prompts, overlay=overlay)


@cache
def _shipped(name: str) -> Mapping[str, Prompt]:
    """A study's prompts as they ship with the package."""
    source = files("inspect_debate.v1.debate") / "prompt_sets" / f"{name}.yaml"
    # PyYAML's own loader takes ten times as long.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    texts = yaml.load(source.read_text(encoding="utf-8"), loader)
    return {key: _prompt(**value) for key, value in texts.items()}


def read_texts(given: Mapping[str, str] | Path) -> dict[str, Prompt]:
    """A protocol's own prompts.

    Args:
        given: Texts by key, or a YAML file that maps keys to texts, or to a `text` and
            the `placeholders` that a user's text may have in its place.
    """
    texts: Mapping[str, Any] = given if isinstance(given, Mapping) else _loaded(given)
    return {
        key: _prompt(**text) if isinstance(text, Mapping) else _prompt(text)
        for key, text in texts.items()
    }


def _loaded(path: Path) -> Mapping[str, Any]:
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(loaded, Mapping)
    return loaded


def _prompt(text: str | Sequence[str], placeholders: Sequence[str] = ()) -> Prompt:
    whole = text if isinstance(text, str) else PARAGRAPH.join(text)
    return Prompt(text=whole, placeholders=tuple(placeholders))


def _replaced(prompt: Prompt, text: str, where: str) -> Prompt:
    """A prompt with another text, which may use the same placeholders."""
    allowed = prompt.placeholders or tuple(sorted(_placeholders(prompt.text)))
    _check_placeholders(where, text, allowed)
    return Prompt(text=text, placeholders=prompt.placeholders)


def load_prompt_sets(
    names: Sequence[str],
    overlay: str | None = None,
    own: Mapping[str, Prompt] = MappingProxyType({}),
    extra: Sequence[str] = (),
) -> dict[str, PromptSet]:
    """Those of several prompt sets over which a user's file can be laid.

    For a solver, which learns with the first sample what kind of question it is asked.

    Args:
        names: The sets; without an overlay all of them are given back.
        overlay: As in `load_prompts`.
        own: As there.
        extra: As there.

    Raises:
        InputError: If the overlay fits none of them; what is wrong with the first.
    """
    loaded: dict[str, PromptSet] = {}
    errors: list[InputError] = []
    for name in names:
        try:
            loaded[name] = load_prompts(name, overlay, own, extra=extra)
        except InputError as error:
            errors.append(error)
    if not loaded:
        raise errors[0]
    return loaded


def _read_overlay(name: str, typed: str) -> Mapping[str, Any]:
    content = read_user_yaml("prompts", typed)
    if not isinstance(content, dict):
        raise InputError(f"prompts={typed} has to map prompt keys to texts.")
    return content


def _check_placeholders(where: str, text: str, allowed: tuple[str, ...]) -> None:
    if "{%" in text:
        try:
            names = _placeholders(text)
        except TemplateError as error:
            raise InputError(f"{where}: {error}") from error
        for used in sorted(names):
            check_name(f"{where}: placeholder", used, allowed)
        return
    try:
        fields = list(Formatter().parse(text))
    except ValueError as error:
        raise InputError(
            f"{where}: {error}; write {{{{ and }}}} for braces."
        ) from error
    for _, name, spec, conversion in fields:
        if name is None:
            continue
        check_name(f"{where}: placeholder", name, allowed)
        if spec or conversion:
            raise InputError(f"{where}: write {{{name}}} without a format.")
