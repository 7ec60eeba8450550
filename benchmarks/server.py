"""An OpenAI-compatible server on loopback that waits before it answers from a can."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from inspect_ai.model import ModelOutput

from benchmarks.canned import Asked, Can


@contextmanager
def serving(can: Can, seconds: float) -> Iterator[str]:
    """A server in a process of its own, and its URL."""
    replies = {asked: _response(output) for asked, output in can.replies.items()}
    processes = get_context("spawn")
    ours, its = processes.Pipe()
    server = processes.Process(target=_serve, args=(replies, seconds, its), daemon=True)
    server.start()
    its.close()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        server.terminate()
        server.join()


def _response(output: str) -> bytes:
    said = ModelOutput.model_validate_json(output)
    assert said.usage is not None
    read, written = said.usage.input_tokens, said.usage.output_tokens
    usage = {"prompt_tokens": read, "completion_tokens": written}
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", "content": choice.message.text},
            "finish_reason": "stop",
            "logprobs": choice.logprobs and choice.logprobs.model_dump(),
        }
        for index, choice in enumerate(said.choices)
    ]
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": said.model,
        "choices": choices,
        "usage": usage | {"total_tokens": read + written},
    }
    return _http("200 OK", json.dumps(body).encode())


def _http(status: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _serve(replies: Mapping[Asked, bytes], seconds: float, parent: Connection) -> None:
    unknown = _http("400 Not asked before", b"{}")

    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().split(b"content-length:")[1].split()[0])
                asked = json.loads(await reader.readexactly(size))
                await asyncio.sleep(seconds)
                texts = tuple(message["content"] for message in asked["messages"])
                key = (asked["model"], texts, asked.get("seed"))
                writer.write(replies.get(key, unknown))
                await writer.drain()
        except asyncio.IncompleteReadError:  # the client is done
            writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=1 << 20)
        parent.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
