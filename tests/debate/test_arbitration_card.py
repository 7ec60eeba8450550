"""What a person reads of a debate about a passage, from records made by hand."""

import pytest

from inspect_debate.solvers.knowledge_conflict import decision_card
from tests.support.clash_records import agents, contextual, held, prior, series


def test_a_debate_at_a_glance() -> None:
    turns = [prior(), contextual(), *series("R?U")]
    warnings = ("Both are one model.",)
    record = held("srdcr", *turns, rounds=3, warnings=warnings)
    lines = decision_card(record).splitlines()
    for line in (
        "**Outcome: 1902**",
        "| from the passage | 1911 | 0.800 | its tokens have log-probabilities |",
        "| from memory | 1902 | 0.950 | its tokens have log-probabilities |",
        "| after round | 0 | 1 | 2 |",
        "| verdict | reasonable | (unparsed) | unreasonable |",
        "| few_shot | 1911 |",
        "| srdcr | 1902 |",
        "⚠ Both are one model.",
    ):
        assert line in lines, line
    assert not any(line.startswith("| golden") for line in lines), "known elsewhere"


def test_a_card_without_a_debate_says_why_and_keeps_its_tables() -> None:
    record = held(
        "srdcr",
        prior("a|b", None),
        contextual(None),
        skip_reason="the Defender's answer is unparsed",
    )
    card = decision_card(record)
    assert "**Outcome: none, as it could not be read**" in card
    assert "No debate: the Defender's answer is unparsed." in card
    assert "| from memory | a\\|b |  | nothing was asked for |" in card
    assert "| from the passage | (unparsed) |  | the answer is unparsed |" in card
    assert "after round" not in card


@pytest.mark.parametrize("protocol", ["self_ask", "rci", "naive_debate"])
def test_a_card_of_answers_from_the_passage_alone(protocol: str) -> None:
    card = decision_card(held(protocol, agents(["1911"], ["1871"])))
    assert f"**Outcome: {'1911' if protocol == 'self_ask' else '1871'}**" in card
    assert "from memory" not in card
