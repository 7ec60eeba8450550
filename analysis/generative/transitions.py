"""What speeches do to verdicts: every format against that without a transcript."""

from collections.abc import Iterator, Sequence

import pandas as pd

from inspect_debate.analysis.generative.comparisons import Compared, Comparison
from inspect_debate.analysis.generative.flows import Flow, flow_panels
from inspect_debate.analysis.generative.tables import (
    FORMAT,
    MODELS,
    by_heading,
    heading,
)
from inspect_debate.analysis.reporting.elements import Figure, Table
from inspect_debate.analysis.reporting.formats import (
    P_VALUE,
    PERCENT,
    POINTS,
    interval_text,
)
from inspect_debate.core.measures.transitions import (
    Transitions,
    transition_shares,
    transitions,
)

_FLIP, _HURT, _NET = "Flips", "Hurt share", "Net"


def transition_items(compared: Compared) -> list[Table | Figure | None]:
    """How verdicts move from no transcript to each format with speeches.

    Args:
        compared: As from `compare`, against no transcript.

    Returns:
        The table, and a diagram for each family and data; a single None where no
        samples can be paired.
    """
    if not compared.made:
        return [None]
    return [_table(compared), *_figures(compared.made)]


def moved(one: Comparison) -> Transitions:
    """The transitions from the format without a transcript to that with speeches."""
    before, after = one.paired.a, one.paired.b
    return transitions(before["verdict_correct"], after["verdict_correct"])


def _table(compared: Compared) -> Table:
    refused = len(compared.refused)
    return Table(
        name="transitions",
        title="What becomes of verdicts when speeches are added",
        frame=pd.DataFrame([_row(one) for one in compared.made]),
        groups=MODELS,
        formats={_FLIP: PERCENT, _HURT: PERCENT, _NET: POINTS, "p": P_VALUE},
        note="Samples by their verdict without a transcript and with the format's "
        "speeches, on the same answers and read in both: right before and wrong after "
        "is hurt, the other way round helped. Flips: percent of all that changed. "
        "Hurt share: percent of those. Net: the change of verdict accuracy in "
        "percentage points, flips x (1 - 2 x hurt share). Intervals: 95 %, clustered "
        "by question; of the net change, of the paired bootstrap, too narrow on few "
        "questions, where p decides. p: McNemar's exact test of hurt against helped, "
        "or sign flips where questions have several epochs; corrected p-values are "
        "among the paired comparisons."
        + (f" Pairs refused, as is said there: {refused}." if refused else ""),
    )


def _row(one: Comparison) -> dict[str, object]:
    before, after = one.paired.a, one.paired.b
    found = moved(one)
    shares = transition_shares(
        before["verdict_correct"], after["verdict_correct"], one.paired.questions
    )
    return {
        MODELS: heading(one.cell),
        FORMAT: one.title,
        "Samples": found.n,
        "Right, right": found.right_right,
        "Hurt": found.hurt,
        "Helped": found.helped,
        "Wrong, wrong": found.wrong_wrong,
        _FLIP: shares.flip.value,
        f"{_FLIP} low": shares.flip.low,
        f"{_FLIP} high": shares.flip.high,
        _HURT: shares.hurt.value,
        f"{_HURT} low": shares.hurt.low,
        f"{_HURT} high": shares.hurt.high,
        _NET: found.net,
        f"{_NET} low": one.difference.low,
        f"{_NET} high": one.difference.high,
        "p": one.p,
    }


def _figures(made: Sequence[Comparison]) -> Iterator[Figure]:
    for number, (title, of) in enumerate(by_heading(made).items(), 1):
        panels = {f"{one.title} (n={moved(one).n})": _flow(one) for one in of}
        yield Figure(
            name=f"figure_transitions_{number}",
            title=f"Verdicts without and with speeches, {title}",
            figure=flow_panels(panels, ("no transcript", "with speeches")),
            alt="Two stacks of right and wrong verdicts, without a transcript and with "
            "speeches, and the shares that flow from one to the other: "
            + "; ".join(f"{name}: {flow.caption}" for name, flow in panels.items())
            + ".",
            note="Percent of the verdicts on the same answers that could be read in "
            "both. Net: the change of verdict accuracy in percentage points, with its "
            "95 % interval and the p-value of the table.",
        )


def _flow(one: Comparison) -> Flow:
    found = moved(one)
    hurt = f", {PERCENT(found.hurt_share)} % of them hurt" if found.flip_rate else ""
    interval = interval_text(POINTS, one.difference.low, one.difference.high)
    net = " ".join(filter(None, (POINTS(found.net), interval)))
    return Flow(
        kept=found.right_right / found.n,
        hurt=found.hurt / found.n,
        helped=found.helped / found.n,
        wrong=found.wrong_wrong / found.n,
        caption=f"flips {PERCENT(found.flip_rate)} %{hurt}\n"
        f"net {net}, p {P_VALUE(one.p)}",
    )
