"""Published files, downloaded once and checked on every use; and files users name."""

import hashlib
import io
import json
import os
import re
import secrets
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from inspect_debate.debate.errors import InputError, typed_path

TIMEOUT = 30.0  # seconds, for each wait for the server
GITHUB = "https://codeload.github.com"


def fetch(
    url: str, sha256: str, name: str, digest: Callable[[bytes], str] | None = None
) -> Path:
    """Return the path of a published file, downloading it on first use.

    The file appears in the cache only once it is complete and its checksum is right,
    so an interrupted download leaves nothing behind and parallel runs can share it.

    Args:
        url: The file's address, which should name a commit or release.
        sha256: The checksum of the file, in hexadecimal digits.
        name: The file's place within the user's cache folder.
        digest: Computes the checksum, by default of the file's bytes.

    Raises:
        InputError: If the file cannot be downloaded or stored, or is another one.
    """
    import platformdirs

    digest = digest or _sha256

    path = Path(platformdirs.user_cache_dir("inspect_debate")) / name
    try:
        if path.is_file() and digest(path.read_bytes()) == sha256:
            return path
        content = _download(url)
        if (found := digest(content)) != sha256:
            _fail(url, f"its sha256 is {found} and should be {sha256}")
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
        try:
            part.write_bytes(content)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        _fail(url, f"{path} cannot be used as cache ({error.strerror or error})")
    return path


class Release(NamedTuple):
    """A GitHub repository at a commit, and the checksum of its data."""

    repository: str
    commit: str
    sha256: str


def fetch_release(
    release: Release, files: str, checksum: Callable[[dict[str, Any]], str]
) -> dict[str, Any]:
    """Return the values of a release's JSON files, downloading it on first use.

    Args:
        release: The repository, and the checksum of the values.
        files: A pattern for the paths of the files in the repository, whose first
            group is what they are called in the result.
        checksum: Computes the checksum of the values. That of the archive is of no
            use, because GitHub may pack the same commit into other bytes.

    Raises:
        InputError: If it cannot be downloaded or stored, or the values are others.
    """

    def values(archive: bytes) -> dict[str, Any]:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            paths = ((n, n.partition("/")[2]) for n in opened.namelist())
            named = ((n, re.fullmatch(files, path)) for n, path in paths)
            return {m[1]: json.loads(opened.read(n)) for n, m in named if m}

    def digest(archive: bytes) -> str:
        try:
            return checksum(values(archive))
        except Exception:  # damage makes zipfile raise a dozen kinds of errors
            return _sha256(archive)

    url = f"{GITHUB}/{release.repository}/zip/{release.commit}"
    name = f"{release.repository}/{release.commit}.zip"
    return values(fetch(url, release.sha256, name, digest).read_bytes())


def json_sha256(values: Iterable[object]) -> str:
    """Return the checksum of JSON values in any order, however they are formatted."""
    lines = (json.dumps(v, sort_keys=True, separators=(",", ":")) for v in values)
    return _sha256("\n".join(sorted(lines)).encode())


def user_path(source: str, words: Collection[str], kinds: str) -> Path:
    """Return the path that a user gave in place of one of a source's words.

    Args:
        source: What was given.
        words: The words that `source` may be.
        kinds: Which files or folders are allowed, for the error.

    Raises:
        InputError: If nothing is there.
    """
    path = typed_path(source)
    if source and path.exists():
        return path
    close = get_close_matches(source, words, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise InputError(
        f"source={source!r} is neither a known source nor a path that exists; "
        f"allowed: {', '.join(words)}, or the path of {kinds}.{hint}"
    )


def read_file(path: Path) -> bytes:
    """Return the content of a file that a user named.

    Raises:
        InputError: If it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def read_member(archive: Path, member: str, password: str) -> bytes:
    """Return the content of one file of a zip archive, decrypted in memory only.

    Raises:
        InputError: If the archive is damaged, has another password or no such file.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            return opened.read(member, pwd=password.encode())
    except KeyError:
        reason = f"has no file {member}"
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    except Exception:
        # A damaged archive makes zipfile raise a dozen kinds of errors. One wrong
        # password in 256 passes its check and looks like damage.
        reason = f"is damaged, not a zip archive, or its password is not {password!r}"
    raise InputError(f"{archive} {reason}; download it again.")


def json_lines(content: bytes, where: str) -> Iterator[tuple[str, object]]:
    """Yield the values of a file with one JSON value per line, each with its place.

    Args:
        content: The file, in UTF-8. Blank lines are left out.
        where: The file's name, for places and errors.

    Raises:
        InputError: If a line is not JSON. The line itself is not quoted.
    """
    # Not splitlines(): JSON strings may contain U+2028 and its like.
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            place = f"{where}, line {number}"
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                raise InputError(f"{place} is not JSON; check the file.") from None
            yield place, value


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _fail(url: str, reason: str) -> NoReturn:
    raise InputError(
        f"{url} could not be fetched: {reason}; "
        "try again, or get the file another way and pass its path as source=PATH."
    ) from None


def _download(url: str) -> bytes:
    import httpx  # slow to import, and needed on first use only

    try:
        response = httpx.get(url, timeout=TIMEOUT, follow_redirects=True)
    except httpx.TimeoutException:
        _fail(url, f"the server did not answer within {TIMEOUT:g} seconds")
    except httpx.RemoteProtocolError:
        _fail(url, "the connection was closed before the whole file had arrived")
    except httpx.HTTPError as error:
        _fail(url, f"there is no connection ({error})")
    status = f"the server answered {response.status_code} {response.reason_phrase}"
    if later := response.headers.get("Retry-After"):
        when = f"in {later} seconds" if later.isdecimal() else f"after {later}"
        status += f" and asks to try again {when}"
    if response.status_code != httpx.codes.OK:
        _fail(url, status)
    if not response.content:
        _fail(url, "the server sent an empty file")
    return response.content
