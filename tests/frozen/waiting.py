"""Waiting until nothing else can go on."""

import asyncio


async def others_wait() -> None:
    """As anyio.wait_all_tasks_blocked, which sleeps for 0.1 seconds in between."""
    me = asyncio.current_task()
    for _ in range(100_000):
        await asyncio.sleep(0)
        waiters = [
            getattr(task, "_fut_waiter", None)
            for task in asyncio.all_tasks()
            if task is not me
        ]
        if all(waiter is not None and not waiter.done() for waiter in waiters):
            return
    raise RuntimeError("the tasks never came to rest")
