from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser

from inspect_debate.reports.prediction import lengths, spread


@pytest.mark.parametrize(
    ("sample", "length"),
    [
        ({"input": "four"}, 4),
        ({"input": "four", "choices": ["one", "other"]}, 12),
        ({"input": "four", "metadata": {"passage": "seven77"}}, 11),
        ({"input": "four", "metadata": {"passage": None, "explanation": "x"}}, 4),
        (
            {
                "input": "four",
                "metadata": {"proposition_burden": "ab", "opposition_burden": "c"},
            },
            7,
        ),
        (
            {
                "input": [
                    ChatMessageUser(content="task"),
                    ChatMessageAssistant(content="response"),
                ]
            },
            12,
        ),
    ],
)
def test_the_length_is_that_of_what_prompts_show(
    sample: dict[str, Any], length: int
) -> None:
    assert lengths([Sample(id=7, **sample)]) == {"7": length}


def test_of_each_group_by_length_the_item_nearest_to_its_mean_is_taken() -> None:
    sizes = {"a": 1, "b": 2, "c": 30, "d": 100, "e": 240, "f": 260}
    # (1 + 2 + 30) / 3 = 11, and (100 + 240 + 260) / 3 = 200.
    assert spread(sizes, 2) == ["b", "e"]


def test_all_items_are_taken_where_there_are_no_more() -> None:
    assert spread({"b": 2, "a": 1}, 5) == ["a", "b"]


@given(
    st.dictionaries(st.text(min_size=1), st.integers(1, 5000), min_size=1),
    st.integers(1, 9),
)
def test_items_differ_and_do_not_depend_on_the_order(
    sizes: dict[str, int], number: int
) -> None:
    chosen = spread(sizes, number)
    assert len(chosen) == len({*chosen}) == min(number, len(sizes))
    assert {*chosen} <= sizes.keys()
    assert chosen == spread(dict(reversed(sizes.items())), number)
    assert [sizes[id] for id in chosen] == sorted(sizes[id] for id in chosen)
