"""Two runs compared: against other software, reports, and numbers by hand."""

import json
import re
from collections.abc import Sequence
from itertools import product
from math import comb, inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai import log as ilog
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.scorer import Score, choice, match, value_to_float
from inspect_ai.solver import generate, multiple_choice
from statsmodels.stats.contingency_tables import mcnemar

from inspect_debate.cli import main
from inspect_debate.debate.errors import InputError
from inspect_debate.reports import colmad, frames, srdcr
from inspect_debate.reports.compare import SIDES, as_json, compare
from inspect_debate.reports.report import Item, Table
from tests.reports.conftest import WriteLog, sample
from tests.support import reply


def foreign(id: object, value: Any, group: str = "", **given: Any) -> EvalSample:
    """A sample of some other task, with the score `match`."""
    own = {"input": f"Item {id}", "target": "1", "metadata": {"input_group": group}}
    one = sample(str(id)).model_copy(update={**own, **given})
    one.scores = None if value is None else {"match": Score(value=value)}
    return one


def values(of: Sequence[Any], groups: Sequence[str] = ()) -> list[EvalSample]:
    return [foreign(n, value, *groups[n : n + 1]) for n, value in enumerate(of)]


def two(write_log: WriteLog, *sides: Sequence[EvalSample]) -> list[str]:
    return [write_log([*of], study=None) for of in sides]


def table(items: Sequence[Item], name: str = "difference") -> Any:
    [found] = [i.frame for i in items if isinstance(i, Table) and i.name == name]
    return found


def compared(logs: Sequence[str], score: str | None = None) -> list[Item]:
    first, second = logs
    return compare(first, second, score)


def difference(logs: Sequence[str], score: str | None = None) -> dict[str, Any]:
    return dict(json.loads(as_json(compared(logs, score)))["difference"][0])


def left_out(items: Sequence[Item]) -> Any:
    columns = ["Samples", "Not in both", "Other input", "No value"]
    return table(items, "runs")[columns].to_numpy().tolist()


@pytest.mark.parametrize("counts", [(0, 0), (1, 7), (3, 3), (12, 30)])
def test_mcnemar(write_log: WriteLog, counts: tuple[int, int]) -> None:
    worse, better = counts
    before = ["C"] * worse + ["I"] * better + ["C", "I"] * 20
    after = ["I"] * worse + ["C"] * better + ["C", "I"] * 20
    found = difference(two(write_log, values(before), values(after)))
    n, exact = worse + better, mcnemar([[20, worse], [better, 20]], exact=True).pvalue
    mid = exact - comb(n, worse) / 2**n if worse != better else 1
    assert found["p (McNemar, mid-p)"] == pytest.approx(mid)
    assert [found[f"Only {side} right"] for side in SIDES] == [worse, better]
    assert found["p"] == pytest.approx(mid, abs=0.02)


@pytest.mark.parametrize("scale", [1, 10])
def test_regression_and_bootstrap(write_log: WriteLog, scale: int) -> None:
    rng, clusters = np.random.default_rng(scale), np.repeat(np.arange(120), 3)
    shift = rng.normal(0.1, 0.15, 120)[clusters] + rng.normal(0, 0.1, 360)
    before, names = rng.uniform(0.2, 0.6, 360), [f"g{n}" for n in clusters]
    after = (before + shift).clip(0, 1)
    sides = [values((scale * side).tolist(), names) for side in (before, after)]
    found, unit = difference(two(write_log, *sides)), 100 if scale == 1 else 10
    groups = {"cov_type": "cluster", "cov_kwds": {"groups": clusters}}
    fit = sm.OLS(after - before, np.ones(360)).fit(**groups, use_t=True)
    means = pd.Series(after - before).groupby(clusters).mean().to_numpy()
    drawn = means[rng.integers(0, 120, (20_000, 120))].mean(axis=1)
    ends = found["Difference low"] / unit, found["Difference high"] / unit
    assert found["Difference"] / unit == pytest.approx(fit.params[0])
    for theirs in (fit.conf_int()[0], np.quantile(drawn, [0.025, 0.975])):
        assert ends == pytest.approx(theirs, abs=0.08 * (theirs[1] - theirs[0]))
    assert (found["Pairs"], found["Clusters"]) == (360, 120)


def test_the_sign_is_treatment_minus_baseline(write_log: WriteLog) -> None:
    logs = two(write_log, values([0, 0, 1, 0, 0, 1]), values([1, 1, 1, 0, 1, 1]))
    forth, back = difference(logs), difference(logs[::-1])
    assert (forth["Difference"], back["Difference"]) == pytest.approx((50, -50))
    assert back["Difference low"] == pytest.approx(-forth["Difference high"])
    assert forth["p"] == back["p"] == pytest.approx(1 / 8)
    assert back["Mean of treatment"] == pytest.approx(200 / 6)
    assert forth["Difference low"] <= 0 <= forth["Difference high"]  # p is above 0.05


def test_epochs_are_one_cluster(write_log: WriteLog) -> None:
    before = [foreign(n, 0, epoch=epoch) for n in range(3) for epoch in (1, 2, 3)]
    after = [foreign(n, 1, epoch=epoch) for n in range(3) for epoch in (1, 2)]
    items = compared(two(write_log, before, after))
    found = table(items).iloc[0]
    assert (found["Pairs"], found["Clusters"], found["p"]) == (6, 3, 1 / 8)
    assert isnan(found["p (McNemar, mid-p)"])
    assert left_out(items) == [[9, 3, 0, 0], [6, 0, 0, 0]]
    assert difference(two(write_log, before[:3], after[:2]))["p"] is None


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_report_srdcr(write_log: WriteLog, seed: int) -> None:
    rng, logs, rest = np.random.default_rng(seed), [], {"severity": 0, "few_shot": nan}
    for protocol in ("few_shot", "srdcr"):
        samples = []
        for n, half in product(range(40), (0, 1)):
            right, own = rng.choice([0, 1, 1, nan]), {"question_id": f"q{n}"}
            value = {"correct": right, "perturbed": half, **rest}
            more: Any = {"scores": {"knowledge_conflict": value}, "metadata": own}
            samples.append(sample(f"{n} {half}", limit=rng.random() < 0.1, **more))
        logs.append(write_log(samples[:60] + samples[60::2], protocol, study="srdcr"))
    rows = frames.samples(logs, "srdcr", srdcr.PROTOCOLS)
    theirs = table([*srdcr.report(rows)], "paired").iloc[0]
    ours = table(compared(logs, "knowledge_conflict.correct")).iloc[0]
    assert theirs["Baseline"] == "Few-shot"
    assert ours["Difference"] == pytest.approx(theirs["Overall"])
    assert (ours["p"], ours["Pairs"]) == (theirs["p (Overall)"], theirs["Pairs"])


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_report_colmad(write_log: WriteLog, seed: int) -> None:
    rng, logs, subsets = np.random.default_rng(seed), [], ("math", "fact", "fact", "x")
    for protocol in ("single", "colmad"):
        samples = []
        for n, guess in enumerate(rng.choice([0, 1, 0.5, nan], 80)):
            own: Any = {"subset": subsets[n % 4], "group": f"g{n // 2}"}
            samples.append(sample(f"{n}", ("error", "no_error")[n % 2], guess, **own))
        logs.append(write_log(samples, protocol))
    rows = colmad.read(frames.samples(logs, "colmad", colmad.PROTOCOLS))
    theirs = colmad._paired_table(rows, ["ColMAD"]).frame.iloc[0]
    ours = table(compared(logs, "error_detection.correct")).iloc[0]
    assert ours["Difference"] == pytest.approx(theirs["Accuracy"])
    assert (ours["p"], ours["Pairs"]) == (theirs["p (Accuracy)"], theirs["Pairs"])


_LONG, _MESSAGE = "Word " * 2000, ChatMessageUser
_RIGHT = {"choices": ["x", "y"], "target": "A"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"input": "a"}, {"input": "b"}, False),
        ({"target": "a"}, {"target": "b"}, False),
        # Summaries cut long inputs.
        ({"input": _LONG + "a"}, {"input": _LONG + "a"}, True),
        ({"input": _LONG + "a"}, {"input": _LONG + "b"}, False),
        # Choices may be listed in another order, with the right one's letter.
        (_RIGHT, {"choices": ["y", "x"], "target": "B"}, True),
        (_RIGHT, {"choices": ["y", "x"], "target": "A"}, False),
        (_RIGHT, {"choices": ["x", "z"], "target": "A"}, False),
        # Messages have ids of their own in each run.
        ({"input": [_MESSAGE(content="a")]}, {"input": [_MESSAGE(content="a")]}, True),
        ({"input": [_MESSAGE(content="a")]}, {"input": [_MESSAGE(content="b")]}, False),
    ],
)
def test_what_is_the_same_sample(
    write_log: WriteLog, one: dict[str, Any], other: dict[str, Any], same: bool
) -> None:
    sides = [[foreign("a", 1), foreign("b", 1, **given)] for given in (one, other)]
    assert left_out(compared(two(write_log, *sides))) == [[2, 0, not same, 0]] * 2


def test_samples_without_a_value_are_counted(write_log: WriteLog) -> None:
    before = [*values([1, 1, 1, 1]), foreign("failed", None), foreign("alone", 1)]
    after = [*values([1, nan, None, inf]), foreign("failed", 1)]
    assert left_out(compared(two(write_log, before, after))) == [
        [6, 1, 0, 1],
        [5, 0, 0, 3],
    ]


def test_stopped_samples_count_as_in_reports(write_log: WriteLog) -> None:
    limit = ilog.EvalSampleLimit(type="token", limit=1)
    sides = [[foreign(0, 1, limit=limit), foreign(1, 1)], values([0, 0])]
    assert difference(two(write_log, *sides))["Pairs"] == 2
    assert difference([write_log(side) for side in sides])["Pairs"] == 1  # our study


def test_words_are_numbers_as_in_inspect(write_log: WriteLog) -> None:
    words: list[Any] = ["C", "P", "I", "N", "yes", "False", "0.25", True]
    found = difference(two(write_log, values(words), values([0] * len(words))))
    mean = np.mean([*map(value_to_float(), words)])
    assert found["Mean of baseline"] == pytest.approx(100 * mean)


@pytest.mark.parametrize(
    ("headline", "value", "score"),
    [
        (None, {"match": {"a": 1}}, "match.a"),
        (None, {"match": {"a": 1, "correct": 1}}, "match.correct"),
        ("a", {"match": {"a": 1, "correct": 1}}, "match.a"),
        ("f1", {"match": {"a": 1, "correct": 1}}, "match.correct"),
        ("mean", {"match": 1, "other": 1}, "match"),
        (None, {"match": 1, "other": 1}, None),
        (None, {"match": {"a": 1, "b": 1}}, None),
        (None, {"match": [1, 2]}, None),
        (None, {"match": "label"}, None),
        (None, {}, None),
    ],
)
def test_the_score_is_the_headlines_or_the_only_one(
    write_log: WriteLog, headline: str | None, value: dict[str, Any], score: str | None
) -> None:
    one = foreign("a", 1)
    one.scores = {name: Score(value=of) for name, of in value.items()}
    logs = two(write_log, [one], [one])
    for log in map(ilog.read_eval_log, logs if headline else ()):
        declared = {"scorer": "match", "metric": headline}
        log.eval.headline_metric = ilog.HeadlineMetric(**declared)
        ilog.write_eval_log(log, log.location)
    for given in [None, score] if score else []:
        assert difference(logs, given)["Score"] == score
    for bad in ["nothing"] if score else [None, "nothing"]:
        with pytest.raises(InputError):
            difference(logs, bad)


def theirs(messages: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
    """As many right answers as the run's seed says."""
    number = int(re.findall(r"Q(\d)", messages[-1].text)[0])
    return reply("ANSWER: A" if number < config.seed else "ANSWER: B")


@pytest.mark.parametrize("choices", [None, ["x", "y"]])
def test_runs_of_other_tasks(tmp_path: Path, choices: list[str] | None) -> None:
    data = [Sample(id=n, input=f"Q{n}", target="A", choices=choices) for n in range(4)]
    how = (multiple_choice(), choice()) if choices else (generate(), match())
    for seed in (1, 4):
        model = get_model("mockllm/model", custom_outputs=theirs)
        task, folder = Task(data, solver=how[0], scorer=how[1]), f"{tmp_path}/{seed}"
        inspect_eval(task, model=model, log_dir=folder, seed=seed, display="none")
    items = compare(f"{tmp_path}/1", f"{tmp_path}/4")
    assert [*table(items).iloc[0][["p", "Pairs", "Mean of baseline"]]] == [1 / 8, 4, 25]
    assert [*table(items, "differs").to_numpy()[:, 1:].ravel()] == ["seed", "1", "4"]


def test_slices_in_a_folder(write_log: WriteLog, tmp_path: Path) -> None:
    (folder := tmp_path / "one").mkdir()
    for n, of in enumerate([[1, 1, 1], [0, 0]]):  # the newest counts
        Path(write_log(values(of), study=None)).rename(folder / f"{n}.eval")
    other = write_log(values([1, 1, 1]), study=None)
    assert round(difference([str(folder), other])["Mean of baseline"]) == 33
    third = Path(write_log(values([1]), study=None, settings={"temperature": 1}))
    third.rename(folder / "3.eval")
    with pytest.raises(InputError, match="temperature"):
        compare(str(folder), other)


def test_what_differs_between_protocols(write_log: WriteLog) -> None:
    samples = [sample("a", "error", 1)]
    one = write_log(samples, settings={"max_retries": 1})
    more: Any = {"changed": {"rounds": 4}, "settings": {"temperature": 0.0}}
    other = write_log(samples, roles={"judge": "b/judge"}, **more)
    found = table(compare(one, other, "error_detection.correct"), "differs")
    lines = [
        "judge: openai/gpt-4o-mini, b/judge",
        "rounds: 2, 4",
        "temperature: –, 0.0",
    ]
    assert [f"{n}: {a}, {b}" for _, n, a, b in found.to_numpy()] == lines


def test_the_command(write_log: WriteLog, tmp_path: Path) -> None:
    def run(*args: object) -> list[str]:
        return CliRunner().invoke(main, ["compare", *map(str, args)]).output.split("\n")

    one, other = two(write_log, values([0, 0, 1]), values([1, 1, 1]))
    (alone,), out = two(write_log, [foreign("other", 1)]), tmp_path / "out"
    assert len(run(one, other, "--out", out)) <= 9  # eight, and the end of the last
    assert {path.stem for path in out.glob("*.csv")} == {
        "difference",
        "runs",
        "differs",
    }
    assert json.loads("".join(run(one, other, "--json")))["runs"]
    for bad in ((one, one), (one, alone), (one, out), (one, tmp_path / "no.eval")):
        assert [line[:7] for line in run(*bad)] == ["Error: ", ""]
