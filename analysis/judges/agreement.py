"""How far people agree with each other and with the models that judged the same."""

from collections.abc import Iterator
from itertools import combinations, product

import pandas as pd

from inspect_debate.analysis.estimates import share
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT
from inspect_debate.core.measures.agreement import krippendorff_alpha
from inspect_debate.core.measures.kappa import cohen_kappa

_KINDS = {"human": "person", "majority": "people", "model": "model"}
_CLUSTERED = "95 % intervals, in which debates about one question are one observation."


def judges_table(decisions: pd.DataFrame, debates: int) -> Table:
    """Every judge by itself.

    Args:
        decisions: As from `decisions_df`.
        debates: How many debates the sheet has.
    """
    rows = [
        {
            "Judge": judge,
            "Who": _KINDS[str(of["kind"].iloc[0])],
            "Judged": (judged := int(of["first_answer"].count())),
            "Not": debates - judged,
            **share(of, "correct").columns("Accuracy"),
            **share(of, "for_first_shown").columns("First shown"),
            "Confidence": of["confidence"].mean(),
        }
        for judge, of in _by_judge(decisions)
    ]
    frame = pd.DataFrame(rows)
    shares = ("Accuracy", "First shown", "Confidence")
    return Table(
        name="judges",
        title="Judges",
        frame=frame,
        formats={
            **dict.fromkeys(shares, PERCENT),
            **dict.fromkeys(("Judged", "Not"), COUNT),
        },
        note="Percent. Judged, or not: debates with a verdict, or without. A tie is "
        "nobody's majority, and a model that named each answer in one of two orders "
        "has no verdict. First shown: of all verdicts, those for the side that the "
        "judge was shown first; on the sheet that is the right one as often as not. "
        f"Confidence: the mean of those that were told. {_CLUSTERED}",
    )


def pairs_table(decisions: pd.DataFrame) -> Table:
    """How far people agree with each other, and they and their majority with models.

    Args:
        decisions: As from `decisions_df`.
    """
    frame = pd.DataFrame(
        [_pair(decisions, one, other) for one, other in _pairs(decisions)],
        columns=_PAIR,
    )
    return Table(
        name="agreement",
        title="Agreement",
        frame=frame,
        formats={"Agreement": PERCENT, "Debates": COUNT},
        note="Agreement in percent, on the debates that both judged; Cohen's kappa is "
        "what goes beyond chance, with the answer that stands first among the choices "
        f"and the other one as categories. {_CLUSTERED}",
    )


def alpha(decisions: pd.DataFrame) -> float:
    """Krippendorff's alpha of all people; NaN if they cannot be told from chance.

    Args:
        decisions: As from `decisions_df`.
    """
    people = decisions[decisions["kind"] == "human"]
    if people.empty:
        return float("nan")
    return krippendorff_alpha(
        people.pivot(index="code", columns="judge", values="first_answer")
    )


_PAIR = (
    *("Judge", "Other judge", "Debates"),
    *("Agreement", "Agreement low", "Agreement high", "Kappa"),
)


def _by_judge(decisions: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for (_, judge), of in decisions.groupby(["kind", "judge"], sort=False):
        yield str(judge), of


def _pairs(decisions: pd.DataFrame) -> Iterator[tuple[str, str]]:
    named = {
        kind: [str(name) for name in decisions.loc[decisions["kind"] == kind, "judge"]]
        for kind in _KINDS
    }
    people, majority, models = (list(dict.fromkeys(named[kind])) for kind in _KINDS)
    yield from combinations(people, 2)
    # The majority of one is that one.
    yield from product([*people, *(majority if len(people) > 1 else [])], models)


def _pair(decisions: pd.DataFrame, one: str, other: str) -> dict[str, object]:
    known = decisions.dropna(subset=["first_answer"])
    a, b = (known[known["judge"] == name].set_index("code") for name in (one, other))
    both = a.join(b["first_answer"].rename("other"), how="inner")
    same = both["first_answer"] == both["other"]
    return {
        "Judge": one,
        "Other judge": other,
        "Debates": len(both),
        **share(both.assign(same=same.astype(float)), "same").columns("Agreement"),
        "Kappa": cohen_kappa(list(both["first_answer"]), list(both["other"])),
    }
