"""Make the pictures of reports, of a page of debates and of one to judge in the docs.

    uv run python -m benchmarks screenshots [--study debate] [--out docs/images]

Studies have the names of their reports. Each is run with simulated models on the data
that ship with it, and its report is opened in Chromium: a picture is the top of it.
"""

import argparse
import io
import tempfile
from pathlib import Path
from subprocess import run

from PIL import Image

from benchmarks.studies import STUDIES, make_logs
from inspect_debate.reports.judges.server import judging_app
from inspect_debate.reports.judges.sheet import sheet_of
from inspect_debate.reports.judges.steps import Judging, Said, said_now
from inspect_debate.reports.page import write_pages
from tests.support.browser import CHROMIUM, Browser, browser
from tests.support.wire.hosting import Host

WIDTH, PAGE_WIDTH = 1000, 1400
LONGEST = 1200
"""Pixels of a report and of a page of debates from left to right; of a report's top."""

_COLOURS = 128
# Where the last row or paragraph ends that ends within a height.
_END = """
Math.max(...[...document.querySelectorAll('tr, p, summary')]
  .map(part => part.getBoundingClientRect().bottom).filter(bottom => bottom < %d))
"""


def photograph(opened: Browser, page: Path, out: Path) -> None:
    """Write a picture of a report."""
    opened.resize(WIDTH, 900)
    opened.open(page)
    end = opened.script(_END % LONGEST) + 12
    picture = _seen(opened, WIDTH, height=end)
    picture.convert("RGB").quantize(_COLOURS).save(out, optimize=True)


def photograph_page(opened: Browser, folder: Path, out: Path) -> None:
    """Write a picture of a page of debates, with one in which somebody quotes."""
    (page,) = write_pages("logs/examples/debate.eval", folder).files
    opened.resize(PAGE_WIDTH, 900)
    opened.open(page)
    opened.script("location.hash = '#2'")
    opened.script("new Promise(done => setTimeout(() => done(0), 200))")
    picture = _seen(opened, PAGE_WIDTH, height=900)
    picture.convert("RGB").quantize(_COLOURS).save(out, optimize=True)


def photograph_judge(opened: Browser, folder: Path, out: Path) -> None:
    """Write a picture of a judge's step after the first round of a debate."""
    (first, *_) = sheet_of("logs/examples/colmad.eval").entries
    judging = Judging("mary", {first.code: first.shown}, folder / "mary.jsonl")
    while (place := judging.place()) and place.step.round < 1:
        said = said_now(place, {"answer": "X", "percent": "60"}, 0)
        assert isinstance(said, Said)
        judging.say(said)
    host = Host(judging_app(judging, "token"))
    host.start()
    opened.resize(PAGE_WIDTH, LONGEST)
    opened.open(f"{host.url}/enter/token")
    opened.leave(f"location.href = '{host.url}/#now'; location.reload()")
    top = opened.script("scrollY")
    clip = {"x": 0, "y": top, "width": PAGE_WIDTH, "height": LONGEST}
    picture = Image.open(io.BytesIO(opened.picture(clip)))
    picture.convert("RGB").quantize(_COLOURS).save(out, optimize=True)
    host.stop()


def _seen(opened: Browser, width: float, height: float) -> Image.Image:
    clip = {"x": 0, "y": 0, "width": width, "height": height}
    return Image.open(io.BytesIO(opened.picture(clip)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", choices=STUDIES)
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    arguments = parser.parse_args()
    if CHROMIUM is None:
        raise SystemExit("There is no Chromium (on Debian: apt-get install chromium).")
    with browser() as opened, tempfile.TemporaryDirectory() as folder:
        for study in [arguments.study] if arguments.study else STUDIES:
            home = Path(folder) / study
            home.mkdir()
            logs, made = make_logs(study, home), str(home / "report")
            command = ["inspect-debate", "report", study, str(logs), "--out", made]
            run(command, check=True)
            picture = arguments.out / f"report_{study}.png"
            photograph(opened, home / "report" / "report.html", picture)
            print(f"{picture}: {picture.stat().st_size // 1000} kB")
        if arguments.study is None:
            photograph_page(opened, Path(folder), arguments.out / "page.png")
            photograph_judge(opened, Path(folder), arguments.out / "judge.png")


if __name__ == "__main__":
    main()
