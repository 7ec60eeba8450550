"""The arms of the ColMAD study: what was run under one condition, and its name."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from inspect_debate.debate.config import DebateConfig
from inspect_debate.debate.prompts import shipped_hashes
from inspect_debate.reports.arms import Arms, flat, text

# What the ColMAD study is made of: protocols, their defaults, parts of the data.

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

VERSIONS = ("2-A", "2-B")
"""The versions of the task whose defaults are told here; their debates are alike."""

_OF_ALL = dict(flat(DebateConfig().logged()))
_DEBATE = {
    "rounds": 2,
    "sides": "free",
    "order": "ab",
    "turn_order": "simultaneous",
    "show_openings": True,
    "judge_sees_problem": True,
}
_OWN: Mapping[str, Mapping[str, object]] = {
    "self_consistency": {"n": 7},
    "judge_alone": {"order": "ab"},
    "som": {"rounds": 1},
    "copmad": _DEBATE | {"skip_if_agree": False, "show_openings": False},
    "colmad": _DEBATE | {"skip_if_agree": True},
}
PUBLISHED: Mapping[str, Mapping[str, object]] = {
    protocol: {**_OWN.get(protocol, {}), **_OF_ALL} for protocol in PROTOCOLS
}
"""All parameters as published, or as the task has them where the paper leaves them
open, by flat names; arms that have them are called by the protocol alone."""

SUBSETS = {
    "math": "Mathematics",
    "fact": "Fact verification",
    "answerability": "Answerability",
}
AUTHORS = {"gpt4": "GPT-4", "llama2": "Llama 2"}

NOT_GRADED = ("unparsed", "refused", "truncated", "capped")
"""Why a grader's labels may be missing."""


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
        prompts: The hash of the effective prompts; None where the log has none.
        seed: Of sides, coins and the order of samples.
        version: Of the task.
        names: What readers call a model where `short` would not do.
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
    prompts: str | None = None
    seed: int = 0
    version: str = VERSIONS[-1]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The protocol with its details, as "ColMAD, 1 round"."""
        return ", ".join(filter(None, (PROTOCOLS[self.protocol], self.details)))

    @property
    def models(self) -> str:
        """Who took part, as "A + B"; a judge only where it is alone."""
        debaters = [m for m in (self.debater_a, self.debater_b) if m is not None]
        return " + ".join(map(self.called, debaters or [self.judge or "?"]))

    @property
    def name(self) -> str:
        """Title and models; the study's arms all differ in it."""
        return f"{self.title} ({self.models})"

    @property
    def condition(self) -> dict[str, Any]:
        """What shapes a debate, by flat names.

        Parameters, the models' settings, prompts, seed and version of the task do;
        whence earlier stages came does not.
        """
        return self._set | {
            "prompts": self.prompts,
            "seed": self.seed,
            "version": self.version,
        }

    @property
    def deviations(self) -> dict[str, Any]:
        """Parameters that are not as in `PUBLISHED`, and settings of the models."""
        published = PUBLISHED[self.protocol]
        return {k: v for k, v in self._set.items() if v != published.get(k)}

    @property
    def own_prompts(self) -> bool:
        """Whether its prompts are known not to be those of the suite."""
        known = self.version in VERSIONS and self.prompts is not None
        return known and self.prompts not in shipped_hashes("colmad")

    @property
    def as_published(self) -> bool:
        """Whether parameters, settings, prompts and version are the task's defaults.

        These are the paper's; any seed will do.
        """
        known = self.version in VERSIONS
        return known and not self.own_prompts and not self.deviations

    @property
    def _set(self) -> dict[str, Any]:
        shaping = {k: v for k, v in self.parameters.items() if k not in _OF_THE_RUN}
        return dict(flat(shaping)) | {f"{_MODEL}{k}": v for k, v in flat(self.settings)}

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

    def called(self, model: str) -> str:
        """A model's name for readers; of several judges, all names."""
        found = (self.names.get(name, short(name)) for name in model.split(", "))
        return ", ".join(found)

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
    names = _full_names(made)
    return _named(sorted((replace(arm, names=names) for arm in made), key=_rank))


def _full_names(arms: Iterable[Arm]) -> dict[str, str]:
    """The models that share their short name with another, by their full names."""
    people = (p for arm in arms for p in (arm.debater_a, arm.debater_b, arm.judge) if p)
    models = {model for joined in people for model in joined.split(", ")}
    uses = Counter(map(short, models))
    return {model: model for model in models if uses[short(model)] > 1}


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
        prompts=_known(first.get("prompts"), None),
        seed=int(_known(first.get("seed"), 0)),
        version=_known(first.get("task_version"), VERSIONS[-1]),
    )


def _known(value: Any, otherwise: Any) -> Any:
    return otherwise if pd.isna(value) else value


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
        json.dumps([dict(arm.parameters), arm.seed], sort_keys=True),
    )


def _named(arms: Sequence[Arm]) -> list[Arm]:
    """The arms with details of what is not as published."""
    detailed = [
        replace(
            arm, details=", ".join(_details(arm, [a for a in arms if _kin(a, arm)]))
        )
        for arm in arms
    ]
    seen: dict[str, list[str | None]] = {}
    named = []
    for arm in detailed:
        graders, grader = seen.setdefault(arm.name, []), _grader(arm)
        again = ""
        if grader in graders:
            again = f"run {len(graders) + 1}"
        elif graders:
            again = f"graded by {short(grader)}" if grader else "not graded"
        graders.append(grader)
        named.append(
            replace(arm, details=", ".join(filter(None, (arm.details, again))))
        )
    return named


def _grader(arm: Arm) -> str | None:
    """The model that graded; of no matter for the debates, but arms of their own."""
    graders = arm.samples.get("grader", pd.Series(dtype=object)).dropna().unique()
    return str(graders[0]) if len(graders) else None


def _kin(one: Arm, other: Arm) -> bool:
    both = {one.protocol, other.protocol}
    return len(both) == 1 or both <= set(DEBATES)


def _details(arm: Arm, kin: Sequence[Arm]) -> Iterator[str]:
    always = {"n": arm.parameters["n"]} if "n" in arm.parameters else {}
    for name, value in (always | arm.deviations).items():
        yield _in_words(name, value)
    if matched := arm.parameters.get("matched"):
        yield f"matched in {matched['unit']}"
    if arm.protocol in DEBATES and arm.judge and arm.judge != arm.debater_a:
        yield f"judged by {arm.called(arm.judge)}"
    yield from _of_the_task(arm, kin)


def _of_the_task(arm: Arm, kin: Sequence[Arm]) -> Iterator[str]:
    """Prompts, seed and version, where they are not the task's own."""
    alike = [a for a in kin if a.version == arm.version]
    if arm.version not in VERSIONS:
        yield f"version {arm.version}"
        # What this version's own prompts were is not known.
        if arm.prompts and len({a.prompts for a in alike}) > 1:
            yield f"prompts {arm.prompts[:4]}"
    elif arm.prompts and arm.own_prompts:
        several = len({a.prompts for a in alike if a.own_prompts}) > 1
        yield f"own prompts {arm.prompts[:4]}" if several else "own prompts"
    if arm.seed:
        yield f"seed {arm.seed}"


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
        case "model.seed", _:  # not to be taken for the task's
            return f"model seed {value}"
    if "." in name:  # a setting of models, of all or of one stage or role
        return f"{name.removeprefix(_MODEL).replace('.', ' ')} {text(value)}"
    return f"{name}={text(value)}"
