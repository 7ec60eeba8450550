from typing import Any

import pytest

from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.grading.config import BubblewrapConfig


def test_settings_come_back_from_a_log() -> None:
    config = BubblewrapConfig(memory_mb=99, binds=("/usr",), interpreter="/usr/x")
    again = BubblewrapSandbox.config_deserialize(config.model_dump(mode="json"))
    assert again == config
    assert len({config, again}) == 1


@pytest.mark.parametrize(
    "given",
    [
        *({"memory": 5}, {"memory_mb": 0}, {"parallel": 0}, {"processes": 1}),
        *({"memory_mb": 10**9}, {"disk_mb": 10**9}, {"cpu_seconds": 10**12}),
    ],
)
def test_settings_that_make_no_sense(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(given))):
        BubblewrapSandbox.config_deserialize(given)


def test_the_number_at_once_is_that_of_our_processors_unless_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 2, 5})
    assert BubblewrapConfig().at_once() == 3
    assert BubblewrapConfig(parallel=7).at_once() == 7
    assert BubblewrapSandbox.default_concurrency() is None
