"""Scripted models, items and runs that the tests share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any, NamedTuple, cast

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.solver import Solver
from inspect_ai.solver._task_state import sample_state

from inspect_debate.debate import ask as asking
from inspect_debate.debate.ask import Asked
from inspect_debate.debate.record import Debate, debate_of

DEBATERS = ("debater_a", "debater_b")
ROLES = (*DEBATERS, "judge")
NAME = {"error": "1", "no_error": "2"}
TASK = "List three colours, {as JSON}."
RESPONSE = "Here are three: red, green."


class Call(NamedTuple):
    """A call that reached the scripted model."""

    what: Asked
    messages: list[ChatMessage]
    config: GenerateConfig
    epoch: int = 1

    @property
    def text(self) -> str:
        """All that the model reads."""
        return "\n".join(message.text for message in self.messages)


Answer = Callable[[Call], str | ModelOutput]


def reply(text: str, stop: StopReason = "stop") -> ModelOutput:
    """An output with usage, without which Inspect's mock needs the network."""
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def labelled(answer: str) -> str:
    """A first answer of error detection."""
    no = "an" if answer == "error" else "no"
    return f"I counted.\nTherefore, the model response contains {no} error."


def speech(final: str = "1", text: str = "It lists <quote>three</quote>.") -> str:
    """A speech in ColMAD's form."""
    return (
        f"<thinking>A plan.</thinking>\n<argument>{text}\n"
        f"Final: {final}\nConf: 0.8\n</argument>"
    )


def good(call: Call) -> str:
    """A participant that keeps to the forms; the two debaters differ."""
    second = call.what.role == "debater_b"
    detects = "<options>" not in call.text and "<question>" not in call.text
    if call.what.kind == "speech":
        return speech(("2" if second else "1") if detects else "AB"[second])
    if detects and call.what.kind != "verdict":
        return labelled("no_error" if second else "error")
    if call.what.kind == "verdict":
        return "Weighed.\nAnswer: " + ("1" if detects else "A")
    in_words = "<options>" not in call.text
    said = ("Paris", "London") if in_words else ("A", "B")
    return f"I thought.\nANSWER: {said[second]}"


@dataclass
class Script:
    """What models answer, and the calls that they got."""

    answer: Answer = good
    calls: list[Call] = field(default_factory=list)

    def __call__(
        self, messages: list[ChatMessage], _: Any, __: Any, config: GenerateConfig
    ) -> ModelOutput:
        """Inspect's mock asks here."""
        what = asking.asked.get()
        assert what is not None
        state = sample_state()
        epoch = state.epoch if state else 1
        call = Call(what, list(messages), config, epoch)
        self.calls.append(call)
        said = self.answer(call)
        return reply(said) if isinstance(said, str) else said

    def model(self, **config: Any) -> Model:
        """A model that follows the script."""
        return get_model(
            "mockllm/model",
            config=GenerateConfig(**config),
            memoize=False,
            custom_outputs=self,
        )


def items(n: int = 1, target: str = "error", **metadata: Any) -> list[Sample]:
    """Items of error detection."""
    known = {"task": TASK, "response": RESPONSE, "explanation": "GOLD: two of three."}
    return [
        Sample(
            id=f"item_{k}", input="An item.", target=target, metadata=known | metadata
        )
        for k in range(n)
    ]


class Run(NamedTuple):
    """A run that is over."""

    log: EvalLog
    calls: list[Call]

    @property
    def samples(self) -> list[EvalSample]:
        """Its samples, by id and epoch."""
        return sorted(self.log.samples or [], key=lambda one: (str(one.id), one.epoch))

    @property
    def debates(self) -> list[Debate]:
        """Their records."""
        return [cast(Debate, debate_of(sample)) for sample in self.samples]

    @property
    def debate(self) -> Debate:
        """The record of the first sample."""
        return self.debates[0]

    def kinds(self) -> list[str]:
        """What was asked for, call by call; reminders have a question mark."""
        whats = [call.what for call in self.calls]
        return [what.kind + "?" * what.reminder for what in whats]

    def values(self, scorer: str, sample: int = 0) -> dict[str, float]:
        """The value of a score."""
        return values((self.samples[sample].scores or {})[scorer])

    def metrics(self) -> dict[str, float]:
        """All metrics of the run."""
        assert self.log.results
        scores = self.log.results.scores
        return {n: m.value for score in scores for n, m in score.metrics.items()}


def values(score: Score) -> dict[str, float]:
    """The values of one of our scores, those in its metadata, too."""
    more = {k: nan if v is None else v for k, v in (score.metadata or {}).items()}
    return more | cast(dict[str, float], score.value)


def run(
    tmp_path: Any,
    what: Solver | Task | str,
    answer: Answer | Script = good,
    *,
    samples: Sequence[Sample] | None = None,
    scorer: Any = None,
    roles: Mapping[str, Any] | Sequence[str] = ROLES,
    model: Any = "none",
    **options: Any,
) -> Run:
    """Run a protocol, or a task, on scripted models.

    Args:
        tmp_path: Where the log goes.
        what: The protocol or the task.
        answer: What models answer.
        samples: The samples; one item of error detection by default.
        scorer: The scorers.
        roles: Models by role, or the roles that are bound to the script.
        model: The main model; "scripted" follows the script, too.
        options: Options of `inspect_ai.eval`.
    """
    script = answer if isinstance(answer, Script) else Script(answer)
    data = MemoryDataset(list(samples or items()))
    task: Any = what
    if not isinstance(what, Task | str):
        task = Task(data, solver=cast(Any, what), scorer=scorer)
    bound = roles if isinstance(roles, Mapping) else {r: script.model() for r in roles}
    if model == "scripted":
        model = "mockllm/model"
        options["model_args"] = {"custom_outputs": script}
    (log,) = inspect_eval(
        task,
        model=model,
        model_roles=dict(bound),
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
        score_display=False,
        **options,
    )
    return Run(log, script.calls)
