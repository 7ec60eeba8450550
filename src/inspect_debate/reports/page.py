"""The debates of a log as one page that a browser opens without a server.

The page asks no other host for anything. What models wrote is data: Jinja escapes it,
and the page's content policy runs no script but its own.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import groupby, pairwise
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    list_eval_logs,
    read_eval_log,
    read_eval_log_samples,
)
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, Turn, debate_of
from inspect_debate.debate.text import Quote, unescape

OUTCOMES = {
    "right": "✓ right",
    "wrong": "✗ wrong",
    "tied": "= tie",
    "none": "– no prediction",
    "ended": "• not graded",
    "failed": "! failed",
}
_DEBATERS = ("debater_a", "debater_b")
LONG = 650
"""Texts of more characters are folded."""


def page(logs: Sequence[str], out: str | Path) -> list[Path]:
    """Write a page of debates for each log.

    Args:
        logs: Log files, or folders of them. Of the logs of one task (`inspect
            eval-retry` makes several) the newest counts.
        out: The folder for the pages, made if need be.

    Returns:
        The pages, named after task, protocol and models. Logs without debates get none.

    Raises:
        InputError: If there is no log, or no log has a debate.
    """
    pages: dict[str, Path] = {}
    for file, log in _newest(logs):
        # One sample at a time: what stays of it is what the page shows.
        samples = read_eval_log_samples(
            file, all_samples_required=False, exclude_fields={"events", "messages"}
        )
        debates = [View(sample, f"d{n}").shown() for n, sample in enumerate(samples, 1)]
        if any(debate["groups"] for debate in debates):
            stem = name = _name(log)
            while name in pages:
                name = f"{stem}-{sum(key.startswith(stem) for key in pages) + 1}"
            pages[name] = Path(out) / f"{name}.html"
            pages[name].parent.mkdir(parents=True, exist_ok=True)
            text = _rendered(log, Path(file).name, debates)
            pages[name].write_text(text, encoding="utf-8", errors="replace")
    if not pages:
        raise InputError(
            f"No log in {', '.join(logs)} has a debate to show; give logs of this "
            "suite's protocols with at least one finished sample."
        )
    return list(pages.values())


# --- The run --------------------------------------------------------------------------


def _newest(logs: Sequence[str]) -> Iterable[tuple[str, EvalLog]]:
    headers = [header for given in logs for header in _headers(given)]
    if not headers:
        raise InputError(
            f"There is no log in {', '.join(logs) or 'nothing'}; give .eval or .json "
            "files, or folders that have some."
        )
    headers.sort(key=lambda pair: pair[1].eval.created)
    return {log.eval.task_id: (file, log) for file, log in headers}.values()


def _headers(given: str) -> list[tuple[str, EvalLog]]:
    one = given.endswith((".eval", ".json"))
    try:
        files = [given] if one else [log.name for log in list_eval_logs(given)]
        return [(file, read_eval_log(file, header_only=True)) for file in files]
    except Exception as error:  # whatever the file system, zip or JSON reader raises
        reason = str(error).strip().split("\n", 1)[0]
        raise InputError(f"{given} cannot be read as a log: {reason}.") from None


def _titles(log: EvalLog) -> list[str]:
    """The task and, where it has another name, the protocol."""
    protocol = (log.eval.metadata or {}).get("protocol") or log.eval.solver or ""
    names = (str(name).rpartition("/")[2] for name in (log.eval.task, protocol))
    return list(dict.fromkeys(filter(None, names)))


def _models(log: EvalLog) -> dict[str, list[str]]:
    """The models by role; the main one has none."""
    found = {"": [log.eval.model]}
    for role, bound in (log.eval.model_roles or {}).items():
        every = bound if isinstance(bound, list) else [bound]
        found[role] = [one.model for one in every]
    return found


def _name(log: EvalLog) -> str:
    models = [m.rpartition("/")[2] for bound in _models(log).values() for m in bound]
    words = "-".join(dict.fromkeys([*_titles(log), *models]))
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words)[:100].strip("-.")


def _rendered(log: EvalLog, file: str, debates: list[dict[str, Any]]) -> str:
    texts = [debate["text"] for debate in debates]
    for debate, begins in zip(debates, distinct(texts), strict=True):
        debate["begins"] = begins
    counts = Counter(debate["outcome"] for debate in debates)
    metadata = log.eval.metadata or {}
    return _template().render(
        title=" · ".join(_titles(log)),
        models=_models(log),
        data=metadata.get("data") or {},
        changed=metadata.get("changed") or {},
        log=log,
        file=file,
        counts={name: counts[name] for name in OUTCOMES if counts[name]},
        debates=debates,
    )


def distinct(texts: Sequence[str], width: int = 90) -> list[str]:
    """The first words of each text that no other of the texts shares.

    Items of one data set often begin alike, so that their first words tell nothing.
    """
    unique = sorted({*texts}, key=str.split)
    words = [text.split() for text in unique]
    shared = [0] * len(words)
    for n, (one, other) in enumerate(pairwise(words)):
        pairs = enumerate(zip(one, other, strict=False))
        alike = next((at for at, (x, y) in pairs if x != y), 0)
        shared[n : n + 2] = max(shared[n], alike), alike
    starts = [n - 2 if n > 6 else 0 for n in shared]
    begins = {
        text: "… " * bool(n) + _cut(" ".join(of_text[n : n + 40]), width)
        for text, of_text, n in zip(unique, words, starts, strict=True)
    }
    return [begins[text] for text in texts]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[:width].rsplit(' ', 1)[0]} …"


# --- A debate -------------------------------------------------------------------------


class View:
    """A sample as the page shows it; of replies only what was public.

    Attributes:
        sources: The item's texts, by the names that quotes give them.
        right: The right options; none are known where debaters answer in words.
    """

    def __init__(self, sample: EvalSample, anchor: str) -> None:
        """Read a sample; `anchor` is its own on the page."""
        self.sample, self.anchor = sample, anchor
        self.debate = debate_of(sample) or Debate()
        self.targets = [*([t] if isinstance(t := sample.target, str) else t)]
        metadata = sample.metadata or {}
        self.labelled = {"task", "response"} <= metadata.keys()
        if self.labelled:
            self.sources = {key: str(metadata[key]) for key in ("task", "response")}
        else:
            asked = sample.input
            text = (
                asked if isinstance(asked, str) else "\n\n".join(m.text for m in asked)
            )
            self.sources = {"question": text}
        known = self.targets if self.labelled or sample.choices else []
        self.right = [key for key in self.debate.options if key in known]
        self.names = {turn.role: turn.speaker for turn in self.debate.of("speech")}
        self.sides = dict(zip(_DEBATERS, ("left", "right"), strict=True))
        listed = [*self.debate.options]
        defended = [self.debate.defends.get(role, "") for role in _DEBATERS]
        # Whoever argues for the answer that is listed first is on the left throughout.
        if {*defended} <= {*listed} and listed.index(defended[0]) > listed.index(
            defended[1]
        ):
            self.sides = dict(zip(_DEBATERS, ("right", "left"), strict=True))
        self.places = {
            name: _merged(self.debate, name, len(text))
            for name, text in self.sources.items()
        }

    def shown(self) -> dict[str, Any]:
        """What the template needs."""
        sample, debate = self.sample, self.debate
        item = [
            (name.capitalize(), *_text(text, self._marks(name)))
            for name, text in self.sources.items()
        ]
        turns = groupby(enumerate(debate.turns), lambda at: (at[1].kind, at[1].round))
        groups = [self._group(kind, n, [*members]) for (kind, n), members in turns]
        rounds = [group for group in groups if group["kind"] == "speech"]
        for group in groups:
            aside = group["kind"] == "answer" and len(groups) > 1
            between = len(rounds) > 3 and group in rounds[1:-1]
            group["open"] = not (aside or between)
        # Protocols indent the further lines of an option.
        texts = {k: text.replace("\n    ", "\n") for k, text in debate.options.items()}
        options = {key: html(unescape(text)) for key, text in texts.items()}
        tied = [f"“{self.words(key)}”" for key in debate.tied]
        return {
            "anchor": self.anchor,
            "id": str(sample.id),
            "epoch": sample.epoch,
            "outcome": self.outcome(),
            "answer": self.words(debate.answer) or " and ".join(tied),
            "drawn": self.words(debate.drawn),
            "right": "; ".join(map(self.words, self.right)) or "; ".join(self.targets),
            "why": self.why(),
            "debated": bool(rounds),
            "text": " ".join(self.sources.values()),
            "item": item,
            "options": {} if self.labelled else options,
            "right_keys": self.right,
            "explanation": str((sample.metadata or {}).get("explanation") or ""),
            "groups": groups,
            "quoted": any(turn.quotes for turn in debate.turns),
        }

    def outcome(self) -> str:
        """How the debate ended, by its scores: a key of `OUTCOMES`."""
        debate = self.debate
        if self.sample.error is not None or not debate.protocol:
            return "failed"
        if debate.answer is None:
            return "tied" if debate.tied else "none"
        values = [score.value for score in (self.sample.scores or {}).values()]
        values += [
            v["correct"] for v in values if isinstance(v, dict) and "correct" in v
        ]
        for value in reversed(values):
            if isinstance(value, float) and isnan(value):
                return "none"
            if value in ("C", "I", 0, 1):
                return "right" if value in ("C", 1) else "wrong"
        if self.right:
            return "right" if debate.answer in self.right else "wrong"
        return "ended"

    def why(self) -> str:
        """Why there was no debate or no answer, or why the sample failed."""
        sample, reason = self.sample, unescape(self.debate.skip_reason)
        if sample.error is not None:
            return f"The sample failed: {sample.error.message.strip()[:300]}"
        parts = []
        if sample.limit:
            parts.append(f"The sample ended at its {sample.limit.type} limit.")
        if reason:
            what = "answer" if self.debate.answer is None else "debate"
            parts.append(f"No {what}: {reason}.")
        if not self.debate.protocol:
            parts.append("There is no record of a debate.")
        return " ".join(parts)

    def words(self, key: str | None) -> str:
        """An answer as people read it: a letter comes with its option's first words."""
        text = _cut(
            " ".join(unescape(self.debate.options.get(key or "", key or "")).split()),
            90,
        )
        text = text.removeprefix("the response ")  # as labels of error detection begin
        return f"{key}) {text}" if key and len(key) == 1 and text != key else text

    def _group(
        self, kind: str, n: int, turns: list[tuple[int, Turn]]
    ) -> dict[str, Any]:
        """Turns that belong together: a round, the first answers, the verdicts."""
        alone = len(turns) == len(self.debate.turns)
        answers = "Answers" if alone else "First answers"
        title = {"answer": answers, "speech": f"Round {n}"}.get(kind)
        if title is None:
            title = f"{kind.capitalize()}{'s' * (len(turns) > 1)}"
            title = f"Round {n}: updated answers" if kind == "update" else title
        if (
            kind == "speech"
            and self.debate.parameters.get("turn_order") == "sequential"
        ):
            title += f" ({', then '.join(turn.speaker for _, turn in turns)})"
        sides = sorted(turn.role for _, turn in turns) == [*_DEBATERS]
        if kind == "answer":
            turns.sort(key=lambda pair: self.sides.get(pair[1].role, ""))
        shown = [self._turn(turn, at) for at, turn in turns]
        drawn = any(turn.draw for _, turn in turns)
        return {
            "kind": kind,
            "drawn": drawn,
            "title": title,
            "sides": sides,
            "turns": shown,
        }

    def _turn(self, turn: Turn, number: int) -> dict[str, Any]:
        debate = self.debate
        argues = debate.defends.get(turn.role, "") if turn.kind == "speech" else ""
        listed = [k for k in debate.options if k in debate.defends.values()]
        listed = listed or [*debate.options]
        first = {"ab": listed[:1], "ba": listed[-1:]}.get(turn.order, [])
        return {
            "anchor": f"{self.anchor}-turn{number}",
            "speaker": self.names.get(turn.role, turn.speaker),
            "role": turn.role if turn.role in self.names else "",
            "side": self.sides.get(turn.role, ""),
            "model": turn.model,
            "argues": self.words(argues),
            "listed_first": "".join(map(self.words, first)),
            "draw": turn.draw,
            "text": _text(*self._speech(turn)),
            "status": turn.status,
            "reason": (turn.error.strip() or turn.stop_reason)[:200],
            "reminded": turn.reminded,
            "facts": [*self._facts(turn)],
        }

    def _facts(self, turn: Turn) -> Iterator[tuple[str, str, str]]:
        """What was read from a reply: name, value, and whether it is right if known.

        Texts other than answers may be private, so they are left out.
        """
        for name, value in turn.fields.items():
            label = "final answer" if name == "final" else name.replace("_", " ")
            if isinstance(value, str) and value in self.debate.options:
                result = (
                    ("right" if value in self.right else "wrong") if self.right else ""
                )
                own = self.debate.defends.get(turn.role, value)
                conceded = ", conceded" * (name == "final" and value != own)
                yield label, self.words(value) + conceded, result
            elif isinstance(value, int | float) and name != "words":
                yield label, f"{value:.3g}", ""
        chance = turn.probabilities.get(str(turn.fields.get("answer")))
        if chance is not None:
            yield "token probability", f"{chance:.2f}", ""

    # Quotes.

    def _marks(self, source: str) -> list["Mark"]:
        """The places quoted, each linked to the first turn that quotes it."""
        return [
            Mark(
                start,
                end,
                "place",
                f"{self.anchor}-turn{turn}",
                self._id(source, start),
            )
            for start, end, turn in self.places[source]
        ]

    def _id(self, source: str, start: int) -> str:
        return f"{self.anchor}-{source}-{start}"

    def _speech(self, turn: Turn) -> tuple[str, list["Mark"]]:
        """A reply's public text as people read it, and its quotes."""
        text, at, marks, quotes = "", 0, list[Mark](), list(turn.quotes)
        for match in _QUOTED.finditer(turn.public):
            text += unescape(turn.public[at : match.start()])
            passage, at = unescape(match[2]), match.end()
            same = (q for q in quotes if q.text.strip() == passage.strip())
            quote = next(same, Quote(text=passage, exact=True))
            quotes = [q for q in quotes if q is not quote]
            kind = "lost" if match[1] == "u" else "found" if quote.exact else "near"
            marks.append(
                Mark(len(text), len(text) + len(passage), kind, self._place(quote))
            )
            text += passage
        return text + unescape(turn.public[at:]), marks

    def _place(self, quote: Quote) -> str:
        source, at = quote.source or "", quote.start or 0
        spans = self.places.get(source, []) if quote.end else []
        return next((self._id(source, s) for s, e, _ in spans if s <= at < e), "")


class Mark(NamedTuple):
    """A marked part of a text."""

    start: int
    end: int
    kind: str
    href: str = ""
    id: str = ""


def _merged(debate: Debate, source: str, length: int) -> list[tuple[int, int, int]]:
    """Where a source is quoted: start, end and the first turn; overlaps are one."""
    merged: list[tuple[int, int, int]] = []
    places = [
        (quote.start, quote.end, number)
        for number, turn in enumerate(debate.turns)
        for quote in turn.quotes
        if quote.source == source
        and quote.start is not None
        and quote.end is not None
        and quote.end <= length
    ]
    for start, end, number in sorted(places):
        if merged and start < merged[-1][1]:
            first, last, earlier = merged[-1]
            merged[-1] = (first, max(last, end), min(earlier, number))
        else:
            merged.append((start, end, number))
    return merged


# --- Texts ----------------------------------------------------------------------------

_QUOTED = re.compile(r"<([vu])_quote>(.*?)</\1_quote>", re.S)
_FENCE = re.compile(
    r"^[ \t]*+(`{3,}|~{3,})[^\n`]*\n.*?(?:^[ \t]*+\1[ \t]*$|\Z)", re.M | re.S
)
_NUMBERS = r"[ \t\[]*+\d++(?:[ ,]++\d++)++[ \t\],]*+"
_ROWS = re.compile(rf"(?:^(?:{_NUMBERS}|[ \t]*+\|[^\n]*+)$\n?){{2,}}", re.M)
_TITLES = {
    "found": "found in the item",
    "near": "found in the item, in other typography",
    "lost": "not found in the item",
    "place": "quoted; back to the speech",
}


def _text(text: str, marks: Iterable[Mark]) -> tuple[Markup, bool]:
    return html(text, [*marks]), len(text) + 60 * text.count("\n") > LONG


def html(text: str, marks: Sequence[Mark] = ()) -> Markup:
    """A text as HTML: fenced code, grids and tables of numbers in a fixed-width font.

    Args:
        text: The text, not escaped. Its line breaks are kept by the page's style.
        marks: Its marks, in order and without overlaps. One that goes on in another
            block is cut.
    """
    blocks = Markup()
    for start, end, tag in _blocks(text):
        inner, at = Markup(), start
        for mark in marks:
            if at <= mark.start < end:
                inner += escape(text[at : mark.start])
                at = min(mark.end, end)
                inner += _marked(mark, text[mark.start : at])
        inner += escape(text[at:end])
        if inner.strip():
            blocks += Markup(f"<{tag}>{{}}</{tag}>").format(inner.strip("\n"))
    return blocks


def _marked(mark: Mark, text: str) -> Markup:
    inner = escape(text)
    if mark.href:
        inner = Markup('<a href="#{}">{}</a>').format(mark.href, inner)
    own = Markup(' id="{}"').format(mark.id) if mark.id else ""
    opening = Markup('<mark class="{}" title="{}"{}>').format(
        mark.kind, _TITLES[mark.kind], own
    )
    return opening + inner + Markup("</mark>")


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a text's parts start and end, and their tags."""
    at = 0
    found = [m.span() for pattern in (_FENCE, _ROWS) for m in pattern.finditer(text)]
    for start, end in sorted(found):
        if start >= at:
            yield at, start, "p"
            yield start, end, "pre"
            at = end
    yield at, len(text), "p"


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters["digest"] = lambda s: b64encode(
        sha256(s.encode()).digest()
    ).decode()
    environment.globals["OUTCOMES"] = OUTCOMES
    file = Path(__file__).with_name("page.html.j2")
    return environment.from_string(file.read_text(encoding="utf-8"))
