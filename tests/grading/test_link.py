"""Questions to a program and its answers, with both sides in one process."""

import contextlib
import io
import os
import random
import socket
import threading
import types
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from inspect_debate.grading import inside_library_data
from inspect_debate.grading.inside_data import Unsent
from inspect_debate.grading.inside_link import Handle, Link, LinkError, Pipe, Program

assert inside_library_data.__name__  # it knows the types of libraries
PROGRAM = """
import collections, itertools, warnings
import matplotlib.pyplot as plt
Pair = collections.namedtuple("Pair", "low high")
class Bad(ValueError):
    def __str__(self): return f"bad {self.args[0]}"
class Number(int): pass
class Own: pass
class Mapping(dict): pass
def failing(error): raise error
def bad(number): raise Bad(number)
def warned(): warnings.warn("careful", DeprecationWarning); return 1
def given(value): return value
def made(): return Number(7), Pair(1, 2), Mapping(a=1), Own()
def appended(rows): rows["a"].append(2); rows["new"] = {3}; return rows["a"]
def plotted(): figure, axes = plt.subplots(2); axes[0].set_title("t"); return figure
def printed(text): print(text)
def iterators():
    yield (each for each in "ab")
    yield map(str, (1, 2))
    yield filter(None, (0, 1))
    yield zip("a", "b")
    yield enumerate("a")
    yield iter([2, 1])
    yield itertools.chain("a", "b")
def task_func(name): return globals()[name]
"""


class Spoken(LookupError):
    """An exception that is known on both sides."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Box:
    """A class of the task's own."""

    def __init__(self, content: Any) -> None:
        self.content = content


class TooBig(Exception):
    """An exception of the task's own."""


CLASSES = {"Box": Box, "TooBig": TooBig}


@pytest.fixture
def link() -> Iterator[Link]:
    ours, theirs = socket.socketpair()

    def load(first: Any) -> tuple[Any, dict[str, Any], str]:
        space: dict[str, Any] = {}
        exec(first["program"], space)
        return space["task_func"], CLASSES, ""

    def serve() -> None:
        with theirs, contextlib.suppress(EOFError, OSError):  # ended
            Program(Pipe(theirs.fileno())).serve(load)

    thread = threading.Thread(target=serve)
    thread.start()
    made = Link(Pipe(ours.fileno()))
    assert made.load({"program": PROGRAM, "warns": True}, CLASSES) == ""
    yield made
    ours.close()
    thread.join()


@pytest.fixture
def there(link: Link) -> Any:
    """A name of the program, or what it calls."""
    return link.function(0, "task_func")


def test_functions_and_values_of_all_kinds(there: Any) -> None:
    given = there("given")
    assert given.__name__ == "given"
    for value in (1, "a", [1, (2,)], {"a": {1}}, np.arange(3.0)):
        assert np.all(given(value) == value)
    box = Box([1])
    assert given(box) is box
    assert given(given) is given
    number, pair, mapping, nothing = there("made")()
    assert (type(number), number) == (int, 7)
    assert (pair.low, pair.high) == (1, 2)
    assert (type(mapping), mapping) == (dict, {"a": 1})
    assert isinstance(nothing, Unsent)
    assert "Own, which cannot be sent" in repr(nothing)


def test_arguments_that_change(there: Any) -> None:
    rows: dict[str, Any] = {"a": [1]}
    inner = rows["a"]
    assert there("appended")(rows) is inner
    assert rows == {"a": [1, 2], "new": {3}}


def test_iterators(there: Any) -> None:
    kinds = [types.GeneratorType, map, filter]
    expected = [["a", "b"], ["1", "2"], [1], [("a", "b")], [(0, "a")], [2, 1]]
    found = list(there("iterators")())
    assert [type(each) for each in found[:3]] == kinds
    assert [list(each) for each in found] == [*expected, ["a", "b"]]


def test_errors(there: Any) -> None:
    failing = there("failing")
    with pytest.raises(ValueError, match=r"^bad 1$") as caught:
        there("bad")(1)
    assert type(caught.value) is ValueError
    with pytest.raises(KeyError) as missing:
        failing(KeyError("a", [1]))
    assert missing.value.args == ("a", [1])
    with pytest.raises(FileNotFoundError) as lost:
        failing(FileNotFoundError(2, "no", "file"))
    assert (lost.value.errno, lost.value.filename) == (2, "file")
    with pytest.raises(Spoken) as spoken:
        failing(Spoken(5))
    assert spoken.value.number == 5
    with pytest.raises(TooBig) as big:
        failing(TooBig("by", 3))
    assert big.value.args == ("by", 3)


def test_what_is_shared(there: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        there("printed")("ü")
    assert out.getvalue() == "ü\n"
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert there("warned")() == 1
    assert [(w.category, str(w.message)) for w in seen] == [
        (DeprecationWarning, "careful")
    ]
    monkeypatch.setenv("A_NAME_OF_OURS", "one")
    random.seed(5)
    np.random.seed(5)
    there("given")(1)
    assert os.environ["A_NAME_OF_OURS"] == "one"
    assert random.random() == random.Random(5).random()


def test_plots_stay_where_they_are(link: Link, there: Any) -> None:
    figure = there("plotted")()
    assert type(figure) is Handle
    assert "Figure" in str(figure)
    assert bool(figure)
    assert figure.axes[0].get_title() == "t"
    assert [axes.get_title() for axes in figure.axes] == ["t", ""]
    assert not hasattr(figure, "__nothing__")
    assert there("given")(figure) is figure
    module = types.ModuleType("matplotlib.pyplot")
    module.figure = lambda: 1 / 0  # type: ignore[attr-defined]  # made here
    link.forward(module)
    assert type(module.figure()) is Handle


def test_what_cannot_be_sent_ends_the_link(link: Link, there: Any) -> None:
    with pytest.raises(LinkError, match="hands over what cannot be sent: Pipe"):
        there("given")(Pipe(0))
    assert link.problem


def test_a_program_that_ends(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    def receive(pipe: Pipe) -> Any:
        raise EOFError

    with monkeypatch.context() as patched:
        patched.setattr(link._pipe, "receive", partial(receive, link._pipe))
        with pytest.raises(LinkError, match="ended the program's process"):
            link.ask("call", 0, "", "given")


WRONG: list[Any] = [
    *(5, {"changed": []}, {"changed": [], "shared": {}, "value": ["no word"]}),
    {"changed": [], "shared": {}, "value": ["handle", "x", []]},
    {"changed": [], "shared": {}, "error": 3},
    {"changed": [[0, ["list"]]], "shared": {}, "value": 1},
]


@pytest.mark.parametrize("answer", WRONG)
def test_answers_that_no_program_gives(
    link: Link, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(link._pipe, "receive", lambda: answer)
        with pytest.raises(LinkError, match="cannot be read"):
            link.ask("call", 0, "", "given")
