"""The command of a whole study: what is run in which order, with which models."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import Task

from inspect_debate.cli import whole_study
from inspect_debate.cli.whole_study import Cast, LogOf, Run, Study, run
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
    """In place of Inspect's: records its calls, and fails from a number on."""

    def __init__(self, failing: int = 99) -> None:
        self.failing = failing
        self.calls: list[dict[str, Any]] = []

    def __call__(self, task: str, **given: Any) -> tuple[bool, list[SimpleNamespace]]:
        self.calls.append(given | {"task": task})
        number = len(self.calls)
        place = f"/somewhere/{given['log_dir']}/{number}.eval"
        return number < self.failing, [SimpleNamespace(location=place)]

    def models(self) -> list[dict[str, str]]:
        return [
            {role: str(model) for role, model in each["model_roles"].items()}
            for each in self.calls
        ]


@pytest.fixture
def sets(monkeypatch: pytest.MonkeyPatch) -> Sets:
    return put_in_place(Sets(), monkeypatch)


def put_in_place(made: Sets, monkeypatch: pytest.MonkeyPatch) -> Sets:
    """Let the command use these sets, and the tasks by the names they have here."""

    def create(kind: str, name: str, **arguments: Any) -> Task:
        assert (kind, name) == ("task", "inspect_debate/colmad")
        return colmad(**{"source": "sample"} | arguments)

    monkeypatch.setattr(whole_study, "registry_create", create)
    monkeypatch.setattr(whole_study, "eval_set", made)
    return made


def typed(*words: str) -> Result:
    return CliRunner().invoke(whole_study.whole_study(STUDY), list(words))


def test_a_run_finds_the_logs_of_those_before_it(sets: Sets) -> None:
    result = typed(*TWO, "--log-dir", "mine", "--limit", "3")
    assert result.exit_code == 0, result.output
    assert [each["task_args"] for each in sets.calls] == [
        {"protocol": "colmad", "order": "both"},
        {"protocol": "som", "reuse": "mine/1.eval"},
        {"protocol": "single"},
    ]
    assert {each["task"] for each in sets.calls} == {"inspect_debate/colmad"}
    assert {
        (each["log_dir"], each["limit"], each["epochs"]) for each in sets.calls
    } == {("mine", 3, 2)}
    assert [each["tags"] for each in sets.calls] == [["first"], ["again"], ["other"]]
    # Inspect greets where a model is made for the first time.
    printed = result.output.splitlines()
    ours = ("first: ", "again: ", "other: ", "All ")
    assert [line for line in printed if line.startswith(ours)] == [
        "first: protocol=colmad order=both",
        "again: protocol=som reuse=<log of first>",
        "other: protocol=single",
        "All 3 runs are in mine. The report: inspect-debate report colmad mine "
        "--out DIR",
    ]


def test_a_role_has_the_model_of_another_role(sets: Sets) -> None:
    typed(*TWO)
    both = {"debater_a": "mockllm/a", "debater_b": "mockllm/b"}
    assert sets.models() == [both, both, both | {"debater_a": "mockllm/b"}]
    assert {each["model"] for each in sets.calls} == {"none"}
    # Models of its own for each run, as a run closes them.
    used = [each["model_roles"]["debater_b"] for each in sets.calls]
    assert len({id(model) for model in used}) == 3


def test_the_papers_runs_with_the_papers_models(sets: Sets) -> None:
    result = typed("--paper", "--cast", "all", "--log-dir", "x", "-T", "source=sample")
    assert result.exit_code == 0, result.output
    first, second = sets.calls
    assert first["log_dir"] == "x/ab"
    assert first["task_args"] == {
        "protocol": "single",
        "response_author": "llama2",
        "source": "sample",
    }
    assert sets.models()[0] == {"debater_a": "mockllm/a", "debater_b": "mockllm/b"}
    assert second["log_dir"] == "x/c"
    assert str(second["model"]) == "mockllm/c"
    assert first["epochs"] == 1


def test_what_is_typed_wins(sets: Sets) -> None:
    typed("--cast", "ab", "-T", "seed=3", "-T", "response_author=gpt4")
    assert {each["task_args"]["seed"] for each in sets.calls} == {3}
    assert {each["task_args"]["response_author"] for each in sets.calls} == {"gpt4"}


def test_generation_settings(sets: Sets, tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("max_connections: 7\n")
    typed("--model", "mockllm/a", "--generate-config", str(file))
    typed("--model", "mockllm/a", "--no-cache")
    with_cache, without = sets.calls[0], sets.calls[-1]
    assert (with_cache["cache"], with_cache["max_connections"]) == (True, 7)
    assert not {"cache", "max_connections"} & without.keys()


def test_a_run_that_fails_ends_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = put_in_place(Sets(failing=2), monkeypatch)
    result = typed(*TWO, "--log-dir", "mine")
    assert result.exit_code == 1
    assert len(sets.calls) == 2
    assert result.output.splitlines()[-1] == (
        "Error: again did not finish; see mine/2.eval. Run the same command again."
    )


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
