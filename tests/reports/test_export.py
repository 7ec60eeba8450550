"""Exported files: all that was said, or nothing of the data set's words."""

import csv
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.reports.debates import debates_df, turns_df
from inspect_debate.reports.export import FORMATS, export
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad
from tests.reports.leaks import leaks
from tests.reports.made_logs import logged, panel
from tests.support.models import Reply, scripted
from tests.support.runs import dataset, item, run

TASK = "Say in which year the old lighthouse at the western cape was first lit by gas."
RESPONSE = (
    "Gas lit the old lighthouse, at the western cape, in 1871 and never before that."
)
EXPLANATION = (
    "The register of the keepers says 1874, three years after what is claimed."
)
TEXTS = (TASK, RESPONSE, EXPLANATION)


def hostile_item(id: str) -> Sample:
    made = item(id, RESPONSE, task=TASK)
    assert made.metadata is not None
    made.metadata |= {"explanation": EXPLANATION, "notes": [{"by": ["expert", TASK]}]}
    return made


def quoting(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
    """Quotes the data wherever a model can; at first in no readable form."""
    assert description is not None
    if description.sample == "fails" and description.kind == "speech":
        raise RuntimeError(f"content filter: {TASK}")
    if not description.reask and description.participant == "debater_b":
        return f"I cannot say. {EXPLANATION.upper()}"
    tagged = RESPONSE.replace(" western", "</quote>\n<quote>western")
    return {
        "answer": f"{TASK}\n\nTherefore, the model response contains "
        f"{'an' if description.participant == 'debater_a' else 'no'} error.",
        "speech": f"<thinking>{EXPLANATION}</thinking><argument><quote>{tagged}</quote>"
        f"</argument>\nFinal: 1\nConf: 0.5 because {json.dumps(TASK)[1:]}",
        "verdict": f"{'-'.join(RESPONSE.split())}\nAnswer: 1",
    }[description.kind]


@cache
def quoted() -> Path:
    """A run in which everything is quoted, one sample fails and an id is a text."""
    task = Task(
        dataset=dataset(*map(hostile_item, ("plain", "fails", TASK))),
        solver=colmad(rounds=1),
        scorer=error_detection(),
    )
    model = scripted(quoting)
    return logged(run(task, Path(mkdtemp()), model=model, fail_on_error=False))


def cells(path: Path) -> Iterator[str]:
    """Every text of a file: as it stands, and as its format reads."""
    if path.suffix == ".parquet":
        for record in pd.read_parquet(path).to_dict("records"):
            yield from map(str, record.values())
        return
    text = path.read_text(encoding="utf-8")
    yield text
    if path.suffix == ".csv":
        csv.field_size_limit(10**7)
        for row in csv.reader(text.splitlines(keepends=True)):
            yield from row
    else:
        for line in text.splitlines():
            yield from map(str, json.loads(line).values())


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_of_the_data_is_in_a_redacted_export(
    format: str, tmp_path: Path
) -> None:
    assert export(quoted(), tmp_path / "open", format=format) == []
    assert export(quoted(), tmp_path / "masked", redact=True, format=format) == []
    for name in ("debates", "turns"):
        file = f"{name}.{format}"
        open_texts = list(cells(tmp_path / "open" / file))
        found = leaks(open_texts, TEXTS)
        assert found, "nothing to mask"
        assert leaks(cells(tmp_path / "masked" / file), TEXTS) == []
        assert len(list(cells(tmp_path / "masked" / file))) == len(open_texts)


def test_every_column_with_text_is_masked(tmp_path: Path) -> None:
    export(quoted(), tmp_path, redact=True)
    debates = pd.read_csv(tmp_path / "debates.csv")
    turns = pd.read_csv(tmp_path / "turns.csv")
    plain = turns_df(quoted())
    for column in ("public", "private", "superseded"):
        assert leaks(plain[column].map(str), TEXTS), column
        assert turns[column].str.contains(r"\[\d+ words\]").any(), column
    assert debates["error"].dropna().str.contains(r"\[\d+ words\]").all()
    # What is not text is as it was.
    for column in ("participant", "kind", "round", "answer", "total_tokens"):
        pd.testing.assert_series_equal(
            turns[column], plain[column], check_dtype=False, obj=column
        )


def test_ids_that_are_texts_become_hashes_that_still_join(tmp_path: Path) -> None:
    export(quoted(), tmp_path, redact=True)
    debates = pd.read_csv(tmp_path / "debates.csv")
    turns = pd.read_csv(tmp_path / "turns.csv")
    assert {"plain", "fails"} < set(debates["id"])
    assert set(debates["id"]) == set(turns["id"])
    assert debates["id"].is_unique
    assert len(debates) == 3


@pytest.mark.parametrize("format", FORMATS)
def test_an_open_export_is_complete(format: str, tmp_path: Path) -> None:
    export(panel(), tmp_path, format=format)
    read: Any = {
        "csv": pd.read_csv,
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "parquet": pd.read_parquet,
    }[format]
    for name, frame in (("debates", debates_df(panel())), ("turns", turns_df(panel()))):
        found = read(tmp_path / f"{name}.{format}")
        assert list(found.columns) == list(frame.columns)
        assert len(found) == len(frame)
        text = "participants" if name == "debates" else "public"
        if name == "debates" and format != "jsonl":
            found[text] = found[text].map(json.loads)
        assert found[text].tolist() == frame[text].tolist()
    assert set(tmp_path.iterdir()) == {
        tmp_path / f"{name}.{format}" for name in ("debates", "turns")
    }


def test_a_data_set_that_asks_not_to_be_published_is_named(tmp_path: Path) -> None:
    assert export(panel(), tmp_path) == []  # the items that are shipped
    items = Path(__file__).parents[2] / "datasets" / "data" / "realmistake_sample.jsonl"
    task = colmad_task(protocol="single", source=str(items))
    log = logged(run(task, tmp_path, limit=2))
    (caution,) = export(log, tmp_path)
    assert caution.startswith("realmistake: its authors ask")
    assert export(log, tmp_path, redact=True) == []


def test_an_unknown_format_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="format='xlsx' is not known"):
        export(tmp_path / "none.eval", tmp_path / "out", format="xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(
    "INSPECT_DEBATE_DATA" not in os.environ,
    reason="needs the released data: INSPECT_DEBATE_DATA=FOLDER",
)
def test_nothing_of_the_released_items_is_in_a_redacted_export(tmp_path: Path) -> None:
    source = Path(os.environ["INSPECT_DEBATE_DATA"]) / "realmistake" / "data.zip"
    texts = []
    for sample in realmistake(str(source), response_author="both"):
        assert sample.metadata is not None
        messages = [m for m in sample.input if not isinstance(m, str)]
        texts += [message.text for message in messages]
        texts.append(sample.metadata["explanation"])
    assert len(texts) == 3 * 900
    task = colmad_task(
        source=str(source), response_author="both", skip_if_agree=False, rounds=1
    )
    log = run(task, tmp_path, roles={"debater_b": "simulated/hesitant"}, limit=30)
    export(logged(log), tmp_path / "open")
    export(logged(log), tmp_path / "masked", redact=True)
    for name in ("debates", "turns"):
        assert leaks(cells(tmp_path / "masked" / f"{name}.csv"), texts) == []
    assert leaks(cells(tmp_path / "open" / "turns.csv"), texts)
