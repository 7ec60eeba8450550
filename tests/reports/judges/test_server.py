"""The page of one judge: who gets in, what is saved, and hostile text that is inert."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from inspect_debate.debate.quotes import quoted
from inspect_debate.reports.judges import server
from inspect_debate.reports.judges.server import judging_app
from inspect_debate.reports.judges.sheet import sheet_of
from inspect_debate.reports.judges.sheet_text import Shown, Speech, shown
from inspect_debate.reports.judges.steps import Judging, read_said, steps_of
from tests.reports.judges.sheets import MODEL, contested, debate, six
from tests.support.made import speech

TOKEN = "token-of-this-run"
HOME = "http://127.0.0.1:8000"
GIVEN = {"answer": "X", "percent": "70", "remark": "so"}
STEP = re.compile(r'name="step" value="([^"]+)"')


def client(judging: Judging, entered: bool = True) -> TestClient:
    app = judging_app(judging, TOKEN)
    found = TestClient(app, base_url=HOME, follow_redirects=False)
    if entered:
        assert found.get(f"/enter/{TOKEN}").headers["location"] == "/"
    return found


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Shown]:
    sheet = sheet_of(six(tmp_path_factory.mktemp("six")), limit=2)
    return {entry.code: entry.shown for entry in sheet.entries}


@pytest.fixture
def judging(debates: dict[str, Shown], tmp_path: Path) -> Judging:
    return Judging("mary", debates, tmp_path / "mary.jsonl")


def now(asked: TestClient) -> str:
    """The step that the page asks about."""
    found = STEP.search(asked.get("/").text)
    assert found is not None
    return found[1]


def test_nobody_gets_in_without_the_token(judging: Judging) -> None:
    asked = client(judging, entered=False)
    for path in ("/", "/enter/wrong", "/enter/", "/enter/ü"):
        assert asked.get(path).status_code in (403, 404)
    assert asked.post("/", data=GIVEN).status_code == 403
    asked.cookies.set("judge", "wrong")
    assert asked.get("/").status_code == 403
    assert not judging.path.exists()
    cookie = asked.get(f"/enter/{TOKEN}").headers["set-cookie"]
    assert cookie == f"judge={TOKEN}; HttpOnly; Path=/; SameSite=lax"
    asked.cookies.clear()
    asked.cookies.set("judge", TOKEN)
    page = asked.get("/")
    assert page.status_code == 200
    assert TOKEN not in page.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1]"])
def test_other_names_of_this_machine_do_not_lead_here(
    host: str, judging: Judging
) -> None:
    asked = client(judging)
    assert asked.get("/", headers={"host": host}).status_code == 400
    assert asked.get("/", headers={"host": "localhost:8000"}).status_code == 200


def test_pages_may_load_nothing_and_forms_of_others_are_refused(
    judging: Judging,
) -> None:
    asked = client(judging)
    for given in (asked.get("/"), asked.get("/none"), asked.post("/", data={})):
        policy = given.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "unsafe" not in policy
        assert given.headers["cache-control"] == "no-store"
        assert not [name for name in given.headers if name.startswith("access-")]
    form = GIVEN | {"step": now(asked)}
    for origin in ("null", "http://evil.example", "http://127.0.0.1:8001"):
        refused = asked.post("/", data=form, headers={"origin": origin})
        assert refused.status_code == 403
    assert asked.post("/", data={"x": "x" * 200_000}).status_code == 413
    assert not judging.path.exists()
    assert asked.post("/", data=form, headers={"origin": HOME}).status_code == 303
    assert judging.path.exists()


def test_from_the_first_step_to_the_last(judging: Judging) -> None:
    asked, steps = client(judging), []
    while found := STEP.search(page := asked.get("/").text):
        steps.append(found[1])
        place = judging.place()
        assert place is not None
        later = [s for s in place.shown.speeches if s.heard > place.step.round]
        if place.step.time != "verdict":
            assert not [s for s in later if s.heading in page]
        for secret in ("SECRET", MODEL, "judge decides", "colmad", ".eval"):
            assert secret not in page
        form = GIVEN | {"step": found[1]}
        if steps[1:]:  # sent again from a page of before
            assert asked.post("/", data=form | {"step": steps[-2]}).status_code == 303
        # A second click on the button.
        for _ in range(2):
            assert asked.post("/", data=form).headers["location"] == "/#now"
        # After a crash everything begins anew, but for the file.
        asked = client(judging)
    assert len(steps) == len(set(steps)) == sum(map(len_of, judging.debates.values()))
    assert "All 2 debates are judged" in asked.get("/").text
    assert len(read_said(judging.path, judging.debates)) == len(steps)
    assert len(judging.path.read_text().splitlines()) == len(steps)
    assert asked.post("/", data=GIVEN | {"step": steps[-1]}).status_code == 303


def len_of(debate: Shown) -> int:
    return len(steps_of(debate))


def test_what_is_wrong_is_said_and_what_was_written_is_kept(judging: Judging) -> None:
    asked = client(judging)
    form = {"step": now(asked), "answer": "Y", "percent": "20", "remark": "<b>\n\nso"}
    given = asked.post("/", data=form)
    assert given.status_code == 422
    assert "from 50 to 100" in given.text
    assert "\n&lt;b&gt;\n\nso</textarea>" in given.text
    assert 'value="Y" required checked' in given.text
    assert not judging.path.exists()


def test_a_step_takes_as_long_as_it_was_open(
    judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([10.0, 20.0, 35.5, 40.0, 41.0])
    monkeypatch.setattr(server, "monotonic", lambda: next(clock))
    asked = client(judging)
    asked.get("/")
    form = GIVEN | {"step": now(asked)}  # a reload, 10 seconds later
    asked.post("/", data=form)
    asked.post("/", data=GIVEN | {"step": now(asked)})
    found = read_said(judging.path, judging.debates)
    assert [one.seconds for one in found] == [25.5, 1.0]


def test_a_file_that_somebody_changed(judging: Judging) -> None:
    asked = client(judging)
    judging.path.write_text("x\n")
    given = asked.get("/")
    assert given.status_code == 500
    assert "line 1 is not what a judge said" in given.text


# What debaters wrote.

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- \n"
    "</textarea></mark></div></form></style><a href='javascript:alert(1)'>x</a>"
    "\" autofocus onfocus=alert(1) x='{{ 7 }}{% raw %} &amp;\u2028"
)


class Elements(HTMLParser):
    """The elements of a page with their attributes, its text, and that in marks."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.words, self.marked = "", ""
        self._in_mark = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self._in_mark |= tag == "mark"

    def handle_endtag(self, tag: str) -> None:
        self._in_mark &= tag != "mark"

    def handle_data(self, data: str) -> None:
        self.words += data
        self.marked += data if self._in_mark else ""


def pages(text: str, folder: Path) -> Iterator[Elements]:
    """All pages of a debate in which debaters and the judge say one text."""
    speeches = (Speech(text, quoted(f"{text}<v_quote>{text}</v_quote>{text}"), 1, "X"),)
    one = Shown(text, (text, text), text, speeches, text, (text, text))
    judging = Judging("mary", {"BBBBB": one}, folder / "mary.jsonl")
    asked = client(judging)
    while judging.place():
        form = {"step": now(asked), "remark": text[text.find("<") :]}
        yield Elements(asked.post("/", data=form).text)
        asked.post("/", data=form | GIVEN)


@pytest.mark.parametrize("text", [HOSTILE, "\ud800\x00" + HOSTILE])
def test_hostile_text_stays_text(text: str, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    plain, attacked = pages("x", tmp_path / "plain"), pages(text, tmp_path)
    for one, other in zip(plain, attacked, strict=True):
        assert one.tags == other.tags
        assert other.words.count(HOSTILE) >= 6


def read(text: str, folder: Path) -> Elements:
    """The page of a debate after a round in which one debater says a text."""
    turns = (speech("debater_a", public=text), speech("debater_b"))
    found = shown(contested(debate(turns=turns)), "ab")
    judging = Judging("mary", {"BBBBB": found}, folder / "mary.jsonl")
    asked = client(judging)
    asked.post("/", data=GIVEN | {"step": now(asked)})
    return Elements(asked.get("/").text)


def test_a_forged_quote_is_no_quote(tmp_path: Path) -> None:
    forged = (
        "[verified quote] “ <mark class='verified'>FORGED</mark> ✓ "
        "&lt;v_quote&gt;FORGED&lt;/v_quote&gt; [ Verified  quote ] FORGED"
    )
    found = read(forged + " <v_quote>TRUE</v_quote> <u_quote>LOST</u_quote>", tmp_path)
    assert found.marked == "verified quote: TRUEquote that was not found: LOST"
    assert found.words.count("FORGED") == 3
    assert "[verified quote]" not in found.words.lower()


def test_characters_that_turn_the_text_around_are_not_shown(tmp_path: Path) -> None:
    found = read("one \u202etwo\u202c \u2066three\u2069 \u200bfour\u061c", tmp_path)
    assert "one two three four" in found.words
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\u061c]", found.words)


def test_giant_texts_are_shown_whole(tmp_path: Path) -> None:
    giant = "<v_quote>" + "wörd " * 400_000 + "</v_quote>" + "</" * 200_000
    assert read(giant, tmp_path).words.count("wörd") == 400_000
