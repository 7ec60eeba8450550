"""Published archives, downloaded once and read in memory; GitHub, and the hub."""

import hashlib
import importlib
import lzma
import os
import re
import secrets
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import httpx
import platformdirs

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import local_path

CACHE_VARIABLE = "INSPECT_DEBATE_CACHE"

# What zipfile raises over damaged archives, besides what it documents.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    IndexError,
    ValueError,
)


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Pinned:
    """A published file, pinned by its checksum.

    `url` should name a revision; `sha256` is that of the bytes as downloaded; `name`
    is where the file lies within the cache folder. Where the bytes are packed anew for
    each download, `digest` gives the checksum of what they hold, or None if it cannot
    be read.
    """

    url: str
    sha256: str
    name: str
    digest: Callable[[Path], str | None] = sha256_of


@dataclass(frozen=True)
class Patience:
    """How long a download may take; all times in seconds.

    `timeout` bounds each wait for the server. A busy server (HTTP status 429 or 5xx)
    is asked `retries` times more, after `backoff`, then twice that, and so on, or
    after the time that it names itself, if that is not above `longest_wait`.
    """

    timeout: float = 30.0
    retries: int = 2
    backoff: float = 1.0
    longest_wait: float = 20.0


class _Failed(Exception):
    """Why a download failed, as the end of a sentence."""


class _Busy(_Failed):
    """The server may answer later; `wait` is the time it named, in seconds."""

    def __init__(self, reason: str, wait: float | None) -> None:
        super().__init__(reason)
        self.wait = wait


def cache_folder() -> Path:
    """The folder of downloads: `INSPECT_DEBATE_CACHE`, or the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return local_path(chosen)
    return Path(platformdirs.user_cache_dir("inspect_debate"))


def fetch(pinned: Pinned, otherwise: str, patience: Patience | None = None) -> Path:
    """The path of a published file in the cache, downloaded if it is not there yet.

    A cached file is used only if its checksum is right. A download appears in the
    cache only when it is complete and its checksum is right, so that runs which
    start at once do not disturb each other and a failure leaves nothing behind.

    Args:
        pinned: The file.
        otherwise: A sentence for the error: what else the user can do.
        patience: Time limits and retries; the default if None.

    Raises:
        InputError: If the file cannot be had, with the reason and `otherwise`.
    """
    path = cache_folder() / pinned.name
    try:
        if not (path.is_file() and pinned.digest(path) == pinned.sha256):
            path.parent.mkdir(parents=True, exist_ok=True)
            _download(pinned, path, patience or Patience())
    except (_Failed, OSError) as error:
        raise InputError(
            f"{pinned.url} could not be fetched: {error}. {otherwise}"
        ) from error
    return path


def read_members(archive: Path, name: re.Pattern[str]) -> dict[str, bytes]:
    """The contents of all files of a zip archive whose names match, by name.

    Args:
        archive: The archive, not encrypted.
        name: What the whole name within the archive is like.

    Raises:
        InputError: If the archive is no readable zip.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            names = filter(name.fullmatch, opened.namelist())
            return {found: opened.read(found) for found in names}
    except (*_DAMAGED, NotImplementedError, RuntimeError, OSError) as error:
        raise InputError(
            f"{archive} is damaged or no zip archive that can be read ({error})."
        ) from error


def _download(pinned: Pinned, path: Path, patience: Patience) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            _stream_with_retries(pinned.url, file, patience)
        found = pinned.digest(part)
        if found is None:
            raise _Failed("what came is damaged, or another file")
        if found != pinned.sha256:
            raise _Failed(
                f"what came has the sha256 {found} and not {pinned.sha256}, so it is "
                "another file"
            )
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _stream_with_retries(url: str, to: BinaryIO, patience: Patience) -> None:
    timeout = httpx.Timeout(patience.timeout)
    with httpx.Client(timeout=timeout, follow_redirects=True) as client:
        for attempt in range(patience.retries):
            try:
                _stream(client, url, to)
                return
            except _Busy as busy:
                wait = busy.wait
                if wait is None:
                    wait = patience.backoff * 2**attempt
                elif wait > patience.longest_wait:
                    raise _Failed(f"{busy}, try again in {wait:.0f} s") from busy
                time.sleep(wait)
        _stream(client, url, to)


def _stream(client: httpx.Client, url: str, to: BinaryIO) -> None:
    """Write the body at a URL to a file."""
    try:
        with client.stream("GET", url) as response:
            _check_status(response)
            for chunk in response.iter_bytes():
                to.write(chunk)
    except httpx.TimeoutException as error:
        raise _Failed("the server did not answer in time") from error
    except httpx.HTTPError as error:
        raise _Failed(f"the connection failed ({error})") from error


def _check_status(response: httpx.Response) -> None:
    status = response.status_code
    message = f"the server answered with HTTP status {status} {response.reason_phrase}"
    if status == httpx.codes.TOO_MANY_REQUESTS or status >= 500:
        raise _Busy(message, _retry_after(response))
    if status != httpx.codes.OK:
        raise _Failed(message)


def _retry_after(response: httpx.Response) -> float | None:
    """The seconds of a Retry-After header; None for a date or no header."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else None


# Repositories on GitHub, pinned by a commit and the checksum of what they hold.

GITHUB = "https://codeload.github.com"


T = TypeVar("T")


class Release(NamedTuple):
    """A published version: a repository at a commit, and its content's checksum."""

    repository: str
    commit: str
    sha256: str

    @property
    def url(self) -> str:
        """The archive that GitHub packs of it; its bytes may differ each time."""
        return f"{GITHUB}/{self.repository}/zip/{self.commit}"

    @property
    def provenance(self) -> dict[str, str]:
        """Where its content comes from, for the log."""
        origin = {"repository": self.repository, "commit": self.commit}
        return {"source": "published", **origin}

    def content(
        self,
        folder: str,
        read: Callable[[Path], list[T]],
        digest: Callable[[list[T]], str],
        otherwise: str,
    ) -> list[T]:
        """What the repository holds, downloaded once.

        Args:
            folder: The archive's place in the cache folder.
            read: Reads the content of an archive.
            digest: The checksum of a content.
            otherwise: A sentence for the error: what else the user can do.

        Raises:
            InputError: If it cannot be had.
        """

        def found(path: Path) -> str | None:
            try:
                return digest(read(path))
            except InputError:
                return None

        name = f"{folder}/{self.commit}.zip"
        return read(fetch(Pinned(self.url, self.sha256, name, found), otherwise))


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
