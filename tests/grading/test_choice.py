"""Which sandbox is taken, its settings, and what is advised where none works."""

import shutil
import subprocess
from typing import Any

import anyio
import pytest
import yaml
from inspect_ai.util import SandboxEnvironmentSpec
from inspect_ai.util._sandbox.compose import is_compose_yaml, parse_compose_yaml
from inspect_ai.util._sandbox.docker.mounts import validate_compose_mounts

from inspect_debate.debate.errors import InputError
from inspect_debate.grading import choice
from inspect_debate.grading.box import Box
from inspect_debate.grading.bubblewrap import BubblewrapSandbox, check_bubblewrap
from inspect_debate.grading.bubblewrap_command import ENVIRONMENT, HOME
from inspect_debate.grading.choice import COMPOSE, sandbox_spec
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.supervise import Ended

CONFIG = BubblewrapConfig(memory_mb=99)
BUBBLEWRAP = SandboxEnvironmentSpec("bubblewrap", CONFIG)
DOCKER = SandboxEnvironmentSpec("docker", str(COMPOSE))


def there_is(
    monkeypatch: pytest.MonkeyPatch, *, bubblewrap: bool, docker: int | Exception
) -> None:
    def check(config: BubblewrapConfig) -> None:
        if not bubblewrap:
            raise InputError("bwrap said no.")

    def run(command: list[str], **settings: Any) -> "subprocess.CompletedProcess[str]":
        assert (command, settings["timeout"]) == (["docker", "info"], 10)
        if isinstance(docker, Exception):
            raise docker
        return subprocess.CompletedProcess(command, docker)

    monkeypatch.setattr(choice, "check_bubblewrap", check)
    monkeypatch.setattr("subprocess.run", run)


NONE = FileNotFoundError("docker")
CHOSEN = [
    (None, True, 0, BUBBLEWRAP),
    (None, True, NONE, BUBBLEWRAP),
    (None, False, 0, DOCKER),
    ("bubblewrap", False, NONE, BUBBLEWRAP),
    ("docker", True, NONE, DOCKER),
]


@pytest.mark.parametrize(("name", "bubblewrap", "docker", "spec"), CHOSEN)
def test_the_first_that_works_or_the_one_that_was_named(
    monkeypatch: pytest.MonkeyPatch,
    name: str | None,
    bubblewrap: bool,
    docker: int | Exception,
    spec: SandboxEnvironmentSpec,
) -> None:
    there_is(monkeypatch, bubblewrap=bubblewrap, docker=docker)
    assert sandbox_spec(name, config=CONFIG) == spec


@pytest.mark.parametrize("docker", [NONE, 1, subprocess.TimeoutExpired("docker", 10)])
def test_without_any_both_are_named_with_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, docker: int | Exception
) -> None:
    there_is(monkeypatch, bubblewrap=False, docker=docker)
    with pytest.raises(InputError) as caught:
        sandbox_spec()
    for words in ("apt-get install bubblewrap", "bwrap said no.", "docs.docker.com"):
        assert words in caught.value.message


def test_local_only_where_its_danger_is_accepted_and_none_that_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Loading all that is installed takes ten seconds.
    monkeypatch.setattr(choice, "entry_points", lambda group: ())
    with pytest.raises(InputError, match=r"unsafe_local=true.*as you.*keys"):
        sandbox_spec("local")
    assert sandbox_spec("local", unsafe_local=True) == SandboxEnvironmentSpec("local")
    with pytest.raises(InputError, match=r"sandbox='dokcer'.*Did you mean 'docker'"):
        sandbox_spec("dokcer")


LIMITS = {
    "network_mode": "none",
    "user": "65534:65534",
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "read_only": True,
    "init": True,
    "mem_limit": "2gb",
    "memswap_limit": "2gb",
    "cpus": 1.0,
    "pids_limit": 512,
    "shm_size": "512m",
    "working_dir": HOME,
    "command": "tail -f /dev/null",
    "ulimits": {"core": 0, "cpu": 600, "fsize": 256 * 1024**2, "nofile": 1024},
    "x-default": True,
}


def test_the_limits_of_the_container() -> None:
    (service,) = yaml.safe_load(COMPOSE.read_text())["services"].values()
    assert {name: service[name] for name in LIMITS} == LIMITS
    name, _, digest = service["image"].partition("@sha256:")
    assert name.startswith("ghcr.io/")
    assert len(digest) == 64


def test_inspect_reads_the_file_as_one_container_without_volumes() -> None:
    assert is_compose_yaml(str(COMPOSE))
    config = parse_compose_yaml(str(COMPOSE), multiple_services=False)
    service = config.services["default"]
    assert service.x_default
    for none in (service.volumes, service.ports, service.privileged, service.cap_add):
        assert none is None
    anyio.run(validate_compose_mounts, yaml.safe_load(COMPOSE.read_text()), "name")
    places = [place.split(":") for place in service.tmpfs or []]
    assert [place for place, _ in places] == ["/tmp", HOME]
    for _, options in places:
        assert {"size=512m", "nosuid", "nodev"} <= set(options.split(","))
    assert service.environment == {
        name: value for name, value in ENVIRONMENT.items() if name != "PATH"
    }


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


def test_settings_come_back_from_a_log() -> None:
    config = BubblewrapConfig(memory_mb=99, binds=("/usr",), interpreter="/usr/x")
    again = BubblewrapSandbox.config_deserialize(config.model_dump(mode="json"))
    assert again == config
    assert len({config, again}) == 1


@pytest.mark.parametrize(
    "given",
    [
        *({"memory": 5}, {"memory_mb": 0}, {"parallel": 0}, {"processes": 1}),
        *({"memory_mb": 10**9}, {"disk_mb": 10**9}, {"cpu_seconds": 10**12}),
    ],
)
def test_settings_that_make_no_sense(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(given))):
        BubblewrapSandbox.config_deserialize(given)


def test_the_number_at_once_is_that_of_our_processors_unless_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 2, 5})
    assert BubblewrapConfig().at_once() == 3
    assert BubblewrapConfig(parallel=7).at_once() == 7
    assert BubblewrapSandbox.default_concurrency() is None
