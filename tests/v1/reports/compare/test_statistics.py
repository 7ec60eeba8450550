"""The numbers of a comparison are those of statsmodels and scipy."""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Value
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.compare.comparison import Compared, compare
from inspect_debate.v1.reports.compare.report import comparison_report
from inspect_debate.v1.reports.terminal import terminal_text
from tests.v1.reports.compare.made import log, samples, scored, two


def binary(seed: int, n: int = 40) -> tuple[list[float], list[float]]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, n)
    b = np.where(rng.random(n) < 0.4, rng.integers(0, 2, n), a) | (rng.random(n) < 0.2)
    return a.astype(float).tolist(), b.astype(float).tolist()


def test_values_beyond_0_and_1_are_permuted_as_by_scipy(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(3, 2, 11)
    b = a + rng.normal(1, 1.5, 11)
    (found,) = two(tmp_path, a.tolist(), b.tolist()).compared
    theirs = stats.permutation_test(
        (b, a),
        lambda x, y: float(np.mean(x - y)),
        permutation_type="samples",
        vectorized=False,
        n_resamples=9999,
    )
    assert (found.test, found.discordant) == ("sign flip", None)
    assert found.p == pytest.approx(theirs.pvalue)
    student = stats.ttest_rel(b, a).confidence_interval()
    assert found.difference[1:3] == pytest.approx(tuple(student), abs=0.3)


def test_equivalence_in_the_unit_of_the_metric_is_that_of_statsmodels(
    tmp_path: Path,
) -> None:
    a, b = (7 * np.array(values) for values in binary(7, 200))
    b[:150] = a[:150]
    found = two(tmp_path, a.tolist(), b.tolist(), margin=0.7).compared[0].equivalence
    assert found is not None
    p, *_ = ttost_paired(b, a, -0.7, 0.7)
    assert found.p == pytest.approx(p)
    assert found.equivalent == (p < 0.05)
    interval = stats.ttest_rel(b, a).confidence_interval(0.9)
    assert (found.low90, found.high90) == pytest.approx(tuple(interval))


@pytest.mark.parametrize(
    ("baseline", "pairs"),
    [(None, [(0, 1), (0, 2), (1, 2)]), ("log1.eval", [(1, 0), (1, 2)])],
)
def test_p_values_are_corrected_over_all_pairs(
    baseline: str | None, pairs: list[tuple[int, int]], tmp_path: Path
) -> None:
    a, b = binary(1, 60)
    c = [1.0] * 50 + a[50:]
    paths = [
        log(tmp_path, samples(values), model=f"m/{n}")
        for n, values in enumerate((a, b, c))
    ]
    given = baseline and tmp_path / baseline
    compared = compare(paths, "match", baseline=given).compared
    assert [(one.a, one.b) for one in compared] == pairs
    adjusted = multipletests([one.p for one in compared], method="holm")[1]
    assert [one.p_holm for one in compared] == pytest.approx(adjusted.tolist())
    assert any(one.p_holm > one.p for one in compared)


def test_paired_and_unpaired_disagree(tmp_path: Path) -> None:
    """Ten questions of 200 are won and one is lost, of which half are too hard."""
    a = [0.0] * 100 + [1.0] * 100
    b = [1.0] * 10 + [0.0] * 90 + [0.0] + [1.0] * 99
    (found,) = two(tmp_path, a, b).compared
    unpaired = stats.chi2_contingency([[100, 100], [91, 109]], correction=False)
    assert unpaired.pvalue > 0.3
    assert stats.ttest_ind(a, b).pvalue > 0.3
    assert found.test == "McNemar"
    assert found.discordant is not None
    assert found.discordant[:2] == (1, 10)
    # 11 coins: none, one, or as few of the other side; of the observed half.
    assert found.p == pytest.approx(2 * (1 + 11 / 2) / 2**11)
    assert found.p < 0.01
    assert found.difference.low > 0


def test_epochs_are_no_independent_samples(tmp_path: Path) -> None:
    """Six questions, all won in eight epochs each, are six observations."""
    won = [scored(n, 1.0, epoch) for n in range(6) for epoch in range(1, 9)]
    lost = [scored(n, 0.0, epoch) for n in range(6) for epoch in range(1, 9)]
    paths = [log(tmp_path, ran, model=m) for ran, m in ((lost, "a"), (won, "b"))]
    (found,) = compare(paths, "match").compared
    assert found.test == "sign flip"
    assert found.p == pytest.approx(2 / 2**6)


@pytest.mark.parametrize("name", ["input_group", "question_id"])
def test_questions_on_one_input_are_no_independent_samples(
    name: str, tmp_path: Path
) -> None:
    def ran(value: float) -> list[EvalSample]:
        return [scored(n, value, metadata={name: f"text {n % 5}"}) for n in range(20)]

    paths = [log(tmp_path, ran(v), model=m) for v, m in ((0.0, "a"), (1.0, "b"))]
    of = compare(paths, "match")
    assert len(set(of.clusters)) == 5
    assert of.compared[0].p == pytest.approx(2 / 2**5)


def test_clusters_of_unequal_size_weigh_as_many_samples_as_they_have(
    tmp_path: Path,
) -> None:
    groups = [0] * 6 + [1, 2, 3, 4]
    differences = [1.0] * 6 + [0.0, 0.0, 0.0, -1.0]
    paths = []
    for model, values in (("a", [0.0] * 9 + [1.0]), ("b", [1.0] * 6 + [0.0] * 4)):
        ran = [
            scored(n, value, metadata={"input_group": str(group)})
            for n, (value, group) in enumerate(zip(values, groups, strict=True))
        ]
        paths.append(log(tmp_path, ran, model=model))
    (found,) = compare(paths, "match", margin=0.2).compared
    assert found.difference.difference == pytest.approx(np.mean(differences))
    assert found.equivalence is not None
    assert found.equivalence.difference == pytest.approx(np.mean(differences))
    # By hand: the clusters' sums 6, 0, 0, 0, -1, halved.
    expected = stats.t.interval(0.9, 4, loc=0.5, scale=stats.sem([3, 0, 0, 0, -0.5]))
    ends = (found.equivalence.low90, found.equivalence.high90)
    assert ends == pytest.approx(expected)


# What must not matter, and what the order of the logs must only turn round.


KINDS = ("binary", "continuous", "coins", "epochs")


def logs(kind: str, folder: Path, shuffled: int | None = None) -> list[Path]:
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(3)
    a = rng.integers(0, 2, 60).astype(float)
    b = np.where(rng.random(60) < 0.4, 1.0, a)
    if kind == "continuous":
        a, b = a + rng.normal(0, 1, 60), b + rng.normal(0, 1, 60)
    if kind == "coins":
        a[:9] = 0.5
    made = []
    for model, values in (("a", a), ("b", b)):
        if kind == "epochs":
            ran = [
                sample
                for epoch, part in enumerate(values.reshape(3, 20), start=1)
                for sample in samples(part.tolist(), epoch=epoch)
            ]
        else:
            ran = samples(values.tolist())
        if shuffled is not None:
            Random(f"{shuffled} {model}").shuffle(ran)
        made.append(log(folder, ran, model=model))
    return made


def only(paths: list[Path]) -> Compared:
    (found,) = compare(paths, "match", margin=0.05).compared
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_swapped_logs_turn_the_sign_and_keep_the_p_value(
    kind: str, tmp_path: Path
) -> None:
    paths = logs(kind, tmp_path)
    one, other = only(paths), only(paths[::-1])
    assert one.difference.difference == pytest.approx(-other.difference.difference)
    assert one.difference.difference > 0
    assert one.difference.low == -other.difference.high
    assert one.difference.high == -other.difference.low
    assert (one.p, one.p_holm, one.test) == (other.p, other.p_holm, other.test)
    assert one.equivalence is not None
    assert other.equivalence is not None
    assert one.equivalence.p == pytest.approx(other.equivalence.p)
    assert one.equivalence.low90 == pytest.approx(-other.equivalence.high90)
    if one.discordant is not None:
        assert other.discordant is not None
        assert one.discordant[:2] == other.discordant[1::-1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_samples_changes_nothing(kind: str, tmp_path: Path) -> None:
    one = only(logs(kind, tmp_path / "one"))
    assert only(logs(kind, tmp_path / "other", shuffled=1)) == one


def test_a_run_against_itself_repeated(tmp_path: Path) -> None:
    values = [0.0, 1.0] * 20
    paths = [log(tmp_path, samples(values)) for _ in range(2)]
    of = compare(paths, "match", margin=0.1)
    assert [one.logs for one in of.conditions] == ["log0.eval", "log1.eval"]
    assert not of.split.factor
    assert not of.split.confounds
    assert "Nothing differs" in of.split.chosen
    (found,) = of.compared
    assert (found.difference.difference, found.p) == (0.0, 1.0)
    assert found.equivalence is not None
    assert found.equivalence.equivalent


def stories(values: Sequence[Value], first: int, **fields: Any) -> list[EvalSample]:
    """Debates of one condition: two on each of some stories, under ids of its own."""
    return [
        scored(
            f"room {first + n}",
            value,
            input=f"Question {n % 3}?",
            metadata={"input_group": f"story {n // 2}"},
            **fields,
        )
        for n, value in enumerate(values)
    ]


def test_conditions_with_other_samples_on_the_same_stories_are_not_paired(
    tmp_path: Path,
) -> None:
    a, b = [1, 0, 0, 0, 1, 0, 0, 1], [1, 1, 1, 0, 1, 1]
    logs = [
        log(tmp_path, stories(of, 100 * n), model=f"m/{n}")
        for n, of in enumerate((a, b))
    ]
    of = compare(logs, "match", margin=0.9)
    (one,) = of.compared
    assert (of.is_paired, one.test, one.discordant) == (False, "clustered t", None)
    # statsmodels has a factor for the number of values, too, which is 13/12 here.
    y, mark = np.array([*a, *b], float), np.repeat([0.0, 1.0], [8, 6])
    groups = [n // 2 for part in (a, b) for n in range(len(part))]
    fit = sm.OLS(y, sm.add_constant(mark)).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    error = fit.bse[1] * sqrt(12 / 13)
    assert one.difference.difference == pytest.approx(fit.params[1])
    assert one.p == pytest.approx(2 * stats.t.sf(fit.params[1] / error, 3))
    assert one.equivalence is not None
    half = error * stats.t.ppf(0.95, 3)
    assert one.equivalence.high90 == pytest.approx(fit.params[1] + half)
    text = terminal_text(comparison_report(of))
    assert "Unpaired differences in match" in text
    says = " ".join(text.split())
    assert "They have 3 clusters of 4 in common, and 3 questions;" in says


def test_what_has_nothing_in_common_is_still_refused(tmp_path: Path) -> None:
    other = [scored("x", 1, metadata={"input_group": "another story"})]
    logs = [log(tmp_path, stories([1, 0], 0)), log(tmp_path, other, model="m/two")]
    with pytest.raises(InputError, match="No sample has a value in all conditions"):
        compare(logs, "match")
