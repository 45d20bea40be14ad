"""`fairplay tournament`: run, stop, resume, show, move; the same table whatever the machine does."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from click.testing import Result
from msgspec.structs import replace

from fairplay.contest import rating
from fairplay.contest.planning import PAIRED_RISK, SEED_MARK, SEED_RISK
from fairplay.contest.statistics import fit_strengths
from fairplay.match.record import Header, read_record
from fairplay.store import open_store
from kit import spy, without_signature

Fairplay = Callable[..., Result]

PLAYERS = ("random", "greedy", "minimax:depth=0")
SMALL = ("--setup", '{"rows": 4, "columns": 4}')
RUN = ("tournament", "run", "fish", *PLAYERS, *SMALL, "--games", "3", "--seed", "3")


def tables(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["tables"]


def test_a_tournament_for_people(fairplay: Fairplay) -> None:
    text = fairplay(*RUN, "--jobs", "1").output
    assert "fish: standings, with 95 % intervals" in text
    assert "points won against each other, in per cent" in text
    assert "Tournament 1 in fairplay.db: 18 matches, seed 3." in text
    assert "replay 1/17" in text


def test_a_tournament_for_programs_and_spreadsheets(fairplay: Fairplay, tmp_path: Path) -> None:
    found = tables(fairplay(*RUN, "--jobs", "1", "--json", "--csv", "table.csv"))
    assert found["matches"] == 18
    ratings = [line["rating"]["value"] for line in found["standings"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(line["wins"] + line["ties"] / 2 for line in found["standings"]) == 18
    assert len(found["meetings"]) == 6
    assert found["meetings"][0]["matches"] == 6
    head, *lines = (tmp_path / "table.csv").read_text().splitlines()
    assert head.startswith("player,matches,wins,ties,losses,faults,rating,rating low,rating high")
    assert len(lines) == 3
    assert all(line.count(",") == head.count(",") for line in lines)


BOT = "from fairplay.games.fish.rules import legal_actions\n\ndef choose(view):\n    return legal_actions(view)[0]\n"
WITH_BOT = ("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "2", "--jobs", "1", "--out", "records")


def headers(folder: Path) -> list[Header]:
    return [read_record(path.read_bytes().splitlines(keepends=True)).header for path in sorted(folder.glob("*.jsonl"))]


def test_a_bot_sees_no_deal_twice_unless_it_is_asked_for_by_name(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    text = fairplay(*WITH_BOT).output
    assert "Paired deals" not in text and "Seed chosen" not in text
    assert len({header.seed for header in headers(tmp_path / "records")}) == 4
    paired = fairplay(*WITH_BOT[:-1], "again", "--paired-deals").output
    assert f"\n{PAIRED_RISK}\n" in paired
    assert len({header.seed for header in headers(tmp_path / "again")}) == 2
    assert {header.seed_chosen for folder in ("records", "again") for header in headers(tmp_path / folder)} == {False}
    report = json.loads(fairplay("tournament", "show", "2", "--json", "--report", "page.html").stdout)
    assert (report["deals"], report["seed_chosen"]) == ("paired", False)
    assert PAIRED_RISK in (tmp_path / "page.html").read_text()
    fairplay("tournament", "export", "2", "file.gz")
    assert '"deals":"paired"' in gzip.decompress((tmp_path / "file.gz").read_bytes()).decode()


def test_house_players_play_each_deal_in_all_rotations(fairplay: Fairplay, tmp_path: Path) -> None:
    text = fairplay(*RUN, "--jobs", "1", "--out", "records").output
    assert "Paired deals" not in text and "Seed chosen" not in text
    assert len({header.seed for header in headers(tmp_path / "records")}) == 9


def test_a_chosen_seed_is_said_and_marked_where_a_bot_plays(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    result = fairplay(*WITH_BOT, "--seed", "3")
    assert result.stderr.startswith(SEED_RISK + "\nNote: fairplay.db and fairplay.db.key lie in the folder of bot.py, ")
    assert f"\n{SEED_MARK}\n" in result.stdout
    assert {header.seed_chosen for header in headers(tmp_path / "records")} == {True}
    assert json.loads(fairplay("tournament", "show", "1", "--json").stdout)["seed_chosen"] is True
    assert fairplay("replay", "1/0", "--verify").exit_code == 0
    (tmp_path / "plan.toml").write_text(
        'game = "fish"\nplayers = ["bot.py", "greedy"]\nseed = 3\npaired_deals = true\n'
    )
    assert fairplay("tournament", "run", "plan.toml", "--matches", "2").stderr.startswith(SEED_RISK)


def test_bots_play_the_same_matches_again_with_the_same_seed_and_secret(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT.replace("(view):", "(view, rng):").replace("[0]", "[rng.getrandbits(1) % 2]"))
    played = []
    for number, options in enumerate(([], ["--secret", "0a" * 16], ["--secret", "0a" * 16], ["--secret", "0b" * 16])):
        fairplay(*WITH_BOT[:-1], str(number), "--seed", "3", *options)
        played.append([without_signature(path) for path in sorted((tmp_path / str(number)).glob("*.jsonl"))])
    assert played[0] != played[1] == played[2] != played[3]
    secret = json.loads(fairplay("tournament", "show", "1", "--json").stdout)["secret"]
    fairplay(*WITH_BOT[:-1], "last", "--seed", "3", "--secret", secret)
    assert played[0] == [without_signature(path) for path in sorted((tmp_path / "last").glob("*.jsonl"))]


def test_the_seed_is_not_shown_before_the_end(fairplay: Fairplay) -> None:
    fairplay(*RUN, "--jobs", "1")
    with open_store("fairplay.db") as store:
        id = store.create(replace(store.contest(1), seed=98_765_432_101))
        store.add(id, list(store.results(1))[:2])
    shown = fairplay("tournament", "show", str(id), "--report", "page.html").output
    report = fairplay("tournament", "show", str(id), "--json").output
    assert "the seed is shown when it is over" in shown
    assert json.loads(report)["seed"] is None
    assert not any("98765432101" in text for text in (shown, report, Path("page.html").read_text()))
    fairplay("tournament", "resume", str(id))
    assert "seed 98765432101." in fairplay("tournament", "show", str(id)).output


def test_one_job_two_jobs_and_a_cluster_print_the_same_bytes(fairplay: Fairplay) -> None:
    shown = []
    for number, engine in enumerate((["--jobs", "1"], ["--jobs", "2"], ["--on", "dask", "--jobs", "2"]), 1):
        assert fairplay(*RUN, *engine, "--json").exit_code == 0
        shown.append(fairplay("tournament", "show", str(number)).output.replace(f"Tournament {number}", "Tournament"))
        shown[-1] = shown[-1].replace(f"replay {number}/", "replay /")
    assert shown[0] == shown[1] == shown[2]


def test_any_match_can_be_replayed_out_of_the_store(fairplay: Fairplay, tmp_path: Path) -> None:
    fairplay(*RUN, "--jobs", "1")
    assert "consistent" in fairplay("replay", "fairplay.db#1/4", "--verify").output
    assert fairplay("replay", "fairplay.db#1/4", "--svg", "last.svg").exit_code == 0
    for wrong, code, sentence in [
        ("fairplay.db#1/99", 1, "tournament 1 has no match 99"),
        ("fairplay.db#9/0", 1, "there is no tournament 9"),
        ("nowhere.db#1/0", 2, "there is no file nowhere.db"),
    ]:
        result = fairplay("replay", wrong)
        assert result.exit_code == code
        assert sentence in result.output


def test_listing_showing_and_resuming(fairplay: Fairplay) -> None:
    first = tables(fairplay(*RUN, "--jobs", "1", "--json"))
    listed = fairplay("tournament", "list").output
    assert "fish" in listed
    assert "finished" in listed
    assert json.loads(fairplay("tournament", "list", "--json").output)["tournaments"][0]["matches"] == 18
    assert tables(fairplay("tournament", "show", "1", "--json")) == first
    assert tables(fairplay("tournament", "resume", "1", "--json")) == first


def test_the_tables_of_a_tournament_are_computed_once(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[int] = []
    fit = fit_strengths
    monkeypatch.setattr(rating, "fit_strengths", spy(fit, lambda *_, **__: fits.append(1)))
    first = json.loads(fairplay(*RUN, "--stop-when", "greedy > random", "--jobs", "1", "--json").stdout)
    assert len(fits) == 1 + rating.repetition_count(len(PLAYERS))
    shown = json.loads(fairplay("tournament", "show", "1", "--json").stdout)
    assert len(fits) == 1 + rating.repetition_count(len(PLAYERS))
    assert first.pop("efforts"), "nobody keeps how long answers took"
    assert shown == first
    assert first["verdict"]["claim"] == "greedy > random"


def test_moving_a_tournament_to_another_store(fairplay: Fairplay, tmp_path: Path) -> None:
    first = tables(fairplay(*RUN, "--jobs", "1", "--json"))
    assert "18 matches" in fairplay("tournament", "export", "1", "one.fairplay").output
    taken = fairplay("tournament", "import", "one.fairplay", "--db", "other.db").output
    assert taken.startswith("tournament 1: 18 matches consistent; 18 of 18 new here\n  18 signed by ")
    assert "0 of 18 new here" in fairplay("tournament", "import", "one.fairplay", "--db", "other.db").output
    assert tables(fairplay("tournament", "show", "1", "--db", "other.db", "--json")) == first
    spoiled = bytearray((tmp_path / "one.fairplay").read_bytes())
    spoiled[len(spoiled) // 2] ^= 1
    (tmp_path / "spoiled.fairplay").write_bytes(spoiled)
    result = fairplay("tournament", "import", "spoiled.fairplay", "--db", "third.db")
    assert result.exit_code == 1
    assert "spoiled.fairplay" in result.output


def test_a_tournament_exported_by_an_earlier_version_is_taken_and_shown(fairplay: Fairplay) -> None:
    """Its table has intervals without ends: one player has not played, the others played a single deal."""
    taken = fairplay("tournament", "import", str(Path(__file__).with_name("unbounded.fairplay"))).output
    assert taken.startswith("tournament 1: 2 matches consistent; 2 of 2 new here\n  2 not signed: ")
    found = tables(fairplay("tournament", "show", "1", "--json"))
    unbounded = {"value": 1500.0, "low": None, "high": None}
    assert [line["rating"] for line in found["standings"] if not line["matches"]] == [unbounded]
    assert [line["average"] and line["average"]["low"] for line in found["standings"]] == [None, None, None]
    text = fairplay("tournament", "show", "1", "--csv", "table.csv", "--report", "page.html").output
    assert re.search(r"^minimax +- +0 +- +-$", text, re.MULTILINE)
    assert re.search(r" 9\.5$", text, re.MULTILINE)
    assert "Some figures have no interval: there were too few matches." in text
    for written in (text, Path("table.csv").read_text(), Path("page.html").read_text()):
        assert "inf]" not in written and "inf," not in written and "[None" not in written


def test_the_report_is_one_page_without_other_hosts(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def choose(view): return '<script>alert(1)</script>'\n")
    arguments = ["fish", "random", "greedy", "<b>=bad.py", *SMALL, "--games", "2", "--jobs", "1"]
    assert fairplay("tournament", "run", *arguments, "--report", "deep/page.html").exit_code == 0
    page = (tmp_path / "deep" / "page.html").read_text()
    assert page.count("<details>") == 3
    assert "malformed" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


# -- formats and stopping ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "matches"),
    [
        (["--format", "knock-out"], 1),
        (["--format", "gauntlet", "--games", "2"], 8),
        (["--format", "swiss", "--option", "rounds=2", "--games", "1"], None),
        (["--format", "ladder", "--matches", "7"], 7),
        (["--format", "round-robin", "--seats", "3", "--games", "2"], 6),
        (["--games", "5", "--matches", "11"], 11),
    ],
)
def test_every_format(fairplay: Fairplay, arguments: list[str], matches: int | None) -> None:
    result = fairplay("tournament", "run", "fish", *PLAYERS, *SMALL, "--seed", "3", "--jobs", "1", "--json", *arguments)
    assert matches is None or tables(result)["matches"] == matches
    assert tables(fairplay("tournament", "resume", "1", "--jobs", "1", "--json")) == tables(result)


@pytest.mark.parametrize("engine", [["--jobs", "1"], ["--jobs", "2"]])
def test_a_test_stops_early_and_the_table_ends_where_it_was_decided(fairplay: Fairplay, engine: list[str]) -> None:
    arguments = ["fish", "a=greedy", "b=random", "--games", "500", "--seed", "3", "--stop-when", "a > b by 0.1"]
    found = json.loads(fairplay("tournament", "run", *arguments, *engine, "--json").stdout)
    assert found["verdict"]["verdict"] == "better"
    assert found["verdict"]["claim"] == "a > b by 0.1"
    assert found["tables"]["matches"] == 24
    text = fairplay("tournament", "show", "1").output
    assert "a > b by 0.1: better after" in text
    assert "error rates 0.05 and 0.05" in text


def test_a_tournament_out_of_a_file(fairplay: Fairplay, tmp_path: Path) -> None:
    folder = tmp_path / "contests"
    folder.mkdir()
    (folder / "my_bot.py").write_text(
        "from fairplay.games.fish.rules import legal_actions\ndef choose(view): return legal_actions(view)[0]\n"
    )
    (folder / "contest.toml").write_text(
        'game = "fish"\nplayers = ["greedy", {player = "my_bot.py", name = "mine"}]\nseed = 4\n'
        "options = {games = 2}\nsetup = {rows = 4, columns = 4}\n[stop]\nmatches = 3\n"
    )
    found = tables(fairplay("tournament", "run", "contests/contest.toml", "--jobs", "1", "--json"))
    assert found["matches"] == 3
    assert {line["player"] for line in found["standings"]} == {"greedy", "mine"}


# -- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fish", "random"], "a match needs at least 2 players, not 1"),
        (["fish"], "a match needs at least 2 players, not 0"),
        (["fish", "random", "random"], "two players are called 'random'"),
        (["fish", "random", "greedy", "--seats", "3"], "2 players can play in matches of 2 to 2 seats, not 3"),
        (["fish", "random", "greedy", "--setup", '{"rows": 1, "columns": 7}'], "7 tiles are too few"),
        (["fish", "random", "nobody"], "fish has no strategy 'nobody'"),
        (["chess", "random", "greedy"], "there is no game 'chess'"),
        (["fish", "random", "greedy", "--format", "league"], "there is no format 'league'"),
        (["fish", "random", "greedy", "--option", "rounds=3"], "the format round-robin has no option 'rounds'"),
        (["fish", "random", "greedy", "--option", "games"], "--option games: expected NAME=VALUE"),
        (["fish", "random", "greedy", "--games", "0"], "games must be at least 1"),
        (["fish", "random", "greedy", "--format", "swiss", "--option", "rounds=x"], "must be a whole number, not 'x'"),
        (["fish", "random", "greedy", "--stop-when", "better"], "expected 'A > B'"),
        (["fish", "random", "greedy", "--stop-when", "random > nobody"], "there is no player 'nobody'"),
        (["fish", "random", "greedy", "--stop-when", "random > greedy by 1.2.3"], "'1.2.3' is not a number"),
        (["fish", "random", "greedy", "--stop-when", "random > greedy", "--alpha", "2"], "alpha and beta must lie"),
        (
            ["fish", "random", "greedy", "--format", "swiss", "--stop-when", "random > all"],
            "formats round-robin and gauntlet",
        ),
        (["fish", "random", "greedy", "--on", "nowhere"], "no Dask scheduler answers at nowhere"),
        (["typo.toml"], "typo.toml: Object contains unknown field playerz"),
        (["torn.toml"], "torn.toml: not TOML"),
        (["typo.toml", "random"], "a TOML file names its players itself"),
    ],
)
def test_a_mistake_gets_one_clear_sentence_and_leaves_nothing(
    fairplay: Fairplay, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "typo.toml").write_text('game = "fish"\nplayers = []\nplayerz = 1\n')
    (tmp_path / "torn.toml").write_text("game = ")
    result = fairplay("tournament", "run", *arguments)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output
    if "nowhere" not in sentence:
        assert not (tmp_path / "fairplay.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["show", "9"], 1, "there is no tournament 9"),
        (["matches", "9"], 1, "there is no tournament 9"),
        (["matches", "1", "--player", "x"], 2, "--player: 'x' is not in tournament 1, but random, greedy, "),
        (["faults", "9"], 1, "there is no tournament 9"),
        (["delete", "9", "--yes"], 1, "there is no tournament 9"),
        (["delete", "1"], 2, "nobody is there to be asked; to delete it, add --yes"),
        (["list", "--db", "sqlite:///nowhere.db"], 2, "there is no file nowhere.db"),
        (["resume", "9"], 1, "there is no tournament 9"),
        (["show", "1", "--db", "nowhere.db"], 2, "there is no file nowhere.db"),
        (["list", "--db", "text.db"], 1, "text.db"),
        (["export", "9", "x"], 1, "there is no tournament 9"),
        (["import", "nowhere"], 1, "nowhere"),
        (["export", "1", "no/such/folder"], 1, "no/such/folder cannot be written"),
    ],
)
def test_what_is_not_there_is_named(
    fairplay: Fairplay, tmp_path: Path, arguments: list[str], code: int, sentence: str
) -> None:
    fairplay(*RUN[:-4], "--games", "1", "--jobs", "1")
    (tmp_path / "text.db").write_text("not a database, though it is long enough to be looked at" * 10)
    result = fairplay("tournament", *arguments)
    assert result.exit_code == code
    assert sentence in result.output
    assert not (tmp_path / "nowhere.db").exists()
    assert "Tournament 1 " in fairplay("tournament", "show", "1").output


# -- being stopped -----------------------------------------------------------------------------

LONG = ("tournament", "run", "fish", "random", "greedy", "minimax:depth=1", "--games", "12", "--seed", "3", "--json")


CHILDREN: list[subprocess.Popen[str]] = []


@pytest.fixture(autouse=True)
def no_child_is_left_behind() -> Iterator[None]:
    yield
    while CHILDREN:
        child = CHILDREN.pop()
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("fairplay")
    child = subprocess.Popen(
        [program, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests run in the background ignore it
    )
    CHILDREN.append(child)
    return child


def matches_kept(fairplay: Fairplay, folder: Path) -> int:
    """How many matches of the first tournament are in the store by now."""
    if not [*folder.glob("fairplay.db-server-*")]:
        return 0
    found = json.loads(fairplay("tournament", "list", "--json").output)["tournaments"]
    return found[0]["matches"] if found else 0


def until_running(fairplay: Fairplay, folder: Path) -> None:
    """Wait until some matches have been kept."""
    deadline = monotonic() + 60
    while not matches_kept(fairplay, folder):
        assert monotonic() < deadline, "no match was kept"
        sleep(0.1)


def resumed(folder: Path, *more: str) -> Any:
    """The tables once the tournament has come to its end."""
    again = ("tournament", "resume", "1", "--json") if (folder / "fairplay.db").exists() else LONG
    out, error = started(folder, *again, *more).communicate(timeout=300)
    if "no tournament 1" in error or "fairplay.db is empty" in error:  # killed before it was created
        out, error = started(folder, *LONG, *more).communicate(timeout=300)
    assert out, error
    return json.loads(out)["tables"]


@pytest.mark.parametrize("seed", range(int(os.environ.get("FAIRPLAY_KILLS", "4"))))
def test_killed_at_any_moment_and_resumed_it_ends_with_the_same_tables(
    fairplay: Fairplay, tmp_path: Path, seed: int
) -> None:
    expected = tables(fairplay(*LONG, "--jobs", "1", "--db", "undisturbed.db"))
    child = started(tmp_path, *LONG, "--jobs", "2")
    try:
        child.communicate(timeout=random.Random(seed).uniform(0.2, 1.2))
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
    assert resumed(tmp_path, "--jobs", "2") == expected


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_tournament_that_is_stopped_keeps_what_was_finished_and_says_how_to_resume(
    fairplay: Fairplay, tmp_path: Path, how: signal.Signals
) -> None:
    arguments = ("tournament", "run", "fish", "random", "greedy", "--format", "ladder", "--seed", "3", "--jobs", "2")
    child = started(tmp_path, *arguments)
    until_running(fairplay, tmp_path)
    child.send_signal(how)
    _, error = child.communicate(timeout=300)
    assert child.returncode == 128 + how
    assert "What was finished is kept" in error
    assert "tournament resume 1" in error
    assert json.loads(fairplay("tournament", "list", "--json").output)["tournaments"][0]["matches"] > 0


def test_a_player_that_kills_our_processes_is_named_and_the_rest_can_be_resumed(
    fairplay: Fairplay, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text("import os\ndef choose(view): os._exit(3)\n")
    result = fairplay(
        "tournament", "run", "fish", "bot.py", "random", "greedy", "--games", "1", "--jobs", "2", "--trust"
    )
    assert result.exit_code == 1
    assert "To resume: " in result.output and "tournament resume 1 --trust" in result.output
    assert "bot.py" in result.output.splitlines()[-1] and "one of its players does that" in result.output


def test_a_second_process_is_refused(fairplay: Fairplay, tmp_path: Path) -> None:
    arguments = ("tournament", "run", "fish", "random", "greedy", "--format", "ladder", "--seed", "3", "--jobs", "1")
    started(tmp_path, *arguments)
    until_running(fairplay, tmp_path)
    result = fairplay("tournament", "resume", "1")
    assert result.exit_code == 1
    assert "tournament 1" in result.output


def test_programs_and_isolated_files_play_tournaments(fairplay: Fairplay, tmp_path: Path) -> None:
    """The same strategy in this process, isolated, and as a program: the same scores for the same deals."""
    (tmp_path / "bot.py").write_text(
        "from fairplay.games.fish.rules import legal_actions\ndef choose(view): return legal_actions(view)[0]\n"
    )
    arguments = ["tournament", "run", "fish", *SMALL, "--games", "1", "--seed", "3", "--json"]
    here = tables(fairplay(*arguments, "greedy", "mine=bot.py", "--trust", "--jobs", "1"))
    apart = tables(fairplay(*arguments, "greedy", "mine=bot.py", "--jobs", "2"))
    assert [line.pop("levels") for line in here["standings"]] == [["house"], ["trusted"]]
    assert {line.pop("levels")[0] for line in apart["standings"]} < {"house", "sandboxed", "process"}
    assert here == apart
    program = f"cmd:{sys.executable} {Path(__file__).parents[3] / 'examples' / 'native_bot.py'}"
    found = tables(fairplay(*arguments, "greedy", f"native={program}", "--jobs", "1"))
    assert {line["player"]: line["faults"] for line in found["standings"]} == {"greedy": 0, "native": 0}
