"""The table of what runs paid."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelCost, ModelInfo, set_model_info

from inspect_debate import report
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from tests.reports.made_logs import logged
from tests.support.runs import records, run, samples, values

DEBATER, JUDGE = "simulated/balanced", "simulated/swayed"
PRICES = {
    DEBATER: ModelCost(input=4, output=10, input_cache_write=0, input_cache_read=1),
    JUDGE: ModelCost(input=2, output=20, input_cache_write=0, input_cache_read=0.5),
}


@pytest.fixture
def priced() -> Iterator[None]:
    for model, cost in PRICES.items():
        set_model_info(model, ModelInfo(cost=cost))
    yield
    for model in PRICES:
        set_model_info(model, ModelInfo())


def bill(study: str, log: EvalLog) -> pd.DataFrame | None:
    tables = report(study, logged(log)).tables()
    return next((t.frame for t in tables if t.name == "bill"), None)


def by_hand(log: EvalLog, role: str) -> dict[str, float]:
    turns = [t for r in records(log) for t in r.turns if role in (t.role, "all")]
    of = {"Calls": 0.0, "Input tokens": 0.0, "Paid": 0.0, "Uncached": 0.0}
    for turn in turns:
        used, price = turn.usage, PRICES[turn.model]
        read = used.input_tokens_cache_read or 0
        written = price.output * used.output_tokens
        of["Calls"] += turn.calls
        of["Input tokens"] += used.input_tokens + read
        of["Paid"] += (
            price.input * used.input_tokens + price.input_cache_read * read + written
        ) / 1e6
        of["Uncached"] += (price.input * (used.input_tokens + read) + written) / 1e6
    return of


@pytest.mark.usefixtures("priced")
def test_the_bill_by_role_and_per_right_outcome(tmp_path: Path) -> None:
    task: Any = colmad(source="sample", skip_if_agree=False)
    log = run(task, tmp_path, DEBATER, {"judge": JUDGE}, limit=8)
    found = bill("colmad", log)
    assert found is not None
    rows = found.set_index("Role")
    assert [*rows.index] == ["debater_a", "debater_b", "judge", "all"]
    right = sum(values(sample, "error_detection")["correct"] for sample in samples(log))
    assert right > 0
    for role, row in rows.to_dict("index").items():
        expected = by_hand(log, str(role))
        expected["Per right outcome"] = expected["Paid"] / right
        assert {name: row[name] for name in expected} == pytest.approx(expected), role
    last = rows.to_dict("index")["all"]
    assert 0 < last["Cached"] < 1
    assert last["Uncached"] > last["Paid"]


@pytest.mark.slow
@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize(
    ("study", "task", "has_right"),
    [
        ("confidence", partial(confidence), False),
        ("srdcr", partial(srdcr, source="sample"), True),
        ("generative", partial(generative, source="sample"), True),
        ("debate", partial(debate, protocol="copmad"), True),
    ],
)
def test_the_bill_of_every_study(
    study: str, task: Any, has_right: bool, tmp_path: Path
) -> None:
    log = run(task(), tmp_path, DEBATER, {"judge": JUDGE}, limit=6)
    found = bill(study, log)
    assert found is not None
    (every,) = found[found["Role"] == "all"].to_dict("records")
    for name, value in by_hand(log, "all").items():
        assert every[name] == pytest.approx(value), name
    assert ("Per right outcome" in every) == has_right


def test_without_prices_there_is_no_bill(tmp_path: Path) -> None:
    assert (
        bill("colmad", run(colmad(source="sample"), tmp_path, DEBATER, limit=4)) is None
    )
