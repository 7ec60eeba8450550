"""From the costs of a few debates to those of many."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ModelCost,
    ModelInfo,
    ModelOutput,
    ModelUsage,
    get_model,
    set_model_info,
)
from inspect_ai.solver import Solver

from benchmarks import bill
from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.prompt_cache import RULES, served
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.debates import price
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.prediction import (
    QUANTITIES,
    Prediction,
    Spent,
    lengths,
    predict,
    spent,
    spread,
    summed,
)
from inspect_debate.solvers.baselines import judge_alone
from inspect_debate.solvers.colmad import colmad as collaborative
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.reports.made_logs import failing, logged, panel, single
from tests.support.models import scripted
from tests.support.runs import dataset, item, records, run, samples

LENGTHS = {f"item {length}": length for length in (10, 20, 30, 40, 1000)}
FEW = (10, 30, 40)


def shown(
    lengths: Sequence[int] = FEW,
    went_on: Sequence[bool] = (True, True, True),
    *,
    may_skip: bool = True,
    again: int = 0,
    price: float = 1.0,
) -> Spent:
    """A rehearsal in which an answer takes 5 tokens and 2 for each character, and a
    verdict 100.
    """
    stages, costs, debates = [], [], []
    for number, (length, on) in enumerate(zip(lengths, went_on, strict=True)):
        key: dict[str, Any] = {"debate": number, "id": f"item {length}"}
        debates.append(key | {"may_skip": may_skip, "went_on": on})
        rest = "debated" if on else "skipped"
        deep = {"depth": 2 if on else 1}
        stages += [key | {"stage": name} | deep for name in ("answers", rest)]
        who = {"role": "debater_a", "model": "m"}
        costs.append(
            key | {"stage": "answers"} | who | cost_row(5 + 2 * length, price, 2)
        )
        if on:
            who = {"role": "judge", "model": "m"}
            costs.append(key | {"stage": rest} | who | cost_row(100, price, 1 + again))
    return Spent(pd.DataFrame(stages), pd.DataFrame(costs), pd.DataFrame(debates), 0)


def cost_row(tokens: float, price: float, calls: int) -> dict[str, float]:
    values = dict.fromkeys(QUANTITIES, 0.0)
    turns = min(calls, 2) if tokens != 100 else 1
    return values | {
        "turns": turns,
        "calls": calls,
        "input_tokens": tokens,
        "cost": tokens * price,
    }


def tokens(prediction: Prediction, debated: float) -> float:
    return float(prediction.at(debated)["input_tokens"].sum())


def test_an_item_counts_with_its_own_length() -> None:
    prediction = predict(shown(), LENGTHS, 1)
    answers = 5 * 5 + 2 * 1100
    assert tokens(prediction, 0) == pytest.approx(answers)
    assert tokens(prediction, 5) == pytest.approx(answers + 500)
    assert tokens(prediction, 2) == pytest.approx(answers + 200)
    costs = prediction.at(2)
    assert costs.loc[("judge", "m"), "calls"] == pytest.approx(2)
    assert costs.loc[("debater_a", "m"), "calls"] == pytest.approx(10)


def test_epochs_multiply() -> None:
    once, twice = (predict(shown(), LENGTHS, epochs) for epochs in (1, 2))
    assert (once.samples, twice.samples) == (5, 10)
    assert tokens(twice, 10) == pytest.approx(2 * tokens(once, 5))


def test_two_lengths_do_not_make_a_line() -> None:
    prediction = predict(shown([10, 40], [True, True]), LENGTHS, 1)
    assert tokens(prediction, 0) == pytest.approx(5 * (5 + 2 * 25))


def test_the_share_of_debates_is_that_of_the_rehearsal() -> None:
    prediction = predict(shown(went_on=[True, False, False]), LENGTHS, 1)
    assert prediction.share.value == pytest.approx(1 / 3)
    assert 0 < prediction.share.low < 1 / 3 < prediction.share.high < 1
    assert not prediction.certain
    assert (prediction.depth, prediction.depth_skipped) == (2, 1)


@pytest.mark.parametrize(
    ("may_skip", "went_on", "certain"),
    [
        (False, [True, True, True], True),
        (True, [True, True, True], False),  # others may be skipped
        (False, [True, True, False], False),  # an answer could not be read
    ],
)
def test_whether_it_is_certain_that_all_are_debated(
    may_skip: bool, went_on: list[bool], certain: bool
) -> None:
    spent = shown(went_on=went_on, may_skip=may_skip)
    assert predict(spent, LENGTHS, 1).certain is certain


def test_calls_range_from_none_debated_to_all_with_further_calls() -> None:
    prediction = predict(shown(went_on=[True, True, False]), LENGTHS, 1)
    fewest, most = prediction.calls
    assert fewest == pytest.approx(10)
    assert prediction.asked_again.n == 8
    assert most == pytest.approx(15 * (1 + prediction.asked_again.high))


def test_what_was_asked_again_counts_as_it_was_seen() -> None:
    prediction = predict(shown(again=1, may_skip=False), LENGTHS, 1)
    assert prediction.asked_again.value == pytest.approx(3 / 9)
    assert prediction.at(5)["calls"].sum() == pytest.approx(20)
    assert prediction.calls.low == pytest.approx(15)


def test_what_no_rehearsed_item_showed_is_not_known() -> None:
    prediction = predict(shown(went_on=[False] * 3), LENGTHS, 1)
    assert prediction.debated is None
    assert prediction.at(0)["calls"].sum() == pytest.approx(10)
    assert math.isnan(prediction.at(1)["calls"].sum(skipna=False))


def test_a_price_that_is_not_known_leaves_the_tokens_known() -> None:
    prediction = predict(shown(price=math.nan), LENGTHS, 1)
    assert prediction.at(5)["cost"].isna().all()
    assert tokens(prediction, 5) == pytest.approx(25 + 2200 + 500)


def test_a_falling_line_does_not_lead_below_nothing() -> None:
    spent = shown()
    spent.costs["output_tokens"] = [30.0, 0.0, 10.0, 0.0, 0.0, 0.0]
    assert (predict(spent, LENGTHS, 1).answers["output_tokens"] == 0).all()


@pytest.mark.parametrize(
    ("sample", "length"),
    [
        ({"input": "four"}, 4),
        ({"input": "four", "choices": ["one", "other"]}, 12),
        ({"input": "four", "metadata": {"passage": "seven77"}}, 11),
        ({"input": "four", "metadata": {"passage": None, "explanation": "x"}}, 4),
        (
            {
                "input": "four",
                "metadata": {"proposition_burden": "ab", "opposition_burden": "c"},
            },
            7,
        ),
        (
            {
                "input": [
                    ChatMessageUser(content="task"),
                    ChatMessageAssistant(content="response"),
                ]
            },
            12,
        ),
    ],
)
def test_the_length_is_that_of_what_prompts_show(
    sample: dict[str, Any], length: int
) -> None:
    assert lengths([Sample(id=7, **sample)]) == {"7": length}


def test_of_each_group_by_length_the_item_nearest_to_its_mean_is_taken() -> None:
    sizes = {"a": 1, "b": 2, "c": 30, "d": 100, "e": 240, "f": 260}
    # (1 + 2 + 30) / 3 = 11, and (100 + 240 + 260) / 3 = 200.
    assert spread(sizes, 2) == ["b", "e"]


def test_all_items_are_taken_where_there_are_no_more() -> None:
    assert spread({"b": 2, "a": 1}, 5) == ["a", "b"]


@given(
    st.dictionaries(st.text(min_size=1), st.integers(1, 5000), min_size=1),
    st.integers(1, 9),
)
def test_items_differ_and_do_not_depend_on_the_order(
    sizes: dict[str, int], number: int
) -> None:
    chosen = spread(sizes, number)
    assert len(chosen) == len({*chosen}) == min(number, len(sizes))
    assert {*chosen} <= sizes.keys()
    assert chosen == spread(dict(reversed(sizes.items())), number)
    assert [sizes[id] for id in chosen] == sorted(sizes[id] for id in chosen)


# What logs say that debates cost.


PROFILES = {"debater_b": "simulated/always_no_error", "judge": "simulated/coin"}


def test_stages_of_a_panel_add_up_to_what_the_run_used() -> None:
    shown = spent(open_logs(panel()))
    assert [*shown.stages["stage"].unique()] == ["answers", "debated"]
    assert len(shown.debates) == 8  # four items, two epochs
    costs = summed(shown.costs)
    assert costs["calls"].to_dict() == {
        ("debater_a", "simulated/balanced"): 8 * 3,
        ("debater_b", "simulated/hesitant"): 8 * 3,
        ("judge", "simulated/balanced"): 8 * 2,
        ("judge", "simulated/first_speaker"): 8 * 2,
    }
    [log] = open_logs(panel())
    by_role = costs.groupby(level="role").sum()
    for role, usage in (log.header.stats.role_usage or {}).items():
        assert by_role.at[role, "output_tokens"] == usage.output_tokens
        said = usage.input_tokens_cache_read or 0
        read = by_role["cache_read_tokens"]
        assert (by_role["input_tokens"] + read)[role] == usage.input_tokens + said
        # Simulated models say what they read of a cache without a minimum.
        assert read.lt(said)[role]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["copmad", "srdcr", "generative, best of 4"])
def test_simulated_models_read_what_openai_would_serve(
    name: str, tmp_path: Path
) -> None:
    sent, _ = bill.sent_by(name, 1, 200)
    expected = sum(one.read for one in served(sent, RULES["OpenAI"]))
    task = bill.RUNS[name](1, tmp_path)
    debater, judge = (
        get_model(f"simulated/{n}", words=200) for n in ("balanced", "swayed")
    )
    roles = None if name == "srdcr" else {"judge": judge}
    log = logged(run(task, tmp_path, debater, roles, limit=1))
    costs = spent(open_logs(log)).costs
    assert expected > 0
    assert float(costs["cache_read_tokens"].sum()) == expected


def test_costs_with_and_without_a_cache(tmp_path: Path) -> None:
    price = ModelCost(input=4, output=10, input_cache_write=5, input_cache_read=1)
    set_model_info("scripted/x", ModelInfo(cost=price))
    usage = iter(range(1, 100))

    def reply(*_: object) -> ModelOutput:
        n = next(usage)
        output = ModelOutput.from_content("x", "ANSWER: error")
        output.usage = ModelUsage(
            input_tokens=1000 * n,
            output_tokens=10 * n * n,
            total_tokens=0,
            input_tokens_cache_read=500 + n**3,
            input_tokens_cache_write=n**4,
        )
        return output

    task = Task(dataset=dataset(*map(item, "abcdef")), solver=self_consistency(n=2))
    log = logged(run(task, tmp_path, scripted(reply)))
    set_model_info("scripted/x", ModelInfo())  # the log has what the calls cost
    sums = summed(spent(open_logs(log)).costs).sum()
    fresh, read, written, output = (
        sums[f"{name}_tokens"]
        for name in ("input", "cache_read", "cache_write", "output")
    )
    cached = 4 * fresh + 1 * read + 5 * written + 10 * output
    without = 4 * (fresh + read + written) + 10 * output
    assert sums["cost"] == pytest.approx(cached / 1e6)
    assert sums["uncached_cost"] == pytest.approx(without / 1e6)
    twice = ModelCost(input=8, output=20, input_cache_write=10, input_cache_read=2)
    typed = summed(spent(open_logs(log), {"scripted/x": twice}).costs).sum()
    assert typed["cost"] == pytest.approx(2 * cached / 1e6)
    assert typed["uncached_cost"] == pytest.approx(2 * without / 1e6)


def test_draws_of_one_request_are_one_call_with_its_price(tmp_path: Path) -> None:
    def reply(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("x", "So.\n\nThe response contains an error.")
        output.choices *= 3
        output.usage = ModelUsage(
            input_tokens=1000, output_tokens=30, total_tokens=1030, total_cost=0.5
        )
        return output

    solver = self_consistency(n=3, config={"num_choices": True})
    task = Task(dataset=dataset(*map(item, "ab")), solver=solver)
    log = logged(run(task, tmp_path, scripted(reply)))
    shown = spent(open_logs(log))
    assert summed(shown.costs)[["turns", "calls", "cost"]].values.tolist() == [
        [2, 2, 1]
    ]
    assert predict(shown, {"a": 1, "b": 1}, 1).asked_again.value == 0
    (turns, _) = (record.turns for record in records(read_eval_log(str(log))))
    assert (price(turns), price(turns[:1])) == (0.5, 0.5)
    assert math.isnan(price(turns[1:]))


def test_debates_of_a_second_run_on_the_same_answers(tmp_path: Path) -> None:
    task = colmad(source="sample")
    first = run(task, tmp_path, roles=PROFILES, model="simulated/balanced", limit=6)
    skipped = [
        str(sample.id)
        for sample, record in zip(samples(first), records(first), strict=True)
        if not record.debated
    ]
    assert 0 < len(skipped) < 6
    every = colmad(
        source="sample",
        skip_if_agree=False,
        reuse=str(logged(first)),
        reuse_until="answers",
    )
    run(every, tmp_path, roles=PROFILES, model="simulated/balanced", sample_id=skipped)
    shown = spent(open_logs(tmp_path))
    assert shown.debates["went_on"].sum() == 6 - len(skipped)
    assert len(shown.debates) == 6
    counts = shown.stages["stage"].value_counts().to_dict()
    assert counts == {"answers": 6, "debated": 6, "skipped": len(skipped)}
    answers = shown.costs[shown.costs["stage"] == "answers"]
    assert answers["calls"].sum() == 12
    assert shown.costs["calls"].sum() == 12 + 6 * 5
    depths = shown.stages.groupby("stage")["depth"].agg(["min", "max"])
    assert [*depths.loc["debated"]] == [4, 4]
    assert [*depths.loc["skipped"]] == [1, 1]


def test_a_grader_is_asked_when_a_debate_is_scored(tmp_path: Path) -> None:
    task = colmad(
        source="sample",
        skip_if_agree=False,
        rounds=1,
        grade=["debate_hacking", "explanation_alignment"],
    )
    log = run(task, tmp_path, roles={"grader": "simulated/hesitant"}, limit=2)
    costs = spent(open_logs(tmp_path)).costs
    grader = costs[costs["role"] == "grader"]
    assert {*grader["model"]} == {"simulated/hesitant"}
    usage = (log.stats.role_usage or {})["grader"]
    assert grader["output_tokens"].sum() == usage.output_tokens
    asked = [
        event
        for sample in samples(log)
        for event in sample.events
        if isinstance(event, ModelEvent) and event.role == "grader"
    ]
    assert grader["calls"].sum() == len(asked) >= 4


def test_samples_that_failed_are_counted() -> None:
    shown = spent(open_logs(failing()))
    assert shown.left == 2
    assert len(shown.debates) == 4


def test_how_many_debates_changed_the_first_answer(tmp_path: Path) -> None:
    assert [*spent(open_logs(single())).debates["changed"]] == [0] * 4
    task = Task(
        dataset=dataset(item("a"), item("b")), solver=collaborative(skip_if_agree=False)
    )
    roles = {
        "debater_b": "simulated/always_no_error",
        "judge": "simulated/first_speaker",
    }
    log = run(task, tmp_path, model="simulated/always_error", roles=roles)
    ends = [r.of_kind("verdict")[0].field("answer").value for r in records(log)]
    changed = spent(open_logs(tmp_path)).debates["changed"]
    assert [*changed] == [end == "no_error" for end in ends]


def test_a_price_that_is_not_known_is_none(tmp_path: Path) -> None:
    model = scripted(
        lambda messages, description: "The model response contains an error."
    )
    run(colmad(source="sample", protocol="single"), tmp_path, model, limit=1)
    assert spent(open_logs(tmp_path)).costs["cost"].isna().all()
    assert (spent(open_logs(panel())).costs["cost"] == 0).all()


# Five items, rehearsed, predict many of unequal lengths.


TOKENS = {"input": ["input_tokens", "cache_read_tokens"], "output": ["output_tokens"]}
Made = Callable[..., Solver]


def numbered(number: int) -> Sample:
    """An item of a length that most are below, as with real ones."""
    words = 20 + 3000 // (1 + number % 40)
    return item(f"item {number}", task=f"Task {number}: " + "word " * words)


def check(prediction: Prediction, actual: Spent) -> None:
    """Calls within the range, tokens by role within a tenth of what there was."""
    calls = actual.costs["calls"].sum()
    low, high = prediction.calls
    assert low <= calls <= high
    went_on = int(actual.debates["went_on"].sum())
    predicted = prediction.at(went_on).groupby(level="role").sum()
    there = actual.costs.groupby("role")[[*QUANTITIES]].sum()
    assert predicted["calls"].sum() == pytest.approx(calls)
    for name, columns in TOKENS.items():
        expected, found = (frame[columns].sum(axis=1) for frame in (predicted, there))
        assert expected.to_dict() == pytest.approx(found.to_dict(), rel=0.1), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "parameters"),
    [
        (collaborative, {"skip_if_agree": False}),
        (som, {}),
        (self_consistency, {"n": 3}),
        (judge_alone, {"order": "both"}),
    ],
)
def test_five_items_of_forty(
    solver: Made, parameters: dict[str, Any], tmp_path: Path
) -> None:
    items = [numbered(number) for number in range(40)]
    sizes = lengths(items)

    def debated(samples: list[Sample], folder: Path) -> Spent:
        task = Task(dataset=MemoryDataset(samples), solver=solver(**parameters))
        run(task, folder)
        return spent(open_logs(folder))

    chosen = spread(sizes, 5)
    few = debated([s for s in items if s.id in chosen], tmp_path / "few")
    prediction = predict(few, sizes, 1)
    assert prediction.certain
    check(prediction, debated(items, tmp_path / "all"))


def test_debates_that_are_skipped_are_predicted_from_a_second_run(
    tmp_path: Path,
) -> None:
    """As the command does it, on the shipped items."""
    sample: dict[str, Any] = {"source": "sample"}
    sizes = lengths(list(realmistake("sample", "all", "gpt4", 0)))
    rehearse(sample, sizes, tmp_path / "few")
    run(colmad(**sample), tmp_path / "all")
    few, actual = (spent(open_logs(tmp_path / name)) for name in ("few", "all"))
    check(predict(few, sizes, 1), actual)


def rehearse(
    parameters: dict[str, Any], sizes: dict[str, int], folder: Path, **settings: Any
) -> None:
    """Run five items, and again in full those of them that end before the debate."""
    first = run(colmad(**parameters), folder, sample_id=spread(sizes, 5), **settings)
    debates = spent(open_logs(folder)).debates
    skipped = debates.loc[~debates["went_on"], "id"].tolist()
    if skipped:
        every: dict[str, Any] = {"skip_if_agree": False, "reuse_until": "answers"}
        log = first.location.removeprefix("file://")
        again = colmad(**parameters, **every, reuse=log)
        run(again, folder, sample_id=skipped, **settings)
