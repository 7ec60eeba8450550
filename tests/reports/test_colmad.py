import json
import os
import re
from collections.abc import Iterable, Sequence
from itertools import product
from math import isnan, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest
from inspect_ai.log import EvalSample

from inspect_debate.datasets.realmistake import AUTHORS, SUBSETS
from inspect_debate.debate.errors import InputError
from inspect_debate.reports import colmad, frames, trust
from inspect_debate.reports.colmad import ALWAYS, PROTOCOLS, TITLE, report
from inspect_debate.reports.report import Headline, Item, Table, write
from inspect_debate.transcripts.realmistake_detectors import import_detectors
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
    frame = item.frame
    return frame.set_index("Condition") if "Condition" in frame else frame


def headline(found: dict[str, Item]) -> str:
    assert isinstance(found["Headline"], Headline)
    return found["Headline"].text


def test_scores_by_task_are_as_worked_by_hand(write_log: WriteLog) -> None:
    # math: 2 hits, 1 miss, 1 false alarm; fact: all right; answerability: 3 hits, and
    # a random tie-break on the false alarm: F1 is 6/7 or 1, F2 15/16 or 1.
    found = items([write_log(on_tasks([1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 1, 0.5]))])
    row = table(found, "scores_gpt4").loc["ColMAD"]
    assert row["Math F1"] == pytest.approx(100 * 4 / 6)
    assert row["Math F2"] == pytest.approx(100 * 10 / 15)
    assert row["Fact F1"] == 100
    assert row["Answerability F1"] == pytest.approx(100 * (6 / 7 + 1) / 2)
    assert row["Answerability F2"] == pytest.approx(100 * (15 / 16 + 1) / 2)
    average = 100 * (4 / 6 + 1 + (6 / 7 + 1) / 2) / 3
    assert row["Average F1"] == pytest.approx(average)
    assert table(found, "errors").loc["ColMAD", "F1"].value == pytest.approx(average)
    assert f" is {average:.1f} " in headline(found)


def test_always_error_is_beside_every_condition(write_log: WriteLog) -> None:
    found = items([write_log(on_tasks(*3 * [[1, 0, 0, 0]]))])
    row = table(found, "scores_gpt4").loc[ALWAYS]
    assert row["Average F1"] == pytest.approx(100 * 6 / 7)
    assert row["Average F2"] == pytest.approx(100 * 15 / 16)
    assert table(found, "errors").loc[ALWAYS, "Balanced accuracy"].value == 50
    assert "85.7" in headline(found)


def test_unread_is_left_out_or_no_error(write_log: WriteLog) -> None:
    found = items([write_log(four([1, 1, nan, nan]))], full=True)
    # As "no error": a miss and a true negative, but accuracy calls both wrong.
    scores = table(found, "scores_gpt4").loc["ColMAD"]
    assert scores["Math F1"] == pytest.approx(80)
    assert isnan(scores["Fact F1"])
    assert isnan(scores["Average F1"])  # which needs all three tasks
    row = table(found, "by_task").loc["ColMAD"]
    assert (row["F1"], row["Accuracy"]) == (pytest.approx(80), 50)
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
        target = "error" if n % 3 else "no_error"
        said = random.random() < (rate if target == "error" else rate / 2)
        found.append(sample(f"{task}{n}", target, float(said), subset=task))
    return found


def test_a_planted_difference_is_found_and_its_sign_turns(write_log: WriteLog) -> None:
    better, worse = planted(0.9, 1), planted(0.6, 2)
    for treatment, baseline, sign, word in (
        (better, worse, 1, "higher"),
        (worse, better, -1, "lower"),
    ):
        found = items([write_log(treatment), write_log(baseline, "single")])
        row = table(found, "paired").iloc[0]
        assert (row["Treatment"], row["Baseline"]) == ("ColMAD", "Single")
        assert sign * row["F1"].low > 0 < sign * row["F1"].high
        assert row["p (F1)"] < 0.05
        assert word in headline(found)
        assert f"{abs(row['F1'].value):.1f} points" in headline(found)
        # One estimate per quantity: on the same items, the difference of two rows.
        errors = table(found, "errors")["F1"]
        difference = errors["ColMAD"].value - errors["Single"].value
        assert row["F1"].value == pytest.approx(difference)


PAIR = {"debater_a": A, "debater_b": B}
OWN = f"Single ({frames.short(B)})"


@pytest.mark.parametrize(
    ("runs", "treatment", "baseline"),
    [
        ({"judge_alone": A, "single": A, "colmad": B}, "ColMAD", OWN),
        ({"single": A, "copmad": A}, "CopMAD", "Single"),
        ({"ensemble": A, "som": A}, "Society of Minds", "Ensemble"),
    ],
)
def test_the_main_debate_is_compared_with_its_first_debater_alone(
    write_log: WriteLog, runs: dict[str, str], treatment: str, baseline: str
) -> None:
    tasks = on_tasks([1, 0, 1, 0], [1, 1, 1, 1])
    logs = [write_log(tasks, name, model=model) for name, model in runs.items()]
    if baseline == OWN:
        logs.append(write_log(tasks, "single", model=B))
    found = items(logs)
    assert {*table(found, "paired")["Treatment"]} == {treatment}
    assert f" that of {baseline} (" in headline(found)


def test_pairs_are_the_samples_that_both_predict(write_log: WriteLog) -> None:
    ours = write_log(on_tasks([1, 0, nan, 0], [1, 1, 1, 0]))
    theirs = [*four([1, 1, 1, 1]), sample("fact1", prediction=0, subset="fact")]
    found = items([ours, write_log(theirs, "single")])
    assert table(found, "paired").loc[0, "Pairs"] == 4
    found = items([ours, write_log([sample("other", prediction=1)], "single")])
    assert table(found, "paired").loc[0, "Pairs"] == 0
    assert "cannot be compared" in headline(found)


def test_every_debate_is_compared_in_the_full_report(write_log: WriteLog) -> None:
    tasks = on_tasks([1, 0, 1, 0])
    logs = [write_log(tasks, protocol) for protocol in ("colmad", "copmad", "single")]
    logs.append(write_log(tasks, changed={"rounds": 0}))
    rounds = "ColMAD, rounds=0"
    pairs = table(items(logs), "paired")[["Treatment", "Baseline"]].to_numpy().tolist()
    mine = [["ColMAD", other] for other in (rounds, "CopMAD", "Single")]
    assert pairs == mine
    found = items(logs, full=True)
    pairs = table(found, "paired")[["Treatment", "Baseline"]].to_numpy().tolist()
    assert pairs == [*mine, ["CopMAD", rounds], ["CopMAD", "Single"]]
    assert "figure_6_f1" in found


BOTH = "GPT4o-mini + Llama3.1-70B", "Llama3.1-70B + GPT4o-mini"
PRINTED: list[tuple[dict[str, object], set[str]]] = [
    ({"model": "mine/llama-9"}, set()),
    ({"model": A}, {"Single (GPT4o-mini)"}),
    ({"model": "x/GPT4o-mini-turbo-2"}, set()),
    ({"model": "deepseek/DeepSeek-R1-Distill-70B"}, set()),
    (
        {"roles": PAIR},
        {"Single (GPT4o-mini)", "Single (Llama3.1-70B)"}
        | {f"{name} ({p})" for name in ("ColMAD", "CopMAD", "Ensemble") for p in BOTH},
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
    return sample(f"i{n}", "error", right, process=process)


def test_what_debates_did(write_log: WriteLog) -> None:
    grades = {"debate_hacking": {"graded_speeches": 4, "hacked": 1}}
    samples = [
        debated(1, first=(0, 0), right=1, speeches_lost=1, concessions=1),
        debated(2, first=(0, 0), right=0, first_listed=1),
        debated(3, first=(1, 1), right=0, concessions=1),
        debated(4, first=(1, 0), right=1, first_listed=1),
        sample("i5", "error", 1, process={"first_a": 1, "first_b": 1}, scores=grades),
    ]
    found = items([write_log(samples)], full=True)
    row = table(found, "debates").loc["ColMAD"]
    assert row["Debated"].value == 80
    assert row["First answer A"].value == pytest.approx(60)
    assert row["Outcome"].value == pytest.approx(60)
    assert row["Conceded"].value == pytest.approx(100 * 2 / 15)
    assert row["Quotes verified"].value == pytest.approx(100 * 2 / 3)
    assert row["Hacked"].value == 25
    trust = table(found, "samples").loc["ColMAD"]
    assert trust["Listed first (%)"].value == 50
    assert trust["Unread speeches"] == 1


def test_oracle_reduction_beside_what_chance_gives(write_log: WriteLog) -> None:
    # Opposite constants: an oracle removes every error, and chance does the same.
    always, never = (
        [
            sample(f"i{n}", target, guess, process={"first_a": right})
            for n, (target, right) in enumerate(zip(TARGETS, rights, strict=True))
        ]
        for guess, rights in ((1, (1, 1, 1, 0)), (0, (0, 0, 0, 1)))
    )
    logs = [write_log(always, "single", model=A), write_log(never, "single", model=B)]
    found = items(logs, full=True)
    row = table(found, "oracle").iloc[0]
    assert row["Errors"] == row["Removed"] == 1
    assert (row["Share (Eq. 4)"], row["Expected"], row["Corrected"]) == (100, 100, 0)
    assert "oracle_gpt_4_math" not in found
    logs.append(write_log(always, "single", model="x/y"))
    assert {"oracle_gpt_4_math", "oracle_gpt_4_mean_over_tasks"} <= {*items(logs, True)}


def test_reasons_and_items(write_log: WriteLog) -> None:
    grades = {"explanation_alignment": {"aligned": 1.0}}
    kinds = {"categories": ["Reasoning", "Context"]}
    samples = [
        sample("i1", "error", 1, scores=grades, metadata=kinds),
        sample("i2", "error", 0),
        sample("i3", "no_error", 0),
    ]
    found = items([write_log(samples)], full=True)
    assert "figure_5b" in found
    item = table(found, "table_4").iloc[0]
    assert (item["Items"], item["Reasoning"], item["Context"]) == (3, 100, 50)
    assert item["Errors"] == pytest.approx(100 * 2 / 3)


def test_debaters_and_judges_make_a_matrix(write_log: WriteLog) -> None:
    logs = [
        write_log(on_tasks([1, 0, 1, 0]), "single", model=A),
        write_log(on_tasks([1, 0, 1, 0]), roles=PAIR),
        write_log(on_tasks([1, 0, 1, 1]), roles=PAIR | {"judge": "x/y"}),
    ]
    assert "figure_5a" not in items(logs[:1], full=True)
    assert "figure_5a" in items(logs, full=True)


def test_warnings(write_log: WriteLog) -> None:
    def log(
        samples: list[EvalSample], protocol: str = "colmad", prompt: str = ""
    ) -> str:
        prompts = {"prompts": {"answer": prompt}} if prompt else {}
        return write_log(samples, protocol, roles=PAIR, metadata=prompts)

    many = planted(0.7, 1)
    lost = [sample(f"x{n}") for n in range(30)]
    cut = [sample(f"x{n}", "error", 1, process={"truncated": 2}) for n in range(30)]
    cases = {
        "": [log(many)],
        "both debaters": [write_log(many)],
        "Simulated": [write_log(many, model="simulated/balanced")],
        "independent items": [log(many[:10])],
        "not on the same": [log(many), write_log(many[:-1], "single")],
        "Overloaded": [log([*many, sample("x", error="Overloaded")])],
        "no outcome": [log([*many, *lost])],
        "truncated in 30 of": [log([*many, *cut])],
        "prompts": [log(many, "colmad", "a"), log(many, "copmad", "b")],
    }
    for words, logs in cases.items():
        read = frames.samples(logs, "colmad", PROTOCOLS)
        found = " ".join(trust.warnings(read, colmad.OUTCOME))
        assert words in found if words else not found


def test_nothing_predicted_is_still_a_report(
    write_log: WriteLog, tmp_path: Path
) -> None:
    samples = [sample("i1", "error"), sample("i2", "no_error")]
    logs = [write_log(samples), write_log(samples, "single")]
    read = frames.samples(logs, "colmad", PROTOCOLS)
    for full in (False, True):
        page = write(report(read, full), tmp_path / "out", TITLE).read_text("utf-8")
        assert "nan" not in page.split("<main>")[1].lower()
    unscored = read.drop(columns=[c for c in read if str(c).startswith("error_")])
    with pytest.raises(InputError, match="no scores of error_detection"):
        [*report(unscored)]


DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "-")) / "realmistake"


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
def test_released_detectors_have_their_published_values(tmp_path: Path) -> None:
    logs = [str(path) for path in import_detectors(DATA, tmp_path)]
    rows = colmad.read(frames.samples(logs, "colmad", PROTOCOLS))
    # Of the full report the table over tasks alone, which is where these values are.
    (cells,) = colmad._tasks(rows)
    assert isinstance(cells, Table)
    frame: Any = cells.frame.set_index(["Condition", "Responses of", "Task"])
    published = json.loads((DATA / "published_performance.json").read_text())
    compared = 0
    for task, authors in published.items():
        for author, detectors in authors.items() if task in SUBSETS else ():
            for detector, prompts in detectors.items():
                model = re.split("[/=]", detector)[-1]
                for prompt, cell in prompts.items():
                    if not prompt.startswith("prompt="):
                        continue
                    condition = f"Single ({model}), parser=realmistake, prompt="
                    title = colmad.AUTHORS[AUTHORS[author.partition("=")[2]]]
                    subset = colmad.TASKS[SUBSETS[task]]
                    row = frame.loc[condition + prompt[-1], title, subset]
                    for name in ("accuracy", "precision", "recall", "f1"):
                        value = row[name.capitalize()] / 100
                        assert value == pytest.approx(cell["metrics"][name], abs=1e-12)
                        compared += 1
    assert compared == 768
