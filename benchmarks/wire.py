"""CPU of a study's run over that of a plain task, both through Inspect's real client.

    uv run python -m benchmarks.wire [--study srdcr|generative] [--items 150]
        [--repeats 3] [--profile]

A server on loopback replays what simulated models wrote for the same prompts, with
log-probabilities; it is a process of its own, so that its cost does not count.
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
from benchmarks.studies import STUDIES
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer

_ITEMS = {"srdcr": 150, "generative": 80}

Asked = tuple[str, int | None]
"""What distinguishes requests at a server: the prompt, and the seed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", choices=_ITEMS, default="srdcr")
    parser.add_argument("--items", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    name = arguments.study

    with tempfile.TemporaryDirectory() as folder:
        study = STUDIES[name](arguments.items or _ITEMS[name], Path(folder))
        can = Can()
        run(study.debated(), canned_models(study, can), folder)
        # A proxy does not reach loopback.
        os.environ["no_proxy"] = "127.0.0.1"
        replies = {asked[1:]: out.completion for asked, out in can.outputs.items()}
        with serving(replies) as url:
            model = get_model(
                "openai-api/loopback/m", base_url=url, api_key=KEY, memoize=False
            )
            models = {"debater_a": model}
            run(study.debated(), models, folder)  # opens connections
            compare(name, study, can, models, arguments.repeats, folder)
            if arguments.profile:
                print_profile(study, models, folder)


@contextmanager
def serving(replies: Mapping[Asked, str]) -> Iterator[str]:
    """A server in a process of its own, and its URL."""
    processes = get_context("spawn")
    ours, its = processes.Pipe()
    server = processes.Process(target=_serve, args=(replies, its), daemon=True)
    server.start()
    its.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        server.join()


def _serve(replies: Mapping[Asked, str], parent: Connection) -> None:
    """Send the URL to the parent; answer requests until it closes its end."""

    def answer(request: ChatRequest) -> Reply:
        return Reply(replies[request.prompt, request.seed], probability=0.9)

    with WireServer(answer) as server:
        parent.send(server.url)
        parent.poll(None)


if __name__ == "__main__":
    main()
