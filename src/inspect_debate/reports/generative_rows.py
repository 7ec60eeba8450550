"""Samples of generative debate, and conditions in pairs on the same answers."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import binomtest

from inspect_debate.metrics import paired
from inspect_debate.published import published
from inspect_debate.reports.report import plain_model
from inspect_debate.solvers.generative import FORMATS

GROUP, OUTCOME = "Models and data", "outcome"
_DATA = {"arc": "ARC-AGI", "bcb_plus": "BigCodeBench+", "bcb": "BigCodeBench"}
_SPOKEN = ("rounds", "word_limit", "debater_style")
COUNTS = {
    "Unread answers": "unread_answers",
    "Suspicious passes": "suspicious",
    "Ungraded": "ungraded",
    "Unread rulings": "unread_rulings",
}
"""What is counted in a sample, by its name for people."""
KEYS = ["id", "epoch"]
ALPHA = 0.05
_THIRD = 1 / 3 - 1e-9
_STUDIED = (1, "v0.1.0", "v1.0.2")  # most tasks are unchanged
_ALIKE = ["debater_a", "data_id", "proposers", "judge", "prompts_id", "settings"]
"""What is the same in conditions that are compared."""


def headed(samples: pd.DataFrame) -> pd.DataFrame:
    """With what samples are shown by.

    `GROUP` names models and data, `Condition` a condition among those with the same,
    and `condition` one among all. `OUTCOME` is whether all rulings are right, or the
    answer of direct QA.
    """
    group = samples["models"] + ", " + samples["data"].map(_data)
    names = samples["condition"]
    alone = samples["protocol"] == "direct_qa"
    answers = samples["verdicts.answer_correct"]
    outcome = samples["verdicts.verdict_correct"].mask(alone, answers)
    return samples.assign(
        condition=names + " (" + group + ")" if group.nunique() > 1 else names,
        **{GROUP: group, "Condition": names, OUTCOME: outcome},
    )


def _data(of: Mapping[str, Any]) -> str:
    name, split = str(of.get("dataset")), of.get("split")
    parts = [_DATA.get(name, name), of.get("version")]
    parts += [] if split in ("both", "complete") else [split]
    return " ".join(str(part) for part in parts if part is not None)


def read(samples: pd.DataFrame) -> pd.DataFrame:
    """The finished samples, by heading, with the scorer's values under their own names.

    Further columns are about the condition, for `compare` and `partner`.
    """
    rows = samples[samples["status"] == "finished"]
    rows = rows.rename(columns=lambda name: name.removeprefix("verdicts."))
    given, data, formats = (rows[n] for n in ("parameters", "data", "protocol"))
    rows = rows.assign(
        proposers=formats.map(lambda name: FORMATS[name].proposers),
        interaction=formats.map(lambda name: FORMATS[name].interaction),
        best_of=given.map(lambda of: of.get("best_of") or 1),
        spoken=given.map(lambda of: str([of.get(name) for name in _SPOKEN])),
        extra=rows["changed"].map(lambda of: str(of | {"best_of": None})),
        dataset=data.map(lambda of: of.get("dataset")),
        version=data.map(lambda of: of.get("version")),
        data_id=data.map(lambda of: f"{_data(of)} {of.get('sha256')}"),
        prompts_id=rows["prompts"].astype(str),
    )
    regime = rows["regime"]
    for name, right in (("all", rows["proposers"]), ("one", 1), ("none", 0)):
        rows[f"{name}_right"] = (1.0 * (regime == right)).where(regime.notna())
    rows["one_right"] = rows["one_right"].where(rows["proposers"] == 2)
    endorsed = rows["endorsed"]
    rows["accepts"] = (1.0 * (endorsed == rows["proposers"])).where(endorsed.notna())
    place = pd.Series(pd.factorize(rows[GROUP])[0], rows.index)
    return rows.loc[place.sort_values(kind="stable").index]


class Pair(NamedTuple):
    """A condition less the one that it is compared with.

    Attributes:
        first: A row of the condition; `second` is one of the other.
        before: The other's samples, with known outcomes in both; `after` has the
            condition's, in the same order.
        difference: Verdict accuracy, `after` minus `before`.
        refused: How many shared samples were left out: they have other answers.
    """

    first: Any
    second: Any
    before: pd.DataFrame
    after: pd.DataFrame
    difference: paired.PairedDifference
    refused: int

    def moves(self, before: int, after: int) -> int:
        """On how many samples the verdict was right (1) or wrong, and then is."""
        was, now = (one["verdict_correct"] for one in (self.before, self.after))
        return int(((was == before) & (now == after)).sum())

    def changes(self) -> pd.DataFrame:
        """The condition's samples: `gain`, whether they `flip`, and if so, `hurt`."""
        gain = self.after["verdict_correct"] - self.before["verdict_correct"]
        hurt = (1.0 * (gain < 0)).where(gain != 0)
        return self.after.assign(gain=gain, flip=gain.abs(), hurt=hurt)

    def mcnemar(self) -> float:
        """The p-value of McNemar's exact test; NaN if questions have several epochs."""
        if self.before["cluster"].duplicated().any() or self.before.empty:
            return math.nan
        won, lost = self.moves(0, 1), self.moves(1, 0)
        return float(binomtest(won, won + lost).pvalue) if won + lost else 1.0

    def outcome(self) -> str:
        """Whether the condition loses, ties or wins."""
        exact = self.mcnemar()
        if not (self.difference.p if math.isnan(exact) else exact) < ALPHA:
            return "ties"
        return "wins" if self.difference.estimate > 0 else "loses"


def compare(
    treatment: pd.DataFrame, baseline: pd.DataFrame, same_answers: bool = True
) -> Pair:
    """Pair the samples of two conditions that both have.

    Args:
        treatment: Rows of a condition, from `read`.
        baseline: Rows of the other.
        same_answers: Whether they have to be about the same answers, too.
    """
    sides = [of.set_index(KEYS, drop=False) for of in (treatment, baseline)]
    shared = sides[0].index.intersection(sides[1].index)
    after, before = (of.loc[shared].reset_index(drop=True) for of in sides)
    alike = (after["answers_hash"] == before["answers_hash"]) | (not same_answers)
    known = after["verdict_correct"].notna() & before["verdict_correct"].notna()
    after, before = (of[alike & known] for of in (after, before))
    difference = paired.mean_difference(
        before, after, "verdict_correct", cluster="cluster"
    )
    ends = treatment.iloc[0], baseline.iloc[0]
    return Pair(*ends, before, after, difference, int((~alike).sum()))


def partner(rows: pd.DataFrame, of: Any, interaction: str, best_of: int) -> Pair | None:
    """Compare a condition with one from which nothing else differs.

    Args:
        rows: From `read`.
        of: A row of the condition.
        interaction: What is said in the other one, on as many answers.
        best_of: Of how many candidates its speeches were chosen.
    """
    spoken = [] if interaction == "none" else ["spoken"]
    wanted = {name: of[name] for name in [*_ALIKE, *spoken]}
    wanted |= {"interaction": interaction, "best_of": best_of}
    firsts = rows.drop_duplicates("condition")
    firsts = firsts[firsts["condition"] != of["condition"]]
    for name, value in wanted.items():
        firsts = firsts[firsts[name] == value]
    if firsts.empty:
        return None
    closest = (firsts["extra"] != of["extra"]).idxmin()
    names = (of["condition"], firsts.loc[closest, "condition"])
    return compare(*(rows[rows["condition"] == name] for name in names))


def pairs(rows: pd.DataFrame) -> Iterator[Pair]:
    """What is compared, by what with.

    Debates and consultancies with no transcript; debates with consultancies; chosen
    speeches with the first ones; BigCodeBench+ with BigCodeBench, by task.
    """
    for other in ("none", "consultancy", "itself"):
        for _, of in rows.drop_duplicates("condition").iterrows():
            met, best_of = of["interaction"], of["best_of"]
            if met in ("none", other) or (other == "itself" and best_of == 1):
                continue
            against = met if other == "itself" else other
            chosen = best_of if other == "consultancy" else 1
            if pair := partner(rows, of, against, chosen):
                yield pair
    tasks = rows["id"].str.rpartition("-")[2]
    by_task = rows[rows["proposers"] > 0].assign(id=tasks, cluster=tasks)
    keys = ["debater_a", "judge", "protocol", "best_of", "extra"]
    for _, tasks_of in by_task.groupby(keys, sort=False):
        new, old = (tasks_of[tasks_of["dataset"] == n] for n in ("bcb_plus", "bcb"))
        # With several versions of one it would not be clear which are meant.
        if all(side["condition"].nunique() == 1 for side in (new, old)):
            yield compare(new, old, same_answers=False)


def gains(debate: Pair, consultancy: Pair) -> Pair:
    """What choosing speeches adds to debate, less what it adds to consultancy.

    Args:
        debate: A debate with chosen speeches against the same without a choice.
        consultancy: The same of a consultancy on the same answers.
    """
    shared = compare(debate.after, consultancy.after).after[KEYS]
    theirs, ours = (shared.merge(one.changes()) for one in (consultancy, debate))
    difference = paired.mean_difference(theirs, ours, "gain", cluster="cluster")
    return debate._replace(difference=difference)


def printed(table: str, column: str, rows: pd.DataFrame) -> Any:
    """What the study prints of the condition of some rows; NaN where it does not.

    Args:
        table: A table of `published/generative.yaml`, of which `column` is one.
        column: What is printed.
        rows: Rows of one condition.
    """
    first, frame = rows.iloc[0], published("generative")[table].frame
    if first["version"] not in _STUDIED or {*first["changed"]} - {"best_of"}:
        return math.nan
    for name, role in (("model", "debater_a"), ("judge", "judge")):
        frame = frame[frame[name].map(plain_model) == plain_model(first[role])]
    for name in {"dataset", "protocol", "best_of", "proposers"} & {*frame}:
        frame = frame[frame[name] == first[name]]
    return frame[column].iloc[0] if len(frame) else math.nan


def difficulty(rows: pd.DataFrame) -> "pd.Series[Any]":
    """The tier of each row's question, by the share of right answers in these rows."""
    question = ["data_id", "id"]
    judged = rows[rows["proposers"] > 0]
    # Answers of single formats are among those of dual ones.
    most = judged.groupby([*question, "debater_a"])["proposers"].transform("max")
    once = judged[judged["proposers"] == most].drop_duplicates(
        [*question, "debater_a", "epoch", "answers_hash"]
    )
    shares = once.groupby(question)["answer_correct"].mean().rename("share")
    found = rows[question].join(shares, on=question)["share"]
    return pd.cut(found, (-1, _THIRD, 1 - _THIRD, 1), labels=["Hard", "Medium", "Easy"])
