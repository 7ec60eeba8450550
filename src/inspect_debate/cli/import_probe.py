"""Tries to import libraries; runs by itself in the Python that should have them.

Its arguments are the names of libraries as they are installed; its output is for each
of them one text in JSON, which says what is wrong and is empty if nothing is. Whatever
the libraries print themselves goes to the standard error.
"""

import json
import os
import sys
from importlib import import_module, metadata

STANDARD = "tkinter"


def modules(name: str) -> list[str]:
    """The modules to import: a library's packages, or its single files if it has none.

    Private names are left out, as are folders without an `__init__.py`.
    """
    if name == STANDARD:
        return [name]
    parts = [file.parts for file in metadata.files(name) or ()]
    packages = {first for first, *rest in parts if rest == ["__init__.py"]}
    files = {
        one[0].split(".")[0]
        for one in parts
        if len(one) == 1 and one[0].endswith((".py", ".so"))
    }
    public = sorted(packages) or sorted(files)
    return [one for one in public if one.isidentifier() and not one.startswith("_")]


def probe(name: str) -> str:
    """What is wrong with a library."""
    try:
        for module in modules(name):
            import_module(module)
    except metadata.PackageNotFoundError:
        return "not installed"
    except BaseException as error:  # libraries raise SystemExit, too
        lines = str(error).strip().splitlines() or [""]
        return f"{type(error).__name__}: {lines[0]}"
    return ""


def main() -> None:
    """Probe the libraries that the arguments name."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in sys.argv[1:]:
        print(json.dumps(probe(name)), file=out, flush=True)


if __name__ == "__main__":
    main()
