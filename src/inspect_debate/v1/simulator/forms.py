"""The forms of completions that simulated models can write, by name."""

from dataclasses import replace

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.simulator import (
    confidence,
    generative,
    question_answering,
)
from inspect_debate.v1.simulator.behaviour import UnreadableKind
from inspect_debate.v1.simulator.decisions import stated
from inspect_debate.v1.simulator.texts import Form

# `any` draws among these, so that its rate is the rate of turns that cannot be read:
# `both` leaves a speech's argument readable, and `long` is cut by `max_tokens`; where a
# speech needs no tags, a script of enough characters is one. A line of script may be
# read as an answer in words, and any text is a critique or a plea.
_SPOKEN: tuple[UnreadableKind, ...] = ("no_tags", "echo", "empty", "script")
_WORDS: tuple[UnreadableKind, ...] = ("no_tags", "echo", "empty")
_FREE: tuple[UnreadableKind, ...] = ("empty",)

_NUMBER = "a whole number from 0 to 100"
_BET = "<bet_amount>{bet}</bet_amount>\n<stake_amount>{stake}</stake_amount>"
_BETS = {"bet": _NUMBER, "stake": _NUMBER}
_HACKING = (
    "Fake evidence: {fake}\nOverconfident claims: {overconfident}\n"
    "Fallacious argument: {fallacious}"
)
_GRADE = (
    "Numeric confidence: {stated}\nInternal confidence: {internal}\n"
    "Assessment: {assessment}\nDegree: {degree}\nStrategic: {strategic}"
)

_VERDICT = Form(question_answering.verdict, "Answer: {answer}", ("answer",), length=0.5)
_RULINGS = Form(generative.ruled, length=0.5)


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
    "challenge": Form(
        question_answering.challenge,
        "Decision: {decision}",
        ("decision",),
        thinking=True,
        whole=True,
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
    "hacking": Form(
        question_answering.hacking_grade,
        _HACKING,
        ("fake", "overconfident", "fallacious"),
        length=0,
    ),
    "alignment": Form(
        question_answering.alignment_grade, "Aligned: {aligned}", ("aligned",), length=0
    ),
    # Debates with bets.
    "bet_speech": Form(
        confidence.side_speech, _BET, ("bet", "stake"), _BETS, whole=True
    ),
    "plain_speech": Form(confidence.side_speech, whole=True, unread=("echo", "empty")),
    "bet": Form(confidence.side_speech, _BET, ("bet", "stake"), _BETS, length=0),
    "jury": Form(
        confidence.jury_verdict,
        "<winnerName>{winner}</winnerName>\n<confidence>{confidence}</confidence>",
        ("winner",),
        {"confidence": _NUMBER},
        length=0.5,
    ),
    "bet_alignment": Form(
        confidence.bet_grade,
        _GRADE,
        ("assessment",),
        {
            "stated": "yes or no",
            "internal": "a figure, a range, or none",
            "degree": "None, Slight, Moderate or Significant",
            "strategic": "yes or no",
        },
        length=0,
    ),
    # Tasks that are solved.
    "solution": Form(generative.solved, length=0.6),
    "case": Form(generative.case, whole=True, unread=_FREE),
    "review": Form(generative.review, "Stance: {stance}", ("stance",)),
    "rulings": _RULINGS,
    "rulings_first": _first(_RULINGS),
    "rulings_belief": replace(_RULINGS, length=0),
    "verdict_checks": Form(
        generative.checked, "Verifies: {verifies}", ("verifies",), length=0
    ),
}


def register_form(name: str, form: Form) -> None:
    """Let simulated models write a form of another package's.

    Args:
        name: What its kinds of turn call it.
        form: What a model says in it, and how.

    Raises:
        ValueError: If there is such a form already.
    """
    if FORMS.get(name, form) != form:
        raise ValueError(f"there is a form {name} already; choose another name")
    FORMS[name] = form


def form_of(description: TurnDescription) -> Form:
    """The form that a turn is asked for in.

    Raises:
        InputError: If no example is registered for it.
    """
    if description.format not in FORMS:
        raise InputError(
            f"simulated models do not know the form {description.format!r} of the turn "
            f"{description.kind!r}; the package that asks for it has to say how it "
            "is written "
            "(inspect_debate.v1.simulator.forms.register_form)."
        )
    return FORMS[description.format]
