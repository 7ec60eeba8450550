"""Everything that Inspect finds by name; imported at every start of `inspect`."""

from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.v1.debate.settings import RunSettings
from inspect_debate.v1.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.v1.scorers.bet_alignment import bet_alignment
from inspect_debate.v1.scorers.bets import bets
from inspect_debate.v1.scorers.debate_process import debate_process
from inspect_debate.v1.scorers.jury import jury
from inspect_debate.v1.scorers.question_answering import question_answering
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.simulator.registry import reading_judge
from inspect_debate.v1.solvers.consultancy import consultancy
from inspect_debate.v1.solvers.generative_debate import generative_debate
from inspect_debate.v1.solvers.judge_checks import judge_checks

__all__ = [
    "BubblewrapSandbox",
    "RunSettings",
    "bet_alignment",
    "bets",
    "confidence",
    "consultancy",
    "debate",
    "debate_process",
    "generative",
    "generative_debate",
    "judge_check",
    "judge_checks",
    "jury",
    "question_answering",
    "reading_judge",
    "verdicts",
]
