"""A cache folder of its own for each test, and a server on the loopback interface."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import platformdirs
import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda _: str(folder))
    return folder


class Server(ThreadingHTTPServer):
    """Answers every request as its attributes say."""

    body = b""
    status = 200
    headers: dict[str, str] = {}  # noqa: RUF012 - replaced, never changed
    claimed: int | None = None  # a false Content-Length
    closes = False  # without an answer
    hangs = False  # without an answer, until the test ends
    redirects = False  # from `url` to another path
    requests = 0

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data.zip"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server = self.server
        server.requests += 1
        if server.hangs:
            server.over.wait(10)
        if server.closes or server.hangs:
            return
        if server.redirects and self.path == "/data.zip":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        self.send_response(server.status)
        length = len(server.body) if server.claimed is None else server.claimed
        for name, value in {"Content-Length": str(length), **server.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(server.body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()
