"""The example packages: built, installed beside the suite, run and compared."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LONGEST = 90

SCRIPT = """
import json, subprocess, sys
from pathlib import Path

from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import read_eval_log
from inspect_ai.util import Store

from inspect_debate import scores_df
from inspect_debate.cli.main import main
from inspect_debate.debate.record import read_record
from inspect_debate.scorers.debate_process import debate_process

name, key, logs = sys.argv[1], sys.argv[2], Path(sys.argv[3])
overlay = logs / "prompts.yaml"
logs.mkdir()
overlay.write_text(f"{key}: MINE")


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


def records(log):
    return [read_record(Store(sample.store)) for sample in log.samples]


def turns(log):
    return [[[t.kind, t.participant, t.reused] for t in r.turns] for r in records(log)]


def calls(log):
    read = read_eval_log(log.location, resolve_attachments="full")
    return [
        ["".join(message.text for message in event.input) for event in sample.events
         if event.event == "model"]
        for sample in read.samples
    ]


def spans(log):
    events = read_eval_log(log.location).samples[0].events
    return [event.name for event in events if event.event == "span_begin"]


def command(*arguments):
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def typed(protocol):
    command = [sys.executable, "-m", "inspect_ai", "eval", "inspect_debate/debate"]
    command += ["-T", f"protocol={protocol}", "--model", "simulated/balanced"]
    command += ["--limit", "1", "--log-dir", "typed"]
    return subprocess.run(command, capture_output=True, text=True).stdout


def looked_at():
    logs_of = (first.location, alone.location)
    metric = ("--metric", "question_answering.correct", "--factor", "protocol")
    command("report", "debate", *logs_of, "--out", str(logs / "rep"))
    command("judge-sheet", "write", first.location, "--out", str(logs / "sheet"))
    sheets = sorted((logs / "sheet").rglob("*.html"))
    return {
        "page": (logs / "rep" / "report.html").read_text(),
        "compared": command("compare", *logs_of, *metric),
        "sheets": "".join(path.read_text() for path in sheets),
    }


whole = name.startswith("hearing")
first = run(name, rounds=1)
again = run(name, rounds=1, reuse=first.location)
mine = run(name, rounds=1, prompts=str(overlay))
alone = run("judge_alone")
scored = score(first, debate_process(), action="append", display="none")
print(json.dumps({
    "turns": turns(first),
    "typed": None if whole else typed(name),
    "again": turns(again),
    "again_calls": len(calls(again)[0]),
    "correct": [
        s.scores["question_answering"].value["correct"] for s in scored.samples
    ],
    "speeches": scores_df(first.location)["debate_process.speeches"].iloc[0],
    "scores": list(scored.samples[0].scores),
    "protocol": first.eval.metadata["protocol"],
    "viewer": [message.text for message in first.samples[0].messages],
    "spans": spans(first),
    "prompts": calls(first),
    "mine": sum("MINE" in call for call in calls(mine)[0]),
    "hashes": [records(log)[0].prompts.hash for log in (first, mine, alone)],
    "shown": command("prompts", "show", name),
    **(looked_at() if whole else {}),
}))
"""

DEVIL = "devils_advocate/devils_advocate"
HEARING = "hearing/hearing"


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Any]:
    """What the runs of an example print, once per module."""
    known: dict[str, Any] = {}

    def run(name: str, key: str) -> Any:
        if name not in known:
            known[name] = _run(name, key, tmp_path_factory.mktemp("example"))
        return known[name]

    return run


def _run(name: str, key: str, folder: Path) -> Any:
    example = ROOT / "examples" / name.partition("/")[0]
    copy = shutil.copytree(example, folder / "source")  # which a build writes into
    beside = folder / "site-packages"
    subprocess.run(
        [
            *("uv", "pip", "install", "--quiet", "--offline", "--no-deps"),
            *("--target", str(beside), str(copy)),
        ],
        check=True,
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, name, key, str(folder / "logs")],
        env=os.environ | {"PYTHONPATH": str(beside)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def devil(run_of: Callable[[str, str], Any]) -> Any:
    """The devil's advocate, run."""
    return run_of(DEVIL, "competitor_speech")


@pytest.fixture
def hearing(run_of: Callable[[str, str], Any]) -> Any:
    """The hearing, run."""
    return run_of(HEARING, "closing")


def test_both_are_short_files() -> None:
    sources = [
        path
        for path in (ROOT / "examples").rglob("*.py")
        if path.name != "logs.py" and "build" not in path.parts
    ]
    assert len(sources) == 2
    for source in sources:
        assert len(source.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_the_devils_advocate_has_its_turns(devil: dict[str, Any]) -> None:
    wanted = [
        ["answer", "debater_a", False],
        ["speech", "debater_b", False],
        ["speech", "debater_a", False],
        ["verdict", "judge", False],
    ]
    assert devil["turns"] == [wanted] * 6
    prompts = devil["prompts"][0]
    assert sum("appointed to argue" in prompt for prompt in prompts) == 2
    assert devil["protocol"] == DEVIL


def test_the_hearing_has_its_turns(hearing: dict[str, Any]) -> None:
    both = ("debater_a", "debater_b")
    wanted = [
        *(["opening", side, False] for side in both),
        *(["cross_question", side, False] for side in both),
        *(["cross_answer", side, False] for side in both),
        ["judge_question", "judge", False],
        *(["answer_to_judge", side, False] for side in both),
        *(["closing", side, False] for side in both),
        ["verdict", "judge", False],
    ]
    assert hearing["turns"] == [wanted] * 6
    assert hearing["protocol"] == HEARING
    assert "Cross question, round 1, debater A" in hearing["spans"]
    assert "Judge question, round 2, judge" in hearing["spans"]


def test_sides_and_judge_read_what_was_asked(hearing: dict[str, Any]) -> None:
    for prompts in hearing["prompts"]:
        (asking,) = [p for p in prompts if "Ask both sides" in p]
        answering = [p for p in prompts if "Now answer what the judge asked" in p]
        (deciding,) = [p for p in prompts if "Decide which of these answers" in p]
        assert 'stage="cross answer, round 1"' in asking
        assert len(answering) == 2
        for prompt in answering:
            assert '<turn speaker="Judge" stage="judge question, round 2">' in prompt
        assert 'stage="closing, round 2"' in deciding
        # The judge reads no passage, neither when it asks nor when it decides.
        assert "<passage>" not in asking
        assert "<passage>" not in deciding
        assert "<passage>" in answering[0]
        openings = [p for p in prompts if "Open the debate" in p]
        assert not any("<transcript>" in p for p in openings)
        thoughts = [p for p in prompts if "</thinking>\n" in p.split("How to")[0]]
        assert not thoughts


def test_a_users_file_changes_a_prompt_and_the_hash(
    hearing: dict[str, Any], devil: dict[str, Any]
) -> None:
    assert hearing["mine"] == 2
    assert len(set(hearing["hashes"])) == 3
    assert len(set(devil["hashes"])) == 3
    assert "--- cross_question (opponent)" in hearing["shown"]
    assert "appointed to argue" in devil["shown"]


def test_their_debates_are_reused(
    devil: dict[str, Any], hearing: dict[str, Any]
) -> None:
    for found in (devil, hearing):
        for turns in found["again"]:
            assert [reused for _, _, reused in turns] == [True] * (len(turns) - 1) + [
                False
            ]
        assert found["again_calls"] == 1


@pytest.mark.parametrize(("name", "speeches"), [("devil", 2), ("hearing", 10)])
def test_they_are_scored_and_browsed(
    name: str, speeches: int, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(name)
    assert set(found["correct"]) <= {0.0, 1.0}
    assert found["scores"][:2] == ["question_answering", "debate_process"]
    # What the judge asks is no speech of a debater.
    assert found["speeches"] == speeches
    assert "Judge" in found["viewer"][-2]
    assert found["viewer"][-1].startswith("### Outcome: ")


def test_one_is_reported_and_compared(hearing: dict[str, Any]) -> None:
    for text in (hearing["page"], hearing["compared"]):
        assert "hearing" in text
        assert "judge_alone" in text


def test_a_typed_run_ends_with_the_next_command(devil: dict[str, Any]) -> None:
    last = devil["typed"].splitlines()[-1]
    assert last.endswith("inspect-debate report debate typed --out report")


def test_the_viewer_and_sheets_show_every_turn(hearing: dict[str, Any]) -> None:
    headings = [text.splitlines()[0] for text in hearing["viewer"]]
    assert any(
        "· cross question, round 1" in h and h.startswith("### Alice") for h in headings
    )
    assert any("### Judge · judge question, round 2" in h for h in headings)
    assert "Judge, judge question, round 2" in hearing["sheets"]
    assert "Alice, closing, round 2" in hearing["sheets"]
