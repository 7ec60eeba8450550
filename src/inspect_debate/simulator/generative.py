"""From a cue to what is said of a task that is solved."""

import json
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from inspect_debate.debate import answer_key
from inspect_debate.debate.answer_key import Solution
from inspect_debate.debate.cue import Cue
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.parsing import fenced
from inspect_debate.debate.seeds import seeded
from inspect_debate.simulator.behaviour import GenerativeBehaviour
from inspect_debate.simulator.deciding import Draws
from inspect_debate.simulator.writing import Draft, count, shuffled, target
from inspect_debate.solvers.formats import Interaction

_SOLUTION_WORDS, _RULING_WORDS = 0.6, 0.5


def name_of(cue: Cue) -> str:
    """What prompts call the speaker."""
    return NAMES[cue.participant == "debater_b"]


def draft_generative(draws: Draws) -> Draft:
    """A solution, a speech about one's own, or a review of another's."""
    cue, rng, words = draws.cue, draws.content("text"), draws.behaviour.words
    other, bank = NAMES[cue.participant != "debater_b"], bank_of(cue.answer_kind)
    match cue.format:
        case "review":
            held, said = stance(draws), doubt(draws)
            return write_review(held, other, cue.round, words, rng, bank, said)
        case "case":
            heard = other if cue.interaction == "debate" else ""
            return write_case(heard, cue.round, words, rng, bank, doubt(draws))
        case _:
            words = round(words * _SOLUTION_WORDS)
            return write_solution(solution(draws), words, rng, bank)


def draft_rulings(draws: Draws) -> Draft:
    """A judge's rulings, in a verdict or for a reward."""
    words = round(draws.behaviour.words * _RULING_WORDS)
    spoken, bank = draws.cue.interaction != "none", bank_of(draws.cue.answer_kind)
    return write_rulings(rulings(draws), spoken, words, draws.content("text"), bank)


# From a cue to a solution, a critic's stance, and a judge's rulings.
#
# All of it depends on the model's label as well. A solution is the same in every
# format, and so is a stance in all rounds and candidates.

Stance = Literal["agree", "disagree"]
Doubt = Literal["tests", "statement", "examples"]
"""What of a task is said to be wrong, ambiguous or contradictory."""


class Ruling(NamedTuple):
    """Whether somebody is ruled correct, and the stated probability that it is so."""

    correct: bool
    confidence: float


def solution_of(cue: Cue) -> Solution:
    """What is true of the task that a cue asks to solve.

    Raises:
        InputError: If no data set has registered it.
    """
    found = answer_key.solution(cue.question)
    if found is None:
        raise InputError(
            f"simulated models know nothing of the task of sample {cue.sample!r}: they "
            "solve only those of which the data set has registered the solution "
            "(inspect_debate.debate.answer_key.register_solution)."
        )
    return found


def difficulty(cue: Cue) -> float:
    """What a question's difficulty is for all models: from -1 (easy) to 1 (hard)."""
    return seeded(0, "difficulty", cue.question).uniform(-1, 1)


def solution(draws: Draws) -> str:
    """The answer that a participant gives, right or wrong."""
    known, rng = solution_of(draws.cue), draws.content(_own(draws, "solve"), round=0)
    solved = rng.random() < solve_probability(draws.behaviour, difficulty(draws.cue))
    return known.right if solved else rng.choice(known.wrong)


def stance(draws: Draws) -> Stance:
    """What a critic holds of the answer that it reviews."""
    p = agree_probability(draws.behaviour, _is_right(draws.cue, draws.cue.held))
    return "agree" if _shared(draws, "stance") < p else "disagree"


def fault(draws: Draws) -> Doubt | None:
    """What all models of one rate hold to be at fault in a task, if anything is."""
    rng = seeded(0, "fault", draws.cue.question)
    faulty = rng.random() < draws.behaviour.doubted_tasks
    return rng.choice(get_args(Doubt)) if faulty else None


def doubt(draws: Draws) -> Doubt | None:
    """What a speech says to be at fault in the task, if it says so."""
    says_so = draws.content("doubt").random() < draws.behaviour.doubts_task
    return fault(draws) if says_so else None


def rulings(draws: Draws) -> dict[str, Ruling]:
    """What a judge says of each of a cue's choices.

    A critic is ruled correct where its stance is the judge's own view of the answer.
    """
    cue = draws.cue
    ruled: dict[str, Ruling] = {}
    for name, answer in zip(cue.choices, cue.shown, strict=False):
        right = _is_right(cue, answer)
        endorsed = _endorses(draws, name, right)
        ruled[name] = Ruling(endorsed, _confidence(draws, name, endorsed == right))
    for critic in cue.choices[len(cue.shown) :]:
        endorsed = ruled[cue.choices[0]].correct
        right = _is_right(cue, cue.shown[0])
        same = cue.held == ("agree" if endorsed else "disagree")
        ruled[critic] = Ruling(same, _confidence(draws, critic, endorsed == right))
    return ruled


def _endorses(draws: Draws, name: str, right: bool) -> bool:
    cue, behaviour = draws.cue, draws.behaviour
    first = len(cue.shown) > 1 and name == cue.choices[0]
    best_of = cue.best_of if cue.kind == "verdict" else 1
    p = endorse_probability(behaviour, right, cue.interaction, best_of, first)
    everything = _uniform(draws, "everything") < behaviour.both_correct
    return everything or bool(_uniform(draws, name) < p)


def _uniform(draws: Draws, what: str) -> float:
    """A number that one verdict has for itself, or shares with all other formats."""
    cell = _cell(draws.cue)
    own = draws.content(_own(draws, f"ruling {cell} {what}")).random()
    steadiness = draws.behaviour.judge_steadiness if draws.cue.kind == "verdict" else 0
    steady = draws.content(_own(draws, f"steady {cell}")).random() < steadiness
    return _shared(draws, f"ruling {what}") if steady else own


def _cell(cue: Cue) -> str:
    """What tells a verdict from those of other formats, or a reward from others."""
    return f"{cue.interaction} {len(cue.shown)} {cue.best_of} {cue.defends}"


def _confidence(draws: Draws, name: str, right: bool) -> float:
    rng = draws.content(_own(draws, f"confidence {_cell(draws.cue)} {name}"))
    return float(ruling_confidence(draws.behaviour, right, rng.uniform(-1, 1)))


def _is_right(cue: Cue, answer: str | None) -> bool:
    return answer == solution_of(cue).right


def _own(draws: Draws, purpose: str) -> str:
    return f"{purpose} {draws.behaviour.label}"


def _shared(draws: Draws, purpose: str) -> float:
    """A uniform number that a participant has for all turns on a question."""
    cue, behaviour = draws.cue, draws.behaviour
    who = (cue.seed, cue.sample, cue.epoch, cue.participant)
    return seeded(behaviour.seed, *who, _own(draws, purpose)).random()


# The sentences of tasks that are solved: solutions, speeches, reviews and rulings.
#
# None has a digit or a brace of its own. `{other}` is who else speaks, and `{name}`
# whose answer is ruled on.

NAMES = ("Alice", "Bob")
"""What prompts call the two seats."""

Lines = tuple[str, ...]


class Bank(NamedTuple):
    """The sentences on one kind of solution, which is grids or code.

    Attributes:
        languages: What the fenced blocks of a solution name as their language.
        reasoning: Before a solution.
        case_openings: How a speech about one's own answer begins in the first round.
        case_later: How it begins later on, where nobody else speaks.
        case_replies: How it does where somebody does.
        case_points: What it says.
        case_closings: How it ends.
        review_openings: How a critic begins.
        review_points: What a critic says.
        ruling_openings: How a judge begins.
        weighed: What it considers.
        weighed_speeches: What it considers of speeches.
        doubts: What a speaker says who finds a fault in the task itself.
    """

    languages: Lines
    reasoning: Lines
    case_openings: Lines
    case_later: Lines
    case_replies: Lines
    case_points: Lines
    case_closings: Lines
    review_openings: Mapping[Stance, Lines]
    review_points: Mapping[Stance, Lines]
    ruling_openings: Lines
    weighed: Lines
    weighed_speeches: Lines
    doubts: Mapping[Doubt, Lines]


GRIDS = Bank(
    languages=("", "text"),
    reasoning=(
        "I first look at what changes from each input to its output and what stays.",
        "The size of the output follows from the input in every example.",
        "What moves, moves as a whole; nothing else is touched.",
        "The first reading that comes to mind fails on the second example.",
        "Read the other way round, the rule fits all the examples.",
        "The border cases are the ones to be careful with, and I went through them.",
        "I applied the rule step by step and wrote the result down.",
        "Then I compared it with the examples once more.",
        "Where two readings were possible I took the simpler one.",
    ),
    case_openings=(
        "My answer follows from one rule, which fits everything that the task shows.",
        "I stand by my answer, and this is how anyone can check it.",
        "The task leaves one reading open once all of its examples are taken together.",
    ),
    case_later=(
        "I have gone over my answer again, and it still follows from the same rule.",
        "Looking at it afresh I find no step that I would take back.",
        "To what I said before I only add what can be checked.",
    ),
    case_replies=(
        "{other} has named no place where my answer departs from the rule.",
        "I have read what {other} said, and checked each point against the task.",
        "What {other} doubts can be settled by looking at the examples once more.",
    ),
    case_points=(
        "The rule holds in the first example and needs no exception there.",
        "In the last example, which is the odd one, it holds as well.",
        "No simpler rule explains why the corners stay as they are.",
        "The size of what I give is the one that the rule demands.",
        "A rule that only looks at the edges would fail where the shapes touch.",
        "Each step can be done by hand, and leads to the same result.",
        "The case that decides is the one where two parts overlap.",
        "I checked the result against what the examples have in common.",
        "If I were wrong, it would show in the part that repeats.",
    ),
    case_closings=(
        "Whoever checks that part will find the answer as I gave it.",
        "This is what I would look at first.",
    ),
    review_openings={
        "agree": (
            "I solved the task by myself and arrived at the same result as {other}.",
            "I looked for a place where {other} goes wrong and found none.",
        ),
        "disagree": (
            "I solved the task by myself and arrived at another result than {other}.",
            "The answer of {other} fits some of the examples and not all of them.",
        ),
    },
    review_points={
        "agree": (
            "The rule is applied alike in every part of the answer.",
            "The case that could decide against it turns out as it should.",
            "The size fits, and so do the parts that repeat.",
            "I tried a second reading, and it breaks down in an example.",
            "What looks odd at first sight is what the rule demands.",
            "Every step that is named can be followed by hand.",
        ),
        "disagree": (
            "The rule is applied in one part of the answer and forgotten in another.",
            "The case that decides is the one that is passed over.",
            "Where two parts overlap, the examples show something else.",
            "A second reading explains all the examples, and leads elsewhere.",
            "What is called an exception is the rule.",
            "One step is named and never carried out.",
        ),
    },
    ruling_openings=(
        "I work out the rule for myself before I look at what is proposed.",
        "I check the proposal against the examples, one after the other.",
        "I go by what can be checked and not by how sure anyone sounds.",
    ),
    weighed=(
        "The examples leave little room for a second reading.",
        "The size is the one that the rule demands.",
        "The part that repeats is where an error would show.",
        "One corner is hard to tell, and I looked at it twice.",
        "That it looks plausible proves nothing.",
    ),
    weighed_speeches=(
        "What was said about the steps can be followed in the examples.",
        "One claim was repeated and not shown.",
        "The point about the overlap was the most useful one.",
        "Much of what was said would fit a wrong answer just as well.",
    ),
    doubts={
        "tests": (
            "The test input has a colour that no example explains, so it is faulty.",
            "I believe that the test itself contains a mistake.",
            "What is expected for the test cannot be right if the examples are.",
        ),
        "statement": (
            "The task is ambiguous at this very point.",
            "As it is stated, the task leaves open which of two rules is meant.",
            "Two readings fit everything, and the task does not decide between them.",
        ),
        "examples": (
            "Two of the examples contradict each other.",
            "One example must have a typo, for no rule produces its output.",
            "The last example is inconsistent with the others, whatever the rule.",
        ),
    },
)
"""On grids."""

REVIEW_LATER: Mapping[Stance, Lines] = {
    "agree": (
        "After what {other} said I went over it again and still agree.",
        "Nothing that came up since has changed my view: it holds.",
    ),
    "disagree": (
        "After what {other} said I went over it again and still do not agree.",
        "Nothing that came up since has changed my view: it does not hold.",
    ),
}
RULED = {
    True: (
        "What {name} holds stands up to this.",
        "I find nothing wrong with what {name} holds.",
    ),
    False: (
        "What {name} holds does not stand up to this.",
        "There is a place where {name} goes wrong.",
    ),
}

UNDECIDED = "correct or incorrect"
"""A verdict that is none."""


# Solutions, speeches about them, reviews and rulings, as texts.


def bank_of(kind: str) -> Bank:
    """The sentences on a kind of solution, which is code or else grids."""
    return CODE if kind == "code" else GRIDS


def parts_of(solution: str, bank: Bank = GRIDS) -> list[str]:
    """The parts of a solution, each of which stands in a fenced block of its own.

    Code is one part. Grids are parted by blank lines.
    """
    return [solution] if bank is CODE else solution.split("\n\n")


def write_solution(solution: str, words: int, rng: Random, bank: Bank = GRIDS) -> Draft:
    """A solution: a reasoning, and a fenced block for each of its parts.

    Args:
        solution: The canonical text of the answer.
        words: Mean number of words of the reasoning; at least a sentence is written.
        rng: Chooses the sentences and the form.
        bank: The sentences.
    """
    language = rng.choice(bank.languages)
    blocks = [fenced(part, language) for part in parts_of(solution, bank)]
    reasoning = _filled(bank.reasoning, target(words, rng), rng)
    return Draft(" ".join(reasoning), "\n\n".join(blocks))


def write_case(
    other: str,
    round: int,
    words: int,
    rng: Random,
    bank: Bank = GRIDS,
    doubt: Doubt | None = None,
) -> Draft:
    """A speech about an answer of one's own.

    Args:
        other: Who else is heard; empty in a consultancy.
        round: From the second on it goes back to what was said.
        words: Mean number of words.
        rng: Chooses the sentences.
        bank: The sentences.
        doubt: What is said to be at fault in the task.
    """
    later = bank.case_replies if other else bank.case_later
    head = rng.choice(later if round > 1 else bank.case_openings)
    end = rng.choice(bank.case_closings)
    doubts = _doubts(bank, doubt, rng)
    budget = target(words, rng) - count(head, *doubts, end)
    points = [*_filled(bank.case_points, budget, rng), *doubts]
    body = "\n\n".join([head, " ".join(points), end])
    return Draft(body.replace("{other}", other), "")


def write_review(
    stance: Stance,
    other: str,
    round: int,
    words: int,
    rng: Random,
    bank: Bank = GRIDS,
    doubt: Doubt | None = None,
) -> Draft:
    """A critic's speech, which ends with the line `Stance: ...`.

    Args:
        stance: What it holds of the answer.
        other: Whose answer it is.
        round: From the second on it goes back to what was said.
        words: Mean number of words.
        rng: Chooses the sentences.
        bank: The sentences.
        doubt: What is said to be at fault in the task.
    """
    heads = REVIEW_LATER if round > 1 else bank.review_openings
    head = rng.choice(heads[stance]).replace("{other}", other)
    line = f"Stance: {stance.upper()}"
    doubts = _doubts(bank, doubt, rng)
    budget = target(words, rng) - count(head, *doubts, line)
    points = [*_filled(bank.review_points[stance], budget, rng), *doubts]
    return Draft("\n\n".join([head, " ".join(points)]), line)


def write_rulings(
    rulings: Mapping[str, Ruling],
    spoken: bool,
    words: int,
    rng: Random,
    bank: Bank = GRIDS,
) -> Draft:
    """A judge's reasons, and a JSON object with its rulings.

    Args:
        rulings: Of each name, in the order in which they are listed.
        spoken: Whether there were speeches, which the reasons may mention.
        words: Mean number of words of the reasons.
        rng: Chooses the sentences and the form.
        bank: The sentences.
    """
    opening = rng.choice(bank.ruling_openings)
    ruled = " ".join(
        rng.choice(RULED[ruling.correct]).replace("{name}", name)
        for name, ruling in rulings.items()
    )
    considered = bank.weighed + (bank.weighed_speeches if spoken else ())
    budget = target(words, rng) - count(opening, ruled)
    weighed = " ".join(_filled(considered, budget, rng))
    verdicts = {
        name: {
            "verdict": "correct" if ruling.correct else "incorrect",
            "confidence": ruling.confidence,
        }
        for name, ruling in rulings.items()
    }
    stated = json.dumps(verdicts, indent=rng.choice((None, 2)))
    return Draft("\n\n".join([opening, weighed, ruled]), fenced_json(stated))


def fenced_json(text: str) -> str:
    """A JSON object in the fenced block in which a judge states it."""
    return f"```json\n{text}\n```"


def _doubts(bank: Bank, doubt: Doubt | None, rng: Random) -> list[str]:
    return [rng.choice(bank.doubts[doubt])] if doubt else []


def _filled(lines: Sequence[str], budget: int, rng: Random) -> list[str]:
    """Sentences, until a number of words is used up; at least one."""
    deck = shuffled(lines, rng)
    chosen = [next(deck)]
    while budget > count(*chosen) + 6:
        chosen.append(next(deck))
    return chosen


# The laws of how often tasks are solved, and of which solutions a judge endorses.
#
# They are pure, as those in `behaviour` are: the provider draws from them call by call,
# a recovery test by the thousand.

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Cell(NamedTuple):
    """A format, and of how many candidates each of its speeches is chosen."""

    proposers: int
    interaction: Interaction
    best_of: int = 1


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
        interaction: How it was spoken about it: `debate`, `consultancy` or `none`.
        best_of: Of how many candidates each speech was chosen.
        listed_first: Whether the answer is the one listed first of two.
    """
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


def draw_solved(
    behaviour: GenerativeBehaviour,
    difficulty: Floats,
    epochs: int,
    rng: np.random.Generator,
) -> Bools:
    """Whether the answers of two seats are right.

    Args:
        behaviour: Of the one model in both seats.
        difficulty: Of each question, uniform in [-1, 1]; shared by all models.
        epochs: The number of epochs.
        rng: Draws.

    Returns:
        An array of shape (questions, epochs, 2).
    """
    rates = solve_probability(behaviour, difficulty)[:, None, None]
    return np.asarray(rng.random((len(difficulty), epochs, 2)) < rates)


def draw_rulings(
    behaviour: GenerativeBehaviour,
    solved: Bools,
    a_first: Bools,
    cells: Iterable[Cell],
    rng: np.random.Generator,
) -> dict[Cell, Bools]:
    """Which answers a judge rules correct, in several formats on the same answers.

    Args:
        behaviour: The judge.
        solved: Whether the answers are right; of shape (questions, epochs, 2).
        a_first: Whether the first seat's is listed first, where both are put to the
            judge; of shape (questions, epochs).
        cells: The formats. One with a single proposer takes the first seat's answer.
        rng: Draws.

    Returns:
        An array of shape (questions, epochs, proposers) for each of them.
    """
    shape = solved.shape[:2]
    first = np.stack([a_first, ~a_first], axis=-1)
    shared = rng.random((*shape, 3))
    drawn = {}
    for cell in cells:
        steady = rng.random((*shape, 1)) < behaviour.judge_steadiness
        uniform = np.where(steady, shared, rng.random((*shape, 3)))
        p = endorse_probability(
            behaviour,
            solved,
            cell.interaction,
            cell.best_of,
            first & (cell.proposers == 2),
        )
        everything = uniform[..., 2:] < behaviour.both_correct
        endorsed = everything | (uniform[..., :2] < p)
        drawn[cell] = np.asarray(endorsed[..., : cell.proposers])
    return drawn


# The sentences of tasks that are solved by code.

CODE = Bank(
    languages=("python", "py", "python3"),
    reasoning=(
        "I first list what the function takes and what it has to return.",
        "The requirements name the library, so I use nothing else.",
        "An empty input has to be handled before anything is divided.",
        "The error that is to be raised is named, and so I raise exactly that one.",
        "A simple loop is enough here, and easier to check than a clever expression.",
        "I followed the example by hand and arrived at what it shows.",
        "The order of the result matters, so I sort before I return.",
        "Where the default arguments matter, I kept them as they are given.",
        "I went through the function once more with a missing file in mind.",
    ),
    case_openings=(
        "My function does what the docstring asks, and this is how to check it.",
        "I stand by my code, and go through the cases that could break it.",
        "Read line by line, my code follows the requirements in their order.",
    ),
    case_later=(
        "I have run through my code again by hand, and it still holds.",
        "Looking at it afresh I find no line that I would change.",
        "To what I said before I only add what can be traced in the code.",
    ),
    case_replies=(
        "{other} has named no input for which my function returns anything else.",
        "I have read what {other} said, and traced each point through my code.",
        "What {other} doubts can be settled by following a single call.",
    ),
    case_points=(
        "For an empty list the function returns what the docstring says.",
        "The types are those of the signature, in the order in which it gives them.",
        "The exception is raised before any file is opened.",
        "The example of the docstring comes out as it is shown there.",
        "A test of the boundary would pass, because the comparison includes it.",
        "No state is kept between two calls.",
        "The seed is set where the statement says that it is.",
        "What is sorted is sorted by value and then by name.",
        "If a test fails here, it is my code that is wrong.",
    ),
    case_closings=(
        "Whoever traces that call will find the result as I described it.",
        "This is the line that I would look at first.",
    ),
    review_openings={
        "agree": (
            "I wrote the function myself, and it returns the same as that of {other}.",
            "I looked for an input on which the code of {other} fails and found none.",
        ),
        "disagree": (
            "I wrote the function myself, and mine returns something else.",
            "The code of {other} handles the usual case and breaks on another.",
        ),
    },
    review_points={
        "agree": (
            "Every requirement of the docstring has its line in the code.",
            "The empty input is handled, and so is a missing key.",
            "The names and the types of what it returns are those that are asked for.",
            "I traced the example, and the result is the one that is shown.",
            "What looks redundant guards against a division by zero.",
            "Any test of the return type would pass.",
        ),
        "disagree": (
            "An empty input raises an exception that nobody asked for.",
            "The function returns a list where a tuple is asked for.",
            "The condition is off by one at the upper end.",
            "It changes its argument, which the caller does not expect.",
            "The example in the docstring would come out otherwise with this code.",
            "Any test of the error case would fail.",
        ),
    },
    ruling_openings=(
        "I read the docstring first, and then the code line by line.",
        "I trace the code on the example and on the empty input.",
        "I go by what the code does and not by how sure anyone sounds.",
    ),
    weighed=(
        "The example of the docstring can be followed through the code.",
        "The error case is where a mistake would show.",
        "The return type is the one that is asked for.",
        "One line is hard to follow, and I read it twice.",
        "That it looks tidy proves nothing.",
    ),
    weighed_speeches=(
        "What was said about the empty input can be traced in the code.",
        "One claim was made twice, and traced in neither place.",
        "The point about the return type was the most useful one.",
        "Much of what was said would fit faulty code just as well.",
    ),
    doubts={
        "tests": (
            "A test that expects anything else is simply wrong.",
            "If the unit tests demand the old order, the tests are broken.",
            "Judging by the docstring, the hidden tests cannot all be right.",
            "No correct program could pass such a test.",
            "I suspect that the test suite checks the opposite of what is asked.",
        ),
        "statement": (
            "The docstring is ambiguous here: it does not say which end is included.",
            "The problem statement contradicts itself about what is returned.",
            "How ties are broken is left unspecified by the task.",
            "The requirements can be read in two ways, and neither is ruled out.",
            "The specification asks for one type and then describes another.",
        ),
        "examples": (
            "The example in the docstring is wrong.",
            "What the docstring shows as a result does not follow from its own rules.",
            "The example and the description disagree with each other.",
            "There is a mistake in the example that the task gives.",
        ),
    },
)
"""On code."""
