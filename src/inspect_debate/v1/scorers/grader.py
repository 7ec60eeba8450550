"""Asking a grader: the one model that a scorer may call."""

import html
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
)
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.v1.debate.calls import Form, Reading, Request, TurnDescription, ask
from inspect_debate.v1.debate.participants import model_for
from inspect_debate.v1.debate.prompts import Prompt, PromptSet, load_prompts
from inspect_debate.v1.debate.question import Question, error_detection_question
from inspect_debate.v1.debate.quotes import normalise_quote
from inspect_debate.v1.debate.record import DebateRecord, Parsed, Status, Turn
from inspect_debate.v1.debate.rendering import as_shown, paragraphs
from inspect_debate.v1.debate.settings import (
    Sampling,
    as_sent,
    effective_config,
    loggable,
    say_once,
)
from inspect_debate.v1.scorers.common import Values

DEFAULT = GenerateConfig(temperature=0.0, max_tokens=2048)

NOT_GRADED = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.CAPPED)
"""Why a grader's labels may be missing."""


@dataclass(frozen=True)
class Grader:
    """A grader of one finished debate.

    `question` is the response that it was about; None where it was not about any, as in
    a debate of a motion.
    """

    model: Model
    prompts: PromptSet
    record: DebateRecord
    sample: str
    question: Question | None

    async def grade(
        self,
        format: str,
        about: Mapping[str, str],
        read: Callable[[str], Reading],
        required: str,
        speech: Turn | None = None,
        bet: float | None = None,
        system: str | None = None,
        interaction: str = "",
    ) -> Turn:
        """Ask for labels; once more where they cannot be read.

        Args:
            format: What is asked for; its prompt, and the reminder's, bear its name.
            about: The prompt's placeholders, safe for a prompt.
            read: Reads a completion.
            required: The field without which it is asked again.
            speech: The speech, bet or verdict that is graded, where it is one.
            bet: The amount of a bet that is graded.
            system: The key of the system prompt, where it is not that of `grading`.
            interaction: Of a verdict, how those spoke whom the judge had read.
        """
        asked = paragraphs([self._item(), self.prompts.render(format, **about)])
        usual = "grader_system" if self.question else "bet_grader_system"
        description = TurnDescription(
            question=self.record.question,
            sample=self.sample,
            epoch=self.record.epoch,
            seed=self.record.seed,
            participant="grader",
            kind="grade",
            format=format,
            choices=self.record.choices,
            round=speech.round if speech else 0,
            draw=f"{speech.participant} {speech.round}" if speech else "",
            bet=bet,
            interaction=interaction,
        )
        return await ask(
            Request(
                model=self.model,
                role="grader",
                config=self._config,
                messages=[
                    ChatMessageSystem(content=self.prompts.render(system or usual)),
                    ChatMessageUser(content=asked),
                ],
                description=description,
                about=speech.participant if speech else None,
                form=Form(
                    read, required, partial(self.prompts.render, f"{format}_reminder")
                ),
            )
        )

    def logged(self) -> dict[str, Any]:
        """Who graded, how and with which prompts, for a score's metadata."""
        settings = as_sent(str(self.model), loggable(self._config))
        return {
            "grader": str(self.model),
            "grader_settings": settings,
            "grader_prompts": self.prompts.used().model_dump(),
        }

    def _item(self) -> str:
        if self.question is None:
            return ""
        return self.prompts.render(
            "item",
            task=as_shown(self.question.sources["input"]),
            response=as_shown(self.question.sources["response"]),
        )

    @property
    def _config(self) -> GenerateConfig:
        return effective_config(self.model, DEFAULT, Sampling())


class Graders:
    """Makes the grader of each sample that a scorer is given."""

    def __init__(
        self, prompts: str | None, own: Mapping[str, Prompt] = MappingProxyType({})
    ) -> None:
        """Read the prompts, a scorer's own too, with the user's file laid over them."""
        self._prompts = load_prompts("grading", prompts, own)
        self._warned = False

    def of(
        self, state: TaskState, record: DebateRecord, about_response: bool = True
    ) -> Grader:
        """The grader of a sample; a warning, once, where it grades its own work.

        Args:
            state: The sample.
            record: Its debate.
            about_response: Whether the debate was about a response, which the grader is
                then shown.
        """
        model = model_for("grader", "judge", "debater_a")
        own = sorted(p.id for p in record.participants if p.model == str(model))
        # Outside a run, as in `inspect score`, `say_once` has nothing to remember by.
        if own and not self._warned:
            say_once(
                f"The grader is {model}, which also was {', '.join(own)}, and may "
                "favour its own words: bind another with --model-role grader=MODEL."
            )
        self._warned = self._warned or bool(own)
        question = error_detection_question(state) if about_response else None
        return Grader(model, self._prompts, record, str(state.sample_id), question)


def grader_failed(error: Exception) -> Score:
    """A sample whose grader failed: unscored by it, so that its other scores stand.

    Raises:
        LimitExceededError: Where that was the error; a limit ends the sample.
    """
    if isinstance(error, LimitExceededError):
        raise error
    return Score.unscored(
        reason="grader_failed",
        explanation=f"The grader's provider failed: {type(error).__name__}: {error}",
    )


def grading_values(prefix: str, grades: Sequence[Turn], required: str) -> Values:
    """How many grades could not be read, why, and what all of them cost."""
    statuses = [grade.field(required).status for grade in grades]
    return {
        **{f"{prefix}_{status}": statuses.count(status) for status in NOT_GRADED},
        "grader_calls": sum(grade.calls for grade in grades),
        "grader_tokens": sum(grade.usage.total_tokens for grade in grades),
    }


def grade_metadata(grade: Turn, required: str) -> dict[str, Any]:
    """A grade as a score's metadata have it: the labels and every completion."""
    labels = {
        name: parsed.value
        for name, parsed in grade.fields.items()
        if parsed.value is not None
    }
    return {
        "status": grade.field(required).status.value,
        **labels,
        "reply": grade.public,
        "superseded": list(grade.superseded),
    }


# How a grader's labels are read. What is not read with certainty is unparsed.


# 0 or 1, and perhaps a reason in words.
_BIT = re.compile(r"(?P<bit>[01])(?:[.,;]?+|(?:\s*+[.,;(]|\s++[-–—])\s*+[^\W\d].*)")
_EITHER = re.compile(r"\b[01]\b")
_QUOTE_TAG = re.compile(r"<\s*+/?+\s*+(?:[vu]_)?+quote\s*+>", re.I)
_ENDS = " \t\"'“”„‟‘’‚‛«»‹›*`_|"


def stands_in(passage: str, speech: str) -> bool:
    """Whether a speech contains a passage; a single word does not count as one."""
    key, whole = _comparable(passage), _comparable(speech)
    enough = len(key.split()) > 1 or key == whole
    return enough and any(c.isalnum() for c in key) and key in whole


def labelled(text: str, words: str) -> tuple[Parsed, str]:
    """The label of the last line `<words>: 0` or `: 1`, and what comes after a bar."""
    head, _, rest = (_last_line(text, words) or "").partition("|")
    return _bit(head), rest.strip(_ENDS)


def _last_line(text: str, words: str) -> str | None:
    """What follows the last `<words>:` that begins a line, markdown aside."""
    form = re.compile(rf"[\W_]*+(?:[0-9]{{1,2}}[.)][\W_]*+)?+{words}[\W_]*?:(.*)", re.I)
    lines = unicodedata.normalize("NFKC", text).splitlines()
    found = (form.match(line) for line in reversed(lines))
    return next((match[1] for match in found if match), None)


def _bit(payload: str) -> Parsed:
    plain = payload.strip(_ENDS + "[](){}")
    match = _BIT.fullmatch(plain)
    if match is None or _EITHER.search(plain, match.end("bit")):
        return Parsed.unparsed()
    return Parsed.ok(float(match["bit"]))


def _comparable(text: str) -> str:
    # The prompt has tags that a speaker forged with their brackets escaped.
    plain = _QUOTE_TAG.sub("", html.unescape(text))
    return normalise_quote(unicodedata.normalize("NFKC", plain))
