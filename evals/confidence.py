"""Zero-sum debates with bets: "When Two LLMs Debate, Both Think They'll Win"."""

from dataclasses import dataclass
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import (
    HeadlineMetric,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
)
from inspect_ai.scorer import Scorer
from inspect_ai.viewer import ViewerConfig

from inspect_debate.v1.datasets.debates import (
    Debated,
    Pair,
    debates_dataset,
    every_motion,
    motion_lookup,
    repeated,
)
from inspect_debate.v1.datasets.motions import load_motions
from inspect_debate.v1.datasets.pairings import read_pairings
from inspect_debate.v1.datasets.schedules import balanced
from inspect_debate.v1.debate.engine import parameter
from inspect_debate.v1.debate.errors import (
    InputError,
    check_choice,
)
from inspect_debate.v1.debate.participants import (
    debater_pool,
    in_a_run,
    is_bound,
    model_for,
    model_named,
)
from inspect_debate.v1.debate.paths import existing_log, file_name, user_path
from inspect_debate.v1.debate.prompts import PromptSet, load_prompts
from inspect_debate.v1.evals.tasks import (
    Given,
    TaskParameters,
    check_reuse,
    declared,
    log_metadata,
    one_grader,
    samples_view,
)
from inspect_debate.v1.scorers.bet_alignment import bet_alignment
from inspect_debate.v1.scorers.bets import bets
from inspect_debate.v1.scorers.jury import jury
from inspect_debate.v1.solvers.bets import check_roles_used
from inspect_debate.v1.solvers.confidence import (
    CONDITIONS,
    PRESETS,
    STUDY,
    BetConfig,
    BetParameters,
    Condition,
)

# An earlier run, all of whose debates are reused unchanged.

_UNREAD = {"events", "messages", "attachments", "store"}


@dataclass(frozen=True)
class Earlier:
    """A finished run of a study, all of whose debates are used again."""

    path: str
    metadata: dict[str, Any]

    @property
    def protocol(self) -> str:
        """Its protocol."""
        return str(self.metadata["protocol"])

    @property
    def parameters(self) -> dict[str, Any]:
        """Its effective parameters."""
        return dict(self.metadata["parameters"])

    def samples(self) -> list[Sample]:
        """What was debated: the samples of its first epoch, with their metadata."""
        summaries = read_eval_log_sample_summaries(self.path)
        ids = [summary.id for summary in summaries if summary.epoch == 1]
        logged = (
            read_eval_log_sample(self.path, id, exclude_fields=_UNREAD) for id in ids
        )
        return [
            Sample(id=s.id, input=s.input, target=s.target, metadata=s.metadata)
            for s in logged
        ]


def earlier_run(typed: str, study: str) -> Earlier:
    """A study's run that is used again as it is.

    Args:
        typed: Its log, as the user typed it.
        study: The study.

    Raises:
        InputError: If there is no such log, or it is of something else.
    """
    metadata = existing_log("reuse", typed).eval.metadata or {}
    if metadata.get("study") != study:
        raise InputError(f"reuse={typed} is not the log of a run of study {study!r}.")
    return Earlier(str(user_path(typed)), metadata)


VERSION = "2-B"


class ConfidenceTask(TaskParameters):
    """The task's own parameters; those of the conditions are `BetParameters`."""

    protocol: Condition | None = parameter(
        None, "The condition; by default that of debates between two models."
    )
    motions: str | None = parameter(
        None, "A file or folder with motions; by default six of our own."
    )
    pairings: str | None = parameter(
        None,
        "A schedule by `inspect-debate pairings`, or the study's; by default a pool "
        "is paired in a balanced way.",
    )
    repetitions: int = parameter(
        1,
        "How often everything is debated; every second time the models change sides.",
        ge=1,
    )
    alignment: bool = parameter(
        False,
        "The model in role `grader` compares bets with the private reasoning before "
        "them.",
    )
    reuse: str | None = parameter(
        None,
        "A log whose debates are reused, for another jury or grader.",
    )
    reuse_until: Literal["debate"] | None = parameter(None, "The last stage to reuse.")
    prompts: str | None = parameter(
        None,
        "A YAML file with texts in place of the study's prompts; or the authors' "
        "`debate_prompts.yaml`, or one of their transcripts.",
    )


@task
@declared(ConfidenceTask, BetParameters)
def confidence(given: Given[ConfidenceTask]) -> Task:
    """How sure are two debaters of winning, of whom one has to lose?

    Roles: `debater_a`, for the proposition, and `debater_b`, for the opposition (each
    the main model where it is unbound; in self-debates `debater_a` is both). A list as
    `debater_a` is a pool of models: in self-debates each debates itself, otherwise they
    are paired. `judge` is the jury, a list the panel; `grader` compares bets with their
    reasoning. A parameter that is not given has the protocol's own value.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    own, reuse = given.own, given.own.reuse
    check_reuse(reuse, own.reuse_until, "debate")
    earlier = None if reuse is None else _earlier(reuse, own)
    condition = earlier.protocol if earlier else own.protocol or "cross_model"
    check_choice("protocol", condition, CONDITIONS)
    free = dict(given.chosen)
    if earlier and free["jury_passes"] is None and is_bound("judge"):
        # A user who binds a jury to finished debates wants them judged.
        free["jury_passes"] = PRESETS["cross_model"].jury_passes
    if reuse is not None:
        STUDY.check_free(reuse, free)
    parameters = STUDY.protocols[condition].effective(condition, free)
    settings = given.settings(BetConfig)
    if in_a_run():
        check_roles_used(
            parameters.jury_passes,
            itself=parameters.opponent == "self",
            debated=earlier is None,
            graded=own.alignment,
        )
    loaded = load_prompts("confidence", own.prompts, extra=settings.extra_prompts)
    if earlier:
        dataset = MemoryDataset(earlier.samples(), name="motions")
        logged = parameters.logged(condition) | settings.logged()
        recorded = earlier.parameters | STUDY.anew(logged, loaded)
        recorded["reuse"] = file_name(reuse)
    else:
        planned = scheduled(
            own.motions,
            own.pairings,
            own.repetitions,
            itself=parameters.opponent == "self",
            seed=own.seed,
        )
        dataset = debates_dataset(planned, own.seed)
        recorded = parameters.logged(condition) | settings.logged()
    return Task(
        dataset=dataset,
        setup=one_grader() if own.alignment else None,
        solver=STUDY.protocols[condition].solver(
            condition,
            **{name: value for name, value in free.items() if value is not None},
            reuse=reuse,
            seed=own.seed,
            prompts=own.prompts,
            config=settings.model_dump(mode="json", exclude_defaults=True),
        ),
        scorer=_scorers(parameters.jury_passes > 0, own.alignment),
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="bets", metric="opening"),
        viewer=bets_view(int(recorded["rounds"]), jury=parameters.jury_passes > 0),
        metadata=log_metadata(
            "confidence",
            VERSION,
            protocol=condition,
            parameters=recorded,
            seed=own.seed,
            data={
                "source": file_name(own.motions) or "sample",
                "pairings": file_name(own.pairings),
            },
            prompts=loaded.texts,
        )
        | _as_held(earlier, loaded),
    )


def _scorers(judged: bool, alignment: bool) -> list[Scorer]:
    optional = {jury: judged, bet_alignment: alignment}
    return [bets(), *(make() for make, wanted in optional.items() if wanted)]


def _as_held(earlier: Earlier | None, prompts: PromptSet) -> dict[str, Any]:
    """The source of reused debates, and their parameters."""
    if earlier is None:
        return {}
    kept = {k: v for k, v in earlier.metadata.items() if k in _HELD}
    return kept | {"jury_prompts": prompts.texts}


_HELD = ("data", "prompts", "rebuilt")


def _earlier(reuse: str, own: ConfidenceTask) -> Earlier:
    """The run whose debates are used again.

    Raises:
        InputError: If a parameter was given that it decides.
    """
    earlier = earlier_run(reuse, "confidence")
    condition = own.protocol
    if condition not in (None, earlier.protocol):
        raise InputError(
            f"protocol={condition} does not fit: reuse={reuse} ran "
            f"protocol={earlier.protocol}, and its debates are used as they were held."
        )
    for name, value in (("motions", None), ("pairings", None), ("repetitions", 1)):
        if (given := getattr(own, name)) != value:
            raise InputError(
                f"{name}={given!r} has no meaning with reuse={reuse}, whose "
                "debates are those that are judged."
            )
    return earlier


# Who debates whom on what: the samples of a run of debates with bets.


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


def bets_view(rounds: int, jury: bool) -> ViewerConfig:
    """The sample list of debates with bets: opening and closing bets, and who won.

    Args:
        rounds: The number of rounds, of which the last has the closing bets.
        jury: Whether there is one.
    """
    stages = ("opening", "closing") if rounds > 1 else ("opening",)
    keys = [f"{at}_{side}" for at in stages for side in ("proposition", "opposition")]
    votes = [f"jury.votes_{side}" for side in ("proposition", "opposition")]
    return samples_view(
        "Debates",
        *("sampleId", *["answer"] * jury),
        *(f"bets.{key}" for key in (*keys, "calls", "tokens")),
        *(votes if jury else ()),
        sort=f"bets.{keys[-2]}",
        dir="desc",
    )
