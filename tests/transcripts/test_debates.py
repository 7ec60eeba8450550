"""Transcripts of both formats, and what stops one."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from inspect_debate.transcripts.debates import Debate, UnreadableError, debate_of
from tests.transcripts.made import (
    ALPHA,
    BETA,
    JURY,
    cross_model,
    four_rounds,
    speech,
    three_rounds,
)


def read(content: Any, id: str = "alpha_vs_self_20250503_142712") -> Debate:
    return debate_of(id, f"{id}.json", content)


def test_three_rounds() -> None:
    debate = read(cross_model())
    assert (debate.condition, debate.rounds) == ("cross_model", 3)
    assert debate.models == {"proposition": ALPHA, "opposition": BETA}
    assert debate.speeches["opposition", 2] == speech("opposition", "rebuttal")
    assert [(key, bet.amount) for key, bet in debate.bets.items()] == [
        (("proposition", 1), 60),
        (("opposition", 1), 55),
        (("proposition", 2), 70),
        (("opposition", 2), 65),
        (("proposition", 3), 80),
        (("opposition", 3), 75),
    ]
    assert [verdict.model_dump() for verdict in debate.verdicts] == list(JURY)
    assert debate.prompts is not None
    assert {who: [*models] for who, models in debate.tokens.items()} == {
        "debaters": [ALPHA, BETA],
        "jury": [JURY[0]["model"], JURY[2]["model"]],
    }


def test_four_rounds() -> None:
    debate = read(four_rounds())
    assert (debate.condition, debate.rounds) == ("four_round", 4)
    assert debate.speeches["proposition", 3] == speech("proposition", "rebuttal_2")
    assert debate.bets["opposition", 4].amount == 55
    assert (debate.prompts, debate.verdicts, debate.tokens) == (None, [], {})


@pytest.mark.parametrize(
    ("debate_type", "condition"),
    [
        ("private_bet", "cross_model"),
        ("private_same_debator", "self"),
        ("private_same_debator_informed", "informed_self"),
        ("PUBLIC_SAME_DEBATOR", "public"),
        ("readteam_debate", "redteam"),
    ],
)
def test_the_condition_is_in_the_file(debate_type: str, condition: str) -> None:
    assert read(three_rounds(debate_type)).condition == condition


@pytest.mark.parametrize(
    ("name", "started"),
    [
        ("a_vs_b_20250503_142712", datetime(2025, 5, 3, 14, 27, 12, tzinfo=UTC)),
        ("20010101_000000 of 20250503_142712 (1)", datetime(2025, 5, 3, 14, 27, 12)),
        ("a_vs_b", None),
        ("a_20259903_142712", None),
        ("a_120250503_142712", None),
    ],
)
def test_when_it_began(name: str, started: datetime | None) -> None:
    found = read(three_rounds(), name).started
    assert found == (started and started.replace(tzinfo=UTC))


def without(*path: str) -> Callable[[Any], Any]:
    def change(content: Any) -> Any:
        place = content
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]
        return content

    return change


def setting(*path: Any, to: Any) -> Callable[[Any], Any]:
    def change(content: Any) -> Any:
        place = content
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to
        return content

    return change


def swapped_bets(content: Any) -> Any:
    bets = content["debator_bets"]
    bets[2], bets[3] = bets[3], bets[2]
    return content


def one_bet_less(content: Any) -> Any:
    del content["debator_bets"][-1]
    return content


BOTH: list[tuple[Callable[[Any], Any], str]] = [
    (without("motion"), "motion: Field required"),
    (without("proposition_output"), "proposition_output: Field required"),
    (without("opposition_output", "side"), "opposition_output.side: Field required"),
    (
        without("opposition_output", "speeches", "closing"),
        "opposition_output.speeches.closing: Field required",
    ),
    (without("debator_bets"), "debator_bets: Field required"),
    (setting("debator_bets", to=None), "debator_bets: Input should be a valid list"),
    (setting("extra", to=1), "extra: Extra inputs are not permitted"),
    (
        setting("proposition_output", "speeches", "rebuttal_3", to="No."),
        "proposition_output.speeches.rebuttal_3: Extra inputs",
    ),
    (
        setting("proposition_output", "speeches", "opening", to=-1),
        "proposition_output.speeches.opening: Input should be a valid string",
    ),
    (setting("motion", "topic_description", to=" "), "motion.topic_description: "),
    (setting("motion", "topic_description", to="\ud800"), "motion.topic_description: "),
    (setting("opposition_output", "side", to="proposition"), "opposition_output.side"),
    (setting("debator_bets", 0, "side", to="judge"), "debator_bets.0.side: Input"),
    (setting("debator_bets", 1, "amount", to=101), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=-1), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=50.0), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to="50"), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=True), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=None), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "thoughts", to=None), "debator_bets.1.thoughts: Input"),
    (swapped_bets, "debator_bets.2: the bet is of opposition rebuttal"),
    (one_bet_less, "bets where"),
    (setting("opposition_model", to=""), "opposition_model: "),
    (setting("opposition_model", to=BETA), "is a debate with oneself; here are"),
    (setting("debate_type", to="baseline"), "debate_type 'baseline' is not known; kno"),
    (setting("debate_type", to=3), "debate_type: Input should be a valid string"),
    (lambda _: [], "the file: Input should be a valid dictionary"),
    (lambda _: "text", "the file: Input should be a valid dictionary"),
    (lambda _: None, "the file: Input should be a valid dictionary"),
]


@pytest.mark.parametrize("make", [three_rounds, four_rounds])
@pytest.mark.parametrize(("change", "reason"), BOTH)
def test_what_stops_a_file(
    make: Callable[[], Any], change: Callable[[Any], Any], reason: str
) -> None:
    with pytest.raises(UnreadableError, match=r"^[^\n]+$") as error:
        read(change(make()))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without("prompts"), "prompts: Field required"),
        (without("prompts", "judge_prompt"), "prompts.judge_prompt: Field required"),
        (setting("judge_results", 0, "winner", to="tie"), "judge_results.0.winner"),
        (setting("judge_results", 1, "confidence", to=120), "judge_results.1.conf"),
        (setting("judge_results", 0, "pass", to=1), "judge_results.0.pass: Extra"),
        (
            setting("debator_token_counts", ALPHA, "failed_calls", to=-1),
            f"debator_token_counts.{ALPHA}.failed_calls",
        ),
        (
            setting("debate_type", to="private_self_bet"),
            "'private_self_bet' has 4 rounds; here are 3",
        ),
    ],
)
def test_what_stops_a_file_of_three_rounds(
    change: Callable[[Any], Any], reason: str
) -> None:
    with pytest.raises(UnreadableError) as error:
        read(change(cross_model()))
    assert reason in str(error.value)


def test_four_rounds_of_a_condition_of_three() -> None:
    with pytest.raises(UnreadableError, match="has 3 rounds; here are 4"):
        read(four_rounds("private_same_debator"))


def test_several_faults_are_counted() -> None:
    content = setting("debator_bets", 0, "amount", to=-5)(three_rounds())
    del content["motion"]
    with pytest.raises(UnreadableError, match=r"motion: Field required \(and 1 more\)"):
        read(content)
