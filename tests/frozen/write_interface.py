"""Writes what test_interface.py compares with; never over a file that is there.

Type `uv run python -m tests.frozen.write_interface`.
"""

import json
from typing import Any

from tests.frozen.apart import answer_of
from tests.frozen.mapping import EXPECTED


def write(name: str, value: Any) -> None:
    """Write `expected/NAME`.

    Raises:
        FileExistsError: If it is there.
    """
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
    with (EXPECTED / name).open("x", encoding="utf-8") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    found = answer_of("interface_described.py")
    write("interface_registered.json", found["registered"])
    write("interface_commands.json", found["commands"])
