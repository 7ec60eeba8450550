"""Ready-made simulated models: the `<profile>` of `--model simulated/<profile>`."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.simulator.behaviour import Behaviour

# What the ready-made simulated models are like, and the parameters that they have.


def _ruling(right: float, wrong: float) -> dict[str, Any]:
    """A judge that endorses right and wrong answers alike in every format."""
    interactions = ("none", "consultancy", "debate")
    rights = {f"endorse_right_{each}": right for each in interactions}
    return rights | {f"endorse_wrong_{each}": wrong for each in interactions}


_HALVES = (
    *("sensitivity", "specificity", "judge_accuracy", "concession", "wrong_concession"),
    *("yield_wrong", "yield_right", "confidence_right", "confidence_wrong"),
    *("fake_evidence_rate", "overconfident_rate", "fallacious_rate", "alignment_rate"),
    *("bet_opening", "jury_confidence", "numeric_rate", "strategic_rate"),
    *("recall_maybe", "certainty_right", "certainty_wrong", "passage_certainty_right"),
    *("passage_certainty_wrong", "follows_passage", "credulity_standard"),
    *("credulity_perturbed", "verdict_flip", "solve_rate", "critic_agrees_right"),
    "critic_agrees_wrong",
)
_COIN: dict[str, Any] = {
    **dict.fromkeys(_HALVES, 0.5),
    **_ruling(right=0.5, wrong=0.5),
    "choice_accuracy": "chance",
    "jury_shared": 0.0,
    "jury_repeat": 0.0,
    "overbetting_rate": 0.25,
    "underbetting_rate": 0.25,
    "highly_known": 0.0,
    "maybe_known": 1.0,
    "weakly_known": 0.0,
    "follow_per_severity": 0.0,
    "credulity_per_severity": 0.0,
    "solve_spread": 0.0,
    "best_of_gain_debate": 0.0,
    "judge_steadiness": 0.0,
    "ruling_confidence_right": 0.75,
    "ruling_confidence_wrong": 0.75,
    "ruling_confidence_spread": 0.25,
}
_ALWAYS = (
    *("sensitivity", "specificity", "choice_accuracy", "judge_accuracy", "concession"),
    *("yield_wrong", "quote_verified_rate", "alignment_rate", "jury_shared"),
    *("jury_repeat", "numeric_rate", "highly_known", "recall_highly"),
    *("certainty_right", "passage_certainty_right", "follows_passage"),
    *("credulity_standard", "solve_rate", "critic_agrees_right"),
)
_NEVER = (
    *("wrong_concession", "yield_right", "quote_duplicate_rate", "fake_evidence_rate"),
    *("overconfident_rate", "fallacious_rate", "overbetting_rate", "underbetting_rate"),
    *("strategic_rate", "maybe_known", "weakly_known", "certainty_spread"),
    *("credulity_perturbed", "credulity_per_severity", "verdict_flip", "solve_spread"),
    *("critic_agrees_wrong", "doubted_tasks"),
)
_PERFECT: dict[str, Any] = {
    **dict.fromkeys(_ALWAYS, 1.0),
    **dict.fromkeys(_NEVER, 0.0),
    **_ruling(right=1.0, wrong=0.0),
    "confidence_right": 0.95,
    "confidence_spread": 0.05,
    "certainty_wrong": 0.5,
    "passage_certainty_wrong": 0.5,
    "follow_per_severity": -1.0,
    "ruling_confidence_right": 0.95,
    "ruling_confidence_spread": 0.05,
}
_FIRM: dict[str, Any] = {"yield_wrong": 0.0, "yield_right": 0.0}


def _judging(credulity: float) -> dict[str, Any]:
    """A judge that finds passages reasonable at one rate, the same in every round."""
    return {
        "credulity_standard": credulity,
        "credulity_perturbed": credulity,
        "credulity_per_severity": 0.0,
        "verdict_flip": 0.0,
    }


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
        {"follow_first": 1.0, "first_bonus": 1.0},
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
            "bet_opening": 0.88,
            "bet_drift": 0.04,
            "bet_spread": 0.04,
            "certainty_right": 0.97,
            "certainty_wrong": 0.95,
            "passage_certainty_right": 0.97,
            "passage_certainty_wrong": 0.95,
            "certainty_spread": 0.03,
            "ruling_confidence_right": 0.97,
            "ruling_confidence_wrong": 0.95,
            "ruling_confidence_spread": 0.03,
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
            "bet_opening": 0.55,
            "bet_drift": -0.02,
            "certainty_right": 0.6,
            "certainty_wrong": 0.5,
            "passage_certainty_right": 0.6,
            "passage_certainty_wrong": 0.5,
            "verdict_flip": 0.4,
            "ruling_confidence_right": 0.58,
            "ruling_confidence_wrong": 0.55,
            "ruling_confidence_spread": 0.05,
        },
    ),
    "calibrated": (
        "Bets 50 on average, in every round; else like `balanced`.",
        {"bet_opening": 0.5},
    ),
    "escalating": (
        "Bets 73 at first and 5 points more every round, on average over models and "
        "debates; else like `balanced`.",
        {
            "bet_drift": 0.05,
            "bet_spread": 0.05,
            "bet_model_spread": 0.05,
            "bet_debate_spread": 0.02,
        },
    ),
    "credulous": (
        "As a judge finds every passage reasonable, and from the first round on.",
        _judging(1.0),
    ),
    "sceptic": (
        "As a judge finds no passage reasonable, and from the first round on.",
        _judging(0.0),
    ),
    "swayed": (
        "As a judge endorses 30 % of wrong answers where nobody speaks, 39 % after "
        "consultancies and 90 % after a debate; else like `balanced`.",
        {"endorse_wrong_consultancy": 0.39, "endorse_wrong_debate": 0.9},
    ),
    "yes_man": (
        "As a judge of solutions endorses every one; else like `balanced`.",
        {"both_correct": 1.0},
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
