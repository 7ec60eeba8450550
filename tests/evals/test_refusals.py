"""What tasks refuse when they are made, with the sentences of the frozen tests.

Those cause all errors in a process of its own; these cases take no run, and are fast.
"""

from pathlib import Path

import pytest
from click import ClickException
from inspect_ai._util.registry import registry_create

from inspect_debate.debate import paths
from tests.frozen import errors_data, errors_more, errors_tasks
from tests.frozen.comparing import words_of
from tests.frozen.errors_data import Case
from tests.frozen.errors_run import write_file
from tests.frozen.mapping import load

TABLES = {"data": errors_data, "tasks": errors_tasks, "more": errors_more}
CASES = [
    pytest.param(case, table, id=case["id"])
    for table, module in TABLES.items()
    for case in module.CASES
    if case["run"] == "task" and not {"logs", "env", "before"} & case.keys()
]


@pytest.mark.parametrize(("case", "table"), CASES)
def test_refused(
    case: Case, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "STARTED_IN", tmp_path)
    for name, content in case.get("files", {}).items():
        write_file(tmp_path / name, content)
    found = None
    try:
        registry_create("task", f"inspect_debate/{case['name']}", **case["args"])
    except ClickException as error:
        found = error.message
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    found = found and found.replace(str(tmp_path), "{HERE}")
    wanted = load(f"errors_{table}.json")[case["id"]]
    assert (found is None) == (wanted is None)
    # Other tests of this process may register more that is allowed, in any order.
    assert not words_of(wanted) - words_of(found), (found, wanted)
