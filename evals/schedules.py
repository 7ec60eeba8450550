"""Who debates whom on what: the samples of a run of debates with bets."""

from inspect_debate.core.errors import InputError
from inspect_debate.core.models import debater_pool, in_a_run, model_for, model_named
from inspect_debate.core.pairing.balanced import balanced
from inspect_debate.datasets.debates import (
    Debated,
    Pair,
    every_motion,
    motion_lookup,
    repeated,
)
from inspect_debate.datasets.motions import load_motions
from inspect_debate.datasets.pairings import read_pairings


def scheduled(
    motions: str | None,
    pairings: str | None,
    repetitions: int,
    *,
    itself: bool,
    seed: int,
) -> list[Debated]:
    """The debates of a run.

    Args:
        motions: A file or folder with motions, or None for the suite's own.
        pairings: A file with a schedule, or None.
        repetitions: How often everything is debated.
        itself: Whether every model debates a copy of itself.
        seed: Of the pairing.

    Returns:
        The schedule's debates; without one, every motion by every model of the pool on
        its own, by a balanced pairing of the pool, or by the two models of the roles.

    Raises:
        InputError: If a file is not as it should be, or names a model that is not
            among those of the run.
    """
    topics = load_motions(motions)
    models = debater_pool()
    names = [str(model) for model in models or ()]
    if len(set(names)) < len(names):
        raise InputError(
            f"debater_a is bound to one model several times: {', '.join(names)}."
        )
    if pairings is not None:
        find = motion_lookup(topics, f"pairings={pairings}")
        rows = read_pairings(pairings)
        if in_a_run():
            bound = models or [model_for("debater_a"), model_for("debater_b")]
            for name in dict.fromkeys(name for row in rows for name in row[:2]):
                model_named(name, bound)
        if itself and any(row.proposition != row.opposition for row in rows):
            raise InputError(
                f"pairings={pairings} pairs different models, and in this protocol "
                "a model debates a copy of itself; give protocol=cross_model."
            )
        return repeated(
            [(find(row.motion), Pair(row.proposition, row.opposition)) for row in rows],
            repetitions,
        )
    if models is None:
        return every_motion(topics, [Pair()], repetitions)
    if itself:
        return every_motion(topics, [Pair(name, name) for name in names], repetitions)
    by_id = {topic.id: topic for topic in topics}
    schedule = balanced(names, list(by_id), seed=seed)
    return repeated(
        [
            (by_id[row.motion], Pair(row.proposition, row.opposition))
            for row in schedule
        ],
        repetitions,
    )
