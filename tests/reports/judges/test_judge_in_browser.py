"""Two people judge in a browser while their servers are killed: nothing is lost."""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log

from inspect_debate.cli.main import main
from inspect_debate.reports.judges.sheet import sheet_of
from inspect_debate.reports.judges.steps import steps_of
from tests.reports.test_page import AXE, EXAMPLES, HOSTILE
from tests.support.browser import CHROMIUM, Browser, browser

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
    pytest.mark.slow,
]

LOGS = [EXAMPLES / f"{name}.eval" for name in ("debate", "colmad", "confidence")]
LIMIT = 3
SENT = """
(() => {
  const form = document.forms[0];
  form.elements.percent.value = '%d';
  form.elements.remark.value = '%s';
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}));
  if (!form.reportValidity()) throw new Error("not filled in");
  form.requestSubmit();
})()
"""
WIDE = "document.documentElement.scrollWidth - innerWidth"


@contextmanager
def judging(judge: str, folder: Path, *logs: Path) -> Iterator[str]:
    """The address of a judge's page, whose server is killed afterwards."""
    command = ["judge", *map(str, logs), "--judge", judge]
    command += ["--out", str(folder / "out"), "--limit", str(LIMIT)]
    told, tells = os.pipe()

    def serve() -> None:
        sys.stdout = os.fdopen(tells, "w", buffering=1)
        main(command)

    started = get_context("fork").Process(target=serve)
    started.start()
    os.close(tells)
    try:
        with os.fdopen(told) as lines:
            found = (re.search(r"http://\S+", line) for line in lines)
            yield next(filter(None, found))[0]
    finally:
        started.kill()
        started.join()


def check(page: Browser) -> None:
    """A page is usable: nothing is wrong, sticks out, or is hard to reach."""
    assert page.wrong == []
    for width in (400, 1200):
        page.resize(width, 900)
        assert page.script(WIDE) <= 0
    if AXE.exists():
        page.script(AXE.read_text(encoding="utf-8"))
        faults = page.script("axe.run().then(r => r.violations.map(v => v.id))")
        assert faults == []


def judge_all(page: Browser, judge: str, folder: Path) -> None:
    """Judge everything; the server is killed after the fourth step."""
    said = folder / "out" / f"{judge}.jsonl"
    done = 0
    for until in (4, 99):
        with judging(judge, folder, *LOGS) as address:
            page.open(address)
            while done < until and page.script("document.forms.length"):
                if judge == "mary" and done < 6:
                    check(page)
                page.leave(SENT % (55 + done, f"{judge} {done}", "xy"[done % 2]))
                done += 1
                lines = said.read_text(encoding="utf-8").splitlines()
                assert json.loads(lines[-1])["remark"] == f"{judge} {done - 1}"
                assert len(lines) == done
    assert "are judged" in page.script("document.title")


def test_two_people_judge_and_their_judgements_are_reported(tmp_path: Path) -> None:
    with browser() as page:
        for judge in ("mary", "tom"):
            judge_all(page, judge, tmp_path)
    out, back = tmp_path / "out", tmp_path / "back"
    steps = sum(len(steps_of(e.shown)) for e in sheet_of(LOGS, limit=LIMIT).entries)
    for judge in ("mary", "tom"):
        said = map(json.loads, (out / f"{judge}.jsonl").read_text().splitlines())
        given = [(one["answer"], one["percent"], one["remark"]) for one in said]
        assert given == [("XY"[n % 2], 55 + n, f"{judge} {n}") for n in range(steps)]
    files = [str(out / f"{judge}.jsonl") for judge in ("mary", "tom")]
    key = ("--key", str(out / "key.json"), "--out", str(back), "--judged-logs")
    read = CliRunner().invoke(main, ["judge-sheet", "read", *files, *key])
    assert read.exit_code == 0, read.output
    assert f"tom judged {LIMIT} of {LIMIT} debates." in read.stdout
    judged = sorted(map(str, back.glob("debate_human_*.eval")))
    assert len(judged) == 2
    command = ["report", "debate", str(LOGS[0]), *judged, "--out", str(back / "report")]
    reported = CliRunner().invoke(main, command)
    assert reported.exit_code == 0, reported.output
    agreement = (back / "report" / "tables" / "judge_pairs.csv").read_text()
    assert {"human/mary", "human/tom"} <= {*re.findall(r"human/\w+", agreement)}
    assert "question alone" in (back / "report" / "tables" / "beliefs.csv").read_text()


def test_hostile_debates_do_nothing(tmp_path: Path) -> None:
    log = read_eval_log(str(EXAMPLES / "debate.eval"))
    for sample in log.samples or []:
        record = json.loads(sample.store["Debate:text"])
        record["parameters"]["judge_sees_passage"] = True
        for turn in record["turns"]:
            turn["public"] = HOSTILE
        sample.store["Debate:text"] = json.dumps(record)
        sample.input = sample.metadata["passage"] = HOSTILE
        sample.choices = [HOSTILE, f"{HOSTILE} and more"]
    path = tmp_path / "hostile.eval"
    write_eval_log(log, str(path))
    with browser() as page, judging("mary", tmp_path, path) as address:
        page.open(address)
        for _ in range(2):
            assert "debate 1 of 3" in page.script("document.title")
            assert page.script("document.querySelectorAll('img, #bold, i').length") == 0
            assert page.script("document.scripts.length") == 1
            assert page.wrong == []
            page.leave(SENT % (60, "so", "x"))
        # A quote leads to its place in the passage, where that is shown.
        page.script("document.querySelector('mark[role]').click()")
        assert page.script("document.getElementById('found').value") == "1 of 4"
