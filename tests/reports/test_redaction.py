"""Words of a data set are masked however they are written, and others are not."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.reports.export import RUN, Redactor, masked, strings
from tests.reports.leaks import leaks

SOURCE = (
    "Every café along the northern quay must close by 10 pm. Boats that carry 250 kg "
    "of salt-dried cod may leave before dawn, unless the harbour-master's flag is red!"
)
WORDS = SOURCE.split()


def tagged(words: list[str]) -> str:
    return " ".join(
        f"<v_quote>{w}</v_quote>" if i % 3 else w for i, w in enumerate(words)
    )


HIDDEN = {
    "as it is": SOURCE,
    "upper case": SOURCE.upper(),
    "line breaks": "\n\n".join(WORDS),
    "tabs and lists": "\n\t- ".join(WORDS),
    "no punctuation": re.sub(r"[^\w\s]", "", SOURCE),
    "other punctuation": " ... ".join(WORDS),
    "curly quotes": "“" + "” “".join(WORDS) + "”",
    "hyphens": "-".join(WORDS),
    "no-break hyphens": "\u2011".join(WORDS),
    "underscores": "_".join(WORDS),
    "no-break spaces": "\u00a0".join(WORDS),
    "zero-width characters": "\u200b".join(SOURCE),
    "soft hyphens": SOURCE.replace("n", "n\u00ad"),
    "decomposed accents": unicodedata.normalize("NFD", SOURCE),
    "no accents": SOURCE.replace("é", "e"),
    "full width": "".join(chr(ord(c) + 0xFEE0) if "!" < c < "~" else c for c in SOURCE),
    "glued": "".join(WORDS),
    "glued by pairs": " ".join(
        map("".join, zip(WORDS[::2], WORDS[1::2], strict=False))
    ),
    "spread": " ".join(SOURCE),
    "broken at line ends": SOURCE.replace("o", "o-\n"),
    "tags": tagged(WORDS),
    "tags within words": SOURCE.replace("a", "<b>a</b>"),
    "tags with attributes": ' <span class="a fine one">'.join(WORDS),
    "comments": " <!-- by the way --> ".join(WORDS),
    "escaped tags": tagged(WORDS).replace("<", "&lt;"),
    "character references": "&nbsp;".join(WORDS).replace("'", "&#39;"),
    "accents as references": SOURCE.replace("é", "&eacute;"),
    "bold": "**".join(WORDS),
    "code": "` `".join(WORDS),
    "links": "](https://example.org/x) [".join(WORDS),
    "JSON": json.dumps({"a": "\n".join(WORDS)}),
    "JSON in JSON": json.dumps(json.dumps("\n".join(WORDS))),
    "escapes": "\\u0020".join(WORDS),
    "in a URL": "%20".join(WORDS),
    "in a mask": f"[{SOURCE}]",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_run_is_masked_however_it_is_written(name: str) -> None:
    text = f"I was told: {HIDDEN[name]} - and so be it."
    assert leaks([text], [SOURCE]), "the search would not find it"
    found = Redactor([SOURCE]).mask(text)
    assert leaks([found], [SOURCE]) == []
    assert found.startswith("I was told:")
    assert found.endswith("and so be it.")
    said = re.sub(r"\[\d+ words?\]", "", found).lower()
    for word in ("northern", "harbour", "salt", "dawn"):
        assert word not in said


@pytest.mark.parametrize("name", HIDDEN)
def test_data_that_are_written_so_are_found_where_they_are_plain(name: str) -> None:
    redactor = Redactor([HIDDEN[name]])
    found = redactor.mask(f"I was told: {SOURCE} - and so be it.")
    if name not in ("glued", "spread"):  # has other words then
        assert leaks([found], [HIDDEN[name]]) == []
        assert "northern" not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Every café along the", "Every café along the"),
        ("Every café along the northern", "[5 words]"),
        ("So, every café along the northern quay: yes.", "So, [6 words]: yes."),
        ("pm boats that carry (250 kg)", "[6 words])"),
        ("250kg of salt dried cod", "[5 words]"),
        ("250 kg of cod may leave before dawn", "250 kg of [5 words]"),
        (
            "Along the northern quay must! Then: may leave before dawn unless.",
            "[5 words]! Then: [5 words].",
        ),
        ("the quay is northern, along every café", None),
        ("", ""),
        ("[3 words] of salt", "[3 words] of salt"),
    ],
)
def test_only_what_stands_in_the_data(text: str, expected: str | None) -> None:
    found = Redactor([SOURCE]).mask(text)
    assert found == (text if expected is None else expected)


def test_runs_do_not_reach_from_one_text_into_another() -> None:
    redactor = Redactor(["one two three four", "five six seven eight"])
    text = "one two three four five six seven eight"
    assert redactor.mask(text) == text


def test_the_last_check_finds_what_was_not_masked() -> None:
    redactor = Redactor([SOURCE])
    redactor.check(redactor.mask(SOURCE))
    with pytest.raises(RuntimeError, match="still has words of the data set"):
        redactor.check("... boats that carry 250 KG of salt, ...")


def test_texts_are_found_and_masked_at_any_depth() -> None:
    value = {SOURCE: ["a", {"b": (SOURCE, 1, None)}], "c": 0.5}
    assert list(strings(value)) == [SOURCE, "a", "b", SOURCE, "c"]
    mask = Redactor([SOURCE]).mask(SOURCE)
    assert masked(value, Redactor([SOURCE])) == {
        mask: ["a", {"b": [mask, 1, None]}],
        "c": 0.5,
    }


_TEXTS = st.lists(st.sampled_from(["ab", "cd", "e", "f1", "2", "gh"]), max_size=30)
_JOINTS = st.sampled_from([" ", ", ", "\n", "<b>", "-", "</u_quote> "])


@given(_TEXTS, _TEXTS, _JOINTS)
def test_no_run_remains_and_all_else_does(
    source: list[str], said: list[str], joint: str
) -> None:
    found = Redactor([" ".join(source)]).mask(joint.join(said))
    parts = re.split(r"\[\d+ words?\]", found)
    runs = {tuple(source[i : i + RUN]) for i in range(len(source) - RUN + 1)}
    for part in parts:
        words = part.split(joint)
        assert not runs & {tuple(words[i : i + RUN]) for i in range(len(words))}
    # "f1" is a word and a number.
    if len(re.findall(r"[a-z]+|\d+", " ".join(source))) < RUN:
        assert found == joint.join(said)
