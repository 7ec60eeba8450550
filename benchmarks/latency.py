"""Wall time at a server on loopback that takes its time, through Inspect's client."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from openai import AsyncOpenAI

from benchmarks.canned import Call
from benchmarks.running import Bench
from benchmarks.server import serving
from benchmarks.table import Row, in_turn

DEBATES = Bench(
    "confidence", 60, {"jury_passes": 1}, roles={"judge": "simulated/balanced"}
)
"""Six speeches and a verdict each."""

ALONE = {
    name: Bench(study, 1, given)
    for name, study, given in (
        ("ColMAD", "colmad", {"skip_if_agree": False}),
        ("debate", "debate", {}),
        ("confidence", "confidence", {}),
        ("self-consistency", "colmad", {"protocol": "self_consistency"}),
        ("best of 4", "generative", {}),
    )
}
_WAIT = 0.2


def rows(repeats: int) -> Iterator[Row]:
    """Debates per minute, and the wall time of one sample over that of its waits."""
    os.environ["no_proxy"] = "127.0.0.1"  # a proxy does not reach loopback
    yield from debates_per_minute("50 ms", 0.05, repeats, full=True)
    yield from debates_per_minute("2 s", 2, repeats, full=False)
    for name, bench in ALONE.items():
        with serving(bench.can, _WAIT) as url:
            own, plain = in_turn(
                repeats,
                partial(waits, bench, bench.run, url),
                partial(waits, bench, bench.plain_run, url),
            )
        measure = f"wall over {bench.can.depth} x 200 ms, {name}"
        yield Row(measure, own, plain, "", "collect", "reference + 0.02")


def debates_per_minute(
    named: str, wait: float, repeats: int, full: bool
) -> Iterator[Row]:
    """Of runs in turn; `full` has the first and runs without the realtime log, too."""
    realtime = (True, False) if full else (True,)

    def rate(act: Callable[[], object]) -> float:
        before = time.perf_counter()
        act()
        return 60 * DEBATES.samples / (time.perf_counter() - before)

    with serving(DEBATES.can, wait) as url:
        own, plain = (partial(asked, b, url) for b in (DEBATES.run, DEBATES.plain_run))
        first = rate(own)
        runs = [
            partial(rate, partial(act, log_realtime=log))
            for log in realtime
            for act in (own, plain)
        ]
        loop, *rates = in_turn(
            repeats, partial(rate, partial(in_loop, DEBATES, url)), *runs
        )
    of = f"debates per minute, {named} a call"
    if full:
        yield Row(f"{of}, first run", first, rates[1], "", "collect, warm", "0.95")
    for log, ours, bare in zip(realtime, rates[::2], rates[1::2], strict=True):
        measure = f"{of}, warm" if log else f"{of}, no realtime log"
        yield Row(measure, ours, bare, "", "collect", "0.95")
    yield Row(measure, ours, loop, "", "a bare loop", "0.95")


def asked(
    act: Callable[..., EvalLog], url: str, log_realtime: bool | None = None
) -> EvalLog:
    """Run something with a server's model and no limit of calls at once."""

    def model(name: str) -> Model:
        of = f"openai-api/loopback/{name}"
        return get_model(of, base_url=url, api_key="none", memoize=False)

    return act(
        model,
        log_realtime=log_realtime,
        max_connections=1000,
        max_samples=1000,
    )


def waits(bench: Bench, act: Callable[..., EvalLog], url: str) -> float:
    """The wall time of a run's one sample, in that of its calls one after the other."""
    samples = asked(act, url).samples or []
    return (samples[0].total_time or 0) / (_WAIT * bench.can.depth)


def in_loop(bench: Bench, url: str) -> None:
    """The calls without Inspect, as Khan et al.'s llm_debate makes them."""

    async def ask(client: AsyncOpenAI, call: Call) -> None:
        messages: Any = [
            {"role": message.role, "content": message.text} for message in call.messages
        ]
        given = call.config.model_dump(include={"seed", "temperature", "max_tokens"})
        await client.chat.completions.create(
            model=call.model, messages=messages, **given
        )

    async def debate(client: AsyncOpenAI, stages: dict[int, list[Call]]) -> None:
        for calls in stages.values():
            await asyncio.gather(*(ask(client, call) for call in calls))

    async def every() -> None:
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            samples = bench.can.samples.values()
            await asyncio.gather(*(debate(client, stages) for stages in samples))

    asyncio.run(every())
