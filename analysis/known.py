"""Tables without the columns of which nothing is known."""

from dataclasses import replace

from inspect_debate.analysis.reporting.elements import Table


def known_columns(table: Table) -> Table:
    """A table without its columns that have no value in any row, and their formats."""
    frame = table.frame.dropna(axis="columns", how="all")
    formats = {name: of for name, of in table.formats.items() if name in frame}
    return replace(table, frame=frame, formats=formats)
