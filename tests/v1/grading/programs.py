"""Programs that a text lists, each below a line with its name."""

import re


def programs(text: str, before: str = "", after: str = "") -> dict[str, str]:
    """Programs by name.

    Args:
        text: Below each line `## NAME` a program.
        before: What every program begins with.
        after: What every program ends with.
    """
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.M)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return {name: f"{before}{code}{after}" for name, code in pairs}
