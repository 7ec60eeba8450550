"""What the frozen tests of data, scores and reports share: commands, and comparing."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from math import isclose, isfinite, isnan
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import EvalSample

from inspect_debate.solvers.bet_records import SIDES
from tests.support.runs import values

ROOT = Path(__file__).parents[2]
LOGS = Path("tests", "frozen", "logs")
"""Relative to `ROOT`, as reports show and logs record paths as they were given."""

DATA = os.environ.get("INSPECT_DEBATE_DATA")
needs_data = pytest.mark.released


@cache
def _main() -> click.Command:
    (script,) = entry_points(group="console_scripts", name="inspect-debate")
    loaded: click.Command = script.load()
    return loaded


def command(*arguments: object) -> Result:
    """Run `inspect-debate ARGUMENTS` in this process."""
    return CliRunner().invoke(_main(), [str(each) for each in arguments])


FITTED = ("/tables/escalation/", "/tables/openings/")
"""Where p-values come from fitted models, whose last digits depend on the processor."""


def differences(
    found: Any, frozen: Any, where: str = "", *, cells: bool = False
) -> Iterator[str]:
    """Where two JSON values differ; numbers count as equal within 1e-9.

    Args:
        found: One value.
        frozen: The value it should be.
        where: The place of both, which begins what is yielded.
        cells: Whether texts that are both numbers compare as numbers, as in tables.
    """
    if isinstance(frozen, dict) and isinstance(found, dict):
        if found.keys() != frozen.keys():
            gone, new = frozen.keys() - found.keys(), found.keys() - frozen.keys()
            yield f"{where}: gone {sorted(gone)}, new {sorted(new)}"
        for key in frozen:
            if key in found:
                place = f"{where}/{key}"
                yield from differences(found[key], frozen[key], place, cells=cells)
    elif isinstance(frozen, list) and isinstance(found, list):
        if len(found) != len(frozen):
            yield f"{where}: {len(found)} instead of {len(frozen)}"
        for n, (one, other) in enumerate(zip(found, frozen, strict=False)):
            yield from differences(one, other, f"{where}/{n}", cells=cells)
    elif not _same(found, frozen, where, cells):
        yield f"{where}: {found!r} instead of {frozen!r}"


def assert_same(found: Any, frozen: Any, *, cells: bool = False) -> None:
    """Fail with the first differences, if there are any."""
    wrong = list(differences(found, frozen, cells=cells))
    assert not wrong, f"{len(wrong)} differences:\n" + "\n".join(wrong[:20])


def _same(found: Any, frozen: Any, where: str, cells: bool) -> bool:
    types = {type(found), type(frozen)}
    if len(types) == 1 and found == frozen:
        return True
    numbers = float in types and types <= {float, int}
    if not numbers and not (cells and types == {str}):
        return False
    try:
        one, other = float(found), float(frozen)
    except ValueError:
        return False
    within = 1e-6 if where.startswith(FITTED) else 1e-9
    close = isclose(one, other, rel_tol=within, abs_tol=1e-12)
    return close or (isnan(one) and isnan(other))


def words_of(sentence: str | None) -> Counter[str]:
    """The words of a sentence, which may list what is allowed in any order."""
    return Counter(re.findall(r"[\w{}]+", sentence or ""))


# Names that scores have gained since.
GAINED = {
    "bets": {f"{at}_{of}" for at in ("opening", "closing") for of in SIDES},
    "clash": {"correct_normalised", "abstained", "same_answers"},
    "debate_process": {"verified_quotes", "unverified_quotes"},
    "bet_alignment": {"aligned"},
    "self_confidence": {"memory_right"},
}


def known(sample: EvalSample, scorer: str) -> Any:
    """What a scorer's value was when the expected values were written.

    Of the values that scores have no more the record gives all.
    """
    assert sample.scores is not None
    gained = GAINED.get(scorer.rpartition("/")[2].rstrip("0123456789"), set())
    found = {k: v for k, v in values(sample, scorer).items() if k not in gained}
    return found or sample.scores[scorer].value


def plain(value: Any) -> Any:
    """A value as JSON gives it back, with NaN as a word, since it equals nothing."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    known = value is None or isinstance(value, str | bool | int | float)
    return value if known else str(value)
