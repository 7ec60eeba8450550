"""What is true, for the simulated models alone; nothing else may import this."""

_TRUTH: dict[str, str] = {}


def register(fingerprint: str, truth: str) -> None:
    """Remember the right answer to a question; loaders call this."""
    _TRUTH[fingerprint] = truth


def truth(fingerprint: str) -> str | None:
    """The right answer to a question, or None if no loader registered it."""
    return _TRUTH.get(fingerprint)
