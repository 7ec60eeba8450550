"""Turns of every form, and what protocols and scorers read in their completions."""

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.forms import FORMS
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.texts import Content, Draft, Form
from inspect_debate.solvers.question_answering import free_answer
from tests.simulator.asking import all_kinds, choice_cue, new_kinds, prompt_for, read
from tests.simulator.clash_asking import clash_kinds, pick_cue, read_clash
from tests.simulator.generative_asking import (
    generative_kinds,
    in_code,
    read_generative,
    verdict_cue,
)

CLASH = {"short_answer", "self_ask", "critique", "free_speech", "reasonable", "pick"}
GENERATIVE = {"solution", "case", "review", "rulings"}
BEHAVIOUR = Behaviour(hostile_kind="takeover")


def every_kind(n: int) -> list[TurnDescription]:
    """All turns of all studies."""
    solved = generative_kinds(n)
    return [
        *all_kinds(n),
        *new_kinds(n),
        choice_cue("answer", n, format="free_answer", choices=()),
        *clash_kinds(n),
        pick_cue(n),
        *solved,
        *(in_code(description, n) for description in solved),
        verdict_cue(n, (True, False)),
    ]


def prompt_of(description: TurnDescription) -> str:
    return prompt_for(description)[-1].text


def fields_of(description: TurnDescription, text: str) -> dict[str, Parsed]:
    """What is read in a completion; the first has to be."""
    if description.format in GENERATIVE:
        found = read_generative(description, text)
        return {name: found[name] for name in sorted(found, reverse=True)}
    if description.format == "free_answer":
        return free_answer(text)
    if description.format in CLASH:
        return {"answer": read_clash(description.format, text)}
    return read(description, text)


def status_of(description: TurnDescription, text: str) -> Status:
    return next(iter(fields_of(description, text).values())).status


def written(
    description: TurnDescription, behaviour: Behaviour = BEHAVIOUR
) -> tuple[Form, Content, Draft]:
    """A turn's form, its content, and the text."""
    form, draws = FORMS[description.format], Draws(behaviour, description)
    content = form.says(draws, prompt_of(description))
    return form, content, form.write(content, behaviour.words, draws.content("text"))
