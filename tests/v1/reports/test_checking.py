"""What a check of models finds in logs, and how it is reported."""

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from inspect_debate.v1.reports.checking import (
    COSTS,
    FIELDS,
    REPORT,
    Findings,
    advice,
    as_data,
    status_of,
)
from inspect_debate.v1.reports.terminal import WIDTH, terminal_text

FIELD = ("x/m", "colmad", "debater", "answer", "answer")


def findings(*fields: dict[str, Any], model: str = "x/m", **costs: Any) -> Findings:
    """What was found, by fields that were read at one place, and a turn's cost."""
    usual = dict(zip(FIELDS, (*FIELD, "ok", 0, "check", "", None), strict=True))
    turn = (*FIELD[:4], "debater_a", "m", 1, 120, 10, 0.5, 0.25)
    cost = dict(zip(COSTS, turn, strict=True))
    rows = [usual | {"model": model} | field for field in fields]
    return Findings(
        checks=["check"],
        fields=pd.DataFrame(rows, columns=FIELDS),
        costs=pd.DataFrame([cost | {"model": model} | costs]),
        refused={},
        failures={},
        unreached={},
        seconds=1.0,
    )


def text(found: Findings) -> str:
    return " ".join(terminal_text(REPORT.of(found)).split())


def test_settings_that_are_not_taken() -> None:
    found = replace(findings({}), refused={"x/m": ["temperature"]})
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
        {"kind": "update", "field": name, "status": status, "reasks": 1}
        for name in ("a_field", "other")
        for status in ("ok", "ok", "truncated", "capped", "unparsed")
    ]
    turn = {"calls": 1_000, "seconds": 12345.0, "served": "something-else"}
    made = findings(*fields, model=model, **turn)
    found = replace(made, failures={"debate som": "long " * 200})
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
            failures={"debate som": "it broke"},
            unreached={"debate colmad": "no verdict: Alice's answer is unparsed"},
        )
    )
    assert "## Failed - debate som: it broke ## Not asked for - debate colmad" in shown
