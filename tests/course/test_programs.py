"""Reading JSON values, and running folders of cases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import ContestBegan, ContestEnded, Fault, FaultKind, House, Misbehaved, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.course.programs import (
    InlineStage,
    ServerPlace,
    describe_fault,
    equal_as_json,
    find_program,
    list_programs,
    parse_place,
    read_values,
    remote_programs,
    run_cases,
)
from fairplay.match.players import MisbehavingPlayer, house_strategy
from fairplay.net.sign_up import open_listener
from games.labyrinth.worlds import STATE_T

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5), st.sampled_from(["", " ", "\n\n", " " * 5_000]))
def test_values_stand_one_after_the_other(given_values: list[Any], blanks: str) -> None:
    separator = blanks or " "  # two numbers need something between them
    assert read_values(blanks + separator.join(json.dumps(value) for value in given_values) + blanks) == given_values


def test_values_that_delimit_themselves_need_no_blanks() -> None:
    assert read_values('[1]{"a":2}"x"[]') == [[1], {"a": 2}, "x", []]
    assert read_values("") == []


@pytest.mark.parametrize(
    "text", ["[1", "nope", "NaN", "-Infinity", "[1]x", '{"a":}', "[1,]", "[01]", "[" * 100_000, "9" * 5_000]
)
def test_ill_formed_json_is_a_wire_error(text: str) -> None:
    with pytest.raises(WireError, match="ill-formed JSON in value"):
        read_values(text)


def test_many_values_are_read_in_linear_time() -> None:
    assert len(read_values(" 1" * 50_000)) == 50_000


def test_true_is_not_one() -> None:
    assert equal_as_json({"a": 1, "b": [True]}, {"b": [True], "a": 1})
    assert not equal_as_json([1], [True])
    assert not equal_as_json([1], [1.0])


def test_a_game_without_a_harness_has_no_programs() -> None:
    assert list_programs("nim") == {}
    with pytest.raises(UsageError, match="nim has no harness program 'x'; it has none"):
        find_program("nim", "x")


def test_cases_pass_differ_or_are_refused(tmp_path: Path) -> None:
    board = {"position": [0, 0], "board": [[1], [1]]}
    for name, given_value, expected in [("a", board, 1), ("b", board, 7), ("c", {"position": [0, 0]}, 1)]:
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / f"{name}-in.json").write_text(json.dumps(given_value))
        (tmp_path / "deep" / f"{name}-out.json").write_text(json.dumps(expected))
    ran = list(run_cases("fish", "xboard", tmp_path))
    assert [(case.path.name, case.passed) for case in ran] == [
        ("a-in.json", True),
        ("b-in.json", False),
        ("c-in.json", False),
    ]
    assert ran[2].actual.startswith("refused: ")


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


NIM = GAMES["nim"]


def deal(seats: int) -> Any:
    return NIM.rules.start(NIM.variants["standard"], seats, Random(4))


class Listener(House):
    """Plays the first legal action and remembers what it hears."""

    def __init__(self) -> None:
        super().__init__(house_strategy(NIM, "random", derived(5)))
        self.heard: list[object] = []

    def hear(self, news: object) -> None:
        self.heard.append(news)


def test_everybody_hears_the_beginning_first_and_the_end_last() -> None:
    players = [Listener() for _ in range(7)]
    standing = InlineStage(NIM).play_knockout(players, deal, range(2, 4))
    assert len(standing.winners) == 1
    assert standing.faults == (None,) * 7
    for number, player in enumerate(players):
        assert player.heard[0] == ContestBegan()
        assert player.heard[-1] == ContestEnded(number in standing.winners)
        assert player.heard.count(ContestBegan()) == 1


@pytest.mark.parametrize("call", range(3))
def test_whoever_faults_hears_nothing_more_and_cannot_win(call: int) -> None:
    listeners = [Listener() for _ in range(4)]
    players: list[Any] = [MisbehavingPlayer(listeners[0], FaultKind.GONE, news=call), *listeners[1:]]
    standing = InlineStage(NIM).play_knockout(players, deal, range(2, 4))
    assert standing.faults[0] is not None
    assert 0 not in standing.winners
    assert len(listeners[0].heard) == call
    assert players[0].told == call + 1


def test_a_winner_that_fails_at_the_very_end_is_none() -> None:
    alone = Listener()
    standing = InlineStage(NIM).play_knockout([MisbehavingPlayer(alone, FaultKind.CRASHED, news=1)], deal, range(2, 4))
    assert standing.winners == ()
    assert standing.faults[0] is not None


def test_a_contest_of_nobody() -> None:
    assert InlineStage(NIM).play_knockout([], deal, range(2, 4)) == ((), ())


def test_the_reason_of_each_fault_is_reported() -> None:
    reasons: list[str] = []
    players: list[Any] = [Listener() for _ in range(4)]
    players[1] = MisbehavingPlayer(Listener(), FaultKind.GONE, news=0)
    players[2] = MisbehavingPlayer(Listener(), FaultKind.CRASHED, question=0)
    InlineStage(NIM, reasons.append).play_knockout(players, deal, range(2, 4))
    assert reasons[0] == "player 2 of 4 is removed: gone: this player misbehaves on purpose"
    assert reasons[1].startswith("the player in seat 2 of 3 is removed: crashed: RuntimeError")
    assert len(reasons) == 2


def test_a_reason_is_one_line_that_moves_no_cursor() -> None:
    fault = Fault(FaultKind.MALFORMED, "a\n b\x1b[2J\u202ec")
    assert describe_fault("ann", fault) == "ann is removed: malformed: a b\\x1b[2J\\u202ec"
    assert describe_fault("ann", Fault(FaultKind.GONE)) == "ann is removed: gone"
