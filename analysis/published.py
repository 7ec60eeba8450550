"""Values as the papers print them, with what is known to be wrong with them."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict


class Pair(NamedTuple):
    """F1 and F2 in percent, as printed to two decimals."""

    f1: float
    f2: float


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PublishedRow(_Frozen):
    """A row of a table of ColMAD.

    `protocol` is our name of it, or `human`. `debater_a` judges, too; without
    `debater_b` it answered alone. `mean` holds the printed averages over the three
    subsets. `flags` are keys of `PublishedTables.flags`.
    """

    protocol: str
    debater_a: str
    debater_b: str | None
    math: Pair
    fact: Pair
    answerability: Pair
    mean: Pair
    flags: tuple[str, ...]


class PublishedTables(_Frozen):
    """ColMAD's Tables 1 (`gpt4` wrote the responses) and 2 (`llama2`).

    `flags` says in a sentence each what is wrong with a row that has them.
    """

    source: str
    flags: Mapping[str, str]
    gpt4: tuple[PublishedRow, ...]
    llama2: tuple[PublishedRow, ...]

    def rows(self, author: str) -> tuple[PublishedRow, ...]:
        """The table of responses of `gpt4` or `llama2`; no rows for other authors."""
        return {"gpt4": self.gpt4, "llama2": self.llama2}.get(author, ())


@cache
def colmad_tables() -> PublishedTables:
    """Tables 1 and 2 of ColMAD (arXiv 2510.20963) as printed, in percent."""
    folder = resources.files("inspect_debate.analysis") / "published"
    text = (folder / "colmad.json").read_text(encoding="utf-8")
    return PublishedTables.model_validate_json(text)
