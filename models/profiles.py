"""Ready-made simulated models: the `<profile>` of `--model simulated/<profile>`."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from inspect_debate.core.errors import InputError, check_name
from inspect_debate.models.behaviour import Behaviour
from inspect_debate.models.presets import PRESETS

PROFILES: dict[str, Behaviour] = {
    name: Behaviour(**values) for name, (_, values) in PRESETS.items()
}
_LABEL = re.compile(r"[\w.:-]+(?:/[\w.:-]+)*")
_PARAMETERS = [name for name in Behaviour.model_fields if name != "label"]

ABOUT: dict[str, str] = {name: about for name, (about, _) in PRESETS.items()}


def behaviour_of(profile: str, given: Mapping[str, Any]) -> Behaviour:
    """A profile's behaviour with some parameters replaced.

    Args:
        profile: A key of `PROFILES`, which a label may follow: `balanced/anna`.
        given: Parameters of `Behaviour` and their values.

    Raises:
        InputError: Naming the profile or parameter, what was given and what is
            allowed.
    """
    name, label = _named(profile)
    for parameter in given:
        check_name("-M parameter", parameter, _PARAMETERS)
    values = PROFILES[name].model_dump() | dict(given) | {"label": label}
    try:
        return Behaviour.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        if not first["loc"]:
            reason = first["msg"].removeprefix("Value error, ")
            raise InputError(f"-M of simulated/{profile}: {reason}.") from error
        raise InputError(
            f"-M {first['loc'][0]}={first['input']!r} is not allowed: {first['msg']}."
        ) from error


def _named(model: str) -> tuple[str, str]:
    """The profile and the label in a model's name."""
    name, slash, label = model.partition("/")
    if name not in PROFILES:
        close = get_close_matches(name, PROFILES, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InputError(
            f"--model simulated/{model} is not known; profiles: "
            f"{', '.join(PROFILES)}.{hint} A profile's parameters are changed with -M, "
            "e.g. --model simulated/balanced -M judge_accuracy=0.9."
        )
    if slash and not _LABEL.fullmatch(label):
        raise InputError(
            f"--model simulated/{model}: {label!r} is no label; give letters, digits "
            "and any of . : - _ /, e.g. simulated/balanced/anna."
        )
    return name, label
