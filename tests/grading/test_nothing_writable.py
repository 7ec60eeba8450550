"""Whatever is asked for, nothing of the host can be written or covers the sandbox."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.grading.bubblewrap_command import (
    HOME,
    WORK,
    Channels,
    Limits,
    bubblewrap_command,
)
from inspect_debate.grading.view import Bind, Link, View
from tests.grading.command_lines import (
    SYSTEM,
    TOOLS,
    calls,
    command,
    inner,
)

names = st.text(st.characters(codec="ascii", exclude_characters="\0/"), min_size=1)
paths = st.lists(names.filter(lambda n: n.strip(".")), min_size=1, max_size=4).map(
    lambda parts: "/" + "/".join(parts)
)
views = st.builds(
    View,
    st.lists(st.builds(Bind, paths, paths), max_size=4).map(tuple),
    st.lists(st.builds(Link, paths, paths), max_size=2).map(tuple),
)


@pytest.mark.slow
@given(
    words=st.lists(st.text(), min_size=1, max_size=4),
    shown=views,
    environment=st.dictionaries(names, st.text(), max_size=3),
    limits=st.builds(
        Limits, *(st.integers(1, 10_000) for _ in ("memory", "processes", "file"))
    ),
    staged=st.booleans(),
)
def test_no_file_of_the_host_can_ever_be_written(
    words: list[str],
    shown: View,
    environment: dict[str, str],
    limits: Limits,
    staged: bool,
) -> None:
    built = bubblewrap_command(
        words,
        tools=TOOLS,
        system=SYSTEM,
        shown=shown,
        limits=limits,
        channels=Channels(7),
        environment=environment,
        staged_as=65534 if staged else None,
    )
    called = calls(built)
    assert called[-1].rest == words
    *outer, last = (call for call in called if call.program == TOOLS.bwrap)
    assert len(outer) == staged
    writable = [o for o in last.options if o[0] in ("--bind", "--dev-bind")]
    assert writable == []
    assert [o for call in outer for o in call.options if o[0] == "--bind"] == [
        ("--bind", "/proc", "/proc") for _ in outer
    ]
    assert {o[1] for o in last.options if o[0] == "--remount-ro"} == {
        *("/dev", "/", "/proc/1/task"),
    }
    assert ("--cap-drop", "ALL") in last.options


REFUSED = [
    ("/", "/mnt"),
    ("/usr", "/"),
    ("/usr", "/proc"),
    ("/usr", "/proc/self"),
    ("/usr", "/dev"),
    ("/usr", "/dev/shm/x"),
    ("/usr", "/tmp"),
    ("/usr", "/tmp/"),
    ("/usr", "/."),
    ("/usr", "//proc"),
    ("/usr", "/opt//x"),
    ("//", "/opt/x"),
    ("/usr", "/home"),
    ("/usr", HOME),
    ("/usr", "/opt/../proc"),
    ("/opt/../", "/opt/x"),
    ("usr", "/opt/x"),
    ("/usr", "opt/x"),
]


@pytest.mark.parametrize(("source", "destination"), REFUSED)
def test_nothing_covers_what_the_sandbox_is_made_of(
    source: str, destination: str
) -> None:
    with pytest.raises(ValueError, match=r"sandbox"):
        command(shown=View((Bind(source, destination),)))


@pytest.mark.parametrize("destination", ["/tmp/venv", f"{WORK}/a/b", "/tmpfile"])
def test_files_may_be_shown_within_writable_places(destination: str) -> None:
    options = inner(shown=View((Bind("/opt/x", destination),))).options
    assert ("--ro-bind", "/opt/x", destination) in options
