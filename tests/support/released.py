"""The released data of the studies, where `INSPECT_DEBATE_DATA` says they are."""

import os
from functools import cache
from pathlib import Path

import pytest

from inspect_debate.cli.released_debates import released, released_rows
from inspect_debate.published.audit import RELEASE
from inspect_debate.published.confidence import Released
from inspect_debate.published.engine import NO_DATA, Data

FOLDER = os.environ.get("INSPECT_DEBATE_DATA")
DATA = Path(FOLDER or ".")

needs_data = pytest.mark.released
"""The test is slow, and skipped without the data (`tests/conftest.py`)."""


@cache
def data() -> Data:
    """All released data, read once; none where there are none."""
    if FOLDER is None:
        return NO_DATA
    return Data(DATA, _released)


def _released() -> Released:
    return released(released_rows(DATA / RELEASE))
