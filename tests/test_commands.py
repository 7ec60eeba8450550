"""What a user types: the README's command, by name, from another folder."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from tests.support.commands import INSPECT, as_installed, inspect
from tests.support.inspect_evals import INSTALLED
from tests.support.runs import records
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_the_readmes_command_runs_the_main_job(tmp_path: Path) -> None:
    installed = as_installed(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = re.findall(
        r"^uv run inspect (eval .*--model simulated/\w+)", readme, re.M
    )[0]
    told = ("--limit", "4", "--log-dir", str(tmp_path))
    done = inspect(ROOT, *command.split(), *told, **installed)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "error_detection" in done.stdout
    (log,) = tmp_path.glob("*.eval")

    again = tmp_path / "again.eval"
    scoring = ("score", str(log), "--action", "overwrite", "--output-file", str(again))
    done = inspect(ROOT, *scoring, **installed)
    assert done.returncode == 0, done.stdout + done.stderr
    before, after = (
        read_eval_log(str(path), header_only=True).results for path in (log, again)
    )
    assert before is not None
    assert after is not None
    for one, other in zip(before.scores, after.scores, strict=True):
        assert one.metrics.keys() == other.metrics.keys()
        for name, metric in one.metrics.items():
            value = other.metrics[name].value
            assert value == pytest.approx(metric.value, nan_ok=True), name


def test_by_name_with_paths_relative_to_where_it_is_typed(tmp_path: Path) -> None:
    items = ROOT / "datasets" / "data" / "realmistake_sample.jsonl"
    (tmp_path / "mine.jsonl").write_bytes(items.read_bytes())
    done = inspect(
        tmp_path,
        *("eval", "inspect_debate/colmad", "-T", "source=mine.jsonl"),
        *("-T", "protocol=single", "--model", "simulated/perfect", "--limit", "2"),
        *("--log-dir", str(tmp_path / "my logs")),
        **as_installed(tmp_path) | {"UV_RUN_RECURSION_DEPTH": ""},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert last == "Next: inspect-debate report colmad 'my logs' --out report"


def test_a_wrong_parameter_is_one_sentence(tmp_path: Path) -> None:
    done = inspect(
        ROOT,
        *("eval", "evals/colmad.py", "-T", "source=sample", "-T", "rouds=3"),
        *("--model", "simulated/balanced", "--log-dir", str(tmp_path)),
        **as_installed(tmp_path),
    )
    assert done.returncode == 1
    assert "Error: parameter 'rouds' is not known" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.eval"))


ROLES = "debater_a, debater_b, judge, reward, grader"


@pytest.mark.parametrize(
    ("what", "role", "told"),
    [
        (
            ("inspect_debate/colmad", "-T", "source=sample"),
            "juge",
            " Did you mean 'judge'?",
        ),
        (("mine.py", "--solver", "inspect_debate/single"), "referee", ""),
    ],
)
def test_a_role_that_is_none_is_one_sentence(
    what: tuple[str, ...], role: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(OUR_TASK)
    done = inspect(
        tmp_path,
        *("eval", *what, "--model", "simulated/balanced", "--display", "plain"),
        *("--model-role", f"{role}=simulated/balanced", "--log-dir", "logs"),
        **as_installed(tmp_path),
    )
    assert done.returncode == 1
    assert done.stderr.split("\n")[-2] == (
        f"Error: --model-role {role}=... binds no role of this suite; its roles: "
        f"{ROLES}.{told}"
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert not list(tmp_path.glob("logs/*.eval"))


OUR_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import choice

@task
def mine(**config):
    sample = Sample(input="Which?", choices=["tea", "ice"], target="A")
    config = GenerateConfig(**config)
    return Task(dataset=[sample], scorer=choice(), config=config)
"""


@pytest.mark.parametrize("display", ["none", "plain"])
def test_a_run_that_failed_says_so(display: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OUR_TASK)
    done = inspect(
        tmp_path,
        *("eval", "mine.py", "-T", "max_tokens=64", "--display", display),
        *("--solver", "inspect_debate/single", "--model", "simulated/balanced"),
        *("--log-dir", "logs"),
        **as_installed(tmp_path),
    )
    assert done.returncode == 1
    told = " ".join((done.stdout + done.stderr).split())
    assert "The task limits replies to 64 tokens (its max_tokens)" in told
    (log,) = tmp_path.glob("logs/*.eval")
    assert read_eval_log(str(log)).status == "error"
    if display == "none":
        assert "Traceback" not in told
        assert done.stderr.splitlines()[-1].startswith("Error: mine: The task limits")


# Python runs a module of this name at its start.
OUR_DATA = """
import datasets

options = {"text": ["ice", "tea", "soot", "mist"], "label": list("ABCD")}
rows = [
    {"id": f"q{n}", "question": f"Drink {n}?", "choices": options, "answerKey": "B"}
    for n in range(6)
]
datasets.load_dataset = lambda *args, **kwargs: datasets.Dataset.from_list(rows)
"""


@INSTALLED
def test_a_task_of_inspect_evals_by_debate(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OUR_DATA)
    done = inspect(
        tmp_path,
        *("eval", "inspect_evals/arc_easy", "--solver", "inspect_debate/colmad"),
        *("-S", "rounds=1", "-S", "config={word_limit: 90}", "--model", "none"),
        *("--model-role", "debater_a=simulated/balanced"),
        *("--model-role", "debater_b=simulated/balanced"),
        *("--log-dir", str(tmp_path / "logs")),
        PYTHONPATH=str(tmp_path),
        # What is loaded is also cached, and must not be taken for the real data.
        HOME=str(tmp_path),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (tmp_path / "logs").glob("*.eval")
    log = read_eval_log(str(path))
    found = records(log)
    assert len(found) == 6
    assert {(r.protocol, r.parameters["word_limit"]) for r in found} == {("colmad", 90)}
    answered = [sample.output.completion for sample in log.samples or []]
    assert all(re.fullmatch("ANSWER: [ABCD]", line) for line in answered)
    assert log.results is not None
    accuracy = log.results.scores[0].metrics["accuracy"].value
    assert accuracy == pytest.approx(answered.count("ANSWER: B") / 6)


def test_what_a_killed_run_paid_for_is_in_a_shared_cache(tmp_path: Path) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def brain(request: ChatRequest) -> Reply:
        if request.number == 4:
            begun[0].kill()
        return Reply("I am not sure.")

    with WireServer(brain) as server:
        words = (
            *(str(INSPECT), "eval", "inspect_debate/colmad", "-T", "source=sample"),
            *("--limit", "2", "--model", "openai-api/loopback/m", "--cache"),
            *("--max-connections", "1", "--log-dir", str(tmp_path / "logs")),
        )
        own = {"INSPECT_CACHE_DIR": str(tmp_path / "cache"), "no_proxy": "127.0.0.1"}
        own |= {"LOOPBACK_API_KEY": KEY, "LOOPBACK_BASE_URL": server.url}
        known = os.environ | own | as_installed(tmp_path)
        with subprocess.Popen(words, env=known, stdout=subprocess.DEVNULL) as first:
            begun.append(first)
        assert first.returncode == -signal.SIGKILL
        paid = {request.identity for request in server.requests[:3]}
        asked = len(server.requests)
        subprocess.run(words, env=known, stdout=subprocess.DEVNULL, check=True)
        again = {request.identity for request in server.requests[asked:]}
    assert len(paid) > 1
    assert again
    assert paid.isdisjoint(again)
