"""Scores and metrics: of stored logs scored again, and of small simulated studies.

The logs in `logs/` beside this file are those of `logs/examples` as they were, and the
first runs of `STUDIES`, without events and messages.
"""

from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.util import registry_create

from tests.frozen.comparing import LOGS, ROOT, assert_same, known, plain
from tests.frozen.mapping import load
from tests.support.runs import metrics

PAIR: dict[str, Any] = {
    "debater_a": "simulated/balanced",
    "debater_b": "simulated/hesitant",
    "judge": "simulated/credulous",
}
PANEL: dict[str, Any] = PAIR | {"judge": ["simulated/credulous", "simulated/balanced"]}
GRADER = {"grader": "simulated/balanced"}
BETS: dict[str, Any] = {
    "debater_a": "simulated/escalating",
    "debater_b": "simulated/balanced",
    "judge": ["simulated/balanced", "simulated/credulous"],
}
ALONE: dict[str, Any] = {name: BETS[name] for name in ("debater_a", "judge")}
POOL: dict[str, Any] = {
    "debater_a": [f"simulated/balanced/{name}" for name in ("ann", "ben", "cid")],
    "judge": ["simulated/balanced/eve"],
}
ONE: dict[str, Any] = {"debater_a": "simulated/balanced"}
SOLVER: dict[str, Any] = ONE | {"judge": "simulated/swayed"}


def _again(name: str, until: str) -> dict[str, Any]:
    return {"reuse": (LOGS / f"{name}.eval").as_posix(), "reuse_until": until}


class Study(NamedTuple):
    """A run: its task with parameters, the models of its roles, samples, epochs."""

    task: str
    parameters: dict[str, Any]
    roles: dict[str, Any]
    limit: int = 4
    epochs: int = 1


def _colmad(
    protocol: str,
    roles: dict[str, Any] = PAIR,
    limit: int = 6,
    epochs: int = 1,
    **others: Any,
) -> Study:
    given = {"protocol": protocol, "source": "sample"} | others
    return Study("colmad", given, roles, limit, epochs)


def _sampled(task: str, roles: dict[str, Any], **others: Any) -> Study:
    return Study(task, {"source": "sample"} | others, roles)


ANSWERS = _again("generative", "answers")
CREDULOUS: dict[str, Any] = ONE | {"judge": "simulated/credulous"}
BEST = {"best_of": 2, "rounds": 1, "judge_answer": True, "order": "both"}
POOLED = {"seed": 5, "rounds": 2, "jury_passes": 2}
BOTH_GRADES = "debate_hacking,explanation_alignment"
STUDIES: dict[str, Study] = {
    "colmad_copmad": _colmad(
        "copmad", PANEL, order="both", **_again("colmad", "answers")
    ),
    "colmad_graded": _colmad(
        "colmad", PAIR | GRADER, 4, grade=BOTH_GRADES, seed=3, epochs=2
    ),
    "colmad_assigned": _colmad(
        *("colmad", PAIR, 3, 2), sides="assigned", turn_order="sequential", rounds=1
    ),
    "colmad_single": _colmad("single"),
    "colmad_som": _colmad("som", limit=3),
    "colmad_ensemble": _colmad("ensemble"),
    "colmad_draws": _colmad("self_consistency", n=3),
    "confidence_self": Study(
        "confidence", {"protocol": "self", "alignment": True}, ALONE | GRADER, 2
    ),
    "confidence_public": Study("confidence", {"protocol": "public"}, ALONE, 2),
    "confidence_pool": Study("confidence", POOLED, POOL, 6),
    "srdcr_judge": _sampled("srdcr", CREDULOUS, **_again("srdcr", "debate")),
    "srdcr_judge_debate": _sampled("srdcr", ONE, protocol="judge_debate", order="both"),
    "srdcr_naive": _sampled("srdcr", ONE, protocol="naive_debate"),
    "srdcr_self_ask": _sampled("srdcr", ONE, protocol="self_ask"),
    "generative_consultancy": _sampled(
        "generative", SOLVER, protocol="dual_consultancy", **ANSWERS
    ),
    "generative_none": _sampled(
        "generative", SOLVER, protocol="dual_no_transcript", **ANSWERS
    ),
    "generative_best_of": _sampled(
        "generative", SOLVER, protocol="dual_debate", **BEST, **ANSWERS
    ),
    "debate_consultancy": Study("debate", {"protocol": "consultancy"}, PAIR, epochs=2),
    "debate_colmad": Study("debate", {"protocol": "colmad", "sides": "free"}, PANEL),
    "debate_alone": Study("debate", {"protocol": "judge_alone"}, PAIR),
    "debate_free": Study(
        "debate", {"protocol": "copmad", "answers": "free", "seed": 2}, PAIR
    ),
    "judge_check_honest": Study(
        "judge_check",
        {"debates": (LOGS / "colmad.eval").as_posix()},
        {"judge": "simulated/credulous"},
        3,
    ),
}
EXAMPLES = (
    *("colmad", "confidence", "debate", "generative", "generative_code"),
    *("judge_check", "srdcr"),
)


def ran(name: str, folder: Path) -> EvalLog:
    """Run one of `STUDIES`; the working directory has to be `ROOT`."""
    study = STUDIES[name]
    (log,) = eval(
        f"inspect_debate/{study.task}",
        task_args=study.parameters,
        model="none",
        model_roles=study.roles,
        limit=study.limit,
        epochs=study.epochs,
        log_dir=str(folder),
        log_realtime=False,
        score_display=False,
        display="log",  # "none" would render all metrics
    )
    assert log.status == "success", log.error
    return log


def scored_again(name: str) -> EvalLog:
    """The stored log of this name, scored by the scorers that it names."""
    log = read_eval_log(str(ROOT / LOGS / f"{name}.eval"), resolve_attachments=True)
    scorers = [
        registry_create(
            "scorer",
            f"inspect_debate/{each.name.rpartition('/')[2]}",
            **(each.options or {}),
        )
        for each in log.eval.scorers or []
    ]
    return score(log, scorers, action="overwrite", display="none")


def found_in(log: EvalLog) -> dict[str, Any]:
    """All values and measures of a log's scorers, by names without a package."""
    assert log.samples is not None
    assert log.results is not None
    return {
        "samples": {
            f"{sample.id} epoch {sample.epoch}": {
                scorer.rpartition("/")[2]: plain(known(sample, scorer))
                for scorer, each in (sample.scores or {}).items()
            }
            for sample in log.samples
        },
        "order": [f"{sample.id} epoch {sample.epoch}" for sample in log.samples],
        "metrics": {
            each.name.rpartition("/")[2]: plain(metrics(log, each.name))
            for each in log.results.scores
        },
    }


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


NEEDS_A_GRADER = {"colmad_graded", "confidence_self"}
"""Scored again by a model, which is bound in a run alone."""


@pytest.mark.parametrize(
    "name", [*EXAMPLES, *(n for n in STUDIES if n not in NEEDS_A_GRADER)]
)
def test_a_stored_log_scored_again(name: str) -> None:
    assert_same(found_in(scored_again(name)), load(f"scores_{name}.json"))


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_small_study(name: str, tmp_path: Path) -> None:
    log = ran(name, tmp_path)
    few(log)
    found = found_in(log)
    frozen = load(f"scores_{name}.json")
    assert_same(*(without_cache(each) for each in (found, frozen)))


def few(log: EvalLog) -> None:
    """A run ends with few numbers, each with its error, and so does a sample."""
    assert log.results is not None
    logged = [
        (name, metric.value)
        for score in log.results.scores
        for name, metric in score.metrics.items()
    ]
    names = [name for name, _ in logged if not name.endswith("_stderr")]
    errors = {name.removesuffix("_stderr") for name, _ in logged} - {*names}
    assert 0 < len(names) <= 8
    assert errors == set()
    assert [name for name, value in logged if isnan(value)] == []
    # An error is missing where there are fewer than two items to go by.
    assert len(logged) > len(names)
    for sample in log.samples or []:
        found = [
            name
            for score in (sample.scores or {}).values()
            if isinstance(score.value, dict)
            for name in score.value
        ]
        # The least a debate with a jury and graded bets, or with all checks, can have.
        assert len(found) <= 11
        assert len(found) == len({*found})
        assert all(score.explanation for score in (sample.scores or {}).values())


def without_cache(value: Any) -> Any:
    """Without what was read from a cache: it depends on which sample is sent first."""
    if isinstance(value, dict):
        return {k: without_cache(v) for k, v in value.items() if "cache" not in k}
    return value
