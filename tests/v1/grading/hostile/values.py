"""Solutions whose answers claim to equal whatever they meet."""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import WRONG_TOTAL

_ANSWER = WRONG_TOTAL.replace("task_func", "answer")

_LIAR = """
class Liar{bases}:
    def __eq__(self, other):
        return True
    def __ne__(self, other):
        return False
    def __hash__(self):
        return 0
"""
_CALLED = """
def task_func(numbers):
    result = answer(numbers)
    return {value}
"""
# What is returned is after the name of each.
_RETURNED = programs(f"""
## an object that equals everything | {{**result, 'total': Liar()}}
{_LIAR.format(bases="")}
## a dict that does | Liar(result)
{_LIAR.format(bases="(dict)")}
## a str that does | Liar('2.5')
{_LIAR.format(bases="(str)")}
## an int that does | Liar(2)
{_LIAR.format(bases="(int)")}
## one in a list | [{{**result, 'total': Liar()}}]
{_LIAR.format(bases="")}
## one as a value | {{**result, 'total': Liar(2.5)}}
{_LIAR.format(bases="(float)")}
## one as a key | {{**result, Liar('total'): 0}}
{_LIAR.format(bases="(str)")}
## one deep inside | {{'total': [({{'a': Liar(2)}},)]}}
{_LIAR.format(bases="(float)")}
## one that equals dicts alone | Liar(result)
class Liar(dict):
    __eq__ = lambda self, other: type(other) is dict
    __hash__ = lambda self: 0
## one that equals numbers alone | {{**result, 'total': Liar(2.5)}}
class Liar(float):
    __eq__ = lambda self, other: type(other) in (int, float)
    __hash__ = lambda self: 0
## one that says so with a word | Liar(result)
class Liar(dict):
    __eq__ = lambda self, other: 'yes'
    __hash__ = lambda self: 0
## one whose difference is nothing | {{**result, 'total': Liar(2.5)}}
class Liar(float):
    __sub__ = __rsub__ = lambda self, other: 0.0
## one that is everything | Liar(result)
class Liar(dict):
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = lambda *_: True
    __ne__ = lambda *_: False
    __hash__ = lambda _: 0
    __sub__ = __rsub__ = __round__ = lambda *_: 0
    def __getitem__(self, key):
        return 2.5
## one that hides its class | Liar(result)
{_LIAR.format(bases="(dict)")}
Liar.__module__ = 'builtins'
Liar.__qualname__ = 'dict'
## one with a lying metaclass | Liar(result)
class Meta(type):
    __flags__ = 0
    __module__ = property(lambda self: 'builtins')
{_LIAR.format(bases="(dict, metaclass=Meta)")}
## one that looks at who asks | Liar(result)
import sys
class Liar(dict):
    def __eq__(self, other):
        return 'case' in sys._getframe(1).f_code.co_filename
    __hash__ = lambda self: 0
## mock.ANY | {{**result, 'total': ANY}}
from unittest.mock import ANY
## a mock that equals everything | {{**result, 'total': lie}}
from unittest.mock import MagicMock
lie = MagicMock()
lie.__eq__ = lambda *_: True
## a mock | MagicMock(spec=dict)
from unittest.mock import MagicMock
""")
SOLUTIONS = {
    f"returns {name.partition(' | ')[0]}": _ANSWER
    + how
    + _CALLED.format(value=name.partition(" | ")[2])
    for name, how in _RETURNED.items()
} | programs(r"""
## raises what passes for anything
class Meta(type):
    def __instancecheck__(kind, other):
        return True
    def __subclasscheck__(kind, other):
        return True
class Any(Exception, metaclass=Meta):
    __eq__ = lambda *_: True
    __hash__ = lambda _: 0
    __str__ = lambda _: 1 / 0
    __repr__ = lambda _: 1 / 0
def task_func(numbers):
    raise Any
## raises something endless
class Endless(Exception):
    def __str__(self):
        return "x" * 10**7
def task_func(numbers):
    raise Endless
## raises lone surrogates and line ends
def task_func(numbers):
    raise ValueError("\ud800\n\r\x00\u2028 [\"0\",\"ready\"]")
## raises a class with no name
class Meta(type):
    __name__ = property(lambda kind: 1 / 0)
class Unnamed(Exception, metaclass=Meta):
    pass
def task_func(numbers):
    raise Unnamed
""")
