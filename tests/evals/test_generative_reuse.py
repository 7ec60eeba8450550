"""Answers are asked for and graded once, and serve every format."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.support.generative import PROTOCOLS, SPOKEN, description_of, marked
from tests.support.generative_runs import (
    SAMPLE,
    TASKS,
    held_on_tasks,
    identity,
    who_is_graded,
)
from tests.support.models import calls_of, scripted
from tests.support.runs import records, run, samples, values

JUDGED = [name for name in PROTOCOLS if FORMATS[name].proposers]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    log_dir = tmp_path_factory.mktemp("answers")
    return held_on_tasks(log_dir, protocol="dual_no_transcript")


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was graded."""
    return who_is_graded(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "best_of"),
    [*((name, None) for name in JUDGED), *((name, 4) for name in SPOKEN)],
)
def test_answers_of_one_run_serve_every_format(
    protocol: GenerativeProtocol,
    best_of: int | None,
    answers: EvalLog,
    graded: list[str],
    tmp_path: Path,
) -> None:
    log = held_on_tasks(
        tmp_path, protocol=protocol, reuse=answers.location, best_of=best_of
    )
    assert not graded
    earlier = {sample.id: identity(sample) for sample in samples(answers)}
    assert len(samples(log)) == TASKS
    for sample, record in zip(samples(log), records(log), strict=True):
        asked = [turn for turn in record.turns if not turn.reused]
        assert not [turn for turn in asked if turn.kind == "answer"]
        assert values(sample, "verdicts")["calls"] == sum(turn.calls for turn in asked)
        assert all(grade.reused for grade in record.grades)
        assert len(record.grades) == FORMATS[protocol].proposers
        assert record.reused_from == answers.eval.eval_id
        answer_set, by_seat = identity(sample)
        set_there, by_seat_there = earlier[sample.id]
        assert by_seat["debater_a"] == by_seat_there["debater_a"]
        if FORMATS[protocol].proposers == 2:
            assert (answer_set, by_seat) == (set_there, by_seat_there)
        else:
            assert set(by_seat) == {"debater_a"}
            assert answer_set != set_there


def test_an_answer_is_graded_once_where_it_is_given(
    graded: list[str], tmp_path: Path
) -> None:
    log = held_on_tasks(tmp_path, protocol="dual_debate", judge_answer=True)
    different = sum(
        len({str(turn.field("answer").value) for turn in record.of_kind("answer")})
        for record in records(log)
    )
    assert len(graded) == different
    assert all(len(record.grades) == 3 for record in records(log))


def test_what_is_right_is_known_from_the_earlier_run(
    answers: EvalLog, tmp_path: Path
) -> None:
    log = held_on_tasks(tmp_path, protocol="dual_debate", reuse=answers.location)
    names = ("right_a", "right_b", "regime", "part_share_a", "answers_identical")
    there = {sample.id: values(sample, "verdicts") for sample in samples(answers)}
    for sample in samples(log):
        found = values(sample, "verdicts")
        assert [found[n] for n in names] == [there[sample.id][n] for n in names]
        assert found["grade_seconds"] == 0


def test_participants_keep_the_settings_of_what_is_reused(tmp_path: Path) -> None:
    there = run(
        generative(**SAMPLE, protocol="dual_no_transcript"),
        tmp_path,
        temperature=0.4,
        limit=1,
    )
    [record] = records(held_on_tasks(tmp_path, reuse=there.location))
    proposer = record.participant("debater_a").settings
    assert proposer["answer"]["temperature"] == 0.4
    assert proposer["speech"]["temperature"] == 1.0


def test_one_answer_serves_no_format_with_two(tmp_path: Path) -> None:
    log = held_on_tasks(tmp_path, protocol="single_no_transcript", limit=2)
    with pytest.raises(InputError) as caught:
        generative(**SAMPLE, protocol="dual_debate", reuse=log.location)
    message = str(caught.value)
    assert "ran protocol=single_no_transcript" in message
    allowed = message.partition("allowed: ")[2]
    assert allowed == "dual_debate, dual_consultancy, dual_no_transcript."
    generative(**SAMPLE, protocol="single_debate", reuse=log.location)


def test_a_run_without_proposers_has_nothing_to_reuse(tmp_path: Path) -> None:
    log = held_on_tasks(tmp_path, protocol="direct_qa", limit=2)
    with pytest.raises(InputError, match="ran protocol=direct_qa"):
        generative(**SAMPLE, protocol="single_debate", reuse=log.location)


@pytest.mark.parametrize("protocol", ["dual_debate", "single_no_transcript"])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"config.answer.temperature": 0.7}, "answer is"),
        ({"config.answer.max_tokens": 100}, "answer is"),
        ({"config.max_reasks": 0}, "max_reasks is 1 there and 0 here"),
    ],
)
def test_other_settings_are_refused(
    protocol: GenerativeProtocol, answers: EvalLog, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as caught:
        generative(**SAMPLE, protocol=protocol, reuse=answers.location, **asked)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("key", "text", "refused"),
    [
        ("answer_grids", "{item} Solve it. End with {blocks}.", True),
        ("blocks_one", "the grid", True),
        ("untrusted", "Trust nothing.", False),
        ("speech_first", "Speak, {name}.", False),
        ("ruling", "Rule: {form}", False),
    ],
)
def test_only_other_prompts_of_what_is_reused_are_refused(
    key: str, text: str, refused: bool, answers: EvalLog, tmp_path: Path
) -> None:
    path = tmp_path / "prompts.yaml"
    path.write_text(f"{key}: |\n  {text}\n", encoding="utf-8")
    what: dict[str, Any] = {"prompts": str(path), "reuse": answers.location}
    if not refused:
        generative(**SAMPLE, **what)
        return
    with pytest.raises(InputError, match=f"the prompt '{key}' is another one there"):
        generative(**SAMPLE, **what)


def test_other_settings_of_speeches_and_verdicts_are_no_hindrance(
    answers: EvalLog,
) -> None:
    changed: dict[str, Any] = {
        "config.speech.temperature": 0.2,
        "config.verdict.temperature": 0.2,
        "config.word_limit": 50,
        "rounds": 1,
        "best_of": 2,
        "turn_order": "sequential",
        "order": "both",
        "judge_answer": True,
    }
    generative(**SAMPLE, reuse=answers.location, **changed)


def test_another_proposer_is_refused(answers: EvalLog, tmp_path: Path) -> None:
    log = held_on_tasks(
        tmp_path, "simulated/perfect", reuse=answers.location, success=False
    )
    assert log.status == "error"
    assert log.error is not None
    assert "was simulated/balanced there and is simulated/perfect" in log.error.message
    strangers = {"judge": "simulated/perfect", "debater_b": "simulated/perfect"}
    what = {"protocol": "single_no_transcript", "reuse": answers.location}
    other = held_on_tasks(tmp_path, roles=strangers, **what)
    assert other.status == "success", "whoever takes no part may be anybody"


def test_fresh_answers_of_another_run_can_be_used_again(tmp_path: Path) -> None:
    fresh = held_on_tasks(tmp_path, protocol="single_no_transcript", answers="fresh")
    log = held_on_tasks(tmp_path, protocol="single_debate", reuse=fresh.location)
    assert list(map(identity, samples(log))) == list(map(identity, samples(fresh)))


def test_a_cache_serves_all_formats_without_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    ids = set()
    for number, protocol in enumerate(JUDGED):
        model = scripted(marked, "debater")
        judge = scripted(marked, "judge")
        log = run(
            generative(**SAMPLE, protocol=protocol),
            tmp_path,
            model=model,
            roles={"judge": judge},
            limit=1,
            cache=True,
        )
        asked = [description_of(call).kind for call in calls_of(model)]
        assert asked.count("answer") == (2 if number == 0 else 0), protocol
        [sample] = samples(log)
        ids.add(identity(sample)[1]["debater_a"])
    assert len(ids) == 1


def orders_of(log: EvalLog) -> dict[str, set[object]]:
    told = zip(samples(log), records(log), strict=True)
    return {str(s.id): {t.order for t in r.of_kind("verdict")} for s, r in told}


def test_a_task_keeps_its_order_in_every_part_of_the_data_set(tmp_path: Path) -> None:
    def held(name: str, seed: int = 0, **part: Any) -> dict[str, set[object]]:
        settings = {"source": "sample", "protocol": "dual_no_transcript", "seed": seed}
        log = run(generative, tmp_path / name, task_args=settings, **part)
        return orders_of(log)

    whole = held("whole")
    assert len(whole) > 8
    first = sum(order == {"ab"} for order in whole.values())
    assert abs(2 * first - len(whole)) <= 2
    parts = [
        held("limit", limit=3),
        held("range", limit=(4, 7)),
        held("shuffled", sample_shuffle=5, limit=4),
        held("named", sample_id=[*whole][5:8]),
        held("seed", seed=7, limit=3),
    ]
    for part in parts:
        assert part == {id: whole[id] for id in part}
    assert len({id for part in parts for id in part}) > 8
