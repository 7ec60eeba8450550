"""Questions with options, and competitors, as they are decided and played."""

import re
from collections import Counter
from typing import Any

import pytest

from inspect_debate.debate.parsing import split_argument
from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.debate.record import Status
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.policy import (
    Draws,
    choice_probabilities,
    final,
    known_truth,
    label,
)
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import (
    OPTIONS,
    QUESTION,
    N,
    api_for,
    ask,
    check_share,
    choice_cue,
    cue_for,
)
from tests.simulator.reading import LETTERS

PAIR = ("B", "D")


def test_answers_among_options_follow_the_law() -> None:
    behaviour = Behaviour(choice_accuracy=0.6)
    ranks: Counter[int] = Counter()
    for n in range(N):
        description = choice_cue("answer", n)
        best = LETTERS.index(known_truth(description.question, LETTERS))
        said = LETTERS.index(label(Draws(behaviour, description)))
        ranks[(said - best) % 4] += 1
    law = choice_probabilities(behaviour, "A", LETTERS)
    assert law["B"] == pytest.approx(0.4 / 3)
    for distance, p in enumerate(law.values()):
        hits = ranks[distance]
        check_share([True] * hits + [False] * (N - hits), p)


@pytest.mark.parametrize("shown", [PAIR, PAIR[::-1]])
def test_verdicts_on_two_options_follow_the_law(shown: tuple[str, ...]) -> None:
    behaviour = Behaviour(judge_accuracy=0.8, follow_first=0.25)
    right: dict[bool, list[bool]] = {True: [], False: []}
    for n in range(N):
        description = choice_cue("verdict", n, choices=PAIR, shown=shown)
        best = known_truth(description.question, PAIR)
        right[best == shown[0]].append(label(Draws(behaviour, description)) == best)
    check_share(right[True], 0.25 + 0.75 * 0.8)
    check_share(right[False], 0.75 * 0.8)


def test_a_judge_of_two_wrong_options_tosses_a_coin() -> None:
    behaviour = Behaviour(judge_accuracy=1.0)
    cues = [
        choice_cue("verdict", n, question="q1", choices=PAIR, shown=PAIR)
        for n in range(400)
    ]
    check_share(
        [label(Draws(behaviour, description)) == "B" for description in cues], 0.5
    )


def test_concessions_on_options_are_to_the_other_of_the_pair() -> None:
    behaviour = Behaviour(concession=0.6, wrong_concession=0.1)
    conceded: dict[bool, list[bool]] = {True: [], False: []}
    for n in range(N):
        description = choice_cue("speech", n, choices=PAIR, defends="D")
        draws = Draws(behaviour, description)
        believed = final(draws, 1)
        assert believed in PAIR
        assert final(draws, 0) == "D"
        conceded[known_truth(description.question, PAIR) == "D"].append(believed == "B")
    check_share(conceded[True], 0.1)
    check_share(conceded[False], 0.6)


def test_perfect_models_agree_on_options_everywhere() -> None:
    for n in range(60):
        best = known_truth(f"open {n}", LETTERS)
        other = "A" if best != "A" else "C"
        pair = tuple(sorted((best, other)))
        debated: dict[str, Any] = {"choices": pair, "shown": pair[::-1]}
        spoken: dict[str, Any] = {"choices": pair, "defends": other}
        cues = [
            choice_cue("answer", n),
            choice_cue("verdict", n),
            choice_cue("verdict", n, **debated),
            choice_cue("update", n, own_answer=other, shown=(best,)),
        ]
        perfect = PROFILES["perfect"]
        assert {label(Draws(perfect, description)) for description in cues} == {best}
        assert final(Draws(perfect, choice_cue("speech", n, **spoken)), 1) == best


def test_speeches_on_options_quote_the_question() -> None:
    api = api_for(quote_verified_rate=1, quote_duplicate_rate=0, quotes=4)
    sources = {"question": QUESTION, "options": OPTIONS}
    forms: tuple[str, ...] = ("speech", "argument")
    for form in forms:
        cues = [
            choice_cue("speech", format=form, choices=PAIR, defends=side, round=round)
            for side in PAIR
            for round in (1, 2)
        ]
        said = "".join(output.completion for output in ask(api, *cues))
        quotes = verify_quotes(said, sources).quotes
        assert len(quotes) == 16
        assert all(quote.verified and not quote.duplicate for quote in quotes)
        assert {quote.source for quote in quotes} == {"question", "options"}


# --- competitors -------------------------------------------------------------------

YIELDING = re.compile(
    r"conced|gi(?:ve|ving) (?:it )?up|withdraw|changed|my own case|audit"
    r"|weak|least sure|final:|conf:|in fairness|rightly|is right that"
    r"|i now (?:hold|believe)",
    re.I,
)


@pytest.mark.parametrize("round", [1, 2])
def test_competitors_concede_nothing_and_do_not_conclude(round: int) -> None:
    api = api_for("hesitant", concession=1, wrong_concession=1, quotes=2)
    cues = [cue_for("speech", n, format="argument", round=round) for n in range(60)]
    cues += [
        choice_cue(
            "speech", n, format="argument", choices=PAIR, defends="D", round=round
        )
        for n in range(60)
    ]
    for description, output in zip(cues, ask(api, *cues), strict=True):
        found = split_argument(output.completion)
        assert found.status == Status.OK
        assert found.thinking
        assert not YIELDING.search(output.completion)
        assert found.argument.count("<quote>") == 2
        own = "answer D" if description.defends == "D" else "answer 1"
        assert own in found.argument.replace("Answer", "answer")


def test_a_reasked_argument_is_a_whole_argument() -> None:
    description = cue_for("speech", format="argument", reask=1)
    (output,) = ask(api_for(unreadable_rate=1, reask_success=1), description)
    (first,) = ask(api_for(), description.model_copy(update={"reask": 0}))
    assert output.completion == first.completion
