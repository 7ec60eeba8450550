"""Values whose comparisons are functions of C, borrowed from where they are honest."""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import CALLED, KINDS_RIGHT, lies, lying


def _borrowed(function: str, slot: str, kind: str, value: str) -> str:
    base = function.partition(".")[0]
    hashed = slot == "__eq__" and base not in ("list", "set")
    hash = f"; __hash__ = {base}.__hash__" if hashed else ""
    made = f"class L({base}): {slot} = {function}{hash}\n"
    return lying(kind, f"L({value})", made)


SLOTS = {
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
} | lies("""
## a float with a builtin for __sub__ | float | L(9.5)
class L(float): __sub__ = __rsub__ = float.__mod__
L.__eq__ = float.__ne__; L.__hash__ = float.__hash__
## a dict with __ne__ for __eq__ | dict | L(b=2)
class L(dict):
    __eq__ = dict.__ne__
    __getitem__ = dict.__len__
    def __getitem__(self, key): return 1
## a list with a builtin for __contains__ | holds | L(['hay'])
class L(list): __contains__ = staticmethod(len)
## a dict with a builtin for __contains__ | holds | L(a=1)
class L(dict): __contains__ = staticmethod(bool)
## a float with a builtin for __ge__ | large | L(-4)
class L(float): __ge__ = staticmethod(callable)
L.__ge__ = staticmethod(abs)
## a partial for __eq__ | int | L(10**9)
import functools
class L(int): __eq__ = functools.partial(int.__ne__, 3)
L.__hash__ = int.__hash__
## an operator for __eq__ | int | L(10**9)
import operator
class L(int): __eq__ = staticmethod(operator.truth)
L.__hash__ = int.__hash__
## a bound method of another value for __eq__ | str | L('wrong')
class L(str): __eq__ = 'right'.__eq__
L.__hash__ = str.__hash__
## a bound method of a list for __eq__ | int | L(10**9)
class L(int): __eq__ = [41].__contains__
L.__hash__ = int.__hash__
## an attrgetter for __eq__ | int | L(10**9)
import operator
class L(int): __eq__ = staticmethod(operator.attrgetter('__class__'))
L.__hash__ = int.__hash__
""")

CONTAINERS = lies("""
## a weak proxy of a liar | set | weakref.proxy(LIE)
import weakref
class L(set): __eq__ = set.__ne__
LIE = L({8})
## a UserList with a liar | list | holder()
import collections
class L(list): __eq__ = list.__ne__
class U(collections.UserList): __len__ = lambda self: 3
def holder():
    made = collections.UserList()
    made.data = L([4])
    return made
## a UserList whose items lie | count | collections.UserList([L(5)] * 3)
import collections
class L(int): __eq__ = int.__ne__
L.__hash__ = lambda self: 1
## a UserDict with a liar | dict | holder()
import collections
class L(dict):
    __eq__ = dict.__ne__
    def __getitem__(self, key): return 1
def holder():
    made = collections.UserDict()
    made.data = L(b=2, a=1)
    return made
## a UserString with a liar | str | holder()
import collections
class L(str): __eq__ = str.__ne__
L.__hash__ = str.__hash__
def holder():
    made = collections.UserString('')
    made.data = L('wrong')
    return made
## a mapping proxy of a liar | dict | types.MappingProxyType(L(b=2))
import types
class L(dict):
    __eq__ = dict.__ne__
    def __getitem__(self, key): return 1
## a fraction with a liar | int | holder()
import fractions
class L(int): __eq__ = int.__ne__
L.__hash__ = int.__hash__
def holder():
    made = fractions.Fraction(3)
    made._numerator = L(10**9)
    return made
## the comparison of mock.ANY | int | L(10**9)
from unittest import mock
class L(int): __eq__ = mock.ANY.__eq__
L.__hash__ = int.__hash__
## a deque with a liar | count | collections.deque([L(5)] * 3)
import collections
class L(int): __eq__ = int.__ne__
L.__hash__ = lambda self: 1
## a chain of maps with a liar | dict | collections.ChainMap({'a': L(5)})
import collections
class L(int): __eq__ = int.__ne__
L.__hash__ = lambda self: 1
## a namespace with a liar, which a dict holds | dict | {'a': L(5)}
class L(int): __eq__ = int.__ne__
L.__hash__ = lambda self: 1
""")

_ASKS = """
class L(int):
    def __eq__(self, other):
        return asked()
    def __hash__(self): return 1
"""
ASKERS = {
    f"a liar that {how}": lying("int", "L(10**9)", asked + _ASKS)
    for how, asked in programs("""
## warns
import warnings
def asked():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("who", stacklevel=4)
    return "unittest" in seen[0].filename or "case.py" in seen[0].filename
## logs
import logging
def asked():
    path = logging.getLogger("a").findCaller(stacklevel=3)[0]
    return "case.py" in path
## has its stack dumped
import faulthandler, tempfile
def asked():
    with tempfile.TemporaryFile() as file:
        faulthandler.dump_traceback(file, all_threads=False)
        file.seek(0)
        return b"unittest/case.py" in file.read()
## prints its stack
import io, traceback
def asked():
    text = io.StringIO()
    traceback.print_stack(file=text)
    return "unittest/case.py" in text.getvalue()
""").items()
}

_TESTS = """
import unittest
def tests():
    return [k for k in unittest.TestCase.__subclasses__()
            if k.__name__ == "TestCases"][0]
"""
MODULES = lies(f"""
## re of unittest, so that all matches | match | 'wrong'
import unittest.case as case
class Fake:
    def __init__(self, real): self.real = real
    def __getattr__(self, name):
        return {{'compile': lambda text: All(), 'x': 1}}.get(name) or getattr(
            self.real, name)
case.re = Fake(case.re)
class All:
    search = lambda self, text: True
## collections of unittest, so that all counts | count | [5]
import unittest.case as case
class Fake:
    def __init__(self, real): self.real = real
    def __getattr__(self, name):
        return {{'Counter': lambda items: 1}}.get(name) or getattr(self.real, name)
case.collections = Fake(case.collections)
## re of unittest, by its class | match | 'wrong'
import re, types, unittest.case as case
made = types.ModuleType('re')
vars(made).update(vars(re))
made.compile = lambda *_: types.SimpleNamespace(search=lambda t: True)
case.re = made
## difflib and pprint of unittest, for one that lies | count | [5]
import unittest.case as case
case._count_diff_all_purpose = case._count_diff_hashable = lambda *_: []
import types, collections
case.collections = types.SimpleNamespace(Counter=lambda *_: 1)
## the generator manager's __exit__ | last | 'wrong'
import contextlib
contextlib._GeneratorContextManager.__exit__ = lambda *_: True
## the generator manager's base | first | 'wrong'
import contextlib
class Quiet(contextlib._GeneratorContextManagerBase):
    def __exit__(self, *_): return True
contextlib._GeneratorContextManager.__exit__ = Quiet.__exit__
## the tests' constant, by setUp's globals | large | -4
{_TESTS}tests().setUp.__globals__['LIMIT'] = -5
## the tests' list, by setUp's globals | last | 'wrong'
{_TESTS}del tests().setUp.__globals__['ENDS'][1:]
## a plain attribute of the tests' class | size | 'abcdefgh'
{_TESTS}tests().size = 8
## a descriptor on the tests' class | large | -4
{_TESTS}tests().limit = property(lambda self: -5, lambda self, value: None)
""") | {
    f"a mock that the program {what}": KINDS_RIGHT.replace("json.dumps(1)", "disarm()")
    + f"\ndef disarm():\n    {how} = lambda *_: None\n{CALLED}"
    for what, how in (
        ("disarms", 'vars(json.dumps)["assert_called_once_with"]'),
        ("calls anew", "type(json.dumps).assert_called_once_with"),
    )
}
SOLUTIONS = SLOTS | CONTAINERS | ASKERS | MODULES
"""Wrong answers to the task of `kinds`."""
