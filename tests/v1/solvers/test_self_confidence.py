"""How sure a model is of an answer, from records made by hand."""

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status, TokensStatus
from inspect_debate.v1.solvers.self_confidence import (
    Estimate,
    answer_of,
    estimate,
    on_one_scale,
)
from tests.v1.support.clash_records import (
    OTHER,
    Said,
    Sure,
    contextual,
    further,
    prior,
    record_of,
)

WITHOUT = sorted(set(get_args(TokensStatus)) - {"ok"})
TOKENS = (0.5, 0.32)  # a geometric mean of 0.4
DRAWS = (OTHER, "1871", None, "The 1902.")  # two of three say the same


def sure_of(
    confidence_from: str, tokens: Sure = None, draws: Sequence[Said] = ()
) -> Estimate:
    record = record_of(
        "confidence_only",
        prior(OTHER, tokens),
        contextual(),
        further(*draws),
        confidence_from=confidence_from,
    )
    return estimate(record, "debater_b")


UNREAD_DRAWS = "0 of 2 further answers could be read"
BY_TOKENS = (0.4, "logprobs", "its tokens have log-probabilities")


def by_draws(why: str = "") -> tuple[float, str, str]:
    return 2 / 3, "self_consistency", f"3 further answers were compared{why}"


def unknown(why: str) -> tuple[None, None, str]:
    return None, None, why


@pytest.mark.parametrize(
    ("wanted", "tokens", "draws", "expected"),
    [
        ("auto", TOKENS, (), BY_TOKENS),
        ("auto", TOKENS, DRAWS, BY_TOKENS),
        ("auto", "absent", DRAWS, by_draws(", as its log-probabilities are absent")),
        ("auto", "absent", (), unknown("its log-probabilities are absent")),
        (
            *("auto", "cut", (None, None)),
            unknown(f"its log-probabilities are cut, and {UNREAD_DRAWS}"),
        ),
        ("auto", None, (), unknown("nothing was asked for")),
        ("both", TOKENS, DRAWS, BY_TOKENS),
        ("both", TOKENS, (None,), BY_TOKENS),
        ("both", "refused", DRAWS, by_draws(", as its log-probabilities are refused")),
        ("logprobs", TOKENS, (), BY_TOKENS),
        # Answers that an earlier run has do not take their place.
        ("logprobs", "absent", DRAWS, unknown("its log-probabilities are absent")),
        ("logprobs", None, DRAWS, unknown("nothing was asked for")),
        ("self_consistency", None, DRAWS, by_draws()),
        ("self_consistency", TOKENS, DRAWS, by_draws()),
        (
            *("self_consistency", TOKENS, (None, None)),
            unknown(UNREAD_DRAWS),
        ),
        ("self_consistency", None, (), unknown("nothing was asked for")),
    ],
)
def test_where_a_confidence_comes_from_and_why(
    wanted: str,
    tokens: Sure,
    draws: Sequence[Said],
    expected: tuple[float | None, str | None, str],
) -> None:
    found = sure_of(wanted, tokens, draws)
    assert (found.value, found.source, found.reason) == (
        expected[0] and pytest.approx(expected[0]),
        *expected[1:],
    )


@pytest.mark.parametrize("status", WITHOUT)
@pytest.mark.parametrize("wanted", ["auto", "both", "logprobs", "self_consistency"])
def test_without_log_probabilities(wanted: str, status: TokensStatus) -> None:
    found = sure_of(wanted, status, DRAWS)
    assert found.logprobs is None
    assert found.value == (None if wanted == "logprobs" else pytest.approx(2 / 3))
    assert (status in found.reason) == (wanted != "self_consistency")


@pytest.mark.parametrize(
    ("draws", "share", "read"),
    [
        ((), None, 0),
        ((None,) * 16, None, 0),
        ((Parsed(status=Status.REFUSED), Parsed(status=Status.TRUNCATED)), None, 0),
        ((OTHER,) * 16, 1.0, 16),
        (("1871",) * 16, 0.0, 16),
        ((OTHER,) * 4 + ("1871",) * 12, 0.25, 16),
        ((OTHER,) * 4 + ("1871",) * 4 + (None,) * 8, 0.5, 8),
        # Of less than half nothing is taken.
        ((OTHER,) * 7 + (None,) * 9, None, 7),
        ((OTHER, None, None), None, 1),
        ((OTHER, OTHER, None), 1.0, 2),
    ],
)
def test_shares_of_draws(draws: Sequence[Said], share: float | None, read: int) -> None:
    found = sure_of("self_consistency", draws=draws)
    assert (found.value, found.consistency, found.draws) == (share, share, read)


@pytest.mark.parametrize(
    "status", [Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.MISSING]
)
def test_an_answer_that_was_not_read_has_no_confidence(status: Status) -> None:
    record = record_of(
        "few_shot", prior(Parsed(status=status), TOKENS), contextual(), further(*DRAWS)
    )
    expected = Estimate(None, None, f"the answer is {status}")
    assert estimate(record, "debater_b") == expected
    assert answer_of(record, "debater_b") == Parsed(status=status)


def test_who_was_not_asked_has_neither_answer_nor_confidence() -> None:
    record = record_of("rci", contextual())
    assert answer_of(record, "debater_b") == Parsed()
    assert estimate(record, "debater_b").reason == "the answer is missing"


def test_each_participant_has_its_own_further_answers() -> None:
    record = record_of(
        "token_prob",
        prior("1902", "absent"),
        contextual("1911", "absent"),
        further("1902", "1911", "1902", "1902"),
        further("1911", "1902", who="debater_a"),
        further("1902", "1902", kind="recall"),
    )
    assert estimate(record, "debater_b").value == 0.75
    assert estimate(record, "debater_a").value == 0.5


def test_the_first_answer_counts() -> None:
    record = record_of("few_shot", prior("1902", 0.5), contextual(), prior("1871", 0.9))
    assert answer_of(record, "debater_b").value == "1902"
    assert estimate(record, "debater_b").value == 0.5


@pytest.mark.parametrize(
    ("wanted", "memory", "passage", "drawn", "source", "found"),
    [
        ("auto", 0.95, 0.8, (True, True), "logprobs", [0.95, 0.8]),
        ("both", 0.95, 0.8, (True, True), "logprobs", [0.95, 0.8]),
        # A share and a probability are not compared.
        ("auto", 0.95, "absent", (True, True), "self_consistency", [0.75, 0.5]),
        ("auto", "cut", 0.8, (True, True), "self_consistency", [0.75, 0.5]),
        ("auto", 0.95, "absent", (False, True), None, []),
        ("auto", "absent", 0.8, (True, False), None, []),
        ("self_consistency", 0.95, 0.8, (True, True), "self_consistency", [0.75, 0.5]),
        ("self_consistency", 0.95, 0.8, (True, False), None, []),
        ("logprobs", 0.95, "absent", (False, False), None, []),
    ],
)
def test_confidences_on_one_scale(
    wanted: str,
    memory: Sure,
    passage: Sure,
    drawn: tuple[bool, bool],
    source: str | None,
    found: list[float],
) -> None:
    draws = [
        further("1902", "1911", "1902", "1902") * drawn[0],
        further("1911", "1902", who="debater_a") * drawn[1],
    ]
    answers = [prior("1902", memory), contextual("1911", passage)]
    record = record_of("token_prob", *answers, *draws, confidence_from=wanted)
    logged, values = on_one_scale(record, "debater_b", "debater_a")
    assert logged == source
    assert values == pytest.approx(found)


@given(st.permutations([*DRAWS, "1871", "1911", None]))
def test_the_order_of_draws_changes_nothing(draws: list[Said]) -> None:
    turns = further(*draws)

    def read(record: DebateRecord) -> Estimate:
        return estimate(record, "debater_b")

    first = record_of("few_shot", prior(sure="absent"), turns)
    last = record_of("few_shot", turns[::-1], prior(sure="absent"))
    assert read(first) == read(last)
    assert read(first).value == 2 / 5
