"""What is planted in debates about graded answers comes back out of whole runs."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest
from inspect_ai.dataset import Sample
from scipy.stats import binomtest

from inspect_debate.debate.record import Debate
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative import generative
from inspect_debate.solvers.rulings import right, ruled
from tests.support import Run, run

pytestmark = pytest.mark.slow

N, SOLVES, CRITIC, ENDORSES_RIGHT = 90, 0.5, 0.8, 0.85
# Of wrong answers; a debate helps, and a consultancy does not.
ENDORSES_WRONG = {
    "dual_no_transcript": 0.6,
    "dual_consultancy": 0.6,
    "dual_debate": 0.2,
    "single_debate": 0.2,
}
PLANTED = {
    **{"solves": SOLVES, "critic_right": CRITIC, "endorses_right": ENDORSES_RIGHT},
    **{"endorses_wrong_alone": 0.6, "endorses_wrong_consultancy": 0.6},
    "endorses_wrong_debate": 0.2,
    **dict.fromkeys(("unreadable", "refuses", "cut_off"), 0),
}


class Ran(NamedTuple):
    """A run, and its records, which take time to read."""

    run: Run
    debates: list[Debate]

    def endorsed(self, truth: bool) -> dict[tuple[int, str], bool]:
        """Whether each right, or each wrong answer was ruled correct."""
        return {
            (number, name): verdict is True
            for number, debate in enumerate(self.debates)
            for name, verdict in ruled(debate).items()
            if right(debate)[name] is truth
        }


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    metadata, target = {"answer_kind": "grids", "grids": 1}, "[[[1, 2], [3, 4]]]"
    found = {}
    protocol: Any
    for protocol in ENDORSES_WRONG:
        ran = run(
            tmp_path_factory.mktemp(protocol),
            generative(protocol, rounds=None if "no_" in protocol else 1),
            samples=[
                Sample(id=k, input="?", target=target, metadata=metadata)
                for k in range(N)
            ],
            scorer=verdicts(),
            roles={},
            model="simulated/balanced",
            model_args=PLANTED,
        )
        found[protocol] = Ran(ran, ran.debates)
    return found


def recovered(hits: Iterable[bool], planted: float) -> bool:
    found = [*hits]
    return bool(binomtest(sum(found), len(found), planted).pvalue > 0.001)


@pytest.mark.parametrize("protocol", ENDORSES_WRONG)
def test_answers_and_rulings(runs: dict[str, Ran], protocol: str) -> None:
    ran = runs[protocol]
    wrong = ran.endorsed(truth=False).values()
    assert recovered((right(debate)["Alice"] is True for debate in ran.debates), SOLVES)
    assert recovered(ran.endorsed(truth=True).values(), ENDORSES_RIGHT)
    assert recovered(wrong, ENDORSES_WRONG[protocol])
    assert ran.run.metrics()["fpr"] == pytest.approx(sum(wrong) / len(wrong))


@pytest.mark.parametrize(
    ("treated", "differs"), [("dual_debate", True), ("dual_consultancy", False)]
)
def test_differences_on_the_same_answers(
    runs: dict[str, Ran], treated: str, differs: bool
) -> None:
    """Fewer wrong answers are endorsed where that is planted, and only there."""
    base = runs["dual_no_transcript"].endorsed(truth=False)
    other = runs[treated].endorsed(truth=False)
    assert base.keys() == other.keys()
    fewer = sum(base[key] and not other[key] for key in base)
    more = sum(other[key] and not base[key] for key in base)
    assert (binomtest(fewer, fewer + more).pvalue < 0.001) == differs


def test_stances_of_a_critic(runs: dict[str, Ran]) -> None:
    ran = runs["single_debate"].run
    right = [
        (debate.of("speech")[-1].fields.get("stance") == "agree")
        == (debate.grades["Alice"]["status"] == "pass")
        for debate in ran.debates
    ]
    assert recovered(right, CRITIC)
    # A ruling on a stance never contradicts the one on the answer.
    assert ran.metrics()["unread"] == 0
