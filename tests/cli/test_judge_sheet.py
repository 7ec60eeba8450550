"""`inspect-debate judge-sheet`."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli.main import main
from tests.reports.judges.sheets import MARY, TOM, fill, six
from tests.reports.made_logs import panel


def called(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["judge-sheet", *map(str, arguments)])


def test_there_and_back(tmp_path: Path) -> None:
    log, sheet = six(tmp_path / "logs"), tmp_path / "sheet"
    there = called("write", log, "--out", sheet, "--seed", 7)
    assert there.exit_code == 0, there.output
    assert there.stdout.splitlines() == [
        "6 of 6 debates between two answers are on it.",
        f"For the judges: {sheet}/sheet.html (a page to fill in) or "
        f"{sheet}/sheet.csv (for a spreadsheet).",
        f"For you alone: {sheet}/key.json, which tells what is what.",
    ]
    files = fill(sheet / "key.json", tmp_path, mary=MARY, tom=TOM)
    out = tmp_path / "back"
    back = called(
        *("read", *files, "--key", sheet / "key.json", "--out", out, "--scored-logs")
    )
    assert back.exit_code == 0, back.output
    assert "mary judged 6 of 6 debates." in back.stdout
    # 6 E of 12: agree on 4 of 6; the differing pairs are 4 of 12, by chance 72 of 132.
    assert "Krippendorff's alpha of all people: 0.39." in back.stdout
    assert f"Wrote {out}: the tables, and 3 files of scores." in back.stdout
    assert f"With people's scores: {out / log.name}" in back.stdout
    lines = back.stdout.replace(str(tmp_path), "").splitlines()
    assert max(map(len, lines)) <= 100
    written = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert written == {
        *("verdicts.csv", "judges.csv", "agreement.csv", log.name),
        *(f"scores/{log.stem}/human_{n}.json" for n in ("mary", "tom", "majority")),
    }
    verdicts = pd.read_csv(out / "verdicts.csv")
    assert verdicts["judge"].value_counts().to_dict() == {
        "mary": 6,
        "tom": 6,
        "majority": 4,
        "judging/judge": 6,
    }


def test_a_balanced_part_of_a_run(tmp_path: Path) -> None:
    done = called("write", panel(), "--out", tmp_path, "--limit", 4)
    assert done.exit_code == 0, done.output
    assert "4 of 8 debates between two answers are on it." in done.stdout
    assert len(pd.read_csv(tmp_path / "sheet.csv")) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["write", "none.eval", "--out", "x", "--limit", "0"], 1, "limit=0"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], code: int, says: str) -> None:
    done = called(*arguments)
    assert done.exit_code == code
    assert says in done.output
    assert "Traceback" not in done.output
