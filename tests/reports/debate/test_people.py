"""The report and the comparison of debates that people held and judged."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspect_debate.cli.import_ import import_
from inspect_debate.evals.debate import debate
from inspect_debate.reports.compare.comparison import compare
from inspect_debate.reports.debate import REPORT
from inspect_debate.reports.elements import Notice, Report, Table
from tests.support.models import scripted
from tests.support.runs import run

JUDGES = ("Ann", "Bob", "Cleo")
RIGHT = {"debate": [0.9, 0.8, 0.7, 0.9, 0.6, 0.2], "consultancy": [0.4, 0.8, 0.3, 0.5]}
"""The judge's last probability of the right answer, A, in each debate."""


def believed(round: int, p: float, **fields: Any) -> dict[str, Any]:
    return {
        "by": "judge",
        "kind": "belief",
        "round": round,
        "probabilities": {"A": p, "B": 1 - p},
        **fields,
    }


def line(condition: str, number: int, p: float) -> dict[str, Any]:
    """Debates of one condition have 1 to 3 rounds, each with another judge."""
    debaters = ["debater_a", "debater_b"][: 2 if condition == "debate" else 1]
    rounds = number % 3 + 1
    turns: list[dict[str, Any]] = [believed(0, 0.5, about="question_alone")]
    for round in range(1, rounds + 1):
        turns += [
            {"by": by, "round": round, "text": f"<quote>tower {round}</quote>"}
            for by in debaters
        ]
        turns.append(believed(round, p))
    end = {"by": "judge", "round": rounds}
    turns.append(end | {"kind": "ready", "fields": {"ready": "yes"}})
    turns.append(believed(0, p, kind="verdict"))
    sides = "AB" if condition == "debate" else "AB"[number % 2]
    return {
        "id": f"{condition} {number}",
        "condition": condition,
        "question": "Which is red?",
        "options": ["The tower", "The bridge"],
        "right": "A",
        "passage": "Of tower 1, tower 2 and tower 3 one is red.",
        "participants": [
            *(
                {"id": id, "kind": "person", "who": f"Deb {n}", "defends": side}
                for n, (id, side) in enumerate(zip(debaters, sides, strict=True))
            ),
            {"id": "judge", "kind": "person", "who": JUDGES[number % 3]},
        ],
        "turns": turns,
        "ends": "judge",
        "metadata": {"input_group": f"story {number // 2}"},
    }


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    file = folder / "debates.jsonl"
    lines = [line(name, n, p) for name, ps in RIGHT.items() for n, p in enumerate(ps)]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    out = str(folder / "logs")
    done = CliRunner().invoke(import_, ["transcripts", str(file), "--out", out])
    assert done.exit_code == 0, done.output
    return folder / "logs"


@pytest.fixture(scope="module")
def found(logs: Path) -> Report:
    return REPORT([logs])


def rows(found: Report, name: str) -> list[dict[str, Any]]:
    (table,) = (
        item
        for section in found.sections
        for item in section.items
        if isinstance(item, Table) and item.name == name
    )
    return [
        {str(k): v for k, v in row.items()} for row in table.frame.to_dict("records")
    ]


def names(found: Report) -> set[str]:
    items = (item for section in found.sections for item in section.items)
    return {item.name for item in items if not isinstance(item, Notice)}


def test_a_condition_is_one_row_however_many_people_and_rounds(found: Report) -> None:
    run = {row["Condition"]: row for row in rows(found, "conditions")}
    assert [*run] == ["consultancy", "debate"]
    assert run["debate"]["Debater A"] == run["debate"]["Judge"] == "people"
    assert run["debate"]["Rounds"] == "up to 3"
    measured = {row["Condition"]: row for row in rows(found, "rounds")}
    assert (measured["debate"]["Rounds"], measured["debate"]["Debates"]) == (2, 6)
    ended = rows(found, "between_rounds")
    assert [row["Ended by the judge"] for row in ended] == [1, 1]


def test_people_are_no_models(found: Report) -> None:
    texts = " ".join(notice.text for notice in found.notices)
    assert "debates itself" not in texts
    assert "is a debater's model" not in texts
    assert not {"cost", "served", "orders", "prompts", "rating_judges"} & names(found)


def test_people_are_named_as_judges_and_pooled_in_probabilities(found: Report) -> None:
    assert [row["Judge"] for row in rows(found, "judges")] == ["people", "people"]
    persons = {(r["Panel"], r["Person"]): r for r in rows(found, "judge_people")}
    assert len(persons) == 6
    assert persons["debate", "Ann"]["Debates"] == 2
    assert persons["debate", "Cleo"]["Accuracy"] == 0.5
    assert not {name for name in names(found) if name.startswith("judge_m")}
    assert {row["Judge"] for row in rows(found, "probabilities")} == {"people"}
    assert "probabilities_compared" not in names(found)


def test_what_is_not_paired_is_not_called_so(found: Report) -> None:
    (one,) = rows(found, "comparisons_unpaired")
    assert one["Compared"] == "debate − consultancy"
    assert (one["First"], one["Second"], one["Common groups"]) == (6, 3, 2)
    assert one["Difference"] == pytest.approx(5 / 6 - 1 / 3)
    assert one["Test"] == "clustered t"
    assert "comparisons" not in names(found)
    honest = {row["Consultant"]: row["Accuracy"] for row in rows(found, "consultants")}
    assert honest == {"honest": 0, "dishonest": 0.5}


def test_the_comparison_of_runs_has_the_same_test(logs: Path, found: Report) -> None:
    of = compare([logs / "consultancy.eval", logs / "debate.eval"], "correct")
    (one,) = of.compared
    assert (of.is_paired, one.test) == (False, "clustered t")
    assert [str(fact.fact.name) for fact in of.split.factor] == ["condition"]
    names = {confound.fact.name for confound in of.split.confounds}
    assert names == {"samples", "debater_b"}
    (row,) = rows(found, "comparisons_unpaired")
    assert one.p == pytest.approx(row["p"])
    assert one.difference[1:3] == pytest.approx(
        (row["Difference low"], row["Difference high"])
    )


def test_a_model_beside_the_people_who_judged(logs: Path, tmp_path: Path) -> None:
    """It says A of all six debates, which is right, and people of five."""
    judge = scripted(partial(_says, "Fine.\n\nAnswer: A"), "other")
    run(debate(reuse=str(logs / "debate.eval")), tmp_path, roles={"judge": judge})
    both = REPORT([logs / "debate.eval", tmp_path])
    accuracy = {row["Condition"]: row["Accuracy"] for row in rows(both, "accuracy")}
    assert accuracy["debate judge=people"] == pytest.approx(5 / 6)
    assert accuracy["debate judge=other"] == 1
    (pair,) = rows(both, "judge_pairs")
    assert {pair["Judge"], pair["Other judge"]} == {"people", "scripted/other"}
    assert (pair["Debates"], pair["Kappa"]) == (6, 0)
    assert pair["Agreement"] == pytest.approx(5 / 6)
    # Of 12 verdicts 11 are A, and one pair is unlike: 1 - 1 * (12 - 1) / (11 * 1).
    assert pair["Alpha"] == pytest.approx(0)


def _says(reply: str, messages: object, description: object) -> str:
    return reply
