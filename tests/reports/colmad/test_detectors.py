"""The published metrics of ReaLMistake's detectors, from their published labels."""

from collections import Counter, defaultdict
from statistics import fmean

import numpy as np
import pandas as pd
import pytest

from inspect_debate.metrics import detection as d
from inspect_debate.published.colmad import GOLD, Gold
from inspect_debate.published.realmistake import (
    AVERAGES,
    PROMPTS,
    SIZES,
    Detectors,
    Numbers,
    averages,
    counted,
    detector_numbers,
)
from inspect_debate.reports.colmad.conditions import AUTHORS, SUBSETS, Condition
from inspect_debate.reports.colmad.detection import CELL_STATISTICS
from inspect_debate.reports.colmad.measures import Data
from inspect_debate.reports.colmad.report import REPORT
from tests.reports.made_scores import condition, rows, scores
from tests.reports.reported import table_of
from tests.support.released import data, needs_data

pytestmark = needs_data

SUBSETS_OF = {
    "math_word_problem_generation": "math",
    "finegrained_fact_verification": "fact",
    "answerability_classification": "answerability",
}
AUTHORS_OF = {"gpt-4-0613": "gpt4", "Llama-2-70b-chat-hf": "llama2"}


@pytest.fixture(scope="module")
def found() -> Detectors:
    detectors = data().detectors
    assert detectors is not None
    return detectors


def test_every_number_is_as_published(found: Detectors) -> None:
    cells = Counter((one.table, one.equal) for one in detector_numbers(found))
    assert cells == {(table, True): size for table, size in SIZES.items()}


def test_nothing_of_ours_is_left_out(found: Detectors) -> None:
    assert found.labels.keys() == found.published.keys()
    assert averages(found).keys() == found.averages.keys()
    for detector, by_prompt in found.labels.items():
        assert by_prompt.keys() == found.published[detector].keys()
    assert sum(len(of) for of in found.labels.values()) == 192


def test_a_label_that_is_another_changes_a_number(found: Detectors) -> None:
    detector, by_prompt = next(iter(found.labels.items()))
    prompt, labels = next(iter(by_prompt.items()))
    gold, predicted = labels[0]
    other = [(gold, 1.0 - predicted), *labels[1:]]
    labels_of = {**found.labels, detector: {**by_prompt, prompt: other}}
    cells = list(detector_numbers(found._replace(labels=labels_of)))
    apart = Counter(cell.table for cell in cells if not cell.equal)
    assert apart[PROMPTS] >= 2
    assert apart[AVERAGES] >= 4


def test_the_gold_labels_are_those_that_printed_cells_are_compared_with(
    found: Detectors,
) -> None:
    errors = {
        (detector.task, detector.author): Gold(
            sum(gold == 1 for gold, _ in labels), sum(gold == 0 for gold, _ in labels)
        )
        for detector, by_prompt in found.labels.items()
        for labels in by_prompt.values()
    }
    assert [errors[task, of] for of in AUTHORS_OF for task in SUBSETS_OF] == [
        *GOLD.values()
    ]


def test_the_two_conventions_differ_on_these_labels(found: Detectors) -> None:
    """Else the comparison above could not tell the one from the other."""
    counts = [
        counted(of) for prompts in found.labels.values() for of in prompts.values()
    ]
    unparsed = [c for c in counts if c.unparsed_error or c.unparsed_no_error]
    assert unparsed
    for statistic in (d.accuracy, d.recall, d.f1):
        assert any(statistic(c) != statistic(c, "realmistake") for c in unparsed)
    negative = [c for c in unparsed if c.unparsed_no_error]
    assert negative
    for c in negative:
        right = c.tp + c.tn + c.unparsed_no_error
        n = sum(float(cell) for cell in c)
        assert d.accuracy(c, "realmistake") < float(right) / n


@pytest.fixture(scope="module")
def runs(found: Detectors) -> dict[tuple[str, str], Condition]:
    """What runs of the detectors would have been, by detector and prompt."""
    made: dict[tuple[str, str], list[pd.DataFrame]] = defaultdict(list)
    for detector, by_prompt in found.labels.items():
        subset, author = SUBSETS_OF[detector.task], AUTHORS_OF[detector.author]
        for prompt, labels in by_prompt.items():
            items = {f"{subset} {author} {n}": label for n, label in enumerate(labels)}
            cell = scores(items, subset=subset, response_author=author)
            made[detector.model, prompt].append(cell)
    return {
        named: condition("single", pd.concat(cells, ignore_index=True), named[0])
        for named, cells in made.items()
    }


def published(found: Detectors, author: str) -> dict[tuple[str, str, str], Numbers]:
    """The published cells by model, prompt and subset, in the report's statistics.

    F2 is not among them, but follows from precision and recall.
    """
    cells = {}
    for detector, by_prompt in found.published.items():
        if AUTHORS_OF[detector.author] == author:
            for prompt, numbers in by_prompt.items():
                precision, recall = numbers["precision"], numbers["recall"]
                cell = {name: numbers.get(name, np.nan) for name in CELL_STATISTICS}
                cell["f2"] = (
                    5 * precision * recall / (4 * precision + recall)
                    if precision + recall
                    else 0.0
                )
                predicted = numbers["prediction_error_num"]
                cell["predicted_error_rate"] = predicted / numbers["total_num"]
                place = detector.model, prompt, SUBSETS_OF[detector.task]
                cells[place] = cell
    return cells


@pytest.mark.parametrize("author", AUTHORS_OF.values())
def test_every_published_cell_is_in_the_report(
    found: Detectors, runs: dict[tuple[str, str], Condition], author: str
) -> None:
    """In six statistics, with all that the detectors left unreadable."""
    cells_of = published(found, author)
    table = f"table_{list(AUTHORS).index(author) + 1}_cells"
    for (model, prompt), detector in runs.items():
        frame = table_of(REPORT, Data([detector]), table).frame
        frame = frame[frame["Unreadable"] == "as no error"]
        report = frame.set_index("Score")
        for name, title in CELL_STATISTICS.items():
            cells = {s: cells_of[model, prompt, s][name] for s in SUBSETS}
            for subset, value in cells.items():
                shown = report.at[title, SUBSETS[subset]]
                assert shown == pytest.approx(value, abs=1e-12)
            mean = fmean(cells.values())
            assert report.at[title, "Average"] == pytest.approx(mean, abs=1e-12)


def test_equation_4_by_cell_of_the_pair_that_the_paper_names(
    found: Detectors, runs: dict[tuple[str, str], Condition]
) -> None:
    """GPT-4 with Llama 2 on the first prompt, counted apart from this code."""
    pair = ("gpt-4-0613", "Llama-2-70b-chat-hf")
    prompt = "baseline_errordetection_prompt_1"
    table = rows(*(runs[model, prompt] for model in pair), of="oracle")
    cells = {(row["Responses of"], row["Task"]): row for row in table}
    shares: list[float] = []
    for detector, labels in found.labels.items():
        if detector.model == pair[0]:
            other = found.labels[detector._replace(model=pair[1])]
            wrong = [
                {n for n, (gold, said) in enumerate(of[prompt]) if said != gold}
                for of in (labels, other)
            ]
            fewer = min(map(len, wrong))
            removed = fewer - len(set.intersection(*wrong))
            author, task = AUTHORS_OF[detector.author], SUBSETS_OF[detector.task]
            cell = cells[AUTHORS[author], SUBSETS[task]]
            assert (cell["Removed"], cell["Errors of the better"]) == (removed, fewer)
            assert cell["Share (Eq. 4)"] == removed / fewer
            shares.append(removed / fewer)
    assert len(shares) == 6
    assert (round(min(shares), 2), round(max(shares), 2)) == (0.78, 1.00)
