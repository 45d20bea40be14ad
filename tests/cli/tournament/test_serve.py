"""`fairplay tournament serve`: remote players beside local ones, in any format; stopped and resumed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
import pytest
from click.testing import Result

from cli.processes import FAIRPLAY, PIPES, ended, joining
from fairplay.catalog import GAMES
from fairplay.contest.planning import SEED_MARK, SEED_RISK
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4}')
SEEDED = (*SMALL, "--seed", "3", "--allow-chosen-seed")
PROGRAM = f"program=cmd:{sys.executable} {Path(__file__).parents[3] / 'examples' / 'native_bot.py'}"
BOT = "from fairplay.games.fish.rules import legal_actions\ndef choose(view): return legal_actions(view)[0]\n"

SLOW_BOT = """
import time
from pathlib import Path
from fairplay.games.fish.rules import legal_actions

def choose(view):
    if not view.state.placing:
        Path("reached").touch()
        while not Path("go").exists():
            time.sleep(0.01)
    return legal_actions(view)[-1]
"""
"""Waits in mid-match until it is told to go on; always answers the same."""

CHILDREN: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def _no_child_is_left_behind() -> Iterator[None]:
    yield
    while CHILDREN:
        child = CHILDREN.pop()
        child.kill()
        child.communicate()


def serve(folder: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
    """A server, and where it listens."""
    process = subprocess.Popen([*FAIRPLAY, "tournament", *arguments], cwd=folder, **PIPES)
    CHILDREN.append(process)
    assert process.stderr is not None
    said = process.stderr.readline().decode()
    found = re.fullmatch(r"listening on (\S+) port (\d+)\n", said)
    assert found is not None, said + process.stderr.read().decode()
    return process, f"{found[1]}:{found[2]}"


def join(folder: Path, where: str, name: str, player: str, *options: str) -> subprocess.Popen[bytes]:
    process = joining(folder, "fish", where, "--name", name, "--player", player, *options)
    CHILDREN.append(process)
    return process


def wait_for(path: Path) -> None:
    deadline = monotonic() + 60
    while not path.exists():
        assert monotonic() < deadline
        sleep(0.01)


def standings(out: str) -> dict[str, Any]:
    return {line["player"]: line for line in json.loads(out)["tables"]["standings"]}


NATIVE = ("--protocol", "native")


@pytest.mark.parametrize(
    ("pairing", "matches"),
    [
        (["--format", "swiss", "--option", "rounds=2", "--games", "1"], None),
        (["--format", "round-robin", "--games", "1"], 20),
        (["--format", "knock-out"], None),
        (["--format", "ladder", "--matches", "6"], 6),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)
def test_remote_players_meet_local_ones_in_every_format(
    fairplay: Fairplay, tmp_path: Path, pairing: list[str], matches: int | None
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    local = ["greedy", "file=bot.py", PROGRAM]
    server, where = serve(
        tmp_path, "serve", "fish", *local, "--port", "0", "--most", "2", "--least", "2", *pairing, *SMALL, "--json"
    )
    players = [join(tmp_path, f"ws://{where}", "ann", "random"), join(tmp_path, where, "bob", "random", *NATIVE)]
    assert [ended(player)[::2] for player in players] == [(0, "")] * 2
    code, out, err = ended(server)
    assert code == 0, err
    begun = r"tournament 1 in fairplay\.db: (ann, bob|bob, ann), greedy, file, program\n"
    assert re.fullmatch(rf"(.* signed up, .*\n){{2}}Note: fairplay\.db and fairplay\.db\.key lie in .*\n{begun}", err)
    table = standings(out)
    assert set(table) == {"ann", "bob", "greedy", "file", "program"}
    assert all(line["faults"] == 0 for line in table.values())
    played = json.loads(out)["tables"]["matches"]
    assert played == (matches or played)
    assert json.loads(fairplay("tournament", "show", "1", "--json").output)["tables"] == json.loads(out)["tables"]
    for number in range(played):
        assert fairplay("replay", f"1/{number}", "--verify").exit_code == 0


def test_players_of_an_established_protocol_play_a_round_robin(fairplay: Fairplay, tmp_path: Path) -> None:
    options = ["--protocol", "established", "--port", "0", "--most", "2", "--least", "2", "--games", "1", *SEEDED]
    server, where = serve(tmp_path, "serve", "fish", "greedy", *options, "--report", "page.html", "--csv", "table.csv")
    players = [join(tmp_path, where, name, "minimax:depth=1", *SMALL) for name in ("ann", "bob")]
    assert [ended(player)[0] for player in players] == [0, 0]
    code, out, err = ended(server)
    assert code == 0
    assert "Tournament 1 in fairplay.db: 6 matches, seed 3." in out
    assert f"\n{SEED_MARK}\n" in out and err.startswith(SEED_RISK)
    assert "Report: page.html" in out
    assert (tmp_path / "table.csv").read_text().count("\n") == 4


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_is_stopped_and_resumed_ends_with_the_same_table(
    fairplay: Fairplay, tmp_path: Path, how: signal.Signals
) -> None:
    """In the middle of a match; one player waits for the server, the other comes back as a new process."""
    tables = []
    for name in ("whole", "broken"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "slow.py").write_text(SLOW_BOT)
        (folder / "bot.py").write_text(BOT)
        options = ["--port", "0", "--most", "2", "--least", "2", "--games", "1", "--grace", "60", "--patience", "60"]
        server, where = serve(folder, "serve", "fish", "greedy", *options, *SEEDED, "--json")
        ann = join(folder, where, "ann", "bot.py", *NATIVE, "--session-file", "first")
        wait_for(folder / "first")  # so that they sign up in this order both times
        bob = join(folder, where, "bob", "slow.py", *NATIVE, "--session-file", "key")
        wait_for(folder / "reached")
        if name == "broken":
            assert oct((folder / "key").stat().st_mode)[-3:] == "600"
            bob.kill()
            bob.communicate()
            server.send_signal(how)
            code, out, err = ended(server)
            assert (code, out) == (-how if how is signal.SIGKILL else 128 + how, "")
            port = where.rpartition(":")[2]
            assert how is signal.SIGKILL or f"tournament resume 1 --port {port}\n" in err
            server, _ = serve(folder, "resume", "1", "--port", port, "--grace", "60", "--json")
            bob = join(folder, where, "bob", "slow.py", *NATIVE, "--session-file", "key")
        (folder / "go").touch()
        assert [ended(player)[0] for player in (ann, bob)] == [0, 0]
        assert not (folder / "first").exists() and not (folder / "key").exists(), (
            "it is over, and the key opens nothing any more"
        )
        code, out, err = ended(server)
        assert code == 0, err
        tables.append(standings(out))
    assert all(line["faults"] == 0 for line in tables[0].values())
    assert tables[0] == tables[1]


REMEMBER = """
from pathlib import Path
from fairplay.games.trains.rules import legal_actions

PAST = []

def choose(view):
    if view.picking:
        guess = next((hand for seat, hand in reversed(PAST) if seat != view.me), None)
        PAST.append((view.me, list(view.cards)))
        with Path("said").open("a") as file:
            file.write(f"{view.me} {guess}\\n")
    return legal_actions(view)[0]
"""
"""Writes down what it was dealt when it last sat where its rival sits now."""


def test_a_remote_player_that_remembers_all_its_matches_knows_no_deal(tmp_path: Path) -> None:
    """Its connection lasts, and so does its memory; a hand of 20 cards is guessed by chance once in fifty times.

    If deals came again with the seats changed, every second match would be known.
    """
    (tmp_path / "bot.py").write_text(REMEMBER)
    setup = msgspec.convert({"map": "small", "dealt": 20}, GAMES["trains"].setup)
    options = ["--setup", msgspec.json.encode(setup).decode(), "--games", "4", "--most", "1", "--out", "records"]
    server, where = serve(tmp_path, "serve", "trains", "buy-now", "--port", "0", *options)
    player = joining(tmp_path, "trains", where, "--name", "ann", "--player", "bot.py", *NATIVE)
    assert (ended(player)[0], ended(server)[0]) == (0, 0)
    said = [line.split(maxsplit=1) for line in (tmp_path / "said").read_text().splitlines()]
    assert len(said) == 8 and sum(guess != "None" for _, guess in said) >= 6
    known = 0
    for path, (seat, guess) in zip(sorted((tmp_path / "records").glob("*.jsonl")), said, strict=True):
        header = read_record(path.read_bytes().splitlines(keepends=True)).header
        rival = 1 - int(seat)
        cards = deal_state(GAMES["trains"], setup, header.seed, 2).deck[20 * rival : 20 * rival + 20]
        known += guess == str([cards.count(color) for color in range(4)])
    assert known < 3


def test_too_few_sign_ups_are_a_failure(tmp_path: Path) -> None:
    server, _ = serve(tmp_path, "serve", "fish", "--port", "0", "--waiting", "0.1")
    code, out, err = ended(server)
    assert (code, out) == (1, "")
    assert err == f"Error: too few players: 0 of 2; {TOO_FEW}\n"


TOO_FEW = "nothing was played. Wait longer (--waiting SECONDS) or start with fewer (--least N)"


def test_players_are_counted_and_told_when_they_are_too_few(tmp_path: Path) -> None:
    """Local players do not make up for them."""
    waiting = ("--port", "0", "--least", "3", "--waiting", "3")
    server, where = serve(tmp_path, "serve", "fish", "greedy", "random", *waiting)
    players = [joining(tmp_path, "fish", where, "--name", name, "--player", "random", *NATIVE) for name in ("ann", "b")]
    for player in players:
        code, _, err = ended(player)
        assert code == 1 and "too few players: 2 of 3" in err
    code, out, err = ended(server)
    assert (code, out) == (1, "")
    first, second, last = sorted(err.splitlines(), key=lambda line: (line.startswith("Error"), ", 2 of" in line))
    assert re.fullmatch(r"(ann|b) signed up, 1 of 3, [0-3] s left", first)
    assert re.fullmatch(r"(ann|b) signed up, 2 of 3, [0-3] s left", second)
    assert last == f"Error: too few players: 2 of 3; {TOO_FEW}"


def test_resuming_what_is_finished_shows_it(fairplay: Fairplay, tmp_path: Path) -> None:
    server, where = serve(tmp_path, "serve", "fish", "greedy", "--port", "0", "--most", "1", "--games", "1", *SMALL)
    assert ended(join(tmp_path, where, "ann", "random", *NATIVE))[0] == 0
    _, out, _ = ended(server)
    again = fairplay("tournament", "resume", "1").stdout
    assert again.splitlines()[:-2] == out.splitlines()[:-2]  # the last lines name the program as it was started


SERVE = ["serve", "fish", "--port", "0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "fish"], "Missing option '--port'"),
        (["serve", "chess", "--port", "0"], "there is no game 'chess'"),
        ([*SERVE, "nobody"], "fish has no strategy 'nobody'"),
        ([*SERVE, "a=random", "a=greedy"], "two players are called 'a'"),
        ([*SERVE, "missing.py"], "there is no file missing.py"),
        ([*SERVE, "--format", "league"], "there is no format 'league'"),
        ([*SERVE, "--option", "rounds=3"], "rounds"),
        ([*SERVE, "--setup", '{"rows": 1, "columns": 1}'], "too few for the"),
        ([*SERVE, "--least", "5", "--most", "4"], "--least: at most 4 players can sign up"),
        ([*SERVE, "--protocol", "established", "--grace", "5"], "need --protocol native"),
        ([*SERVE, "--tls-key", __file__], "--tls-key: a key needs its certificate"),
        ([*SERVE, "--no-store", "--db", "x.db"], "--no-store: nothing would be kept"),
        ([*SERVE, "--waiting", "0"], "must be more than 0 seconds"),
        ([*SERVE, "--patience", "nan"], "must be more than 0 seconds"),
        ([*SERVE, "--seed", "3"], "--seed: a player who guesses it knows every deal; leave it out, or add --allow-"),
        ([*SERVE, "--secret", "5"], "--secret: expected 32 digits of 0 to 9 and a to f, as --json prints them"),
        ([*SERVE, "--format", "knock-out", "--paired-deals"], "the format knock-out does not rotate the seats"),
    ],
)
def test_a_mistake_gets_one_clear_sentence_and_leaves_nothing(
    fairplay: Fairplay, tmp_path: Path, arguments: list[str], message: str
) -> None:
    result = fairplay("tournament", *arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output
    assert [*tmp_path.iterdir()] == []
