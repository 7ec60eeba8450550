"""What a check of models finds in logs, and how it is told."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, StopReason

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports.checking import (
    WIDTH,
    Findings,
    Place,
    Readings,
    Spent,
    Stage,
    Unread,
    advice,
    as_data,
    as_text,
    look_into,
    status_of,
)
from tests.reports.made_logs import failing, logged, said
from tests.support.models import Reply, scripted
from tests.support.runs import run

ANSWER = Stage(Place("x/m", "colmad", "debater", "answer"), "answer")
PRICED = ModelUsage(
    input_tokens=100,
    input_tokens_cache_read=20,
    output_tokens=10,
    total_tokens=130,
    total_cost=0.25,
)


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
    ((stage, readings),) = faulty.readings.items()
    assert stage[0][1:] == ("colmad", "debater", "answer")
    assert readings.statuses == {"ok": 2, "unparsed": 1, "refused": 1, "truncated": 1}
    assert (readings.asked, readings.unread, readings.reasks) == (5, 3, 2)
    unread = {each.status: each for each in faulty.unread}
    assert unread.keys() == {"unparsed", "refused", "truncated"}
    assert unread["unparsed"].last_line == "Who knows?"
    assert unread["truncated"].max_tokens == 50
    assert (faulty.failures, faulty.unreached) == ({}, {})


def test_what_was_spent_is_summed_over_all_calls(faulty: Findings) -> None:
    (spent,) = faulty.spent.values()
    # Three calls have the script's usage, of 10 and 5 tokens, and no price.
    assert (spent.calls, spent.read, spent.written) == (7, 4 * 120 + 30, 4 * 10 + 15)
    assert spent.dollars is None
    priced = Spent()
    for _ in range(2):
        priced.add(1, PRICED, 0.5)
    assert (priced.calls, priced.dollars, priced.seconds) == (2, 0.5, 1.0)


def test_each_trouble_has_its_advice(faulty: Findings) -> None:
    told = advice(faulty)
    refused, truncated, unparsed = sorted(told[:3], key=_status)
    assert "1 unparsed: it ended 'Who knows?'." in unparsed
    assert "1 refused: it ended" in refused
    assert "50 tokens were not enough" in truncated
    assert "-T config.answer.max_tokens=200" in truncated
    assert "is not known to Inspect" in told[3]


def _status(told: str) -> str:
    return told.partition(", 1 ")[2]


def test_what_failed_is_told_and_the_rest_is_counted() -> None:
    found = look_into(failing())
    ((check, why),) = found.failures.items()
    assert check == "inspect_debate/colmad colmad"
    assert "the provider is down" in why
    verdicts = [r for s, r in found.readings.items() if s.place.kind == "verdict"]
    assert Counter[str](sum((r.statuses for r in verdicts), Counter())) == {
        "ok": 3,
        "refused": 1,
    }
    assert status_of(found, 1.0) == 3


def test_log_probabilities_and_settings_that_are_not_taken(tmp_path: Path) -> None:
    task = srdcr(
        protocol="few_shot", source="sample", questions=1, consistency_samples=1
    )
    model = "simulated/no_logprobs"
    found = look_into(logged(run(task, tmp_path, model=model)))
    assert found.tokens == {model: {"absent": 4}}
    (told,) = advice(found)
    assert "log-probabilities absent" in told
    assert "Log-probabilities of 4 answers: 4 absent." in as_text(found, {})
    found.refused[model]["temperature"] = None
    assert "takes no temperature" in advice(found)[-1]


def findings(**statuses: int) -> Findings:
    found = Findings()
    found.readings[ANSWER] = Readings(Counter(statuses))
    return found


@pytest.mark.parametrize(
    ("statuses", "max_unparsed", "code"),
    [
        ({"ok": 4}, 0.0, 0),
        ({"ok": 3, "unparsed": 1}, 0.0, 1),
        ({"ok": 3, "missing": 1}, 0.0, 1),
        ({"ok": 3, "refused": 1}, 0.25, 0),
        ({"ok": 3, "truncated": 1}, 0.24, 1),
        ({"unparsed": 4}, 1.0, 0),
    ],
)
def test_the_exit_code(
    statuses: dict[str, int], max_unparsed: float, code: int
) -> None:
    found = findings(**statuses)
    assert status_of(found, max_unparsed) == code
    found.readings[ANSWER._replace(field="other")] = Readings(Counter(ok=99))
    assert status_of(found, max_unparsed) == code, "each stage by itself"
    found.failures["colmad single"] = "it broke"
    assert status_of(found, max_unparsed) == 3


def test_a_limit_is_named_where_the_grader_has_it() -> None:
    place = Place("x/g", "colmad", "grader", "grade")
    found = Findings()
    found.unread = [
        Unread(Stage(place, "hacked"), "truncated", "c", "", 100),
        Unread(ANSWER, "truncated", "c", "", None),
        Unread(ANSWER, "unparsed", "c", "", None),
    ]
    graded, unlimited, empty = advice(found)
    assert "--model-role 'grader={model: x/g, max_tokens: 400}'" in graded
    assert "the provider's own limit" in unlimited
    assert "the completion was empty" in empty


def test_the_text_fits_a_terminal_and_the_data_a_file() -> None:
    model = "provider/" + "very-long-name-of-a-model-" * 5
    found = findings(ok=1234)
    place = Place(model, "confidence", "debater", "candidate")
    for name in ("a_field_with_a_long_name", "other"):
        stage = Stage(place, name)
        found.readings[stage] = Readings(
            Counter(ok=1_000, truncated=900, capped=100), 1_000
        )
        found.unread.append(Unread(stage, "unparsed", "c", "word " * 90, None))
    found.spent[place].add(1_000, PRICED, 12345.0)
    found.roles[model] = {"debater_a": None}
    found.served[model] = {"something-else": None}
    found.failures["generative dual_debate"] = "long " * 200
    found.unreached["srdcr srdcr"] = "no verdict: the Critic's answer is unparsed"
    text = as_text(found, {"generative dual_debate on code": "No sandbox. " * 40})
    lines = text.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "served as something-else" in " ".join(lines)
    assert [
        word for word in ("Failed:", "Not asked for:", "Left out:") if word in lines
    ]
    row = next(line for line in lines if "candidate" in line)
    assert row.split() == [
        *("confidence", "debater", "candidate"),
        *("a_field_wit…", "2000", "1000", ".", ".", ".", "1000", "1000"),
    ]
    data = json.loads(json.dumps(as_data(found, {})))
    assert data["stages"][1]["truncated"] == 900
    assert data["stages"][1]["capped"] == 100
    assert math.isclose(data["costs"][0]["dollars"], 0.25)
