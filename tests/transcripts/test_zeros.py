"""Which zeros were bet, on made-up reasonings."""

import pytest

from inspect_debate.transcripts.samples import is_placeholder, zero_was_bet


@pytest.mark.parametrize(
    ("text", "placeholder"),
    [
        ("NA", True),
        (" na\n", True),
        ("N/A", True),
        ("", True),
        ("  \n", True),
        ("None", True),
        ("80", False),
        ("NASA has spoken.", False),
    ],
)
def test_placeholders(text: str, placeholder: bool) -> None:
    assert is_placeholder(text) == placeholder
    assert not zero_was_bet(text)


@pytest.mark.parametrize(
    "text",
    [
        "We are alike. To bet anything but zero would make no sense.",
        "I am at 50%, so I will bet 0.",
        "So I bet 0 tokens.",
        "My bet is **0**.",
        "my bet: 0",
        "Bet amount = 0",
        "<bet_amount>0</bet_amount>",
        "I'll bet nothing.",
        "I stake 0/100",
        "The wager should be zero",
        "Betting nothing keeps what I have.",
        "It is 50/50, so zero is the only sound bet.",
        "A 0 bet.",
        "I would rather not bet.",
        "I decide not to bet at all.",
        "I won’t bet anything.",
        "No bet at all, then.",
        "I refrain from betting.",
        "Instead of betting 50 I bet 0.",
        "I could bet 60, but would rather bet nothing.",
        "Bets go from 0 to 100. I bet none.",
    ],
)
def test_nothing_was_bet(text: str) -> None:
    assert zero_was_bet(text)


@pytest.mark.parametrize(
    "text",
    [
        "My case is strong, and I am co",
        "I will bet 55",
        "I could bet 0, but I will bet 55.",
        "Rather than bet nothing I bet 40.",
        "I would not bet zero.",
        "I have zero doubts about winning.",
        "Nothing they said holds; my chance is 70%.",
        "The bet is from 0 to 100, in a zero-sum game.",
        "A bet between 0 and 100 is asked for.",
        "I won't bet too much.",
        "I do not bet more than 40.",
        "There is 0% doubt, but I bet with care.",
        "I bet 0.5 of it.",
        "A bet of 60% of my tokens seems right.",
        "<rebuttal>Their evidence is weak.</rebuttal>",
        "The stakes are high for all. None of the ships will sink.",
    ],
)
def test_no_bet_of_nothing_is_told(text: str) -> None:
    assert not zero_was_bet(text)


def test_a_long_text_takes_no_time() -> None:
    assert not zero_was_bet("bet betting a a a a a not to " * 20_000)
