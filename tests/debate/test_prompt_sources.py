"""A study's authors' own prompt files, laid over the suite's prompts as they are."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.prompts import load_prompts

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
def test_the_authors_prompts_take_the_place_of_ours(
    tmp_path: Path, name: str, content: Any
) -> None:
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
def test_what_is_wrong_with_the_authors_file_is_said(
    tmp_path: Path, content: Any, named: list[str]
) -> None:
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
