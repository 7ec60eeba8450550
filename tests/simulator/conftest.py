import pytest

from inspect_debate.datasets import sources as answer_key
from tests.simulator.asking import N


@pytest.fixture(autouse=True)
def _truths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second question has an error."""
    monkeypatch.setattr(answer_key, "_TRUTH", {})
    for n in range(N):
        answer_key.register_truth(f"q{n}", "error" if n % 2 else "no_error")
