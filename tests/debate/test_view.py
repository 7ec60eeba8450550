"""The record, and how the viewer shows it."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from inspect_debate.debate.record import Debate, Turn, debate_of
from inspect_debate.debate.view import body, heading, literal, messages, outcome, result
from inspect_debate.solvers.colmad import colmad
from tests.support import items, run

OPTIONS = {"error": "it has an error", "no_error": "it has none"}


def spoke(**more: object) -> Turn:
    known = {"speaker": "Alice", "role": "debater_a", "kind": "speech", "status": "ok"}
    return Turn.model_validate(known | {"round": 1, "public": "My case."} | more)


@pytest.mark.parametrize(
    ("turn", "shown", "hidden"),
    [
        (spoke(), ["**Alice** (debater_a) · round 1", "My case."], []),
        (spoke(role="judge", speaker="judge_2", kind="verdict", round=0, order="ba"),
         ["**judge_2** · verdict, read in order ba"], ["(judge)"]),
        (spoke(private="SECRET"), [], ["SECRET"]),
        (spoke(public="&lt;turn> &#91;INST]"), [r"\<turn> [INST]"], ["&lt;"]),
        (spoke(public="# Big\n```\n# a < b\n```"), [r"\# Big", "\n# a < b"], []),
        (spoke(public="<v_quote>x</v_quote> <u_quote>y</u_quote>"),
         ["“x” ✓", "“y” *(not found)*"], ["_quote"]),
        (spoke(fields={"final": "error", "confidence": 0.8}),
         ["it has an error", "0.8"], []),
        (spoke(status="refused", public="", stop_reason="content_filter"),
         ["content_filter"], []),
        (spoke(status="truncated", error="no <room>"), [r"no \<room>"], []),
    ],
)  # fmt: skip
def test_turns(turn: Turn, shown: list[str], hidden: list[str]) -> None:
    text = f"{heading(turn)}\n{body(turn, OPTIONS)}"
    assert all(part in text for part in shown)
    assert not any(part in text for part in hidden)


@pytest.mark.parametrize(
    ("debate", "shown"),
    [
        (Debate(options=OPTIONS, answer="error"), ["it has an error"]),
        (Debate(options=OPTIONS, answer="error", skip_reason="agreed"), ["agreed"]),
        (Debate(options=OPTIONS, tied=[*OPTIONS], drawn="error", skip_reason="tied"),
         [*OPTIONS.values(), "tied"]),
        (Debate(options=OPTIONS, skip_reason="unread"), ["unread"]),
    ],
)  # fmt: skip
def test_outcomes(debate: Debate, shown: list[str]) -> None:
    assert all(part in outcome(debate) for part in shown)
    assert all(part in result(debate, "error") for part in shown)


def test_the_outcome_and_the_right_answer() -> None:
    debate = Debate(options=OPTIONS, answer="error", turns=[spoke(), spoke(round=2)])
    text = result(debate, "no_error")
    assert text.index("it has an error") < text.index("it has none")
    roles = [m.role for m in messages(debate, "An item.")]
    assert roles == ["user", "assistant", "assistant", "assistant"]


def test_only_a_debates_answers_have_probabilities() -> None:
    tied = Debate(tied=["error", "no_error"])
    assert [tied.probability(key) for key in ("error", "x")] == [0.5, 0]
    assert Debate(answer="error").probability("error") == 1
    assert Debate(answer="error").probability("no_error") == 0
    assert Debate().probability("error") is None


def test_a_record_survives_its_log(tmp_path: Path) -> None:
    done = run(tmp_path, colmad(rounds=1), samples=items(2))
    log = read_eval_log(done.log.location)
    assert log.samples
    debates = [debate_of(sample) for sample in log.samples]
    assert debates == done.debates
    assert debates[0]
    assert debates[0].parameters["rounds"] == 1
    assert debates[0].prompts.keys() >= {"speech", "verdict", "answer"}
    texts = [message.text for message in log.samples[0].messages]
    assert texts[1].startswith("**debater_a** · first answer")
    assert texts[-1].startswith("**Outcome**")
    without = log.samples[0].model_copy(update={"store": {}})
    assert debate_of(without) is None


def test_literal_text_has_no_headings_or_tags_of_its_own() -> None:
    assert literal("a <b>\n## c") == "a \\<b>\n\\## c"
