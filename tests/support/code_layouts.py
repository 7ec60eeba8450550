"""The layouts in which models write programs."""

from collections.abc import Callable, Mapping

from inspect_debate.debate.parsing import fenced

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
