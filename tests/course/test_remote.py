"""The test programs over TCP: their arguments, their input, and whole runs with both ends as processes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from fairplay.core import Misbehaved, UsageError, WireError
from fairplay.core.established import Call
from fairplay.course.remote import ServerPlace, parse_place, remote_programs
from fairplay.net.sign_up import open_listener
from games.labyrinth.worlds import STATE_T

FAIRPLAY = [sys.executable, "-c", "from fairplay.cli import main; main()", "harness"]

MAP_M: dict[str, Any] = {
    "width": 100,
    "height": 80,
    "cities": [["Alma", [10, 10]], ["Bree", [50, 10]], ["Cove", [90, 10]], ["Dell", [70, 60]], ["Erin", [30, 60]]],
    "connections": {
        "Alma": {"Bree": {"red": 3}, "Erin": {"blue": 3}},
        "Bree": {"Cove": {"green": 4, "red": 3}},
        "Cove": {"Dell": {"white": 5}},
        "Dell": {"Erin": {"blue": 4}},
    },
}
DECK = ["red", "blue", "green", "white"] * 62


def test_arguments_say_where_and_how_many() -> None:
    assert parse_place("xserver", ["45678"], counted=False) == ServerPlace("127.0.0.1", 45_678)
    assert parse_place("xserver", ["45678", "::1"], counted=False) == ServerPlace("::1", 45_678)
    assert parse_place("xclients", ["5", "45678", "10.0.0.7"], counted=True) == ServerPlace("10.0.0.7", 45_678, 5)


@pytest.mark.parametrize("arguments", [[], ["port"], ["-1"], ["65536"], ["1", "2", "3"], ["123456"]])
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    with pytest.raises(UsageError, match="usage: xserver PORT"):
        parse_place("xserver", arguments, counted=False)


def test_a_game_without_an_established_protocol_has_no_such_programs() -> None:
    with pytest.raises(UsageError, match="nim has no established protocol"):
        remote_programs("nim")


def test_fish_12_5_names_of_clients() -> None:
    names = [one.name for one in remote_programs("fish").clients([30], 1)]
    assert names[:3] == ["a", "b", "c"]
    assert names[25:] == ["z", "aa", "ab", "ac", "ad"]


def test_trains_12_7_broken_clients_sign_up_after_all_others() -> None:
    players = [["ann", "Hold-10"], ["bob", "player-bad-play"]]
    applicants = remote_programs("trains").clients([MAP_M, players, DECK, "rm-invalid-game-map"], 2)
    assert [one.name for one in applicants] == ["ann", "bob", "rann", "rbob"]
    start = Call("start", [True])
    maps: list[Any] = [applicant.client.answer(start) for applicant in applicants]
    assert maps[0]["cities"] == MAP_M["cities"]
    assert maps[2]["cities"] == MAP_M["cities"][1:]
    with pytest.raises(WireError):
        remote_programs("trains").clients([MAP_M, players, DECK, "rm-nonsense"], 2)


@pytest.mark.parametrize(
    ("kind", "call", "sent"),
    [
        ("rm-ill-formed-pick", "pick", b" " * 4_090 + b'[["Alma","Dell"],["Alma","Erin"],["Bree","Cove"]'),
        ("rm-invalid-pick", "pick", b'[[["Alma","Dell"],["Alma","Erin"],["Bree","Cove"]]]'),
    ],
)
def test_trains_12_7_what_broken_clients_send(kind: str, call: str, sent: bytes) -> None:

    client = (
        remote_programs("trains").clients([MAP_M, [["ann", "Hold-10"], ["bob", "Hold-10"]], DECK, kind], 2)[2].client
    )
    client.answer(Call("setup", [MAP_M, 45, ["red"]]))
    offer = [["Alma", "Bree"], ["Alma", "Cove"], ["Alma", "Dell"], ["Alma", "Erin"], ["Bree", "Cove"]]
    assert msgspec.json.encode(client.answer(Call(call, [offer]))) == sent


def test_a_bad_player_of_trains_answers_three_plays_and_no_more() -> None:
    """Trains 8.9."""
    listed = [["ann", "player-bad-play"], ["bob", "Hold-10"]]
    client = remote_programs("trains").clients([MAP_M, listed, DECK], 2)[0].client
    client.answer(Call("setup", [MAP_M, 45, ["red"]]))
    this: dict[str, Any] = {"destination1": ["Alma", "Bree"], "destination2": ["Alma", "Cove"]}
    state = {"this": {**this, "rails": 45, "cards": {}, "acquired": []}, "acquired": []}
    for _ in range(3):
        assert client.answer(Call("play", [state])) == "more cards"
    with pytest.raises(Misbehaved):
        client.answer(Call("play", [state]))


def free_port() -> int:
    with open_listener("127.0.0.1", 0) as sock:
        port: int = sock.getsockname()[1]
        return port


def both(game: str, server: Any, clients: Any, *arguments: str, counted: str = "") -> tuple[str, str]:
    """What xserver and xclients print when each is a process of its own, the clients started first."""
    port = str(free_port())
    given = ["".join(json.dumps(value) for value in values).encode() for values in (server, clients)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    numbers = [counted, port] if counted else [port]
    joining = subprocess.Popen([*FAIRPLAY, game, "xclients", *numbers, *arguments], **pipes)
    serving = subprocess.Popen([*FAIRPLAY, game, "xserver", port], **pipes)
    said = []
    for process, text in ((joining, given[1]), (serving, given[0])):
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
    for process in (serving, joining):
        out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, b"")
        said.append(out.decode())
    return said[0], said[1]


def test_fish_over_two_processes() -> None:
    result, nothing = both("fish", [], [], "--depth", "1", counted="10")
    assert json.loads(result)[1] == 0
    assert result.endswith("\n")
    assert nothing == ""


def test_labyrinth_over_two_processes() -> None:
    """Labyrinth 12.8: with the clients ann and bob, ann wins."""
    result, nothing = both("labyrinth", [STATE_T], [[["ann", "Euclid"], ["bob", "Riemann"]]], "--gap", "0.05")
    assert json.loads(result) == [["ann"], []]
    assert nothing == ""


def test_bad_input_is_one_line_and_status_1() -> None:
    wrong = subprocess.run(
        [*FAIRPLAY, "trains", "xserver", str(free_port())], input=b"[1", capture_output=True, check=False
    )
    assert (wrong.returncode, wrong.stdout) == (1, b"")
    assert wrong.stderr.startswith(b"Error: ")
    assert wrong.stderr.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [["xserver", "abc"], ["xboard", "45678"], ["xclients"]])
def test_bad_arguments_are_one_line_and_status_2(arguments: list[str]) -> None:
    wrong = subprocess.run([*FAIRPLAY, "fish", *arguments], input=b"", capture_output=True, check=False)
    assert (wrong.returncode, wrong.stdout) == (2, b"")
    assert wrong.stderr.count(b"\n") == 1
