"""Settings from files and the command line, and paths that a user types."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from inspect_debate.debate import paths
from inspect_debate.debate.engine import load_config, split_config
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import user_path
from inspect_debate.debate.settings import Judging, Sampling
from inspect_debate.solvers.question_answering import DebateConfig


def load(given: object, single: dict[str, Any] | None = None) -> DebateConfig:
    return load_config(DebateConfig, given, single)


def test_the_defaults() -> None:
    assert load(None) == load({}) == load({}, {}) == DebateConfig()
    config = DebateConfig()
    assert (config.quotes, config.quote_source) == (
        "typography_blind",
        "input_and_response",
    )
    assert (config.parser, config.max_reasks) == ("last_sentence", 1)
    assert config.answer == config.speech == Sampling()
    assert config.verdict == Judging()


@pytest.mark.parametrize(
    ("given", "single", "changed"),
    [
        ({"word_limit": 100}, None, {"word_limit": 100}),
        ({"max_reasks": 0}, None, {"max_reasks": 0}),
        ({"verdict": {"temperature": 0.3}}, None, {"verdict": {"temperature": 0.3}}),
        ({"verdict.temperature": 0.3}, None, {"verdict": {"temperature": 0.3}}),
        (
            {"speech.temperature": "provider", "speech.max_tokens": 9},
            None,
            {"speech": {"temperature": "provider", "max_tokens": 9}},
        ),
        # One by one wins, and leaves the rest as it was.
        ({"word_limit": 100}, {"word_limit": 50}, {"word_limit": 50}),
        (
            {"word_limit": 100, "answer": {"seed": 1, "top_p": 0.5}},
            {"answer.seed": 2},
            {"word_limit": 100, "answer": {"seed": 2, "top_p": 0.5}},
        ),
        (None, {"answer.max_tokens": 7}, {"answer": {"max_tokens": 7}}),
        # Nested and dotted keys meet, whichever comes first.
        (
            {"answer.temperature": 0.5, "answer": {"max_tokens": 5}},
            None,
            {"answer": {"temperature": 0.5, "max_tokens": 5}},
        ),
        (
            {"answer": {"max_tokens": 5}, "answer.temperature": 0.5},
            None,
            {"answer": {"temperature": 0.5, "max_tokens": 5}},
        ),
        # 0 is a temperature, not "unset".
        ({"answer": {"temperature": 0}}, None, {"answer": {"temperature": 0.0}}),
    ],
)
def test_settings_nested_dotted_and_one_by_one(
    given: object, single: dict[str, Any] | None, changed: dict[str, Any]
) -> None:
    config = load(given, single)
    assert config.model_dump(exclude_defaults=True) == changed
    # Loaded again from what a task passes on, it is the same.
    assert load(config.model_dump(mode="json", exclude_defaults=True)) == config


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (
            {"answer": {"temprature": 1}},
            ["config.answer.temprature is not known", "temperature, max_tokens"],
        ),
        ({"a.b.c": 1}, ["config.a is not known"]),
        ({"word_limit": True}, ["config.word_limit=True is not allowed"]),
        ({"max_characters": 0}, ["config.max_characters=0 is not allowed"]),
        ({"max_reasks": False}, ["config.max_reasks=False is not allowed"]),
        ({"answer": None}, ["config.answer=None is not allowed"]),
        ({"answer.temperature": "hot"}, ["config.answer.temperature='hot' is"]),
        ({"answer.temperature": math.nan}, ["config.answer.temperature=nan is"]),
        ({"answer.top_p": 0}, ["config.answer.top_p=0 is not allowed", "than 0"]),
        ({"answer.seed": 0.5}, ["config.answer.seed=0.5 is not allowed"]),
        (
            {"word_limit": 9, "word_limit.x": 1},
            ["config.word_limit.x: 'word_limit' has no settings of its own"],
        ),
        ([], ["config=[] has to be"]),
    ],
)
def test_a_bad_setting_is_named(given: object, named: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        load(given)
    message = str(caught.value)
    assert [part for part in named if part not in message] == []
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "word_limit: 100\nverdict:\n  temperature: 0.3\n"),
        ("a.json", '{"word_limit": 100, "verdict": {"temperature": 0.3}}'),
        ("dotted.yaml", "word_limit: 100\nverdict.temperature: 0.3\n"),
    ],
)
def test_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    expected = DebateConfig(word_limit=100, verdict=Judging(temperature=0.3))
    assert load(str(tmp_path / name)) == expected
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    assert load(name) == expected
    assert load(name, {"word_limit": 5}).word_limit == 5


@pytest.mark.parametrize("name", ["round", "configword_limit", "Config.x", "x.config."])
def test_another_unknown_parameter(name: str) -> None:
    with pytest.raises(InputError, match=rf"parameter '{name}' .* rounds, order"):
        split_config({"config.word_limit": 5, name: 1}, ["rounds", "order"])


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    assert user_path(tmp_path / "a.yaml") == tmp_path / "a.yaml"
    assert user_path(str(tmp_path / "a.yaml")) == tmp_path / "a.yaml"


def test_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_path("~/a.yaml") == tmp_path / "a.yaml"


def test_relative_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(paths, "STARTED_IN", Path("/typed/here"))
    monkeypatch.chdir(tmp_path)
    assert user_path("sub/a.yaml") == Path("/typed/here/sub/a.yaml")


@pytest.mark.slow
def test_a_later_change_of_folder_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    code = (
        "from inspect_debate.debate.paths import user_path; import os;"
        "os.chdir('elsewhere'); print(user_path('a.yaml'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == tmp_path / "a.yaml"


def test_an_input_error_is_one_sentence_for_command_line_and_python() -> None:
    error = InputError("rounds=-1 is not allowed.")
    assert isinstance(error, click.ClickException)
    assert isinstance(error, ValueError)
    assert error.format_message() == str(error) == "rounds=-1 is not allowed."
