"""What all frozen tests need."""

import os
from collections.abc import Iterator

import pytest

from tests.frozen.comparing import LOGS
from tests.frozen.replies import as_before


@pytest.fixture(scope="package", autouse=True)
def replies_of_before() -> Iterator[None]:
    """Simulated models reply as they did when the expected values were written."""
    with as_before():
        yield


@pytest.fixture(scope="session", autouse=True)
def one_age() -> None:
    """Logs made in one second are in the order of their files' ages: here, of one age.

    A checkout writes some of them a moment later than others.
    """
    for log in LOGS.glob("*.eval"):
        os.utime(log, (1_700_000_000, 1_700_000_000))
