import pytest

from inspect_debate.debate.parsing import Fence, closed_blocks, fence_of, fenced


@pytest.mark.parametrize(
    ("line", "fence"),
    [
        ("```", Fence("", "```", "")),
        ("```` python  ", Fence("", "````", " python")),
        (" \t~~~py", Fence(" \t", "~~~", "py")),
        ("> > ```", Fence("> > ", "```", "")),
        ("``", None),
        ("```x```", None),
        ("so ```", None),
        ("~~`", None),
        ("", None),
    ],
)
def test_which_lines_are_fences(line: str, fence: Fence | None) -> None:
    assert fence_of(line) == fence


@pytest.mark.parametrize(
    ("text", "marks"), [("a", 3), ("`a`\n~~~~~", 3), ("a ``` b", 4), ("```````", 8)]
)
def test_nothing_in_a_block_closes_it(text: str, marks: int) -> None:
    opened, *inside, closed = fenced(text, "py").split("\n")
    assert (opened, closed) == ("`" * marks + "py", "`" * marks)
    assert "\n".join(inside) == text
    assert not any(line.startswith(closed) for line in inside)


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("so:\n```\n1 2\n```\nas the", "so:\n```\n1 2\n```\n"),
        ("```\n1 2\n```", "```\n1 2\n```"),
        ("````\n```\n````\nx", "````\n```\n````\n"),
        ("> ~~~py\n> x\n> ~~~\n", "> ~~~py\n> x\n> ~~~\n"),
        # Not closed: nobody knows what would have followed.
        ("```\n1 2", ""),
        ("```\n1 2\n", ""),
        ("```\n1 2\n``", ""),
        ("```\n1 2\n```\n\n```\n3 4\n", ""),
        ("````\n1 2\n```", ""),
        ("```\n1 2\n```python", ""),
        ("1 2\n3 4", ""),
        ("", ""),
    ],
)
def test_what_of_a_text_is_closed(text: str, closed: str) -> None:
    assert closed_blocks(text) == closed
