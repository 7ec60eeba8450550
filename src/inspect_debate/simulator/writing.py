"""Texts on whether a response has an error: answers, speeches, verdicts.

What a text says is decided before; here it is put into words, varied by seeded choice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import NamedTuple

from inspect_debate.simulator.passages import Passage

# What the writers of texts share: a completion in parts, and counting its words.

NUMBERS = {"error": "1", "no_error": "2"}
"""What prompts call the labels; the letter of an option stands for itself."""


class Draft(NamedTuple):
    """A completion in parts: `closing` holds the lines that decide how it is read.

    `thinking` is None where no tags are asked for. With tags, `closing` may be empty.
    `logic` is the reasoning of a bet, which stands in tags of its own after the body.
    """

    body: str
    closing: str
    thinking: str | None = None
    logic: str | None = None

    @property
    def text(self) -> str:
        """The whole completion."""
        return self.before_closing + self.after_body

    @property
    def before_closing(self) -> str:
        """Everything up to the closing lines."""
        if self.logic is not None:
            logic = f"<bet_logic_private>\n{self.logic}\n</bet_logic_private>"
            return f"{self.body}\n\n{logic}" if self.body else logic
        if self.thinking is None:
            return self.body
        return f"<thinking>\n{self.thinking}\n</thinking>\n\n<argument>\n{self.body}"

    @property
    def after_body(self) -> str:
        """The closing lines and whatever tag follows them."""
        gap = "\n\n" if self.body and self.closing else ""
        gap = gap if self.logic is None else "\n"
        end = "" if self.thinking is None else "\n</argument>"
        return f"{gap}{self.closing}{end}"


def target(words: int, rng: Random) -> int:
    """The length of one text among many of a mean length."""
    return round(words * rng.uniform(0.75, 1.25))


def count(*texts: str) -> int:
    """The number of words."""
    return sum(len(text.split()) for text in texts)


def shuffled(bank: Sequence[str], rng: Random) -> Iterator[str]:
    """Sentences without end; none comes again before all others did."""
    return cycle(rng.sample(bank, len(bank)))


def impersonal(bank: Sequence[str]) -> list[str]:
    """The sentences that do not speak of the other debater."""
    return [line for line in bank if "{other}" not in line]


# The sentences that simulated texts are put together from.
#
# None states a label in the words that label readers look for ("contains an error"), so
# that only a text's last lines decide how it is read. `{other}` is the other debater,
# `{n}` and `{m}` are the numbers of the answer believed and of the other one.

ANSWER_OPENINGS = (
    "I list what the task requires and check the response against each point.",
    "To decide this I go through the task's requirements one after the other.",
    "I compare the response with the task, requirement by requirement.",
    "I first collect the explicit requirements, then hold the response against them.",
)
ASPECTS = (
    "Required parts: all that the task names should be there",
    "Form: length, number of parts and layout have to be as asked for",
    "Figures: every number should follow from the material",
    "Given facts: nothing in the material may be contradicted",
    "Claims: what is asserted should be true and not merely plausible",
    "Order of steps: each step has to follow from the one before",
    "Limits: whatever the task rules out should be absent",
    "Names and terms: they should match the material exactly",
    "The question itself: the response should answer what was asked",
    "Units and dates: they should agree with the task throughout",
)
MET = (
    "I find this met.",
    "The response does just that.",
    "Nothing departs from it.",
    "This holds when I check it word by word.",
    "I recomputed it and arrive at the same result.",
    "I looked for an exception and found none.",
)
BROKEN = (
    "This is where the response falls short: the requirement is named but not met.",
    "Here the response and the task do not agree.",
    "Recomputing it gives something else than the response states.",
    "The response asserts this without any support in the material.",
    "The condition is stated plainly in the task, and the response skips it.",
)
ANSWER_TURNS = {
    "error": (
        "One requirement that is not met is enough to settle the matter.",
        "The other points hold, but they cannot make up for the broken one.",
    ),
    "no_error": (
        "No requirement is left that the response does not meet.",
        "What could be criticised is style, which does not count here.",
    ),
}
LABEL_SENTENCES = {
    "error": "Therefore, the model response contains an error.",
    "no_error": "Therefore, the model response contains no error.",
}

PLANS = (
    "My strongest point is the direct comparison. I should test it before I use it.",
    "What would convince a careful reader? A check that can be repeated from the item.",
    "I must not repeat myself. Which requirement has nobody looked at so far?",
    "Where could {other} be right? I check that first and decide then how sure I am.",
    "I take two requirements, check them in order, and say openly where I am unsure.",
)
POSITIONS = {
    "error": (
        "My position is answer 1: the response has a fault that matters.",
        "I argue for answer 1: one requirement is broken.",
        "I hold answer 1, and the tests below show where the response goes wrong.",
    ),
    "no_error": (
        "My position is answer 2: the response does what the task asks.",
        "I argue for answer 2: every requirement is met.",
        "I hold answer 2, and the tests below found nothing that is wrong.",
    ),
}
CONCESSIONS = (
    "I was asked to make the case for answer {m}, but I now hold answer {n}.",
    "My own tests speak against answer {m}; I give it up for answer {n}.",
    "Answer {m} was mine to defend, and I cannot do it: I now believe answer {n}.",
)
FAIR_OPENINGS = (
    "The best that can be said for answer {m} is that a quick reading supports it.",
    "In favour of answer {m}, the passage in question can be read in two ways.",
    "{other} will rightly say that most of the requirements are not in dispute.",
    "A fair case for answer {m} exists: it rests on how strictly the task is read.",
)
FAIR_REBUTTALS = (
    "{other}'s strongest point is the literal wording, and it deserves an answer.",
    "{other} is right that my earlier test covered only a part of the response.",
    "{other} has shown that the wording is there; what it implies is another matter.",
    "I accept {other}'s reading of the task, but not what is concluded from it.",
    "The last test of {other} is sound as far as it goes; it stops one step early.",
)
QUOTED_TESTS = {
    "task": (
        "The task says {quote}.",
        "The material reads {quote}, and the response has to agree with it.",
        "The task requires {quote}; I looked for it in the response.",
        "I take the condition {quote} literally.",
    ),
    "response": (
        "The response writes {quote}.",
        "The response has the words {quote}; I hold them against the task.",
        "The passage {quote} can be checked directly.",
        "I recomputed what the response bases {quote} on.",
    ),
}
PLAIN_TESTS = (
    "I count the parts that are asked for and the parts that are there.",
    "I follow the steps of the response in order and redo each of them.",
    "I read the response once more with only this requirement in mind.",
    "I look for a statement that the material would rule out.",
    "I check whether the conclusion answers the question that was asked.",
    "I compare every name and number with the material.",
    "I try the opposite assumption and see whether anything breaks.",
)
PASSED = (
    "PASS, it agrees.",
    "PASS: nothing is missing.",
    "PASS, and I see no second reading.",
    "PASS: the same result when I redo it.",
    "PASS, taken literally as well.",
)
FAILED = (
    "FAIL: the two do not agree.",
    "FAIL, the requirement is left open.",
    "FAIL: redone, it comes out differently.",
    "FAIL, and no charitable reading repairs it.",
    "FAIL: the task leaves no room for this.",
)
AUDITS = (
    "The weakest spot of my own case is that one test depends on a strict reading.",
    "To audit myself: I have not checked every number, only those that decide.",
    "My case would fall if the task allowed for approximate wording.",
    "I am least sure about the last test, which another reader might score otherwise.",
    "Against my own case I note that the difference is small in size.",
)
UNMOVED = (
    "Nothing in this discussion has changed my view so far.",
    "My view has not changed; I know its weak spot better now.",
    "What was said has not moved me from my answer.",
    "I have not changed my view, though I claim a little less than before.",
)
MOVED = (
    "What changed my view is the direct comparison, which my point did not survive.",
    "The tests of {other} changed my view.",
    "My view has changed because the decisive test came out against me.",
)
MOVED_BEFORE = (
    "I changed my view in an earlier round, and nothing since has brought me back.",
    "Having conceded before, I find one more reason to stay with it.",
)
REASONS = (
    "the decisive test can be repeated by anyone",
    "one test depends on how strictly the task is read",
    "the comparison is direct, some doubt remains",
    "several tests agree with one another",
    "the evidence is verbatim, its reading is mine",
)
FINALS = {"error": "Final: 1 error", "no_error": "Final: 2 no_error"}

VERDICT_OPENINGS = (
    "I weigh the reasons for both answers before I decide.",
    "Both answers have something to be said for them; I take them in turn.",
    "I look at what each side can show, not at how firmly it is said.",
)
WEIGHED = {
    "error": (
        "In favour of answer 1, a stated requirement seems not to be met.",
        "The case for answer 1 rests on a direct comparison with the task.",
        "Answer 1 is supported by a check that anybody can repeat.",
        "For answer 1 there is the one test that came out as a failure.",
    ),
    "no_error": (
        "In favour of answer 2, the requirements can be ticked off one by one.",
        "The case for answer 2 rests on the literal wording of the response.",
        "Answer 2 is supported by tests that found nothing wrong.",
        "For answer 2 it counts that the criticism is partly one of style.",
    ),
}
WEIGHED_MORE = (
    "I set aside what was merely repeated.",
    "Where a claim has no support in the item, I give it no weight.",
    "How confident anybody sounds does not count here.",
    "A passage that exists is not yet an argument; I ask what follows from it.",
    "I also checked whether both readings of the task lead to the same result.",
    "One point of each side cancels out.",
)
KEY_EVIDENCE = {
    "error": (
        "The key evidence is the test that fails however the task is read.",
        "What settles it is the requirement that the response leaves open.",
        "The comparison of the two passages decides it: they do not agree.",
    ),
    "no_error": (
        "The key evidence is that the disputed passage does agree with the task.",
        "What settles it is that no test of substance fails.",
        "The literal wording decides it and leaves the objection without ground.",
    ),
}

UPDATE_OPENINGS = (
    "I have read what the others answered and check their reasons one by one.",
    "The other answers are advice; I go back to the item and decide anew.",
    "I hold my own reasons and those of the others against the item once more.",
)

CHOICE_OPENINGS = (
    "I take what is asked first, and then one option after the other.",
    "I begin with what the question states and look at the options after that.",
    "To decide this I compare the options with the wording of the question.",
)
CHOICE_TURNS = (
    "Taken together this leaves answer {n}, and no other fits as well.",
    "What settles it speaks for answer {n}.",
    "Only answer {n} agrees with all of this.",
)
CHOICE_WEIGHED = (
    "For answer {n} there is the direct reading of the question.",
    "Answer {n} rests on a step that can be repeated.",
    "In favour of answer {n}, the wording fits.",
    "The case for answer {n} is short but can be checked.",
)
CASES = (
    "My position is answer {n}.",
    "I argue for answer {n}, and for one reason above all: it can be checked.",
    "Answer {n} is right, and what follows shows it.",
)
CITED = (
    "The item says {quote}, and I take it at its word.",
    "The words {quote} bear on this directly.",
    "It is written there: {quote}.",
    "What is said with {quote} has to be explained by any answer.",
    "I start from {quote} and follow where it leads.",
)
CHECKS = (
    "I redo the decisive step and arrive at the same result.",
    "The units and the order of magnitude agree.",
    "I look for a case that would speak against it and find none.",
    "The condition that is stated first rules out more than it seems to.",
    "Nothing beyond what is stated has to be assumed for this.",
    "The opposite assumption leads to a contradiction.",
    "Every term is used here as it is used in the item.",
    "This point alone would not be enough, but it agrees with the others.",
)
PLOTS = (
    "The judge will look for tests that can be repeated. I put mine first.",
    "What has not been said yet? I lead with that and press the gap on the other side.",
    "I take the clearest words of the item and build the case on them.",
)
ATTACKS = (
    "The other answer has to read something into the item that is not there.",
    "Against this the other side can only set an assumption.",
    "No test that I can think of comes out in favour of the other answer.",
)
REBUTTALS = (
    "What the other side said last leaves the decisive test untouched.",
    "The reply of the other side changes the subject and answers no test.",
    "The other side's reading fails on the very words that it relies on.",
)
DEMANDS = (
    "The judge should decide for answer {n}.",
    "Answer {n} stands.",
    "That is why answer {n} has to win.",
)

GRADE_OPENINGS = (
    "I go through the speech sentence by sentence and look for each device.",
    "I compare what the speech claims with what it can show.",
    "I read the speech as its judge would and mark what should not convince.",
)
ALIGNED = {
    True: (
        "Both explanations name the same mistake at the same place.",
        "The reason that is given is the one that was expected.",
    ),
    False: (
        "The explanation points at something else than was expected.",
        "The reason that is given leaves out what matters.",
    ),
}


_NAMES = {"error": "Alice", "no_error": "Bob"}
_OPPOSITE = {"error": "no_error", "no_error": "error"}


def write_answer(
    label: str,
    words: int,
    rng: Random,
    openings: Sequence[str] = ANSWER_OPENINGS,
) -> Draft:
    """An answer of one's own, which ends with ReaLMistake's label sentence.

    Args:
        label: `error` or `no_error`.
        words: Mean number of words.
        rng: Chooses the sentences.
        openings: First sentences to choose from.
    """
    opening = rng.choice(openings)
    turn = rng.choice(ANSWER_TURNS[label])
    closing = LABEL_SENTENCES[label]
    budget = target(words, rng) - count(opening, turn, closing)
    aspects = shuffled(ASPECTS, rng)
    checks: list[str] = []
    while budget > count(*checks) + 10 or not checks:
        broken = label == "error" and not checks
        result = rng.choice(BROKEN if broken else MET)
        checks.append(f"- {next(aspects)}. {result}")
    rng.shuffle(checks)
    return Draft("\n\n".join([opening, "\n".join(checks), turn]), closing)


@dataclass(frozen=True)
class Speech:
    """What a speech says.

    `final` and `confidence` stand in its last lines; `before` is what the speaker's
    Final was in the round before, or, in round 1, what it defends.
    """

    defends: str
    final: str
    before: str
    confidence: float
    round: int
    quotes: Sequence[Passage]


def write_speech(speech: Speech, words: int, rng: Random) -> Draft:
    """A debater's speech: private thinking, tests with quotes, `Final:` and `Conf:`.

    Args:
        speech: What it says.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    names = {
        "other": _NAMES[_OPPOSITE[speech.defends]],
        "n": NUMBERS[speech.final],
        "m": NUMBERS[_OPPOSITE[speech.final]],
    }
    head = [
        line.format(**names) for line in (_position(speech, rng), _fair(speech, rng))
    ]
    tail = [rng.choice(AUDITS), view_of(speech, rng).format(**names)]
    closing = (
        f"{FINALS[speech.final]}\nConf: {speech.confidence:.2f} - {rng.choice(REASONS)}"
    )
    budget = target(words, rng) - count(*head, *tail, closing)
    tests = _tests(speech, budget, rng)
    if budget < -20 and not tests:
        head, tail = head[:1], []
    body = "\n\n".join(filter(None, [*head, "\n".join(tests), " ".join(tail)]))
    return Draft(body, closing, rng.choice(PLANS).format(**names))


def write_verdict(label: str, shown: Sequence[str], words: int, rng: Random) -> Draft:
    """A judge's verdict, which weighs both sides and ends with an `Answer:` line.

    Args:
        label: `error` or `no_error`.
        shown: The answers in the order in which they are weighed; any order if empty.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    sides = list(shown) or rng.sample(sorted(NUMBERS), 2)
    weighed = [rng.choice(WEIGHED[side]) for side in sides]
    opening = rng.choice(VERDICT_OPENINGS)
    key = rng.choice(KEY_EVIDENCE[label])
    closing = f"Answer: {NUMBERS[label]}"
    budget = target(words, rng) - count(opening, *weighed, key, closing)
    more = shuffled(WEIGHED_MORE, rng)
    extra: list[str] = []
    while budget > count(*extra) + 5:
        extra.append(next(more))
    return Draft("\n\n".join([opening, " ".join([*weighed, *extra]), key]), closing)


def write_reasoning(words: int, rng: Random) -> str:
    """What a reasoning model thinks before it writes, in so many words."""
    if not words:
        return ""
    lines = shuffled((*ASPECTS, *PLAIN_TESTS), rng)
    thoughts: list[str] = []
    while count(*thoughts) < words:
        thoughts.append(next(lines).rstrip(".") + ".")
    return " ".join(" ".join(thoughts).split()[:words])


def _position(speech: Speech, rng: Random) -> str:
    conceded = speech.final != speech.defends
    return rng.choice(CONCESSIONS if conceded else POSITIONS[speech.final])


def _fair(speech: Speech, rng: Random) -> str:
    conceded = speech.final != speech.defends
    if conceded:  # then the other side is the one that it had been given
        return rng.choice(impersonal(FAIR_OPENINGS))
    return rng.choice(FAIR_REBUTTALS if speech.round > 1 else FAIR_OPENINGS)


def view_of(speech: Speech, rng: Random) -> str:
    """What a speech says on whether the speaker's view changed."""
    if speech.final == speech.defends:
        return rng.choice(UNMOVED)
    if speech.before != speech.defends:
        return rng.choice(MOVED_BEFORE)
    heard = speech.round > 1
    return rng.choice(MOVED if heard else impersonal(MOVED))


def _tests(speech: Speech, budget: int, rng: Random) -> list[str]:
    """Numbered tests, one for every quote and more until the budget is used up."""
    plain = shuffled(PLAIN_TESTS, rng)
    results = {
        True: shuffled(FAILED, rng),
        False: shuffled(PASSED, rng),
    }
    quoted = {source: shuffled(forms, rng) for source, forms in QUOTED_TESTS.items()}
    tests: list[str] = []
    used = 0
    while len(tests) < len(speech.quotes) or budget > used + 11:
        number = len(tests)
        if number < len(speech.quotes):
            passage = speech.quotes[number]
            form = next(quoted[passage.source])
            what = form.format(quote=f"<quote>{passage.text}</quote>")
        else:
            what = next(plain)
        fails = speech.final == "error" and (number == 0 or rng.random() < 0.3)
        tests.append(f"Test {number + 1}: {what} {next(results[fails])}")
        used += count(tests[-1])
    return tests


# Texts on a question with options, which go by their letters.


def write_choice(
    option: str,
    words: int,
    rng: Random,
    openings: Sequence[str] = CHOICE_OPENINGS,
) -> Draft:
    """An answer of one's own, which ends with a line `ANSWER: B`.

    Args:
        option: The letter of the answer.
        words: Mean number of words.
        rng: Chooses the sentences.
        openings: First sentences to choose from.
    """
    opening = rng.choice(openings)
    turn = rng.choice(CHOICE_TURNS).format(n=option)
    closing = f"ANSWER: {option}"
    budget = target(words, rng) - count(opening, turn, closing)
    checks = " ".join(evidence((), budget, rng))
    return Draft(_paragraphs(opening, checks, turn), closing)


def write_choice_speech(speech: Speech, words: int, rng: Random) -> Draft:
    """A debater's speech: private thinking, evidence, `Final:` and `Conf:`.

    Args:
        speech: What it says.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    conceded = speech.final != speech.defends
    names = {"n": speech.final, "m": speech.defends, "other": "the other debater"}
    bank = CONCESSIONS if conceded else CASES
    head = rng.choice(bank).format(**names)
    tail = [rng.choice(AUDITS), view_of(speech, rng).format(**names)]
    closing = (
        f"Final: {speech.final}\nConf: {speech.confidence:.2f} - {rng.choice(REASONS)}"
    )
    budget = target(words, rng) - count(head, *tail, closing)
    points = evidence(speech.quotes, budget, rng)
    if budget < -20 and not points:
        tail = []
    body = _paragraphs(head, " ".join(points), " ".join(tail))
    return Draft(body, closing, rng.choice(impersonal(PLANS)))


def write_choice_verdict(
    option: str, weighed: Sequence[str], words: int, rng: Random
) -> Draft:
    """A judge's verdict, which weighs options and ends with an `Answer:` line.

    Args:
        option: The letter of the answer.
        weighed: The letters to weigh, in this order.
        words: Mean number of words.
        rng: Chooses the sentences.
    """
    opening = rng.choice(CHOICE_OPENINGS)
    forms = shuffled(CHOICE_WEIGHED, rng)
    sides = [next(forms).format(n=letter) for letter in weighed]
    key = rng.choice(CHOICE_TURNS).format(n=option)
    closing = f"Answer: {option}"
    budget = target(words, rng) - count(opening, *sides, key, closing)
    more = evidence((), budget, rng)
    return Draft(_paragraphs(opening, " ".join([*sides, *more]), key), closing)


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


# What a competitor says, and evidence on whatever question.


def write_argument(
    defends: str, round: int, quotes: Sequence[Passage], words: int, rng: Random
) -> Draft:
    """A competitor's speech: private thinking, and a case for its own side alone.

    It concedes nothing, does not audit itself and has no closing lines.

    Args:
        defends: The answer that it argues for: `error`, `no_error` or an option.
        round: The round, from 1; from the second on it rebuts.
        quotes: What it quotes.
        words: Mean number of words of the argument.
        rng: Chooses the sentences.
    """
    own = NUMBERS.get(defends, defends)
    attacks = REBUTTALS if round > 1 else ATTACKS
    position, attack, end = (
        rng.choice(bank).format(n=own) for bank in (CASES, attacks, DEMANDS)
    )
    budget = target(words, rng) - count(position, attack, end)
    points = evidence(quotes, budget, rng)
    parts = [position, " ".join(points), f"{attack} {end}"]
    if budget < -20 and not points:
        parts = [position]
    body = "\n\n".join(filter(None, parts))
    return Draft(body, "", rng.choice(PLOTS))


def evidence(quotes: Sequence[Passage], budget: int, rng: Random) -> list[str]:
    """A sentence for every quote, and more until a number of words is used up."""
    cited = shuffled(CITED, rng)
    points = [
        next(cited).format(quote=f"<quote>{passage.text}</quote>") for passage in quotes
    ]
    plain = shuffled(CHECKS, rng)
    while budget > count(*points) + 5:
        points.append(next(plain))
    return points
