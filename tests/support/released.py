"""The released data of the studies, where `INSPECT_DEBATE_DATA` says they are."""

import os
from functools import cache, partial
from pathlib import Path

import pytest

from inspect_debate.cli.released_debates import released_rows
from inspect_debate.reports.printed_studies import RELEASE, Sources

FOLDER = os.environ.get("INSPECT_DEBATE_DATA")
DATA = Path(FOLDER or ".")

needs_data = pytest.mark.released
"""The test is slow, and skipped without the data (`tests/conftest.py`)."""


@cache
def sources() -> Sources:
    """All released data, read once; none where there are none."""
    if FOLDER is None:
        return Sources()
    folder = Path(FOLDER)
    return Sources(folder, partial(released_rows, folder / RELEASE))
