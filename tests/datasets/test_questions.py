"""Questions of any data set: shapes, encodings, answers, order, and what is refused."""

import csv
import json
import random
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice, includes

from inspect_debate.datasets.common import Sourced
from inspect_debate.datasets.matching import right_answer
from inspect_debate.datasets.questions import SAMPLE, questions
from inspect_debate.debate.errors import InputError
from inspect_debate.solvers.baselines import judge_alone, single
from inspect_debate.solvers.colmad import colmad

Row = dict[str, Any]
ABC = ["one", "two", "three"]
NAMED: Row = {"question": "q", "options": ["x", "y"], "answer": "k"}


def asked(options: object, answer: object, **more: object) -> Row:
    return {"question": "Which?", "options": options, "answer": answer} | more


def saved(folder: Path, rows: Any, name: str = "x.json") -> str:
    path, buffer = folder / name, StringIO(newline="")
    if path.suffix == ".jsonl":
        buffer.writelines(f"{json.dumps(row)}\n" for row in rows)
    elif path.suffix == ".json":
        json.dump(rows, buffer)
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        writer = csv.DictWriter(buffer, [*rows[0]], delimiter=mark)
        writer.writeheader()
        writer.writerows(rows)
    path.write_bytes(buffer.getvalue().encode())
    return str(path)


def right(sample: Sample) -> str:
    """The text of the option that the target names."""
    return (sample.choices or [])["ABCD".index(str(sample.target))]


def about(sample: Sample) -> Row:
    return sample.metadata or {}


def rights(data: Sourced) -> dict[str, str]:
    return {str(sample.input): right(sample) for sample in data}


def numbered(*rows: Row) -> list[Row]:
    return [row | {"question": f"{n}?"} for n, row in enumerate(rows)]


UP: Row = {"text": ABC, "label": [*"123"]}
WRONG = ("no", ["no", "never"], '["no", "never"]')
RIGHT: Row = {"question": "?", "r": "two", "x": "one", "answer": "7"}


@pytest.mark.parametrize(
    ("row", "fields", "answer"),
    [
        *((asked(ABC, b), {}, "two") for b in ("B", "b.", "(b)", ["B"], "TWO", "two")),
        (asked('["one", "two"]', "b"), {}, "two"),
        (asked({"A": "one", "B": " two\n", "C": None}, "B"), {}, "two"),
        (asked('{"B": "one", "C": "two"}', "C"), {}, "two"),
        *((asked(UP, "2"), {}, "two"), (asked({"text": ABC}, "b"), {}, "two")),
        *((asked([1, 7.0, 2.5, True], b), {}, b) for b in ("7", "2.5", "true")),
        (asked(["[0]", "[1, 2]"], "[1, 2]"), {}, "[1, 2]"),
        (asked({"1": "two", "2": "one"}, 1), {}, "two"),
        ({"input": "?", "choices": ABC, "target": "B"}, {}, "two"),
        ({"Question": "?", "A": "one", "B": "", "C": "two", "label": "C"}, {}, "two"),
        ({"question": "?", "b": "two", "a": "one", "answer": "B"}, {}, "two"),
        (
            {"question": "?", "choice_1": "two", "choice_2": "x", "answer": "A"},
            {},
            "two",
        ),
        ({"q": "?", "x": "one", "y": "two", "k": "B"}, NAMED, "two"),
        *((RIGHT | {"w": no}, {"right": "r", "wrong": "w"}, "two") for no in WRONG),
        *(
            (RIGHT | {"w": no}, {"right": "r", "wrong": ["w", "x"]}, "two")
            for no in "n "
        ),
    ],
)
def test_shapes_of_options(row: Row, fields: Row, answer: str, tmp_path: Path) -> None:
    (sample,) = questions(saved(tmp_path, [row]), fields)
    assert right(sample) == answer
    known = {*ABC, "no", "never", "n", "x", "1", "7", "2.5", "true", "[0]", "[1, 2]"}
    assert {*(sample.choices or [])} <= known


X = ["1", "2", "0"]


@pytest.mark.parametrize(
    ("options", "answers", "given", "way", "expected"),
    [
        (ABC, ("A", "C"), None, "letter", ("one", "three")),
        (ABC, ("0", 2.0), None, "index", ("one", "three")),
        (ABC, (1, 3), None, "number", ("one", "three")),
        (ABC, ("one", "three"), None, "text", ("one", "three")),
        (["5", "7", "6"], (6, 5), None, "text", ("6", "5")),
        (X, (2, 0), "index", "index", ("0", "1")),
        (X, (2, 0), "text", "text", ("2", "0")),
        (ABC, (1, 2), "index", "index", ("two", "three")),
        (ABC, (1, 2), "number", "number", ("one", "two")),
        # Which way is meant is not known.
        *((few, a, None, None, ()) for few, a in ((ABC, (1, 2)), (X, (2, 0)))),
        (["B", "A"], ("B", "A"), None, None, ()),
    ],
)
def test_ways_of_naming_the_answer(
    options: Any, answers: Any, given: Any, way: Any, expected: Any, tmp_path: Path
) -> None:
    rows = numbered(*(asked(options, answer) for answer in answers))
    path, fields = saved(tmp_path, rows), {"answer_as": given}
    if way is None:
        with pytest.raises(InputError, match="answer_as"):
            questions(path, fields)
        return
    found = questions(path, fields)
    assert found.provenance["answer_as"] == way
    assert tuple(rights(found)[row["question"]] for row in rows) == expected


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize(
    ("answers", "labels", "expected"),
    [
        ((True, False), None, ("yes", "no")),
        (("FALSE", "True"), None, ("no", "yes")),
        (("yes", "No"), None, ("yes", "no")),
        ((0, 2, 1), ["no", "perhaps", "yes"], ("no", "yes", "perhaps")),
        (("1", "-1"), {-1: "bad", 1: "good"}, ("good", "bad")),
        (("1.0", "0.0"), {1: "good", 0: "bad"}, ("good", "bad")),
        (("e", "c"), {"c": "against", "e": "for"}, ("for", "against")),
        # They look like names of options.
        *((given, None, None) for given in (("A", "B"), (0, 1, 1), (1, -1))),
    ],
)
def test_labels(
    answers: Any, labels: Any, expected: Any, ending: str, tmp_path: Path
) -> None:
    rows = numbered(*({"question": "", "answer": answer} for answer in answers))
    path = saved(tmp_path, rows, f"x.{ending}")
    if expected is None:
        with pytest.raises(InputError):
            questions(path)
        in_words = questions(path, {"options": None})
        assert sorted(str(s.target[0]) for s in in_words) == sorted(map(str, answers))
    else:
        found = rights(questions(path, {"labels": labels} if labels else {}))
        assert tuple(found[row["question"]] for row in rows) == expected


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [
        *(("Paris", ["Paris"]), (1821.0, ["1821"]), ("[1, 2]", ["[1, 2]"])),
        (["yes", "aye"], ["yes", "aye"]),
        *(('["yes", "aye"]', ["yes", "aye"]), ({"text": ["aye"]}, ["aye"])),
    ],
)
def test_answers_in_words(answer: Any, accepted: list[str], tmp_path: Path) -> None:
    found = questions(saved(tmp_path, [{"question": "?", "answers": answer}]))
    assert (found[0].choices, found[0].target) == (None, accepted)
    assert found.provenance["answer_as"] is None


def test_two_candidates_are_the_right_one_and_one_drawn(tmp_path: Path) -> None:
    path = saved(tmp_path, numbered(*(asked([*"wxyz"], "B") for _ in range(400))))
    found = questions(path, candidates="two")
    drawn = Counter(choice for sample in found for choice in sample.choices or [])
    assert {len(sample.choices or []) for sample in found} == {2}
    assert ({*rights(found).values()}, drawn["x"]) == ({"x"}, 400)
    assert min(drawn[wrong] for wrong in "wyz") > 100  # 133 expected, deviation 9.4
    assert 150 < sum(sample.target == "A" for sample in found) < 250
    assert [*questions(path, candidates="two")] == [*found]
    places = Counter(str(sample.target) for sample in questions(path))
    assert min(places[letter] for letter in "ABCD") > 70


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv", "tsv"])
def test_a_question_depends_on_no_other_nor_on_the_file(
    kind: str, tmp_path: Path
) -> None:
    listed = json.dumps(ABC)
    rows = numbered(*(asked(listed, "B", passage=f"P{n // 3}") for n in range(30)))
    samples = [*questions(saved(tmp_path, rows))]
    random.Random(1).shuffle(rows)
    found = questions(saved(tmp_path, rows, f"y.{kind}"))
    assert [*found] == samples
    assert found.provenance["dataset"] == f"y.{kind}"
    assert str(tmp_path) not in json.dumps(found.provenance)
    by_id = {sample.id: sample for sample in samples}
    assert all(by_id[s.id] == s for s in questions(saved(tmp_path, rows[:9])))
    other = [*questions(saved(tmp_path, rows), seed=1)]
    assert {sample.id for sample in other} == {*by_id}
    assert [sample.id for sample in other] != [*by_id]
    assert any(sample.choices != by_id[sample.id].choices for sample in other)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_groups_are_spread_over_every_prefix(seed: int, tmp_path: Path) -> None:
    sizes = {"a": 3, "b": 6, "c": 12, "d": 1}
    groups = [name for name, size in sizes.items() for _ in range(size)]
    rows = numbered(*(asked(ABC, "B", group=group) for group in groups))
    seen: Counter[str] = Counter()
    for place, sample in enumerate(questions(saved(tmp_path, rows), seed=seed), 1):
        seen[about(sample)["input_group"]] += 1
        for name, size in sizes.items():
            assert abs(seen[name] - place * size / len(rows)) < 2


def test_ids_and_groups(tmp_path: Path) -> None:
    rows = [asked(ABC, "B", passage=f"P{n}", nr=n, topic=n % 2) for n in range(4)]
    rows += numbered(*(asked(ABC, "B", nr=9 + n, topic=7) for n in range(2)))
    found = questions(path := saved(tmp_path, rows))
    assert len({sample.id for sample in found}) == found.provenance["groups"] == 6
    assert sum("passage" in about(sample) for sample in found) == 4
    named = questions(path, {"id": "nr", "group": "topic"})
    found_groups = {str(s.id): about(s)["input_group"] for s in named}
    ids = ("0", "1", "2", "3", "9", "10")
    assert found_groups == dict(zip(ids, "010177", strict=True))
    assert all(about(sample)["question_id"] == sample.id for sample in named)


def test_nested_rows_and_fields_of_a_file(tmp_path: Path) -> None:
    def inner(about: int) -> list[Row]:
        names = [f"{about}{n}?" for n in range(4)]
        return [{"q": q, "options": [*"wxyz"], "g": n} for n, q in enumerate(names, 1)]

    rows = [{"article": f"Text {a}.", "qs": inner(a)} for a in range(2)]
    fields = tmp_path / "fields.yaml"
    fields.write_text("rows: qs\nquestion: q\nanswer: g\nid:\ngroup: null\n", "utf-8")
    found = questions(saved(tmp_path, rows), str(fields))
    assert rights(found) == {f"{a}{n}?": "wxyz"[n] for a in range(2) for n in range(4)}
    assert (found.provenance["questions"], found.provenance["groups"]) == (8, 2)
    fields.write_text("labels: [no, yes]\n", "utf-8")  # which stay words
    path = saved(tmp_path, numbered({"answer": 0}, {"answer": 1}), "z.jsonl")
    assert rights(questions(path, str(fields))) == {"0?": "no", "1?": "yes"}


TABLE = 'question,A,B,answer\r\n"What, ""é""\r\nor?",1,“x”,A\r\n'


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("encoding", "remedy"),
    [
        *(("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "")),
        *(("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")),
        *(("cp1252", "WINDOWS-1252"), ("mac-roman", "CSV UTF-8")),
    ],
)
def test_spreadsheets(mark: str, encoding: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "u.csv"
    path.write_bytes(TABLE.replace(",", mark).encode(encoding))
    if remedy:
        with pytest.raises(InputError, match=remedy):
            questions(str(path))
        return
    (sample,) = questions(str(path))
    assert (str(sample.input), right(sample)) == (f'What{mark} "é"\nor?', "1")


def test_the_hub_is_read_at_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def info(name: str, revision: str | None) -> SimpleNamespace:
        calls.append((name, revision))
        return SimpleNamespace(sha="c0ffee")

    def load(*args: Any, **how: Any) -> list[Row]:
        calls.append((*args, how))
        return [asked(ABC, 0)]

    api = SimpleNamespace(HfApi=lambda: SimpleNamespace(dataset_info=info))
    loader = SimpleNamespace(load_dataset=load)
    monkeypatch.setitem(sys.modules, "huggingface_hub", api)
    monkeypatch.setitem(sys.modules, "datasets", loader)
    found = questions("huggingface:o/n@refs/pr/2/main:test[:9]")
    assert (found.provenance["revision"], right(found[0])) == ("c0ffee", "one")
    questions("huggingface:o/n:test")
    assert calls == [
        ("o/n", "refs/pr/2"),
        ("o/n", {"revision": "c0ffee", "name": "main", "split": "test[:9]"}),
        ("o/n", None),
        ("o/n", {"revision": "c0ffee", "name": None, "split": "test"}),
    ]
    loader.load_dataset = lambda *_, **__: 1 / 0
    with pytest.raises(InputError):
        questions("huggingface:o/n:test")


@pytest.mark.parametrize(
    "row",
    [
        *(asked(ABC, "B", question=no) for no in ("", " \n", None, ["What?"])),
        *(asked(no, "B") for no in ([], None, "", "one, two", 7, "[" * 3000, ["one"])),
        *(asked(no, "A") for no in (["one", ""], ["one", None], ["x  y", "x y"])),
        asked([str(n) for n in range(27)], "B"),
        *(asked({"text": [*"xy"], "label": no}, "A") for no in (["A"], ["A", "A"])),
        *(asked(ABC, no) for no in ("", None, float("nan"), ["A", "B"], "D", "AB", 9)),
        asked({"B": "x", "C": "y"}, "A"),
        asked(ABC, "C", question="0?"),
        "What?",
    ],
)
def test_a_row_that_is_no_question_is_named(row: Any, tmp_path: Path) -> None:
    rows = [*numbered(asked(ABC, "B"), asked(ABC, "A")), row]
    with pytest.raises(InputError, match=r"row 3 of x\.json "):
        questions(saved(tmp_path, rows))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("a.csv", no) for no in ("", "question,answer\n", "q,answer\nx,y\n")),
        *(("a.csv", f"question,answer\n{no}") for no in ("x\n", 'x,"y\nz,w\n')),
        *(("a.jsonl", no) for no in ('{"question": 1', "[1]\n", "")),
        *(("a.json", no) for no in ("{", "[]", '["x"]', "7")),
        ("a.csv", "PK\3\4\0"),
        *(("a.xlsx", "x"), ("a.csv", "question,context,article,answer\na,b,c,d")),
    ],
)
def test_files_that_cannot_be_used(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError):
        questions(str(tmp_path / name))


@pytest.mark.parametrize(
    "given",
    [
        *({"dataset": no} for no in ("nowhere.csv", "huggingface:x", "smaple")),
        *({"fields": no} for no in ({"optoins": "a"}, {"answer": "key"}, "none.yaml")),
        *({"fields": no} for no in ({"answer_as": "leter"}, {"right": "answer"})),
        *({"fields": {"rows": "id"}}, {"candidates": "three"}),
    ],
)
def test_arguments_that_are_refused(given: Row) -> None:
    with pytest.raises(InputError):
        questions(**given)


def test_the_sample_is_settled_by_its_passages() -> None:
    items = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    assert {*Counter(item["group"] for item in items).values()} == {3}
    for item in items:
        assert item["passage"].count(item["quote"]) == 1
        best = item["options"]["ABCD".index(item["answer"])]
        for option in item["options"]:
            fits = any(right_answer(option, answer) for answer in item["accepted"])
            assert fits == (option == best)
    assert {*Counter(item["answer"] for item in items).values()} <= {6, 7}
    first = [about(sample)["input_group"] for sample in questions()][:9]
    assert len({*first}) == 9


@pytest.mark.parametrize("protocol", [single, judge_alone, colmad])
@pytest.mark.parametrize("options", ["options", None])
def test_question_protocols_run_on_them(
    protocol: Any, options: str | None, tmp_path: Path
) -> None:
    if protocol is judge_alone and options is None:
        return  # it decides between options
    fields = {"options": options, "answer": "answer" if options else "accepted"}
    scorer = choice() if options else includes()
    task = Task(questions("sample", fields, "two"), solver=protocol(), scorer=scorer)
    where: Row = {"log_dir": str(tmp_path), "display": "none", "limit": 10}
    (log,) = inspect_eval(task, model="simulated/balanced", **where)
    assert log.results is not None
    assert log.results.completed_samples == 10
    assert log.results.scores[0].metrics["accuracy"].value >= 0.5


@pytest.mark.parametrize(
    ("extra", "fields", "named"),
    [
        ({"text": "A long story."}, {}, True),
        ({"text": "A long story."}, {"passage": "text"}, False),
        ({"text": "A long story."}, {"passage": None}, False),
        ({"passage": "A long story."}, {}, False),
        ({}, {}, False),
    ],
)
def test_a_passage_under_another_name_is_not_missed_in_silence(
    tmp_path: Path, caplog: Any, extra: Row, fields: Row, named: bool
) -> None:
    row = {"question": "Who?", "right": "Ann", "wrong": "Ben", **extra}
    questions(saved(tmp_path, [row]), fields)
    assert ("text" in caplog.text) == named
