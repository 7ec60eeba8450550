import pytest

from inspect_debate.v1.transcripts.llms_overconfidence import Imported, import_release
from tests.v1.transcripts.made import release


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The made-up release, imported."""
    root = release(tmp_path_factory.mktemp("made") / "theirs")
    logs = tmp_path_factory.mktemp("logs")
    return import_release(str(root), str(logs), "9-Z")
