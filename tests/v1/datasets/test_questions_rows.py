"""Rows and columns of questions: shapes, ways to give the answer, bad rows."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.v1.datasets.questions import Item, Read, questions, read_items
from inspect_debate.v1.datasets.questions_sources import (
    Fields,
    columns_of,
    read_fields,
    taken,
    value_of,
)
from inspect_debate.v1.datasets.sources import in_list
from inspect_debate.v1.debate.errors import InputError
from tests.v1.datasets.made_questions import saved

Row = dict[str, Any]


def read(rows: list[Any], **fields: Any) -> Read:
    known = columns_of(row for row in rows if isinstance(row, dict))
    found = taken(read_fields(fields), known, "x.jsonl")
    return read_items(in_list(rows, "x.jsonl", "row"), found, "x.jsonl")


def one(row: Row, **fields: Any) -> Item:
    (item,) = read([row], **fields).items
    return item


def asked(options: object, answer: object, **more: object) -> Row:
    return {"question": "Which?", "options": options, "answer": answer} | more


ABC = ["one", "two", "three"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (asked(ABC, "B"), ("one", "two", "three")),
        (asked('["one", "two"]', "b"), ("one", "two")),
        (asked("['it is', \"it isn't\"]", "B"), ("it is", "it isn't")),
        (asked({"A": "one", "B": "two", "C": None}, "B"), ("one", "two")),
        (asked('{"B": "one", "C": "two"}', "C"), ("one", "two")),
        (asked({"text": ABC, "label": ["1", "2", "3"]}, "2"), ("one", "two", "three")),
        (asked({"text": ABC}, "(b)"), ("one", "two", "three")),
        (asked([1, 7.0, 2.5, True], "7"), ("1", "7", "2.5", "true")),
        (asked([" one ", "two\n"], "two"), ("one", "two")),
        (asked(ABC, ["two"]), ("one", "two", "three")),
        (asked(ABC, "B."), ("one", "two", "three")),
        (asked(ABC, "TWO"), ("one", "two", "three")),
        (asked(["[0]", "[1, 2]"], "[1, 2]"), ("[0]", "[1, 2]")),
    ],
)
def test_shapes_of_options(row: Row, expected: tuple[str, ...]) -> None:
    item = one(row)
    assert item.options == expected
    assert item.right == 1


def test_empty_columns_are_no_options() -> None:
    row = {"question": "?", "A": "x", "B": "", "C": "y", "answer": "C"}
    item = one(row)
    assert (item.options, item.right) == (("x", "y"), 1)


WRONG: list[tuple[object, Any, Any]] = [
    ("no", "w", ("yes", "no")),
    (["no", "never"], "w", ("yes", "no", "never")),
    ('["no", "never"]', "w", ("yes", "no", "never")),
    ("[0]", "w", ("yes", "[0]")),
    ("no", ["w", "x"], ("yes", "no", "perhaps")),
    ('["no"]', ["w", "x"], ("yes", '["no"]', "perhaps")),
]


@pytest.mark.parametrize(("wrong", "columns", "expected"), WRONG)
def test_right_and_wrong(wrong: object, columns: Any, expected: Any) -> None:
    row = {"question": "?", "r": "yes", "w": wrong, "x": "perhaps"}
    item = one(row, right="r", wrong=columns)
    assert item.options == expected
    assert (item.right, item.accepted) == (0, ("yes",))


@pytest.mark.parametrize(
    ("rows", "fields", "way", "rights"),
    [
        ([asked(ABC, "A"), asked(ABC, "C")], {}, "letter", [0, 2]),
        ([asked(ABC, 0), asked(ABC, 2)], {}, "index", [0, 2]),
        ([asked(ABC, "0"), asked(ABC, 2.0)], {}, "index", [0, 2]),
        ([asked(ABC, 1), asked(ABC, 3)], {"answer_from": 1}, "index", [0, 2]),
        ([asked(ABC, "one"), asked(ABC, "three")], {}, "text", [0, 2]),
        ([asked([5, 6, 7], 6), asked([7, 8, 9], 9)], {}, "text", [1, 2]),
        (
            [asked(["0", "1", "2"], 2), asked(["1", "2", "0"], 1)],
            {"answer_as": "index", "answer_from": 0},
            "index",
            [2, 1],
        ),
        (
            [asked(["0", "1", "2"], 2), asked(["1", "2", "0"], 1)],
            {"answer_as": "text"},
            "text",
            [2, 0],
        ),
        # Both ways name the same options.
        ([asked(["A", "B"], "B"), asked(["A", "B"], "A")], {}, "letter", [1, 0]),
        ([asked(ABC, 1), asked(ABC, 2)], {"answer_from": 0}, "index", [1, 2]),
        ([asked(ABC, 1), asked(ABC, 2)], {"answer_from": 1}, "index", [0, 1]),
        # The numbers are names of options.
        ([asked({"1": "x", "2": "y"}, 1)], {}, "letter", [0]),
        ([asked({"text": ["x", "y"], "label": [1, 2]}, 2)], {}, "letter", [1]),
    ],
)
def test_ways_of_telling_the_answer(
    rows: list[Row], fields: Row, way: str, rights: list[int]
) -> None:
    rows = [row | {"question": f"Which {n}?"} for n, row in enumerate(rows)]
    found = read(rows, **fields)
    assert found.answer_as == way
    assert [item.right for item in found.items] == rights


@pytest.mark.parametrize("fields", [{}, {"answer_as": "index"}])
@pytest.mark.parametrize("skip_bad", [False, True])
def test_numbers_from_one_are_noticed(fields: Row, skip_bad: bool) -> None:
    """Even where rows may be left out: all others would be read one too far.

    Of 1, 2 and 3 with four options nobody knows where they start.
    """
    for options in (ABC, [*"wxyz"]):
        rows = [asked(options, number, question=f"{number}?") for number in (1, 2, 3)]
        with pytest.raises(InputError, match=r"give fields\.answer_from=1"):
            read(rows, skip_bad=skip_bad, **fields)


def labelled(*answers: object, **more: object) -> list[Row]:
    rows = enumerate(answers)
    return [{"question": f"{n}?", "answer": answer} | more for n, answer in rows]


@pytest.mark.parametrize("written", [json.dumps, str.lower, str.title])
def test_true_and_false_are_yes_and_no(written: Any, tmp_path: Path) -> None:
    """As in JSON, and as a table writes them."""
    answers = [True, False, False]
    texts = answers if written is json.dumps else [written(str(a)) for a in answers]
    path = saved(labelled(*texts), tmp_path / "bool.jsonl")
    found = [*questions(path, {"shuffle": False}).dataset]
    chosen = {str(s.input): (s.choices, s.target) for s in found}
    options = ["yes", "no"]
    assert chosen == {"0?": (options, "A"), "1?": (options, "B"), "2?": (options, "B")}
    free = {str(s.input): s.target for s in questions(path, answers="free").dataset}
    assert free == {"0?": ["yes"], "1?": ["no"], "2?": ["no"]}


@pytest.mark.parametrize(
    ("answers", "fields", "texts"),
    [
        ((0, 2, 1), {"labels": ["no", "perhaps", "yes"]}, ("no", "yes", "perhaps")),
        ((1, 2), {"labels": ["no", "yes"], "answer_from": 1}, ("no", "yes")),
        (("1", "-1"), {"labels": {-1: False, 1: True}}, ("yes", "no")),
        (("yes", "No"), {"labels": ["no", "yes"]}, ("yes", "no")),
        (
            (True, False),
            {"labels": {True: "right", False: "wrong"}},
            ("right", "wrong"),
        ),
        (("e", "c"), {"labels": {"c": "against", "e": "for"}}, ("for", "against")),
    ],
)
def test_names_of_labels(answers: Any, fields: Row, texts: tuple[str, ...]) -> None:
    items = read(labelled(*answers), **fields).items
    assert tuple(item.options[item.right or 0] for item in items) == texts
    assert all(sorted(item.options) == sorted(items[0].options) for item in items)


@pytest.mark.parametrize(
    ("name", "answers", "names"),
    [
        ("label", (1, 1), "1"),
        ("answer", (0, 1, 0), "0, 1"),
        ("answer", "1312", "1, 2, 3"),
        ("answer", (0, 1, 2), "0, 1, 2"),
        ("answer", (4, 2), "2, 4"),
        ("answer", (10, 9), "9, 10"),
        ("answer", ("1.0", "0.0"), "0.0, 1.0"),
        ("answer", (1, -1), "-1, 1"),
        ("answer", "A", "A"),
        ("answer", ("b", "(A)", "C."), "(A), b, C."),
        ("label", ("supported", "refuted", "supported"), "refuted, supported"),
        ("gold_labels", ("x1", "x2", "X1"), "x1, x2"),
        ("label", (30, 700), "30, 700"),
        ("label", ("so " * 40 + "on",) * 2, "so " * 19 + "..."),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_answers_that_name_something_are_no_texts(
    name: str, answers: Any, names: str, ending: str, tmp_path: Path
) -> None:
    rows = [
        {"question": f"{n}?", name: answer, "first": "x", "second": f"y{n}"}
        for n, answer in enumerate(answers)
    ]
    path = saved(rows, tmp_path / f"labels.{ending}")
    fields = {"answer": name}
    with pytest.raises(InputError) as caught:
        questions(path, fields)
    assert caught.value.message == (
        f"The answers of labels.{ending} are {names}, which look like letters, numbers "
        "or labels of options, and no options were found; give the columns with "
        "fields.options=COLUMN,COLUMN, or the names of labels with "
        "fields.labels=NAME,NAME (and fields.answer_from=1 if they are numbers from "
        "1), or answers=free if these are the answers; columns not used: first, second."
    )
    loaded = questions(path, fields, answers="free")
    assert sorted(s.target[0] for s in loaded.dataset) == sorted(map(str, answers))


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("answer", (42, 7, 7, 1821)),
        ("answer", ("supported", "refuted", "supported")),
        ("answer", ("C#", "C", "D")),
        ("answer", ("0.5", "1.0")),
        ("label", ("Paris", "Rome")),
        ("answer", ("yes", "no", "perhaps")),
    ],
)
def test_other_answers_stay_texts(
    name: str, answers: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{"question": f"{n}?", name: a} for n, a in enumerate(answers)]
    loaded = questions(saved(rows, tmp_path / "texts.jsonl"))
    assert sorted(s.target[0] for s in loaded.dataset) == sorted(map(str, answers))
    assert not caplog.messages


@pytest.mark.parametrize("answers", [None, "free"])
def test_columns_that_are_not_used_are_named(
    answers: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{"question": "?", "answer": "Paris", "first": "x", "more": {"y": 1}}]
    questions(saved(rows, tmp_path / "x.jsonl"), answers=answers)
    assert caplog.messages == [
        "x.jsonl: no options were found, so questions are answered in words; columns "
        "not used: first, more."
    ] * (answers is None)


@pytest.mark.parametrize(
    ("answers", "fields", "target"),
    [
        (("yes", "No", "NO"), {}, "ABB"),
        (("no", "no"), {}, "BB"),
        (("1.0", "0.0"), {"labels": ["no", "yes"]}, "BA"),
        (("1.0", "2.0"), {"labels": ["no", "yes"], "answer_from": 1}, "AB"),
        (("1.0", "0.0"), {"labels": {1: "yes", 0: "no"}}, "AB"),
    ],
)
def test_yes_and_no_and_numbers_with_a_point(
    answers: Any, fields: Row, target: str, tmp_path: Path
) -> None:
    path = saved(labelled(*answers), tmp_path / "yes.csv")
    found = questions(path, fields | {"shuffle": False}).dataset
    chosen = {str(s.input): (sorted(s.choices or ()), s.target) for s in found}
    expected = {f"{n}?": (["no", "yes"], letter) for n, letter in enumerate(target)}
    assert chosen == expected


def test_a_hidden_label_is_no_label() -> None:
    """-1 is not taken for the label 1, nor a word for one called None."""
    with pytest.raises(InputError, match="its answer is none of its options"):
        read(labelled("x", "y"), labels={"x": "no", "None": "yes"})
    with pytest.raises(InputError, match="its answer is none of its options"):
        read(labelled(1, 0, -1), labels={0: "no", 1: "yes"})


def test_numbers_that_are_answers_stay_numbers() -> None:
    items = read(labelled(42, 7, 7, 1821)).items
    assert [item.accepted for item in items] == [("42",), ("7",), ("7",), ("1821",)]


@pytest.mark.parametrize("columnar", [False, True])
def test_rows_in_a_column_of_rows(columnar: bool, tmp_path: Path) -> None:
    """As QuALITY has them: an article, and in one of its columns the questions."""

    def inner(article: int) -> Any:
        rows = [
            {"question": f"{article}{n}?", "options": [*"wxyz"], "gold_label": n + 1}
            for n in range(4)
        ]
        return {k: [row[k] for row in rows] for k in rows[0]} if columnar else rows

    rows = [{"article": f"Text {n}.", "questions": inner(n)} for n in range(2)]
    path = saved(rows, tmp_path / "quality.jsonl")
    fields = {"rows": "questions", "answer": "gold_label", "answer_from": 1}
    loaded = questions(path, fields | {"shuffle": False})
    found = {
        str(s.input): (s.target, (s.metadata or {})["passage"]) for s in loaded.dataset
    }
    assert found == {
        f"{article}{n}?": ("ABCD"[n], f"Text {article}.")
        for article in range(2)
        for n in range(4)
    }
    assert (loaded.provenance["rows"], loaded.provenance["groups"]) == (8, 2)
    assert loaded.provenance["fields"]["rows"] == "questions"


def test_most_rows_decide_how_the_answer_is_told() -> None:
    rows = [asked(ABC, "B", question=f"{n}?") for n in range(3)]
    found = read([*rows, asked(ABC, "two")], skip_bad=True)
    assert found.answer_as == "letter"
    assert found.left_out == {"its answer is none of its options": 1}


GOOD = asked(ABC, "B", question="What else?")
BAD: list[tuple[object, str]] = [
    (asked(ABC, "B", question=""), "it has no question"),
    (asked(ABC, "B", question="  \n"), "it has no question"),
    (asked(ABC, "B", question=None), "it has no question"),
    (asked(ABC, "B", question=["What?"]), "it has no question"),
    ({"options": ABC, "answer": "B"}, "it has no question"),
    (asked([], "B"), "it has no options"),
    (asked(None, "B"), "it has no options"),
    (asked("", "B"), "it has no options"),
    (asked("one, two", "B"), "its options are no list and no mapping ('one, two')"),
    (
        asked("[" * 3000, "B"),
        f"its options are no list and no mapping ('{'[' * 57}...')",
    ),
    (asked(7, "B"), "its options are no list and no mapping ('7')"),
    (asked(["one"], "A"), "it has not 2 to 26 options (1)"),
    (asked([str(n) for n in range(27)], "B"), "it has not 2 to 26 options (27)"),
    (asked(["one", ""], "A"), "one of its options is empty"),
    (asked(["one", None], "A"), "one of its options is empty"),
    (asked(["one", ["two"]], "A"), "one of its options is empty"),
    (
        asked(["one", "two  x", "two x"], "A"),
        "two of its options are the same ('two x')",
    ),
    (
        asked({"text": ["x", "y"], "label": ["A"]}, "A"),
        "its options have more texts than labels, or fewer",
    ),
    (asked(ABC, ""), "it has no answer"),
    (asked(ABC, None), "it has no answer"),
    (asked(ABC, float("nan")), "it has no answer"),
    (asked(ABC, ["A", "B"]), "it has several answers ('A, B')"),
    (asked(ABC, "D"), "its answer is none of its options ('D' is not among A, B, C)"),
    (asked(ABC, "AB"), "its answer is none of its options ('AB' is not among A, B, C)"),
    (
        asked({"B": "x", "C": "y"}, "A"),
        "its answer is none of its options ('A' is not among B, C)",
    ),
    (asked(ABC, "B", question="What else?"), "the question is that of another row"),
    ("What?", "it has no columns"),
    (None, "it has no columns"),
]


@pytest.mark.parametrize(("row", "reason"), BAD)
def test_hostile_rows(row: Any, reason: str) -> None:
    rows = [GOOD, asked(ABC, "A", question="Again?"), row]
    shown = f"{reason} (x.jsonl, row 1)" if "another row" in reason else reason
    with pytest.raises(InputError) as caught:
        read(rows)
    assert caught.value.message == (
        "1 of the 3 rows of x.jsonl cannot be used, unless fields.skip_bad=true "
        f"leaves them out. x.jsonl, row 3: {shown}."
    )
    found = read(rows, skip_bad=True)
    assert len(found.items) == 2
    (counted,) = found.left_out
    assert reason.startswith(counted)
    assert "(" not in counted


@pytest.mark.parametrize(
    ("row", "fields", "expected"),
    [
        ({"question": "?", "answer": "yes"}, {}, ("yes",)),
        ({"question": "?", "answer": ["yes", "Yes", "aye"]}, {}, ("yes", "aye")),
        ({"question": "?", "answer": '["yes"]'}, {}, ('["yes"]',)),
        ({"question": "?", "answer": "[1, 2]"}, {}, ("[1, 2]",)),
        (
            {"question": "?", "answer": "yes", "accepted": "['aye', 'yea']"},
            {},
            ("yes", "aye", "yea"),
        ),
        (
            {"question": "?", "answer": "1, 2", "accepted": "[1, 2]"},
            {},
            ("1, 2", "[1, 2]"),
        ),
        ({"question": "?", "answers": {"text": ["yes", "aye"]}}, {}, ("yes", "aye")),
        ({"question": "?", "answer": {"x": ["a"]}}, {"answer": "answer.x"}, ("a",)),
        ({"question": "?", "answer": 1.0}, {}, ("1",)),
        (
            {"question": "?", "answer": "yes", "aliases": ["aye", "yes"]},
            {},
            ("yes", "aye"),
        ),
        ({"question": "?", "right": "yes"}, {}, ("yes",)),
        (asked(ABC, "B", accepted=["2", "the two"]), {}, ("2", "the two", "two")),
        ({"question": "?", "answer": "[a] and {b}"}, {}, ("[a] and {b}",)),
    ],
)
def test_accepted_answers(row: Row, fields: Row, expected: tuple[str, ...]) -> None:
    assert one(row, **fields).accepted == expected


@pytest.mark.parametrize("answer", ["", None, [], {"text": []}, [None, " "]])
def test_no_accepted_answer(answer: object) -> None:
    with pytest.raises(InputError, match="row 1: it has no answer"):
        read([{"question": "?", "answer": answer}])


def test_ids() -> None:
    rows = [asked(ABC, "B", question=f"{n}?", id=n) for n in range(2)]
    assert [item.id for item in read(rows).items] == ["0", "1"]
    hashed = [item.id for item in read(rows, id=None).items]
    assert len(set(hashed)) == 2
    assert all(id.startswith("q-") and len(id) == 18 for id in hashed)
    with pytest.raises(
        InputError, match=r"its id is that of another row \(x\.jsonl, row"
    ):
        read([*rows, asked(ABC, "A", id=1)])
    with pytest.raises(InputError, match="row 3: it has no id"):
        read([*rows, asked(ABC, "A", id="")])


def test_equal_questions_on_different_passages_are_two() -> None:
    rows = [asked(ABC, "B", passage=f"Passage {n}.") for n in range(2)]
    items = read(rows).items
    assert len({item.id for item in items}) == 2
    assert len({item.group for item in items}) == 2


def test_groups() -> None:
    rows = [
        asked(ABC, "B", question=f"{n}?", passage="P" if n < 2 else None, topic=n % 2)
        for n in range(4)
    ]
    groups = [item.group for item in read(rows).items]
    assert groups[0] == groups[1]
    assert len(set(groups)) == 3
    assert [i.group for i in read(rows, group="topic").items] == ["0", "1", "0", "1"]


@pytest.mark.parametrize("text", ["\u2028", "\x00", "‮", "A) trap\nB) trap", "日本"])
def test_odd_texts_stay_as_they_are(text: str, tmp_path: Path) -> None:
    row = asked([f"x{text}y", "z"], "A", passage=f"p{text}q", question=f"a{text}b")
    path = saved([json.loads(json.dumps(row))], tmp_path / "odd.jsonl")
    (sample,) = questions(path, {"shuffle": False}).dataset
    assert sample.input == f"a{text}b"
    assert sample.choices == [f"x{text}y", "z"]
    assert (sample.metadata or {})["passage"] == f"p{text}q"


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


def test_fields_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "fields.yaml"
    path.write_text("question: q\noptions: [a, b]\nanswer: key\nanswer_from: 1\n")
    assert read_fields(str(path)) == Fields(
        question="q", options=("a", "b"), answer="key", answer_from=1
    )


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
