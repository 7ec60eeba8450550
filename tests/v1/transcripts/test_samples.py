"""Released debates as records, with rebuilt prompts; nothing is invented or lost."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent

from inspect_debate.v1.debate.outcome import Outcome, outcome
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status
from inspect_debate.v1.solvers.bet_records import as_recorded, bets, sides_of
from inspect_debate.v1.transcripts.debates import (
    ConditionDebates,
    conditions_of,
    debate_of,
    prompts_of,
)
from inspect_debate.v1.transcripts.samples import (
    MARK,
    Rebuilt,
    events_of,
    is_placeholder,
    model_usage,
    record_of,
    role_usage,
    zero_was_bet,
)
from tests.v1.transcripts.made import (
    ALPHA,
    BETA,
    GAMMA,
    JURY,
    MOTION,
    PROMPTS,
    SIDES,
    SPEECHES,
    cross_model,
    four_rounds,
    speech,
    three_rounds,
    verdict,
)


def condition(*contents: dict[str, Any]) -> ConditionDebates:
    debates = [debate_of(f"{n}", f"{n}.json", c) for n, c in enumerate(contents)]
    (made,) = conditions_of(debates)
    return made


def records(*contents: dict[str, Any]) -> list[DebateRecord]:
    made = condition(*contents)
    return [
        record_of(debate, made, prompts_of(debate.prompts), "fingerprint")
        for debate in made.debates
    ]


def test_a_record() -> None:
    (record,) = records(cross_model())
    assert (record.study, record.protocol) == ("confidence", "cross_model")
    assert (record.choices, record.epoch) == (("proposition", "opposition"), 1)
    assert (record.complete, record.debated, record.seed) == (True, True, 0)
    assert sides_of(record) == {"proposition": "debater_a", "opposition": "debater_b"}
    assert [(p.id, p.role, p.name, p.model) for p in record.participants] == [
        ("debater_a", "debater_a", "Proposition", ALPHA),
        ("debater_b", "debater_b", "Opposition", BETA),
        ("judge_1", "judge", "Judge 1", GAMMA),
        ("judge_2", "judge", "Judge 2", "acme/beta"),
    ]
    assert all(participant.settings == {} for participant in record.participants)
    turn = record.of_kind("speech")[3]
    assert (turn.participant, turn.round, turn.model) == ("debater_b", 2, BETA)
    assert turn.public == speech("opposition", "rebuttal")
    assert turn.private.startswith("As opposition in the rebuttal I think")
    assert turn.fields == {
        "speech": Parsed.ok(float(len(turn.public))),
        "bet": Parsed.ok(65.0),
    }
    assert turn.usage.total_tokens == 0
    assert math.isnan(turn.seconds)
    assert (turn.calls, turn.stop_reason) == (1, "unknown")
    assert (
        DebateRecord.model_validate_json(record.model_dump_json()).turns[0].calls == 1
    )


def test_verdicts_and_their_passes() -> None:
    (record,) = records(cross_model())
    given = [
        (t.participant, t.draw, t.order, t.shown_first, t.field("answer").value)
        for t in record.of_kind("verdict")
    ]
    assert given == [
        ("judge_1", 1, "ab", "debater_a", "opposition"),
        ("judge_1", 2, "ab", "debater_a", "proposition"),
        ("judge_2", 1, "ab", "debater_a", "opposition"),
        ("judge_2", 2, "ab", "debater_a", "opposition"),
    ]
    assert record.of_kind("verdict")[0].public == JURY[0]["logic"]
    assert outcome(record) == Outcome("opposition", "ok")
    assert record.parameters["jury_passes"] == 2
    assert record.warnings == ("The juror acme/beta is also a debater.",)


def test_passes_that_are_missing_stay_missing() -> None:
    whole, half = records(cross_model(), cross_model(jury=[JURY[3]]))
    assert half.participants == whole.participants
    assert [t.draw for t in half.of_kind("verdict")] == [1]
    assert half.of_kind("verdict")[0].participant == "judge_2"
    assert half.parameters == whole.parameters


def test_a_single_juror_and_none() -> None:
    (record,) = records(cross_model(jury=[verdict(GAMMA, "opposition", 60)]))
    (turn,) = record.of_kind("verdict")
    assert (turn.participant, turn.draw) == ("judge", 0)
    assert record.parameters["jury_passes"] == 1
    (record,) = records(cross_model(jury=()))
    assert record.parameters["jury_passes"] == 0
    assert [p.role for p in record.participants] == ["debater_a", "debater_b"]


def test_which_file_comes_first_does_not_change_the_jurors() -> None:
    whole = cross_model()
    odd = cross_model(jury=[JURY[3], verdict("a/third", "opposition", 60), JURY[0]])
    expected = {"a/third": "judge_1", "acme/beta": "judge_2", GAMMA: "judge_3"}
    assert condition(whole, odd).jurors == condition(odd, whole).jurors == expected


def test_zeros() -> None:
    content = three_rounds(amounts=(0, 0, 0, 0, 60, 60))
    for number, text in enumerate(["NA", "So I bet 0.", "I will bet 55", ""]):
        content["debator_bets"][number]["thoughts"] = text
    (record,) = records(content)
    found = bets(record)
    assert found["opposition", 1] == Parsed.ok(0.0)
    missing = [key for key, bet in found.items() if bet.status == Status.MISSING]
    assert missing == [("proposition", 1), ("proposition", 2), ("opposition", 2)]
    assert {bet.value for bet in as_recorded(record).values()} == {0.0, 60.0}
    assert record.of_kind("speech")[0].private == "NA"
    assert record.of_kind("speech")[0].fields["recorded_bet"] == Parsed.ok(0.0)
    assert "recorded_bet" not in record.of_kind("speech")[1].fields
    assert record.warnings[0] == (
        "The bet of the proposition's opening is missing: the release has 0 for it."
    )
    assert len(record.warnings) == 3


def test_an_empty_speech() -> None:
    content = three_rounds()
    content["opposition_output"]["speeches"]["closing"] = " \n"
    (record,) = records(content)
    assert record.turns[-1].field("speech").status == Status.MISSING
    assert record.turns[-1].field("bet") == Parsed.ok(75.0)


def test_what_the_conditions_are() -> None:
    names = (
        *("opponent_note", "win_probability", "bet_visibility", "own_bets_shown"),
        *("bet_reasoning", "bet_as", "rounds", "turn_order", "jury_passes"),
    )
    both, now, then = "both", "simultaneous", "sequential"
    expected = {
        "private_bet": ("none", None, "private", True, "standard", both, 3, now, 0),
        "private_same_debator": (
            *("self", None, "private", True, "standard", both, 3, now, 0),
        ),
        "private_same_debator_informed": (
            *("self", 50, "private", False, "standard", both, 3, now, 0),
        ),
        "PUBLIC_SAME_DEBATOR": (
            *("self", None, "public", True, "standard", both, 3, now, 0),
        ),
        "readteam_debate": (
            *("self", None, "private", False, "redteam", both, 3, now, 0),
        ),
    }
    for debate_type, values in expected.items():
        (record,) = records(three_rounds(debate_type))
        assert tuple(record.parameters[name] for name in names) == values
    (record,) = records(four_rounds())
    assert tuple(record.parameters[name] for name in names) == (
        *("self", None, "private", False, "standard", "stake", 4, then, 0),
    )


def test_four_rounds() -> None:
    (record,) = records(four_rounds())
    assert [t.round for t in record.turns] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert record.turns[5].public == speech("opposition", "rebuttal_2")
    assert bets(record)["proposition", 4] == Parsed.ok(65.0)


def test_the_prompts_of_the_transcript_are_laid_over_ours() -> None:
    made = condition(three_rounds())
    prompts = prompts_of(made.debates[0].prompts)
    assert prompts.render("opening_structure") == PROMPTS["first_speech_prompt"]
    assert prompts.render("juror_system") == PROMPTS["judge_prompt"]
    assert prompts.texts["judging_guidance"] == ""
    assert prompts.texts["opening_line"] == prompts_of(None).texts["opening_line"]
    told, untold = records(three_rounds())[0], records(four_rounds())[0]
    assert told.prompts.hash != untold.prompts.hash == prompts_of(None).used().hash


def test_repetitions_are_counted_in_time() -> None:
    later = debate_of("x_20250601_000000", "a.json", three_rounds())
    sooner = debate_of("y_20250501_000000", "b.json", three_rounds())
    other = debate_of("z_20250401_000000", "c.json", three_rounds(models=(BETA, BETA)))
    (made,) = conditions_of([later, sooner, other])
    assert [made.repetition(debate) for debate in made.debates] == [2, 1, 1]
    assert made.models == [ALPHA, BETA]


def test_tokens_by_model_and_role() -> None:
    (debate,) = condition(cross_model()).debates
    used = {model: usage.total_tokens for model, usage in model_usage(debate).items()}
    assert used == {ALPHA: 1500, BETA: 1500, GAMMA: 340, "acme/beta": 340}
    used = {role: usage.input_tokens for role, usage in role_usage(debate).items()}
    assert used == {"debater_a": 1000, "debater_b": 1000, "judge": 600}


def test_tokens_of_both_sides_of_one_model_are_no_ones_own() -> None:
    (debate,) = condition(three_rounds()).debates
    assert {m: u.output_tokens for m, u in model_usage(debate).items()} == {ALPHA: 500}
    assert role_usage(debate) == {}
    (debate,) = condition(four_rounds()).debates
    assert model_usage(debate) == {}


def test_a_juror_that_debates_spends_for_both() -> None:
    jury = [verdict(ALPHA, "opposition", 60)]
    (debate,) = condition(cross_model(jury=jury)).debates
    assert model_usage(debate)[ALPHA].total_tokens == 1500 + 340


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
    (condition,) = conditions_of([debate_of("x", "x.json", content)])
    prompts = prompts_of(condition.debates[0].prompts)
    record = record_of(condition.debates[0], condition, prompts, "")
    return events_of(Rebuilt(record, condition.parameters, prompts, MOTION), "x", BEGAN)


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


@pytest.mark.parametrize(
    ("text", "placeholder"),
    [
        ("NA", True),
        (" na\n", True),
        ("N/A", True),
        ("", True),
        ("  \n", True),
        ("None", True),
        ("80", False),
        ("NASA has spoken.", False),
    ],
)
def test_placeholders(text: str, placeholder: bool) -> None:
    assert is_placeholder(text) == placeholder
    assert not zero_was_bet(text)


@pytest.mark.parametrize(
    "text",
    [
        "We are alike. To bet anything but zero would make no sense.",
        "I am at 50%, so I will bet 0.",
        "So I bet 0 tokens.",
        "My bet is **0**.",
        "my bet: 0",
        "Bet amount = 0",
        "<bet_amount>0</bet_amount>",
        "I'll bet nothing.",
        "I stake 0/100",
        "The wager should be zero",
        "Betting nothing keeps what I have.",
        "It is 50/50, so zero is the only sound bet.",
        "A 0 bet.",
        "I would rather not bet.",
        "I decide not to bet at all.",
        "I won’t bet anything.",
        "No bet at all, then.",
        "I refrain from betting.",
        "Instead of betting 50 I bet 0.",
        "I could bet 60, but would rather bet nothing.",
        "Bets go from 0 to 100. I bet none.",
    ],
)
def test_nothing_was_bet(text: str) -> None:
    assert zero_was_bet(text)


@pytest.mark.parametrize(
    "text",
    [
        "My case is strong, and I am co",
        "I will bet 55",
        "I could bet 0, but I will bet 55.",
        "Rather than bet nothing I bet 40.",
        "I would not bet zero.",
        "I have zero doubts about winning.",
        "Nothing they said holds; my chance is 70%.",
        "The bet is from 0 to 100, in a zero-sum game.",
        "A bet between 0 and 100 is asked for.",
        "I won't bet too much.",
        "I do not bet more than 40.",
        "There is 0% doubt, but I bet with care.",
        "I bet 0.5 of it.",
        "A bet of 60% of my tokens seems right.",
        "<rebuttal>Their evidence is weak.</rebuttal>",
        "The stakes are high for all. None of the ships will sink.",
    ],
)
def test_no_bet_of_nothing_is_told(text: str) -> None:
    assert not zero_was_bet(text)


def test_a_long_text_takes_no_time() -> None:
    assert not zero_was_bet("bet betting a a a a a not to " * 20_000)
