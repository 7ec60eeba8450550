"""The logs that an import writes, and scores without logs, which are the same."""

import math
import re
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log, recompute_metrics
from inspect_ai.model import ModelConfig

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.transcripts.llms_overconfidence import Imported, import_release
from tests.v1.support.commands import as_installed, inspect
from tests.v1.support.runs import metrics, record, samples, values
from tests.v1.transcripts.made import (
    ALPHA,
    BETA,
    CONDITIONS,
    MOTION,
    RELEASED,
    four_rounds,
    release,
    saved,
    three_rounds,
)


def log(imported: Imported, condition: str) -> EvalLog:
    return read_eval_log(str(imported.logs[condition]), resolve_attachments="full")


def test_a_log_for_every_condition(imported: Imported) -> None:
    assert tuple(imported.logs) == CONDITIONS
    assert [path.name for path in imported.logs.values()] == [
        f"llms-overconfidence-{condition.replace('_', '-')}.eval"
        for condition in CONDITIONS
    ]
    assert imported.stopped == ()
    logs = {c: log(imported, c) for c in CONDITIONS}
    assert {c: len(samples(found)) for c, found in logs.items()} == {
        **dict.fromkeys(CONDITIONS, 1),
        **dict.fromkeys(("cross_model", "self"), 2),
    }
    for condition, found in logs.items():
        metadata = found.eval.metadata or {}
        assert found.status == "success"
        assert metadata["protocol"] == condition
        assert {record(s).protocol for s in samples(found)} == {condition}
        assert {*map(str, (record(s).parameters for s in samples(found)))} == {
            str(metadata["parameters"])
        }


def test_what_the_header_says(imported: Imported) -> None:
    header = log(imported, "cross_model").eval
    metadata = header.metadata or {}
    assert (header.task, header.task_version) == ("inspect_debate/confidence", "9-Z")
    assert (header.task_display_name, header.model) == ("confidence", "none/none")
    assert header.created == "2025-03-16T15:53:34+00:00"
    assert header.tags == ["rebuilt"]
    assert {
        key: metadata[key] for key in ("study", "task", "task_version", "seed")
    } == {
        "study": "confidence",
        "task": "inspect_debate/confidence",
        "task_version": "9-Z",
        "seed": 0,
    }
    assert metadata["rebuilt"] is True
    assert metadata["prompts"]["closing_structure"] == "MADE CLOSING"
    assert metadata["data"]["source"] == "llms-overconfidence"
    assert metadata["data"]["folder"] == metadata["import"]["folder"] == "theirs"
    assert re.fullmatch("[0-9a-f]{64}", metadata["import"]["sha256"])


def test_the_models_stand_in_the_header_and_are_never_called(
    imported: Imported,
) -> None:
    roles = log(imported, "cross_model").eval.model_roles or {}
    named = {
        role: [config.model for config in configs]
        for role, configs in roles.items()
        if isinstance(configs, list)
    }
    assert named == {
        "debater_a": [f"none/{ALPHA}", f"none/{BETA}"],
        "judge": ["none/other/gamma-1.5", "none/acme/beta"],
    }
    assert roles["debater_a"] != ModelConfig(model=ALPHA)
    assert "judge" not in (log(imported, "self").eval.model_roles or {})


def test_a_sample(imported: Imported) -> None:
    found = log(imported, "cross_model")
    sample = samples(found)[0]
    assert sample.id == "alpha_vs_beta:free_20250316_155334"
    assert (sample.input, sample.target) == (MOTION, "")
    metadata = dict(sample.metadata)
    assert metadata.pop("released_tokens")["debaters"][ALPHA]["successful_calls"] == 3
    assert re.fullmatch(r"this-house-would-.*-[0-9a-f]{6}", metadata.pop("motion"))
    assert metadata.pop("fingerprint") == record(sample).question
    assert metadata.pop("source_file") in RELEASED
    assert metadata.pop("started") == "2025-03-16 15:53:34"
    assert (
        metadata.items()
        >= {
            "proposition_burden": "",
            "opposition_burden": "",
            "debater_a": ALPHA,
            "debater_b": BETA,
            "repetition": 1,
        }.items()
    )
    assert sample.output.completion == "opposition"
    assert sample.messages[0].text == f"### The motion\n\n{MOTION}"
    assert len(sample.messages) == 1 + 6 + 4 + 1
    assert "Opposition (debater B) · closing" in sample.messages[6].text
    assert sample.model_usage[BETA].total_tokens == 1500
    assert sample.role_usage["judge"].output_tokens == 80
    assert sample.started_at is not None
    assert sample.started_at.startswith("2025-03-16T15:53:34")
    assert found.stats.model_usage[BETA].total_tokens == 3000


def test_private_reasoning_is_in_no_message(imported: Imported) -> None:
    for condition in CONDITIONS:
        for sample in samples(log(imported, condition)):
            texts = "".join(message.text for message in sample.messages)
            assert "I think that my case" not in texts


def test_the_scores(imported: Imported) -> None:
    found = log(imported, "cross_model")
    whole, half = samples(found)
    assert values(whole, "bets")["change_proposition"] == 20
    assert values(whole, "bets")["closing_excess"] == 55
    assert values(whole, "jury")["verdict_judge_1_2"] == 1
    assert values(whole, "jury")["unanimous"] == 0
    assert values(half, "jury").keys() == values(whole, "jury").keys()
    assert math.isnan(values(half, "jury")["verdict_judge_2_2"])
    assert values(half, "jury")["unanimous"] == 1
    assert metrics(found, "bets")["opening"] == 57.5
    assert (whole.scores or {})["jury"].metadata == {
        "models": {
            "debater_a": ALPHA,
            "debater_b": BETA,
            "judge_1": "other/gamma-1.5",
            "judge_2": "acme/beta",
        },
        "judges": {"judge_1": "other/gamma-1.5", "judge_2": "acme/beta"},
        "status": "ok",
    }
    assert [*(samples(log(imported, "four_round"))[0].scores or {})] == ["bets"]


def test_published_grades_are_scores(imported: Imported) -> None:
    found = log(imported, "self")
    graded, ungraded = samples(found)
    assert values(graded, "bet_alignment")["graded"] == 2
    assert values(graded, "bet_alignment")["assessment_aligned"] == 2
    assert values(ungraded, "bet_alignment")["graded"] == 0
    metadata = (graded.scores or {})["bet_alignment"].metadata or {}
    assert metadata["grader"] == "published"
    assert [(g["side"], g["round"]) for g in metadata["grades"]] == [
        ("proposition", 1),
        ("opposition", 2),
    ]
    assert metrics(found, "bet_alignment")["aligned_share"] == 1


def test_metrics_can_be_computed_again(imported: Imported) -> None:
    found = log(imported, "self")
    before = metrics(found, "bets")
    recompute_metrics(found)
    after = metrics(found, "bets")
    assert after == pytest.approx(before, nan_ok=True)


def test_what_was_found_is_counted(imported: Imported) -> None:
    counts = imported.counts["self"]
    found = (log(imported, "self").eval.metadata or {})["import"]
    assert counts.items() <= found.items()
    expected = {
        **{"debates": 2, "models": 2, "motions": 1, "prompt_sets": 1, "bets": 12},
        **{"zeros_missing": 1, "zeros_genuine": 0, "placeholder_reasonings": 0},
        **{"verdicts": 0, "graded_bets": 2, "failed_calls": 2, "repeated_debates": 0},
    }
    assert {name: counts[name] for name in expected} == expected
    assert counts["zeros"] == [
        {
            "debate": "beta:free_vs_self_20250503_150000",
            "side": "proposition",
            "speech": "rebuttal",
            "bet": "missing",
        }
    ]
    counts = imported.counts["cross_model"]
    assert (counts["verdicts"], counts["debates_with_fewer_verdicts"]) == (6, 1)
    assert counts["unanimous"] == 1


def test_texts_are_counted(tmp_path: Path) -> None:
    content = three_rounds()
    speeches = content["proposition_output"]["speeches"]
    speeches["opening"] = "Too short. <BET_AMOUNT>60</BET_AMOUNT>"
    speeches["closing"] = ""
    content["debator_bets"][1]["thoughts"] = "NA"
    saved(tmp_path, "no date.json", content)
    done = import_release(str(tmp_path), str(tmp_path / "logs"), "1-A")
    names = (
        *("placeholder_reasonings", "short_speeches", "empty_speeches"),
        *("bet_text_stripped", "bet_text_left", "without_date"),
    )
    assert [done.counts["self"][name] for name in names] == [1, 2, 1, 1, 0, 1]
    found = read_eval_log(str(done.logs["self"]))
    assert samples(found)[0].metadata["started"] is None


def test_no_path_of_the_machine_is_in_a_log(imported: Imported, tmp_path: Path) -> None:
    folder = saved(tmp_path, "theirs/good.json", three_rounds()).parent
    (folder / "locked.json").mkdir()
    done = import_release(str(folder), str(tmp_path / "logs"), "1-A")
    assert len(done.stopped) == 1
    for path in (*imported.logs.values(), done.logs["self"]):
        text = read_eval_log(str(path)).model_dump_json()
        assert str(tmp_path.parent) not in text
        assert str(path.parent) not in text


def test_files_that_were_stopped_are_told_in_every_log(tmp_path: Path) -> None:
    root = release(tmp_path / "theirs")
    saved(root, "experiments/alone/x.json", "{")
    done = import_release(str(root), str(tmp_path / "logs"), "1-A")
    assert [stopped.file for stopped in done.stopped] == ["experiments/alone/x.json"]
    for path in done.logs.values():
        facts = (read_eval_log(str(path), header_only=True).eval.metadata or {})[
            "import"
        ]
        assert facts["stopped"] == [done.stopped[0]._asdict()]


def test_logs_are_not_written_over_unless_told(tmp_path: Path) -> None:
    out = str(tmp_path / "logs")
    root = str(saved(tmp_path, "in/x_20250503_142712.json", three_rounds()).parent)
    (first,) = import_release(root, out, "1-A").logs.values()
    before = read_eval_log(str(first), header_only=True)
    saved(tmp_path, "in/y.json", four_rounds())
    with pytest.raises(InputError, match=r"llms-overconfidence-self\.eval is there"):
        import_release(root, out, "1-A")
    assert [path.name for path in (tmp_path / "logs").iterdir()] == [first.name]
    import_release(root, out, "1-A", force=True)
    after = read_eval_log(str(first), header_only=True)
    assert after.eval == before.eval
    assert len([*(tmp_path / "logs").iterdir()]) == 2


def test_another_set_of_files_is_another_run(tmp_path: Path) -> None:
    ids = set()
    for number in range(2):
        content = three_rounds(amounts=(number, 2, 3, 4, 5, 6))
        folder = saved(tmp_path, f"{number}/x.json", content).parent
        (path,) = import_release(str(folder), str(folder / "logs"), "1").logs.values()
        header = read_eval_log(str(path), header_only=True).eval
        ids |= {header.eval_id, header.run_id, header.task_id}
    assert len(ids) == 6


@pytest.mark.slow
def test_inspect_scores_it_again(imported: Imported, tmp_path: Path) -> None:
    again = tmp_path / "again.eval"
    done = inspect(
        tmp_path,
        *("score", str(imported.logs["cross_model"]), "--action", "overwrite"),
        *("--scorer", "inspect_debate/bets", "--output-file", str(again)),
        **as_installed(tmp_path),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    before, after = log(imported, "cross_model"), read_eval_log(str(again))
    assert metrics(after, "bets") == pytest.approx(metrics(before, "bets"), nan_ok=True)


SCORERS = ("bets.", "jury.", "bet_alignment.")
KEY = ["protocol", "id"]
