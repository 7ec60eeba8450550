"""What tasks refuse when they are made, with the sentences of the frozen tests.

Those cause all errors in a process of its own; these cases take no run, and are fast.
"""

import base64
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click import ClickException
from inspect_ai._util.registry import registry_create

from inspect_debate.debate import paths
from tests.frozen import errors_data, errors_more, errors_tasks
from tests.frozen.errors_data import Case
from tests.frozen.mapping import load

TABLES = {"data": errors_data, "tasks": errors_tasks, "more": errors_more}
CASES = [
    pytest.param(case, table, id=case["id"])
    for table, module in TABLES.items()
    for case in module.CASES
    if case["run"] == "task" and not {"logs", "env", "before"} & case.keys()
]


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        path.mkdir()
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8", errors="surrogatepass")
    elif isinstance(content, dict) and "base64" in content:
        path.write_bytes(base64.b64decode(content["base64"]))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(line) + "\n" for line in content))
    else:
        path.write_text(json.dumps(content))


def words(sentence: str | None) -> Counter[str]:
    return Counter(re.findall(r"[\w{}]+", sentence or ""))


@pytest.mark.parametrize(("case", "table"), CASES)
def test_refused(
    case: Case, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "STARTED_IN", tmp_path)
    for name, content in case.get("files", {}).items():
        write(tmp_path / name, content)
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
    assert not words(wanted) - words(found), (found, wanted)
