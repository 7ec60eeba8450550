"""Released debates as records: nothing is invented, nothing is lost."""

import math
from typing import Any

from inspect_debate.debate.outcome import Outcome, outcome
from inspect_debate.debate.record import DebateRecord, Parsed, Status
from inspect_debate.solvers.bet_records import as_recorded, bets, sides_of
from inspect_debate.transcripts.debates import Arm, arms_of, debate_of, prompts_of
from inspect_debate.transcripts.samples import model_usage, record_of, role_usage
from tests.transcripts.made import (
    ALPHA,
    BETA,
    GAMMA,
    JURY,
    PROMPTS,
    cross_model,
    four_rounds,
    speech,
    three_rounds,
    verdict,
)


def arm(*contents: dict[str, Any]) -> Arm:
    debates = [debate_of(f"{n}", f"{n}.json", c) for n, c in enumerate(contents)]
    (made,) = arms_of(debates)
    return made


def records(*contents: dict[str, Any]) -> list[DebateRecord]:
    made = arm(*contents)
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
    assert arm(whole, odd).jurors == arm(odd, whole).jurors == expected


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
    made = arm(three_rounds())
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
    (made,) = arms_of([later, sooner, other])
    assert [made.repetition(debate) for debate in made.debates] == [2, 1, 1]
    assert made.models == [ALPHA, BETA]


def test_tokens_by_model_and_role() -> None:
    (debate,) = arm(cross_model()).debates
    used = {model: usage.total_tokens for model, usage in model_usage(debate).items()}
    assert used == {ALPHA: 1500, BETA: 1500, GAMMA: 340, "acme/beta": 340}
    used = {role: usage.input_tokens for role, usage in role_usage(debate).items()}
    assert used == {"debater_a": 1000, "debater_b": 1000, "judge": 600}


def test_tokens_of_both_sides_of_one_model_are_no_ones_own() -> None:
    (debate,) = arm(three_rounds()).debates
    assert {m: u.output_tokens for m, u in model_usage(debate).items()} == {ALPHA: 500}
    assert role_usage(debate) == {}
    (debate,) = arm(four_rounds()).debates
    assert model_usage(debate) == {}


def test_a_juror_that_debates_spends_for_both() -> None:
    jury = [verdict(ALPHA, "opposition", 60)]
    (debate,) = arm(cross_model(jury=jury)).debates
    assert model_usage(debate)[ALPHA].total_tokens == 1500 + 340
