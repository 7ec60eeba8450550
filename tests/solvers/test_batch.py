"""`--batch` reaches every call of every study, and calls that can go together do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import Task
from inspect_ai.model import (
    BatchConfig,
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    get_model,
    modelapi,
)

# No public name has what providers batch with, and when a batch may be made again.
from inspect_ai.model._providers.util.batch import (
    Batch,
    BatchCheckResult,
    Batcher,
    BatchRequest,
)
from inspect_ai.model._retry import batch_admin_retry_config
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.simulator.simulated import Simulated
from tests.support.runs import records, run

SAMPLES = 3
BATCH = BatchConfig(size=1, tick=0.001)


class Sent(Batcher[ModelOutput, bool]):
    """Inspect's batcher before a provider that answers a batch at once.

    A batch has all requests that there are when nothing else can go on.
    """

    def __init__(self) -> None:
        retries = batch_admin_retry_config("batched", GenerateConfig(), lambda _: False)
        super().__init__(BATCH, retries, 1000, 100)
        self.sizes: list[int] = []
        self.asked: list[Callable[[], Any]] = []

    async def _process_intake_queue(self) -> bool:
        await anyio.wait_all_tasks_blocked()
        return await super()._process_intake_queue()

    async def _create_batch(self, batch: list[BatchRequest[ModelOutput]]) -> str:
        self.sizes.append(len(batch))
        return str(len(self.sizes))

    async def _check_batch(self, batch: Batch[ModelOutput]) -> BatchCheckResult[bool]:
        return BatchCheckResult(len(batch.requests), 0, batch.created_at, True)

    async def _handle_batch_result(
        self, batch: Batch[ModelOutput], completion_info: bool
    ) -> dict[str, ModelOutput | Exception]:
        requests = batch.requests.items()
        return {id: await self.asked[one.request["asked"]]() for id, one in requests}


@modelapi(name="batched")
class Batched(ModelAPI):
    """A simulated model that can be asked in batches only."""

    def __init__(self, model_name: str, batcher: Sent, **args: Any) -> None:
        super().__init__(model_name)
        self.batcher = batcher
        self.speaker = Simulated(model_name, **args)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        assert config.batch == BATCH, "asked for outside of a batch"
        self.batcher.asked.append(
            lambda: self.speaker.generate(input, tools, tool_choice, config)
        )
        return await self.batcher.generate_for_request(
            {"asked": len(self.batcher.asked) - 1}
        )


TWO = ("debater_b", "judge")


@pytest.mark.parametrize(
    ("make", "given", "roles", "batches"),
    [
        (colmad, {"source": "sample", "skip_if_agree": False}, TWO, [2, 2, 2, 1]),
        (debate, {}, TWO, [2, 2, 1]),
        (srdcr, {"source": "sample", "rounds": 2}, ("judge",), [2, 2, 2, 1, 1]),
        (confidence, {}, TWO, [2, 2, 2, 2]),
        (
            generative,
            {"protocol": "dual_debate", "source": "sample"},
            TWO,
            [2, 2, 2, 1],
        ),
        (judge_check, {}, ("judge",), [9]),
    ],
)
def test_every_call_is_in_a_batch(
    make: Callable[..., Task],
    given: dict[str, Any],
    roles: tuple[str, ...],
    batches: list[int],
    tmp_path: Path,
) -> None:
    batcher = Sent()
    main, *others = (
        get_model("batched/balanced", batcher=batcher, memoize=False)
        for _ in ("main", *roles)
    )
    bound = dict(zip(roles, others, strict=True))
    log = run(make(**given), tmp_path, main, bound, limit=SAMPLES, batch=BATCH)
    assert batcher.sizes == [SAMPLES * n for n in batches]
    turns = [turn for record in records(log) for turn in record.turns]
    assert sum(turn.calls for turn in turns if not turn.reused) == sum(batcher.sizes)
