"""Metrics over rulings on answers, against hand counts."""

from collections.abc import Sequence
from math import isnan, sqrt
from typing import NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage
from inspect_ai.scorer import Metric, SampleScore, Score

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.verdicts import verdict_values, verdicts
from inspect_debate.solvers.generative_debate import generative_debate
from tests.scorers.clash_scores import of
from tests.support.generative import RIGHT, WRONG, fenced, solvable
from tests.support.generative import ruled as ruled_run
from tests.support.generative_records import held, ruled, stated
from tests.support.measures.verdicts import (
    VERDICT_METRICS,
    answers,
    by_regime,
    endorsement,
    read,
    verdict_accuracy,
    verdict_classes,
)
from tests.support.models import Messages, scripted
from tests.support.runs import dataset, metrics, records, run, samples, score_of, values


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


def score(record: DebateRecord, question: str) -> SampleScore:
    """A score as Inspect gives it to a metric that takes it unreduced."""
    return SampleScore(
        score=Score(value=dict(verdict_values(record))),
        sample_id=question,
        sample_metadata={"question_id": question},
    )


def scores(*items: tuple[str, str, str]) -> list[SampleScore]:
    """Scores of questions, their answers and the rulings on these."""
    return [
        score(held(graded, ruled(rulings, order="ab")), question)
        for question, graded, rulings in items
    ]


DUAL = scores(
    ("a", "RR", "CC"),  # right
    ("b", "RR", "CI"),
    ("c", "RW", "CC"),
    ("d", "RW", "CI"),  # right
    ("e", "WR", "II"),
    ("f", "WW", "CC"),
    ("g", "WW", "II"),  # right
    ("h", "WW", "C?"),  # unread
    ("i", "ER", "CC"),  # nobody knows
)


def test_accuracy() -> None:
    found = of(verdict_accuracy(), DUAL)
    # Of seven that are read and graded a, d and g.
    assert found["accuracy"] == near(3 / 7)
    assert 0 < found["accuracy_low"] < 3 / 7 < found["accuracy_high"] < 1
    # 2, 1, 1, 2, 1, 0 and 2 of two each.
    assert found["mean_of_seats"] == near(9 / 14)
    # h is wrong then; of i nobody knows.
    assert found["strict"] == near(3 / 8)
    assert found["unread_share"] == near(1 / 9)
    assert found["items"] == 9


def test_error_rates_are_ratios_of_sums_and_no_means_of_rates() -> None:
    found = of(endorsement(), DUAL)
    # Wrong answers: c 1 of 1, d 0 of 1, e 0 of 1, f 2 of 2, g 0 of 2; h is unread.
    assert found["fpr"] == near(3 / 7)
    # Right ones: a 0 of 2, b 1 of 2, c 0, d 0, e 1, i 0 of 1 each.
    assert found["fnr"] == near(2 / 8)
    # Rounds with a wrong answer: c, d, e, f, g; with a right one: a to e.
    assert found["fpr_rounds"] == near(2 / 5)
    assert found["fnr_rounds"] == near(2 / 5)
    for name in ("fpr", "fnr"):
        assert 0 <= found[f"{name}_low"] < found[name] < found[f"{name}_high"] <= 1
    skewed = of(
        endorsement(), scores(("a", "WW", "CC"), ("b", "RW", "CI"), ("c", "RW", "CI"))
    )
    assert skewed["fpr"] == near(2 / 4), "the mean of the rates would be 1/3"


def test_a_judge_that_accepts_everything() -> None:
    accepting = scores(*((g, g, "CC") for g in ("RR", "RW", "WR", "WW")))
    found = of(endorsement(), accepting)
    assert (found["fpr"], found["fpr_rounds"]) == (1, 1)
    assert (found["fnr"], found["fnr_rounds"]) == (0, 0)
    by = of(by_regime(), accepting)
    names = ("both_wrong", "contested", "both_right")
    assert [by[f"accuracy_{name}"] for name in names] == [0, 0, 1]
    assert [by[f"share_{name}"] for name in names] == [1 / 4, 1 / 2, 1 / 4]
    assert of(verdict_classes(), accepting)["share_win_win"] == 1


def test_accuracy_in_each_regime() -> None:
    found = of(by_regime(), DUAL)
    # f wrong, g right, h unread; c wrong, d right, e wrong; a right, b wrong.
    assert found["accuracy_both_wrong"] == near(1 / 2)
    assert found["accuracy_contested"] == near(1 / 3)
    assert found["accuracy_both_right"] == near(1 / 2)
    # Of the eight of which all is known.
    assert found["share_both_wrong"] == near(3 / 8)
    assert found["share_contested"] == near(3 / 8)
    assert found["share_both_right"] == near(2 / 8)
    assert found["accuracy_contested_low"] < 1 / 3 < found["accuracy_contested_high"]
    assert len(found) == 3 * 4


def test_what_is_endorsed() -> None:
    found = of(verdict_classes(), DUAL)
    # Of eight that are read: a c f i both, b d A's, e g none.
    assert found["share_win_win"] == near(4 / 8)
    assert (found["share_a_alone"], found["share_b_alone"]) == near((2 / 8, 0))
    assert found["share_loss_loss"] == near(2 / 8)
    # The first, A's: a b c d f h i of nine; the second: a c f i of eight.
    assert found["endorsed_first"] == near(7 / 9)
    assert found["endorsed_second"] == near(4 / 8)
    assert found["a_first"] == 1
    assert found["answers_identical"] == near(5 / 9)


def test_how_often_answers_are_right() -> None:
    found = of(answers(), DUAL)
    # a b 1, c d e 1/2, f g h 0, i 1 (the one that is known).
    assert found["answer_right"] == near((2 + 1.5 + 0 + 1) / 9)
    # Endorsed: a 1, b 1, c 1/2, d 1, f 0, h 0, i 1; e and g endorse nothing.
    assert found["accepted_right"] == near((1 + 1 + 0.5 + 1 + 0 + 0 + 1) / 7)
    assert set(found) == {"answer_right", "accepted_right"}


def test_how_turns_were_read() -> None:
    found = of(read(), DUAL)
    assert (found["answers_ok"], found["answers_unparsed"]) == (18, 0)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (8, 1)
    grades = {n: v for n, v in found.items() if n.startswith("grades_") and v}
    assert grades == {"grades_pass": 8, "grades_fail": 9, "grades_error": 1}


def test_one_answer() -> None:
    single = scores(
        ("a", "R", "C"),
        ("b", "R", "I"),
        ("c", "R", "C"),
        ("d", "W", "C"),
        ("e", "W", "I"),
        ("f", "W", "?"),
        ("g", "U", "C"),
    )
    found = of(verdict_accuracy(), single)
    assert found["accuracy"] == found["mean_of_seats"] == near(3 / 6)
    assert (found["strict"], found["unread_share"]) == near((3 / 7, 1 / 7))
    rates = of(endorsement(), single)
    assert (rates["fpr"], rates["fnr"]) == near((2 / 3, 1 / 3))
    assert (rates["fpr_rounds"], rates["fnr_rounds"]) == near((2 / 3, 1 / 3))
    by = of(by_regime(), single)
    assert (by["accuracy_right"], by["accuracy_wrong"]) == near((2 / 3, 1 / 3))
    assert (by["share_right"], by["share_wrong"]) == near((3 / 7, 4 / 7))
    classes = of(verdict_classes(), single)
    assert classes == near({"share_accepted": 4 / 6, "share_rejected": 2 / 6})


def test_a_judge_alone() -> None:
    alone = [score(held("", own=own), own) for own in "RWUE"]
    found = of(verdict_accuracy(), alone)
    assert found["accuracy"] == near(1 / 3)
    bench = ("judge_1", "judge_2")
    several = [score(held("", own=own, bench=bench), own) for own in ("RW", "RR")]
    assert of(verdict_accuracy(), several)["accuracy"] == near(3 / 4)
    assert set(found) == {"accuracy", "accuracy_low", "accuracy_high", "items"}
    for metric in (endorsement(), by_regime(), verdict_classes()):
        assert of(metric, alone) == {}
    assert of(answers(), alone)["answer_right"] == near(1 / 3)


def test_a_critic() -> None:
    debates = [
        score(held(g, stated("debater_b", 1, s), ruled(v)), f"{n}")
        for n, (g, s, v) in enumerate(
            [("R", "A", "CC"), ("W", "A", "II"), ("W", "D", "IC")]
        )
    ]
    found = of(answers(), debates)
    assert found["stance"] == near(2 / 3)
    assert found["stance_right"] == near(2 / 3)
    assert found["stance_endorsed"] == near(2 / 3)


def test_the_epochs_of_a_question_are_one_cluster() -> None:
    def width(items: Sequence[tuple[str, str, str]], name: str) -> float:
        metric = endorsement() if name == "fpr" else verdict_accuracy()
        found = of(metric, scores(*items))
        return found[f"{name}_high"] - found[f"{name}_low"]

    once = [(str(n), "WW", ("CC", "II")[n % 2]) for n in range(10)]
    apart = once + [(f"{id} again", graded, said) for id, graded, said in once]
    for name in ("fpr", "accuracy"):
        # Answers that are alike tell no more than half as many; others do.
        assert width(once + once, name) == near(width(once, name))
        assert width(apart, name) < 1.1 / sqrt(2) * width(once, name)


def test_samples_that_were_not_scored_count_nowhere() -> None:
    stopped = SampleScore(score=Score.unscored(reason="scoring_failed"), sample_id="x")
    for metric in VERDICT_METRICS:
        assert isinstance(metric, Metric)
        with_it = of(metric, [*DUAL, stopped])
        without = of(metric, DUAL)
        without |= {"items": 10} if "items" in without else {}
        assert with_it == near(without)


@pytest.mark.parametrize("metric", VERDICT_METRICS)
def test_metrics_of_no_score_are_numbers(metric: Metric) -> None:
    found = of(metric, [])
    assert all(isnan(number) or number == 0 for number in found.values()), found


@pytest.mark.parametrize("metric", VERDICT_METRICS)
@pytest.mark.parametrize(
    ("graded", "rulings"), [("WR", "??"), ("W", "?"), ("EE", "CC")]
)
def test_metrics_of_what_is_not_known_are_numbers(
    metric: Metric, graded: str, rulings: str
) -> None:
    found = of(metric, scores(("a", graded, rulings)))
    names = ("accuracy", "fpr", "fnr", "mean_of_seats")
    assert all(isnan(found[name]) for name in names if name in found)


class Planned(NamedTuple):
    """Whose answers are right, and what the judge rules on them."""

    right: str
    rulings: str


PLAN = {
    ("lamp", 1): Planned("RW", "CI"),
    ("lamp", 2): Planned("WW", "CC"),
    ("bell", 1): Planned("WW", "CI"),
    ("bell", 2): Planned("RR", "II"),
    ("rope", 1): Planned("RW", "C?"),  # unread
    ("rope", 2): Planned("WU", "II"),
    ("sail", 1): Planned("RR", "CC"),  # stopped
    ("sail", 2): Planned("RR", "CC"),
}
STOPPED = ("sail", 1)
WORDS = {"C": "correct", "I": "incorrect", "?": "perhaps"}


def says(messages: Messages, description: TurnDescription) -> str | ModelOutput:
    planned = PLAN[description.sample, description.epoch]
    if description.format == "solution":
        letter = planned.right[description.participant == "debater_b"]
        return {"R": fenced(RIGHT[1]), "W": fenced(WRONG[1]), "U": "None."}[letter]
    if description.format == "rulings":
        words = dict(zip(("Alice", "Bob"), planned.rulings, strict=True))
        return ruled_run(
            description.choices,
            0.7,
            *(WORDS[words[name]] for name in description.choices),
        )
    output = ModelOutput.from_content("x", "I hold to it.")
    if (description.sample, description.epoch) == STOPPED:
        output.usage = ModelUsage(output_tokens=5000, total_tokens=5000)
    return output


@pytest.fixture(scope="module")
def log_of_run(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    task = Task(
        dataset=dataset(*(solvable(id=id) for id, epoch in PLAN if epoch == 1)),
        solver=generative_debate("dual_debate"),
        scorer=verdicts(),
    )
    return run(
        task,
        tmp_path_factory.mktemp("logs"),
        model=scripted(says),
        epochs=2,
        token_limit=4000,
        score_display=True,  # metrics of a run under way: of no score, of one
    )


def near_run(number: float) -> object:
    return pytest.approx(number, nan_ok=True)


def test_accuracy_run(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "verdicts")
    # lamp right, wrong; bell wrong, wrong; rope unread, right; sail stopped, right.
    assert found["accuracy"] == near_run(3 / 6)
    assert found["mean_of_seats"] == near_run((2 + 0 + 1 + 0 + 2 + 2) / 12)
    assert found["strict"] == near_run(3 / 7)
    assert found["unread_share"] == near_run(1 / 7)
    assert found["items"] == 7
    assert log_of_run.results is not None
    [score] = log_of_run.results.scores
    assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_rates(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "verdicts")
    # Wrong answers: lamp 0 of 1, 2 of 2; bell 1 of 2; rope (unread), 0 of 2.
    assert found["fpr"] == near_run(3 / 7)
    # Right ones: lamp 0 of 1; bell 2 of 2; sail 0 of 2.
    assert found["fnr"] == near_run(2 / 5)
    # Rounds: lamp, lamp, bell, rope 2; lamp 1, bell 2, sail 2.
    assert found["fpr_rounds"] == near_run(2 / 4)
    assert found["fnr_rounds"] == near_run(1 / 3)


def test_regimes_and_classes(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "verdicts")
    assert found["share_both_wrong"] == near_run(3 / 7)
    assert found["share_contested"] == near_run(2 / 7)
    assert found["share_both_right"] == near_run(2 / 7)
    assert found["accuracy_both_wrong"] == near_run(1 / 3)
    assert found["accuracy_contested"] == 1
    assert found["accuracy_both_right"] == near_run(1 / 2)
    assert found["share_win_win"] == near_run(2 / 6)
    assert found["share_a_alone"] == near_run(2 / 6)
    assert found["share_loss_loss"] == near_run(2 / 6)
    assert found["answers_identical"] == near_run(4 / 7)
    assert found["answer_right"] == near_run((0.5 + 0 + 0 + 1 + 0.5 + 0 + 1) / 7)


def test_what_was_read(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "verdicts")
    assert (found["answers_ok"], found["answers_unparsed"]) == (13, 1)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (6, 1)
    assert found["speeches_ok"] == 7 * 4
    assert (found["grades_pass"], found["grades_unparsed"]) == (6, 1)
    assert "rewards_ok" not in found


def test_samples(log_of_run: EvalLog) -> None:
    told = {(str(s.id), s.epoch): s for s in samples(log_of_run)}
    stopped = told.pop(STOPPED)
    score = score_of(stopped, "verdicts")
    assert isinstance(score.value, float)
    assert isnan(score.value)
    assert "token limit" in (score.explanation or "")
    assert len(told) == 7
    assert len({tuple(values(sample, "verdicts")) for sample in told.values()}) == 1
    # Two answers, four speeches, a verdict; two were asked for again.
    calls = {place: values(s, "verdicts")["calls"] for place, s in told.items()}
    again = (("rope", 1), ("rope", 2))
    assert calls == {place: 7 + (place in again) for place in told}
    for sample in told.values():
        assert values(sample, "verdicts")["debated"] == 1
        assert values(sample, "verdicts")["tokens"] > 0
    shown = {place: score_of(s, "verdicts").answer for place, s in told.items()}
    assert shown["lamp", 1] == "A alone"
    assert shown["lamp", 2] == "win-win"
    assert shown["bell", 2] == "loss-loss"
    assert shown["rope", 1] == "(unparsed)"


def test_a_sample_that_was_stopped_is_graded(log_of_run: EvalLog) -> None:
    """What was paid for is kept, whatever became of the debate."""
    [stopped] = [r for r in records(log_of_run) if not r.complete]
    assert [grade.status for grade in stopped.grades] == ["pass", "pass"]
    assert "token limit" in str(stopped.ended_by)


def test_which_answers_were_judged(log_of_run: EvalLog) -> None:
    ids: dict[tuple[str, int], str] = {}
    seats: dict[tuple[str, int], dict[str, str]] = {}
    prompts = set()
    for sample in samples(log_of_run):
        if (place := (str(sample.id), sample.epoch)) == STOPPED:
            continue
        metadata = score_of(sample, "verdicts").metadata or {}
        ids[place], seats[place] = metadata["answer_set_id"], metadata["answer_ids"]
        prompts.add(metadata["prompts"])
        assert metadata["models"] == dict.fromkeys(
            ("debater_a", "debater_b", "judge"), "scripted/x"
        )
    assert len(prompts) == 1
    # All tasks here have one text; the same answers in the same seats have one id.
    assert ids["lamp", 1] == ids["rope", 1]
    assert ids["lamp", 2] == ids["bell", 1]
    assert ids["bell", 2] == ids["sail", 2]
    assert len(set(ids.values())) == 4
    assert seats["lamp", 1]["debater_a"] == seats["bell", 2]["debater_b"]
    assert len({seat for each in seats.values() for seat in each.values()}) == 3
