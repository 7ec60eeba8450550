"""Forecasts from small pilots."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai import model as models
from inspect_ai.dataset import Sample
from inspect_ai.event import Event, ModelEvent
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score, match
from inspect_ai.solver import generate

from inspect_debate.cli import main
from inspect_debate.metrics import power
from inspect_debate.reports.plan import as_text, plan
from tests.reports.conftest import WriteLog, sample
from tests.support import reply

Usage = models.ModelUsage
FREE = Usage(input_tokens=70, output_tokens=30, total_tokens=100)
PRICED = FREE.model_copy(update={"total_cost": 0.5})
CACHED = PRICED.model_copy(update={"input_tokens_cache_read": 30})


def call(usage: Usage | None, model: str = "m", error: str | None = None) -> Event:
    output = models.ModelOutput(model=model, usage=usage)
    rest: Any = {"input": [], "tools": [], "tool_choice": "auto", "config": {}}
    return ModelEvent(model=model, output=output, error=error, **rest)


def one(id: object, value: object = 1, error: str = "", **rest: Any) -> EvalSample:
    """A sample of some other task."""
    made = sample(str(id), error=error)
    made.scores = {"match": Score(value=value)}  # type: ignore[arg-type]  # any value
    given = {"input": f"Item {id}", "events": [call(PRICED)], **rest}
    return made.model_copy(update=given)


def test_by_hand(write_log: WriteLog) -> None:
    # Two calls and one of 10 seconds, and a call that was tried again.
    calls = [call(PRICED), call(CACHED), call(None, error="overloaded")]
    pilot = one("a", events=calls), one("b", total_time=20), one("c", error="broken")
    (found,) = plan([write_log(pilot, study=None)], items=100, epochs=3)["conditions"]
    assert (found["samples"], found["failed"], found["unknown"]) == (2, 1, {})
    mean = [1.5, (170 + 70) / 2, 45, 0.75, 0.25]
    assert [*found["per_sample"].values()] == pytest.approx(mean)
    assert [*found["total"].values()] == pytest.approx([300 * n for n in mean])


@pytest.mark.parametrize(
    ("calls", "known", "unknown"),
    [
        # The log's own sum has the cost of the others.
        ([call(PRICED), call(None, "x")], [1.5, None, None, None], "x"),
        ([call(PRICED), call(Usage(), "x")], [1.5, None, None, None], "x"),
        ([call(PRICED), call(FREE, "x")], [1.5, 105, 45, None], "x"),
        ([], [None, None, None, None], "calls"),
        ([call(Usage(total_tokens=1, total_cost=0))], [1, 35, 15, 0.25], ""),
    ],
)
def test_what_is_unknown_is_not_zero(
    write_log: WriteLog, calls: list[Event], known: list[Any], unknown: str
) -> None:
    found = plan([write_log([one("a", events=calls), one("b")], study=None)])
    (of,) = found["conditions"]
    assert [*of["per_sample"].values()][:4] == known
    assert [why.split()[-1] for why in of["unknown"]] == [unknown] * bool(unknown)
    assert ("unknown" in "".join(as_text(found))) is bool(unknown)


def pilots(write_log: WriteLog, *sides: Sequence[Any], **rest: Any) -> list[str]:
    return [
        write_log([one(n, of, **rest) for n, of in enumerate(side)], study=None)
        for side in sides
    ]


@pytest.mark.parametrize(("top", "unit"), [(1, 100), (9, 1)])  # in points or not
def test_two_conditions(write_log: WriteLog, top: int, unit: int) -> None:
    # Of twelve pairs six differ, all to one side: a variance of 3 / 11.
    logs = pilots(write_log, [0] * 12, [top] * 6 + [0] * 6)
    found = plan(logs, items=300, effect=0.05 * unit * top)
    paired = found["paired"]
    assert (paired["pairs"], paired["clusters"], "assumed" in found) == (12, 12, False)
    for end, variance in (("", 3 / 11), ("_low", 3 / 21.920), ("_high", 3 / 3.816)):
        least = unit * top * power.smallest_difference(300, variance)
        assert paired[f"smallest{end}"] == pytest.approx(least, rel=1e-3)
        needed = power.items_needed(0.05, variance)
        assert paired[f"needed{end}"] == pytest.approx(needed, rel=1e-3)
    assert len("\n".join(as_text(found)).split("\n")) <= 8


def test_assumptions_for_one_condition_and_too_few_pairs(write_log: WriteLog) -> None:
    logs = pilots(write_log, "CCC", "CCI", events=[call(FREE)])
    found, alone = (plan(of, items=300, effect=15) for of in (logs, logs[:1]))
    assert found["paired"]["needed"] is None
    assert len("\n".join(as_text(found)).split("\n")) <= 8
    # A difference of 15 points takes 15 % of discordant items.
    needed = [power.items_needed(0.15, share - 0.15**2) for share in (0.2, 0.3)]
    assert [of["needed"] for of in alone["assumed"]] == [None, *needed]
    assert alone["assumed"] == found["assumed"]


def test_an_eval_with_prices(tmp_path: Path) -> None:
    cached = {"input_cache_write": 0, "input_cache_read": 0}
    cost = models.ModelCost(input=1e6, output=2e6, **cached)
    models.set_model_info("mockllm/priced", models.ModelInfo(cost=cost))
    says: Any = lambda *_: reply("ANSWER: 1")  # noqa: E731 (one line)
    model = models.get_model("mockllm/priced", custom_outputs=says)
    data = [Sample(id=n, input=f"Q{n}", target="1") for n in range(7)]
    task = Task(data, solver=generate(), scorer=match(), epochs=2)
    inspect_eval(task, model=model, limit=2, log_dir=str(tmp_path), display="none")
    found = plan([str(tmp_path)])
    assert (found["items"], found["epochs"]) == (7, 2)
    assert found["conditions"][0]["total"]["dollars"] == 14 * (10 + 2 * 5)


def test_the_command(write_log: WriteLog, tmp_path: Path) -> None:
    def run(*args: str) -> str:
        return CliRunner().invoke(main, ["plan", *args]).output

    (apart,) = pilots(write_log, "C", input="Another")
    one_log, other = pilots(write_log, "CI" * 8, "C" * 16)
    assert json.loads(run(one_log, other, "--json", "--items", "9"))["items"] == 9
    assert run(one_log, other) != run(one_log, other, "--effect", "3")
    failed = write_log([one("a", error="broken")], study=None)
    three, twice = [one_log, other, apart], [one_log, one_log]
    for bad in ([one_log, apart], three, twice, [failed], [f"{tmp_path}/no.eval"]):
        assert [line[:7] for line in run(*bad).splitlines()] == ["Error: "]
    for wrong in (["--items", "1"], ["--effect", "0"], ["--epochs", "0"]):
        assert "Invalid value" in run(one_log, *wrong)
