"""Debates as a page: it says what the record says, and hostile text is inert."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log, write_eval_log

from inspect_debate.cli.main import main
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath
from inspect_debate.reports.debates import read_debates
from inspect_debate.reports.page import shown_debate, write_pages
from inspect_debate.reports.samples import Held
from tests.reports.made_logs import sharded
from tests.support.browser import CHROMIUM, Browser, Seen, browser

EXAMPLES = Path(__file__).parents[2] / "logs" / "examples"
AXE = EXAMPLES.parents[1] / ".axe" / "node_modules" / "axe-core" / "axe.min.js"
"""What finds faults of accessibility in a page."""
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.eval"))
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> "
    "<b id=bold>&amp; <!-- \u2028 \U0001f600 <v_quote>never <i>said</i></v_quote>"
)


def debates_of(name: str) -> list[Held]:
    return list(read_debates(EXAMPLES / f"{name}.eval"))


def hostile_log(folder: Path) -> Path:
    """The debates of an example in which all speeches and ids are hostile."""
    log = read_eval_log(str(EXAMPLES / "debate.eval"))
    for number, sample in enumerate(log.samples or []):
        record = json.loads(sample.store["Debate:text"])
        for turn in record["turns"]:
            turn["public"] = turn["private"] = turn["reasoning"] = HOSTILE
            turn["quotes"] = []
        sample.store["Debate:text"] = json.dumps(record)
        sample.id = f"{number}</script><img src=x>"
        sample.metadata["passage"] = HOSTILE
    path = folder / "hostile.eval"
    write_eval_log(log, str(path))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_is_shown_once_and_in_order(name: str) -> None:
    for debate in debates_of(name):
        shown = shown_debate(debate)
        assert debate.record is not None
        assert len(shown["turns"]) == len(debate.record.turns)
        cells = [index for row in shown["rows"] for index, _ in row["cells"]]
        assert cells == list(range(len(shown["turns"])))
        for turn, told in zip(debate.record.turns, shown["turns"], strict=True):
            text = "".join(part["text"] for part in told.get("text", []))
            assert text == re.sub(r"</?[vu]_quote>", "", turn.public)
            assert told.get("private", "") == turn.private
            assert told["who"] == turn.participant


@pytest.mark.parametrize("name", NAMES)
def test_a_verified_quote_stands_where_it_is_marked(name: str) -> None:
    for debate in debates_of(name):
        shown = shown_debate(debate)
        texts = {part["name"]: part["text"] for part in shown["material"]}
        quotes = [
            part
            for turn in shown["turns"]
            for part in turn.get("text", [])
            if "quote" in part
        ]
        assert debate.record is not None
        given = [quote for turn in debate.record.turns for quote in turn.quotes]
        assert len(quotes) == len([quote for quote in given if not quote.empty])
        for part in quotes:
            if part["quote"] == "verified":
                place = slice(part["start"], part["end"])
                assert texts[part["source"]][place].split() == part["text"].split()


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_the_scores(name: str) -> None:
    for debate in debates_of(name):
        result = shown_debate(debate)["result"]
        values: list[Any] = [s.value for s in (debate.sample.scores or {}).values()]
        correct = [value["correct"] for value in values if "correct" in value]
        if not debate.sample.target:
            assert result == ""
        elif result != "undecided":
            assert correct[0] == (result == "right")


def test_who_changed_the_answer_of_debater_a() -> None:
    flipped = {d["id"]: d["flipped"] for d in map(shown_debate, debates_of("colmad"))}
    assert {id for id, how in flipped.items() if how} == {"sample_math_02_gpt-4-0613"}
    assert flipped["sample_math_02_gpt-4-0613"] == "to right"


def test_bets_by_round() -> None:
    (bets,) = shown_debate(debates_of("confidence")[0])["beliefs"]
    names = [series["name"] for series in bets["series"]]
    assert names == ["Proposition", "Opposition"]
    assert bets["series"][0]["points"] == [[1, 70.0], [2, 85.0], [3, 80.0]]


def test_judges_of_a_panel_are_told_apart() -> None:
    judges = shown_debate(debates_of("confidence")[0])["judges"]
    assert set(judges) == {"judge 1", "judge 2"}
    assert {one["said"] for one in judges.values()} == {"proposition"}


def data_of(page: AnyPath) -> list[Any]:
    """What a page's script reads, index first."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text)
    return [json.loads(part) for part in found]


def test_hostile_text_cannot_leave_its_element(tmp_path: Path) -> None:
    (page,) = write_pages(hostile_log(tmp_path), tmp_path).files
    index, *debates = data_of(page)
    assert len(index["debates"]) == len(debates) == 4
    spoken = "".join(part["text"] for part in debates[0]["turns"][0]["text"])
    assert spoken == re.sub(r"</?[vu]_quote>", "", HOSTILE)
    assert unescape(page.read_text()).count("<script>") == 1


def test_what_is_no_debate_is_refused(tmp_path: Path) -> None:
    log = read_eval_log(str(EXAMPLES / "debate.eval"))
    for sample in log.samples or []:
        sample.store, sample.events = {}, []
    write_eval_log(log, str(tmp_path / "none.eval"))
    with pytest.raises(InputError, match="None of the logs has a record of a debate"):
        write_pages(tmp_path / "none.eval", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_that_did_not_finish_is_taken_if_allowed(tmp_path: Path) -> None:
    log = read_eval_log(str(EXAMPLES / "debate.eval"))
    log.status = "cancelled"
    path = str(tmp_path / "cut.eval")
    write_eval_log(log, path)
    asked = ["page", path, "--out", str(tmp_path / "out")]
    refused = CliRunner().invoke(main, asked)
    assert refused.exit_code == 1
    assert "cancelled" in refused.output
    done = CliRunner().invoke(main, [*asked, "--allow-partial"])
    assert done.exit_code == 0
    assert done.output.splitlines()[-1].endswith("cut.html in a browser.")


def test_a_report_leads_to_the_debates(tmp_path: Path) -> None:
    log = str(EXAMPLES / "debate.eval")
    asked = ["report", "debate", log, "--out", str(tmp_path), "--pages"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    (link,) = re.findall(
        r'href="(debates/.*?)"', (tmp_path / "report.html").read_text()
    )
    assert (tmp_path / link).is_file()
    runs = (tmp_path / "tables" / "runs.csv").read_text()
    assert ",debate.eval," in runs


def test_a_report_on_shards_leads_to_one_page_and_its_debates_to_their_logs(
    tmp_path: Path,
) -> None:
    logs = sharded(EXAMPLES / "debate.eval", tmp_path / "logs")
    asked = ["report", "debate", str(logs), "--out", str(tmp_path), "--pages"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    (page,) = (tmp_path / "debates").iterdir()
    found = {debate["id"]: debate["log"] for debate in data_of(page)[1:]}
    assert found == {
        str(sample.id): f"{path.parent.name}/{path.name}"
        for path in logs.rglob("*.eval")
        for sample in read_eval_log(str(path)).samples or []
    }
    assert len(found) == 4


def test_logs_of_one_name_have_a_page_each(tmp_path: Path) -> None:
    for folder, sample in (("one", "first"), ("two", "second")):
        log = read_eval_log(str(EXAMPLES / "debate.eval"))
        log.eval.task_id = folder
        assert log.samples
        log.samples[0].id = sample
        (tmp_path / folder).mkdir()
        write_eval_log(log, str(tmp_path / folder / "same.eval"))
    pages = write_pages([tmp_path / "one", tmp_path / "two"], tmp_path).files
    assert len(set(pages)) == 2
    for page, sample in zip(pages, ("first", "second"), strict=True):
        assert sample in [debate["id"] for debate in data_of(page)[0]["debates"]]


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    with browser() as running:
        yield running


def settled(opened: Browser) -> None:
    opened.script("new Promise(done => setTimeout(() => done(0), 50))")


def test_a_walk_by_keyboard(opened: Browser, tmp_path: Path) -> None:
    (page,) = write_pages(EXAMPLES / "debate.eval", tmp_path).files
    assert opened.look(page) == Seen([], [], [], 0)

    def press(key: str) -> str:
        for kind in ("keyDown", "keyUp"):
            opened.ask("Input.dispatchKeyEvent", type=kind, key=key, text=key)
        settled(opened)
        heading: str = opened.script("document.querySelector('h2').textContent")
        return heading

    ids = [debate.sample.id for debate in debates_of("debate")]
    assert [press("j"), press("j"), press("k")] == [ids[1], ids[2], ids[1]]
    press("/")
    assert opened.script("document.activeElement.id") == "search"
    for key in "ferry":
        press(key)
    left = "[...document.querySelectorAll('#debates li:not([hidden])')].length"
    assert opened.script(left) == 1
    told = "document.getElementById('count').textContent"
    assert opened.script(told) == "1 of 4 debates"


def test_filters_count_what_they_show(opened: Browser, tmp_path: Path) -> None:
    (page,) = write_pages(EXAMPLES / "debate.eval", tmp_path).files
    opened.open(page)
    options = "[...document.getElementById('show').options].map(o => o.textContent)"
    assert opened.script(options) == ["all debates (4)", "right (3)", "wrong (1)"]
    choose = (
        "(() => { const show = document.getElementById('show'); show.value = 'wrong'; "
        "show.dispatchEvent(new Event('input')); return [...document.querySelectorAll("
        "'#debates li:not([hidden]) b')].map(b => b.textContent); })()"
    )
    assert opened.script(choose) == ["ferry-1"]


def test_in_a_browser_hostile_text_is_text(opened: Browser, tmp_path: Path) -> None:
    (page,) = write_pages(hostile_log(tmp_path), tmp_path).files
    assert opened.look(page) == Seen([], [], [], 0)
    assert opened.script("document.querySelectorAll('img, #bold, i').length") == 0
    assert "owned" not in opened.script("document.title").replace(HOSTILE, "")
    text: str = opened.script("document.querySelector('.turn .text').textContent")
    assert "<img src=x onerror=alert(1)>" in text
    assert "quote that was not found" in text or "verified quote" in text


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here (.ci/run has it)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["colmad", "confidence", "generative_code"])
def test_it_can_be_used_without_eyes_or_mouse(
    name: str, scheme: str, opened: Browser, tmp_path: Path
) -> None:
    (page,) = write_pages(EXAMPLES / f"{name}.eval", tmp_path).files
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    opened.ask("Emulation.setEmulatedMedia", media="", features=features)
    opened.open(page)
    opened.script("location.hash = '#1'")
    settled(opened)
    opened.script(f"{AXE.read_text(encoding='utf-8')}; 0")
    faults = "axe.run().then(r => r.violations.map(v => `${v.id}: ${v.nodes[0].html}`))"
    assert opened.script(faults) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(
    width: int, opened: Browser, tmp_path: Path
) -> None:
    for page in write_pages(EXAMPLES, tmp_path).files:
        opened.resize(width, 900)
        opened.open(page)
        assert opened.script("document.documentElement.scrollWidth") == width
