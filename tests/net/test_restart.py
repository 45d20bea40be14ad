"""Servers that are killed and started again, in processes of their own: the contest goes on where it stopped."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fairplay.core import FaultKind
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.store import open_store

from .commands import Command, Commands, Snapshot, commands_in, look, wait_until
from .contests import BOT, PROGRAM

SETUP = json.dumps({"rows": 4, "columns": 4, "fish": None})
PLAYERS = ("house=random", "file=bot.py", f"program=cmd:{sys.executable} program.py")
TERMS = (
    "--port",
    "0",
    "--least",
    "2",
    "--most",
    "2",
    "--seed",
    "5",
    "--allow-chosen-seed",
    "--secret",
    "5" * 32,
    "--setup",
    SETUP,
    "--patience",
    "60",
)
SWISS = (*TERMS, "--format", "swiss", "--option", "rounds=3", "--games", "1")
GRACE = ("--grace", "60")


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    with commands_in(tmp_path) as started:
        write_bots(tmp_path)
        yield started


def write_bots(folder: Path) -> None:
    (folder / "bot.py").write_text(BOT)
    (folder / "program.py").write_text(PROGRAM)


def wait_for_progress(commands: Commands, server: Command, finished: int, lines: int) -> None:
    """Until so many matches are finished, and so many lines are kept of others."""

    def far_enough() -> bool:
        assert server.process.poll() is None, server.err.read_text()
        return look(commands.database).progress >= (finished, lines)

    wait_until(commands.database.exists, "the store")
    wait_until(far_enough, f"{finished} matches and {lines} lines")


def check_continued(before: Snapshot, after: Snapshot) -> None:
    """Nothing that was kept changed: results stay, and matches go on where they stopped."""
    results = {number: (outcome, record) for number, outcome, record in after.results}
    for number, outcome, record in before.results:
        assert results[number] == (outcome, record)
    for number, lines in before.turns.items():
        assert unpacked(results[number][1])[: len(lines)] == lines, "the header with its seed, and every turn"


def play_unbroken(folder: Path) -> Snapshot:
    """The same contest without a break."""
    with commands_in(folder) as commands:
        write_bots(folder)
        server = commands.serve("fish", *PLAYERS, *SWISS, *GRACE)
        port = server.port()
        players = [commands.join(port, "ann", "--player", "random"), commands.join(port, "bob", "--player", "greedy")]
        server.ended()
        assert [player.ended() for player in players] in (["won\n", "did not win\n"], ["did not win\n", "won\n"], LOST)
        return look(commands.database)


LOST = ["did not win\n", "did not win\n"]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_mixed_contest_that_is_killed_twice_ends_with_the_same_table(tmp_path: Path, seed: int) -> None:
    """A house player with chance of its own, a bot file, a program and two remote players in a Swiss tournament.

    The players' answers follow from what they were sent.  With each kill of the server one of them is killed as well
    and comes back as a new process, the other one stays.
    """
    chance = Random(seed)
    expected = play_unbroken(tmp_path / "unbroken")
    with commands_in(tmp_path / "broken") as commands:
        write_bots(commands.folder)
        server = commands.serve("fish", *PLAYERS, *SWISS, *GRACE)
        port = server.port()
        specs = {"ann": "random", "bob": "greedy"}
        players = {name: commands.join(port, name, "--player", spec) for name, spec in specs.items()}
        kept: list[Snapshot] = []
        for earliest in (0, len(expected.results) // 3):
            wait_for_progress(commands, server, earliest + chance.randrange(3), chance.randrange(1, 12))
            server.kill()
            kept.append(look(commands.database))
            assert kept[-1].tables is None, "it was killed in the middle"
            replaced = chance.choice(["ann", "bob"])
            players[replaced].kill()
            server = commands.resume(1, port, *GRACE)
            players[replaced] = commands.rejoin(port, replaced, "--player", specs[replaced])
        server.ended()
        for player in players.values():
            player.ended()
        after = look(commands.database)
    for before in kept:
        check_continued(before, after)
    assert after.tables == expected.tables is not None
    assert unsigned(after) == unsigned(expected), "every record is the same, byte for byte"
    assert all(fault is None for _, outcome, _ in after.results for fault in outcome.faults)
    assert after.turns == {}


def unsigned(kept: Snapshot) -> list[Any]:
    """The results with their records, but without signatures: each store has a key of its own."""
    records = ([line for line in unpacked(record) if b'"signed"' not in line[:10]] for *_, record in kept.results)
    return [(number, outcome, lines) for (number, outcome, _), lines in zip(kept.results, records, strict=True)]


def test_no_secret_is_in_the_store(commands: Commands) -> None:
    """Session keys are there as hashes alone, the token not at all."""
    token = "a-token-that-nobody-may-find"
    (commands.folder / "token").write_text(token)
    server = commands.serve("fish", *PLAYERS, *SWISS, *GRACE, "--token-file", "token")
    port = server.port()
    for name in ("ann", "bob"):
        commands.join(port, name, "--player", "greedy", "--token-file", "token")
    wait_for_progress(commands, server, 0, 3)
    server.kill()
    keys = [commands.session_file(name).read_text().strip() for name in ("ann", "bob")]
    with open_store(commands.database) as store:
        sessions = store.sessions(1)
    assert [json.loads(row.hello)["name"] for row in sessions] == ["ann", "bob"]
    kept = b"".join(file.read_bytes() for file in commands.folder.glob("fairplay.db*"))
    said = server.err.read_bytes() + server.out.read_bytes()
    for secret in (*keys, token):
        assert len(secret) > 20
        assert secret.encode() not in kept + said
    for row in sessions:
        assert row.secret.encode() in kept
        assert row.secret not in keys


def faults_of(after: Snapshot, player: int, line_ups: dict[int, tuple[int, ...]]) -> list[Any]:
    return [
        outcome.faults[line_ups[number].index(player)]
        for number, outcome, _ in after.results
        if player in line_ups[number]
    ]


def test_a_player_that_does_not_come_back_to_a_restarted_server_is_gone(commands: Commands) -> None:
    server = commands.serve("fish", *PLAYERS, *SWISS, *GRACE)
    port = server.port()
    ann, bob = (commands.join(port, name, "--player", "greedy") for name in ("ann", "bob"))
    wait_for_progress(commands, server, 0, 5)
    server.kill()
    bob.kill()
    before = look(commands.database)
    commands.resume(1, port, "--grace", "5").ended()
    ann.ended()
    after = look(commands.database)
    check_continued(before, after)
    with open_store(commands.database) as store:
        line_ups = {result.number: result.line_up for result in store.results(1)}
    missed = [fault for fault in faults_of(after, 1, line_ups) if fault is not None]
    assert missed
    assert {fault.kind for fault in missed} == {FaultKind.GONE}
    assert set(faults_of(after, 0, line_ups)) == {None}, "the others play on"


def test_a_new_process_is_told_the_turns_so_far_and_answers_as_the_old_one_would(commands: Commands) -> None:
    """Its server was not even stopped: the player alone was killed, in the middle of a match."""
    bot = commands.folder / "remembering.py"
    bot.write_text(REMEMBERING)
    local = ("house=random", *TERMS, "--format", "round-robin", "--games", "1", *GRACE)
    server = commands.serve("fish", *local, "--jobs", "1")
    port = server.port()
    ann = commands.join(port, "ann", "--player", str(bot))
    commands.join(port, "bob", "--player", "greedy", way="ws")
    wait_until(lambda: b"question 3" in ann.err.read_bytes(), "three questions of one match")
    ann.kill()
    again = commands.rejoin(port, "ann", "--player", str(bot))
    server.ended()
    again.ended()
    counted = [int(line.split()[1]) for line in again.err.read_text().splitlines() if line.startswith("question")]
    assert counted[:3] == [1, 2, 3], "it lived through what the other process was asked"
    after = look(commands.database)
    assert all(fault is None for _, outcome, _ in after.results for fault in outcome.faults)


REMEMBERING = """
import sys, time
from fairplay.games.fish import rules
seen = []
def choose(view):
    seen.append(view)
    print("question", len(seen), file=sys.stderr, flush=True)
    time.sleep(0.05)
    return rules.legal_actions(view)[len(seen) % len(rules.legal_actions(view))]
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_players_of_an_established_protocol_cannot_come_back(commands: Commands, how: signal.Signals) -> None:
    """Nobody is told to resume the tournament, and whoever does so all the same is refused: nothing changes."""
    server = commands.serve("fish", *PLAYERS, *SWISS, "--protocol", "established")
    port = server.port()
    for name in ("ann", "bob"):
        commands.start("join", "fish", f"127.0.0.1:{port}", "--name", name, "--player", "greedy", "--setup", SETUP)
    wait_for_progress(commands, server, 0, 5)
    server.process.send_signal(how)
    server.process.wait(100)
    said = server.err.read_text()
    assert "tournament resume" not in said
    assert how is signal.SIGKILL or ("tournament show 1 --db" in said and "tournament export 1 --db" in said)
    before = look(commands.database)
    refused = commands.resume(1, port)
    assert "signed up over a network and cannot come back; see it with" in refused.failure
    assert refused.process.returncode == 2
    after = look(commands.database)
    assert (after.results, after.turns, after.tables) == (before.results, before.turns, None)
    with open_store(commands.database) as store:
        assert [entrant.spec for entrant in store.contest(1).entrants[:2]] == ["connection:established"] * 2


def test_a_game_without_an_established_protocol_is_served(commands: Commands) -> None:
    """Nim of tests/toys."""
    server = commands.start("serve-tcp", "nim", "--protocol", "native", "--port", "0", "--least", "2", "--most", "2")
    port = server.port()
    players = [
        commands.join(port, name, "--player", "random", game="nim", way=way)
        for name, way in (("ann", "tcp"), ("bob", "ws"))
    ]
    [winner], misbehaved = json.loads(server.ended())
    assert misbehaved == []
    won = {name: player.ended() for name, player in zip(("ann", "bob"), players, strict=True)}
    assert won[winner] == "won\n"
    with open_store(commands.database) as store:
        assert store.contest(1).game == "nim"
        assert read_record(store.record(1, 0).splitlines(keepends=True)).outcome is not None
