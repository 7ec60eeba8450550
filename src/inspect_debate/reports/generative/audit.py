"""Will debate help this pair of critic and judge, and did it? A section of the report.

The critic's rulings (`critic_alone`) and the judge's (`single_no_transcript`) on the
same answers, how often the judge's verdicts verify without and with a critic, and what
a debate or a critique changes against a consultancy.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.debate_help import (
    BETTER,
    KEPT,
    Audit,
    audit,
    macro_f1,
    ruled,
)
from inspect_debate.metrics.detection import Statistic, balanced_accuracy
from inspect_debate.metrics.paired import PairedDifference
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.conditions import CONDITION
from inspect_debate.reports.elements import COUNT, PERCENT, POINTS, Item, Notice, listed
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.comparisons import (
    MODELS,
    Data,
    PairingError,
    check_same_answers,
    pair,
    partner,
)
from inspect_debate.reports.generative.rows import (
    KEYS,
    Condition,
    Rows,
    accuracy,
    heading_of,
    second_debater,
    share,
)
from inspect_debate.reports.views import Measure, Part, View
from inspect_debate.solvers.formats import FURTHER

CRITIC = "critic"
"""Whose rulings are those of the critic alone."""

VERIFIED, GRADED = "verdict_checks.verified", "verdict_checks.graded_verdicts"

TEXT = (
    "“Debate helps weak judges reward stronger models” (arXiv 2605.27483), of which "
    "only the abstract was read, says that debate helps over consultancy where the "
    "critic classifies answers better than the judge, and where the judge takes what "
    "the critic says as claims to verify and not as testimony. As we read that, debate "
    "is predicted to help where the 95 % interval of the critic's balanced accuracy "
    "less the judge's, neither with a transcript, lies above "
    f"{100 * BETTER:.0f} points, and that of the share of verdicts that verify, after "
    f"the critic spoke less without a transcript, above −{100 * KEPT:.0f} points; no "
    "gain where one of them lies below; else it is open. A judge that checks in vain "
    "is beyond this rule. Observed is what the interval of the gain shows."
)

MISSING = (
    "That needs, on the same answers (`-T reuse=LOG`), `-T protocol=critic_alone`, "
    "`single_no_transcript`, `single_consultancy`, and `single_critique` or "
    "`single_debate`, with `-T verdict_checks=true` for the second condition."
)


class Audited(NamedTuple):
    """The audit of a debate or critique, and the answers that it is about.

    Attributes:
        condition: The debate or critique.
        rows: By question and epoch: whether the answer is `right`, and the columns
            `judge`, `critic`, `spoken` and `consultancy` (endorsed or not), and
            `verifies_alone` and `verifies_spoken`; NaN where something is not known.
        heading: Models and data, as readers see them.
        found: The audit.
    """

    condition: Condition
    rows: Rows
    heading: str
    found: Audit

    @property
    def title(self) -> str:
        """The condition's name."""
        return self.condition.title


def audits(data: Data) -> tuple[list[Audited], list[str]]:
    """The audits of all debates and critiques on one answer, and why others lack."""
    made, refused = [], []
    for condition, rows in data.conditions.items():
        spoke = condition.interaction in ("debate", "critique")
        if condition.proposers == 1 and spoke and condition.best_of == 1:
            try:
                found = _audited(data, condition, rows)
            except PairingError as error:
                refused.append(error.message)
            else:
                made += [found] if found is not None else []
    return made, refused


def _audited(data: Data, condition: Condition, rows: Rows) -> Audited | None:
    """The audit of a condition; None where one of the others is missing.

    Raises:
        PairingError: If they are not on the same answers, or were not asked alike.
    """
    alone = partner(data.conditions, condition, "none")
    consultancy = partner(data.conditions, condition, "consultancy")
    if alone is None or consultancy is None:
        return None
    critic = _critic_of(data, rows, data.conditions[alone])
    if critic is None:
        return None
    for other in (alone, consultancy):
        pair(data.conditions, condition, other)  # on the same answers, asked alike
    parts = {
        "judge": data.conditions[alone],
        CRITIC: critic,
        "spoken": rows,
        "consultancy": data.conditions[consultancy],
    }
    endorsed = {name: of.set_index(KEYS)["endorsed_a"] for name, of in parts.items()}
    checks = {
        "verifies_alone": _verified(parts["judge"]),
        "verifies_spoken": _verified(rows),
    }
    right = rows.set_index(KEYS)["right_a"]
    both = pd.concat({"right": right, **endorsed, **checks}, axis=1).loc[right.index]
    names = list(both.index.get_level_values("question_id"))
    found = audit(
        *(both["right"], both["judge"], both[CRITIC]),
        *(both["spoken"], both["consultancy"]),
        *(both["verifies_alone"], both["verifies_spoken"]),
        clusters=names,
        seed=SEED,
    )
    return Audited(condition, both, heading_of(rows), found)


def _critic_of(data: Data, debate: Rows, alone: Rows) -> Rows | None:
    """The critic's own rulings on the answers of a debate; None where there are none.

    Raises:
        PairingError: If they are on other answers, or by another prompt, than those of
            the judge alone.
    """
    for condition, rows in data.conditions.items():
        if condition.interaction == CRITIC and _who(rows) == _who(debate):
            what = f"{heading_of(debate)}: {condition.title} and the judge alone"
            check_same_answers(rows, alone, what)
            return rows
    return None


def _who(rows: Rows) -> list[object]:
    """On which data who proposes, who criticises, and in which style rulings are."""
    names = ["dataset", "version", "split", "debater"]
    style = rows["parameters"].iloc[0].get("judge_style")
    return [*rows[names].iloc[0], second_debater(rows).iloc[0], style]


def _verified(rows: Rows) -> "pd.Series[float]":
    """The share of each sample's verdicts that verify; NaN where none is graded."""
    if GRADED not in rows:
        return pd.Series(np.nan, pd.MultiIndex.from_frame(rows[KEYS]))
    by = rows.set_index(KEYS)
    return by[VERIFIED] / by[GRADED].where(by[GRADED] > 0)


# The tables.


def _found(name: str) -> Callable[[Rows], object]:
    """A part of the audit in a row; of a difference its interval."""

    def of(rows: Rows) -> object:
        value = getattr(rows["of"].iloc[0].found, name)
        return Estimate(*value[:3]) if isinstance(value, PairedDifference) else value

    return of


def _rows(made: Sequence[Audited]) -> Rows:
    return pd.DataFrame(
        {
            "heading": [one.heading for one in made],
            "title": [one.title for one in made],
            "of": pd.Series(list(made), dtype=object),
        }
    )


AUDIT = View[Sequence[Audited]](
    "debate_help",
    "What is predicted of a critic's speech, and what it changes",
    _rows,
    {MODELS: "heading", "After": "title"},
    (
        Measure("Critic less judge", _found("critic_better"), POINTS),
        Measure("Verify alone", _found("verifies_alone"), PERCENT),
        Measure("Verify after", _found("verifies_spoken"), PERCENT),
        Measure("Change", _found("kept"), POINTS),
        Measure("Predicted", _found("predicted")),
        Measure("Gain", _found("gain"), POINTS),
        Measure("Observed", _found("observed")),
        Measure("Samples", lambda rows: len(rows["of"].iloc[0].rows), COUNT),
    ),
    "Critic less judge, and gain over the single consultancy: balanced accuracy, in "
    "points, with 95 % intervals of a paired bootstrap of questions. Verify: percent "
    "of the verdicts that check something themselves, as a grader says, alone and "
    "after the critic spoke; of their change, Student's interval over questions.",
)


def _of_rulings(statistic: Statistic) -> Callable[[Rows], float]:
    return lambda rows: ruled(statistic, rows["right_a"], rows["endorsed_a"])


def _verifies(rows: Rows) -> Estimate:
    return share(rows, pd.Series(_verified(rows).to_numpy(), rows.index))


def _graded(rows: Rows) -> int:
    return int(_verified(rows).notna().sum())


RULINGS = View[Data](
    "single_rulings",
    "Rulings on one answer: judge and critic",
    lambda data: data.items[data.items["proposers"] == 1],
    {MODELS: "heading", CONDITION: "title"},
    (
        Measure("Accuracy", accuracy, PERCENT),
        Measure("Balanced accuracy", _of_rulings(balanced_accuracy), PERCENT),
        Measure("Macro-F1", _of_rulings(macro_f1), PERCENT),
        Measure("Verify", _verifies, PERCENT, optional=True),
        Measure("Graded", _graded, COUNT, optional=True),
    ),
    "Percent. Balanced accuracy is the mean of the shares of right answers that are "
    "endorsed and of wrong ones that are not; macro-F1 the mean of F1 for “correct” "
    "and for “incorrect”.",
)


def items(data: Data) -> Iterator[Item]:
    """The tables; nothing without one of the formats that are for this."""
    if not _asked_for(data):
        return
    made, refused = audits(data)
    yield from AUDIT(made)
    if refused:
        yield Notice(f"Not audited:\n\n{listed(dict.fromkeys(refused))}")
    elif not made:
        yield Notice(MISSING, "info")
    yield from RULINGS(data)


def _asked_for(data: Data) -> bool:
    return bool({of.format for of in data.conditions} & {*FURTHER})


SECTION = Part[Data](
    "Will debate help this pair?",
    [items],
    lambda data: TEXT if _asked_for(data) else "",
)
