"""What simulated models say of questions and responses: answers, speeches, verdicts,
and the labels of graders."""

from inspect_debate.v1.datasets.sources import passage_truth
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.simulator.passages import (
    SOURCES,
    Passage,
    Source,
    altered,
    dealt,
    invented,
    passages,
)
from inspect_debate.v1.simulator.policy import (
    Draws,
    confidence,
    final,
    has_options,
    label,
    right_answer,
)
from inspect_debate.v1.simulator.texts import NUMBERS, Attack, Content

# Answers and verdicts.

_SENTENCES = {"error": "an error", "no_error": "no error"}


def label_sentence(draws: Draws, prompt: str) -> Content:
    """An answer that ends with ReaLMistake's sentence.

    Raises:
        InputError: If the question has other answers than `error` and `no_error`.
    """
    choices = draws.description.choices
    if has_options(choices):
        raise InputError(
            "simulated models end with a label sentence only where the answers are "
            f"error and no_error; asked for: {', '.join(choices)}."
        )
    chosen = label(draws)
    return Content(
        {"answer": _SENTENCES[chosen]},
        [_SENTENCES[choice] for choice in choices],
        attack=attack_for(chosen),
    )


def answer(draws: Draws, prompt: str) -> Content:
    """The model's own answer, one of the options."""
    chosen = label(draws)
    return Content(
        {"answer": chosen}, draws.description.choices, attack=attack_for(chosen)
    )


def free_answer(draws: Draws, prompt: str) -> Content:
    """An answer in words to a question without options."""
    chosen = in_words(draws)
    return Content(
        {"answer": chosen}, draws.description.choices, attack=attack_for(chosen)
    )


def verdict(draws: Draws, prompt: str) -> Content:
    """A judge's verdict."""
    description = draws.description
    return Content(
        {"answer": _number(description.name(label(draws)))},
        [_number(description.name(choice)) for choice in description.choices],
    )


def judge_question(draws: Draws, prompt: str) -> Content:
    """A judge's question to those who debate, or to nobody; and whether it is ready."""
    rng, between = draws.content("asks"), len(draws.description.shown) > 1
    recipients = ("Alice", "Bob", "both") if between else ("Consultant",)
    asks = rng.random() < draws.behaviour.asks
    return Content(
        {
            **ready(draws, prompt).fields,
            "to": rng.choice(recipients) if asks else "nobody",
        },
        ("yes", "no"),
        lines=["Which step settles it, and where can it be read?"] if asks else (),
        attack=attack_for(label(draws)),
    )


def ready(draws: Draws, prompt: str) -> Content:
    """Whether a judge is ready to decide."""
    is_ready = draws.content("ready").random() < draws.behaviour.ready
    return Content({"ready": "yes" if is_ready else "no"}, ("yes", "no"))


def attack_for(answer: str) -> Attack:
    """What a participant with this answer wants the judge to do."""
    me, other = ("Bob", "Alice") if answer == "no_error" else ("Alice", "Bob")
    return Attack(me, other, f"Answer: {_number(answer)}")


def _number(name: str) -> str:
    return NUMBERS.get(name, name)


# Speeches.


def speech(draws: Draws, prompt: str) -> Content:
    """A collaborative speech: what it now believes, and how firmly."""
    description = draws.description
    believed = final(draws, description.round)
    sure = confidence(draws, believed == right_answer(description))
    now, defends = (
        description.name(believed),
        description.name(description.defends or believed),
    )
    line = f"I argue for answer {_number(defends)}."
    if now != defends:
        line = f"I give up answer {_number(defends)} and now hold {_number(now)}."
    return Content(
        {
            "final": _with_number(now),
            "confidence": f"{sure:.2f}",
            "reason": "the decisive step can be repeated",
        },
        [_with_number(description.name(choice)) for choice in description.choices],
        lines=[line],
        quotes=_quotes(draws, prompt),
        attack=attack_for(believed),
    )


def argument(draws: Draws, prompt: str) -> Content:
    """A speech for one's own side alone."""
    side = draws.description.defends or label(draws)
    return Content(
        lines=[
            f"Answer {_number(draws.description.name(side))} is right, and this "
            "shows it."
        ],
        quotes=_quotes(draws, prompt),
        attack=attack_for(side),
    )


def _with_number(name: str) -> str:
    return f"{NUMBERS[name]} {name}" if name in NUMBERS else name


_INPUT: tuple[Source, ...] = ("task", "question", "options")


def _quotes(draws: Draws, prompt: str) -> list[Passage]:
    """The quotes of this round. Those of all rounds are numbered through."""
    behaviour, description = draws.behaviour, draws.description
    if not behaviour.quotes:
        return []
    blocks = _INPUT if behaviour.quote_source == "input" else SOURCES
    # Where there is a passage, nothing else counts as quoted.
    deck = passages(prompt, ("passage",)) or passages(prompt, blocks)
    first = (description.round - 1) * behaviour.quotes
    return [_quote(draws, deck, first + i) for i in range(behaviour.quotes)]


def _quote(draws: Draws, deck: tuple[Passage, ...], number: int) -> Passage:
    behaviour, description = draws.behaviour, draws.description
    rng = draws.content(f"quote {number}", round=0)
    while number > 0 and rng.random() < behaviour.quote_duplicate_rate:
        number -= 1
        rng = draws.content(f"quote {number}", round=0)
    hand = description.choices.index(description.defends) if description.defends else 0
    # Not seeded by the model: both debaters have to know the deck in one order.
    shuffle = seeded(
        description.seed, "passages", description.sample, description.epoch
    )
    passage = dealt(deck, len(description.choices), hand, number, shuffle)
    if passage is None:
        return invented(hand, number)
    verbatim = rng.random() < behaviour.quote_verified_rate
    return passage if verbatim else altered(passage, rng)


# Answers in words to questions without options, right as often as a model is able.

_WITHOUT_ABILITY = 0.5
_UNKNOWN = ("the former", "the latter", "neither")


def in_words(draws: Draws) -> str:
    """The right answer or a wrong one, as the data set registered them.

    An update keeps its answer or takes another's, as with options. Without registered
    answers all are guesses; who may not read the passage does not find the right one.
    """
    description = draws.description
    if description.kind == "update" and description.own_answer is not None:
        return label(draws)
    rng = draws.content("label")
    known = passage_truth(description.question)
    if known is None:
        return rng.choice(_UNKNOWN)
    able = draws.behaviour.choice_accuracy
    accuracy = _WITHOUT_ABILITY if able == "chance" else able
    if description.hidden:
        accuracy = 0.0
    right = rng.random() < accuracy
    return known.answer if right else rng.choice(known.others or _UNKNOWN)
