"""What a check of models finds in logs, and how it is reported."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, StopReason

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports.checking import (
    COSTS,
    FIELDS,
    REPORT,
    Findings,
    advice,
    as_data,
    look_into,
    status_of,
)
from inspect_debate.reports.terminal import WIDTH, terminal_text
from tests.reports.made_logs import failing, logged, said
from tests.support.models import Reply, scripted
from tests.support.runs import run

PRICED = ModelUsage(
    input_tokens=100,
    input_tokens_cache_read=20,
    output_tokens=10,
    total_tokens=130,
    total_cost=0.25,
)
FIELD = ("x/m", "colmad", "debater", "answer", "answer")


def findings(*fields: dict[str, Any], model: str = "x/m", **costs: Any) -> Findings:
    """What was found, by fields that were read at one place, and a turn's cost."""
    usual = dict(zip(FIELDS, (*FIELD, "ok", 0, "check", "", None), strict=True))
    turn = (*FIELD[:4], "debater_a", "m", None, 1, 120, 10, 0.5, 0.25)
    cost = dict(zip(COSTS, turn, strict=True))
    rows = [usual | {"model": model} | field for field in fields]
    return Findings(
        checks=["check"],
        fields=pd.DataFrame(rows, columns=FIELDS),
        costs=pd.DataFrame([cost | {"model": model} | costs]),
        refused={},
        failures={},
        unreached={},
        left_out={},
        seconds=1.0,
    )


def text(found: Findings) -> str:
    return " ".join(terminal_text(REPORT.of(found)).split())


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Five items: read at once, at the second attempt, never, refused, cut off."""

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        number = order.setdefault(description.sample, len(order))
        if number == 2 or (number == 1 and not description.reask):
            return "First line.\n\n  Who knows?  \n"
        output = ModelOutput.from_content(
            "m", said(description), stops.get(number, "stop")
        )
        output.usage = PRICED
        return output

    order: dict[str, int] = {}
    stops: dict[int, StopReason] = {3: "content_filter", 4: "max_tokens"}
    log = run(
        colmad(
            protocol="single", source="sample", config={"answer": {"max_tokens": 50}}
        ),
        tmp_path_factory.mktemp("faulty"),
        model=scripted(say),
        limit=5,
        max_samples=1,
    )
    return look_into(logged(log))


def test_every_status_is_counted_apart(faulty: Findings) -> None:
    data = as_data(faulty)
    (stage,) = data["stages"]
    assert (stage["study"], stage["role"], stage["kind"]) == FIELD[1:4]
    counts = {"ok": 2, "unparsed": 1, "refused": 1, "truncated": 1, "capped": 0}
    assert counts.items() <= stage.items()
    assert (stage["asked"], stage["re_asks"]) == (5, 2)
    # Three calls have the script's usage, of 10 and 5 tokens, and no price.
    (cost,) = data["costs"]
    assert cost["calls"] == 7
    assert cost["input_tokens"] == 4 * 120 + 30
    assert cost["output_tokens"] == 4 * 10 + 15
    assert cost["dollars"] is None
    assert (data["failed"], data["not_reached"]) == ({}, {})
    assert "1 protocol, 5 fields: 2 read, 3 not read." in text(faulty)
    assert "and what has no known price." in text(faulty)


def test_each_trouble_has_its_advice(faulty: Findings) -> None:
    found = advice(faulty)
    refused, truncated, unparsed = sorted(found[:3], key=lambda t: t.split(", 1 ")[1])
    assert "1 unparsed: it ended 'Who knows?'." in unparsed
    assert "1 refused: it ended" in refused
    assert "50 tokens were not enough" in truncated
    assert "-T config.answer.max_tokens=200" in truncated
    assert "Inspect does not know the price" in found[3]


def test_what_failed_is_named_and_the_rest_is_counted() -> None:
    found = look_into(failing())
    ((check, why),) = found.failures.items()
    assert check == "inspect_debate/colmad colmad"
    assert "the provider is down" in why
    verdicts = [s for s in as_data(found)["stages"] if s["kind"] == "verdict"]
    assert [(s["ok"], s["refused"]) for s in verdicts] == [(3, 1)]
    assert status_of(found, 1.0) == 3


def test_log_probabilities_and_settings_that_are_not_taken(tmp_path: Path) -> None:
    task = srdcr(
        protocol="few_shot", source="sample", questions=1, consistency_samples=1
    )
    model = "simulated/no_logprobs"
    found = look_into(logged(run(task, tmp_path, model=model)))
    assert as_data(found)["models"][model]["log_probabilities"] == {"absent": 4}
    (only,) = advice(found)
    assert "log-probabilities absent" in only
    assert "4 absent" in text(found)
    found = replace(found, refused={model: ["temperature"]})
    assert "takes no temperature" in advice(found)[-1]


@pytest.mark.parametrize(
    ("statuses", "max_unparsed", "code"),
    [
        (["ok"] * 4, 0.0, 0),
        (["ok"] * 3 + ["unparsed"], 0.0, 1),
        (["ok"] * 3 + ["missing"], 0.0, 1),
        (["ok"] * 3 + ["refused"], 0.25, 0),
        (["ok"] * 3 + ["truncated"], 0.24, 1),
        (["unparsed"] * 4, 1.0, 0),
    ],
)
def test_the_exit_code(statuses: list[str], max_unparsed: float, code: int) -> None:
    """A field by itself: those of another one that were read do not make up for it."""
    others = [{"field": "other"}] * 99
    found = findings(*({"status": status} for status in statuses), *others)
    assert status_of(found, max_unparsed) == code


def test_a_limit_is_named_where_the_grader_has_it() -> None:
    cut_off = {"status": "truncated"}
    graded, unlimited, empty = advice(
        findings(
            cut_off | {"role": "grader", "kind": "grade", "max_tokens": 100},
            cut_off,
            {"status": "unparsed"},
        )
    )
    assert "--model-role 'grader={model: x/m, max_tokens: 400}'" in graded
    assert "the provider's own limit" in unlimited
    assert "the completion was empty" in empty


def test_the_text_fits_a_terminal_and_the_data_a_file() -> None:
    model = "provider/" + "very-long-name-of-a-model-" * 5
    fields = [
        {"kind": "candidate", "field": name, "status": status, "reasks": 1}
        for name in ("a_field", "other")
        for status in ("ok", "ok", "truncated", "capped", "unparsed")
    ]
    turn = {"calls": 1_000, "seconds": 12345.0, "served": "something-else"}
    made = findings(*fields, model=model, **turn)
    found = replace(made, failures={"generative dual_debate": "long " * 200})
    lines = terminal_text(REPORT.of(found)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "something-else" in text(found)
    row = next(line for line in lines if " a_field " in line)
    assert row.split()[-6:] == ["5", "2", "1", "1", "1", "5"]
    (_, other) = json.loads(json.dumps(as_data(found)))["stages"]
    assert (other["truncated"], other["capped"]) == (1, 1)


def test_what_did_not_run_is_listed() -> None:
    found = findings({})
    assert "## Failed" not in text(found)
    shown = text(
        replace(
            found,
            failures={"srdcr rci": "it broke"},
            unreached={"srdcr srdcr": "no verdict: the Critic's answer is unparsed"},
            left_out={"generative dual_debate on code": "No sandbox works."},
        )
    )
    assert "## Failed - srdcr rci: it broke ## Not asked for - srdcr srdcr" in shown
    assert "## Left out - generative dual_debate on code: No sandbox works." in shown
