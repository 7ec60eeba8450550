"""Everything that Inspect finds by name; imported at every start of `inspect`."""

from inspect_debate.evals.debate import debate
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.v1.debate.settings import RunSettings
from inspect_debate.v1.scorers.debate_process import debate_process
from inspect_debate.v1.scorers.question_answering import question_answering
from inspect_debate.v1.simulator.registry import reading_judge
from inspect_debate.v1.solvers.consultancy import consultancy
from inspect_debate.v1.solvers.judge_checks import judge_checks

__all__ = [
    "RunSettings",
    "consultancy",
    "debate",
    "debate_process",
    "judge_check",
    "judge_checks",
    "question_answering",
    "reading_judge",
]
