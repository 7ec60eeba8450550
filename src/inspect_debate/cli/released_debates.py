"""The confidence study's released debates, to compare printed numbers with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.published.confidence import Released
from inspect_debate.published.realmistake import ReleasedFile, released_text
from inspect_debate.reports.confidence.frames import (
    bets_of,
    conditions,
    released_spending,
    verdicts_of,
)
from inspect_debate.reports.confidence.paper_bets import (
    changed_by_missing,
    paper_tables,
)
from inspect_debate.reports.confidence.paper_others import (
    alignment_tables,
    appendix_d,
    graded,
    rates_of,
    table_6,
)
from inspect_debate.transcripts.debates import conditions_of
from inspect_debate.transcripts.logs import score_rows
from inspect_debate.transcripts.release import Release, read_release

DEBATES: Mapping[str, str] = {
    "cross_model": "eb2a705279cf9a91aeb884eff630db36ad2af27bc9953a090162c1e4c4e753fe",
    "self": "1658dadc0be6385726b9bc9cde21ba6d2be1011b78ae6de4115415b54bb6a1ea",
    "informed_self": "f1fa22299cd9b98fa24da0e7069a39dc91b85cb5ed7b0229f35bc3188409f34d",
    "public": "b03ffaa47f615d8f3ea80cd66cb72d8bd2d50e4638a8bf87b6b515564dda7573",
}
"""The digests of the 60 transcripts of each condition, as from `Release.digest`."""

GRADES = (
    ReleasedFile(
        "bet_analysis_results_private_bet_experiments_diff_models.json",
        7_789,
        "e6d8b822328a048a453069a03ce8d809574d2fe7f5fbc6f75baadf9e997d3534",
    ),
    ReleasedFile(
        "bet_analysis_results_private_self_bet.json",
        7_767,
        "6a95584b8515d259bf971e0273c191f60fff6e360c37c633c1179d1f54f5690f",
    ),
    ReleasedFile(
        "bet_analysis_results_private_self_bet_anchored.json",
        7_745,
        "7032c5ebee54106cdeb220cb5dbcc37909e9277a322bd70eafdd6bb2c64bdccb",
    ),
    ReleasedFile(
        "bet_analysis_results_public_bets.json",
        7_481,
        "30f0b8de1089afae261717f7a62692b51b3451effbd74b545ca2a99b6c2f609f",
    ),
)
"""The published grades of their bets."""

_EACH = 60


def released_rows(folder: Path) -> list[dict[str, Any]]:
    """The scores of every released debate, by the names of `scores_df`.

    Debates of other conditions, which the release has, too, may be there or not.

    Args:
        folder: The release's root.

    Raises:
        InputError: If transcripts or grades are others than those released.
    """
    read = read_release(str(folder))
    for stopped in read.stopped:
        click.echo(f"Not read: {stopped.file}: {stopped.reason}", err=True)
    _check_debates(folder, read)
    for file in GRADES:
        released_text(folder, file)
    return score_rows(read)


def released(rows: Sequence[Mapping[str, Any]]) -> Released:
    """What the released debates give, by the functions of the confidence report.

    Args:
        rows: As from `released_rows`.
    """
    grouped = conditions(pd.DataFrame(rows))
    bets, verdicts = bets_of(grouped), verdicts_of(grouped)
    compared, spent = graded(grouped.frame), released_spending(rows)
    texts = [
        {"condition": row["protocol"], "debate": row["id"], **text}
        for row in rows
        for text in row["texts"]
    ]
    tables = [
        *paper_tables(bets),
        table_6(spent, rates_of([])),
        *(alignment_tables(compared) if len(compared) else []),
        *appendix_d(verdicts, bets),
    ]
    return Released(
        bets,
        verdicts,
        compared,
        spent,
        pd.DataFrame(texts),
        changed_by_missing(bets),
        {
            (paper.table, paper.row, paper.column): cell.ours
            for table in tables
            for cell in table.cells()
            for paper in [cell.paper]
            if paper is not None and cell.comparable and cell.ours is not None
        },
    )


def _check_debates(folder: Path, read: Release) -> None:
    conditions = {
        condition.name: condition.debates for condition in conditions_of(read.debates)
    }
    for condition, expected in DEBATES.items():
        debates = conditions.get(condition, ())
        if read.digest(debates) != expected:
            changed = "" if len(debates) != _EACH else ", not all as released"
            raise InputError(
                f"{folder}: {len(debates)} debates of condition {condition!r} were "
                f"read{changed}; expected are the {_EACH} released ones."
            )
