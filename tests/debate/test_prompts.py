from pathlib import Path
from string import Formatter

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.prompts import PromptSet, load_prompts, prompt_set_names


def overlay(folder: Path, text: str) -> str:
    file = folder / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_there_is_a_set_for_each_study() -> None:
    assert prompt_set_names() == sorted(prompt_set_names())
    assert "colmad" in prompt_set_names()


@pytest.mark.parametrize("name", prompt_set_names())
def test_a_shipped_set_uses_just_the_placeholders_that_it_names(name: str) -> None:
    for key, prompt in load_prompts(name).prompts.items():
        if "{%" in prompt.text or "prompt(" in prompt.text:
            continue  # put together of others
        used = {field for _, field, _, _ in Formatter().parse(prompt.text) if field}
        assert used == set(prompt.placeholders), key
        assert prompt.text.strip(), key


def test_render_fills_in_and_strips() -> None:
    prompts = load_prompts("colmad")
    shown = prompts.render("item", task="Add {x} {task}.", response="It's {response}")
    assert "Add {x} {task}." in shown
    assert "It's {response}" in shown
    assert shown == shown.strip()


def test_render_without_a_value_or_key_fails() -> None:
    prompts = load_prompts("colmad")
    with pytest.raises(KeyError, match="response"):
        prompts.render("item", task="Add.")
    with pytest.raises(KeyError, match="nothing"):
        prompts.render("nothing")


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


def test_an_overlay_lies_where_the_command_was_typed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    overlay(tmp_path, "position_error: wrong")
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    prompts = load_prompts("colmad", "mine.yaml")
    assert prompts.render("position_error") == "wrong"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("itm: x", ["key 'itm'", "allowed: item,", "Did you mean 'item'?"]),
        ("1: x", ["key 1 is not known"]),
        ("item: 3", ["'item' is no text"]),
        ("item:", ["'item' is no text"]),
        ("item: {text: x}", ["'item' is no text"]),
        ("item: [a]", ["'item' is no text"]),
        ("item: '{tusk}'", ["item: placeholder 'tusk'", "allowed: task, response"]),
        ("item_hidden: '{task}'", ["item_hidden: placeholder 'task'"]),
        ("item: '{}'", ["item: placeholder ''"]),
        ("item: '{0}'", ["item: placeholder '0'"]),
        ("item: '{task.__class__}'", ["placeholder 'task.__class__'"]),
        ("item: '{task[0]}'", ["placeholder 'task[0]'"]),
        ("item: '{ task }'", ["placeholder ' task '"]),
        ("item: '{task:d}'", ["item: write {task} without a format"]),
        ("item: '{task!z}'", ["item: write {task} without a format"]),
        ("item: '{task!r}'", ["item: write {task} without a format"]),
        ("item: '{task:{bogus}}'", ["item: write {task} without a format"]),
        ("item: '{task:{response}}'", ["item: write {task} without a format"]),
        ("item: 'set {1, 2'", ["item: expected '}'", "write {{ and }}"]),
        ("item: '}'", ["item: Single '}'", "write {{ and }}"]),
        ("", ["has to map prompt keys to texts"]),
        ("just text", ["has to map prompt keys to texts"]),
        ("[item]", ["has to map prompt keys to texts"]),
        ("item: [", ["is not a YAML text file"]),
        ("item: !!python/object/apply:os.getcwd []", ["is not a YAML text file"]),
    ],
)
def test_a_bad_overlay_is_an_error_that_names_it(
    tmp_path: Path, text: str, named: list[str]
) -> None:
    typed = overlay(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_prompts("colmad", typed)
    message = str(caught.value)
    assert message.startswith(f"prompts={typed}")
    assert [part for part in named if part not in message] == []


def test_an_overlay_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"prompts=no\.yaml: cannot read .*No such"):
        load_prompts("colmad", "no.yaml")
    with pytest.raises(InputError, match=r"cannot read .*directory"):
        load_prompts("colmad", str(tmp_path))
    binary = tmp_path / "x.yaml"
    binary.write_bytes(b"item: \xff\xfe")
    with pytest.raises(InputError, match="is not a YAML text file"):
        load_prompts("colmad", str(binary))


@pytest.mark.parametrize("name", ["colmda", "", "../prompts", "colmad.yaml"])
def test_an_unknown_study(name: str) -> None:
    with pytest.raises(InputError, match=r"prompt set .*allowed: choices, colmad"):
        load_prompts(name)
