from pathlib import Path

import pytest

from tests.datasets.made_up import benchmark, zipped


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up benchmark, packed and encrypted like the published one."""
    path = tmp_path_factory.mktemp("made_up") / "data.zip"
    path.write_bytes(zipped(benchmark()))
    return path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, which does not exist yet."""
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
