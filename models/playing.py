"""From a cue to a completion: every decision a simulated model takes.

Each has a generator of its own, seeded by what is decided for whom, so that nothing
depends on the order of calls. What a completion says does not depend on whether it is
a re-ask; how it goes wrong does.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from inspect_ai.model import StopReason

from inspect_debate.core.answer_key import truth
from inspect_debate.core.cue import Cue
from inspect_debate.core.errors import InputError
from inspect_debate.core.seeds import seeded
from inspect_debate.models import spoiling
from inspect_debate.models.behaviour import (
    Behaviour,
    concession_probability,
    mean_confidence,
    verdict_probability,
)
from inspect_debate.models.passages import (
    SOURCES,
    Passage,
    altered,
    dealt,
    invented,
    passages,
)
from inspect_debate.models.writing import (
    Draft,
    Speech,
    write_answer,
    write_reasoning,
    write_speech,
    write_verdict,
)

_ANSWER_WORDS, _VERDICT_WORDS = 0.6, 0.5
_OTHER = {"error": "no_error", "no_error": "error"}

Fate = Literal["fine", "unreadable", "refused", "truncated"]


class Reply(NamedTuple):
    """A completion, what was thought before it, and why it ended."""

    text: str
    reasoning: str
    stop_reason: StopReason


@dataclass(frozen=True)
class Draws:
    """The generators of one turn's decisions."""

    behaviour: Behaviour
    cue: Cue

    def content(self, purpose: str, round: int | None = None) -> Random:
        """For what is said; the same in every re-ask."""
        return self._rng(self.cue.round if round is None else round, 0, purpose)

    def attempt(self, purpose: str) -> Random:
        """For how this very call goes."""
        return self._rng(self.cue.round, self.cue.reask, purpose)

    def _rng(self, round: int, reask: int, purpose: str) -> Random:
        cue = self.cue
        who = (cue.seed, cue.sample, cue.epoch, cue.participant, cue.kind)
        return seeded(self.behaviour.seed, *who, round, cue.draw, reask, purpose)


def play(behaviour: Behaviour, cue: Cue, prompt: str) -> Reply:
    """What a simulated model replies.

    Args:
        behaviour: The model.
        cue: What is asked of it.
        prompt: The text from which passages may be quoted; nothing else is read in it.

    Raises:
        InputError: If the question has other answers than `error` and `no_error`.
    """
    if set(cue.choices) != set(_OTHER):
        raise InputError(
            "simulated models answer only with error or no_error; "
            f"asked for: {', '.join(cue.choices)}."
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
            text = spoiling.unreadable(behaviour, draft, cue.format, rng)
            return Reply(text, reasoning, "stop")
        case "fine":
            draft = _draft(draws, prompt)
            if cue.reask and cue.format != "speech":
                draft = Draft("", draft.closing)
            return Reply(draft.text, reasoning, "stop")


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


def known_truth(question: str) -> str:
    """The right answer to a question, by its fingerprint.

    Where no loader has registered one, a coin decides that is seeded by the
    fingerprint alone: it falls alike for all models, seeds and runs.
    """
    registered = truth(question)
    if registered is not None:
        return registered
    return "error" if seeded(0, "truth", question).random() < 0.5 else "no_error"


def label(draws: Draws) -> str:
    """The answer of an answer of one's own, or of a verdict."""
    cue = draws.cue
    p_error = verdict_probability(draws.behaviour, known_truth(cue.question), cue.shown)
    return "error" if draws.content("label").random() < p_error else "no_error"


def final(draws: Draws, round: int) -> str:
    """A debater's Final in a round; in round 0, what it defends.

    One draw decides all rounds: who has conceded does not take it back.
    """
    cue = draws.cue
    if cue.defends is None:
        return label(draws)
    p_concession = concession_probability(
        draws.behaviour, known_truth(cue.question), cue.defends, round
    )
    conceded = round > 0 and draws.content("final", round=0).random() < p_concession
    return _OTHER[cue.defends] if conceded else cue.defends


def confidence(draws: Draws, right: bool) -> float:
    """The stated confidence of this round, to two decimals."""
    behaviour = draws.behaviour
    offset = draws.content("confidence").uniform(-1, 1) * behaviour.confidence_spread
    return round(mean_confidence(behaviour, right, draws.cue.round or 1) + offset, 2)


def _draft(draws: Draws, prompt: str) -> Draft:
    cue, behaviour = draws.cue, draws.behaviour
    rng = draws.content("text")
    match cue.format:
        case "speech":
            speech = _speech(draws, prompt)
            said, draft = speech.final, write_speech(speech, behaviour.words, rng)
        case "verdict":
            words = round(behaviour.words * _VERDICT_WORDS)
            return write_verdict(label(draws), cue.shown, words, rng)
        case "label_sentence":
            said = label(draws)
            draft = write_answer(said, round(behaviour.words * _ANSWER_WORDS), rng)
    attack = draws.content("hostile")
    if attack.random() < behaviour.hostile_rate:
        return spoiling.hostile(behaviour, draft, said, attack)
    return draft


def _speech(draws: Draws, prompt: str) -> Speech:
    cue = draws.cue
    believed = final(draws, cue.round)
    return Speech(
        defends=cue.defends or believed,
        final=believed,
        before=final(draws, cue.round - 1) if cue.defends else believed,
        confidence=confidence(draws, believed == known_truth(cue.question)),
        round=cue.round,
        quotes=_quotes(draws, prompt),
    )


def _quotes(draws: Draws, prompt: str) -> list[Passage]:
    """The quotes of this round. Those of all rounds are numbered through."""
    behaviour, cue = draws.behaviour, draws.cue
    if not behaviour.quotes:
        return []
    only_task = behaviour.quote_source == "input"
    deck = passages(prompt, SOURCES[:1] if only_task else SOURCES)
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
