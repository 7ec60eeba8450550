"""Scorers on runs whose right numbers were counted by hand."""

from math import isnan, nan, sqrt
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Logprob, Logprobs, ModelOutput, TopLogprob, get_model
from inspect_ai.solver import generate

from inspect_debate.debate.record import Debate, Turn
from inspect_debate.debate.text import Quote
from inspect_debate.scorers.error_detection import detection_score, error_detection
from inspect_debate.scorers.process import process, process_values
from inspect_debate.solvers.baselines import ensemble, single
from inspect_debate.solvers.colmad import colmad
from tests.support import Call, Run, Script, good, items, labelled, reply, run

E, N = "error", "no_error"


def predicting(tmp_path: Path, rows: list[tuple[str, str, list[str]]]) -> Run:
    """Items with their gold label, subset and the answers of each epoch."""
    samples = [
        Sample(id=str(n), input="x", target=gold,
               metadata={"task": f"<{n}>", "response": "r", "subset": subset,
                         "input_group": str(n)})
        for n, (gold, subset, _) in enumerate(rows)
    ]  # fmt: skip

    def answer(call: Call) -> str:
        n = next(k for k in range(len(rows)) if f"<{k}>" in call.text)
        said = rows[n][2][call.epoch - 1]
        if said == "tie":
            said = N if call.what.role == "debater_b" else E
        return labelled(said) if said else "Who knows?"

    epochs = len(rows[0][2])
    return run(tmp_path, ensemble(reminders=0), answer, samples=samples, epochs=epochs,
               scorer=[error_detection(), process()])  # fmt: skip


def test_two_epochs_by_hand(tmp_path: Path) -> None:
    """TP 3, FN 1, FP 1, TN 1, of eight predictions two are unread."""
    done = predicting(
        tmp_path,
        [
            (E, "math", [E, E]),
            (E, "math", [E, N]),
            (N, "math", [E, N]),
            (N, "math", ["", ""]),
        ],
    )
    metrics = done.metrics()
    precision, recall = 3 / 4, 3 / 4
    assert metrics["precision"] == pytest.approx(precision)
    assert metrics["recall"] == pytest.approx(recall)
    assert metrics["f1"] == metrics["f2"] == pytest.approx(0.75)
    assert metrics["accuracy"] == pytest.approx(4 / 6)
    assert metrics["unread"] == pytest.approx(2 / 8)
    assert 0 < metrics["f1_stderr"] < sqrt(0.25)
    assert next(iter(metrics)) == "f1"


def test_one_unread_epoch_is_not_taken_for_the_other(tmp_path: Path) -> None:
    """Inspect's reducer would give the read epoch's value to both."""
    done = predicting(tmp_path, [(E, "math", [E, ""]), (E, "math", [N, N])])
    metrics = done.metrics()
    assert metrics["recall"] == pytest.approx(1 / 3)
    assert metrics["unread"] == pytest.approx(1 / 4)


def test_averages_are_over_tasks_and_not_pooled(tmp_path: Path) -> None:
    rows = [(E, "math", [E])] * 3 + [(E, "fact", [E]), (N, "fact", [E])]
    metrics = predicting(tmp_path, rows).metrics()
    assert metrics["precision"] == pytest.approx((1 + 1 / 2) / 2)
    assert metrics["f1"] == pytest.approx((1 + 2 / 3) / 2)


def test_draws_give_the_exact_expectation(tmp_path: Path) -> None:
    """One tied error, one tied other, one found error: four falls of two coins."""
    rows = [(E, "math", ["tie"]), (N, "math", ["tie"]), (E, "math", [E])]
    done = predicting(tmp_path, rows)
    f1 = [2 * tp / (2 * tp + fp + fn) for tp, fn in ((2, 0), (1, 1)) for fp in (0, 1)]
    assert done.metrics()["f1"] == pytest.approx(sum(f1) / 4)
    assert done.metrics()["accuracy"] == pytest.approx(2 / 3)
    assert done.values("error_detection")["correct"] == 0.5
    score = (done.samples[0].scores or {})["error_detection"]
    assert score.answer == done.debate.drawn


def test_nothing_read_is_nan_and_no_zero(tmp_path: Path) -> None:
    metrics = predicting(tmp_path, [(E, "math", [""]), (N, "math", [""])]).metrics()
    assert all(isnan(metrics[n]) for n in ("f1", "f2", "precision", "recall"))
    assert isnan(metrics["accuracy"])
    assert metrics["unread"] == 1


def test_tasks_without_a_debate_or_a_label_are_unscored(tmp_path: Path) -> None:
    scorer = [error_detection(), process()]
    script = Script(lambda c: "x")
    plain = Task(MemoryDataset(items()), solver=generate(), scorer=scorer)
    output = [reply("x")]
    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    done = run(tmp_path, plain, script, roles=[], model=model)
    assert _scored(done) == {"error_detection": 0, "process": 0}
    choices = Sample(id="q", input="Which?", choices=["x", "y"], target="A")
    foreign = run(tmp_path, single(), samples=[choices], scorer=scorer)
    assert foreign.log.status == "success"
    assert _scored(foreign) == {"error_detection": 0, "process": 1}


def _scored(done: Run) -> dict[str, int | None]:
    assert done.log.results
    return {s.scorer: s.scored_samples for s in done.log.results.scores}


# --- Process --------------------------------------------------------------------------


def spoke(role: str, round: int, **more: Any) -> Turn:
    kind = "speech" if round else "answer"
    known = {"speaker": role, "role": role, "kind": kind, "status": "ok"}
    return Turn.model_validate(known | {"round": round} | more)


def judged(order: str, answer: str = "", p: float | None = None) -> Turn:
    fields = {"answer": answer} if answer else {}
    return Turn(
        speaker="judge", role="judge", kind="verdict", order=order, fields=fields,
        status="ok" if answer else "refused",
        probabilities={} if p is None else {answer: p},
    )  # fmt: skip


def test_process_by_hand() -> None:
    a, b = "debater_a", "debater_b"
    quote, lost = Quote(text="x", source="task"), Quote(text="y")
    debate = Debate(
        protocol="colmad", options={E: "1", N: "2"}, defends={a: E, b: N},
        turns=[
            spoke(a, 0, fields={"answer": E}),
            spoke(b, 0, fields={"answer": N}, reminded=True),
            spoke(a, 1, fields={"final": E, "confidence": 0.9, "words": 10},
                  quotes=[quote, lost]),
            spoke(b, 1, fields={"final": E, "confidence": 0.6, "words": 20}),
            spoke(a, 2, status="truncated", fields={}),
            spoke(b, 2, fields={"final": None, "confidence": None, "words": 30}),
            judged("ab", E, 0.8), judged("ba", E, 0.6), judged("ba", N), judged("ab"),
        ],
    )  # fmt: skip
    expected = {
        "debated": 1, "unread": 2, "first_a": 1, "first_b": 0, "speeches": 4,
        "speeches_lost": 1,
        "answers_lost": 0, "verdicts": 4, "verdicts_lost": 1, "unparsed": 0,
        "refused": 1, "truncated": 1, "capped": 0, "missing": 0, "reminders": 1,
        "concessions": 1, "quotes": 2, "quotes_verified": 1, "words": 20,
        "first_listed": 2, "probability": 0.7, "honest": nan, "passage_read": nan,
    }  # fmt: skip
    values = process_values(debate, E)
    assert values == pytest.approx(expected, nan_ok=True)
    swapped = process_values(debate, N)
    assert [swapped[n] for n in ("first_a", "first_b")] == [0, 1]


def test_an_answer_that_is_no_label_is_no_prediction() -> None:
    value = detection_score(Debate(answer="maybe"), N).value
    assert isinstance(value, dict)
    assert isnan(value["prediction"])
    assert isnan(value["correct"])


def test_process_without_a_debate() -> None:
    debate = Debate(protocol="single", options={E: "1", N: "2"}, turns=[
        spoke("debater_a", 0, status="missing"),
    ])  # fmt: skip
    values = process_values(debate, E)
    zero = ("debated", "speeches", "verdicts")
    assert all(values[name] == 0 for name in zero)
    unknown = ["first_a", "first_b", "words"]
    unknown += ["probability", "first_listed", "concessions", "quotes"]
    assert all(isnan(values[name]) for name in unknown)
    assert (values["answers_lost"], values["missing"]) == (1, 1)
    # The keys of all samples have to agree, or Inspect fails the log.
    assert values.keys() == process_values(Debate(), "x").keys()


def test_judges_probabilities(tmp_path: Path) -> None:
    def answer(call: Call) -> str | ModelOutput:
        if call.what.kind != "verdict":
            return good(call)
        tops = [
            TopLogprob(token="1", logprob=-0.5),
            TopLogprob(token="2", logprob=-0.5),
        ]
        output = reply("Answer: 1")
        content = [
            Logprob(token="Answer: ", logprob=0.0),
            Logprob(token="1", logprob=-0.5, top_logprobs=tops),
        ]
        output.choices[0].logprobs = Logprobs(content=content)
        return output

    done = run(tmp_path, colmad(rounds=1), answer, scorer=process())
    assert done.values("process")["probability"] == pytest.approx(0.5)
    assert done.debate.of("verdict")[0].logprobs == [-0.5]
