"""Studies of multi-agent debate on Inspect: what other code may import.

Protocols are solvers, scorers are scorers; they also have names in Inspect's registry
(`inspect_debate/colmad`). Each name is loaded when it is first used: importing this
package loads neither inspect_ai nor pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_debate.debate.ask import Asking, Read, ask, free_text, together
    from inspect_debate.debate.errors import InputError
    from inspect_debate.debate.prompts import Prompts
    from inspect_debate.debate.record import Debate, Turn, debate_of, recorded
    from inspect_debate.debate.roles import Participant, check_roles, participants
    from inspect_debate.debate.text import Quote, escape
    from inspect_debate.scorers.bet_alignment import bet_alignment
    from inspect_debate.scorers.bets import bets
    from inspect_debate.scorers.error_detection import error_detection
    from inspect_debate.scorers.graded import debate_hacking, explanation_alignment
    from inspect_debate.scorers.jury import jury
    from inspect_debate.scorers.knowledge_conflict import knowledge_conflict
    from inspect_debate.scorers.process import process
    from inspect_debate.scorers.question_answering import question_answering
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
    from inspect_debate.solvers.custom import ask_answer, question_text, transcript
    from inspect_debate.solvers.debate import consultancy
    from inspect_debate.solvers.generative import generative
    from inspect_debate.solvers.questions import Question, finish, question_of
    from inspect_debate.solvers.rejudge import rejudge
    from inspect_debate.solvers.srdcr import srdcr
    from inspect_debate.solvers.srdcr_baselines import (
        few_shot,
        judge_debate,
        naive_debate,
        rci,
        self_ask,
    )
    from inspect_debate.transcripts.logs import debate_log, debate_sample

_MODULES = {
    "debate.ask": ("Asking", "Read", "ask", "free_text", "together"),
    "debate.errors": ("InputError",),
    "debate.prompts": ("Prompts",),
    "debate.record": ("Debate", "Turn", "debate_of", "recorded"),
    "debate.roles": ("Participant", "check_roles", "participants"),
    "debate.text": ("Quote", "escape"),
    "scorers.bet_alignment": ("bet_alignment",),
    "scorers.bets": ("bets",),
    "scorers.error_detection": ("error_detection",),
    "scorers.graded": ("debate_hacking", "explanation_alignment"),
    "scorers.jury": ("jury",),
    "scorers.knowledge_conflict": ("knowledge_conflict",),
    "scorers.process": ("process",),
    "scorers.question_answering": ("question_answering",),
    "scorers.verdicts": ("verdicts",),
    "solvers.baselines": (
        *("ensemble", "judge_alone", "self_consistency", "single", "som"),
    ),
    "solvers.colmad": ("colmad", "copmad"),
    "solvers.confidence": ("confidence",),
    "solvers.debate": ("consultancy",),
    "solvers.custom": ("ask_answer", "question_text", "transcript"),
    "solvers.generative": ("generative",),
    "solvers.questions": ("Question", "finish", "question_of"),
    "solvers.rejudge": ("rejudge",),
    "solvers.srdcr": ("srdcr",),
    "solvers.srdcr_baselines": (
        *("few_shot", "judge_debate", "naive_debate", "rci", "self_ask"),
    ),
    "transcripts.logs": ("debate_log", "debate_sample"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Asking",
    "Debate",
    "InputError",
    "Participant",
    "Prompts",
    "Question",
    "Quote",
    "Read",
    "Turn",
    "ask",
    "ask_answer",
    "bet_alignment",
    "bets",
    "check_roles",
    "colmad",
    "confidence",
    "consultancy",
    "copmad",
    "debate_hacking",
    "debate_log",
    "debate_of",
    "debate_sample",
    "ensemble",
    "error_detection",
    "escape",
    "explanation_alignment",
    "few_shot",
    "finish",
    "free_text",
    "generative",
    "judge_alone",
    "judge_debate",
    "jury",
    "knowledge_conflict",
    "naive_debate",
    "participants",
    "process",
    "question_answering",
    "question_of",
    "question_text",
    "rci",
    "recorded",
    "rejudge",
    "self_ask",
    "self_consistency",
    "single",
    "som",
    "srdcr",
    "together",
    "transcript",
    "verdicts",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
