"""CPU of an SR-DCR run over that of a plain task, both through Inspect's real client.

    uv run python -m benchmarks.wire [--items 150] [--repeats 3] [--profile]

A server on loopback, in a process of its own, so that what it costs does not count,
says what simulated models once said to the same prompts, with log-probabilities.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from inspect_ai.model import get_model

from benchmarks.canned import Can
from benchmarks.measuring import canned_models, compare, print_profile, run
from benchmarks.studies import srdcr_study
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=150)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        study = srdcr_study(arguments.items, Path(folder))
        can = Can()
        run(study.debated(), canned_models(study, can), folder)
        # Whatever proxy there is, loopback is not there.
        os.environ["no_proxy"] = "127.0.0.1"
        said = {prompt: out.completion for (_, prompt), out in can.outputs.items()}
        with serving(said) as url:
            model = get_model(
                "openai-api/loopback/m", base_url=url, api_key=KEY, memoize=False
            )
            models = {"debater_a": model}
            run(study.debated(), models, folder)  # opens connections
            compare("srdcr", study, can, models, arguments.repeats, folder)
            if arguments.profile:
                print_profile(study, models, folder)


@contextmanager
def serving(said: Mapping[str, str]) -> Iterator[str]:
    """A server in a process of its own, and its URL."""
    processes = get_context("spawn")
    ours, its = processes.Pipe()
    server = processes.Process(target=_serve, args=(said, its), daemon=True)
    server.start()
    its.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        server.join()


def _serve(said: Mapping[str, str], parent: Connection) -> None:
    """Answer requests until the parent closes its end; tell it the URL first."""

    def answer(request: ChatRequest) -> Reply:
        return Reply(said[request.prompt], probability=0.9)

    with WireServer(answer) as server:
        parent.send(server.url)
        parent.poll(None)


if __name__ == "__main__":
    main()
