"""Which columns are taken for what, and the errors that name what is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.questions_sources import (
    Fields,
    columns_of,
    read_fields,
    taken,
    value_of,
)
from inspect_debate.debate.errors import InputError

WHERE = "data.csv"


def resolved(given: Mapping[str, Any] | None, columns: str) -> str:
    """What the columns are taken for, as `question=q options=a,b`."""
    named = taken(read_fields(given), columns.split(), WHERE).named()
    return " ".join(
        f"{field}={','.join(column) if isinstance(column, list) else column}"
        for field, column in named.items()
    )


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("id question options answer", "id=id options=options answer=answer"),
        (
            "question CHOICES Label context x",
            "options=CHOICES answer=Label passage=context",
        ),
        ("question A B C D answer", "options=A,B,C,D answer=answer"),
        ("question b c target a e", "options=a,b,c answer=target"),
        ("question right wrong group", "right=right wrong=wrong group=group"),
        ("question options answer right", "options=options answer=answer"),
        (
            "question answer aliases article",
            "answer=answer accepted=aliases passage=article",
        ),
        ("question a answer", "answer=answer"),
        *(
            (
                f"question {names} answer x",
                f"options={names.replace(' ', ',')} answer=answer",
            )
            for names in (
                "option_a option_b",
                "Option_A Option_B Option_C",
                "choice_1 choice_2 choice_3",
                "option0 option1",
                " ".join(f"choice{n}" for n in range(1, 13)),
            )
        ),
        *(
            (f"question {no_options} answer", "answer=answer")
            for no_options in (
                "option_a",
                "option_a option_b option_d",
                "option_a option_B",
                "choice_2 choice_3",
                "answer_a answer_b",
            )
        ),
    ],
)
def test_usual_names(columns: str, expected: str) -> None:
    found = resolved(None, columns).split()
    assert set(found) == {"question=question", *expected.split()}


@pytest.mark.parametrize(
    ("given", "columns", "expected"),
    [
        (
            {"question": "q", "passage": None},
            "q answer context",
            "question=q answer=answer",
        ),
        (
            {"answer": "gold"},
            "question choices gold label answer",
            "question=question options=choices answer=gold",
        ),
        (
            {"right": "r", "wrong": ["w1", "w2"]},
            "question r w1 w2 answer options",
            "question=question right=r wrong=w1,w2",
        ),
        (
            {"passage": None},
            "question A B C option_a answer",
            "question=question options=A,B,C answer=answer",
        ),
        (
            {"options": ["x", "y"]},
            "question x y answer right wrong A B",
            "question=question options=x,y answer=answer",
        ),
        ({"options": None}, "question A B answer", "question=question answer=answer"),
        ({"question": 0, "answer": 1}, "0 1", "question=0 answer=1"),
        (
            {"question": "q", "accepted": "names"},
            "q names",
            "question=q accepted=names",
        ),
    ],
)
def test_given_names(given: dict[str, Any], columns: str, expected: str) -> None:
    assert set(resolved(given, columns).split()) == set(expected.split())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"options": {"A": "x"}},
            "fields.options={'A': 'x'} is not allowed: Input should be a valid string.",
        ),
    ],
)
def test_wrong_fields(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        resolved(given, "task options answer key label")
    assert caught.value.message == message


def test_options_in_two_groups_of_columns() -> None:
    columns = "question A B option_1 option_2 answer"
    with pytest.raises(InputError) as caught:
        resolved(None, columns)
    assert caught.value.message == (
        "fields.options is not given, and data.csv has several groups of columns that "
        "it could be: A,B; option_1,option_2. Name one, or null for none."
    )
    assert "options=" not in resolved({"options": None}, columns)
    assert "options=A,B" in resolved({"options": ["A", "B"]}, columns)


def test_fields_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "fields.yaml"
    path.write_text("question: q\noptions: [a, b]\nanswer: key\nanswer_from: 1\n")
    assert read_fields(str(path)) == Fields(
        question="q", options=("a", "b"), answer="key", answer_from=1
    )
    with pytest.raises(InputError, match=r"^fields=none\.yaml: cannot read"):
        read_fields("none.yaml")
    path.write_text("question")
    with pytest.raises(InputError, match="has to be a file or a mapping"):
        read_fields(str(path))


def test_columns_of_rows_that_differ() -> None:
    rows: list[dict[str, Any]] = [
        {"a": 1, "c": {"text": [], "label": []}},
        {"b": 2, "a": 3},
        {"c": None},
    ]
    assert columns_of(rows) == ["a", "c", "c.text", "c.label", "b"]
    assert value_of(rows[0], "c.text") == []
    assert value_of(rows[2], "c.text") is None
    assert value_of({"c.text": 1, "c": {"text": 2}}, "c.text") == 1
    assert value_of(rows[1], "c") is None
    assert value_of(rows[1], None) is None
