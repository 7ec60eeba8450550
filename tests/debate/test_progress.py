"""Progress bars: where somebody looks on, and after a while."""

import io
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from inspect_debate.debate import progress
from inspect_debate.debate.progress import counted, samples_counted
from inspect_debate.evals.debate import debate
from tests.support.runs import run


class Terminal(io.StringIO):
    """Where a person looks on, or not."""

    looks_on = True

    def isatty(self) -> bool:
        return self.looks_on


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "AFTER", 0.0)
    return Terminal()


def shown_while_counting(terminal: Terminal) -> str:
    """What is written there while three things are counted."""
    with redirect_stderr(terminal):
        assert list(counted("abc", "Reading", 3)) == ["a", "b", "c"]
    return terminal.getvalue()


def test_it_is_shown_on_a_terminal(terminal: Terminal) -> None:
    assert "Reading" in shown_while_counting(terminal)
    assert "3/3" in terminal.getvalue()


def test_a_file_has_none_of_it(terminal: Terminal) -> None:
    terminal.looks_on = False
    assert shown_while_counting(terminal) == ""


def test_no_bar_at_first(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 60.0)
    assert shown_while_counting(terminal) == ""


def test_samples_of_a_run_are_counted(terminal: Terminal, tmp_path: Path) -> None:
    with redirect_stderr(terminal), samples_counted("Checking", 2):
        run(debate(rounds=1), tmp_path, "simulated/balanced", limit=2)
    assert "2/2" in terminal.getvalue()


def test_after_an_error_the_cursor_is_there_again(terminal: Terminal) -> None:
    with (
        redirect_stderr(terminal),
        pytest.raises(ZeroDivisionError),
        progress.progress("Reading", 2) as done,
    ):
        _ = done(), 1 / 0
    assert terminal.getvalue().rindex("\x1b[?25h") > terminal.getvalue().rindex("?25l")
