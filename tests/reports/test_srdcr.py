"""The report on SR-DCR, on logs whose numbers were worked out by hand."""

from collections.abc import Iterable
from math import isnan, nan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample

from inspect_debate.evals.srdcr import srdcr as task
from inspect_debate.reports import frames, srdcr
from inspect_debate.reports.report import Headline, Item, Notice, Table, write
from inspect_debate.reports.srdcr import PROTOCOLS, TITLE, report
from inspect_debate.reports.stats import plain_model
from tests.reports.conftest import WriteLog, sample
from tests.support import run

MODEL = "openai/gpt-4o-2024-08-06"
ROUNDS = 2


def item(
    question: int,
    perturbed: int,
    protocol: str = "srdcr",
    *,
    contextual: float = 0,
    prior: float = 0,
    verdicts: tuple[float, ...] = (1, 1),
    sure: float = 0.95,
    correct: float | None = None,
    **more: float,
) -> EvalSample:
    """A sample as the scorer leaves it; the outcomes follow from its verdicts."""
    trusted = sure >= 0.9

    def after(verdict: float, gate: bool = protocol == "srdcr") -> float:
        if isnan(verdict):
            return nan
        return contextual if verdict else prior * (trusted or not gate)

    last = after(verdicts[-1])
    own = {"srdcr": last, "judge_debate": last}.get(protocol, contextual)
    right = own if correct is None else correct
    silent = float(protocol == "srdcr" and verdicts[-1] == 0 and not trusted)
    values: dict[str, float] = {
        "correct": right,
        "abstained": nan if isnan(right) else silent,
        "perturbed": perturbed,
        "severity": perturbed * (1 + question % 5),
        **{"calls": 3, "tokens": 3},
    }
    if protocol in ("srdcr", "few_shot", "judge_debate"):
        values |= {
            "few_shot": contextual,
            "prior": prior,
            "golden": prior if perturbed else contextual,
            "token_prob": prior if sure > 0.5 else contextual,
            "confidence_only": prior if trusted else contextual,
            "confidence": sure,
            "confidence_by_tokens": 1,
            "consistency": sure,
            "recall": prior,
            "same_answers": 0,
            "contextual_as_passage": 1,
        }
    if protocol == "srdcr":
        values |= {"srdcr": last, "acvd_only": after(verdicts[-1], gate=False)}
    if protocol in ("srdcr", "judge_debate"):
        for n, one in enumerate(verdicts):
            n = n if protocol == "srdcr" else 2 * n + 1
            values |= {f"verdict_{n}": one, f"after_{n}": after(one)}
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
    golden = frame.loc["Golden, same answers"]
    assert golden["Standard"] == 100
    assert (row["Calls"], row["Tokens"]) == (3, 3)
    assert isnan(golden["Calls"])
    assert golden["Perturbed"] == pytest.approx(200 / 3)
    few_shot = frame.loc["Few-shot, same answers"]
    assert few_shot["Overall"].value == 50
    assert few_shot["Unread"] == 0


def test_every_rule_on_the_same_records(write_log: WriteLog) -> None:
    frame = table(found([log(write_log, four())]), "rules")
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
    for rule, both in half.items():
        row = frame.loc[srdcr.RULES[rule]]
        assert row["Overall"].value == pytest.approx(50 * sum(both))
        assert row["Coverage"] == (75 if rule == "srdcr" else 100)


def test_conditions_come_from_their_own_runs(write_log: WriteLog) -> None:
    """Few-shot has its own run; the answers of SR-DCR's are other ones."""
    own = [
        item(n, half, "few_shot", contextual=half) for n in (0, 1) for half in (0, 1)
    ]
    logs = [log(write_log, four()), log(write_log, own, "few_shot")]
    frame = table(found(logs), "accuracy")
    assert frame.loc["Few-shot", "Perturbed"] == 100
    assert "Golden, same answers" in frame.index
    assert not any("of SR-DCR" in name for name in frame.index)
    alone = found(logs[1:])
    assert "4 samples" in headline(alone)
    assert "paired" not in alone


def judged(n: int = 2, protocol: str = "judge_debate") -> list[EvalSample]:
    """The passage is right where it is standard, memory where it is not."""
    return [
        item(q, half, protocol, contextual=1 - half, prior=half, verdicts=(1, 1 - half))
        for q in range(n)
        for half in (0, 1)
    ]


def test_judge_debate_is_judged_after_each_round(write_log: WriteLog) -> None:
    items = found([log(write_log, judged(), "judge_debate")], full=True)
    frame = table(items, "accuracy")
    assert frame.loc["Judge Debate", "Overall"].value == 100
    assert frame.loc["Judge Debate, judged after 1", "Overall"].value == 50
    assert frame.loc["Judge Debate", "Perturbed"] == 100
    assert frame.loc["Judge Debate, judged after 1", "Perturbed"] == 0
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


def test_names_of_the_papers_models() -> None:
    for model, printed in (
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openai/gpt-3.5-turbo", "gpt-3.5-turbo-0125"),
        ("anthropic/claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"),
        ("together/meta-llama/Llama-3.3-70B-Instruct-Turbo", "llama-3.3-70b"),
    ):
        assert plain_model(model) == plain_model(printed)


def many(n: int, protocol: str, **values: Any) -> list[EvalSample]:
    return [item(q, half, protocol, **values) for q in range(n) for half in (0, 1)]


def test_difference_is_treatment_minus_baseline(write_log: WriteLog) -> None:
    """SR-DCR is right on all, Few-shot on standard passages; one pair is unread."""
    good = [*judged(20, "srdcr")[:-1], item(19, 1, verdicts=(0, nan))]
    bad = judged(20, "few_shot")
    items = found([log(write_log, bad, "few_shot"), log(write_log, good)])
    row = table(items, "paired", "Baseline").loc["Few-shot"]
    assert row["Pairs"] == 39
    assert row["Overall"].value == pytest.approx(50)
    assert row["Standard"].value == 0
    assert row["Perturbed"].value == pytest.approx(100)
    assert row["p (Overall)"] < 0.001
    text = headline(items)
    assert text.index("SR-DCR") < text.index("50.0 points higher") < text.index("Few-")


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
    assert "100.0" in headline(items)
    assert not {"paired", "rules", "prior"} & {*items}


def test_confidences_on_two_scales_are_announced(write_log: WriteLog) -> None:
    def notices(items: dict[str, Item]) -> str:
        one = items["Notice"]
        assert isinstance(one, Notice)
        return " ".join(one.texts)

    mixed = [*four(), item(7, 0, confidence_by_tokens=0), item(7, 1)]
    assert "6 of 7" in notices(found([log(write_log, mixed)]))
    assert "two scales" not in notices(found([log(write_log, four())]))


def test_the_prior_by_tier(write_log: WriteLog) -> None:
    frame = table(found([log(write_log, four())], full=True), "prior", "Tier")
    assert frame["Items"].to_dict() == {"All items": 5, "Highly known": 3, "Unknown": 2}
    assert frame.loc["Unknown", "Right"].value == 0
    row = frame.loc["All items"]
    assert row["Right"].value == pytest.approx(60)
    # Three times 0.95 where all are right, twice 0.5 where none is.
    assert row["ECE"] == pytest.approx(100 * (3 * 0.05 + 2 * 0.5) / 5)
    assert row["Brier score"] == pytest.approx(100 * (3 * 0.05**2 + 2 * 0.25) / 5)


def test_the_page_in_full(write_log: WriteLog, tmp_path: Path) -> None:
    logs = [
        log(write_log, [*four(), *many(6, "srdcr")[6:]]),
        log(write_log, judged(3), "judge_debate"),
        log(write_log, many(3, "naive_debate"), "naive_debate"),
    ]
    frame = frames.samples(logs, "srdcr", PROTOCOLS)
    page = write(report(frame, full=True), tmp_path / "out", TITLE)
    files = {one.name for one in page.parent.iterdir()}
    tables = [*("accuracy", "severity", "paired", "rules", "prior")]
    tables += ["runs", "samples"]
    assert {f"{name}.csv" for name in tables} <= files
    drawn = ["overall", *(f"figure_{n}_0" for n in (2, 3, 4, 6, 7))]
    assert {f"{name}.svg" for name in drawn} <= files


def test_simulated_runs(tmp_path: Path) -> None:
    """The report has the run's own numbers."""
    options: dict[str, Any] = {"model": "simulated/balanced", "limit": 8, "roles": {}}
    for protocol in ("srdcr", "judge_debate"):
        ran = run(tmp_path, task(protocol, source="sample", rounds=2), **options).log
        items = found([ran.location], full=True)
        assert ran.results
        metrics = ran.results.scores[0].metrics
        row = table(items, "accuracy").iloc[0]
        assert row["Overall"].value == pytest.approx(100 * metrics["overall"].value)
        assert row["Coverage"] == pytest.approx(100 * metrics["coverage"].value)
        assert row["Selective"] == pytest.approx(100 * metrics["selective"].value)


def test_draws_for_analysis_make_no_other_condition() -> None:
    one = task(source="sample", tau=0.8, recall_samples=4, confidence_from="both")
    assert (one.metadata or {})["changed"] == {"tau": 0.8}
