"""The files for the sandbox `docker`; nothing is built or run."""

import re
from pathlib import Path

import yaml
from inspect_ai.util import ComposeConfig

FOLDER = Path(__file__).parents[2] / "src" / "inspect_debate" / "grading" / "docker"


def test_the_compose_file_isolates_and_limits() -> None:
    parsed = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    service = ComposeConfig.model_validate(parsed).services["default"]
    assert service.network_mode == "none"
    assert service.read_only is True
    assert service.user == "65534:65534"
    assert service.cap_drop == ["ALL"]
    assert service.mem_limit
    assert service.pids_limit
    assert (FOLDER / str(service.build) / "Dockerfile").exists()


def test_what_the_image_installs_is_pinned() -> None:
    copied = re.findall(r"^COPY (\S+)", (FOLDER / "Dockerfile").read_text(), re.M)
    assert copied == ["requirements.txt"]
    lines = (FOLDER / "requirements.txt").read_text().splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    pinned = dict(line.split("==") for line in wanted)
    assert len(pinned) == len(wanted) > 100
    assert pinned["scipy"] < "1.11"
