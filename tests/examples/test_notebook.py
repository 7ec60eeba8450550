"""The notebook in examples/: every cell runs and finds what the text says."""

import json
import os
from pathlib import Path
from typing import Any

import matplotlib
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "examples" / "notebook.ipynb").read_text("utf-8"))
CODE = ["".join(c["source"]) for c in NOTEBOOK["cells"] if c["cell_type"] == "code"]


def test_every_cell_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "examples").symlink_to(ROOT / "logs" / "examples")
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    for cell in CODE:
        exec(compile(cell, "notebook.ipynb", "exec"), names)
    assert len(names["scores"]) == len(names["debates"]) == 6
    assert set(names["speeches"]["wins"]) == {True, False}
    assert len(names["axes"].lines) == 3
    assert "less A" in capsys.readouterr().out
    assert os.listdir(tmp_path / "logs" / "notebook")


def test_it_has_no_outputs() -> None:
    cells = [c for c in NOTEBOOK["cells"] if c["cell_type"] == "code"]
    assert [(c["outputs"], c["execution_count"]) for c in cells] == [
        ([], None) for _ in cells
    ]
