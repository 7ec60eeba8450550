"""A provider that keeps every request, and which requests had to wait for others.

It answers what the text of the prompt asks for (`replies="reader"`), or passes the
request on to one of the suite's simulated models. Nothing in here imports the suite.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalSample
from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    GenerateConfig,
    Logprob,
    Logprobs,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import registry_create

from tests.frozen.comparing import known, plain
from tests.frozen.reader import reply_to
from tests.frozen.waiting import others_wait

Roles = Mapping[str, str | Sequence[str]]

_cache: ContextVar[Any] = ContextVar("cache", default=None)


class Recording:
    """The requests of one run, by sample and epoch.

    Requests are let through in generations: all that were made before any of them was
    answered go on together, once no task can go on without a reply.
    """

    def __init__(self) -> None:
        self.requests: dict[str, list[dict[str, Any]]] = {}
        self.generates: Counter[str] = Counter()
        self._generation = 0
        self._release: asyncio.Event | None = None

    async def arrive(self) -> int:
        """Wait until nothing else can go on.

        Returns:
            The number of the generation, which is counted for all samples of the run.
        """
        if self._release is not None:
            generation = self._generation
            await self._release.wait()
            return generation
        self._generation += 1
        self._release = release = asyncio.Event()
        generation = self._generation
        await others_wait()
        self._release = None
        release.set()
        return generation


@modelapi(name="recorded")
class Recorded(ModelAPI):
    """Keeps each request, and answers it once all others of its generation are there.

    `replies` is `reader`, `troubled` (a reader some of whose replies cannot be read,
    are refused or cut off), or the profile of a simulated model.
    """

    def __init__(
        self, model_name: str, recording: Recording, replies: str, **args: Any
    ) -> None:
        super().__init__(model_name)
        self.recording = recording
        self.replies = replies
        self.speaker: ModelAPI | None = None
        if replies not in ("reader", "troubled"):
            self.speaker = get_model(f"simulated/{replies}", memoize=False, **args).api

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        active = sample_active()
        assert active is not None
        name = f"{active.sample.id}|{active.epoch}"
        kept = self.recording.requests.setdefault(name, [])
        request: dict[str, Any] = {
            "model": self.model_name,
            "messages": [[message.role, message.text] for message in input],
            "metadata": [message.metadata for message in input if message.metadata],
            "config": config.model_dump(exclude_none=True, exclude={"cache"}),
            "tools": [tool.name for tool in tools],
            "tool_choice": str(tool_choice),
            "cache": _policy(_cache.get()),
        }
        kept.append(request)
        request["depth"] = await self.recording.arrive()
        if self.speaker is not None:
            output = await self.speaker.generate(input, tools, tool_choice, config)
            assert isinstance(output, ModelOutput)
            return output
        same = [
            other
            for other in kept
            if other.get("depth") == request["depth"]
            and other["model"] == self.model_name
        ]
        depth = len({other["depth"] for other in kept if "depth" in other})
        key = (name, self.model_name, str(depth), str(same.index(request)))
        reply = reply_to(input, key, troubled=self.replies == "troubled")
        output = ModelOutput.from_content(
            self.model_name, reply.text, reply.stop_reason
        )
        if config.logprobs:
            output.choices[0].logprobs = _logprobs(reply.text)
        output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
        return output

    async def count_text_tokens(self, text: str) -> int:
        return len(text) // 4

    def max_connections(self) -> int:
        return 1000


def _logprobs(text: str) -> Logprobs:
    """Every word with the spaces before it is a token."""
    tokens = re.findall(r"\s*\S+|\s+$", text)
    return Logprobs(
        content=[
            Logprob(token=token, logprob=-((7 * n) % 5) / 20)
            for n, token in enumerate(tokens)
        ]
    )


def _policy(cache: Any) -> Any:
    """A cache policy as it can be kept: its scopes above all."""
    if isinstance(cache, CachePolicy):
        return cache.model_dump(exclude_none=True)
    return cache if isinstance(cache, bool) else None


@contextmanager
def _seeing_cache(recording: Recording) -> Iterator[None]:
    """Tell the provider with which cache policy `Model.generate` was called."""
    generate = Model.generate

    async def seen(self: Model, *args: Any, **settings: Any) -> ModelOutput:
        _cache.set(settings.get("cache"))
        active = sample_active()
        if active is not None:
            recording.generates[f"{active.sample.id}|{active.epoch}"] += 1
        return await generate(self, *args, **settings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Model, "generate", seen)
        yield


def task_named(name: str) -> Callable[..., Task]:
    """The task that the suite registers as `inspect_debate/NAME`."""
    return cast(Callable[..., Task], getattr(_suite(), name))


def solver_named(name: str, **args: Any) -> Solver:
    """The solver that the suite registers as `inspect_debate/NAME`."""
    _suite()
    try:
        solver = registry_create("solver", f"inspect_debate/{name}", **args)
    except LookupError:
        solver = registry_create("solver", name, **args)
    return solver


def _suite() -> Any:
    """What the suite registers.

    By its entry point: where the checkout, with the metadata that a build leaves in it,
    comes first on the path, as in pytest, Inspect registers names without a package.
    """
    point, *_ = entry_points(group="inspect_ai", name="inspect_debate")
    return point.load()


def record(
    task: str | Task,
    folder: Path,
    *,
    replies: str = "reader",
    roles: Roles | None = None,
    solver: Solver | None = None,
    args: Mapping[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Run a task, and give everything that it asked for and left in its samples.

    Args:
        task: Its registered name, or a task.
        folder: Where the log and the cache go.
        replies: Of `Recorded`.
        roles: The labels of the models that play each role, `main` everywhere else.
        solver: In place of the task's own.
        args: The task's parameters.
        settings: Further ones of `inspect_ai.eval`.

    Returns:
        For each sample and epoch its `requests`, `record`, `scores`, `output` and
        `from_cache`, the number of calls that no provider saw.
    """
    recording = Recording()

    def model(label: str) -> Model:
        return get_model(
            f"recorded/{label}", recording=recording, replies=replies, memoize=False
        )

    bound = {
        role: model(labels) if isinstance(labels, str) else [*map(model, labels)]
        for role, labels in (roles or {}).items()
    }
    with _seeing_cache(recording), pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_CACHE_DIR", str(folder / "cache"))
        (log,) = eval(
            task_named(task) if isinstance(task, str) else task,
            model=model("main"),
            model_roles=cast(Any, bound),
            task_args=dict(args or {}),
            solver=solver,
            log_dir=str(folder),
            cache=True,
            max_samples=100,
            display="log",
            log_realtime=False,
            score_display=False,
            **{"epochs": 2} | settings,
        )
    assert log.status == "success", log.error and log.error.message
    assert log.samples
    return {
        f"{sample.id}|{sample.epoch}": _of_sample(sample, recording)
        for sample in sorted(log.samples, key=lambda s: (str(s.id), s.epoch))
    }


def _of_sample(sample: EvalSample, recording: Recording) -> dict[str, Any]:
    name = f"{sample.id}|{sample.epoch}"
    requests = recording.requests.get(name, [])
    generations = sorted({request["depth"] for request in requests})
    for request in requests:
        request["depth"] = generations.index(request["depth"]) + 1
    # The debate's record is a text of JSON in the store, whatever its key is called.
    (text,) = [
        value
        for value in sample.store.values()
        if isinstance(value, str) and '"turns"' in value
    ]
    kept: dict[str, Any] = plain(
        {
            "requests": sorted(requests, key=lambda request: request["depth"]),
            "from_cache": recording.generates[name] - len(requests),
            "record": _without_times(json.loads(text)),
            "scores": {
                scorer.rpartition("/")[2]: {
                    "value": _without_times(known(sample, scorer)),
                    "answer": score.answer,
                }
                for scorer, score in (sample.scores or {}).items()
            },
            "output": sample.output.completion,
        }
    )
    return kept


_TIMES = ("seconds", "grade_seconds", "version")


def _without_times(value: Any) -> Any:
    """A record or score without what takes another value each time, or each version."""
    if isinstance(value, dict):
        return {k: _without_times(v) for k, v in value.items() if k not in _TIMES}
    if isinstance(value, list):
        return [_without_times(item) for item in value]
    return value


LONG = 60
"""Texts with more characters are stored once, under their hash."""


def packed(value: Any, texts: dict[str, str]) -> Any:
    """A value with its long texts moved to `texts`, by their hashes."""
    if isinstance(value, dict):
        return {key: packed(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [packed(item, texts) for item in value]
    if isinstance(value, str) and len(value) > LONG:
        name = "#" + sha256(value.encode()).hexdigest()[:12]
        assert texts.setdefault(name, value) == value
        return name
    return value


def unpacked(value: Any, texts: Mapping[str, str]) -> Any:
    """The value that was packed."""
    if isinstance(value, dict):
        return {key: unpacked(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item, texts) for item in value]
    return texts.get(value, value) if isinstance(value, str) else value


def hashed(value: Any) -> Any:
    """A value with a hash in place of each long text."""
    return packed(value, {})
