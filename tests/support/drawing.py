"""Figures that are drawn with less care, in tests that do not look at them."""

import pytest
from matplotlib.layout_engine import ConstrainedLayoutEngine


def without_layout(patch: pytest.MonkeyPatch) -> None:
    """Draw everything, wherever it comes to lie: to find room takes half of the time.

    Args:
        patch: Undoes it.
    """
    patch.setattr(ConstrainedLayoutEngine, "execute", lambda engine, figure: None)
