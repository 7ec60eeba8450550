"""A progress bar for what takes more than two seconds, where somebody looks on."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

from inspect_ai.hooks import SampleEnd, TaskEnd

from inspect_debate.v1.debate.settings import after_each

AFTER = 2.0
"""Seconds until the bar is shown."""

T = TypeVar("T")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show how much of something is done; nothing where errors do not go to a terminal.

    Args:
        what: What is done, in a few words.
        total: How many steps there are.

    Yields:
        What is to be called after each step.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    # What most commands never need.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    steps = bar.add_task(what, total=total)
    started, shown = monotonic(), False

    def done() -> None:
        nonlocal shown
        bar.advance(steps)
        if not shown and monotonic() - started > AFTER:
            shown = True
            bar.start()

    try:
        yield done
    finally:
        if shown:
            bar.stop()


def counted(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """The same items, with a progress bar over them."""
    with progress(what, total) as done:
        for item in items:
            yield item
            done()


@contextmanager
def samples_counted(what: str, total: int) -> Iterator[None]:
    """A progress bar over the samples of the runs that are made meanwhile."""
    with progress(what, total) as done:

        def ended(what: SampleEnd | TaskEnd) -> None:
            if isinstance(what, SampleEnd):
                done()

        before = after_each.set(ended)
        try:
            yield
        finally:
            after_each.reset(before)
