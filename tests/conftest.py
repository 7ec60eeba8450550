"""Of all tests: what is loaded is kept, and properties see the same cases each time."""

import gc
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The same code has the same result; `--hypothesis-profile=default` looks further.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

# The root comes last: what setuptools leaves there (*.egg-info) hides from Inspect that
# the package is installed, and tasks would be registered without the package's name.
_ROOT = str(Path(__file__).parents[1])
sys.path[:] = [*(path for path in sys.path if path != _ROOT), _ROOT]

# A collection of tests makes nothing but what stays.
gc.disable()


def pytest_collection_finish() -> None:
    """Modules, tests and their tables are kept to the end; the rest is little."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken replies are asked for again without a pause."""
    monkeypatch.setattr("inspect_debate.debate.calls._PAUSES", (0, 0, 0))
