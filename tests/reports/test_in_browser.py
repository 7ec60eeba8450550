"""Every page that is written, opened in a real browser: nothing wrong, all is seen.

A page may ask for nothing but itself, so that it also opens where there is no network.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspect_debate.reports.colmad.report import REPORT as COLMAD
from inspect_debate.reports.confidence.report import REPORT as CONFIDENCE
from inspect_debate.reports.debate import REPORT as DEBATE
from inspect_debate.reports.drawing import svg_text
from inspect_debate.reports.generative.report import REPORT as GENERATIVE
from inspect_debate.reports.judges.check_report import REPORT as judge_check_report
from inspect_debate.reports.report import Report, html_page
from inspect_debate.reports.srdcr.report import REPORT as SRDCR
from tests.support.browser import CHROMIUM, Browser, Seen, browser

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
    pytest.mark.slow,
]

LOGS = Path(__file__).parents[1] / "frozen" / "logs"
REPORTS: dict[str, Callable[[list[Path]], Report]] = {
    "colmad": COLMAD,
    "confidence": CONFIDENCE,
    "srdcr": SRDCR,
    "generative": GENERATIVE,
    "debate": DEBATE,
    "judge_check": judge_check_report,
}
SEEN = '<svg width="90" height="90"><circle cx="45" cy="45" r="40"/></svg>'


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.mark.parametrize("study", REPORTS)
def test_a_report_is_sound_and_all_its_figures_are_seen(
    study: str, opened: Browser, tmp_path: Path
) -> None:
    report = REPORTS[study](sorted(LOGS.glob(f"{study}*.eval")))
    svgs = {part.name: svg_text(part.figure) for part in report.figures()}
    page = tmp_path / "report.html"
    page.write_text(html_page(report, svgs), encoding="utf-8")
    assert opened.look(page) == Seen([], [], [], len(svgs))
    assert svgs


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (SEEN, (0, 0, [])),
        ("<script>console.error('no')</script>", (1, 0, [])),
        ("<script>console.warn('hm')</script>", (1, 0, [])),
        ("<script>console.log('well')</script>", (0, 0, [])),
        ("<script>missing()</script>", (1, 0, [])),
        ("<script>setTimeout(() => missing(), 0)</script>", (1, 0, [])),
        # What could not be had is in the console as well.
        ('<img src="https://example.com/x.png" width="9" height="9">', (1, 1, [0])),
        ('<link rel="stylesheet" href="//example.com/x.css">', (1, 1, [])),
        ("<script>fetch('http://example.com').catch(() => 0)</script>", (1, 1, [])),
        ('<script src="beside.js"></script>', (1, 1, [])),
        (SEEN + f'<div style="display: none">{SEEN}</div>', (0, 0, [1])),
        (f'<div style="opacity: 0">{SEEN}</div>', (0, 0, [0])),
        (f'<div style="margin-left: -200px">{SEEN}</div>', (0, 0, [0])),
        (f'<div style="margin-left: 1150px">{SEEN}</div>', (0, 0, [0])),
        (SEEN.replace("<circle", '<circle fill="none"'), (0, 0, [0])),
        (SEEN.replace("45", "245"), (0, 0, [0])),
        ('<svg width="90" height="90"></svg>' + SEEN, (0, 0, [0])),
    ],
)
def test_what_is_wrong_with_a_page_is_found(
    body: str, found: tuple[int, int, list[int]], opened: Browser, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><title>A page</title>{body}", encoding="utf-8")
    seen = opened.look(page)
    assert (len(seen.errors), len(seen.asked), seen.unseen) == found
