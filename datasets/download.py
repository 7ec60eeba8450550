"""Published files, downloaded once and checked on every use; and files users name."""

import codecs
import csv
import hashlib
import importlib
import io
import json
import os
import re
import secrets
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from inspect_debate.debate.errors import InputError, check_known, typed_path

TIMEOUT = 30.0  # seconds, for each wait for the server
GITHUB = "https://codeload.github.com"
ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
KINDS = f"a {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} file"


def sha256_of(content: bytes) -> str:
    """Return the checksum of bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def fetch(
    url: str, sha256: str, name: str, digest: Callable[[bytes], str] = sha256_of
) -> Path:
    """Return the path of a published file, downloading it on first use.

    The file appears in the cache only once it is complete and its checksum is right,
    so an interrupted download leaves nothing behind and parallel runs can share it. The
    name is the file's place within the user's cache folder.
    """
    import platformdirs

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
        release: The repository, and the checksum of the values: GitHub may pack the
            same commit into other bytes.
        files: A pattern for the paths of the files in the repository, whose first
            group is what they are called in the result.
        checksum: Computes the checksum of the values.
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
            return sha256_of(archive)

    url = f"{GITHUB}/{release.repository}/zip/{release.commit}"
    name = f"{release.repository}/{release.commit}.zip"
    return values(fetch(url, release.sha256, name, digest).read_bytes())


def fetch_from_hub(
    dataset: str, /, revision: str | None = None, **chosen: str | None
) -> tuple[str, Any]:
    """Return the commit of a data set on Hugging Face, and what was loaded.

    Without a revision (a branch, tag or commit) it is the newest; further arguments are
    those of `datasets.load_dataset`.
    """
    # Slow to import. By name, because at the root of a checkout a type checker takes
    # `import datasets` for this folder.
    hub = importlib.import_module("huggingface_hub")
    datasets = importlib.import_module("datasets")
    try:
        commit = str(hub.HfApi().dataset_info(dataset, revision=revision).sha)
        return commit, datasets.load_dataset(dataset, revision=commit, **chosen)
    except Exception as error:  # of many libraries, with no common base class
        raise InputError(
            f"{dataset} on Hugging Face could not be loaded ({reason(error)}); try "
            "again, after `hf auth login` if its terms have to be accepted, or get its "
            "files another way and give their path."
        ) from error


def json_sha256(values: Iterable[object]) -> str:
    """Return the checksum of JSON values in any order, however they are formatted."""
    lines = (json.dumps(v, sort_keys=True, separators=(",", ":")) for v in values)
    return sha256_of("\n".join(sorted(lines)).encode())


def user_path(source: str, words: Iterable[str], kinds: str) -> Path:
    """Return the path that a user gave in place of one of a source's words.

    Raises InputError if nothing is there; `kinds` says what may be.
    """
    path = typed_path(source)
    if "." in source and not path.exists():
        raise InputError(
            f"There is no file {source}; give the path of {kinds}, or one of: "
            f"{', '.join(words)}."
        )
    if not source or not path.exists():
        check_known("source", source, (*words, f"the path of {kinds}"))
    return path


def read_file(path: Path) -> bytes:
    """Return the content of a file that a user named."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def read_member(archive: Path, member: str, password: str) -> bytes:
    """Return the content of one file of a zip archive, decrypted in memory only."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return opened.read(member, pwd=password.encode())
    except Exception as error:
        # A damaged archive makes zipfile raise a dozen kinds of errors. One wrong
        # password in 256 passes its check and looks like damage.
        raise InputError(
            f"{member} cannot be read from {archive} with the password {password!r} "
            f"({reason(error)}); download it again."
        ) from None


def json_value(content: bytes | str, where: str) -> Any:
    """Return the value of a JSON file; the error that it is none quotes nothing."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"{where} is not JSON; check the file.") from None


def json_lines(content: bytes, where: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file with one JSON value per line, each with its place."""
    # Not splitlines(): JSON strings may contain U+2028 and its like.
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            place = f"{where}, line {number}"
            yield place, json_value(line, place)


def read_rows(path: Path) -> list[Any]:
    """Return the rows of a table, or the values of a JSON file, that a user named."""
    kind = path.suffix.lower()
    check_known(f"{path.name}: the ending", kind, ENDINGS)
    text = (_parquet if kind == ".parquet" else _decoded)(read_file(path), path)
    if kind == ".jsonl":
        return [value for _, value in json_lines(text.encode(), path.name)]
    if kind in (".json", ".parquet"):
        value = json_value(text, path.name)
        return value if isinstance(value, list) else [value]
    mark = max(",;\t", key=[*text.lstrip().splitlines(), ""][0].count)
    lines = io.StringIO(text, newline=None)
    # Without `strict`, a quoted cell that does not end swallows the rows below it.
    rows = csv.DictReader(lines, restkey="", delimiter=mark, strict=True)
    try:
        return list(rows)
    except csv.Error as error:
        raise InputError(f"{path.name}, line {rows.line_num}: {error}.") from None


def _parquet(content: bytes, path: Path) -> str:
    """A table as JSON, which has plain lists and no NaN."""
    import pandas as pd  # slow to import

    try:
        table = pd.read_parquet(io.BytesIO(content))
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name} cannot be read: {reason(error)}.") from None
    return str(table.to_json(orient="records", double_precision=15))


def _decoded(content: bytes, path: Path) -> str:
    """The text of a file in UTF-8, or marked as UTF-16."""
    utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    workbook = content.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0"))
    if not workbook and (utf16 or b"\0" not in content):
        with suppress(UnicodeDecodeError):
            return content.decode("utf-16" if utf16 else "utf-8-sig")
    kind = "a workbook" if workbook else "neither UTF-8 nor marked as UTF-16"
    wide = "UTF-16BE" if content.startswith(b"\0") else "UTF-16LE"
    guess = wide if b"\0" in content else "WINDOWS-1252"
    iconv = "" if workbook else f", or convert it, as in `iconv -f {guess} -t UTF-8`"
    raise InputError(f"{path.name} is {kind}; save it as 'CSV UTF-8'{iconv}.")


def reason(error: Exception) -> str:
    """Return the first line of an error of a library, to be put into a sentence."""
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__


def _fail(url: str, why: str) -> NoReturn:
    raise InputError(
        f"{url} could not be fetched: {why}; "
        "try again, or get the file another way and pass its path as source=PATH."
    ) from None


def _download(url: str) -> bytes:
    import httpx  # slow to import, and needed on first use only

    try:
        response = httpx.get(url, timeout=TIMEOUT, follow_redirects=True)
        return response.raise_for_status().content
    except httpx.HTTPError as error:
        _fail(url, reason(error))
