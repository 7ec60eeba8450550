"""Where sandboxes do not work, the error says what to do."""

import shutil

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.box import Box
from inspect_debate.grading.bubblewrap import check_bubblewrap
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.supervise import Ended

GOOD = Ended("exit", 0, b"", b"", started=True)


def answer(monkeypatch: pytest.MonkeyPatch, *answers: Ended | Exception) -> None:
    left = iter(answers)

    def run(self: Box, command: list[str], output: int, seconds: float) -> Ended:
        given = next(left)
        if isinstance(given, Exception):
            raise given
        return given

    which = "inspect_debate.grading.config.shutil.which"
    monkeypatch.setattr(which, lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(Box, "run", run)


# What bubblewrap says.
SAID = {
    "bwrap: Unknown option --disable-userns": "too old",
    "bwrap: No permissions to create new namespace, likely because the kernel does "
    "not allow non-privileged user namespaces.": "kernel.unprivileged_userns_clone=1",
    "bwrap: Creating new namespace failed: nesting depth or "
    "/proc/sys/user/max_*_namespaces exceeded (ENOSPC)": "user.max_user_namespaces",
    "bwrap: setting up uid map: Permission denied": "AppArmor",
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted": "AppArmor",
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": "container",
    "unshare: unshare failed: Operation not permitted": "CAP_SYS_ADMIN",
    "unshare: mount /proc failed: Operation not permitted": "container",
    "bwrap: something new": "`bwrap --help`",
}


@pytest.mark.parametrize(("said", "advice"), SAID.items())
def test_what_bubblewrap_says_comes_with_advice(
    monkeypatch: pytest.MonkeyPatch, said: str, advice: str
) -> None:
    answer(monkeypatch, Ended("exit", 1, b"", said.encode(), started=False))
    with pytest.raises(InputError) as caught:
        check_bubblewrap(BubblewrapConfig())
    for words in ("`true` was run", said, advice, "'docker'"):
        assert words in caught.value.message


def test_an_interpreter_that_does_not_start_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer(monkeypatch, GOOD, Ended("exit", 127, b"", b"no such file", started=True))
    with pytest.raises(
        InputError, match=r"interpreter .* does not work .*no such file"
    ):
        check_bubblewrap(BubblewrapConfig())


@pytest.mark.parametrize("error", [OSError("no bwrap"), ValueError("not so.")])
def test_what_cannot_be_started_at_all(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    answer(monkeypatch, error)
    with pytest.raises(InputError, match=r"here: [a-z ]+\.$"):
        check_bubblewrap(BubblewrapConfig())


@pytest.mark.skipif(
    shutil.which("bwrap") is None,
    reason="bubblewrap is not installed (apt-get install bubblewrap)",
)
def test_where_all_works_nothing_is_said() -> None:
    check_bubblewrap(BubblewrapConfig())
