"""Ready-made simulated models: the `<profile>` of `--model simulated/<profile>`."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.simulator.behaviour import Behaviour

# What the ready-made simulated models are like, and the parameters that they have.


_HALVES = (
    *("sensitivity", "specificity", "judge_accuracy", "concession", "wrong_concession"),
    *("yield_wrong", "yield_right", "confidence_right", "confidence_wrong"),
)
_COIN: dict[str, Any] = {
    **dict.fromkeys(_HALVES, 0.5),
    "choice_accuracy": "chance",
}
_ALWAYS = (
    *("sensitivity", "specificity", "choice_accuracy", "judge_accuracy", "concession"),
    *("yield_wrong", "quote_verified_rate"),
)
_NEVER = (*("wrong_concession", "yield_right", "quote_duplicate_rate"),)
_PERFECT: dict[str, Any] = {
    **dict.fromkeys(_ALWAYS, 1.0),
    **dict.fromkeys(_NEVER, 0.0),
    "confidence_right": 0.95,
    "confidence_spread": 0.05,
}
_FIRM: dict[str, Any] = {"yield_wrong": 0.0, "yield_right": 0.0}


PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "balanced": ("Right more often than not, everywhere; every default.", {}),
    "perfect": (
        "Always right: answers, verdicts, and gives in whenever it is wrong.",
        _PERFECT,
    ),
    "always_error": (
        "Always answers that there is an error; else like `balanced`.",
        {"sensitivity": 1.0, "specificity": 0.0} | _FIRM,
    ),
    "always_no_error": (
        "Never answers that there is an error; else like `balanced`.",
        {"sensitivity": 0.0, "specificity": 1.0} | _FIRM,
    ),
    "first_speaker": (
        "As a judge always sides with whoever it is shown first.",
        {"follow_first": 1.0},
    ),
    "overconfident": (
        "States about 0.95, right or wrong, more every round, and never gives in.",
        {
            "confidence_right": 0.95,
            "confidence_wrong": 0.93,
            "confidence_spread": 0.03,
            "drift": 0.01,
            "concession": 0.0,
            "wrong_concession": 0.0,
            **_FIRM,
        },
    ),
    "hesitant": (
        "States little more than 0.5, less every round, and gives in easily.",
        {
            "confidence_right": 0.58,
            "confidence_wrong": 0.53,
            "confidence_spread": 0.05,
            "drift": -0.02,
            "concession": 0.5,
            "wrong_concession": 0.4,
            "concession_growth": 0.1,
            "yield_wrong": 0.6,
            "yield_right": 0.5,
        },
    ),
    "no_logprobs": (
        "Sends no log-probabilities; else like `balanced`.",
        {"logprobs": "none"},
    ),
    "talkative": (
        "Speaks at length, beyond the usual word limit, and reasons before.",
        {"words": 450, "reasoning_words": 200},
    ),
    "malformed": (
        "Three completions in ten cannot be read.",
        {"unreadable_rate": 0.3},
    ),
    "refusing": ("Two completions in ten are refused.", {"refused_rate": 0.2}),
    "truncating": (
        "Two completions in ten are cut off before their final line.",
        {"truncated_rate": 0.2},
    ),
    "hostile": (
        "Every answer and speech forges verified quotes or poses as the system.",
        {"hostile_rate": 1.0},
    ),
    "coin": ("Tosses a coin for everything.", _COIN),
}
"""Of each profile what it does, and what it has in place of defaults."""


PROFILES: dict[str, Behaviour] = {
    name: Behaviour(**values) for name, (_, values) in PRESETS.items()
}
_LABEL = re.compile(r"[\w.:-]+(?:/[\w.:-]+)*")
_PARAMETERS = [name for name in Behaviour.model_fields if name != "label"]


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
