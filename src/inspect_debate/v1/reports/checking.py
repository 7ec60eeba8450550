"""What a check of models found in its logs, what to do about it, and the report."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, get_args

import pandas as pd
from inspect_ai.log import EvalError
from inspect_ai.model import ModelUsage

from inspect_debate.v1.debate.record import KINDS, DebateRecord, Role, Status, Turn
from inspect_debate.v1.debate.spending import is_free
from inspect_debate.v1.reports.elements import COUNT, Format, counted, listed
from inspect_debate.v1.reports.logs import Log, LogPaths, open_logs
from inspect_debate.v1.reports.samples import Held, read_samples
from inspect_debate.v1.reports.sanity import STATUSES
from inspect_debate.v1.reports.views import DataReport, Measure, Part, Rows, View, total

# What is found: a row for every field that was read, and for every turn that cost.

PLACE = ["model", "study", "role", "kind"]
"""Who was asked for what; both debaters have the role `debater`."""
FIELDS = [*PLACE, "field", "status", "reasks", "check", "last_line", "max_tokens"]
SPENT = ["calls", "input_tokens", "output_tokens"]
COSTS = [*PLACE, "plays", "served", *SPENT, "seconds", "dollars"]

SETTINGS_OF = {"update": "answer"}
"""Kinds of turns that have the generation settings of another kind."""


@dataclass(frozen=True)
class Findings:
    """What a check found.

    Attributes:
        checks: The names of the protocols that ran.
        fields: A row for every field that was read, with the columns of `FIELDS`: its
            place, its name, how it was read, how often its turn was asked for again,
            the last line of the completion (of an earlier one where the last was not
            recorded), and the limit of the completion, if one was sent.
        costs: A row for every turn, with the columns of `COSTS`: beside its place, the
            role that the model plays and the name under which it answered. Seconds and
            dollars are NaN where they are not known. Calls include those that asked
            again, input tokens those from a cache.
        refused: By model, the settings that it does not take.
        failures: By check, what went wrong beside what could not be read.
        unreached: By check, kinds of turns that did not happen, and why.
        seconds: From the start of the first run to the end of the last.
    """

    checks: Sequence[str]
    fields: pd.DataFrame
    costs: pd.DataFrame
    refused: Mapping[str, Sequence[str]]
    failures: Mapping[str, str]
    unreached: Mapping[str, str]
    seconds: float

    @property
    def unread(self) -> pd.DataFrame:
        """The fields that could not be read, for whatever reason."""
        return self.fields[self.fields["status"] != Status.OK.value]

    @property
    def models(self) -> dict[str, pd.DataFrame]:
        """The turns of each model, of those with the first roles first."""
        turns = self.costs.assign(rank=self.costs["plays"].map(_ROLES.index))
        parts = turns.groupby("model", sort=False)
        ranked = sorted(parts, key=lambda part: int(part[1]["rank"].min()))
        return {
            str(name): turns.sort_values("rank", kind="stable")
            for name, turns in ranked
        }


def status_of(found: Findings, max_unparsed: float) -> int:
    """The exit code of a check.

    Args:
        found: What it found.
        max_unparsed: The share of unread fields that is accepted, field by field.

    Returns:
        0, or 3 where a run failed, or 1 where a field has a greater share.
    """
    if found.failures:
        return 3
    unread = found.fields["status"].ne(Status.OK.value)
    shares = unread.groupby([found.fields[name] for name in (*PLACE, "field")]).mean()
    return int(bool((shares > max_unparsed).any()))


_NOT_TAKEN = {"temperature": "provider", "logprobs": "refused"}
"""What a record has in the place of a setting that the model refused."""
_ROLES: tuple[str, ...] = get_args(Role)
_DEBATER = re.compile(r"_debater_[ab]$")


def look_into(logs: LogPaths) -> Findings:
    """Go through the logs of a check.

    Args:
        logs: Logs of runs of the suite's tasks.

    Raises:
        InputError: As `open_logs`.
    """
    opened = sorted(open_logs(logs), key=_check)
    found = _Reading()
    for log in opened:
        found.look_into(log)
    found.fields.sort(key=_rank)
    found.costs.sort(key=_rank)
    return Findings(
        checks=[_check(log) for log in opened],
        fields=pd.DataFrame(found.fields, columns=FIELDS),
        costs=pd.DataFrame(found.costs, columns=COSTS),
        refused={model: [*names] for model, names in found.refused.items()},
        failures=found.failures,
        unreached=found.unreached,
        seconds=_seconds(opened),
    )


def _check(log: Log) -> str:
    """The name of the check; of other logs that of the task."""
    protocol = log.metadata.get("protocol", "")
    return str(log.metadata.get("check", f"{log.header.eval.task} {protocol}".strip()))


def _rank(row: Mapping[str, Any]) -> tuple[str, int, str]:
    """By study, then as kinds come in a debate."""
    kind = row["kind"]
    place = KINDS.index(kind) if kind in KINDS else len(KINDS)
    return row["study"], place, row["role"]


@dataclass
class _Reading:
    """What was found so far."""

    fields: list[dict[str, Any]] = field(default_factory=list)
    costs: list[dict[str, Any]] = field(default_factory=list)
    refused: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    failures: dict[str, str] = field(default_factory=dict)
    unreached: dict[str, str] = field(default_factory=dict)

    def look_into(self, log: Log) -> None:
        """Go through a log."""
        check, kinds, skipped = _check(log), set[str](), list[str]()
        if log.header.error is not None:
            self.failures.setdefault(check, _one_line(log.header.error.message))
        for logged in read_samples(log):
            if (failure := _failure(logged)) is not None:
                self.failures.setdefault(check, failure)
            if (record := logged.record) is None:
                continue
            kinds.update(turn.kind for turn in record.turns)
            skipped += [record.skip_reason] if record.skip_reason else []
            for turn in record.turns:
                self._add_turn(log, record, turn)
            for participant in record.participants:
                for sent in participant.settings.values():
                    refused = {n for n, v in _NOT_TAKEN.items() if sent.get(n) == v}
                    self.refused[participant.model] |= refused
        missed = [k for k in log.metadata.get("check_stages", ()) if k not in kinds]
        if missed and check not in self.failures:
            why = skipped[0] if skipped else "it was not asked for"
            self.unreached[check] = f"no {' and no '.join(missed)}: {why}"

    def _add_turn(self, log: Log, record: DebateRecord, turn: Turn) -> None:
        place = _place(log, turn.model, turn.role, turn.kind)
        answered = {"plays": turn.role, "served": turn.served}
        self.costs.append(
            place | answered | _spent(turn.model, turn.calls, turn.usage, turn.seconds)
        )
        settings = record.participant(turn.participant).settings
        sent = settings.get(turn.kind) or settings.get(SETTINGS_OF.get(turn.kind, ""))
        of_turn = place | {
            "reasks": len(turn.superseded),
            "check": _check(log),
            "last_line": _last_line(
                turn.public or turn.private or "".join(turn.superseded[-1:])
            ),
            "max_tokens": (sent or {}).get("max_tokens"),
        }
        for name, parsed in turn.fields.items():
            read = {"field": _DEBATER.sub("", name), "status": parsed.status.value}
            self.fields.append(of_turn | read)


def _place(log: Log, model: str, role: str, kind: str) -> dict[str, Any]:
    study = str(log.metadata.get("study", ""))
    role = "debater" if "debater" in role else role
    return {"model": model, "study": study, "role": role, "kind": kind}


def _spent(
    model: str, calls: int, usage: ModelUsage, seconds: float | None
) -> dict[str, Any]:
    """What some calls cost; none, and those of free models, cost no money."""
    cached = (usage.input_tokens_cache_read, usage.input_tokens_cache_write)
    return {
        "calls": calls,
        "input_tokens": usage.input_tokens + sum(filter(None, cached)),
        "output_tokens": usage.output_tokens,
        "seconds": float("nan") if seconds is None else seconds,
        "dollars": 0.0
        if is_free(model) or not calls
        else float("nan")
        if usage.total_cost is None
        else usage.total_cost,
    }


def _failure(logged: Held) -> str | None:
    """What went wrong with a sample beside what could not be read."""
    sample, record = logged.sample, logged.record
    if sample.error is not None:
        return _one_line(_message(sample.error))
    if sample.limit is not None:
        return f"the {sample.limit.type} limit was reached"
    for score in (sample.scores or {}).values():
        if score.reason == "grader_failed":
            return _one_line(score.explanation or "the grader failed")
    if record is None or not record.complete:
        return "the debate did not end"
    return None


def _message(error: EvalError) -> str:
    """An error's message; of a call that was given up, that of its last attempt."""
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
    stats = [log.header.stats for log in logs]
    started = [datetime.fromisoformat(s.started_at) for s in stats if s.started_at]
    ended = [datetime.fromisoformat(s.completed_at) for s in stats if s.completed_at]
    return (max(ended) - min(started)).total_seconds() if started and ended else 0.0


# What a check found, as a report and as data for a file.

_WHY = 300
_DOLLARS, _SECONDS = Format(digits=4), Format(digits=1)


def as_data(found: Findings) -> dict[str, Any]:
    """What a check found, for a JSON file.

    Args:
        found: What it found.

    Returns:
        Of every model its `roles`, how it was `served`, and what it does not take
        (`refused`); `stages` with the number of fields by status;
        `costs` in tokens, seconds and US dollars, null where unknown; `failed`,
        `not_reached` and `advice`.
    """
    return {
        "checks": [*found.checks],
        "models": {
            name: {
                "roles": list(turns["plays"].unique()),
                "served": list(turns["served"].dropna().unique()),
                "refused": list(found.refused.get(name, ())),
            }
            for name, turns in found.models.items()
        },
        "stages": [
            {
                **dict(zip([*PLACE, "field"], place, strict=True)),
                "asked": len(rows),
                **{s.value: int((rows["status"] == s.value).sum()) for s in Status},
                "re_asks": int(rows["reasks"].sum()),
            }
            for place, rows in found.fields.groupby([*PLACE, "field"], sort=False)
        ],
        "costs": [
            {
                **dict(zip(PLACE, place, strict=True)),
                **{name: int(rows[name].sum()) for name in SPENT},
                **{name: _known(rows[name]) for name in ("seconds", "dollars")},
            }
            for place, rows in found.costs.groupby(PLACE, sort=False)
        ],
        "seconds": found.seconds,
        "failed": dict(found.failures),
        "not_reached": dict(found.unreached),
        "advice": advice(found),
    }


def _known(values: "pd.Series[float]") -> float | None:
    """A sum; None once a part of it is not known."""
    return None if values.isna().any() else float(values.sum())


def _asked_for(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(asked_for=frame["role"] + " " + frame["kind"])


def _count(status: str) -> Callable[[pd.DataFrame], object]:
    return lambda rows: int((rows["status"] == status).sum())


def _per_call(column: str) -> Callable[[pd.DataFrame], object]:
    return lambda rows: rows[column].sum(skipna=False) / rows["calls"].sum()


def _summary(found: Findings) -> str:
    unread, costs = len(found.unread), found.costs
    tokens = costs["input_tokens"].sum() + costs["output_tokens"].sum()
    return (
        f"{counted(len(found.checks), 'protocol')}, "
        f"{counted(len(found.fields), 'field')}: {len(found.fields) - unread} read, "
        f"{unread} not read. {int(costs['calls'].sum())} calls, {tokens:,.0f} tokens, "
        f"{found.seconds:.0f} seconds, {_paid(costs['dollars'])}."
    )


def _paid(dollars: "pd.Series[float]") -> str:
    known = dollars.sum()
    if dollars.notna().all():
        return f"US$ {known:.4f}"
    return f"US$ {known:.4f} and what has no known price" if known else "price unknown"


def _models(found: Findings) -> Iterator[dict[str, object]]:
    for name, turns in found.models.items():
        served = [n for n in turns["served"].dropna().unique() if not name.endswith(n)]
        yield {
            "Model": name,
            "Roles": ", ".join(turns["plays"].unique()),
            "Served as": ", ".join(served) or None,
            "Does not take": ", ".join(found.refused.get(name, ())) or None,
        }


_BY = {"Model": "model", "Study": "study", "Asked for": "asked_for"}


def _list(of: Callable[[Findings], Mapping[str, str]]) -> Callable[[Findings], str]:
    return lambda found: listed(
        f"{n}: {cut(why, _WHY)}" for n, why in of(found).items()
    )


REPORT: DataReport[Findings] = DataReport(
    title=lambda found: f"Check of {', '.join(found.models) or 'no model'}",
    summary=_summary,
    parts=[
        Part(
            "Models",
            [
                Rows(
                    *("models", "Models and what they do", _models),
                    optional=("Served as", "Does not take"),
                )
            ],
        ),
        Part(
            "Replies",
            [
                View[Findings](
                    *("fields", "How each field was read"),
                    rows=lambda found: _asked_for(found.fields),
                    by=_BY | {"Field": "field"},
                    measures=[
                        Measure("Asked", len, COUNT),
                        Measure("Read", _count(Status.OK.value), COUNT),
                        *(
                            Measure(title, _count(status), COUNT, optional=True)
                            for status, title in STATUSES.items()
                        ),
                        Measure("Asked again", total("reasks"), COUNT, optional=True),
                    ],
                )
            ],
        ),
        Part(
            "Calls",
            [
                View[Findings](
                    *("costs", "What calls cost"),
                    rows=lambda found: _asked_for(
                        found.costs[found.costs["calls"] > 0]
                    ),
                    by=_BY,
                    measures=[
                        Measure("Calls", total("calls"), COUNT),
                        Measure("Tokens in", _per_call("input_tokens"), COUNT),
                        Measure("Tokens out", _per_call("output_tokens"), COUNT),
                        Measure("Seconds", _per_call("seconds"), _SECONDS),
                        Measure(
                            "US$ in all",
                            lambda rows: rows["dollars"].sum(skipna=False),
                            _DOLLARS,
                        ),
                    ],
                    note="Tokens and seconds are means per call.",
                )
            ],
        ),
        Part("Failed", text=_list(lambda found: found.failures)),
        Part("Not asked for", text=_list(lambda found: found.unreached)),
        Part("What to do", text=lambda found: listed(advice(found))),
    ],
)
"""The report of a check, for a terminal."""


# What to do about what a check found.

_OF_GRADER = "--model-role 'grader={{model: {model}, max_tokens: {limit}}}'"
_OF_TURN = "-T config.{kind}.max_tokens={limit}"
_SHOWN = 60
_FACTOR = 4


def advice(found: Findings) -> list[str]:
    """What to do about it, in sentences; each thing once.

    Args:
        found: What a check found.
    """
    return [
        *_about_unread(found),
        *_about_refused_settings(found),
        *_about_prices(found),
    ]


def cut(text: str, width: int) -> str:
    """A text of at most so many characters, with a mark where it was cut off."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _about_unread(found: Findings) -> Iterator[str]:
    for _, rows in found.unread.groupby([*PLACE, "field", "status"], sort=False):
        one = rows.iloc[0]
        yield (
            f"{one['model']}, {one['study']} {one['role']} {one['kind']} "
            f"({one['field']}), {len(rows)} {one['status']}: {_advised(one)}"
        )


def _advised(one: "pd.Series[Any]") -> str:
    if one["status"] == Status.TRUNCATED.value:
        return _cut_off(one)
    ended = "the completion was empty."
    if one["last_line"]:
        ended = f"it ended {cut(one['last_line'], _SHOWN)!r}."
    return f"{ended} {_UNREAD.get(one['status'], _UNREADABLE)}"


_UNREADABLE = (
    "Look at them with `inspect view`. -T config.max_reasks=2 asks once more; "
    "-T prompts=FILE asks in other words."
)
_UNREAD = {
    Status.REFUSED.value: "Read the completions with `inspect view`; this suite "
    "cannot change a provider's own filter.",
    Status.CAPPED.value: "It is longer than config.max_characters, where it was cut; "
    "raise that if such a length is meant.",
}


def _cut_off(one: "pd.Series[Any]") -> str:
    if pd.isna(one["max_tokens"]):
        return "the provider's own limit was reached; set one with --max-tokens."
    limit = int(one["max_tokens"])
    form = _OF_GRADER if one["kind"] == "grade" else _OF_TURN
    kind = SETTINGS_OF.get(one["kind"], one["kind"])
    more = form.format(model=one["model"], kind=kind, limit=_FACTOR * limit)
    return (
        f"{limit} tokens were not enough, reasoning among them. Give the task {more}, "
        "or all of them --max-tokens."
    )


def _about_refused_settings(found: Findings) -> Iterator[str]:
    for name, refused in found.refused.items():
        if "temperature" in refused:
            yield (
                f"{name} takes no temperature and ran with its own, whatever the "
                "studies set. -T config.answer.temperature=provider sends none from "
                "the start."
            )


def _about_prices(found: Findings) -> Iterator[str]:
    unknown = found.costs.loc[found.costs["dollars"].isna(), "model"]
    if len(unknown):
        yield (
            f"Inspect does not know the price of {', '.join(sorted({*unknown}))}: give "
            "--model-cost-config FILE."
        )
