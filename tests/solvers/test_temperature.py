"""Models that take no temperature run with their own, and the log says so.

So do those that take no request for log-probabilities.
"""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput

from inspect_debate.debate import settings
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import AnswerTokens
from inspect_debate.scorers.self_confidence import self_confidence
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.without_debate import passage_or_memory
from tests.support.clash import marked, question
from tests.support.models import calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import dataset, item, record, run, samples, values


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_refused", {"temperature": set(), "logprobs": set()})


def refusing(config: GenerateConfig | None = None) -> Model:
    """Rejects a call with a temperature, as reasoning models do."""
    read = reader(True)

    def answer(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        if calls_of(model)[-1].config.temperature is not None:
            raise ValueError("Unsupported value: 'temperature' does not support 0.0")
        return read(messages, description)

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


def thinker(*refuses: str) -> Model:
    """Knows 1902, and rejects calls with these settings, telling of one at a time."""

    def answer(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        for name in refuses:
            if getattr(calls_of(model)[-1].config, name) is not None:
                raise ValueError(f"Unsupported parameter: '{name}' is not supported")
        return marked(messages, description)

    model = scripted(answer, "thinker")
    return model


@pytest.mark.parametrize("refused", [("logprobs",), ("temperature", "logprobs")])
def test_further_answers_take_the_place_of_refused_log_probabilities(
    refused: tuple[str, ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = thinker(*refused)
    task = Task(
        dataset=dataset(question(id="a"), question(id="b")),
        solver=passage_or_memory(consistency_samples=3),
        scorer=self_confidence(),
    )
    log = run(task, tmp_path, model=model, max_samples=1)
    assert "takes no request for log-probabilities" in caplog.text
    failed = [call for call in calls_of(model) if call.config.logprobs]
    assert len(failed) == 2 * len(refused), "both answers of the first sample"
    assert len(calls_of(model)) - len(failed) == 2 * (2 + 3)
    for sample in samples(log):
        held = record(sample)
        told = held.participant("debater_b").settings["answer"]
        assert told["logprobs"] == "refused"
        assert (told["temperature"] == "provider") == ("temperature" in refused)
        statuses = [turn.tokens for turn in held.of_kind("answer")]
        assert statuses == [AnswerTokens(status="refused")] * 2
        assert all(turn.calls == 1 for turn in held.turns)
        found = values(sample, "self_confidence")
        assert (found["tokens_refused"], found["source"]) == (1, 2)
        assert (found["confidence"], found["draws"]) == (1, 3)


def test_refused_log_probabilities_end_a_run_that_needs_them(tmp_path: Path) -> None:
    model = thinker("logprobs")
    task = Task(
        dataset=dataset(question(id="a"), question(id="b")),
        solver=passage_or_memory(confidence_from="logprobs"),
    )
    log = run(task, tmp_path, model=model, success=False)
    assert log.error is not None
    assert "sends no log-probabilities" in log.error.message
    asked = {
        call.description.sample
        for call in calls_of(model)
        if call.description is not None
    }
    assert len(asked) == 1, "before the second sample's calls"
