"""A debate as Inspect's viewer shows it: a conversation."""

import re
from collections.abc import Mapping

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import unescape

_NOT_OK = {
    "unparsed": "could not be read",
    "refused": "declined to answer",
    "truncated": "was cut off",
    "capped": "was longer than the limit",
    "missing": "is empty",
}
_KINDS = {"answer": "first answer", "update": "updated answer"}
_LONG = 100
"""Characters of a field that is a text of its own, such as the reasons of a bet."""
_FENCE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$", re.M | re.S
)
_QUOTES = re.compile(r"<(?P<kind>[vu])_quote>(?P<text>.*?)</[vu]_quote>", re.S)


def messages(debate: Debate, question: str) -> list[ChatMessage]:
    """The debate for the Messages tab, which shows nothing else of it.

    The viewer colours by message role and prints no names, so each message starts with
    a heading, and the second debater's are the user's. The question is Markdown.
    """
    shown: list[ChatMessage] = [ChatMessageUser(content=question)]
    for turn in debate.turns:
        text = f"{heading(turn)}\n\n{body(turn, debate.options)}"
        if turn.role == "debater_b":
            shown.append(ChatMessageUser(content=text))
        else:
            shown.append(ChatMessageAssistant(content=text, model=turn.model or None))
    shown.append(ChatMessageAssistant(content=f"**Outcome** · {outcome(debate)}"))
    return shown


def result(debate: Debate, target: str = "") -> str:
    """The outcome, and the right answer if there is one, for `Score.explanation`."""
    right = literal(debate.options.get(target, target))
    known = f"\n\nRight answer: {right}" if right else ""
    return f"Outcome: {outcome(debate)}{known}"


def outcome(debate: Debate) -> str:
    """What the debate came to, in one line."""
    if debate.answer is not None:
        found = literal(debate.options.get(debate.answer, debate.answer))
    elif debate.tied:
        texts = [debate.options.get(key, key) for key in debate.tied]
        drawn = debate.options.get(debate.drawn or "", debate.drawn)
        found = literal(f"a tie between “{'” and “'.join(texts)}”; drawn: {drawn}")
    else:
        found = "no answer"
    return f"{found} ({debate.skip_reason})" if debate.skip_reason else found


def heading(turn: Turn) -> str:
    """Who speaks, and when."""
    kind = _KINDS.get(turn.kind, turn.kind)
    where = f"round {turn.round}, {kind}" if turn.round else kind
    order = f", read in order {turn.order}" if turn.order else ""
    role = "" if turn.speaker.startswith(turn.role) else f" ({turn.role})"
    return f"**{turn.speaker}**{role} · {where}{order}"


def body(turn: Turn, options: Mapping[str, str]) -> str:
    """What was said, then what was read from it."""
    text = literal(_QUOTES.sub(_quoted, turn.public))
    if turn.status != "ok":
        reason = turn.error or turn.stop_reason or "no reply"
        note = f"*The reply {_NOT_OK[turn.status]} ({literal(reason[:200])}).*"
        return f"{text}\n\n{note}".strip()
    scalars = {k: v for k, v in turn.fields.items() if isinstance(v, str | int | float)}
    read = {k: literal(options.get(str(v), str(v))) for k, v in scalars.items()}
    line = " · ".join(f"{k}: {v}" for k, v in read.items() if len(v) <= _LONG)
    said = unescape(turn.public)
    long = [
        f"*Private {k}:* {v}"
        for k, v in read.items()
        if len(v) > _LONG and str(scalars[k]) not in said
    ]
    return "\n\n".join(filter(None, [text, line and f"*{line}*", *long]))


def literal(text: str) -> str:
    """A model's text as Markdown that shows its own tags, and no headings of its own.

    Fenced blocks, such as code and grids, stay as they are.
    """
    text, shown, end = unescape(text), [], 0
    for block in _FENCE.finditer(text):
        shown += [_plain(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*shown, _plain(text[end:])])


def _plain(text: str) -> str:
    return re.sub(r"^(#+ )", r"\\\1", text.replace("<", r"\<"), flags=re.M)


def _quoted(match: re.Match[str]) -> str:
    mark = "✓" if match["kind"] == "v" else "*(not found)*"
    return f"“{match['text']}” {mark}"
