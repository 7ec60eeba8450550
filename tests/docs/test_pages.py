"""The pages themselves: parameters from the code, headings, links, widths."""

import re
from collections import Counter
from pathlib import Path

import pytest

from docs.parameters import STUDIES, page
from inspect_debate.published.audit import MEANINGS
from tests.published.test_reproduction import ALWAYS, WITH_DATA
from tests.support.pages import PAGES, ROOT, blocks

HEADINGS = (
    "The protocol",
    "Data",
    "Parameters",
    "Scores",
    "Report",
    "What differs from the paper, and what it leaves open",
    "What is wrong in the published numbers",
    "Limits",
)
# It has no paper.
WITHOUT = {"debate": set(HEADINGS[5:7])}

COUNTS = ALWAYS | WITH_DATA

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def headings(page: Path, level: str = "#+") -> list[str]:
    """A page's headings, those in its blocks left out."""
    text = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S
    )
    return re.findall(rf"^{level} (.+)$", text, re.M)


def anchor(heading: str) -> str:
    """What a link to a heading ends with, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def totals(study: str) -> list[int]:
    """A study's row of the table of reproduced numbers: all of them, and by column."""
    cells = sum(
        (Counter(of) for (of_study, _), of in COUNTS.items() if of_study == study),
        Counter[str](),
    )
    columns = (how for how in MEANINGS if how != "needs data")
    return [cells.total(), *(cells[how] for how in columns)]


def dead_links(page: Path) -> list[str]:
    """The links of a page to what is not there."""
    dead = []
    for file, place in LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / file if file else page
        there = target.exists()
        named = map(anchor, headings(target)) if there and place else ()
        if not there or (place and place not in named):
            dead.append(f"{file}#{place}" if place else file)
    return dead


def test_parameters_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "parameters.md").read_text(encoding="utf-8")
    assert text == page(), "run `uv run python docs/parameters.py`"


def test_the_page_has_the_totals_of_reproduced_numbers() -> None:
    text = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \|((?: \d+ \|)+)$", text, re.M)
    shown = {study: [*map(int, re.findall(r"\d+", row))] for study, row in rows}
    assert shown == {study: totals(study) for study, _ in COUNTS}


@pytest.mark.parametrize("study", [s for s in STUDIES if s != "judge_check"])
def test_the_pages_of_studies_have_one_order(study: str) -> None:
    found = headings(ROOT / "docs" / f"{study}.md", "##")
    assert found == [heading for heading in HEADINGS if heading in found]
    lacking = {*HEADINGS} - {*found} - WITHOUT.get(study, set()) - {"Limits"}
    assert lacking == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A b-c, d\n[1](#a-b-c-d) [2](#a) [3](no.md) [4](http://x/y)\n")
    assert dead_links(page) == ["#a", "no.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_are_not_wider_than_a_hundred_characters(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    wide = [n for n, line in enumerate(lines, 1) if len(line) > 100 and line[0] != "|"]
    assert wide == []


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in PAGES[1:] if f"(docs/{p.name})" not in readme] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_are_typed_one_way(page: Path) -> None:
    """A page is about a checkout, where commands begin with `uv run`."""
    for block in blocks(page, "bash"):
        assert not re.search(r"^\s*inspect(-debate)? ", block.text, re.M), block.line
