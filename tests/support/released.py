"""The released data of the studies, where `INSPECT_DEBATE_DATA` says they are."""

import os
from functools import cache, partial
from pathlib import Path

import pytest

from inspect_debate.cli.released_debates import released_rows
from inspect_debate.reports.printed_studies import RELEASE, Sources

FOLDER = os.environ.get("INSPECT_DEBATE_DATA")

needs_data = pytest.mark.skipif(
    FOLDER is None, reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER"
)


@cache
def sources() -> Sources:
    """All released data, read once; none where there are none."""
    if FOLDER is None:
        return Sources()
    folder = Path(FOLDER)
    return Sources(folder, partial(released_rows, folder / RELEASE))
