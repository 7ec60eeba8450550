"""The forms of completions that simulated models can write, by name."""

from dataclasses import replace

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.simulator import question_answering
from inspect_debate.v1.simulator.behaviour import UnreadableKind
from inspect_debate.v1.simulator.decisions import stated
from inspect_debate.v1.simulator.texts import Form

# `any` draws among these, so that its rate is the rate of turns that cannot be read:
# `both` leaves a speech's argument readable, and `long` is cut by `max_tokens`. A line
# of script may be read as an answer in words, and any text is a critique or a plea.
_SPOKEN: tuple[UnreadableKind, ...] = ("no_tags", "echo", "empty", "script")
_WORDS: tuple[UnreadableKind, ...] = ("no_tags", "echo", "empty")

_NUMBER = "a whole number from 0 to 100"
_VERDICT = Form(question_answering.verdict, "Answer: {answer}", ("answer",), length=0.5)


def _stated(form: Form) -> Form:
    """The form with a probability in words after its decision."""
    return replace(
        form,
        says=stated(form.says),
        closing=f"{form.closing}\n{{probability}}",
        described={"probability": f"Probability: {_NUMBER}%"},
    )


def _first(form: Form) -> Form:
    """The form with the decision before its reasons."""
    return replace(form, closing_first=True)


_ASKED = Form(
    question_answering.judge_question,
    "To: {to}",
    described={"to": "whom you ask"},
    length=0.2,
    thinking=True,
    whole=True,
    unread=_SPOKEN,
)

FORMS: dict[str, Form] = {
    # Questions and responses: answers, speeches, verdicts, grades.
    "label_sentence": Form(
        question_answering.label_sentence,
        "Therefore, the model response contains {answer}.",
        ("answer",),
        length=0.6,
    ),
    "answer_line": Form(
        question_answering.answer, "ANSWER: {answer}", ("answer",), length=0.6
    ),
    "free_answer": Form(
        question_answering.free_answer,
        "ANSWER: {answer}",
        described={"answer": "your answer"},
        length=0.6,
        unread=_WORDS,
    ),
    "speech": Form(
        question_answering.speech,
        "Final: {final}\nConf: {confidence} - {reason}",
        ("final",),
        {"confidence": "a probability between 0 and 1", "reason": "the reason"},
        thinking=True,
        whole=True,
        unread=_SPOKEN,
    ),
    "argument": Form(
        question_answering.argument, thinking=True, whole=True, unread=_SPOKEN
    ),
    "verdict": _VERDICT,
    "verdict_stated": _stated(_VERDICT),
    "verdict_first": _first(_VERDICT),
    "verdict_first_stated": _first(_stated(_VERDICT)),
    "belief": replace(_first(_stated(_VERDICT)), length=0),
    "judge_question": _ASKED,
    "judge_question_ready": replace(
        _ASKED, closing="To: {to}\nReady: {ready}", decides=("ready",)
    ),
    "ready": Form(question_answering.ready, "Ready: {ready}", ("ready",), length=0.2),
}


def form_of(description: TurnDescription) -> Form:
    """The form that a turn is asked for in.

    Raises:
        InputError: If no example is registered for it.
    """
    if description.format not in FORMS:
        raise InputError(
            f"simulated models do not know the form {description.format!r} of the turn "
            f"{description.kind!r}."
        )
    return FORMS[description.format]
