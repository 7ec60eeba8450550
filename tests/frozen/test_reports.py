"""What reports and the other commands write about stored logs and released data.

Frozen are names of files, the cells of every CSV, and the numbers of every row of the
reports' tables as they are shown: a row may gain numbers and go elsewhere, and the
words around it may change. Figures are known by name only, and drawn empty to save
time.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from matplotlib.figure import Figure

from tests.frozen.comparing import DATA, LOGS, ROOT, assert_same, command, needs_data
from tests.frozen.mapping import gained, load
from tests.frozen.test_scores import found_in
from tests.support.drawing import without_layout

EMPTY = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'


def _save(self: object, buffer: Any, **settings: object) -> None:
    buffer.write(EMPTY)


def without_figures(patch: pytest.MonkeyPatch) -> None:
    """Figures take most of the time of a report, and none of its numbers."""
    patch.setattr(Figure, "savefig", _save)
    without_layout(patch)


def table(path: Path) -> dict[str, Any]:
    """A CSV file; long texts in its cells are cut, with their length."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        columns, *rows = csv.reader(file)
    return {"columns": columns, "rows": [[_cut(cell) for cell in r] for r in rows]}


def _cut(cell: str) -> str:
    return cell if len(cell) <= 200 else f"{cell[:150]} ... {len(cell)}"


_HOOKS = re.compile(r"^inspect_ai v[^\n]*\n.*?role of a debate\.\n", re.M | re.S)


def lines(text: str, out: Path) -> list[str]:
    """The lines of a text that are not blank, with one space for several.

    Inspect says what hooks there are once in a process, whatever is done first in it.
    """
    text = _HOOKS.sub("", text)
    found = (
        " ".join(line.split()) for line in text.replace(str(out), "OUT").split("\n")
    )
    return [line for line in found if line.strip("|:- ")]


def sections(text: str, out: Path) -> list[dict[str, Any]]:
    """Markdown by headings."""
    found: list[dict[str, Any]] = [{"heading": "", "text": []}]
    for line in lines(text, out):
        if line.startswith("#"):
            found.append({"heading": line, "text": []})
        else:
            found[-1]["text"].append(line)
    return found


def written(out: Path) -> dict[str, Any]:
    """All that is in a folder of a report."""
    made = sorted(path for path in out.rglob("*") if path.is_file())
    page = out / "report.md"
    return {
        "files": [path.relative_to(out).as_posix() for path in made],
        "tables": {path.stem: table(path) for path in made if path.suffix == ".csv"},
        "sections": sections(page.read_text("utf-8"), out) if page.exists() else [],
    }


def paths(*names: str) -> list[Path]:
    return [LOGS / f"{name}.eval" for name in names]


def report(study: str, *names: str, out: Path) -> Any:
    done = command("report", study, *paths(*names), "--out", out)
    assert done.exit_code == 0, done.output
    return {"printed": lines(done.output, out)} | written(out)


def compared(*names: str, options: tuple[object, ...], out: Path) -> Any:
    """As it is printed, in JSON and as a report."""
    asked = ("compare", *paths(*names), *options)
    printed, data = command(*asked), command(*asked, "--json", "--out", out)
    assert (printed.exit_code, data.exit_code) == (0, 0), printed.output
    return {
        "printed": lines(printed.stdout, out),
        "json": json.loads(data.stdout),
    } | written(out)


def estimated(*options: object, out: Path) -> Any:
    done = command("estimate", *options, "--seconds-per-call", 2, "--out", out)
    assert done.exit_code == 0, done.output
    return {"printed": lines(done.stdout, out)} | written(out)


def exported(*options: object, out: Path) -> Any:
    done = command("export", *options, "--out", out)
    assert done.exit_code == 0, done.output
    found = written(out)
    for each in found["tables"].values():  # when these logs were made is of no interest
        assert each["rows"]
    return {"printed": lines(done.output, out)} | found


def sheets(out: Path) -> Any:
    """A judge's sheet, filled in by two people and read back."""
    asked = ("judge-sheet", "write", *paths("colmad", "colmad_copmad", "debate"))
    done = command(*asked, "--out", out / "sheet", "--seed", 4)
    assert done.exit_code == 0, done.output
    key = json.loads((out / "sheet" / "key.json").read_text())
    del key["logs"]
    columns, *rows = csv.reader(
        (out / "sheet" / "sheet.csv").read_text("utf-8-sig").splitlines(keepends=True)
    )
    place = columns.index("verdict")
    filled = []
    for judge, verdicts in (("mary", "XYYX"), ("tom", "XXYY"), ("zoe", "Y")):
        for n, row in enumerate(rows):
            row[place] = verdicts[n % len(verdicts)] if n < 9 else ""
        filled.append(out / f"{judge}.csv")
        with filled[-1].open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
    to = ("--key", out / "sheet" / "key.json", "--out", out / "back", "--scored-logs")
    back = command("judge-sheet", "read", *filled, *to)
    assert back.exit_code == 0, back.output
    scores = {
        f"{path.parent.name} {path.stem}": json.loads(path.read_text())
        for path in sorted((out / "back" / "scores").rglob("*.json"))
    }
    logs = {
        path.stem: found_in(read_eval_log(str(path)))["samples"]
        for path in sorted((out / "back").glob("*.eval"))
    }
    return {
        "printed": [*lines(done.output, out), *lines(back.output, out)],
        "key": key,
        "sheet": table(out / "sheet" / "sheet.csv"),
        "scores": scores,
        "people": {
            name: {
                sample: {
                    scorer: value for scorer, value in of.items() if "human" in scorer
                }
                for sample, of in samples.items()
            }
            for name, samples in logs.items()
        },
    } | written(out / "back")


def checked(out: Path) -> Any:
    """The check of live models, of a simulated one."""
    out.mkdir(parents=True)
    asked = ("check", "--model", "simulated/balanced", "--study", "debate")
    done = command(*asked, "--log-dir", out, "--json", out / "found.json")
    assert done.exit_code == 0, done.output
    return _without_seconds(json.loads((out / "found.json").read_text()))


def _without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_seconds(v) for k, v in value.items() if "seconds" not in k}
    return [_without_seconds(v) for v in value] if isinstance(value, list) else value


def published(*options: str, out: Path, data: bool = True) -> Any:
    """Counts of printed cells, the cells themselves, and faults."""
    out.mkdir(parents=True)
    place = ("--data", DATA or "") if data else ()
    cells = ("--out", out / "cells.csv")
    # The studies of then; papers that were added have tests of their own.
    studies = ("colmad", "confidence", "srdcr", "generative")
    counts = command("published", "counts", *studies, *options, *place, *cells)
    faults = command("published", "faults", *studies, *options, *place)
    assert (counts.exit_code, faults.exit_code) == (0, 0), counts.output
    return {
        "printed": lines(counts.stdout, out),
        "faults": lines(faults.stdout, out),
        "cells": table(out / "cells.csv"),
    }


def imported(out: Path) -> Any:
    """Some debates of each released condition, as the importer scores them."""
    theirs = out / "theirs" / "experiments"
    for folder in sorted(
        (Path(DATA or "") / "llms_overconfidence/experiments").iterdir()
    ):
        (theirs / folder.name).mkdir(parents=True)
        for path in sorted(folder.glob("*.json"))[::15]:
            (theirs / folder.name / path.name).symlink_to(path)
    done = command("import", "llms-overconfidence", theirs, "--out", out / "logs")
    logs = {
        path.stem: found_in(read_eval_log(str(path)))
        for path in sorted((out / "logs").glob("*.eval"))
    }
    asked = ("export", out / "logs", "--redact", "--out", out / "export")
    assert command(*asked).exit_code == 0
    turns = table(out / "export" / "turns.csv")
    left_out = {"run", "public", "private", "reasoning"}
    kept = [n for n, name in enumerate(turns["columns"]) if name not in left_out]
    return {
        "exit code": done.exit_code,
        "printed": lines(done.output, out),
        "logs": logs,
        "turns": {
            "columns": [turns["columns"][n] for n in kept],
            "rows": [[row[n] for n in kept] for row in turns["rows"]],
        },
    }


COPMAD = ("colmad", "colmad_copmad")
Case = Callable[[Path], Any]


def _case(made: Callable[..., Any], *of: Any, **more: Any) -> Case:
    return lambda out: made(*of, out=out, **more)


# By name: what is made, given a folder that is not there yet.
CASES: dict[str, Case] = {
    **{
        name: _case(report, name, name)
        for name in ("colmad", "confidence", "srdcr", "debate", "judge_check")
    },
    "generative": _case(report, "generative", "generative", "generative_code"),
    "colmad_arms": _case(
        partial(report, "colmad", *COPMAD),
        *("colmad_single", "colmad_ensemble", "colmad_draws", "colmad_graded"),
    ),
    "confidence_arms": _case(
        partial(report, "confidence", "confidence"),
        *("confidence_self", "confidence_public", "confidence_pool"),
    ),
    "srdcr_arms": _case(
        partial(report, "srdcr", "srdcr"),
        *("srdcr_judge", "srdcr_judge_debate", "srdcr_naive", "srdcr_self_ask"),
    ),
    "generative_arms": _case(
        partial(report, "generative", "generative"),
        *("generative_consultancy", "generative_none", "generative_best_of"),
    ),
    "debate_arms": _case(
        partial(report, "debate", "debate"),
        *("debate_consultancy", "debate_colmad", "debate_alone"),
    ),
    "compare": _case(
        compared,
        *COPMAD,
        options=("--metric", "error_detection.correct", "--margin", 0.2),
    ),
    "compare_three": _case(
        compared,
        *("generative", "generative_consultancy", "generative_none"),
        options=("--metric", "verdicts.correct", "--factor", "protocol"),
    ),
    "estimate": _case(
        estimated,
        *("inspect_debate/colmad", "-T", "source=sample"),
        *("--rehearsal", LOGS / "colmad.eval", "--actual", LOGS / "colmad.eval"),
    ),
    "export": _case(exported, *paths("colmad", "debate_colmad")),
    "export_redacted": _case(
        exported, *paths("srdcr_judge", "confidence_public"), "--redact"
    ),
    "sheets": _case(sheets),
    "check": _case(checked),
}
RELEASED: dict[str, Case] = {
    "published": _case(published),
    "imported": _case(imported),
}


def file_of(name: str) -> str:
    """The expected file of a case; large ones are compressed."""
    large = name.endswith(("_arms", "_redacted", "_alone")) or name in RELEASED
    return f"reports_{name}.json.gz" if large else f"reports_{name}.json"


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("INSPECT_DEBATE_DATA", raising=False)
    without_figures(monkeypatch)


def assert_same_report(found: Any, name: str) -> None:
    """Compare all but the words of the page; columns in `gained` may be new.

    So may be what is in `tables`, where there was no table or figure of that name.
    Where lines of a terminal break, and the order of names of files, are of no matter.
    """
    frozen, new = load(name), gained(name)
    before = {Path(file).stem for file in frozen.get("files", ())}
    added = gained(name, "tables") - before
    if every := found.get("files"):
        found["files"] = [file for file in every if Path(file).stem not in added]
        found["tables"] = {n: of for n, of in found["tables"].items() if n not in added}
        printed, files = (f"{len(of)} files;" for of in (every, found["files"]))
        found["printed"] = [line.replace(printed, files) for line in found["printed"]]
    for each in (found, frozen):
        if "printed" in each:
            each["printed"] = " ".join(each["printed"]).split()
        if "files" in each:
            each["files"] = sorted(each["files"])
    if "sections" in frozen:
        shown = [*map(Counter, rows_shown(found.pop("sections")))]
        rows = rows_shown(frozen.pop("sections"))
        gone = [row for row in rows if not any(Counter(row) <= has for has in shown)]
        assert not gone, f"{len(gone)} rows are no longer shown, such as {gone[:3]}"
    for key, table in found.get("tables", {}).items():
        before = frozen["tables"].get(key, {}).get("columns", ())
        places = [
            n
            for n, column in enumerate(table["columns"])
            if column in before or not any(fnmatch(column, name) for name in new)
        ]
        table["columns"] = [table["columns"][n] for n in places]
        table["rows"] = [[row[n] for n in places] for row in table["rows"]]
    assert_same(found, frozen, cells=True)


def rows_shown(page: list[dict[str, Any]]) -> list[list[str]]:
    """The numbers of every row of a page's tables, without their heads."""
    lines = [line for part in page for line in ("", *part["text"])]
    return [
        numbers
        for above, line in pairwise(lines)
        if line.startswith("|") and above.startswith("|")
        if (numbers := re.findall(r"[−+<]?\d[\d,.]*", line))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_command(name: str, tmp_path: Path) -> None:
    assert_same_report(CASES[name](tmp_path / "out"), file_of(name))


def test_published_numbers_without_data(tmp_path: Path) -> None:
    found = published(out=tmp_path / "out", data=False)
    assert_same(found, load(file_of("published_alone")), cells=True)


@needs_data
@pytest.mark.parametrize("name", RELEASED)
def test_released_data(name: str, tmp_path: Path) -> None:
    found = RELEASED[name](tmp_path / "out")
    assert_same(found, load(file_of(name)), cells=True)
