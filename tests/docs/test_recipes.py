"""The recipes for clusters: well-formed files, with commands of the suite."""

import re
import shlex
import shutil
import subprocess
from typing import Any

import yaml

from inspect_debate.cli.options import task_arguments
from inspect_debate.cli.run import run
from inspect_debate.cli.whole_study import whole_study
from tests.support.configurations import ROOT, study

SLURM = ROOT / "examples" / "cluster" / "slurm.sh"
KUBERNETES = ROOT / "examples" / "cluster" / "kubernetes.yaml"
RAY = ROOT / "examples" / "cluster" / "ray.yaml"


def parsed(words: list[str]) -> dict[str, Any]:
    """The options of a study's command, if it takes them."""
    place = next(n for n, word in enumerate(words) if word.startswith("configs/"))
    name = words[place].removeprefix("configs/").removesuffix(".py")
    command = whole_study(study(name))
    found = command.make_context(name, words[place + 1 :]).params
    assert {"budget_usd", "max_unparsed"} <= task_arguments(found["task_args"]).keys()
    return found


def test_the_array_job_of_slurm() -> None:
    checks = ["shellcheck"] if shutil.which("shellcheck") else ["bash", "-n"]
    subprocess.run([*checks, str(SLURM)], check=True)
    text = SLURM.read_text(encoding="utf-8")
    command = text[text.index("uv run") :].replace("\\\n", "")
    (of,) = re.findall(r"^#SBATCH --array=1-(\d+)$", text, re.M)
    assert parsed(shlex.split(command))["shard"] == f"$SLURM_ARRAY_TASK_ID/{of}"


def test_the_indexed_job_of_kubernetes() -> None:
    job = yaml.safe_load(KUBERNETES.read_text(encoding="utf-8"))["spec"]
    pod = job["template"]["spec"]
    (container,) = pod["containers"]
    found = parsed([*container["command"], *container["args"]])
    assert job["completionMode"] == "Indexed"
    assert found["shard"] == str(job["completions"])
    (volume,) = pod["volumes"]
    (mounted,) = container["volumeMounts"]
    assert volume["name"] == mounted["name"]
    assert found["log_dir"].startswith(mounted["mountPath"])
    # Only pods that are not restarted in place are counted by their index.
    assert pod["restartPolicy"] == "Never"


def test_the_job_of_ray() -> None:
    job = yaml.safe_load(RAY.read_text(encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    command, name, *words = shlex.split(job["spec"]["entrypoint"])
    assert (command, name) == ("inspect-debate", run.name)
    given = run.make_context(name, words).params
    found = parsed([f"configs/{given['study']}.py", *given["options"]])
    (group,) = job["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    head = job["spec"]["rayClusterSpec"]["headGroupSpec"]
    for each, cpus in ((head, 1), (group, given["cpus"])):
        pod = each["template"]["spec"]
        (container,) = pod["containers"]
        (volume,) = pod["volumes"]
        (mounted,) = container["volumeMounts"]
        assert volume["name"] == mounted["name"]
        assert found["log_dir"].startswith(mounted["mountPath"])
        assert container["resources"]["limits"]["cpu"] == str(cpus)
    assert given["engine"] == "ray"
    assert given["workers"] == group["replicas"]
