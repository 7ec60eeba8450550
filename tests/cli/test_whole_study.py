"""The command of a whole study: what is run in which order, with which models."""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import Task

from inspect_debate.cli import loading, whole_study
from inspect_debate.cli.whole_study import Cast, LogOf, Run, Study, run
from inspect_debate.debate.shards import Shard
from inspect_debate.evals.colmad import colmad

STUDY = Study(
    "colmad",
    recommended={
        "first": run(protocol="colmad", order="both"),
        "again": run(protocol="som", reuse=LogOf("first")),
        "other": Run({"protocol": "single"}, roles={"debater_a": "debater_b"}),
    },
    paper={"alone": run(protocol="single")},
    casts={
        "ab": Cast(
            roles={"debater_a": "mockllm/a", "debater_b": "mockllm/b"},
            arguments={"response_author": "llama2"},
        ),
        "c": Cast("mockllm/c"),
    },
    epochs=2,
)
TWO = ("--model-role", "debater_a=mockllm/a", "--model-role", "debater_b=mockllm/b")


class Sets:
    """In place of Inspect's: records its calls, in which one run may fail.

    `stages` has the names of the runs of each call, `arguments` and `models` those of
    each run.
    """

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.calls: list[dict[str, Any]] = []
        self.stages: list[list[str]] = []
        self.arguments: list[dict[str, Any]] = []
        self.models: list[dict[str, Any]] = []

    def __call__(
        self, tasks: list[Task], **given: Any
    ) -> tuple[bool, list[SimpleNamespace]]:
        self.calls.append(given)
        names = [name for task in tasks for name in task.tags or []]
        self.stages.append(names)
        self.models += [dict(task.model_roles or {}) for task in tasks]
        logs = [
            SimpleNamespace(
                location=f"/somewhere/{given['log_dir']}/{name}.eval",
                eval=SimpleNamespace(tags=[name]),
                status="error" if name == self.failing else "success",
            )
            for name in names
        ]
        return self.failing not in names, logs

    def names(self) -> list[dict[str, str]]:
        return [{role: str(m) for role, m in each.items()} for each in self.models]


@pytest.fixture
def sets(monkeypatch: pytest.MonkeyPatch) -> Sets:
    return put_in_place(Sets(), monkeypatch)


def put_in_place(made: Sets, monkeypatch: pytest.MonkeyPatch) -> Sets:
    """Let the command use these sets, and the tasks by the names they have here."""

    def create(kind: str, name: str, **arguments: Any) -> Task:
        assert (kind, name) == ("task", "inspect_debate/colmad")
        made.arguments.append(arguments)
        there = {k: v for k, v in arguments.items() if k != "reuse"}
        return colmad(**{"source": "sample"} | there)

    def load(given: loading.Run) -> loading.Loaded:
        return loading.Loaded("colmad", create("task", given.task, **given.arguments))

    monkeypatch.setattr(whole_study, "registry_create", create)
    monkeypatch.setattr(loading, "load_task", load)
    monkeypatch.setattr(whole_study, "eval_set", made)
    return made


def typed(*words: str) -> Result:
    return CliRunner().invoke(whole_study.whole_study(STUDY), list(words))


def test_runs_are_made_in_stages_and_find_the_logs_that_they_use(sets: Sets) -> None:
    result = typed(*TWO, "--log-dir", "mine", "--limit", "3")
    assert result.exit_code == 0, result.output
    assert sets.stages == [["first", "other"], ["again"]]
    assert sets.arguments[3:] == [  # after those of the checks
        {"protocol": "colmad", "order": "both"},
        {"protocol": "single"},
        {"protocol": "som", "reuse": "mine/first.eval"},
    ]
    assert {
        (each["log_dir"], each["limit"], each["epochs"]) for each in sets.calls
    } == {("mine", 3, 2)}
    # Inspect greets where a model is made for the first time.
    printed = result.output.splitlines()
    ours = ("first: ", "again: ", "other: ", "All ")
    assert [line for line in printed if line.startswith(ours)] == [
        "first: protocol=colmad order=both",
        "other: protocol=single",
        "again: protocol=som reuse=<log of first>",
        "All 3 runs are in mine. The report: inspect-debate report colmad mine "
        "--out DIR",
    ]


def test_a_role_has_the_model_of_another_role(sets: Sets) -> None:
    typed(*TWO)
    both = {"debater_a": "mockllm/a", "debater_b": "mockllm/b"}
    assert sets.names() == [both, both | {"debater_a": "mockllm/b"}, both]
    assert {each["model"] for each in sets.calls} == {"none"}
    # Models of its own for each run, as an eval set closes them.
    assert len({id(each["debater_b"]) for each in sets.models}) == 3


def test_the_papers_runs_with_the_papers_models(sets: Sets) -> None:
    result = typed("--paper", "--cast", "all", "--log-dir", "x", "-T", "source=sample")
    assert result.exit_code == 0, result.output
    first, second = sets.calls
    assert first["log_dir"] == "x/ab"
    assert sets.arguments[2] == {
        "protocol": "single",
        "response_author": "llama2",
        "source": "sample",
    }
    assert sets.names()[0] == {"debater_a": "mockllm/a", "debater_b": "mockllm/b"}
    assert second["log_dir"] == "x/c"
    assert str(second["model"]) == "mockllm/c"
    assert first["epochs"] == 1


def test_what_is_typed_wins(sets: Sets) -> None:
    typed("--cast", "ab", "-T", "seed=3", "-T", "response_author=gpt4")
    assert {each["seed"] for each in sets.arguments} == {3}
    assert {each["response_author"] for each in sets.arguments} == {"gpt4"}


def test_generation_settings(sets: Sets, tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("max_connections: 7\n")
    typed("--model", "mockllm/a", "--generate-config", str(file))
    typed("--model", "mockllm/a", "--no-cache")
    with_cache, without = sets.calls[0], sets.calls[-1]
    assert (with_cache["cache"], with_cache["max_connections"]) == (True, 7)
    assert not {"cache", "max_connections"} & without.keys()


def test_a_run_that_fails_ends_the_study_after_its_stage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sets = put_in_place(Sets(failing="other"), monkeypatch)
    result = typed(*TWO, "--log-dir", "mine")
    assert result.exit_code == 1
    assert sets.stages == [["first", "other"]]
    assert result.output.splitlines()[-1] == (
        "Error: other did not finish; see mine. Run the same command again."
    )


def test_a_plan_freezes_what_would_run(sets: Sets, tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text("primary: f1 of first - again")
    words = ("--log-dir", str(tmp_path / "mine"), "-T", "seed=3", "--limit", "5")
    result = typed(*TWO, *words, "--plan", str(tmp_path / "intent.yaml"))
    assert result.exit_code == 0, result.output
    plan = json.loads((tmp_path / "mine" / "plan.json").read_text())
    assert (plan["primary"], plan["seed"], plan["epochs"]) == (
        "f1 of first - again",
        3,
        2,
    )
    assert {name: each["samples"] for name, each in plan["runs"].items()} == {
        "first": 5,
        "again": 5,
        "other": 5,
    }
    assert plan["runs"]["again"]["arguments"] == {"protocol": "som", "seed": 3}
    assert plan["runs"]["other"]["models"]["debater_a"] == "mockllm/b"
    assert sets.calls == []


ARRAY = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "0"}


@pytest.mark.parametrize(
    ("words", "environment", "shard"),
    [
        (("--shard", "2/3"), {}, "2/3"),
        (("--shard", "2/3"), ARRAY | {"SLURM_ARRAY_TASK_COUNT": "4"}, "2/3"),
        ((), ARRAY | {"SLURM_ARRAY_TASK_COUNT": "4"}, "3/4"),
        (
            (),
            {**ARRAY, "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "2"},
            "2/2",
        ),
        (("--shard", "3"), {"JOB_COMPLETION_INDEX": "0"}, "1/3"),
    ],
)
def test_a_shard_is_typed_or_known_from_the_job(
    words: tuple[str, ...],
    environment: dict[str, str],
    shard: str,
    sets: Sets,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    budget = ("-T", "budget_usd=6", "--limit", "5")
    result = typed(*TWO, "--log-dir", "mine", *words, *budget)
    assert result.exit_code == 0, result.output
    number, of = map(int, shard.split("/"))
    assert {each["shard"] for each in sets.arguments} == {shard}
    assert {each["budget_usd"] for each in sets.arguments} == {6 / of}
    assert (
        f"Each shard has ${6 / of:.4g} of budget_usd=6 for each run." in result.output
    )
    own = len(Shard(number, of).places(5))
    assert {(each["log_dir"], each["limit"]) for each in sets.calls} == {
        (f"mine/{number}_of_{of}", own)
    }
    assert sets.arguments[-1]["reuse"] == f"mine/{number}_of_{of}/first.eval"
    assert result.output.endswith(
        f"Shard {shard} has all its 3 runs in mine/{number}_of_{of}. Once all shards "
        "are finished: inspect-debate report colmad mine --out DIR\n"
    )


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        (
            {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "4"},
            "=2 is set without SLURM_ARRAY_TASK_MIN; give --shard I/K",
        ),
        (
            {**ARRAY, "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_COUNT": "1"},
            "may be one of a larger array; give --shard I/K",
        ),
        ({"JOB_COMPLETION_INDEX": "1"}, "JOB_COMPLETION_INDEX=1 does not tell"),
    ],
)
def test_a_job_whose_shard_cannot_be_known_does_not_run_the_whole_study(
    environment: dict[str, str],
    says: str,
    sets: Sets,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = typed(*TWO)
    assert result.exit_code == 1
    assert says in result.output
    assert sets.calls == []


@pytest.mark.parametrize("of", [1, 2, 3, 4, 7])
def test_shards_have_every_sample_once_and_some_of_all_that_takes_turns(
    of: int,
) -> None:
    parts = [Shard(number, of).places(420) for number in range(1, of + 1)]
    assert sorted(itertools.chain(*parts)) == list(range(420))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    for period in range(1, 8):
        for part in parts:
            assert {place % period for place in part} == {*range(period)}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "No model is named. Give --model, --model-role, or --cast all, ab, c."),
        (("--cast", "ab", "--model", "mockllm/a"), "--cast names the models"),
        (("--cast", "abc"), "--cast 'abc' is not known; allowed: all, ab, c."),
        (
            ("--model", "mockllm/a", "-T", "protocol=copmad"),
            "-T protocol=copmad would make all runs alike, which differ in protocol",
        ),
        (("--model", "mockllm/a", "--limit", "0"), "--limit=0"),
        (("--model", "mockllm/a", "--epochs", "0"), "--epochs=0"),
        (("--model", "mockllm/a", "-T", "rounds"), "-T rounds is not of the form"),
        (("--model", "mockllm/a", "-T", "a=[b"), "what follows the = is no YAML"),
        (
            ("--model", "mockllm/a", "-T", "rounds=1"),
            "other: rounds=1 has no meaning for protocol=single",
        ),
        (("--model", "mockllm/a", "--shard", "3/2"), "--shard='3/2' is not allowed"),
        (("--model", "mockllm/a", "--shard", "2"), "give --shard I/2"),
        (("--model", "mockllm/a", "--shard", "2/2", "--limit", "1"), "has none of"),
        (("--model", "mockllm/a", "--shard", "99/99"), "there are only"),
        (("--model-role", "critic=mockllm/a"), "--model-role 'critic' is not known"),
        (("--model", "mockllm/a", "--generate-config", "no.yaml"), "cannot read"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: tuple[str, ...], says: str, sets: Sets
) -> None:
    result = typed(*words)
    assert result.exit_code == 1
    assert says in result.output
    assert sets.calls == []


def test_a_study_without_a_paper_says_so() -> None:
    command = whole_study.whole_study(Study("debate", {"one": run()}))
    result = CliRunner().invoke(command, ["--paper", "--model", "mockllm/a"])
    assert result.output == "Error: --paper: there is no paper on debate.\n"


def test_a_run_cannot_use_the_log_of_a_later_one() -> None:
    runs = {"a": run(reuse=LogOf("b")), "b": run()}
    with pytest.raises(ValueError, match="a uses the log of b, which is not before"):
        Study("colmad", runs)
