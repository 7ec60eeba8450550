"""Models that take no temperature run with their own, and the log says so."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput

from inspect_debate.core import settings
from inspect_debate.core.cue import Cue
from inspect_debate.solvers.colmad import colmad
from tests.support.models import calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, record, run, samples


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_own_temperature", set())


def refusing(config: GenerateConfig | None = None) -> Model:
    """Rejects a call with a temperature, as reasoning models do."""
    read = reader(True)

    def answer(messages: list[ChatMessage], cue: Cue | None) -> str | ModelOutput:
        if calls_of(model)[-1].config.temperature is not None:
            raise ValueError("Unsupported value: 'temperature' does not support 0.0")
        return read(messages, cue)

    model = scripted(answer, "thinker", config)
    return model


def test_the_call_is_made_again_once_and_the_record_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = refusing()
    log = run(
        Task(dataset=dataset(item()), solver=colmad()),
        tmp_path,
        model=model,
        roles={"debater_b": scripted(reader(False), "dull")},
    )
    asked = [call.config.temperature for call in calls_of(model)]
    assert asked == [0.0, None, None, None, None]
    assert "takes no temperature" in caplog.text
    (sample,) = samples(log)
    held = record(sample)
    for participant in ("debater_a", "judge"):
        for sent in held.participant(participant).settings.values():
            assert sent["temperature"] == "provider"
    assert held.participant("debater_b").settings["answer"]["temperature"] == 0.0


def test_a_temperature_set_on_the_role_is_not_dropped(tmp_path: Path) -> None:
    model = refusing(GenerateConfig(temperature=0.5))
    log = run(
        Task(dataset=dataset(item()), solver=colmad()),
        tmp_path,
        model=scripted(reader(False), "dull"),
        roles={"debater_a": model},
        success=False,
    )
    assert log.error is not None
    assert "does not support" in log.error.message
