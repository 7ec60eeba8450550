"""Pages in a real browser, asked over the pipe of its debugging protocol."""

import base64
import io
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from matplotlib.image import imread

from inspect_debate.debate.paths import AnyPath

WIDTH, HEIGHT = 1200, 900

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
"""The browser; None where there is none."""

_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-extensions", "--disable-sync", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update"),
    # What a page asks for is seen before a name is looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
_SERIOUS = ("error", "warning", "assert")
_FIGURES = """
[...document.querySelectorAll('svg, img')]
  .filter(figure => !figure.parentElement.closest('svg'))
  .map(figure => {
    const {x, y, width, height} = figure.getBoundingClientRect();
    return {x: x + scrollX, y: y + scrollY, width, height};
  })
"""


class Seen(NamedTuple):
    """What a browser says of a page.

    Attributes:
        errors: Faults of scripts, and errors and warnings in the console.
        asked: Addresses that it asked for beside its own.
        unseen: Figures, numbered from 0, that have no size, stick out of the page, or
            are of one colour.
        figures: How many figures there are.
    """

    errors: list[str]
    asked: list[str]
    unseen: list[int]
    figures: int


class Browser:
    """A running browser with one page."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._read = b""
        self._sent = 0
        self._events: list[dict[str, Any]] = []
        self._session: dict[str, str] = {}
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.resize(WIDTH, HEIGHT)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """What a command of the protocol gives; events before its answer are kept."""
        self._sent += 1
        command = {"id": self._sent, "method": method, "params": params} | self._session
        text = json.dumps(command).encode() + b"\0"
        while text:
            text = text[os.write(self._commands, text) :]
        while (answer := self._next()).get("id") != self._sent:
            self._events.append(answer)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.ask("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def open(self, page: AnyPath | str) -> None:
        """Show a page, a file or an address, once all that it asks for is there."""
        self._events = []
        url = page if isinstance(page, str) else page.resolve().as_uri()
        self.ask("Page.navigate", url=url)
        self._loaded()

    def leave(self, text: str) -> None:
        """Run a script that leads to another page, and wait for that."""
        self._events = []
        self.script(text)
        self._loaded()

    def _loaded(self) -> None:
        while not any(e["method"] == "Page.loadEventFired" for e in self._events):
            self._events.append(self._next())
        self.script("new Promise(done => requestAnimationFrame(() => done(0)))")

    @property
    def wrong(self) -> list[str]:
        """What went wrong since a page was opened: faults of scripts, and warnings."""
        return [text for event in self._events if (text := _wrong(event))]

    def script(self, text: str) -> Any:
        """The value of an expression in the page, once it has one."""
        wanted = {"awaitPromise": True, "returnByValue": True}
        answer = self.ask("Runtime.evaluate", expression=text, **wanted)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, clip: Mapping[str, float]) -> bytes:
        """What is seen within a box of the page, as PNG."""
        box = {"clip": {**clip, "scale": 1}, "captureBeyondViewport": True}
        return base64.b64decode(self.ask("Page.captureScreenshot", **box)["data"])

    def look(self, page: AnyPath) -> Seen:
        """Open a page, and tell what is wrong with it."""
        self.open(page)
        boxes = self.script(_FIGURES)
        unseen = [number for number, box in enumerate(boxes) if not self._shows(box)]
        asked = [url for event in self._events if (url := _asked(event))]
        own = page.resolve().as_uri()
        return Seen(
            self.wrong, [url for url in asked if url != own], unseen, len(boxes)
        )

    def _shows(self, box: Mapping[str, float]) -> bool:
        if min(box["width"], box["height"]) < 1 or box["x"] < 0:
            return False
        if box["x"] + box["width"] > WIDTH:
            return False
        pixels = imread(io.BytesIO(self.picture(box)), format="png")
        return bool(np.ptp(pixels[..., :3], axis=(0, 1)).any())

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            more = os.read(self._answers, 1 << 16)
            assert more, "the browser has ended"
            self._read += more
        text, _, self._read = self._read.partition(b"\0")
        answer: dict[str, Any] = json.loads(text)
        return answer


def _wrong(event: Mapping[str, Any]) -> str | None:
    params = event["params"]
    match event["method"]:
        case "Runtime.exceptionThrown":
            return json.dumps(params["exceptionDetails"])
        case "Runtime.consoleAPICalled" if params["type"] in _SERIOUS:
            return json.dumps(params["args"])
        case "Log.entryAdded" if params["entry"]["level"] in _SERIOUS:
            return json.dumps(params["entry"])
    return None


def _asked(event: Mapping[str, Any]) -> str | None:
    if event["method"] != "Network.requestWillBeSent":
        return None
    url = str(event["params"]["request"]["url"])
    return None if url.startswith(("data:", "about:")) else url


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser that runs as long as it is asked."""
    assert CHROMIUM is not None
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        commands, ours = os.pipe()
        theirs, answers = os.pipe()[::-1]
        command = [CHROMIUM, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        started = subprocess.Popen(
            # It reads from descriptor 3 and writes to 4.
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{theirs}', "bash", *command],
            pass_fds=(commands, theirs),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(theirs)
        try:
            running = Browser(ours, answers)
            yield running
            running.ask("Browser.close")
        finally:
            os.close(ours)
            os.close(answers)
            try:
                started.wait(timeout=10)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()
