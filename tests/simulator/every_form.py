"""Turns of every form, and what protocols and scorers read in their completions."""

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.parsing import stated_percent
from inspect_debate.debate.probabilities import PROBABILITY
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.forms import FORMS
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.texts import Content, Draft, Form
from inspect_debate.solvers.question_answering import free_answer
from tests.simulator.asking import (
    all_kinds,
    choice_turn,
    new_kinds,
    prompt_for,
    read,
    turn_for,
)
from tests.simulator.clash_asking import clash_turn, clash_turns, pick_turn, read_clash
from tests.simulator.generative_asking import (
    generative_turns,
    in_code,
    read_generative,
    verdict_turn,
)

CLASH = {"short_answer", "self_ask", "critique", "free_speech", "reasonable", "pick"}
JUDGED = {
    *("reasonable_stated", "reasonable_first", "reasonable_first_stated"),
    "pick_stated",
}
RULINGS = ("rulings", "rulings_first", "rulings_belief")
GENERATIVE = {"solution", "case", "review", *RULINGS}
BEHAVIOUR = Behaviour(hostile_kind="takeover")


def every_kind(n: int) -> list[TurnDescription]:
    """All turns of all studies."""
    solved = generative_turns(n)
    return [
        *all_kinds(n),
        *new_kinds(n),
        choice_turn("answer", n, format="free_answer", choices=()),
        *clash_turns(n),
        pick_turn(n),
        pick_turn(n, format="pick_stated"),
        *(
            clash_turn("verdict", n, format=form)
            for form in JUDGED
            if form.startswith("reasonable_")
        ),
        turn_for(
            "challenge", n, format="challenge", defends="error", round=2, rounds=2
        ),
        *(
            turn_for(
                "ready" if form == "ready" else "judge_question",
                n,
                format=form,
                participant="judge",
                shown=("error", "no_error"),
                round=1,
                rounds=3,
            )
            for form in ("judge_question", "judge_question_ready", "ready")
        ),
        *solved,
        *(in_code(turn, n) for turn in solved),
        verdict_turn(n, (True, False)),
    ]


def prompt_of(turn: TurnDescription) -> str:
    return prompt_for(turn)[-1].text


def fields_of(turn: TurnDescription, text: str) -> dict[str, Parsed]:
    """What is read in a completion; the first has to be."""
    if turn.format in GENERATIVE:
        found = read_generative(turn, text)
        return {name: found[name] for name in sorted(found, reverse=True)}
    if turn.format == "free_answer":
        return free_answer(text)
    if turn.format in CLASH | JUDGED:
        form = turn.format.removesuffix("_stated").removesuffix("_first")
        found = {"answer": read_clash(form, text)}
        if form == turn.format or not turn.format.endswith("_stated"):
            return found
        return found | {PROBABILITY: stated_percent(text, "Probability")}
    return read(turn, text)


def status_of(turn: TurnDescription, text: str) -> Status:
    return next(iter(fields_of(turn, text).values())).status


def written(
    turn: TurnDescription, behaviour: Behaviour = BEHAVIOUR
) -> tuple[Form, Content, Draft]:
    """A turn's form, its content, and the text."""
    form, draws = FORMS[turn.format], Draws(behaviour, turn)
    content = form.says(draws, prompt_of(turn))
    return form, content, form.write(content, behaviour.words, draws.content("text"))
