"""`inspect-debate prompts`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.debate.prompts import load_prompts


def test_show_prints_every_prompt_with_its_placeholders() -> None:
    result = CliRunner().invoke(main, ["prompts", "show", "colmad"])
    assert result.exit_code == 0
    prompts = load_prompts("colmad")
    assert result.output.startswith(f"colmad {prompts.used().hash}\n")
    for key, prompt in prompts.prompts.items():
        assert f"--- {key}" in result.output
        assert prompt.text.strip() in result.output
    assert "--- item (task, response)" in result.output


def test_one_key() -> None:
    result = CliRunner().invoke(main, ["prompts", "show", "colmad", "--key", "item"])
    assert "--- item" in result.output
    assert "--- answer" not in result.output


def test_a_file_laid_over(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("position_error: there is something wrong with the response\n")
    shown = CliRunner().invoke(
        main, ["prompts", "show", "colmad", "--prompts", str(overlay)]
    )
    assert "there is something wrong with the response" in shown.output
    diff = CliRunner().invoke(main, ["prompts", "diff", "colmad", str(overlay)])
    changed = [
        line
        for line in diff.output.splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == [
        "-the response contains an error",
        "+there is something wrong with the response",
    ]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["show", "colmd"], ["prompt set 'colmd'", "Did you mean 'colmad'"]),
        (["show", "colmad", "--key", "itm"], ["'itm'", "item"]),
        (["show", "colmad", "--prompts", "none.yaml"], ["prompts=none.yaml"]),
        (["diff", "colmad", "none.yaml"], ["prompts=none.yaml", "No such file"]),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], parts: list[str]) -> None:
    result = CliRunner().invoke(main, ["prompts", *arguments])
    assert result.exit_code == 1
    for part in parts:
        assert part in result.output
