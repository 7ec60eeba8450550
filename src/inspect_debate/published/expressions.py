"""Arithmetic written as text over named numbers, and nothing but arithmetic."""

import ast
import operator
from collections.abc import Callable, Mapping
from math import sqrt
from statistics import NormalDist, fmean
from string import Formatter
from typing import Any

_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.And: lambda *values: all(values),
    ast.Or: lambda *values: any(values),
}

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "len": len,
    "max": max,
    "mean": fmean,
    "min": min,
    "round": round,
    "sqrt": sqrt,
    "sum": sum,
    "z": lambda p: NormalDist().inv_cdf(1 - p / 2),
}
"""What expressions may call; `z` is how many standard errors a two-sided p-value is."""


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression: numbers, names, operators and `FUNCTIONS`.

    Args:
        expression: As in Python: `abs(a - b) <= 0.05 and scale[40] == "mild"`.
        names: The values of its names.

    Raises:
        ValueError: If there is anything else in it, or a name that is not known.
    """
    return _value(ast.parse(expression, mode="eval").body, names)


def filled_in(text: str, names: Mapping[str, Any]) -> str:
    """A text with the values of the expressions that it has in braces.

    Args:
        text: As an f-string: `{a:.2f} less {b:.2f} is {a - b:.2f}`.
        names: The values of their names.
    """
    parts = []
    for literal, expression, form, _ in Formatter().parse(text):
        parts.append(literal)
        if expression is not None:
            parts.append(format(evaluate(expression, names), form or ""))
    return "".join(parts)


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() if node.id in names:
            return names[node.id]
        case ast.Tuple() | ast.List():
            return tuple(_value(one, names) for one in node.elts)
        case ast.UnaryOp() if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](_value(node.operand, names))
        case ast.BinOp() if type(node.op) in _OPERATORS:
            both = _value(node.left, names), _value(node.right, names)
            return _OPERATORS[type(node.op)](*both)
        case ast.BoolOp():
            return _OPERATORS[type(node.op)](*(_value(o, names) for o in node.values))
        case ast.Compare(ops=[op]) if type(op) in _OPERATORS:
            both = _value(node.left, names), _value(node.comparators[0], names)
            return _OPERATORS[type(op)](*both)
        case ast.Subscript():
            return _value(node.value, names)[_value(node.slice, names)]
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(one, names) for one in node.args))
    raise ValueError(f"{ast.unparse(node)!r} is not arithmetic of {', '.join(names)}")
