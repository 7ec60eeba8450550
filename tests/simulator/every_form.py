"""Turns of every form, and what protocols and scorers read in their completions."""

from inspect_debate.debate.calls import Cue
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.deciding import Draws
from inspect_debate.simulator.forms import FORMS
from inspect_debate.simulator.texts import Draft, Form, Said
from inspect_debate.solvers.questions import free_answer
from tests.simulator.asking import all_kinds, choice_cue, new_kinds, prompt_for, read
from tests.simulator.clash_asking import clash_kinds, pick_cue, read_clash
from tests.simulator.generative_asking import (
    generative_kinds,
    in_code,
    read_generative,
    verdict_cue,
)

CLASH = {"short_answer", "self_ask", "critique", "plea", "reasonable", "pick"}
GENERATIVE = {"solution", "case", "review", "rulings"}
BEHAVIOUR = Behaviour(hostile_kind="takeover")


def every_kind(n: int) -> list[Cue]:
    """All turns of all studies."""
    solved = generative_kinds(n)
    return [
        *all_kinds(n),
        *new_kinds(n),
        choice_cue("answer", n, format="free_answer", choices=()),
        *clash_kinds(n),
        pick_cue(n),
        *solved,
        *(in_code(cue, n) for cue in solved),
        verdict_cue(n, (True, False)),
    ]


def prompt_of(cue: Cue) -> str:
    return prompt_for(cue)[-1].text


def fields_of(cue: Cue, text: str) -> dict[str, Parsed]:
    """What is read in a completion; the first has to be."""
    if cue.format in GENERATIVE:
        found = read_generative(cue, text)
        return {name: found[name] for name in sorted(found, reverse=True)}
    if cue.format == "free_answer":
        return free_answer(text)
    if cue.format in CLASH:
        return {"answer": read_clash(cue.format, text)}
    return read(cue, text)


def status_of(cue: Cue, text: str) -> Status:
    return next(iter(fields_of(cue, text).values())).status


def said_in(cue: Cue, behaviour: Behaviour = BEHAVIOUR) -> tuple[Form, Said, Draft]:
    """A turn's form, what is said in it, and the text."""
    form, draws = FORMS[cue.format], Draws(behaviour, cue)
    said = form.says(draws, prompt_of(cue))
    return form, said, form.write(said, behaviour.words, draws.content("text"))
