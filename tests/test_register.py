"""register/*/eval.yaml: what they say of the tasks is what the code has."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task

from inspect_debate.datasets import arc_agi, bigcodebench, clasheval, realmistake
from inspect_debate.evals.confidence import confidence
from tests.support.inspect_evals import INSTALLED

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.parent.name for path in ROOT.glob("register/*/eval.yaml"))


def entry(name: str) -> dict[str, Any]:
    """A file as it is written."""
    read = yaml.safe_load((ROOT / "register" / name / "eval.yaml").read_text("utf-8"))
    assert isinstance(read, dict)
    return read


def task_file(name: str) -> Path:
    """The file of an entry's only task."""
    (task,) = entry(name)["tasks"]
    return ROOT / str(task["task_path"])


def extras(name: str) -> dict[str, Any]:
    """What the register has no fields for: the version, and what is downloaded."""
    found = entry(name)["metadata"]["extras"]
    assert isinstance(found, dict)
    return found


@INSTALLED
@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_form_of_the_register(name: str) -> None:
    from inspect_evals.metadata import ExternalAsset, ExternalEvalMetadata

    read = ExternalEvalMetadata.model_validate(entry(name))
    assert read.id == name == read.tasks[0].name
    assert read.package == "inspect-debate"
    assert read.paper_title
    assert "\n" not in read.description
    assert read.evaluation_report is None  # no live model has been run
    for asset in extras(name)["external_assets"]:
        assert ExternalAsset.model_validate(asset).state.value == "pinned"


@pytest.mark.parametrize("name", NAMES)
def test_version_and_path_are_those_of_the_task(name: str) -> None:
    module = importlib.import_module(f"inspect_debate.evals.{task_file(name).stem}")
    assert extras(name)["version"] == module.VERSION
    assert task_file(name).is_file()
    assert callable(getattr(module, name))


WITHOUT_PAPER = {"debate", "judge_check"}


def test_every_study_has_a_file() -> None:
    tasks = {
        path.stem
        for path in (ROOT / "evals").glob("*.py")
        if "\n@task\n" in path.read_text(encoding="utf-8")
    }
    assert {*NAMES} == tasks - WITHOUT_PAPER


# Of the published data, as the loaders assert or draw them; the data themselves are
# counted in tests/datasets.
KNOWN = {
    "colmad": sum(
        size.items
        for cell, size in realmistake.PUBLISHED_SIZES.items()
        if cell.author == "gpt4"
    ),
    "srdcr": 2 * 300,
    "generative": sum(
        size.tasks
        for (version, _), size in arc_agi.PUBLISHED_SIZES.items()
        if version == 1
    ),
}
SHIPPED: dict[str, Callable[..., Task]] = {"confidence": confidence}


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_those_of_the_task_as_it_is_by_default(name: str) -> None:
    (told,) = entry(name)["tasks"]
    shipped = name in SHIPPED
    samples = len(SHIPPED[name]().dataset) if shipped else KNOWN[name]
    assert told["dataset_samples"] == samples


def test_samples_of_other_data_sets_stand_in_the_comments() -> None:
    of_llama = sum(
        size.items
        for cell, size in realmistake.PUBLISHED_SIZES.items()
        if cell.author == "llama2"
    )
    assert f"{of_llama} of Llama" in entry("colmad")["tasks"][0]["comment"]
    code = entry("generative")["tasks"][0]["comment"]
    assert f"{bigcodebench.ORIGINAL_TASKS} with -T dataset=bcb" in code


GITHUB = "https://codeload.github.com"
RELEASES = {
    f"{GITHUB}/{release.repository}/zip/{release.commit}": release.sha256
    for release in (
        *arc_agi.RELEASES.values(),
        *bigcodebench.RELEASES.values(),
    )
}
FETCHED: dict[str, dict[str, str | None]] = {
    "colmad": {
        realmistake.PUBLISHED.url: realmistake.PUBLISHED.sha256,
        realmistake.HUB: None,
    },
    "srdcr": {clasheval.HUB: None},
    "generative": {
        **RELEASES,
        bigcodebench.PLUS_HUB: None,
        bigcodebench.ORIGINAL_HUB: None,
    },
}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_fetched_is_listed_with_its_pin(name: str) -> None:
    fetched = FETCHED.get(name, {})
    told = {asset["source"]: asset for asset in extras(name)["external_assets"]}
    pinned = {source: sha256 for source, sha256 in fetched.items() if sha256}
    assert told.keys() == pinned.keys()
    for source, sha256 in pinned.items():
        assert sha256 in told[source]["comment"]
    assert {*extras(name).get("unpinned_assets", {})} == fetched.keys() - told.keys()


def test_no_other_module_fetches_anything() -> None:
    known = {"realmistake", "clasheval", "arc", "bigcodebench"}
    # Whatever a user names on the hub is the user's.
    known |= {"questions_sources", "archive"}
    fetching = {
        path.stem
        for path in (ROOT / "datasets").glob("*.py")
        if "https://" in (text := path.read_text(encoding="utf-8"))
        or "huggingface_hub" in text
        or "\nHUB = " in text
    }
    assert {name for name in fetching if not name.startswith(tuple(known))} == set()
