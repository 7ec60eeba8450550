"""Everything that Inspect finds by name; imported at every start of `inspect`."""

from inspect_debate.debate.settings import RunSettings
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
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
from inspect_debate.simulator.registry import reading_judge, simulated
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.challenge import challenge
from inspect_debate.solvers.colmad import copmad
from inspect_debate.solvers.consultancy import consultancy
from inspect_debate.solvers.cross_examination import cross_examination
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.judge_checks import judge_checks
from inspect_debate.solvers.judge_debate import judge_debate
from inspect_debate.solvers.naive_debate import naive_debate
from inspect_debate.solvers.placebo import placebo
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from inspect_debate.solvers.without_debate import passage_or_memory, rci, self_ask

__all__ = [
    "BubblewrapSandbox",
    "RunSettings",
    "bet_alignment",
    "bets",
    "challenge",
    "challenges",
    "clash",
    "colmad",
    "confidence",
    "consultancy",
    "copmad",
    "cross_examination",
    "debate",
    "debate_hacking",
    "debate_judge",
    "debate_process",
    "ensemble",
    "error_detection",
    "explanation_alignment",
    "generative",
    "generative_debate",
    "judge_alone",
    "judge_check",
    "judge_checks",
    "judge_debate",
    "jury",
    "naive_debate",
    "passage_or_memory",
    "placebo",
    "question_answering",
    "rci",
    "reading_judge",
    "self_ask",
    "self_confidence",
    "self_consistency",
    "simulated",
    "single",
    "som",
    "srdcr",
    "verdict_checks",
    "verdicts",
]
