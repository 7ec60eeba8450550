"""The page on which one person judges debates, served to this machine alone.

Whoever opens it needs the token of its address. It loads nothing, and what debaters
wrote is never read as markup.
"""

import base64
import hashlib
import hmac
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from urllib.parse import parse_qsl

import uvicorn
from jinja2 import Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import URL
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.judges.sheet import template
from inspect_debate.reports.judges.sheet_text import LETTERS
from inspect_debate.reports.judges.steps import (
    LONGEST_REMARK,
    Judging,
    Place,
    Step,
    said_now,
    steps_of,
    trail,
)

HOST = "127.0.0.1"
_HOSTS = [HOST, "localhost"]
"""Names under which a browser may ask: no other name that leads to this machine."""

_LONGEST_FORM = 8 * LONGEST_REMARK
_NO_ENTRY = (
    "This page needs the address that `inspect-debate judge` printed when it was last "
    "started, with its token. What was sent before that is saved."
)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


_SCRIPT, _STYLE = template("judge.js"), template("judge.css")
_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src {_hash(_STYLE)}; "
    f"script-src {_hash(_SCRIPT)}; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # A page that sends no referrer sends no origin with its forms either.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

_PAGE = Environment(
    autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
).from_string(template("judge.html.j2"))


class _WithHeaders:
    """Adds the headers to every response, also to those of other middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((k.encode(), v.encode()) for k, v in _HEADERS.items()),
                ]
            await send(message)

        await self.app(scope, receive, sent)


class _Steps:
    """The answers to requests about one person's steps."""

    def __init__(self, judging: Judging, token: str, cookie: str) -> None:
        self.judging, self.token, self.cookie = judging, token, cookie
        # When each step was first shown by this process; a reload starts nothing anew.
        self.opened: dict[tuple[str, Step], float] = {}

    def known(self, token: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    async def enter(self, request: Request) -> Response:
        """Take the token of the address, and go on to the page with a cookie."""
        if not self.known(request.path_params["token"]):
            return PlainTextResponse(_NO_ENTRY, 403)
        entered = RedirectResponse("/", 303)
        entered.set_cookie(self.cookie, self.token, httponly=True, samesite="lax")
        return entered

    async def page(self, request: Request) -> Response:
        """Show the step, or take what was said and go on to the next one."""
        if not self.known(request.cookies.get(self.cookie, "")):
            return PlainTextResponse(_NO_ENTRY, 403)
        try:
            if request.method == "POST":
                return await self.say(request)
            place = self.judging.place()
            if place is not None:
                self.opened.setdefault((place.code, place.step), monotonic())
            return _page(self.judging, place)
        except InputError as error:  # somebody has changed the file
            return PlainTextResponse(error.message, 500)

    async def say(self, request: Request) -> Response:
        """Save what was said, unless it is about another step than the present one."""
        if _foreign(request):
            return PlainTextResponse("This form is of another page.", 403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _LONGEST_FORM:
                return PlainTextResponse("This is too long.", 413)
        given = dict(parse_qsl(body.decode("utf-8", "replace")))
        place = self.judging.place()
        if place is not None and given.get("step") == _step_id(place):
            now = monotonic()
            seconds = now - self.opened.get((place.code, place.step), now)
            said = said_now(place, given, seconds)
            if isinstance(said, str):
                return _page(self.judging, place, given, said)
            self.judging.say(said)
        return RedirectResponse("/#now", 303)


def judging_app(judging: Judging, token: str, cookie: str = "judge") -> Starlette:
    """The application that serves a person's steps.

    Args:
        judging: The person, the debates and the file.
        token: What the address has to have at first; from then on a cookie has it.
        cookie: The cookie's name. All ports of a machine share their cookies.
    """
    steps = _Steps(judging, token, cookie)
    return Starlette(
        routes=[
            Route("/", steps.page, methods=["GET", "POST"]),
            Route("/enter/{token}", steps.enter, methods=["GET"]),
        ],
        middleware=[
            Middleware(_WithHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS, www_redirect=False),
        ],
    )


def _foreign(request: Request) -> bool:
    """Whether a form comes from a page of another origin, as of another local port."""
    origin = request.headers.get("origin")
    return origin is not None and URL(origin).netloc != request.url.netloc


def _step_id(place: Place) -> str:
    """What a form says it is about."""
    return f"{place.code} {place.step.time} {place.step.round}"


def _page(
    judging: Judging,
    place: Place | None,
    given: dict[str, str] | None = None,
    wrong: str = "",
) -> Response:
    page = _PAGE.render(
        judging=judging,
        place=place,
        steps=steps_of(place.shown) if place else [],
        step_id=_step_id(place) if place else "",
        trail=list(trail(place.before)) if place else [],
        letters=LETTERS,
        given=given or {},
        wrong=wrong,
        longest=LONGEST_REMARK,
        style=_STYLE,
        script=_SCRIPT,
    )
    # A text of a log may have half a character.
    html = page.encode("utf-8", "replace")
    return HTMLResponse(html, 422 if wrong else 200)


def serve(judging: Judging, port: int, tell: Callable[[str], None]) -> None:
    """Serve a person's steps on this machine until the command is interrupted.

    Args:
        judging: The person, the debates and the file.
        port: The port; a free one if it is 0.
        tell: Called with the address to open, once it can be opened.

    Raises:
        InputError: If the port is taken or not allowed.
    """
    token = secrets.token_urlsafe(24)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise InputError(
                f"--port {port} cannot be used ({error}); leave it out to take a free "
                "one."
            ) from error
        listening.listen()
        port = listening.getsockname()[1]
        app = judging_app(judging, token, f"judge_{port}")
        tell(f"http://{HOST}:{port}/enter/{token}")
        # Its log of requests would have the token.
        config = uvicorn.Config(
            app, access_log=False, log_level="warning", server_header=False
        )
        with suppress(KeyboardInterrupt):  # which it raises again once it has ended
            uvicorn.Server(config).run(sockets=[listening])
