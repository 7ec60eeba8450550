"""What is believed of a report, with reports that are signed here."""

import hashlib
import hmac
import json

import pytest

from inspect_debate.grading.grade import Verdict, judge, read_report

KEY = b"key"
TESTS = ("test_a", "test_b", "test_c")
CANARIES = ("test_x", "test_y")
Message = tuple[str, ...]
READY: Message = ("ready",)
END: Message = ("end", "")
FAILED = [("test", name, "AssertionError: no") for name in CANARIES]
PASSED = [("test", name, "") for name in TESTS]
ALL: list[Message] = [READY, *PASSED, *FAILED, END]


def line(number: int, message: Message, key: bytes = KEY) -> str:
    text = json.dumps([str(number), *message])
    return f"{hmac.new(key, text.encode(), hashlib.sha256).hexdigest()} {text}\n"


def output(messages: list[Message]) -> str:
    return "".join(line(number, message) for number, message in enumerate(messages))


def verdict(text: str) -> Verdict:
    return judge(read_report(text, KEY), TESTS, CANARIES)


def without(name: str) -> list[Message]:
    return [message for message in ALL if name not in message]


def test_a_report_that_says_all_is_a_pass() -> None:
    assert verdict(output(ALL)) == Verdict(3, "")


@pytest.mark.parametrize("given", range(2, len(ALL) + 1))
def test_the_order_of_tests_does_not_matter(given: int) -> None:
    tests = ALL[1:-1]
    turned = tests[given:] + tests[:given]
    assert verdict(output([READY, *turned, END])) == Verdict(3, "")


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (
            [READY, ("test", "test_a", "ValueError: 1"), *PASSED[1:], *FAILED, END],
            Verdict(2, "1 of 3 tests failed: test_a: ValueError: 1"),
        ),
        (
            [READY, *(("test", name, "E: 1") for name in TESTS), *FAILED, END],
            Verdict(0, "3 of 3 tests failed: test_a: E: 1; test_b: E: 1; test_c: E: 1"),
        ),
        (ALL[:-1], Verdict(3, "ended after 3 of 3 tests")),
        (ALL[:3], Verdict(2, "ended after 2 of 3 tests")),
        (ALL[:1], Verdict(0, "ended after 0 of 3 tests")),
        ([], Verdict(0, "ended after 0 of 3 tests")),
        (
            [READY, ("test", "test_a", "E: 1"), ("test", "test_b", "")],
            Verdict(1, "ended after 2 of 3 tests; 1 of 3 tests failed: test_a: E: 1"),
        ),
        ([READY, ("load", "changed len")], Verdict(0, "changed len")),
        ([*ALL[:-1], ("end", "tearDownClass")], Verdict(3, "tearDownClass")),
        (without("test_b"), Verdict(2, "ran 2 of 3 tests")),
        (without("test_x"), Verdict(3, "ran 3 of 3 tests")),
        ([READY, END], Verdict(0, "ran 0 of 3 tests")),
        (
            [READY, *PASSED, ("test", "test_x", ""), FAILED[1], END],
            Verdict(0, "made tests pass that cannot be passed"),
        ),
        (
            [READY, *PASSED, PASSED[0], *FAILED, END],
            Verdict(0, "the report was tampered with"),
        ),
        (
            [READY, *PASSED, ("test", "test_z", ""), *FAILED, END],
            Verdict(0, "the report was tampered with"),
        ),
    ],
)
def test_verdicts(messages: list[Message], expected: Verdict) -> None:
    assert verdict(output(messages)) == expected


ALTERED = {
    "another key": line(0, READY, b"other") + output(ALL).partition("\n")[2],
    "a word in front": "x" + output(ALL),
    "a word behind": output(ALL) + "x",
    "an empty line": output(ALL) + "\n",
    "a line between": output(ALL).replace("\n", "\nOK\n", 1),
    "a line twice": output(ALL[:2]) + output(ALL[1:2]) + output(ALL),
    "everything twice": output(ALL) * 2,
    "another order": "\n".join([*output(ALL).split("\n")[1::-1], ""]),
    "another text": output(ALL).replace("AssertionError: no", "", 1),
    "a number left out": line(0, READY) + line(2, END),
    "nothing at the front": output(ALL).partition("\n")[2],
    "not signed": json.dumps(["0", "ready"]) + "\n",
    "another alphabet": "ключ [\ud800]\n",
    "ready again": output([READY, READY]),
    "begins without": output(ALL[1:]),
}


@pytest.mark.parametrize("how", ALTERED)
def test_nothing_else_may_be_on_the_channel(how: str) -> None:
    assert verdict(ALTERED[how]) == Verdict(0, "the report was tampered with")


@pytest.mark.parametrize(
    ("text", "started"),
    [
        ("", False),
        (output([READY]), True),
        (output(ALL), True),
        ("noise\n" + output(ALL), True),
        (ALTERED["nothing at the front"], False),
        (ALTERED["begins without"], False),
        (ALTERED["not signed"], False),
    ],
)
def test_only_an_authentic_first_message_says_that_it_started(
    text: str, started: bool
) -> None:
    assert read_report(text, KEY).started is started
