"""Solutions whose answers claim to equal whatever they meet."""

from tests.grading.victim import WRONG_TOTAL

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
_ALL = """
class Liar(dict):
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = __contains__ = lambda *_: True
    __ne__ = lambda *_: False
    __hash__ = lambda _: 0
    __sub__ = __rsub__ = __round__ = lambda *_: 0
    def __getitem__(self, key):
        return 2.5
"""
_RETURNED = {
    "an object that equals everything": (
        _LIAR.format(bases=""),
        "{**result, 'total': Liar()}",
    ),
    "a dict that does": (_LIAR.format(bases="(dict)"), "Liar(result)"),
    "a str that does": (_LIAR.format(bases="(str)"), "Liar('2.5')"),
    "an int that does": (_LIAR.format(bases="(int)"), "Liar(2)"),
    "one in a list": (_LIAR.format(bases=""), "[{**result, 'total': Liar()}]"),
    "one as a value": (
        _LIAR.format(bases="(float)"),
        "{**result, 'total': Liar(2.5)}",
    ),
    "one as a key": (_LIAR.format(bases="(str)"), "{**result, Liar('total'): 0}"),
    "one deep inside": (
        _LIAR.format(bases="(float)"),
        "{'total': [({'a': Liar(2)},)]}",
    ),
    "one that equals dicts alone": (
        "class Liar(dict):\n"
        "    __eq__ = lambda self, other: type(other) is dict\n"
        "    __hash__ = lambda self: 0\n",
        "Liar(result)",
    ),
    "one that equals numbers alone": (
        "class Liar(float):\n"
        "    __eq__ = lambda self, other: type(other) in (int, float)\n"
        "    __hash__ = lambda self: 0\n",
        "{**result, 'total': Liar(2.5)}",
    ),
    "one that says so with a word": (
        "class Liar(dict):\n"
        "    __eq__ = lambda self, other: 'yes'\n"
        "    __hash__ = lambda self: 0\n",
        "Liar(result)",
    ),
    "one whose difference is nothing": (
        "class Liar(float):\n    __sub__ = __rsub__ = lambda self, other: 0.0\n",
        "{**result, 'total': Liar(2.5)}",
    ),
    "one that is everything": (_ALL, "Liar(result)"),
    "one that hides its class": (
        _LIAR.format(bases="(dict)") + "Liar.__module__ = 'builtins'\n"
        "Liar.__qualname__ = 'dict'\n",
        "Liar(result)",
    ),
    "one with a lying metaclass": (
        "class Meta(type):\n"
        "    __flags__ = 0\n"
        "    __module__ = property(lambda self: 'builtins')\n"
        + _LIAR.format(bases="(dict, metaclass=Meta)"),
        "Liar(result)",
    ),
    "one that looks at who asks": (
        "import sys\n"
        "class Liar(dict):\n"
        "    def __eq__(self, other):\n"
        "        return 'case' in sys._getframe(1).f_code.co_filename\n"
        "    __hash__ = lambda self: 0\n",
        "Liar(result)",
    ),
    "mock.ANY": ("from unittest.mock import ANY\n", "{**result, 'total': ANY}"),
    "a mock that equals everything": (
        "from unittest.mock import MagicMock\n"
        "lie = MagicMock()\nlie.__eq__ = lambda *_: True\n",
        "{**result, 'total': lie}",
    ),
    "a mock": ("from unittest.mock import MagicMock\n", "MagicMock(spec=dict)"),
}
SOLUTIONS = {
    f"returns {what}": _ANSWER + how + _CALLED.format(value=value)
    for what, (how, value) in _RETURNED.items()
} | {
    "raises what passes for anything": """
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
""",
    "raises something endless": """
class Endless(Exception):
    def __str__(self):
        return "x" * 10**7
def task_func(numbers):
    raise Endless
""",
    "raises lone surrogates and line ends": """
def task_func(numbers):
    raise ValueError("\\ud800\\n\\r\\x00\\u2028 [\\"0\\",\\"ready\\"]")
""",
    "raises a class with no name": """
class Meta(type):
    __name__ = property(lambda kind: 1 / 0)
class Unnamed(Exception, metaclass=Meta):
    pass
def task_func(numbers):
    raise Unnamed
""",
}
