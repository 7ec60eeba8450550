"""All 900 released items through the whole path, none lost."""

import os
from collections import Counter
from pathlib import Path

import pytest

from inspect_debate.evals.colmad import colmad
from tests.support.runs import metrics, records, run, samples, values

pytestmark = pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ,
    reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER",
)

CELLS = {"gpt4": 140, "llama2": 160}


@pytest.mark.parametrize("protocol", ["single", "colmad"])
def test_every_item_is_run_scored_and_paid_for_once(
    protocol: str, tmp_path: Path
) -> None:
    source = Path(os.environ["INSPECT_DEBATE_DATA"]) / "realmistake" / "data.zip"
    task = colmad(
        protocol="single" if protocol == "single" else "colmad",
        source=str(source),
        subset="all",
        response_author="both",
    )
    log = run(task, tmp_path, roles={"debater_b": "simulated/hesitant"})
    held = records(log)
    assert len({str(sample.id) for sample in samples(log)}) == 900
    assert all(record.complete for record in held)
    cells = Counter(
        (s.metadata["subset"], s.metadata["response_author"]) for s in samples(log)
    )
    assert cells == {
        (subset, author): size
        for subset in ("math", "fact", "answerability")
        for author, size in CELLS.items()
    }

    # Totals of the log against an independent count from the records.
    turns = [turn for record in held for turn in record.turns]
    usage = log.stats.model_usage.values()
    tokens = sum(turn.usage.total_tokens for turn in turns)
    assert sum(used.total_tokens for used in usage) == tokens
    found = [values(sample, "error_detection") for sample in samples(log)]
    assert sum(value["tokens"] for value in found) == tokens
    assert sum(value["calls"] for value in found) == sum(t.calls for t in turns)
    spent = metrics(log, "debate_process")
    assert spent["tokens"] == pytest.approx(tokens / 900)

    # The metrics against a count by hand.
    told = Counter((value["gold"], value["prediction"]) for value in found)
    tp, fn, fp, tn = told[1, 1], told[1, 0], told[0, 1], told[0, 0]
    measured = metrics(log, "error_detection")
    assert tp + fn + fp + tn == measured["items"] == 900
    assert measured["f1"] == pytest.approx(2 * tp / (2 * tp + fn + fp))
    assert measured["f2"] == pytest.approx(5 * tp / (5 * tp + 4 * fn + fp))
    assert measured["accuracy"] == pytest.approx((tp + tn) / 900)
    debated = sum(record.debated for record in held)
    assert measured["debated_share"] == pytest.approx(debated / 900)
    assert (debated > 0) == (protocol == "colmad")
