"""All 900 released items through the whole path of protocols, none lost."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.calls import read_with_calls
from inspect_debate.reports.colmad.conditions import AUTHORS, SUBSETS
from inspect_debate.reports.colmad.detection import ITEM_CATEGORIES, ITEMS
from inspect_debate.reports.colmad.measures import Data, item_of
from inspect_debate.reports.elements import Table
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.prediction import lengths, predict, spent
from tests.datasets.test_realmistake_released import CELLS as FACTS
from tests.reports.made_logs import logged
from tests.reports.planning.test_prediction import check, rehearse
from tests.support.released import DATA
from tests.support.runs import metrics, record, records, run, samples, values

pytestmark = pytest.mark.released

CELLS = {"gpt4": 140, "llama2": 160}
ROLES = {"debater_a": "simulated/balanced", "debater_b": "simulated/hesitant"}

# Calls of an item, the fewest and the most. The other protocols ask in the same ways.
CALLS = {"single": (1, 1), "colmad": (2, 7)}
ITEMS_GIVEN: dict[str, Any] = {
    "source": str(DATA / "realmistake" / "data.zip"),
    "subset": "all",
    "response_author": "both",
}

LogOf = Callable[[str], EvalLog]


def all_items(protocol: str, log_dir: Path) -> EvalLog:
    return run(colmad(protocol=protocol, **ITEMS_GIVEN), log_dir, roles=ROLES)


@pytest.fixture(scope="module")
def log_of(tmp_path_factory: pytest.TempPathFactory) -> LogOf:
    """The log of a protocol on all items; each is run once."""
    return cache(lambda name: all_items(name, tmp_path_factory.mktemp(name)))


@pytest.mark.parametrize("protocol", CALLS)
def test_every_item_is_run_scored_and_paid_for_once(
    protocol: str, log_of: LogOf
) -> None:
    log = log_of(protocol)
    assert len({str(sample.id) for sample in samples(log)}) == 900
    assert all(record.complete for record in records(log))
    cells = Counter(
        (s.metadata["subset"], s.metadata["response_author"]) for s in samples(log)
    )
    assert cells == {
        (subset, author): size
        for subset in ("math", "fact", "answerability")
        for author, size in CELLS.items()
    }
    check_spending(log, protocol)
    check_metrics(log)


def test_table_4_of_the_report_is_that_of_the_data(log_of: LogOf) -> None:
    (log,) = open_logs(logged(log_of("single")))
    _, seen = read_with_calls([log], item_of)
    (items,), (categories,) = (
        [item.frame for item in view(Data([], seen=seen)) if isinstance(item, Table)]
        for view in (ITEMS, ITEM_CATEGORIES)
    )
    for (subset, author), facts in FACTS.items():
        place = AUTHORS[author], SUBSETS[subset]
        (cell,) = in_cell(items, place)
        assert (cell["Items"], cell["Errors"]) == (facts.items, facts.errors)
        assert round(cell["Words in"]) == facts.words_in
        assert round(cell["Words out"]) == facts.words_out
        named = in_cell(categories, place)
        assert {row["Category"]: row["Items"] for row in named} == facts.categories


def in_cell(frame: pd.DataFrame, place: tuple[str, str]) -> list[dict[Hashable, Any]]:
    return [
        row
        for row in frame.to_dict("records")
        if (row["Responses of"], row["Task"]) == place
    ]


def check_spending(log: EvalLog, protocol: str) -> None:
    """Totals of the log against an independent count from the records."""
    log_of = records(log)
    turns = [turn for record in log_of for turn in record.turns]
    usage = log.stats.model_usage.values()
    tokens = sum(turn.usage.total_tokens for turn in turns)
    assert sum(used.total_tokens for used in usage) == tokens
    found = [values(sample, "error_detection") for sample in samples(log)]
    assert sum(value["tokens"] for value in found) == tokens
    assert sum(value["calls"] for value in found) == sum(t.calls for t in turns)
    assert metrics(log, "debate_process")["tokens"] == pytest.approx(tokens / 900)
    made = [sum(turn.calls for turn in record.turns) for record in log_of]
    assert (min(made), max(made)) == CALLS[protocol]
    debated = sum(record.debated for record in log_of)
    share = metrics(log, "error_detection")["debated_share"]
    assert share == pytest.approx(debated / 900)
    if protocol == "colmad":
        assert 0 < debated < 900
        assert sum(made) == 2 * 900 + 5 * debated
    else:
        assert debated == 0


def check_metrics(log: EvalLog) -> None:
    """The metrics against a count by hand; a coin counts half on either side."""
    found = [values(sample, "error_detection") for sample in samples(log)]
    errors = sum(value["gold"] for value in found)
    assert errors == 87 + 88 + 87 + 128 + 129 + 130
    tp = sum(value["gold"] * value["prediction"] for value in found)
    fp = sum((1 - value["gold"]) * value["prediction"] for value in found)
    fn, tn = errors - tp, 900 - errors - fp
    measured = metrics(log, "error_detection")
    assert measured["items"] == 900
    assert measured["f1"] == pytest.approx(2 * tp / (2 * tp + fn + fp))
    assert measured["f2"] == pytest.approx(5 * tp / (5 * tp + 4 * fn + fp))
    assert measured["accuracy"] == pytest.approx((tp + tn) / 900)


def counts(found: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """How many gold errors, and how many others, are called errors."""
    pairs = list(found)
    return (
        sum(predicted for gold, predicted in pairs if gold == 1),
        sum(predicted for gold, predicted in pairs if gold == 0),
    )


Predicted = dict[int | str, tuple[float, float]]


def predicted(log: EvalLog) -> Predicted:
    scores = {s.id: values(s, "error_detection") for s in samples(log)}
    return {id: (score["gold"], score["prediction"]) for id, score in scores.items()}


def answered(log: EvalLog, participant: str) -> Predicted:
    """What one of the models said for itself, as a detector of its own."""
    return {
        sample.id: (
            float(sample.target == "error"),
            float(turn.field("answer").value == "error"),
        )
        for sample in samples(log)
        for turn in record(sample).of_kind("answer")
        if turn.participant == participant
    }


def test_an_ensemble_counts_as_the_mean_of_both_alone(
    log_of: LogOf, tmp_path: Path
) -> None:
    """E[tp] and E[fp] are the means of the two models' own."""
    task = colmad(protocol="ensemble", **ITEMS_GIVEN)
    log = run(task, tmp_path, roles=ROLES, limit=200)
    a, b = (answered(log, who) for who in ("debater_a", "debater_b"))
    assert len(a) == 200
    assert a.items() <= predicted(log_of("single")).items()
    tallies = [counts(found.values()) for found in (a, b)]
    means = [sum(pair) / 2 for pair in zip(*tallies, strict=True)]
    assert counts(predicted(log).values()) == pytest.approx(means, abs=1e-9)
    assert tallies[0] != tallies[1]


def test_five_items_tell_what_all_cost(log_of: LogOf, tmp_path: Path) -> None:
    source = ITEMS_GIVEN["source"]
    sizes = lengths(list(realmistake(source, "all", "both", 0)))
    assert len(sizes) == 900
    rehearse(ITEMS_GIVEN, sizes, tmp_path, roles=ROLES)
    few, actual = (
        spent(open_logs(place)) for place in (tmp_path, log_of("colmad").location)
    )
    assert len(few.debates) == 5
    check(predict(few, sizes, 1), actual)
