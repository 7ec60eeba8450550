"""Values whose comparisons are functions of C, borrowed from where they are honest."""

from tests.grading.victim import KINDS_RIGHT, lying

_CLASS = "class L({base}): {slot} = {function}{hash}\n"
_HASH = "; __hash__ = {base}.__hash__"


def _borrowed(function: str, slot: str, kind: str, value: str) -> str:
    base = function.partition(".")[0]
    hashed = slot == "__eq__" and base not in ("list", "set")
    hash = _HASH.format(base=base) if hashed else ""
    made = _CLASS.format(base=base, slot=slot, function=function, hash=hash)
    return lying(kind, f"L({value})", made)


SLOTS = {
    **{
        f"{what} with {function.partition('.')[2]} for {slot}": _borrowed(
            function, slot, kind, value
        )
        for what, slot, function, kind, value in (
            ("an int", "__eq__", "int.__ne__", "int", "10**9"),
            ("an int", "__eq__", "int.__gt__", "int", "10**9"),
            ("a float", "__eq__", "float.__ne__", "float", "-7.5"),
            ("a str", "__eq__", "str.__ne__", "str", "'wrong'"),
            ("a str", "__eq__", "str.__gt__", "str", "'wrong'"),
            ("bytes", "__eq__", "bytes.__ne__", "bytes", "b'wrong'"),
            ("a list", "__eq__", "list.__ne__", "list", "[4]"),
            ("a list", "__eq__", "list.__gt__", "list", "[4]"),
            ("a tuple", "__eq__", "tuple.__ne__", "tuple", "(9, 9)"),
            ("a set", "__eq__", "set.__ne__", "set", "{8}"),
            ("a set", "__eq__", "set.isdisjoint", "set", "{8}"),
            ("a frozenset", "__eq__", "frozenset.__ne__", "set", "{8}"),
            ("a str", "__contains__", "str.__ne__", "holds", "'hay'"),
            ("an int", "__ge__", "int.__lt__", "large", "-4"),
            ("an int", "__ge__", "int.__ne__", "large", "-4"),
        )
    },
    "a float with a builtin for __sub__": lying(
        "float",
        "L(9.5)",
        "class L(float): __sub__ = __rsub__ = float.__mod__\n"
        "L.__eq__ = float.__ne__; L.__hash__ = float.__hash__\n",
    ),
    "a dict with __ne__ for __eq__": lying(
        "dict",
        "L(b=2)",
        "class L(dict):\n    __eq__ = dict.__ne__\n    __getitem__ = dict.__len__\n"
        "    def __getitem__(self, key): return 1\n",
    ),
    "a list with a builtin for __contains__": lying(
        "holds", "L(['hay'])", "class L(list): __contains__ = staticmethod(len)\n"
    ),
    "a dict with a builtin for __contains__": lying(
        "holds", "L(a=1)", "class L(dict): __contains__ = staticmethod(bool)\n"
    ),
    "a float with a builtin for __ge__": lying(
        "large",
        "L(-4)",
        "class L(float): __ge__ = staticmethod(callable)\n"
        "L.__ge__ = staticmethod(abs)\n",
    ),
    "a partial for __eq__": lying(
        "int",
        "L(10**9)",
        "import functools\n"
        "class L(int): __eq__ = functools.partial(int.__ne__, 3)\n"
        "L.__hash__ = int.__hash__\n",
    ),
    "an operator for __eq__": lying(
        "int",
        "L(10**9)",
        "import operator\nclass L(int): __eq__ = staticmethod(operator.truth)\n"
        "L.__hash__ = int.__hash__\n",
    ),
    "a bound method of another value for __eq__": lying(
        "str",
        "L('wrong')",
        "class L(str): __eq__ = 'right'.__eq__\nL.__hash__ = str.__hash__\n",
    ),
    "a bound method of a list for __eq__": lying(
        "int",
        "L(10**9)",
        "class L(int): __eq__ = [41].__contains__\nL.__hash__ = int.__hash__\n",
    ),
    "an attrgetter for __eq__": lying(
        "int",
        "L(10**9)",
        "import operator\n"
        "class L(int): __eq__ = staticmethod(operator.attrgetter('__class__'))\n"
        "L.__hash__ = int.__hash__\n",
    ),
}

CONTAINERS = {
    "a weak proxy of a liar": lying(
        "int",
        "weakref.proxy(LIE)",
        "import weakref\nclass L(set): __eq__ = set.__ne__\nLIE = L({8})\n",
    ).replace("== 'int'", "== 'set'"),
    "a UserList with a liar": lying(
        "list",
        "collections.UserList(L([4]))",
        "import collections\nclass L(list): __eq__ = list.__ne__\n"
        "class U(collections.UserList): __len__ = lambda self: 3\n"
        "def holder():\n"
        "    made = collections.UserList()\n    made.data = L([4])\n    return made\n",
    ).replace("collections.UserList(L([4]))", "holder()"),
    "a UserList whose items lie": lying(
        "count",
        "collections.UserList([L(5)] * 3)",
        "import collections\nclass L(int): __eq__ = int.__ne__\n"
        "L.__hash__ = lambda self: 1\n",
    ),
    "a UserDict with a liar": lying(
        "dict",
        "holder()",
        "import collections\n"
        "class L(dict):\n"
        "    __eq__ = dict.__ne__\n"
        "    def __getitem__(self, key): return 1\n"
        "def holder():\n"
        "    made = collections.UserDict()\n"
        "    made.data = L(b=2, a=1)\n    return made\n",
    ),
    "a UserString with a liar": lying(
        "str",
        "holder()",
        "import collections\nclass L(str): __eq__ = str.__ne__\n"
        "L.__hash__ = str.__hash__\n"
        "def holder():\n"
        "    made = collections.UserString('')\n"
        "    made.data = L('wrong')\n    return made\n",
    ),
    "a mapping proxy of a liar": lying(
        "dict",
        "types.MappingProxyType(L(b=2))",
        "import types\n"
        "class L(dict):\n"
        "    __eq__ = dict.__ne__\n"
        "    def __getitem__(self, key): return 1\n",
    ),
    "a fraction with a liar": lying(
        "int",
        "holder()",
        "import fractions\n"
        "class L(int): __eq__ = int.__ne__\n"
        "L.__hash__ = int.__hash__\n"
        "def holder():\n"
        "    made = fractions.Fraction(3)\n"
        "    made._numerator = L(10**9)\n    return made\n",
    ),
    "the comparison of mock.ANY": lying(
        "int",
        "L(10**9)",
        "from unittest import mock\n"
        "class L(int): __eq__ = mock.ANY.__eq__\n"
        "L.__hash__ = int.__hash__\n",
    ),
    "a deque with a liar": lying(
        "count",
        "collections.deque([L(5)] * 3)",
        "import collections\nclass L(int): __eq__ = int.__ne__\n"
        "L.__hash__ = lambda self: 1\n",
    ),
    "a chain of maps with a liar": lying(
        "dict",
        "collections.ChainMap({'a': L(5)})",
        "import collections\nclass L(int): __eq__ = int.__ne__\n"
        "L.__hash__ = lambda self: 1\n",
    ),
    "a namespace with a liar, which a dict holds": lying(
        "dict",
        "{'a': L(5)}",
        "class L(int): __eq__ = int.__ne__\nL.__hash__ = lambda self: 1\n",
    ),
}

_ASKS = """
class L(int):
    def __eq__(self, other):
        return asked()
    def __hash__(self): return 1
"""
ASKERS = {
    "a liar that warns": lying(
        "int",
        "L(10**9)",
        """
import warnings
def asked():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("who", stacklevel=4)
    return "unittest" in seen[0].filename or "case.py" in seen[0].filename
"""
        + _ASKS,
    ),
    "a liar that logs": lying(
        "int",
        "L(10**9)",
        """
import logging
def asked():
    path = logging.getLogger("a").findCaller(stacklevel=3)[0]
    return "case.py" in path
"""
        + _ASKS,
    ),
    "a liar that has its stack dumped": lying(
        "int",
        "L(10**9)",
        """
import faulthandler, tempfile
def asked():
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file, all_threads=False)
        file.seek(0)
        return b"unittest/case.py" in file.read()
"""
        + _ASKS,
    ),
    "a liar that prints its stack": lying(
        "int",
        "L(10**9)",
        """
import io, traceback
def asked():
    text = io.StringIO()
    traceback.print_stack(file=text)
    return "unittest/case.py" in text.getvalue()
"""
        + _ASKS,
    ),
}

_INSIDE = """
import unittest.case as case
class Fake:
    def __init__(self, real): self.real = real
    def __getattr__(self, name): return {fake}.get(name) or getattr(self.real, name)
case.{name} = Fake(case.{name})
"""
_CONSTANTS = """
import unittest
def tests():
    return [k for k in unittest.TestCase.__subclasses__()
            if k.__name__ == "TestCases"][0]
"""
MODULES = {
    "re of unittest, so that all matches": lying(
        "match",
        "'wrong'",
        _INSIDE.format(
            name="re", fake="{'compile': lambda text: Fake({}), 'x': 1}"
        ).replace("Fake({})", "All()")
        + "class All:\n    search = lambda self, text: True\n",
    ),
    "collections of unittest, so that all counts": lying(
        "count",
        "[5]",
        _INSIDE.format(name="collections", fake="{'Counter': lambda items: 1}"),
    ),
    "re of unittest, by its class": lying(
        "match",
        "'wrong'",
        "import re, types, unittest.case as case\n"
        "made = types.ModuleType('re')\nvars(made).update(vars(re))\n"
        "made.compile = lambda *_: types.SimpleNamespace(search=lambda t: True)\n"
        "case.re = made\n",
    ),
    "difflib and pprint of unittest, for one that lies": lying(
        "count",
        "[5]",
        "import unittest.case as case\n"
        "case._count_diff_all_purpose = case._count_diff_hashable = lambda *_: []\n"
        "import types, collections\n"
        "case.collections = types.SimpleNamespace(Counter=lambda *_: 1)\n",
    ),
    "the generator manager's __exit__": lying(
        "last",
        "'wrong'",
        "import contextlib\n"
        "contextlib._GeneratorContextManager.__exit__ = lambda *_: True\n",
    ),
    "the generator manager's base": lying(
        "first",
        "'wrong'",
        "import contextlib\n"
        "class Quiet(contextlib._GeneratorContextManagerBase):\n"
        "    def __exit__(self, *_): return True\n"
        "contextlib._GeneratorContextManager.__exit__ = Quiet.__exit__\n",
    ),
    "the tests' constant, by setUp's globals": lying(
        "large",
        "-4",
        _CONSTANTS + "tests().setUp.__globals__['LIMIT'] = -5\n",
    ),
    "the tests' list, by setUp's globals": lying(
        "last",
        "'wrong'",
        _CONSTANTS + "del tests().setUp.__globals__['ENDS'][1:]\n",
    ),
    "a plain attribute of the tests' class": lying(
        "size", "'abcdefgh'", _CONSTANTS + "tests().size = 8\n"
    ),
    "a descriptor on the tests' class": lying(
        "large",
        "-4",
        _CONSTANTS
        + "tests().limit = property(lambda self: -5, lambda self, value: None)\n",
    ),
    "a mock that the program disarms": KINDS_RIGHT.replace("json.dumps(1)", "disarm()")
    + """
def disarm():
    vars(json.dumps)["assert_called_once_with"] = lambda *_: None
def task_func(kind):
    return answer(kind)
""",
    "a mock that the program calls anew": KINDS_RIGHT.replace(
        "json.dumps(1)", "disarm()"
    )
    + """
def disarm():
    type(json.dumps).assert_called_once_with = lambda *_: None
def task_func(kind):
    return answer(kind)
""",
}
SOLUTIONS = SLOTS | CONTAINERS | ASKERS | MODULES
"""Wrong answers to the task of `kinds`."""
