import json
import os
from collections.abc import Iterable, Sequence
from itertools import product
from math import isnan, nan
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalSample

from inspect_debate.debate.record import Turn
from inspect_debate.metrics.detection import expected
from inspect_debate.reports import colmad, frames, trust
from inspect_debate.reports.colmad import ALWAYS, PROTOCOLS, TITLE, report
from inspect_debate.reports.report import Headline, Item, Table, write
from tests.reports.conftest import WriteLog, sample

A, B = "openai/gpt-4o-mini-2024-07-18", "meta/Meta-Llama-3.1-70B-Instruct-Turbo"
TASKS = ("math", "fact", "answerability")
TARGETS = ["error", "error", "error", "no_error"]


def four(predictions: Sequence[float], subset: str = "math") -> list[EvalSample]:
    """Three gold errors, then one response without."""
    pairs = enumerate(zip(TARGETS, predictions, strict=True))
    return [sample(f"{subset}{n}", t, p, subset=subset) for n, (t, p) in pairs]


def on_tasks(*predictions: Sequence[float]) -> list[EvalSample]:
    parts = zip(TASKS, predictions, strict=False)
    return [one for task, of_task in parts for one in four(of_task, task)]


def items(logs: Iterable[str], full: bool = False) -> dict[str, Item]:
    found = report(frames.samples([*logs], "colmad", PROTOCOLS), full)
    return {getattr(item, "name", type(item).__name__): item for item in found}


def table(found: dict[str, Item], name: str) -> Any:
    item = found[name]
    assert isinstance(item, Table)
    return (
        item.frame.set_index("Condition") if "Condition" in item.frame else item.frame
    )


def headline(found: dict[str, Item]) -> str:
    assert isinstance(found["Headline"], Headline)
    return found["Headline"].text


def test_scores_by_task_are_as_worked_by_hand(write_log: WriteLog) -> None:
    # math: 2 hits, 1 miss, 1 false alarm; fact: all right; answerability: 3 hits, and
    # a random tie-break on the false alarm: F1 is 6/7 or 1, F2 15/16 or 1.
    path = write_log(on_tasks([1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 1, 0.5]))
    row = table(items([path]), "scores_gpt4").loc["ColMAD"]
    assert row["Math F1"] == pytest.approx(100 * 4 / 6)
    assert row["Math F2"] == pytest.approx(100 * 10 / 15)
    assert row["Fact F1"] == 100
    assert row["Answerability F1"] == pytest.approx(100 * (6 / 7 + 1) / 2)
    assert row["Answerability F2"] == pytest.approx(100 * (15 / 16 + 1) / 2)
    average = (4 / 6 + 1 + (6 / 7 + 1) / 2) / 3
    assert row["Average F1"] == pytest.approx(100 * average)


def test_the_same_f1_in_headline_tables_and_at_the_end_of_a_run(
    write_log: WriteLog,
) -> None:
    found = items([write_log(on_tasks([1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 1, 0.5]))])
    average = table(found, "scores_gpt4").loc["ColMAD", "Average F1"]
    assert table(found, "errors").loc["ColMAD", "F1"].value == pytest.approx(average)
    assert f" is {average:.1f} " in headline(found)


def test_always_error_is_beside_every_condition(write_log: WriteLog) -> None:
    found = items([write_log(on_tasks(*3 * [[1, 0, 0, 0]]))])
    row = table(found, "scores_gpt4").loc[ALWAYS]
    assert row["Average F1"] == pytest.approx(100 * 6 / 7)
    assert row["Average F2"] == pytest.approx(100 * 15 / 16)
    assert table(found, "errors").loc[ALWAYS, "Balanced accuracy"].value == 50
    assert "85.7" in headline(found)


def test_an_average_needs_all_three_tasks(write_log: WriteLog) -> None:
    row = table(items([write_log(four([1, 1, 1, 0]))]), "scores_gpt4").loc["ColMAD"]
    assert row["Math F1"] == 100
    assert isnan(row["Fact F1"])
    assert isnan(row["Average F1"])


def test_unread_counts_both_ways_only_where_there_is_some(write_log: WriteLog) -> None:
    whole = items([write_log(four([1, 1, 0, 0]))], full=True)
    assert "Unread" not in table(whole, "scores_gpt4")
    found = items([write_log(four([1, 1, nan, nan]))], full=True)
    # As "no error": a miss and a true negative, but accuracy calls both wrong.
    assert table(found, "scores_gpt4").loc["ColMAD", "Math F1"] == pytest.approx(80)
    row = table(found, "by_task").loc["ColMAD"]
    assert (row["F1"], row["F1, unread left out"]) == pytest.approx((80, 100))
    assert (row["Accuracy"], row["Accuracy, unread left out"]) == (50, 100)
    assert table(found, "errors").loc["ColMAD", "F1"].value == 100
    assert table(found, "errors").loc["ColMAD", "Unread"] == 2


def test_epochs_are_no_further_items(write_log: WriteLog) -> None:
    once = on_tasks([1, 1, 0, 1], [1, 0, 1, 0])
    twice = [*once, *(one.model_copy(update={"epoch": 2}) for one in once)]
    one, two = (table(items([write_log(of)]), "errors") for of in (once, twice))
    assert two.loc["ColMAD", "Samples"] == 2 * one.loc["ColMAD", "Samples"]
    assert tuple(two.loc["ColMAD", "F1"]) == pytest.approx(
        tuple(one.loc["ColMAD", "F1"])
    )


def planted(rate: float, seed: int, count: int = 60) -> list[EvalSample]:
    """Samples that find errors at a rate, and raise half as many false alarms."""
    random, found = Random(seed), []
    for task, n in product(TASKS, range(count)):
        error = n % 3 > 0
        said = float(random.random() < (rate if error else rate / 2))
        target = "error" if error else "no_error"
        found.append(sample(f"{task}{n}", target, said, subset=task))
    return found


def test_a_planted_difference_is_found_and_its_sign_turns(write_log: WriteLog) -> None:
    better, worse = planted(0.9, 1), planted(0.6, 2)
    gold = [s.target == "error" for s in better]
    tasks = [(s.metadata or {})["subset"] for s in better]
    truth = [
        expected("f1", gold, _predictions(of), stratum=tasks) for of in (better, worse)
    ]
    for treatment, baseline, sign, word in (
        (better, worse, 1, "higher"),
        (worse, better, -1, "lower"),
    ):
        found = items([write_log(treatment), write_log(baseline, "single")])
        row = table(found, "paired").iloc[0]
        assert (row["Treatment"], row["Baseline"]) == ("ColMAD", "Single")
        assert row["F1"].value == pytest.approx(sign * 100 * (truth[0] - truth[1]))
        assert row["F1"].low * row["F1"].high > 0
        assert row["p (F1)"] < 0.05
        assert word in headline(found)
        assert f"{abs(row['F1'].value):.1f} points" in headline(found)
        # One estimate per quantity: on the same items, the difference of two rows.
        errors = table(found, "errors")["F1"]
        difference = errors["ColMAD"].value - errors["Single"].value
        assert row["F1"].value == pytest.approx(difference)


def _predictions(of: Sequence[EvalSample]) -> list[float]:
    return [s.scores["error_detection"].value["prediction"] for s in of]  # type: ignore[index, call-overload, misc]


@pytest.mark.parametrize(
    ("runs", "treatment", "baseline"),
    [
        (
            [("judge_alone", A), ("single", B), ("colmad", B), ("single", A)],
            "ColMAD",
            f"Single ({frames.short(B)})",
        ),
        ([("single", A), ("copmad", A)], "CopMAD", "Single"),
        ([("ensemble", A), ("som", A)], "Society of Minds", "Ensemble"),
    ],
)
def test_the_main_debate_is_compared_with_its_first_debater_alone(
    write_log: WriteLog, runs: list[tuple[str, str]], treatment: str, baseline: str
) -> None:
    tasks = on_tasks([1, 0, 1, 0], [1, 1, 1, 1])
    found = items([write_log(tasks, protocol, model=m) for protocol, m in runs])
    paired = table(found, "paired")
    assert {*paired["Treatment"]} == {treatment}
    assert f" that of {baseline} (" in headline(found)


def test_pairs_are_the_samples_that_both_predict(write_log: WriteLog) -> None:
    logs = [
        write_log(on_tasks([1, 0, nan, 0], [1, 1, 1, 0])),
        write_log(
            [*four([1, 1, 1, 1]), sample("fact1", prediction=0, subset="fact")],
            "single",
        ),
    ]
    assert table(items(logs), "paired").loc[0, "Pairs"] == 4
    found = items([logs[0], write_log([sample("other", prediction=1)], "single")])
    assert table(found, "paired").loc[0, "Pairs"] == 0
    assert "cannot be compared" in headline(found)


def test_every_debate_is_compared_in_the_full_report(write_log: WriteLog) -> None:
    logs = [
        write_log(on_tasks([1, 0, 1, 0]), protocol, changed=changed)
        for protocol, changed in [
            ("colmad", {}),
            ("colmad", {"rounds": 0}),
            ("copmad", {}),
            ("single", {}),
        ]
    ]
    rounds = "ColMAD, rounds=0"
    pairs = table(items(logs), "paired")[["Treatment", "Baseline"]].to_numpy().tolist()
    mine = [["ColMAD", other] for other in (rounds, "CopMAD", "Single")]
    assert pairs == mine
    found = items(logs, full=True)
    pairs = table(found, "paired")[["Treatment", "Baseline"]].to_numpy().tolist()
    assert pairs == [*mine, ["CopMAD", rounds], ["CopMAD", "Single"]]
    assert "figure_6_f1" in found


PRINTED = [
    pytest.param({"model": "mine/llama-9"}, set(), id="unknown"),
    pytest.param({"model": A}, {"Single (GPT4o-mini)"}, id="one"),
    pytest.param({"model": "x/GPT4o-mini-turbo-2"}, set(), id="another of its name"),
    pytest.param({"model": "deepseek/DeepSeek-R1-Distill-70B"}, set(), id="distilled"),
    pytest.param(
        {"roles": {"debater_a": A, "debater_b": B}},
        {
            "Single (GPT4o-mini)",
            "Single (Llama3.1-70B)",
            *(
                f"{protocol} ({pair})"
                for protocol in ("ColMAD", "CopMAD", "Ensemble")
                for pair in ("GPT4o-mini + Llama3.1-70B", "Llama3.1-70B + GPT4o-mini")
            ),
        },
        id="a pair",
    ),
]


@pytest.mark.parametrize(("bound", "names"), PRINTED)
def test_printed_rows_are_those_of_models_that_were_run(
    write_log: WriteLog, bound: dict[str, object], names: set[str]
) -> None:
    path = write_log(on_tasks([1, 0, 1, 0]), **bound)
    frame = table(items([path]), "scores_gpt4")
    assert {*frame.index[frame["Source"] == "Printed"]} == names
    if "Single (GPT4o-mini)" in names:
        assert frame.loc["Single (GPT4o-mini)", "Math F1"] == 78.70
        assert frame.loc["Single (GPT4o-mini)", "Average F2"] == 82.20


def debated(
    n: int, *, first: tuple[float, float], right: float, **more: float
) -> EvalSample:
    process = {"first_a": first[0], "first_b": first[1], "debated": 1, "verdicts": 1}
    process |= {"speeches": 4, "quotes": 3, "quotes_verified": 2, **more}
    said = [
        Turn(speaker="debater_a", role="debater_a", kind="answer", status="ok"),
        Turn(speaker="Bob", role="debater_b", kind="speech", status="refused"),
    ]
    return sample(f"i{n}", "error", right, process=process, turns=said)


def test_what_debates_did(write_log: WriteLog) -> None:
    samples = [
        debated(1, first=(0, 0), right=1, speeches_lost=1, concessions=1),
        debated(2, first=(0, 0), right=0, first_listed=1),
        debated(3, first=(1, 1), right=0, concessions=1),
        debated(4, first=(1, 0), right=1, first_listed=1),
        sample("i5", "error", 1, process={"first_a": 1, "first_b": 1}),
    ]
    found = items([write_log(samples)], full=True)
    row = table(found, "debates").loc["ColMAD"]
    assert row["Debated"].value == 80
    assert row["Both wrong, then right"].value == 50
    assert row["Both right, then wrong"].value == 100
    assert row["First answer A"].value == pytest.approx(60)
    assert row["Outcome"].value == pytest.approx(60)
    assert row["Conceded"].value == pytest.approx(100 * 2 / 15)
    assert row["Quotes verified"].value == pytest.approx(100 * 2 / 3)
    trust = table(found, "samples").loc["ColMAD"]
    assert trust["Listed first (%)"].value == 50
    assert trust["Unread speeches"] == 1
    turns = table(found, "turns").loc["ColMAD"].set_index("Kind")
    assert turns.loc["speech", "Refused"] == 4


def test_oracle_reduction_beside_what_chance_gives(write_log: WriteLog) -> None:
    # Opposite constants: an oracle removes every error, and chance does the same.
    always, never = (on_tasks(*3 * [[guess, guess, guess, guess]]) for guess in (1, 0))
    logs = [write_log(always, "single", model=A), write_log(never, "single", model=B)]
    row = table(items(logs, full=True), "oracle").iloc[0]
    assert row["Errors"] == row["Removed"] == 1
    assert (row["Share (Eq. 4)"], row["Expected"], row["Corrected"]) == (100, 100, 0)


def test_calibration_of_stated_confidence(write_log: WriteLog) -> None:
    said = {"confidence_a": 0.8, "final_a": 1.0, "confidence_b": 0.6, "final_b": 0.0}
    samples = [debated(n, first=(1, 0), right=1, **said) for n in range(3)]
    found = items([write_log(samples)], full=True)
    row = table(found, "calibration").loc["ColMAD"]
    assert row["Statements"] == 6
    assert row["Confidence"].value == pytest.approx(70)
    assert row["Right"].value == pytest.approx(50)
    assert row["Brier score × 100"].value == pytest.approx(100 * (0.04 + 0.36) / 2)
    assert "reliability" in found


def test_grades_categories_and_items(write_log: WriteLog) -> None:
    grades: dict[str, dict[str, float]] = {
        "explanation_alignment": {"aligned": 1.0},
        "debate_hacking": {"graded_speeches": 4, "hacked": 1, "overconfident": 2},
    }
    kinds = {"categories": ["Reasoning", "Context"]}
    samples = [
        sample("i1", "error", 1, scores=grades, metadata=kinds),
        sample("i2", "error", 0, scores=grades),
        sample("i3", "no_error", 0, scores=grades),
    ]
    found = items([write_log(samples)], full=True)
    assert "figure_5b" in found
    hacking = table(found, "hacking").loc["ColMAD"]
    assert hacking["Graded speeches"] == 12
    assert hacking["Hacked"].value == 25
    recall = table(found, "categories").loc["ColMAD"].set_index("Category")["Recall"]
    assert {name: one.value for name, one in recall.items()} == {
        "Context": 100,
        "Reasoning": 50,
    }
    item = table(found, "table_4").iloc[0]
    assert (item["Items"], item["Words in"], item["Words out"]) == (3, 3, 4)
    assert item["Errors"] == pytest.approx(100 * 2 / 3)
    assert (item["Reasoning"], item["Context"]) == (100, 50)


def test_debaters_and_judges_make_a_matrix(write_log: WriteLog) -> None:
    pair = {"debater_a": A, "debater_b": B}
    logs = [
        write_log(on_tasks([1, 0, 1, 0]), "single", model=A),
        write_log(on_tasks([1, 0, 1, 0]), roles=pair),
        write_log(on_tasks([1, 0, 1, 1]), roles=pair | {"judge": "x/y"}),
    ]
    assert "figure_5a" not in items(logs[:1], full=True)
    assert "figure_5a" in items(logs, full=True)


def warnings(*logs: str) -> str:
    read = frames.samples(logs, "colmad", PROTOCOLS)
    return " ".join(trust.warnings(read, colmad.OUTCOME))


def test_warnings(write_log: WriteLog) -> None:
    pair = {"debater_a": A, "debater_b": B}
    many = planted(0.7, 1)
    assert warnings(write_log(many, roles=pair)) == ""
    cases = {
        "both debaters": [write_log(many)],
        "Simulated": [write_log(many, model="simulated/balanced")],
        "Few items": [write_log(many[:10], roles=pair)],
        "not on the same": [
            write_log(many, roles=pair),
            write_log(many[:-1], "single"),
        ],
        "Overloaded": [write_log([*many, sample("x", error="Overloaded")], roles=pair)],
        "no outcome": [
            write_log([*many, *(sample(f"x{n}") for n in range(30))], roles=pair)
        ],
        "prompts": [
            write_log(
                many, protocol, roles=pair, metadata={"prompts": {"answer": digest}}
            )
            for protocol, digest in (("colmad", "a"), ("copmad", "b"))
        ],
    }
    for words, logs in cases.items():
        assert words in warnings(*logs)


def test_nothing_predicted_is_still_a_report(
    write_log: WriteLog, tmp_path: Path
) -> None:
    samples = [sample("i1", "error"), sample("i2", "no_error")]
    logs = [write_log(samples), write_log(samples, "single")]
    read = frames.samples(logs, "colmad", PROTOCOLS)
    for full in (False, True):
        page = write(report(read, full), tmp_path / "out", TITLE).read_text("utf-8")
        assert "nan" not in page.split("<main>")[1].lower()
    bare = read.drop(
        columns=[c for c in read if str(c).startswith(("process", "error_"))]
    )
    assert [*report(bare, full=True)]


DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "-")) / "realmistake"


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
def test_released_detectors_have_their_published_values(write_log: WriteLog) -> None:
    labels: Any = pd.read_csv(DATA / "detector_labels.csv")
    published = json.loads((DATA / "published_performance.json").read_text())
    subsets = {t: next(s for s in TASKS if s in t) for t in labels["task"].unique()}
    authors = {
        name: "gpt4" if "gpt-4" in name else "llama2"
        for name in labels["response_model"].unique()
    }
    said = {"error": 1.0, "no_error": 0.0}
    keys = {
        f"{detector} (prompt {prompt[-1]})": (detector, prompt)
        for detector, prompt in labels.groupby(["detector_model", "prompt"]).groups
    }
    logs = []
    for name, (detector, prompt) in keys.items():
        own = labels[
            (labels["detector_model"] == detector) & (labels["prompt"] == prompt)
        ]
        samples = [
            sample(
                f"{row.task}_{row.response_model}_{row.index}",
                str(row.gold_label),
                said.get(str(row.predicted_label), nan),
                subset=subsets[row.task],
                author=authors[row.response_model],
            )
            for row in own.itertuples(index=False)
        ]
        logs.append(write_log(samples, "single", model=name))
    read = frames.samples(logs, "colmad", PROTOCOLS)
    # Of the full report the table over tasks alone, which is where these values are.
    (cells,) = colmad._by_task(colmad.read(read))
    assert isinstance(cells, Table)
    frame: Any = cells.frame.set_index(["Condition", "Responses of", "Task"])
    checked = 0
    for (task, subset), (model, author) in product(subsets.items(), authors.items()):
        by_author = next(v for k, v in published[task].items() if k.endswith(model))
        for name, (detector, prompt) in keys.items():
            own = next(
                of
                for key, of in by_author.items()
                if str(key).endswith(f"/{detector}")
                or str(key).endswith(f"={detector}")
            )
            values = own[f"prompt={prompt}"]["metrics"]
            where = (
                f"Single ({name})",
                colmad.AUTHORS[author],
                colmad.TASKS[subset],
            )
            for metric in ("accuracy", "precision", "recall", "f1"):
                found = frame.loc[where, metric.capitalize()] / 100
                assert found == pytest.approx(values[metric], abs=1e-12)
                checked += 1
    assert checked == 768
