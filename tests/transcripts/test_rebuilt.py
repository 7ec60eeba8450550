"""The rebuilt prompts: who could read what, and that they say they are rebuilt."""

from datetime import UTC, datetime
from typing import Any

import pytest
from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent

from inspect_debate.transcripts.debates import arms_of, debate_of, prompts_of
from inspect_debate.transcripts.samples import MARK, Rebuilt, events_of, record_of
from tests.transcripts.made import (
    MOTION,
    PROMPTS,
    SIDES,
    SPEECHES,
    cross_model,
    four_rounds,
    three_rounds,
)

BEGAN = datetime(2025, 5, 3, 14, 27, 12, tzinfo=UTC)
RELEASED_TYPES = (
    *("private_same_debator", "private_same_debator_informed"),
    *("PUBLIC_SAME_DEBATOR", "readteam_debate"),
)


def marked(content: dict[str, Any]) -> dict[str, Any]:
    """A transcript in which each speech and each reasoning has a mark of its own."""
    for side in SIDES:
        speeches = content[f"{side}_output"]["speeches"]
        for name in speeches:
            speeches[name] += f" SAID-{side}-{name}."
    for made in content["debator_bets"]:
        made["thoughts"] += f" THOUGHT-{made['side']}-{made['speech_type']}."
    return content


def events(content: dict[str, Any]) -> list[Any]:
    (arm,) = arms_of([debate_of("x", "x.json", content)])
    prompts = prompts_of(arm.debates[0].prompts)
    record = record_of(arm.debates[0], arm, prompts, "")
    return events_of(Rebuilt(record, arm.parameters, prompts, MOTION), "x", BEGAN)


def asked(content: dict[str, Any]) -> list[str]:
    """The prompts of a debate's calls, in order, both messages as one text."""
    calls = [event for event in events(content) if isinstance(event, ModelEvent)]
    return ["\n".join(message.text for message in call.input) for call in calls]


def seen(prompt: str, kind: str) -> set[str]:
    """The marks of a kind that stand in a prompt."""
    return {
        f"{side}-{name}"
        for side in SIDES
        for name in {*SPEECHES[3], *SPEECHES[4]}
        if f"{kind}-{side}-{name}." in prompt
    }


@pytest.mark.parametrize("debate_type", RELEASED_TYPES)
def test_three_rounds_are_simultaneous(debate_type: str) -> None:
    prompts = asked(marked(three_rounds(debate_type)))
    for number, prompt in enumerate(prompts):
        before = SPEECHES[3][: number // 2]
        assert seen(prompt, "SAID") == {f"{s}-{n}" for s in SIDES for n in before}


def test_four_rounds_are_sequential() -> None:
    prompts = asked(marked(four_rounds()))
    turns = [f"{side}-{name}" for name in SPEECHES[4] for side in SIDES]
    for number, prompt in enumerate(prompts):
        assert seen(prompt, "SAID") == {*turns[:number]}
        assert seen(prompt, "THOUGHT") == set()


@pytest.mark.parametrize("debate_type", RELEASED_TYPES)
def test_private_reasoning_is_shown_to_oneself_alone(debate_type: str) -> None:
    own = debate_type in ("private_same_debator", "PUBLIC_SAME_DEBATOR")
    for number, prompt in enumerate(asked(marked(three_rounds(debate_type)))):
        before = SPEECHES[3][: number // 2] if own else ()
        assert seen(prompt, "THOUGHT") == {f"{SIDES[number % 2]}-{n}" for n in before}


@pytest.mark.parametrize(
    ("debate_type", "shown"),
    [
        ("private_same_debator", {"61"}),
        ("private_same_debator_informed", set()),
        ("PUBLIC_SAME_DEBATOR", {"61", "57"}),
        ("readteam_debate", set()),
    ],
)
def test_whose_bets_are_shown(debate_type: str, shown: set[str]) -> None:
    content = three_rounds(debate_type, amounts=(61, 57, 70, 65, 80, 75))
    prompt = asked(content)[2]  # the proposition's rebuttal
    assert {amount for amount in ("61", "57") if f"{amount}/100" in prompt} == shown


def test_a_bet_that_was_typed_for_a_missing_one_was_shown() -> None:
    content = three_rounds(amounts=(0, 57, 70, 65, 80, 75))
    content["debator_bets"][0]["thoughts"] = "NA"
    assert "0/100" in asked(content)[2]


def test_jurors_see_speeches_and_no_bets() -> None:
    content = marked(cross_model(amounts=(61, 57, 71, 67, 83, 79)))
    content["opposition_output"]["speeches"]["closing"] += (
        "\n**<bet_amount>79</bet_amount>**"
    )
    prompts = asked(content)[6:]
    assert len(prompts) == 4
    for prompt in prompts:
        assert len(seen(prompt, "SAID")) == 6
        assert seen(prompt, "THOUGHT") == set()
        assert PROMPTS["judge_prompt"] in prompt
        assert not any(amount in prompt for amount in ("61", "57", "71", "79"))


def test_the_structures_are_the_released_ones() -> None:
    prompts = asked(three_rounds())
    for number, key in enumerate(
        ("first_speech_prompt", "rebuttal_speech_prompt", "final_speech_prompt")
    ):
        for side, prompt in zip(SIDES, prompts[2 * number :][:2], strict=True):
            assert PROMPTS[key] in prompt
            assert MOTION in prompt
            assert side in prompt


def test_events_are_those_of_a_run() -> None:
    found = events(cross_model())
    begun = [event for event in found if isinstance(event, SpanBeginEvent)]
    assert [event.name for event in begun] == [
        "solvers",
        "inspect_debate/confidence",
        *(f"Round {n}, debater {who}" for n in (1, 2, 3) for who in "AB"),
        *(
            f"Verdict {n}, judge {who} (debater A shown first)"
            for who in (1, 2)
            for n in (1, 2)
        ),
    ]
    ended = [event.id for event in found if isinstance(event, SpanEndEvent)]
    assert sorted(ended) == sorted(event.id for event in begun)
    assert all(event.parent_id in ended for event in begun[1:])
    infos = [event.source for event in found if isinstance(event, InfoEvent)]
    assert infos == ["import", "opening", "rebuttal", "closing", "outcome"]
    assert {event.timestamp for event in found} == {BEGAN}
    assert len({event.uuid for event in found}) == len(found)
    assert [e.uuid for e in found] == [e.uuid for e in events(cross_model())]


def test_all_that_is_rebuilt_says_so() -> None:
    for event in events(cross_model()):
        if isinstance(event, ModelEvent):
            assert event.metadata == MARK
            assert all(message.metadata == MARK for message in event.input)


def test_outputs_are_what_the_release_has() -> None:
    content = three_rounds(amounts=(0, 57, 70, 65, 80, 75))
    content["debator_bets"][0]["thoughts"] = "NA"
    calls = [event for event in events(content) if isinstance(event, ModelEvent)]
    first, second = (call.output.completion for call in calls[:2])
    assert first.startswith(content["proposition_output"]["speeches"]["opening"])
    assert "<bet_logic_private>NA</bet_logic_private>" in first
    assert "<bet_amount>" not in first
    assert "<bet_amount>57</bet_amount>" in second
    assert calls[0].output.stop_reason == "unknown"
    assert calls[0].output.usage is None
    judged = events(cross_model())
    (verdict, *_) = [
        e for e in judged if isinstance(e, ModelEvent) and e.role == "judge"
    ]
    assert verdict.output.completion == cross_model()["judge_results"][0]["logic"]
