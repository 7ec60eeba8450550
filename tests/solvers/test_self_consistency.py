"""Several draws of one model: apart from each other, counted, and as many as told."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
)

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import outcome, probability
from inspect_debate.debate.record import DebateRecord
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.self_consistency import self_consistency
from tests.support.models import Script, calls_of, scripted
from tests.support.runs import dataset, item, records, run

E = "Therefore, the model response contains an error."
N = "Therefore, the model response contains no error."
U = "I see it both ways."


def drawing(*said: str) -> Script:
    """Says a text by the number of the draw."""

    def draw(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        assert description is not None
        return said[int(description.draw) - 1]

    return draw


def held(script: Script, log_dir: Path, n: int, **settings: Any) -> DebateRecord:
    log = run(
        Task(dataset=dataset(item()), solver=self_consistency(n=n)),
        log_dir,
        model=scripted(script),
        **settings,
    )
    (found,) = records(log)
    return found


@pytest.mark.parametrize(
    ("said", "status", "answer"),
    [
        ((E,), "ok", "error"),
        ((E, N, E), "ok", "error"),
        ((N, E, N), "ok", "no_error"),
        ((E, N), "tied", None),
        ((E, N, N, E), "tied", None),
        # What cannot be read is no vote, for neither side.
        ((U, E), "ok", "error"),
        ((U, U, U, N), "ok", "no_error"),
        ((U, E, N), "tied", None),
        ((U, U), "unparsed", None),
        (("I'm sorry, but I can't help with that.",), "refused", None),
    ],
)
def test_most_votes_decide(
    said: tuple[str, ...], status: str, answer: str | None, tmp_path: Path
) -> None:
    found = held(drawing(*said), tmp_path, len(said))
    assert outcome(found) == (answer, status)
    assert [turn.draw for turn in found.turns] == [*range(1, len(said) + 1)]
    assert {turn.participant for turn in found.turns} == {"debater_a"}
    assert found.aggregation == "majority"
    assert found.drawn is None
    for label in ("error", "no_error"):
        expected = None if answer is None else float(label == answer)
        assert probability(found, label) == expected


def test_seven_by_default_and_all_of_one_prompt(tmp_path: Path) -> None:
    model = scripted(lambda *_: E)
    task = colmad_task(protocol="self_consistency", source="sample", subset="math")
    log = run(task, tmp_path, model=model, limit=1)
    (found,) = records(log)
    assert len(found.turns) == 7
    assert len({call.prompt for call in calls_of(model)}) == 1
    assert (
        len({call.description.draw for call in calls_of(model) if call.description})
        == 7
    )


# --- Temperature ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "role", "settings", "sent", "warned"),
    [
        (None, None, {}, 0.7, False),
        ({"answer.temperature": 0.3}, None, {}, 0.3, False),
        ({"answer.temperature": 0.3}, 1.1, {}, 1.1, False),
        (None, 1.1, {"temperature": 0.2}, 1.1, False),
        (None, None, {"temperature": 0.2}, 0.2, False),
        (None, 0.0, {}, 0.0, True),
        ({"answer.temperature": 0}, None, {}, 0.0, True),
        ({"answer.temperature": "provider"}, None, {}, None, False),
    ],
)
def test_draws_differ_by_temperature(
    config: dict[str, Any] | None,
    role: float | None,
    settings: dict[str, Any],
    sent: float | None,
    warned: bool,
    tmp_path: Path,
) -> None:
    own = None if role is None else GenerateConfig(temperature=role)
    model = scripted(lambda *_: E, config=own)
    log = run(
        Task(dataset=dataset(item()), solver=self_consistency(n=2, config=config)),
        tmp_path,
        roles={"debater_a": model},
        **settings,
    )
    (found,) = records(log)
    assert [call.config.temperature for call in calls_of(model)] == [sent] * 2
    logged = found.participant("debater_a").settings["answer"].get("temperature")
    assert logged == sent
    assert any("at temperature 0" in w for w in found.warnings) == warned


def test_one_draw_at_temperature_zero_is_no_matter_of_warning(tmp_path: Path) -> None:
    assert not held(lambda *_: E, tmp_path, 1, temperature=0.0).warnings


# --- Cache ----------------------------------------------------------------------------


def test_cached_draws_stay_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    said = [E, N, f"{E} {E}", f"{N} {N}", U]

    def texts(script: Script, name: str) -> list[str]:
        model = scripted(script, "cached")
        log = run(
            Task(dataset=dataset(item()), solver=self_consistency(n=5)),
            tmp_path / name,
            model=model,
            cache=True,
        )
        (found,) = records(log)
        asked.append(len(calls_of(model)))
        return [turn.public for turn in found.turns]

    asked: list[int] = []
    first = texts(drawing(*said), "first")
    assert first == said
    # All come from the cache the second time, each its own.
    assert texts(lambda *_: "asked again", "second") == first
    assert asked == [6, 0]  # the last draw was asked for twice


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ({"n": 3, "match": "x.eval"}, ["n=3", "match=x.eval", "one of the two"]),
        ({"n": 0}, ["n=0", "at least 1"]),
        ({"n": 1.5}, ["n=1.5", "whole number"]),
        ({"n": True}, ["n=True", "whole number"]),
        ({"match": "none.eval"}, ["match=none.eval", "there is no log"]),
        ({"match_on": "time"}, ["match_on='time'", "calls, tokens, cost"]),
    ],
)
def test_wrong_numbers_of_draws(given: dict[str, Any], parts: list[str]) -> None:
    for make in (self_consistency, lambda **more: colmad_task(**TASK, **more)):
        with pytest.raises(InputError) as error:
            make(**given)
        for part in parts:
            assert part in error.value.message


TASK: dict[str, Any] = {"protocol": "self_consistency", "source": "sample"}
