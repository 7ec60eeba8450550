"""Prompt sets: one file per study, over which a user can lay another."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from types import MappingProxyType
from typing import Any

import yaml

from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import read_user_yaml
from inspect_debate.debate.record import Frozen, PromptsUsed


class Prompt(Frozen):
    """One text with the placeholders that it may use."""

    text: str
    placeholders: tuple[str, ...] = ()


class PromptSet(Frozen):
    """The effective prompts of a study. `overlay` is the file laid over, as typed."""

    name: str
    prompts: dict[str, Prompt]
    overlay: str | None = None

    def render(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled in.

        Raises:
            KeyError: If there is no such key, or a value for a placeholder lacks.
        """
        return self.prompts[key].text.format(**values).strip()

    @property
    def texts(self) -> dict[str, str]:
        """The effective text of every key."""
        return {key: prompt.text for key, prompt in self.prompts.items()}

    def used(self) -> PromptsUsed:
        """The set's name and hash, for the record."""
        canonical = json.dumps(self.texts, sort_keys=True).encode()
        digest = hashlib.sha256(canonical).hexdigest()[:16]
        return PromptsUsed(name=self.name, hash=digest)


def prompt_set_names() -> list[str]:
    """The studies that have a prompt set."""
    folder = files("inspect_debate.debate") / "prompt_sets"
    return sorted(
        entry.name.removesuffix(".yaml")
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    )


def load_prompts(
    name: str,
    overlay: str | None = None,
    own: Mapping[str, str] = MappingProxyType({}),
    *,
    beside: str | None = None,
) -> PromptSet:
    """A study's prompts, with a user's file laid over them.

    Args:
        name: The study, e.g. `colmad`.
        own: Texts of a protocol's own, which replace the study's; those of keys that
            the study does not have are left out.
        overlay: A YAML file that maps keys to texts; its keys replace. Or a prompt file
            of the study's authors (`debate/prompts.py`), taken over as it is.
        beside: Another prompt set, whose prompts stand beside the study's.

    Raises:
        InputError: If the overlay is missing or malformed, or has an unknown key or
            placeholder; the sentence names it.
    """
    check_name("prompt set", name, prompt_set_names())
    prompts = dict(_shipped(name)) | dict(_shipped(beside) if beside else {})
    for key in own.keys() & prompts.keys():
        prompts[key] = _replaced(prompts[key], own[key], f"The protocol's own {key}")
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
    source = files("inspect_debate.debate") / "prompt_sets" / f"{name}.yaml"
    texts = yaml.safe_load(source.read_text(encoding="utf-8"))
    return {key: Prompt.model_validate(value) for key, value in texts.items()}


def _replaced(prompt: Prompt, text: str, where: str) -> Prompt:
    """A prompt with another text, which may use the same placeholders."""
    _check_placeholders(where, text, prompt.placeholders)
    return Prompt(text=text, placeholders=prompt.placeholders)


def load_prompt_sets(
    names: Sequence[str],
    overlay: str | None = None,
    own: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, PromptSet]:
    """Those of several prompt sets over which a user's file can be laid.

    For a solver, which learns with the first sample what kind of question it is asked.

    Args:
        names: The sets; without an overlay all of them are given back.
        overlay: As in `load_prompts`.
        own: As there.

    Raises:
        InputError: If the overlay fits none of them; what is wrong with the first.
    """
    loaded: dict[str, PromptSet] = {}
    errors: list[InputError] = []
    for name in names:
        try:
            loaded[name] = load_prompts(name, overlay, own)
        except InputError as error:
            errors.append(error)
    if not loaded:
        raise errors[0]
    return loaded


def _read_overlay(name: str, typed: str) -> Mapping[str, Any]:
    content = read_user_yaml("prompts", typed)
    if not isinstance(content, dict):
        raise InputError(f"prompts={typed} has to map prompt keys to texts.")
    return as_overlay(f"prompts={typed}", name, content)


def _check_placeholders(where: str, text: str, allowed: tuple[str, ...]) -> None:
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


# Prompt files of a study's authors, read as an overlay over the suite's own.

# Ours, and what it is called in the repository of the confidence study and in its
# transcripts.
_CONFIDENCE = {
    "opening_structure": ("first_speech", "first_speech_prompt"),
    "rebuttal_structure": ("rebuttal_speech", "rebuttal_speech_prompt"),
    "closing_structure": ("final_speech", "final_speech_prompt"),
    "juror_system": ("judging_prompt", "judge_prompt"),
}
_OURS = {theirs: ours for ours, names in _CONFIDENCE.items() for theirs in names}
# All of their structures end with the guidance on judging.
_INCLUDED = {"judging_guidance": ""}


def as_overlay(
    where: str, study: str, content: Mapping[str, object]
) -> Mapping[str, object]:
    """A prompt file as our keys and texts, where it is one of the study's authors'.

    For the confidence study these are its repository's `debate_prompts.yaml` and the
    `prompts` of a transcript. Braces in their texts are literal.

    Args:
        where: What names the file, for errors.
        study: The study whose prompts are changed.
        content: What the file holds; the prompts may stand one level down.

    Returns:
        Our keys and texts; the content itself if none of the authors' keys is in it.

    Raises:
        InputError: If the authors' prompts are not complete, or stand beside others.
    """
    if study == "confidence":
        nested = (value for value in content.values() if isinstance(value, Mapping))
        for prompts in (content, *nested):
            if not _OURS.keys().isdisjoint(prompts):
                return _translated(where, prompts)
    return content


def _translated(where: str, prompts: Mapping[str, object]) -> Mapping[str, object]:
    for key in prompts:
        check_name(f"{where}: key", key, tuple(_OURS))
    texts = {_OURS[key]: _literal(where, key, text) for key, text in prompts.items()}
    for ours, names in _CONFIDENCE.items():
        if ours not in texts:
            raise InputError(
                f"{where} has {', '.join(prompts)} only; the authors' prompts have "
                f"{' or '.join(names)} as well."
            )
    return texts | _INCLUDED


def _literal(where: str, key: str, text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"{where}: the text of {key!r} is no text.")
    return text.replace("{", "{{").replace("}", "}}")
