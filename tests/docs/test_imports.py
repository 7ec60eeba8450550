"""What pages say can be imported can be."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.pages import PAGES, blocks

# "`scores_df`, `debates_df` and `turns_df` in `inspect_debate`"
_NAMES = re.compile(
    r"((?:`\w+(?:\([^`]*\))?`(?:,\s|\sand\s)?)+)\sin\s`(inspect_debate[\w.]*)`"
)
# "`inspect_debate.reports.conditions.ConditionSamples`"
_NAME = re.compile(r"`(inspect_debate(?:\.\w+)*)\.(\w+)`")


def statements(page: Path) -> list[str]:
    """The import statements of a page: in its blocks, and those that its text means."""
    found = []
    for block in blocks(page, "python"):
        nodes = ast.walk(ast.parse(block.text))
        found += [
            ast.unparse(n) for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)
        ]
    text = page.read_text(encoding="utf-8")
    for names, module in _NAMES.findall(text):
        named = re.findall(r"`(\w+)", names)
        found.append(f"from {module} import {', '.join(named)}")
    return [
        *found,
        *(f"from {path} import {name}" for path, name in _NAME.findall(text)),
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_import_statements_run(page: Path) -> None:
    for statement in statements(page):
        exec(statement, {})


def test_statements_are_found() -> None:
    found = [statement for page in PAGES for statement in statements(page)]
    assert (
        "from inspect_debate import debates_df, report, scores_df, write_report"
        in found
    )
    assert any("judge_matrix" in statement for statement in found)
