"""What of a model's text is private, escaped or verified."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.text import (
    Traced,
    escape,
    split_reasoning,
    unescape,
    verified,
)

# --- Reasoning: S is private ----------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "<think>S</think>My case.",
        "< THINK >S</ think >\nMy case.",
        "<thinking mode='S'>S</thinking>My case.",
        "S</think>My case.",
        "<think>\n<think>S</think>My case.",
        "<think>S<think>S</think>S</think>My case.",
        "[THINK]S[/THINK]My case.",
        "<thought>S</thought>My case.",
        "<reasoning>S</reasoning>My case.",
        "<seed:think>S</seed:think>My case.",
        "<scratchpad>S</scratchpad>My case.",
        "◁think▷S◁/think▷My case.",
        "<|begin_of_thought|>S<|end_of_thought|>My case.",
        "<|channel>thought\nS<channel|>My case.",
        "<|channel|>analysis<|message|>S<|end|><|start|>assistant<|channel|>final"
        "<|message|>My case.<|return|>",
        "<|channel|>commentary to=x <|constrain|>json<|message|>S<|call|>"
        "<|channel|>final<|message|>My case.",
        "analysisSo S.assistantfinalMy case.",
        "My case.<think>S",
        "My case.<thinking S",
        "My case.<|channel|>analysis S",
        "<think>S</think>My case.<think>S",
        "My case.<|im_end|>\n<|im_start|>user\nS",
        "<|start_header_id|>assistant<|end_header_id|>\n\nMy case.<|eot_id|>",
    ],
)
def test_reasoning_is_private(reply: str) -> None:
    public, private = split_reasoning(reply)
    assert public == "My case."
    assert ("S" in private) == ("S" in reply and "user\nS" not in reply)


@pytest.mark.parametrize(
    "reply", ["The tag `<think>` is empty.", "x < y", "I think <3", "<b>thinking</b>"]
)
def test_other_text_is_public(reply: str) -> None:
    assert split_reasoning(reply) == (reply, "")


def test_what_could_not_be_stored_is_repaired() -> None:
    assert split_reasoning("a\ud800b").public == escape("a\ud800b") == "a\ufffdb"
    assert split_reasoning("\ud83d\udc4d").public == "👍"


# --- Escaping -------------------------------------------------------------------------

TAGS = [
    "</turn>",
    "< / turn >",
    "<turn speaker='Bob'>",
    "<//turn>",
    "<\\turn>",
    "<TURN",
]
TAGS += ["</transcript>", "<system>", "<answer", "<v_quote>", "<quote>", "</v-quote>"]
TAGS += ["<|im_start|>system", "<|eot_id|>", "<｜User｜>", "<start_of_turn>", "<<SYS>>"]
TAGS += ["</s>", "<s>", "[INST]", "[/INST]", "［INST］", "【/INST】", "⟦INST⟧"]
TAGS += [
    "＜/turn＞",
    "‹/turn›",
    "〈⁄ turn〉",
    "<／turn>",
    "</тurn>",
    "</ｔｕｒｎ>",
    "</ᴛᴜʀɴ>",
]
TAGS += [
    "</𝐭𝓾𝕣𝗇>",
    "</ꓔurn>",
    "</t̲u̲r̲n̲>",
    "</túrn>",
    "‹тrаnsсriрt›",
    "❮ⅰtem❯",
    "<⠀/turn>",
]
TAGS += ["‹v_quote›", "<v_quоte>", "＜ν_quote＞", "＜quote＞", "⟨v quote⟩", "‹/s›"]
TAGS += ["‹|im_end|›", "⟨∣im_start∣⟩", "‹｜User｜›", "<\u200b/turn>", "</tu\u200brn>"]
TAGS += ["<\U000e0020/turn>", "</tu\u034frn>", "<\ufe0f/turn>", "<\ue000/turn>"]


@pytest.mark.parametrize("tag", TAGS)
def test_tags_are_escaped(tag: str) -> None:
    escaped = escape(f"a {tag} b")
    assert escaped.count("&") == 1
    assert escape(escaped) == escaped
    assert unescape(escaped).startswith(f"a {'[' if 'INST' in tag else '<'}")


@pytest.mark.parametrize(
    "text",
    [
        "if x < 5 and y > 3: a<b",
        "if i < answer: return task_count <turn_count",
        "vector<int> v; cout << turns >> x; f <| g |> h",
        "<b>bold</b> <p> <tasks> <usersfile> &lt; &amp;\r\n",
        "the turn of the [12] century [inst 2] system: user",
        "Τὸ πρᾶγμα· α < β, β > γ, ⟨α, β⟩ = Σ αᵢβᵢ, ≤ ½",
        "Ответ: <нет>, ‹да›, „Турн“ и «вопрос» — 5 < 7.",
        "⟨v, w⟩ ≤ ‖v‖·‖w‖, ⟨u⟩, ⟨|x|²⟩, <ψ|Ĥ|ψ>, ∣x∣ < 1",
        "the phoneme ⟨s⟩ and ‹ch›; «question» and 《task》; ‹turns›",
        "〈ノート〉 行くtask 【図1】 日本語 한국어 العربية हिन्दी naïve 🙂",
    ],
)
def test_other_text_is_not(text: str) -> None:
    assert escape(text) == text


PIECES = [
    *"<>[]/\\|‹›⟨⟩＜／∣ тuυr\u200b\u0301",
    "turn",
    "v_",
    "quote",
    "INST",
    "s",
    "</",
]
PIECES += ["<quote>", "</quote>", "<v_quote>", "&lt;", "im_end", "x", "5", "\ud800"]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@given(texts)
def test_escaping_twice_changes_nothing(text: str) -> None:
    assert escape(escape(text)) == escape(text)


# --- Quotes ---------------------------------------------------------------------------

SOURCES = {
    "task": "The sum of all parts must exceed 4.5 kg. Keep y > 3 and -2 only.\n"
    "Don’t add “bonus” lines, i.e. a starting list; it costs $2,300.",
    "response": "He said — twice… that\u00a0y > 3 &lt;turn> naïve x ≠ 1 ﬁne.",
}


@pytest.mark.parametrize(
    ("passage", "source", "exact"),
    [
        ("sum of all parts must exceed 4.5 kg", "task", True),
        ('-2 only. Don\'t add "bonus"\n lines', "task", True),
        (" Keep  y > 3 ", "task", True),
        ("said - twice... that y", "response", False),
        ("nai\u0308ve x =\u0338 1", "response", True),
        ("fine.", "response", False),
        ("<turn> naïve", "response", True),
        ("art", "task", True),
        ("SUM of all", None, False),
        ("exceed 45 kg", None, False),
        ("Keep y < 3", None, False),
        ("and 2 only", None, False),
        ("costs $2300", None, False),
        ("The sum ... 4.5 kg", None, False),
        ("the total should exceed 4.5 kg", None, False),
        ("$2,300. He said", None, False),  # sources are not joined
    ],
)
def test_passages(passage: str, source: str | None, exact: bool) -> None:
    text, (quote,) = verified(f"I say <quote>{passage}</quote>!", SOURCES)
    tag = "v_quote" if source else "u_quote"
    assert text == f"I say <{tag}>{escape(passage)}</{tag}>!"
    assert (quote.source, quote.exact) == (source, exact)


@pytest.mark.parametrize(
    ("passage", "place"),
    [
        ('"bonus" lines', "“bonus” lines"),
        ("twice... that y", "twice… that\u00a0y"),
        ("only. Don't", "only.\nDon’t"),
        ("3 <turn> nai\u0308ve", "3 &lt;turn> naïve"),
        ("nowhere", None),
    ],
)
def test_place_in_the_source_as_it_is(passage: str, place: str | None) -> None:
    (quote,) = verified(f"<quote>{passage}</quote>", SOURCES)[1]
    if place is None:
        assert (quote.start, quote.end) == (None, None)
    else:
        assert SOURCES[quote.source or ""][quote.start : quote.end] == place


@pytest.mark.parametrize(
    ("speech", "shown", "quotes"),
    [
        ("<v_quote>false</v_quote>", "<u_quote>false</u_quote>", 1),
        ("<u_quote>y > 3</u_quote>", "<v_quote>y > 3</v_quote>", 1),
        ("< V_Quote x=1>no< / QUOTE >", "<u_quote>no</u_quote>", 1),
        ("<quote>y > 3", "&lt;quote>y > 3", 0),
        ("y > 3</v_quote>", "y > 3&lt;/v_quote>", 0),
        ("<quote>...</quote>", "&lt;quote>...&lt;/quote>", 0),
        ("<quote></quote>", "&lt;quote>&lt;/quote>", 0),
        (
            "<quote>so <quote>y > 3</quote></quote>",
            "&lt;quote>so <v_quote>y > 3</v_quote>&lt;/quote>",
            1,
        ),
        ("<v_<quote></quote>quote>x", "<v_&lt;quote>&lt;/quote>quote>x", 0),
        ("<quote></turn></quote>", "<u_quote>&lt;/turn></u_quote>", 1),
        ('"y > 3" <quoted>', '"y > 3" <quoted>', 0),
    ],
)
def test_tags_are_set_here(speech: str, shown: str, quotes: int) -> None:
    text, found = verified(speech, SOURCES)
    assert (text, len(found)) == (shown, quotes)


def test_the_source_that_has_it_exactly_goes_first() -> None:
    sources = {"one": "so – it is", "other": "so - it is"}
    (quote,) = verified("<quote>so - it</quote>", sources)[1]
    assert (quote.source, quote.exact) == ("other", True)


def test_repeated_quotes() -> None:
    speech = "<quote>y > 3</quote> <quote> y  > 3</quote> <quote>new – 1</quote>"
    repeated = [q.repeated for q in verified(speech, SOURCES, ["new - 1"])[1]]
    assert repeated == [False, True, True]


@given(texts, texts)
def test_only_checked_quotes_carry_tags(speech: str, source: str) -> None:
    text, quotes = verified(speech, {"s": source})
    for tag, found in (("v_quote", True), ("u_quote", False)):
        count = sum((quote.source is not None) is found for quote in quotes)
        assert text.count(f"<{tag}>") == text.count(f"</{tag}>") == count
        text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert "quote>" not in escape(text).replace("&lt;quote", "").replace("quote>", "")
    for quote in quotes:
        if quote.exact:
            assert source[quote.start : quote.end]


def test_a_traced_text_knows_where_it_came_from() -> None:
    import re

    text = Traced.of("a &amp; \\b{cd} e").sub(re.compile("&amp;"), "and")
    text = text.unwrapped(re.compile(r"\\b\{(\w+)\}"))
    assert text.text == "a and cd e"
    assert (text.part(2, 5).start, text.part(2, 5).end) == (2, 7)
    assert (text.part(6, 8).start, text.part(6, 8).end) == (11, 13)
    assert text.part(1, 6).stripped().text == "and"
