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

from inspect_debate.datasets.debates import (
    Debated,
    Pair,
    debates_dataset,
    every_motion,
    motion_lookup,
    repeated,
)
from inspect_debate.datasets.motions import load_motions
from inspect_debate.datasets.pairings import read_pairings
from inspect_debate.datasets.schedules import balanced
from inspect_debate.debate.config import load_config, split_config
from inspect_debate.debate.errors import (
    InputError,
    check_choice,
    check_flag,
    check_whole_number,
)
from inspect_debate.debate.models import (
    debater_pool,
    in_a_run,
    is_bound,
    model_for,
    model_named,
)
from inspect_debate.debate.paths import existing_log, file_name, user_path
from inspect_debate.debate.prompts import PromptSet, load_prompts
from inspect_debate.evals.caps import caps
from inspect_debate.evals.prepared import log_metadata, one_grader
from inspect_debate.evals.views import bets_view
from inspect_debate.scorers.bet_alignment import bet_alignment
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.jury import jury
from inspect_debate.solvers.bets import check_seats
from inspect_debate.solvers.confidence import (
    CONDITIONS,
    PRESETS,
    STUDY,
    BetConfig,
    BetParameters,
    Condition,
)

# An earlier run of a study, all of whose debates are used again as they were held.

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


VERSION = "2-A"


@task
def confidence(
    protocol: Condition | None = None,
    motions: str | None = None,
    pairings: str | None = None,
    repetitions: int = 1,
    opponent: Literal["other", "self"] | None = None,
    opponent_note: Literal["none", "self", "skilled"] | None = None,
    win_probability: int | None = None,
    bet_visibility: Literal["private", "public"] | None = None,
    own_bets_shown: bool | None = None,
    bet_reasoning: Literal["standard", "redteam", "perspectives"] | None = None,
    bet_as: Literal["probability", "stake", "both", "apart"] | None = None,
    stakes: bool | None = None,
    bet_call: Literal["speech", "separate"] | None = None,
    rounds: int | None = None,
    turn_order: Literal["simultaneous", "sequential"] | None = None,
    jury_passes: int | None = None,
    order: Literal["ab", "ba", "both"] | None = None,
    alignment: bool = False,
    reuse: str | None = None,
    reuse_until: Literal["debate"] | None = None,
    seed: int = 0,
    budget_usd: float | None = None,
    prices: str | dict[str, Any] | None = None,
    max_unparsed: float | None = None,
    prompts: str | None = None,
    config: str | dict[str, Any] | None = None,
    **rest: Any,
) -> Task:
    """How sure are two debaters of winning, of whom one has to lose?

    Roles: `debater_a`, for the proposition, and `debater_b`, for the opposition (each
    the main model where it is unbound; in self-debates `debater_a` is both). A list as
    `debater_a` is a pool of models: in self-debates each debates itself, otherwise they
    are paired. `judge` is the jury, a list the panel; `grader` compares bets with their
    reasoning. A parameter that is not given has the protocol's own value.

    Args:
        protocol: The condition; by default that of debates between two models.
        motions: A file or folder with motions; the suite's own six by default.
        pairings: A schedule of debates, as `inspect-debate pairings` writes it or as
            the study released it. By default a pool is paired in a balanced way.
        repetitions: How often everything is debated; every second time two models
            change sides.
        opponent: Whom a model debates: an `other` one, or its copy (`self`).
        opponent_note: What debaters are told of the other side: `none`, that it is a
            copy of them (`self`), or a highly `skilled` debater.
        win_probability: A chance to win that both are told, in percent.
        bet_visibility: Whether bets are `private`, or `public` in the next round.
        own_bets_shown: Whether debaters are shown their own earlier bets again. In the
            released data two conditions differ in this from the others.
        bet_reasoning: What is asked for before a bet: `standard`, `redteam`, or
            `perspectives`.
        bet_as: What the number is: a `probability`, a `stake`, `both` in one as in the
            study, or two numbers `apart`.
        stakes: Whether the rules of the bet are told: 100 tokens, the winner takes both
            stakes. With `bet_as=probability` they are not, by default.
        bet_call: Whether bets come with the `speech`, or in a `separate` call after it.
        rounds: Speeches of each side; 1 is an opening alone.
        turn_order: Whether both sides speak at once (`simultaneous`), or the
            proposition first (`sequential`).
        jury_passes: How often each juror judges; 0 for no jury. With `reuse`, 2
            wherever a `judge` is bound.
        order: Which side jurors are shown first: `ab` the proposition, `ba`, or `both`.
        alignment: Whether the model in role `grader` compares bets with the private
            reasoning before them.
        reuse: A log whose debates are used again as they were held, by another jury or
            grader.
        reuse_until: The last stage to use again.
        seed: Seed of the samples' order and of the pairing.
        budget_usd: US dollars that the run may spend; then no other sample starts.
        prices: For `budget_usd`: a YAML file of the models' prices.
        max_unparsed: The share of what is asked for that may be unreadable; above it no
            other sample starts.
        prompts: A YAML file laid over the study's prompts; the authors'
            `debate_prompts.yaml`, or one of their transcripts, as it is.
        config: A YAML file with rarer settings; `config.key=value` sets one.
        rest: The `config.key=value` parameters.

    Raises:
        InputError: If a parameter is not allowed, before any call.
    """
    given = {name: value for name, value in locals().items() if name != "rest"}
    check_whole_number("seed", seed, at_least=0)
    stopping = caps(budget_usd, max_unparsed, prices)
    check_whole_number("repetitions", repetitions, at_least=1)
    check_flag("alignment", alignment)
    if reuse_until is not None:
        check_choice("reuse_until", reuse_until, ("debate",))
    if reuse is None and reuse_until is not None:
        raise InputError(f"reuse_until={reuse_until} needs a log: give reuse=LOG.")
    earlier = None if reuse is None else _earlier(reuse, given)
    condition = earlier.protocol if earlier else protocol or "cross_model"
    check_choice("protocol", condition, CONDITIONS)
    free = {name: given[name] for name in BetParameters.model_fields}
    if earlier and jury_passes is None and is_bound("judge"):
        # Who binds a jury to debates that were held wants them judged.
        free["jury_passes"] = PRESETS["cross_model"].jury_passes
    if reuse is not None:
        STUDY.check_free(reuse, free)
    parameters = STUDY.protocols[condition].effective(condition, free)
    settings = load_config(BetConfig, config, split_config(rest, list(given)))
    if in_a_run():
        check_seats(
            parameters.jury_passes,
            itself=parameters.opponent == "self",
            debated=earlier is None,
            graded=alignment,
        )
    loaded = load_prompts("confidence", prompts)
    if earlier:
        dataset = MemoryDataset(earlier.samples(), name="motions")
        told = parameters.told(condition) | settings.told()
        held = earlier.parameters | STUDY.anew(told, loaded)
        held["reuse"] = file_name(reuse)
    else:
        planned = scheduled(
            motions,
            pairings,
            repetitions,
            itself=parameters.opponent == "self",
            seed=seed,
        )
        dataset = debates_dataset(planned, seed)
        held = parameters.told(condition) | settings.told()
    return Task(
        dataset=dataset,
        setup=one_grader() if alignment else None,
        solver=STUDY.protocols[condition].solver(
            condition,
            **{name: value for name, value in free.items() if value is not None},
            reuse=reuse,
            seed=seed,
            prompts=prompts,
            config=settings.model_dump(mode="json", exclude_defaults=True),
        ),
        scorer=_scorers(parameters.jury_passes > 0, alignment),
        version=VERSION,
        headline_metric=HeadlineMetric(scorer="bets", metric="opening"),
        early_stopping=stopping,
        viewer=bets_view(int(held["rounds"]), jury=parameters.jury_passes > 0),
        metadata=log_metadata(
            "confidence",
            VERSION,
            protocol=condition,
            parameters=held,
            seed=seed,
            data={
                "source": file_name(motions) or "sample",
                "pairings": file_name(pairings),
            },
            prompts=loaded.texts,
        )
        | _as_held(earlier, loaded),
    )


def _scorers(judged: bool, alignment: bool) -> list[Scorer]:
    optional = {jury: judged, bet_alignment: alignment}
    return [bets(), *(make() for make, wanted in optional.items() if wanted)]


def _as_held(earlier: Earlier | None, prompts: PromptSet) -> dict[str, Any]:
    """Where debates that are used again come from, and what they were held with."""
    if earlier is None:
        return {}
    kept = {k: v for k, v in earlier.metadata.items() if k in _HELD}
    return kept | {"jury_prompts": prompts.texts}


_HELD = ("data", "prompts", "rebuilt")


def _earlier(reuse: str, given: dict[str, Any]) -> Earlier:
    """The run whose debates are used again.

    Raises:
        InputError: If a parameter was given that it decides.
    """
    earlier = earlier_run(reuse, "confidence")
    condition = given["protocol"]
    if condition not in (None, earlier.protocol):
        raise InputError(
            f"protocol={condition} does not fit: reuse={reuse} ran "
            f"protocol={earlier.protocol}, and its debates are used as they were held."
        )
    for name, value in (("motions", None), ("pairings", None), ("repetitions", 1)):
        if given[name] != value:
            raise InputError(
                f"{name}={given[name]!r} has no meaning with reuse={reuse}, whose "
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
