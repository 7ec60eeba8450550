"""What simulated models say of questions about passages, and how sure they are."""

from collections import Counter
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspect_debate.v1.datasets.sources import PassageTruth, passage_truth
from inspect_debate.v1.debate.answers import short_answer
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.simulator.behaviour import ConflictBehaviour
from inspect_debate.v1.simulator.policy import Draws, yield_probability
from inspect_debate.v1.simulator.texts import Attack, Closing, Content

# The laws of what a model knows, of its trust in passages, and of its certainty.
#
# They are pure, as those in `behaviour` are: the provider draws from them call by call,
# a recovery test by the thousand.

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int_]

LEAST = 1e-9
"""The least probability of an answer, so that it has a logarithm."""


def tier_shares(behaviour: ConflictBehaviour) -> Floats:
    """Shares of the questions that are unknown, weakly, maybe and highly known."""
    known = np.array(
        [behaviour.weakly_known, behaviour.maybe_known, behaviour.highly_known]
    )
    return np.concatenate([[max(0.0, 1 - known.sum())], known])


def recall_rates(behaviour: ConflictBehaviour) -> Floats:
    """P(an answer without the passage is right), by tier, in the same order."""
    return np.array(
        [
            0.0,
            behaviour.recall_weakly,
            behaviour.recall_maybe,
            behaviour.recall_highly,
        ]
    )


def tier_of(behaviour: ConflictBehaviour, u: float | Floats) -> Ints:
    """The tier of a question, from 0 (unknown) to 3; `u` is uniform in [0, 1)."""
    return np.digitize(u, tier_shares(behaviour)[:3].cumsum())


def follow_probability(
    behaviour: ConflictBehaviour, severity: float | NDArray[np.number]
) -> Floats:
    """P(an answer with the passage is what the passage says)."""
    step = behaviour.follow_per_severity
    return np.clip(behaviour.follows_passage + step * np.asarray(severity), 0, 1)


def credulity(
    behaviour: ConflictBehaviour, severity: float | NDArray[np.number]
) -> Floats:
    """P(a judge's last verdict is for the passage, or for the contextual answer)."""
    severity = np.asarray(severity)
    perturbed = behaviour.credulity_perturbed + behaviour.credulity_per_severity * (
        severity - 1
    )
    return np.where(
        severity == 0, behaviour.credulity_standard, np.clip(perturbed, 0, 1)
    )


def mean_certainty(
    behaviour: ConflictBehaviour, right: bool | Bools, passage: bool
) -> Floats:
    """Mean probability of answers, by whether they are right and had the passage."""
    if passage:
        means = behaviour.passage_certainty_right, behaviour.passage_certainty_wrong
    else:
        means = behaviour.certainty_right, behaviour.certainty_wrong
    return np.where(right, *means)


def certainty(
    behaviour: ConflictBehaviour,
    right: bool | Bools,
    passage: bool,
    offset: float | Floats,
) -> Floats:
    """The probability of an answer; `offset` is uniform in [-1, 1]."""
    moved = behaviour.certainty_spread * np.asarray(offset)
    return np.clip(mean_certainty(behaviour, right, passage) + moved, LEAST, 1)


# From a turn description to an answer in words, how sure the model is of it, and a
# verdict.
#
# What a model knows of a question it knows with any passage, in any participant and
# run. Its prior answer depends on the question, the run's seed and the epoch alone, so
# that both halves of a question share it, as do all participants that one model plays.

CONTEXTUAL = "contextual"
"""What a judge's choice of the contextual answer is called; the other is `prior`."""

_HALVES = ("-standard", "-perturbed")
_ELSE = "something else"


class StatedAnswer(NamedTuple):
    """An answer in words, and its probability."""

    answer: str
    certainty: float


def passage_of(description: TurnDescription) -> PassageTruth:
    """What is true of the question that a turn description asks.

    Raises:
        InputError: If no data set has registered it.
    """
    found = passage_truth(description.question)
    if found is None:
        raise InputError(
            "simulated models know nothing of the question of sample "
            f"{description.sample!r}: "
            "they answer in words only where the data set has registered what is right "
            "(inspect_debate.v1.datasets.sources.register_passage)."
        )
    return found


def question_of(description: TurnDescription) -> str:
    """What a sample's question is called, whichever of its passages is shown."""
    name = description.sample
    for half in _HALVES:
        name = name.removesuffix(half)
    return name


def tier(draws: Draws) -> int:
    """What the model knows of the question: 0 unknown, to 3 highly known."""
    rng = seeded(draws.behaviour.seed, "knowledge", question_of(draws.description))
    return int(tier_of(draws.behaviour, rng.random()))


def prior_answer(draws: Draws) -> str:
    """The answer that the model gives without a passage."""
    passage = passage_of(draws.description)
    if _knows(draws, _of_question(draws, "prior")):
        return passage.answer
    return _wrong_answer(draws, passage)


def stated_answer(draws: Draws) -> StatedAnswer:
    """The answer that a turn gives, and its probability."""
    description, answer = draws.description, _answer(draws)
    if description.kind == "answer" and not description.passage:
        rng = _of_question(draws, "certainty")
    else:
        rng = draws.content("certainty")
    right = answer == passage_of(description).answer
    offset = rng.uniform(-1, 1)
    return StatedAnswer(
        answer, float(certainty(draws.behaviour, right, description.passage, offset))
    )


def reasonable(draws: Draws) -> bool:
    """Whether a judge finds the passage reasonable after this round."""
    return _judged(draws, _credulity(draws))


def picked(draws: Draws) -> str:
    """The answer that a judge takes of two: the contextual one, or the other."""
    first, second = draws.description.choices
    own = _credulity(draws)
    follow = draws.behaviour.follow_first
    p = follow * (first == CONTEXTUAL) + (1 - follow) * own
    if _judged(draws, p):
        return CONTEXTUAL
    return second if first == CONTEXTUAL else first


def _credulity(draws: Draws) -> float:
    return float(credulity(draws.behaviour, passage_of(draws.description).severity))


def _judged(draws: Draws, p: float) -> bool:
    """One draw decides the last verdict; those before it may differ from it.

    Rounds are counted from 0 where a verdict is on the passage, else from 1.
    """
    description = draws.description
    verdict = draws.content("verdict", round=0).random() < p
    last = description.round >= (
        description.rounds - 1
        if description.format == "reasonable"
        else description.rounds
    )
    flips = draws.content("flip").random() < draws.behaviour.verdict_flip
    return verdict if last else verdict != flips


def _answer(draws: Draws) -> str:
    description = draws.description
    if description.kind == "recall":
        return _recalled(draws)
    if description.kind == "sample":
        return _repeated(draws)
    if description.kind == "update" and description.own_answer is not None:
        return (
            _updated(draws, description.own_answer)
            if description.shown
            else _revised(draws, description.own_answer)
        )
    return _contextual_answer(draws) if description.passage else prior_answer(draws)


def _contextual_answer(draws: Draws) -> str:
    """What the passage says, or the prior answer; drawn anew for each form."""
    passage = passage_of(draws.description)
    follow = follow_probability(draws.behaviour, passage.severity)
    follows = draws.content(f"follow {draws.description.format}").random() < follow
    return passage.says if follows else prior_answer(draws)


def _recalled(draws: Draws) -> str:
    passage, rng = passage_of(draws.description), draws.content("recall")
    return passage.answer if _knows(draws, rng) else rng.choice(_wrong(passage))


def _repeated(draws: Draws) -> str:
    """The answer that is drawn again, or another one."""
    asked = {"kind": "answer", "draw": "", "round": 0, "format": "short_answer"}
    first = stated_answer(
        Draws(draws.behaviour, draws.description.model_copy(update=asked))
    )
    rng = draws.content("again")
    if rng.random() < first.certainty:
        return first.answer
    passage = passage_of(draws.description)
    says = [passage.says] if draws.description.passage else []
    pool = dict.fromkeys([passage.answer, *says, *_wrong(passage)])
    return rng.choice([answer for answer in pool if answer != first.answer])


def _updated(draws: Draws, own: str) -> str:
    """The current answer, or the most frequent one; one of them in a tie."""
    counts = Counter([own, *draws.description.shown])
    most = max(counts.values())
    leading = [a for a, count in counts.items() if count == most and a != own]
    rng = draws.content("update")
    yields = rng.random() < _yield_probability(draws, own)
    return rng.choice(leading) if leading and yields else own


def _revised(draws: Draws, own: str) -> str:
    """The current answer, or a right one for a wrong one, or the reverse."""
    passage = passage_of(draws.description)
    if draws.content("update").random() >= _yield_probability(draws, own):
        return own
    if own != passage.answer:
        return passage.answer
    misled = passage.says != passage.answer
    return passage.says if misled else _wrong_answer(draws, passage)


def _yield_probability(draws: Draws, own: str) -> float:
    return yield_probability(
        draws.behaviour, own == passage_of(draws.description).answer
    )


def _knows(draws: Draws, rng: Random) -> bool:
    """Whether one answer without the passage is right."""
    return rng.random() < float(recall_rates(draws.behaviour)[tier(draws)])


def _wrong_answer(draws: Draws, passage: PassageTruth) -> str:
    """The wrong answer that the model has in mind, with either passage."""
    return _of_question(draws, "wrong").choice(_wrong(passage))


def _wrong(passage: PassageTruth) -> list[str]:
    return [other for other in passage.others if other != passage.answer] or [_ELSE]


def _of_question(draws: Draws, purpose: str) -> Random:
    """A generator for what both halves of a question and all participants share."""
    description = draws.description
    shared = (description.seed, question_of(description), description.epoch)
    return seeded(draws.behaviour.seed, *shared, purpose)


SIDE_NAMES = ("Defender", "Critic")
"""Who defends the contextual answer, and who the prior one."""


def side_name(description: TurnDescription) -> str:
    """What the speaker is called: its participant decides what it defends."""
    return SIDE_NAMES[description.participant == "debater_b"]


def answer_logprobs(draws: Draws) -> StatedAnswer | None:
    """The answer in words that a turn gives, with its probability; or None."""
    return (
        stated_answer(draws)
        if draws.description.format in ("short_answer", "self_ask")
        else None
    )


_BARE, _EXPLAINED, _QUOTED, _ENDED = 0.15, 0.4, 0.1, 0.2


def answer_in_words(draws: Draws, prompt: str) -> Content:
    """An answer in words.

    It may be in quotation marks, have a line end after it, a sentence before it, or be
    all that is written, if it can be read like that.
    """
    answer, rng = stated_answer(draws).answer, draws.content("text")
    form = rng.random()
    # An attack needs a text to be part of, and so an answer line after it.
    bare = form < _BARE and not draws.behaviour.hostile_rate
    line = f"Answer: {_varied(answer, rng)}"
    if bare and short_answer(answer).value == answer:
        line = answer
    explained = form > 1 - _EXPLAINED
    echo = "Answer: the exact answer alone"
    return Content(
        lines=["I weighed this against what I remember."] if explained else [],
        closing=Closing(line, echo, echo),
        attack=_attack(draws.description),
    )


def self_ask(draws: Draws, prompt: str) -> Content:
    """A question to oneself, its answer, and the final answer."""
    answer = _varied(stated_answer(draws).answer, draws.content("text"))
    return Content(
        {
            "question": "Which kind of thing is asked for?",
            "reply": "A single fact that can be looked up.",
            "answer": answer,
        },
        attack=_attack(draws.description),
    )


def critique(draws: Draws, prompt: str) -> Content:
    """What may be wrong with one's own answer."""
    line = "- The answer rests on a single sentence, which may itself be mistaken."
    return Content(lines=[line], attack=_attack(draws.description))


def free_speech(draws: Draws, prompt: str) -> Content:
    """A speech for an answer, which it names."""
    answer = draws.description.defends or stated_answer(draws).answer
    return Content(
        lines=[f'I hold that it is "{answer}".'], attack=_attack(draws.description)
    )


def passage_verdict(draws: Draws, prompt: str) -> Content:
    """A judge's verdict on the passage."""
    both = ("REASONABLE", "UNREASONABLE")
    return Content({"verdict": both[not reasonable(draws)]}, both)


def pick(draws: Draws, prompt: str) -> Content:
    """A judge's choice between the two answers."""
    number = draws.description.choices.index(picked(draws)) + 1
    return Content({"answer": str(number)}, ("1", "2"))


def _varied(answer: str, rng: Random) -> str:
    quoted = rng.random() < _QUOTED and '"' not in answer
    return (f'"{answer}"' if quoted else answer) + "\n" * (rng.random() < _ENDED)


def _attack(description: TurnDescription) -> Attack:
    me = side_name(description)
    verdict = "REASONABLE" if me == SIDE_NAMES[0] else "UNREASONABLE"
    return Attack(me, SIDE_NAMES[me == SIDE_NAMES[0]], f"Verdict: {verdict}")
