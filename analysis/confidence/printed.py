"""Numbers as the paper's tables print them."""

from math import isnan

from inspect_debate.analysis.confidence.statistics import Spread, TTest
from inspect_debate.analysis.reporting.formats import MISSING

SIGNIFICANT = 0.05
"""The level below which the paper calls a p-value significant."""

_STARS = {0.001: "***", 0.01: "**", SIGNIFICANT: "*"}
_SMALL = 1e-4


def fixed(value: float, digits: int = 2) -> str:
    """A number with so many decimals, as Python rounds; NaN as a dash."""
    return MISSING if isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    """A share as "61.7%"."""
    return MISSING if isnan(share) else f"{100 * share:.1f}%"


def mean_sd(found: Spread, *, n: bool = False) -> str:
    """Mean and spread as "72.92 ± 7.93", with "(N=120)" where asked for."""
    text = f"{fixed(found.mean)} ± {fixed(found.sd)}"
    return f"{text} (N={found.n})" if n else text


def delta(found: TTest) -> str:
    """A change as "Δ=4.75"."""
    return f"Δ={fixed(found.mean)}"


def delta_stars(found: TTest) -> str:
    """A change as "Δ=5.36***"."""
    return delta(found) + stars(found.p)


def delta_p(found: TTest, *, bounded: bool = False) -> str:
    """A change with its p-value and stars, as "Δ=4.75, p=0.0012**".

    Args:
        found: The change.
        bounded: Whether p-values below 0.001 are printed as "p<0.001", as in the
            overall rows of Tables 8 to 11.
    """
    p = "<0.001" if bounded and found.p < 0.001 else f"={fixed(found.p, 4)}"
    return f"{delta(found)}, p{p}{stars(found.p)}"


def stars(p: float) -> str:
    """One to three stars for p-values below 0.05, 0.01 and 0.001."""
    return next((mark for level, mark in _STARS.items() if p < level), "")


def bounded_p(p: float) -> str:
    """A p-value with three decimals, or "<0.001" (the text of section 4.1)."""
    return "<0.001" if p < 0.001 else fixed(p, 3)


def small_p(p: float) -> str:
    """A p-value with four decimals, or below 0.0001 as "6.97×10^-7" (Table 7)."""
    if isnan(p) or p >= _SMALL or p == 0:
        return fixed(p, 4)
    digits, _, exponent = f"{p:.2e}".partition("e")
    return f"{digits}×10^{int(exponent)}"
