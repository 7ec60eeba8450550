"""The conditions of the ColMAD study: what was run alike, its samples and its name."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import pandas as pd

from inspect_debate.debate.prompts import load_prompts, shipped_hashes
from inspect_debate.reports.challenges import SCORER as CHALLENGES
from inspect_debate.reports.conditions import Grouped, flat, text
from inspect_debate.reports.frames import under_own_names
from inspect_debate.solvers import challenge, cross_examination
from inspect_debate.solvers.question_answering import STUDY, DebateConfig

# What the study is made of: protocols, their defaults, parts of the data.

PROTOCOLS = {
    "single": "Single agent",
    "self_consistency": "Self-consistency",
    "judge_alone": "Judge alone",
    "ensemble": "Ensemble",
    "som": "Society of Minds",
    "copmad": "CopMAD",
    "colmad": "ColMAD",
    "cross_examination": "Cross-examination",
    "challenge": "Challenge",
    "placebo": "Placebo",
}
"""All protocols of the study, in the order in which they are reported."""

DEBATES = ("copmad", "colmad")
"""The study's own protocols with speeches and a judge."""

SPOKEN = (*DEBATES, "cross_examination", "challenge")
"""All protocols with speeches and a judge."""

VERSIONS = ("2-A", "2-B")
"""The versions of the task whose defaults these are; their debates are alike."""

SUBSETS = {
    "math": "Mathematics",
    "fact": "Fact verification",
    "answerability": "Answerability",
}
AUTHORS = {"gpt4": "GPT-4", "llama2": "Llama 2"}

_OF_ALL = dict(flat(DebateConfig().logged()))
_DEBATE = {
    "rounds": 2,
    "sides": "free",
    "order": "ab",
    "turn_order": "simultaneous",
    "show_openings": True,
    "judge_sees_problem": True,
}
_OPPOSED = {
    "rounds": 2,
    "sides": "assigned",
    "order": "ab",
    "show_openings": False,
    "judge_sees_problem": True,
}
_OWN: Mapping[str, Mapping[str, object]] = {
    "self_consistency": {"n": 7},
    "judge_alone": {"order": "ab"},
    "som": {"rounds": 1},
    "copmad": _DEBATE | {"skip_if_agree": False, "show_openings": False},
    "colmad": _DEBATE | {"skip_if_agree": True},
    "cross_examination": _OPPOSED,
    "challenge": _OPPOSED | {"second_judge": "auto"},
    "placebo": {"order": "ab", "nearest": 5},
}
PUBLISHED: Mapping[str, Mapping[str, object]] = {
    protocol: {**_OWN.get(protocol, {}), **_OF_ALL} for protocol in PROTOCOLS
}
"""All parameters as published, or the task's defaults where the paper leaves them
open, by flat names; a condition with these is called by its protocol alone."""

_MODULES = (challenge, cross_examination)
"""Imported so that the study has these protocols, which bring prompts with them."""

_SCORERS = (
    *("error_detection", "debate_process", CHALLENGES),
    *("debate_hacking", "explanation_alignment"),
)
_OF_THE_RUN = ("reuse", "reuse_until", "match", "match_on", "matched")
_ROLES = ("debater_a", "debater_b", "judge")
_MODEL = "model."


@dataclass(frozen=True)
class Condition:
    """All samples that were run alike.

    Attributes:
        protocol: A key of `PROTOCOLS`.
        debater_a: The model; None where it took no part. So `debater_b` and `judge`,
            where several judges are joined by ", ".
        parameters: Of the protocol, as the log has them.
        samples: A row per sample and epoch as in `Grouped.frame`, failed ones too, with
            the scorers' values under their own names.
        details: The parameters that differ from those published, for readers.
        settings: Of the models, as in `scores_df`.
        label: Its label there.
        prompts: The hash of the effective prompts; None where the log has none.
        seed: Of sides, random tie-breaks and the order of samples.
        version: Of the task.
        names: Full names of models that share their short name with another.
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
        """The debaters, as "A + B"; a judge only where it is alone."""
        debaters = [m for m in (self.debater_a, self.debater_b) if m is not None]
        return " + ".join(map(self.called, debaters or [self.judge or "?"]))

    @property
    def name(self) -> str:
        """Title and models; no two conditions of a report share it."""
        return f"{self.title} ({self.models})"

    @property
    def shape(self) -> dict[str, Any]:
        """What shapes a debate: parameters, settings, prompts, seed and version.

        Where earlier stages came from does not.
        """
        own = {"prompts": self.prompts, "seed": self.seed, "version": self.version}
        return self._given | own

    @property
    def deviations(self) -> dict[str, Any]:
        """Parameters that are not as in `PUBLISHED`, and settings of the models."""
        published = PUBLISHED[self.protocol]
        return {k: v for k, v in self._given.items() if v != published.get(k)}

    @property
    def own_prompts(self) -> bool:
        """Whether its prompts are known not to be those of the suite."""
        known = self.version in VERSIONS and self.prompts is not None
        return known and self.prompts not in _shipped(self.protocol)

    @property
    def as_published(self) -> bool:
        """Whether all but the seed is as published, or the task's default."""
        known = self.version in VERSIONS
        return known and not self.own_prompts and not self.deviations

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The samples that were scored."""
        return self.samples[self.samples["scored"]]

    @property
    def is_debate(self) -> bool:
        """Whether its protocol has speeches and a judge."""
        return self.protocol in SPOKEN

    @property
    def rounds(self) -> int:
        """Rounds of speeches; 0 in protocols without any."""
        return int(self.parameters["rounds"]) if self.is_debate else 0

    @property
    def people(self) -> tuple[str | None, ...]:
        """The models of debater A, debater B and the judge."""
        return self.debater_a, self.debater_b, self.judge

    @property
    def debaters(self) -> frozenset[str]:
        """The debaters' models, whichever speaks first."""
        return frozenset(m for m in (self.debater_a, self.debater_b) if m is not None)

    def called(self, model: str) -> str:
        """A model's name for readers; of several judges, all names."""
        return ", ".join(self.names.get(m, short(m)) for m in model.split(", "))

    def differs(self, other: "Condition") -> set[str]:
        """The names in `shape` of which the other condition has another value."""
        a, b = self.shape, other.shape
        return {name for name in {*a, *b} if a.get(name) != b.get(name)}

    @property
    def _given(self) -> dict[str, Any]:
        shaping = {k: v for k, v in self.parameters.items() if k not in _OF_THE_RUN}
        return dict(flat(shaping)) | {f"{_MODEL}{k}": v for k, v in flat(self.settings)}


def short(model: str) -> str:
    """A model's name without its provider."""
    return ", ".join(name.rpartition("/")[2] for name in model.split(", "))


def study_conditions(grouped: Grouped) -> list[Condition]:
    """The conditions with names for readers.

    Args:
        grouped: As from `group_conditions`, of logs of this study only.

    Returns:
        The conditions in the order of `PROTOCOLS`, then by models and rounds.
    """
    found = [
        _condition(rows) for _, rows in grouped.frame.groupby("condition", sort=False)
    ]
    names = _full_names(found)
    return _named(sorted((replace(one, names=names) for one in found), key=_rank))


def _full_names(conditions: Iterable[Condition]) -> dict[str, str]:
    people = (person for one in conditions for person in one.people if person)
    models = {model for joined in people for model in joined.split(", ")}
    uses = Counter(map(short, models))
    return {model: model for model in models if uses[short(model)] > 1}


def _condition(samples: pd.DataFrame) -> Condition:
    first = samples.iloc[0]
    own = under_own_names(samples, _SCORERS)
    a, b, judge = (first[r] if isinstance(first[r], str) else None for r in _ROLES)
    return Condition(
        protocol=first["protocol"],
        debater_a=a,
        debater_b=b,
        judge=judge,
        parameters=first["parameters"],
        samples=own[[c for c in own if "." not in str(c)]].reset_index(drop=True),
        settings=first["settings"],
        label=first["condition"],
        prompts=_known(first.get("prompts"), None),
        seed=int(_known(first.get("seed"), 0)),
        version=_known(first.get("task_version"), VERSIONS[-1]),
    )


@cache
def _shipped(protocol: str) -> frozenset[str]:
    """The hashes of the study's prompts, with those that a protocol brings with it."""
    texts = STUDY.protocols[protocol].texts if protocol in STUDY.protocols else {}
    return shipped_hashes("colmad") | {load_prompts("colmad", own=texts).used().hash}


def _known(value: Any, otherwise: Any) -> Any:
    return otherwise if pd.isna(value) else value


def _rank(condition: Condition) -> tuple[int, str, int, str]:
    given = json.dumps([dict(condition.parameters), condition.seed], sort_keys=True)
    place = list(PROTOCOLS).index(condition.protocol)
    return place, condition.models, condition.rounds, given


# What conditions are called: the protocol, and all that is not as published.


def _named(conditions: Sequence[Condition]) -> list[Condition]:
    seen: dict[str, list[str | None]] = {}
    named = []
    for one in conditions:
        kin = [other for other in conditions if _kin(one, other)]
        detailed = replace(one, details=", ".join(_details(one, kin)))
        graders, grader = seen.setdefault(detailed.name, []), _grader(one)
        again = []
        if grader in graders:
            again = [f"run {len(graders) + 1}"]
        elif graders:
            again = [f"graded by {short(grader)}" if grader else "not graded"]
        graders.append(grader)
        details = ", ".join(filter(None, (detailed.details, *again)))
        named.append(replace(one, details=details))
    return named


def _grader(condition: Condition) -> str | None:
    graders = condition.samples.get("grader", pd.Series(dtype=object)).dropna().unique()
    return str(graders[0]) if len(graders) else None


def _kin(one: Condition, other: Condition) -> bool:
    both = {one.protocol, other.protocol}
    return len(both) == 1 or both <= set(DEBATES)


def _details(condition: Condition, kin: Sequence[Condition]) -> Iterator[str]:
    parameters = condition.parameters
    always = {"n": parameters["n"]} if "n" in parameters else {}
    for name, value in (always | condition.deviations).items():
        yield _in_words(name, value)
    if matched := parameters.get("matched"):
        yield f"matched in {matched['unit']}"
    judge = condition.judge
    if condition.is_debate and judge and judge != condition.debater_a:
        yield f"judged by {condition.called(judge)}"
    yield from _of_the_task(condition, kin)


def _of_the_task(condition: Condition, kin: Sequence[Condition]) -> Iterator[str]:
    """Prompts, seed and version, where they are not the task's own."""
    alike = [other for other in kin if other.version == condition.version]
    prompts = (condition.prompts or "")[:4]
    if condition.version not in VERSIONS:
        yield f"version {condition.version}"
        # What this version's own prompts were is not known.
        if prompts and len({other.prompts for other in alike}) > 1:
            yield f"prompts {prompts}"
    elif condition.own_prompts:
        several = len({other.prompts for other in alike if other.own_prompts}) > 1
        yield f"own prompts {prompts}" if several else "own prompts"
    if condition.seed:
        yield f"seed {condition.seed}"


def _in_words(name: str, value: object) -> str:
    match name, value:
        case "rounds", _:
            return f"{value} round{'' if value == 1 else 's'}"
        case "skip_if_agree", _:
            return "skip on agreement" if value else "no skip on agreement"
        case "order", "both":
            return "both orders"
        case "n", _:
            return f"{value} answers"
        case "model.seed", _:  # not to be taken for the task's
            return f"model seed {value}"
    if "." in name:  # a setting of models, of all or of one stage or role
        return f"{name.removeprefix(_MODEL).replace('.', ' ')} {text(value)}"
    return f"{name}={text(value)}"
