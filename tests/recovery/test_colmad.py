"""Effects planted in simulated models come back out of whole runs."""

import pandas as pd
import pytest
from inspect_ai.dataset import Sample
from scipy.stats import binomtest

from inspect_debate.metrics.paired import detection_difference
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.process import process
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad
from tests.support import Run, run

pytestmark = pytest.mark.slow

N = 120
ALONE, COLLABORATIVE, COMPETITIVE = 0.75, 0.9, 0.3
PLANTED = {
    "finds_error": ALONE,
    "clears": ALONE,
    "judge_collaborative": COLLABORATIVE,
    "judge_competitive": COMPETITIVE,
    **dict.fromkeys(("concedes", "concedes_wrongly", "first_listed"), 0),
    **dict.fromkeys(("unreadable", "refuses", "cut_off"), 0),
}


def expected(judge: float) -> float:
    """Right if both debaters are, or if they differ and the judge is right.

    With as many errors as others, and both found alike, it is F1, too.
    """
    return ALONE**2 + 2 * ALONE * (1 - ALONE) * judge


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    metadata = {"task": "Name a colour.", "response": "Red.", "subset": "math"}
    samples = [
        Sample(id=k, input="An item.", target=target, metadata=metadata)
        for k, target in enumerate(["error", "no_error"] * (N // 2))
    ]
    protocols = {
        "single": single(),
        "colmad": colmad(rounds=1),
        "copmad": colmad(rounds=1, style="competitive"),
    }
    return {
        name: run(
            tmp_path_factory.mktemp(name),
            solver,
            samples=samples,
            scorer=[error_detection(), process()],
            roles={},
            model="simulated/balanced",
            model_args=PLANTED,
        )
        for name, solver in protocols.items()
    }


def rows(ran: Run) -> pd.DataFrame:
    predictions = [ran.values("error_detection", k)["prediction"] for k in range(N)]
    gold = [float(sample.target == "error") for sample in ran.samples]
    ids = [sample.id for sample in ran.samples]
    given = {"gold": gold, "prediction": predictions}
    return pd.DataFrame({"id": ids, "epoch": 1, "cluster": ids, **given})


PROTOCOLS = [
    ("single", ALONE),
    ("colmad", expected(COLLABORATIVE)),
    ("copmad", expected(COMPETITIVE)),
]


@pytest.mark.parametrize(("protocol", "planted"), PROTOCOLS)
def test_planted_accuracy(runs: dict[str, Run], protocol: str, planted: float) -> None:
    right = sum(
        runs[protocol].values("error_detection", k)["correct"] for k in range(N)
    )
    assert binomtest(int(right), N, planted).pvalue > 0.001


@pytest.mark.parametrize(("protocol", "planted"), PROTOCOLS[1:])
def test_planted_difference_in_f1(
    runs: dict[str, Run], protocol: str, planted: float
) -> None:
    found = detection_difference(rows(runs["single"]), rows(runs[protocol]), "f1")
    assert found.pairs == N
    assert found.low < planted - ALONE < found.high


def test_the_collaborative_debate_is_significantly_better(runs: dict[str, Run]) -> None:
    found = detection_difference(rows(runs["copmad"]), rows(runs["colmad"]), "f1")
    assert found.low > 0
    assert found.p < 0.001


def test_debates_are_where_debaters_differ(runs: dict[str, Run]) -> None:
    debated = sum(runs["colmad"].values("process", k)["debated"] for k in range(N))
    assert binomtest(int(debated), N, 2 * ALONE * (1 - ALONE)).pvalue > 0.001
    assert runs["single"].metrics()["unread"] == 0
