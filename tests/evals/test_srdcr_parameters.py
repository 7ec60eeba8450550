"""Wrong parameters end before any call, with one sentence that says what is allowed."""

from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.srdcr import PROTOCOLS, srdcr
from tests.support.runs import run


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"protocol": "sr_dcr"}, ["protocol='sr_dcr'", "Did you mean 'srdcr'?"]),
        ({"seed": -1}, ["seed=-1", "at least 0"]),
        ({"rounds": -1}, ["rounds=-1"]),
        ({"rounds": True}, ["rounds=True"]),
        ({"tau": 1.5}, ["tau=1.5", "less than or equal to 1"]),
        ({"tau": 90}, ["tau=90"]),
        ({"confidence_from": "logprob"}, ["confidence_from='logprob'", "logprobs"]),
        ({"consistency_samples": 0}, ["consistency_samples=0"]),
        ({"recall_samples": -32}, ["recall_samples=-32"]),
        ({"turn_order": "parallel"}, ["turn_order='parallel'", "sequential"]),
        (
            {"critic_sees_context": "rebuttals"},
            ["critic_sees_context='rebuttals'", "boolean", "'openings'"],
        ),
        ({"followups_see": "passage"}, ["followups_see='passage'", "transcript"]),
        ({"agents": 3}, ["agents=3", "protocol=srdcr", "rounds"]),
        ({"order": "ba"}, ["order='ba'", "no meaning for protocol=srdcr"]),
        ({"protocol": "judge_debate", "order": "up"}, ["order='up'", "both"]),
        (
            {"protocol": "judge_debate", "judge_after": "1,x"},
            ["judge_after='1,x'", "valid integer"],
        ),
        (
            {"protocol": "judge_debate", "judge_after": "1,7"},
            ["judge_after=1,7", "rounds=5", "1 to 5"],
        ),
        (
            {"protocol": "judge_debate", "judge_after": []},
            ["judge_after= is not allowed", "1 to 5"],
        ),
        ({"protocol": "naive_debate", "rounds": -1}, ["rounds=-1"]),
        ({"protocol": "rci", "tau": 0.9}, ["tau=0.9", "none of them"]),
        ({"protocol": "golden", "rounds": 6}, ["rounds=6", "tau"]),
        ({"skip_if_agree": "yes"}, ["skip_if_agree='yes'", "true or false"]),
        ({"reuse_until": "answers"}, ["reuse_until=answers needs a log"]),
        ({"reuse": "none.eval"}, ["none.eval"]),
        ({"protocol": "rci", "reuse": "x.eval"}, ["reuse=x.eval", "few_shot"]),
        (
            {"protocol": "judge_debate", "reuse": "x", "reuse_until": "debate"},
            ["reuse_until=debate", "judge_debate"],
        ),
        ({"reuse": "x", "reuse_until": "speech"}, ["reuse_until='speech'", "answers"]),
        ({"config": {"word_limit": 0}}, ["config.word_limit=0"]),
        ({"config": {"words": 1}}, ["config.words", "word_limit"]),
        ({"config.recall.temperature": -1}, ["config.recall.temperature=-1"]),
        ({"temperature": 0}, ["temperature", "tau"]),
        ({"source": "samples"}, ["samples", "sample"]),
        ({"domains": "days"}, ["days", "years"]),
        ({"questions": 0}, ["questions=0"]),
        ({"shots": -1}, ["shots=-1"]),
        ({"revision": "main"}, ["revision"]),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], told: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        srdcr(**{"source": "sample"} | parameters)
    message = str(caught.value)
    assert all(part in message for part in told), message
    assert "\n" not in message


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_parameters_stand_in_the_log(protocol: Any) -> None:
    task = srdcr(protocol=protocol, source="sample", questions=6)
    assert task.metadata is not None
    assert task.metadata["protocol"] == protocol
    told = task.metadata["parameters"]
    assert told["questions"] == 6
    assert told["shots"] == 4
    assert len(task.dataset) == 12
    assert task.metadata["data"]["source"] == "sample"
    assert task.metadata["data"]["balance"]


def test_values_typed_on_a_command_line() -> None:
    task = srdcr(
        protocol="judge_debate", source="sample", judge_after="1,2", rounds=3, tau=1
    )
    assert task.metadata is not None
    assert task.metadata["parameters"]["judge_after"] == [1, 2, 3]
    assert task.metadata["parameters"]["tau"] == 1.0


@pytest.mark.slow
def test_every_protocol_runs_on_the_sample(tmp_path: Path) -> None:
    for protocol in PROTOCOLS:
        log = run(
            srdcr,
            tmp_path,
            task_args={"protocol": protocol, "source": "sample"},
            limit=4,
        )
        assert log.results is not None
        assert log.results.completed_samples == 4
