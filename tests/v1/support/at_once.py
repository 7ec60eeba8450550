"""Runs that wait for nothing that a test would not look at."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def at_once() -> Iterator[None]:
    """Ask again for broken replies without a pause, and do not color tracebacks.

    Inspect does that for every error, which takes as long as a debate. Nor does it
    serve a page on every run, whose server takes half a second to import.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_EVAL_CTL_SERVER", "false")
        patch.setattr("inspect_debate.v1.debate.calls._PAUSES", (0, 0, 0))
        patch.setattr("inspect_ai._util.rich.rich_traceback", lambda *_, **__: "")
        yield
