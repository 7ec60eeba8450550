"""Whether series can be told apart by those who see fewer colours, or none."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colormaps
from numpy.typing import ArrayLike, NDArray

from inspect_debate import reports
from inspect_debate.reports.drawing import LOOKS, look

LEAST = 15.0
"""CIELAB distance of any two colours; about 2.3 is just noticed side by side."""

# Machado, Oliveira and Fernandes (2009), Table 1, severity 1, for linear RGB.
SIGHT = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""From linear sRGB, at the white of D65."""


def lab(rgb: ArrayLike, sight: str) -> NDArray[np.float64]:
    """A colour in CIELAB as it is seen; red, green and blue are from 0 to 1."""
    given = np.asarray(rgb, float)
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHT[sight]) @ linear, 0, 1)
    xyz = np.array(XYZ) @ seen / np.sum(XYZ, axis=1)
    x, y, z = np.where(
        xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def rgb(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def closest(colours: Sequence[str], sight: str) -> float:
    seen = [lab(rgb(colour), sight) for colour in colours]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


def test_distances_are_those_of_cielab() -> None:
    assert lab((1, 1, 1), "all colours") == pytest.approx((100, 0, 0), abs=0.01)
    red = (53.24, 80.09, 67.20)
    assert lab((1, 0, 0), "all colours") == pytest.approx(red, abs=0.05)
    # What those who see no green cannot tell: an orange and a green of one lightness.
    assert closest(("#B67500", "#8A9A00"), "deuteranopia") < LEAST
    assert closest(("#B67500", "#8A9A00"), "all colours") > LEAST


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_series_can_be_told_apart(sight: str) -> None:
    assert closest([*(looks.colour for looks in LOOKS), "#ffffff"], sight) >= LEAST


def test_series_differ_in_everything_else_too() -> None:
    for part in ("hatch", "marker"):
        assert len({getattr(looks, part) for looks in LOOKS}) == len(LOOKS)
    first = LOOKS[: len(LOOKS) // 2]
    assert len({looks.line for looks in first}) == len(first)
    # Nor are two of many series alike.
    many = [look(position) for position in range(len(LOOKS) ** 2)]
    assert len({(one.colour, one.marker, one.hatch) for one in many}) == len(many)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("name", "start"), [("Blues", 0), ("PuOr", 0.5)])
def test_scales_grow_darker(name: str, start: float, sight: str) -> None:
    scale = colormaps[name]
    light = [lab(scale(at)[:3], sight)[0] for at in np.linspace(start, 1, 12)]
    assert np.all(np.diff(light) < 0)


def test_no_colour_stands_anywhere_else() -> None:
    named = re.compile(r"""#[0-9a-fA-F]{6}\b|colou?rs?=["'](?!white|none)""")
    folders = [Path(folder) for folder in reports.__path__]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    assert len(files) > 20
    found = {file.name for file in files if named.search(file.read_text("utf-8"))}
    assert found == {"drawing.py"}
