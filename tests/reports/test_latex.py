"""Tables as LaTeX: what stands in them, and that they are LaTeX."""

import re
import shutil
import string
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.reports.elements import Cell, Table
from inspect_debate.reports.latex import PACKAGES, escaped, latex_table, paragraphs
from inspect_debate.reports.tables import laid_out
from tests.reports.made_report import HOSTILE, shares, two_levels

SIGNS = "−±×≤≥≠≈∞→←·°²Δακτχ–—“”‘’…é漢" + string.punctuation


def many(rows: int, **changes: object) -> Table:
    frame = pd.DataFrame({"name": [f"row_{n}" for n in range(rows)], "n": range(rows)})
    return shares(frame=frame, formats={}, **changes)


def wide() -> Table:
    frame = pd.DataFrame({f"Percent of them {n}": [0.5] for n in range(20)})
    frame.insert(0, "Log", "2026-01-01T00-00-00-00-00_a_task_" + "x" * 40 + ".eval")
    return shares(name="wide", frame=frame, formats={})


TABLES = {
    "plain": shares(note="On `a_b`, 95 %.\n\n- one\n- two"),
    "levels": two_levels(),
    "marked": shares(
        name="marked",
        marks={Cell(0, "F1"): HOSTILE, Cell(1): SIGNS},
        emphasis=[Cell(1)],
        groups="model",
    ),
    "grouped": two_levels(name="grouped", groups=("model", "")),
    "long": many(60, name="long", groups="name"),
    "cut": many(60, name="cut", first=5),
    "signs": shares(
        name="signs", frame=pd.DataFrame({SIGNS: [SIGNS], "n": [1]}), formats={}
    ),
    "wide": wide(),
    "empty": shares(name="empty", frame=pd.DataFrame({"a": []}), formats={}),
}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
        ("−3.1 ± 0.2 ≥ 0", r"$-$3.1 $\pm$ 0.2 $\geq$ 0"),
        ("“so”", "``so''"),
        (r"\x{y}", r"\textbackslash{}x\{y\}"),
        ("--model-role", "-{}-model-role"),
        ("---", "-{}-{}-"),
        ("<0.001", r"\textless{}0.001"),
        ("[65.0, 76.9]", "{[}65.0, 76.9{]}"),
        ("é 漢 ﬁ", r"é {[}U+6F22{]} fi"),
        ("a\x00b\x1b", "a{[}U+0000{]}b{[}U+001B{]}"),
        ("  two\n lines ", "two lines"),
    ],
)
def test_text_stands_as_it_is(text: str, written: str) -> None:
    assert escaped(text) == written


def test_only_long_words_may_be_broken() -> None:
    assert escaped("ab_cd-ef", 8) == r"ab\_cd-ef"
    assert escaped("ab_cd-ef", 5) == r"ab\_\allowbreak{}cd-\allowbreak{}ef"
    assert escaped("abcdefg", 3) == r"abc\allowbreak{}def\allowbreak{}g"


def test_notes_keep_their_code_and_lists() -> None:
    first, second = paragraphs("Run `a_b` twice.\n\n- one\n- two")
    assert first == r"Run \texttt{a\_b} twice."
    assert second.count(r"\item ") == 2


def test_values_are_those_of_the_page() -> None:
    text = latex_table(TABLES["plain"])
    assert r"\caption{Shares}\label{tab:shares}" in text
    shown = [cell for row in laid_out(TABLES["plain"]).bodies[0].rows for cell in row]
    for cell in shown:
        assert escaped(cell.text) in text
    assert r"one & 30.0 {[}25.0, 35.0{]} & 1,400 \\" in text


def test_names_of_groups_stand_over_their_columns() -> None:
    lines = latex_table(TABLES["levels"]).splitlines()
    top = lines.index(r"\toprule")
    groups = r" & \multicolumn{1}{c}{math} & \multicolumn{1}{c}{fact} \\"
    assert lines[top + 1] == groups
    assert lines[top + 2] == r"\cmidrule(lr){2-2}\cmidrule(lr){3-3}"
    assert lines[top + 3] == r"model & F1 & F1 \\"


def test_marks_and_emphasis() -> None:
    text = latex_table(TABLES["marked"])
    assert r"\rlap{\textsuperscript{a}}" in text
    assert rf"\textsuperscript{{a}} {escaped(HOSTILE)}" in text
    assert r"\textbf{66.7}" in text
    assert r"\textit{one}" in text


def test_long_tables_go_over_pages_and_cut_ones_say_so() -> None:
    assert r"\begin{longtable}{r}" in latex_table(TABLES["long"])
    cut = latex_table(TABLES["cut"])
    assert cut.count("row\\_") == 5
    assert "The first 5 of 60 rows; tables/cut.csv has all." in cut


def test_wide_tables_are_wrapped_and_made_smaller() -> None:
    text = latex_table(wide())
    assert r"\resizebox{\linewidth}{!}{%" in text
    assert "p{8.0em}" in text
    assert r"\shortstack[r]{Percent of\\them 0}" in text
    assert r"\resizebox" not in latex_table(TABLES["plain"])


@pytest.mark.parametrize("which", TABLES)
def test_it_is_well_formed(which: str) -> None:
    assert faults(latex_table(TABLES[which])) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (" & ", " ", "cells"),
        (r"\end{minipage}", "", "environments"),
        (r"\%", "%", "bare"),
        (r"\caption{", r"\caption{{", "braces"),
    ],
)
def test_the_check_finds_faults(old: str, new: str, fault: str) -> None:
    text = latex_table(TABLES["plain"])
    assert old in text
    assert fault in faults(text.replace(old, new, 1))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not here")
def test_it_can_be_set(tmp_path: Path) -> None:
    body = "\n".join(latex_table(table) for table in TABLES.values())
    (tmp_path / "all.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}"
        rf"\usepackage{{{PACKAGES}}}\begin{{document}}{body}\end{{document}}",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, errors="replace"
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in (tmp_path / "all.log").read_text(errors="replace")


def faults(text: str) -> list[str]:
    """What is wrong with a table as LaTeX, as far as can be told without setting it."""
    return [*_environments(text), *_characters(text), *_cells(text)]


def _environments(text: str) -> list[str]:
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            return ["environments"]
    return ["environments"] if opened else []


def _characters(text: str) -> list[str]:
    body = re.sub(r"^% Needs.*", "", text)
    plain = re.sub(r"\\.", "", body.replace("{!}{%\n", "{!}{\n"))
    found = ["braces"] if plain.count("{") != plain.count("}") else []
    return found + (["bare"] if re.search(r"[%#_^~]|[^\x00-\xff]", plain) else [])


def _cells(text: str) -> list[str]:
    """Whether each row has as many cells as there are columns."""
    spec = re.search(r"\\begin\{(?:tabular|longtable)\}\{(.*)\}", text)
    assert spec is not None
    columns = len(
        re.findall(r"[lr]|p\{", re.sub(r">\{.*?\\arraybackslash\}", "", spec[1]))
    )
    table = text[spec.end() :].partition(r"\bottomrule")[0]
    rows = re.findall(r"(?m)^(?!\\caption)(.*) \\\\\*?$", table)
    for row in rows:
        spans = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row))
        if len(re.findall(r"(?<!\\)&", row)) + 1 + spans != columns:
            return ["cells"]
    return [] if rows else ["cells"]
