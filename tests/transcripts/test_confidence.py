"""Released transcripts as logs: what is in them, and what is odd about them."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, debate_of
from inspect_debate.solvers.bets import SIDES, stages
from inspect_debate.transcripts.confidence import CONDITIONS, import_release, was_bet
from tests.support import values

DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "none")) / "llms_overconfidence"
X, Y = "lab/x-1:free", "other/y"
MOTION = "This House would paint every lighthouse green"
FILE = "x_vs_y:free_20250316_165805"
SPEECH = "Green paint is seen from afar, and it lasts in any weather. " * 4
LEAK = "\n\n**My bet:** 85"
THOUGHTS = "I weighed both cases at length and think that mine is a little better. " * 2


def transcript(
    kind: str = "private_bet", amounts: Mapping[int, int] | None = None, **changes: Any
) -> dict[str, Any]:
    """A file of six bets of 60, or of eight; some amounts by place."""
    named = stages(4 if CONDITIONS.get(kind) == "four_round" else 3)
    models = (X, Y) if kind == "private_bet" else (X, X)
    found: dict[str, Any] = {"motion": {"topic_description": MOTION}}
    found |= {"debate_type": kind, "debator_bets": []}
    for side, model in zip(SIDES, models, strict=True):
        found[f"{side}_model"] = model
        found[f"{side}_output"] = {"speeches": dict.fromkeys(named, SPEECH)}
    for n, (stage, side) in enumerate((at, side) for at in named for side in SIDES):
        bet = {"amount": (amounts or {}).get(n, 60), "thoughts": THOUGHTS}
        found["debator_bets"].append({"side": side, "speech_type": stage, **bet})
    return found | changes


def verdict(model: str, winner: str) -> dict[str, Any]:
    said = f"<winnerName>{winner}</winnerName>"
    return {"model": model, "winner": winner, "confidence": 80, "logic": said}


def tokens(n: int) -> dict[str, int]:
    kinds = [f"_{what}_tokens" for what in ("prompt", "completion", "total")]
    return {f"{how}{kind}": n for how in ("successful", "failed") for kind in kinds}


def imported(folder: Path, **files: Any) -> dict[str, EvalLog]:
    """The logs of a release of these files, by condition."""
    some = folder / "experiments" / "some"
    some.mkdir(parents=True)
    for name, content in files.items():
        (some / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return read(folder, folder / "logs")


def read(folder: Path, out: Path) -> dict[str, EvalLog]:
    logs = [read_eval_log(str(path)) for path in import_release(folder, out)]
    return {(log.eval.metadata or {})["protocol"]: log for log in logs}


def samples(log: EvalLog) -> list[EvalSample]:
    return log.samples or []


def record(sample: EvalSample) -> Debate:
    return cast(Debate, debate_of(sample))


def value(sample: EvalSample, score: str, name: str) -> float:
    return values((sample.scores or {})[score])[name]


@pytest.mark.parametrize(("kind", "condition"), CONDITIONS.items())
def test_each_condition_is_a_log(kind: str, condition: str, tmp_path: Path) -> None:
    one = transcript(kind, {0: 55})
    one["proposition_output"]["speeches"]["opening"] += LEAK
    files = {FILE: one, "y_20250317_000000": transcript(kind)}
    (log,) = (logs := imported(tmp_path, **files)).values()
    assert [*logs] == [condition]
    header, (sample, other) = log.eval.metadata or {}, samples(log)
    rounds = 4 if condition == "four_round" else 3
    assert header["parameters"]["rounds"] == rounds
    assert header["data"]["missing_bets"] == 0
    assert (sample.id, sample.input) == ("x_vs_y_20250316_165805", MOTION)
    assert sample.started_at == log.eval.created == "2025-03-16T16:58:05+00:00"
    second = "other/y" if condition == "cross_model" else "lab/x-1"
    known = {"debater_a": "lab/x-1", "debater_b": second, "swapped": False}
    assert (sample.metadata | known) == sample.metadata
    assert [one.metadata["repetition"] for one in (sample, other)] == [1, 2]
    debate = record(sample)
    assert debate.defends == {"debater_a": "proposition", "debater_b": "opposition"}
    turns = debate.of("speech")
    assert [turn.round for turn in turns] == [n // 2 + 1 for n in range(2 * rounds)]
    assert {turn.public.strip() for turn in turns} == {SPEECH.strip()}
    assert [turn.fields["bet"] for turn in turns] == [55] + [60] * (2 * rounds - 1)
    assert {turn.fields["reasoning"] for turn in turns} == {THOUGHTS}
    assert value(sample, "bets", "opening_proposition") == 55
    assert [*(sample.scores or {})] == ["bets"]
    assert debate.answer is None


def test_verdicts_and_tokens(tmp_path: Path) -> None:
    votes = ("proposition", "opposition", "proposition", "proposition")
    given = [verdict(("j/1", Y)[n % 2], vote) for n, vote in enumerate(votes)]
    used: dict[str, Any] = {"debator_token_counts": {X: tokens(3), Y: tokens(5)}}
    used |= {"judge_token_counts": {"j/1": tokens(7), Y: tokens(11)}}
    files = {
        "a_20250101_000000": transcript(judge_results=given[1:2]),
        "b_20250102_000000": transcript(judge_results=given, **used),
    }
    log = imported(tmp_path, **files)["cross_model"]
    lone, whole = samples(log)
    turns = record(whole).of("verdict")
    assert [(t.speaker, t.draw) for t in turns] == [
        (f"juror_{juror}", draw) for draw in (1, 2) for juror in (1, 2)
    ]
    assert {turn.order for turn in turns} == {"ab"}
    assert record(lone).of("verdict")[0].speaker == "juror_2"
    assert (record(lone).answer, record(whole).answer) == ("opposition", "proposition")
    assert value(whole, "jury", "votes_proposition") == 3
    assert value(whole, "bets", "winner") == 1
    header = log.eval.metadata or {}
    assert header["changed"] == {"order": "ab"}
    assert len(header["data"]["notes"]) == 2  # fewer verdicts, one debate twice
    totals = {n: usage.total_tokens for n, usage in whole.model_usage.items()}
    assert totals == {"lab/x-1": 6, "other/y": 32, "j/1": 14}
    by_role = {n: usage.input_tokens for n, usage in whole.role_usage.items()}
    assert by_role == {"debater_a": 6, "debater_b": 10, "judge": 36}


@pytest.mark.parametrize(
    ("reasoning", "expected"),
    [
        *(("NA", False), ("", False), ("I have zero doubts.", False)),
        ("I could bet 0, but I will bet 55.", False),
        ("Bets go from 0 to 100. I am confident.", False),
        *(("I am at 50%, so I will bet 0.", True), ("My bet is **0**.", True)),
        ("I could bet 60, but would rather bet nothing.", True),
    ],
)
def test_which_zeros_were_bet(reasoning: str, expected: bool) -> None:
    assert was_bet(0, reasoning) == expected
    assert was_bet(1, reasoning)


def test_a_missing_bet_is_no_zero(tmp_path: Path) -> None:
    log = imported(tmp_path, **{FILE: transcript("readteam_debate", {3: 0})})["redteam"]
    (sample,) = samples(log)
    turn = record(sample).of("speech")[3]
    assert (turn.status, turn.fields) == ("ok", {"reasoning": THOUGHTS})
    assert isnan(value(sample, "bets", "rebuttal_opposition"))
    assert value(sample, "bets", "missing") == 1
    assert len((log.eval.metadata or {})["data"]["notes"]) == 1


def test_published_grades(tmp_path: Path) -> None:
    """From the root or from the folder of an experiment; low bets are not eligible."""
    grades = []
    for n, stage in enumerate(("opening", "rebuttal", "closing")):
        alignment: dict[str, Any] = {"degree": "Slight"}
        alignment["assessment"] = "Slight Overbetting" if n else "Aligned"
        alignment["numeric_confidence_present"] = n == 0
        analysis = {"betting_alignment": alignment}
        analysis["strategic_betting"] = {"present": "Yes"}
        bet = {"side": "proposition", "speech_type": stage}
        grades.append({"debate_id": FILE, **bet, "analysis": analysis})
    (tmp_path / "bet_analysis_results_x.json").write_text(json.dumps(grades))
    one = transcript("private_same_debator", {4: 10})
    (sample,) = samples(imported(tmp_path, **{FILE: one})["self"])
    expected = {"eligible": 5, "graded": 2, "unread": 3, "aligned_stated": 1}
    expected |= {"malformed_overbetting_unstated": 1, "strategic": 2}
    found = {name: value(sample, "bet_alignment", name) for name in expected}
    assert found == expected
    folder = tmp_path / "experiments" / "some"
    (again,) = samples(read(folder, tmp_path / "again")["self"])
    assert again.scores == sample.scores


@pytest.mark.parametrize(
    "content",
    [
        *([], transcript("another"), transcript(amounts={0: 101})),
        transcript(judge_results=[verdict("j/1", "nobody")]),
        {key: v for key, v in transcript().items() if key != "motion"},
    ],
)
def test_one_bad_file_is_refused_with_its_name(content: Any, tmp_path: Path) -> None:
    bad = "bad_20250101_000000"
    with pytest.raises(InputError, match=bad):
        imported(tmp_path, **{FILE: transcript(), bad: content})
    with pytest.raises(InputError):
        import_release(tmp_path / "logs", tmp_path)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
def test_the_release(tmp_path: Path) -> None:
    logs = read(DATA, tmp_path)
    counts = {}
    for name, log in logs.items():
        speeches = [t for one in samples(log) for t in record(one).of("speech")]
        counts[name] = (
            len(samples(log)),
            sum("bet" in turn.fields for turn in speeches),
            sum(bool(turn.private) for turn in speeches),
            sum(value(one, "bets", "short") for one in samples(log)),
            sum(value(one, "bet_alignment", "graded") for one in samples(log)),
            sum(value(one, "bet_alignment", "unread") for one in samples(log)),
            sum(one.metadata["repetition"] > 1 for one in samples(log)),
        )
        assert not any(":free" in t.model for t in speeches)
    assert counts == {
        "cross_model": (60, 360, 28, 2, 354, 0, 1),
        "self": (60, 359, 27, 8, 353, 0, 30),
        "informed_self": (60, 360, 13, 6, 352, 0, 30),
        "public": (60, 359, 53, 1, 340, 0, 30),
    }
    crossed = samples(logs["cross_model"])
    by_sum = Counter(value(one, "bets", "winner_by_confidence") for one in crossed)
    by_votes = Counter(value(one, "bets", "winner") for one in crossed)
    assert by_sum == {0.0: 38, 1.0: 21, 0.5: 1}
    assert by_votes == {0.0: 36, 1.0: 17, 0.5: 7}
    assert sum(value(one, "jury", "verdicts") for one in crossed) == 357
