"""Paths in storage: what is read from there and written there is as on a disk."""

import json
import logging
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import fsspec
import pandas as pd
import pytest
import s3fs
from click.testing import CliRunner
from fsspec.implementations.memory import MemoryFileSystem
from inspect_ai import eval
from inspect_ai.log import EvalLog, read_eval_log
from moto.server import ThreadedMotoServer
from upath import UPath

from inspect_debate.cli.main import main
from inspect_debate.datasets.motions import load_motions
from inspect_debate.datasets.questions_sources import load
from inspect_debate.datasets.sources import shipped_bytes
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import any_path, local_path, read_user_yaml
from inspect_debate.debate.stored import each_sample
from tests.support.runs import QUIET, records

EXAMPLES = Path(__file__).parents[1] / "logs" / "examples"
QUESTIONS = shipped_bytes("questions_sample.jsonl")


def typed(*arguments: str) -> str:
    """What the command prints, if it succeeds."""
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1, (done.output, done.exception)
    return done.output


def files(folder: UPath | Path) -> dict[str, bytes]:
    """All files in a folder, by their paths in it."""
    every: list[Any] = list(folder.rglob("*"))
    return {
        str(file.relative_to(str(folder))): file.read_bytes()
        for file in every
        if file.is_file()
    }


@pytest.fixture
def memory() -> Iterator[str]:
    """A folder in fsspec's memory, with the example logs in `logs`."""
    storage = fsspec.filesystem("memory")
    for log in EXAMPLES.glob("*.eval"):
        storage.pipe(f"/place/logs/{log.name}", log.read_bytes())
    yield "memory://place"
    storage.rm("/place", recursive=True)


@pytest.mark.slow
def test_a_report_and_pages_from_storage_are_those_from_a_disk(
    memory: str, tmp_path: Path
) -> None:
    for logs, out in ((f"{EXAMPLES}", f"{tmp_path}"), (f"{memory}/logs", memory)):
        typed("report", "judge_check", logs, "--out", f"{out}/report", "--pages")
    written = files(UPath(memory) / "report")
    assert written == files(tmp_path / "report")
    assert {"report.html", "debates/judge_check.html", "tables/runs.csv"} < {*written}


def test_debates_are_exported_to_storage_and_imported_from_there(memory: str) -> None:
    log, out = f"{memory}/logs/debate.eval", f"{memory}/out"
    for format in ("csv", "jsonl", "parquet", "transcripts"):
        typed("export", log, "--out", out, "--format", format)
    reading = ("import", "transcripts", f"{out}/transcripts.jsonl")
    typed(*reading, "--out", f"{out}/logs")
    assert "is there already" in refused(*reading, "--out", f"{out}/logs")
    names = files(UPath(out))
    assert {"debates.csv", "turns.jsonl", "turns.parquet"} < names.keys()
    typed("export", f"{out}/logs", "--out", f"{memory}/back", "--format", "transcripts")
    back = files(UPath(memory) / "back")["transcripts.jsonl"]
    assert len(back.splitlines()) == len(names["transcripts.jsonl"].splitlines()) > 1


def test_sheets_are_written_to_storage_and_read_from_there(memory: str) -> None:
    typed("judge-sheet", "write", f"{memory}/logs/debate.eval", "--out", memory)
    sheet, filled = UPath(memory, "sheet.csv"), UPath(memory, "mary.csv")
    code = sheet.read_text(encoding="utf-8").splitlines()[1].partition(",")[0]
    filled.write_text(f"code,verdict,confidence\n{code},X,80\n", encoding="utf-8")
    back = ("--key", f"{memory}/key.json", "--out", f"{memory}/back", "--scored-logs")
    typed("judge-sheet", "read", str(filled), *back)
    written = files(UPath(memory) / "back")
    assert {"verdicts.csv", "debate.eval", "scores/debate/human_mary.json"} < {*written}
    (judged,) = json.loads(written["scores/debate/human_mary.json"])
    assert judged["metadata"]["confidence"] == 0.8


def test_each_sample_of_an_archive_in_storage_is_fetched_once(
    memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[tuple[int, int]] = []
    fetch = MemoryFileSystem.cat_ranges

    def counting(
        self: MemoryFileSystem, paths: Any, starts: Any, ends: Any, **options: Any
    ) -> Any:
        fetched.extend(zip(starts, ends, strict=True))
        return fetch(self, paths, starts, ends, **options)

    monkeypatch.setattr(MemoryFileSystem, "cat_ranges", counting)
    for log in EXAMPLES.glob("*.eval"):
        fetched.clear()
        found = list(each_sample(UPath(memory) / "logs" / log.name))
        assert found == list(each_sample(log))
        assert len(fetched) == len(found)
        in_order = sorted(fetched)
        assert all(end <= start for (_, end), (start, _) in pairwise(in_order))
        assert in_order[-1][1] <= log.stat().st_size


@pytest.mark.parametrize("name", ["q.jsonl", "q.csv", "q.parquet"])
def test_data_sets_in_storage_are_those_on_a_disk(
    memory: str, tmp_path: Path, name: str
) -> None:
    frame = pd.DataFrame({"question": ["1?", "2?"], "answer": ["a", "b"]})
    if name == "q.jsonl":
        frame.to_json(tmp_path / name, orient="records", lines=True)
    elif name == "q.csv":
        frame.to_csv(tmp_path / name, index=False)
    else:
        frame.to_parquet(tmp_path / name)
    UPath(memory, name).write_bytes((tmp_path / name).read_bytes())
    assert load(f"{memory}/{name}") == load(str(tmp_path / name))
    if name == "q.parquet":
        from_hub = load(f"huggingface:{memory}/{name}:train")
        assert from_hub == load(f"huggingface:{tmp_path / name}:train")


def test_files_that_parameters_name_are_read_from_storage(memory: str) -> None:
    place = UPath(memory)
    (place / "m.yaml").write_text("- text: Cats are better than dogs.\n")
    assert load_motions(f"{memory}/m.yaml")[0].text == "Cats are better than dogs."
    assert read_user_yaml("prompts", f"{memory}/m.yaml")
    with pytest.raises(
        InputError, match=r"prompts=memory://place/no\.yaml: cannot .*file"
    ):
        read_user_yaml("prompts", f"{memory}/no.yaml")
    with pytest.raises(
        InputError, match="there is no file or folder memory://place/no"
    ):
        load_motions(f"{memory}/no.yaml")


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    assert any_path(f"file://{tmp_path}") == tmp_path
    with pytest.raises(InputError, match=r"^nowhere://x cannot be reached: .*nowhere"):
        any_path("nowhere://x")
    with pytest.raises(InputError, match="memory://b is not on this machine"):
        local_path("memory://b")


# The same on S3, with moto's server.


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket on a server of this machine."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("bucket")
    yield "s3://bucket"
    server.stop()
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.mark.slow
def test_a_study_on_s3_from_its_data_to_its_report(s3: str) -> None:
    UPath(s3, "data", "q.jsonl").write_bytes(QUESTIONS)

    def run(**arguments: Any) -> EvalLog:
        (log,) = eval(
            "inspect_debate/debate",
            task_args={"dataset": f"{s3}/data/q.jsonl", **arguments},
            model="simulated/balanced",
            limit=4,
            log_dir=f"{s3}/logs",
            **QUIET,
        )
        assert log.status == "success", log.error
        return log

    first = run()
    again = run(reuse=first.location)
    for before, after in zip(records(first), records(again), strict=True):
        assert after.reused_from == first.eval.eval_id
        assert after.spoken()
        assert [t.public for t in after.spoken()] == [t.public for t in before.spoken()]

    shards = [run(shard=shard).location for shard in ("1/2", "2/2")]
    donors = {
        r.donor.sample
        for r in records(run(protocol="placebo", reuse=shards))
        if r.donor
    }
    assert donors <= {
        str(s.id) for log in map(read_eval_log, shards) for s in log.samples or []
    }
    assert len(donors) > 1

    out = typed("report", "debate", f"{s3}/logs", "--out", f"{s3}/report", "--pages")
    assert f"open {s3}/report/report.html" in out
    typed("compare", f"{s3}/logs", "--metric", "accuracy", "--out", f"{s3}/c")
    typed("page", first.location, "--out", f"{s3}/page")
    found = files(UPath(s3))
    assert found["report/tables/runs.csv"].count(b".eval,2,") == 1
    names = found.keys()
    page = f"{UPath(first.location).stem}.html"
    assert {f"report/debates/{page}", f"page/{page}", "c/report.html"} < names
    missing = refused("report", "debate", f"{s3}/none", "--out", f"{s3}/r")
    assert missing == f"Error: {s3}/none: there is no log or folder at {s3}/none.\n"
