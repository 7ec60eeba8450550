"""The mapping from what was frozen to what has its name now."""

from typing import Any

import pytest

from tests.frozen import mapping

FROZEN = {
    "value": {"debater_right": 1, "note": "arm", "debug_fact": [2]},
    "columns": ["arm", "note"],
    "rows": [["arm", "by arm"], ["debater_right", None]],
}


@pytest.mark.parametrize(
    ("renames", "path", "found"),
    [
        ({"keys": {"debater_right": "right"}}, ["value", "right"], 1),
        ({"keys": {"debater_right": "right"}}, ["rows", 1, 0], "debater_right"),
        ({"columns": {"arm": "condition"}}, ["columns", 0], "condition"),
        ({"columns": {"arm": "condition"}}, ["rows", 0, 0], "arm"),
        ({"strings": {"arm": "condition"}}, ["rows", 0], ["condition", "by arm"]),
        ({"texts": {"by a": "per a"}}, ["rows", 0], ["arm", "per arm"]),
        ({"dropped": ["arm"]}, ["columns"], ["note"]),
        ({"dropped": ["arm"]}, ["rows"], [["by arm"], [None]]),
        ({"dropped": ["debug_fact"]}, ["value"], {"debater_right": 1, "note": "arm"}),
    ],
)
def test_each_kind(renames: Any, path: list[Any], found: Any) -> None:
    value: Any = mapping.renamed(FROZEN, renames)
    for step in path:
        value = value[step]
    assert value == found


def test_only_files_of_the_prefix(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapping, "EXPECTED", tmp_path)
    renames = {"a_": {"columns": {"arm": "condition"}}}
    monkeypatch.setattr(mapping, "mapping", lambda: renames)
    for name in ("a_one.csv", "b_one.csv"):
        (tmp_path / name).write_text("arm,n\nx,1\n")
    assert mapping.load("a_one.csv") == {
        "columns": ["condition", "n"],
        "rows": [["x", "1"]],
    }
    assert mapping.load("b_one.csv")["columns"] == ["arm", "n"]


def entries() -> list[tuple[str, str, str]]:
    return [
        (prefix, kind, entry)
        for prefix, renames in mapping.mapping().items()
        for kind, of_kind in renames.items()
        if kind not in ("added", "replaced", "gained", "tables")
        for entry in of_kind
    ]


def test_every_entry_finds_something() -> None:
    for prefix, kind, entry in entries():
        new = mapping.mapping()[prefix][kind]
        one = {kind: [entry] if kind == "dropped" else {entry: new[entry]}}
        names = [path.name for path in mapping.EXPECTED.glob(f"{prefix}*")]
        found = any(
            mapping.renamed(value, one) != value
            for value in map(mapping.written, names)
        )
        assert found, f"mapping.yaml: {prefix}: {kind}: {entry} finds nothing"


def test_what_is_added_was_not_there() -> None:
    for prefix, renames in mapping.mapping().items():
        for path in mapping.EXPECTED.glob(f"{prefix}*"):
            assert not renames.get("added", {}).keys() & mapping.written(path.name)
