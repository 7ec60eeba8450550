"""Caps as parameters: what is allowed, and that all tasks have them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from inspect_ai import Task

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.evals.tasks import Caps, caps
from tests.support.capped import ALONE


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        *[
            ({"budget_usd": value}, "a number of US dollars above 0")
            for value in (0, -1, "5", True, float("nan"), float("inf"))
        ],
        *[
            ({"max_unparsed": value}, "a share above 0 and at most 1")
            for value in (0, -0.1, 1.01, 10, "0.1", True, float("nan"))
        ],
    ],
)
def test_caps_out_of_range_are_refused(given: dict[str, Any], allowed: str) -> None:
    ((name, value),) = given.items()
    with pytest.raises(InputError) as error:
        caps(**{"budget_usd": None, "max_unparsed": None} | given)
    assert error.value.message == f"{name}={value!r} is not allowed; give {allowed}."


OFFLINE: list[Callable[..., Task]] = [
    partial(colmad, source="sample"),
    confidence,
    partial(srdcr, source="sample", questions=2),
    partial(generative, **ALONE),
]


@pytest.mark.parametrize("task", OFFLINE)
def test_every_task_takes_caps(task: Callable[..., Task]) -> None:
    assert task().early_stopping is None
    found = task(budget_usd=5, max_unparsed=1).early_stopping
    assert isinstance(found, Caps)
    assert (found.budget_usd, found.max_unparsed) == (5, 1)
    with pytest.raises(InputError, match="budget_usd=0 is not allowed"):
        task(budget_usd=0)
