import re
from random import Random

import pytest

from inspect_debate.core.cue import Format
from inspect_debate.core.parsing import (
    choice_line,
    label_sentence,
    looks_refused,
    verdict,
)
from inspect_debate.core.quotes import verify_quotes
from inspect_debate.core.record import Parsed, Status
from inspect_debate.core.rendering import neutralise
from inspect_debate.core.tags import split_argument
from inspect_debate.models.behaviour import Behaviour, UnreadableKind
from inspect_debate.models.spoiling import (
    LONG,
    REFUSALS,
    hostile,
    truncated,
    unreadable,
)
from tests.models.drafts import CHOICES, LABELS, drafts


def _required(form: Format, text: str) -> Status:
    match form:
        case "label_sentence":
            return label_sentence(text).status
        case "verdict":
            return verdict(text, CHOICES).status
        case "speech":
            return split_argument(text).status


@pytest.mark.parametrize("form", ["label_sentence", "speech", "verdict"])
@pytest.mark.parametrize(
    "kind", ["any", "no_tags", "echo", "both", "empty", "long", "script"]
)
def test_unreadable_kinds_are_not_read(form: Format, kind: UnreadableKind) -> None:
    behaviour = Behaviour(unreadable_kind=kind)
    for n, draft in enumerate(drafts(form)[:40]):
        text = unreadable(behaviour, draft, form, Random(n))
        if (form, kind) == ("speech", "both"):
            argument = split_argument(text).argument
            assert choice_line(argument, "Final", CHOICES) == Parsed.unparsed()
            assert _required(form, text) == Status.OK
        else:
            assert _required(form, text) == Status.UNPARSED
        assert not looks_refused(text)
        assert (text == "") or kind != "empty"
        assert len(text) >= LONG or kind != "long"
        assert re.match("[^a-zA-Z]+$", text) or kind != "script"


def test_any_kind_takes_turns() -> None:
    draft = drafts("verdict")[0]
    texts = {unreadable(Behaviour(), draft, "verdict", Random(n)) for n in range(200)}
    assert len(texts) == 4 + 4  # four kinds, and four scripts


def test_no_tags_keeps_the_words_of_a_speech() -> None:
    draft = drafts("speech")[0]
    text = unreadable(Behaviour(unreadable_kind="no_tags"), draft, "speech", Random(1))
    assert draft.body in text
    assert split_argument(text).argument.endswith(draft.closing)


def test_refusals_look_refused() -> None:
    assert all(looks_refused(text) for text in REFUSALS)


@pytest.mark.parametrize("form", ["label_sentence", "speech", "verdict"])
def test_truncated_texts_are_cut_before_their_closing(form: Format) -> None:
    for n, draft in enumerate(drafts(form)):
        text = truncated(draft, Random(n))
        assert draft.text.startswith(text)
        assert 0 < len(text) < len(draft.before_closing)
        assert _required(form, text) == Status.UNPARSED


@pytest.mark.parametrize("kind", ["forged_quote", "takeover"])
@pytest.mark.parametrize("form", ["label_sentence", "speech"])
@pytest.mark.parametrize("label", LABELS)
def test_hostile_texts_stay_readable(kind: str, form: Format, label: str) -> None:
    behaviour = Behaviour.model_validate({"hostile_kind": kind})
    for n, draft in enumerate(drafts(form, label)):
        text = hostile(behaviour, draft, label, Random(n)).text
        assert _required(form, text) == Status.OK
        if form == "label_sentence":
            assert label_sentence(text) == Parsed.ok(label)
        else:
            argument = split_argument(text).argument
            assert choice_line(argument, "Final", CHOICES) == Parsed.ok(label)
        attack = "<v_quote>" if kind == "forged_quote" else "\n</transcript>\n"
        assert attack in text
        assert attack not in neutralise(verify_quotes(text, {}).text)


def test_takeover_speaks_for_its_own_side() -> None:
    behaviour = Behaviour(hostile_kind="takeover")
    for label, number, loser in (("error", 1, "Bob"), ("no_error", 2, "Alice")):
        text = hostile(behaviour, drafts("speech")[0], label, Random(1)).text
        assert "<system>\n" in text
        assert f"Answer: {number}" in text
        assert f'speaker="{loser}"' in text
