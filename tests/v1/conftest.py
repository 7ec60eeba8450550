"""Of all tests: what is loaded is kept, and properties see the same cases each time."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.v1.support.at_once import at_once

# The same code has the same result; `--hypothesis-profile=default` looks further.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

# The root comes last: what setuptools leaves there (*.egg-info) hides from Inspect that
# the package is installed, and tasks would be registered without the package's name.
_ROOT = str(Path(__file__).parents[2])
sys.path[:] = [*(path for path in sys.path if path != _ROOT), _ROOT]

# A collection of tests makes nothing but what stays.
gc.disable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import modules whose tests are all slow where none of them is to run.

    One that is named on the command line is read all the same, to say what is left out.
    """
    named = {Path(name.partition("::")[0]).resolve() for name in config.args}
    others = collection_path.suffix == ".py" and collection_path not in named
    if config.option.markexpr != "not slow" or not others:
        return None
    text = collection_path.read_text(encoding="utf-8")
    return "\npytestmark = pytest.mark.slow\n" in text or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of released data as slow, and run files with slow tests first.

    Workers take file after file; a long one at the end would leave the others idle.
    """
    for item in items:
        if item.get_closest_marker("released"):
            item.add_marker(pytest.mark.slow)
            if "INSPECT_DEBATE_DATA" not in os.environ:
                item.add_marker(pytest.mark.skip("INSPECT_DEBATE_DATA is not set"))
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Modules, tests and their tables are kept to the end; the rest is little."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _at_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Without waiting; and Inspect's cache is new."""
    with at_once(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
