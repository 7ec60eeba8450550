"""The released data of the studies, where `INSPECT_DEBATE_DATA` says they are."""

import json
import lzma
import os
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.cli.released_debates import released, released_rows
from inspect_debate.cli.released_people import released_people
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
    return Data(DATA, _released, partial(released_people, DATA))


def _released() -> Released:
    return released(released_rows(DATA / RELEASE))


@cache
def nyu_debates() -> list[dict[str, Any]]:
    """The 413 debates of Michael et al. 2023, as they lie in the file."""
    path = DATA / "nyu_debates" / "debates.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def nyu_speeches() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each of their 2,214 speeches, after the story that it is about."""
    for debate in nyu_debates():
        for given in debate["rounds"]:
            for speech in given["speeches"]:
                yield debate["passage"]["text"], speech
