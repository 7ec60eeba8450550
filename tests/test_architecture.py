"""Which part may import which, read from the source; and what imports cost."""

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.commands import as_installed, loaded_with

ROOT = Path(__file__).parents[1]
OURS = "inspect_debate"

PACKAGE = ROOT / "src" / OURS

# What each folder may import of ours; other files of the folder go without saying.
ALLOWED = {
    "debate": set[str](),
    "metrics": {"debate"},
    "published": {"debate", "metrics"},
    "grading": {"debate"},
    "datasets": {"debate", "grading"},
    "solvers": {"debate", "grading"},
    "scorers": {"solvers", "debate", "metrics"},
    "simulator": {"solvers", "datasets", "debate", "metrics"},
    "reports": {"solvers", "scorers", "debate", "metrics", "published", "datasets"},
    # Published transcripts become logs as if they had been run here.
    "transcripts": {"solvers", "scorers", "datasets", "debate"},
    "evals": {
        *("solvers", "scorers", "datasets", "simulator", "grading", "debate"),
    },
    "cli": {
        *("evals", "solvers", "scorers", "datasets", "simulator", "grading"),
        *("reports", "published", "transcripts", "metrics", "debate"),
    },
}
PRESENT = sorted(ALLOWED)
KEEPERS_OF_TRUTH = {"simulator", "datasets"}
TRUTH = {"truth_of", "passage_truth", "solution_truth"}
LINKED = ("evals", "solvers", "scorers", "datasets")
# What Inspect has no public name for: the log of the run that is under way.
NOTHING_PUBLIC = {"inspect_ai.log._samples.sample_active"}
ROLE_LOOKUPS = {"get_model", "model_roles"}


class Import(NamedTuple):
    """A module or a name in one, as imported somewhere; `name` is empty for modules."""

    module: str
    name: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


def imports(source: str) -> Iterator[Import]:
    """All imports of a source, those inside functions and type checks too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (Import(module, alias.name) for alias in node.names)


def attributes(source: str) -> set[str]:
    """The names that stand after a dot, as in `inspect_ai.model.get_model`."""
    nodes = ast.walk(ast.parse(source))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def violations(folder: str, source: str) -> list[str]:
    """What a source in a folder imports against the rules."""
    return [
        found.path for found in imports(source) if _forbidden(folder, found) is not None
    ]


def _forbidden(folder: str, found: Import) -> str | None:
    package, *inner = found.path.split(".")
    if found.module.startswith("."):
        return "relative"
    if package == OURS and inner[:1] != [folder] and not {*inner[:1]} & ALLOWED[folder]:
        return "direction"
    if package in ALLOWED and package != "datasets":  # which is Hugging Face's
        return "by its folder"
    if found.name in TRUTH and folder not in KEEPERS_OF_TRUTH:
        return "the truth"
    private = package == "inspect_ai" and any(part.startswith("_") for part in inner)
    if private and found.path not in NOTHING_PUBLIC:
        return "private"
    return None


def sources(folder: str) -> list[Path]:
    return sorted((PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", PRESENT)
def test_imports_go_one_way(folder: str) -> None:
    files = sources(folder)
    assert files, f"{folder}/ is empty"
    found = {
        str(file.relative_to(ROOT)): wrong
        for file in files
        if (wrong := violations(folder, file.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_nothing_else_imports_a_folder_by_its_own_name() -> None:
    """`solvers.colmad` would be a second module beside the package's own."""
    places = ("tests", "benchmarks", "configs", "docs", "examples")
    files = [file for place in places for file in (ROOT / place).rglob("*.py")]
    found = {
        str(file.relative_to(ROOT))
        for file in files
        for one in imports(file.read_text(encoding="utf-8"))
        if one.module.split(".")[0] in LINKED and one.module != "datasets"
    }
    assert len(files) > 100
    assert found == set()


def test_every_folder_of_ours_has_a_rule() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == ALLOWED.keys() | {"configs", "example_logs"}


def test_one_package_with_one_marker_of_types() -> None:
    # Folders have an __init__.py where the site's reference looks into them.
    inits = [
        path.relative_to(ROOT)
        for folder in (PACKAGE, *(ROOT / name for name in LINKED))
        for path in (*folder.rglob("__init__.py"), *folder.rglob("py.typed"))
    ]
    assert sorted(map(str, inits)) == [
        "src/inspect_debate/__init__.py",
        "src/inspect_debate/debate/__init__.py",
        "src/inspect_debate/py.typed",
        "src/inspect_debate/reports/__init__.py",
        "src/inspect_debate/reports/compare/__init__.py",
    ]


@pytest.mark.parametrize("name", LINKED)
def test_the_folders_at_the_root_are_linked_into_the_package(name: str) -> None:
    assert (PACKAGE / name).resolve() == ROOT / name


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("debate", "from inspect_debate.solvers.colmad import colmad"),
        ("debate", "import inspect_debate.simulator.registry"),
        ("debate", "from inspect_debate import scorers"),
        ("debate", "def f():\n    from inspect_debate.evals.colmad import colmad"),
        ("debate", "from inspect_debate.datasets import sources"),
        ("solvers", "import inspect_debate.datasets.sources as key"),
        ("evals", "from inspect_debate.datasets.sources import truth_of"),
        ("scorers", "from inspect_debate.evals.colmad import colmad"),
        ("solvers", "from inspect_debate.scorers.debate_process import quotes"),
        ("solvers", "from inspect_debate.datasets.realmistake import realmistake"),
        ("datasets", "from inspect_debate.simulator.registry import simulated"),
        ("simulator", "from inspect_debate.evals import colmad"),
        ("evals", "from inspect_debate.cli.main import main"),
        ("scorers", "import inspect_debate.registry"),
        ("debate", "from .record import Turn"),
        ("solvers", "from debate.record import Turn"),
        ("debate", "import inspect_debate"),
        ("debate", "from inspect_ai._util.error import PrerequisiteError"),
        ("debate", "import inspect_ai.model._model"),
        ("debate", "from inspect_ai.model import _model"),
        ("cli", "from inspect_ai.log import _file"),
    ],
)
def test_the_rules_catch(folder: str, source: str) -> None:
    assert len(violations(folder, source)) == 1


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("debate", "from inspect_debate.debate.record import Turn"),
        ("debate", "from __future__ import annotations\nimport datasets, yaml"),
        ("simulator", "from inspect_debate.datasets.sources import truth_of"),
        ("datasets", "from inspect_debate.datasets.sources import truth_of"),
        ("solvers", "from inspect_debate.solvers.question_answering import x"),
        ("cli", "from inspect_debate.evals.colmad import colmad"),
        ("debate", "from inspect_ai.model import Model"),
    ],
)
def test_the_rules_allow(folder: str, source: str) -> None:
    assert violations(folder, source) == []


@pytest.mark.parametrize("folder", PRESENT)
def test_models_are_looked_up_in_one_place(folder: str) -> None:
    users = set()
    for file in sources(folder):
        source = file.read_text(encoding="utf-8")
        names = {found.name for found in imports(source)} | attributes(source)
        if names & ROLE_LOOKUPS:
            users.add(str(file.relative_to(ROOT)))
    # A log's header has the roles of its run, and a command line names models.
    allowed = {
        "debate": {"src/inspect_debate/debate/participants.py"},
        "reports": {"src/inspect_debate/reports/logs.py"},
        "cli": {"src/inspect_debate/cli/options.py"},
    }
    assert users == allowed.get(folder, set())


def test_attributes_count_as_lookups() -> None:
    assert "get_model" in attributes("import inspect_ai.model as m\nm.get_model('x')")


def fresh(code: str, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    """What code prints in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_datasets_is_hugging_faces_from_the_repository_root() -> None:
    assert not (ROOT / "datasets" / "__init__.py").exists()
    code = "import datasets; print(datasets.__file__, datasets.Dataset.__name__)"
    file, name = fresh(code).split()
    assert Path(file).name == "__init__.py"
    assert not Path(file).is_relative_to(ROOT / "datasets")
    assert "site-packages" in file
    assert name == "Dataset"


@pytest.mark.slow
def test_our_datasets_are_found_too_and_import_hugging_faces_late() -> None:
    code = (
        "import sys, inspect_debate.registry;"
        "import inspect_debate.datasets.realmistake as ours;"
        "assert 'datasets' not in sys.modules;"
        "import datasets; print(ours.__name__, datasets.Dataset.__name__)"
    )
    assert fresh(code) == "inspect_debate.datasets.realmistake Dataset"


def test_a_plain_installation_has_no_inspect_evals() -> None:
    """Inspect imports all of its tasks at every start, whatever is run."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    plain = [*told["project"]["dependencies"], *told["dependency-groups"]["dev"]]
    assert not [name for name in plain if str(name).startswith("inspect-evals")]
    assert "--group inspect-evals" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_entry_point_is_light() -> None:
    heavy = {"pandas", "scipy", "matplotlib", "statsmodels", "datasets"}
    assert loaded_with("inspect_debate.registry") & heavy == set()


RUNS = """
import sys, tempfile
from inspect_ai import eval
sample = {"source": "sample"}
tasks = [
    ("debate", {}),
    ("confidence", {}),
    ("judge_check", {}),
    ("srdcr", sample),
    ("generative", sample),
    ("colmad", sample | {"skip_if_agree": False}),
    ("colmad", sample | {"protocol": "ensemble"}),
]
with tempfile.TemporaryDirectory() as folder:
    for name, args in tasks:
        (log,) = eval(
            f"evals/{name}.py",
            model="simulated/balanced",
            task_args=args,
            limit=2,
            display="none",
            log_dir=folder,
        )
        assert log.status == "success", (name, log.error)
        heavy = {"pandas", "scipy.stats", "matplotlib", "statsmodels", "datasets"}
        print(f"{name} loads {sorted(heavy & sys.modules.keys())}")
"""


@pytest.mark.slow
def test_a_whole_run_is_light(tmp_path: Path) -> None:
    """Scores and metrics are computed, too: seconds of imports that each run pays."""
    installed = os.environ | as_installed(tmp_path)
    told = [line for line in fresh(RUNS, env=installed).splitlines() if "loads" in line]
    assert len(told) == 7
    assert [line for line in told if not line.endswith("[]")] == []
