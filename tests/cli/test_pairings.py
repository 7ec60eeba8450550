"""`inspect-debate pairings`."""

from pathlib import Path

from click.testing import CliRunner, Result
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from inspect_debate.cli.main import main
from inspect_debate.datasets.motions import load_motions
from inspect_debate.datasets.pairings import read_pairings
from inspect_debate.datasets.schedules import Extent, Pairing, imbalance
from inspect_debate.evals.confidence import confidence
from tests.reports.made_logs import logged
from tests.support.bets import marked_model
from tests.support.models import scripted
from tests.support.runs import records, run

FOUR = ["openai/a", "openai/b", "qwen/c:free", "qwen/d"]
OWN = [motion.id for motion in load_motions()]


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(main, ["pairings", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result


def pool() -> list[Model]:
    return [marked_model(name=name) for name in ("ann", "ben", "cid")]


def first_wins() -> Model:
    verdict = "<winnerName>proposition</winnerName><confidence>70</confidence>"
    return scripted(lambda messages, description: verdict, name="juror")


def debated(schedule: Path, folder: Path) -> EvalLog:
    """A run of a schedule by a pool, in which the proposition always wins."""
    return run(
        confidence,
        folder,
        model="none/none",
        roles={"debater_a": pool(), "judge": first_wins()},
        task_args={"pairings": str(schedule), "jury_passes": 1, "rounds": 1},
    )


def test_a_schedule_goes_to_the_output_and_its_imbalance_apart() -> None:
    result = invoke("balanced", *FOUR)
    head, *debates = result.stdout.splitlines()
    assert head == "round,motion,proposition,opposition"
    assert len(debates) == 24
    rows = [line.split() for line in result.stderr.splitlines()]
    assert ["qwen/c:free", *"66", *"222222"] in rows
    for fact in (
        "debates                       24",
        "appearances of a model        12 to 12",
        "greatest difference of sides  0",
        "rematches                     18",
        "debates within a family       8",
        "debates per motion            4 to 4",
        "debates per motion and model  2 to 2",
        f"motion 1                      {sorted(OWN)[0]}",
    ):
        assert fact in result.stderr.splitlines()


def test_a_schedule_in_a_file_is_what_the_task_reads(tmp_path: Path) -> None:
    path = tmp_path / "pairings.csv"
    result = invoke("balanced", *FOUR, "--debates", 4, "--out", path)
    assert result.stderr == ""
    assert "debates                       4" in result.stdout.splitlines()
    schedule = read_pairings(str(path))
    assert len(schedule) == 4
    found = imbalance(schedule, FOUR)
    assert (found.same_family, found.rematches) == (0, 0)
    assert invoke("balanced", *FOUR, "--debates", 4).stdout == path.read_text()


def test_families_and_motions_are_chosen(tmp_path: Path) -> None:
    path, file = tmp_path / "pairings.csv", tmp_path / "motions.txt"
    file.write_text("Lamps should burn at night\nShips should wait for the tide\n")
    families = ("--family", "openai/b=x", "--family", "qwen/d=X")
    invoke(
        *("balanced", *FOUR, *families, "--motions", file),
        *("--debates", 5, "--seed", 1, "--out", path),
    )
    schedule = read_pairings(str(path))
    assert {"openai/b", "qwen/d"} not in [debate.pair for debate in schedule]
    assert {debate.motion for debate in schedule} == {
        motion.id for motion in load_motions(str(file))
    }
    first = invoke("balanced", *FOUR, "--motions", 2).stdout
    for motion in OWN[2:]:
        assert motion not in first
    for motion in OWN[:2]:
        assert motion in first


def test_a_tournament_goes_on_from_its_logs(tmp_path: Path) -> None:
    logs, schedule = tmp_path / "logs", tmp_path / "pairings.csv"
    names = "scripted/ann, scripted/ben,scripted/cid"
    result = invoke("swiss", "--models", names, "--out", schedule)
    (opening,) = read_pairings(str(schedule))
    assert opening.round == 1
    (resting,) = {"scripted/ann", "scripted/ben", "scripted/cid"} - opening.pair
    assert f"{resting} has a bye, which counts as nothing." in result.stdout

    debated(schedule, logs)
    result = invoke("swiss", logs, "--models", names, "--out", schedule)
    (second,) = read_pairings(str(schedule))
    assert second.round == 2
    assert second.pair == {resting, opening.proposition}
    # Who won was for the proposition, and now is for the opposition.
    assert second.opposition == opening.proposition
    assert f"{opening.opposition} has a bye" in result.stdout
    ranking = [line.split() for line in result.stdout.splitlines()[2:5]]
    assert ranking[0] == ["1", opening.proposition, "1", "70", "1"]
    assert ranking[2] == ["3", opening.opposition, "-1", "-70", "1"]

    debated(schedule, logs)
    (third,) = read_pairings_of(invoke("swiss", logs), tmp_path)
    assert third.round == 3
    assert third.pair == {resting, opening.opposition}


def read_pairings_of(result: Result, folder: Path) -> list[Pairing]:
    path = folder / "printed.csv"
    path.write_text(result.stdout)
    return read_pairings(str(path))


def test_what_was_held_is_evened_out(tmp_path: Path) -> None:
    first, more = tmp_path / "first.csv", tmp_path / "more.csv"
    first.write_text(
        "motion,proposition,opposition\n"
        "space,scripted/ann,scripted/ben\ntv-news,scripted/ann,scripted/ben\n"
    )
    result = invoke("rebalance", first, "--models", "scripted/cid", "--out", more)
    assert result.stdout.startswith("2 debates so far, 4 more.\n")
    everything = [*read_pairings(str(first)), *read_pairings(str(more))]
    found = imbalance(everything)
    assert found.appearances == Extent(4, 4)
    assert found.sides == 0
    # Nothing but what was debated so far.
    assert {debate.motion for debate in everything} == {"space", "tv-news"}
    assert invoke("rebalance", more, first).stdout.count("\n") == 1

    log = debated(first, tmp_path / "logs")
    assert len(records(log)) == 2
    of_logs = invoke("rebalance", logged(log), "--models", "scripted/cid")
    assert of_logs.stdout == more.read_text()
    both = invoke("rebalance", logged(log), first, more, "--debates", 3)
    assert "8 debates so far, 3 more." in both.stderr


def test_a_tournament_needs_a_jury(tmp_path: Path) -> None:
    run(
        confidence(jury_passes=0, rounds=1),
        tmp_path,
        model=marked_model(name="ann"),
        roles={"debater_b": marked_model(name="ben")},
        limit=1,
    )
    result = CliRunner().invoke(main, ["pairings", "swiss", str(tmp_path)])
    assert result.exit_code == 1
    assert "No debate in the logs was won" in result.output
