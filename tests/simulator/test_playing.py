"""Answers, updates, options, grades and quotes, as they are decided and given."""

import re
from collections import Counter
from statistics import mean
from typing import Any

import anyio
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
)

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.parsing import split_argument
from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.debate.record import Quote, Status
from inspect_debate.simulator.behaviour import Behaviour, verdict_probability
from inspect_debate.simulator.policy import (
    Draws,
    choice_probabilities,
    confidence,
    final,
    hacking,
    known_truth,
    label,
)
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.simulated import Simulated
from tests.simulator.asking import (
    DEVICES,
    ITEM,
    LETTERS,
    OPTIONS,
    QUESTION,
    RESPONSE,
    SIDES,
    SPEECH,
    TASK,
    N,
    api_for,
    ask,
    check_share,
    choice_turn,
    read,
    turn_for,
)
from tests.support.laws import planted

# --- what is drawn is what is read -------------------------------------------------


def test_shares_follow_the_parameters() -> None:
    api = api_for(
        sensitivity=0.9, specificity=0.6, judge_accuracy=0.7, follow_first=0.3
    )
    orders: list[tuple[str, ...]] = [(), ("error", "no_error"), ("no_error", "error")]
    for shown in orders:
        for truth in (0, 1):
            turns = [turn_for("verdict", n, shown=shown) for n in range(truth, N, 2)]
            errors = [label(Draws(api.behaviour, turn)) == "error" for turn in turns]
            law = verdict_probability(
                api.behaviour, "error" if truth else "no_error", shown
            )
            assert mean(errors) == pytest.approx(law, abs=0.05)


def test_two_debaters_disagree_as_often_as_planted() -> None:
    behaviour = PROFILES["balanced"]
    pairs = [
        [
            label(Draws(behaviour, turn_for("answer", n, participant=who)))
            for who in SIDES
        ]
        for n in range(N)
    ]
    share = mean(a != b for a, b in pairs)
    assert share == pytest.approx(planted(behaviour, 0.5).disagreement, abs=0.04)


def test_concessions_follow_the_parameters_and_are_kept() -> None:
    behaviour = Behaviour(concession=0.2, concession_growth=0.3, wrong_concession=0.1)
    conceded: dict[tuple[bool, int], list[bool]] = {}
    for n in range(N):
        draws = Draws(behaviour, turn_for("speech", n))  # defends "error"
        path = [final(draws, round) != "error" for round in range(4)]
        assert path == sorted(path)
        assert not path[0]
        for round in (1, 2, 3):
            conceded.setdefault((n % 2 == 1, round), []).append(path[round])
    for round, law in ((1, 0.2), (2, 0.5), (3, 0.8)):
        assert mean(conceded[False, round]) == pytest.approx(law, abs=0.05)
        assert mean(conceded[True, round]) == pytest.approx(0.1, abs=0.03)


def test_confidences_follow_the_parameters() -> None:
    behaviour = Behaviour(confidence_spread=0.2, drift=-0.05)
    for right, round, law in ((True, 1, 0.75), (True, 3, 0.65), (False, 2, 0.57)):
        turns = (turn_for("speech", n, round=round) for n in range(N))
        drawn = [confidence(Draws(behaviour, turn), right) for turn in turns]
        assert mean(drawn) == pytest.approx(law, abs=0.01)
        assert max(drawn) - min(drawn) == pytest.approx(0.4, abs=0.02)


# --- determinism -------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"sample": "other {n}"},
        {"epoch": 2},
        {"participant": "other"},
        {"draw": "ba"},
    ],
)
def test_what_identifies_a_turn_changes_its_draws(change: dict[str, Any]) -> None:
    behaviour = PROFILES["coin"]
    one = [label(Draws(behaviour, turn_for("answer", n))) for n in range(400)]
    changed = [
        {k: v.format(n=n) if k == "sample" else v for k, v in change.items()}
        for n in range(400)
    ]
    other = [
        label(Draws(behaviour, turn_for("answer", n, **values)))
        for n, values in enumerate(changed)
    ]
    assert mean(a == b for a, b in zip(one, other, strict=True)) == pytest.approx(
        0.5, abs=0.1
    )


# --- quotes ------------------------------------------------------------------------


def _quotes(completion: str, earlier: list[str]) -> tuple[Quote, ...]:
    argument = split_argument(completion).argument
    return verify_quotes(
        argument, {"input": TASK, "response": RESPONSE}, earlier
    ).quotes


def _debate_quotes(api: Simulated, rounds: int, n: int = 1) -> list[Quote]:
    """The quotes of a simultaneous debate, as its record would hold them."""
    quotes: list[Quote] = []
    for round in range(1, rounds + 1):
        earlier = [quote.text for quote in quotes]
        turns = [turn_for("speech", n, participant=who, round=round) for who in SIDES]
        for output in ask(api, *turns):
            quotes += _quotes(output.completion, earlier)
    return quotes


def test_verbatim_quotes_are_verified_and_new() -> None:
    api = api_for(quotes=4, quote_verified_rate=1, quote_duplicate_rate=0)
    for n in range(20):
        quotes = _debate_quotes(api, rounds=3, n=n)
        assert len(quotes) == 24
        assert all(quote.verified and not quote.duplicate for quote in quotes)
    assert {quote.source for quote in quotes} == {"input", "response"}


def test_quotes_of_the_task_alone() -> None:
    api = api_for(quote_verified_rate=1, quote_source="input", quotes=2)
    assert {quote.source for quote in _debate_quotes(api, 2)} == {"input"}


def test_quote_rates() -> None:
    api = api_for(quotes=5, quote_verified_rate=0.6, quote_duplicate_rate=0.3)
    quotes = [quote for n in range(60) for quote in _debate_quotes(api, 2, n)]
    assert len(quotes) == 1200
    assert mean(q.verified for q in quotes) == pytest.approx(0.6, abs=0.06)
    # a speaker's first of ten quotes repeats nothing
    assert mean(q.duplicate for q in quotes) == pytest.approx(0.27, abs=0.04)


def test_without_an_item_no_quote_is_verified() -> None:
    turn = turn_for("speech")
    messages: list[ChatMessage] = [
        ChatMessageUser(content=TASK, metadata=turn.attach())
    ]
    api = api_for(quote_verified_rate=1)

    async def _called() -> ModelOutput:
        return await api.generate(messages, [], "auto", GenerateConfig())

    quotes = _quotes(anyio.run(_called).completion, [])
    assert [quote.verified for quote in quotes] == [False] * 3


def test_a_reasked_speech_quotes_the_item_of_the_first_message() -> None:
    turn = turn_for("speech", reask=1)
    messages: list[ChatMessage] = [
        ChatMessageUser(content=ITEM),
        ChatMessageAssistant(content="(no answer)"),
        ChatMessageUser(content="Once more.", metadata=turn.attach()),
    ]
    api = api_for(quote_verified_rate=1, reask_success=1)

    async def _called() -> ModelOutput:
        return await api.generate(messages, [], "auto", GenerateConfig())

    assert [q.verified for q in _quotes(anyio.run(_called).completion, [])] == [
        True
    ] * 3


PAIR = ("B", "D")

# --- updates -----------------------------------------------------------------------


@pytest.mark.parametrize(("own", "shown"), [("error", "no_error"), ("B", "D")])
def test_updates_follow_the_law(own: str, shown: str) -> None:
    behaviour = Behaviour(yield_wrong=0.7, yield_right=0.1)
    make = turn_for if own == "error" else choice_turn
    took: dict[bool, list[bool]] = {True: [], False: []}
    for n in range(N):
        choices: dict[str, Any] = {} if make is turn_for else {"choices": PAIR}
        turn = make("update", n, own_answer=own, shown=(shown,), round=1, **choices)
        right = known_truth(turn.question, turn.choices) == own
        took[right].append(label(Draws(behaviour, turn)) == shown)
    check_share(took[False], 0.7)
    check_share(took[True], 0.1)


@pytest.mark.parametrize("shown", [(), ("error",), ("error", "error")])
def test_who_sees_no_other_answer_stays(shown: tuple[str, ...]) -> None:
    behaviour = Behaviour(yield_wrong=1, yield_right=1)
    turns = [turn_for("update", n, own_answer="error", shown=shown) for n in range(60)]
    assert {label(Draws(behaviour, turn)) for turn in turns} == {"error"}


def test_among_several_answers_the_commoner_is_likelier() -> None:
    behaviour = Behaviour(yield_wrong=1, yield_right=1)
    turns = [
        choice_turn("update", n, own_answer="A", shown=("A", "B", "C", "B"))
        for n in range(N)
    ]
    answers = [label(Draws(behaviour, turn)) for turn in turns]
    assert set(answers) == {"B", "C"}
    check_share([answer == "B" for answer in answers], 2 / 3)


def test_who_was_not_understood_answers_anew() -> None:
    behaviour = Behaviour(sensitivity=0.9, specificity=0.6, yield_wrong=1)
    for truth, law in ((1, 0.9), (0, 0.4)):
        turns = [turn_for("update", n, shown=("no_error",)) for n in range(truth, N, 2)]
        check_share(
            [label(Draws(behaviour, turn)) == "error" for turn in turns],
            law,
        )


def test_rounds_of_updates_are_drawn_apart() -> None:
    coin = PROFILES["coin"]
    first, second = (
        [
            label(
                Draws(
                    coin,
                    turn_for(
                        "update", n, own_answer="error", shown=("no_error",), round=r
                    ),
                )
            )
            for n in range(400)
        ]
        for r in (1, 2)
    )
    check_share([a == b for a, b in zip(first, second, strict=True)], 0.5)


# --- several draws -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["labels", "options"])
def test_draws_of_one_prompt_are_independent_and_alike(kind: str) -> None:
    behaviour = Behaviour(sensitivity=0.7, specificity=0.7, choice_accuracy=0.7)
    make = turn_for if kind == "labels" else choice_turn

    def right(n: int, draw: int) -> bool:
        turn = make("answer", n, draw=str(draw))
        best = known_truth(turn.question, turn.choices)
        return label(Draws(behaviour, turn)) == best

    drawn = [[right(n, draw) for draw in (1, 2, 3)] for n in range(N)]
    for one in zip(*drawn, strict=True):
        check_share(one, 0.7)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        check_share([d[i] and d[j] for d in drawn], 0.49)


# --- graders -----------------------------------------------------------------------


def _graded(draw: str, **values: Any) -> list[TurnDescription]:
    return [turn_for("grade", n, draw=draw, choices=(), **values) for n in range(300)]


def test_hacking_is_found_at_its_rates_and_for_each_speech_anew() -> None:
    rates = {"fake_evidence": 0.2, "overconfident": 0.6, "fallacious": 0.4}
    behaviour = Behaviour.model_validate({f"{k}_rate": v for k, v in rates.items()})
    one, other = (
        [hacking(Draws(behaviour, turn)) for turn in _graded(draw)]
        for draw in ("debater_a 1", "debater_a 2")
    )
    for device, rate in rates.items():
        pairs = [
            (a[device], b[device])  # type: ignore[index]  # the keys of `rates`
            for a, b in zip(one, other, strict=True)
        ]
        check_share([a for a, _ in pairs], rate)
        check_share([a and b for a, b in pairs], rate**2)


def test_passages_of_hacking_stand_in_the_speech() -> None:
    api = api_for(fake_evidence_rate=1, overconfident_rate=1, fallacious_rate=0)
    passages = set()
    for output in ask(api, *_graded("debater_b 1")[:60]):
        lines = output.completion.splitlines()[-3:]
        assert lines[2] == "Fallacious argument: 0"
        for name, line in zip(DEVICES[:2], lines, strict=False):
            hit = re.fullmatch(rf'{name}: 1 \| "([^"]+)"', line)
            assert hit is not None
            assert hit[1] in SPEECH
            assert 5 <= len(hit[1].split()) <= 9
            passages.add(hit[1])
    assert len(passages) > 5


@pytest.mark.parametrize(("spoken", "rate"), [("none", 0.8), ("debate", 0.3)])
def test_verdicts_verify_at_the_rates_of_a_grader(spoken: str, rate: float) -> None:
    turns = _graded("", format="verdict_checks", interaction=spoken)
    outputs = ask(api_for(verified_rate_spoken=0.3), *turns)
    found = [output.completion.splitlines()[-1] for output in outputs]
    check_share([line.startswith("Verifies: 1 |") for line in found], rate)


def test_alignment_is_found_at_its_rate() -> None:
    turns = _graded("", format="alignment")
    outputs = ask(api_for(alignment_rate=0.3), *turns)
    found = [
        read(c, o.completion)["aligned"] for c, o in zip(turns, outputs, strict=True)
    ]
    check_share([field.value == "1" for field in found], 0.3)


def test_a_turn_of_another_packages_kind_is_given_again_whole() -> None:
    first = choice_turn("cross_answer", format="argument", defends="B", round=1)
    again = first.model_copy(update={"reask": 1})
    once, repeated = ask(api_for(), first, again)
    assert "<argument>" in once.completion
    assert repeated.completion == once.completion


def test_answers_among_options_follow_the_law() -> None:
    behaviour = Behaviour(choice_accuracy=0.6)
    ranks: Counter[int] = Counter()
    for n in range(N):
        turn = choice_turn("answer", n)
        best = LETTERS.index(known_truth(turn.question, LETTERS))
        answers = LETTERS.index(label(Draws(behaviour, turn)))
        ranks[(answers - best) % 4] += 1
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
        turn = choice_turn("verdict", n, choices=PAIR, shown=shown)
        best = known_truth(turn.question, PAIR)
        right[best == shown[0]].append(label(Draws(behaviour, turn)) == best)
    check_share(right[True], 0.25 + 0.75 * 0.8)
    check_share(right[False], 0.75 * 0.8)


def test_a_judge_of_two_wrong_options_tosses_a_coin() -> None:
    behaviour = Behaviour(judge_accuracy=1.0)
    turns = [
        choice_turn("verdict", n, question="q1", choices=PAIR, shown=PAIR)
        for n in range(400)
    ]
    check_share([label(Draws(behaviour, turn)) == "B" for turn in turns], 0.5)


def test_concessions_on_options_are_to_the_other_of_the_pair() -> None:
    behaviour = Behaviour(concession=0.6, wrong_concession=0.1)
    conceded: dict[bool, list[bool]] = {True: [], False: []}
    for n in range(N):
        turn = choice_turn("speech", n, choices=PAIR, defends="D")
        draws = Draws(behaviour, turn)
        believed = final(draws, 1)
        assert believed in PAIR
        assert final(draws, 0) == "D"
        conceded[known_truth(turn.question, PAIR) == "D"].append(believed == "B")
    check_share(conceded[True], 0.1)
    check_share(conceded[False], 0.6)


def test_perfect_models_agree_on_options_everywhere() -> None:
    for n in range(60):
        best = known_truth(f"open {n}", LETTERS)
        other = "A" if best != "A" else "C"
        pair = tuple(sorted((best, other)))
        debated: dict[str, Any] = {"choices": pair, "shown": pair[::-1]}
        spoken: dict[str, Any] = {"choices": pair, "defends": other}
        turns = [
            choice_turn("answer", n),
            choice_turn("verdict", n),
            choice_turn("verdict", n, **debated),
            choice_turn("update", n, own_answer=other, shown=(best,)),
        ]
        perfect = PROFILES["perfect"]
        assert {label(Draws(perfect, turn)) for turn in turns} == {best}
        assert final(Draws(perfect, choice_turn("speech", n, **spoken)), 1) == best


def test_speeches_on_options_quote_the_question() -> None:
    api = api_for(quote_verified_rate=1, quote_duplicate_rate=0, quotes=4)
    sources = {"question": QUESTION, "options": OPTIONS}
    forms: tuple[str, ...] = ("speech", "argument")
    for form in forms:
        turns = [
            choice_turn("speech", format=form, choices=PAIR, defends=side, round=round)
            for side in PAIR
            for round in (1, 2)
        ]
        answers = "".join(output.completion for output in ask(api, *turns))
        quotes = verify_quotes(answers, sources).quotes
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
    turns = [turn_for("speech", n, format="argument", round=round) for n in range(60)]
    turns += [
        choice_turn(
            "speech", n, format="argument", choices=PAIR, defends="D", round=round
        )
        for n in range(60)
    ]
    for turn, output in zip(turns, ask(api, *turns), strict=True):
        found = split_argument(output.completion)
        assert found.status == Status.OK
        assert found.thinking
        assert not YIELDING.search(output.completion)
        assert found.argument.count("<quote>") == 2
        own = "answer D" if turn.defends == "D" else "answer 1"
        assert own in found.argument.replace("Answer", "answer")
