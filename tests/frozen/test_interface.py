"""Names, parameters and options that users type are as they were."""

from typing import Any

import pytest

from tests.frozen.apart import answer_of
from tests.frozen.mapping import load

pytestmark = pytest.mark.slow

REGISTERED: dict[str, Any] = load("interface_registered.json")
COMMANDS: dict[str, Any] = load("interface_commands.json")


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    answer: dict[str, Any] = answer_of("interface_described.py")
    return answer


def test_nothing_new_and_nothing_gone(found: dict[str, Any]) -> None:
    names = {kind: sorted(parts) for kind, parts in found["registered"].items()}
    assert names == {kind: sorted(parts) for kind, parts in REGISTERED.items()}
    assert sorted(found["commands"]) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in REGISTERED for name in REGISTERED[kind]]
)
def test_registered(kind: str, name: str, found: dict[str, Any]) -> None:
    assert _by_name(found["registered"][kind][name]) == _by_name(REGISTERED[kind][name])


def _by_name(part: Any) -> Any:
    """Parameters are given by name: where each is among them is nobody's concern."""
    return {each["name"]: each for each in part} if isinstance(part, list) else part


@pytest.mark.parametrize("words", COMMANDS)
def test_command(words: str, found: dict[str, Any]) -> None:
    assert found["commands"][words] == COMMANDS[words]
