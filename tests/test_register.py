"""register/*/eval.yaml says of each task what the code says."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task

from inspect_debate.datasets import arc_agi, bigcodebench, clasheval, realmistake
from inspect_debate.datasets.download import GITHUB

ROOT = Path(__file__).parents[1]
ENTRIES: dict[str, dict[str, Any]] = {
    path.parent.name: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in ROOT.glob("register/*/eval.yaml")
}
DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "none"))
FILES = {"colmad": DATA / "realmistake" / "data.zip", "generative": DATA / "arc_agi_1"}
RELEASES = [*arc_agi.RELEASES.values(), bigcodebench.RELEASE]
PINNED = {
    "colmad": {realmistake.URL: realmistake.SHA256},
    "generative": {
        f"{GITHUB}/{r.repository}/zip/{r.commit}": r.sha256 for r in RELEASES
    },
}
UNPINNED = {
    "colmad": {realmistake.HUB},
    "generative": {bigcodebench.HUB},
    "srdcr": {clasheval.HUB},
}


def made(name: str, source: str = "sample") -> Task:
    """The task of an entry."""
    make = getattr(import_module(f"inspect_debate.evals.{name}"), name)
    task = make() if name == "confidence" else make(source=source)
    assert isinstance(task, Task)
    return task


def test_every_study_of_a_paper_has_an_entry() -> None:
    assert {*ENTRIES} == {"colmad", "confidence", "generative", "srdcr"}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_valid_in_the_register(name: str) -> None:
    metadata = pytest.importorskip("inspect_evals.metadata")
    read = metadata.ExternalEvalMetadata.model_validate(ENTRIES[name])
    assert read.package == "inspect-debate"
    for asset in ENTRIES[name]["metadata"]["extras"]["external_assets"]:
        metadata.ExternalAsset.model_validate(asset)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_names_its_task_and_version(name: str) -> None:
    entry = ENTRIES[name]
    [task] = entry["tasks"]
    assert entry["id"] == task["name"] == name
    assert "\n" not in entry["description"]
    assert f"\ndef {name}(" in (ROOT / task["task_path"]).read_text(encoding="utf-8")
    assert entry["metadata"]["extras"]["version"] == made(name).version


def test_samples_of_what_ships_with_the_suite_are_counted() -> None:
    [task] = ENTRIES["confidence"]["tasks"]
    assert len(made("confidence").dataset) == task["dataset_samples"]
    [task] = ENTRIES["srdcr"]["tasks"]
    assert task["dataset_samples"] == 2 * clasheval.QUESTIONS  # in two conditions


@pytest.mark.skipif(not DATA.is_dir(), reason="needs INSPECT_DEBATE_DATA")
@pytest.mark.parametrize("name", FILES)
def test_samples_of_the_published_data_are_counted(name: str) -> None:
    [task] = ENTRIES[name]["tasks"]
    assert len(made(name, str(FILES[name])).dataset) == task["dataset_samples"]


@pytest.mark.parametrize("name", ENTRIES)
def test_all_that_is_downloaded_is_listed(name: str) -> None:
    extras = ENTRIES[name]["metadata"]["extras"]
    listed = {asset["source"]: asset["comment"] for asset in extras["external_assets"]}
    pinned = PINNED.get(name, {})
    assert listed.keys() == pinned.keys()
    assert all(pinned[source] in comment for source, comment in listed.items())
    assert {*extras.get("unpinned_assets", {})} == UNPINNED.get(name, set())
