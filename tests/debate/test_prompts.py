"""Prompt sets, files laid over them, and the texts of the confidence study."""

import json
import os
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.prompts import (
    PARAGRAPH,
    Prompt,
    PromptSet,
    leaves,
    load_prompts,
    prompt_set_names,
)
from tests.support.released import needs_data


def overlay(folder: Path, text: str) -> str:
    file = folder / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("name", prompt_set_names())
def test_a_shipped_set_uses_just_the_placeholders_that_it_names(name: str) -> None:
    for key, prompt in load_prompts(name).prompts.items():
        if "{%" in prompt.text or "prompt(" in prompt.text:
            continue  # put together of others
        used = {field for _, field, _, _ in Formatter().parse(prompt.text) if field}
        assert used == set(prompt.placeholders), key
        assert prompt.text.strip(), key


def test_render_without_a_value_or_key_fails() -> None:
    prompts = load_prompts("colmad")
    with pytest.raises(KeyError, match="response"):
        prompts.render("item", task="Add.")
    with pytest.raises(KeyError, match="nothing"):
        prompts.render("nothing")


def test_what_a_paragraph_sets_is_not_known_outside_of_it() -> None:
    shows = "{% if who is defined %}{who}{% else %}nobody{% endif %}"
    texts = {
        "outer": PARAGRAPH.join(["{inner}", "{% set who = 'Eve' %}{who}", shows]),
        "inner": "{% set who = 'Bob' %}" + shows,
    }
    prompts = {key: Prompt(text=text) for key, text in texts.items()}
    assert PromptSet(name="own", prompts=prompts).render("outer") == (
        "Bob\n\nEve\n\nnobody"
    )


def test_an_overlay_replaces_its_keys_only(tmp_path: Path) -> None:
    typed = overlay(tmp_path, "item: '{task}|{{}}|{response}'\nposition_error: wrong")
    ours, theirs = load_prompts("colmad"), load_prompts("colmad", typed)
    assert theirs.render("item", task="T", response="R") == "T|{}|R"
    assert theirs.render("position_error") == "wrong"
    changed = {key for key in ours.texts if ours.texts[key] != theirs.texts[key]}
    assert changed == {"item", "position_error"}
    assert list(ours.texts) == list(theirs.texts)
    assert (ours.overlay, theirs.overlay) == (None, typed)
    assert theirs.prompts["item"].placeholders == ours.prompts["item"].placeholders


def test_the_hash_follows_the_text(tmp_path: Path) -> None:
    ours = load_prompts("colmad")
    changed = load_prompts("colmad", overlay(tmp_path, "position_error: wrong"))
    same = load_prompts(
        "colmad", overlay(tmp_path, f"position_error: {ours.texts['position_error']}")
    )
    assert ours.used().name == "colmad"
    assert len(ours.used().hash) == 16
    assert changed.used().hash != ours.used().hash
    assert same.used() == ours.used() == load_prompts("colmad").used()
    turned = dict(reversed(ours.prompts.items()))
    assert PromptSet(name="colmad", prompts=turned).used() == ours.used()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1: x", ["key 1 is not known"]),
        ("item: [a]", ["'item' is no text"]),
        ("item: '{tusk}'", ["item: placeholder 'tusk'", "allowed: task, response"]),
        ("item_hidden: '{task}'", ["item_hidden: placeholder 'task'"]),
        ("item: '{0}'", ["item: placeholder '0'"]),
        ("item: '{task.__class__}'", ["placeholder 'task.__class__'"]),
        ("item: '{ task }'", ["placeholder ' task '"]),
        ("item: '{task!r}'", ["item: write {task} without a format"]),
        ("item: '{task:{bogus}}'", ["item: write {task} without a format"]),
        ("item: 'set {1, 2'", ["item: expected '}'", "write {{ and }}"]),
        ("just text", ["has to map prompt keys to texts"]),
        ("item: !!python/object/apply:os.getcwd []", ["is not a YAML text file"]),
    ],
)
def test_errors_name_the_overlay(tmp_path: Path, text: str, named: list[str]) -> None:
    typed = overlay(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_prompts("colmad", typed)
    message = str(caught.value)
    assert message.startswith(f"prompts={typed}")
    assert [part for part in named if part not in message] == []


@pytest.mark.parametrize("name", ["colmda", "", "../prompts", "colmad.yaml"])
def test_an_unknown_study(name: str) -> None:
    with pytest.raises(InputError, match=r"prompt set .*allowed: choices, colmad"):
        load_prompts(name)


REPOSITORY = {
    "first_speech": "Open {at once}.\n",
    "rebuttal_speech": "Rebut }.\n",
    "final_speech": "{}{side}\n",
    "judging_prompt": "Judge <winnerName>a|b</winnerName>.\n",
}
TRANSCRIPT = {
    "first_speech_prompt": REPOSITORY["first_speech"],
    "rebuttal_speech_prompt": REPOSITORY["rebuttal_speech"],
    "final_speech_prompt": REPOSITORY["final_speech"],
    "judge_prompt": REPOSITORY["judging_prompt"],
}
SHOWN = {
    "opening_structure": "Open {at once}.",
    "rebuttal_structure": "Rebut }.",
    "closing_structure": "{}{side}",
    "juror_system": "Judge <winnerName>a|b</winnerName>.",
    "judging_guidance": "",
}


def saved(folder: Path, content: object, name: str = "theirs.yaml") -> str:
    file = folder / name
    dump = json.dumps if name.endswith(".json") else yaml.safe_dump
    file.write_text(dump(content), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("debate_prompts.yaml", REPOSITORY),
        ("nested.yaml", {"version": 2, "debate": REPOSITORY}),
        (
            "transcript.json",
            {"motion": {"topic_description": "M"}, "prompts": TRANSCRIPT},
        ),
        ("prompts.json", TRANSCRIPT),
    ],
)
def test_prompts_of_the_authors(tmp_path: Path, name: str, content: Any) -> None:
    typed = saved(tmp_path, content, name)
    ours, theirs = load_prompts("confidence"), load_prompts("confidence", typed)
    assert {key: theirs.render(key) for key in SHOWN} == SHOWN
    changed = {key for key in ours.texts if ours.texts[key] != theirs.texts[key]}
    assert changed == set(SHOWN)
    assert list(theirs.texts) == list(ours.texts)
    assert theirs.overlay == typed
    assert theirs.used().hash != ours.used().hash


def test_both_files_of_the_authors_are_the_same_prompts(tmp_path: Path) -> None:
    repository = load_prompts("confidence", saved(tmp_path, REPOSITORY))
    transcript = saved(tmp_path, {"prompts": TRANSCRIPT}, "transcript.json")
    assert load_prompts("confidence", transcript).used() == repository.used()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (
            {k: v for k, v in REPOSITORY.items() if k != "final_speech"},
            ["has first_speech,", "final_speech or final_speech_prompt as well"],
        ),
        ({"prompts": {"judge_prompt": "x"}}, ["has judge_prompt only", "first_speech"]),
        (REPOSITORY | {"judging": "x"}, ["key 'judging'", "'judging_prompt'?"]),
        (REPOSITORY | {"juror_format": "x"}, ["key 'juror_format' is not known"]),
        (REPOSITORY | {"final_speech": 3}, ["text of 'final_speech' is no text"]),
        (
            {"prompts": TRANSCRIPT | {"judge_prompt": None}},
            ["'judge_prompt' is no text"],
        ),
        ({"prompts": {"judge": "x"}}, ["key 'prompts' is not known"]),
    ],
)
def test_errors_of_authors_file(tmp_path: Path, content: Any, named: list[str]) -> None:
    typed = saved(tmp_path, content)
    with pytest.raises(InputError) as caught:
        load_prompts("confidence", typed)
    message = str(caught.value)
    assert message.startswith(f"prompts={typed}")
    assert [part for part in named if part not in message] == []


def test_an_overlay_of_ours_is_still_read_with_placeholders(tmp_path: Path) -> None:
    typed = saved(tmp_path, {"motion": "{motion} {{}}", "juror_system": "Judge."})
    prompts = load_prompts("confidence", typed)
    assert prompts.render("motion", motion="M") == "M {}"
    assert prompts.render("judging_guidance")


def test_authors_of_one_study_are_not_those_of_another(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="key 'final_speech' is not known"):
        load_prompts("colmad", saved(tmp_path, REPOSITORY))


PROMPTS = load_prompts("confidence")
TEXTS = PROMPTS.texts

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


@pytest.mark.parametrize("key", TEXTS)
def test_an_echo_of_a_form_is_no_answer(key: str) -> None:
    for tag in ("bet_amount", "stake_amount", "confidence", "winnerName"):
        for filled in re.findall(rf"<{tag}>(.*?)</{tag}>", TEXTS[key], re.S | re.I):
            assert not re.fullmatch(r"\s*(?:\d+|proposition|opposition)\W*", filled)


def test_only_two_prompts_name_a_chance() -> None:
    logged = {key for key in TEXTS if re.search(r"\bexactly \{percent\}", TEXTS[key])}
    assert logged == {"win_probability", "win_probability_reminder"}
    assert not any(re.search(r"\b50 ?(%|percent)", text) for text in TEXTS.values())


def test_only_the_notes_tell_who_the_opponent_is() -> None:
    hints = {key for key in TEXTS if re.search("identical|same model|copy", TEXTS[key])}
    assert hints == {"note_self", "self_reminder"}
    own = leaves(TEXTS)
    assert {key for key in own if "skilled" in own[key]} == {"note_skilled"}


def test_a_numbered_round_does_not_tell_how_many_there_are() -> None:
    shown = PROMPTS.render(
        "your_task_numbered", side="opposition", speech="rebuttal", round=2
    )
    assert re.findall(r"\d", shown) == ["2"]


RELEASED = Path(os.environ.get("INSPECT_DEBATE_DATA", "."), "llms_overconfidence")


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


@needs_data
def test_no_sentence_is_that_of_the_released_prompts() -> None:
    prompts = json.loads(transcript().read_text(encoding="utf-8"))["prompts"]
    theirs = set().union(*(runs(text, 6) for text in prompts.values()))
    shared = set().union(*(runs(text, 6) for text in TEXTS.values())) & theirs
    numerals = {*"123", *("i", "ii", "iii", "iv", "v"), "above"}
    assert {" ".join(run) for run in shared if set(run) - numerals} == set()


@needs_data
def test_the_released_prompts_laid_over() -> None:
    typed = str(transcript())
    prompts = json.loads(transcript().read_text(encoding="utf-8"))["prompts"]
    theirs = load_prompts("confidence", typed)
    assert theirs.render("opening_structure") == prompts["first_speech_prompt"].strip()
    assert theirs.render("juror_system") == prompts["judge_prompt"].strip()
    assert theirs.render("judging_guidance") == ""
    assert theirs.overlay == typed


@needs_data
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
