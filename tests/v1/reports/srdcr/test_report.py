"""The whole report: of stored logs, and what must be read first."""

from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import Model

from inspect_debate.evals.srdcr import PROTOCOLS, VERSION, srdcr
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.elements import Table
from inspect_debate.v1.reports.srdcr.measures import Data
from inspect_debate.v1.reports.srdcr.report import REPORT
from inspect_debate.v1.reports.srdcr.rows import DEFAULTS, VERSIONS
from inspect_debate.v1.solvers.knowledge_conflict import STUDY, ConflictConfig
from tests.v1.reports.srdcr.made_clash import Case
from tests.v1.support.runs import run


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_names_leave_out_are_the_defaults_of_the_task(protocol: str) -> None:
    own = STUDY.protocols[protocol].parameters().logged(protocol)
    rare = ConflictConfig().model_dump(mode="json", exclude_none=True)
    given = {name: value for name, value in (own | rare).items() if value != {}}
    given.pop("recall_samples", None)  # changes no answer
    shots = signature(srdcr).parameters["shots"].default
    assert DEFAULTS[protocol] == given | {"shots": shots}
    assert VERSION in VERSIONS


def ran(folder: Path, protocol: Any, model: str | Model, **settings: Any) -> None:
    run(srdcr(protocol, source="sample"), folder, model, limit=2, **settings)


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    ran(tmp_path, "few_shot", "simulated/balanced", token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)


# What is to be read first.

READ = [Case(f"q{n}", n % 2, "right", "right") for n in range(9)]
UNREAD = Case("q9", 1, None, "right", (1, 1, 1))


def item_of(found: Data, section: int, name: str) -> Table | None:
    """A table of one of the last sections: -2 is Sanity."""
    part = REPORT.parts[section]
    assert callable(part)
    items = [item for item in part(found).items if isinstance(item, Table)]
    return next((item for item in items if item.name == name), None)
