"""What is wrong, or open, in the numbers of the study of generative debates."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from operator import sub, truediv
from typing import NamedTuple

from scipy.stats import norm

from inspect_debate.published.faults import Fault, Finding
from inspect_debate.published.printed import (
    PublishedClaim,
    PublishedGenerative,
    items_behind,
)
from inspect_debate.published.reproduction import Checked

Check = Callable[[PublishedGenerative], Finding]

_COMPARED = ("loses", "ties", "wins")
_DUAL = (6, 2, 0)
"""Losses, ties and wins of dual debate, as printed beside those of all."""

_LEVEL = 0.05
_POINT = 1.0
"""Percent within which two printed percentages are taken for the same."""


def faults(published: PublishedGenerative) -> list[Fault]:
    """All faults of the claims.

    Args:
        published: As printed, or corrected.
    """
    said = dict(published.flags) | _SAID
    return [
        Fault("generative", name, said[name], partial(check, published))
        for name, check in _CHECKS.items()
    ]


def _tripling(published: PublishedGenerative) -> Finding:
    debate, other, told = (
        value(published, f"fpr.{which}") for which in ("debate", "consultancy", "times")
    )
    if round(debate / other) == told:
        return Finding()
    none = value(published, "fpr.none")
    both = (other + none) / 2
    return _found(
        f"{debate:g}/{other:g} is {debate / other:.1f}; {debate:g}/{none:g} is "
        f"{debate / none:.1f}; of the mean of both, {both:g}, it is "
        f"{debate / both:.1f}.",
        "fpr.times",
    )


def _tally(published: PublishedGenerative) -> Finding:
    whole = [int(value(published, name)) for name in _COMPARED]
    single = [all - dual for all, dual in zip(whole, _DUAL, strict=True)]
    comparisons = sum(whole)
    if not any(single):
        return Finding()
    return _found(
        f"{_listed(whole)} of {comparisons} less {_listed(_DUAL)} of {sum(_DUAL)} "
        f"leave {_listed(single)}, which is not printed; of {comparisons} tests "
        f"{_LEVEL * comparisons:.1f} find a difference by chance.",
        *_COMPARED,
    )


def _fpr(published: PublishedGenerative) -> Finding:
    lines, places = [], []
    for way in ("debate", "consultancy"):
        rate, right = (value(published, f"{of}.{way}") for of in ("fpr", "all_wrong"))
        if abs(100 - right - rate) <= _POINT:
            lines.append(f"{way}: 100 less {right:g} is {100 - right:g}; FPR {rate:g}.")
            places += [f"fpr.{way}", f"all_wrong.{way}"]
    return Finding(lines, frozenset(places)) if len(lines) == 2 else Finding()


def _derived(published: PublishedGenerative) -> Finding:
    flips, hurt = (value(published, f"{of}.debate") for of in ("flip", "hurt"))
    net = flips * (1 - 2 * hurt / 100)
    if abs(net - value(published, "net.debate")) > 0.05:
        return Finding()
    return _found(
        f"{flips:g} % times ({100 - hurt:g} % less {hurt:g} %) is {net:.1f}.",
        "net.debate",
    )


def _of_800(published: PublishedGenerative) -> Finding:
    shares = [claim for claim in published.claims if claim.flag == "of_800"]
    values = {claim.id: value(published, claim.id) for claim in shares}
    fitting = [
        n
        for n in range(_FEWEST, _TASKS + 1)
        if all(items_behind(one, n, 1) is not None for one in values.values())
    ]
    if _TASKS not in fitting or _OF_ONE_SPLIT in fitting:
        return Finding()
    exact = [100 * (items_behind(v, _TASKS, 1) or 0) / _TASKS for v in values.values()]
    return _found(
        f"{_listed(values.values())} are {_listed(exact)} of {_TASKS} tasks, rounded; "
        f"rounded or cut off, {len(fitting)} of the numbers from {_FEWEST} to "
        f"{_TASKS} give them all.",
        *values,
    )


def _reused(published: PublishedGenerative) -> Finding:
    gap = value(published, "hard.answers")
    if gap == 0:
        return Finding()
    return _found(
        f"{gap:+g} points between formats that, on the same answers, differ by 0.",
        "hard.answers",
    )


def _elliptic(published: PublishedGenerative) -> Finding:
    """That the shares of the other family are read from the context alone."""
    ids = [claim.id for claim in published.claims if claim.flag == "elliptic"]
    told = [f"{value(published, id):g} % ({id})" for id in ids]
    return _found(f"Read so: {'; '.join(told)}.", *ids) if ids else Finding()


def _paired_by_task(published: PublishedGenerative) -> Finding:
    """That a printed p needs a smaller standard error than four shares have."""
    claim = next(one for one in published.claims if one.id == _PAIRED)
    difference, p = abs(value(published, _PAIRED)), _P_VALUE.search(claim.printed)
    if p is None:
        return Finding()
    needed = difference / float(norm.isf(float(p[1]) / 2))
    independent = 100 * sqrt(4 * _SHARE * (1 - _SHARE) / _BCB_TASKS)
    if needed >= independent:
        return Finding()
    variance = _BCB_TASKS * (needed / 100) ** 2 / 4
    share = (1 + sqrt(1 - 4 * variance)) / 2
    return _found(
        f"{difference:g} points at p = {p[1]} need a standard error of {needed:.2f} "
        f"points; that of four independent shares of {100 * _SHARE:g} % of "
        f"{_BCB_TASKS} tasks is {independent:.2f}. It would do for shares of "
        f"{100 * share:.1f} %, or for {(independent / needed) ** 2:.0f} times as many "
        "samples.",
        _PAIRED,
    )


_FEWEST, _OF_ONE_SPLIT, _TASKS = 100, 400, 800
_BCB_TASKS = 1136
"""Programming tasks of the study's data."""

_SHARE = 0.9
"""A verdict accuracy that is high for these tasks; lower ones have larger errors."""

_PAIRED = "did.bcb_plus.gpt5"
_P_VALUE = re.compile(r"p = ([\d.]+)")
_SAID = {
    "paired_by_task": "−1.9 points at p = 0.009 is out of reach of four independent "
    "shares of one verdict per task, unless nearly all are right: the difference in "
    "differences is evidently by task, as it is here."
}
_CHECKS: Mapping[str, Check] = {
    "tripling": _tripling,
    "fpr": _fpr,
    "tally": _tally,
    "derived": _derived,
    "paired_by_task": _paired_by_task,
    "of_800": _of_800,
    "elliptic": _elliptic,
    "reused": _reused,
}


def _found(line: str, *ids: str) -> Finding:
    return Finding([line], frozenset(ids))


def _listed(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


# How far the numbers of the study of generative debates follow from each other.

_NUMBER = re.compile(r"[+−]?\d+(?:\.\d+)?")
_NOT_PRINTED = "derived"
"""The flag of what is not printed, but follows."""


class _Rule(NamedTuple):
    """From which claims another follows, how, and up to which rounding."""

    ids: Sequence[str]
    exact: Callable[..., float]
    rounded: float


def value(published: PublishedGenerative, id: str) -> float:
    """The first number of a claim."""
    claim = next(one for one in published.claims if one.id == id)
    return _values(claim.printed)[0]


def checked_cells(published: PublishedGenerative) -> Iterator[Checked]:
    """Every claim that is printed, once.

    Args:
        published: As printed.
    """
    for claim in published.claims:
        if claim.flag != _NOT_PRINTED:
            yield _checked(published, claim)


def _checked(published: PublishedGenerative, claim: PublishedClaim) -> Checked:
    found = _of(claim)
    if claim.id not in _FOLLOWS:
        return found
    rule = _FOLLOWS[claim.id]
    own = rule.exact(*(value(published, id) for id in rule.ids))
    follows = abs(own - value(published, claim.id)) <= rule.rounded
    return found._replace(
        how="cells" if follows else "impossible",
        ours=f"{own:.3g}",
        why=f"from {', '.join(rule.ids)}",
    )


def _of(claim: PublishedClaim) -> Checked:
    why = "no answers are released"
    cell = f"{claim.claim} ({claim.id})"
    return Checked("generative", "Text", cell, claim.printed, "open", why=why)


def _values(printed: str) -> list[float]:
    return [float(text.replace("−", "-")) for text in _NUMBER.findall(printed)]


_FOLLOWS: Mapping[str, _Rule] = {
    "fpr.times": _Rule(("fpr.debate", "fpr.consultancy"), truediv, 0.5),
    "fpr.times_none": _Rule(("fpr.debate", "fpr.none"), truediv, 0.5),
    "all_wrong.gap": _Rule(("all_wrong.consultancy", "all_wrong.debate"), sub, 1.0),
    "only_win": _Rule(("accuracy.debate.4", "accuracy.consultancy.4"), sub, 0.101),
    "did.arc.gpt5": _Rule(
        (
            *("accuracy.debate.4", "accuracy.debate.1"),
            *("accuracy.consultancy.4", "accuracy.consultancy.1"),
        ),
        lambda a, b, c, d: (a - b) - (c - d),
        0.201,
    ),
}
