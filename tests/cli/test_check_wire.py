"""`inspect-debate check` over a wire on which things go wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result
from inspect_ai import Task

from inspect_debate.evals.srdcr import srdcr
from tests.cli.test_check import check, only
from tests.support.clash_reader import clash_brain
from tests.support.clash_world import World
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer


def first_call(request: ChatRequest) -> bool:
    return "Answer with the single word" in request.prompt


@contextmanager
def serving() -> Iterator[WireServer]:
    """Somebody who reads the question that the check asks in `srdcr`."""
    task: Task = srdcr(source="sample", questions=1)
    brain = clash_brain(World.of(task.dataset).reader)
    with WireServer(lambda r: Reply("yes") if first_call(r) else brain(r)) as server:
        yield server


def over_wire(server: WireServer, folder: Path, *more: str, key: str = KEY) -> Result:
    return check(
        *("--model", f"openai-api/loopback/{folder.name}"),
        *("-M", f"base_url={server.url}", "-M", f"api_key={key}"),
        *("--max-retries", "0", "--log-dir", str(folder), *more),
    )


@pytest.fixture(autouse=True)
def _loopback_without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_wrong_key_is_told_once_and_nothing_else_is_asked(tmp_path: Path) -> None:
    with serving() as server:
        result = over_wire(server, tmp_path, key="wrong")
    assert result.exit_code == 3
    assert server.rejected == ["wrong key"]
    assert result.output.count("Incorrect API key") == 1
    assert not list(tmp_path.iterdir())


def test_it_goes_by_what_comes_over_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "srdcr srdcr", "srdcr rci")
    with serving() as server:
        result = over_wire(server, tmp_path)
    assert result.exit_code == 0, result.output
    # 4 answers, 2 rounds of 2 speeches and a verdict; answer, critique, revision.
    assert server.counts == {"answered": 1 + 4 + 2 * 3 + 3}
    assert "Log-probabilities of 2 answers: 2 ok." in result.output


def test_log_probabilities_that_are_refused_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "srdcr srdcr")
    with serving() as server:
        server.fault("logprobs_refused", when=lambda request: request.logprobs)
        result = over_wire(server, tmp_path)
    assert result.exit_code == 0, result.output
    assert "Log-probabilities of 2 answers: 2 refused." in result.output
    assert "log-probabilities refused: srdcr" in " ".join(result.output.split())


def test_a_completion_that_is_cut_off_names_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "srdcr srdcr")
    with serving() as server:
        server.fault("cut_off", when=lambda r: "You judge a debate" in r.prompt)
        result = over_wire(server, tmp_path)
    assert result.exit_code == 1, result.output
    words = " ".join(result.output.split())
    assert "srdcr judge verdict (verdict), 2 truncated: 1024 tokens" in words
    assert "-T config.verdict.max_tokens=4096" in words


def test_a_run_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "srdcr srdcr", "srdcr rci")
    with serving() as server:
        server.fault("server_error", when=lambda r: "You judge a debate" in r.prompt)
        result = over_wire(server, tmp_path)
    assert result.exit_code == 3, result.output
    failed = [line for line in result.output.splitlines() if line.startswith("- srdcr")]
    assert [line.partition(":")[0] for line in failed] == ["- srdcr srdcr"]
    assert "It broke." in result.output
    assert "debater critique" in result.output
