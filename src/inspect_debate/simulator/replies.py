"""From a turn description to a completion.

What a completion says does not depend on whether it is a re-ask; how it goes wrong
does.
"""

from typing import Literal, NamedTuple

from inspect_ai.model import StopReason

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.simulator import corruption
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.forms import form_of
from inspect_debate.simulator.knowledge_conflict import StatedAnswer, answer_logprobs
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.texts import Draft, write_reasoning

Fate = Literal["fine", "unreadable", "refused", "truncated"]


class Reply(NamedTuple):
    """A completion, what was thought before it, and why it ended.

    `stated` is the answer in words that can be read in it, where there is one.
    """

    text: str
    reasoning: str
    stop_reason: StopReason
    stated: StatedAnswer | None = None


def play(behaviour: Behaviour, description: TurnDescription, prompt: str) -> Reply:
    """What a simulated model replies.

    Args:
        behaviour: The model.
        description: What is asked of it.
        prompt: The text from which passages may be quoted; nothing else is read in it.

    Raises:
        InputError: If the form is unknown, or if something is asked of a question in
            words or of a task of which no data set has told what is right.
    """
    form, draws = form_of(description), Draws(behaviour, description)
    ending = fate(draws)
    if ending == "refused":
        refusal = draws.attempt("refusal").choice(corruption.REFUSALS)
        return Reply(refusal, "", "content_filter")
    said = form.says(draws, prompt)
    draft = form.write(said, behaviour.words, draws.content("text"))
    attacked = draws.content("hostile")
    if said.attack and attacked.random() < behaviour.hostile_rate:
        draft = corruption.hostile(behaviour, draft, said.attack, attacked)
    thought = write_reasoning(behaviour.reasoning_words, draws.content("reasoning"))
    if ending == "truncated":
        text = corruption.truncated(draft, draws.attempt("cut"))
        return Reply(text, thought, "max_tokens")
    if ending == "unreadable":
        rng = draws.attempt("unreadable")
        text = corruption.unreadable(behaviour, draft, form, said, rng)
        return Reply(text, thought, "stop")
    if description.reask and not form.whole:
        draft = Draft("", draft.closing, logic=draft.logic)
    return Reply(draft.text, thought, "stop", answer_logprobs(draws))


def fate(draws: Draws) -> Fate:
    """How a call goes. A re-ask is never refused or cut."""
    behaviour = draws.behaviour
    u = draws.attempt("fate").random()
    if draws.description.reask:
        return "fine" if u < behaviour.reask_success else "unreadable"
    outcomes: list[tuple[Fate, float]] = [
        ("refused", behaviour.refused_rate),
        ("truncated", behaviour.truncated_rate),
        ("unreadable", behaviour.unreadable_rate),
    ]
    for outcome, rate in outcomes:
        if u < rate:
            return outcome
        u -= rate
    return "fine"
