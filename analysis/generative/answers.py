"""How good the answers are, whoever gave or accepted them, and the critics' stances."""

import pandas as pd

from inspect_debate.analysis.generative.tables import (
    CLUSTERED,
    MODELS,
    Rows,
    rows_of,
    share,
    shown,
)
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT

_ANSWERS = ("Proposed", "A", "B", "Accepted", "Judge's own", "Readable", "Identical")
_STANCES = (
    *("Agrees", "Agrees if right", "Agrees if wrong", "Stance right"),
    "Ruled right",
)


def answers_table(items: pd.DataFrame) -> Table:
    """Answer accuracy in all of its variants, which measure different things.

    Args:
        items: As from `items_of`.
    """
    frame = pd.DataFrame([_answers(of) for of in rows_of(items)])
    return Table(
        name="answers",
        title="Accuracy of answers",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, dict.fromkeys(_ANSWERS, PERCENT)),
        note="Percent. Proposed: mean of the answers put to the judge, which no speech "
        "changes; A, B: by seat. Accepted: mean share of right ones among the answers "
        "that the judge calls correct, over rounds with such an answer. Judge's own: "
        "what the judge answers itself, alone (direct QA) or having seen everything "
        "(`judge_answer`). Readable: of the proposed answers; others are wrong. "
        "Identical: both proposers answer the same. The study's “answer accuracy” is "
        "not told apart into these: none of them is the published number. "
        f"{CLUSTERED}",
    )


def stances_table(items: pd.DataFrame) -> Table | None:
    """Whether critics agree with the answer, and whether they are right.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without a format that has a critic.
    """
    critics = items[(items["proposers"] == 1) & (items["interaction"] == "debate")]
    if critics.empty or critics["stance"].isna().all():
        return None
    return Table(
        name="stances",
        title="The critic's stance",
        frame=pd.DataFrame([_stances(of) for of in rows_of(critics)]),
        groups=MODELS,
        formats={**dict.fromkeys(_STANCES, PERCENT), "Stances": COUNT},
        note="Percent of the last stances that could be read. Agrees: the critic finds "
        "the answer right; of right and of wrong answers. Stance right: it agrees with "
        "a right answer or disagrees with a wrong one. Ruled right: the judge finds "
        f"the stance right, which is no part of verdict accuracy. {CLUSTERED}",
    )


def _answers(of: Rows) -> dict[str, object]:
    items, alone = of.items, of.cell.proposers == 0
    own = "answer_right" if alone else "judge_answer_right"
    cells = {**of.named, **of.share(own).columns("Judge's own")}
    if not alone:
        cells |= of.share("answer_right").columns("Proposed")
        cells |= of.share("accepted_right").columns("Accepted")
        cells["Readable"] = items[_seats(of, "parsed")].stack().mean()
        for seat, column in zip("AB", _seats(of, "right"), strict=False):
            cells[seat] = items[column].mean()
    if of.cell.proposers == 2:
        cells["Identical"] = items["answers_identical"].mean()
    return {
        **of.named,
        **{name: cells[name] for name in _in_order(cells)},
        "Samples": int(items["answer_right"].notna().sum()),
    }


def _in_order(cells: dict[str, object]) -> list[str]:
    ends = ("", " low", " high")
    return [
        f"{name}{end}" for name in _ANSWERS for end in ends if f"{name}{end}" in cells
    ]


def _seats(of: Rows, value: str) -> list[str]:
    return [f"{value}_{seat}" for seat in "ab"[: of.cell.proposers]]


def _stances(of: Rows) -> dict[str, object]:
    right, wrong = (of.items[of.items["right_a"] == truth] for truth in (1, 0))
    return {
        **of.named,
        **of.share("stance").columns("Agrees"),
        **share(right, right["stance"]).columns("Agrees if right"),
        **share(wrong, wrong["stance"]).columns("Agrees if wrong"),
        **of.share("stance_right").columns("Stance right"),
        **of.share("stance_endorsed").columns("Ruled right"),
        "Stances": int(of.items["stance"].notna().sum()),
    }
