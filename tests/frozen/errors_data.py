"""Inputs that the data sets refuse: files, columns, rows, and what names them."""

import base64
from copy import deepcopy
from typing import Any

Case = dict[str, Any]


def _raw(content: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(content).decode()}


def _tasks(task: str, group: str, cases: dict[str, Any], **given: Any) -> list[Case]:
    """Cases of one task; of a pair (args, files) or of args alone."""
    return [
        {
            "id": f"{group}: {id}",
            "run": "task",
            "name": task,
            "args": given | (case[0] if isinstance(case, tuple) else case),
            "files": case[1] if isinstance(case, tuple) else {},
        }
        for id, case in cases.items()
    ]


def _files(parameter: str, cases: dict[str, tuple[str, Any]]) -> dict[str, Any]:
    """Cases of a parameter that names a file, by the file's name and content."""
    return {id: ({parameter: name}, {name: text}) for id, (name, text) in cases.items()}


# --- ARC ------------------------------------------------------------------------------

PAIR = {"input": [[0, 1]], "output": [[1, 0]]}
ARC: dict[str, Any] = {"train": [PAIR], "test": [PAIR, PAIR]}


def _arc(key: str, value: Any) -> dict[str, Any]:
    return {"x.json": ARC | {"test": [PAIR, PAIR | {key: value}]}}


GRIDS: dict[str, Any] = {
    "text": "1 2",
    "no lists": [1, 2],
    "no rows": [],
    "no cells": [[]],
    "too high": [[1]] * 31,
    "too wide": [[1] * 31],
    "ragged": [[1, 2], [3]],
    "ten": [[10]],
    "fraction": [[1.0]],
}
ARC_CASES: dict[str, Any] = {
    **{
        f"grid {id}": ({"source": "x.json"}, _arc("output", grid))
        for id, grid in GRIDS.items()
    },
    **_files(
        "source",
        {
            "a list": ("x.json", []),
            "no JSON": ("x.json", "{"),
            "too deep": ("x.json", "[" * 100_000),
            "no pairs": ("x.json", ARC | {"train": []}),
            "no input": ("x.json", ARC | {"train": [{"output": [[1]]}]}),
            "no output": ("x.json", ARC | {"test": [{"input": [[1]]}]}),
            "another ending": ("x.jsonl", "{}"),
            "empty folder": ("folder", None),
        },
    ),
    "a folder in place of a file": ({"source": "a"}, {"a/x.json": None}),
    "no such folder": {"source": "here/tasks"},
    "a word misspelt": {"source": "publishd"},
    "a number": {"source": 5},
    "no evaluation": ({"source": "a", "split": "both"}, {"a/training/x.json": ARC}),
    "another split": (
        {"source": "a/training", "split": "evaluation"},
        {"a/training/x.json": ARC, "a/evaluation/y.json": ARC},
    ),
    "one name twice": (
        {"source": "a", "split": "both"},
        {"a/training/x.json": ARC, "a/evaluation/x.json": ARC},
    ),
    "version true": ({"source": "x.json", "version": True}, {"x.json": ARC}),
    "version with a hyphen": ({"source": "x.json", "version": "a-b"}, {"x.json": ARC}),
    "version of the sample": {"source": "sample", "version": 2},
    "published version": {"source": "published", "version": 3},
    "split": ({"source": "x.json", "split": "test"}, {"x.json": ARC}),
    "split of the sample": {"source": "sample", "split": "training"},
}

# --- BigCodeBench ---------------------------------------------------------------------

TESTS = (
    "import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_0(self):\n        self.assertEqual(task_func(1), 1)\n"
)
HEAD = "def task_func(n):\n"
CODE: dict[str, Any] = {
    "task_id": "BigCodeBench/1",
    "complete_prompt": HEAD + '    """Give back n."""\n',
    "instruct_prompt": "Give back n.",
    "code_prompt": HEAD,
    "canonical_solution": "    return n\n",
    "test": TESTS,
    "entry_point": "task_func",
    "libs": "['json']",
}
NESTED: dict[str, Any] = {
    "task_id": "BigCodeBench/1",
    "status": "active",
    "content": {k: v for k, v in CODE.items() if k != "task_id"},
}


def _code(**changed: Any) -> tuple[str, Any]:
    return "x.jsonl", [CODE | changed]


CODE_CASES: dict[str, Any] = _files(
    "source",
    {
        "a list": ("x.jsonl", [[]]),
        "no id": _code(task_id=None),
        "an id with spaces": _code(task_id="a b"),
        "no content": ("x.jsonl", [NESTED | {"content": "x"}]),
        "status": ("x.jsonl", [NESTED | {"status": "done"}]),
        "all excluded": ("x.jsonl", [NESTED | {"status": "excluded"}]),
        "libs": _code(libs=None),
        "libs in words": _code(libs="csv, json"),
        "no solution": _code(canonical_solution="return +"),
        "another head": _code(
            code_prompt="x = [", canonical_solution="]\ndef task_func(): pass"
        ),
        "another name": _code(entry_point="solve"),
        "tests no Python": _code(test="class"),
        "no tests": _code(test="class TestCases: pass"),
        "nested without a text": (
            "x.jsonl",
            [NESTED | {"content": NESTED["content"] | {"entry_point": ""}}],
        ),
        "twice": ("x.jsonl", [CODE, CODE | {"task_id": "other/1"}]),
        "empty": ("x.jsonl", "\n"),
        "no JSON": ("x.jsonl", "{}\n{"),
        "a number": ("x.json", "1"),
        "a list of texts": ("x.json", ["x"]),
        "too deep": ("x.json", "[" * 100_000),
        "no Parquet": ("x.parquet", "PAR1"),
        "another ending": ("x.csv", ""),
        "empty folder": ("folder", None),
    },
)
CODE_CASES |= {
    f"no {name}": ({"source": "x.jsonl"}, {"x.jsonl": [CODE | {name: value}]})
    for name, value in {
        "complete_prompt": None,
        "code_prompt": "",
        "canonical_solution": " \n",
        "test": 5,
        "entry_point": ["x"],
    }.items()
}
CODE_CASES |= {
    "no such folder": {"source": "here/tasks"},
    "a word misspelt": {"source": "publishd"},
    "a folder as a file": ({"source": "a"}, {"a/x.json": None}),
    "version true": ({"source": "x.jsonl", "version": True}, {"x.jsonl": [CODE]}),
    "version with a space": (
        {"source": "x.jsonl", "version": "a b"},
        {"x.jsonl": [CODE]},
    ),
    "version of the sample": {"source": "sample", "version": "v1"},
    "split": {"source": "sample", "split": "both"},
}

# --- ClashEval ------------------------------------------------------------------------

ROW = {
    "question": "How long?",
    "context_original": "It is 10 long.",
    "context_mod": "It is 12 long.",
    "answer_original": "10",
    "answer_mod": "12",
    "mod_degree": "1.2",
    "dataset": "drugs",
}


def _clash(**changed: Any) -> tuple[str, Any]:
    return "a.jsonl", [
        {k: v for k, v in (ROW | changed).items() if v != "not there"},
        ROW,
    ]


CLASH_CASES: dict[str, Any] = _files(
    "source",
    {
        **{f"no {column}": _clash(**{column: "not there"}) for column in ROW},
        "another domain": _clash(dataset="gossip"),
        "no Parquet": ("a.parquet", _raw(b"no parquet")),
        "empty CSV": ("a.csv", ""),
        "CSV that is cut": ("a.csv", 'question,b\n"1'),
        "CSV not UTF-8": ("a.csv", _raw(b"question\n\xff\xfe")),
        "CSV without rows": ("a.csv", "question,answer_mod\n"),
        "no rows": ("a.jsonl", ""),
        "no JSON": ("a.jsonl", "{"),
        "a list": ("a.jsonl", "{}\n[1]"),
        "another ending": ("a.xlsx", ""),
        "a folder": ("folder.csv", None),
        "too few to show": _clash(),
    },
)
CLASH_CASES |= {
    "a word misspelt": {"source": "publishd"},
    "no such file": {"source": "none.csv"},
    "a number": {"source": 5},
    "revision": {"source": "sample", "revision": "v1"},
    "shots": {"source": "sample", "shots": 1000},
    "shots below": {"source": "sample", "shots": -1},
    "questions": {"source": "sample", "questions": 0},
    "questions not whole": {"source": "sample", "questions": 2.5},
    "domain": {"source": "sample", "domains": "cities"},
    "no domain": {"source": "sample", "domains": []},
    "none of a domain": (
        {"source": "a.jsonl", "domains": "news,drugs", "shots": 0},
        {"a.jsonl": [ROW | {"dataset": "names", "mod_degree": "slight"}]},
    ),
    "a number as domain": {"source": "sample", "domains": 7},
}

# --- ReaLMistake ----------------------------------------------------------------------

RECORD: dict[str, Any] = {
    "input": "State the sum of 17 and 25.",
    "llm_response": "The sum is 52.",
    "error_label": "error",
    "error_categories": ["Reasoning Correctness"],
    "human_explanation": "It is 42.",
    "metadata": {
        "id": "one",
        "task_name": "math_word_problem_generation",
        "task_source": "made",
        "difficulty": "easy",
        "llm_response_model": "gpt-4-0613",
    },
}


def _record(*path: str, value: Any = "not there") -> tuple[str, Any]:
    record = deepcopy(RECORD)
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    if value == "not there":
        del place[path[-1]]
    return "some.jsonl", [RECORD, record]


MISTAKE_CASES: dict[str, Any] = _files(
    "source",
    {
        "no input": _record("input"),
        "no response": _record("llm_response"),
        "no label": _record("error_label"),
        "no categories": _record("error_categories"),
        "no metadata": _record("metadata"),
        "no id": _record("metadata", "id"),
        "empty input": _record("input", value=""),
        "another label": _record("error_label", value="wrong"),
        "categories in a text": _record("error_categories", value="a, b"),
        "another task": _record("metadata", "task_name", value="poetry"),
        "another model": _record("metadata", "llm_response_model", value="gpt-5"),
        "a list": ("some.jsonl", "[]\n"),
        "no JSON": ("some.jsonl", "{"),
        "twice": ("some.jsonl", [RECORD, RECORD]),
        "no zip": ("data.zip", "not a zip"),
        "another ending": ("data.txt", ""),
        "an empty folder": ("folder", None),
    },
)
MISTAKE_CASES |= {
    "no record of it": (
        {"source": "some.jsonl", "subset": "fact"},
        {"some.jsonl": [RECORD]},
    ),
    "subset": {"source": "sample", "subset": "maths"},
    "author": {"source": "sample", "response_author": "gpt-4"},
    "both subsets": {"source": "sample", "subset": "both"},
    "a word misspelt": {"source": "publishd"},
    "no such file": {"source": "no/such.zip"},
    "a number": {"source": 5},
}

# --- questions of one's own -----------------------------------------------------------

ABC = ["one", "two", "three"]


def _asked(options: Any, answer: Any, question: Any = "What?", **more: Any) -> Any:
    return {"question": question, "options": options, "answer": answer} | more


BAD: dict[str, Any] = {
    "empty question": _asked(ABC, "B", question=""),
    "a list as question": _asked(ABC, "B", question=["What?"]),
    "no options": _asked([], "B"),
    "options in words": _asked("one, two", "B"),
    "one option": _asked(["one"], "A"),
    "many options": _asked([str(n) for n in range(27)], "B"),
    "empty option": _asked(["one", ""], "A"),
    "same options": _asked(["one", "two  x", "two x"], "A"),
    "labels and texts": _asked({"text": ["x", "y"], "label": ["A"]}, "A"),
    "empty answer": _asked(ABC, ""),
    "several answers": _asked(ABC, ["A", "B"]),
    "answer D": _asked(ABC, "D"),
    "question twice": _asked(ABC, "B", question="What else?"),
    "a text as row": "What?",
}
GOOD = [_asked(ABC, "B", question="What else?"), _asked(ABC, "A", question="Again?")]
QUESTION_CASES: dict[str, Any] = _files(
    "dataset",
    {
        **{f"row: {id}": ("x.jsonl", [*GOOD, row]) for id, row in BAD.items()},
        "many bad rows": (
            "x.jsonl",
            [*GOOD, *[_asked([], "B", question=f"{n}?") for n in range(40)]],
        ),
        "no good row": ("x.jsonl", [_asked([], "B")]),
        "no right": ("x.json", [{"question": "?", "right": "", "wrong": "no"}]),
        "answer in two ways": (
            "x.jsonl",
            [
                _asked(["1", "2", "0"], 2),
                _asked(["0", "2", "1"], 1, question="Or?"),
            ],
        ),
        "from one": (
            "x.jsonl",
            [_asked(ABC, number, question=f"{number}?") for number in (1, 2, 3)],
        ),
        "without zero": (
            "x.jsonl",
            [_asked([*"wxyz"], number, question=f"{number}?") for number in (1, 2)],
        ),
        "labels as answers": (
            "labels.csv",
            "question,label,first,second\n0?,0,x,y\n1?,1,x,z\n2?,1,x,w\n",
        ),
        "words as answers": (
            "labels.csv",
            "question,label,first,second\n0?,for,x,y\n1?,against,x,z\n2?,for,x,w\n",
        ),
        "rows in a column": (
            "x.jsonl",
            [{"article": "Text.", "questions": [_asked(ABC, "A")]}],
        ),
        "no id": ("x.jsonl", [_asked(ABC, "A", id="")]),
        "an id twice": (
            "x.jsonl",
            [_asked(ABC, "A", id=1), _asked(ABC, "A", id=1, question="Or?")],
        ),
        "no accepted answer": ("x.json", [{"question": "?", "answer": []}]),
        "empty CSV": ("a.csv", ""),
        "CSV without rows": ("a.csv", "question,answer\n"),
        "empty list": ("a.json", []),
        "more cells": ("a.csv", "question,answer\na,b,c\n"),
        "fewer cells": ("a.csv", "question,answer\na,b\nc\n"),
        "columns twice": ("a.csv", "answer,answer\na,b\n"),
        "CSV that is cut": ("a.csv", 'question,answer\n"a,b\n'),
        "not UTF-8": ("a.csv", _raw(b"question,answer\n\xff,b\n")),
        "no JSON": ("a.jsonl", '{"question": 1}\n{'),
        "too deep": ("a.json", "[" * 100_000),
        "no Parquet": ("a.parquet", "no"),
        "numbers": ("a.json", [1, 2]),
        "another ending": ("a.txt", "x"),
        "a folder": ("folder.csv", None),
        "two groups of options": (
            "data.csv",
            "question,A,B,option_1,option_2,answer\n?,1,2,3,4,A\n",
        ),
    },
)
COLUMNS = {"data.csv": "task,options,answer,key,label\n?,x,y,z,w\n"}
QUESTION_CASES |= {
    f"fields: {id}": ({"dataset": "data.csv", "fields": fields}, COLUMNS)
    for id, fields in {
        "question": {"question": "query"},
        "options": {"question": "task", "options": ["options", "answers"]},
        "passage": {"question": "task", "passage": "text"},
        "no question": {"answer": "key"},
        "several answers": {"question": "task"},
        "no answer": {"question": "task", "answer": None},
        "no right": {"question": "task", "wrong": "key"},
        "no such field": {"query": "task"},
        "answer_as": {"answer_as": "number"},
        "answer_from": {"answer_from": 2},
        "skip_bad": {"skip_bad": 1},
        "a list": {"question": ["a", "b"]},
        "no options": {"options": []},
        "options and right": {"options": "options", "right": "key"},
        "labels and options": {"labels": ["a", "b"], "options": "options"},
        "answer and right": {"answer": "answer", "right": "key"},
        "no file": "none.yaml",
        "a number": 7,
    }.items()
}
QUESTION_CASES |= {
    "fields: a file without fields": (
        {"dataset": "data.csv", "fields": "f.yaml"},
        COLUMNS | {"f.yaml": "question"},
    ),
    "fields: no YAML": (
        {"dataset": "data.csv", "fields": "f.yaml"},
        COLUMNS | {"f.yaml": "a: ["},
    ),
    "rows in no column": (
        {"dataset": "x.jsonl", "fields.rows": "article"},
        {"x.jsonl": [{"article": "Text.", "questions": [_asked(ABC, "A")]}]},
    ),
    "options without options": (
        {"dataset": "x.json", "answers": "options"},
        {"x.json": [{"question": "Where?", "answer": "Rome"}]},
    ),
    "a word misspelt": {"dataset": "smaple"},
    "no such file": {"dataset": "none.csv"},
    "no such path": {"dataset": "./none"},
    "a number": {"dataset": 7},
    "answers": {"answers": "words"},
    "candidates": {"candidates": "three"},
    "hub: no form": {"dataset": "huggingface:a b:"},
    "hub: no file": {"dataset": "huggingface:./none.json:train"},
    "hub: another ending": ({"dataset": "huggingface:./a.txt"}, {"a.txt": "x"}),
    "hub: several splits": (
        {"dataset": "huggingface:./folder"},
        {
            "folder/train.csv": "question,answer\na,b\n",
            "folder/test.csv": "question,answer\nc,d\n",
        },
    ),
    "hub: another split": (
        {"dataset": "huggingface:./a.csv:dev"},
        {"a.csv": "question,answer\na,b\n"},
    ),
}

# --- motions and pairings -------------------------------------------------------------

A = "This house would ban cars from the centre of every town"
B = "This house would light every lamp in the harbour at night"
MOTION_CASES: dict[str, Any] = _files(
    "motions",
    {
        "another ending": ("a.csv", A),
        "no ending": ("motions", A),
        "none in a text": ("a.txt", " \n\n"),
        "none in a list": ("a.json", []),
        "a text twice": ("a.txt", f"{A}\n{B}\n{A}"),
        "an id twice": ("a.json", [{"id": "x", "text": A}, {"id": "x", "text": B}]),
        "no JSON": ("a.json", "{"),
        "no YAML": ("a.yaml", "a: ["),
        "empty YAML": ("a.yaml", ""),
        "no list": ("a.json", {"motion": A}),
        "a list of texts": ("a.json", [A]),
        "another key": ("a.json", [{"text": A}, {"txt": B}]),
        "no text": ("a.json", [{"id": "x"}]),
        "an empty text": ("a.json", [{"text": " "}]),
        "a number as id": ("a.json", [{"text": A, "id": 3}]),
        "an id with a space": ("a.json", [{"text": A, "id": "a b"}]),
        "a side that is null": ("a.json", [{"text": A, "opposition": None}]),
        "a number as topic": ("a.json", [{"topic_description": 1}]),
        "not UTF-8": ("a.txt", _raw(b"\xff\xfe\x00")),
        "an empty folder": ("folder", None),
    },
)
MOTION_CASES |= {
    "no such file": {"motions": "none.txt"},
    "a number": {"motions": 5},
    "no transcript": ({"motions": "folder"}, {"folder/other.json": ["x"]}),
    "a folder as a file": ({"motions": "folder"}, {"folder/a.json": None}),
}
FIRST = "round,motion,proposition,opposition\n"
PAIRING_CASES: dict[str, Any] = _files(
    "pairings",
    {
        "empty": ("x.csv", ""),
        "no heading": ("x.csv", "lamps,a,b\n"),
        "no opposition": ("x.csv", "motion,proposition\nl,a\n"),
        "motion twice": ("x.csv", "motion,motion,proposition,opposition\n"),
        "another column": ("x.csv", FIRST.strip() + ",judge\n"),
        "no debate": ("x.csv", FIRST),
        "fewer cells": ("x.csv", FIRST + "1,lamps,a\n"),
        "an empty cell": ("x.csv", FIRST + "1,l,a,b\n1,l,a,\n"),
        "round zero": ("x.csv", FIRST + "0,l,a,b\n"),
        "round in words": ("x.csv", FIRST + "first,l,a,b\n"),
        "no JSON": ("x.json", "{"),
        "no list": ("x.json", {}),
        "empty list": ("x.json", []),
        "no topic": ("x.json", [1]),
        "an empty topic": (
            "x.json",
            [{"proposition": "a", "opposition": "b", "topic": {}}],
        ),
        "no proposition": ("x.json", [{"topic": {}}]),
        "another ending": ("x.txt", ""),
        "not UTF-8": ("x.csv", _raw(b"motion\xff")),
        "an unknown motion": ("x.csv", FIRST + "1,lamps,a,a\n"),
        "different models": ("x.csv", FIRST + f"1,{A},a/b,c/d\n"),
    },
)
PAIRING_CASES |= {
    "no such file": {"pairings": "none.csv"},
    "a list": {"pairings": [1, 2]},
}

# --- prompts, settings, prices, lists of tasks ----------------------------------------

PROMPT_CASES: dict[str, Any] = _files(
    "prompts",
    {
        "no mapping": ("p.yaml", "- a\n"),
        "no YAML": ("p.yaml", "a: ["),
        "another key": ("p.yaml", "debater_openin: x\n"),
        "a number": ("p.yaml", "debater_opening: 3\n"),
        "another placeholder": ("p.yaml", "debater_opening: '{everything}'\n"),
        "braces": ("p.yaml", "debater_opening: '{'\n"),
        "a format": ("p.yaml", "debater_opening: '{round:3d}'\n"),
        "not UTF-8": ("p.yaml", _raw(b"a: \xff")),
        "a folder": ("p.yaml", None),
    },
)
PROMPT_CASES |= {"no such file": {"prompts": "none.yaml"}, "a path": {"prompts": 7}}
CONFIG_CASES: dict[str, Any] = _files(
    "config",
    {
        "no mapping": ("c.yaml", "- a\n"),
        "no YAML": ("c.yaml", "a: ["),
        "another key": ("c.yaml", "word_limits: 3\n"),
        "a wrong value": ("c.yaml", "word_limit: many\n"),
    },
)
CONFIG_CASES |= {
    "no such file": {"config": "none.yaml"},
    "a number": {"config": 7},
    "one key": {"config.speach": 1},
    "a key within": {"config.answer.temprature": 1},
    "a value within": {"config.answer.temperature": -1},
    "a key within a number": {"config.word_limit.x": 1},
    "a word": {"config.quotes": "fuzzy"},
    "below the least": {"config": {"word_limit": 0}},
}
COST = {"input": 1, "output": 2, "input_cache_write": 0, "input_cache_read": 0}
PRICE_CASES: dict[str, Any] = {
    "no such file": {"prices": "none.yaml"},
    "a list": {"prices": ["m"]},
    "a number": {"prices": {"m": 3}},
    "much": {"prices": {"m": COST | {"output": "much"}}},
    "one too few": {"prices": {"m": {"input": 1, "output": 2, "input_cache_read": 0}}},
    "below 0": {"prices": {"m": COST | {"input": -1}}},
}

CASES: list[Case] = [
    *_tasks("generative", "arc", ARC_CASES, dataset="arc"),
    *_tasks("generative", "bigcodebench", CODE_CASES, dataset="bcb_plus"),
    *_tasks("srdcr", "clasheval", CLASH_CASES),
    *_tasks("colmad", "realmistake", MISTAKE_CASES),
    *_tasks("debate", "questions", QUESTION_CASES),
    *_tasks("confidence", "motions", MOTION_CASES),
    *_tasks("confidence", "pairings", PAIRING_CASES, protocol="self"),
    *_tasks("colmad", "prompts", PROMPT_CASES, source="sample"),
    *_tasks("colmad", "config", CONFIG_CASES, source="sample"),
    *_tasks("colmad", "prices", PRICE_CASES, source="sample", budget_usd=1),
]
