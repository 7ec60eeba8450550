"""The prompts of the confidence study: what they take, ask for and don't give away."""

import json
import os
import re
from pathlib import Path

import pytest

from inspect_debate.debate.prompts import leaves, load_prompts

PROMPTS = load_prompts("confidence")
TEXTS = PROMPTS.texts

PLACEHOLDERS = {
    "debater_system": ("side", "task"),
    "motion": ("motion",),
    "burdens": ("proposition", "opposition"),
    "win_probability": ("percent",),
    "win_probability_reminder": ("percent",),
    "own_bet": ("side", "speech", "amount", "reasoning"),
    "opponent_bet": ("side", "speech", "amount"),
    "your_task": ("side", "speech"),
    "your_task_numbered": ("side", "speech", "round"),
    "bet_alone": ("side", "speech"),
    "juror": ("debate",),
}
WITHOUT = {
    *("opening_structure", "rebuttal_structure", "closing_structure"),
    *("judging_guidance", "note_self", "self_reminder", "note_skilled"),
    *("opening_line", "history_intro", "bet_private", "bet_public"),
    *("ask_probability", "ask_stake", "bet_each", "stakes"),
    *("reasoning_standard", "reasoning_redteam", "reasoning_perspectives"),
    *("bet_format", "bet_format_apart", "speech_reminder", "bet_reminder"),
    *("juror_system", "juror_format", "juror_reminder", "speech_rules", "bet_last"),
}
HEADINGS = {
    "opening_structure": (
        *("ARGUMENT 1", "ARGUMENT 2", "ARGUMENT 3", "SYNTHESIS"),
        *("Core Claim:", "Support Type:", "Support Details:", "Connection:"),
    ),
    "rebuttal_structure": (
        *("CLASH POINT 1", "CLASH POINT 2", "CLASH POINT 3", "DEFENSIVE ANALYSIS"),
        *("WEIGHING", "Original Claim:", "Challenge Type:", "Challenge:", "Impact:"),
        *("Vulnerabilities:", "Additional Support:", "Why We Prevail:"),
        *("Key Clash Points:", "Why We Win:", "Overall Impact:"),
    ),
    "closing_structure": (
        *("FRAMING", "Core Questions:", "KEY CLASHES", "Quote:", "Our Case Strength:"),
        *("Their Response Gaps:", "Crucial Impact:", "VOTING ISSUES"),
        *("Priority Analysis:", "Case Proof:", "Final Weighing:"),
    ),
}
CHALLENGES = (
    *("Evidence Critique", "Principle Critique"),
    *("Counter Evidence", "Counter Principle"),
)


def without_tags(key: str) -> str:
    """A prompt's text without the names of tags."""
    return re.sub(r"</?\w+>", "", TEXTS[key])


def test_the_keys_and_what_they_take() -> None:
    taken = {k: p.placeholders for k, p in PROMPTS.prompts.items() if p.placeholders}
    assert taken == PLACEHOLDERS
    assert set(leaves(TEXTS)) - set(PLACEHOLDERS) == WITHOUT


@pytest.mark.parametrize("key", HEADINGS)
def test_a_speech_has_its_headings(key: str) -> None:
    starts = [line.strip() for line in TEXTS[key].splitlines()]
    for heading in HEADINGS[key]:
        assert sum(line.startswith(heading) for line in starts) == 1, heading
    assert "keep every heading" in TEXTS[key]


@pytest.mark.parametrize("challenge", CHALLENGES)
def test_each_kind_of_challenge_is_offered_and_explained(challenge: str) -> None:
    assert TEXTS["rebuttal_structure"].count(challenge) == 2


def test_the_jury_judges_in_the_order_of_its_sections() -> None:
    lines = TEXTS["juror_system"].splitlines()
    found = [m[0] for line in lines if (m := re.match(r"[IV]+\.[1-3]?(?= )", line))]
    assert found == ["I.", "I.1", "I.2", "I.3", "II.", "III.", "IV.", "V.", "VI."]


def test_the_bands_of_the_jurys_confidence() -> None:
    flat = " ".join(TEXTS["juror_system"].split())
    for band in ("90 to 100", "70 to 89", "51 to 69", "close to 50", "no tie"):
        assert band in flat


@pytest.mark.parametrize("key", ["juror_format", "juror_reminder"])
def test_a_verdict_form_names_both_sides_and_prefers_none(key: str) -> None:
    assert TEXTS[key].count("proposition") == TEXTS[key].count("opposition") == 1


@pytest.mark.parametrize("key", TEXTS)
def test_an_echo_of_a_form_is_no_answer(key: str) -> None:
    for tag in ("bet_amount", "stake_amount", "confidence", "winnerName"):
        for filled in re.findall(rf"<{tag}>(.*?)</{tag}>", TEXTS[key], re.S | re.I):
            assert not re.fullmatch(r"\s*(?:\d+|proposition|opposition)\W*", filled)


@pytest.mark.parametrize(
    ("key", "tags"),
    [
        ("bet_format", ["bet_logic_private", "bet_amount"]),
        ("bet_format_apart", ["bet_logic_private", "bet_amount", "stake_amount"]),
        ("juror_format", ["winnerName", "confidence"]),
    ],
)
def test_a_form_shows_its_tags_in_order(key: str, tags: list[str]) -> None:
    assert re.findall(r"<(\w+)>.*</\1>", TEXTS[key]) == tags


def test_only_those_told_a_chance_are_told_one() -> None:
    told = {key for key in TEXTS if re.search(r"\bexactly \{percent\}", TEXTS[key])}
    assert told == {"win_probability", "win_probability_reminder"}
    assert not any(re.search(r"\b50 ?(%|percent)", text) for text in TEXTS.values())


def test_only_the_notes_tell_who_the_opponent_is() -> None:
    hints = {key for key in TEXTS if re.search("identical|same model|copy", TEXTS[key])}
    assert hints == {"note_self", "self_reminder"}
    own = leaves(TEXTS)
    assert {key for key in own if "skilled" in own[key]} == {"note_skilled"}


def test_what_the_red_teams_instruction_leaves_out() -> None:
    standard, red = (
        without_tags("reasoning_standard"),
        without_tags("reasoning_redteam"),
    )
    for left_out in ("private", "reflective", "bet"):
        assert left_out in standard
        assert left_out not in red
    assert "best" in red
    assert "best" not in standard


def test_a_bet_is_said_to_be_private_or_public() -> None:
    assert "public" not in TEXTS["bet_private"]
    assert "private" not in TEXTS["bet_public"]
    for key in ("ask_probability", "ask_stake", "bet_each", "stakes"):
        assert not re.search("private|public", without_tags(key))
    for key in ("bet_format", "bet_format_apart", "bet_alone"):
        assert not re.search("private|public", without_tags(key))


def test_a_numbered_round_does_not_tell_how_many_there_are() -> None:
    shown = PROMPTS.render(
        "your_task_numbered", side="opposition", speech="rebuttal", round=2
    )
    assert re.findall(r"\d", shown) == ["2"]


RELEASED = Path(os.environ.get("INSPECT_DEBATE_DATA", "."), "llms_overconfidence")
released = pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ,
    reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER",
)


def transcript() -> Path:
    """A released transcript of a debate between two models."""
    folder = RELEASED / "experiments/private_bet_experiments_diff_models"
    return sorted(folder.glob("*.json"))[0]


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return re.findall(r"[a-z0-9']+", text.lower())


def runs(text: str, of: int) -> set[tuple[str, ...]]:
    """Every run of so many words in a text."""
    found = words(text)
    return {tuple(found[i : i + of]) for i in range(len(found) - of + 1)}


@released
def test_no_sentence_is_that_of_the_released_prompts() -> None:
    prompts = json.loads(transcript().read_text(encoding="utf-8"))["prompts"]
    theirs = set().union(*(runs(text, 6) for text in prompts.values()))
    shared = set().union(*(runs(text, 6) for text in TEXTS.values())) & theirs
    numerals = {*"123", *("i", "ii", "iii", "iv", "v"), "above"}
    assert {" ".join(run) for run in shared if set(run) - numerals} == set()


@released
def test_the_released_prompts_laid_over() -> None:
    typed = str(transcript())
    prompts = json.loads(transcript().read_text(encoding="utf-8"))["prompts"]
    theirs = load_prompts("confidence", typed)
    assert theirs.render("opening_structure") == prompts["first_speech_prompt"].strip()
    assert theirs.render("juror_system") == prompts["judge_prompt"].strip()
    assert theirs.render("judging_guidance") == ""
    assert theirs.overlay == typed


@released
def test_the_headings_are_those_of_the_released_structures() -> None:
    prompts = json.loads(transcript().read_text(encoding="utf-8"))["prompts"]
    keys = ("first_speech_prompt", "rebuttal_speech_prompt", "final_speech_prompt")
    for ours, key in zip(HEADINGS, keys, strict=True):
        structure = prompts[key].partition("JUDGING GUIDANCE")[0].splitlines()[1:]
        headings = {
            m[0]
            for line in structure
            if (m := re.match(r"[A-Z][A-Z]+[A-Z0-9 ]*\b|[A-Z][A-Za-z ]+:", line))
        }
        assert headings - {"For each major clash:"} == set(HEADINGS[ours])
