"""Four studies of multi-agent debate on Inspect: what other code may import.

Tasks are functions that return an Inspect task (`colmad_task(rounds=3)`), protocols are
solvers, scorers are scorers; all of them also have their names in Inspect's registry
(`inspect_debate/colmad`). Each name is loaded when it is first used: importing this
package loads neither inspect_ai nor pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_debate.datasets.trajectories import trajectory_question
    from inspect_debate.debate.errors import InputError
    from inspect_debate.debate.record import (
        DebateRecord,
        Parsed,
        Participant,
        Quote,
        Status,
        Turn,
        read_record,
    )
    from inspect_debate.evals.colmad import colmad as colmad_task
    from inspect_debate.evals.confidence import confidence as confidence_task
    from inspect_debate.evals.debate import debate as debate_task
    from inspect_debate.evals.generative import generative as generative_task
    from inspect_debate.evals.judge_check import judge_check as judge_check_task
    from inspect_debate.evals.srdcr import srdcr as srdcr_task
    from inspect_debate.reports.compare.comparison import compare
    from inspect_debate.reports.debates import debates_df, turns_df
    from inspect_debate.reports.frames import scores_df
    from inspect_debate.reports.report import write_report
    from inspect_debate.reports.studies import report
    from inspect_debate.scorers.bet_alignment import bet_alignment
    from inspect_debate.scorers.bets import bets
    from inspect_debate.scorers.challenges import challenges
    from inspect_debate.scorers.debate_hacking import debate_hacking
    from inspect_debate.scorers.debate_judge import debate_judge
    from inspect_debate.scorers.debate_process import debate_process
    from inspect_debate.scorers.error_detection import error_detection
    from inspect_debate.scorers.explanation_alignment import explanation_alignment
    from inspect_debate.scorers.jury import jury
    from inspect_debate.scorers.knowledge_conflict import clash
    from inspect_debate.scorers.question_answering import question_answering
    from inspect_debate.scorers.self_confidence import self_confidence
    from inspect_debate.scorers.verdict_checks import verdict_checks
    from inspect_debate.scorers.verdicts import verdicts
    from inspect_debate.solvers.baselines import ensemble, judge_alone, single
    from inspect_debate.solvers.challenge import challenge
    from inspect_debate.solvers.colmad import colmad, copmad
    from inspect_debate.solvers.confidence import confidence
    from inspect_debate.solvers.consultancy import consultancy
    from inspect_debate.solvers.cross_examination import cross_examination
    from inspect_debate.solvers.generative_debate import generative_debate
    from inspect_debate.solvers.judge_debate import judge_debate
    from inspect_debate.solvers.naive_debate import naive_debate
    from inspect_debate.solvers.placebo import placebo
    from inspect_debate.solvers.question_answering import DebateConfig
    from inspect_debate.solvers.self_consistency import self_consistency
    from inspect_debate.solvers.som import som
    from inspect_debate.solvers.srdcr import srdcr
    from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask

_RECORD = ("DebateRecord", "Parsed", "Participant", "Quote", "Status", "Turn")
_TASKS = ("colmad", "confidence", "debate", "generative", "judge_check", "srdcr")
_PROTOCOLS = (
    *("challenge", "colmad", "confidence", "consultancy", "copmad"),
    "cross_examination",
    *(
        "ensemble",
        "generative_debate",
        "judge_alone",
        "judge_debate",
        "naive_debate",
        "passage_or_memory",
        "placebo",
        "rci",
    ),
    *("self_ask", "self_consistency", "single", "som", "srdcr"),
)
_SCORERS = (
    *("bet_alignment", "bets", "challenges", "clash", "debate_hacking"),
    *("debate_judge", "debate_process"),
    *("error_detection", "explanation_alignment", "jury", "question_answering"),
    *("self_confidence", "verdict_checks", "verdicts"),
)
# Each name with its module and its name there.
_PLACES = {
    **{name: ("debate.record", name) for name in (*_RECORD, "read_record")},
    "DebateConfig": ("solvers.question_answering", "DebateConfig"),
    "InputError": ("debate.errors", "InputError"),
    **{f"{name}_task": (f"evals.{name}", name) for name in _TASKS},
    **{name: (f"solvers.{name}", name) for name in _PROTOCOLS},
    "copmad": ("solvers.colmad", "copmad"),
    **{n: ("solvers.baselines", n) for n in ("ensemble", "judge_alone", "single")},
    **{
        name: ("solvers.without_debate", name)
        for name in ("passage_or_memory", "rci", "self_ask")
    },
    **{name: (f"scorers.{name}", name) for name in _SCORERS},
    "clash": ("scorers.knowledge_conflict", "clash"),
    "trajectory_question": ("datasets.trajectories", "trajectory_question"),
    "scores_df": ("reports.frames", "scores_df"),
    "debates_df": ("reports.debates", "debates_df"),
    "turns_df": ("reports.debates", "turns_df"),
    "report": ("reports.studies", "report"),
    "write_report": ("reports.report", "write_report"),
    "compare": ("reports.compare.comparison", "compare"),
}

__all__ = [  # noqa: RUF022 (by subject)
    # tasks
    "colmad_task",
    "confidence_task",
    "debate_task",
    "generative_task",
    "judge_check_task",
    "srdcr_task",
    # protocols
    "challenge",
    "colmad",
    "confidence",
    "consultancy",
    "copmad",
    "cross_examination",
    "ensemble",
    "generative_debate",
    "judge_alone",
    "judge_debate",
    "naive_debate",
    "passage_or_memory",
    "placebo",
    "rci",
    "self_ask",
    "self_consistency",
    "single",
    "som",
    "srdcr",
    # scorers
    "bet_alignment",
    "bets",
    "challenges",
    "clash",
    "debate_hacking",
    "debate_judge",
    "debate_process",
    "error_detection",
    "explanation_alignment",
    "jury",
    "question_answering",
    "self_confidence",
    "verdict_checks",
    "verdicts",
    # questions about earlier samples
    "trajectory_question",
    # the record of a debate
    "DebateRecord",
    "Parsed",
    "Participant",
    "Quote",
    "Status",
    "Turn",
    "read_record",
    # settings and errors
    "DebateConfig",
    "InputError",
    # logs as data frames, and reports
    "compare",
    "debates_df",
    "report",
    "scores_df",
    "turns_df",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(import_module(f"{__name__}.{module}"), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
