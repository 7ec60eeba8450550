"""A sample's files on the host, and the sandboxes in which its commands run."""

import fcntl
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.grading.bubblewrap_command import (
    ENVIRONMENT,
    HOME,
    WORK,
    Channels,
    bubblewrap_command,
)
from inspect_debate.v1.grading.config import (
    BubblewrapConfig,
    own_settings,
    someone,
    system_view,
    tools,
)
from inspect_debate.v1.grading.supervise import Ended, supervise
from inspect_debate.v1.grading.system_calls import system_call_filter
from inspect_debate.v1.grading.view import Bind, View
from inspect_debate.v1.grading.watch import Watch

_MOST_FILES = 500
"""Each file is bound separately, which takes time and lengthens the command line."""


class Box:
    """The files of one sample, and a fresh sandbox for each of its commands.

    Raises:
        InputError: If a program is missing, or the interpreter cannot be used.
    """

    def __init__(self, config: BubblewrapConfig) -> None:
        self.interpreter = config.interpreter or default_interpreter()
        self._path = f"{os.path.dirname(self.interpreter)}:{ENVIRONMENT['PATH']}"
        self._config = config
        self._tools = tools()
        self._system = system_view()
        self._library = _library(self.interpreter, config.binds)
        self._home = _home(config.home) if config.home is not None else []
        self._folder = temporary_folder()
        self._files = Path(self._folder.name, "files")
        settings = Path(self._folder.name, "etc")
        for made in (self._files, settings):
            made.mkdir(mode=0o755)
        self._settings = own_settings(settings)

    def close(self) -> None:
        """Remove the sample's files."""
        self._folder.cleanup()

    def path(self, file: str) -> Path:
        """Where on the host a file of the working directory is.

        Raises:
            PermissionError: If it is not named relative to the working directory, or
                is outside of it.
        """
        path = self._files / file
        steps = PurePosixPath(file).parts
        inside = path.resolve().is_relative_to(self._files.resolve())
        if file.startswith("/") or not steps or ".." in steps or not inside:
            raise PermissionError(
                f"{file!r} is not allowed; a file in a bubblewrap sandbox is named "
                "relative to its working directory, and lies in it."
            )
        return path

    def write(self, file: str, contents: bytes) -> None:
        """Write a file that the next commands see."""
        path = self.path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
        # Whatever our umask: who reads them may be another user.
        path.chmod(0o644)
        for folder in path.relative_to(self._files).parents:
            (self._files / folder).chmod(0o755)

    def run(
        self,
        command: Sequence[str],
        *,
        output: int,
        input: bytes = b"",
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
    ) -> Ended:
        """Run a command in a fresh sandbox.

        Args:
            command: The program and its arguments.
            output: Bytes that it may write on each of its two streams.
            input: What it can read on its standard input.
            directory: Where it starts, relative to the working directory.
            environment: Variables besides those that every sandbox has.
            seconds: Time by the clock that it may take; None for no limit.
            stop: Set from elsewhere, it ends the run.

        Raises:
            InputError: If the command or the environment is no text for a program, or
                the sample's files are too many or gone.
        """
        _check_words(command, environment or {})
        if not self._files.is_dir():
            raise InputError(
                f"The sandbox's folder {self._folder.name!r} is gone; keep what clears "
                "temporary files away from it, or set TMPDIR to another place."
            )
        files = (*self._home, *_files_in(self._files, WORK))
        shown = View(
            (*self._settings.binds, *self._library.binds, *files), self._library.links
        )

        def build(channels: Channels, processor: int) -> list[str]:
            return bubblewrap_command(
                command,
                tools=self._tools,
                system=self._system,
                shown=shown,
                limits=self._config.limits(),
                channels=channels,
                environment={"PATH": self._path, **(environment or {})},
                directory=os.path.join(WORK, directory or ""),
                staged_as=someone() if os.geteuid() == 0 else None,
                processor=processor,
            )

        watched = Watch(self._config.memory_mb, self._config.processes)
        with one_processor() as processor, watched as watch:
            return supervise(
                lambda channels: build(channels, processor),
                watch=watch,
                seconds=seconds,
                output=output,
                input=input,
                filter=system_call_filter(),
                stop=stop,
            )


def _files_in(folder: Path, place: str) -> list[Bind]:
    """Binds for a folder's files, each within a place that can be written to."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if len(files) > _MOST_FILES:
        raise InputError(
            f"{len(files)} files for {place!r} in a sandbox are too many; at most "
            f"{_MOST_FILES} are allowed (binds shows whole folders)."
        )
    return [Bind(str(path), f"{place}/{path.relative_to(folder)}") for path in files]


def _home(folder: str) -> list[Bind]:
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        raise InputError(
            f"home={folder!r} is not allowed; give the absolute path of a folder that "
            "exists."
        )
    return _files_in(Path(folder), HOME)


def _check_words(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Check that a command and its environment can be passed to a program."""
    for word in (*command, *environment, *environment.values()):
        if "\0" in word or not _encodes(word):
            raise InputError(
                f"{word!r} is not allowed in a command or its environment; give text "
                "without zeros and lone surrogates."
            )
    for name in environment:
        if not name or "=" in name:
            raise InputError(
                f"{name!r} is not allowed as a variable of the environment; give a "
                "name without '='."
            )


def _encodes(word: str) -> bool:
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return True


def _library(interpreter: str, binds: Sequence[str]) -> View:
    """What is shown of the host besides its programs: libraries, and `binds`."""
    for path in binds:
        if not os.path.isabs(path) or not os.path.exists(path):
            raise InputError(
                f"binds={path!r} is not allowed; give absolute paths that exist."
            )
    library, asked = interpreter_view(interpreter), View.of([*binds])
    both = View((*library.binds, *asked.binds), (*library.links, *asked.links))
    return both.beside(system_view())


# The temporary folders of samples, each named after the process that made it.

_PREFIX = "inspect-debate-"
_OURS = re.compile(rf"{_PREFIX}(\d+)-\w+", re.ASCII)


def temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    """Make a folder that only we can reach.

    Raises:
        InputError: If there is no place for it.
    """
    try:
        return tempfile.TemporaryDirectory(
            prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True
        )
    except OSError as error:
        raise InputError(
            f"A sandbox's files have no place: {error}; set TMPDIR to a folder that "
            "exists and can be written to."
        ) from error


def remove_leftovers() -> None:
    """Remove the folders that processes of ours left behind as they were killed."""
    for folder in Path(tempfile.gettempdir()).iterdir():
        name = _OURS.fullmatch(folder.name)
        if name is None or Path("/proc", name[1]).exists():
            continue
        if folder.lstat().st_uid == os.geteuid() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


# A processor for each sandbox, so that no sandbox can slow down its neighbours.
#
# A program with a hundred busy processes shares one processor among them, and a program
# beside it has another to itself. This needs neither root nor a control group, and
# holds between all runs of a user on a machine.


@contextmanager
def one_processor() -> Iterator[int]:
    """Reserve a processor for as long as the context lasts.

    A lock on a file for each processor marks it as taken; the kernel releases it when
    its process ends, however it ends.

    Yields:
        The number of a processor that no other sandbox of this user has. Where all are
        taken, as with `parallel` above their number, one of them at random.
    """
    usable = sorted(os.sched_getaffinity(0))
    random.shuffle(usable)
    for number in usable:
        lock = _reserve(number)
        if lock is not None:
            try:
                yield number
            finally:
                os.close(lock)
            return
    yield usable[0]


def _reserve(number: int) -> int | None:
    """An open file with the lock on a processor; None if somebody else has it."""
    name = f"inspect-debate-processor-{os.geteuid()}-{number}.lock"
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        file = os.open(Path(tempfile.gettempdir(), name), flags, 0o600)
    except OSError:  # a full disk, or a file of that name that belongs to another user
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


# What a Python interpreter needs to see of the host to run in a sandbox.

_PROBE = """import json, sys
prefixes = sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix
print(json.dumps([*prefixes, *sys.path]))"""


def default_interpreter() -> str:
    """The interpreter below our own environment, without any of our libraries."""
    version = sys.version_info
    name = f"python{version.major}.{version.minor}"
    return str(Path(sys.base_prefix, "bin", name))


@functools.cache
def interpreter_view(executable: str) -> View:
    """What has to be seen for an interpreter to start and to import its libraries.

    The interpreter is asked once, outside, where it looks for them: its prefixes,
    those of the interpreter below a virtual environment, and what else is on its path.

    Raises:
        InputError: If it does not exist, does not answer or would show a home
            directory.
    """
    paths = [executable, *_asked(executable)]
    view = View.of(paths)
    homes = [os.path.realpath(os.path.expanduser("~")), "/home", "/root", "/"]
    for bind in view.binds:
        if bind.source in homes or Path(homes[0]).is_relative_to(bind.source):
            raise InputError(
                f"The interpreter {executable!r} cannot be used in a sandbox: it looks "
                f"for libraries in {bind.source!r}, and all of that would be seen "
                "inside; give one in a folder of its own, such as a virtual "
                "environment."
            )
    return view


def _asked(executable: str) -> list[str]:
    if not os.path.isabs(executable) or not os.access(executable, os.X_OK):
        raise InputError(
            f"interpreter={executable!r} is not allowed; give the absolute path of a "
            "Python interpreter that exists."
        )
    try:
        answer = subprocess.run(
            [executable, "-I", "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=60,
            text=True,
        )
        paths = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise InputError(
            f"interpreter={executable!r} does not work: asked for its paths, it "
            f"answered {error}."
        ) from error
    return [path for path in paths if os.path.isabs(path)]
