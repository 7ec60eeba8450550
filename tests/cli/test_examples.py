"""What a checkout has beside the package, written from an installation."""

from pathlib import Path

from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from inspect_debate.cli.main import main

ROOT = Path(__file__).parents[2]


def test_configurations_and_logs_are_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["examples", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    for folder in ("configs", "logs/examples"):
        ours = {
            path.name: path.read_bytes()
            for path in (ROOT / folder).iterdir()
            if path.is_file()
        }
        written = {p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()}
        assert written == ours
    log = read_eval_log(tmp_path / "logs" / "examples" / "colmad.eval")
    assert log.status == "success"


def test_what_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "configs" / "colmad.yaml"
    file.parent.mkdir()
    file.write_text("mine")
    done = CliRunner().invoke(main, ["examples", "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert "colmad.yaml is there already" in done.output
    assert file.read_text() == "mine"
    assert not (tmp_path / "logs").exists()
