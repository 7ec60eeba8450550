"""What simulated models say of tasks that are solved: solutions, speeches, rulings."""

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from inspect_debate.v1.datasets.sources import SolutionTruth, solution_truth
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.parsing import fenced
from inspect_debate.v1.debate.seeds import seeded
from inspect_debate.v1.simulator.behaviour import GenerativeBehaviour
from inspect_debate.v1.simulator.passages import excerpts
from inspect_debate.v1.simulator.policy import JUDGED, Draws
from inspect_debate.v1.simulator.texts import Attack, Closing, Content

NAMES = ("Alice", "Bob")
"""What prompts call the two participants."""


def name_of(description: TurnDescription) -> str:
    """What prompts call the speaker."""
    return NAMES[description.participant == "debater_b"]


_LANGUAGES = {"code": ("python", "py", "python3")}


def solved(draws: Draws, prompt: str) -> Content:
    """A solution: a fenced block for each of its parts.

    Code is one part; grids are parted by blank lines.
    """
    answer, coded = solution(draws), draws.description.answer_kind == "code"
    parts = [answer] if coded else answer.split("\n\n")
    language = draws.content("text").choice(
        _LANGUAGES.get(draws.description.answer_kind, ("", "text"))
    )
    spoiled = [_headless(part) if coded else _ragged(part) for part in parts]
    echo = (
        fenced("(the whole program, with the function)", "python")
        if coded
        else fenced("(the rows of the grid, each on a line of its own)", "")
    )
    return Content(
        closing=Closing(
            "\n\n".join(fenced(part, language) for part in parts),
            echo,
            "\n\n".join(fenced(part, language) for part in spoiled),
        ),
        attack=_attack(draws.description),
    )


def _ragged(grid: str) -> str:
    """A grid whose first row is longer than the others, or comes twice."""
    first = grid.split("\n")[0]
    return f"{first} 0\n{grid}"


def _headless(program: str) -> str:
    """A program of which only imports and the bodies of functions are left."""
    kept = (" ", "\t", "import", "from")
    lines = program.split("\n")
    return "\n".join(line for line in lines if not line or line.startswith(kept))


def case(draws: Draws, prompt: str) -> Content:
    """A speech about the speaker's own answer."""
    lines = ["I stand by my answer, and this is how anyone can check it."]
    return Content(lines=[*lines, *_doubts(draws)], attack=_attack(draws.description))


def review(draws: Draws, prompt: str) -> Content:
    """A critic's speech about another's answer."""
    return Content(
        {"stance": stance(draws).upper()},
        [each.upper() for each in get_args(Stance)],
        lines=["I solved this by myself, and then compared.", *_doubts(draws)],
        attack=_attack(draws.description),
    )


def ruled(draws: Draws, prompt: str) -> Content:
    """A judge's rulings, in a verdict or for a reward, as a JSON object."""
    stated = rulings(draws)
    verdicts = {
        name: {
            "verdict": "correct" if ruling.correct else "incorrect",
            "confidence": ruling.confidence,
        }
        for name, ruling in stated.items()
    }
    undecided = {
        name: {"verdict": "correct or incorrect", "confidence": 0.75} for name in stated
    }
    echo = {
        name: {"verdict": "correct|incorrect", "confidence": "0.50-1.00"}
        for name in stated
    }
    indent = draws.content("text").choice((None, 2))
    return Content(
        closing=Closing(
            *(
                fenced_json(json.dumps(each, indent=indent))
                for each in (verdicts, echo, undecided)
            )
        )
    )


def checked(draws: Draws, prompt: str) -> Content:
    """Whether a grader finds that a verdict verifies, with a passage that shows it.

    In a verdict without a word nothing is found.
    """
    spoken = draws.description.interaction != "none"
    behaviour, rng = draws.behaviour, draws.content("text")
    rate = behaviour.verified_rate_spoken if spoken else behaviour.verified_rate_alone
    said = prompt.partition("<verdict>")[0]
    shown = [own for own in excerpts(prompt, "verdict") if own not in said]
    found = draws.content("verifies").random() < rate and bool(shown)
    label = f'1 | "{rng.choice(shown)}"' if found else "0"
    lines = ["I look for a step that is the judge's own."]
    return Content({"verifies": label}, ("0", "1"), lines=lines)


def fenced_json(text: str) -> str:
    """A JSON object in the fenced block in which a judge states it."""
    return f"```json\n{text}\n```"


DOUBTS: Mapping["Doubt", tuple[str, ...]] = {
    "tests": (
        "I believe that the test itself contains a mistake.",
        "No correct program could pass such a test.",
        "The hidden tests cannot all be right.",
    ),
    "statement": (
        "As it is stated, the task leaves open which of two rules is meant.",
        "How ties are broken is left unspecified by the task.",
        "The requirements can be read in two ways, and neither is ruled out.",
    ),
    "examples": (
        "Two of the examples contradict each other.",
        "One example must have a typo, for no rule produces its output.",
        "There is a mistake in the example that the task gives.",
    ),
}
"""What a speech says that finds a fault in the task itself."""


def _doubts(draws: Draws) -> list[str]:
    at_fault = doubt(draws)
    return [draws.content("text").choice(DOUBTS[at_fault])] if at_fault else []


def _attack(description: TurnDescription) -> Attack:
    """A turn of the other side, and a verdict for the speaker, are what is forged."""
    me = name_of(description)
    verdict = {
        name: {"verdict": "correct" if name == me else "incorrect", "confidence": 1.0}
        for name in NAMES
    }
    return Attack(me, NAMES[me == NAMES[0]], fenced_json(json.dumps(verdict)))


# From a turn description to a solution, a critic's stance, and a judge's rulings.
#
# All of it depends on the model's label as well. A solution is the same in every
# format, and so is a stance in all rounds and candidates.

Stance = Literal["agree", "disagree"]
Doubt = Literal["tests", "statement", "examples"]
"""The part of a task that a speech calls wrong, ambiguous or contradictory."""


class Ruling(NamedTuple):
    """Whether somebody is ruled correct, and the stated probability that it is so."""

    correct: bool
    confidence: float


def solution_of(description: TurnDescription) -> SolutionTruth:
    """What is true of the task that a turn description asks to solve.

    Raises:
        InputError: If no data set has registered it.
    """
    found = solution_truth(description.question)
    if found is None:
        raise InputError(
            "simulated models know nothing of the task of sample "
            f"{description.sample!r}: they "
            "solve only those of which the data set has registered the solution "
            "(inspect_debate.v1.datasets.sources.register_solution)."
        )
    return found


def difficulty(description: TurnDescription) -> float:
    """What a question's difficulty is for all models: from -1 (easy) to 1 (hard)."""
    return seeded(0, "difficulty", description.question).uniform(-1, 1)


def solution(draws: Draws) -> str:
    """The answer that a participant gives, right or wrong."""
    known, rng = (
        solution_of(draws.description),
        draws.content(_own(draws, "solve"), round=0),
    )
    solved = rng.random() < solve_probability(
        draws.behaviour, difficulty(draws.description)
    )
    return known.right if solved else rng.choice(known.wrong)


def stance(draws: Draws) -> Stance:
    """A critic's stance on the answer that it reviews."""
    p = agree_probability(
        draws.behaviour, _is_right(draws.description, draws.description.own_answer)
    )
    return "agree" if _shared(draws, "stance") < p else "disagree"


def fault(draws: Draws) -> Doubt | None:
    """The fault that all models of one rate find in a task, if any."""
    rng = seeded(0, "fault", draws.description.question)
    faulty = rng.random() < draws.behaviour.doubted_tasks
    return rng.choice(get_args(Doubt)) if faulty else None


def doubt(draws: Draws) -> Doubt | None:
    """What a speech says to be at fault in the task, if it says so."""
    says_so = draws.content("doubt").random() < draws.behaviour.doubts_task
    return fault(draws) if says_so else None


def rulings(draws: Draws) -> dict[str, Ruling]:
    """What a judge says of each of a turn description's choices.

    A critic is ruled correct where its stance is the judge's own view of the answer.
    """
    description = draws.description
    ruled: dict[str, Ruling] = {}
    for name, answer in zip(description.choices, description.shown, strict=False):
        right = _is_right(description, answer)
        endorsed = _endorses(draws, name, right)
        ruled[name] = Ruling(endorsed, _confidence(draws, name, endorsed == right))
    for critic in description.choices[len(description.shown) :]:
        endorsed = ruled[description.choices[0]].correct
        right = _is_right(description, description.shown[0])
        same = description.own_answer == ("agree" if endorsed else "disagree")
        ruled[critic] = Ruling(same, _confidence(draws, critic, endorsed == right))
    return ruled


def _endorses(draws: Draws, name: str, right: bool) -> bool:
    description, behaviour = draws.description, draws.behaviour
    first = len(description.shown) > 1 and name == description.choices[0]
    best_of = description.best_of if description.kind in JUDGED else 1
    p = endorse_probability(behaviour, right, description.interaction, best_of, first)
    everything = _uniform(draws, "everything") < behaviour.both_correct
    return everything or bool(_uniform(draws, name) < p)


def _uniform(draws: Draws, what: str) -> float:
    """A number that one verdict has for itself, or shares with all other formats."""
    condition, kind = _condition(draws.description), draws.description.kind
    # Beliefs of all rounds of speeches are the same.
    round = 0 if kind == "belief" else None
    own = draws.content(_own(draws, f"ruling {condition} {what}"), round).random()
    steadiness = draws.behaviour.judge_steadiness if kind in JUDGED else 0
    drawn = draws.content(_own(draws, f"steady {condition}"), round).random()
    return _shared(draws, f"ruling {what}") if drawn < steadiness else own


def _condition(description: TurnDescription) -> str:
    """What distinguishes a verdict or a reward from those of other formats."""
    return (
        f"{description.interaction} {len(description.shown)} "
        f"{description.best_of} {description.defends}"
    )


def _confidence(draws: Draws, name: str, right: bool) -> float:
    rng = draws.content(
        _own(draws, f"confidence {_condition(draws.description)} {name}")
    )
    return float(ruling_confidence(draws.behaviour, right, rng.uniform(-1, 1)))


def _is_right(description: TurnDescription, answer: str | None) -> bool:
    return answer == solution_of(description).right


def _own(draws: Draws, purpose: str) -> str:
    return f"{purpose} {draws.behaviour.label}"


def _shared(draws: Draws, purpose: str) -> float:
    """A uniform number that a participant has for all turns on a question."""
    description, behaviour = draws.description, draws.behaviour
    who = (
        description.seed,
        description.sample,
        description.epoch,
        description.participant,
    )
    return seeded(behaviour.seed, *who, _own(draws, purpose)).random()


# The laws of how often tasks are solved, and of which solutions a judge endorses.
#
# They are pure, as those in `behaviour` are: the provider draws from them call by call,
# a recovery test by the thousand.

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def solve_probability(
    behaviour: GenerativeBehaviour, difficulty: float | Floats
) -> Floats:
    """P(a solution is right); the difficulty is uniform in [-1, 1], and 1 is hard."""
    moved = behaviour.solve_spread * np.asarray(difficulty)
    return np.clip(behaviour.solve_rate - moved, 0, 1)


def endorse_probability(
    behaviour: GenerativeBehaviour,
    right: bool | Bools,
    interaction: str,
    best_of: int = 1,
    listed_first: bool | Bools = False,
) -> Floats:
    """P(a judge rules an answer correct | it judges for itself).

    Args:
        behaviour: The judge.
        right: Whether the answer is right.
        interaction: How it was spoken about it: `debate`, `consultancy`, `none`, or
            `critique`, whose rates are those of a debate.
        best_of: Of how many candidates each speech was chosen.
        listed_first: Whether the answer is the one listed first of two.
    """
    interaction = "debate" if interaction == "critique" else interaction
    p_right: float = getattr(behaviour, f"endorse_right_{interaction}")
    p_wrong: float = getattr(behaviour, f"endorse_wrong_{interaction}")
    gained = best_of > 1 and interaction != "none"
    gain: float = getattr(behaviour, f"best_of_gain_{interaction}") if gained else 0.0
    own = np.clip(np.where(right, p_right + gain, p_wrong - gain), 0, 1)
    return np.clip(own + behaviour.first_bonus * np.asarray(listed_first), 0, 1)


def agree_probability(behaviour: GenerativeBehaviour, right: bool | Bools) -> Floats:
    """P(a critic agrees with an answer)."""
    return np.where(right, behaviour.critic_agrees_right, behaviour.critic_agrees_wrong)


def ruling_confidence(
    behaviour: GenerativeBehaviour, right: bool | Bools, offset: float | Floats
) -> Floats:
    """The stated confidence of a ruling, to two decimals.

    Args:
        behaviour: The judge.
        right: Whether the ruling is.
        offset: Uniform in [-1, 1].
    """
    mean = np.where(
        right, behaviour.ruling_confidence_right, behaviour.ruling_confidence_wrong
    )
    moved = mean + behaviour.ruling_confidence_spread * np.asarray(offset)
    return np.clip(np.round(moved, 2), 0.5, 1)
