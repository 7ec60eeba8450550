"""Writing a sheet: what it holds, what it must not, and its key."""

import html
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.debate import debate as debate_task
from inspect_debate.reports.judges.sheet import read_key, write_sheet
from tests.reports.judges.sheets import GOLD, MODEL, NAMES, debate, logged, six
from tests.reports.made_logs import foreign, single
from tests.scorers.recorded import Held as Recorded
from tests.support.made import verdict
from tests.support.runs import run, samples


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return six(tmp_path_factory.mktemp("six"))


def test_the_sheet_is_blind(log: Path, tmp_path: Path) -> None:
    written = write_sheet(log, tmp_path)
    for path in (written.form, written.table):
        text = path.read_text(encoding="utf-8")
        assert "debater_a speaks in round 1" in text
        secrets = ["SECRET", MODEL, "judging/", "judge decides", "debater_b answers"]
        secrets += [log.name, log.stem.split("_")[-1], "colmad", "input_group"]
        assert [word for word in secrets if word in text] == []


def test_the_key_says_what_the_codes_stand_for(log: Path, tmp_path: Path) -> None:
    written = write_sheet(log, tmp_path, seed=5)
    key = read_key(written.key)
    assert [*key.logs.values()] == [str(log)]
    assert sorted(row.id for row in key.rows) == [f"{n:02}" for n in range(6)]
    assert Counter(row.order for row in key.rows) == {"ab": 3, "ba": 3}
    table = written.table.read_text(encoding="utf-8")
    for row in key.rows:
        assert row.answers == (
            {"X": "error", "Y": "no_error"}
            if row.order == "ab"
            else {"X": "no_error", "Y": "error"}
        )
        assert row.shown_first == ("debater_a" if row.order == "ab" else "debater_b")
        (_, after) = table.split(row.code)
        first = 1 if row.order == "ab" else 2
        assert after.split(',"', 1)[1].split('",', 1)[1].startswith(f"{first} (")
        assert f"Response {int(row.id)}." in after.split('",')[0]


def test_it_says_what_is_on_it(log: Path, tmp_path: Path) -> None:
    records = [debate(verdict()), debate(complete=False), debate(debated=False)]
    other = logged([Recorded("error", records[:1])] * 2, tmp_path / "x")
    mixed = logged([Recorded("error", [record]) for record in records], tmp_path)
    notices = write_sheet([other, mixed], tmp_path / "sheet", limit=2).notices
    assert notices[0] == "2 of 3 debates between two answers are on it."
    assert notices[1] == (
        "Other samples are not: 1 x it did not end; 1 x nobody spoke."
    )
    alone = write_sheet(other, tmp_path / "alone").notices
    assert alone == ["2 of 2 debates between two answers are on it."]
    again = write_sheet([other, mixed], tmp_path / "other").notices
    assert again[-1].startswith("Questions that occur more than once: 1.")


def test_long_debates_are_said(tmp_path: Path) -> None:
    record = debate(verdict())
    turns = [t.model_copy(update={"public": "x" * 17_000}) for t in record.turns]
    long = record.model_copy(update={"turns": tuple(turns)})
    path = logged([Recorded("error", [long])], tmp_path)
    notices = write_sheet(path, tmp_path / "sheet").notices
    assert notices[-1].startswith("Debates that are longer than a cell of Excel: 1 (")


def test_a_sheet_is_written_again_but_not_over_another(
    log: Path, tmp_path: Path
) -> None:
    before = write_sheet(log, tmp_path).key.read_text(encoding="utf-8")
    assert write_sheet(log, tmp_path).key.read_text(encoding="utf-8") == before
    with pytest.raises(InputError, match="is the key of another sheet"):
        write_sheet(log, tmp_path, seed=1)
    assert (tmp_path / "key.json").read_text(encoding="utf-8") == before


def test_what_cannot_be_written_is_said(log: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can be put on a sheet: 4 x nobody spoke"):
        write_sheet(single(), tmp_path)
    with pytest.raises(InputError, match="has no record of a debate"):
        write_sheet(foreign(), tmp_path)
    with pytest.raises(InputError, match="limit=0 is not allowed"):
        write_sheet(log, tmp_path, limit=0)
    with pytest.raises(InputError, match="per_stratum=-1 is not allowed"):
        write_sheet(log, tmp_path, per_stratum=-1)
    assert not list(tmp_path.iterdir())


def test_two_logs_of_one_name(log: Path, tmp_path: Path) -> None:
    other = six(tmp_path / "other")
    same = other.rename(other.with_name(log.name))
    with pytest.raises(InputError, match="2 logs are called"):
        write_sheet([log, same], tmp_path / "sheet")


def test_the_gold_labels_are_those_of_the_log(log: Path, tmp_path: Path) -> None:
    assert {NAMES[letter] for letter in GOLD} == {"error", "no_error"}
    rows = read_key(write_sheet(log, tmp_path, per_stratum=1).key).rows
    assert Counter(GOLD[int(row.id)] for row in rows) == {"E": 1, "N": 1}


@pytest.mark.parametrize(
    ("protocol", "hidden"),
    [("copmad", "passage"), ("consultancy", "passage"), ("colmad", "nothing")],
)
def test_a_hidden_passage_stays_hidden(
    protocol: str, hidden: Literal["passage", "nothing"], tmp_path: Path
) -> None:
    task = debate_task(dataset="sample", protocol=protocol, hidden=hidden)
    log = run(task, tmp_path / "logs", limit=2)
    written = write_sheet(tmp_path / "logs", tmp_path / "sheet")
    page = html.unescape(written.form.read_text(encoding="utf-8"))
    for sample in samples(log):
        assert str(sample.input) in page
        assert (sample.metadata["passage"] in page) == (hidden == "nothing")
    assert ("a passage that you cannot read" in page) == (hidden == "passage")
    heard_alone = page.count('<p class="note">Only one participant was heard.')
    assert heard_alone == (2 if protocol == "consultancy" else 0)
