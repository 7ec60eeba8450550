"""Prompts: whole messages as Jinja templates in YAML files beside the protocols."""

import hashlib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import DictLoader, StrictUndefined, TemplateError, meta
from jinja2.sandbox import SandboxedEnvironment

from inspect_debate.debate.errors import InputError, check_known, typed_path


class Prompts:
    """The prompts of a protocol, of which a user's file may replace some.

    One prompt may `{% include %}` another. Values are filled in and never rendered
    again, so braces in a model's text are text.

    Attributes:
        texts: The templates, by key.
        hashes: A hash of each, which tells two sets of prompts apart in a log.
    """

    def __init__(self, *shipped: Path, overlay: str | None = None) -> None:
        """Read and compile the prompts.

        Args:
            shipped: The protocol's YAML files; later ones add to earlier ones.
            overlay: The path of a user's file.

        Raises:
            InputError: If the user's file cannot be read, or if a prompt in it is
                unknown, malformed, or uses a variable that no prompt has.
        """
        own: dict[str, str] = {}
        for path in shipped:
            own |= _shipped(path)
        changed = read_prompts(typed_path(overlay)) if overlay else {}
        self.texts = own | changed
        self.hashes = hashes_of(self.texts)
        self._environment = environment = _environment(*self.texts.items())
        known = set[str]()
        for text in own.values() if changed else ():
            known |= meta.find_undeclared_variables(environment.parse(text))
        for key, text in changed.items():
            check_known(f"prompts={overlay}: prompt", key, own)
            try:
                template = environment.parse(text)
            except TemplateError as error:
                raise InputError(f"prompts={overlay}: {key}: {error}") from None
            for included in meta.find_referenced_templates(template):
                check_known(f"prompts={overlay}: {key}: prompt", str(included), own)
            for name in sorted(meta.find_undeclared_variables(template)):
                check_known(f"prompts={overlay}: {key}: variable", name, known)

    def __call__(self, key: str, **values: Any) -> str:
        """A prompt with its values filled in."""
        try:
            return self._environment.get_template(key).render(values).strip()
        except TemplateError as error:
            known = ", ".join(sorted(values))
            raise InputError(f"prompt {key!r}: {error}; it may use {known}.") from None


@lru_cache(maxsize=32)  # compiling costs more than a call
def _environment(*texts: tuple[str, str]) -> SandboxedEnvironment:
    # Strict: a misspelt variable must not silently become an empty string.
    return SandboxedEnvironment(
        loader=DictLoader(dict(texts)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,  # or what follows an include joins its line
        trim_blocks=True,
        lstrip_blocks=True,
    )


def hashes_of(texts: Mapping[str, str]) -> dict[str, str]:
    """What tells two sets of prompts apart in a log."""
    digests = {key: hashlib.sha256(text.encode()) for key, text in texts.items()}
    return {key: digest.hexdigest()[:12] for key, digest in digests.items()}


def read_prompts(path: Path) -> dict[str, str]:
    """The prompts in a YAML file, by key."""
    try:
        texts = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"prompts={path} cannot be read: {reason}") from None
    if not isinstance(texts, dict):
        raise InputError(f"prompts={path} holds no prompts; write lines `key: |`.")
    for key, text in texts.items():
        for one in (key, text):
            if not isinstance(one, str):
                raise InputError(f"prompts={path}: {key}: {one!r} is not text.")
    return texts


_shipped = cache(read_prompts)
