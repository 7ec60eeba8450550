"""What verdicts are: false ones by round, kinds of them, and those by regime."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from inspect_debate.metrics.paired import holm
from inspect_debate.reports.comparisons import in_words
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Format,
    Item,
    Notice,
    Table,
    counted,
    listed,
)
from inspect_debate.reports.estimates import Array
from inspect_debate.reports.generative.comparisons import Comparison
from inspect_debate.reports.generative.frames import Cell, cells_of
from inspect_debate.reports.generative.pairing import KEYS, PairingError, pair_tasks
from inspect_debate.reports.generative.study import (
    CLEANED,
    KINDS,
    ORIGINAL,
    REGIMES,
    VERDICTS,
    family_title,
)
from inspect_debate.reports.generative.tables import (
    BOOTSTRAP,
    CLUSTERED,
    FORMAT,
    MODELS,
    Rows,
    by_heading,
    fpr,
    rows_of,
    share,
    shown,
    tied,
    verdicts_of,
    without_empty,
)

_ALL_RIGHT = "All right"


def regimes_table(items: pd.DataFrame) -> Table | None:
    """How often answers are all right, contested or all wrong, and accuracy in each.

    Args:
        items: As from `items_of`.
    """
    rows = [_regimes(of) for of in rows_of(verdicts_of(items))]
    if not rows:
        return None
    frame, regimes = pd.DataFrame(rows), REGIMES[2]
    formats: dict[Column, Format] = {
        **dict.fromkeys(regimes, PERCENT),
        **{f"{name}: share": PERCENT for name in regimes},
        **{f"{name}: rounds": COUNT for name in regimes},
    }
    return Table(
        name="regimes",
        title="Accuracy where all answers, one or none is right",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent. Share: of the rounds whose answers are known to be right or "
        "wrong, whether or not the verdict could be read; beside it the verdict "
        "accuracy in them, and the rounds with a readable verdict. Contested: one of "
        f"two answers is right. {CLUSTERED}",
    )


def rounds_table(items: pd.DataFrame) -> Table | None:
    """FPR and FNR by round: whether any wrong answer was endorsed.

    Args:
        items: As from `items_of`.
    """
    judged = verdicts_of(items)
    if judged.empty:
        return None
    rows = [
        {
            **of.named,
            **of.ratio("wrong_round_endorsed", "wrong_round").columns("FPR by round"),
            "Wrong": of.items["wrong_round"].sum(),
            **of.ratio("right_round_rejected", "right_round").columns("FNR by round"),
            "Right": of.items["right_round"].sum(),
        }
        for of in rows_of(judged)
    ]
    return Table(
        name="error_rounds",
        title="False verdicts by round",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["FPR by round", "FNR by round"], PERCENT),
            **dict.fromkeys(["Wrong", "Right"], COUNT),
        },
        note="Percent of the rounds with a wrong (right) answer in which the judge "
        "calls at least one of them correct (incorrect); wrong, right: how many such "
        f"rounds there are. With one answer it is the rate by answer. {CLUSTERED}",
    )


def classes_table(items: pd.DataFrame) -> Table | None:
    """Which answers the judge endorses: both, A's, B's or none; of one, whether it.

    Args:
        items: As from `items_of`.
    """
    judged = verdicts_of(items)
    rows = [_classes(of) for of in rows_of(judged)]
    if not rows:
        return None
    shares = [name for kinds in VERDICTS.values() for name in kinds]
    ends = ("", " low", " high")
    columns = [MODELS, FORMAT, *(f"{name}{end}" for name in shares for end in ends)]
    frame = pd.DataFrame(rows)
    columns = [name for name in columns if name in frame]
    frame = frame[[*columns, _ALL_RIGHT, "Verdicts"]]
    return Table(
        name="verdict_classes",
        title="Kinds of verdicts by format",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, dict.fromkeys([*shares, _ALL_RIGHT], PERCENT)),
        note="Percent of the verdicts that could be read. Win-win: both answers are "
        "called correct; loss-loss: neither. A single answer is accepted or rejected. "
        "All right: share of the same rounds in which every answer is right, so that "
        "win-win, or to accept, would be the right verdict. "
        f"{CLUSTERED}",
    )


def _regimes(of: Rows) -> dict[str, object]:
    items, cells = of.items, dict(of.named)
    known = items["regime"].notna().sum()
    for name, number in REGIMES[of.cell.proposers].items():
        part = items[items["regime"] == number]
        cells[f"{name}: share"] = len(part) / known if known else None
        cells |= share(part, part["verdict_correct"]).columns(name)
        cells[f"{name}: rounds"] = int(part["verdict_correct"].notna().sum())
    return cells


def _classes(of: Rows) -> dict[str, object]:
    found = of.items[of.items["verdict_class"].notna()]
    cells = dict(of.named)
    for name, number in VERDICTS[of.cell.proposers].items():
        is_kind = (found["verdict_class"] == number).astype(float)
        cells |= share(found, is_kind).columns(name)
    all_right = (found["regime"] == of.cell.proposers).astype(float)
    return cells | {_ALL_RIGHT: all_right.mean(), "Verdicts": len(found)}


# How right the judge is in each format, and how right it would be unlooking.

BASELINES = ("Always correct", "Always incorrect", "Guessing at the base rate")
"""Judges that look at nothing."""

_TIED = "Tied"
_SHARES = ("Accuracy", "Per answer", "Strict", "FPR", "FNR")
_COUNTS = ("Samples", "Not read", _TIED, "Wrong answers", "Right answers")


def formats_table(items: pd.DataFrame) -> Table | None:
    """Verdict accuracy, FPR and FNR by format, and judges that look at nothing.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without a format in which answers are judged.
    """
    judged = verdicts_of(items)
    if judged.empty:
        return None
    grouped = by_heading(rows_of(judged)).values()
    rows = [row for of in grouped for row in _with_baselines(of)]
    frame = without_empty(pd.DataFrame(rows), _TIED)
    formats: dict[Column, Format] = {
        **dict.fromkeys(_SHARES, PERCENT),
        **dict.fromkeys(_COUNTS, COUNT),
    }
    return Table(
        name="formats",
        title="Verdicts by format",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, formats),
        note="Percent. Accuracy: of the rounds whose verdict could be read, those in "
        "which the judge is right about every answer; per answer: mean over answers; "
        "strict: a verdict that could not be read, or on which the judges of a panel "
        "tie, is wrong. FPR: share of the wrong answers that the judge calls correct; "
        "FNR: share of the right ones that it calls incorrect; both ratios of sums "
        "over answers. Guessing at the base rate calls each answer correct by chance, "
        "as often as answers are right; baselines are of the same answers, those of "
        "rounds without a readable verdict included. "
        f"{CLUSTERED}",
    )


def _with_baselines(rows: list[Rows]) -> Iterator[dict[str, object]]:
    yield from (_row(of) for of in rows)
    for proposers, kind in KINDS.items():
        of_kind = [of for of in rows if of.cell.proposers == proposers]
        if of_kind:
            for name, found in _baselines(of_kind).items():
                title = f"{name} ({kind})"
                yield {MODELS: of_kind[0].named[MODELS], FORMAT: title, **found}


def _row(of: Rows) -> dict[str, object]:
    items = of.items
    return {
        **of.named,
        **of.share("verdict_correct").columns("Accuracy"),
        "Per answer": of.share("verdict_correct_mean").value,
        "Strict": of.share("verdict_correct_strict").value,
        **fpr(of.items).columns("FPR"),
        **of.ratio("fn", "n_right").columns("FNR"),
        "Samples": int(items["verdict_correct"].notna().sum()),
        "Not read": int((items["verdict_ok"] == 0).sum()),
        _TIED: tied(items),
        "Wrong answers": items["n_wrong"].sum(),
        "Right answers": items["n_right"].sum(),
    }


def _baselines(rows: list[Rows]) -> dict[str, dict[str, float]]:
    """What judges score on these answers that do not look at them."""
    once = pd.concat([of.items for of in rows]).drop_duplicates(
        [*KEYS, "answer_set_id"]
    )
    seats = ("right_a", "right_b")[: rows[0].cell.proposers]
    truths = once[list(seats)].dropna().to_numpy(dtype=float)
    base = float(truths.mean()) if truths.size else np.nan
    chances = dict(zip(BASELINES, (1.0, 0.0, base), strict=True))
    return {name: _of_chance(truths, chance) for name, chance in chances.items()}


def _of_chance(truths: Array, chance: float) -> dict[str, float]:
    """The expected row of a judge that endorses each answer with some chance."""
    hits = truths * chance + (1 - truths) * (1 - chance)
    rounds = len(truths)
    joint = float(hits.prod(axis=1).mean()) if rounds else np.nan
    return {
        "Accuracy": joint,
        "Per answer": float(hits.mean()) if rounds else np.nan,
        "Strict": joint,
        "FPR": chance,
        "FNR": 1 - chance,
        "Samples": rounds,
        "Wrong answers": float((truths == 0).sum()),
        "Right answers": float((truths == 1).sum()),
    }


# What cleaning the tasks changed: verdicts on cleaned tasks against original ones.

PRINTED = "+20 to +25"
"""What cleaning is said to have added to verdict accuracy, in percentage points."""

_CLEANED_SHARES = ("Cleaned", "Original", "Answers cleaned", "Answers original")
_P = ("McNemar p", "Flip p", "p (Holm)")


def cleaned_items(items: pd.DataFrame) -> list[Item | None]:
    """Every format on cleaned tasks less the same format on the original ones.

    Args:
        items: As from `items_of`.

    Returns:
        A notice of what was refused, and the table `cleaned`; each None where there is
        nothing to say.
    """
    refused: list[str] = []
    made = list(_compared(cells_of(items), refused))
    told = listed(refused)
    notice = Notice(f"Not compared with original tasks:\n\n{told}") if told else None
    return [notice, _table(made) if made else None]


def _compared(
    cells: Mapping[Cell, pd.DataFrame], refused: list[str]
) -> Iterator[Comparison]:
    for cell, other in _pairs(cells):
        what = f"{family_title(cell.family)}: {_told(cell)} and {_told(other)}"
        if cell.variant != other.variant:
            refused.append(f"{what} have different parameters.")
            continue
        try:
            paired = pair_tasks(cells[other], cells[cell], what=what)
        except PairingError as error:
            refused.append(error.message)
            continue
        if len(paired.a):
            yield Comparison(cell, other, paired)
        else:
            refused.append(f"{what} share no sample: {in_words(paired.drops)}.")


def _pairs(cells: Mapping[Cell, pd.DataFrame]) -> Iterator[tuple[Cell, Cell]]:
    """Formats on either data; only those of other parameters where no others are."""
    for cell in cells:
        if cell.dataset != CLEANED or not cell.proposers:
            continue
        place = cell._replace(dataset=ORIGINAL)
        others = [
            other
            for other in cells
            if other._replace(version=cell.version, variant=cell.variant) == place
        ]
        same = [other for other in others if other.variant == cell.variant]
        yield from ((cell, other) for other in same or others)


def _told(cell: Cell) -> str:
    return f"{cell.title} on {cell.benchmark}"


def _table(made: Sequence[Comparison]) -> Table:
    adjusted = holm({n: one.p for n, one in enumerate(made)})
    rows = [_cleaned_row(one, adjusted[n]) for n, one in enumerate(made)]
    frame = without_empty(pd.DataFrame(rows), "Left out", "Flip p")
    formats: dict[Column, Format] = {
        **dict.fromkeys(_CLEANED_SHARES, PERCENT),
        "Difference": POINTS,
        **dict.fromkeys(_P, P_VALUE),
    }
    return Table(
        name="cleaned",
        title="Cleaned against original, paired by task id: verdict accuracy",
        frame=frame,
        groups=MODELS,
        formats={name: of for name, of in formats.items() if name in frame},
        note="Percent and percentage points, on the tasks that both data have under "
        "one id. Tasks are paired, not answers: statements and tests were cleaned, so "
        "that answers and their grades are others. Answers: the share of right ones "
        "among those put to the judge; where cleaning makes more of them right, a "
        "judge that mostly says “correct” gains by that alone. "
        f"{BOOTSTRAP} Only cleaned, only original: samples on which the verdict is "
        "right there alone. McNemar: exact, two-sided. Flip: sign flips of whole "
        "tasks, which decide where tasks have several epochs. Holm: corrected over the "
        f"{counted(len(rows), 'comparison')} of this table. In the study: as printed, "
        "without a word of format, models or test.",
    )


def _cleaned_row(one: Comparison, adjusted: float) -> dict[str, object]:
    original, cleaned, difference = one.paired.a, one.paired.b, one.difference
    data = f"{one.cell.benchmark} less {one.other.benchmark}"
    return {
        MODELS: f"{family_title(one.cell.family)}, {data}",
        FORMAT: one.cell.title,
        "Tasks": one.paired.questions.nunique(),
        "Samples": len(cleaned),
        "Left out": in_words(one.paired.drops),
        "Cleaned": cleaned["verdict_correct"].mean(),
        "Original": original["verdict_correct"].mean(),
        "Difference": difference.difference,
        "Difference low": difference.low,
        "Difference high": difference.high,
        "In the study": PRINTED,
        "Only cleaned": one.test.only_b,
        "Only original": one.test.only_a,
        "McNemar p": one.test.p,
        "Flip p": None if one.paired.independent else one.flip,
        "p (Holm)": adjusted,
        "Answers cleaned": cleaned["answer_right"].mean(),
        "Answers original": original["answer_right"].mean(),
    }


# How good the answers are, whoever gave or accepted them, and the critics' stances.

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
