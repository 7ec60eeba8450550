"""Everything that Inspect finds by name; imported at every start of `inspect`."""

from inspect_debate.core.settings import RunSettings
from inspect_debate.evals.colmad import colmad
from inspect_debate.models.registry import simulated
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.copmad import copmad
from inspect_debate.solvers.ensemble import ensemble
from inspect_debate.solvers.judge_alone import judge_alone
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.single import single
from inspect_debate.solvers.som import som

__all__ = [
    "RunSettings",
    "colmad",
    "copmad",
    "debate_process",
    "ensemble",
    "error_detection",
    "judge_alone",
    "self_consistency",
    "simulated",
    "single",
    "som",
]
