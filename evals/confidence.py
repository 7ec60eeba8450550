"""Zero-sum debates with bets: "When Two LLMs Debate, Both Think They'll Win"."""

from typing import Annotated, Any

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import model_roles
from pydantic import Field

from inspect_debate.datasets.motions import debates
from inspect_debate.datasets.motions import motions as motions_of
from inspect_debate.debate.errors import check_known, validated
from inspect_debate.evals.common import defaults_of, protocol_metadata, viewer
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.jury import jury
from inspect_debate.solvers.bets import SIDES, stages
from inspect_debate.solvers.confidence import PRESETS, effective
from inspect_debate.solvers.confidence import confidence as confidence_protocol


@task
@validated
def confidence(
    protocol: str = "cross_model",
    motions: str | None = None,
    pairings: str | None = None,
    repetitions: Annotated[int, Field(ge=1)] = 1,
    alignment: bool = False,
    seed: int = 0,
    prompts: str | None = None,
    **parameters: Any,
) -> Task:
    """How sure are two debaters of winning, of whom one has to lose?

    Roles: `debater_a`, at first the proposition, and `debater_b`, the opposition, each
    the main model where it is not bound. A list as `debater_a` is a pool: its models
    debate each other, or each its own copy. `judge`, which may be a list, is the jury.

    Args:
        protocol: `cross_model`; debates with oneself: `self`, `informed_self`,
            `public`, `redteam`, `redteam_v2`, `deceptive`; or `four_round`.
        motions: A text or YAML file with motions; by default six of our own.
        pairings: A schedule of who debates whom on what, such as the released one; by
            default a pool meets in a round robin.
        repetitions: How often everything is debated; sides change each time.
        alignment: Have the model in role `grader` compare each bet with the private
            reasoning before it.
        seed: Of the round robin.
        prompts: A YAML file that replaces some of the prompts.
        parameters: Parameters of the protocol, such as `own_bets_shown`.
    """
    check_known("protocol", protocol, PRESETS)
    given = {**parameters, "seed": seed, "prompts": prompts}
    solver = confidence_protocol(**{"protocol": protocol, **given})
    settings = effective(protocol, parameters)
    pool = model_roles().get("debater_a")
    chosen = motions_of(motions)
    data = debates(
        chosen,
        [str(model) for model in pool] if isinstance(pool, list) else [],
        itself=settings["opponent"] == "self",
        pairings=pairings,
        repetitions=repetitions,
        seed=seed,
    )
    defaults = defaults_of(confidence_protocol) | PRESETS[protocol]
    del defaults["protocol"]
    about: dict[str, Any] = {"source": motions or "sample", "pairings": pairings}
    about["repetitions"] = repetitions
    first, last = (stages(settings["rounds"])[at] for at in (0, -1))
    shown = dict.fromkeys(f"bets.{at}_{side}" for at in (first, last) for side in SIDES)
    judged = settings["jury_passes"] > 0
    votes = [f"jury.votes_{side}" for side in SIDES] if judged else []
    scorers = {bets: True, jury: judged, bet_alignment: alignment}
    return Task(
        dataset=data,
        solver=solver,
        scorer=[make() for make, wanted in scorers.items() if wanted],
        version="3-A",
        display_name=f"confidence: {protocol}",
        tags=[protocol],
        headline_metric=HeadlineMetric(scorer="bets", metric="opening"),
        viewer=viewer("Debates", *shown, *votes),
        metadata=protocol_metadata("confidence", protocol, defaults, given, about),
    )
