"""What all frozen tests need."""

import os

import pytest

from tests.frozen.comparing import LOGS


@pytest.fixture(scope="session", autouse=True)
def one_age() -> None:
    """Logs made in one second are in the order of their files' ages: here, of one age.

    A checkout writes some of them a moment later than others.
    """
    for log in LOGS.glob("*.eval"):
        os.utime(log, (1_700_000_000, 1_700_000_000))
