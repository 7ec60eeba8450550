"""Importing transcripts: the lines of a file as scored logs, a log per condition."""

import hashlib
import json
import lzma
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import IO, Any, NamedTuple

from inspect_ai.event import Event, InfoEvent, SpanBeginEvent, SpanEndEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
    write_eval_log,
)
from inspect_ai.model import (
    ModelConfig,
    ModelName,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Scorer, Target
from inspect_ai.solver import TaskState
from inspect_ai.util import Store
from inspect_ai.viewer import ViewerConfig
from pydantic import JsonValue, ValidationError

from inspect_debate.debate.conversation import (
    conversation,
    ending,
    item_message,
    outcome_card,
    with_marked_quotes,
)
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.participants import PEOPLE
from inspect_debate.debate.paths import AnyPath, reason_of, user_path
from inspect_debate.debate.record import DebateRecord, span_name, write_record
from inspect_debate.scorers.bets import bets
from inspect_debate.scorers.challenges import challenges
from inspect_debate.scorers.common import rescored
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.scorers.judge_check import judge_check
from inspect_debate.scorers.jury import jury
from inspect_debate.scorers.knowledge_conflict import clash
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.transcripts.format import (
    Transcript,
    input_of,
    record_of,
)

IN_A_LOG = 1000
"""Debates in one log at most, as a log is made in memory."""

_SHOWN = 5


@dataclass(frozen=True)
class TaskInfo:
    """What a task's logs say of it.

    Attributes:
        version: The task's version.
        view: How the viewer lists samples, where not by its own choice.
    """

    version: str
    view: ViewerConfig | None = None


class Imported(NamedTuple):
    """What came of an import: the debates of each log, by its path."""

    logs: dict[AnyPath, int]


Lines = Iterable[tuple[str, Transcript]]
"""Debates, each with where it is in a file, for errors."""

_SCORERS: dict[str, tuple[Callable[[], Scorer], ...]] = {
    "debate": (question_answering, debate_process),
    "colmad": (error_detection, debate_process),
    "confidence": (bets, jury),
    "srdcr": (clash,),
    "generative": (verdicts,),
    "judge_check": (judge_check,),
}
_HEADLINES = {
    "debate": ("question_answering", "accuracy"),
    "colmad": ("error_detection", "f1"),
    "confidence": ("bets", "opening"),
    "srdcr": ("clash", "overall"),
    "generative": ("verdicts", "accuracy"),
    "judge_check": ("judge_check", "unchanged"),
}


@contextmanager
def opened(typed: str) -> Iterator[IO[bytes]]:
    """A file that a user named, unpacked where its name ends in `.xz`.

    Raises:
        InputError: If it cannot be read.
    """
    path = user_path(typed)
    try:
        with path.open("rb") as file:
            if path.suffix == ".xz":
                with lzma.open(file) as unpacked:
                    yield unpacked
            else:
                yield file
    except (OSError, lzma.LZMAError, EOFError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise InputError(f"{typed} cannot be read: {reason}.") from error


def transcripts_in(typed: str) -> Lines:
    """The debates of a file, one after the other.

    Args:
        typed: The file, as the user typed it.

    Yields:
        Where each line is, and its debate.

    Raises:
        InputError: If the file cannot be read, or lines of it are no transcripts; with
            the number of the line and the name of the field.
    """
    wrong: list[str] = []
    with opened(typed) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            where = f"{typed}, line {number}"
            try:
                text = line.removeprefix(BOM_UTF8)
                transcript = Transcript.model_validate_json(text)
            except ValidationError as error:
                problems = problems_of(error)
            else:
                problems = [*_twice(text), *transcript.contradictions()]
                if not problems:
                    yield where, transcript
            wrong += [f"{where}: {problem}" for problem in problems[:_SHOWN]]
            if len(wrong) >= _SHOWN:
                break
    if wrong:
        raise InputError("\n".join(wrong[:_SHOWN]))


def _twice(text: bytes) -> Iterator[str]:
    """The keys that an object has twice, of which JSON would take the last."""
    found: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> None:
        found.extend(
            key for key, times in Counter(k for k, _ in pairs).items() if times > 1
        )

    json.loads(text, object_pairs_hook=once)
    yield from (f"{key}: given twice" for key in found)


def problems_of(error: ValidationError) -> list[str]:
    """What is wrong with a line: each the field, and why."""
    return [
        f"{'.'.join(map(str, one['loc'])) or 'the line'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]


def import_transcripts(
    read: Callable[[], Lines],
    source: str,
    out: str,
    tasks: Mapping[str, TaskInfo],
    *,
    named: bool = True,
    force: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Imported:
    """Write scored logs of debates that were held elsewhere.

    The debates are read twice, so that nothing is written if one of them is wrong, and
    no more of them are in memory than one log has.

    Args:
        read: Reads all debates.
        source: What to call where they come from.
        out: The folder for the logs, which is made if there is none.
        tasks: What each task's logs say of it.
        named: Whether conditions keep their names in reports and comparisons, and are
            not called by models and parameters, as those of runs are.
        force: Whether to write over logs that are there.
        tell: Is told of each log as soon as it is written.

    Returns:
        The logs.

    Raises:
        InputError: If a line is no transcript, debates contradict one another, or a
            log is there already.
    """
    conditions = _conditions(read())
    if not conditions:
        raise InputError(f"{source} has no debate.")
    folder = user_path(out)
    names = Counter(
        path.name.casefold()
        for condition in conditions.values()
        for path in condition.paths(folder)
    )
    if twice := [name for name, times in names.items() if times > 1]:
        raise InputError(
            f"Two conditions would both be written to {twice[0]}; name one otherwise."
        )
    there = [
        path.name
        for condition in conditions.values()
        for path in condition.paths(folder)
        if path.exists()
    ]
    if there and not force:
        raise InputError(
            f"--out={out}: {', '.join(there)} is there already; give --force to write "
            "over it."
        )
    folder.mkdir(parents=True, exist_ok=True)
    logs: dict[AnyPath, int] = {}
    waiting: dict[str, list[Transcript]] = {name: [] for name in conditions}
    for _, transcript in read():
        condition = conditions[transcript.condition]
        held = waiting[transcript.condition]
        held.append(transcript)
        condition.left -= 1
        if len(held) == IN_A_LOG or not condition.left:
            path = condition.paths(folder)[condition.written]
            log = _log_of(condition, held, source, tasks[condition.task])
            if not named:
                del (log.eval.metadata or {})["condition"]
            write_eval_log(log, str(path))
            condition.written += 1
            logs[path] = len(held)
            tell(f"{path.name}: {len(held)} debates")
            held.clear()
    return Imported(logs)


@dataclass
class _Condition:
    """The debates of one condition, as far as they are looked at before any is written.

    Attributes:
        name: What it is called.
        task: The task of all its debates.
        protocol: Their protocol.
        size: How many they are.
        left: How many are not written yet.
        written: How many logs are.
        shared: The parameters that a line need not give.
        models: The models of each role, in the order in which they appear.
        digest: Tells these debates from others.
    """

    name: str
    task: str
    protocol: str
    size: int = 0
    left: int = 0
    written: int = 0
    shared: dict[str, Any] = field(default_factory=dict)
    models: dict[str, list[str]] = field(default_factory=dict)
    epochs: int = 1
    digest: Any = field(default_factory=hashlib.sha256)

    def paths(self, folder: AnyPath) -> list[AnyPath]:
        """Its logs: one, or several with numbers."""
        parts = range(1, -(-self.size // IN_A_LOG) + 1)
        names = [f"{self.name}-{n}" for n in parts] if len(parts) > 1 else [self.name]
        return [folder / f"{name}.eval" for name in names]


def _conditions(lines: Lines) -> dict[str, _Condition]:
    """The conditions of debates.

    Raises:
        InputError: If two debates have one id, or those of a condition differ in what
            all of a log have in common.
    """
    found: dict[str, _Condition] = {}
    places: dict[tuple[str, str, int], str] = {}
    for where, one in lines:
        known = found.setdefault(
            one.condition, _Condition(one.condition, one.task, one.ran)
        )
        for name, value, other in (
            ("task", one.task, known.task),
            ("protocol", one.ran, known.protocol),
        ):
            if value != other:
                raise InputError(
                    f"{where}: {name}: {value!r}, and others of the condition "
                    f"{one.condition!r} have {other!r}; give it another condition."
                )
        first = places.setdefault((one.condition, one.id, one.epoch), where)
        if first != where:
            raise InputError(
                f"{where}: id: {one.id!r} is also that of {first}, with the same "
                "condition and epoch."
            )
        decided = outcome(record_of(one, {})).answer
        if one.outcome not in (None, decided):
            raise InputError(
                f"{where}: outcome: {one.outcome!r}, and the verdicts say {decided!r}."
            )
        known.size += 1
        known.left += 1
        known.epochs = max(known.epochs, one.epoch)
        known.digest.update(one.model_dump_json().encode())
        _share(known, one)
    return found


def _share(condition: _Condition, one: Transcript) -> None:
    """Add what a debate has to what is common to its condition."""
    shared = condition.shared
    if condition.task == "debate":
        shared |= {
            "rounds": max(one.rounds, shared.get("rounds", 0)),
            "sides": "assigned" if one.answers else "free",
            "show_openings": False,
            "quotes": "typography_blind",
            "judge_sees_problem": True,
            "answers": "options" if one.answers else "free",
            "passage": "unused"
            if one.passage is None
            else ("hidden" if one.passage_hidden else "shown"),
        }
        if one.ends == "judge":
            # A limit: a judge is only asked whether to end before another round.
            shared |= {"ends": "judge", "rounds": max(2, shared["rounds"])}
        if asked := max(one.questions, shared.get("judge_questions", 0)):
            shared["judge_questions"] = asked
    for speaker in one.participants:
        role = speaker.id.rstrip("_0123456789")
        model = PEOPLE if speaker.kind == "person" else speaker.who
        models = condition.models.setdefault(role, [])
        if model not in models:
            models.append(model)


def _log_of(
    condition: _Condition, debates: Sequence[Transcript], source: str, info: TaskInfo
) -> EvalLog:
    """Some of a condition's debates as a log, scored."""
    began = min((d.started for d in debates if d.started), default=None)
    created = began or datetime.now(UTC).isoformat(timespec="seconds")
    task, first = f"inspect_debate/{condition.task}", debates[0]
    parameters = first.run_with(condition.shared)
    samples = [_sample(debate, condition, created) for debate in debates]
    scorer, metric = _HEADLINES[condition.task]
    named = condition.digest.hexdigest()

    def id_of(what: str) -> str:  # the same file gives the same ids
        text = f"{what}/{condition.name}/{condition.written}/{named}"
        return hashlib.sha256(text.encode()).hexdigest()[:22]

    log = EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=id_of("eval"),
            run_id=id_of("run"),
            task_id=id_of("task"),
            created=created,
            task=task,
            task_display_name=condition.name,
            task_registry_name=task,
            task_version=info.version,
            task_args={"protocol": condition.protocol},
            tags=["imported"],
            dataset=EvalDataset(
                name=source,
                samples=len(samples),
                sample_ids=[sample.id for sample in samples],
                shuffled=False,
            ),
            model="none/none",
            model_roles={
                role: [ModelConfig(model=f"none/{model}") for model in models]
                for role, models in condition.models.items()
            },
            config=EvalConfig(epochs=condition.epochs, epochs_reducer=["mean"]),
            packages={name: version(name) for name in ("inspect_ai", "inspect-debate")},
            headline_metric=HeadlineMetric(scorer=scorer, metric=metric),
            viewer=info.view,
            metadata={
                "study": condition.task,
                "task": task,
                "task_version": info.version,
                "protocol": condition.protocol,
                "condition": condition.name,
                "parameters": parameters,
                "seed": first.seed,
                "data": {"source": source},
                "prompts": {},
                "imported": {"sha256": named},
            },
        ),
        stats=EvalStats(started_at=created, completed_at=created),
        samples=samples,
    )
    scorers = [make() for make in _SCORERS[condition.task]]
    if condition.protocol == "challenge":
        scorers.append(challenges())
    return rescored(log, scorers)


def _sample(transcript: Transcript, condition: _Condition, began: str) -> EvalSample:
    record = record_of(transcript, condition.shared)
    metadata = dict(transcript.metadata)
    if transcript.passage is not None:
        metadata["passage"] = transcript.passage
    if transcript.fingerprint is None:
        metadata["fingerprint"] = record.question
    target = transcript.right
    right = target if isinstance(target, str) else list(target)
    store = Store()
    write_record(store, record)
    state = TaskState(
        model=ModelName("none/none"),
        sample_id=transcript.id,
        epoch=transcript.epoch,
        input=input_of(transcript),
        messages=[],
        target=Target(right),
        choices=list(transcript.options) or None,
        metadata=metadata,
    )
    decided = outcome(record) if record.complete else None
    answer = f"({'stopped' if decided is None else decided.status})"
    if decided is not None and decided.answer is not None:
        answer = decided.answer
    card = outcome_card(record)
    return EvalSample(
        id=transcript.id,
        epoch=transcript.epoch,
        input=state.input,
        choices=list(transcript.options) or None,
        target=right,
        metadata=metadata,
        messages=[item_message(state, record), *conversation(record), ending(card)],
        output=ModelOutput.from_content(model=record.protocol, content=answer),
        store=dict(store.items()),
        events=_events(record, f"{condition.name}/{transcript.id}", began, card),
        role_usage=_usage(record),
        started_at=transcript.started,
        turn_count=len(record.turns),
    )


def _usage(record: DebateRecord) -> dict[str, ModelUsage]:
    """Tokens by role, of those turns of which they are known."""
    known = [turn for turn in record.turns if turn.usage != ModelUsage()]
    total: dict[str, ModelUsage] = {}
    for turn in known:
        total[turn.role] = total.get(turn.role, ModelUsage()) + turn.usage
    return total


def _events(record: DebateRecord, name: str, began: str, card: str) -> list[Event]:
    """A span for every turn with what was said, and the outcome."""
    events: list[Event] = []
    when = datetime.fromisoformat(began)

    def common(span: str | None) -> dict[str, Any]:
        uuid = hashlib.sha256(f"{name}/{len(events)}".encode()).hexdigest()[:22]
        return {
            "uuid": uuid,
            "span_id": span,
            "timestamp": when,
            "working_start": 0.0,
        }

    for place, turn in enumerate(record.turns):
        about = span_name(
            turn.kind,
            turn.participant,
            turn.round,
            turn.draw,
            order=turn.order,
            shown_first=turn.shown_first,
            about=turn.about,
        )
        id = f"{place}"
        events.append(SpanBeginEvent(**common(id), id=id, name=about, type=turn.kind))
        fields: dict[str, JsonValue] = {
            n: f.status.value if f.value is None else f.value
            for n, f in turn.fields.items()
        }
        if said := with_marked_quotes(turn):
            events.append(InfoEvent(**common(id), source=turn.model, data=said))
        if fields:
            events.append(InfoEvent(**common(id), source="fields", data=fields))
        events.append(SpanEndEvent(**common(id), id=id))
    events.append(InfoEvent(**common(None), source="outcome", data=card))
    return events
