"""Scores and metrics: of stored logs scored again, and of small simulated studies.

The logs in `logs/` beside this file are those of `logs/examples` as they were, and the
first runs of `STUDIES`, without events and messages.
"""

from math import isnan
from pathlib import Path
from typing import Any

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


def _again(name: str, until: str) -> dict[str, str]:
    return {"reuse": (LOGS / f"{name}.eval").as_posix(), "reuse_until": until}


def _colmad(protocol: str, **others: Any) -> dict[str, Any]:
    return {"protocol": protocol, "source": "sample"} | others


def _generative(protocol: str, **others: Any) -> dict[str, Any]:
    return {"protocol": protocol, "source": "sample"} | others


# By name: the task, its parameters, the models of its roles, samples, epochs.
Study = tuple[str, dict[str, Any], dict[str, Any], int, int]
STUDIES: dict[str, Study] = {
    "colmad_copmad": (
        "colmad",
        _colmad("copmad", order="both", **_again("colmad", "answers")),
        PANEL,
        6,
        1,
    ),
    "colmad_graded": (
        "colmad",
        _colmad("colmad", grade="debate_hacking,explanation_alignment", seed=3),
        PAIR | GRADER,
        4,
        2,
    ),
    "colmad_assigned": (
        "colmad",
        _colmad("colmad", sides="assigned", turn_order="sequential", rounds=1),
        PAIR,
        3,
        2,
    ),
    "colmad_single": ("colmad", _colmad("single"), PAIR, 6, 1),
    "colmad_som": ("colmad", _colmad("som"), PAIR, 3, 1),
    "colmad_ensemble": ("colmad", _colmad("ensemble"), PAIR, 6, 1),
    "colmad_draws": ("colmad", _colmad("self_consistency", n=3), PAIR, 6, 1),
    "confidence_self": (
        "confidence",
        {"protocol": "self", "alignment": True},
        ALONE | GRADER,
        2,
        1,
    ),
    "confidence_public": ("confidence", {"protocol": "public"}, ALONE, 2, 1),
    "confidence_pool": (
        "confidence",
        {"seed": 5, "rounds": 2, "jury_passes": 2},
        POOL,
        6,
        1,
    ),
    "srdcr_judge": (
        "srdcr",
        {"source": "sample", **_again("srdcr", "debate")},
        ONE | {"judge": "simulated/credulous"},
        4,
        1,
    ),
    "srdcr_judge_debate": (
        "srdcr",
        {"source": "sample", "protocol": "judge_debate", "order": "both"},
        ONE,
        4,
        1,
    ),
    "srdcr_naive": (
        "srdcr",
        {"source": "sample", "protocol": "naive_debate"},
        ONE,
        4,
        1,
    ),
    "srdcr_self_ask": (
        "srdcr",
        {"source": "sample", "protocol": "self_ask"},
        ONE,
        4,
        1,
    ),
    "generative_consultancy": (
        "generative",
        _generative("dual_consultancy", **_again("generative", "answers")),
        SOLVER,
        4,
        1,
    ),
    "generative_none": (
        "generative",
        _generative("dual_no_transcript", **_again("generative", "answers")),
        SOLVER,
        4,
        1,
    ),
    "generative_best_of": (
        "generative",
        _generative(
            "dual_debate",
            best_of=2,
            rounds=1,
            judge_answer=True,
            order="both",
            **_again("generative", "answers"),
        ),
        SOLVER,
        4,
        1,
    ),
    "debate_consultancy": ("debate", {"protocol": "consultancy"}, PAIR, 4, 2),
    "debate_colmad": ("debate", {"protocol": "colmad", "sides": "free"}, PANEL, 4, 1),
    "debate_alone": ("debate", {"protocol": "judge_alone"}, PAIR, 4, 1),
    "debate_free": (
        "debate",
        {"protocol": "copmad", "answers": "free", "seed": 2},
        PAIR,
        4,
        1,
    ),
    "judge_check_honest": (
        "judge_check",
        {"debates": (LOGS / "colmad.eval").as_posix()},
        {"judge": "simulated/credulous"},
        3,
        1,
    ),
}
EXAMPLES = (
    *("colmad", "confidence", "debate", "generative", "generative_code"),
    *("judge_check", "srdcr"),
)


def ran(name: str, folder: Path) -> EvalLog:
    """Run one of `STUDIES`; the working directory has to be `ROOT`."""
    task, parameters, roles, limit, epochs = STUDIES[name]
    (log,) = eval(
        f"inspect_debate/{task}",
        task_args=dict(parameters),
        model="none",
        model_roles=dict(roles),
        limit=limit,
        epochs=epochs,
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
    told = [
        (name, metric.value)
        for score in log.results.scores
        for name, metric in score.metrics.items()
    ]
    names = [name for name, _ in told if not name.endswith("_stderr")]
    errors = {name.removesuffix("_stderr") for name, _ in told} - {*names}
    assert 0 < len(names) <= 8
    assert errors == set()
    assert [name for name, value in told if isnan(value)] == []
    # An error is missing where there are fewer than two items to go by.
    assert len(told) > len(names)
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
