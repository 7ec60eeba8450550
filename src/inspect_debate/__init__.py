"""Studies of multi-agent debate on Inspect: what other code may import.

Protocols are solvers, scorers are scorers; they also have names in Inspect's registry
(`inspect_debate/colmad`). Each name is loaded when it is first used: importing this
package loads neither inspect_ai nor pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_debate.debate.ask import Read, ask, free_text, together
    from inspect_debate.debate.errors import InputError
    from inspect_debate.debate.prompts import Prompts
    from inspect_debate.debate.record import Debate, Turn, debate_of, recorded
    from inspect_debate.debate.roles import Participant, participants
    from inspect_debate.scorers.bet_alignment import bet_alignment
    from inspect_debate.scorers.bets import bets
    from inspect_debate.scorers.error_detection import error_detection
    from inspect_debate.scorers.graded import debate_hacking, explanation_alignment
    from inspect_debate.scorers.jury import jury
    from inspect_debate.scorers.knowledge_conflict import knowledge_conflict
    from inspect_debate.scorers.process import process
    from inspect_debate.scorers.verdicts import verdicts
    from inspect_debate.solvers.baselines import (
        ensemble,
        judge_alone,
        self_consistency,
        single,
        som,
    )
    from inspect_debate.solvers.colmad import colmad, copmad
    from inspect_debate.solvers.confidence import confidence
    from inspect_debate.solvers.generative import generative
    from inspect_debate.solvers.srdcr import srdcr
    from inspect_debate.solvers.srdcr_baselines import (
        few_shot,
        judge_debate,
        naive_debate,
        rci,
        self_ask,
    )

_MODULES = {
    "debate.ask": ("Read", "ask", "free_text", "together"),
    "debate.errors": ("InputError",),
    "debate.prompts": ("Prompts",),
    "debate.record": ("Debate", "Turn", "debate_of", "recorded"),
    "debate.roles": ("Participant", "participants"),
    "scorers.bet_alignment": ("bet_alignment",),
    "scorers.bets": ("bets",),
    "scorers.error_detection": ("error_detection",),
    "scorers.graded": ("debate_hacking", "explanation_alignment"),
    "scorers.jury": ("jury",),
    "scorers.knowledge_conflict": ("knowledge_conflict",),
    "scorers.process": ("process",),
    "scorers.verdicts": ("verdicts",),
    "solvers.baselines": (
        *("ensemble", "judge_alone", "self_consistency", "single", "som"),
    ),
    "solvers.colmad": ("colmad", "copmad"),
    "solvers.confidence": ("confidence",),
    "solvers.generative": ("generative",),
    "solvers.srdcr": ("srdcr",),
    "solvers.srdcr_baselines": (
        *("few_shot", "judge_debate", "naive_debate", "rci", "self_ask"),
    ),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Debate",
    "InputError",
    "Participant",
    "Prompts",
    "Read",
    "Turn",
    "ask",
    "bet_alignment",
    "bets",
    "colmad",
    "confidence",
    "copmad",
    "debate_hacking",
    "debate_of",
    "ensemble",
    "error_detection",
    "explanation_alignment",
    "few_shot",
    "free_text",
    "generative",
    "judge_alone",
    "judge_debate",
    "jury",
    "knowledge_conflict",
    "naive_debate",
    "participants",
    "process",
    "rci",
    "recorded",
    "self_ask",
    "self_consistency",
    "single",
    "som",
    "srdcr",
    "together",
    "verdicts",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
