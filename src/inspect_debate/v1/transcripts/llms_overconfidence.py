"""Importing the transcripts that were released with the confidence study."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from inspect_ai.log import EvalSample, write_eval_log
from inspect_ai.scorer import Target
from inspect_ai.util import Store
from inspect_ai.viewer import ViewerConfig

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import AnyPath, user_path
from inspect_debate.v1.debate.progress import counted
from inspect_debate.v1.debate.record import read_record
from inspect_debate.v1.scorers.values import values_of
from inspect_debate.v1.solvers.bet_text import names_bet_tag
from inspect_debate.v1.transcripts.debates import (
    SPEECHES,
    ConditionDebates,
    Debate,
    conditions_of,
)
from inspect_debate.v1.transcripts.logs import log_of
from inspect_debate.v1.transcripts.release import Grades, Release, Stopped, read_release
from inspect_debate.v1.transcripts.samples import (
    failed_calls,
    is_placeholder,
    missing_bets,
)

View = Callable[[int, bool], ViewerConfig]
"""Makes the viewer's configuration of the number of rounds and whether there is a jury.
"""


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Attributes:
        logs: The log of each condition.
        counts: What was found in each, as from `counts_of`.
        stopped: Files that were not read, and why.
    """

    logs: Mapping[str, AnyPath]
    counts: Mapping[str, Mapping[str, Any]]
    stopped: tuple[Stopped, ...]


def import_release(
    folder: str,
    out: str,
    task_version: str,
    view: View | None = None,
    *,
    force: bool = False,
) -> Imported:
    """Write a scored log for every condition in a folder of released transcripts.

    Files that cannot be read are left out and reported. The logs' names and ids
    depend on the conditions and the files alone, so that importing again gives the same
    run.

    Args:
        folder: The release's root, or any folder of its transcripts.
        out: The folder for the logs, which is made if there is none.
        task_version: The version of the task as which the logs count.
        view: What the viewer shows; its own choice where none is given.
        force: Whether to write over logs that are there.

    Raises:
        InputError: If there is nothing to import, or a log is there already.
    """
    release = read_release(folder)
    conditions = conditions_of(release.debates)
    target = user_path(out)
    logs = {condition.name: target / _log_name(condition) for condition in conditions}
    there = [path.name for path in logs.values() if path.exists()]
    if there and not force:
        raise InputError(
            f"--out={out}: {', '.join(there)} is there already; give --force to write "
            "over it."
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--out={out} can't be made a folder: {error.strerror}."
        ) from error
    counts = {}
    for condition in counted(conditions, "Writing conditions", len(conditions)):
        counts[condition.name] = _write(
            condition, release, logs[condition.name], task_version, view
        )
    return Imported(logs, counts, release.stopped)


def _write(
    condition: ConditionDebates,
    release: Release,
    path: AnyPath,
    task_version: str,
    view: View | None,
) -> dict[str, Any]:
    """Write a condition's log; returns what was found."""
    viewer = view(condition.parameters.rounds, condition.passes > 0) if view else None
    about = _about(release, condition)
    log = log_of(condition, release.grades, about, task_version, viewer)
    found = counts_of(condition, release.grades, log.samples or [])
    log.eval.metadata = (log.eval.metadata or {}) | {"import": about | found}
    write_eval_log(log, str(path))
    return found


def _about(release: Release, condition: ConditionDebates) -> dict[str, Any]:
    """Where a log comes from, without folders of the machine."""
    return {
        "folder": release.name,
        "sha256": release.digest(condition.debates),
        "stopped": [stopped._asdict() for stopped in release.stopped],
        "grades_differing": release.grades.differing,
        "grades_elsewhere": release.grades.elsewhere,
        "costs": {model: cost.model_dump() for model, cost in release.costs.items()},
    }


def _log_name(condition: ConditionDebates) -> str:
    return f"llms-overconfidence-{condition.name.replace('_', '-')}.eval"


# What an import found in a condition's transcripts, with all their traps, counted.


def counts_of(
    condition: ConditionDebates, grades: Grades, samples: Sequence[EvalSample]
) -> dict[str, Any]:
    """What is in a condition's transcripts.

    Args:
        condition: The condition's debates.
        grades: The published grades.
        samples: The debates as samples, scored.

    Returns:
        Numbers by name, and `zeros`: every bet that was recorded as 0, with whether it
        was bet. `placeholder_reasonings` are `NA` and the like, or empty;
        `speeches_with_tags` still name the tag of a bet, as they were released;
        `bet_text_*` and `short_speeches` are those of the scorer `bets`;
        `debates_with_fewer_verdicts` have less than others, and `unanimous` all for one
        side; `graded_bets` have a published grade; `failed_calls` are those that were
        counted; `repeated_debates` are of the same models, sides and motion as an
        earlier one, and those `without_date` have none in their file's name.
    """
    debates = condition.debates
    bets = [bet for debate in debates for bet in debate.bets.values()]
    speeches = [text for debate in debates for text in debate.speeches.values()]
    zeros = [zero for debate in debates for zero in _zeros(debate)]
    missing = sum(zero["bet"] == "missing" for zero in zeros)
    most = max(len(debate.verdicts) for debate in debates)
    return {
        "debates": len(debates),
        "models": len(condition.models),
        "motions": len({debate.motion for debate in debates}),
        "prompt_sets": len({debate.prompts for debate in debates}),
        "bets": len(bets),
        "zeros_missing": missing,
        "zeros_genuine": len(zeros) - missing,
        "placeholder_reasonings": sum(is_placeholder(bet.thoughts) for bet in bets),
        "empty_speeches": sum(not text.strip() for text in speeches),
        "speeches_with_tags": sum(map(names_bet_tag, speeches)),
        **_scored(samples, "bets", _TEXTS),
        "verdicts": sum(len(debate.verdicts) for debate in debates),
        "debates_with_fewer_verdicts": sum(len(d.verdicts) < most for d in debates),
        **_scored(samples, "jury", ("unanimous",)),
        "graded_bets": sum(len(grades.of(debate)) for debate in debates),
        "failed_calls": sum(failed_calls(debate) for debate in debates),
        "repeated_debates": sum(condition.repetition(debate) > 1 for debate in debates),
        "without_date": sum(debate.started is None for debate in debates),
        "zeros": zeros,
    }


_TEXTS = ("short_speeches", "bet_text_stripped", "bet_text_left")


def _scored(
    samples: Sequence[EvalSample], scorer: str, names: Sequence[str]
) -> dict[str, int]:
    """Sums of a scorer's values; 0 where it did not score."""
    values = [
        values_of(
            scorer,
            sample.scores[scorer],
            read_record(Store(sample.store)),
            Target(sample.target),
            sample.metadata,
        )
        for sample in samples
        if sample.scores and scorer in sample.scores
    ]
    return {n: int(np.nansum([of[n] for of in values if of])) for n in names}


def _zeros(debate: Debate) -> Iterator[dict[str, str]]:
    missing = missing_bets(debate)
    for (side, round), bet in debate.bets.items():
        if bet.amount == 0:
            yield {
                "debate": debate.id,
                "side": side,
                "speech": SPEECHES[debate.rounds][round - 1],
                "bet": "missing" if (side, round) in missing else "genuine",
            }
