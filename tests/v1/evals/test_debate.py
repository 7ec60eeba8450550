"""The task `debate`: any data set, any protocol, and who knows what."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.solver import Solver

from inspect_debate.evals.debate import QUESTION_PROTOCOLS, debate
from inspect_debate.v1.debate.engine import parameter, protocol
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.participants import answerer
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.solvers.question_answering import ANSWER, STUDY, Plain, answer
from tests.v1.support.runs import metrics, records, run, samples, values


def ran(log_dir: Path, **parameters: Any) -> EvalLog:
    if parameters.get("protocol") == "placebo":  # which needs a log of debates
        debates = ran(log_dir / "debates", **parameters | {"protocol": "copmad"})
        parameters["reuse"] = debates.location
    return run(debate, log_dir, task_args=parameters, limit=3)


@pytest.mark.parametrize("name", QUESTION_PROTOCOLS)
def test_every_protocol_runs_on_the_sample(name: str, tmp_path: Path) -> None:
    log = ran(tmp_path, protocol=name)
    for record in records(log):
        assert record.complete
        assert record.protocol == name
        assert record.choices == ("A", "B")
        assert record.parameters["passage"] == "hidden"
    found = metrics(log, "question_answering")
    assert found["chance"] == 0.5
    assert found["no_outcome_rate"] == 0
    logged = log.eval.metadata
    assert logged is not None
    assert logged["protocol"] == name
    assert logged["study"] == "debate"
    shared = logged["parameters"].keys() & records(log)[0].parameters.keys()
    assert {"answers", "passage", "quotes"} <= shared
    for key in shared:
        assert logged["parameters"][key] == records(log)[0].parameters[key]


@pytest.mark.parametrize(
    "name", [n for n in QUESTION_PROTOCOLS if n not in ("consultancy",)]
)
def test_and_in_words_where_that_makes_sense(name: str, tmp_path: Path) -> None:
    log = ran(tmp_path, protocol=name, answers="free")
    for record, sample in zip(records(log), samples(log), strict=True):
        assert record.complete
        assert values(sample, "question_answering")["chance"] != 0.5
        assert sample.output.completion not in ("A", "B")


def test_all_options_are_debated_from_the_debaters_own_answers(tmp_path: Path) -> None:
    log = ran(tmp_path, sides="free", candidates="all", protocol="colmad", rounds=1)
    for record in records(log):
        assert record.choices == ("A", "B", "C", "D")
        assert [t.kind for t in record.turns][:2] == ["answer", "answer"]
    assert metrics(log, "question_answering")["chance"] == 0.25


def test_the_same_candidates_in_every_protocol(tmp_path: Path) -> None:
    shown = [
        {str(s.id): (s.choices, s.target) for s in samples(ran(tmp_path, protocol=p))}
        for p in ("copmad", "judge_alone", "consultancy", "single")
    ]
    assert all(one == shown[0] for one in shown)


# --- data of one's own ----------------------------------------------------------------


def csv_of_letters(folder: Path) -> tuple[Path, dict[str, Any]]:
    path = folder / "letters.csv"
    path.write_text("q,a,b,c,key\nOne?,x,y,z,B\nTwo?,k,l,m,A\n", encoding="utf-8")
    return path, {"question": "q", "options": ["a", "b", "c"], "answer": "key"}


def jsonl_of_texts(folder: Path) -> tuple[Path, dict[str, Any]]:
    path = folder / "texts.jsonl"
    rows = [
        {"ask": f"{n}?", "opts": ["p", "q"], "gold": "q", "story": f"A story {n}."}
        for n in range(3)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    fields = {"question": "ask", "options": "opts", "answer": "gold"}
    return path, fields | {"passage": "story"}


def words(folder: Path) -> tuple[Path, dict[str, Any]]:
    path = folder / "words.json"
    rows = [{"question": "When?", "answer": ["1821", "in 1821"]}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path, {}


def booleans(folder: Path) -> tuple[Path, dict[str, Any]]:
    path = folder / "booleans.json"
    rows = [{"question": f"{n}?", "answer": n > 0, "passage": "P."} for n in range(3)]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path, {"labels": {"true": "yes", "false": "no"}}


@pytest.mark.parametrize("made", [csv_of_letters, jsonl_of_texts, words, booleans])
def test_data_sets_of_three_shapes(made: Any, tmp_path: Path) -> None:
    path, fields = made(tmp_path)
    log = ran(tmp_path / "logs", dataset=str(path), fields=fields or None)
    assert log.results is not None
    assert log.results.completed_samples == len(samples(log)) > 0
    assert all(record.complete for record in records(log))
    assert log.eval.metadata is not None
    data = log.eval.metadata["data"]
    assert data["fields"].items() >= fields.items()
    assert str(tmp_path) not in json.dumps(data)


def test_nothing_is_hidden(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, fields = csv_of_letters(tmp_path)
    debate(dataset=str(path), fields=fields)
    assert "about no passage" in caplog.text
    caplog.clear()
    debate()
    assert "about no passage" not in caplog.text


# --- a protocol of another package ----------------------------------------------------


class Times(Plain):
    times: int = parameter(2, "How many answers are drawn.")


@protocol(STUDY, Times, turns=(ANSWER,))
async def twice(debate: Debate[Times, Question]) -> None:
    """Some answers of one model."""
    model = answerer()
    debate.takes_part(model, ANSWER)
    debate.aggregation = "majority"
    for draw in range(debate.parameters.times):
        await debate.together(answer(debate, model, draw + 1))


def kinds(log: EvalLog) -> Sequence[list[str]]:
    return [[turn.kind for turn in record.turns] for record in records(log)]


def test_registered_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, str]] = []

    def create(kind: str, name: str, **parameters: Any) -> Solver:
        made.append((kind, name))
        return twice(**parameters)

    monkeypatch.setattr("inspect_debate.v1.debate.engine.registry_create", create)
    log = ran(tmp_path / "default", protocol="other/twice")
    assert log.eval.metadata is not None
    assert log.eval.metadata["parameters"]["times"] == 2
    made.clear()
    parameters = {"protocol": "other/twice", "protocol.times": 3}
    log = ran(tmp_path, **parameters)
    assert set(made) == {("solver", "other/twice")}
    assert kinds(log) == [["answer"] * 3] * 3
    assert log.eval.metadata is not None
    assert log.eval.metadata["parameters"]["times"] == 3
    with pytest.raises(InputError, match="rounds"):
        debate(protocol="other/twice", rounds=1)
