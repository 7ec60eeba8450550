"""Of all tests: what is loaded for them is not searched for garbage again and again."""

import gc

# A collection of tests makes nothing but what stays.
gc.disable()


def pytest_collection_finish() -> None:
    """Modules, tests and their tables are kept to the end; the rest is little."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
