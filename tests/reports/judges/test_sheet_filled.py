"""Sheets as they come back: from the form, from spreadsheets, and with mistakes."""

import math
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.judges.sheet_back import Decision, read_filled

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
        ("code,verdict\nBBBBB,X\nBBBBB,X\n", "code BBBBB stands there 2 times"),
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


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    mary = written(tmp_path / "mary.csv", "code,verdict\nBBBBB,A\nCCCCC,B\nE,X\n")
    tom = written(tmp_path / "tom.csv", "code,verdict\nBBBBB,1\nF,X\nG,X\n")
    with pytest.raises(InputError) as error:
        read_filled([mary, tom], CODES)
    assert error.value.message.count("mary: ") == 3
    assert error.value.message.count("tom: ") == 2
    assert error.value.message.endswith("; and 1 more.")


def test_names_of_judges(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    twice = [written(tmp_path / name, PLAIN) for name in ("mary.csv", "a/mary.csv")]
    with pytest.raises(InputError, match="Two files are of a judge mary"):
        read_filled(twice, CODES)
    with pytest.raises(InputError, match="cannot be called majority"):
        read_filled([written(tmp_path / "majority.csv", PLAIN)], CODES)
    with pytest.raises(InputError, match="it has none"):
        read_filled([written(tmp_path / "---.csv", PLAIN)], CODES)
    with pytest.raises(InputError, match="cannot read"):
        read_filled([tmp_path / "nobody.csv"], CODES)
