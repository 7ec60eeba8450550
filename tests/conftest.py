"""For all tests: nothing waits, and Inspect finds the package under its own name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The root comes last: what setuptools leaves there (*.egg-info) would hide from Inspect
# that the package is installed.
_ROOT = str(Path(__file__).parents[1])
sys.path[:] = [*(path for path in sys.path if path != _ROOT), _ROOT]


@pytest.fixture(scope="session", autouse=True)
def _without_waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_EVAL_CTL_SERVER", "false")
        patch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setattr("inspect_debate.debate.ask._PAUSES", (0, 0, 0))
        # Inspect colours the traceback of every error, which takes as long as a debate.
        patch.setattr("inspect_ai._util.rich.rich_traceback", lambda *_, **__: "")
        # statsmodels collects garbage, of all tests so far, whenever it corrects.
        patch.setattr("gc.collect", lambda *_: 0)
        # Nor does anybody see what it draws at the end of a run.
        patch.setattr("rich.live.Live.refresh", lambda _: None)
        yield
