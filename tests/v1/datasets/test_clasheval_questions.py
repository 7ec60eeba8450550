"""ClashEval's schema, rows that are not as they should be, and years shifted."""

import math
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.datasets.clasheval_questions import (
    ConflictItem,
    LeftOut,
    Perturbed,
    Record,
    Refusal,
    domain_of,
    passage_items,
    perturb_year,
    read_rows,
    shift_year,
)
from inspect_debate.v1.debate.errors import InputError
from tests.v1.datasets.made_clasheval import DOMAINS, made_records, records

COLUMNS = (
    *("question", "context_original", "context_mod", "answer_original"),
    *("answer_mod", "mod_degree", "dataset"),
)


def read(
    given: Sequence[Record], seed: int = 0
) -> tuple[dict[str, ConflictItem], dict[str, Any], list[str]]:
    """The questions by their words, what is left out, and what was measured."""
    left_out = LeftOut()
    items, measured = passage_items(read_rows(given, "made"), seed, left_out)
    return {item.question: item for item in items}, left_out.as_json(), measured


def one(
    given: Sequence[Record], seed: int = 0
) -> tuple[ConflictItem, dict[str, Any], list[str]]:
    items, left_out, measured = read(given, seed)
    assert len(items) == 1
    return next(iter(items.values())), left_out, measured


def degrees(item: ConflictItem) -> dict[int, list[str]]:
    return {
        level: [modified.degree for modified in item.modified[level]]
        for level in sorted(item.modified)
    }


FACTORS = {1: ["0.8", "1.2"], 2: ["1.5"], 3: ["0.4", "2"], 4: ["0.2", "3"]} | {
    5: ["0.1", "10", "5"]
}
WORDS = {1: ["slight"], 3: ["significant"], 5: ["comical"]}


@pytest.mark.parametrize("column", ["mod_degree", "mod_type"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_question_of_each_domain(domain: str, column: str) -> None:
    given = records(domain, 3, column)
    item, left_out, measured = one(given)
    assert left_out == {"rows": {}, "questions": {}}
    assert measured == []
    assert item.question == f"What is number 3 of {domain}?"
    assert (item.answer, item.passage) == (
        given[0]["answer_original"],
        given[0]["context_original"],
    )
    if domain == "years":
        found = [modified.offset for at in item.modified.values() for modified in at]
        assert [abs(offset or 0) for offset in found] == [20, 40, 60, 100, 200]
    else:
        expected = WORDS if domain in ("names", "locations") else FACTORS
        assert degrees(item) == expected
        passages = {row["context_mod"]: row["answer_mod"] for row in given}
        for modified in (one for at in item.modified.values() for one in at):
            assert passages[modified.passage] == modified.answer
            assert modified.offset is None


def test_a_later_row_is_checked_too() -> None:
    given = records("names", 1)
    del given[2]["answer_mod"]
    with pytest.raises(InputError, match="it lacks 'answer_mod'"):
        read_rows(given, "a.jsonl")
    with pytest.raises(InputError, match="its columns are none"):
        read_rows([{}], "a.jsonl")


NAMES = {
    **{"drugs": "drugs", "Drug Dosages": "drugs", "drug_dosages": "drugs"},
    **{"sports records": "records", "Latest-News": "news", "wiki dates": "years"},
    **{"Wikipedia Dates": "years", "YEARS": "years"},
    **{" Names ": "names", "Locations": "locations"},
}


def test_names_of_domains() -> None:
    assert {name: domain_of(name) for name in NAMES} == NAMES
    rows = [records("names", 1)[0] | {"dataset": name} for name in NAMES]
    assert [row.domain for row in read_rows(rows, "made")] == [*NAMES.values()]


@pytest.mark.parametrize("name", ["cities", "", None, math.nan, 3])
def test_an_unknown_domain_is_named(name: object) -> None:
    row: dict[str, Any] = records("names", 1)[0] | {"dataset": name}
    shown = "" if name is None or name is math.nan else str(name)
    with pytest.raises(InputError, match=f"^made: {shown!r} is no domain of ClashEval"):
        read_rows([row], "made")


DEGREES: list[tuple[object, str]] = [
    *[("0", "0"), (0, "0"), (0.0, "0"), ("0.0", "0"), ("2.0", "2"), (2, "2")],
    *[(0.1, "0.1"), ("1.50", "1.5"), (" Slight ", "slight"), ("-77", "-77")],
    *[(None, ""), (math.nan, ""), ("nan", "nan")],
]


def test_degrees_are_read_in_any_type() -> None:
    plain: dict[str, Any] = records("names", 1)[0]
    rows = read_rows([plain | {"mod_degree": given} for given, _ in DEGREES], "made")
    assert [row.degree for row in rows] == [degree for _, degree in DEGREES]


def test_values_are_read_as_text() -> None:
    row: dict[str, Any] = records("years", 1)[0]
    row |= {"answer_original": 1859.0, "answer_mod": 1859, "question": " Which? \n"}
    row |= {"context_original": None, "context_mod": math.nan}
    read = read_rows([row], "made")[0]
    assert (read.answer, read.says, read.question) == ("1859", "1859", "Which?")
    assert (read.context, read.passage) == ("", "")
    assert read.withheld


@pytest.mark.parametrize("empty", ["", "  \n", None, math.nan])
@pytest.mark.parametrize("column", ["context_original", "context_mod"])
def test_a_row_whose_passage_is_withheld(column: str, empty: object) -> None:
    given: list[dict[str, Any]] = [*records("news", 1)]
    given[4][column] = empty  # of the degree 0.8
    item, left_out, _ = one(given)
    assert left_out == {"rows": {"withheld context": {"news": 1}}, "questions": {}}
    assert degrees(item) == FACTORS | {1: ["1.2"]}


def test_a_question_whose_passages_are_withheld() -> None:
    """Left out and counted; it may still be shown as solved."""
    given = [*made_records({"news": 2, "names": 1})]
    for row in given:
        if row["question"] == "What is number 1 of news?":
            row["context_original"] = row["context_mod"] = ""
    items, left_out, _ = read(given)
    assert left_out == {
        "rows": {"withheld context": {"news": 11}},
        "questions": {"withheld context": {"news": 1}},
    }
    withheld = items["What is number 1 of news?"]
    assert (withheld.answer, withheld.passage) == ("1010 people", "")
    assert withheld.modified == {}


def test_duplicates_and_rows_without_question_or_answer_are_counted() -> None:
    given = [*made_records({"names": 2})]
    items, left_out, _ = read([*given, *given[:3], given[0]])
    assert left_out["rows"] == {"duplicate": {"names": 4}}
    assert items == read(given)[0]
    for column in ("question", "answer_original"):
        items, left_out, _ = read([given[0] | {column: " "}, *given[1:]])
        assert left_out["rows"] == {"no question or answer": {"names": 1}}
        assert len(items) == 2


LEFT_OUT: list[tuple[str, dict[str, str], str]] = [
    ("7", {}, "unknown degree"),
    ("", {}, "unknown degree"),
    ("large", {}, "unknown degree"),
    ("0.8", {"answer_mod": ""}, "no modified answer"),
    ("0.8", {"answer_mod": "1010 people"}, "modified in name only"),
    ("0.8", {"answer_mod": "1,010"}, "modified in name only"),
    ("0.8", {"context_mod": "the right one"}, "modified in name only"),
]


@pytest.mark.parametrize(("degree", "change", "reason"), LEFT_OUT)
def test_rows_that_are_left_out(
    degree: str, change: dict[str, str], reason: str
) -> None:
    given = records("news", 1)
    if "context_mod" in change:
        change = {"context_mod": given[0]["context_mod"]}
    target = next(row for row in given if row["mod_degree"] == "0.8")
    extra = target | {"mod_degree": degree} | change
    kept = [row for row in given if row is not target or degree != "0.8"]
    item, left_out, measured = one([*kept, extra])
    assert left_out["rows"] == {reason: {"news": 1}}
    assert measured == []
    assert degrees(item)[1] == (["1.2"] if degree == "0.8" else ["0.8", "1.2"])


def test_a_name_that_would_be_right_is_not_modified() -> None:
    given = records("names", 1)
    given[1] |= {"answer_original": "Ada Byron", "answer_mod": "Ada King Byron"}
    item, left_out, _ = one([row | {"answer_original": "Ada Byron"} for row in given])
    assert left_out["rows"] == {"modified in name only": {"names": 1}}
    assert degrees(item) == {3: ["significant"], 5: ["comical"]}


def test_two_passages_of_one_degree() -> None:
    given = records("names", 1)
    again = given[1] | {"context_mod": "Zzz. Another text."}
    item, left_out, _ = one([again, *given])
    assert left_out["rows"] == {"degree twice": {"names": 1}}
    assert item.modified[1][0].passage == given[1]["context_mod"]


def test_contradictory_answers() -> None:
    """Two right answers to one question: neither is kept."""
    given = [*made_records({"names": 2})]
    other = records("names", 5)
    for row in other:
        row["question"] = "what is NUMBER 1  of names?"
    items, left_out, _ = read([*given, *other])
    assert list(items) == ["What is number 0 of names?"]
    assert left_out == {
        "rows": {},
        "questions": {"contradictory answers": {"names": 1}},
    }


def test_another_version_of_a_question() -> None:
    """The version with the most rows is kept, whatever their order."""
    given = records("news", 1)
    for row in given[:3]:
        row["context_original"] = "Another passage."
    for rows in (given, given[::-1]):
        item, left_out, _ = one(rows)
        assert left_out["rows"] == {"other version of the question": {"news": 3}}
        assert item.passage == given[5]["context_original"]
        assert degrees(item) == FACTORS | {4: ["3"], 5: ["10", "5"]}


def test_without_unmodified_rows_or_with_nothing_else() -> None:
    given = [row for row in made_records(2) if row["mod_degree"] != "0"]
    items, left_out, _ = read(given)
    assert left_out == {"rows": {}, "questions": {}}
    assert items == read([*made_records(2)])[0]
    given = [row for row in made_records(1) if row["mod_degree"] == "0"]
    items, left_out, _ = read(given)
    assert [item.domain for item in items.values() if item.modified] == ["years"]
    assert left_out["questions"] == {
        "no modified passage": {name: 1 for name in sorted(DOMAINS) if name != "years"}
    }


NO_SHIFT = {"1860": Refusal.ABSENT.value, "long ago": Refusal.NO_YEAR.value}


@pytest.mark.parametrize(("answer", "reason"), NO_SHIFT.items())
def test_a_year_that_cannot_be_shifted(answer: str, reason: str) -> None:
    given = records("years", 1)[:1]
    given[0] |= {"context_original": "In 1859.", "answer_original": answer}
    item, left_out, _ = one(given)
    assert item.modified == {}
    assert left_out["questions"] == {reason: {"years": 1}}


def test_a_year_that_cannot_be_shifted_as_far() -> None:
    given = records("years", 1)[:1]
    given[0] |= {"context_original": "In 2999 + 0.", "answer_original": "2999"}
    for seed in range(5):
        item, left_out, _ = one(given, seed)
        offsets = [modified.offset for at in item.modified.values() for modified in at]
        assert offsets == [-20, -40, -60, -100, -200]
        assert left_out["questions"] == {}


@pytest.mark.parametrize("domain", ["names", "locations"])
def test_degrees_that_are_numbered(domain: str) -> None:
    """As published: 1 is slight, 2 significant and 3 comical."""
    numbers = {"0": "0", "slight": "1", "significant": "2", "comical": "3"}
    given = records(domain, 1)
    numbered = [row | {"mod_degree": numbers[row["mod_degree"]]} for row in given]
    assert one(numbered) == one(given)
    mixed = [*numbered[:-1], given[-1]]
    item, left_out, _ = one(mixed)
    assert left_out["rows"] == {"unknown degree": {domain: 2}}
    assert degrees(item) == {5: ["comical"]}


@pytest.mark.parametrize("domain", ["drugs", "records", "news"])
def test_factors_that_are_numbered_are_measured(domain: str) -> None:
    given = [row for number in range(3) for row in records(domain, number)]
    for row in given:
        if row["mod_degree"] != "0":
            names = ["", *(one["mod_degree"] for one in records(domain, 0)[1:])]
            row["mod_degree"] = str(names.index(row["mod_degree"]))
    items, left_out, measured = read(given)
    assert measured == [domain]
    assert left_out == {"rows": {}, "questions": {}}
    for item in items.values():
        assert degrees(item).keys() == FACTORS.keys()
        for level, found in degrees(item).items():
            assert sorted(found) == sorted(FACTORS[level])


@pytest.mark.parametrize(
    ("right", "says", "degree"),
    [
        ("1:40.91", "16:49.10", "10"),
        ("2.4 million units", "480,000 units", "0.2"),
        ("4 g", "400 mg", "0.1"),
        ("10", "9", "0.8"),
        ("10", "7", "0.8"),
        ("10", "6", None),
        ("10", "100000", None),
        ("10", "ten or twenty", None),
        ("10", "0", None),
    ],
)
def test_what_is_measured(right: str, says: str, degree: str | None) -> None:
    given = records("records", 1)[:2]
    for row in given:
        row |= {"answer_original": right}
    given[1] |= {"answer_mod": says, "mod_degree": "-3"}
    item, left_out, measured = one(given)
    assert measured == ["records"]
    found = [name for names in degrees(item).values() for name in names]
    assert found == ([] if degree is None else [degree])
    assert left_out["rows"] == ({"unknown degree": {"records": 1}} if not found else {})


def test_splits_are_kept() -> None:
    given = [row | {"split": "test"} for row in records("names", 1)]
    item, _, _ = one(given)
    assert item.split == "test"
    given[2]["split"] = "train"
    item, _, _ = one(given)
    assert (item.split, item.modified[3][0].split) == ("test", "train")
    item, _, _ = one(given[1:])  # no unmodified row to tell
    assert item.split is None
    assert item.modified[1][0].split == "test"


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("In 2006.", "In 1966."),
        ("2006", "1966"),
        ("2006, then 2006; (2006)\n2006!", "1966, then 1966; (1966)\n1966!"),
        ("12,2006 2006,2007", "12,1966 1966,2007"),
        # Longer runs of digits, and decimal numbers, are no years.
        ("12006 20065 120065 020062006", "12006 20065 120065 020062006"),
        ("2006.5 km, 3.2006 and 0.2006.", "2006.5 km, 3.2006 and 0.2006."),
        ("٣2006", "٣2006"),
        # The dots of dates are no decimal points.
        ("1.12.2006, 01.2.2006 and 2006.12.01", "1.12.1966, 01.2.1966 and 1966.12.01"),
        ("2006-07-15 2006/07/15 15/07/2006", "1966-07-15 1966/07/15 15/07/1966"),
        # A short end of a range moves along; a month stays.
        ("2006-07", "1966-67"),
        ("the 2006–07 season", "the 1966–67 season"),
        ("2006/07.", "1966/67."),
        ("2006-7", "1966-7"),
        ("2006-03 and 2006-06", "1966-03 and 1966-06"),
        ("2006-2007 and 2004–2006", "1966-2007 and 2004–1966"),
        ("2006-0715", "1966-0715"),
        # Letters may touch it.
        ("the 2006s, c2006, AD2006, 2006th", "the 1966s, c1966, AD1966, 1966th"),
        ("_2006_ [2006] $2006", "_1966_ [1966] $1966"),
        ("2,006 and 206 and 2007", "2,006 and 206 and 2007"),
        ("", ""),
    ],
)
def test_shift(text: str, shifted: str) -> None:
    assert shift_year(text, 2006, -40) == shifted


SHIFTS = [
    ("the 1990s", 1990, 20, "the 2010s"),
    ("1999-00", 1999, 20, "2019-20"),
    ("1939-45", 1939, 60, "1999-05"),
    ("1914–18", 1914, -100, "1814–18"),
    ("980 and 1980", 980, 40, "1020 and 1980"),
    ("1020", 1020, -40, "980"),
    ("2001", 2001, 200, "2201"),
]


@pytest.mark.parametrize(("text", "year", "offset", "shifted"), SHIFTS)
def test_shift_by_other_offsets(
    text: str, year: int, offset: int, shifted: str
) -> None:
    assert shift_year(text, year, offset) == shifted


@pytest.mark.parametrize(
    ("context", "answer", "offset", "expected"),
    [
        ("Built in 1859.", "1859", 60, ("Built in 1919.", "1919", 60)),
        ("On 16 May 1859.", "May 1859", -20, ("On 16 May 1839.", "May 1839", -20)),
        ("In 1200.", "1200 AD", 100, ("In 1300.", "1300 AD", 100)),
        ("From 2006-07.", "2006-07", 40, ("From 2046-47.", "2046-47", 40)),
        # The other sign where the first leaves 1 to 2999, whose ends are allowed.
        ("In 101.", "101", -100, ("In 1.", "1", -100)),
        ("In 100.", "100", -100, ("In 200.", "200", 100)),
        ("In 2799.", "2799", 200, ("In 2999.", "2999", 200)),
        ("In 2800.", "2800", 200, ("In 2600.", "2600", -200)),
        ("In 3050.", "3050", 100, ("In 2950.", "2950", -100)),
    ],
)
def test_perturb(
    context: str, answer: str, offset: int, expected: tuple[str, str, int]
) -> None:
    assert perturb_year(context, answer, offset) == Perturbed(*expected)


@pytest.mark.parametrize(
    ("context", "answer", "offset", "refusal"),
    [
        ("In 2006.", "1966", 20, Refusal.ABSENT),
        ("In 12006 and 2006.5.", "2006", 20, Refusal.ABSENT),
        ("", "2006", 20, Refusal.ABSENT),
        ("In 1500.", "1500", 1500, Refusal.OUT_OF_RANGE),
        ("In 9999.", "9999", 200, Refusal.OUT_OF_RANGE),
        ("In 0.", "0", 20, Refusal.NO_YEAR),
        ("In 0079.", "0079", 20, Refusal.NO_YEAR),
        ("In 12006.", "12006", 20, Refusal.NO_YEAR),
        ("In 2006.5.", "2006.5", 20, Refusal.NO_YEAR),
        ("1990 or 2006", "1990 or 2006", 20, Refusal.NO_YEAR),
        ("the war", "the war", 20, Refusal.NO_YEAR),
        ("", "", 20, Refusal.NO_YEAR),
    ],
)
def test_refusals(context: str, answer: str, offset: int, refusal: Refusal) -> None:
    assert perturb_year(context, answer, offset) is refusal


TEXTS = st.lists(
    st.sampled_from(["in", "2006", "12006", "2006.5", "2006-07", "1966", "(2006)", "5"])
)


@given(words=TEXTS, offset=st.sampled_from([20, -40, 60, -100, 200]))
def test_nothing_else_changes(words: list[str], offset: int) -> None:
    """Shifting back restores the text; no year is left, and no other digits change."""
    text = " ".join(word for word in words if word != str(2006 + offset))
    shifted = shift_year(text, 2006, offset)
    assert shift_year(shifted, 2006 + offset, -offset) == text
    assert not re.search(r"(?<!\d)2006(?!\d|\.\d)", shifted)
    assert re.sub(r"\d", "", shifted) == re.sub(r"\d", "", text)
