"""What commands refuse, with the sentences of the frozen tests.

Those cause all errors in a process of its own; these cases need no log, and are fast.
"""

from pathlib import Path

import pytest

from inspect_debate.debate import paths
from tests.frozen import errors_cli, errors_more
from tests.frozen.comparing import words_of
from tests.frozen.errors_data import Case
from tests.frozen.errors_run import sentence_of_command, write_file
from tests.frozen.mapping import load

CASES = [
    pytest.param(case, table, id=case["id"])
    for table, module in (("cli", errors_cli), ("more", errors_more))
    for case in module.CASES
    if case["run"] == "cli" and not case.get("logs") and "before" not in case
]


@pytest.mark.parametrize(("case", "table"), CASES)
def test_refused(
    case: Case, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(paths, "STARTED_IN", tmp_path)
    for name, content in case.get("files", {}).items():
        write_file(tmp_path / name, content)
    found = sentence_of_command([*map(str, case["args"])])
    wanted = load(f"errors_{table}.json")[case["id"]]
    found = found and found.replace(str(tmp_path), "{HERE}")
    assert (found is None) == (wanted is None)
    assert not words_of(wanted) - words_of(found), (found, wanted)
