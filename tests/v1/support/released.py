"""The released data of the studies, where `INSPECT_DEBATE_DATA` says they are."""

import json
import lzma
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = os.environ.get("INSPECT_DEBATE_DATA")
DATA = Path(FOLDER or ".")

needs_data = pytest.mark.released
"""The test is slow, and skipped without the data (`tests/conftest.py`)."""


@cache
def nyu_debates() -> list[dict[str, Any]]:
    """The 413 debates of Michael et al. 2023, as they lie in the file."""
    path = DATA / "nyu_debates" / "debates.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
