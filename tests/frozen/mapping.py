"""Expected values of the frozen tests, with what was renamed since they were written.

The files in `expected/` are never written again. What changes on purpose is written by
hand into `mapping.yaml`, which explains its form.
"""

import csv
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
KINDS = (
    *("keys", "columns", "strings", "texts", "dropped"),
    *("added", "replaced", "gained", "tables"),
)

Renames = dict[str, Any]


@cache
def mapping() -> dict[str, Renames]:
    """The prefixes in mapping.yaml, each with its renames by kind."""
    found = yaml.safe_load((HERE / "mapping.yaml").read_text(encoding="utf-8")) or {}
    for prefix, renames in found.items():
        unknown = set(renames) - set(KINDS)
        if unknown:
            raise ValueError(f"mapping.yaml: {prefix} has {unknown}, not in {KINDS}")
    return found


def written(name: str) -> Any:
    """What `expected/NAME` holds: .json, .csv (columns and rows), or either as .gz."""
    data = (EXPECTED / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8")
    if name.removesuffix(".gz").endswith(".json"):
        return json.loads(text)
    columns, *rows = csv.reader(text.splitlines())
    return {"columns": columns, "rows": rows}


def load(name: str) -> Any:
    """`written(name)` after the changes of every prefix that `name` begins with."""
    value = written(name)
    for prefix, renames in mapping().items():
        if name.startswith(prefix):
            value = renamed(value, renames)
            if "added" in renames:
                value = value | renames["added"]
            for path, item in renames.get("replaced", {}).items():
                _replace(value, path, item)
    return value


def gained(name: str, kind: str = "gained") -> set[str]:
    """The columns (`gained`), or `tables` and figures, beside those in `expected`."""
    return {
        gain
        for prefix, renames in mapping().items()
        if name.startswith(prefix)
        for gain in renames.get(kind, ())
    }


def _replace(value: Any, path: str, item: Any) -> None:
    """Put `item` in the place of what is at a path such as `solver/srdcr`.

    A path into a list has numbers; with `+` before the last `item` is added. `*`
    is every place that has the rest of the path.

    Raises:
        KeyError: If there is nothing at the path, or the same.
    """
    before, star, rest = path.partition("*/")
    *above, last = before.removesuffix("/").split("/") if star else path.split("/")
    for key in above:
        value = value[int(key) if isinstance(value, list) else key]
    if star:
        value = value[int(last) if isinstance(value, list) else last]
        for each in value if isinstance(value, list) else list(value.values()):
            if _has(each, rest):
                _replace(each, rest, item)
        return
    if last.startswith("+") and isinstance(value, list):
        value.insert(int(last), item)
        return
    if last.startswith("+"):
        value[last[1:]] = item
        return
    place = int(last) if isinstance(value, list) else last
    if value[place] == item:
        raise KeyError(f"{path} has that value already")
    value[place] = item


def _has(value: Any, path: str) -> bool:
    key, _, rest = path.partition("/")
    if key[0] in "*+":
        return True
    return (
        isinstance(value, dict)
        and key in value
        and (not rest or _has(value[key], rest))
    )


def renamed(value: Any, renames: Renames, *, header: bool = False) -> Any:
    """`value` with `renames` applied to all that is in it.

    `header` is true for the names of a table's columns.
    """
    if isinstance(value, dict):
        keys, dropped = renames.get("keys", {}), renames.get("dropped", ())
        if "rows" in value and not set(dropped).isdisjoint(value.get("columns", ())):
            left = [n for n, name in enumerate(value["columns"]) if name not in dropped]
            value = value | {
                "columns": [value["columns"][n] for n in left],
                "rows": [[row[n] for n in left] for row in value["rows"]],
            }
        return {
            keys.get(key, key): renamed(item, renames, header=key == "columns")
            for key, item in value.items()
            if key not in dropped
        }
    if isinstance(value, list):
        return [renamed(item, renames, header=header) for item in value]
    if not isinstance(value, str):
        return value
    if header and value in renames.get("columns", {}):
        return renames["columns"][value]
    if value in renames.get("strings", {}):
        return renames["strings"][value]
    for old, new in renames.get("texts", {}).items():
        value = value.replace(old, new)
    return value
