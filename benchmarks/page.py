"""The page of the docs: what was measured, between two marks."""

import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from textwrap import fill

BEGIN, END = "<!-- measured -->\n", "<!-- until here -->\n"


def write(page: Path, tables: Iterable[str]) -> None:
    """Replace what a page has between its marks, by tables and how they came about."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    found = "\n\n".join(
        (fill(f"On {machine()}, with {versions()}, {date.today()}.", 100), *tables)
    )
    page.write_text(f"{before}{BEGIN}\n{found}\n\n{END}{after}", encoding="utf-8")


def machine() -> str:
    """Processor, cores and memory."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    name = next(line.split(": ")[1] for line in lines if "model name" in line)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{name}, {os.cpu_count()} cores, {memory:.0f} GiB"


def versions() -> str:
    """Of Python, Inspect and this suite."""
    git = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.check_output(git, text=True).strip()
    inspect = version("inspect-ai")
    return f"Python {platform.python_version()}, Inspect {inspect}, commit {commit}"
