"""Two epochs of SR-DCR on planned answers, in-process, against a hand count."""

from collections.abc import Sequence
from math import isnan, log
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.evals.srdcr import srdcr as srdcr_task
from inspect_debate.scorers.knowledge_conflict import clash
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.solvers.srdcr import srdcr
from tests.support.clash import question, with_tokens
from tests.support.models import scripted
from tests.support.runs import dataset, metrics, run, samples, values


class Planned(NamedTuple):
    """What is said of a sample in an epoch: answers, verdicts, recall."""

    memory: str
    sure: float
    passage: str
    passage_sure: float
    letters: str
    recalled: Sequence[str] = ("1871", "1902")


# The right answer is 1871; the perturbed passage says 1911, and its severity is 2.
PLAN = {
    ("lamp-standard", 1): Planned("1871", 0.95, "1871", 0.6, "RR", ("1871", "1871")),
    ("lamp-standard", 2): Planned("1902", 0.5, "1871", 0.7, "RU"),  # abstains
    ("lamp-perturbed", 1): Planned("1871", 0.96, "1911", 0.3, "RU", ("1871.", "1")),
    ("lamp-perturbed", 2): Planned("1902", 0.97, "1911", 0.8, "UR", ("1", "2")),
    ("bell-standard", 1): Planned("1871", 0.4, "1902", 0.2, "RR"),
    ("bell-standard", 2): Planned("1902", 0.3, "1871", 0.5, "R?"),  # unscored
    ("bell-perturbed", 1): Planned("1871", 0.9, "1911", 0.9, "RR"),  # stopped
    ("bell-perturbed", 2): Planned("1871", 0.98, "1911", 0.4, "RR"),
}
STOPPED = ("bell-perturbed", 1)
VERDICTS = {"R": "Verdict: REASONABLE", "U": "Verdict: UNREASONABLE", "?": "Well."}


def says(
    messages: list[ChatMessage], description: TurnDescription | None
) -> str | ModelOutput:
    assert description is not None
    planned = PLAN[description.sample, description.epoch]
    if description.kind == "verdict":
        return VERDICTS[planned.letters[description.round]]
    if description.kind == "recall":
        return f"Answer: {planned.recalled[int(description.draw) - 1]}"
    if description.kind == "speech":
        output = ModelOutput.from_content("x", "I hold to it.")
        if (description.sample, description.epoch) == STOPPED:
            output.usage = ModelUsage(output_tokens=5000, total_tokens=5000)
        return output
    answer, sure = planned[2:4] if description.passage else planned[:2]
    return with_tokens(f"Answer: {answer}", log(sure))


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    halves = [
        question(condition, f"{name}-{condition}", question_id=f"years-{name}")
        for name in ("lamp", "bell")
        for condition in ("standard", "perturbed")
    ]
    task = Task(
        dataset=dataset(*halves),
        solver=srdcr(rounds=2, recall_samples=2),
        scorer=[clash(), self_confidence()],
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
    found = metrics(held, "clash")
    # lamp: right, abstained; bell: wrong, unread.
    assert found["standard"] == near(1 / 3)
    # lamp: right, wrong; bell: stopped, wrong.
    assert found["perturbed"] == found["perturbed_2"] == near(1 / 3)
    assert found["overall"] == near(1 / 3)
    assert found["coverage"] == near((2 / 3 + 1) / 2)
    assert found["selective"] == near(2 / 5)
    assert found["items"] == 7
    assert found["unscored_share"] == near(1 / 7)
    assert held.results is not None
    for score in held.results.scores:
        assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_arms(held: EvalLog) -> None:
    found = metrics(held, "clash")
    halves = {
        "prior": (2 / 4, 2 / 3),
        "few_shot": (3 / 4, 0),
        "golden": (3 / 4, 2 / 3),
        "acvd_only": (1 / 3, 1 / 3),
        "confidence_only": (3 / 4, 2 / 3),
        # Memory in lamp 1, 1, 2 and bell 1, 2.
        "token_prob": (4 / 4, 2 / 3),
        # Memory's ranks are 4 3 5 6 2 1 7, the passage's 5 6 2 7 1 4 3 of seven.
        "calibrated_token_prob": (4 / 4, 2 / 3),
    }
    for arm, (standard, perturbed) in halves.items():
        assert found[f"standard_{arm}"] == near(standard), arm
        assert found[f"perturbed_{arm}"] == near(perturbed), arm


def test_whom_it_follows(held: EvalLog) -> None:
    found = metrics(held, "clash")
    # Memory alone is right on lamp and bell, perturbed; bell follows the passage.
    assert found["context_bias"] == near(1 / 2)
    # The passage alone is right on lamp and (unread) bell, standard; one abstained.
    assert found["prior_bias"] == 0
    assert found["one_right"] == near(1 / 3)
    assert found["context_preference"] == near(2 / 3)
    assert found["prior_preference"] == near(1 / 3)
    assert found["agree_share"] == near(1 / 7)
    assert found["contested"] == near(1 / 5)


def test_verdicts(held: EvalLog) -> None:
    found = metrics(held, "clash")
    assert found["for_passage_0_standard"] == 1
    assert found["for_passage_0_perturbed"] == near(2 / 3)
    assert found["for_passage_1_standard"] == near(2 / 3)
    assert found["for_passage_1_perturbed"] == near(2 / 3)
    assert found["settled"] == near((0 + 1 + 1 + 1 + 0 + 0) / 6)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (13, 1)
    assert found["answers_ok"] == 14


def test_confidence_and_knowledge(held: EvalLog) -> None:
    found = metrics(held, "self_confidence")
    stated = [(0.95, 1), (0.5, 0), (0.96, 1), (0.97, 0), (0.4, 1), (0.3, 0), (0.98, 1)]
    assert found["brier"] == near(sum((p - right) ** 2 for p, right in stated) / 7)
    assert found["prior_right"] == near(4 / 7)
    assert (found["from_logprobs"], found["tokens_ok"]) == (7, 7)
    assert found["confident_share"] == near(4 / 7)
    # By the very words: all, half, none (1871. is trimmed: half), none, and halves.
    assert found["tier_highly"] == near(1 / 7)
    assert found["tier_maybe"] == near(5 / 7)
    assert found["tier_unknown"] == near(1 / 7)
    assert found["known_at_0.9"] == near(1 / 4)
    assert found["known_at_0.95"] == near(1 / 4)


def test_samples(held: EvalLog) -> None:
    told = {(str(s.id), s.epoch): s for s in samples(held)}
    stopped = told.pop(STOPPED)
    assert stopped.scores is not None
    for score in stopped.scores.values():
        assert isinstance(score.value, float)
        assert isnan(score.value)
        assert "token limit" in (score.explanation or "")
    assert len(told) == 7
    for name in ("clash", "self_confidence"):
        keys = {tuple(values(s, name)) for s in told.values()}
        assert len(keys) == 1
    # Two answers, two recalls, four speeches, two verdicts; one was asked for again.
    calls = {place: values(s, "clash")["calls"] for place, s in told.items()}
    assert calls == {place: 10 + (place == ("bell-standard", 2)) for place in told}
    abstained = told["lamp-standard", 2]
    assert (abstained.scores or {})["clash"].answer == "(abstained)"


@pytest.mark.slow
def test_ties_between_orders_count_half(tmp_path: Path) -> None:
    """Of a judge who often takes whatever is listed first, no order is the headline."""
    judge = get_model("simulated/balanced", memoize=False, follow_first=0.4)
    log = run(
        srdcr_task("judge_debate", source="sample", order="both", rounds=1),
        tmp_path,
        roles={"judge": judge},
        limit=60,
    )
    found = metrics(log, "clash")
    assert found["outcome_tied"] > 10
    assert found["unscored_share"] == 0
    assert found["overall_ab"] != found["overall_ba"]
    both = (found["overall_ab"] + found["overall_ba"]) / 2
    assert found["overall"] == pytest.approx(both)
    scored = [values(sample, "clash") for sample in samples(log)]
    assert any(value["correct"] == 0.5 for value in scored)
