"""Debate and consultancy: who reads the passage, who argues, what is quoted."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.errors import InputError
from inspect_debate.scorers.process import process
from inspect_debate.scorers.question_answering import question_answering
from inspect_debate.solvers.baselines import judge_alone, self_consistency, single, som
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.debate import consultancy, debate
from tests.support import Call, good, run

PASSAGE = (
    "The mill of Orrin stands dry. Its wheel was sold in 1911, and nobody knows why."
)
SCORERS = [question_answering(), process()]


def about(n: int = 1, words: bool = False, **metadata: Any) -> list[Sample]:
    """Questions about the passage; the first option is right."""
    known = {"passage": PASSAGE, "question_id": "q"} | metadata
    return [
        Sample(
            f"When was wheel {k} sold?",
            id=f"q{k}",
            choices=None if words else ["In 1911", "In 1919"],
            target=["Paris", "Paris, France"] if words else "A",
            metadata=known,
        )
        for k in range(n)
    ]


def saying(text: str, verdict: str = "A") -> Any:
    """Debaters that always say the same, and a judge."""

    def answer(call: Call) -> str:
        if call.what.kind == "speech":
            return f"<argument>{text}</argument>"
        return f"Answer: {verdict}" if call.what.kind == "verdict" else good(call)

    return answer


@pytest.mark.parametrize("judge_reads", [False, True])
@pytest.mark.parametrize("make", [debate, consultancy, colmad, copmad, judge_alone])
def test_debaters_read_the_passage_and_judges_only_if_they_shall(
    tmp_path: Path, make: Any, judge_reads: bool
) -> None:
    solver = make(judge_sees_passage=judge_reads)
    answer = saying("I say so.")
    done = run(tmp_path, solver, answer, samples=about(), scorer=SCORERS)
    assert done.debate.answer == "A"
    for call in done.calls:
        reads = judge_reads or call.what.role != "judge"
        assert (PASSAGE in call.text) == reads
        assert "When was wheel 0 sold?" in call.text
    assert done.values("process")["passage_read"] == float(judge_reads)


@pytest.mark.parametrize("make", [single, som, judge_alone])
def test_answers_in_words(tmp_path: Path, make: Any) -> None:
    blind = make is judge_alone
    answer = (lambda call: "ANSWER: Paris") if blind else good
    done = run(tmp_path, make(), answer, samples=about(words=True), scorer=SCORERS)
    assert all((PASSAGE in call.text) != blind for call in done.calls)
    correct = done.values("question_answering")["correct"]
    assert correct == (0.5 if make is som else 1.0)  # som's two models disagree
    assert isnan(done.values("question_answering")["chance"])


def test_a_passage_that_the_input_has_is_not_shown_twice(tmp_path: Path) -> None:
    (sample,) = about()
    sample.input = f"{PASSAGE}\n\n{sample.input}"
    done = run(tmp_path, single(), samples=[sample])
    assert done.calls[0].text.count(PASSAGE) == 1


def test_no_prompt_of_a_users_shows_the_passage_to_a_judge(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text("judge: |\n  You judge. {{ passage }}\n")
    for make in (debate, consultancy, judge_alone):
        solver = make(prompts=str(prompts))
        done = run(tmp_path, solver, saying("I say so."), samples=about())
        judged = [call.text for call in done.calls if call.what.role == "judge"]
        assert all("You judge." in text and PASSAGE not in text for text in judged)


def test_first_answers_that_judges_read_are_counted(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        if call.what.kind == "answer":
            letter = "AB"[call.what.role == "debater_b"]
            copied = PASSAGE.replace("mill", "m\u00adill")
            return f"{copied}\nANSWER: {letter}"
        return str(saying("I say so.")(call))

    for shown in (True, False):
        solver = colmad(show_openings=shown)
        done = run(tmp_path, solver, answer, samples=about(), scorer=SCORERS)
        assert done.values("process")["passage_read"] == float(shown)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("1,000", "1000.0", True), ("1,5", "15", False), ("1_0", "10", False)],
)
def test_only_forms_of_one_answer_are_merged(
    tmp_path: Path, a: str, b: str, same: bool
) -> None:
    def answer(call: Call) -> str:
        return f"ANSWER: {b if call.what.role == 'debater_b' else a}"

    done = run(tmp_path, som(rounds=1), answer, samples=about(words=True))
    assert len(done.debate.options) == 2 - same


def test_many_answers_in_words_keep_their_own_letters(tmp_path: Path) -> None:
    def answer(call: Call) -> str:
        n = call.what.draw
        return "ANSWER: " + (f"w{n}" if n < 27 else "Paris")

    solver = self_consistency(n=30)
    done = run(tmp_path, solver, answer, samples=about(words=True), scorer=SCORERS)
    assert len(done.debate.options) == 28
    assert done.values("question_answering")["correct"] == 1


def test_a_debate_as_it_is_by_default(tmp_path: Path) -> None:
    done = run(tmp_path, debate(), samples=about(6), scorer=SCORERS, epochs=2)
    assert done.kinds().count("speech") == 12 * 6
    assert done.kinds().count("verdict") == 12
    assert "answer" not in done.kinds()
    sides = {}
    for sample, record in zip(done.samples, done.debates, strict=True):
        assert record.protocol == "debate"
        assert {*record.defends.values()} == {"A", "B"}
        sides[sample.id, sample.epoch] = record.defends["debater_a"]
    first = [sides[f"q{k}", 1] for k in range(6)]
    assert {*first} == {"A", "B"}  # drawn by item
    assert all(sides[f"q{k}", 2] != first[k] for k in range(6))
    assert all(record.answer == "A" for record in done.debates)
    assert done.metrics()["accuracy"] == 1


def test_a_consultant_argues_for_either_answer(tmp_path: Path) -> None:
    answer = saying("See <quote>sold in 1911</quote>.", verdict="B")
    data = about(6)
    done = run(tmp_path, consultancy(), answer, samples=data, scorer=SCORERS, epochs=2)
    assert {call.what.role for call in done.calls} == {"debater_a", "judge"}
    honest = [done.values("process", k)["honest"] for k in range(12)]
    assert [honest[k] + honest[k + 1] for k in range(0, 12, 2)] == [1] * 6
    for record, value in zip(done.debates, honest, strict=True):
        assert (record.defends["debater_a"] == "A") == value
        assert [turn.round for turn in record.of("speech")] == [1, 2, 3]
    for call in done.calls:
        if call.what.kind == "speech":
            sides = "AB" if done_for(call) == "A" else "BA"
            assert f"You argue for answer {sides[0]}" in call.text
            assert f"Nobody argues for answer {sides[1]}" in call.text
    values = done.values("question_answering")
    assert (values["correct"], values["chance"]) == (0, 0.5)


def done_for(call: Call) -> str:
    """The answer for which a consultant is told to argue."""
    return call.text.partition("You argue for answer ")[2][0]


def test_a_consultant_needs_two_options(tmp_path: Path) -> None:
    done = run(tmp_path, consultancy(), samples=about(words=True))
    assert done.log.status == "error"
    assert not done.calls
    with pytest.raises(InputError, match="rounds"):
        consultancy(rounds=0)


# --- What judges read of the passage --------------------------------------------------

SPEECHES = [
    # text, limit, what judges read of the passage in words, quotes
    ("I say so.", 250, 0, 0),
    ("It is <quote>sold in 1911</quote>.", 250, 3, 1),
    ("No: <quote>sold in 1919</quote>.", 250, 0, 1),
    (f"All: <quote>{PASSAGE}</quote>", 1000, 16, 1),
    (f"All: <quote>{PASSAGE}</quote>", None, 16, 1),
    (f"All: <quote>{PASSAGE}</quote>", 11, 3, 1),  # "The mill of"
    (f"<quote>The mill</quote> <quote>{PASSAGE}</quote>", 8, 2, 1),
    # An unclosed quote is no quote, and still read.
    (f"All: <quote>{PASSAGE}", 11, 16, 0),
    (PASSAGE.upper(), 11, 16, 0),
    ("The mill of Orrin, they say, stands dry.", 11, 0, 0),  # too few in a row
]


@pytest.mark.parametrize(("text", "limit", "words", "quotes"), SPEECHES)
def test_what_judges_read_of_the_passage_is_counted(
    tmp_path: Path, text: str, limit: int | None, words: int, quotes: int
) -> None:
    solver = debate(rounds=1, quote_limit=limit)
    done = run(tmp_path, solver, saying(text), samples=about(), scorer=SCORERS)
    values = done.values("process")
    assert values["passage_read"] == round(words / 16, 3)
    assert values["quotes"] == 2 * quotes
    (verdict,) = [call.text for call in done.calls if call.what.kind == "verdict"]
    for turn in done.debate.of("speech"):
        assert turn.public in verdict
        assert sum(len(quote.text) for quote in turn.quotes) <= (limit or 1000)
    assert ("[...]" in verdict) == (quotes and limit in (8, 11))


@pytest.mark.parametrize("solver", [judge_alone(order="ba"), debate(order="ba")])
def test_options_are_listed_once_in_the_order_of_the_judge(
    tmp_path: Path, solver: Any
) -> None:
    done = run(tmp_path, solver, saying("I say so."), samples=about())
    read = next(call.text for call in done.calls if call.what.role == "judge")
    assert [read.count(f"{n})") for n in "AB"] == [1, 1]
    assert read.index("B) In 1919") < read.index("A) In 1911")
