"""A debate on whether an answer is right, in place of a model that grades it."""

from math import isnan
from pathlib import Path
from typing import Any, Literal

import pytest
from inspect_ai import Task, score, task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.debate_judge import debate_judge
from tests.support.models import Messages, scripted
from tests.support.options import TOWNS, Cast, calls, result
from tests.support.runs import run, samples, score_of

SPEECH = "<thinking>hm</thinking><argument>So it is.\nFinal: 1\nConf: 1</argument>"


def debaters() -> Cast:
    script = scripted(lambda messages, description: SPEECH, "debater")
    return {"debater_a": script, "debater_b": script}


def judge(verdicts: dict[str, str]) -> Cast:
    """Debaters, and a judge who says of each sample what it is told to."""

    def script(messages: Messages, turn: TurnDescription) -> str:
        return verdicts[turn.sample]

    return debaters() | {"judge": scripted(script, "judge")}


def judged(
    scorer: Scorer, verdict: str, tmp_path: Path, **settings: Any
) -> tuple[EvalLog, Cast]:
    """A question with options, answered `ANSWER: B` by the model under test."""
    asked = Sample("Which town?", id="towns", choices=TOWNS, target="C")
    made = Task(dataset=[asked], solver=generate(), scorer=scorer)
    roles = judge({"towns": verdict})
    model = scripted(lambda messages, description: "ANSWER: B")
    return run(made, tmp_path, model, roles, **settings), roles


def debate_of(sample: EvalSample) -> DebateRecord:
    found = score_of(sample, "debate_judge").metadata
    assert found is not None
    return DebateRecord.model_validate(found["debate"])


@solver
def repeats(responses: dict[str, str]) -> Solver:
    """Answers every sample as somebody did before."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        response = responses[str(state.sample_id)]
        state.messages.append(ChatMessageAssistant(content=response))
        state.output = ModelOutput.from_content("earlier", response)
        return state

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("stated", [False, True])
def test_a_judge_of_known_accuracy_is_found_again(stated: bool, tmp_path: Path) -> None:
    """The shipped sample has tasks, and responses with and without an error."""
    labels: dict[str, str] = {}
    responses: dict[str, str] = {}
    says: dict[str, str] = {}
    asked: list[Sample] = []
    for item in realmistake("sample"):
        id, label = str(item.id), str(item.target)
        assert isinstance(item.input, list)
        given, response = item.input
        assert isinstance(given, ChatMessageUser)
        assert isinstance(response, ChatMessageAssistant)
        asked.append(Sample(given.text, id=id, target="none"))
        labels[id], responses[id] = label, response.text
        # Every third error is missed, and one seen in every fourth right response.
        before = list(labels.values()).count(label) - 1
        wrong = before % (3 if label == "error" else 4) == 0
        verdict = 1 if (label == "error") != wrong else 2
        says[id] = f"Answer: {verdict}\nProbability: 75%"
    errors = list(labels.values()).count("error")
    right = len(labels) - errors
    # By hand: errors that are missed, and right responses in which none is seen.
    believed = (errors + 2) // 3 + right - (right + 3) // 4
    scorer = debate_judge(rounds=1, probability="stated" if stated else "none")
    made = Task(dataset=asked, solver=repeats(responses), scorer=scorer)
    log = run(made, tmp_path, "none", judge(says))
    share = believed / len(labels)
    expected = 0.25 + share / 2 if stated else share
    assert (errors, right) == (12, 9)
    assert result(log, scorer="debate_judge") == pytest.approx(expected)
    values = {"1": 0.25, "2": 0.75} if stated else {"1": "I", "2": "C"}
    for sample in samples(log):
        said = values[says[str(sample.id)][len("Answer: ")]]
        assert score_of(sample, "debate_judge").value == said


def test_what_is_read_and_which_settings_count(tmp_path: Path) -> None:
    log, roles = judged(
        debate_judge(rounds=1, config={"speech": {"max_tokens": 900}}),
        "Answer: 2",
        tmp_path,
        temperature=0.3,
        max_tokens=20,
        epochs=2,
    )
    assert result(log, scorer="debate_judge") == 1.0
    first, second = (debate_of(sample) for sample in samples(log))
    sides = [[p.defends for p in d.participants[:2]] for d in (first, second)]
    assert sides[0] == sides[1][::-1]
    for call in calls(roles, "judge") + calls(roles, "debater_a"):
        assert "Which town?\n\nA) Paris\nB) Rome" in call.prompt
        assert "<response>\nANSWER: B\n</response>" in call.prompt
        assert "It is right if" not in call.prompt  # nor the target
        assert call.config.temperature == 0.0
        limit = 900 if call.turn.kind == "speech" else 4096
        assert call.config.max_tokens == limit


def test_the_target_is_read_where_it_is_asked_for(tmp_path: Path) -> None:
    scorer = debate_judge("judge_alone", show_target=True)
    log, roles = judged(scorer, "Answer: 1", tmp_path)
    assert result(log, scorer="debate_judge") == 0.0
    (call,) = calls(roles, "judge")
    assert "It is right if it agrees with this one:\nC\n</task>" in call.prompt
    assert not calls(roles, "debater_a")


def test_without_a_verdict_there_is_no_score(tmp_path: Path) -> None:
    log, _ = judged(debate_judge(rounds=1), "Hard to say.", tmp_path)
    (sample,) = samples(log)
    found = score_of(sample, "debate_judge")
    assert isinstance(found.value, float)
    assert isnan(found.value)
    assert found.answer == "(unparsed)"
    assert debate_of(sample).debated


@pytest.mark.parametrize("protocol", ["colmad", "cross_examination"])
def test_a_log_is_judged_later(
    protocol: Literal["colmad", "cross_examination"], tmp_path: Path
) -> None:
    log, _ = judged(debate_judge(rounds=1), "Answer: 1", tmp_path)
    scorer = debate_judge(protocol=protocol, rounds=1)
    roles = judge({"towns": "Answer: 2"})
    again = score(log, scorer, action="overwrite", model_roles=roles)
    assert [debate_of(s).protocol for s in samples(again)] == [protocol]
    assert result(again, scorer="debate_judge") == 1.0


@pytest.mark.parametrize(("role", "message"), [("user", ""), ("juge", "'judge'")])
def test_the_task_may_have_roles_of_its_own(
    role: str, message: str, tmp_path: Path
) -> None:
    @task
    def made() -> Task:
        asked = Sample("Which town?", id="towns", choices=TOWNS, target="B")
        return Task(dataset=[asked], solver=generate(), scorer=debate_judge(rounds=1))

    roles = judge({"towns": "Answer: 2"}) | {role: scripted()}
    if message:
        with pytest.raises(InputError, match=f"Did you mean {message}"):
            run(made, tmp_path, scripted(), roles)
    else:
        assert (
            result(run(made, tmp_path, scripted(), roles), scorer="debate_judge") == 1
        )


def test_what_is_not_allowed_is_said_before_any_call() -> None:
    with pytest.raises(InputError, match="protocol='som' is not known"):
        debate_judge(protocol="som")  # type: ignore[arg-type]  # a typo
    with pytest.raises(
        InputError, match="protocol='consultancy' is not known; allowed: c"
    ):
        debate_judge(protocol="consultancy")  # type: ignore[arg-type]  # has no prompts
    with pytest.raises(InputError, match="roundz"):
        debate_judge(roundz=3)
    with pytest.raises(InputError, match="probability='certain' is not known"):
        debate_judge(probability="certain")  # type: ignore[arg-type]  # a typo
