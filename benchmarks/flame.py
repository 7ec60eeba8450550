"""Where the time of a study's run goes, as a flame graph and by area.

A sample counts for the area of the innermost frame that is in a file of one.
"""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import click
from pyinstrument import Profiler
from pyinstrument.frame import Frame
from tabulate import tabulate

from benchmarks.running import Bench

SAMPLES = {"colmad": 100, "debate": 80, "confidence": 30, "srdcr": 30, "generative": 16}

AREAS = {
    "<frozen importlib": "imports",
    "inspect_ai/log/_recorders/buffer": "Inspect: realtime buffer",
    "inspect_ai/event": "Inspect: events, spans, store",
    "inspect_ai/log/_transcript": "Inspect: events, spans, store",
    "inspect_ai/util/_s": "Inspect: events, spans, store",
    "inspect_ai/log": "Inspect: writing samples",
    "inspect_ai/model": "Inspect: model layer",
    "inspect_ai/": "Inspect: other",
    "benchmarks/": "canned models",
    "inspect_debate/simulator": "canned models",
    "inspect_debate/metrics": "metrics",
    "inspect_debate/scorers": "scorers",
    "inspect_debate/": "protocol",
    "asyncio/": "asyncio",
    "anyio/": "asyncio",
}
"""By what the path of a file has in it; the first that fits counts."""

_JUDGES = {"judged", "jury", "rule", "give_verdict"}


@click.command()
@click.argument("study", type=click.Choice(list(SAMPLES)))
@click.option("--out", type=click.Path(path_type=Path), help="STUDY.html by default.")
def main(study: str, out: Path | None) -> None:
    """Write the flame graph of a study's run, and print both runs' seconds by area."""
    out = out or Path(f"{study}.html")
    bench = Bench(study, SAMPLES[study])
    own, plain = _profiled(bench.own), _profiled(bench.plain)
    out.write_text(own.output_html(), encoding="utf-8")
    areas, others = _areas(own), _areas(plain)
    rows = [(name, areas[name], others[name]) for name in sorted({*areas, *others})]
    rows.append(("all", sum(areas.values()), sum(others.values())))
    heads = ("seconds", study, "plain Inspect")
    print(tabulate(rows, heads, tablefmt="github", floatfmt=".2f"))
    print(f"{out}: {out.stat().st_size // 1000} kB")


def _profiled(act: Callable[[], object]) -> Profiler:
    act()  # what is imported, compiled or cached once
    profiler = Profiler(interval=0.002, async_mode="disabled")
    with profiler:
        act()
    return profiler


def _areas(profiler: Profiler) -> dict[str, float]:
    """Seconds by area."""
    assert profiler.last_session is not None
    found = defaultdict[str, float](float)

    def walk(frame: Frame, area: str, judges: bool) -> None:
        path = frame.file_path or ""
        judges = judges or frame.function in _JUDGES
        area = next((name for part, name in AREAS.items() if part in path), area)
        name = "judges" if area == "protocol" and judges else area
        found[name] += frame.time - sum(child.time for child in frame.children)
        for child in frame.children:
            walk(child, area, judges)

    root = profiler.last_session.root_frame()
    assert root is not None
    walk(root, "other", False)
    return found


if __name__ == "__main__":
    main()
