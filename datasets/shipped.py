"""The data files that ship with the package."""

from copy import deepcopy
from functools import cache
from importlib import resources
from typing import Any

import yaml


def shipped_yaml(name: str) -> Any:
    """What a YAML file of the package holds."""
    return deepcopy(_read(name))


@cache  # a YAML file takes a hundred times as long to read as to copy
def _read(name: str) -> Any:
    file = resources.files("inspect_debate.datasets") / "data" / name
    return yaml.safe_load(file.read_text(encoding="utf-8"))
