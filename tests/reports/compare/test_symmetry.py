"""What must not matter, and what the order of the logs must only turn round."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from inspect_debate.reports.compare.comparison import Compared, compare
from tests.reports.compare.made import log, samples

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
            held = [
                sample
                for epoch, part in enumerate(values.reshape(3, 20), start=1)
                for sample in samples(part.tolist(), epoch=epoch)
            ]
        else:
            held = samples(values.tolist())
        if shuffled is not None:
            Random(f"{shuffled} {model}").shuffle(held)
        made.append(log(folder, held, model=model))
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
    assert [arm.logs for arm in of.arms] == ["log0.eval", "log1.eval"]
    assert not of.split.factor
    assert not of.split.confounds
    assert "Nothing differs" in of.split.chosen
    (found,) = of.compared
    assert (found.difference.difference, found.p) == (0.0, 1.0)
    assert found.equivalence is not None
    assert found.equivalence.equivalent
