"""Everything that Inspect finds by name; imported at every start of `inspect`."""

from inspect_debate.debate.run import DebateRun
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.evals.confidence import confidence as confidence_task
from inspect_debate.evals.debate import debate as debate_task
from inspect_debate.evals.generative import generative as generative_task
from inspect_debate.evals.judge_check import judge_check as judge_check_task
from inspect_debate.evals.rejudge import rejudge as rejudge_task
from inspect_debate.evals.srdcr import srdcr as srdcr_task
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.graded import debate_hacking, explanation_alignment
from inspect_debate.scorers.judge_check import judge_check as judge_check_scorer
from inspect_debate.scorers.jury import jury
from inspect_debate.scorers.knowledge_conflict import knowledge_conflict
from inspect_debate.scorers.process import process
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.simulator.registry import simulated
from inspect_debate.solvers.baselines import (
    ensemble,
    judge_alone,
    self_consistency,
    single,
    som,
)
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.confidence import confidence
from inspect_debate.solvers.debate import consultancy, debate
from inspect_debate.solvers.generative import generative
from inspect_debate.solvers.judge_check import judge_check
from inspect_debate.solvers.rejudge import rejudge
from inspect_debate.solvers.srdcr import srdcr
from inspect_debate.solvers.srdcr_baselines import (
    few_shot,
    judge_debate,
    naive_debate,
    rci,
    self_ask,
)

__all__ = [
    "BubblewrapSandbox",
    "DebateRun",
    "bet_alignment",
    "bets",
    "colmad",
    "colmad_task",
    "confidence",
    "confidence_task",
    "consultancy",
    "copmad",
    "debate",
    "debate_hacking",
    "debate_task",
    "ensemble",
    "error_detection",
    "explanation_alignment",
    "few_shot",
    "generative",
    "generative_task",
    "judge_alone",
    "judge_check",
    "judge_check_scorer",
    "judge_check_task",
    "judge_debate",
    "jury",
    "knowledge_conflict",
    "naive_debate",
    "process",
    "question_answering",
    "rci",
    "rejudge",
    "rejudge_task",
    "self_ask",
    "self_consistency",
    "simulated",
    "single",
    "som",
    "srdcr",
    "srdcr_task",
    "verdicts",
]
