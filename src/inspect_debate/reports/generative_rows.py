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
"""The parameters of all formats with speeches."""
COUNTS = {
    "Unread answers": "unread_answers",
    "Suspicious passes": "suspicious",
    "Ungraded": "ungraded",
    "Unread rulings": "unread_rulings",
}
"""What is counted in a sample, by its name for people."""
_VALUES = (
    *("verdict_correct", "verdict_strict", "regime", "endorsed", "fp", "n_wrong"),
    *("fn", "n_right", "answer_correct", "accepted_correct", "identical", "brier"),
    *("stance_agrees", "stance_right", "stance_ruled", "confidence", "probability"),
    *("first_listed", "answers_hash", *COUNTS.values()),
)
KEYS = ["id", "epoch"]
ALPHA = 0.05
TIERS = ["Hard", "Medium", "Easy"]
_STUDIED = (1, "v0.1.0", "v1.0.2")
"""Versions of data that have the study's tasks, most of them unchanged."""
_JUDGED = {
    "judge": "another judge",
    "prompts_id": "other prompts",
    "settings": "other generation settings",
    "spoken": "other parameters of speeches",
}
_ANSWERED = {"data_id": "other data", "answers_hash": "other answers"}


def headed(samples: pd.DataFrame) -> pd.DataFrame:
    """With what samples are shown by.

    `GROUP` names models and data, `Condition` a condition among those with the same,
    and `condition` one among all. `OUTCOME` is whether all rulings are right, or the
    answer of direct QA.
    """
    group = samples["models"] + ", " + samples["data"].map(_data)
    names = samples["condition"]
    alone = samples["protocol"] == "direct_qa"
    answers = samples.get("verdicts.answer_correct", math.nan)
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
    rows = samples[samples["status"] == "finished"].drop(columns="tokens")
    rows = rows.rename(columns=lambda name: name.removeprefix("verdicts."))
    rows = rows.reindex(columns=[*dict.fromkeys([*rows.columns, *_VALUES])])
    rows[[*_VALUES]] = rows[[*_VALUES]].astype(float)
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
    place = pd.Series(pd.factorize(rows[GROUP])[0], rows.index)
    return rows.loc[place.sort_values(kind="stable").index]


class Pair(NamedTuple):
    """A condition less the one that it is compared with.

    Attributes:
        first: A row of the condition.
        second: A row of the other.
        before: The other's samples that both have, with known outcomes in both.
        after: The condition's, in the same order.
        difference: Verdict accuracy, `after` minus `before`.
        refused: How many shared samples were left out, by what differs.
    """

    first: Any
    second: Any
    before: pd.DataFrame
    after: pd.DataFrame
    difference: paired.PairedDifference
    refused: Mapping[str, int]

    def moves(self, before: int, after: int) -> int:
        """On how many samples the verdict was right (1) or wrong, and then is."""
        was, now = (one["verdict_correct"] for one in (self.before, self.after))
        return int(((was == before) & (now == after)).sum())

    @property
    def other(self) -> str:
        """The other condition, with its models or data if these are others."""
        elsewhere = self.first[GROUP] != self.second[GROUP]
        return str(self.second["condition" if elsewhere else "Condition"])

    def flips(self) -> pd.DataFrame:
        """The condition's samples: verdicts that `flip`, and which of these `hurt`."""
        was, now = (one["verdict_correct"] for one in (self.before, self.after))
        flip = (now - was).abs()
        return self.after.assign(flip=flip, hurt=was.where(flip == 1))

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
    """Pair the samples of two conditions on which nothing differs but the format.

    Args:
        treatment: Rows of a condition, from `read`.
        baseline: Rows of the other.
        same_answers: Whether they have to be about the same answers, too.
    """
    first, second = treatment.iloc[0], baseline.iloc[0]
    causes = _JUDGED | (_ANSWERED if same_answers else {})
    if "none" in (first["interaction"], second["interaction"]):
        causes = {name: cause for name, cause in causes.items() if name != "spoken"}
    columns = [*KEYS, *causes]
    both = baseline[columns].merge(
        treatment[columns], on=KEYS, suffixes=("", "_other"), validate="one_to_one"
    )
    refused: dict[str, int] = {}
    alike = pd.Series(True, both.index)
    for name, cause in causes.items():
        apart = alike & (both[name] != both[f"{name}_other"])
        alike &= ~apart
        refused |= {cause: int(apart.sum())} if apart.any() else {}
    before, after = (
        both.loc[alike, KEYS].merge(of, on=KEYS) for of in (baseline, treatment)
    )
    known = before["verdict_correct"].notna() & after["verdict_correct"].notna()
    before, after = before[known], after[known]
    difference = paired.mean_difference(
        before, after, "verdict_correct", cluster="cluster"
    )
    return Pair(first, second, before, after, difference, refused)


def partner(rows: pd.DataFrame, of: Any, interaction: str, best_of: int) -> Pair | None:
    """Compare a condition with the most similar one of another format.

    Args:
        rows: From `read`.
        of: A row of the condition.
        interaction: What is said in the other one, on as many answers.
        best_of: Of how many candidates its speeches were chosen.
    """
    wanted = {"interaction": interaction, "best_of": best_of}
    wanted |= {name: of[name] for name in ("debater_a", "dataset", "proposers")}
    firsts = rows.drop_duplicates("condition")
    firsts = firsts[firsts["condition"] != of["condition"]]
    for name, value in wanted.items():
        firsts = firsts[firsts[name] == value]
    if firsts.empty:
        return None
    alike = ["data_id", GROUP, "extra", *_JUDGED]
    apart = sum((firsts[name] != of[name]).astype(int) for name in alike)
    names = (of["condition"], firsts.loc[apart.idxmin(), "condition"])
    return compare(*(rows[rows["condition"] == name] for name in names))


def pairs(rows: pd.DataFrame) -> Iterator[Pair]:
    """Debates against no transcript and consultancies, and these against the former."""
    for other in ("none", "consultancy"):
        for _, of in rows.drop_duplicates("condition").iterrows():
            best_of = 1 if other == "none" else of["best_of"]
            if of["interaction"] not in ("none", other) and (
                pair := partner(rows, of, other, best_of)
            ):
                yield pair


def cleaned(rows: pd.DataFrame) -> Iterator[Pair]:
    """BigCodeBench+ against BigCodeBench, by task; the answers are others."""
    tasks = rows["id"].str.rpartition("-")[2]
    rows = rows[rows["proposers"] > 0].assign(id=tasks, cluster=tasks)
    keys = ["debater_a", "judge", "protocol", "best_of", "extra"]
    for _, of in rows.groupby(keys, sort=False):
        new, old = (of[of["dataset"] == name] for name in ("bcb_plus", "bcb"))
        # With several versions of one it would not be clear which are meant.
        if all(side["condition"].nunique() == 1 for side in (new, old)):
            yield compare(new, old, same_answers=False)


def gains(debate: Pair, consultancy: Pair) -> tuple[float, float, Any]:
    """What choosing speeches adds to debate, to consultancy, and to the former more.

    Args:
        debate: A debate with chosen speeches against the same without a choice.
        consultancy: The same of a consultancy on the same answers.

    Returns:
        The gains in accuracy on the samples of all four, and their paired difference.
    """
    shared = compare(debate.after, consultancy.after).after[KEYS]
    found = []
    for pair in (debate, consultancy):
        gain = pair.after["verdict_correct"] - pair.before["verdict_correct"]
        found.append(shared.merge(pair.after.assign(gain=gain), on=KEYS))
    ours, theirs = found
    difference = paired.mean_difference(theirs, ours, "gain", cluster="cluster")
    return ours["gain"].mean(), theirs["gain"].mean(), difference


def printed(table: str, column: str, rows: pd.DataFrame) -> Any:
    """What the study prints of the condition of some rows; NaN where it does not.

    Args:
        table: A table of `published/generative.yaml`.
        column: One of its columns.
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
    """The tier of each row's question, from the answers in the rows themselves.

    With one debater a question is hard if less than a third of its answers are right,
    and easy if more than two thirds are; with several it is hard if none of them is
    mostly right, easy if all are, and has no tier if one has not answered it.
    """
    question = ["dataset", "data_id", "id"]
    judged = rows[rows["answer_correct"].notna() & (rows["proposers"] > 0)]
    by = judged.groupby([*question, "debater_a"])
    # Answers of single formats are among those of dual ones.
    judged = judged[judged["proposers"] == by["proposers"].transform("max")]
    once = judged.drop_duplicates([*question, "debater_a", "epoch", "answers_hash"])
    rates = once.groupby([*question, "debater_a"])["answer_correct"].mean()
    tiers: dict[Any, int] = {}
    for _, of in rates.groupby("data_id"):
        table = of.unstack("debater_a").dropna()
        low, high = (1 / 3, 2 / 3) if len(table.columns) == 1 else (0.5, 0.5)
        for key, each in zip(table.index, table.to_numpy(), strict=True):
            easy = (each > high).all()
            hard = (each < low).all() if low < high else (each <= low).all()
            tiers[key] = 2 if easy else 0 if hard else 1
    places = zip(*(rows[name] for name in question), strict=True)
    names = [TIERS[tiers[place]] if place in tiers else None for place in places]
    return pd.Series(pd.Categorical(names, TIERS, ordered=True), rows.index)
