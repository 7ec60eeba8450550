"""What is shown works under the names that lead to it, and nothing is shown twice."""

import os
from pathlib import Path

import pytest

from inspect_debate.grading.view import Bind, Link, View, follow


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Links as environments have them: to a file, a folder, over `..` and absolute."""
    root = tmp_path.resolve()
    (root / "python-3.11.7" / "bin").mkdir(parents=True)
    (root / "python-3.11.7" / "bin" / "python3.11").touch()
    (root / "venv" / "bin").mkdir(parents=True)
    os.symlink("python-3.11.7", root / "python-3.11")
    os.symlink("python3.11", root / "python-3.11.7" / "bin" / "python")
    os.symlink("../../python-3.11/bin/./python", root / "venv" / "bin" / "python")
    os.symlink(str(root / "venv"), root / "current")
    return root


LINKED = [
    ("venv/bin", [], "venv/bin"),
    ("python-3.11", [("python-3.11", "python-3.11.7")], "python-3.11.7"),
    (
        "venv/bin/python",
        [
            ("venv/bin/python", "../../python-3.11/bin/./python"),
            ("python-3.11", "python-3.11.7"),
            ("python-3.11.7/bin/python", "python3.11"),
        ],
        "python-3.11.7/bin/python3.11",
    ),
    ("current/bin", [("current", "ROOT/venv")], "venv/bin"),
]


@pytest.mark.parametrize(("path", "links", "real"), LINKED)
def test_every_link_on_the_way_is_found(
    tree: Path, path: str, links: list[tuple[str, str]], real: str
) -> None:
    followed = follow(str(tree / path))
    assert followed.links == [
        Link(str(tree / at), target.replace("ROOT", str(tree))) for at, target in links
    ]
    assert followed.real == str(tree / real) == os.path.realpath(tree / path)


def test_a_view_has_what_exists_once(tree: Path) -> None:
    paths = [str(tree / name) for name in ("python-3.11", "python-3.11.7", "absent")]
    real = str(tree / "python-3.11.7")
    links = (Link(str(tree / "python-3.11"), "python-3.11.7"),)
    assert View.of(paths) == View((Bind(real, real),), links)


def binds(*paths: str) -> tuple[Bind, ...]:
    return tuple(Bind(path, path) for path in paths)


BESIDE = [
    (binds("/usr/local", "/opt/a"), ("/opt/a",)),
    (binds("/opt/a/b", "/opt/a", "/opt/ab"), ("/opt/a", "/opt/ab")),
    (binds("/usr"), ()),
    (binds("/usrlocal"), ("/usrlocal",)),
]


@pytest.mark.parametrize(("given", "left"), BESIDE)
def test_what_is_shown_already_is_left_out(
    given: tuple[Bind, ...], left: tuple[str, ...]
) -> None:
    assert View(given).beside(View(binds("/usr"))) == View(binds(*left))


def test_links_within_what_is_shown_are_there_already() -> None:
    system = View(binds("/usr"), (Link("/bin", "usr/bin"),))
    outside = Link("/opt/python", "py3")
    given = View(
        binds("/opt/py3"),
        (
            Link("/usr/bin/python", "python3"),
            Link("/opt/py3/bin/python", "python3"),
            Link("/bin", "usr/bin"),
            outside,
        ),
    )
    assert given.beside(system) == View(binds("/opt/py3"), (outside,))
