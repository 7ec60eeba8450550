"""What a judge reads in a judge check, and how often it is asked."""

import re
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.debate import consultancy, debate
from tests.support import Call, Run, Script, good, items, run

PASSAGE = "Ann read that three towns lie on the river."
SPEECH = "Bob is wrong, and Alice is right: it lists <quote>three</quote>. Or so I say."


def questions(n: int = 1, text: str = "Which town is it?") -> list[Sample]:
    metadata = {"passage": PASSAGE}
    return [
        Sample(id=k, input=f"{text} ({k})", choices=["Paris", "Rome"], target="A",
               metadata=metadata)
        for k in range(n)
    ]  # fmt: skip


def answer(call: Call) -> str:
    return good(call).replace("It lists <quote>three</quote>.", SPEECH)


class Checked(NamedTuple):
    held: Run
    check: Run

    def prompts(self, sample: int, epoch: int) -> dict[str, str]:
        """What the judge read, by check."""
        own = self.check.samples[2 * sample].id
        calls = [
            c for c in self.check.calls if c.epoch == epoch and f"({own})" in c.text
        ]
        base = calls[0]  # which is asked for first
        names = {"verdict": base.text}
        for call in calls[1:]:
            if call.what.draw:
                names["repeat"] = call.text
            elif call.what.order != base.what.order:
                names["order"] = call.text
            else:
                longer = len(call.text) > len(base.text)
                names["length" if longer else "names"] = call.text
        return names


def checked(
    tmp_path: Path, solver: Solver, samples: Any = None, epochs: int = 1, **how: Any
) -> Checked:
    held = run(tmp_path / "held", solver, answer, samples=samples or questions(),
               epochs=epochs)  # fmt: skip
    task = judge_check(held.log.location, **how)
    return Checked(held, run(tmp_path / "check", task, answer, epochs=epochs))


@pytest.mark.parametrize(
    ("solver", "samples"),
    [
        (colmad(rounds=2), items(2)),
        (colmad(judge_sees_problem=False, show_openings=False), items(2)),
        (colmad(skip_if_agree=False, self_audit=False, order="ba"), questions()),
        (copmad(rounds=1, quotes=False), questions(2)),
        (
            copmad(show_openings=True),
            [Sample(id=1, input="Which town?", target="Rome")],
        ),
        (debate(), questions(2)),
        (debate(judge_sees_passage=True, rounds=1), questions()),
    ],
)
def test_the_first_verdict_is_on_the_debate_as_it_was(
    tmp_path: Path, solver: Solver, samples: list[Sample]
) -> None:
    ran = checked(tmp_path, solver, samples, epochs=2)
    verdicts = [call for call in ran.held.calls if call.what.kind == "verdict"]
    before = sorted((call.epoch, call.text, call.what.order) for call in verdicts)
    after = {(call.epoch, call.text, call.what.order) for call in ran.check.calls}
    assert before
    assert {*before} <= after
    assert len(ran.check.calls) == 5 * len(before)
    assert ran.check.log.status == "success"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    return checked(tmp_path_factory.mktemp("ran"), debate(rounds=2), questions(4), 2)


CASES = [(sample, epoch) for sample in range(4) for epoch in (1, 2)]


@pytest.mark.parametrize(("sample", "epoch"), CASES)
def test_a_repeat_is_the_same_prompt(ran: Checked, sample: int, epoch: int) -> None:
    prompts = ran.prompts(sample, epoch)
    assert len(prompts) == 5
    assert prompts["repeat"] == prompts["verdict"]


@pytest.mark.parametrize(("sample", "epoch"), CASES)
def test_order_changes_places_alone(ran: Checked, sample: int, epoch: int) -> None:
    prompts = ran.prompts(sample, epoch)
    before, after = prompts["verdict"].splitlines(), prompts["order"].splitlines()
    assert before.pop() != after.pop()  # the form: A or B, B or A
    assert sorted(before) == sorted(after)
    listed = [[x for x in of if "argued for" in x] for of in (before, after)]
    speakers = [re.findall(r'speaker="(\w+)', prompts[c]) for c in ("verdict", "order")]
    for first, second in (listed, speakers):
        assert first != second
        assert [*first[1::-1], *first[:1:-1]] == second


@pytest.mark.parametrize(("sample", "epoch"), CASES)
def test_names_changes_names_alone(ran: Checked, sample: int, epoch: int) -> None:
    prompts = ran.prompts(sample, epoch)
    other = {"Alice": "Bob", "Bob": "Alice"}
    exchanged = re.sub("Alice|Bob", lambda name: other[name[0]], prompts["names"])
    assert prompts["names"] != prompts["verdict"] == exchanged


def turns(prompt: str) -> list[tuple[str, str]]:
    return re.findall(r'<turn speaker="(\w+)".*?>\n(.*?)\n</turn>', prompt, re.S)


@pytest.mark.parametrize(("sample", "epoch"), CASES)
def test_length_adds_words_to_a_last_speech(
    ran: Checked, sample: int, epoch: int
) -> None:
    prompts = ran.prompts(sample, epoch)
    before, after = turns(prompts["verdict"]), turns(prompts["length"])
    changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    (((speaker, short), (same, long)),) = changed
    assert speaker == same
    assert before[2:].count((speaker, short)) == 1  # the second of two rounds
    said, closing = short[: short.index("\nFinal:")], short[short.index("\nFinal:") :]
    assert long.startswith(said)
    assert long.endswith(closing)
    words = len(short.split())
    assert 2 * words <= len(long.split()) <= 2 * words + 25
    check = ran.check.debates[2 * sample + epoch - 1]
    turn = next(turn for turn in check.turns if turn.kind == "length")
    assert turn.fields["favours"] == {"Alice": "A", "Bob": "B"}[speaker]


def test_the_longer_side_changes_with_epochs(ran: Checked) -> None:
    sides = [
        turn.fields["favours"]
        for check in ran.check.debates
        for turn in check.turns
        if turn.kind == "length"
    ]
    assert all(
        first != second for first, second in zip(*[iter(sides)] * 2, strict=True)
    )


def test_what_checks_favour(ran: Checked) -> None:
    """Mirrored in even epochs: there the judge first reads B, and then A."""
    for n, check in enumerate(ran.check.debates):
        favoured = {turn.kind: turn.fields.get("favours") for turn in check.turns}
        assert favoured["order"] == "BA"[n % 2]
        assert favoured["names"] == "B"
        assert favoured["verdict"] is favoured["repeat"] is None


def test_repeats_are_not_taken_from_the_cache(tmp_path: Path) -> None:
    held = run(tmp_path / "held", debate(rounds=1), answer, samples=questions())
    script = Script(answer)
    for n in (1, 2):
        run(tmp_path / f"check{n}", judge_check(held.log.location), script, cache=True)
        assert len(script.calls) == 5  # the second run has all from the cache


def test_repeats_have_another_seed(tmp_path: Path) -> None:
    held = run(tmp_path / "held", debate(rounds=1), answer, samples=questions())
    script = Script(answer)
    roles = {"judge": script.model(seed=7)}
    run(tmp_path / "check", judge_check(held.log.location), script, roles=roles)
    assert sorted(call.config.seed or 0 for call in script.calls) == [7, 7, 7, 7, 8]


@pytest.mark.parametrize("text", ["Who met Alice?", "Did BOB, or bob, win?"])
def test_names_in_the_question_are_left_alone(tmp_path: Path, text: str) -> None:
    ran = checked(tmp_path, debate(rounds=1), questions(text=text))
    assert len(ran.check.calls) == 4
    values = ran.check.values("judge_check")
    assert isnan(values["names"])
    assert values["unread"] == 0


def test_items_without_a_debate_are_left_out(tmp_path: Path) -> None:
    def mostly(call: Call) -> str:
        if call.what.kind == "answer" and "(1)" in call.text:
            return "ANSWER: A"  # so they agree
        return answer(call)

    held = run(tmp_path / "held", colmad(rounds=1), mostly, samples=questions(3))
    check = run(tmp_path / "check", judge_check(held.log.location), answer)
    assert [sample.id for sample in check.samples] == [0, 2]
    assert (check.log.eval.metadata or {})["data"] | {"source": "", "dataset": ""} == {
        "source": "",
        "dataset": "",
        "debates": 2,
        "of": 3,
    }


@pytest.mark.parametrize("solver", [single(), consultancy(rounds=1)])
def test_logs_without_debates_of_two(tmp_path: Path, solver: Solver) -> None:
    held = run(tmp_path, solver, answer, samples=questions())
    with pytest.raises(InputError, match=r"colmad, copmad, debate"):
        judge_check(held.log.location)


def test_parameters_and_epochs(tmp_path: Path) -> None:
    held = run(tmp_path, debate(rounds=1), answer, samples=questions(), epochs=2)
    assert judge_check(held.log.location).epochs == 2
    with pytest.raises(InputError, match="check"):
        judge_check(held.log.location, check="order")


def test_a_panel_is_refused(tmp_path: Path) -> None:
    held = run(tmp_path / "held", debate(rounds=1), answer, samples=questions())
    script = Script(answer)
    panel = {"judge": [script.model(), script.model()]}
    check = run(tmp_path / "check", judge_check(held.log.location), script, roles=panel)
    assert check.log.status == "error"
    assert not script.calls


def test_unread_verdicts_are_counted(tmp_path: Path) -> None:
    held = run(tmp_path / "held", debate(rounds=1), answer, samples=questions())

    def mumbles(call: Call) -> str:
        return "Hm." if call.what.draw else answer(call)

    check = run(tmp_path / "check", judge_check(held.log.location), mumbles)
    values = check.values("judge_check")
    assert values["unread"] == 1
    assert values["order"] == values["length"] == 0
