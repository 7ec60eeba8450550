"""The published tables with a printed number corrected, so that a fault is gone."""

import json
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from inspect_debate.published.printed import (
    PublishedClash,
    PublishedConfidence,
    PublishedGenerative,
    PublishedTables,
)

Edit = Callable[[Any], None]

MODELS: Mapping[str, type[Any]] = {
    "colmad": PublishedTables,
    "confidence": PublishedConfidence,
    "srdcr": PublishedClash,
    "generative": PublishedGenerative,
}

SONNET, GPT35 = "claude-3-7-sonnet-20250219", "gpt-3.5-turbo-0125"


def corrected(study: str, edit: Edit) -> Any:
    """A study's published numbers after an edit of the file's content."""
    folder = resources.files("inspect_debate.published")
    content = json.loads((folder / f"{study}.json").read_text(encoding="utf-8"))
    edit(content)
    return MODELS[study].model_validate(content)


def rows(author: str, protocol: str, a: str, b: str | None, **values: Any) -> Edit:
    """Other cells in one row of ColMAD's tables."""

    def edit(content: Any) -> None:
        (row,) = [
            row
            for row in content[author]
            if [row["protocol"], row["debater_a"], row["debater_b"]] == [protocol, a, b]
        ]
        row.update(values)

    return edit


def with_cells_of(flag: str, protocol: str) -> Edit:
    """Rows with a flag get the cells of another protocol's row of the same models."""

    def edit(content: Any) -> None:
        for author in ("gpt4", "llama2"):
            for row in content[author]:
                if flag in row["flags"]:
                    names = ("debater_a", "debater_b")
                    (other,) = [
                        one
                        for one in content[author]
                        if one["protocol"] == protocol
                        and all(one[name] == row[name] for name in names)
                    ]
                    cells = ("math", "fact", "answerability", "mean")
                    row.update({cell: other[cell] for cell in cells})

    return edit


def all_copmad(cell: list[float]) -> Edit:
    """All of CopMAD's cells."""

    def edit(content: Any) -> None:
        for row in (*content["gpt4"], *content["llama2"]):
            if row["protocol"] == "copmad":
                row.update(dict.fromkeys(("math", "fact", "answerability"), cell))

    return edit


def flagged(flag: str, value: float) -> Edit:
    """Another value in all of SR-DCR's cells with a flag."""

    def edit(content: Any) -> None:
        for models in content["tables"].values():
            for arms in models.values():
                for columns in arms.values():
                    for name, cell in columns.items():
                        if isinstance(cell, dict) and cell.get("flag") == flag:
                            columns[name] = value

    return edit


def share(table: str, model: str, arm: str, **columns: float) -> Edit:
    """Other values in SR-DCR's tables."""

    def edit(content: Any) -> None:
        content["tables"][table][model][arm].update(columns)

    return edit


def every(arm: str, like: str) -> Edit:
    """The values of an arm of SR-DCR are those of another one, on all models."""

    def edit(content: Any) -> None:
        for arms in content["tables"]["table_1"].values():
            if arms[arm]:
                arms[arm] = dict(arms[like])

    return edit


def claim(id: str, was: str, now: str) -> Edit:
    """Another wording of a claim of a study's text."""

    def edit(content: Any) -> None:
        (found,) = [one for one in content["claims"] if one["id"] == id]
        assert was in found["claim"]
        found["claim"] = found["claim"].replace(was, now)

    return edit


def code(id: str) -> Edit:
    """Released code that does what the text says."""

    def edit(content: Any) -> None:
        (found,) = [one for one in content["code"] if one["id"] == id]
        found["code"] = found["paper"]

    return edit


def told(**printed: str) -> Edit:
    """Other printed values of claims; two underscores stand for a dot."""

    def edit(content: Any) -> None:
        values = {id.replace("__", "."): text for id, text in printed.items()}
        for one in content["claims"]:
            one["printed"] = values.pop(one["id"], one["printed"])
        assert not values

    return edit


def unflagged(flag: str) -> Edit:
    """Claims without a flag."""

    def edit(content: Any) -> None:
        for one in content["claims"]:
            if one.get("flag") == flag:
                del one["flag"]

    return edit


def cell(table: str, row: str, *columns: str) -> Edit:
    """Other cells of the confidence study, as "column=text", with their flags."""

    def edit(content: Any) -> None:
        for column, _, text in (one.partition("=") for one in columns):
            old = content["tables"][table][row][column]
            flag = old.get("flag") if isinstance(old, dict) else None
            new = {"printed": text, "flag": flag} if flag else text
            content["tables"][table][row][column] = new

    return edit


def like(table: str, other: str) -> Edit:
    """One table of the confidence study has the cells of another one."""

    def edit(content: Any) -> None:
        content["tables"][table] = content["tables"][other]

    return edit


def both(*edits: Edit) -> Edit:
    """Several edits."""

    def edit(content: Any) -> None:
        for one in edits:
            one(content)

    return edit
