"""Two epochs of debates on planned answers, in-process, against a hand count."""

from math import isnan
from typing import NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative_debate import generative_debate
from tests.support.generative import RIGHT, WRONG, fenced, ruled, solvable
from tests.support.models import scripted
from tests.support.runs import dataset, metrics, records, run, samples, values


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


def says(
    messages: list[ChatMessage], description: TurnDescription | None
) -> str | ModelOutput:
    assert description is not None
    planned = PLAN[description.sample, description.epoch]
    if description.format == "solution":
        letter = planned.right[description.participant == "debater_b"]
        return {"R": fenced(RIGHT[1]), "W": fenced(WRONG[1]), "U": "None."}[letter]
    if description.format == "rulings":
        words = dict(zip(("Alice", "Bob"), planned.rulings, strict=True))
        return ruled(
            description.choices,
            0.7,
            *(WORDS[words[name]] for name in description.choices),
        )
    output = ModelOutput.from_content("x", "I hold to it.")
    if (description.sample, description.epoch) == STOPPED:
        output.usage = ModelUsage(output_tokens=5000, total_tokens=5000)
    return output


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
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


def near(number: float) -> object:
    return pytest.approx(number, nan_ok=True)


def test_accuracy(held: EvalLog) -> None:
    found = metrics(held, "verdicts")
    # lamp right, wrong; bell wrong, wrong; rope unread, right; sail stopped, right.
    assert found["accuracy"] == near(3 / 6)
    assert found["mean_of_seats"] == near((2 + 0 + 1 + 0 + 2 + 2) / 12)
    assert found["strict"] == near(3 / 7)
    assert found["unread_share"] == near(1 / 7)
    assert found["items"] == 7
    assert held.results is not None
    [score] = held.results.scores
    assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_rates(held: EvalLog) -> None:
    found = metrics(held, "verdicts")
    # Wrong answers: lamp 0 of 1, 2 of 2; bell 1 of 2; rope (unread), 0 of 2.
    assert found["fpr"] == near(3 / 7)
    # Right ones: lamp 0 of 1; bell 2 of 2; sail 0 of 2.
    assert found["fnr"] == near(2 / 5)
    # Rounds: lamp, lamp, bell, rope 2; lamp 1, bell 2, sail 2.
    assert found["fpr_rounds"] == near(2 / 4)
    assert found["fnr_rounds"] == near(1 / 3)


def test_regimes_and_classes(held: EvalLog) -> None:
    found = metrics(held, "verdicts")
    assert found["share_both_wrong"] == near(3 / 7)
    assert found["share_contested"] == near(2 / 7)
    assert found["share_both_right"] == near(2 / 7)
    assert found["accuracy_both_wrong"] == near(1 / 3)
    assert found["accuracy_contested"] == 1
    assert found["accuracy_both_right"] == near(1 / 2)
    assert found["share_win_win"] == near(2 / 6)
    assert found["share_a_alone"] == near(2 / 6)
    assert found["share_loss_loss"] == near(2 / 6)
    assert found["answers_identical"] == near(4 / 7)
    assert found["answer_right"] == near((0.5 + 0 + 0 + 1 + 0.5 + 0 + 1) / 7)


def test_what_was_read(held: EvalLog) -> None:
    found = metrics(held, "verdicts")
    assert (found["answers_ok"], found["answers_unparsed"]) == (13, 1)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (6, 1)
    assert found["speeches_ok"] == 7 * 4
    assert (found["grades_pass"], found["grades_unparsed"]) == (6, 1)
    assert "rewards_ok" not in found


def test_samples(held: EvalLog) -> None:
    told = {(str(s.id), s.epoch): s for s in samples(held)}
    stopped = told.pop(STOPPED)
    assert stopped.scores is not None
    score = stopped.scores["verdicts"]
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
    shown = {place: (s.scores or {})["verdicts"].answer for place, s in told.items()}
    assert shown["lamp", 1] == "A alone"
    assert shown["lamp", 2] == "win-win"
    assert shown["bell", 2] == "loss-loss"
    assert shown["rope", 1] == "(unparsed)"


def test_a_sample_that_was_stopped_is_graded(held: EvalLog) -> None:
    """What was paid for is kept, whatever became of the debate."""
    [stopped] = [r for r in records(held) if not r.complete]
    assert [grade.status for grade in stopped.grades] == ["pass", "pass"]
    assert "token limit" in str(stopped.ended_by)


def test_which_answers_were_judged(held: EvalLog) -> None:
    ids: dict[tuple[str, int], str] = {}
    seats: dict[tuple[str, int], dict[str, str]] = {}
    prompts = set()
    for sample in samples(held):
        if (place := (str(sample.id), sample.epoch)) == STOPPED:
            continue
        metadata = (sample.scores or {})["verdicts"].metadata or {}
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
