"""The example package: built, installed beside the suite, run and compared."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "devils_advocate"
LONGEST = 120

SCRIPT = """
import json, sys
from pathlib import Path

from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import read_eval_log
from inspect_ai.util import Store

from inspect_debate.cli.main import main
from inspect_debate.debate.record import read_record
from inspect_debate.scorers.debate_process import debate_process

logs = Path(sys.argv[1])


def run(protocol, **parameters):
    (log,) = eval(
        "inspect_debate/debate",
        model="simulated/balanced",
        task_args={"protocol": protocol, **parameters},
        limit=6,
        log_dir=str(logs),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    return log


def turns(log):
    records = [read_record(Store(sample.store)) for sample in log.samples]
    return [[[t.kind, t.participant, t.reused] for t in r.turns] for r in records]


def prompts(log):
    read = read_eval_log(log.location, resolve_attachments="full")
    calls = [e for e in read.samples[0].events if e.event == "model"]
    return ["".join(message.text for message in call.input) for call in calls]


def command(*arguments):
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


name = "devils_advocate/devils_advocate"
first = run(name, rounds=1)
again = run(name, rounds=1, reuse=first.location)
alone = run("judge_alone")
scored = score(first, debate_process(), action="append", display="none")
metadata = first.eval.metadata
print(json.dumps({
    "turns": turns(first),
    "again": turns(again),
    "correct": [
        s.scores["question_answering"].value["correct"] for s in scored.samples
    ],
    "scores": list(scored.samples[0].scores),
    "protocol": metadata["protocol"],
    "viewer": first.samples[0].messages[-1].text,
    "prompts": prompts(first),
    "report": command(
        "report", "debate", first.location, alone.location, "--out", str(logs / "rep")
    ),
    "page": (logs / "rep" / "report.html").read_text(),
    "compared": command(
        "compare", first.location, alone.location,
        "--metric", "question_answering.correct", "--factor", "protocol",
    ),
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("example")
    copy = shutil.copytree(EXAMPLE, folder / "source")  # which a build writes into
    beside = folder / "site-packages"
    subprocess.run(
        [
            *("uv", "pip", "install", "--quiet", "--offline", "--no-deps"),
            *("--target", str(beside), str(copy)),
        ],
        check=True,
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder / "logs")],
        env=os.environ | {"PYTHONPATH": str(beside)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_it_is_one_short_file() -> None:
    (source,) = EXAMPLE.glob("*.py")
    assert len(source.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_it_holds_what_it_says(told: dict[str, Any]) -> None:
    wanted = [
        ["answer", "debater_a", False],
        ["speech", "debater_b", False],
        ["speech", "debater_a", False],
        ["verdict", "judge", False],
    ]
    assert told["turns"] == [wanted] * 6
    assert sum("appointed to argue" in prompt for prompt in told["prompts"]) == 2
    assert told["protocol"] == "devils_advocate/devils_advocate"


def test_its_debates_are_used_again(told: dict[str, Any]) -> None:
    assert {tuple(t[2] for t in turns) for turns in told["again"]} == {
        (True, True, True, False)
    }


def test_it_is_scored_browsed_reported_and_compared(told: dict[str, Any]) -> None:
    assert set(told["correct"]) <= {0.0, 1.0}
    assert told["scores"][:2] == ["question_answering", "debate_process"]
    assert "Judge" in told["viewer"]
    assert "devils_advocate" in told["page"]
    assert "judge_alone" in told["page"]
    assert "devils_advocate" in told["compared"]
    assert "judge_alone" in told["compared"]
