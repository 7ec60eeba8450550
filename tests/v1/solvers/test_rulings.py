"""Rulings and stances as judges and critics write them."""

import json
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.debate.outcome import Outcome, outcome
from inspect_debate.v1.debate.record import DebateRecord, Order, Parsed, Status
from inspect_debate.v1.solvers.rulings import (
    Ruling,
    best,
    critic,
    last_stance,
    proposers,
    read_rulings,
    read_stance,
    reward,
    ruling,
    stated_confidence,
)
from tests.v1.support.generative_records import record_of, ruled, stated
from tests.v1.support.growth import check_linear
from tests.v1.support.tables import rows

NAMES = ("Alice", "Bob")
NOTHING: tuple[str | None, float | None] = (None, None)


def parsed(value: str | float | None) -> Parsed:
    return Parsed.unparsed() if value is None else Parsed.ok(value)


def read(text: str, *names: str) -> list[tuple[object, object]]:
    found = read_rulings(text, names or NAMES)
    assert list(found) == list(names or NAMES)
    for each in found.values():
        verdict, confidence = (field.value for field in each)
        assert each == Ruling(*map(parsed, (verdict, confidence)))
    return [(each.verdict.value, each.confidence.value) for each in found.values()]


ALICE = '{"Alice": {"verdict": "correct", "confidence": 0.8}}'
BOTH = (
    '{"Alice": {"verdict": "correct", "confidence": 0.8},\n'
    ' "Bob": {"verdict": "incorrect", "confidence": 0.65}}'
)
READ = [("correct", 0.8), ("incorrect", 0.65)]
OTHER = BOTH.replace("incorrect", "yes").replace("0.65", "1")
EXAMPLE = (
    '{"Alice": {"verdict": "correct|incorrect", "confidence": 0.5}, '
    '"Bob": {"verdict": "correct|incorrect", "confidence": 0.5}}'
)


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        (BOTH, READ),
        (BOTH.replace("\n", "\r\n\t"), READ),
        (f"Alice's grid is right. Bob: see row 2.\n\n{BOTH}\n", READ),
        (f'He said "{{" and {BOTH} so.', READ),
        (f"```json\n{BOTH}\n```", READ),
        (f"```\n{BOTH}\n``` Thus.", READ),
        (f"```json {BOTH}```", READ),
        (f"Finally:\n```json\n{BOTH}", READ),  # a fence that was never closed
        (f"\\boxed{{{BOTH}}}", READ),
        (f"{{ As I said: {BOTH} }}", READ),
        # A trailing comma, and a line break in a string.
        (BOTH.replace("0.8}", "0.8,}").replace("}}", "},\n}"), READ),
        (BOTH.replace('"verdict"', '"why": "row 2,}\n[", "verdict"'), READ),
        # An outer object; other keys.
        (f'{{"verdicts": {BOTH}}}', READ),
        (f'{{"note": {{"x": [1, {{}}]}}, "rulings": {BOTH}, "by": {{}}}}', READ),
        (BOTH.replace("}}", '}, "Carol": {"verdict": "wrong"}}'), READ),
    ],
)
def test_forms_of_the_object(
    text: str, rulings: list[tuple[str | None, float | None]]
) -> None:
    assert read(text) == rulings


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        (f"{OTHER}\n{BOTH}", READ),
        # The example that the prompt shows is no verdict.
        (EXAMPLE, [(None, 0.5), (None, 0.5)]),
        (f"{EXAMPLE}\n{BOTH}", READ),
        (f"{BOTH}\n{EXAMPLE}", [(None, 0.5), (None, 0.5)]),
        (f"```json\n{EXAMPLE}\n```\n{BOTH}", READ),
        (f"{EXAMPLE}\n```\n{BOTH}\n```", READ),
        # The last fenced block comes before objects outside of fences.
        (f"{BOTH}\n```\n{BOTH}\n```\n{BOTH}", READ),
        (f"```\n{OTHER}\n```\nno:\n```\n{BOTH}\n```", READ),
        (f"```\n{OTHER}\n```\nno:\n```\n{BOTH}", READ),
        (f"```\n{OTHER}\n```\n```\n{EXAMPLE}\n```", [(None, 0.5), (None, 0.5)]),
        # Objects that name nobody, or are none, are passed over.
        (f'{BOTH}\n{{"Carol": "correct"}}', READ),
        (f"{BOTH}\n{{}} {{x}} [] {{'Alice': 'wrong'}} ```\n{{}}\n```", READ),
        (f"{BOTH} {BOTH[:-1]}", READ),
        (f"{BOTH} {OTHER.replace(':', '=')}", READ),
        # Only the last one counts.
        (f"{OTHER}\n{ALICE}", [("correct", 0.8), NOTHING]),
        (f'{OTHER}\nNo: {{"Bob": "wrong"}}', [NOTHING, ("incorrect", None)]),
        (f'{{"now": {OTHER}, "then": {BOTH}}}', READ),
        # Nothing at all.
        ("", [NOTHING, NOTHING]),
        ("Alice is correct, Bob is incorrect.", [NOTHING, NOTHING]),
        ('{"verdict": "correct", "confidence": 0.9}', [NOTHING, NOTHING]),
        (f"[1, {BOTH[1:]}", [NOTHING, NOTHING]),
    ],
)
def test_which_object_counts(
    text: str, rulings: list[tuple[str | None, float | None]]
) -> None:
    assert read(text) == rulings


SWAPPED = BOTH.replace("correct", "x").replace("inx", "correct").replace("x", "wrong")


@pytest.mark.parametrize(
    ("text", "rulings"),
    [
        # A debater's object, quoted, and the judge's.
        (f"Alice wrote ```json {SWAPPED}``` but I rule: {BOTH}", None),
        (f"```json\n{SWAPPED}\n``` Wait, I swapped. Final verdict: {BOTH}", None),
        (f"{BOTH} (Alice had written ```{SWAPPED}```)", None),
        (f"{SWAPPED}\n```\n{BOTH}\n```", None),
        (f"```\n{BOTH}\n```\nnot {OTHER}", None),  # about Bob only
        (f'```\n{BOTH}\n```\n{{"Bob": "correct"}}', None),
        (f"{SWAPPED}\n```\n{BOTH}\n```\n{BOTH}", None),
        (f"```\n{SWAPPED}\n```\n```\n{EXAMPLE}\n```\n{BOTH}", None),
        # They agree as far as they can be read.
        (f"```\n{BOTH}\n```\nThat is: {BOTH.replace('0.8', '0.7')}", READ),
        (f'{{"Bob": "wrong", "Alice": "unsure"}}\n```\n{BOTH}\n```', READ),
        (f'```\n{BOTH}\n```\n{{"Carol": "wrong"}}', READ),
        (f"{EXAMPLE}\n```\n{BOTH}\n```\n{EXAMPLE}", READ),
        (f"```\n{EXAMPLE}\n```\n{SWAPPED}\n{BOTH}", READ),
        # A fence in a string is no fence around an object.
        (BOTH.replace('"verdict"', '"why": "```[[1]]```", "verdict"'), READ),
        # All fenced, or none.
        (f"```\n{SWAPPED}\n```\n```\n{BOTH}\n```\n{BOTH}", READ),
        (f"{SWAPPED}\nNo: {BOTH}", READ),
    ],
)
def test_fenced_and_bare_objects_that_differ_are_not_read(
    text: str, rulings: list[tuple[str | None, float | None]] | None
) -> None:
    assert read(text) == (rulings or [NOTHING, NOTHING])


@pytest.mark.parametrize(
    ("key", "is_alice"),
    [
        ("Alice", True),
        ("ALICE", True),
        (" alice\\n", True),
        ("_Alice_", True),
        ("\\u0041lice", True),
        ("not Alice", False),
        ("Alice2", False),
        ("Alice's answer", False),
        ("A lice", False),
        ("Ali", False),
        ("", False),
    ],
)
def test_a_key_is_the_whole_name(key: str, is_alice: bool) -> None:
    text = f'{{"{key}": {{"verdict": "correct", "confidence": 0.8}}}}'
    assert read(text, "Alice") == [("correct", 0.8) if is_alice else NOTHING]


@pytest.mark.parametrize("key", ["Debater A", "debater_a", "DEBATER  A", "debater_A "])
def test_blanks_and_underscores_in_names(key: str) -> None:
    text = json.dumps({key: "yes", "Debater_AB": "no", "DebaterA": "no"})
    assert read(text, "Debater_A", "Debater B") == [("correct", None), NOTHING]


@pytest.mark.parametrize(
    ("verdict", "value"),
    [
        *((f'"{w}"', "correct") for w in ("correct", "Right", "YES", " true ")),
        *((f'"{w}"', "incorrect") for w in ("Incorrect", "wrong", "no", "FALSE\\n")),
        ("true", "correct"),
        ("false", "incorrect"),
        ('"correct|incorrect"', None),
        ('"correct or incorrect"', None),
        ('"not correct"', None),
        ('"partially correct"', None),
        ('"correct, yes"', None),
        ('""', None),
        ('"unsure"', None),
        ("null", None),
        ("1", None),
        ("0", None),
        ("[true]", None),
        ('{"verdict": true}', None),
    ],
)
def test_verdicts(verdict: str, value: str | None) -> None:
    inner = f'{{"Alice": {{"Verdict ": {verdict}, "confidence": 0.7}}, "Bob": "no"}}'
    assert read(inner) == [(value, 0.7), ("incorrect", None)]
    if not verdict.startswith("{"):
        bare = f'{{"Alice": {verdict}, "Bob": true}}'
        assert read(bare) == [(value, None), ("correct", None)]


@pytest.mark.parametrize(
    ("confidence", "value"),
    [
        ("0.5", 0.5),
        ("0.85", 0.85),
        ("8.5e-1", 0.85),
        (".85", 0.85),
        ("\n.85 ", 0.85),
        ("1", 1.0),
        ("1.0", 1.0),
        ('"0.85"', 0.85),
        ('".85"', 0.85),
        ('"1"', 1.0),
        ('"85%"', 0.85),
        ('" 85 % "', 0.85),
        ('"87.5%"', 0.875),
        ('"100%"', 1.0),
        ('"50%"', 0.5),
        # Out of range, or of unknown scale: never clipped.
        ("85", None),
        ('"85"', None),
        ("1.01", None),
        ("0.49999", None),
        ("0", None),
        ("-0.8", None),
        ('"101%"', None),
        ('"49%"', None),
        ('"0.85%"', None),
        # No number, or more than one.
        *rows(
            None,
            """
            NaN   Infinity   -Infinity   1e999   true   null   [0.8]   .4
        """,
        ),
        ("9" * 400, None),
        ('"high"', None),
        ('""', None),
        ('"%"', None),
        ('"0.8-0.9"', None),
        ('"8/10"', None),
        ('"0,85"', None),
        ('"0.50-1.00"', None),
        ('": .8"', None),
    ],
)
def test_confidences(confidence: str, value: float | None) -> None:
    text = f'{{"Alice": {{"verdict": "correct", "confidence": {confidence}}}}}'
    assert read(text, "Alice") == [("correct", value)]


@pytest.mark.parametrize(
    ("inner", "ruling"),
    [
        ('"Alice": "correct", "Alice": "correct"', ("correct", None)),
        ('"Alice": "correct", "alice ": "yes"', ("correct", None)),
        ('"Alice": "correct", "ALICE": "wrong"', NOTHING),
        ('"Alice": "correct", "Alice": "unsure"', NOTHING),
        ('"Alice": {"verdict": "yes", "verdict": "no", "confidence": 1}', (None, 1.0)),
        (
            '"Alice": {"verdict": "yes", "confidence": 0.8}, '
            '"Alice": {"verdict": "yes", "confidence": 0.7}',
            ("correct", None),
        ),
    ],
)
def test_repeated_keys(inner: str, ruling: tuple[str | None, float | None]) -> None:
    text = f'{{{inner}, "Bob": "wrong"}}'
    assert read(text) == [ruling, ("incorrect", None)]


BRACKETS = ["{", "{}", "[", "[{", ", ,]", "{" * 7 + "}" * 7]
QUOTED = ['{"', '"{ "', '{"a":', '{"":"{":"{', '{"a":"{",', '{\\"']
NAMED = ['{"Alice":1}', '{"Alice":1,', '{"Alice":{"a":', "```", '```{"Alice":1}']


@pytest.mark.parametrize("unit", BRACKETS + QUOTED + NAMED)
def test_hostile_texts_are_read_in_linear_time(unit: str) -> None:
    check_linear(lambda size: read(unit * (size // len(unit))))


PIECES = [BOTH, ALICE, "Alice", "```", "{", "}", "[", "]", ":", ",", '"', "\\", "\n"]


@given(
    st.text()
    | st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=30).map("".join)
)
def test_any_text_is_read_without_an_error(text: str) -> None:
    read(text)
    read_stance(text)


VERDICTS = st.sampled_from(["correct", "incorrect"])
CONFIDENCES = st.floats(0.5, 1)
KEYS = st.text().filter(lambda key: key.strip(" _").lower() not in ("alice", "bob"))
VALUES = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text()


@given(
    st.fixed_dictionaries(
        {"verdict": VERDICTS, "confidence": CONFIDENCES}, optional={"reason": st.text()}
    ),
    st.dictionaries(KEYS, VALUES | st.lists(VALUES)),
    st.integers(0, 3) | st.none(),
)
def test_what_json_writes_is_read(
    ruling: dict[str, str | float], others: dict[str, object], indent: int | None
) -> None:
    text = json.dumps({**others, "Bob": ruling}, indent=indent)
    assert read(f"So: {text}") == [NOTHING, (ruling["verdict"], ruling["confidence"])]


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Stance: AGREE", "agree"),
        ("The colours match.\nStance: DISAGREE.", "disagree"),
        ("**Stance:** I disagree, because row 2 is wrong", "disagree"),
        ("Stance: <AGREE>", "agree"),
        ("Stance:\nAGREE", "agree"),
        ("Stance: AGREE - the grid holds", "agree"),
        ("Stance: AGREE\nNo.\nStance: DISAGREE", "disagree"),
        ("Stance: AGREE|DISAGREE\nStance: AGREE", "agree"),
        ("Stance: AGREE or DISAGREE", None),
        ("Stance: AGREE|DISAGREE", None),
        ("Stance: not agree", None),
        ("Stance: I do not agree", None),
        ("Stance: partially agree", None),
        ("Stance: agreeable", None),
        ("Stance: AGREE\nStance: unsure", None),
        ("I agree with Alice.", None),
        ("", None),
    ],
)
def test_stances(text: str, stance: str | None) -> None:
    assert read_stance(text) == parsed(stance)


# --- What rulings come to -------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "decided"),
    [
        (record_of("RW", ruled("CC")), Outcome("win-win", "ok")),
        (record_of("RW", ruled("CI")), Outcome("A alone", "ok")),
        (record_of("RW", ruled("IC")), Outcome("B alone", "ok")),
        (record_of("RW", ruled("II")), Outcome("loss-loss", "ok")),
        (record_of("RW", ruled("C?")), Outcome(None, "unparsed")),
        (record_of("RW", ruled("?r")), Outcome(None, "unparsed")),
        (record_of("RW", ruled("rC")), Outcome(None, "refused")),
        (record_of("RW"), Outcome(None, "missing")),
        (record_of("R", ruled("C")), Outcome("accepted", "ok")),
        (record_of("R", ruled("I")), Outcome("rejected", "ok")),
        # Without an answer of another, the judge's own.
        (record_of("", own="W"), Outcome("0 1", "ok")),
        (record_of("", own="U"), Outcome(None, "unparsed")),
        (record_of("", own="RW", judges=("j", "k")), Outcome(None, "tied")),
    ],
)
def test_what_rulings_come_to(record: DebateRecord, decided: Outcome) -> None:
    assert outcome(record) == decided


PANEL = record_of(
    "RW",
    ruled("CI", "j", "ba", (0.9, 0.6)),
    ruled("II", "j", "ab", (0.7, None)),
    ruled("IC", "k", "ba", (0.6, None)),
    ruled("CC", "k", "ab", (0.8, 1.0)),
    ruled("CC", "m", "ba", (0.6, 0.8)),
    judges=("j", "k", "m"),
)


@pytest.mark.parametrize(
    ("judge", "order", "on_a", "on_b"),
    [
        # The order of the first verdict decides.
        (None, None, "correct", "correct"),
        ("j", None, "correct", "incorrect"),
        ("k", None, "incorrect", "correct"),
        ("j", "ab", "incorrect", "incorrect"),
        (None, "ab", "tied", "tied"),
        ("m", "ab", "missing", "missing"),
    ],
)
def test_rulings_by_judge_and_order(
    judge: str | None, order: Order | None, on_a: str, on_b: str
) -> None:
    for who, reply in (("debater_a", on_a), ("debater_b", on_b)):
        found = ruling(PANEL, who, judge, order)
        assert (found.answer or found.status) == reply


def test_confidences_are_means_of_what_was_read() -> None:
    means = [
        stated_confidence(PANEL, who, order)
        for order in (None, "ab")
        for who in ("debater_a", "debater_b")
    ]
    assert means == pytest.approx([0.7, 0.7, 0.75, 1.0])
    assert isnan(stated_confidence(record_of("RW"), "debater_a"))


def test_a_critic_and_its_last_stance() -> None:
    speeches = [stated("debater_b", n, s) for n, s in enumerate("AD?", start=1)]
    other = stated("debater_b", 4, "A").model_copy(update={"kind": "candidate"})
    record = record_of("R", *speeches, other, ruled("CC"))
    assert proposers(record) == ["debater_a"]
    assert critic(record) == "debater_b"
    assert last_stance(record.turns) == "disagree"
    assert last_stance(speeches[:1]) == "agree"
    assert last_stance(speeches[2:]) is last_stance([]) is None
    both = record_of("RW", stated("debater_a", 1), stated("debater_b", 1))
    assert proposers(both) == ["debater_a", "debater_b"]
    assert critic(both) is critic(record_of("R")) is None


@pytest.mark.parametrize(
    ("rulings", "confidence", "stance", "value"),
    [
        ("C", 0.8, "", 0.6),
        ("I", 0.8, "", -0.6),
        ("C", 0.5, "", 0.0),
        ("I", 1.0, "A", -1.0),
        ("C", None, "", Status.UNPARSED),
        ("?", 0.9, "", Status.UNPARSED),
        ("r", None, "", Status.REFUSED),
        ("C", 0.8, "?", Status.UNPARSED),
    ],
)
def test_the_reward_of_a_candidate(
    rulings: str, confidence: float | None, stance: str, value: float | Status
) -> None:
    scored = ruled(rulings, confidence=[confidence], kind="reward", about="debater_a")
    found = reward(scored, stated("debater_a", 1, stance))
    expected = value if isinstance(value, Status) else pytest.approx(value)
    assert (found.status if found.value is None else found.value) == expected


@pytest.mark.parametrize(
    ("rewards", "index"),
    [
        ([0.2, 0.5, 0.1], 1),
        ([0.5, 0.5], 0),
        ([None, -1.0], 1),
        ([None, -0.5, -0.5], 1),
        ([None, None], 0),
    ],
)
def test_the_candidate_with_the_highest_reward(
    rewards: list[float | None], index: int
) -> None:
    assert best([parsed(value) for value in rewards]) == index
