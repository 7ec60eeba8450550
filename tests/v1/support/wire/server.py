"""An OpenAI-compatible server on loopback, whose answers a test writes.

with WireServer(brain) as server:
    server.fault("rate_limit", when=attempts(1))
    model = wire_model(server)
    ...
    assert server.counts == {"rate_limit": 1, "answered": 1}
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.v1.support.wire.faults import (
    AFTERWARDS,
    INSTEAD,
    Kind,
    Rule,
    When,
    always,
    error,
)
from tests.v1.support.wire.hosting import Host, drop
from tests.v1.support.wire.logprobs import WORDS, Style
from tests.v1.support.wire.replies import Brain, choice_of, completion
from tests.v1.support.wire.requests import BadRequest, ChatRequest, read_request

KEY = "loopback-key"
"""What the server wants to be asked with."""


@dataclass
class Exchange:
    """A request, the faults that met it, and how it was answered.

    `status` is what was sent; None until then, and where the connection was closed.
    """

    request: ChatRequest
    faults: tuple[Kind, ...] = ()
    status: int | None = None


class WireServer:
    """Answers `POST /v1/chat/completions` and `GET /v1/models` while it is entered.

    Attributes:
        exchanges: What was asked and how it was answered, in the order of arrival.
        rejected: Why requests were rejected that it does not understand.
        complaints: What the brain raised; these requests are answered with status 400,
            which no client retries, and the first is raised again on leaving.
        peak: The largest number of requests that were under way at once.
    """

    def __init__(
        self, brain: Brain, style: Style = WORDS, served: str | None = None
    ) -> None:
        """A server that is not yet started.

        Args:
            brain: Answers the requests.
            style: How texts are cut into tokens.
            served: The model named in responses; None means the one asked for.
        """
        self.brain = brain
        self.style = style
        self.served = served
        self.rules: list[Rule] = []
        self.exchanges: list[Exchange] = []
        self.rejected: list[str] = []
        self.complaints: list[Exception] = []
        self.peak = 0
        self._under_way = 0
        self._seen: Counter[str] = Counter()
        self._host = Host(
            Starlette(
                routes=[
                    Route("/v1/chat/completions", self._chat, methods=["POST"]),
                    Route("/v1/models", self._models),
                ]
            )
        )

    def __enter__(self) -> "WireServer":
        self._host.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._host.stop()
        if self.complaints and raised is None:
            raise self.complaints[0]

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"{self._host.url}/v1"

    @property
    def requests(self) -> list[ChatRequest]:
        """All requests that were understood, in the order of their arrival."""
        return [exchange.request for exchange in self.exchanges]

    @property
    def counts(self) -> Counter[str]:
        """How many requests met each fault, and how many were `answered` without."""
        met = Counter[str](fault for e in self.exchanges for fault in e.faults)
        met["answered"] = sum(
            not exchange.faults and exchange.status == 200
            for exchange in self.exchanges
        )
        return +met

    def fault(
        self,
        kind: Kind,
        when: When = always,
        times: int | None = None,
        delay: float = 0.05,
        retry_after: float = 0.01,
        status: int = 400,
        body: Any = None,
    ) -> Rule:
        """From now on let requests meet a fault.

        Of several that answer in the brain's place, the earliest rule's does.

        Args:
            kind: What goes wrong.
            when: Which requests it meets.
            times: How many at most.
            delay: Seconds, for `slow`.
            retry_after: Seconds, for `rate_limit`.
            status: Of `rejected`.
            body: What `rejected` answers, as JSON.

        Returns:
            The rule, which counts the requests that it met.
        """
        rule = Rule(kind, when, times, delay, retry_after, status=status, body=body)
        self.rules.append(rule)
        return rule

    async def _models(self, request: Request) -> Response:
        listed = [{"id": self.served or "m", "object": "model", "owned_by": "test"}]
        return JSONResponse({"object": "list", "data": listed})

    async def _chat(self, request: Request) -> Response:
        if request.headers.get("authorization") != f"Bearer {KEY}":
            self.rejected.append("wrong key")
            return error(401, "Incorrect API key.", "invalid_api_key")
        try:
            asked = read_request(await request.body())
        except BadRequest as wrong:
            self.rejected.append(str(wrong))
            return error(400, str(wrong), "invalid_request_error")
        with self._exchange(asked) as exchange:
            response = await self._answered(exchange, request)
            exchange.status = None if response is None else response.status_code
        return response or Response()

    @contextmanager
    def _exchange(self, asked: ChatRequest) -> Iterator[Exchange]:
        self._seen[asked.identity] += 1
        exchange = Exchange(
            replace(
                asked, number=len(self.exchanges), attempt=self._seen[asked.identity]
            )
        )
        self.exchanges.append(exchange)
        self._under_way += 1
        self.peak = max(self.peak, self._under_way)
        try:
            yield exchange
        finally:
            self._under_way -= 1

    async def _answered(self, exchange: Exchange, request: Request) -> Response | None:
        """The answer to a request, or None where the connection was closed."""
        asked = exchange.request
        rules = [rule for rule in self.rules if rule.meets(asked)]
        exchange.faults = tuple(rule.kind for rule in rules)
        await asyncio.sleep(sum(rule.delay for rule in rules if rule.kind == "slow"))
        for rule in rules:
            if rule.kind == "dropped":
                drop(request)
                await asyncio.sleep(0)  # until the connection knows
                return None
            if rule.kind in INSTEAD:
                return INSTEAD[rule.kind](rule)
        return self._completed(asked, rules)

    def _completed(self, asked: ChatRequest, rules: list[Rule]) -> Response:
        try:
            replies = [self.brain(replace(asked, choice=n)) for n in range(asked.n)]
        except Exception as complaint:
            self.complaints.append(complaint)
            return error(400, f"{complaint}", "invalid_request_error")
        choices = [choice_of(r, self.style, asked.max_tokens) for r in replies]
        written = sum(len(choice.tokens or ()) for choice in choices)
        for rule in rules:
            if rule.kind in AFTERWARDS:
                choices = AFTERWARDS[rule.kind](choices)
        served = self.served or asked.model
        return JSONResponse(completion(asked, choices, self.style, served, written))
