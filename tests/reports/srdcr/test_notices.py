"""What is told first, and what became of samples."""

import pandas as pd

from inspect_debate.reports.elements import Notice
from inspect_debate.reports.notices import reuse_notices, sample_notices
from inspect_debate.reports.sanity import samples_table, unread_notices, unread_table
from inspect_debate.reports.srdcr.calibration import estimates_of
from inspect_debate.reports.srdcr.frames import (
    answers_of,
    conditions,
    items_of,
    titles_of,
)
from inspect_debate.reports.srdcr.report import (
    STAGES,
    agreement_notices,
    answer_notices,
    confidence_notices,
    half_notices,
    origins_of_arms,
    parts,
    unscored_arms,
)
from tests.reports.srdcr.made_clash import NONE, Said, joined, scores
from tests.reports.srdcr.worked import row

READ = [Said(f"q{n}", n % 2, "right", "right") for n in range(9)]
UNREAD = Said("q9", 1, None, "right", (1, 1, 1))


def items(*frames: pd.DataFrame) -> pd.DataFrame:
    return items_of(conditions(joined(*frames)))


def unread(*frames: pd.DataFrame) -> list[Notice]:
    found = conditions(joined(*frames))
    also = unscored_arms(answers_of(items_of(found)))
    return list(unread_notices(parts(found.frame), STAGES, also))


def test_data_that_do_not_compare_are_told() -> None:
    published = scores("srdcr", READ[::2], data="published")
    (half,) = half_notices(conditions(published).frame)
    assert half.text.startswith("GPT-4o has no perturbed samples")
    assert not list(half_notices(conditions(scores("srdcr", READ)).frame))


def test_what_is_missing_too_often_is_told() -> None:
    assert not unread(scores("srdcr", READ))
    assert not unread(scores("srdcr", [*READ, UNREAD]))  # 1 of 20, 1 of 10
    lost = [Said("q8", 0, None, None, (1, 1, NONE)), UNREAD]
    more = scores("srdcr", READ[:6] + lost)
    (told,) = unread(more)
    assert "- 19% of the answers unreadable: SR-DCR (GPT-4o)" in told.text
    assert "- 25% of the samples not scored: Prior answer" in told.text
    assert "- 12% of the samples not scored: Few-shot" in told.text
    found = row(unread_table(parts(conditions(more).frame), STAGES), Stage="Answers")
    assert (found["Asked for"], found["Unreadable"]) == (16, 3 / 16)
    assert unread_table(parts(conditions(scores("srdcr", READ)).frame), STAGES) is None


def test_samples_that_failed_or_were_replaced_are_told() -> None:
    made = scores("srdcr", READ)
    made.loc[0, ["scored", "error"]] = (False, "down")
    made.loc[1, "scored"] = False
    grouped = conditions(joined(scores("srdcr", READ[2:], run="old"), made))
    texts = [notice.text for notice in sample_notices(grouped, titles_of(grouped))]
    assert texts[0].startswith("SR-DCR: 7 rows of older logs are left out")
    assert texts[1] == "SR-DCR: 1 of 9 samples ended with an error or a limit."
    assert texts[2].startswith("SR-DCR: 1 sample without a score, though")
    found = row(samples_table(parts(grouped.frame)), Arm="SR-DCR")
    assert [found[name] for name in ("Samples", "Failed", "Not scored")] == [9, 1, 2]


def test_different_answers_of_one_model_are_told() -> None:
    ours, again = scores("srdcr", READ), scores("few_shot", READ, reuse="srdcr.eval")
    assert not list(answer_notices(answers_of(items(ours, again))))
    anew = scores("few_shot", READ)
    assert not list(answer_notices(answers_of(items(ours, anew))))  # not taken
    judged = scores("judge_debate", [one._replace(own="right") for one in READ])
    (told,) = answer_notices(answers_of(items(ours, judged)))
    assert "- GPT-4o, `judge_debate.eval`: Judge Debate, 1 round" in told.text
    assert "`srdcr.eval`: Prior answer" in told.text
    asking = scores("self_ask", [one._replace(own="right") for one in READ])
    assert not list(answer_notices(answers_of(items(ours, asking))))
    both = conditions(joined(ours, again))
    (reused,) = reuse_notices(both.frame, titles_of(both))
    assert reused.text.endswith("- `srdcr.eval`, in Few-shot (contextual answer)")
    assert reused.level == "info"
    later = scores("srdcr", READ, reuse="few_shot.eval")
    table = origins_of_arms(answers_of(items(anew, later)))
    found = row(table, Log="srdcr.eval")
    assert found["Arms"].startswith("Prior answer (closed book); Few-shot (contextual")
    assert found["Answers first asked for in"] == "few_shot.eval"
    assert len(table.frame) == 1


def test_how_much_there_is_to_arbitrate_is_told() -> None:
    contested = Said("q9", 1, "right", "passage")
    (told,) = agreement_notices(answers_of(items(scores("srdcr", [*READ, contested]))))
    assert "- 90%: GPT-4o" in told.text


def test_confidences_of_two_kinds_or_none_are_told() -> None:
    made = scores("srdcr", READ)
    assert not list(confidence_notices(estimates_of(items(made))))
    sources = [1.0] * 5 + [2.0] * 3 + [NONE]
    made = made.assign(**{"self_confidence.source": sources})
    mixed, lacking = confidence_notices(estimates_of(items(made)))
    assert "5 from log-probabilities, 3 from self-consistency" in mixed.text
    assert "- 11%: GPT-4o" in lacking.text
