"""What the protocols of a study have in common, and use of one another's runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from inspect_ai.model import GenerateConfig
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.prompts import PromptSet, load_prompts
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Aggregation, DebateRecord, Frozen
from inspect_debate.v1.debate.reuse import Logs, Until

if TYPE_CHECKING:
    from inspect_debate.v1.debate.engine import AskerConfig, Parameters, Protocol

P = TypeVar("P", bound="Parameters")
QuestionT = TypeVar("QuestionT", bound=Question)


@dataclass(frozen=True)
class Study(Generic[QuestionT]):
    """What the protocols of a study have in common.

    Attributes:
        name: What records call it.
        prompts: The set of its prompts; of several, a question has its own.
        config: Its rarer settings.
        question: What a sample asks, without its label, from the sample and the rarer
            settings.
        default: The generation settings of a protocol's turns of a kind.
        fixed: Those that only the rarer settings can change.
        card: Shows a debate at a glance, as Markdown.
        aggregation: How answers or verdicts decide, for the record.
        also_shapes: Further names of what shapes the stages up to one, from what a
            record says of a run.
        protocols: The study's protocols by their names.
    """

    name: str
    prompts: Sequence[str]
    config: "type[AskerConfig]"
    question: Callable[[TaskState, Any], QuestionT]
    default: Callable[[str, str, Any], GenerateConfig]
    fixed: Callable[[Any, str], Mapping[str, Any]] = lambda config, kind: {}
    card: Callable[[DebateRecord], str] | None = None
    aggregation: Aggregation = "agreement"
    also_shapes: Callable[[Until, Mapping[str, Any]], Sequence[str]] = lambda *_: ()
    protocols: dict[str, "Protocol"] = field(default_factory=dict)

    def with_stage(self, until: Until, protocol: str) -> tuple[str, ...]:
        """The protocols whose runs have a stage that a protocol can reuse, by name."""
        own = self.protocols[protocol]
        stages = {own.shares.get(until), *own.borrows} - {None}
        return tuple(
            name
            for name, other in sorted(self.protocols.items())
            if other.shares.get(until) in stages
        )

    def check_prompted(self, protocol: str, kind: str) -> None:
        """Check that a protocol's turns have prompts for a kind of question.

        Args:
            protocol: The protocol.
            kind: The prompt set in which that kind is asked.

        Raises:
            InputError: If only those for other kinds of question have them.
        """
        if protocol not in (known := self._asking(kind)):
            raise InputError(
                f"protocol={protocol} has no prompts for this kind of question "
                f"(`inspect-debate prompts show {kind}`); protocols that have: "
                f"{', '.join(known)}."
            )

    def _asking(self, kind: str) -> list[str]:
        """The protocols whose turns have prompts in the set of a kind of question."""
        own = _shipped_keys(kind)
        others = frozenset[str]().union(*map(_shipped_keys, self.prompts)) - own
        return [
            name
            for name, protocol in sorted(self.protocols.items())
            if others.isdisjoint(
                {key for turn in protocol.turns for key in (turn.prompt, turn.system)}
                - protocol.texts.keys()
            )
        ]

    def check_reuse(
        self, protocol: str, reuse: Logs | None, reuse_until: str | None
    ) -> None:
        """Check that a protocol can reuse a stage of an earlier run.

        Raises:
            InputError: If not.
        """
        shares = self.protocols[protocol].shares
        having = {
            until: sorted(n for n, p in self.protocols.items() if until in p.shares)
            for until in ("answers", "debate")
        }
        if reuse is not None and not shares:
            raise InputError(
                f"reuse={reuse} has no meaning for protocol={protocol}, which asks for "
                "no answer that others share; protocols that do: "
                f"{', '.join(having['answers'])}."
            )
        if reuse_until == "debate" and "debate" not in shares:
            raise InputError(
                f"reuse_until=debate has no meaning for protocol={protocol}; allowed "
                f"for {_listed(having['debate'])}. reuse_until=answers uses the "
                "answers again."
            )

    def shaped(
        self, until: Until, protocol: str, logged: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The parameters that shaped the stages up to one."""
        kinds = (self.protocols[protocol].parameters, self.config)
        names = [*shaping(until, *kinds), *self.also_shapes(until, logged)]
        known = {**self.left_out(until, protocol), **logged}
        return {n: known[n] for n in names if n in known}

    def left_out(self, until: Until, protocol: str) -> dict[str, Any]:
        """Those of them that logs leave out at their defaults, with these."""
        kinds = (self.protocols[protocol].parameters, self.config)
        fields = {n: info for kind in kinds for n, info in kind.model_fields.items()}
        return {
            n: fields[n].default
            for n in shaping(until, *kinds)
            if fields[n].exclude_if is not None
        }

    def prompted(
        self, until: Until, protocol: str, prompts: PromptSet
    ) -> dict[str, str]:
        """The prompt texts of the stages up to one.

        Of a turn whose prompt is another one's but for some texts, these alone.
        """
        stages = ("answers",) if until == "answers" else ("answers", "debate")
        keys = [
            key
            for turn in self.protocols[protocol].turns
            if turn.stage in stages
            for key in (
                *([key for _, key in turn.instead] or (turn.prompt, turn.system)),
                *(turn.reminder, *turn.also),
            )
            if key is not None
        ]
        reached = prompts.reached_from(*keys)
        return {key: text for key, text in prompts.texts.items() if key in reached}


@cache
def _shipped_keys(kind: str) -> frozenset[str]:
    return frozenset(load_prompts(kind).texts)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shaping(until: Until, *kinds: type[Frozen]) -> list[str]:
    """The fields of some classes of parameters that shape the stages up to one."""
    stages = ("answers",) if until == "answers" else ("answers", "debate")
    return [
        name
        for kind in kinds
        for name, info in kind.model_fields.items()
        if isinstance(extra := info.json_schema_extra, dict)
        and extra.get("shapes") in stages
    ]
