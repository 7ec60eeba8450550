"""A judge on finished debates: as they were, and with one thing changed at a time."""

import re
from collections import defaultdict
from functools import partial
from pathlib import Path

from inspect_ai.model import GenerateConfig
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.datasets.logged import Logged, logged
from inspect_debate.debate.ask import Asking, together
from inspect_debate.debate.errors import InputError, validated
from inspect_debate.debate.prompted import Prompted
from inspect_debate.debate.prompts import Prompts
from inspect_debate.debate.record import Debate, recorded
from inspect_debate.debate.roles import check_roles
from inspect_debate.debate.seeds import flipped
from inspect_debate.solvers.colmad import decide, verdicts
from inspect_debate.solvers.questions import (
    PAPER,
    PROMPTS,
    Asker,
    finish,
    question_of,
    with_options,
)

CHECKS = ("repeat", "order", "names", "length")
PROTOCOLS = ("colmad", "copmad", "debate")
"""Protocols whose debates can be judged again."""

_OWN = Path(__file__).with_suffix(".yaml")
_SPEECHES = _OWN.with_name("colmad.yaml")
_OTHER = {"Alice": "Bob", "Bob": "Alice", "ALICE": "BOB", "BOB": "ALICE"}
_NAME = re.compile(rf"\b(?:{'|'.join(_OTHER)})\b")
# The lines that come last where debaters say what they believe by now.
_CLOSING = re.compile(r"\n\s*(?:\*\*)?Final:(?!.*\n\s*(?:\*\*)?Final:)", re.S | re.I)


def of_two(log: Logged) -> dict[int | str, list[Debate]]:
    """The debates of two that a judge can read again, by sample, in order of epochs."""
    found = defaultdict[int | str, list[Debate]](list)
    for (id, _), debate in sorted(log.debates.items(), key=lambda one: one[0][1]):
        spoke = {turn.role for turn in debate.of("speech") if turn.public}
        if debate.protocol in PROTOCOLS and debate.complete and len(spoke) == 2:
            found[id].append(debate)
    if not found:
        held = ", ".join({debate.protocol for debate in log.debates.values()})
        raise InputError(
            f"{log.log.location} is a log of {held}; give one in which two debaters "
            f"spoke, of {', '.join(PROTOCOLS)}."
        )
    return dict(found)


@solver
@validated
def judge_check(debates: str, seed: int = 0, prompts: str | None = None) -> Solver:
    """Ask a judge about finished debates, and again with one thing changed.

    Five calls per debate: as it was; `repeat`, the same once more; `order`, the other
    answer and its debater first; `names`, Alice called Bob and Bob Alice; `length`, the
    last speech of one side made twice as long by words that say nothing. What the judge
    is shown is otherwise as it was. Role: `judge`, one model.

    Args:
        debates: A log of `colmad`, `copmad` or `debate`. Samples need the ids of it.
        seed: Draws whose speech is made longer; in every second epoch the other's.
        prompts: A YAML file that replaces some of the prompts.
    """
    parameters = dict(locals())
    check_roles(panels=())
    texts = Prompts(PROMPTS, _SPEECHES, _OWN, overlay=prompts)
    found = of_two(logged(debates))

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        check_roles(panels=())  # not known yet where a task is made in Python
        if state.sample_id not in found:
            raise InputError(
                f"debates={debates} has no debate of two on sample "
                f"{state.sample_id!r}; run the task inspect_debate/judge_check."
            )
        of_sample = found[state.sample_id]
        held = of_sample[(state.epoch - 1) % len(of_sample)].model_copy(deep=True)
        given = held.parameters
        config = PAPER.merge(GenerateConfig(max_tokens=given["max_tokens"]))
        question = with_options(held, question_of(state), held.of("answer"))
        asker = Asker(question, Prompted(given, texts, config))
        with recorded("judge_check", parameters, texts.hashes) as debate:
            debate.options = held.options
            debate.defends, debate.turns = held.defends, held.of("answer", "speech")
            calls = _calls(state, held, asker, seed)
            turns = await together(debate, *(asking for _, asking in calls.values()))
            for turn, (check, (favoured, _)) in zip(turns, calls.items(), strict=True):
                turn.kind = check
                if turn.fields and favoured:
                    turn.fields["favours"] = favoured
            debate.answer, debate.skip_reason = decide(debate)
        return finish(state, debate, asker.question)

    return solve


def _calls(
    state: TaskState, debate: Debate, asker: Asker, seed: int
) -> dict[str, tuple[str, Asking]]:
    """The verdict on a debate, and those of its checks, with what these may help."""
    order = "ba" if debate.parameters["order"] == "ba" else "ab"  # one, if it was both
    debate.parameters["order"] = order
    swapped, renamed, longer = (debate.model_copy(deep=True) for _ in range(3))
    swapped.parameters["order"] = "ab" if order == "ba" else "ba"
    # Alice argues for the first of the two answers.
    first, second = (o for o in debate.options if o in debate.defends.values())
    side = second if flipped(state, seed, "whose speech is made longer") else first
    spoke = (turn for turn in longer.of("speech") if turn.public)
    *_, last = (turn for turn in spoke if longer.defends[turn.role] == side)
    last.public = _lengthened(last.public, asker.prompted.texts("padding"))
    now_first = first if (order == "ba") != (state.epoch % 2 == 0) else second
    judged = partial(verdicts, asker=asker, epoch=state.epoch)
    calls = {
        "verdict": ("", judged(debate)[0]),
        "repeat": ("", judged(debate, draw=1)[0]),
        "order": (now_first, judged(swapped)[0]),
        "length": (side, judged(longer)[0]),
    }
    texts = [*asker.question.item.values(), *debate.options.values()]
    if not any(map(_NAME.search, texts)):  # there they are other people
        for turn in renamed.turns:
            turn.public = _NAME.sub(lambda match: _OTHER[match[0]], turn.public)
        calls["names"] = second, judged(renamed, names=("Bob", "Alice"))[0]
    return calls


def _lengthened(speech: str, padding: str) -> str:
    """A speech with about as many words more, which stand before its closing lines."""
    wanted, added = len(speech.split()), list[str]()
    for sentence in re.split(r"(?<=[.!?])\s+", padding) * wanted:
        if len(added) < wanted:
            added += sentence.split()
    closing = _CLOSING.search(speech)
    end = closing.start() if closing else len(speech)
    return f"{speech[:end].rstrip()}\n\n{' '.join(added)}{speech[end:]}"
