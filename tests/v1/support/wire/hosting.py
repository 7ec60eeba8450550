"""An application on loopback, in a thread of its own."""

import asyncio
import socket
import threading
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

_PATIENCE = 10.0
"""Seconds after which a server that does not start or stop is broken."""


class _Connection(H11Protocol):
    """A connection that the application can close."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


def drop(request: Request) -> None:
    """Close the connection of a request; what is sent from then on goes nowhere."""
    request.state.transport.abort()


class _Server(uvicorn.Server):
    """A server that says when it can be asked, and ends at once when asked to.

    By itself it looks ten times a second whether it should.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._told = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        await self.on_tick(0)
        self._loop = asyncio.get_running_loop()
        self.ready.set()
        await self._told.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close everything; requests under way are cancelled with the loop."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()

    def end(self) -> None:
        """Tell the server to end, from another thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._told.set)


class Host:
    """Serves an application on a free port of 127.0.0.1, from `start` to `stop`."""

    def __init__(self, app: ASGIApp) -> None:
        self._socket = socket.socket()
        self._server = _Server(
            uvicorn.Config(
                app,
                http=_Connection,
                log_config=None,
                log_level="critical",
                access_log=False,
                lifespan="off",
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), daemon=True
        )
        self.url = ""

    def start(self) -> None:
        """Take a port and serve; returns once requests are answered."""
        self._socket.bind(("127.0.0.1", 0))
        host, port = self._socket.getsockname()
        self.url = f"http://{host}:{port}"
        self._thread.start()
        assert self._server.ready.wait(_PATIENCE), "the server did not start"

    def stop(self) -> None:
        """Close all connections and wait for the thread to end."""
        self._server.end()
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive(), "the server did not stop"
