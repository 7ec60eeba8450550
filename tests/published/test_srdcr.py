"""SR-DCR's printed tables, and what their notes say about them."""

from typing import Any

import pytest

from inspect_debate.published import published

GPT35, GPT4O = "gpt-3.5-turbo-0125", "gpt-4o-2024-08-06"
HAIKU, SONNET = "claude-3-5-haiku-20241022", "claude-3-7-sonnet-20250219"
LLAMA = "llama-3.3-70b"
OFFSETS = ["20", "40", "60", "100", "200"]


def table(name: str) -> Any:
    return published("srdcr")[name].frame.set_index(["model", "protocol"])


def off(frame: Any, column: str, parts: list[str]) -> set[tuple[str, str]]:
    """Rows whose printed mean is not that of its parts."""
    gap = (frame[column] - frame[parts].mean(axis=1)).abs()
    return set(frame.index[gap > 0.0151])


def not_of(frame: Any, columns: list[str], n: int) -> set[Any]:
    """Cells that are no share of n items, to the one or two digits printed."""
    cells = frame[columns].stack()
    counts = cells * n / 100
    # Three digits are printed at least: 8.3 is 5 of 60.
    slack = cells.map(lambda v: 0.0501 if round(v, 1) == v else 0.0101) * n / 100
    return set(cells.index[(counts - counts.round()).abs() > slack])


def test_the_rows() -> None:
    accuracy, offsets = table("accuracy"), table("offsets")
    assert accuracy.index.is_unique
    assert list(accuracy.index) == list(offsets.index)
    assert accuracy.groupby("model").size().to_dict() == {
        **dict.fromkeys((GPT35, GPT4O, HAIKU, SONNET), 9),
        LLAMA: 7,
    }
    assert accuracy.notna().all(axis=None)
    assert offsets.notna().all(axis=None)


def test_overall_is_the_mean_of_both_halves_but_once() -> None:
    accuracy = table("accuracy")
    wrong = off(accuracy, "overall", ["standard", "perturbed"])
    assert wrong == {(SONNET, "srdcr")}
    assert accuracy["note"][(SONNET, "srdcr")]


def test_perturbed_is_the_mean_of_the_offsets_but_twice() -> None:
    offsets = table("offsets")
    wrong = off(offsets, "perturbed", OFFSETS)
    assert wrong == {(GPT35, "self_ask"), (SONNET, "srdcr")}
    assert all(offsets["note"][key] for key in wrong)
    assert round(100 * 140 / 292, 2) == 47.95


def test_cells_that_are_no_shares_of_sixty_are_srdcrs_or_noted() -> None:
    offsets = table("offsets")
    cells = not_of(offsets, OFFSETS, 60)
    srdcr = {
        (model, column) for model, protocol, column in cells if protocol == "srdcr"
    }
    assert srdcr == {
        *((GPT4O, column) for column in OFFSETS[:3]),
        *((HAIKU, column) for column in OFFSETS),
        *((SONNET, column) for column in ("60", "200")),
        *((LLAMA, column) for column in ("20", "60", "100")),
    }
    others = {(m, p) for m, p, _ in cells if p != "srdcr"}
    assert others == {
        *((GPT35, "self_ask"), (GPT4O, "few_shot"), (SONNET, "few_shot")),
    }
    assert all(offsets["note"][key] for key in others)


@pytest.mark.parametrize(
    ("model", "column", "hits", "items"),
    [
        *((GPT4O, "20", 28, 59), (GPT4O, "40", 27, 57), (GPT4O, "60", 29, 55)),
        *((HAIKU, "20", 30, 54), (HAIKU, "40", 24, 58), (HAIKU, "60", 31, 58)),
        *((HAIKU, "100", 26, 55), (HAIKU, "200", 29, 56), (SONNET, "200", 39, 57)),
        *((LLAMA, "20", 12, 59), (LLAMA, "60", 18, 59), (LLAMA, "100", 19, 58)),
    ],
)
def test_the_items_that_srdcr_was_scored_on(
    model: str, column: str, hits: int, items: int
) -> None:
    cell = table("offsets")[column][(model, "srdcr")]
    assert cell == pytest.approx(100 * hits / items, abs=0.0051)
