from pathlib import Path

import pytest


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, which does not exist yet."""
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
