"""SR-DCR against every other arm of a model, on the samples that both have."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan

import pandas as pd

from inspect_debate.metrics.paired import cluster_sign_flip, holm
from inspect_debate.reports.comparisons import (
    SEED,
    Pairing,
    accuracy_test,
    difference,
    in_words,
    pair,
)
from inspect_debate.reports.elements import P_VALUE, PERCENT, POINTS, Table
from inspect_debate.reports.estimates import clusters
from inspect_debate.reports.srdcr.shown import by_model
from inspect_debate.reports.srdcr.study import HALVES, HELD, JUDGE_DEBATES
from inspect_debate.reports.srdcr.tables import MODEL, Rows, rows_of

OURS = "srdcr"
"""The arm that is compared with all others."""

SCOPES = {
    "overall": "balanced_accuracy",
    "standard": "accuracy",
    "perturbed": "accuracy",
}
"""What is compared, and the measure of detection that it is.

Being right is detecting whether the passage is: the mean of both halves' accuracies is
the balanced accuracy.
"""

TWO_ANSWERS = (*HELD, *JUDGE_DEBATES)
"""The arms that follow from a prior and a contextual answer, and so may share them."""
_CAUSES = {"no prediction": "not read", "not finished": "failed"}


@dataclass(frozen=True)
class Comparison:
    """SR-DCR and another arm of one model.

    Attributes:
        ours: SR-DCR.
        other: The other arm.
    """

    ours: Rows
    other: Rows

    def pairing(self, scope: str, failed: pd.DataFrame) -> Pairing:
        """The samples that both have, of one half or of both."""
        a, b = (_as_detection(of, failed) for of in (self.other, self.ours))
        if scope in HALVES:
            a, b = (frame[frame["half"] == scope] for frame in (a, b))
        return pair(a, b)

    @property
    def answers(self) -> str:
        """Whether both follow from the same two answers."""
        if self.other.arm not in TWO_ANSWERS:
            return "own"
        item = ["sample", "epoch", "answer_set"]
        sets = [of.answers[item] for of in (self.ours, self.other)]
        both = sets[0].merge(sets[1], on=item[:2])
        same = both["answer_set_x"] == both["answer_set_y"]
        return "same" if same.all() else "partly the same" if same.any() else "anew"


def comparisons_table(answers: pd.DataFrame, failed: pd.DataFrame) -> Table | None:
    """SR-DCR less every other arm, model by model, overall and in either half.

    Args:
        answers: As from `answers_of`.
        failed: As from `failed_of`.

    Returns:
        The table; None without an arm to compare SR-DCR with.
    """
    rows = [
        row
        for scope in SCOPES
        for family in _families(answers)
        for row in _tested(family, scope, failed)
    ]
    if not rows:
        return None
    return Table(
        name="comparisons",
        title="Paired differences in accuracy: SR-DCR less another arm",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "SR-DCR": PERCENT,
            "Other arm": PERCENT,
            "Difference": POINTS,
            "p": P_VALUE,
            "p (Holm)": P_VALUE,
        },
        note="Strict accuracy in percent and its difference in percentage points, on "
        "the samples that both arms have and could be read of; an abstention is not "
        "right. Overall: the mean of both halves. Intervals: of the paired "
        "bootstrap, which draws whole questions. Test: McNemar's (mid-p) where no two "
        "samples share a question, else sign flips of whole questions. Holm: corrected "
        "over the comparisons of one model that have the same scope. Answers: whether "
        "both arms follow from the same prior and contextual answers, or from ones "
        "asked for anew, so that chance is in the difference, too; own: the arm asks "
        "for its answers itself.",
    )


def failed_of(grouped: pd.DataFrame) -> pd.DataFrame:
    """The samples that were begun and have no score.

    Args:
        grouped: `Arms.frame` as from `conditions`.
    """
    return grouped[~grouped["scored"]]


def _families(answers: pd.DataFrame) -> Iterator[list[Comparison]]:
    """The comparisons of each model: of its plain SR-DCR, or else its first variant."""
    for of_model in by_model(answers).values():
        arms = list(rows_of(of_model))
        ours = sorted((of for of in arms if of.arm == OURS), key=lambda of: of.variant)
        if ours:
            yield [Comparison(ours[0], other) for other in arms if other is not ours[0]]


def _tested(
    family: Sequence[Comparison], scope: str, failed: pd.DataFrame
) -> list[dict[str, object]]:
    rows = [_row(comparison, scope, failed) for comparison in family]
    adjusted = holm({n: float(str(row["p"])) for n, row in enumerate(rows)})
    return [row | {"p (Holm)": adjusted[n]} for n, row in enumerate(rows)]


def _row(comparison: Comparison, scope: str, failed: pd.DataFrame) -> dict[str, object]:
    pairing = comparison.pairing(scope, failed)
    found = difference(pairing, SCOPES[scope])
    p, test = _test(pairing, scope)
    return {
        MODEL: f"{comparison.ours.named[MODEL]}: {scope}",
        "Compared with": comparison.other.title,
        "Samples": len(pairing.a),
        "Left out": in_words(_said(pairing)),
        "SR-DCR": _accuracy(pairing.b, scope),
        "Other arm": _accuracy(pairing.a, scope),
        "Difference": found.difference,
        "Difference low": found.low,
        "Difference high": found.high,
        "p": p,
        "p (Holm)": nan,
        "Test": test,
        "Answers": comparison.answers,
    }


def _as_detection(of: Rows, failed: pd.DataFrame) -> pd.DataFrame:
    """An arm's answers as `pair` takes them, with the failed samples of its runs."""
    lost = failed[(failed["model"] == of.model) & failed["run"].isin(of.answers["run"])]
    rows = pd.concat([of.answers.assign(scored=True), lost], ignore_index=True)
    gold = (rows["half"] != HALVES[0]).astype(float)
    right = rows["strict"]
    return pd.DataFrame(
        {
            "id": rows["sample"],
            "epoch": rows["epoch"],
            "half": rows["half"],
            # The same question may be perturbed otherwise in another run.
            "target": rows["severity"].map(str) + " " + rows["degree"].map(str),
            "input_group": rows["question_id"],
            "scored": rows["scored"],
            "gold": gold,
            "prediction": gold.where(right == 1, 1 - gold).where(right.notna()),
            "correct": right,
        }
    )


def _test(pairing: Pairing, scope: str) -> tuple[float, str]:
    if scope in HALVES:
        test = accuracy_test(pairing)
        return test.p, test.name
    gold = pairing.a["gold"]
    if gold.nunique() < 2:
        return nan, "none"
    # Halves of unequal size weigh the same.
    weights = 1 / gold.map(gold.value_counts())
    apart = (pairing.b["correct"] - pairing.a["correct"]) * weights
    flip = cluster_sign_flip(apart, list(clusters(pairing.a)), seed=SEED)
    return flip, "sign flip"


def _accuracy(rows: pd.DataFrame, scope: str) -> float:
    halves = rows.groupby("gold")["correct"].mean()
    return nan if len(halves) < (scope not in HALVES) + 1 else float(halves.mean())


def _said(pairing: Pairing) -> dict[str, int]:
    return {_CAUSES.get(cause, cause): n for cause, n in pairing.drops.items()}
