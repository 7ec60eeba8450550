"""What processes use together, from a /proc that is written by hand."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspect_debate.grading.watch import Usage, Watch, measure, open_proc

MB = 1024


def status(anonymous: int, shared: int, swapped: int = 0, threads: int = 1) -> str:
    """As the kernel writes it, with fields that must not count."""
    return (
        f"Name:\tx\nVmPeak:\t999999 kB\nVmRSS:\t{anonymous + shared + 7} kB\n"
        f"RssAnon:\t{anonymous} kB\nRssFile:\t7000000 kB\nRssShmem:\t{shared} kB\n"
        f"VmSwap:\t{swapped} kB\nThreads:\t{threads}\nSigQ:\t0/96365\n"
    )


def rollup(anonymous: int, shared: int, swapped: int = 0) -> str:
    return (
        "00400000-7ffe0000 ---p 00000000 00:00 0 [rollup]\nRss: 999999 kB\n"
        f"Pss: 888888 kB\nPss_Anon: {anonymous} kB\nPss_File: 777777 kB\n"
        f"Pss_Shmem: {shared} kB\nSwapPss: {swapped} kB\n"
    )


class Proc:
    """A folder as /proc is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "self").mkdir()
        (folder / "meminfo").write_text("MemTotal: 5 kB\n")
        self.file = os.open(folder, os.O_RDONLY)

    def add(self, number: int, status: str, rollup: str | None = None) -> None:
        place = self.folder / str(number)
        place.mkdir()
        (place / "status").write_text(status, errors="surrogateescape")
        if rollup is not None:
            (place / "smaps_rollup").write_text(rollup)


@pytest.fixture
def proc(tmp_path: Path) -> Iterator[Proc]:
    made = Proc(tmp_path)
    yield made
    os.close(made.file)


def test_no_process_uses_nothing(proc: Proc) -> None:
    assert measure(proc.file) == Usage(0, 0)


def test_all_memory_of_their_own_counts(proc: Proc) -> None:
    proc.add(1, status(10 * MB, 20 * MB, 30 * MB, threads=2))
    proc.add(2, status(1 * MB, 0, threads=5))
    assert measure(proc.file, enough_mb=100) == Usage(61, 7)


def test_beyond_the_rough_figure_what_is_shared_counts_once(proc: Proc) -> None:
    for number in range(1, 5):
        proc.add(number, status(100 * MB, 0), rollup(25 * MB, 1 * MB, 2 * MB))
    assert measure(proc.file, enough_mb=400).memory_mb == 400
    assert measure(proc.file, enough_mb=399).memory_mb == 4 * 28


def test_who_does_not_tell_what_is_shared_has_all_counted(proc: Proc) -> None:
    proc.add(1, status(100 * MB, 0), rollup(50 * MB, 0))
    proc.add(2, status(100 * MB, 0))
    assert measure(proc.file).memory_mb == 150


def test_a_process_that_ended_meanwhile_uses_nothing(proc: Proc) -> None:
    (proc.folder / "7").mkdir()
    proc.add(8, status(MB, 0), rollup(MB, 0))
    assert measure(proc.file) == Usage(1, 2)


def test_without_time_the_others_are_taken_to_be_alike(proc: Proc) -> None:
    for number in range(1, 11):
        proc.add(number, status(MB, 0, threads=3), rollup(MB, 0))
    assert measure(proc.file, enough_mb=100, seconds=-1) == Usage(10, 10)


def test_the_proc_of_the_host_is_not_a_sandboxs() -> None:
    assert open_proc(f"/proc/{os.getpid()}") is None


def test_nobody_has_no_proc() -> None:
    assert open_proc(f"/proc/{2**22 + 1}") is None


@pytest.mark.parametrize("name", ["²", "٣", "\udcff", "VmSwap:\\n9"])
def test_a_process_may_call_itself_anything(proc: Proc, name: str) -> None:
    proc.add(1, f"Name:\t{name}\n{status(MB, 0)}", rollup(MB, 0))
    assert measure(proc.file) == Usage(1, 1)


def test_tables_of_pages_count(proc: Proc) -> None:
    proc.add(1, f"VmPTE:\t{3 * MB} kB\n{status(9 * MB, 0)}", rollup(MB, 0))
    assert measure(proc.file, enough_mb=12).memory_mb == 12
    assert measure(proc.file, enough_mb=11).memory_mb == 4


@pytest.mark.parametrize(("sockets", "memory_mb"), [(64, 1), (65, 3), (164, 201)])
def test_sockets_beyond_the_usual_count(
    proc: Proc, sockets: int, memory_mb: float
) -> None:
    proc.add(1, status(MB, 0), rollup(MB, 0))
    (proc.folder / "1" / "net").mkdir()
    told = f"sockets: used {sockets}\nTCP: inuse 7 orphan 0 tw 0 alloc 9 mem 0\n"
    (proc.folder / "1" / "net" / "sockstat").write_text(told)
    assert measure(proc.file).memory_mb == memory_mb


WATCHED = [
    (Usage(99.9, 5), None),
    (Usage(100.1, 5), "memory"),
    (Usage(99.9, 6), "processes"),
    (Usage(100.1, 6), "memory"),
]


@pytest.mark.parametrize(("used", "excess"), WATCHED)
def test_the_watch_says_what_is_too_much(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, used: Usage, excess: str | None
) -> None:
    module = "inspect_debate.grading.watch"
    opened = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.setattr(f"{module}.open_proc", lambda first: opened)
    monkeypatch.setattr(f"{module}.measure", lambda proc, enough_mb: used)
    with Watch(memory_mb=100, processes=5) as watch:
        assert watch.excess("/proc/1") == excess
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(opened)


def test_a_run_that_cannot_be_watched_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with Watch(memory_mb=100, processes=5) as watch:
        assert watch.excess(None) is None
        monkeypatch.setattr("inspect_debate.grading.watch._BLIND", -1)
        assert watch.excess(None) == "blind"
