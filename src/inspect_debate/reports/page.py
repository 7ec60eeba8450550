"""The debates of a log as one page that a browser opens without a server.

The page asks no other host for anything. What models wrote is data: Jinja escapes it,
and the page's content policy runs no script but its own.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from inspect_ai.log import EvalSample, read_eval_log_samples
from markupsafe import Markup, escape

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import Debate, Turn, debate_of
from inspect_debate.debate.text import unescape
from inspect_debate.reports.frames import headers, models, protocol, short
from inspect_debate.reports.report import rendered

OUTCOMES = {
    "right": "✓ right",
    "wrong": "✗ wrong",
    "tied": "= tie",
    "none": "– no answer",
    "ended": "• not graded",
    "failed": "! failed",
}


def page(logs: Sequence[str], out: str | Path) -> list[Path]:
    """Write a page of debates for each log, named after task, protocol and task id."""
    pages = []
    for file, log in headers(logs):
        samples = read_eval_log_samples(
            file, all_samples_required=False, exclude_fields={"events", "messages"}
        )
        views = [View(sample, f"d{n}") for n, sample in enumerate(samples, 1)]
        views.sort(key=lambda view: not view.names)  # debates first
        if not any(view.debate.turns for view in views):
            continue
        spoke = ", ".join(models(log).values()).split(", ")  # panels are joined
        names = (log.eval.task.rpartition("/")[2], protocol(log))
        title = " · ".join(dict.fromkeys(filter(None, names)))
        counts = Counter(view.outcome for view in views)
        text = rendered(
            "page.html.j2",
            title=title,
            models=dict.fromkeys(map(short, spoke)),
            log=log,
            file=Path(file).name,
            views=views,
            counts={name: counts[name] for name in OUTCOMES if counts[name]},
            OUTCOMES=OUTCOMES,
            html=html,
            digest=lambda text: b64encode(sha256(text.encode()).digest()).decode(),
        )
        name = re.sub(r"[^\w.-]+", "-", f"{title}-{log.eval.task_id}")
        pages.append(Path(out) / f"{name}.html")
        pages[-1].parent.mkdir(parents=True, exist_ok=True)
        pages[-1].write_text(text, encoding="utf-8", errors="replace")
    if not pages:
        raise InputError(
            f"No log in {', '.join(logs)} has a debate; give logs of our protocols."
        )
    return pages


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 90 else f"{text[:90].rsplit(' ', 1)[0]} …"


class Mark(NamedTuple):
    """A marked part of a text."""

    start: int
    end: int
    kind: str
    href: str = ""
    id: str = ""


class View:
    """A sample as the page shows it; of replies only what was public."""

    def __init__(self, sample: EvalSample, anchor: str) -> None:
        self.sample, self.anchor = sample, anchor
        self.debate = debate = debate_of(sample) or Debate()
        self.options = {key: unescape(text) for key, text in debate.options.items()}
        asked, metadata = sample.input, sample.metadata
        text = asked if isinstance(asked, str) else "\n\n".join(m.text for m in asked)
        self.sources = {"question": text}
        if labelled := {"task", "response"} <= metadata.keys():
            self.sources = {key: str(metadata[key]) for key in ("task", "response")}
        elif passage := metadata.get("passage"):
            self.sources["passage"] = str(passage)
        self.begins = _cut(self.sources.get("response", text))
        self.title = str(sample.id) + f" · epoch {sample.epoch}" * (sample.epoch > 1)
        targets = [t] if isinstance(t := sample.target, str) else t
        known = targets if labelled or sample.choices else []
        self.right = [key for key in self.options if key in known]
        self.answer = self.words(*([debate.answer] if debate.answer else debate.tied))
        self.expected = self.words(*(self.right or targets))
        self.names = {turn.role: turn.speaker for turn in debate.of("speech")}
        roles = ["debater_a", "debater_b"]
        roles.sort(key=lambda role: self.names.get(role, role))
        self.sides = dict(zip(roles, ("left", "right"), strict=True))
        self.ids: dict[tuple[str | None, int | None], str] = {}
        self.item = {k: html(text, self._places(k)) for k, text in self.sources.items()}
        if self.options and sample.choices:
            answers = [f"{key}) {text}" for key, text in self.options.items()]
            self.item["answers"] = html("\n\n".join(answers))

    @property
    def outcome(self) -> str:
        """How the debate ended: a key of `OUTCOMES`."""
        debate = self.debate
        if self.sample.error or not debate.protocol:
            return "failed"
        if debate.answer in (None, "abstain"):
            return "tied" if debate.tied else "none" if self.expected else "ended"
        if self.right:
            return "right" if debate.answer in self.right else "wrong"
        for score in (self.sample.scores or {}).values():
            found = score.value
            if isinstance(found, dict):
                value = found.get("correct", found.get("verdict_correct"))
            else:
                value = found
            if value in ("C", "I", 0, 1):
                return "right" if value in ("C", 1) else "wrong"
        return "ended"

    @property
    def why(self) -> str:
        """Why there was no debate or no answer, or why the sample failed."""
        sample, debate = self.sample, self.debate
        if sample.error:
            return f"The sample failed: {sample.error.message.strip()[:300]}"
        if sample.limit:
            return f"The sample ended at its {sample.limit.type} limit."
        if not debate.protocol:
            return "There is no record of a debate."
        what = "answer" if debate.answer is None else "debate"
        reason = unescape(debate.skip_reason)
        return f"No {what}: {reason}." if reason else ""

    def words(self, *answers: str) -> str:
        """Answers as people read them: letters come with their option's first words."""
        found = []
        for key in answers:
            text = _cut(self.options.get(key, unescape(key)))
            text = text.removeprefix("the response ")  # as labels of one data set begin
            found.append(f"{key}) {text}" if len(key) == 1 and text != key else text)
        return "; ".join(found)

    def groups(self) -> Iterator[tuple[str, bool, list[tuple[int, Turn]]]]:
        """Turns that belong together: title, whether unfolded, and numbered turns."""
        turns = [*enumerate(self.debate.turns)]
        parts = [
            [*of] for _, of in groupby(turns, lambda at: (at[1].kind, at[1].round))
        ]
        last = max((turn.round for turn in self.debate.of("speech")), default=0)
        for part in parts:
            kind, n = part[0][1].kind, part[0][1].round
            title = kind.capitalize()
            if kind in ("speech", "update"):
                title = f"Round {n}" + ": updated answers" * (kind == "update")
            folded = kind == "speech" and last > 3 and 1 < n < last
            if kind == "answer" and len(parts) > 1:
                title, folded = f"First {title.lower()}", True
                part.sort(key=lambda at: self.sides.get(at[1].role, ""))
            yield title, not folded, part

    def speaker(self, turn: Turn) -> str:
        """The name under which a turn's role speaks in the debate."""
        return self.names.get(turn.role, turn.speaker).replace("_", " ").title()

    def about(self, turn: Turn) -> str:
        """Who speaks for what, and what a judge read first."""
        defended = self.debate.defends
        about = [turn.role.replace("_", " ")] if turn.role in self.names else []
        about.append(short(turn.model))
        if turn.kind == "speech" and turn.role in defended:
            about.append(f"argues: {self.words(defended[turn.role])}")
        listed = [k for k in self.options if k in defended.values()]
        listed = listed if len(listed) == 2 else [*self.options]
        if listed and turn.order in ("ab", "ba"):
            first = self.words(listed[0 if turn.order == "ab" else -1])
            about.append(f"“{first}” listed first")
        if turn.draw:
            about.append(f"draw {turn.draw + 1}")
        return " · ".join(about)

    def facts(self, turn: Turn) -> list[tuple[str, str, str]]:
        """What was read from a reply: name, value, and whether it is right if known.

        Texts other than answers are left out.
        """
        facts = []
        for name, value in turn.fields.items():
            label = "final answer" if name == "final" else name.replace("_", " ")
            if isinstance(value, str) and value in self.options:
                own = self.debate.defends.get(turn.role, value)
                conceded = ", conceded" * (name == "final" and value != own)
                result = "right" if value in self.right else "wrong"
                facts.append(
                    (label, self.words(value) + conceded, result if self.right else "")
                )
            elif turn.kind in ("answer", "verdict") and isinstance(value, str):
                facts.append((label, value, ""))
            elif isinstance(value, int | float) and name != "words":
                facts.append((label, f"{value:.3g}", ""))
        chance = turn.probabilities.get(str(turn.fields.get("answer")))
        if chance is not None:
            facts.append(("token probability", f"{chance:.2f}", ""))
        return facts

    def speech(self, turn: Turn) -> Markup:
        """A reply's public text as people read it, its quotes linked to the item."""
        text, at, marks = "", 0, []
        quoted = re.finditer(r"<[vu]_quote>(.*?)</[vu]_quote>", turn.public, re.S)
        for match, quote in zip(quoted, turn.quotes, strict=False):
            text += unescape(turn.public[at : match.start()])
            start, at = len(text), match.end()
            text += unescape(match[1])
            kind = "lost" if not quote.source else "found" if quote.exact else "near"
            place = self.ids.get((quote.source, quote.start), "")
            marks.append(Mark(start, len(text), kind, place))
        return html(text + unescape(turn.public[at:]), marks)

    def _places(self, source: str) -> list[Mark]:
        """Where a source is quoted, linked to a turn that does; overlaps are one."""
        quoted = [
            (quote.start or 0, quote.end or 0, f"{self.anchor}-turn{number}")
            for number, turn in enumerate(self.debate.turns)
            for quote in turn.quotes
            if quote.source == source
        ]
        places: list[Mark] = []
        for start, end, turn in sorted(quoted):
            if places and start < places[-1].end:
                places[-1] = places[-1]._replace(end=max(end, places[-1].end))
            else:
                id = f"{self.anchor}-{source}-{start}"
                places.append(Mark(start, end, "found", turn, id))
            self.ids[source, start] = places[-1].id
        return places


_NUMBERS = r"[ \t\[]*+\d++(?:[ ,]++\d++)++[ \t\],]*+"
_FIXED = re.compile(
    r"^[ \t]*+(`{3,}|~{3,})[^\n`]*\n.*?(?:^[ \t]*+\1[ \t]*$|\Z)"
    rf"|(?:^(?:{_NUMBERS}|[ \t]*+\|[^\n]*+)$\n?){{2,}}",
    re.M | re.S,
)
"""Fenced code, and rows of numbers or of a table."""
_LONG = 650  # texts of more characters are folded


def html(text: str, marks: Sequence[Mark] = ()) -> Markup:
    """A text as HTML, with code, grids and tables in a fixed-width font.

    Marks are in order and do not overlap; one that goes on in another block is cut.
    """
    blocks, begin, inside = [], 0, Markup()
    for fixed in _FIXED.finditer(text):
        blocks += [(begin, fixed.start(), "p"), (*fixed.span(), "pre")]
        begin = fixed.end()
    for start, end, tag in [*blocks, (begin, len(text), "p")]:
        inner, at = Markup(), start
        for mark in marks:
            if at <= mark.start < end:
                inner += escape(text[at : mark.start])
                at = min(mark.end, end)
                inner += _marked(mark, text[mark.start : at])
        inner += escape(text[at:end])
        if inner.strip():
            inside += Markup(f"<{tag}>{{}}</{tag}>").format(inner.strip("\n"))
    if len(text) + 60 * text.count("\n") <= _LONG:
        return Markup('<div class="text">{}</div>').format(inside)
    more = Markup('<details class="more"><summary>Whole text</summary></details>')
    return Markup('<div class="text clamp">{}</div>{}').format(inside, more)


def _marked(mark: Mark, text: str) -> Markup:
    own = Markup(' id="{}"').format(mark.id) if mark.id else ""
    link = Markup('<a href="#{}">{}</a>').format(mark.href, text)
    inner = link if mark.href else text
    return Markup('<mark class="{}"{}>{}</mark>').format(mark.kind, own, inner)
