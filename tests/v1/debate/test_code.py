"""Programming tasks, and programs that are read from completions."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.parsing import fenced
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.grading.code import code_problem, read_code
from inspect_debate.v1.grading.code import test_names as names_of
from tests.v1.support.growth import check_linear
from tests.v1.support.released import needs_data

Layout = Callable[[str], str]


def _indented(text: str, by: str) -> str:
    return "".join(by + line for line in text.splitlines(keepends=True))


def _echoing(program: str) -> str:
    stub = "def task_func(x):\n    pass\n\n\ndef f(x):\n    pass"
    return f"The task:\n\n{fenced(stub, 'python')}\n\nSolved:\n\n{fenced(program)}"


LAYOUTS: Mapping[str, Layout] = {
    "alone": lambda program: program,
    "a block": lambda program: (
        f"Here it is.\n\n```python\n{program}\n```\n\nDone, `x`."
    ),
    "no language": lambda program: f"```\n{program}\n```",
    "tildes": lambda program: (
        f"<think>```python\nf = 1\n```</think>\n~~~py\n{program}\n~~~"
    ),
    "an echo before": _echoing,
    "a shell after": lambda program: (
        f"{fenced(program, 'python3')}\n\n```bash\npip install numpy\n```\n"
    ),
    "a use after": lambda program: (
        f"{fenced(program, 'Python')}\n\nAs in\n```python\n>>> print(f(1))\n2\n```"
    ),
    "a list": lambda program: (
        f"1. So:\n\n{_indented(fenced(program, 'python'), '   ')}\n\n2. Done"
    ),
    "old line ends": lambda program: (
        f"So:\n\n```python\n{program}\n```\n\nDone".replace("\n", "\r\n")
    ),
    "left open": lambda program: f"So:\n\n```python\n{program}\n",
}


TEST = """
import unittest

class Helper(unittest.TestCase):
    def test_other(self): ...

class TestCases(unittest.TestCase):
    def setUp(self): ...
    def test_b(self): ...
    async def test_a(self): ...
    def test_b(self): ...
    def helper(self):
        def test_inner(): ...

def test_outside(): ...
"""
METADATA = {"code_prompt": "def f(x):", "test": TEST, "entry_point": "f"}


def test_the_tests_of_the_one_class_count_in_their_order() -> None:
    assert names_of(TEST) == ("test_a", "test_b")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class Testcases:\n    def test(self): ...", "no class TestCases"),
        ("class TestCases:\n    def check(self): ...", "no class TestCases"),
        ("class TestCases(:", "no Python"),
        ("x = 1\0", "no Python"),
        ("", "no class TestCases"),
    ],
)
def test_a_source_without_tests_is_refused(source: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        names_of(source)


def test_the_head_of_the_task_comes_before_the_answer() -> None:
    problem = code_problem("t", METADATA)
    assert problem.tests == ("test_a", "test_b")
    scope: dict[str, object] = {}
    exec(problem.program("def f(x):\n    return x + 1"), scope)
    function = scope["f"]
    assert callable(function)
    assert function(1) == 2


@pytest.mark.parametrize("name", ["code_prompt", "test", "entry_point"])
@pytest.mark.parametrize("value", [None, "", " ", 3])
def test_what_is_missing_is_named(name: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"Sample.*need {name}"):
        code_problem("t", {**METADATA, name: value})


def test_an_error_in_tests_names_the_sample() -> None:
    with pytest.raises(InputError, match=r"'t'.*no class TestCases"):
        code_problem("t", {**METADATA, "test": "x = 1"})


@pytest.mark.parametrize(
    "answer",
    [
        "from __future__ import annotations\ndef f(x: Later):\n    return 2",
        '"""What it does."""\nfrom __future__ import annotations\ndef f(x: Later):\n'
        "    return 2",
        "from __future__ import (\n    annotations,\n    division,\n)\n\n"
        "def f(x: Later):\n    return 2",
        "from __future__ import division\nfrom __future__ import annotations  # all\n"
        "def f(x: Later):\n    return 2",
    ],
)
def test_imports_from_the_future_come_first(answer: str) -> None:
    problem = code_problem("t", {**METADATA, "code_prompt": "import os\ndef f(x):"})
    scope: dict[str, object] = {}
    exec(problem.program(answer), scope)
    function = scope["f"]
    assert callable(function)
    assert function(1) == 2


@pytest.mark.parametrize(
    "answer", ["from __future__ import annotations; x = 1", "def f(:", "x\0", "(" * 999]
)
def test_what_cannot_be_moved_stays(answer: str) -> None:
    problem = code_problem("t", METADATA)
    assert problem.program(answer) == f"def f(x):\n    pass\n{answer}\n"


F = "def f(x):\n    return x + 1"
G = "def f(x):\n    return x - 1"
BROKEN = "def f(x):\n    return x +"
SPACED = "f = 1\n\ng = 2"
BLOCK = f"```python\n{F}\n```"
OTHER = f"```python\n{G}\n```"
HELPER = "```python\ndef g(x):\n    return 1\n```"
INNER = 'def f(x):\n    """Adds.\n\n{}\n    """\n    return x + 1'
NESTED = INNER.format("    ```python\n    f(1)\n    ```")
FLUSH = INNER.format("```\nf(1)\n```")
FLUSH_HELPER = FLUSH.replace("f(x)", "g(x)")
FLUSH_NAMED = INNER.format("```python\nf(1)\n```")
MANY = INNER.format("```\nf(1)\n```\n\n```\nf(2)\n```\n\n```\nf(3)\n```")


def indented(text: str, by: str) -> str:
    return "\n".join(by + line if line.strip() else line for line in text.split("\n"))


READ = {
    # --- which language
    "python": (f"So:\n\n{BLOCK}\n\nDone.", F),
    "py": (f"```py\n{F}\n```", F),
    "python3": (f"```python3\n{F}\n```", F),
    "Python": (f"```Python\n{F}\n```", F),
    "a version": (f"```python3.11\n{F}\n```", F),
    "a file name": (f"```python:main.py\n{F}\n```", F),
    "attributes": (f'```python title="main.py"\n{F}\n```', F),
    "a blank before": (f"``` python\n{F}\n```", F),
    "braces": (f"```{{.python}}\n{F}\n```", F),
    "no language": (f"```\n{F}\n```", F),
    # --- how it is defined
    "async": ("```python\nasync def f(x):\n    pass\n```", "async def f(x):\n    pass"),
    "a lambda": ("```python\nf = lambda x: x\n```", "f = lambda x: x"),
    "annotated": ("```python\nf: object = abs\n```", "f: object = abs"),
    "one of two": ("```python\nf, g = abs, int\n```", "f, g = abs, int"),
    "chained": ("```python\ng = f = abs\n```", "g = f = abs"),
    "another name for it": ("```python\ndef g(): 1\nf = g\n```", "def g(): 1\nf = g"),
    "with a helper": (f"```python\nimport os\n\n\n{F}\n```", f"import os\n\n\n{F}"),
    "decorated": (f"```python\n@cache\n{F}\n```", f"@cache\n{F}"),
    # --- which block
    "the last of two": (f"{OTHER}\nNo:\n{BLOCK}", F),
    "not the last one": (f"{BLOCK}\nUse it:\n```python\nprint(f(1))\n```", F),
    "alone": (f"{HELPER}\nand\n{BLOCK}", F),
    "before a helper": (f"{BLOCK}\nwith\n{HELPER}", F),
    "before a shell": (f"{BLOCK}\n```bash\npip install f\n```", F),
    "before another language": (f"{BLOCK}\n```javascript\nf = 1\n```", F),
    "before what it prints": (f"{BLOCK}\n```\n>>> f(1)\n2\n```", F),
    "before a doctest": (f"{BLOCK}\n```python\n>>> def f(x):\n...     pass\n```", F),
    "before a method": (f"{BLOCK}\n```py\nclass A:\n    def f(self): 1\n```", F),
    "before a class": (f"{BLOCK}\n```python\nclass f:\n    pass\n```", F),
    "before a comparison": (f"{BLOCK}\n```python\nf == 1\n```", F),
    "before a longer name": (f"{BLOCK}\n```python\ndef f_test():\n  f(\n```", F),
    "before an item": (f"{BLOCK}\n```python\na[f] = 1\n```", F),
    "before a bare annotation": (f"{BLOCK}\n```python\nf: int\n```", F),
    "before a text with it": (f'{BLOCK}\n```python\ns = """\n{G}\n"""\n```', F),
    "before prose": (f"{BLOCK}\n```\ndef f is the function, isn't it\n```", F),
    # --- fences
    "tildes": (f"~~~python\n{F}\n~~~", F),
    "more marks": (f"`````python\n{F}\n`````", F),
    "a longer end": (f"```python\n{F}\n``````", F),
    "blanks at the end": (f"```python  \n{F}\n```  ", F),
    "old line ends": (BLOCK.replace("\n", "\r\n"), F),
    "older line ends": (BLOCK.replace("\n", "\r"), F),
    "in a list": (f"1. So:\n\n{indented(BLOCK, '   ')}\n2. Done", F),
    "in a list, by a tab": (f"- So:\n{indented(BLOCK, chr(9))}", F),
    "beside a bullet": (f"- {indented(BLOCK, '  ')[2:]}", F),
    "beside a number": (f"12. {indented(BLOCK, '    ')[4:]}", F),
    "indented fences only": (f"   ```python\n{F}\n   ```", F),
    "indented code only": (f"```python\n{indented(F, '    ')}\n```", F),
    "an end far to the right": (f"```python\n{F}\n        ```\nand so on", F),
    "quoted": (f"> So:\n{indented(BLOCK, '> ')}", F),
    "quoted twice": (f"{indented(BLOCK, '>> ')}", F),
    "quoted, with a blank line": ("> ```python\n> f = 1\n>\n> g = 2\n> ```", SPACED),
    "left open": (f"So:\n```python\n{F}\n", F),
    "left open, then another": (f"```python\n{G}\n\nNo:\n{BLOCK}", F),
    "left open, another language": (f"```bash\npip install f\n{BLOCK}", F),
    "one end too many": (f"{OTHER}\n```\nor better:\n{BLOCK}", F),
    "in a block of Markdown": (f"```markdown\n# f\n{BLOCK}\n```", F),
    "in longer fences": (f"````markdown\n{BLOCK}\n````\n{OTHER}", G),
    # --- fences within
    "a fence in the docstring": (f"```python\n{NESTED}\n```", NESTED),
    "flush with the margin": (f"```python\n{FLUSH}\n```\nDone", FLUSH),
    "flush, with a language": (f"```python\n{FLUSH_NAMED}\n```\nDone", FLUSH_NAMED),
    "many of them": (f"```python\n{MANY}\n```\n{HELPER}", MANY),
    "longer fences without": (f"````python\n{FLUSH}\n````", FLUSH),
    "a fence in it, left open": (f"```python\n{FLUSH}", FLUSH),
    "a fence in a helper": (f"```python\n{FLUSH_HELPER}\n```\n{BLOCK}", F),
    "other marks within": (f"~~~python\n{FLUSH}\n~~~", FLUSH),
    "a fence and an error": (f"```python\n{NESTED} +\n```", f"{NESTED} +"),
    # --- no Python, and an answer all the same
    "an error": (f"{OTHER}\n```python\n{BROKEN}\n```", BROKEN),
    "an error in an assignment": ("```python\nf = (1\n```", "f = (1"),
    "an error, annotated": ("```python\nf: int = (1\n```", "f: int = (1"),
    "an error, async": ("```\nasync def f(:\n```", "async def f(:"),
    "an open text": ('```python\ndef f(x):\n    """Add\n```', 'def f(x):\n    """Add'),
    "a magic line": (f"```python\n!pip install x\n{F}\n```", f"!pip install x\n{F}"),
    "too deep": (f"```python\nf = {'(' * 500}\n```", f"f = {'(' * 500}"),
    "too many digits": (f"```python\nf = {'9' * 5000}\n```", f"f = {'9' * 5000}"),
    "deep recursion": (f"```python\nf = 1{'+1' * 9999}\n```", f"f = 1{'+1' * 9999}"),
    # --- no fence
    "nothing but the program": (F, F),
    "nothing else, old line ends": (F.replace("\n", "\r\n") + "\r\n", F),
    "nothing else, indented": (f"\n{indented(F, '    ')}\n", F),
    "nothing else, fences within": (FLUSH, FLUSH),
    "nothing else, a program in it": (INNER.format(OTHER), INNER.format(OTHER)),
    # --- as it is written
    "blank lines around": (f"```python\n\n  \n{F}\n\n\n```", F),
    "blanks at line ends": ("```\nf = 1  \n\t\ng = 2 \n```", "f = 1  \n\t\ng = 2"),
    "tabs": ("```python\ndef f(x):\n\treturn  x\n```", "def f(x):\n\treturn  x"),
    "odd escapes": ("```python\nf = '\\d'\n```", "f = '\\d'"),
    "other scripts": ("```python\nf = 'ÄΩ中😀\u2028'\n```", "f = 'ÄΩ中😀\u2028'"),
    "a form feed": ("```python\n\fimport os\f\nf = 1\n```", "\fimport os\f\nf = 1"),
    "a tag": ("```python\nf = '<task>'\n```", "f = '<task>'"),
    "a NUL": ("```python\nf = 1\0\0\n```", "f = 1"),
    "half a character": ("```python\nf = '\ud800'\n```", "f = '\ufffd'"),
    # --- reasoning
    "thought before": (f"<think>{OTHER}</think>\n{BLOCK}", F),
    "thought after": (f"{BLOCK}\n<think>{OTHER}</think>", F),
    "thought without a start": (f"{OTHER}</think>{F}", F),
}  # fmt: skip


@pytest.mark.parametrize(("text", "read"), READ.values(), ids=READ)
def test_a_program_is_read(text: str, read: str) -> None:
    assert read_code(text, "f") == Parsed.ok(read)


UNREAD = {
    "nothing": "",
    "a refusal": "I cannot tell.",
    "prose with a program": f"My answer is\n\n{F}",
    "inline": "Use ```f = 1``` here, or `f = 1`.",
    "another name": OTHER.replace("f(x)", "ff(x)"),
    "another language": f"```text\n{F}\n```",
    "JSON": f"```json\n{F}\n```",
    "a console": f"```pycon\n{F}\n```",
    "old Python": f"```python2\n{F}\n```",
    "beside the marks": f"```{F}\n```",
    "prompts": "```python\n>>> def f(x):\n...     return x\n```",
    "a method": "```python\nclass A:\n    def f(self):\n        pass\n```",
    "a method, and an error": "```python\nclass A:\n    def f(x):\n        pass +\n```",
    "a class": "```python\nclass f:\n    pass\n```",
    "an import": "```python\nfrom g import f\n```",
    "a call": "```python\nf(x=1)\n```",
    "a comparison, and an error": "```python\nf == (1\n```",
    "the body alone": "```python\n    return x + 1\n```",
    "a text": f'```python\ns = """\n{F}\n"""\n```',
    "a comment": "```python\n# def f(x):\n```",
    "left open in the middle": f"```python\n{BROKEN}",
    "left open, then prose": f"```python\n{F}\n\nThat is all.",
    "only thought": f"<think>{BLOCK}",
    "too short an end": f"````python\n{F}\n```\nThat is all.",
    "other marks at the end": f"```python\n{F}\n~~~\nThat is all.",
}


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_no_program_is_read(text: str) -> None:
    assert read_code(text, "f") == Parsed.unparsed()


def test_the_entry_point_is_a_name_and_no_pattern() -> None:
    assert read_code(BLOCK, ".") == Parsed.unparsed()
    assert read_code(f"```python\n{BROKEN}\n```", "(") == Parsed.unparsed()
    assert read_code("```python\ndef gf(:\n```", "f") == Parsed.unparsed()


# --- any program, in any layout ----------------------------------------------------

PIECES = (
    *("def f(x):", "f = 1", "    return x", "\tx", "  ", "", "@a", "class f:", "f ="),
    *('    """', '"""', "'''", "```", "    ```", "```python", "~~~", "> ```", "- ```"),
    *("def g():", "é = 'ü'", "\f", "\\", "#", "<think>", "</think>", "\0", "\r", "f:"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("\n".join)


@settings(max_examples=100, deadline=None)
@example("```\n\nf =\n\x1f\n```")
@given(
    st.one_of(texts, st.text(max_size=200), texts.map(lambda text: f"````py\n{text}"))
)
def test_what_is_read_is_read_again(text: str) -> None:
    read = read_code(text, "f")
    if read == Parsed.unparsed():
        return
    program = str(read.value)
    assert read_code(fenced(program, "python"), "f") == read
    assert program == program.rstrip()
    assert not {"\0", "\r"} & set(program)
    assert all(line.strip() in text for line in program.split("\n"))


STATEMENTS: tuple[str, ...] = (
    "x = 1",
    "",
    "# note",
    "def g(y):\n    return y",
    "class A:\n    b = '`'",
)
STATEMENTS += ("'\"'", "for i in x:\n\tprint(i)", "if x:\n    pass\n\n    y = 2")
statements = st.lists(st.sampled_from((*STATEMENTS, 's = """\na\n  b\n"""')))


@settings(max_examples=30, deadline=None)
@given(before=statements, after=statements)
def test_every_layout_is_read_back(before: list[str], after: list[str]) -> None:
    program = "\n".join([*before, F, *after]).strip()
    for name, layout in LAYOUTS.items():
        assert read_code(layout(program), "f") == Parsed.ok(program), name


# --- hostile texts -----------------------------------------------------------------

UNITS = ["```\n", "```python\n", "~~~\n", "    ```\n", "```\n'''\n", "```\n\\'''\n"]
UNITS += ["```python\ndef f(:\n'''\n", "```py\n'''\n)\n```\n", "```bash\n", "> ```\n"]
UNITS += [">", " ", "\t", "- ", "1. ```\n", "\n", "\r", "`", "~", "'''", '"""', "("]
UNITS += ["[", "-", "not ", "a.", "a(", "lambda:", "1 if 1 else ", "elif 1:\n pass\n"]
UNITS += [
    "f=",
    "f:",
    "f",
    "def f",
    "def f(:\n",
    "async ",
    "9",
    "\\\n",
    "<think>",
    "@a\n",
]
UNITS += ["if 1:\n ", "f'{", "match x:\n case ", "```\ndef f(:\n'''\n```\n", "a=1;"]


@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_long_hostile_texts_take_linear_time(unit: str) -> None:
    def read_all(size: int) -> None:
        long = unit * (size // len(unit))
        for text in (f"```python\nf = {long}\n```", f"```\n'''{long}", f"{long}x"):
            read_code(text, "f")

    check_linear(read_all, 4_000)


def test_fences_of_growing_length_take_linear_time() -> None:
    def read_both(size: int) -> None:
        # The text is about as long as the square of the longest.
        lengths = range(3, round(size**0.5))
        marks = ["`" * n + info for n in lengths for info in ("python\n'''\n", "\n")]
        read_code("".join(marks), "f")
        read_code("".join(marks[::-1]), "f")

    check_linear(read_both, 20_000)


# --- the released tasks ------------------------------------------------------------

DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "."), "bigcodebench_plus")


@needs_data
def test_every_released_program_is_read_back() -> None:
    read = 0
    for line in (DATA / "problems.jsonl").read_text("utf-8").splitlines():
        task = json.loads(line)["content"]
        given = f"{task['code_prompt']}\n{task['canonical_solution']}"
        (program,) = {
            read_code(layout(given), "task_func") for layout in LAYOUTS.values()
        }
        assert program == Parsed.ok(given.strip("\n").rstrip())
        read += 1
    assert read == 1136
