"""The report on the confidence study: tables, comparisons and figures from logs."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.colmad.runs import call_notices, served_table
from inspect_debate.analysis.confidence.alignment import alignment_tables, graded
from inspect_debate.analysis.confidence.as_printed import printed_tables
from inspect_debate.analysis.confidence.calibration import (
    calibration_table,
    closing_bets,
    models_table,
)
from inspect_debate.analysis.confidence.checks import counts_table, differences_table
from inspect_debate.analysis.confidence.confounds import (
    confound_notices,
    is_rebuilt,
    rebuilt_notices,
)
from inspect_debate.analysis.confidence.costs import NAME as COSTS
from inspect_debate.analysis.confidence.costs import costs_table
from inspect_debate.analysis.confidence.dependence import (
    comparisons_table,
    escalation_table,
    openings_table,
)
from inspect_debate.analysis.confidence.excess import excess_table
from inspect_debate.analysis.confidence.figures import (
    calibration_figure,
    closing_figure,
    escalation_figure,
    opening_figure,
    rounds_figure,
)
from inspect_debate.analysis.confidence.frames import bets_of, conditions, verdicts_of
from inspect_debate.analysis.confidence.gaps import graded_gaps_table, stated_gaps_table
from inspect_debate.analysis.confidence.held import Told, read_told
from inspect_debate.analysis.confidence.jurors import agreement_table, judges_table
from inspect_debate.analysis.confidence.jury import (
    appendix_d,
    motions_table,
    rules_table,
)
from inspect_debate.analysis.confidence.missing import missing_table
from inspect_debate.analysis.confidence.notices import (
    jury_notices,
    listed,
    missing_notices,
    sample_notices,
    text_notices,
)
from inspect_debate.analysis.confidence.paper import paper_tables
from inspect_debate.analysis.confidence.runs import (
    GRADED,
    JUDGED,
    absent_conditions,
    repeating,
    run_table,
)
from inspect_debate.analysis.confidence.sanity import (
    samples_table,
    status_table,
    text_table,
)
from inspect_debate.analysis.confidence.strategic import cases_table, strategic_table
from inspect_debate.analysis.confidence.twins import PaperTable
from inspect_debate.analysis.frames import scores_of
from inspect_debate.analysis.logs import Log, LogPaths, study_logs
from inspect_debate.analysis.reporting.elements import Item, Notice, Report, Section
from inspect_debate.core.errors import InputError

STUDY = "confidence"


class _Data(NamedTuple):
    """What the logs hold, once for all sections."""

    logs: Sequence[Log]
    grouped: Arms
    bets: pd.DataFrame
    verdicts: pd.DataFrame
    graded: pd.DataFrame
    told: Told
    paper: Sequence[PaperTable]


def confidence_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of the confidence study, or on its released transcripts.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    data = _read(study_logs(logs, STUDY, allow_partial=allow_partial))
    debates = data.grouped.frame
    return Report(
        title="Confidence: two sides that are both sure of winning",
        study="When Two LLMs Debate, Both Think They'll Win (arXiv 2505.19184)",
        summary=_summary(data),
        notices=[
            *sample_notices(data.grouped),
            *missing_notices(debates, data.bets),
            *confound_notices(debates),
            *jury_notices(data.verdicts, data.bets),
            *text_notices(debates),
            *call_notices(data.told.calls),
            *rebuilt_notices(data.logs),
        ],
        sections=[section for section in _sections(data) if section is not None],
    )
