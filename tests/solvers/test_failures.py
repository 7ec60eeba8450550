"""One call fails: the sample does, and its sibling's turn is not lost."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, ModelOutput

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad
from tests.support.models import Reply, scripted
from tests.support.runs import dataset, item, record, run, samples

WHOLE = [
    "answer 0 debater_a",
    "answer 0 debater_b",
    "speech 1 debater_a",
    "speech 1 debater_b",
    "speech 2 debater_a",
    "speech 2 debater_b",
    "verdict 0 judge_1",
    "verdict 0 judge_2",
]


def said(description: TurnDescription) -> str:
    label = "an" if description.participant == "debater_a" else "no"
    return {
        "answer": f"Therefore, the model response contains {label} error.",
        "speech": "<argument>It was added up.</argument>",
        "verdict": "Answer: 1",
    }[description.kind]


def failing(slow: bool) -> Any:
    """Fails at the step that an item is named by; all others may take longer."""

    async def later(text: str) -> ModelOutput:
        await anyio.sleep(0.05)
        return ModelOutput.from_content("x", text)

    def say(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> Reply | Awaitable[Reply]:
        assert description is not None
        if (
            description.sample
            == f"{description.kind} {description.round} {description.participant}"
        ):
            raise RuntimeError("the provider is down")
        return later(said(description)) if slow else said(description)

    return say


@pytest.mark.parametrize("slow", [True, False], ids=["slow sibling", "fast sibling"])
def test_a_failed_call_hides_no_sibling(slow: bool, tmp_path: Path) -> None:
    script = failing(slow)
    task = Task(
        dataset=dataset(*map(item, WHOLE), item("good")),
        solver=colmad(),
        scorer=error_detection(),
    )
    log = run(
        task,
        tmp_path,
        model=scripted(script),
        roles={"judge": [scripted(script), scripted(script)]},
        fail_on_error=False,
    )
    found = {str(sample.id): sample for sample in samples(log)}
    good = found.pop("good")
    assert good.error is None
    assert steps(good) == WHOLE
    assert found.keys() == set(WHOLE)
    for place, bad in enumerate(found[step] for step in WHOLE):
        assert bad.error is not None, bad.id
        assert "the provider is down" in bad.error.message
        assert not bad.scores, bad.id
        # Everything up to the stage that failed, and the other call of that stage.
        until = place // 2 * 2 + 2
        assert steps(bad) == [s for s in WHOLE[:until] if s != bad.id], bad.id
        assert not record(bad).complete, bad.id
        assert record(bad).ended_by == "an error: RuntimeError", bad.id


@pytest.mark.parametrize(
    ("step", "kept"), [("speech 1 debater_a", 2), ("speech 1 debater_b", 3)]
)
def test_one_after_the_other_nobody_speaks_after_a_failure(
    step: str, kept: int, tmp_path: Path
) -> None:
    log = run(
        Task(dataset=dataset(item(step)), solver=colmad(turn_order="sequential")),
        tmp_path,
        model=scripted(failing(slow=False)),
        fail_on_error=False,
    )
    (bad,) = samples(log)
    assert bad.error is not None
    assert steps(bad) == WHOLE[:kept]


def test_a_run_that_fails_keeps_its_record(tmp_path: Path) -> None:
    log = run(
        Task(dataset=dataset(item("answer 0 debater_b")), solver=colmad()),
        tmp_path,
        model=scripted(failing(slow=True)),
        success=False,
    )
    assert log.status == "error"
    (bad,) = samples(log)
    assert steps(bad) == WHOLE[:1]


def steps(sample: Any) -> list[str]:
    return [f"{t.kind} {t.round} {t.participant}" for t in record(sample).turns]
