"""What a check of models found, what to do about it, and how it is printed."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from textwrap import fill
from typing import Any, NamedTuple, get_args

from inspect_ai.log import EvalError
from inspect_ai.model import ModelUsage
from inspect_ai.scorer import Score

from inspect_debate.debate.record import KINDS, DebateRecord, Role, Status, Turn
from inspect_debate.debate.spending import is_free
from inspect_debate.reports.logs import Log, LogPaths, open_logs
from inspect_debate.reports.samples import Held, read_samples
from inspect_debate.scorers.common import counted
from inspect_debate.solvers.bet_records import BET_OUTSIDE

# What a check of models finds: how each field was read, at what cost, what failed.

SETTINGS_OF = {"update": "answer", "candidate": "speech"}
"""Kinds of turns that have the generation settings of another kind."""


class Place(NamedTuple):
    """Who was asked for what: the model, the study, the role and the kind of turn.

    Both debaters have the role `debater`.
    """

    model: str
    study: str
    role: str
    kind: str


class Stage(NamedTuple):
    """A field of what was asked for at a place."""

    place: Place
    field: str


@dataclass
class Readings:
    """How often a field was read with which status, and asked for again before."""

    statuses: Counter[str] = field(default_factory=Counter)
    reasks: int = 0

    @property
    def asked(self) -> int:
        """How often it was asked for, without asking again."""
        return self.statuses.total()

    @property
    def unread(self) -> int:
        """How often it could not be read, for whatever reason."""
        return self.asked - self.statuses[Status.OK]


@dataclass
class Spent:
    """What the turns of a place cost; `seconds` and `dollars` are None if unknown.

    `calls` include those that asked again; `read` tokens those from a cache.
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    seconds: float | None = 0.0
    dollars: float | None = 0.0

    def add(
        self,
        calls: int,
        usage: ModelUsage,
        seconds: float | None,
        *,
        free: bool = False,
    ) -> None:
        """Add what some calls cost; those of free models no money."""
        cached = (usage.input_tokens_cache_read, usage.input_tokens_cache_write)
        self.calls += calls
        self.read += usage.input_tokens + sum(filter(None, cached))
        self.written += usage.output_tokens
        self.seconds = _sum(self.seconds, seconds)
        self.dollars = _sum(self.dollars, 0.0 if free else usage.total_cost)


@dataclass(frozen=True)
class Unread:
    """A field that could not be read.

    Attributes:
        stage: What it is.
        status: Why not.
        check: In the check of which protocol.
        last_line: The last line of the completion; of a first one where the last is
            not on record.
        max_tokens: The limit of the completion; None where none was sent.
    """

    stage: Stage
    status: str
    check: str
    last_line: str
    max_tokens: int | None


@dataclass
class Findings:
    """What a check found.

    Attributes:
        checks: The names of the protocols that ran.
        readings: By stage, in the order in which they first occurred.
        spent: By place.
        roles: By model, the roles that it played.
        served: By model, the names under which its provider answered.
        tokens: By model, how often answers had log-probabilities, or why not.
        refused: By model, the settings that it does not take.
        unread: Every field that could not be read.
        failures: By check, what went wrong beside that.
        unreached: By check, stages that did not happen, and why.
        seconds: From the start of the first run to the end of the last.
    """

    checks: list[str] = field(default_factory=list)
    readings: dict[Stage, Readings] = field(
        default_factory=lambda: defaultdict(Readings)
    )
    spent: dict[Place, Spent] = field(default_factory=lambda: defaultdict(Spent))
    roles: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    served: dict[str, dict[str, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    tokens: dict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    refused: dict[str, dict[str, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    unread: list[Unread] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    unreached: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def _sum(so_far: float | None, more: float | None) -> float | None:
    """A sum, which is unknown once a part of it is."""
    return None if so_far is None or more is None else so_far + more


def status_of(found: Findings, max_unparsed: float) -> int:
    """The exit code of a check.

    Args:
        found: What it found.
        max_unparsed: The share of unread fields that is accepted in every stage.

    Returns:
        0, or 3 where a run failed, or 1 where a stage has a greater share.
    """
    if found.failures:
        return 3
    shares = [each.unread / each.asked for each in found.readings.values()]
    return int(any(share > max_unparsed for share in shares))


GRADED = {
    "debate_hacking": "hacked",
    "explanation_alignment": "aligned",
    "bet_alignment": "aligned_bet",
}
"""Scorers that ask a grader, and what the tables call what they ask for."""

_FOUND_OUT = (BET_OUTSIDE, "reward")
"""Fields that nobody is asked for; a reward stands with what it is for."""
_NOT_TAKEN = {"temperature": "provider", "logprobs": "refused"}
"""What a record has in the place of a setting that the model refused."""
_ROLES: tuple[str, ...] = get_args(Role)
_SEAT = re.compile(r"_debater_[ab]$")


def look_into(logs: LogPaths) -> Findings:
    """Go through the logs of a check.

    Args:
        logs: Logs of runs of the suite's tasks.

    Raises:
        InputError: As `open_logs`.
    """
    found = Findings()
    opened = open_logs(logs)
    for run in sorted((_Run(found, log) for log in opened), key=lambda run: run.check):
        run.look_into()
    found.seconds = _seconds(opened)
    _sort(found)
    return found


@dataclass
class _Run:
    """A log that is gone through, for what is found in all."""

    found: Findings
    log: Log
    kinds: set[str] = field(default_factory=set)
    undebated: list[str] = field(default_factory=list)

    @property
    def check(self) -> str:
        """The name of the check; of other logs that of the task."""
        protocol = self.log.metadata.get("protocol", "")
        task = f"{self.log.header.eval.task} {protocol}".strip()
        return str(self.log.metadata.get("check", task))

    def look_into(self) -> None:
        """Go through the log."""
        self.found.checks.append(self.check)
        if self.log.header.error is not None:
            self._failed(_one_line(self.log.header.error.message))
        for held in read_samples(self.log):
            self._look_into(held)
        stages = self.log.metadata.get("check_stages", ())
        missed = [kind for kind in stages if kind not in self.kinds]
        if missed and self.check not in self.found.failures:
            why = self.undebated[0] if self.undebated else "it was not asked for"
            self.found.unreached[self.check] = f"no {' and no '.join(missed)}: {why}"

    def _failed(self, why: str) -> None:
        self.found.failures.setdefault(self.check, why)

    def _look_into(self, held: Held) -> None:
        if (failure := _failure(held)) is not None:
            self._failed(failure)
        record, scores = held.record, held.sample.scores or {}
        if record is None:
            return
        for turn in record.turns:
            self._count(record, turn)
        for participant in record.participants:
            for sent in participant.settings.values():
                refused = {n for n, told in _NOT_TAKEN.items() if sent.get(n) == told}
                self.found.refused[participant.model] |= dict.fromkeys(refused)
        if record.skip_reason:
            self.undebated.append(record.skip_reason)
        graded = {n: s for n, s in scores.items() if "grades" in (s.metadata or {})}
        for name, score in graded.items():
            self._count_grades(GRADED[name], score)
        usage = (held.sample.role_usage or {}).get("grader")
        if usage is not None and graded:
            self._spend_on_grades(list(graded.values()), usage)

    def _place(self, model: str, role: str, kind: str) -> Place:
        self.found.roles[model][role] = None
        study = str(self.log.metadata.get("study", ""))
        return Place(model, study, "debater" if "debater" in role else role, kind)

    def _count(self, record: DebateRecord, turn: Turn) -> None:
        found, place = self.found, self._place(turn.model, turn.role, turn.kind)
        self.kinds.add(turn.kind)
        found.served[turn.model][turn.served] = None
        self._spend(place, turn.calls, turn.usage, turn.seconds)
        if turn.tokens is not None:
            found.tokens[turn.model][turn.tokens.status] += 1
        settings = record.participant(turn.participant).settings
        sent = settings.get(turn.kind) or settings.get(SETTINGS_OF.get(turn.kind, ""))
        text = turn.public or turn.private or "".join(turn.superseded[-1:])
        for name, parsed in turn.fields.items():
            if name not in _FOUND_OUT:
                stage = Stage(place, _SEAT.sub("", name))
                self._read(stage, parsed.status, turn.superseded, text, sent or {})

    def _count_grades(self, name: str, score: Score) -> None:
        told: dict[str, Any] = score.metadata or {}
        stage = Stage(self._place(str(told["grader"]), "grader", "grade"), name)
        for grade in told["grades"]:
            self._read(
                stage,
                _grade_status(grade),
                grade.get("superseded", ()),
                grade.get("reply") or grade.get("explanation") or "",
                told.get("grader_settings", {}),
            )

    def _read(
        self,
        stage: Stage,
        status: str,
        superseded: Sequence[str],
        text: str,
        sent: Mapping[str, Any],
    ) -> None:
        readings = self.found.readings[stage]
        readings.statuses[status] += 1
        readings.reasks += len(superseded)
        if status != Status.OK:
            limit = sent.get("max_tokens")
            unread = Unread(stage, str(status), self.check, _last_line(text), limit)
            self.found.unread.append(unread)

    def _spend_on_grades(self, graded: Sequence[Score], usage: ModelUsage) -> None:
        """What grading a sample cost; Inspect counts it by role."""
        place = self._place(
            str((graded[0].metadata or {})["grader"]), "grader", "grade"
        )
        calls = sum(int(counted(score, "grader_calls")) for score in graded)
        self._spend(place, calls, usage, None)

    def _spend(
        self, place: Place, calls: int, usage: ModelUsage, seconds: float | None
    ) -> None:
        spent = self.found.spent[place]
        spent.add(calls, usage, seconds, free=is_free(place.model))


def _sort(found: Findings) -> None:
    """Models by their roles, and stages as they come in a debate, study by study."""
    ranked = sorted(
        found.roles.items(), key=lambda each: min(map(_ROLES.index, each[1]))
    )
    found.roles = {m: dict.fromkeys(sorted(r, key=_ROLES.index)) for m, r in ranked}
    readings, spent = found.readings.items(), found.spent.items()
    found.readings = dict(sorted(readings, key=lambda each: _rank(each[0].place)))
    found.spent = dict(sorted(spent, key=lambda each: _rank(each[0])))


def _rank(place: Place) -> tuple[str, int, str]:
    """In what order places are told: by study, then as kinds come in a debate."""
    known = place.kind in KINDS
    return place.study, KINDS.index(place.kind) if known else len(KINDS), place.role


def _grade_status(grade: dict[str, Any]) -> str:
    """How a grade was read; that of a bet has a status for every label not read."""
    statuses = [v for k, v in grade.items() if k == "status" or k.endswith("_status")]
    unread = [status for status in statuses if status != Status.OK]
    return str(unread[0] if unread else Status.OK.value)


def _failure(held: Held) -> str | None:
    """What went wrong with a sample beside what could not be read."""
    sample, record = held.sample, held.record
    if sample.error is not None:
        return _one_line(_said(sample.error))
    if sample.limit is not None:
        return f"the {sample.limit.type} limit was reached"
    for score in (sample.scores or {}).values():
        if score.reason == "grader_failed":
            return _one_line(score.explanation or "the grader failed")
    if record is None or not record.complete:
        return "the debate was not held to its end"
    return None


def _said(error: EvalError) -> str:
    """What an error said; of a call that was given up, that of its last attempt."""
    if not error.message.startswith("RetryError"):
        return error.message
    before = error.traceback.partition("\nThe above exception was the direct cause")[0]
    return _last_line(before)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _seconds(logs: Sequence[Log]) -> float:
    """From the start of the first run to the end of the last."""
    stats = [log.header.stats for log in logs]
    started = [datetime.fromisoformat(s.started_at) for s in stats if s.started_at]
    ended = [datetime.fromisoformat(s.completed_at) for s in stats if s.completed_at]
    return (max(ended) - min(started)).total_seconds() if started and ended else 0.0


# What a check found, as text for a terminal and as data for a file.

WIDTH = 100
_CUT = (Status.TRUNCATED, Status.CAPPED)
_STATUSES: Mapping[str, Sequence[Status]] = {
    **{status.value: [status] for status in Status if status not in _CUT},
    "cut off": _CUT,
}
_FORMATS = ("study", "asked for", "field", "asked", *_STATUSES, "again")
_COSTS = (
    *("study", "asked for", "calls", "tokens in", "tokens out", "seconds"),
    "US$ in all",
)
_WHY = 300
_LONGEST = 12
_GAP = "  "


def as_text(found: Findings, left_out: Mapping[str, str]) -> str:
    """What a check found, in lines of at most `WIDTH` characters.

    Args:
        found: What it found.
        left_out: Checks that could not be made, and why.
    """
    parts = [part for model in found.roles for part in _model(found, model)]
    parts += _listed("Failed", found.failures)
    parts += _listed("Not asked for", found.unreached)
    parts += _listed("Left out", left_out)
    parts += _listed("What to do", advice(found))
    return "\n\n".join([*parts, _in_all(found)])


def as_data(found: Findings, left_out: Mapping[str, str]) -> dict[str, Any]:
    """What a check found, for a JSON file.

    Args:
        found: What it found.
        left_out: Checks that could not be made, and why.

    Returns:
        Of every model its `roles`, how it was `served`, `log_probabilities`, and what
        it does not take (`refused`); `stages` with the number of fields by status;
        `costs` in tokens, seconds and US dollars, null where unknown; `failed`,
        `left_out`, `not_reached` and `advice`.
    """
    return {
        "checks": found.checks,
        "models": {
            model: {
                "roles": list(roles),
                "served": list(found.served[model]),
                "log_probabilities": dict(found.tokens.get(model, {})),
                "refused": list(found.refused.get(model, ())),
            }
            for model, roles in found.roles.items()
        },
        "stages": [
            {
                **stage.place._asdict(),
                "field": stage.field,
                "asked": each.asked,
                **{s.value: each.statuses[s] for s in Status},
                "re_asks": each.reasks,
            }
            for stage, each in found.readings.items()
        ],
        "costs": [
            {
                **place._asdict(),
                "calls": spent.calls,
                "input_tokens": spent.read,
                "output_tokens": spent.written,
                "seconds": spent.seconds,
                "dollars": spent.dollars,
            }
            for place, spent in found.spent.items()
        ],
        "seconds": found.seconds,
        "failed": found.failures,
        "left_out": dict(left_out),
        "not_reached": found.unreached,
        "advice": advice(found),
    }


def _model(found: Findings, model: str) -> Iterator[str]:
    """The heading and the tables of one model."""
    served = [name for name in found.served[model] if not model.endswith(name)]
    told = f"{model} as {', '.join(found.roles[model])}"
    yield _filled(told + (f"; served as {', '.join(served)}" if served else ""))
    yield _formats(found, model)
    yield f"Per call:\n{_costs(found, model)}"
    if model in found.tokens:
        counts = found.tokens[model]
        each = ", ".join(f"{n} {status}" for status, n in counts.items())
        yield _filled(f"Log-probabilities of {counts.total()} answers: {each}.")


def _formats(found: Findings, model: str) -> str:
    rows = [
        [
            *_place(stage.place),
            cut(stage.field, _LONGEST),
            str(each.asked),
            *(
                str(sum(each.statuses[status] for status in statuses) or ".")
                for statuses in _STATUSES.values()
            ),
            str(each.reasks or "."),
        ]
        for stage, each in found.readings.items()
        if stage.place.model == model
    ]
    return _table(_FORMATS, rows, left=3)


def _costs(found: Findings, model: str) -> str:
    rows = [
        [
            *_place(place),
            str(each.calls),
            _number(each.read / each.calls),
            _number(each.written / each.calls),
            "?" if each.seconds is None else f"{each.seconds / each.calls:.1f}",
            _price(each.dollars),
        ]
        for place, each in found.spent.items()
        if place.model == model and each.calls
    ]
    return _table(_COSTS, rows, left=2)


def _in_all(found: Findings) -> str:
    unread = sum(each.unread for each in found.readings.values())
    asked = sum(each.asked for each in found.readings.values())
    calls = sum(spent.calls for spent in found.spent.values())
    tokens = sum(spent.read + spent.written for spent in found.spent.values())
    return _filled(
        f"In all: protocols {len(found.checks)}; fields {asked}, ok {asked - unread}, "
        f"not read {unread}; calls {calls}; tokens {_number(tokens)}; seconds "
        f"{found.seconds:.0f}; US$ {_paid(found)}."
    )


def _paid(found: Findings) -> str:
    prices = [spent.dollars for spent in found.spent.values()]
    known = sum(price for price in prices if price is not None)
    if None not in prices:
        return _price(known)
    return f"{_price(known)} and what has no known price" if known else "unknown"


def _place(place: Place) -> tuple[str, str]:
    return place.study, f"{place.role} {place.kind}"


def _price(dollars: float | None) -> str:
    return "?" if dollars is None else f"{dollars:.4f}"


def _number(value: float) -> str:
    return f"{value:,.0f}"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Columns side by side; the first `left` are words, and not said again below.

    A word that is the same as in the row above is left blank in the first two columns.
    """
    above = [("", ""), *((row[0], row[1]) for row in rows)]
    shown = [
        (
            row[0] if row[0] != study else "",
            row[1] if (row[0], row[1]) != (study, what) else "",
            *row[2:],
        )
        for row, (study, what) in zip(rows, above, strict=False)
    ]
    widths = [max(map(len, column)) for column in zip(headers, *shown, strict=True)]
    rule = ["-" * width for width in widths]
    return "\n".join(
        _GAP.join(
            cell.ljust(width) if number < left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (headers, rule, *shown)
    )


def _listed(title: str, told: Mapping[str, str] | Sequence[str]) -> Iterator[str]:
    """A list below its title; nothing where there is nothing to list."""
    if isinstance(told, Mapping):
        told = [f"{name}: {cut(why, _WHY)}" for name, why in told.items()]
    if told:
        yield "\n".join([f"{title}:", *(_item(text) for text in told)])


def _item(text: str) -> str:
    return fill(
        text,
        WIDTH,
        initial_indent="- ",
        subsequent_indent="  ",
        break_on_hyphens=False,
        break_long_words=True,
    )


def _filled(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)


# What to do about what a check found.

_OF_GRADER = "--model-role 'grader={{model: {model}, max_tokens: {limit}}}'"
_OF_TURN = "-T config.{kind}.max_tokens={limit}"
_SHOWN = 60
_FACTOR = 4


def advice(found: Findings) -> list[str]:
    """What to do about it, in sentences; each thing is said once.

    Args:
        found: What a check found.
    """
    return [
        *_about_unread(found),
        *_about_tokens(found),
        *_about_refused_settings(found),
        *_about_prices(found),
    ]


def cut(text: str, width: int) -> str:
    """A text of at most so many characters, with a mark where it was cut off."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _about_unread(found: Findings) -> Iterator[str]:
    by_stage: dict[tuple[Stage, str], list[Unread]] = defaultdict(list)
    for unread in found.unread:
        by_stage[unread.stage, unread.status].append(unread)
    for (stage, status), each in by_stage.items():
        told = {
            Status.TRUNCATED.value: _cut_off,
            Status.CAPPED.value: _too_long,
            Status.REFUSED.value: _declined,
        }.get(status, _unreadable)
        yield f"{_called(stage)}, {len(each)} {status}: {told(each[0])}"


def _called(stage: Stage) -> str:
    place = stage.place
    return f"{place.model}, {place.study} {place.role} {place.kind} ({stage.field})"


def _cut_off(unread: Unread) -> str:
    place, limit = unread.stage.place, unread.max_tokens
    if limit is None:
        return "the provider's own limit was reached; set one with --max-tokens."
    form = _OF_GRADER if place.kind == "grade" else _OF_TURN
    kind = SETTINGS_OF.get(place.kind, place.kind)
    more = form.format(model=place.model, kind=kind, limit=_FACTOR * limit)
    return (
        f"{limit} tokens were not enough, reasoning among them. Give the task {more}, "
        "or all of them --max-tokens."
    )


def _declined(unread: Unread) -> str:
    return (
        f"{_quoted(unread)} Read the completions with `inspect view`; a provider's own "
        "filter is not the suite's to set."
    )


def _too_long(unread: Unread) -> str:
    return (
        f"{_quoted(unread)} It is longer than config.max_characters, where it was cut; "
        "set that higher if such a length is meant."
    )


def _unreadable(unread: Unread) -> str:
    return (
        f"{_quoted(unread)} Look at them with `inspect view`. -T config.max_reasks=2 "
        "asks once more; -T prompts=FILE says it otherwise."
    )


def _quoted(unread: Unread) -> str:
    if not unread.last_line:
        return "the completion was empty."
    return f"it ended {cut(unread.last_line, _SHOWN)!r}."


def _about_tokens(found: Findings) -> Iterator[str]:
    for model, statuses in found.tokens.items():
        wrong = [status for status in statuses if status not in ("ok", "no_answer")]
        if wrong:
            yield (
                f"{model}, log-probabilities {' and '.join(wrong)}: srdcr then takes "
                "its confidence from 16 further answers per item, also where "
                "-T confidence_from=self_consistency asks for no log-probabilities."
            )


def _about_refused_settings(found: Findings) -> Iterator[str]:
    for model, names in found.refused.items():
        if "temperature" in names:
            yield (
                f"{model} takes no temperature and ran with its own: what the studies "
                "set (0 or another) is not what it does. -T config.answer.temperature="
                "provider sends none from the start."
            )


def _about_prices(found: Findings) -> Iterator[str]:
    unknown = {
        place.model for place, spent in found.spent.items() if spent.dollars is None
    }
    if unknown:
        yield (
            f"The price of {', '.join(sorted(unknown))} is not known to Inspect: give "
            "--model-cost-config FILE."
        )
