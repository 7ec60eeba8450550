"""Causes errors as users do, and prints the sentence of each as JSON.

Run as a script, in an empty folder outside of the checkout, with cases on the standard
input: objects with the keys

- `id`; `files`, by name the files that are there; `logs`, the names of logs of `LOGS`;
- `run`: `task` (a task is made), `eval` (and run), `cli` (a command), `score` (a log is
  scored) or `model` (a model is made);
- `name` and `args`: of the task, the scorer or the model; of a command the typed words;
- for `eval`: `foreign`, the samples of a task that is not of this suite, in place of
  `name`; `solver` with `solver_args`; and `settings` of Inspect's `eval`;
- `before`: words of commands that are typed first, and succeed;
- `env`: variables of the environment.
"""

import base64
import json
import os
import re
import shutil
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from click import ClickException
from click.testing import CliRunner
from inspect_ai import Task, eval, score
from inspect_ai._util.registry import registry_create
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import get_model
from inspect_ai.scorer import match
from inspect_ai.solver import Generate, Solver, TaskState, solver

OURS = "inspect_debate"
QUIET: dict[str, Any] = {
    "display": "log",  # "none" would draw what it does not show
    "log_realtime": False,
    "score_display": False,
    "log_dir": "../stock/runs",
}
LOGS: dict[str, tuple[str, dict[str, Any]]] = {
    "colmad": ("colmad", {"source": "sample", "rounds": 1}),
    "single": ("colmad", {"source": "sample", "protocol": "single"}),
    "ensemble": ("colmad", {"source": "sample", "protocol": "ensemble"}),
    "srdcr": ("srdcr", {"source": "sample", "questions": 2, "shots": 1, "rounds": 1}),
    "generative": ("generative", {"source": "sample"}),
    "direct": ("generative", {"source": "sample", "protocol": "direct_qa"}),
    "confidence": ("confidence", {"protocol": "self", "rounds": 1}),
    "debate": ("debate", {"protocol": "copmad", "rounds": 1}),
    "alone": ("debate", {"protocol": "judge_alone"}),
    "consultancy": ("debate", {"protocol": "consultancy", "rounds": 1}),
}


@solver
def says_nothing() -> Solver:
    """A solver that asks no model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return state

    return solve


def _made(kind: Any, name: str, **args: Any) -> Any:
    return registry_create(kind, name if "/" in name else f"{OURS}/{name}", **args)


def _foreign(samples: list[dict[str, Any]]) -> Task:
    """A task of somebody else's."""
    return Task(
        dataset=MemoryDataset([Sample.model_validate(one) for one in samples]),
        solver=says_nothing(),
        scorer=match(),
        name="foreign",
    )


def _stock(here: Path) -> Path:
    """The folder of the logs that cases share."""
    return here.parent / "stock"


def stored(name: str, here: Path) -> Path:
    """The log of this name, made when it is first asked for."""
    path = _stock(here) / f"{name}.eval"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    if name == "foreign":
        task = _foreign([{"id": "one", "input": "What?", "target": "That"}])
        (log,) = eval(task, model="mockllm/model", **QUIET)
    elif name == "unscored":
        (log,) = eval(
            _made("task", "colmad", source="sample"),
            model="simulated/balanced",
            limit=1,
            score=False,
            **QUIET,
        )
    elif name in ("partial", "other"):
        whole = "colmad" if name == "partial" else "generative"
        log = read_eval_log(str(stored(whole, here)))
        if name == "partial":
            log.status = "cancelled"
        for sample in log.samples or []:
            sample.id = f"another-{sample.id}"
    else:
        task_name, args = LOGS[name]
        (log,) = eval(
            _made("task", task_name, **args),
            model="simulated/balanced",
            limit=2,
            **QUIET,
        )
    write_eval_log(log, str(path))
    return path


def write_file(path: Path, content: Any) -> None:
    """Write the file of a case: text, bytes, JSON or, of None, a folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        path.mkdir()
    elif isinstance(content, dict) and "base64" in content:
        path.write_bytes(base64.b64decode(content["base64"]))
    elif isinstance(content, str):
        path.write_text(content, encoding="utf-8", errors="surrogatepass")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(line) + "\n" for line in content))
    else:
        path.write_text(json.dumps(content))


def _of_log(log: EvalLog) -> str | None:
    errors = [log.error, *(sample.error for sample in log.samples or [])]
    return next((error.message for error in errors if error is not None), None)


def _of_eval(case: dict[str, Any]) -> str | None:
    task: Task | str = f"{OURS}/{case.get('name')}"
    if "foreign" in case:
        task = _foreign(case["foreign"])
    settings: dict[str, Any] = {"model": "simulated/balanced", "limit": 1}
    settings |= case.get("settings", {})
    if "solver" in case:
        given = case.get("solver_args", {})
        settings["solver"] = _made("solver", case["solver"], **given)
    (log,) = eval(task, task_args=case.get("args", {}), **QUIET | settings)
    return _of_log(log)


def sentence_of_command(words: list[str]) -> str | None:
    """What a command prints that is refused; None if it succeeds."""
    (script,) = entry_points(group="console_scripts", name="inspect-debate")
    done = CliRunner().invoke(script.load(), words)
    if done.exit_code == 0:
        return None
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    # Before it, some commands tell of the machine, or of Inspect.
    from_there_on = re.search(r"^(Usage|Error): .*", done.output, re.DOTALL | re.M)
    message = from_there_on[0] if from_there_on else done.output
    return f"exit code {done.exit_code}\n{message}"


def _caused(case: dict[str, Any], here: Path) -> str | None:
    args = case.get("args", {})
    if case["run"] == "task":
        _made("task", case["name"], **args)
    elif case["run"] == "eval":
        return _of_eval(case)
    elif case["run"] == "cli":
        return sentence_of_command([*map(str, args)])
    elif case["run"] == "score":
        scorer = _made("scorer", case["name"], **args)
        log = read_eval_log(str(stored(case["log"], here)))
        return _of_log(score(log, scorer, display="none"))
    elif case["run"] == "model":
        get_model(case["name"], memoize=False, **args)
    return None


def _without_places(text: str, here: Path) -> str:
    """A sentence without what differs from run to run: folders, times, objects."""
    for folder in (here, here.resolve()):
        text = text.replace(str(_stock(here)), "{STOCK}")
        text = text.replace(str(folder), "{HERE}")
    text = text.replace(sys.executable, "{PYTHON}")
    text = re.sub(r"\S*/site-packages", "{PACKAGES}", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\w:.+-]+?_", "{TIME}_", text)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip("\n")


def caused(case: dict[str, Any], here: Path) -> str | None:
    """The sentence that a case ends with; None if it does not fail.

    Args:
        case: As above.
        here: The working directory, which is emptied first.
    """
    for left in here.iterdir():
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    for name, content in case.get("files", {}).items():
        write_file(here / name, content)
    for name in case.get("logs", []):
        shutil.copy(stored(name, here), here / f"{name}.eval")
    environment = dict(os.environ)
    os.environ.update(case.get("env", {}))
    try:
        for words in case.get("before", []):
            failed = sentence_of_command(words)
            assert failed is None, failed
        sentence = _caused(case, here)
    except ClickException as error:
        sentence = error.message
    except Exception as error:
        sentence = f"{type(error).__name__}: {error}"
    finally:
        os.environ.clear()
        os.environ.update(environment)
    return None if sentence is None else _without_places(sentence, here)


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[2]))
    from tests.frozen.replies import as_before
    from tests.support.at_once import at_once

    with as_before(), at_once():
        found = {case["id"]: caused(case, Path.cwd()) for case in json.load(sys.stdin)}
    print("\n" + json.dumps(found))
