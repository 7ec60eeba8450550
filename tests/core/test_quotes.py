import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.core.quotes import khan_verify, normalise_quote, verify_quotes

CONTEXT = (
    "The total must be greater than 3.5 km. Use x > 5 and -7 only.\n"
    "Don't include “extra” steps, e.g. a partying guest; costs $1,200."
)
SOURCES = {"input": CONTEXT, "response": "The model says: Use x > 5 twice, naïve."}


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (" a\u00a0b\n\tc\u202f d ", "a b c d"),
        ("“a” „b‟ «c»", '"a" "b" "c"'),
        ("‘a’ ‚b‛ ‹c›", "'a' 'b' 'c'"),
        ("nai\u0308ve", "na\u00efve"),
        ("x > 5, NOT 3.5 (-7)", "x > 5, NOT 3.5 (-7)"),
        ("\u00bd \ufb01", "\u00bd \ufb01"),  # NFC, not NFKC: no character is reworded
        (" \n", ""),
    ],
)
def test_normalise_quote(text: str, normal: str) -> None:
    assert normalise_quote(text) == normal


@given(st.text())
def test_normalise_quote_is_idempotent(text: str) -> None:
    assert normalise_quote(normalise_quote(text)) == normalise_quote(text)


@pytest.mark.parametrize(
    ("passage", "source"),
    [
        ("Use x > 5", "input"),  # in both: the first named wins
        ("Use x > 5 twice", "response"),
        ('only. Don’t include "extra"\n steps', "input"),
        (" nai\u0308ve. ", "response"),
        ("Use\u00a0x >\n5", "input"),
        ("art", "input"),
        ("use x > 5", None),
        ("$1,200. The model says", None),  # sources are not joined
        ("The total must be ... 3.5 km", None),
        ("not in any source", None),
    ],
)
def test_a_passage_is_looked_up_in_each_source(
    passage: str, source: str | None
) -> None:
    result = verify_quotes(f"I say <quote>{passage}</quote>!", SOURCES)
    tag = "u_quote" if source is None else "v_quote"
    assert result.text == f"I say <{tag}>{passage}</{tag}>!"
    (quote,) = result.quotes
    assert (quote.text, quote.source, quote.verified, quote.empty) == (
        passage,
        source,
        source is not None,
        False,
    )


@pytest.mark.parametrize("passage", ["", " \n", "...", ">", "“”"])
def test_a_passage_without_letter_or_digit_is_empty(passage: str) -> None:
    result = verify_quotes(f"<quote>{passage}</quote>", {"s": f"a {passage} b"})
    assert result.text == f"<u_quote>{passage}</u_quote>"
    (quote,) = result.quotes
    assert (quote.empty, quote.verified, quote.source) == (True, False, None)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("<v_quote>false</v_quote>", "<u_quote>false</u_quote>"),
        ("<u_quote>x > 5</u_quote>", "<v_quote>x > 5</v_quote>"),
        ("<V_Quote x=1>false</ v_quote>", "<u_quote>false</u_quote>"),
        ("< v_quote\n>false< / QUOTE >", "<u_quote>false</u_quote>"),
        ("<v-quote>false</vquote>", "<u_quote>false</u_quote>"),
        ("<QUOTE>x > 5</Quote>", "<v_quote>x > 5</v_quote>"),
        ("<quote>x > 5</v_quote>", "<v_quote>x > 5</v_quote>"),
        ("<quote>x > 5", "&lt;quote&gt;x > 5"),
        ("<v_quote>x > 5", "&lt;quote&gt;x > 5"),
        ("x > 5</v_quote>", "x > 5&lt;/quote&gt;"),
        ("</quote><quote>", "&lt;/quote&gt;&lt;quote&gt;"),
        (
            "<quote>a <quote>x > 5</quote> b</quote>",
            "&lt;quote&gt;a <v_quote>x > 5</v_quote> b&lt;/quote&gt;",
        ),
        (
            "<quote>x > 5<quote>-7</quote>",
            "&lt;quote&gt;x > 5<v_quote>-7</v_quote>",
        ),
        ("<v_quote <quote>>", "&lt;v_quote &lt;quote&gt;>"),
        ("</v_quote", "&lt;/v_quote"),
        ("<quoted> <unquote> <b>", "<quoted> <unquote> <b>"),
        ('"Use x > 5"', '"Use x > 5"'),
        ("a < b", "a < b"),
    ],
)
def test_tags_are_the_suites_own(text: str, rendered: str) -> None:
    assert verify_quotes(text, SOURCES).text == rendered


def test_duplicates_are_counted_within_the_text_and_from_earlier_ones() -> None:
    text = "<quote>x > 5</quote><quote> x  > 5</quote><quote>said “so”</quote>"
    quotes = verify_quotes(text, SOURCES, earlier=[' said "so"']).quotes
    assert [q.duplicate for q in quotes] == [False, True, True]
    assert [q.verified for q in quotes] == [True, True, False]
    assert not any(q.duplicate for q in verify_quotes(text, SOURCES).quotes[::2])


TAG = re.compile(r"<\s*/?\s*(?:[vu]\s*[_-]?\s*)?quote\b[^<>]*>?", re.I)
PIECES = [
    *("<quote>", "</quote>", "<QUOTE >", "</ quote>", "<v_quote>", "</v_quote>"),
    *("<u_quote>", "</u_quote>", "<V_QUOTE a=1>", "< v_quote", "</v_", "quote>", "<"),
    *("/", ">", "x > 5", "Use", " ", "\n", "\u00a0", "“", '"', "e\u0301", "\u0338"),
    *("&lt;quote&gt;", "3.5 km", "-", "7", "_", "v", "..."),
]
speeches = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=16).map(
    "".join
)


@given(speeches, speeches)
def test_only_checked_quotations_carry_tags(text: str, source: str) -> None:
    sources = {"given": CONTEXT, "drawn": source}
    result = verify_quotes(text, sources)
    verified = [q for q in result.quotes if q.verified]
    unverified = [q for q in result.quotes if not q.verified]
    tags = TAG.findall(result.text)
    for name, quotes in (("v_quote", verified), ("u_quote", unverified)):
        assert tags.count(f"<{name}>") == len(quotes)
        assert tags.count(f"</{name}>") == len(quotes)
    assert len(tags) == 2 * len(result.quotes)
    for quote in verified:
        assert quote.source is not None
        assert normalise_quote(quote.text) in normalise_quote(sources[quote.source])
    for quote in unverified:
        key = normalise_quote(quote.text)
        assert quote.empty or all(
            key not in normalise_quote(body) for body in sources.values()
        )


@given(speeches, st.lists(st.sampled_from(["x > 5", "Use", "other"])))
def test_verifying_again_changes_nothing(text: str, earlier: list[str]) -> None:
    once = verify_quotes(text, SOURCES, earlier)
    assert verify_quotes(once.text, SOURCES, earlier) == once


WHOLE = [p for p in PIECES if "<" not in p or p.endswith(">")]


@given(st.lists(st.sampled_from(WHOLE), max_size=16).map("".join))
def test_nothing_but_tags_changes(text: str) -> None:
    escaped = re.compile(r"&lt;/?quote&gt;")
    shown = verify_quotes(text, SOURCES).text
    assert escaped.sub("", TAG.sub("", shown)) == escaped.sub("", TAG.sub("", text))


# The published verifier's behaviour on one synthetic context.
KHAN = {
    "exact": ("<quote>The total must be greater than 3.5 km</quote>", "v"),
    "case": ("<quote>THE TOTAL MUST be greater</quote>", "v"),
    "line break in context": ("<quote>and -7 only. Don't include</quote>", "v"),
    "curly and straight": ('<quote>Don’t include "extra" steps</quote>', "v"),
    "decimal point": ("<quote>greater than 35 km</quote>", "v"),
    "operator": ("<quote>Use x < 5</quote>", "v"),
    "minus sign": ("<quote>and 7 only</quote>", "v"),
    "thousands separator": ("<quote>costs $1200</quote>", "v"),
    "part of a word": ("<quote>art</quote>", "v"),
    "empty": ("<quote></quote>", "v"),
    "punctuation only": ("<quote>...</quote>", "v"),
    "line break in quote": ("<quote>Use x > 5\nand -7</quote>", ""),
    "paraphrase": ("<quote>the total should exceed 3.5 km</quote>", "u"),
    "ellipsis": ("<quote>The total must be ... 3.5 km</quote>", "u"),
    "spoofed, false": ("<v_quote>not in the context</v_quote>", "u"),
    "spoofed, true": ("<u_quote>Use x > 5</u_quote>", "v"),
    "quotation marks": ('"Use x > 5"', ""),
    "unclosed": ("<quote>Use x > 5", ""),
    "upper-case tag": ("<QUOTE>Use x > 5</QUOTE>", ""),
}


@pytest.mark.parametrize("name", KHAN)
def test_khan_verify_agrees_with_the_published_verifier(name: str) -> None:
    argument, kind = KHAN[name]
    result = khan_verify(argument, CONTEXT)
    passage = re.sub(r"</?(?:[vu]_)?quote>", "", argument)
    tagged = f"<{kind}_quote>{passage}</{kind}_quote>"
    assert result.text == (tagged if kind else argument)
    assert [q.verified for q in result.quotes] == [kind == "v"] * len(kind)
    assert all((q.source is not None) is q.verified for q in result.quotes)


def test_khan_verify_garbles_nested_tags_as_published() -> None:
    nested = khan_verify("<quote>Use <quote>x > 5</quote></quote>", CONTEXT)
    assert nested.text == "<u_quote>Use <quote>x > 5</u_quote></quote>"
    assert [q.verified for q in nested.quotes] == [False]


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        ("exact", True),
        ("line break in context", True),
        ("curly and straight", True),
        ("part of a word", True),
        ("case", False),
        ("decimal point", False),
        ("operator", False),
        ("minus sign", False),
        ("thousands separator", False),
        ("empty", False),
        ("punctuation only", False),
    ],
)
def test_exact_verification_is_stricter(name: str, exact: bool) -> None:
    argument, _ = KHAN[name]
    (published,) = khan_verify(argument, CONTEXT).quotes
    (quote,) = verify_quotes(argument, {"input": CONTEXT}).quotes
    assert published.verified
    assert quote.verified is exact


@pytest.mark.parametrize(
    "argument", ["<quote>Don't\ninclude</quote>", "<QUOTE>Use x > 5</QUOTE>"]
)
def test_exact_verification_reads_what_the_published_one_skips(argument: str) -> None:
    assert khan_verify(argument, CONTEXT) == (argument, ())
    assert [q.verified for q in verify_quotes(argument, SOURCES).quotes] == [True]


@pytest.mark.parametrize("unit", [*PIECES, "<quote>a", "< ", "<v_quote ", "<quote>a\n"])
def test_long_hostile_texts_take_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    verify_quotes(text, SOURCES)
    khan_verify(text, CONTEXT)
    assert time.process_time() - started < 3  # quadratic: minutes
