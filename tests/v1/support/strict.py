"""A marker for tests in which nothing may warn."""

import pytest

no_warnings = pytest.mark.filterwarnings(
    "error",
    # What another test of the same worker left open may be collected during this one.
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
