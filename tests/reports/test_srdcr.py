"""The report on SR-DCR, on logs whose numbers were worked out by hand."""

from collections.abc import Iterable
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample

from inspect_debate.evals.srdcr import srdcr as task
from inspect_debate.reports import frames, srdcr
from inspect_debate.reports.report import Headline, Item, Measured, Notice, Table, write
from inspect_debate.reports.srdcr import PROTOCOLS, TITLE, report
from tests.reports.conftest import WriteLog, sample
from tests.support import run

MODEL = "openai/gpt-4o-2024-08-06"
ROUNDS = 2
TWO = ("srdcr", "few_shot", "judge_debate")


def item(
    question: int,
    perturbed: int,
    protocol: str = "srdcr",
    *,
    contextual: float = 0,
    prior: float = 0,
    verdicts: tuple[float, ...] = (1, 1),
    sure: float = 0.95,
    other: float = 0.5,
    correct: float | None = None,
    **more: float,
) -> EvalSample:
    """A sample as the scorer leaves it; the outcomes follow from its verdicts."""
    verdict = verdicts[-1]
    acvd = nan if isnan(verdict) else contextual if verdict else prior
    trusted = nan if isnan(sure) else float(sure >= 0.9)
    gated = contextual if verdict == 1 else trusted * prior if verdict == 0 else nan
    values: dict[str, float] = {
        "perturbed": perturbed,
        "severity": perturbed * (1 + question % 5),
        "took_passage": float(perturbed),
        **{"calls": 3, "tokens": 3},
    }
    own = {"few_shot": contextual, "srdcr": gated, "judge_debate": acvd}
    values["correct"] = own.get(protocol, contextual) if correct is None else correct
    silent = float(protocol == "srdcr" and verdict == 0 and trusted == 0)
    values["abstained"] = nan if isnan(values["correct"]) else silent
    values["correct_normalised"] = values["correct"]
    if protocol in TWO:
        surer = nan if isnan(sure + other) else prior if sure > other else contextual
        values |= {
            "few_shot": contextual,
            "prior": prior,
            "golden": prior if perturbed else contextual,
            "token_prob": surer,
            "confidence_only": nan if isnan(sure) else prior if trusted else contextual,
            "confidence": sure,
            "contextual_confidence": other,
            "confidence_by_tokens": 1,
            "consistency": sure,
            "recall": prior,
            "same_answers": 0,
            "prior_right": prior,
            "prior_as_passage": 0,
            "contextual_as_passage": 1,
            "took_prior": 0,
        }
    if protocol == "srdcr":
        values |= {"srdcr": gated, "acvd_only": acvd, "settled": ROUNDS - 1}
        values |= {"srdcr_abstained": silent}
        values |= {f"verdict_{n}": one for n, one in enumerate(verdicts)}
    if protocol == "judge_debate":
        values |= {f"verdict_{2 * n + 1}": one for n, one in enumerate(verdicts)}
        for n, one in enumerate(verdicts):
            right = nan if isnan(one) else contextual if one else prior
            values[f"after_{2 * n + 1}"] = right
        values["settled"] = 3
    return sample(
        f"q{question}_{perturbed}",
        "400 mg",
        group=f"q{question}",
        metadata={"question_id": f"q{question}"},
        scores={"knowledge_conflict": values | more},
    )


def log(write_log: WriteLog, samples: Iterable[EvalSample], protocol: str = "srdcr",
        **options: Any) -> str:  # fmt: skip
    given = {"tau": 0.9, "rounds": ROUNDS}
    return write_log(
        [*samples],
        protocol,
        study="srdcr",
        parameters=given,
        **{"model": MODEL, **options},
    )


def found(logs: Iterable[str], full: bool = False) -> dict[str, Item]:
    items = report(frames.samples([*logs], "srdcr", PROTOCOLS), full)
    return {getattr(one, "name", type(one).__name__): one for one in items}


def table(items: dict[str, Item], name: str, index: str = "Condition") -> Any:
    one = items[name]
    assert isinstance(one, Table)
    return one.frame.set_index(index)


def headline(items: dict[str, Item]) -> str:
    assert isinstance(items["Headline"], Headline)
    return items["Headline"].text


def four() -> list[EvalSample]:
    """Standard: right, abstains. Perturbed: right from memory, wrong, unread."""
    return [
        item(0, 0, contextual=1, prior=1),
        item(1, 0, contextual=1, prior=0, verdicts=(1, 0), sure=0.5),
        item(0, 1, contextual=0, prior=1, verdicts=(0, 0)),
        item(1, 1, contextual=0, prior=0, verdicts=(0, 1), sure=0.5),
        item(2, 1, contextual=0, prior=1, verdicts=(0, nan)),
    ]


def test_accuracies_by_hand(write_log: WriteLog) -> None:
    items = found([log(write_log, four())])
    frame = table(items, "accuracy")
    row = frame.loc["SR-DCR"]
    assert (row["Standard"], row["Perturbed"]) == (50, 50)
    assert row["Overall"].value == pytest.approx(50)
    assert row["Coverage"] == pytest.approx(75)
    assert row["Selective"] == pytest.approx(200 / 3)
    assert row["Unread"] == 1
    golden = frame.loc["Golden, from the answers of SR-DCR"]
    assert golden["Standard"] == 100
    assert (row["Calls"], row["Tokens"]) == (3, 3)
    assert isnan(golden["Calls"])
    assert golden["Perturbed"] == pytest.approx(200 / 3)
    few_shot = frame.loc["Few-shot, from the answers of SR-DCR"]
    assert few_shot["Overall"].value == 50
    assert few_shot["Unread"] == 0


def test_every_rule_on_the_same_records(write_log: WriteLog) -> None:
    frame = table(found([log(write_log, four())]), "rules")
    overall = {name: cell.value for name, cell in frame["Overall"].items()}
    # By rule the share right on two standard and three perturbed samples.
    half = {
        "srdcr": (1 / 2, 1 / 2),
        "acvd_only": (1 / 2, 1 / 2),
        "confidence_only": (1, 2 / 3),
        "few_shot": (1, 0),
        "prior": (1 / 2, 2 / 3),
        "token_prob": (1, 2 / 3),
        "golden": (1, 2 / 3),
    }
    expected = {srdcr.RULES[rule]: 50 * sum(both) for rule, both in half.items()}
    # Ranks of confidences are 4, 1.5, 4, 1.5, 4, of contextual answers 3.
    expected[srdcr.RULES["calibrated"]] = 50 * (1 + 2 / 3)
    assert overall == pytest.approx(expected)
    coverage = frame["Coverage"].to_dict()
    assert coverage.pop(srdcr.RULES["srdcr"]) == 75
    assert set(coverage.values()) == {100}


def test_conditions_come_from_their_own_runs(write_log: WriteLog) -> None:
    """Few-shot has its own run; the answers of SR-DCR's are other ones."""
    own = [
        item(n, half, "few_shot", contextual=half) for n in (0, 1) for half in (0, 1)
    ]
    logs = [log(write_log, four()), log(write_log, own, "few_shot")]
    frame = table(found(logs), "accuracy")
    assert frame.loc["Few-shot", "Perturbed"] == 100
    assert "Golden, from the answers of Few-shot" in frame.index
    assert not any("of SR-DCR" in name for name in frame.index)
    alone = found(logs[1:])
    assert "4 samples" in headline(alone)
    assert "paired" not in alone


def judged(n: int = 2) -> list[EvalSample]:
    return [
        item(q, half, "judge_debate", contextual=1 - half, prior=half,
             verdicts=(1, 1 - half))
        for q in range(n)
        for half in (0, 1)
    ]  # fmt: skip


def test_judge_debate_is_judged_after_each_round(write_log: WriteLog) -> None:
    items = found([log(write_log, judged(), "judge_debate")], full=True)
    frame = table(items, "accuracy")
    assert frame.loc["Judge Debate", "Overall"].value == 100
    assert frame.loc["Judge Debate, judged after 1", "Overall"].value == 50
    rounds = table(items, "rounds", "Round")
    assert rounds["Prior, perturbed"].to_dict() == {1: 0, 3: 100}
    assert rounds["Abstained, perturbed"].to_dict() == {1: 0, 3: 0}
    assert "figure_4_0" in items


def test_printed_rows_of_the_same_model_alone(write_log: WriteLog) -> None:
    frame = table(found([log(write_log, four())]), "accuracy")
    printed = frame[frame["Source"] == "Printed"]
    assert len(printed) == 9
    assert printed["Standard"][f"SR-DCR ({MODEL.split('/')[1]})"] == 94.67
    severity = table(found([log(write_log, four())]), "severity")
    assert severity["1 (20)"]["SR-DCR (gpt-4o-2024-08-06)"] == 47.46
    assert severity["1 (20)"]["SR-DCR"] == 100
    assert severity["2 (40)"]["SR-DCR"] == 0
    assert isnan(severity["3 (60)"]["SR-DCR"])
    for model in ("openai/gpt-4o-mini", "simulated/balanced"):
        other = table(found([log(write_log, four(), model=model)]), "accuracy")
        assert "Source" not in other


@pytest.mark.parametrize(
    ("model", "printed"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openai/gpt-3.5-turbo", "gpt-3.5-turbo-0125"),
        ("anthropic/claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"),
        ("together/meta-llama/Llama-3.3-70B-Instruct-Turbo", "llama-3.3-70b"),
    ],
)
def test_names_of_the_papers_models(
    write_log: WriteLog, model: str, printed: str
) -> None:
    frame = table(found([log(write_log, four(), model=model)]), "accuracy")
    names = [*frame.index[frame["Source"] == "Printed"]]
    assert names
    assert all(printed in name for name in names)


def many(n: int, protocol: str, **values: Any) -> list[EvalSample]:
    return [item(q, half, protocol, **values) for q in range(n) for half in (0, 1)]


def test_difference_is_treatment_minus_baseline(write_log: WriteLog) -> None:
    """SR-DCR is right on all, Few-shot on standard passages; one pair is unread."""
    good = [
        item(q, half, contextual=1 - half, prior=1, verdicts=(1, 1 - half))
        for q in range(20)
        for half in (0, 1)
    ]
    good[-1] = item(19, 1, verdicts=(0, nan))
    bad = [
        item(q, half, "few_shot", contextual=1 - half)
        for q in range(20)
        for half in (0, 1)
    ]
    items = found([log(write_log, bad, "few_shot"), log(write_log, good)])
    row = table(items, "paired", "Baseline").loc["Few-shot"]
    assert row["Pairs"] == 39
    assert row["Overall"].value == pytest.approx(50)
    assert row["Standard"].value == 0
    assert row["Perturbed"].value == pytest.approx(100)
    assert row["p (Overall)"] < 0.001
    text = headline(items)
    assert text.index("SR-DCR") < text.index("50.0 points higher") < text.index("Few-")


def test_halves_of_unequal_size_count_alike(write_log: WriteLog) -> None:
    samples = [item(0, 0, contextual=1), item(1, 0, contextual=1)]
    samples += [item(q, 1, contextual=0, verdicts=(0, 0), prior=1) for q in range(8)]
    row = table(found([log(write_log, samples)]), "paired", "Baseline")
    paired = row.loc["Few-shot, from the answers of SR-DCR", "Overall"]
    assert paired.value == pytest.approx(50)


def test_a_better_baseline_is_in_the_headline(write_log: WriteLog) -> None:
    logs = [
        log(write_log, many(4, "srdcr")),
        log(write_log, many(4, "rci", correct=1), "rci"),
        log(write_log, many(4, "self_ask", correct=0), "self_ask"),
    ]
    text = headline(found(logs))
    assert "RCI has 100.0 %" in text
    assert "Self-Ask" not in text


def test_without_one_of_the_halves_nothing_is_compared(write_log: WriteLog) -> None:
    items = found([log(write_log, [item(q, 1) for q in range(4)])])
    assert "cannot be compared" in headline(items)
    row = table(items, "paired", "Baseline").iloc[0]
    assert isnan(row["Overall"].value)
    assert not isnan(row["Perturbed"].value)
    assert isnan(table(items, "accuracy").loc["SR-DCR", "Overall"].value)


def test_one_answer_alone(write_log: WriteLog) -> None:
    items = found([log(write_log, many(3, "rci", correct=1), "rci")], full=True)
    assert "100.0 %" in headline(items)
    assert not {"paired", "rules", "rounds", "tiers", "calibration"} & {*items}


def test_confidences_on_two_scales_are_announced(write_log: WriteLog) -> None:
    def notices(items: dict[str, Item]) -> str:
        one = items["Notice"]
        assert isinstance(one, Notice)
        return " ".join(one.texts)

    mixed = [*four(), item(7, 0, confidence_by_tokens=0), item(7, 1)]
    assert "6 of 7" in notices(found([log(write_log, mixed)]))
    assert "two scales" not in notices(found([log(write_log, four())]))


def test_rounds_are_decided_through_the_gate(write_log: WriteLog) -> None:
    """Skipped equal answers are the passage's; an unread verdict has no decision."""
    skipped = item(3, 1, contextual=1, prior=1, verdicts=(nan, nan), correct=1)
    equal = item(4, 1, contextual=0, prior=1, verdicts=(0, 0), sure=0.9)
    items = found([log(write_log, [*four(), skipped, equal])], full=True)
    rounds = table(items, "rounds", "Round")
    # Perturbed: prior, none, prior, passage, prior; prior, passage, ?, passage, prior.
    assert rounds["Prior, perturbed"].to_dict() == pytest.approx({0: 60, 1: 50})
    assert rounds["Abstained, perturbed"].to_dict() == pytest.approx({0: 20, 1: 0})
    assert rounds["Contextual, perturbed"].to_dict() == pytest.approx({0: 20, 1: 50})
    assert rounds["Perturbed"].to_dict() == pytest.approx({0: 80, 1: 75})
    assert rounds["Standard"].to_dict() == {0: 100, 1: 50}


def test_tiers_calibration_and_conflicts(write_log: WriteLog) -> None:
    items = found([log(write_log, four())], full=True)
    tiers = table(items, "tiers", "Tier")
    assert tiers["Items"].to_dict() == {
        "All items": 5,
        "Highly known": 3,
        "Unknown": 2,
    }
    assert tiers.loc["Unknown", "Prior right"].value == 0
    calibrated = table(items, "calibration").loc["SR-DCR"]
    assert calibrated["Right"].value == pytest.approx(60)
    # Three times 0.95 where all are right, twice 0.5 where none is.
    assert calibrated["ECE"] == pytest.approx(100 * (3 * 0.05 + 2 * 0.5) / 5)
    brier = 100 * (3 * 0.05**2 + 2 * 0.25) / 5
    assert calibrated["Brier score"] == pytest.approx(brier)
    assert calibrated["Highly known from 0.9"].value == pytest.approx(100)
    conflicts = table(items, "conflicts").loc["SR-DCR"]
    assert conflicts["Same answers"].value == 0
    assert conflicts["One right"] == 3  # the second question's are both wrong


def test_learned_thresholds(write_log: WriteLog) -> None:
    """Memory is right from a confidence of 0.6 on, so 0.9 abstains too often."""
    samples = [
        item(q, 1, contextual=0, prior=float(q % 4 > 1), verdicts=(0, 0),
             sure=0.6 + 0.001 * q if q % 4 > 1 else 0.3)
        for q in range(40)
    ]  # fmt: skip
    frame = table(found([log(write_log, samples)], full=True), "thresholds", "Rule")
    row = frame.loc["SR-DCR, errors −1"]
    assert (row["With 0.9"], row["With learned"]) == (0, pytest.approx(50, abs=5))
    assert row["Difference"].low > 0
    assert row["p"] < 0.001


def test_the_page_in_full(write_log: WriteLog, tmp_path: Path) -> None:
    logs = [
        log(write_log, [*four(), *many(6, "srdcr")[6:]]),
        log(write_log, judged(3), "judge_debate"),
        log(write_log, many(3, "naive_debate", same_answers=1), "naive_debate"),
    ]
    frame = frames.samples(logs, "srdcr", PROTOCOLS)
    page = write(report(frame, full=True), tmp_path / "out", TITLE)
    files = {one.name for one in page.parent.iterdir()}
    tables = [*("accuracy", "severity", "paired", "rules", "rounds", "tiers")]
    tables += ["conflicts", "calibration", "thresholds", "runs", "samples"]
    assert {f"{name}.csv" for name in tables} <= files
    drawn = ["overall", "accuracy_by_round", "reliability", "figure_2_0", "figure_4_0"]
    drawn += ["figure_3_0", "figure_6_0", "figure_7_0"]
    assert {f"{name}.svg" for name in drawn} <= files


def test_models_of_two_runs_are_kept_apart(write_log: WriteLog) -> None:
    """Each model is compared with its own contextual answers."""
    logs = [
        log(write_log, many(4, "srdcr"), model="a/one"),
        log(write_log, many(4, "few_shot", contextual=1), "few_shot", model="a/two"),
    ]
    items = found(logs)
    frame = table(items, "accuracy")
    golden = [name for name in frame.index if name.startswith("Golden")]
    assert len(golden) == 2
    derived = [name for name in frame.index if name.startswith("Few-shot, from")]
    assert len(derived) == 1
    assert derived[0] in headline(items)
    assert isinstance(frame.loc[derived[0], "Overall"], Measured)


def test_simulated_runs(tmp_path: Path) -> None:
    """The report has the run's own numbers, and the last round decides as the run."""
    draws: dict[str, Any] = {
        "recall_samples": 4,
        "consistency_samples": 4,
        "confidence_from": "both",
    }
    runs = {
        "SR-DCR": task(source="sample", rounds=2, **draws),
        "Judge Debate": task("judge_debate", source="sample", rounds=3),
    }
    logs = []
    for one in runs.values():
        options: dict[str, Any] = {"model": "simulated/balanced", "limit": 8}
        logs.append(run(tmp_path, one, roles={}, **options).log)
    items = found([ran.location for ran in logs], full=True)
    accuracy, rounds = table(items, "accuracy"), table(items, "rounds")
    for title, ran in zip(runs, logs, strict=True):
        (name,) = (
            n for n in accuracy.index if n.startswith(title) and "judged" not in n
        )
        assert ran.results
        metrics = ran.results.scores[0].metrics
        row = accuracy.loc[name]
        assert row["Overall"].value == pytest.approx(100 * metrics["overall"].value)
        assert row["Coverage"] == pytest.approx(100 * metrics["coverage"].value)
        assert row["Selective"] == pytest.approx(100 * metrics["selective"].value)
        last = rounds.loc[name].iloc[-1]
        assert last["Overall"].value == pytest.approx(row["Overall"].value)
        own = table(items, "rules", "Run").loc[name].set_index("Condition")["Overall"]
        alike = [cell.value for rule, cell in own.items() if rule.startswith("SR-DCR")]
        assert alike == [row["Overall"].value] * len(alike)
