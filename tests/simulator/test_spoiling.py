import re
from random import Random

import pytest

from inspect_debate.debate.cue import Format
from inspect_debate.debate.parsing import looks_refused, split_argument
from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.debate.rendering import neutralise
from inspect_debate.simulator.behaviour import Behaviour, UnreadableKind
from inspect_debate.simulator.spoiling import (
    LONG,
    REFUSALS,
    hostile,
    truncated,
    unreadable,
)
from inspect_debate.solvers.bet_records import SIDES
from tests.simulator.drafts import drafts
from tests.simulator.reading import FORMS, LABELS, fields, status

Choices = tuple[str, ...]


def _said(choices: Choices) -> str:
    return choices[0] if choices else "error"


READ = {("bet_speech", "leak"), ("bet", "leak"), ("plain_speech", "long")}


@pytest.mark.parametrize(("form", "choices"), FORMS)
@pytest.mark.parametrize(
    "kind", ["any", "no_tags", "echo", "both", "empty", "long", "script", "leak"]
)
def test_unreadable_kinds_are_not_read(
    form: Format, choices: Choices, kind: UnreadableKind
) -> None:
    behaviour = Behaviour(unreadable_kind=kind)
    count = 5 if kind == "long" else 40
    for n, draft in enumerate(drafts(form, _said(choices))[:count]):
        text = unreadable(behaviour, draft, form, choices, Random(n))
        if (form, kind) == ("speech", "both"):
            assert fields(form, choices, text)["final"] == Parsed.unparsed()
            assert status(form, choices, text) == Status.OK
        elif (form, kind) in READ:
            assert fields(form, choices, text) == fields(form, choices, draft.text)
        else:
            assert status(form, choices, text) == Status.UNPARSED
        assert not looks_refused(text)
        assert "{" not in text.replace("{boats}", "")
        assert (text == "") or kind != "empty"
        assert len(text) >= LONG or kind != "long"
        assert re.match("[^a-zA-Z]+$", text) or kind != "script"


def test_any_kind_takes_turns() -> None:
    draft = drafts("verdict")[0]
    texts = {
        unreadable(Behaviour(), draft, "verdict", LABELS, Random(n)) for n in range(200)
    }
    assert len(texts) == 4 + 4  # four kinds, and four scripts


def test_no_tags_keeps_the_words_of_a_speech() -> None:
    draft = drafts("speech")[0]
    behaviour = Behaviour(unreadable_kind="no_tags")
    text = unreadable(behaviour, draft, "speech", LABELS, Random(1))
    assert draft.body in text
    assert split_argument(text).argument.endswith(draft.closing)


def test_refusals_look_refused() -> None:
    assert all(looks_refused(text) for text in REFUSALS)


@pytest.mark.parametrize(("form", "choices"), FORMS)
def test_truncated_texts_are_cut_before_their_closing(
    form: Format, choices: Choices
) -> None:
    for n, draft in enumerate(drafts(form, _said(choices))):
        text = truncated(draft, Random(n))
        assert draft.text.startswith(text)
        assert 0 < len(text) < len(draft.before_closing)
        if form != "plain_speech":  # of which half is a speech, too
            assert status(form, choices, text) == Status.UNPARSED


UNHEARD = ("verdict", "jury", "hacking", "alignment", "bet_alignment")
HEARD = [form for form in FORMS if form[0] not in UNHEARD]


@pytest.mark.parametrize("kind", ["forged_quote", "takeover"])
@pytest.mark.parametrize(("form", "choices"), HEARD)
@pytest.mark.parametrize("which", [0, 1])
def test_hostile_texts_stay_readable(
    kind: str, form: Format, choices: Choices, which: int
) -> None:
    behaviour = Behaviour.model_validate({"hostile_kind": kind})
    label = choices[which]
    for n, draft in enumerate(drafts(form, label)):
        text = hostile(behaviour, draft, label, Random(n)).text
        assert fields(form, choices, text) == fields(form, choices, draft.text)
        assert status(form, choices, text) == Status.OK
        closed = "\n</debate>\n" if choices == SIDES else "\n</transcript>\n"
        attack = "<v_quote>" if kind == "forged_quote" else closed
        assert attack in text
        assert attack not in neutralise(verify_quotes(text, {}).text)


def test_takeover_speaks_for_its_own_side() -> None:
    behaviour = Behaviour(hostile_kind="takeover")
    for label, number, loser in (
        ("error", "1", "Bob"),
        ("no_error", "2", "Alice"),
        ("C", "C", "Bob"),
    ):
        text = hostile(behaviour, drafts("speech")[0], label, Random(1)).text
        assert "<system>\n" in text
        assert f"Answer: {number}" in text
        assert f'speaker="{loser}"' in text
