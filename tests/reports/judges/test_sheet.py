"""Sheets for people who judge: what is on them, and how they come back."""

import base64
import csv
import hashlib
import html
import io
import json
import math
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.quotes import Passage
from inspect_debate.evals.debate import debate as debate_task
from inspect_debate.reports.judges.sheet import (
    COLUMNS,
    LONGEST_CELL,
    Entry,
    Row,
    csv_sheet,
    drawn,
    guarded,
    html_sheet,
    read_key,
    too_long,
    unguarded,
    write_sheet,
)
from inspect_debate.reports.judges.sheet_back import read_filled
from inspect_debate.reports.judges.sheet_text import Contest, Shown, Speech
from inspect_debate.reports.judges.steps import Decision
from tests.reports.judges.sheets import (
    MODEL,
    contested,
    debate,
    logged,
    six,
)
from tests.scorers.recorded import Recorded
from tests.support.made import verdict
from tests.support.runs import item, run, samples


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six(tmp_path_factory.mktemp("six"))


def test_the_sheet_is_blind(log: Path, tmp_path: Path) -> None:
    written = write_sheet(log, tmp_path)
    for path in (written.form, written.table):
        text = path.read_text(encoding="utf-8")
        assert "debater_a speaks in round 1" in text
        secrets = ["SECRET", MODEL, "judging/", "judge decides", "debater_b answers"]
        secrets += [log.name, log.stem.split("_")[-1], "colmad", "input_group"]
        assert [word for word in secrets if word in text] == []


def test_the_key_has_the_meaning_of_the_codes(log: Path, tmp_path: Path) -> None:
    written = write_sheet(log, tmp_path, seed=5)
    key = read_key(written.key)
    assert [*key.logs.values()] == [str(log)]
    assert sorted(row.id for row in key.rows) == [f"{n:02}" for n in range(6)]
    assert Counter(row.order for row in key.rows) == {"ab": 3, "ba": 3}
    table = written.table.read_text(encoding="utf-8")
    for row in key.rows:
        assert row.answers == (
            {"X": "error", "Y": "no_error"}
            if row.order == "ab"
            else {"X": "no_error", "Y": "error"}
        )
        assert row.shown_first == ("debater_a" if row.order == "ab" else "debater_b")
        (_, after) = table.split(row.code)
        first = 1 if row.order == "ab" else 2
        assert after.split(',"', 1)[1].split('",', 1)[1].startswith(f"{first} (")
        assert f"Response {int(row.id)}." in after.split('",')[0]


def test_it_says_what_is_on_it(log: Path, tmp_path: Path) -> None:
    records = [debate(verdict()), debate(complete=False), debate(debated=False)]
    other = logged([Recorded("error", records[:1])] * 2, tmp_path / "x")
    mixed = logged([Recorded("error", [record]) for record in records], tmp_path)
    notices = write_sheet([other, mixed], tmp_path / "sheet", limit=2).notices
    assert notices[0] == "2 of 3 debates between two answers are on it."
    assert notices[1] == (
        "Other samples are not: 1 x it did not end; 1 x nobody spoke."
    )
    alone = write_sheet(other, tmp_path / "alone").notices
    assert alone == ["2 of 2 debates between two answers are on it."]
    again = write_sheet([other, mixed], tmp_path / "other").notices
    assert again[-1].startswith("Questions that occur more than once: 1.")


def test_long_debates_have_a_notice(tmp_path: Path) -> None:
    record = debate(verdict())
    turns = [t.model_copy(update={"public": "x" * 17_000}) for t in record.turns]
    long = record.model_copy(update={"turns": tuple(turns)})
    path = logged([Recorded("error", [long])], tmp_path)
    notices = write_sheet(path, tmp_path / "sheet").notices
    assert notices[-1].startswith("Debates that are longer than a cell of Excel: 1 (")


def test_a_sheet_is_written_again_but_not_over_another(
    log: Path, tmp_path: Path
) -> None:
    before = write_sheet(log, tmp_path).key.read_text(encoding="utf-8")
    assert write_sheet(log, tmp_path).key.read_text(encoding="utf-8") == before
    with pytest.raises(InputError, match="is the key of another sheet"):
        write_sheet(log, tmp_path, seed=1)
    assert (tmp_path / "key.json").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("protocol", "hidden"),
    [("copmad", "passage"), ("consultancy", "passage"), ("colmad", "nothing")],
)
def test_a_hidden_passage_stays_hidden(
    protocol: str, hidden: Literal["passage", "nothing"], tmp_path: Path
) -> None:
    task = debate_task(dataset="sample", protocol=protocol, hidden=hidden)
    log = run(task, tmp_path / "logs", limit=2)
    written = write_sheet(tmp_path / "logs", tmp_path / "sheet")
    page = html.unescape(written.form.read_text(encoding="utf-8"))
    for sample in samples(log):
        assert str(sample.input) in page
        assert (sample.metadata["passage"] in page) == (hidden == "nothing")
    assert ("a passage that you cannot read" in page) == (hidden == "passage")
    heard_alone = page.count('<p class="note">Only one participant was heard.')
    assert heard_alone == (2 if protocol == "consultancy" else 0)


# Which debates come onto a sheet, in which order, under which codes.


def some(errors: int, rights: int, run: str = "run") -> list[Contest]:
    """Debates about wrong and about right responses."""
    labels = ["error"] * errors + ["no_error"] * rights
    return [
        contested(sample=item(f"{number:02}", label=label), run=run)
        for number, label in enumerate(labels)
    ]


def drawn_rows(rows: list[Row]) -> list[tuple[str, str, str]]:
    return [(row.code, row.contest.key[1], row.order) for row in rows]


MANY = some(12, 8)


@given(
    st.integers(0, 20), st.none() | st.integers(1, 25), st.none() | st.integers(1, 25)
)
def test_orders_are_balanced_within_what_is_right(
    seed: int, limit: int | None, per_stratum: int | None
) -> None:
    rows = drawn(MANY, seed=seed, limit=limit, per_stratum=per_stratum)
    ids = [row.contest.key for row in rows]
    assert len(set(ids)) == len(ids) == len({row.code for row in rows})
    counts = Counter(row.order for row in rows)
    assert abs(counts["ab"] - counts["ba"]) <= 1
    for label in ("error", "no_error"):
        of = Counter(row.order for row in rows if row.contest.accepted == {label})
        assert abs(of["ab"] - of["ba"]) <= 1


@pytest.mark.parametrize(
    ("limit", "per_stratum", "errors", "rights"),
    [
        (None, None, 12, 8),
        (10, None, 5, 5),
        (18, None, 10, 8),
        (None, 3, 3, 3),
        (None, 10, 10, 8),
        (5, 2, 2, 2),
        (99, 99, 12, 8),
    ],
)
def test_a_subset_is_as_balanced_as_the_debates_allow(
    limit: int | None, per_stratum: int | None, errors: int, rights: int
) -> None:
    rows = drawn(MANY, seed=1, limit=limit, per_stratum=per_stratum)
    counts = Counter(min(row.contest.accepted) for row in rows)
    assert counts == {"error": errors, "no_error": rights}


def test_runs_are_strata() -> None:
    both = [*some(9, 9, "one"), *some(1, 1, "two")]
    rows = drawn(both, seed=0, limit=6)
    assert Counter(row.contest.key[0] for row in rows) == {"one": 4, "two": 2}


def test_the_seed_decides_and_not_the_order_of_the_log() -> None:
    once = drawn_rows(drawn(MANY, seed=3, limit=8))
    assert drawn_rows(drawn(MANY[::-1], seed=3, limit=8)) == once
    again = drawn_rows(drawn(MANY, seed=4, limit=8))
    assert {id for _, id, _ in again} != {id for _, id, _ in once}
    assert not {code for code, _, _ in again} & {code for code, _, _ in once}


def test_rows_and_codes_give_nothing_of_the_log_away() -> None:
    rows = drawn(MANY, seed=0)
    ids = [row.contest.key[1] for row in rows]
    assert ids != sorted(ids)
    assert all(set(row.code) <= set("BCDFGHJKLMNPQRSTVWXZ") for row in rows)
    assert {len(row.code) for row in rows} == {5}
    # Sheets of other runs have other codes, so that files cannot be mixed up.
    others = drawn(some(12, 8, "other"), seed=0)
    assert not {row.code for row in rows} & {row.code for row in others}


# The table and the page: nothing that a debater wrote does anything in them.


HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- \n"
    "</textarea></q></div></form><a href='javascript:alert(1)'>x</a>{{ 7 }} &amp;\u2028"
)


def entry(text: str, code: str = "BCDFG", quote: bool = False) -> Entry:
    passage = Passage(text, "verified" if quote else None)
    speeches = (Speech(text, (passage,)),)
    return Entry(code, Shown(text, (text, text), text, speeches))


class Elements(HTMLParser):
    """The elements of a page with their attributes, and all of its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("quote", [True, False])
def test_hostile_text_stays_text(quote: bool) -> None:
    plain = Elements(html_sheet([entry("x", quote=quote)], "s"))
    attacked = Elements(html_sheet([entry(HOSTILE, quote=quote)], "s"))
    assert [tag for tag, _ in attacked.tags] == [tag for tag, _ in plain.tags]
    # Question, two answers, note, heading and speech.
    assert "".join(attacked.words).count(HOSTILE) == 6


def test_the_page_holds_the_table_that_it_gives_back() -> None:
    page = html_sheet([entry(HOSTILE), entry("=1+1", "GFDCB")], "the sheet")
    (data,) = re.findall(
        r'<script type="application/json" id="sheet">(.*)</script>', page
    )
    assert json.loads(data) == {
        "sheet": "the sheet",
        "columns": list(COLUMNS),
        "rows": [entry(HOSTILE).cells(), entry("=1+1", "GFDCB").cells()],
    }


def test_the_page_asks_for_nothing_and_runs_its_own_script_alone() -> None:
    page = html_sheet([entry("x")], "s")
    found = Elements(page)
    for _, attributes in found.tags:
        assert not {"src", "srcset", "action", "onclick", "onerror"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    assert "http:" not in page
    (policy,) = (
        str(a["content"])
        for _, a in found.tags
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy


def test_every_debate_can_be_filled_in() -> None:
    codes = ["BCDFG", "GFDCB"]
    found = Elements(html_sheet([entry("x", code) for code in codes], "s"))
    names = [a["name"] for tag, a in found.tags if tag in ("input", "textarea")]
    verdicts = [
        (a["name"], a["value"]) for _, a in found.tags if a.get("type") == "radio"
    ]
    for code in codes:
        assert f"confidence-{code}" in names
        assert f"comment-{code}" in names
        given = [value for name, value in verdicts if name == f"verdict-{code}"]
        assert given == ["X", "Y", ""]
    assert "judge" in names


def test_the_table_has_a_row_per_debate() -> None:
    text = csv_sheet([entry(HOSTILE), entry('a "b", c\n;d', "GFDCB")])
    assert text.startswith("\ufeffcode,")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["code"] for row in rows] == ["BCDFG", "GFDCB"]
    assert rows[0]["question"] == HOSTILE
    assert rows[1]["answer_X"] == 'a "b", c\n;d'
    assert {row[name] for row in rows for name in COLUMNS[-3:]} == {""}


@pytest.mark.parametrize(
    "cell",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1+1"),
        *("\u00a0=1", "\tx", "-", '=HYPERLINK("http://x";"y")', "=cmd|' /C calc'!A0"),
    ],
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"
    assert unguarded(guarded(cell)) == cell
    for row in csv.reader(io.StringIO(csv_sheet([entry(cell)]), newline="")):
        assert not any(re.match(r"\s*[=+\-@＝＋－＠]|[\t\r]", text) for text in row)


@pytest.mark.parametrize("cell", ["", "x = 1", "'x", "''", "1-2", "a\n=b"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == unguarded(cell) == cell


def test_the_script_guards_what_python_guards() -> None:
    page = html_sheet([entry("x")], "s")
    assert r"/^(?:\s*[=+\-@＝＋－＠]|[\t\r])/.test(text)" in page


def test_cells_that_excel_would_cut() -> None:
    fits, cut = entry("x" * LONGEST_CELL), entry("x" * (LONGEST_CELL + 1), "GFDCB")
    small = entry("x")
    assert list(too_long([small, cut])) == ["GFDCB"]
    # The debate's heading and note are in the cell, too.
    assert list(too_long([fits])) == ["BCDFG"]


# Sheets as they come back: from the form, from spreadsheets, and with mistakes.


CODES = ["BBBBB", "CCCCC", "DDDDD"]
PLAIN = "code,verdict,confidence,comment\nBBBBB,X,80,fine\nCCCCC,Y,55,größer\n"
WINDOWS = PLAIN.replace("\n", "\r\n")
EXCEL = WINDOWS.replace(",", ";")


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "saved",
    [
        PLAIN.encode(),
        WINDOWS.encode("utf-8-sig"),
        EXCEL.encode("utf-8-sig"),
        EXCEL.encode("cp1252"),
        WINDOWS.replace(",", "\t").encode("utf-16"),
        PLAIN.replace("BBBBB,X", "BBBBB, x ").encode(),
        PLAIN.replace("80", "80%").replace("55", '"55,0"').encode(),
        EXCEL.replace("80", "80,0 %").encode("utf-8-sig"),
        (PLAIN + ",,,\n,,,\n").encode(),
        PLAIN.replace("code,verdict", '"Code","VERDICT "').encode(),
        PLAIN.rstrip("\n").encode(),
        # Rows and columns in another order, and texts between.
        "comment,question,code,confidence,verdict\n"
        'größer,"a,\n""b""",CCCCC,55,Y\nfine,-,BBBBB,80,X\n'.encode(),
    ],
)
def test_however_it_was_saved(saved: bytes, tmp_path: Path) -> None:
    (found,) = read_filled([written(tmp_path / "mary.csv", saved)], CODES)
    assert found.judge == "mary"
    assert sorted(found.decisions) == [
        Decision("BBBBB", "X", 0.8, "fine"),
        Decision("CCCCC", "Y", 0.55, "größer"),
    ]
    assert (found.empty, found.absent) == (0, 1)


def test_what_was_not_judged_is_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "tom.csv", "code,verdict\nBBBBB,\nCCCCC,Y\n")
    (found,) = read_filled([path], CODES)
    assert (len(found.decisions), found.empty, found.absent) == (1, 1, 1)
    assert math.isnan(found.decisions[0].confidence)


def test_a_comment_comes_back_without_its_guard(tmp_path: Path) -> None:
    text = "code,verdict,comment\nBBBBB,X,'=1+1\nCCCCC,X,'tis so\n"
    (found,) = read_filled([written(tmp_path / "tom.csv", text)], CODES)
    assert [one.comment for one in found.decisions] == ["=1+1", "'tis so"]


@pytest.mark.parametrize(
    ("name", "judge"),
    [
        ("Mary Ann O'Neil.csv", "Mary_Ann_O_Neil"),
        ("Jörg-2.csv", "Jörg_2"),
        ("..mary..csv", "mary"),
    ],
)
def test_a_file_is_named_by_its_judge(name: str, judge: str, tmp_path: Path) -> None:
    (found,) = read_filled([written(tmp_path / name, PLAIN)], CODES)
    assert found.judge == judge


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("code,verdict\nZZZZZ,X\n", "mary: code 'ZZZZZ' is not on the sheet."),
        ("code,verdict\n,X\n", "mary: code '' is not on the sheet."),
        ("code,verdict\nBBBBB,X\nBBBBB,X\n", "code BBBBB is there 2 times"),
        ("code,verdict\nBBBBB,A\n", "BBBBB: verdict 'A' is not X or Y"),
        ("code,verdict\nBBBBB,X and Y\n", "verdict 'X and Y' is not X or Y"),
        ("code,verdict,confidence\nBBBBB,X,49\n", "confidence '49' is not a number"),
        ("code,verdict,confidence\nBBBBB,X,0.8\n", "confidence '0.8' is not a number"),
        ("code,verdict,confidence\nBBBBB,X,101%\n", "confidence '101%' is not"),
        ("code,verdict,confidence\nBBBBB,X,sure\n", "confidence 'sure' is not"),
        ("code,verdict,confidence\nBBBBB,X,nan\n", "confidence 'nan' is not"),
        ("verdict,comment\nX,x\n", "no column code; its columns are verdict, comment."),
        ("code,answer\nBBBBB,X\n", "has no column verdict"),
        ("", "is not a CSV table"),
        ('code,verdict\n"BBBBB,X\n', "is not a CSV table"),
    ],
)
def test_mistakes_are_named(text: str, says: str, tmp_path: Path) -> None:
    path = written(tmp_path / "mary.csv", text)
    with pytest.raises(InputError, match="mary") as error:
        read_filled([path], CODES)
    assert says in error.value.message
    assert "\n" not in error.value.message


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    mary = written(tmp_path / "mary.csv", "code,verdict\nBBBBB,A\nCCCCC,B\nE,X\n")
    tom = written(tmp_path / "tom.csv", "code,verdict\nBBBBB,1\nF,X\nG,X\n")
    with pytest.raises(InputError) as error:
        read_filled([mary, tom], CODES)
    assert error.value.message.count("mary: ") == 3
    assert error.value.message.count("tom: ") == 2
    assert error.value.message.endswith("; and 1 more.")
