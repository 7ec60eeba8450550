import pytest

from inspect_debate.grading.suspicions import (
    given_names,
    import_lines,
    imported_modules,
    imported_names,
    stored_names,
    used_names,
)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("", []),
        ("import os", ["os"]),
        ("import os.path", ["os", "os.path"]),
        ("import os.path\nos.sep", ["os", "os.path", "os.sep"]),
        ("import os.path as p\np.sep", ["os", "os.path", "os.path.sep"]),
        ("from os import path\npath.sep", ["os", "os.path", "os.path.sep"]),
        ("from os import *", ["os", "os.*"]),
        ("from . import os\nos.sep", [".sep"]),
        (
            "def f():\n    import numpy as np\nnp.testing.all(1).any",
            ["numpy", "numpy.testing", "numpy.testing.all", ".any"],
        ),
        ("a.equals(b).real", [".real", ".equals"]),
    ],
)
def test_used_names(source: str, names: list[str]) -> None:
    assert sorted(used_names(source)) == sorted(names)


def test_imported_names_are_those_of_the_top_level() -> None:
    source = """
import os.path, numpy as np
from string import punctuation, digits as d
from math import *
def f():
    import json
"""
    assert imported_names(source) == ["d", "np", "os", "punctuation"]
    assert import_lines(source).splitlines() == [
        "import os.path, numpy as np",
        "from string import punctuation, digits as d",
        "from math import *",
    ]
    assert imported_modules(source) == ["os.path", "numpy", "string", "math"]
    assert "json" in imported_modules(source, everywhere=True)


def test_names_that_tests_change_or_hand_over() -> None:
    source = """
LIMIT, ROWS, SEEN, KEPT = 1, [], [], {}
class TestCases:
    size = 3
    def setUp(self):
        global LIMIT
        self.limit = LIMIT
        type(self).count = 1
    def test_one(self):
        self.assertEqual(task_func(ROWS, key=self.size), LIMIT)
        SEEN.append(1)
        KEPT["a"] = 1
"""
    assert stored_names(source) == ["LIMIT", "count"]
    given = {*given_names(source)}
    assert {"ROWS", "size", "SEEN", "KEPT"} <= given
    assert "LIMIT" not in given
