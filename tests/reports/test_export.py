"""Exported files: all that was said, or nothing of the data set's words."""

import csv
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.reports.debates import debates_df, turns_df
from inspect_debate.reports.export import (
    FORMATS,
    RUN,
    Redactor,
    export,
    masked,
    strings,
)
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.solvers.colmad import colmad
from tests.reports.leaks import leaks
from tests.reports.made_logs import logged, panel
from tests.support.models import Reply, scripted
from tests.support.released import needs_data
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
@needs_data
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


# Words of a data set are masked however they are written, and others are not.


SOURCE = (
    "Every café along the northern quay must close by 10 pm. Boats that carry 250 kg "
    "of salt-dried cod may leave before dawn, unless the harbour-master's flag is red!"
)
WORDS = SOURCE.split()


def tagged(words: list[str]) -> str:
    return " ".join(
        f"<v_quote>{w}</v_quote>" if i % 3 else w for i, w in enumerate(words)
    )


HIDDEN = {
    "as it is": SOURCE,
    "upper case": SOURCE.upper(),
    "line breaks": "\n\n".join(WORDS),
    "tabs and lists": "\n\t- ".join(WORDS),
    "no punctuation": re.sub(r"[^\w\s]", "", SOURCE),
    "other punctuation": " ... ".join(WORDS),
    "curly quotes": "“" + "” “".join(WORDS) + "”",
    "hyphens": "-".join(WORDS),
    "no-break hyphens": "\u2011".join(WORDS),
    "underscores": "_".join(WORDS),
    "no-break spaces": "\u00a0".join(WORDS),
    "zero-width characters": "\u200b".join(SOURCE),
    "soft hyphens": SOURCE.replace("n", "n\u00ad"),
    "decomposed accents": unicodedata.normalize("NFD", SOURCE),
    "no accents": SOURCE.replace("é", "e"),
    "full width": "".join(chr(ord(c) + 0xFEE0) if "!" < c < "~" else c for c in SOURCE),
    "glued": "".join(WORDS),
    "glued by pairs": " ".join(
        map("".join, zip(WORDS[::2], WORDS[1::2], strict=False))
    ),
    "spread": " ".join(SOURCE),
    "broken at line ends": SOURCE.replace("o", "o-\n"),
    "tags": tagged(WORDS),
    "tags within words": SOURCE.replace("a", "<b>a</b>"),
    "tags with attributes": ' <span class="a fine one">'.join(WORDS),
    "comments": " <!-- by the way --> ".join(WORDS),
    "escaped tags": tagged(WORDS).replace("<", "&lt;"),
    "character references": "&nbsp;".join(WORDS).replace("'", "&#39;"),
    "accents as references": SOURCE.replace("é", "&eacute;"),
    "bold": "**".join(WORDS),
    "code": "` `".join(WORDS),
    "links": "](https://example.org/x) [".join(WORDS),
    "JSON": json.dumps({"a": "\n".join(WORDS)}),
    "JSON in JSON": json.dumps(json.dumps("\n".join(WORDS))),
    "escapes": "\\u0020".join(WORDS),
    "in a URL": "%20".join(WORDS),
    "in a mask": f"[{SOURCE}]",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_run_is_masked_however_it_is_written(name: str) -> None:
    text = f"I was told: {HIDDEN[name]} - and so be it."
    assert leaks([text], [SOURCE]), "the search would not find it"
    found = Redactor([SOURCE]).mask(text)
    assert leaks([found], [SOURCE]) == []
    assert found.startswith("I was told:")
    assert found.endswith("and so be it.")
    said = re.sub(r"\[\d+ words?\]", "", found).lower()
    for word in ("northern", "harbour", "salt", "dawn"):
        assert word not in said


@pytest.mark.parametrize("name", HIDDEN)
def test_data_that_are_written_so_are_found_where_they_are_plain(name: str) -> None:
    redactor = Redactor([HIDDEN[name]])
    found = redactor.mask(f"I was told: {SOURCE} - and so be it.")
    if name not in ("glued", "spread"):  # has other words then
        assert leaks([found], [HIDDEN[name]]) == []
        assert "northern" not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Every café along the", "Every café along the"),
        ("Every café along the northern", "[5 words]"),
        ("So, every café along the northern quay: yes.", "So, [6 words]: yes."),
        ("pm boats that carry (250 kg)", "[6 words])"),
        ("250kg of salt dried cod", "[5 words]"),
        ("250 kg of cod may leave before dawn", "250 kg of [5 words]"),
        (
            "Along the northern quay must! Then: may leave before dawn unless.",
            "[5 words]! Then: [5 words].",
        ),
        ("the quay is northern, along every café", None),
        ("", ""),
        ("[3 words] of salt", "[3 words] of salt"),
    ],
)
def test_only_what_stands_in_the_data(text: str, expected: str | None) -> None:
    found = Redactor([SOURCE]).mask(text)
    assert found == (text if expected is None else expected)


def test_runs_do_not_reach_from_one_text_into_another() -> None:
    redactor = Redactor(["one two three four", "five six seven eight"])
    text = "one two three four five six seven eight"
    assert redactor.mask(text) == text


def test_the_last_check_finds_what_was_not_masked() -> None:
    redactor = Redactor([SOURCE])
    redactor.check(redactor.mask(SOURCE))
    with pytest.raises(RuntimeError, match="still has words of the data set"):
        redactor.check("... boats that carry 250 KG of salt, ...")


def test_texts_are_found_and_masked_at_any_depth() -> None:
    value = {SOURCE: ["a", {"b": (SOURCE, 1, None)}], "c": 0.5}
    assert list(strings(value)) == [SOURCE, "a", "b", SOURCE, "c"]
    mask = Redactor([SOURCE]).mask(SOURCE)
    assert masked(value, Redactor([SOURCE])) == {
        mask: ["a", {"b": [mask, 1, None]}],
        "c": 0.5,
    }


_TEXTS = st.lists(st.sampled_from(["ab", "cd", "e", "f1", "2", "gh"]), max_size=30)
_JOINTS = st.sampled_from([" ", ", ", "\n", "<b>", "-", "</u_quote> "])


@given(_TEXTS, _TEXTS, _JOINTS)
def test_no_run_remains_and_all_else_does(
    source: list[str], said: list[str], joint: str
) -> None:
    found = Redactor([" ".join(source)]).mask(joint.join(said))
    parts = re.split(r"\[\d+ words?\]", found)
    runs = {tuple(source[i : i + RUN]) for i in range(len(source) - RUN + 1)}
    for part in parts:
        words = part.split(joint)
        assert not runs & {tuple(words[i : i + RUN]) for i in range(len(words))}
    # "f1" is a word and a number.
    if len(re.findall(r"[a-z]+|\d+", " ".join(source))) < RUN:
        assert found == joint.join(said)
