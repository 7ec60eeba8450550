"""Every command and script on the pages runs."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.docs.placeholders import furnish, placed
from tests.docs.session import Session, session
from tests.support.pages import PAGES, Block, blocks, commands

pytestmark = pytest.mark.slow

NOT_RUN = {
    "uv sync*": "it makes the environment of the tests",
    "cd inspect-debate": "it needs the clone",
    "uv run inspect view*": "it is a server, which does not end",
    "uv run inspect-debate judge *": "it is a server, too; tests/reports/judges has it",
    "git clone *": "it needs the network",
    "sudo apt-get *": "it needs the network, and root",
    "uv pip install *": "tests/examples builds and installs the example",
    "*logs/devil*": "tests/examples runs and compares the example",
    "* inspect_evals/*": "it needs a data set; tests/test_commands.py has its own",
    "*huggingface:OWNER/*": "it needs the hub; tests/datasets has a double of it",
    "uv run inspect-debate sandbox-check *": "as the two above; tests/cli has doubles",
    "uv run inspect-debate bcb-*": "it needs the network; tests/cli has doubles",
    "*dataset=bcb_plus*": "it needs that environment; tests/evals has programs",
    "*judge_style=verifying*": "tests/evals/test_reuse.py has it",
    "*inspect-debate check* M*": "all studies; tests/cli/test_check.py",
    "*inspect-debate check*=M*": "all studies; tests/cli/test_check.py",
    "*inspect-debate check*openai/*": "all studies; tests/cli/test_check.py",
    "*colmad_paper.yaml --model-role*": "its models are live; tests/configs has it",
    "*srdcr_released.yaml*": "its data need the network; tests/configs has it",
    "*python configs/*--paper*": "its models are live; tests/configs has it",
    "*python configs/*--log-dir*": "whole studies; tests/configs runs some",
    "*report colmad logs/colmad*": "the report on a whole study, which is not run",
    "*inspect-debate published *": "tests/cli/test_published.py runs it",
    "*logs/detectors*": "it needs the release; tests/transcripts has a double",
    "uv run scout scan *": "seconds of starting; tests/test_scanners.py scans",
    "uv run python docs/parameters.py": "it writes pages; test_pages.py compares them",
    "uv run python examples/logs.py": "tests/examples makes them",
    "*inspect-debate report confidence*": "seconds of drawing; tests/reports has it",
    "*inspect-debate report generative*": "seconds of drawing; tests/reports has it",
    "*inspect-debate report srdcr*": "seconds of drawing; tests/reports has it",
}
"""Commands that are read and not run, and why."""

LANGUAGES = ("bash", "python", "text")

DEBATE = "uv run inspect eval evals/debate.py --model M"
COLMAD = "uv run inspect eval evals/colmad.py --model M"
MINE = (
    "uv run inspect eval mine.py --solver inspect_debate/colmad --model none "
    "--model-role debater_a=M1 --model-role debater_b=M2 --model-role judge=M3 "
    "--limit 4"
)
BEFORE = {
    "compare.md": [f"{COLMAD} -T protocol={p}" for p in ("colmad", "single", "som")],
    "debate_report.md": [DEBATE],
    "estimate.md": [COLMAD],
    "judge_check.md": [DEBATE],
    "judges.md": [DEBATE],
    "solvers.md": [MINE],
}
"""Commands that make the logs that a page expects."""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with session(tmp_path_factory.mktemp("session")) as made:
        yield made


def not_run(words: list[str]) -> list[str]:
    """The entries that say why a command is not run."""
    return [like for like in NOT_RUN if fnmatch(" ".join(words), like)]


def steps(page: Path, folder: Path) -> list[tuple[Block, list[str]]]:
    """A page's commands, scripts and shown output in order, each once."""
    found: list[tuple[Block, list[str]]] = []
    shown = [block for name in LANGUAGES for block in blocks(page, name)]
    for block in sorted(shown, key=lambda block: block.line):
        typed = commands(block, folder) if block.language == "bash" else [[block.text]]
        found += [(block, words) for words in typed]
    before = [words for _, words in found]
    return [step for n, step in enumerate(found) if step[1] not in before[:n]]


class Reader:
    """Follows a page in a folder."""

    def __init__(self, shell: Session, folder: Path) -> None:
        self._shell = shell
        self._folder = folder
        self._logs: list[Path] = []
        self._printed = ""

    def does(self, words: list[str]) -> None:
        """Do a command or a script; a command that is not run is read at least.

        Raises:
            RuntimeError: If it fails.
        """
        program = words[2:] if words[:2] == ["uv", "run"] else []
        if not_run(words):
            if program:
                self._shell.do(self._folder, checked=program)
        elif program:
            command = placed(program, self._folder, self._logs)
            self._printed = self._shell.do(self._folder, run=command)
        else:
            (script,) = words
            self._shell.do(self._folder, python=script)
        self._look()

    def sees(self, shown: str) -> None:
        """Check that the last command printed what the page shows."""
        # A line of dots is in place of lines that the page leaves out.
        for part in shown.split("\n...\n"):
            assert part.strip("\n") in self._printed, self._printed

    def _look(self) -> None:
        """Find new logs; those of rehearsals do not count."""
        found = self._folder.glob("**/*.eval")
        new = {log for log in found if "rehearsals" not in log.parts} - {*self._logs}
        self._logs += sorted(log for log in new if "examples" not in log.parts)


# One test, as it is the start of the process that takes time.
def test_what_the_pages_show_runs(
    subtests: pytest.Subtests, shell: Session, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for page in PAGES:
        folder = tmp_path / page.stem
        folder.mkdir()
        furnish(folder)
        reader = Reader(shell, folder)
        for command in BEFORE.get(page.name, ()):
            reader.does(command.split())
        for block, words in steps(page, empty):
            with subtests.test(f"{page.name}:{block.line}", command=" ".join(words)):
                if block.language == "text":
                    reader.sees(block.text)
                else:
                    reader.does(words)


def test_what_is_not_run_is_on_a_page(tmp_path: Path) -> None:
    shown = [words for page in PAGES for _, words in steps(page, tmp_path)]
    matched = {like for words in shown for like in not_run(words)}
    assert NOT_RUN.keys() - matched == set()


def test_commands_before_are_for_a_page() -> None:
    assert BEFORE.keys() <= {page.name for page in PAGES}
