"""The gain that is planted in SR-DCR comes back out of whole runs."""

import numpy as np
import pytest
from inspect_ai.dataset import Sample
from scipy.stats import beta, binomtest

from inspect_debate.datasets.matching import exact
from inspect_debate.debate.text import unescape
from inspect_debate.solvers.srdcr import CRITIC, confidence, decide, srdcr
from inspect_debate.solvers.srdcr_baselines import few_shot
from tests.support import Run, run

pytestmark = pytest.mark.slow

N, TAU = 240, 0.9
KNOWS, JUDGES = 0.75, 0.85
PLANTED = {
    **{"knows": KNOWS, "judge_competitive": JUDGES, "reads": 1},
    **dict.fromkeys(("unreadable", "refuses", "cut_off"), 0),
}

# How sure a simulated model is has the mean KNOWS, and it is right as often as that.
SURE_AND_RIGHT = KNOWS * float(beta.sf(TAU, 2 * KNOWS + 1, 2 * (1 - KNOWS)))
# With a right passage, memory says the same, or the judge relies on the passage; with
# a wrong one, the judge does not, and memory is right and sure.
STANDARD = KNOWS + (1 - KNOWS) * JUDGES
PERTURBED = JUDGES * SURE_AND_RIGHT


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    metadata = {"passage": "It was so.", "question": "How many were there?"}
    samples = [
        Sample(
            id=k,
            input="How many?",
            target="31",
            metadata=metadata | {"passage_answer": "31" if k % 2 else "78"},
        )
        for k in range(N)
    ]
    protocols = {"few_shot": few_shot(), "srdcr": srdcr(rounds=1, tau=TAU)}
    return {
        name: run(
            tmp_path_factory.mktemp(name),
            solver,
            samples=samples,
            roles={},
            model="simulated/balanced",
            model_args=PLANTED,
        )
        for name, solver in protocols.items()
    }


def hits_of(ran: Run, rule: str = "") -> dict[str, list[bool]]:
    """Whether each answer is right, by the kind of passage."""
    found: dict[str, list[bool]] = {"standard": [], "perturbed": []}
    for sample, debate in zip(ran.samples, ran.debates, strict=True):
        answer = decide(debate, rule=rule).answer if rule else debate.answer
        said = unescape(debate.options[answer or ""])
        half = "standard" if int(sample.id) % 2 else "perturbed"
        found[half].append(exact(said, str(sample.target)))
    return found


@pytest.mark.parametrize(
    ("protocol", "rule", "standard", "perturbed"),
    [
        ("few_shot", "", 1, 0),
        ("few_shot", "prior", KNOWS, KNOWS),
        ("srdcr", "", STANDARD, PERTURBED),
        ("srdcr", "acvd_only", STANDARD, JUDGES * KNOWS),
        ("srdcr", "confidence_only", None, SURE_AND_RIGHT),
    ],
)
def test_planted_accuracy(
    runs: dict[str, Run],
    protocol: str,
    rule: str,
    standard: float | None,
    perturbed: float,
) -> None:
    found = hits_of(runs[protocol], rule)
    for half, planted in (("standard", standard), ("perturbed", perturbed)):
        hits = found[half]
        if planted is not None:
            assert binomtest(sum(hits), len(hits), planted).pvalue > 0.001


def test_planted_gain(runs: dict[str, Run]) -> None:
    """Overall, the mean of both halves, paired by question."""
    treated, base = hits_of(runs["srdcr"]), hits_of(runs["few_shot"])
    gain = [
        np.subtract(treated[half], base[half], dtype=float)
        for half in ("standard", "perturbed")
    ]
    mean = np.mean([half.mean() for half in gain])
    error = np.sqrt(sum(half.var() / len(half) for half in gain)) / 2
    assert abs(mean - (STANDARD + PERTURBED - 1) / 2) < 3.3 * error
    assert mean > 3.3 * error


def test_confidence_is_calibrated(runs: dict[str, Run]) -> None:
    debates = runs["few_shot"].debates
    sure = np.array([confidence(debate).value for debate in debates], dtype=float)
    hits = np.array([debate.options["prior"] == "31" for debate in debates])
    for low, high in ((0, 0.75), (0.75, TAU), (TAU, 1.01)):
        inside = (sure >= low) & (sure < high)
        right, asked = int(hits[inside].sum()), int(inside.sum())
        assert binomtest(right, asked, sure[inside].mean()).pvalue > 0.001
    tokens = [t for debate in debates for t in debate.of("answer") if t.role == CRITIC]
    assert all(turn.logprobs for turn in tokens)
