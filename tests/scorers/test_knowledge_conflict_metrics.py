"""Metrics over scores of questions with passages, against hand counts."""

from collections.abc import Sequence
from math import isnan, log
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Metric, SampleScore, Score

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Parsed
from inspect_debate.evals.srdcr import srdcr as srdcr_task
from inspect_debate.scorers.knowledge_conflict import clash, conflict_values
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.solvers.srdcr import srdcr
from tests.scorers.clash_scores import Item, of, scored
from tests.support.clash import question, with_tokens
from tests.support.clash_records import (
    GOLD,
    OTHER,
    PERTURBED,
    SAYS,
    contextual,
    held,
    prior,
)
from tests.support.measures.clash import (
    CLASH_METRICS,
    by_severity,
    every_arm,
    own_accuracy,
    passage_or_prior,
    read,
    verdicts,
)
from tests.support.measures.self_confidence import CONFIDENCE_METRICS
from tests.support.models import Messages, scripted
from tests.support.runs import dataset, metrics, run, samples, score_of, values


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


ITEMS = [
    Item("a", 0, "RR"),
    Item("a", 2, "RU"),  # memory kept, and right
    Item("b", 0, "RU", OTHER, 0.5),  # abstained
    Item("b", 2, "UR", OTHER, 0.5),  # the passage followed, both are wrong
    Item("c", 0, "UU", OTHER),  # a wrong memory kept
    Item("c", 5, "?R"),  # a wrong passage followed
    Item("d", 0, "R?", OTHER),  # unread, and so unscored
    Item("d", 5, "UU", GOLD, 0.5),  # abstained
]
SCORES = scored(ITEMS)


def test_accuracy_and_abstentions_in_and_out_of_the_denominator() -> None:
    found = of(own_accuracy(), SCORES)
    # Right passages: a right, b abstained, c wrong; d is unscored.
    assert found["standard"] == near(1 / 3)
    # Perturbed: a right, b and c wrong, d abstained.
    assert found["perturbed"] == near(1 / 4)
    assert found["overall"] == near((1 / 3 + 1 / 4) / 2)
    assert found["coverage"] == near((2 / 3 + 3 / 4) / 2)
    # Of the two and the three answers.
    assert found["selective"] == near(2 / 5)
    assert found["items"] == 8
    assert found["unscored_share"] == 1 / 8
    for half in ("standard", "perturbed", "overall"):
        assert 0 <= found[f"{half}_low"] < found[half] < found[f"{half}_high"] <= 1


def test_normalised_answers_stand_beside_the_strict_ones() -> None:
    items = [
        Item("a", 0, "R", passage="the 1871"),
        Item("a", 2, "U"),
        Item("b", 0, "R", passage="1871"),
        Item("b", 2, "U", "1871.", 0.5),
        Item("c", 2, "U", "1871.", 0.95),
    ]
    found = of(own_accuracy(), scored(items))
    assert (found["standard"], found["perturbed"]) == near((1 / 2, 1 / 3))
    assert found["normalised_standard"] == 1
    assert found["normalised_perturbed"] == near(2 / 3)
    assert found["normalised_overall"] == near((1 + 2 / 3) / 2)
    assert found["selective"] == near(1 / 2)
    assert found["normalised_selective"] == 1


def test_without_perturbed_passages_there_is_no_mean_of_halves() -> None:
    found = of(own_accuracy(), [SCORES[0], SCORES[2]])
    assert found["standard"] == 1 / 2
    assert isnan(found["perturbed"])
    assert isnan(found["overall"])


def test_the_halves_of_a_question_are_one_cluster() -> None:
    def width(questions: str, severities: tuple[int, ...]) -> float:
        items = [
            Item(question, severity, "RU"[number % 2], OTHER, passage=GOLD)
            for number, question in enumerate(questions)
            for severity in severities
        ]
        found = of(own_accuracy(), scored(items))
        return found["standard_high"] - found["standard_low"]

    # Twelve answers in pairs that are alike are no more than six.
    assert width("abcdef", (0, 0)) == near(width("abcdef", (0,)))
    assert width("abcdef", (0, 0)) > 1.2 * width("abcdefghijkl", (0,))


def test_every_arm_of_a_run() -> None:
    found = of(every_arm(), SCORES)
    halves = {
        "prior": (1 / 4, 3 / 4),
        "few_shot": (1, 0),
        "golden": (1, 3 / 4),
        # Memory is the more probable one where it is 0.95: a, a, c, c, d (right).
        "token_prob": (2 / 4, 2 / 4),
        "confidence_only": (2 / 4, 2 / 4),
        "acvd_only": (1 / 3, 2 / 4),
        "srdcr": (1 / 3, 1 / 4),
    }
    for arm, (standard, perturbed) in halves.items():
        assert found[f"standard_{arm}"] == near(standard), arm
        assert found[f"perturbed_{arm}"] == near(perturbed), arm
        assert found[f"overall_{arm}"] == near((standard + perturbed) / 2), arm
    assert found["coverage_srdcr"] == near((2 / 3 + 3 / 4) / 2)
    assert found["selective_srdcr"] == near(2 / 5)
    assert "overall_calibrated_token_prob" in found
    assert len(found) == 3 * 8 + 2


def test_by_severity() -> None:
    found = of(by_severity(), SCORES)
    assert (found["perturbed_2"], found["perturbed_5"]) == (1 / 2, 0)
    assert found["perturbed_2_low"] < 1 / 2 < found["perturbed_2_high"]
    assert found["perturbed_5_high"] > 0
    assert set(found) == {
        f"perturbed_{level}{end}" for level in (2, 5) for end in ("", "_low", "_high")
    }


def test_passage_or_prior() -> None:
    found = of(passage_or_prior(), SCORES)
    # Memory alone is right on the perturbed a, c, d, of which c follows the passage.
    assert found["context_bias"] == near(1 / 3)
    # The passage alone is right on b, c and the unread d; c keeps its memory.
    assert found["prior_bias"] == near(1 / 2)
    # Of these five that are scored, the perturbed a is right.
    assert found["one_right"] == near(1 / 5)
    # Of the four perturbed ones b and c follow the passage, a its memory.
    assert found["context_preference"] == near(2 / 4)
    assert found["prior_preference"] == near(1 / 4)
    # Both answers are the same on the first item only.
    assert found["agree_share"] == near(1 / 8)
    assert found["contested"] == near(1 / 6)
    for bias in ("context_bias", "prior_bias"):
        assert 0 <= found[f"{bias}_low"] <= found[bias] <= found[f"{bias}_high"] <= 1


def test_equal_answers_count_in_neither_bias() -> None:
    contested = [
        Item("a", 2, "R"),
        Item("b", 2, "U"),
        Item("c", 0, "U", OTHER),
        Item("d", 0, "R", OTHER),
    ]
    equal = [
        Item("e", 2, "R", SAYS),
        Item("f", 2, "U", "1911."),
        Item("g", 0, "R", GOLD),
        Item("h", 0, "U", "1871."),
    ]
    names = ("context_bias", "prior_bias", "one_right", "contested")
    found = of(passage_or_prior(), scored(contested))
    assert [found[name] for name in names] == [1 / 2] * 4
    more = of(passage_or_prior(), scored([*contested, *equal]))
    assert [more[name] for name in names] == [1 / 2] * 4
    assert (found["agree_share"], more["agree_share"]) == (0, 1 / 2)
    assert isnan(of(passage_or_prior(), scored(equal))["context_bias"])


def test_an_answer_that_fits_both_sides_counts_in_neither_bias() -> None:
    # "400" names no unit, and so is right, and what the passage says.
    facts = PERTURBED._replace(gold="400 mg", says="400 g")
    record = held("few_shot", prior("400"), contextual("400 g"))
    value = conflict_values(record, facts)
    assert value["normalised_prior"] == value["context_prior"] == 1
    score = Score(value=dict(value), metadata={"arm": "few_shot"})
    found = of(passage_or_prior(), [SampleScore(score=score, sample_id="drug")])
    assert isnan(found["context_bias"])
    assert found["context_preference"] == 1


def test_the_series_of_verdicts() -> None:
    found = of(verdicts(), SCORES)
    # Round 0: a b d of right passages R, c U; of perturbed ones a R, b d U, c unread.
    assert found["for_passage_0_standard"] == near(3 / 4)
    assert found["for_passage_0_perturbed"] == near(1 / 3)
    # Round 1: a R, b c U, d unread; b c R, a d U.
    assert found["for_passage_1_standard"] == near(1 / 3)
    assert found["for_passage_1_perturbed"] == near(2 / 4)
    # 0 (a), 1 (a), 1 (b), 1 (b), 0 (c), 1 (c), and 0 (d).
    assert found["settled"] == near(4 / 7)
    counted = of(read(), SCORES)
    assert (counted["verdicts_ok"], counted["verdicts_unparsed"]) == (14, 2)
    assert (counted["answers_ok"], counted["answers_unparsed"]) == (16, 0)
    # b and d abstain, d is unread.
    assert (counted["outcome_abstained"], counted["outcome_unparsed"]) == (2, 1)


def test_a_judged_debate_has_a_result_after_each_of_its_verdicts() -> None:
    items = [
        Item("a", 0, "CCP", OTHER),
        Item("a", 2, "CPP"),
        Item("b", 0, "CCC", OTHER),
        Item("b", 4, "CC?"),
    ]
    scores = scored(items, "judge_debate")
    found = of(every_arm(), scores)
    assert found["overall_judge_debate_1"] == near((1 + 0) / 2)
    assert found["overall_judge_debate_3"] == near((1 + 1 / 2) / 2)
    assert found["overall_judge_debate_5"] == near((1 / 2 + 1) / 2)
    own = of(own_accuracy(), scores)
    assert own["overall"] == found["overall_judge_debate_5"]
    assert own["unscored_share"] == 1 / 4
    series_of = of(verdicts(), scores)
    assert series_of["for_passage_3_perturbed"] == 1 / 2
    assert series_of["settled"] == near((5 + 3 + 1) / 3)


@pytest.mark.parametrize("metric", [*CLASH_METRICS, *CONFIDENCE_METRICS])
def test_metrics_of_no_score_are_numbers(metric: Metric) -> None:
    found = of(metric, [])
    assert all(isnan(number) or number == 0 for number in found.values()), found


@pytest.mark.parametrize("metric", CLASH_METRICS)
@pytest.mark.parametrize("protocol", ["srdcr", "few_shot", "calibrated_token_prob"])
def test_metrics_of_unread_answers_are_numbers(metric: Metric, protocol: str) -> None:
    letters, unread = "?" if protocol == "srdcr" else "", Parsed.unparsed()
    items = [
        Item("a", severity, letters, unread, "no_answer", unread, "no_answer")
        for severity in (0, 2)
    ]
    counts = (
        "items",
        "unscored_share",
        "outcome_",
        "answers_",
        "speeches_",
        "verdicts_",
    )
    for name, number in of(metric, scored(items, protocol)).items():
        assert isnan(number) != name.startswith(counts), name


# Memory is always the more probable. The passage's ranks: 2, 1, 4, 3; memory's: 1 to 4.
CALIBRATED = [
    Item("a", 0, "", OTHER, 0.96, None, 0.6),  # 1 against 2: the passage, right
    Item("b", 0, "", OTHER, 0.97, None, 0.5),  # 2 against 1: memory, wrong
    Item("c", 2, "", GOLD, 0.98, None, 0.8),  # 3 against 4: the passage, wrong
    Item("d", 2, "", GOLD, 0.99, None, 0.7),  # 4 against 3: memory, right
]


@pytest.mark.parametrize("protocol", ["calibrated_token_prob", "token_prob"])
def test_calibrated_token_probability_takes_the_whole_run(protocol: str) -> None:
    found = of(every_arm(), scored(CALIBRATED, protocol))
    assert found["standard_token_prob"] == 0
    assert found["perturbed_token_prob"] == 1
    assert found["standard_calibrated_token_prob"] == 1 / 2
    assert found["perturbed_calibrated_token_prob"] == 1 / 2
    own = of(own_accuracy(), scored(CALIBRATED, protocol))
    assert own["standard"] == (1 / 2 if protocol == "calibrated_token_prob" else 0)
    # Alone, each item has the first rank twice, and a tie is the passage's.
    alone = [of(every_arm(), scored([item], protocol)) for item in CALIBRATED]
    assert [one["standard_calibrated_token_prob"] for one in alone[:2]] == [1, 1]
    assert [one["perturbed_calibrated_token_prob"] for one in alone[2:]] == [0, 0]


def test_the_calibrated_choice_where_a_confidence_is_missing() -> None:
    unsure = [
        CALIBRATED[0]._replace(question="e", sure="absent"),
        CALIBRATED[2]._replace(question="f", passage_sure="cut"),
    ]
    scores = scored([*CALIBRATED, *unsure], "calibrated_token_prob")
    found = of(own_accuracy(), scores)
    assert found["unscored_share"] == near(2 / 6)
    # Memory's ranks now: a 1, b 2, c and f 3.5, d 5, of five; the passage's: b 1,
    # a and e 2.5, d 4, c 5, of five. The choices of before stand.
    assert (found["standard"], found["perturbed"]) == (1 / 2, 1 / 2)
    assert found["coverage"] == 1


def test_whom_the_calibrated_choice_follows() -> None:
    found = of(passage_or_prior(), scored(CALIBRATED, "calibrated_token_prob"))
    assert found["context_bias"] == near(1 / 2)
    assert found["prior_bias"] == near(1 / 2)
    assert found["one_right"] == near(1 / 2)


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


def says(messages: Messages, description: TurnDescription) -> str | ModelOutput:
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
def log_of_run(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
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


def near_run(number: float) -> object:
    return pytest.approx(number, nan_ok=True)


def test_accuracy(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "clash")
    # lamp: right, abstained; bell: wrong, unread.
    assert found["standard"] == near_run(1 / 3)
    # lamp: right, wrong; bell: stopped, wrong.
    assert found["perturbed"] == found["perturbed_2"] == near_run(1 / 3)
    assert found["overall"] == near_run(1 / 3)
    assert found["coverage"] == near_run((2 / 3 + 1) / 2)
    assert found["selective"] == near_run(2 / 5)
    assert found["items"] == 7
    assert found["unscored_share"] == near_run(1 / 7)
    assert log_of_run.results is not None
    for score in log_of_run.results.scores:
        assert (score.scored_samples, score.unscored_samples) == (7, 1)


def test_arms(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "clash")
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
        assert found[f"standard_{arm}"] == near_run(standard), arm
        assert found[f"perturbed_{arm}"] == near_run(perturbed), arm


def test_whom_it_follows(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "clash")
    # Memory alone is right on lamp and bell, perturbed; bell follows the passage.
    assert found["context_bias"] == near_run(1 / 2)
    # The passage alone is right on lamp and (unread) bell, standard; one abstained.
    assert found["prior_bias"] == 0
    assert found["one_right"] == near_run(1 / 3)
    assert found["context_preference"] == near_run(2 / 3)
    assert found["prior_preference"] == near_run(1 / 3)
    assert found["agree_share"] == near_run(1 / 7)
    assert found["contested"] == near_run(1 / 5)


def test_verdicts(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "clash")
    assert found["for_passage_0_standard"] == 1
    assert found["for_passage_0_perturbed"] == near_run(2 / 3)
    assert found["for_passage_1_standard"] == near_run(2 / 3)
    assert found["for_passage_1_perturbed"] == near_run(2 / 3)
    assert found["settled"] == near_run((0 + 1 + 1 + 1 + 0 + 0) / 6)
    assert (found["verdicts_ok"], found["verdicts_unparsed"]) == (13, 1)
    assert found["answers_ok"] == 14


def test_confidence_and_knowledge(log_of_run: EvalLog) -> None:
    found = metrics(log_of_run, "self_confidence")
    stated = [(0.95, 1), (0.5, 0), (0.96, 1), (0.97, 0), (0.4, 1), (0.3, 0), (0.98, 1)]
    assert found["brier"] == near_run(sum((p - right) ** 2 for p, right in stated) / 7)
    assert found["prior_right"] == near_run(4 / 7)
    assert (found["from_logprobs"], found["tokens_ok"]) == (7, 7)
    assert found["confident_share"] == near_run(4 / 7)
    # By the very words: all, half, none (1871. is trimmed: half), none, and halves.
    assert found["tier_highly"] == near_run(1 / 7)
    assert found["tier_maybe"] == near_run(5 / 7)
    assert found["tier_unknown"] == near_run(1 / 7)
    assert found["known_at_0.9"] == near_run(1 / 4)
    assert found["known_at_0.95"] == near_run(1 / 4)


def test_samples(log_of_run: EvalLog) -> None:
    told = {(str(s.id), s.epoch): s for s in samples(log_of_run)}
    stopped = told.pop(STOPPED)
    for score in (stopped.scores or {}).values():
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
    assert score_of(abstained, "clash").answer == "(abstained)"


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
