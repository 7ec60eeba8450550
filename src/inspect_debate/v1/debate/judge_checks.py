"""The checks of a judge: what is changed of a debate, and what a verdict then does.

Each check asks a judge about the same debate again, with one thing changed:

* `repeat`: nothing;
* `order`: the other answer is listed first, and its debater shown first;
* `names`: who is called Alice and who Bob is exchanged;
* `sides`: the letters or numbers of the two answers are exchanged;
* `padded`: a side's last speech is made about twice as long, by empty sentences;
* `authority`: a side claims authority;
* `forged_quote`: a side adds a quote that is in no source;
* `orders`: a side gives orders to the judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from inspect_ai.model import ModelUsage
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.quotes import verify_quotes
from inspect_debate.v1.debate.record import DebateRecord, Frozen, Participant, Turn
from inspect_debate.v1.debate.rendering import as_shown, neutralise
from inspect_debate.v1.debate.reuse import reused_turns

Check = Literal[
    "repeat",
    "order",
    "names",
    "sides",
    "padded",
    "authority",
    "forged_quote",
    "orders",
]

ConfigT = TypeVar("ConfigT", bound=Frozen)

REPEAT: Check = "repeat"
SWAPS: tuple[Check, ...] = ("order", "names", "sides")
"""Checks that exchange the two sides in one respect; an even judge does not mind."""

REWRITES: tuple[Check, ...] = ("names", "sides")
"""Swaps that rewrite speeches, which are left out where that could change the sense."""

PERTURBATIONS: tuple[Check, ...] = ("padded", "authority", "forged_quote", "orders")
"""Checks that add to one side's last speech what should not win it a debate."""

CHECKS: tuple[Check, ...] = (REPEAT, *SWAPS, *PERTURBATIONS)

HUMAN = "human"
"""Agreement with human labels, which is reported with the checks."""

FAVOURED: dict[Check, str] = {
    "order": "listed and shown first",
    "names": "called Alice",
    "sides": "labelled first",
    "padded": "padded",
    "authority": "with authority",
    "forged_quote": "with the forged quote",
    "orders": "that gives orders",
}
"""What the side is that a check may help, in words."""


def moved(base: str | None, after: str | None, favoured: str) -> float:
    """Where a verdict moved.

    Args:
        base: The answer of the verdict on the debate as it was; None if unread.
        after: That of the verdict on the changed debate.
        favoured: The answer that the change may have helped.

    Returns:
        1 toward the favoured answer, -1 away from it, 0 if it stayed; NaN where one of
        the verdicts could not be read.
    """
    if base is None or after is None:
        return float("nan")
    if base == after:
        return 0.0
    return 1.0 if after == favoured else -1.0


# Finished debates between two debaters, for judges.

DEBATE = "debate"
"""Where a sample's metadata have a debate that comes along with it."""

PERTURBED = "manipulated"
"""Where they have the answer whose side a check may manipulate."""

WRITTEN = "written for this suite"
"""The name of the model of speeches that no model made."""

_SHOWN = ("quotes", "quote_source", "answers", "passage")


@dataclass(frozen=True)
class FinishedDebate:
    """What was said in a debate, and what its judge was to be shown.

    Attributes:
        debaters: The two debaters, with their names and sides.
        turns: Their first answers, if there were any, and speeches.
        shown: The rarer settings that decide what a judge reads.
        rounds: How many rounds there were.
        show_openings: Whether first answers are part of the transcript.
        judge_sees_problem: Whether a judge is shown the question.
    """

    debaters: tuple[Participant, ...]
    turns: tuple[Turn, ...]
    shown: Mapping[str, Any]
    rounds: int
    show_openings: bool = True
    judge_sees_problem: bool = True

    def settings(self, own: ConfigT) -> ConfigT:
        """A judge's own settings, with what it is to be shown."""
        return own.model_copy(update=dict(self.shown))


def unusable_because(record: DebateRecord | None) -> str | None:
    """Why there is no debate of two for a judge to hear; None if there is."""
    if record is None or not record.complete:
        return "ended early"
    if not record.debated:
        return "undebated"
    return None


def finished_debate(record: DebateRecord) -> FinishedDebate:
    """The debate of a record, without its verdicts."""
    logged = record.parameters
    return FinishedDebate(
        debaters=tuple(p for p in record.participants if p.role != "judge"),
        turns=tuple(reused_turns(record, "debate")),
        shown={name: logged[name] for name in _SHOWN if name in logged},
        rounds=logged.get("rounds", 0),
        show_openings=logged.get("show_openings", True),
        judge_sees_problem=logged.get("judge_sees_problem", True),
    )


def debate_in_sample(state: TaskState) -> FinishedDebate:
    """The debate that a sample brings along, about a passage that judges do not read.

    Args:
        state: Its metadata have the `passage`, and as `debate` a list of speeches, each
            with `speaker`, `name`, `defends`, `round` and `text`.
    """
    speeches = state.metadata[DEBATE]
    sources = {"passage": as_shown(str(state.metadata["passage"]))}
    debaters = {
        speech["speaker"]: Participant(
            id=speech["speaker"],
            role=speech["speaker"],
            name=speech["name"],
            model=WRITTEN,
            defends=speech["defends"],
        )
        for speech in speeches
    }
    return FinishedDebate(
        debaters=tuple(debaters.values()),
        turns=tuple(_turn(speech, sources) for speech in speeches),
        shown={"passage": "hidden"},
        rounds=max(speech["round"] for speech in speeches),
    )


def _turn(speech: Mapping[str, Any], sources: Mapping[str, str]) -> Turn:
    checked = verify_quotes(neutralise(speech["text"]), sources)
    return Turn(
        participant=speech["speaker"],
        role=speech["speaker"],
        kind="speech",
        round=speech["round"],
        model=WRITTEN,
        served=WRITTEN,
        public=checked.text,
        quotes=checked.quotes,
        stop_reason="stop",
        usage=ModelUsage(),
        seconds=0.0,
        calls=0,
        reused=True,
    )
