"""Cells of a frame, and what they are held against."""

import pytest

from inspect_debate.reports.generative.frames import (
    Cell,
    alike,
    cells_of,
    contexts,
    partner,
)
from inspect_debate.reports.generative.study import (
    PROTOCOLS,
    benchmark_title,
    families_in_order,
    family_key,
    format_of,
    titled,
)
from inspect_debate.solvers.formats import FORMATS
from tests.reports.generative.made import GPT, QWEN, Round, joined, made_items

DUAL = [Round("q1", "10", "11")]
OTHER = "acme/one > acme/two"


def cell(protocol: str, best_of: int = 1, variant: str = "") -> Cell:
    proposers, interaction = FORMATS[protocol]
    return Cell(GPT, "arc", "1", "both", proposers, interaction, best_of, variant)


def test_cells_stand_in_the_order_of_the_study() -> None:
    items = joined(
        made_items("dual_no_transcript", DUAL, family=OTHER),
        made_items("dual_no_transcript", DUAL, family=QWEN),
        made_items("dual_no_transcript", DUAL),
        made_items("dual_consultancy", DUAL),
        made_items("dual_debate", DUAL, best_of=4),
        made_items("dual_debate", DUAL, variant="turn_order=sequential"),
        made_items("dual_debate", DUAL),
    )
    cells = list(cells_of(items))
    assert [of.title for of in cells if of.family == GPT] == [
        "Dual debate",
        "Dual debate, best of 4",
        "Dual debate, turn_order=sequential",
        "Dual consultancy",
        "Dual, no transcript",
    ]
    assert list(dict.fromkeys(of.family for of in cells)) == [GPT, QWEN, OTHER]
    assert [family for family, _, _ in contexts(items)] == [GPT, QWEN, OTHER]
    assert [len(rows) for _, _, rows in contexts(items)] == [5, 1, 1]


def test_versions_and_splits_are_cells_of_their_own() -> None:
    items = joined(
        made_items("dual_debate", DUAL),
        made_items("dual_debate", DUAL, version="2"),
        made_items("dual_debate", DUAL, split="evaluation"),
    )
    assert [of.benchmark for of in cells_of(items)] == [
        *("ARC-AGI-1", "ARC-AGI-1, evaluation", "ARC-AGI-2")
    ]


@pytest.mark.parametrize(
    ("of", "others", "found"),
    [
        (cell("dual_debate"), [cell("dual_consultancy")], 0),
        (cell("dual_debate"), [cell("single_consultancy")], None),
        (cell("dual_debate", 4), [cell("dual_consultancy")], None),
        (cell("dual_debate", variant="x"), [cell("dual_consultancy")], 0),
        (cell("dual_debate"), [cell("dual_consultancy", variant="x")], 0),
        (
            cell("dual_debate", variant="x"),
            [cell("dual_consultancy"), cell("dual_consultancy", variant="x")],
            1,
        ),
        (
            cell("dual_debate", variant="z"),
            [cell("dual_consultancy", variant=name) for name in "xy"],
            None,
        ),
    ],
)
def test_what_a_debate_is_held_against(
    of: Cell, others: list[Cell], found: int | None
) -> None:
    rows = made_items("dual_debate", DUAL)
    cells = dict.fromkeys([of, *others], rows)
    wanted = None if found is None else others[found]
    assert partner(cells, of, "consultancy") == wanted


def test_without_a_transcript_there_is_nothing_to_choose() -> None:
    silent = cell("dual_no_transcript")
    chosen = cell("dual_debate", 4)
    cells = dict.fromkeys([chosen, silent], made_items("dual_debate", DUAL))
    assert partner(cells, chosen, "none") == silent
    assert alike(cells, chosen, "none") == [silent]
    assert alike(cells, chosen, "consultancy") == []


def test_names() -> None:
    assert list(PROTOCOLS) == list(FORMATS)
    assert format_of("dual_debate", 0) == "dual_no_transcript"
    assert format_of("single_debate", 2) == "single_debate"
    assert titled("single_debate", 4, "x=1") == "Single debate, best of 4, x=1"
    assert [family_key(name) for name in (GPT, QWEN, OTHER)] == ["gpt5", "qwen3", None]
    assert family_key("gpt-5-nano > gpt-5-mini") is None
    assert families_in_order([OTHER, QWEN, GPT, OTHER]) == [GPT, QWEN, OTHER]
    assert benchmark_title("arc", "sample", "sample") == "ARC, shipped sample"
    assert benchmark_title("bcb_plus", "v1.0.2", "") == "BigCodeBench-Plus v1.0.2"
    assert benchmark_title("bcb", "v0.1.4", "") == "BigCodeBench v0.1.4"
    assert benchmark_title("bcb", "own", "") == "BigCodeBench, own"
    assert benchmark_title("bcb_plus", "sample", "") == (
        "BigCodeBench-Plus, shipped sample"
    )
    assert benchmark_title("arc", "own", "") == "ARC tasks, own"
    assert benchmark_title("arc", "mine", "training") == "ARC tasks, mine, training"
