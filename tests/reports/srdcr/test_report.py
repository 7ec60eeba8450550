"""The whole report: of stored logs, and what must be read first."""

from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.model import Model, ModelOutput

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.srdcr import PROTOCOLS, VERSION, srdcr
from inspect_debate.reports.elements import Notice, Report, Table
from inspect_debate.reports.srdcr.measures import Data
from inspect_debate.reports.srdcr.report import REPORT, notices
from inspect_debate.reports.srdcr.rows import DEFAULTS, VERSIONS
from inspect_debate.solvers.knowledge_conflict import STUDY, ConflictConfig
from tests.frozen.comparing import LOGS
from tests.reports.srdcr.made_clash import NONE, Case, data, row, scores
from tests.support.models import scripted
from tests.support.runs import run


@cache
def report() -> Report:
    """Of SR-DCR, its debates judged again, and debates of other protocols."""
    names = ("srdcr", "srdcr_judge", "srdcr_judge_debate", "srdcr_naive")
    return REPORT([LOGS / f"{name}.eval" for name in names])


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


def notice(text: str) -> Notice:
    (found,) = [found for found in report().notices if text in found.text]
    return found


def test_what_has_to_be_known_is_first() -> None:
    assert notice("sample set shipped").level == "warning"
    assert "- `srdcr.eval`, in SR-DCR, judge=cred" in notice("used again").text
    anew = notice("asked for several times").text
    assert "`srdcr_judge_debate.eval`: Judge Debate" in anew
    assert "srdcr_judge.eval" not in anew  # its answers are SR-DCR's


def test_runs_can_be_repeated_and_data_found() -> None:
    text = report().sections[-1].text
    assert "`inspect eval inspect_debate/srdcr -T source=sample --model-role" in text
    assert "-T protocol=self_ask --model M`" in text
    assert "-T protocol=golden" not in text  # SR-DCR's run has it
    assert "-T protocol=naive_debate --model M`" not in text
    found = row(table("runs"), Condition="SR-DCR")
    assert (found["Samples"], found["Seed"]) == (4, 0)
    assert found["Models"] == "debater_a: simulated/balanced"
    assert row(table("data"), Name="Source")["Value"] == "sample"
    drawn = row(table("data"), Name="Balance: questions")["Value"]
    assert table("balance").frame["All"].sum() == int(drawn)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_names_leave_out_are_the_defaults_of_the_task(protocol: str) -> None:
    own = STUDY.protocols[protocol].parameters().logged(protocol)
    rare = ConflictConfig().model_dump(mode="json", exclude_none=True)
    given = {name: value for name, value in (own | rare).items() if value != {}}
    given.pop("recall_samples", None)  # changes no answer
    shots = signature(srdcr).parameters["shots"].default
    assert DEFAULTS[protocol] == given | {"shots": shots}
    assert VERSION in VERSIONS


def ran(folder: Path, protocol: Any, model: str | Model, **settings: Any) -> None:
    run(srdcr(protocol, source="sample"), folder, model, limit=2, **settings)


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    ran(tmp_path, "few_shot", "simulated/balanced", token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)


def test_logs_without_a_readable_answer_have_a_report(tmp_path: Path) -> None:
    refused = ModelOutput.from_content("x", "No.", "content_filter")
    ran(tmp_path, "self_ask", scripted(lambda messages, description: refused))
    found = REPORT(tmp_path)
    assert any("100% of the answers refused" in notice.text for notice in found.notices)
    assert found.sections[0].items[0] == Notice(
        "No answer of these logs could be read.", "info"
    )


# What is to be read first.

READ = [Case(f"q{n}", n % 2, "right", "right") for n in range(9)]
UNREAD = Case("q9", 1, None, "right", (1, 1, 1))


def notices_of(*frames: pd.DataFrame, about: str) -> list[str]:
    """The texts of notices that begin so."""
    found = (notice.text for notice in notices(data(*frames)))
    return [text for text in found if text.startswith(about)]


def item_of(found: Data, section: int, name: str) -> Table | None:
    """A table of one of the last sections: -2 is Sanity."""
    part = REPORT.parts[section]
    assert callable(part)
    items = [item for item in part(found).items if isinstance(item, Table)]
    return next((item for item in items if item.name == name), None)


def test_a_missing_half() -> None:
    one_half = scores("srdcr", READ[::2])
    assert notices_of(one_half, about="GPT-4o has no perturbed samples")
    assert not notices_of(scores("srdcr", READ), about="GPT-4o has no")


def test_what_is_missing_too_often() -> None:
    about = "More than 10% is missing"
    assert not notices_of(scores("srdcr", READ), about=about)
    # 1 of 20, 1 of 10
    assert not notices_of(scores("srdcr", [*READ, UNREAD]), about=about)
    lost = [Case("q8", 0, None, None, (1, 1, NONE)), UNREAD]
    more = scores("srdcr", READ[:6] + lost)
    (text,) = notices_of(more, about=about)
    assert "- 19% of the answers unreadable: SR-DCR (GPT-4o)" in text
    assert "- 25% of the samples not scored: Prior answer" in text
    assert "- 12% of the samples not scored: Few-shot" in text
    statuses = item_of(data(more), -2, "statuses")
    assert statuses is not None
    found = row(statuses, Stage="Answers")
    assert (found["Asked for"], found["Unreadable"]) == (16, 3 / 16)
    assert item_of(data(scores("srdcr", READ)), -2, "statuses") is None


def test_samples_that_failed_or_were_replaced() -> None:
    made = scores("srdcr", READ)
    made.loc[0, ["scored", "error"]] = (False, "down")
    made.loc[1, "scored"] = False
    runs = (scores("srdcr", READ[2:], run="old"), made)
    texts = notices_of(*runs, about="SR-DCR: ")
    assert texts[0].startswith("SR-DCR: 7 rows of older logs are left out")
    assert texts[1] == "SR-DCR: 1 of 9 samples ended with an error or a limit."
    assert texts[2].startswith("SR-DCR: 1 sample without a score, though")
    samples = item_of(data(*runs), -2, "samples")
    assert samples is not None
    found = row(samples, Condition="SR-DCR")
    assert [found[name] for name in ("Samples", "Failed", "Not scored")] == [9, 1, 2]


def test_different_answers_of_one_model() -> None:
    about = "The prior and contextual answers of a model were asked for several times"
    ours, again = scores("srdcr", READ), scores("few_shot", READ, reuse="srdcr.eval")
    assert not notices_of(ours, again, about=about)
    anew = scores("few_shot", READ)
    assert not notices_of(ours, anew, about=about)  # not taken
    judged = scores("judge_debate", [one._replace(own="right") for one in READ])
    (text,) = notices_of(ours, judged, about=about)
    assert "- GPT-4o, `judge_debate.eval`: Judge Debate, 1 round" in text
    assert "`srdcr.eval`: Prior answer" in text
    asking = scores("self_ask", [one._replace(own="right") for one in READ])
    assert not notices_of(ours, asking, about=about)
    (text,) = notices_of(ours, again, about="Answers or debates of these runs")
    assert text.endswith("- `srdcr.eval`, in Few-shot (contextual answer)")
    later = scores("srdcr", READ, reuse="few_shot.eval")
    sources = item_of(data(anew, later), -2, "answer_logs")
    assert sources is not None
    found = row(sources, Log="srdcr.eval")
    assert found["Conditions"].startswith("Prior answer (closed book); Few-shot (cont")
    assert found["Answers first asked for in"] == "few_shot.eval"
    assert len(sources.frame) == 1


def test_where_it_does_not_matter_whose_answer_is_given() -> None:
    contested = Case("q9", 1, "right", "passage")
    made = scores("srdcr", [*READ, contested])
    (text,) = notices_of(made, about="Share of samples whose prior and contextual")
    assert "- 90%: GPT-4o" in text


def test_confidences_of_two_kinds_or_none() -> None:
    made = scores("srdcr", READ)
    kinds = ("Confidences of one model come", "Share of the prior answers without")
    assert not [text for about in kinds for text in notices_of(made, about=about)]
    sources = [1.0] * 5 + [2.0] * 3 + [NONE]
    made = made.assign(**{"self_confidence.source": sources})
    ((mixed,), (lacking,)) = (notices_of(made, about=about) for about in kinds)
    assert "5 from log-probabilities, 3 from self-consistency" in mixed
    assert "- 11%: GPT-4o" in lacking
