import os
import shutil
from collections.abc import Iterator

import pytest

from tests.v1.grading.users import User, ordinary_user, ourselves


@pytest.fixture(scope="session", params=["root", "ordinary"])
def user(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[User]:
    """Each of the two in turn."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed (apt-get install bubblewrap)")
    root = os.geteuid() == 0
    if request.param == "root" and not root:
        pytest.skip("only root can start a sandbox as root")
    someone = ourselves if root == (request.param == "root") else ordinary_user
    with someone(tmp_path_factory.mktemp(request.param)) as made:
        yield made
