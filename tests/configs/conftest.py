"""All run configurations and studies, run once on the sample and without a key."""

import pytest

from tests.support.configurations import CONFIGS, Typed, Words, arguments, typed_once

SAMPLE = ("-T", "source=sample")
TWO = ("--limit", "2")
QUIET = ("--no-log-realtime", "--no-score-display")
SIMULATED = ("--model", "simulated/balanced", *TWO, *QUIET)
THREE = (
    *("--model-role", "debater_a=simulated/balanced"),
    *("--model-role", "debater_b=simulated/hesitant"),
    *("--model-role", "judge=simulated/credulous"),
)
STUDIES: dict[str, Words] = {
    "colmad": (*SAMPLE, *THREE),
    "confidence": (
        *("--model", "none", "--model-role", "judge=simulated/credulous"),
        *("--model-role", "debater_a=simulated/balanced,simulated/escalating"),
    ),
    "srdcr": (*SAMPLE, "--model", "simulated/balanced"),
    "generative": (
        *(*SAMPLE, "--model-role", "debater_a=simulated/balanced"),
        *("--model-role", "judge=simulated/swayed"),
    ),
    "generative_weak_judges": (
        *(*SAMPLE, *THREE, "--model-role", "grader=simulated/perfect"),
    ),
    "debate": THREE,
}


@pytest.fixture(scope="session")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Typed:
    """By name: every file; `replaced`, a file with some values replaced; every task of
    a paper without arguments, as `its own colmad`; every study, as `study colmad`; one
    of them `again`; and one `listed`.
    """
    commands: dict[str, Words] = {}
    for path in sorted(CONFIGS.glob("*.yaml")):
        name = path.stem
        own = SAMPLE if "source" in arguments(name) else ()
        read = ("inspect", "eval", "--run-config", path, *own)
        commands[name] = (*read, *SIMULATED)
        if name.endswith("_paper"):
            task = name.removesuffix("_paper")
            bare = ("inspect", "eval", f"inspect_debate/{task}", *own)
            commands[f"its own {task}"] = (*bare, *SIMULATED)
    commands["replaced"] = (
        *("inspect", "eval", "--run-config", CONFIGS / "colmad_paper.yaml", *SAMPLE),
        *("-T", "rounds=1", "-T", "config.word_limit=120", *SIMULATED),
        *("--model-role", "debater_b=simulated/hesitant"),
    )
    for name, words in STUDIES.items():
        commands[f"study {name}"] = (CONFIGS / f"{name}.py", *words, *TWO)
    study = commands["study generative"]
    commands["again"] = (*study, "--log-dir", "FOLDER/study generative")
    listing = ("--paper", "--cast", "paper", "--list")
    commands["listed"] = (CONFIGS / "confidence.py", *listing)
    return typed_once(tmp_path_factory, "configurations", commands)
