"""Solutions in code, and what is said of them; also as they go wrong."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from inspect_debate.debate.cue import Cue, Format
from inspect_debate.debate.record import Kind, Parsed, Status
from inspect_debate.grading.code import read_code
from inspect_debate.simulator.behaviour import Behaviour, UnreadableKind
from inspect_debate.simulator.deciding import Draws
from inspect_debate.simulator.generative import (
    CODE,
    GRIDS,
    NAMES,
    Bank,
    bank_of,
    parts_of,
    rulings,
    solution,
    stance,
    write_rulings,
    write_solution,
)
from inspect_debate.simulator.playing import play
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.simulator.spoiling import LONG, hostile, truncated, unreadable
from inspect_debate.simulator.writing import Draft
from tests.simulator.asking import api_for, ask, check_share
from tests.simulator.generative_asking import (
    ENTRY_POINT,
    generative_cue,
    generative_kinds,
    in_code,
    known_code,
    read_generative,
    review_cue,
    verdict_cue,
)

FAULTY = {"malformed", "refusing", "truncating"}
KINDS: tuple[Kind, ...] = ("answer", "speech", "candidate", "verdict", "reward")
UNREADABLE = ("any", "no_tags", "echo", "both", "empty", "long", "script", "leak")
CASES = [(n, epoch) for n in range(100) for epoch in (1, 2, 3)]
HEAD = f"def {ENTRY_POINT}"
SOLUTIONS = {
    "plain": known_code(1).right,
    "one line": f"{ENTRY_POINT} = lambda x: x",
    "async": f"async {HEAD}():\n\n    pass",
    "a fence within": f'{HEAD}():\n    """\n```python\nx\n```\n"""\n\n    return 1',
    "an error": f"import os\n\n{HEAD}(:",
    "helpers": f"def g():\n    return 1\n\n\n@g\n{HEAD}(x):\n    if x:\n        1",
    "grids": f"{ENTRY_POINT} = [\n    [1, 2],\n\n    [3, 4],\n]",
}


def _read(text: str) -> Parsed:
    return read_code(text, ENTRY_POINT)


def _drafts(solution: str, count: int = 40) -> list[Draft]:
    return [write_solution(solution, 60, Random(n), CODE) for n in range(count)]


# --- what is read ------------------------------------------------------------------


@pytest.mark.parametrize("solution", SOLUTIONS.values(), ids=SOLUTIONS)
def test_programs_are_read_as_they_are(solution: str) -> None:
    languages = set()
    for draft in _drafts(solution):
        assert _read(draft.text) == Parsed.ok(solution)
        languages.add(draft.closing.split("\n")[0].strip("`"))
        assert draft.body.endswith(".")
        assert "`" not in draft.body
    assert languages == {"python", "py", "python3"}


def test_a_program_is_one_part() -> None:
    assert parts_of(SOLUTIONS["plain"], bank_of("code")) == [SOLUTIONS["plain"]]
    assert parts_of("1\n\n2", bank_of("grids")) == parts_of("1\n\n2") == ["1", "2"]


@pytest.mark.parametrize("profile", sorted(set(PROFILES) - FAULTY))
def test_every_profile_reads_back_as_drawn(profile: str) -> None:
    api = api_for(profile)
    cues = [in_code(cue, n) for n in range(4) for cue in generative_kinds(n)]
    for cue, output in zip(cues, ask(api, *cues), strict=True):
        found = read_generative(cue, output.completion)
        draws = Draws(api.behaviour, cue)
        if cue.format == "solution":
            assert found == {"answer": Parsed.ok(solution(draws))}
        elif cue.format == "review":
            assert found == {"stance": Parsed.ok(stance(draws))}
        elif cue.format == "rulings":
            for name, ruling in rulings(draws).items():
                correct = "correct" if ruling.correct else "incorrect"
                assert found[f"verdict {name}"] == Parsed.ok(correct)
        else:
            assert found["speech"].status == Status.OK


def test_right_and_wrong_programs_are_those_of_the_data_set() -> None:
    cues = [in_code(generative_cue("answer", n, epoch=epoch), n) for n, epoch in CASES]
    given: list[int] = []
    for (n, _), output in zip(CASES, ask(api_for(), *cues), strict=True):
        known = known_code(n)
        given.append(
            (known.right, *known.wrong).index(str(_read(output.completion).value))
        )
    check_share([which == 0 for which in given], 0.6)
    for wrong in (1, 2, 3):
        check_share([which == wrong for which in given if which], 1 / 3)


def test_rulings_are_the_same_as_on_grids() -> None:
    """What is decided does not depend on what a solution consists of."""
    behaviour = Behaviour()
    for n in range(30):
        for cue in (verdict_cue(n, (True, False)), generative_cue("reward", n)):
            other = in_code(cue, n).model_copy(update={"question": cue.question})
            shown = {"shown": cue.shown, "held": cue.held}
            assert rulings(Draws(behaviour, cue)) == rulings(
                Draws(behaviour, other.model_copy(update=shown))
            )


# --- what is said ------------------------------------------------------------------


def _lines(bank: Bank) -> set[str]:
    fields = bank._replace(languages=())
    return {line for value in fields for line in _flat(value)}


def _flat(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if hasattr(value, "values") else value
    return [line for part in parts for line in _flat(part)]


def _said(cues: Iterable[Cue]) -> str:
    return "\n".join(output.completion for output in ask(api_for(), *cues))


def test_what_is_said_fits_the_kind_of_solution() -> None:
    cues = [cue for n in range(40) for cue in generative_kinds(n)]
    grids, code = _said(cues), _said(in_code(cue, cue_n(cue)) for cue in cues)
    for bank, said, other in ((GRIDS, grids, code), (CODE, code, grids)):
        named = [line for line in _lines(bank) if "{other}" not in line]
        used = [line for line in named if line in said]
        assert len(used) > 0.9 * len(named)
        assert not [line for line in named if line in other]


def cue_n(cue: Cue) -> int:
    return int(cue.sample.removeprefix("task"))


@pytest.mark.parametrize("bank", [GRIDS, CODE], ids=["grids", "code"])
def test_sentences(bank: Bank) -> None:
    lines = [*_flat(bank._replace(languages=()))]
    assert len(lines) == len(set(lines))
    for line in lines:
        assert line[0].isupper() or line.startswith("{other}")
        assert line.endswith(".")
        assert not any(char.isdigit() for char in line)
        assert not {*"{}"} & {*line.replace("{other}", "")}
    own = (
        *bank.case_points,
        *bank.case_openings,
        *bank.case_later,
        *bank.case_closings,
    )
    assert not [line for line in own if "{other}" in line]


def test_reasons_speak_of_speeches_where_there_were_any() -> None:
    ruled = rulings(Draws(Behaviour(), verdict_cue(1)))
    for spoken in (True, False):
        texts = [
            write_rulings(ruled, spoken, 300, Random(n), CODE).text for n in range(20)
        ]
        said = [line for line in CODE.weighed_speeches if line in "".join(texts)]
        assert said == [*CODE.weighed_speeches] * spoken


# --- what goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize("solution", SOLUTIONS.values(), ids=SOLUTIONS)
@pytest.mark.parametrize("kind", UNREADABLE)
def test_unreadable_programs_are_not_read(solution: str, kind: UnreadableKind) -> None:
    behaviour = Behaviour(unreadable_kind=kind)
    for n, draft in enumerate(_drafts(solution, 4 if kind == "long" else 30)):
        text = unreadable(behaviour, draft, "solution", (), Random(n))
        assert _read(text) == Parsed.unparsed()
        assert len(text) >= LONG or kind != "long"
        if kind == "echo":
            assert text.startswith("```python\n(the whole program")
        if kind == "both":
            assert draft.body in text
            assert ("import os" in text) == ("import os" in solution)


def test_truncated_programs_are_not_read() -> None:
    for n, draft in enumerate(_drafts(SOLUTIONS["plain"])):
        assert _read(truncated(draft, Random(n))) == Parsed.unparsed()


@pytest.mark.parametrize("solution", SOLUTIONS.values(), ids=SOLUTIONS)
@pytest.mark.parametrize("kind", ["forged_quote", "takeover"])
def test_hostile_programs_stay_readable(solution: str, kind: Any) -> None:
    behaviour = Behaviour(hostile_kind=kind)
    for n, draft in enumerate(_drafts(solution)):
        text = hostile(behaviour, draft, NAMES[n % 2], Random(n)).text
        assert text != draft.text
        assert _read(text) == Parsed.ok(solution)


@pytest.mark.parametrize("kind", KINDS)
def test_turns_go_wrong_as_often_as_others(kind: Kind) -> None:
    cues = [
        in_code(review_cue(n, draw="1") if kind == "candidate" else cue, n)
        for n, cue in ((n, generative_cue(kind, n)) for n in range(300))
    ]
    api = api_for(unreadable_rate=0.3)
    unread = [
        next(iter(read_generative(cue, output.completion).values())).status
        == Status.UNPARSED
        for cue, output in zip(cues, ask(api, *cues), strict=True)
    ]
    check_share(unread, 0.3)


@pytest.mark.parametrize("n", range(5))
def test_a_reask_gives_the_program_alone(n: int) -> None:
    cue = in_code(generative_cue("answer", n), n)
    first, again = (
        play(Behaviour(reask_success=1), each, "").text
        for each in (cue, cue.model_copy(update={"reask": 1}))
    )
    assert again.startswith("```py")
    assert first.endswith(f"\n\n{again}")
    assert _read(again) == _read(first)


def test_completions_of_answers_are_the_same_in_every_format() -> None:
    told = {"interaction": "consultancy", "best_of": 4, "rounds": 3}
    faulty = Behaviour(unreadable_rate=0.3, hostile_rate=0.5)
    for n in range(40):
        cue = in_code(generative_cue("answer", n), n)
        other = cue.model_copy(update=told)
        assert play(faulty, cue, "") == play(faulty, other, "")


FORMATS: tuple[Format, ...] = ("solution", "case", "review", "rulings")


def test_every_turn_of_the_study_is_played() -> None:
    kinds = {in_code(cue, 1).format for cue in generative_kinds(1)}
    assert kinds == {*FORMATS}
