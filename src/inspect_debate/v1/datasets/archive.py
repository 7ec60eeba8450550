"""Checksums of files, and data sets on Hugging Face's hub."""

import hashlib
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_debate.v1.debate.errors import InputError


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Hugging Face's hub: commits, and its errors as sentences.


def commit_of(dataset: str, revision: str | None) -> str:
    """The commit to which a branch or tag of a data set points now."""
    # Slow to import, hence here.
    hub = importlib.import_module("huggingface_hub")
    return str(hub.HfApi().dataset_info(dataset, revision=revision).sha)


def from_hub(
    dataset: str, *config: str | None, revision: str | None = None, **settings: Any
) -> tuple[str, Any]:
    """The commit to which a revision points now, and the data set at that commit.

    Args:
        dataset: Its name on the hub.
        config: The configuration, if it has several.
        revision: A branch, tag or commit; None for the newest.
        settings: Further arguments of `datasets.load_dataset`, such as `split`.
    """
    commit = commit_of(dataset, revision)
    # By name, because to a type checker that runs at the root of a checkout
    # `import datasets` means this folder.
    loader = importlib.import_module("datasets")
    return commit, loader.load_dataset(dataset, *config, **settings, revision=commit)


@contextmanager
def download_errors(what: str, otherwise: str = "") -> Iterator[None]:
    """What goes wrong on loading from the hub, or with `datasets`, in a sentence.

    Args:
        what: What is loaded, the start of the sentence.
        otherwise: What else the user can do: another sentence.

    Raises:
        InputError: If loading fails.
    """
    hub = importlib.import_module("huggingface_hub")
    datasets = importlib.import_module("datasets")
    try:
        yield
    except InputError:
        raise
    except (
        OSError,
        ValueError,
        RuntimeError,  # of data sets that are scripts
        hub.errors.HTTPError,  # of the HTTP library that the hub's client uses
        datasets.exceptions.DatasetsError,
    ) as error:
        # Of a file that cannot be read, the reason is in the cause.
        cause = error.__cause__ or error
        # Only the first line: what follows is advice for other cases.
        reason = str(cause).partition("\n")[0].rstrip(".") or type(cause).__name__
        message = f"{what} could not be loaded ({reason}). {otherwise}"
        raise InputError(message.rstrip()) from error
