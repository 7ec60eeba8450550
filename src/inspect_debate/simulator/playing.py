"""From a cue to a completion.

What a completion says does not depend on whether it is a re-ask; how it goes wrong
does.
"""

from typing import Literal, NamedTuple

from inspect_ai.model import StopReason

from inspect_debate.debate import answer_key
from inspect_debate.debate.cue import Cue, Format
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import seeded
from inspect_debate.simulator import spoiling, writing
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.bets import (
    draft_bet_grade,
    draft_side,
    draft_vote,
    side_of,
    write_alignment,
    write_hacking,
)
from inspect_debate.simulator.clash import (
    Told,
    answer_told,
    draft_clash,
    draft_clash_verdict,
    seat_of,
)
from inspect_debate.simulator.deciding import (
    Draws,
    aligned,
    confidence,
    final,
    hacking,
    has_options,
    label,
    right_answer,
)
from inspect_debate.simulator.generative import draft_generative, draft_rulings, name_of
from inspect_debate.simulator.passages import (
    SOURCES,
    Passage,
    Source,
    altered,
    dealt,
    invented,
    passages,
)
from inspect_debate.simulator.writing import (
    Draft,
    Speech,
    write_answer,
    write_argument,
    write_choice,
    write_choice_speech,
    write_choice_verdict,
    write_reasoning,
    write_speech,
    write_verdict,
)

_ANSWER_WORDS, _VERDICT_WORDS = 0.6, 0.5
_INPUT: tuple[Source, ...] = ("task", "question", "options")

Fate = Literal["fine", "unreadable", "refused", "truncated"]


class Reply(NamedTuple):
    """A completion, what was thought before it, and why it ended.

    `told` is the answer in words that can be read in it, where there is one.
    """

    text: str
    reasoning: str
    stop_reason: StopReason
    told: Told | None = None


def play(behaviour: Behaviour, cue: Cue, prompt: str) -> Reply:
    """What a simulated model replies.

    Args:
        behaviour: The model.
        cue: What is asked of it.
        prompt: The text from which passages may be quoted; nothing else is read in it.

    Raises:
        InputError: If a label sentence is asked for and the question has other answers
            than `error` and `no_error`, or if something is asked of a question in words
            or of a task of which no data set has told what is right.
    """
    if cue.format == "label_sentence" and has_options(cue.choices):
        raise InputError(
            "simulated models end with a label sentence only where the answers are "
            f"error and no_error; asked for: {', '.join(cue.choices)}."
        )
    draws = Draws(behaviour, cue)
    reasoning = write_reasoning(behaviour.reasoning_words, draws.content("reasoning"))
    match fate(draws):
        case "refused":
            refusal = draws.attempt("refusal").choice(spoiling.REFUSALS)
            return Reply(refusal, "", "content_filter")
        case "truncated":
            text = spoiling.truncated(_draft(draws, prompt), draws.attempt("cut"))
            return Reply(text, reasoning, "max_tokens")
        case "unreadable":
            rng = draws.attempt("unreadable")
            draft = _draft(draws, prompt)
            text = spoiling.unreadable(behaviour, draft, cue.format, cue.choices, rng)
            return Reply(text, reasoning, "stop")
        case "fine":
            draft = _draft(draws, prompt)
            if cue.reask and not _is_whole(cue):
                draft = Draft("", draft.closing, logic=draft.logic)
            return Reply(draft.text, reasoning, "stop", answer_told(draws))


# By the form, as packages have kinds of turn of their own.
_WHOLE: frozenset[Format] = frozenset(
    {
        *("speech", "argument", "critique", "plea", "case"),
        *("bet_speech", "plain_speech"),
    }
)


def _is_whole(cue: Cue) -> bool:
    """Whether a re-ask is for the whole text, and not for its closing lines alone."""
    return cue.format in _WHOLE


def fate(draws: Draws) -> Fate:
    """How a call goes. A re-ask is never refused or cut."""
    behaviour = draws.behaviour
    u = draws.attempt("fate").random()
    if draws.cue.reask:
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


def _draft(draws: Draws, prompt: str) -> Draft:
    match draws.cue.format:
        case "verdict":
            return _verdict(draws)
        case "jury":
            return draft_vote(draws)
        case "hacking":
            return write_hacking(hacking(draws), prompt, draws.content("text"))
        case "alignment":
            return write_alignment(aligned(draws), draws.content("text"))
        case "bet_alignment":
            return draft_bet_grade(draws)
        case "reasonable" | "pick":
            return draft_clash_verdict(draws)
        case "rulings":
            return draft_rulings(draws)
    said, draft = _contribution(draws, prompt)
    attack = draws.content("hostile")
    if attack.random() < draws.behaviour.hostile_rate:
        return spoiling.hostile(draws.behaviour, draft, said, attack)
    return draft


def _contribution(draws: Draws, prompt: str) -> tuple[str, Draft]:
    """What is said to others, who can be attacked, and the answer that it is for."""
    cue = draws.cue
    match cue.format:
        case "speech":
            speech = _speech(draws, prompt)
            return speech.final, _spoken(draws, speech)
        case "argument":
            side = cue.defends or label(draws)
            return side, _argument(draws, side, prompt)
        case "bet_speech" | "plain_speech" | "bet":
            return side_of(cue), draft_side(draws)
        case "short_answer" | "self_ask" | "critique" | "plea":
            return seat_of(cue), draft_clash(draws)
        case "solution" | "case" | "review":
            return name_of(cue), draft_generative(draws)
        case "free_answer":
            said = free_answer(draws)
            return said, _answer(draws, said)
        case _:
            said = label(draws)
            return said, _answer(draws, said)


def _answer(draws: Draws, said: str) -> Draft:
    cue, rng = draws.cue, draws.content("text")
    words = round(draws.behaviour.words * _ANSWER_WORDS)
    updates = [writing.UPDATE_OPENINGS] if cue.kind == "update" else []
    if cue.format == "label_sentence":
        return write_answer(said, words, rng, *updates)
    return write_choice(said, words, rng, *updates)


def _verdict(draws: Draws) -> Draft:
    cue, rng = draws.cue, draws.content("text")
    words = round(draws.behaviour.words * _VERDICT_WORDS)
    if has_options(cue.choices):
        weighed = [cue.name(choice) for choice in cue.shown or cue.choices]
        return write_choice_verdict(cue.name(label(draws)), weighed, words, rng)
    return write_verdict(label(draws), cue.shown, words, rng)


def _argument(draws: Draws, defends: str, prompt: str) -> Draft:
    words, rng = draws.behaviour.words, draws.content("text")
    defends = draws.cue.name(defends)
    return write_argument(defends, draws.cue.round, _quotes(draws, prompt), words, rng)


def _spoken(draws: Draws, speech: Speech) -> Draft:
    write = write_choice_speech if has_options(draws.cue.choices) else write_speech
    return write(speech, draws.behaviour.words, draws.content("text"))


def _speech(draws: Draws, prompt: str) -> Speech:
    cue = draws.cue
    believed = final(draws, cue.round)
    before = final(draws, cue.round - 1) if cue.defends else believed
    return Speech(
        defends=cue.name(cue.defends or believed),
        final=cue.name(believed),
        before=cue.name(before),
        confidence=confidence(draws, believed == right_answer(cue)),
        round=cue.round,
        quotes=_quotes(draws, prompt),
    )


def _quotes(draws: Draws, prompt: str) -> list[Passage]:
    """The quotes of this round. Those of all rounds are numbered through."""
    behaviour, cue = draws.behaviour, draws.cue
    if not behaviour.quotes:
        return []
    blocks = _INPUT if behaviour.quote_source == "input" else SOURCES
    # Where there is a passage, nothing else counts as quoted.
    deck = passages(prompt, ("passage",)) or passages(prompt, blocks)
    first = (cue.round - 1) * behaviour.quotes
    return [_quote(draws, deck, first + i) for i in range(behaviour.quotes)]


def _quote(draws: Draws, deck: tuple[Passage, ...], number: int) -> Passage:
    behaviour, cue = draws.behaviour, draws.cue
    rng = draws.content(f"quote {number}", round=0)
    while number > 0 and rng.random() < behaviour.quote_duplicate_rate:
        number -= 1
        rng = draws.content(f"quote {number}", round=0)
    hand = cue.choices.index(cue.defends) if cue.defends else 0
    # Not seeded by the model: both debaters have to know the deck in one order.
    shuffle = seeded(cue.seed, "passages", cue.sample, cue.epoch)
    passage = dealt(deck, len(cue.choices), hand, number, shuffle)
    if passage is None:
        return invented(hand, number)
    verbatim = rng.random() < behaviour.quote_verified_rate
    return passage if verbatim else altered(passage, rng)


# Answers in words to questions without options, right as often as a model is able.

_WITHOUT_ABILITY = 0.5
_UNKNOWN = ("the former", "the latter", "neither")


def free_answer(draws: Draws) -> str:
    """What is answered: the right answer or a wrong one, as the data set told them.

    An update holds to its answer or takes another's, as with options. Where no data set
    has told, all answers are guesses; who may not read the passage does not find it.
    """
    cue = draws.cue
    if cue.kind == "update" and cue.held is not None:
        return label(draws)
    rng = draws.content("label")
    known = answer_key.passage(cue.question)
    if known is None:
        return rng.choice(_UNKNOWN)
    able = draws.behaviour.choice_accuracy
    accuracy = _WITHOUT_ABILITY if able == "chance" else able
    if cue.hidden:
        accuracy = 0.0
    right = rng.random() < accuracy
    return known.answer if right else rng.choice(known.others or _UNKNOWN)
