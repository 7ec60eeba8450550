"""What is malformed is counted for what it is and never becomes a label."""

import math
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ChatMessage
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import Kind, Status, Turn
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad
from tests.support.hostile import UNREADABLE, held, plain
from tests.support.models import Reply, Script
from tests.support.runs import item, metrics, record, records, samples, values
from tests.support.structure import check_prompts

UNCAPPED = {"max_unparsed": None}  # or a run of which nothing is read would end


def unreadable(participant: str, kind: Kind) -> Script:
    """One participant cannot be read in one kind of turn."""

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        if (description.participant, description.kind) == (participant, kind):
            return UNREADABLE[description.sample].output
        return plain(description)

    return say


def check_counted(sample: EvalSample, kind: Kind, turns: list[Turn]) -> None:
    """The turns have their own status, in the record and among the counts."""
    expected = UNREADABLE[str(sample.id)].status
    for turn in turns:
        fields = {name: parsed.status for name, parsed in turn.fields.items()}
        assert fields == dict.fromkeys(turn.fields, expected), sample.id
        assert all(parsed.value is None for parsed in turn.fields.values())
        # Only what is unparsed is asked for again.
        assert turn.calls == (2 if expected == Status.UNPARSED else 1), sample.id
    counts = values(sample, "debate_process")
    for status in (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED):
        found = {k: counts[f"{k}_{status}"] for k in ("answer", "speech", "verdict")}
        mine = len(turns) if status == expected else 0
        assert found == {"answer": 0, "speech": 0, "verdict": 0, kind: mine}, sample.id


def check_undecided(sample: EvalSample) -> None:
    """No label came of it, under no convention of any column."""
    expected = UNREADABLE[str(sample.id)].status
    score = values(sample, "error_detection")
    for key in ("prediction", "correct"):
        assert math.isnan(score.get(key, math.nan)), sample.id
    for status in ("tied", "unparsed", "refused", "truncated", "missing"):
        assert score[f"outcome_{status}"] == (status == expected), sample.id
    assert sample.scores is not None
    assert sample.scores["error_detection"].answer == f"({expected})"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "participant", "kind"),
    [
        (single(config=UNCAPPED), "debater_a", "answer"),
        (colmad(config=UNCAPPED), "debater_a", "answer"),
        (colmad(config=UNCAPPED), "debater_b", "answer"),
        (colmad(config=UNCAPPED), "judge", "verdict"),
        (colmad(rounds=0, config=UNCAPPED), "judge", "verdict"),
        (judge_alone(config=UNCAPPED), "judge", "verdict"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_is_no_label(
    solver: Solver, participant: str, kind: Kind, tmp_path: Path
) -> None:
    items = [item(name) for name in UNREADABLE]
    log, _ = held(solver, tmp_path, unreadable(participant, kind), items)
    for sample in samples(log):
        turns = [
            turn
            for turn in record(sample).of_kind(kind)
            if turn.participant == participant
        ]
        assert len(turns) == 1
        check_counted(sample, kind, turns)
        check_undecided(sample)
        verdicts = record(sample).of_kind("verdict")
        assert len(verdicts) == (kind == "verdict")
    # What was written can be read again.
    assert records(read_eval_log(log.location)) == records(log)
    found = metrics(log, "error_detection")
    assert found["no_prediction_rate"] == 1
    assert found["items"] == len(UNREADABLE)


@pytest.mark.slow
@pytest.mark.parametrize("participant", ["debater_a", "debater_b"])
def test_a_speech_that_cannot_be_read_is_counted(
    participant: str, tmp_path: Path
) -> None:
    items = [item(name) for name in UNREADABLE]
    log, calls = held(
        colmad(config=UNCAPPED), tmp_path, unreadable(participant, "speech"), items
    )
    for sample in samples(log):
        speeches = record(sample).of_kind("speech")
        own = [turn for turn in speeches if turn.participant == participant]
        assert len(own) == 2
        check_counted_speeches(sample, own)
        # The judge decides all the same.
        assert values(sample, "error_detection")["prediction"] == 1
        check_prompts(sample, calls)


def check_counted_speeches(sample: EvalSample, own: list[Turn]) -> None:
    """Like other turns; but a final line may be read where the argument cannot."""
    only = [
        turn.model_copy(update={"fields": {"argument": turn.field("argument")}})
        for turn in own
    ]
    check_counted(sample, "speech", only)
    assert all(turn.field("final").value is None for turn in own), sample.id
    assert all(turn.field("confidence").value is None for turn in own), sample.id


PROMPTS = load_prompts("colmad").texts


def test_an_echoed_prompt_is_no_verdict(tmp_path: Path) -> None:
    echoed(judge_alone(), "verdict", [*PROMPTS], ["judge_system"], tmp_path)


def test_the_judges_own_instructions_are_no_verdict(tmp_path: Path) -> None:
    echoed(judge_alone(), "verdict", ["judge_system"], [], tmp_path)


def test_an_echoed_prompt_is_no_answer(tmp_path: Path) -> None:
    echoed(single(), "answer", ["answer", "answer_reminder"], [], tmp_path)


def echoed(
    solver: Solver, kind: Kind, keys: list[str], but: list[str], log_dir: Path
) -> None:
    """A model repeats a prompt that it was given; no label may come of it."""
    own = ("answer",) if kind == "answer" else ("judge", "verdict")
    names = [key for key in keys if key.startswith(own) and key not in but]
    assert names

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return PROMPTS[description.sample]

    log, _ = held(solver, log_dir, say, [item(name) for name in names])
    for sample in samples(log):
        (turn,) = record(sample).turns
        assert turn.field("answer").status == Status.UNPARSED, sample.id


def test_a_speech_of_a_megabyte_is_cut_and_counted(tmp_path: Path) -> None:
    def say(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        if (description.participant, description.kind) == ("debater_a", "speech"):
            return f"<argument>{'much ' * 200_000}\nFinal: 1\nConf: 0.9</argument>"
        return plain(description)

    solver = colmad(rounds=1, config={"max_characters": 5_000})
    log, calls = held(solver, tmp_path, say, [item("long")])
    (sample,) = samples(log)
    counts = values(sample, "debate_process")
    assert (counts["speech_capped"], counts["speech_ok"]) == (1, 1)
    assert (counts["final_capped"], counts["reasks"]) == (1, 0)
    assert values(sample, "error_detection")["prediction"] == 1
    speech = record(sample).of_kind("speech")[0]
    assert 4_900 < len(speech.public) <= 5_000
    assert all(len(call.prompt) < 12_000 for call in calls)
    assert record(sample).parameters["max_characters"] == 5_000
    with_default = held(colmad(rounds=1), tmp_path, say, [item("long")])[1]
    assert max(len(call.prompt) for call in with_default) < 130_000
