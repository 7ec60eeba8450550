"""What people judged as logs, in which they are judges like any model."""

import json
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from inspect_debate.debate.outcome import judges_of, outcome
from inspect_debate.debate.paths import AnyPath
from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.record import Debate, DebateRecord, Participant, Turn
from inspect_debate.reports.debates import read_debates
from inspect_debate.reports.frames import scores_df
from inspect_debate.reports.judges.judged import judged_by
from inspect_debate.reports.judges.matrix import judge_matrix
from inspect_debate.reports.judges.sheet import KeyRow, read_key, write_sheet
from inspect_debate.reports.judges.sheet_back import read_sheets
from inspect_debate.reports.judges.steps import Belief, Decision
from inspect_debate.reports.judges.verdicts import verdicts_df
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.page import shown_debate
from inspect_debate.reports.probabilities import probability_rows
from tests.reports.judges.sheets import MARY, NAMES, contested, debate, fill, six
from tests.reports.made_logs import sharded
from tests.support.made import answer, speech, verdict

GOLD = {"E": "error", "N": "no_error"}
EXAMPLES = Path(__file__).parents[3] / "logs" / "examples"


def said(key: AnyPath, folder: Path, name: str, given: str) -> Path:
    """The file of somebody who judged step by step, with 60, 70 and 80 percent."""
    lines = []
    for row in read_key(key).rows:
        wanted = NAMES[given[int(row.id)]]
        (letter,) = (x for x, answer in row.answers.items() if answer == wanted)
        for percent, time, round in ((60, "alone", 0), (70, "round", 1)):
            lines.append((row.code, letter, percent, time, round))
        lines.append((row.code, letter, 80, "verdict", 0))
    keys = ("code", "answer", "percent", "time", "round")
    also = {
        "seconds": 2.5,
        "at": "2030-01-01T00:00:00Z",
        "remark": "<v_quote>as</v_quote>",
    }
    path = folder / f"{name}.jsonl"
    texts = (json.dumps(dict(zip(keys, line, strict=True)) | also) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[AnyPath]:
    """The log of six debates, and those of Mary, step by step, and Tom, on a sheet."""
    folder = tmp_path_factory.mktemp("judged")
    log = six(folder / "logs")
    key = write_sheet(log, folder / "sheet").key
    mary = said(key, folder, "mary", MARY)
    (tom,) = fill(key, folder, tom="EENN-E")
    back = read_sheets([mary, tom], key, folder / "back", judged_logs=True)
    assert [path.name for path in back.judged] == [
        f"{log.stem}_human_{name}.eval" for name in ("mary", "tom")
    ]
    return [log, *back.judged]


def test_judges_are_the_people_and_all_else_is_as_it_was(logs: list[Path]) -> None:
    before, mary, tom = (list(read_debates(log)) for log in logs)
    assert (len(mary), len(tom)) == (6, 5)
    for old, new in zip(before, mary, strict=True):
        assert old.record is not None
        assert new.record is not None
        assert (new.sample.id, new.sample.target) == (old.sample.id, old.sample.target)
        spoken = [t.public for t in old.record.spoken()]
        assert [t.public for t in new.record.spoken()] == spoken
        assert new.record.reused_from == old.log.header.eval.eval_id
        assert judges_of(new.record) == ["judge"]
        judged = [t for t in new.record.turns if t.role == "judge"]
        assert [(t.kind, t.round, t.about) for t in judged] == [
            ("belief", 0, "question_alone"),
            ("belief", 1, None),
            ("verdict", 0, None),
        ]
        assert {(t.model, t.seconds) for t in judged} == {("human/mary", 2.5)}
        # What a person writes can be no quote that was checked.
        assert {t.public for t in judged} == {"&lt;v_quote>as&lt;/v_quote>"}
        places = [new.record.turns.index(t) for t in judged]
        assert places == [0, len(new.record.turns) - 2, len(new.record.turns) - 1]
        wanted = GOLD[MARY[int(new.sample.id)]]
        assert outcome(new.record).answer == wanted
        found = {
            (one.kind, one.alone, one.claim == wanted, one.p)
            for one in judged_probabilities(new.record)
        }
        assert found == {
            *[("belief", True, True, 0.6), ("belief", True, False, 0.4)],
            *[("belief", False, True, 0.7), ("belief", False, False, 0.3)],
            *[("verdict", False, True, 0.8), ("verdict", False, False, 0.2)],
        }
        assert len(probability_rows(new)) == 6
        assert shown_debate(new)["judges"]["judge"]["result"] == "right"
    for held in tom:  # a sheet without confidences
        assert held.record is not None
        (one,) = (t for t in held.record.turns if t.role == "judge")
        assert set(one.fields) == {"answer"}


def test_people_and_models_that_judged_the_same_are_one_panel(logs: list[Path]) -> None:
    matrix = judge_matrix(verdicts_df(logs))
    assert set(matrix.index.get_level_values("panel")) == {1}
    # Of MARY, "EENN-E" and ENENEN, against EEENNN.
    right = {"human/mary": 6, "human/tom": 3, "scripted/x": 4}
    asked = {"human/mary": 6, "human/tom": 5, "scripted/x": 6}
    assert matrix.sum().to_dict() == right
    assert matrix.count().to_dict() == asked


def test_logs_are_runs_of_their_own_and_scored(logs: list[Path]) -> None:
    headers = [read_eval_log(str(log), header_only=True) for log in logs]
    for name in ("eval_id", "run_id", "task_id"):
        assert len({getattr(header.eval, name) for header in headers}) == 3
    _, mary, tom = headers
    (judge,) = open_logs(logs[1])[0].roles["judge"]
    assert judge.model == "none/human/mary"
    assert mary.results is not None
    assert tom.results is not None
    assert mary.results.scores[0].name == "error_detection"
    assert mary.results.scores[0].metrics["accuracy"].value == 1
    assert tom.eval.dataset.samples == tom.results.total_samples == 5
    (first, *_) = read_eval_log(str(logs[1])).samples or []
    assert first.messages[-1].text.startswith("### Outcome: ")
    assert first.store_as(Debate).record is not None
    assert first.total_time == 7.5


def test_debates_of_all_shards_are_judged(tmp_path: Path) -> None:
    logs = sharded(EXAMPLES / "debate.eval", tmp_path / "logs")
    key = write_sheet(logs, tmp_path).key
    rows = read_key(key).rows
    file = tmp_path / "ann.csv"
    file.write_text("code,verdict\n" + "".join(f"{row.code},X\n" for row in rows))
    back = read_sheets(
        [file], key, tmp_path / "back", judged_logs=True, scored_logs=True
    )
    (judged,) = (read_eval_log(str(log)) for log in back.judged)
    assert sorted(str(s.id) for s in judged.samples or []) == sorted(r.id for r in rows)
    assert len(rows) == 4
    assert len(back.logs) == 2


@pytest.mark.slow
def test_every_study_whose_debates_can_be_judged(tmp_path: Path) -> None:
    names = ("colmad", "confidence", "debate", "judge_check")
    sources = [EXAMPLES / f"{name}.eval" for name in names]
    key = write_sheet(sources, tmp_path).key
    rows = read_key(key).rows
    lines = "".join(f"{row.code},X,90\n" for row in rows)
    files = [tmp_path / "ann.csv", tmp_path / "bob.csv"]
    for file in files:
        file.write_text(f"code,verdict,confidence\n{lines}")
    back = read_sheets(files, key, tmp_path / "back", judged_logs=True)
    # To a report each person is a judge of its own.
    of_debate = [path for path in back.judged if path.stem.startswith("debate_")]
    judges = scores_df(of_debate)["judge"].value_counts().to_dict()
    assert judges == {"human/ann": 4, "human/bob": 4}
    scored = {}
    for log in back.judged[: len(sources)]:
        read = read_eval_log(str(log))
        assert read.results is not None
        scored[log.stem] = [score.name for score in read.results.scores]
        for sample in read.samples or []:
            record = sample.store_as(Debate).record
            assert record is not None
            (decided,) = (t for t in record.turns if t.role == "judge")
            sure = {f"probability_of_{choice}" for choice in record.choices}
            sure = {"confidence"} if record.study == "confidence" else sure
            assert set(decided.fields) == {"answer", *sure}
            known = judged_probabilities(record)
            assert {round(one.p or 0, 6) for one in known} == {0.9, 0.1}
    assert scored == {
        "colmad_human_ann": ["error_detection", "debate_process"],
        "confidence_human_ann": ["bets", "jury"],
        "debate_human_ann": ["question_answering", "debate_process"],
        "judge_check_human_ann": ["question_answering"],
    }


def judged(record: DebateRecord, *beliefs: int) -> list[Turn]:
    """The turns of a debate that a person judged, who was asked after these rounds."""
    row = KeyRow(
        code="BBBBB",
        log="x.eval",
        run="run",
        id="item",
        epoch=1,
        order="ba",
        answers={"X": "no_error", "Y": "error"},
        shown_first="debater_b",
    )
    believed = tuple(Belief(round, "X", 0.6, "", 1.0) for round in beliefs)
    decision = Decision("BBBBB", "Y", 0.9, "", believed, 1.0)
    return [*judged_by("mary", decision, row, contested(record)).turns]


def test_turns_are_in_the_order_in_which_they_were_taken() -> None:
    asked = speech("judge", role="judge", kind="judge_question", spoken=True)
    turns = (
        *(answer("debater_a", "error"), answer("debater_b", "no_error")),
        *(speech("debater_a"), speech("debater_b"), asked),
        *(speech("debater_a", round=2), speech("debater_b", round=2)),
        *(verdict(), verdict(order="ba")),
    )
    found = judged(debate(verdict(), turns=turns), -1, 0, 1, 2)
    assert [(t.kind, t.round) for t in found] == [
        *[("belief", 0), ("answer", 0), ("answer", 0), ("belief", 0)],
        *[("speech", 1), ("speech", 1), ("belief", 1), ("judge_question", 1)],
        *[("speech", 2), ("speech", 2), ("belief", 2), ("verdict", 0)],
    ]
    assert Counter(t.reused for t in found) == {True: 7, False: 5}
    last = found[-1]
    assert (last.order, last.listed_first, last.shown_first) == (
        *("ba", "no_error", "debater_b"),
    )


def test_of_more_options_the_two_that_are_debated_have_probabilities() -> None:
    record = debate(choices=("error", "no_error", "other"))
    turns = tuple(judged(record, -1, 1))
    person = Participant(id="judge", role="judge", name="Judge", model="human/mary")
    people = (*record.participants, person)
    update = {"turns": turns, "participants": people}
    known = judged_probabilities(record.model_copy(update=update))
    assert {(one.claim, one.among) for one in known} == {("error", 2), ("no_error", 2)}
    assert [one.alone for one in known] == [True] * 2 + [False] * 4
