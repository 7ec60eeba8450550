"""What a protocol of one's own needs: a question, answers to it, and a transcript.

A protocol writes its own prompts and puts these texts into them. What models and data
sets wrote is escaped there, so that it cannot close its block or pose as another turn.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from inspect_debate.debate.ask import Asking, ask
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.record import Turn
from inspect_debate.debate.roles import Participant
from inspect_debate.debate.text import escape
from inspect_debate.solvers.questions import PROMPTS, Asker, Question


def question_text(question: Question, passage: bool = True) -> str:
    """The question with its options, for a prompt.

    Args:
        question: From `question_of`.
        passage: Whether the reader also gets the passage that a question is about.
    """
    values = _asker(question).values() | {"reads_passage": passage}
    return _prompts()("item", **values)


def ask_answer(
    question: Question, who: Participant, kind: str, prompt: str, **how: Any
) -> Asking:
    """Ask for an answer in a form that `finish` and the task's scorer can use.

    Args:
        question: From `question_of`.
        who: Who is asked.
        kind: What is asked for, such as `answer` or `verdict`.
        prompt: The message, to which the form of the answer is added.
        how: Further arguments of `ask`.

    Returns:
        The turn, which has the answer in `fields["answer"]` if it could be read.
    """
    asker = _asker(question)
    form, reminder = (
        _prompts()(key, **asker.values()) for key in ("answer_form", "answer_reminder")
    )
    prompt = f"{prompt}\n\n{form}"
    return ask(who, kind, prompt, asker.read_answer, reminder=reminder, **how)


def transcript(turns: Sequence[Turn]) -> str:
    """What was said in some turns, for a prompt.

    Text of a reader that forgot to escape it is escaped here.
    """
    said = [
        {
            "speaker": turn.speaker,
            "stage": f"round {turn.round}" if turn.round else turn.kind,
            # Quotes that were checked have tags of their own around them.
            "text": (turn.public if turn.quotes else escape(turn.public))
            or "(no reply)",
        }
        for turn in turns
    ]
    return _prompts()("transcript", turns=said, assigned=False, consulted="")


def _asker(question: Question) -> Asker:
    return Asker(question, Prompted({"reminders": 1}, _prompts()))


@cache
def _prompts() -> Prompts:
    return Prompts(PROMPTS)
