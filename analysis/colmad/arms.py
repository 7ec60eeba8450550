"""The arms of the ColMAD study: what was run under one condition, and its name."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from inspect_debate.analysis.arms import Arms, flat

PROTOCOLS = {
    "single": "Single agent",
    "self_consistency": "Self-consistency",
    "judge_alone": "Judge alone",
    "ensemble": "Ensemble",
    "som": "Society of Minds",
    "copmad": "CopMAD",
    "colmad": "ColMAD",
}
"""All protocols of the study, in the order in which they are reported."""

DEBATES = ("copmad", "colmad")
"""The protocols with speeches and a judge."""

_DEBATE = {"rounds": 2, "order": "ab", "turn_order": "simultaneous"}
PUBLISHED: Mapping[str, Mapping[str, object]] = {
    "colmad": _DEBATE | {"skip_if_agree": True},
    "copmad": _DEBATE | {"skip_if_agree": False},
    "som": {"rounds": 1},
}
"""Parameters as published; arms that have them are called by the protocol alone."""

SUBSETS = {
    "math": "Mathematics",
    "fact": "Fact verification",
    "answerability": "Answerability",
}
AUTHORS = {"gpt4": "GPT-4", "llama2": "Llama 2"}

_SCORERS = (
    *("error_detection", "debate_process"),
    *("debate_hacking", "explanation_alignment"),
)
_OF_THE_RUN = ("reuse", "reuse_until", "match", "match_on", "matched")
_ROLES = ("debater_a", "debater_b", "judge")
_MODEL = "model."
_ANSWER = [
    *("id", "epoch", "subset", "response_author", "input_group"),
    *("gold", "prediction"),
]


@dataclass(frozen=True)
class Arm:
    """All samples under one condition.

    Attributes:
        protocol: A key of `PROTOCOLS`.
        debater_a: The model; None where it took no part. So `debater_b` and `judge`,
            where several judges are joined by ", ".
        parameters: Of the protocol, as the log has them.
        details: What tells it from other arms of the protocol, for readers.
        samples: A row per sample and epoch as in `arms`, failed ones too, with the
            scorers' values under their own names.
        settings: Of the models, as in `scores_df`.
        label: What `arms` calls it.
    """

    protocol: str
    debater_a: str | None
    debater_b: str | None
    judge: str | None
    parameters: Mapping[str, Any]
    samples: pd.DataFrame
    details: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""

    @property
    def title(self) -> str:
        """The protocol with its details, as "ColMAD, 1 round"."""
        return ", ".join(filter(None, (PROTOCOLS[self.protocol], self.details)))

    @property
    def models(self) -> str:
        """Who took part, as "A + B"; a judge only where it is alone."""
        debaters = [m for m in (self.debater_a, self.debater_b) if m is not None]
        return " + ".join(map(short, debaters or [self.judge or "?"]))

    @property
    def name(self) -> str:
        """Title and models; the study's arms all differ in it."""
        return f"{self.title} ({self.models})"

    @property
    def condition(self) -> dict[str, Any]:
        """What shapes a debate, by flat names: parameters and the models' settings.

        Whence earlier stages came does not.
        """
        shaping = {k: v for k, v in self.parameters.items() if k not in _OF_THE_RUN}
        return dict(flat(shaping)) | {
            f"{_MODEL}{k}": v for k, v in self.settings.items()
        }

    @property
    def as_published(self) -> bool:
        """Whether it has the parameters that the paper says its protocol has."""
        published = PUBLISHED.get(self.protocol, {})
        return all(self.parameters.get(k) == v for k, v in published.items())

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The samples that were scored."""
        return self.samples[self.samples["scored"]]

    @cached_property
    def answers(self) -> pd.DataFrame:
        """Items and answers of the scored samples, without all other values."""
        return self.rows[_ANSWER]

    @property
    def rounds(self) -> int:
        """Rounds of speeches; 0 in protocols without any."""
        return int(self.parameters["rounds"]) if self.protocol in DEBATES else 0

    @property
    def debaters(self) -> frozenset[str]:
        """The debaters' models, whichever speaks first."""
        return frozenset(m for m in (self.debater_a, self.debater_b) if m is not None)

    def of_author(self, author: str) -> pd.DataFrame:
        """Items and answers of the scored samples about responses of one author."""
        return self.answers[self.answers["response_author"] == author]


def short(model: str) -> str:
    """A model's name without its provider."""
    return ", ".join(name.rpartition("/")[2] for name in model.split(", "))


def study_arms(grouped: Arms) -> list[Arm]:
    """The arms with names for readers.

    Args:
        grouped: As from `arms`, of logs of this study only.

    Returns:
        The arms in the order of `PROTOCOLS`, then by models and rounds.
    """
    made = [_arm(samples) for _, samples in grouped.frame.groupby("arm", sort=False)]
    return _named(sorted(made, key=_rank))


def _arm(samples: pd.DataFrame) -> Arm:
    first = samples.iloc[0]
    debater_a, debater_b, judge = (
        first[role] if isinstance(first[role], str) else None for role in _ROLES
    )
    return Arm(
        protocol=first["protocol"],
        debater_a=debater_a,
        debater_b=debater_b,
        judge=judge,
        parameters=first["parameters"],
        samples=_bare(samples),
        settings=first["settings"],
        label=first["arm"],
    )


def _bare(samples: pd.DataFrame) -> pd.DataFrame:
    """Scores under their own names; those that all scorers have come first."""
    names: dict[str, str] = {}
    for scorer in _SCORERS:
        for column in samples.columns:
            bare = column.removeprefix(f"{scorer}.")
            if bare != column and bare not in names.values():
                names[column] = bare
    kept = [c for c in samples.columns if "." not in c or c in names]
    return samples[kept].rename(columns=names).reset_index(drop=True).copy()


def _rank(arm: Arm) -> tuple[int, str, int, str]:
    place = list(PROTOCOLS).index(arm.protocol)
    return (
        place,
        arm.models,
        arm.rounds,
        json.dumps(dict(arm.parameters), sort_keys=True),
    )


def _named(arms: Sequence[Arm]) -> list[Arm]:
    """The arms with details of what varies among those of their kind."""
    detailed = [
        replace(
            arm, details=", ".join(_details(arm, [a for a in arms if _kin(a, arm)]))
        )
        for arm in arms
    ]
    seen: Counter[str] = Counter()
    named = []
    for arm in detailed:
        seen[arm.name] += 1
        again = f"run {seen[arm.name]}" if seen[arm.name] > 1 else ""
        words = filter(None, (arm.details, again))
        named.append(replace(arm, details=", ".join(words)))
    return named


def _kin(one: Arm, other: Arm) -> bool:
    both = {one.protocol, other.protocol}
    return len(both) == 1 or both <= set(DEBATES)


def _details(arm: Arm, kin: Sequence[Arm]) -> Iterator[str]:
    published = PUBLISHED.get(arm.protocol, {})
    for name, value in arm.condition.items():
        if name in published:
            if value != published[name]:
                yield _in_words(name, value)
        elif name == "n" or (value is not None and _varies(name, kin)):
            yield _in_words(name, value)
    if matched := arm.parameters.get("matched"):
        yield f"matched in {matched['unit']}"
    if arm.protocol in DEBATES and arm.judge and arm.judge != arm.debater_a:
        yield f"judged by {short(arm.judge)}"


def _varies(name: str, arms: Sequence[Arm]) -> bool:
    found = {json.dumps(arm.condition.get(name), sort_keys=True) for arm in arms}
    return len(found) > 1


def _in_words(name: str, value: object) -> str:
    match name, value:
        case "rounds", 1:
            return "1 round"
        case "rounds", _:
            return f"{value} rounds"
        case "skip_if_agree", _:
            return "short-cut" if value else "no short-cut"
        case "order", "both":
            return "both orders"
        case "n", _:
            return f"{value} answers"
    if "." in name:  # a setting of models, of all or of one stage or role
        return f"{name.removeprefix(_MODEL).replace('.', ' ')} {value}"
    return f"{name}={value}"
