"""What is planted in a simulated judge is found by full runs of generative debate.

The runs prove the path, from the provider through parsing, grades, records and scores
to the analysis over logs. How often its tests reject is shown in
test_generative_tests.py, by draws alone.
"""

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any, Final

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model
from scipy.stats import binomtest

from inspect_debate.evals.generative import generative
from inspect_debate.metrics.transitions import Transitions
from inspect_debate.reports.generative.comparisons import Comparison, Data, read_data
from inspect_debate.reports.generative.rows import STUDY
from inspect_debate.reports.logs import study_logs
from inspect_debate.simulator.profiles import behaviour_of
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.datasets.made_arc import made, written
from tests.support.generative_planted import planted_cell, planted_pair
from tests.support.laws import Condition
from tests.support.planted import Check
from tests.support.runs import metrics, run, samples, values

pytestmark = pytest.mark.slow

TASKS = 75
DEBATER: dict[str, Any] = {"solve_rate": 0.35, "solve_spread": 0.3, "words": 30}
JUDGE: dict[str, Any] = {
    "endorse_wrong_none": 0.25,
    "endorse_wrong_consultancy": 0.35,
    "endorse_wrong_debate": 0.75,
    "judge_steadiness": 0.8,
    "words": 30,
}
NONE: Final = "dual_no_transcript"
CONSULTANCY: Final = "dual_consultancy"
DEBATE: Final = "dual_debate"


def cell(protocol: str) -> Condition:
    """What is planted in a format."""
    return Condition(*FORMATS[protocol])


def run_of(
    protocol: GenerativeProtocol, source: Path, log_dir: Path, **parameters: Any
) -> EvalLog:
    return run(
        generative(
            protocol=protocol, source=str(source), split="evaluation", **parameters
        ),
        log_dir,
        model=get_model("simulated/balanced/debater", memoize=False, **DEBATER),
        roles={"judge": get_model("simulated/balanced/judge", memoize=False, **JUDGE)},
    )


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    """The same answers, judged as they are, after consultancies and after debates."""
    folder = tmp_path_factory.mktemp("runs")
    tasks = {f"evaluation/{n:08x}.json": made(n, 1 + n // 50) for n in range(TASKS)}
    source = written(tasks, folder / "tasks")
    alone = run_of(NONE, source, folder)
    again = {"reuse": alone.location, "rounds": 1}
    return {
        NONE: alone,
        CONSULTANCY: run_of(CONSULTANCY, source, folder, **again),
        DEBATE: run_of(DEBATE, source, folder, **again),
    }


@pytest.fixture(scope="module")
def data(logs: dict[str, EvalLog]) -> Data:
    found = read_data(study_logs([log.location for log in logs.values()], STUDY))
    assert found is not None
    return found


def checks(logs: dict[str, EvalLog]) -> Iterator[Check]:
    """What each format's metrics count, with the probabilities of the planted laws."""
    debater, judge = behaviour_of("balanced", DEBATER), behaviour_of("balanced", JUDGE)
    for protocol, log in logs.items():
        planted, found = (
            planted_cell(debater, judge, cell(protocol)),
            metrics(log, "verdicts"),
        )
        scores = [values(sample, "verdicts") for sample in samples(log)]
        wrong, right = (sum(s[n] for s in scores) for n in ("n_wrong", "n_right"))
        rounds = sum(score["wrong_round"] for score in scores)
        counted = [
            ("fpr", wrong, planted.fpr),
            ("fnr", right, planted.fnr),
            ("fpr_rounds", rounds, planted.wrong_round_endorsed),
            ("accuracy", TASKS, planted.accuracy),
        ]
        for name, n, p in counted:
            yield Check(f"{protocol} {name}", found[name] * n, [p] * int(n))
        regimes = ("both_wrong", "contested", "both_right")
        for number, regime in enumerate(regimes):
            here = sum(score["regime"] == number for score in scores)
            hits = found[f"accuracy_{regime}"] * here
            inside = planted.by_regime[number]
            yield Check(f"{protocol} {regime}", hits, [inside] * here)
            if protocol == NONE:  # the other formats have the same answers
                yield Check(regime, here, [planted.regimes[number]] * TASKS)


def test_every_format_shows_what_is_planted(logs: dict[str, EvalLog]) -> None:
    made = [*checks(logs)]
    assert len(made) == 3 * 7 + 3
    # Intervals that hold all of the values together in 95 % of runs.
    least = 0.05 / (2 * len(made))
    assert {c.name: c.tail for c in made if not c.tail > least} == {}
    fpr = {name: metrics(log, "verdicts")["fpr"] for name, log in logs.items()}
    assert fpr[DEBATE] > fpr[CONSULTANCY] + 0.25


def comparison(data: Data, protocol: str, against: str) -> Comparison:
    compared = data.no_transcript if against == NONE else data.consultancy
    (found,) = [one for one in compared.made if one.condition.format == protocol]
    assert found.other.format == against
    assert found.samples == TASKS
    return found


PAIRS = [(DEBATE, CONSULTANCY), (DEBATE, NONE), (CONSULTANCY, NONE)]


@pytest.mark.parametrize(("after", "before"), PAIRS)
def test_pairs_of_formats_differ_as_planted(
    after: str, before: str, data: Data
) -> None:
    one = comparison(data, after, before)
    debater, judge = behaviour_of("balanced", DEBATER), behaviour_of("balanced", JUDGE)
    planted = planted_pair(debater, judge, cell(before), cell(after))
    found = one.moved
    counted = {
        "both right": (found.right_right, planted.both_right),
        "hurt": (found.hurt, planted.hurt),
        "helped": (found.helped, planted.helped),
        "both wrong": (found.wrong_wrong, planted.both_wrong),
    }
    for name, (count, p) in counted.items():
        assert Check(name, count, [p] * TASKS).tail > 0.005, name
    assert_net(found, planted.helped - planted.hurt)
    assert (one.test.only_a, one.test.only_b) == (found.hurt, found.helped)
    discordant = found.hurt + found.helped
    p = binomtest(found.helped, discordant).pvalue
    assert one.test.p == pytest.approx(p)
    assert (one.test.p < 0.001) == (after == DEBATE)
    fpr = [planted_cell(debater, judge, cell(f)).fpr for f in (before, after)]
    assert one.fpr.low - 0.05 < fpr[1] - fpr[0] < one.fpr.high + 0.05


def assert_net(found: Transitions, planted: float) -> None:
    """The change of accuracy, within a 99 % interval."""
    changed = found.flip_rate - found.net**2
    assert abs(found.net - planted) < 2.58 * sqrt(changed / found.n)
    assert found.net == pytest.approx(found.flip_rate * (1 - 2 * found.hurt_share))
