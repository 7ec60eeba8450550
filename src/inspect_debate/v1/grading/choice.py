"""Which sandbox is used: the one that was named, or one that works here."""

import subprocess
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

from inspect_ai.util import SandboxEnvironment, SandboxEnvironmentSpec, registry_info

from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.paths import user_path
from inspect_debate.v1.grading.bubblewrap import check_bubblewrap
from inspect_debate.v1.grading.config import BubblewrapConfig

SANDBOXES = ("bubblewrap", "docker", "local")
COMPOSE = Path(__file__).with_name("compose.yaml")

_DOCKER_SECONDS = 10


def sandbox_spec(
    name: str | None = None,
    *,
    config: BubblewrapConfig | None = None,
    unsafe_local: bool = False,
) -> SandboxEnvironmentSpec:
    """The sandbox that a task runs programs in.

    Args:
        name: One of `SANDBOXES`, or a sandbox of another package that is installed,
            such as `k8s`; all but bubblewrap and local also with a configuration file,
            as in `k8s:values.yaml`. None takes bubblewrap where it works, else Docker.
        config: The settings of bubblewrap. Those of Docker are in `compose.yaml`.
        unsafe_local: Allows `local`, which is no protection at all.

    Raises:
        InputError: If there is no such sandbox or file, if `local` was not allowed, or
            if None was given and neither bubblewrap nor Docker works.
    """
    config = config or BubblewrapConfig()
    if name is None:
        return _first_that_works(config)
    if name == "bubblewrap":
        return SandboxEnvironmentSpec("bubblewrap", config)
    if name == "docker":
        return SandboxEnvironmentSpec("docker", str(COMPOSE))
    if name != "local":
        return _installed(name)
    if not unsafe_local:
        raise InputError(
            "sandbox='local' is not allowed without unsafe_local=true: programs that "
            "models wrote would run on this machine as you, read your files and your "
            "environment with its keys, and use the network; take 'bubblewrap' or "
            "'docker'."
        )
    return SandboxEnvironmentSpec("local")


def _first_that_works(config: BubblewrapConfig) -> SandboxEnvironmentSpec:
    try:
        check_bubblewrap(config)
    except InputError as error:
        if not _docker_works():
            raise InputError(
                "No sandbox works here, and programs that models wrote are run in "
                "nothing else; there are two. bubblewrap (Debian, Ubuntu: apt-get "
                f"install bubblewrap): {error.message} docker "
                "(https://docs.docker.com/engine/install/): `docker info` reached no "
                "engine."
            ) from error
        return sandbox_spec("docker")
    return sandbox_spec("bubblewrap", config=config)


def _docker_works() -> bool:
    try:
        answer = subprocess.run(
            ["docker", "info"], capture_output=True, timeout=_DOCKER_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def _installed(name: str) -> SandboxEnvironmentSpec:
    """A sandbox of another package, or Docker with a file of the user's."""
    kind, colon, file = name.partition(":")
    check_choice("sandbox", kind, sorted({*SANDBOXES, *_registered()}))
    if kind in ("bubblewrap", "local"):
        raise InputError(
            f"sandbox={name} is not allowed; {kind} takes no configuration file."
        )
    path = user_path(file).absolute()
    if colon and not path.is_file():
        raise InputError(f"sandbox={name}: there is no file {file!r}.")
    return SandboxEnvironmentSpec(kind, str(path) if colon else None)


def _registered() -> list[str]:
    """The names of the sandboxes that installed packages bring."""
    for package in entry_points(group="inspect_ai"):
        package.load()
    kinds = SandboxEnvironment.__subclasses__()
    names = []
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        with suppress(ValueError):  # a class that is not registered, such as a base
            names.append(registry_info(kind).name.rpartition("/")[2])
    return names
