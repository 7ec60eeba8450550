"""The section that says whether debate will help a pair of critic and judge."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from inspect_debate.evals.generative import generative
from inspect_debate.reports.elements import Notice, Table
from inspect_debate.reports.generative.audit import GRADED, MISSING, VERIFIED, audits
from inspect_debate.reports.generative.report import REPORT
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.reports.generative.made import (
    Round,
    data,
    joined,
    made_items,
    names,
    row,
    section,
    text,
)
from tests.support.runs import run

TITLE = "Will debate help this pair?"
RIGHT = "1100" * 30
# Of each four answers two are right; the judge misses the first one after a debate.
ENDORSED = {
    "single_no_transcript": "1011",  # right about 1 of 2 and about 0 of 2
    "critic_alone": "1100",
    "single_consultancy": "1111",
    "single_debate": "1100",
    "single_critique": "1101",
}
MISSED = ("single_debate", 0)
VERIFIES = {"single_no_transcript": "1110", "single_debate": "1110"}


def ruled_in(protocol: str, n: int) -> str:
    return "0" if (protocol, n) == MISSED else ENDORSED[protocol][n % 4]


def asked(protocol: str, verifies: str | None = None, **more: Any) -> pd.DataFrame:
    rounds = [
        Round(f"q{n}", right, ruled_in(protocol, n)) for n, right in enumerate(RIGHT)
    ]
    items = made_items(protocol, rounds, **more)
    if verifies is None:
        return items
    items[VERIFIED] = [float(verifies[n % 4]) for n in range(len(items))]
    items[GRADED] = 1.0
    return items


def everything(**of: pd.DataFrame) -> pd.DataFrame:
    parts = {name: asked(name, VERIFIES.get(name)) for name in ENDORSED}
    return joined(*(parts | of).values())


def test_the_audit_of_a_debate_by_hand() -> None:
    found = row(everything(), "debate_help", After="Single debate")
    assert found["Critic less judge"] == pytest.approx(1 - 0.25)
    assert found["Critic less judge low"] > 0.6
    assert (found["Verify alone"], found["Verify after"]) == (0.75, 0.75)
    assert found["Change"] == 0
    assert found["Change low"] == pytest.approx(-(1 - 0.05 ** (1 / len(RIGHT))))
    assert found["Gain"] == pytest.approx((59 / 60 + 1) / 2 - 0.5)
    assert (found["Predicted"], found["Observed"]) == ("helps", "helps")
    assert found["Samples"] == len(RIGHT)


def test_what_is_not_graded_leaves_it_open() -> None:
    found = row(everything(), "debate_help", After="Single critique")
    assert found["Gain"] == pytest.approx(0.25)
    assert (found["Predicted"], found["Observed"]) == ("open", "helps")
    assert pd.isna(found["Verify after"])


def test_verification_that_falls_predicts_no_gain() -> None:
    lost = everything(single_debate=asked("single_debate", "1000"))
    found = row(lost, "debate_help", After="Single debate")
    assert found["Change"] == pytest.approx(-0.5)
    assert (found["Predicted"], found["Observed"]) == ("no gain", "helps")


def test_scores_of_judge_and_critic() -> None:
    found = row(everything(), "single_rulings", Condition="Single, no transcript")
    assert found["Balanced accuracy"] == 0.25
    # "correct": 1 hit, 2 false alarms, 1 missed; "incorrect": none of 2 found.
    assert found["Macro-F1"] == pytest.approx((2 / 5 + 0) / 2)
    critic = row(everything(), "single_rulings", Condition="Critic alone")
    assert critic["Accuracy"] == critic["Macro-F1"] == 1


def test_a_critic_alone_is_in_no_pair_of_debater_and_judge() -> None:
    critic = asked("critic_alone", family="openai/gpt-5-mini > critic")
    report = REPORT.of(data(everything(critic_alone=critic)))
    assert "1 pair of debater and judge" in report.summary
    assert not [one for one in report.notices if "> critic" in one.text]
    (made, *_), _ = audits(data(everything(critic_alone=critic)))
    assert made.found.predicted == "helps"


def test_nothing_is_said_of_other_reports() -> None:
    plain = [asked(name) for name in ("single_debate", "single_consultancy")]
    items = joined(*plain, asked("single_no_transcript"))
    assert section(items, TITLE) == []
    shown = [found.title for found in REPORT.of(data(items)).sections]
    assert TITLE not in shown
    assert TITLE in [found.title for found in REPORT.of(data(everything())).sections]


@pytest.mark.parametrize("without", ["critic_alone", "single_consultancy"])
def test_what_to_run(without: str) -> None:
    parts = [asked(name) for name in ENDORSED if name != without]
    found = section(joined(*parts), TITLE)
    assert text(found) == MISSING
    assert names(found) == ["single_rulings"]


REFUSED: Sequence[tuple[dict[str, pd.DataFrame], str]] = [
    ({"critic_alone": asked("critic_alone", prompts="other")}, "different prompts"),
    (
        {"critic_alone": asked("critic_alone").assign(answer_set_id="other")},
        "put different answers to the judge",
    ),
    ({"single_consultancy": asked("single_consultancy", prompts="x")}, "prompts"),
]


@pytest.mark.parametrize(("changed", "why"), REFUSED)
def test_runs_that_do_not_fit_are_refused(
    changed: dict[str, pd.DataFrame], why: str
) -> None:
    found = section(everything(**changed), TITLE)
    (said,) = (item.text for item in found if isinstance(item, Notice))
    assert said.startswith("Not audited:")
    assert why in said


@pytest.mark.parametrize(
    "other",
    [{"debater_b": "openai/another"}, {"parameters": {"judge_style": "verifying"}}],
)
def test_the_critic_is_the_one_of_the_debate(other: dict[str, Any]) -> None:
    critic = asked("critic_alone", **other)
    made, refused = audits(data(everything(critic_alone=critic)))
    assert (made, refused) == ([], [])


ROLES = {
    "debater_a": "simulated/balanced/proposer",
    "debater_b": "simulated/perfect/critic",
    "judge": "simulated/swayed/judge",
    "grader": "simulated/balanced/grader",
}


@pytest.mark.slow
def test_the_section_of_simulated_runs(tmp_path: Path) -> None:
    """A critic that sees all, and a judge that follows speeches and checks less."""

    def ran(protocol: GenerativeProtocol, **given: Any) -> str:
        task = generative(protocol, source="sample", verdict_checks=True, **given)
        return run(task, tmp_path, "none/none", ROLES, epochs=3).location

    first = ran("single_no_transcript")
    for protocol in (
        "critic_alone",
        "single_critique",
        "single_debate",
        "single_consultancy",
    ):
        ran(protocol, reuse=first)
    report = REPORT(str(tmp_path))
    (found,) = [one for one in report.sections if one.title == TITLE]
    audit, rulings = (item for item in found.items if isinstance(item, Table))
    assert [audit.name, rulings.name] == ["debate_help", "single_rulings"]
    assert len(audit.frame) == 2
    for each in audit.frame.to_dict("records"):
        assert each["Samples"] == 3 * 14
        assert each["Critic less judge low"] > 0.1
        assert each["Verify after"] < each["Verify alone"]
        assert each["Predicted"] in ("no gain", "open")
        assert each["Observed"] in ("hurts", "no difference shown")
    assert len(rulings.frame) == 5
    # The critic is in the family of the judge that it is compared with.
    assert rulings.frame["Models and data"].nunique() == 1
