"""Everything that is known of the printed numbers of all studies."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from inspect_debate.debate.errors import check_name
from inspect_debate.published.faults import Fault
from inspect_debate.published.printed import (
    colmad_tables,
    confidence_tables,
    generative_claims,
    srdcr_tables,
)
from inspect_debate.published.reproduction import Checked
from inspect_debate.reports.colmad.audit import checked_cells as colmad_cells
from inspect_debate.reports.colmad.audit import faults as colmad_faults
from inspect_debate.reports.colmad.detectors import (
    LABELS,
    PUBLISHED,
    Detectors,
    read_detectors,
)
from inspect_debate.reports.confidence.audit import Released, released
from inspect_debate.reports.confidence.audit import checked_cells as confidence_cells
from inspect_debate.reports.confidence.audit import faults as confidence_faults
from inspect_debate.reports.generative.audit import checked_cells as generative_cells
from inspect_debate.reports.generative.audit import faults as generative_faults
from inspect_debate.reports.srdcr.audit import checked_cells as srdcr_cells
from inspect_debate.reports.srdcr.audit import faults as srdcr_faults

Rows = Sequence[Mapping[str, Any]]

RELEASE = "llms_overconfidence"
NEEDED: Mapping[str, Sequence[str]] = {
    "colmad": (LABELS.name, PUBLISHED.name),
    "confidence": (RELEASE,),
}
"""What a study needs in the folder of released data: files, or a folder."""


class Sources:
    """Released data, each read when it is first asked for.

    Args:
        folder: The folder of released data; None without one.
        debates: Reads the scores of the confidence study's released debates, by the
            names of `scores_df`; None where they are not at hand.
    """

    def __init__(
        self, folder: Path | None = None, debates: Callable[[], Rows] | None = None
    ) -> None:
        self._folder, self._debates = folder, debates

    @cached_property
    def detectors(self) -> Detectors | None:
        """The labels of ReaLMistake's detectors, and what is published of them."""
        return None if self._folder is None else read_detectors(self._folder)

    @cached_property
    def released(self) -> Released | None:
        """The confidence study's released debates."""
        return None if self._debates is None else released(self._debates())


def checked(sources: Sources, studies: Iterable[str] = ()) -> list[Checked]:
    """Every printed cell of some studies.

    Args:
        sources: The data that there are.
        studies: Keys of `STUDIES`; by default all.

    Raises:
        InputError: If a study is not known.
    """
    return [cell for name in _known(studies) for cell in STUDIES[name][0](sources)]


def all_faults(sources: Sources, studies: Iterable[str] = ()) -> list[Fault]:
    """Every known fault of some studies, not yet checked.

    Args:
        sources: The data that there are.
        studies: Keys of `STUDIES`; by default all.

    Raises:
        InputError: If a study is not known.
    """
    return [fault for name in _known(studies) for fault in STUDIES[name][1](sources)]


_Cells = Callable[[Sources], Iterable[Checked]]
_Faults = Callable[[Sources], Iterable[Fault]]

STUDIES: Mapping[str, tuple[_Cells, _Faults]] = {
    "colmad": (
        lambda sources: colmad_cells(colmad_tables(), sources.detectors),
        lambda sources: colmad_faults(colmad_tables(), lambda: sources.detectors),
    ),
    "confidence": (
        lambda sources: confidence_cells(confidence_tables(), sources.released),
        lambda sources: confidence_faults(
            confidence_tables(), lambda: sources.released
        ),
    ),
    "srdcr": (
        lambda sources: srdcr_cells(srdcr_tables()),
        lambda sources: srdcr_faults(srdcr_tables()),
    ),
    "generative": (
        lambda sources: generative_cells(generative_claims()),
        lambda sources: generative_faults(generative_claims()),
    ),
}
"""Of each study its printed cells and its faults."""


def _known(studies: Iterable[str]) -> list[str]:
    named = list(dict.fromkeys(studies)) or list(STUDIES)
    for name in named:
        check_name("study", name, STUDIES)
    return named
