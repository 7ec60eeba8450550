import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.parsing import split_argument, split_reasoning
from inspect_debate.debate.record import Status


@pytest.mark.parametrize(
    ("text", "visible", "reasoning"),
    [
        (" plain, spaces kept ", " plain, spaces kept ", ""),
        ("<think>a</think>\n\nAnswer: 1", "Answer: 1", "a"),
        ("< THINK >a</ think >b", "b", "a"),
        ("<think>a</think>b<think>c</think>d", "bd", "a\nc"),
        ("<think>a never ends. Answer: 1", "", "a never ends. Answer: 1"),
        ("b<think>a", "b", "a"),
        ("a</think>b", "b", "a"),
        ("<think>\n<think>a</think>b", "b", "a"),
        ("<think>a<think>b</think>c</think>d", "d", "a\nb\nc"),
        ("<think></think>b", "b", ""),
        ("<thinking>a</thinking>b", "<thinking>a</thinking>b", ""),
    ],
)
def test_split_reasoning(text: str, visible: str, reasoning: str) -> None:
    assert split_reasoning(text) == (visible, reasoning)


@pytest.mark.parametrize(
    ("text", "argument", "status"),
    [
        ("<thinking>t</thinking><argument> a\nb </argument>", "a\nb", Status.OK),
        ("< Thinking >t</THINKING >< ARGUMENT\n>a</ argument>", "a", Status.OK),
        ("<argument>a</argument>", "a", Status.OK),
        ("x<argument>a</argument>y<argument>b</argument>z", "b", Status.OK),
        ("<argument>a</argument><argument>b", "a", Status.OK),
        ("<argument>a<argument>b</argument>", "b", Status.OK),
        ("<argument>a<thinking>t</thinking>b</argument>", "ab", Status.OK),
        (
            "<thinking>first <argument>t</argument></thinking><argument>a</argument>",
            "a",
            Status.OK,
        ),
        (
            "<argument>a</argument><thinking><argument>t</argument></thinking>",
            "a",
            Status.OK,
        ),
        ("t</thinking><argument>a</argument>", "a", Status.OK),
        ("<thinking>t</thinking><argument>a", "a", Status.UNPARSED),
        ("x<argument>a", "a", Status.UNPARSED),
        ("<argument>a<argument>", "a", Status.UNPARSED),
        ("b</argument>", "b", Status.UNPARSED),
        ("<thinking>t</thinking>a", "a", Status.UNPARSED),
        ("t</thinking>a", "a", Status.UNPARSED),
        ("a<thinking>t", "a", Status.UNPARSED),
        ("a<thinking t", "a", Status.UNPARSED),
        ("<thinking>t<argument>t</argument>", "", Status.UNPARSED),
        ("<thinking>t<thinking>t</thinking>t", "", Status.UNPARSED),
        ("<thinking>t</thinking t", "", Status.UNPARSED),
        ("<argument> \n</argument>", "", Status.UNPARSED),
        ("", "", Status.UNPARSED),
    ],
)
def test_split_argument(text: str, argument: str, status: Status) -> None:
    result = split_argument(text)
    assert (result.argument, result.status) == (argument, status)


def test_thinking_is_kept_apart_from_text_outside_both_tags() -> None:
    result = split_argument("x<thinking> t </thinking>y<argument>a</argument>z")
    assert result == ("t", "a", Status.OK)


OPENS = [
    "<thinking>",
    "<THINKING>",
    "< thinking >",
    "<thinking mode=x>",
    "<thinking\n>",
]
CLOSES = ["</thinking>", "</Thinking >", "< / thinking>", "</thinking x>"]
OTHERS = ["<argument>", "</argument>", "<ARGUMENT >", "</ argument>", "<", "</", ">"]
shapes = st.lists(st.sampled_from(OPENS + CLOSES + OTHERS), max_size=14)


def _marked(shape: list[str]) -> tuple[str, set[str], set[str]]:
    """A text with a marker after every part; which are private, which are public."""
    text, private, public = "m0 ", set[str](), {"m0"}
    depth = 0
    for i, part in enumerate(shape, start=1):
        text += f"{part} m{i} "
        if part in OPENS:
            depth += 1
        elif part in CLOSES:
            if depth == 0:
                private, public = private | public, set()
            depth = max(0, depth - 1)
        (private if depth else public).add(f"m{i}")
    return text, private, public


@given(shapes)
def test_no_character_of_the_thinking_leaks(shape: list[str]) -> None:
    text, private, public = _marked(shape)
    result = split_argument(text)
    shown = {word for word in result.argument.split() if word.startswith("m")}
    assert not shown & private
    assert private <= set(result.thinking.split())
    assert not set(result.thinking.split()) & public
    if not set(shape) & set(OTHERS[:4]):
        assert shown == public
    assert (result.status is Status.OK) <= bool(result.argument)
