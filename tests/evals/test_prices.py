"""Files of prices: what is read, and what is said of what cannot be."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelCost

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.tasks import caps, read_prices

COST: dict[str, Any] = {
    "input": 0.15,
    "output": 0.6,
    "input_cache_write": 0,
    "input_cache_read": 0.075,
}
FILE = """
openai/gpt-4o-mini: {input: 0.15, output: 0.6, input_cache_write: 0,
                     input_cache_read: 0.075}
"""
IN_DOLLARS = (
    "; give input, output, input_cache_write, input_cache_read in US dollars per "
    "million tokens."
)


def test_a_file_and_what_stands_in_it_are_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(FILE)
    expected = {"openai/gpt-4o-mini": ModelCost(**COST)}
    assert read_prices(str(file)) == expected
    assert read_prices({"openai/gpt-4o-mini": COST}) == expected
    assert read_prices(None) == {}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("none.yaml", "prices=none.yaml: cannot read"),
        (["m"], "prices=['m'] has to be a file or a mapping of prices."),
        ({"m": 3}, "prices: m is not allowed: Input should be a valid dictionary"),
        (
            {"m": {**COST, "output": "much"}},
            "prices: m.output is not allowed: Input should be a valid number, unable "
            f"to parse string as a number{IN_DOLLARS}",
        ),
        (
            {"m": {"input": 1, "output": 2, "input_cache_read": 0}},
            "prices: m.input_cache_write is not allowed: Field required" + IN_DOLLARS,
        ),
        (
            {"m": {**COST, "input": -1}},
            "prices: m has a price that is no number from 0 on.",
        ),
        (
            {"m": {**COST, "input": float("nan")}},
            "prices: m has a price that is no number from 0 on.",
        ),
    ],
)
def test_what_cannot_be_read_is_told(given: Any, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_prices(given)
    assert told in error.value.message


def test_prices_are_for_a_budget() -> None:
    with pytest.raises(InputError, match="has no meaning without budget_usd"):
        caps(None, 0.1, {"m": COST})
