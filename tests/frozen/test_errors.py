"""What users read when their input is wrong is word for word as it was."""

import re
from typing import Any

import pytest

from tests.frozen import errors_cli, errors_data, errors_more, errors_runs, errors_tasks
from tests.frozen.apart import answer_of
from tests.frozen.errors_data import Case
from tests.frozen.mapping import EXPECTED, load

pytestmark = pytest.mark.slow

TABLES: dict[str, list[Case]] = {
    "data": errors_data.CASES,
    "tasks": errors_tasks.CASES,
    "runs": errors_runs.CASES,
    "cli": errors_cli.CASES,
    "more": errors_more.CASES,
}
ALL = [case for table in TABLES.values() for case in table]


@pytest.fixture(scope="module")
def sentences() -> dict[str, str | None]:
    """What each case ends with, caused in one process."""
    found: dict[str, Any] = answer_of("errors_run.py", ALL)
    return found


def test_ids_tell_cases_apart() -> None:
    assert len({case["id"] for case in ALL}) == len(ALL)


@pytest.mark.parametrize("name", TABLES)
def test_every_case_has_its_sentence(name: str) -> None:
    assert (EXPECTED / f"errors_{name}.json").is_file()
    assert set(load(f"errors_{name}.json")) == {case["id"] for case in TABLES[name]}


@pytest.mark.parametrize(
    ("name", "id"),
    [(name, case["id"]) for name, table in TABLES.items() for case in table],
)
def test_sentence(name: str, id: str, sentences: dict[str, str | None]) -> None:
    assert _sorted(sentences[id]) == _sorted(load(f"errors_{name}.json")[id])


def _sorted(sentence: str | None) -> str | None:
    """What is allowed, in the order of the alphabet: it is listed as it is declared."""
    found = re.search(r"(?<=allowed: )[\w, .]+(?=\.)", sentence or "")
    if sentence is None or found is None:
        return sentence
    listed = ", ".join(sorted(found[0].split(", ")))
    return sentence[: found.start()] + listed + sentence[found.end() :]
