"""Rulings as judges write them, and what they come to."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.solvers.rulings import (
    last_stance,
    read_rulings,
    reward,
    right,
    ruled,
    ruling_on,
)

NAMES = ("Alice", "Bob")
Said = tuple[str | None, float | None]
NOTHING: Said = (None, None)
UNREAD = [NOTHING, NOTHING]


def read(text: str, *names: str) -> list[Said]:
    """Verdicts and confidences; places are checked on the way."""
    found = read_rulings(text, names or NAMES)
    assert [*found] == [*(names or NAMES)]
    for one in found.values():
        if one.place:
            assert text[slice(*one.place)].lower() == one.verdict
    return [(one.verdict, one.confidence) for one in found.values()]


ALICE = '{"Alice": {"verdict": "correct", "confidence": 0.8}}'
BOB = '{"Bob": {"verdict": "incorrect", "confidence": 0.65}}'
BOTH = f"{ALICE[:-1]},\n {BOB[1:]}"
READ = [("correct", 0.8), ("incorrect", 0.65)]
OTHER = BOTH.replace("incorrect", "yes").replace("0.65", "1")
UNSURE = BOTH.replace("incorrect", "unsure").replace('"correct', '"correct|incorrect')
UNSURE = UNSURE.replace("0.8", "0.5").replace("0.65", "0.5")
NO_VERDICT = [(None, 0.5), (None, 0.5)]
SWAPPED = BOTH.replace("correct", "x").replace("inx", "correct").replace("x", "wrong")
NAMING = ["Alice", "ALICE", " alice\\n", "_Alice_", "\\u0041lice"]
NOT_NAMING = ["not Alice", "Alice2", "A lice", "Ali", "", "Alice or Bob"]
FORMS = [
    BOTH,
    BOTH.replace("\n", "\r\n\t"),
    f"Alice's grid is right. Bob: see row 2.\n\n{BOTH}\n",
    f'He said "{{" and {BOTH} so.',
    f"```json {BOTH}``` Thus.",
    f"Finally:\n```json\n{BOTH}",
    # Nearly JSON.
    BOTH.replace("0.8}", "0.8,}").replace("}}", "},\n}"),
    BOTH.replace('"verdict"', '"why": "row 2,}\n[ ```é 😀 \\d```", "verdict"'),
    *(BOTH.replace('"', quote) for quote in ("'", "“", "")),
    *(BOTH.replace("0.8", number) for number in ("80%", ".8", '"80 %"')),
    BOTH.replace("\n", " // sure\n"),
    # Other keys, objects in others, lists, one object for each.
    f'{{"note": {{"x": [1, {{}}]}}, "rulings": {BOTH}, "by": {{}}}}',
    f'{{"rulings": [{ALICE}, {BOB}]}}',
    BOTH.replace("}}", '}, "Carol": {"verdict": "wrong"}}'),
    f"{ALICE}\n{BOB}",
    f"```json\n{ALICE}\n```\n```json\n{BOB}\n```",
]
WHICH = [
    (f"{OTHER}\n{BOTH}", READ),
    (f"{UNSURE}\n{BOTH}", READ),
    (f"```\n{OTHER}\n```\nno:\n```\n{BOTH}\n```\n{BOTH}", READ),
    (f"```\n{OTHER}\n```\n```\n{UNSURE}\n```", NO_VERDICT),
    # Objects that name nobody, or are none, are passed over.
    (f'{BOTH}\n{{"Carol": "correct"}} {{}} {{x}} [] ```\n{{}}\n```', READ),
    ('{"verdict": "correct", "confidence": 0.9}', UNREAD),
    ("", UNREAD),
    # Only the last one counts, and what is directly before it of the other name.
    (f"{OTHER}\n{ALICE}", [("correct", 0.8), NOTHING]),
    (f"Alice wrote {ALICE} but I say {BOB}", [NOTHING, ("incorrect", 0.65)]),
    # A debater's object, quoted, and the judge's.
    (f"Alice wrote ```json {SWAPPED}``` but I rule: {BOTH}", UNREAD),
    (f"{SWAPPED}\n```\n{BOTH}\n```", UNREAD),
    (f'```\n{BOTH}\n```\n{{"Bob": "correct"}}', UNREAD),
    (f"```\n{BOTH}\n```\nBob: correct", UNREAD),
    # They agree as far as they can be read.
    (f'{{"Bob": "wrong", "Alice": "unsure"}}\n```\n{BOTH}\n```', READ),
]
BARE: list[Said] = [("correct", None), ("incorrect", None)]
IN_WORDS = [
    (
        "So:\nAlice's answer is correct with confidence 0.8.\n"
        "Bob's answer is incorrect with confidence 0.65.\n",
        READ,
    ),
    ("Hm.\n\n**Alice**: correct (0.8)\n\n**Bob**: incorrect (65%)", READ),
    ("1. Alice: CORRECT, confidence: 0.8\n2. Bob: wrong, confidence: .65", READ),
    ("Alice is right.\n\nBob’s answer is wrong.", BARE),
    ("| Alice | correct | 0.8 |\n|---|---|---|\n| Bob | incorrect | 65 % |", READ),
    ("Bob: no, 40%\nAlice: yes, 85", BARE),
    # A debater is quoted, a condition is named, a sentence goes on.
    ("Alice: correct\nBob: incorrect\nBut is that so?", UNREAD),
    ("If Alice is correct, Bob is incorrect.", UNREAD),
    ("Alice: correct\nBob: correct in row 2", UNREAD),
    ("Alice: not correct\nBob: incorrect", UNREAD),
    ("Bob: incorrect", UNREAD),
    ("Alice: correct (0.5-0.9)\nBob: incorrect", UNREAD),
    ("Al\u0131ce: correct\nBob: \u0131ncorrect", UNREAD),
    ("Alice: correct\nAlice: incorrect\nBob: incorrect", UNREAD),
]
KEYS: list[tuple[str, Said]] = [
    *((f'"{key}": "yes"', ("correct", None)) for key in NAMING),
    *((f'"{key}": "yes"', NOTHING) for key in NOT_NAMING),
    ('"Alice": "correct", "alice ": "yes"', ("correct", None)),
    ('"Alice": "correct", "ALICE": "wrong"', NOTHING),
    ('"Alice": {"verdict": "yes", "verdict": "no", "confidence": 1}', (None, 1.0)),
    (
        '"Alice": {"verdict": "yes", "confidence": 0.8}, '
        '"Alice": {"verdict": "yes", "confidence": 0.7}',
        ("correct", None),
    ),
]


@pytest.mark.parametrize(
    ("text", "rulings"), [*((text, READ) for text in FORMS), *WHICH, *IN_WORDS]
)
def test_which_rulings_are_read(text: str, rulings: list[Said]) -> None:
    assert read(text) == rulings


@pytest.mark.parametrize(("pairs", "ruling"), KEYS)
def test_a_key_is_the_whole_name_and_may_be_repeated(pairs: str, ruling: Said) -> None:
    assert read(f'{{"Bob": "wrong", {pairs}}}') == [ruling, ("incorrect", None)]


WORDS: dict[str | None, list[str]] = {
    "correct": ['"correct"', '"Right"', '"YES"', '" true "', "true", "True"],
    "incorrect": ['"Incorrect"', '"wrong"', '"no"', '"FALSE\\n"', "false", "False"],
    None: ['"correct|incorrect"', '"not correct"', '"unsure"', '""', '"correct, yes"'],
}
WORDS[None] += ["0x" + "f" * 5_000, "null", "1", "0", "[true]", '{"verdict": true}']


@pytest.mark.parametrize(
    ("verdict", "value"), [(word, v) for v, words in WORDS.items() for word in words]
)
def test_verdicts(verdict: str, value: str | None) -> None:
    inner = f'{{"Alice": {{"Verdict ": {verdict}, "confidence": 0.7}}, "Bob": "no"}}'
    assert read(inner) == [(value, 0.7), ("incorrect", None)]
    if not verdict.startswith("{"):
        assert read(f'{{"Alice": {verdict}}}', "Alice") == [(value, None)]


# Out of range, of unknown scale, no number or several: never clipped, never guessed.
NO_CONFIDENCE = ["85", "1.01", "0.49999", "-0.8", '"101%"', '"0.85%"', "NaN", "1e999"]
NO_CONFIDENCE += ["true", "null", "[0.8]", '"high"', '""', '"%"', '"0.8-0.9"', '"8/10"']
NO_CONFIDENCE += ["9" * 400, '"0,85"', "0.50-1.00", "0.8j", "b'0.8'"]


@pytest.mark.parametrize(
    ("confidence", "value"),
    [
        *((said, 0.85) for said in ("8.5e-1", "\n.85 ", '".85"', '" 85 % "', "85.0 %")),
        *((said, 1.0) for said in ("1", '"100%"')),
        ("0.5", 0.5),
        *((said, None) for said in NO_CONFIDENCE),
    ],
)
def test_confidences(confidence: str, value: float | None) -> None:
    text = f'{{"Alice": {{"verdict": "correct", "confidence": {confidence}}}}}'
    assert read(text, "Alice") == [("correct", value)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"Correct, I é 😀 think:\n```json\n{ALICE}\n```", 'correct", "conf'),
        ("{'Alice': 'Correct' , # correct\n }", "Correct' , #"),
        ('{"Alice": {"p": 80%, "confidence": 80%, "verdict":"correct"}}', 'correct"}}'),
        ("It is correct.\nAlice: **correct** (0.8)", "correct** (0.8)"),
        ('{"Alice": "yes"}', None),
        ("Alice: right", None),
    ],
)
def test_place_of_the_verdict(text: str, place: str | None) -> None:
    found = read_rulings(text, ["Alice"])["Alice"]
    assert found.verdict == "correct"
    start = None if place is None else text.index(place)
    assert found.place == (None if start is None else (start, start + 7))


UNITS = ["{", "[{", '{"', '{"":"{":"{', '{"Alice":1,', '```{"Alice":1}', " ", "\n"]
UNITS += ["Alice: correct ", "Alice: correct\n", "Alice's answer  ", "{'Alice': 1, "]


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_text_and_not_its_square(unit: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        read('{"Alice": [' + unit * (size // len(unit)))
        return time.process_time() - start

    # What grows with the square takes 16 times as long; machines may be busy.
    assert any(seconds(8_000) < 10 * seconds(2_000) + 0.05 for _ in range(3))


PIECES = [BOTH, ALICE, "Alice", "```", "{", "}", "[", "]", ":", ",", '"', "\\", "\n"]
PIECES += ["correct", "'", "{**a}", "\ud83d", "\x00", "#", "lambda:", "(", "f'{"]


@given(
    st.text()
    | st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=30).map("".join)
)
def test_any_text_is_read_without_an_error(text: str) -> None:
    read(text)


# --- What rulings come to -------------------------------------------------------------

WORD = {"C": "correct", "I": "incorrect"}
STANCE = {"a": "agree", "d": "disagree"}


def verdict(letters: str, kind: str = "verdict", **more: Any) -> Turn:
    """Rulings on Alice and Bob: correct, incorrect, unread (?)."""
    said = zip(NAMES, letters, strict=False)
    fields = {name: WORD[letter] for name, letter in said if letter in WORD}
    return Turn(speaker="judge", role="judge", kind=kind, fields=fields | more)


def speech(letter: str, kind: str = "speech") -> Turn:
    """A critic's speech: agrees, disagrees, unread (?)."""
    turn = Turn(speaker="Bob", role="debater_b", kind=kind, status="unparsed")
    if letter in STANCE:
        turn.status, turn.fields = "ok", {"stance": STANCE[letter]}
    return turn


def debate(proposers: int, *turns: Turn) -> Debate:
    return Debate(options=dict.fromkeys(NAMES[:proposers], "x"), turns=[*turns])


def letters_of(*rulings: bool | None) -> str:
    return "".join({True: "C", False: "I", None: "?"}[one] for one in rulings)


PANELS = ["CI CI", "C? C?", "CI,CI,II CI", "CC,II,CI CI", "CI,II ?I", "??,CI,?? CI"]


@pytest.mark.parametrize("row", [*PANELS, "CC,??,CI C?", ", ??"])
def test_most_judges_decide(row: str) -> None:
    panel, expected = row.split()
    judges = [verdict(letters) for letters in panel.split(",")]
    assert letters_of(*ruled(debate(2, *judges)).values()) == expected
    assert ruled(debate(0, *judges)) == {}


AGREES = ["a CC CC", "a II II", "aa IC ??", "da CI ??", "da? CI ??", "ad CI CI"]
DISAGREES = ["d CI CI", "d IC IC", "d CC ??", "d II ??", "d C? C?", "? CC CC"]
OF_PANELS = ["d CC,CI,IC ??", "d CC,CI,CI CI"]


@pytest.mark.parametrize("row", [*AGREES, *DISAGREES, *OF_PANELS])
def test_a_stance_that_contradicts_the_answer_leaves_both_unread(row: str) -> None:
    stances, panel, expected = row.split()
    judges = [verdict(letters) for letters in panel.split(",")]
    found = debate(1, *map(speech, stances), speech("a", "candidate"), *judges)
    assert [*ruled(found)] == ["Alice"]
    on_alice, on_bob = (ruling_on(found, name) for name in NAMES)
    assert letters_of(on_alice, on_bob) == expected
    last = last_stance(found)
    said = stances.strip("?")[-1:]
    assert (last.fields["stance"] if last else None) == STANCE.get(said)


def test_what_is_right() -> None:
    grades = {"a": "pass", "b": "fail", "c": "timeout", "d": "suspicious"}
    grades |= {"e": "unread", "f": "error"}
    graded = {name: {"status": status} for name, status in grades.items()}
    found = right(Debate(grades=graded))
    assert [*found.values()] == [True, False, False, False, False, None]


@pytest.mark.parametrize(
    ("letters", "confidence", "expected"),
    [
        ("C", 0.8, 0.6),
        ("I", 0.8, -0.6),
        ("C", None, None),
        ("?", 1, None),
    ],
)
def test_the_reward_of_a_candidate(
    letters: str, confidence: float | None, expected: float | None
) -> None:
    own = Turn(speaker="Alice", role="debater_a", kind="candidate", status="ok")
    scored = verdict(letters, "reward", Bob_confidence=0.9)
    scored.fields |= {} if confidence is None else {"Alice_confidence": confidence}
    assert reward(scored, own) == (expected and pytest.approx(expected))


def test_the_reward_of_a_critic_is_that_of_its_stance() -> None:
    scored = verdict("IC", "reward", Alice_confidence=0.6, Bob_confidence=0.9)
    assert reward(scored, speech("d", "candidate")) == pytest.approx(0.8)
    assert reward(scored, speech("a", "candidate")) is None
    assert reward(scored, speech("?", "candidate")) is None
