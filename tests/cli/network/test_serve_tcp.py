"""`fairplay serve-tcp` and `fairplay join`, each a process of its own."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest

from cli.processes import FAIRPLAY, PIPES, ended, joining, serving
from fairplay.catalog import GAMES
from fairplay.contest.planning import SEED_RISK
from fairplay.games.trains.maps.files import find_map
from fairplay.games.trains.state import Setup
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record

JOIN = ["join", "fish", "--name", "a", "--player", "random"]


@pytest.mark.parametrize(
    ("game", "spec", "options"),
    [
        ("fish", "minimax:depth=1", []),
        ("trains", "buy-now", ["--board", "small"]),
        ("labyrinth", "euclid", ["--variant", "multi-goal"]),
        ("fish", "random", ["--variant", "original"]),
        ("labyrinth", "riemann", ["--variant", "original"]),
    ],
)
def test_a_tournament_between_processes_is_kept_and_replays(
    tmp_path: Path, game: str, spec: str, options: list[str]
) -> None:
    server, where = serving(tmp_path, game, "--most", "2", "--least", "2", "--out", "kept", *options)
    players = [joining(tmp_path, game, where, "--name", name, "--player", spec, *options) for name in ("ann", "bob")]
    told = [ended(player) for player in players]
    code, out, err = ended(server)
    assert code == 0 and "tournament 1 in fairplay.db\n" in err
    assert [(code, err) for code, _, err in told] == [(0, "")] * 2
    report = json.loads((tmp_path / "kept" / "result.json").read_text())
    assert json.loads(out) == report["result"]
    assert sorted(player["name"] for player in report["players"]) == ["ann", "bob"]
    assert [out for _, out, _ in told].count("won\n") == len(report["winners"]) >= 1
    with (tmp_path / "kept" / "match-0001.jsonl").open("rb") as file:
        record = read_record(file)
    assert list(replay_record(GAMES[game], record))
    assert record.outcome is not None


@pytest.mark.parametrize(
    ("game", "spec", "options"),
    [
        ("fish", "minimax:depth=1", []),
        ("trains", "buy-now", ["--board", "small"]),
        ("labyrinth", "euclid", ["--variant", "multi-goal"]),
    ],
)
def test_a_native_tournament_between_processes_is_kept_and_replays(
    tmp_path: Path, game: str, spec: str, options: list[str]
) -> None:
    """One player comes over TCP and one in a WebSocket, to the same port; both know the token."""
    (tmp_path / "token").write_text("sesame\n")
    secret = ["--token-file", "token"]
    limits = ["--most", "2", "--least", "2", "--out", "kept", "--protocol", "native"]
    server, where = serving(tmp_path, game, *limits, *options, *secret)
    refused = joining(tmp_path, game, f"ws://{where}", "--name", "eve", "--player", spec)
    assert ended(refused)[::2] == (
        1,
        "Error: it ended early: gone: the server refuses: the token is missing or wrong\n",
    )
    players = [
        joining(tmp_path, game, where, "--name", "ann", "--player", spec, "--protocol", "native", *secret),
        joining(tmp_path, game, f"ws://{where}", "--name", "bob", "--player", spec, *secret),
    ]
    told = [ended(player) for player in players]
    code, out, err = ended(server)
    assert code == 0 and "tournament 1 in fairplay.db\n" in err
    assert [(code, err) for code, _, err in told] == [(0, "")] * 2
    report = json.loads((tmp_path / "kept" / "result.json").read_text())
    assert json.loads(out) == report["result"]
    assert sorted(player["name"] for player in report["players"]) == ["ann", "bob"]
    assert [out for _, out, _ in told].count("won\n") == len(report["winners"]) >= 1
    with (tmp_path / "kept" / "match-0001.jsonl").open("rb") as file:
        record = read_record(file)
    assert list(replay_record(GAMES[game], record))
    assert not any(b"sesame" in path.read_bytes() for path in (tmp_path / "kept").iterdir())


def test_a_token_in_the_environment_does_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRPLAY_TOKEN", "sesame")
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2", "--protocol", "native", "--grace", "0")
    names = ("ann", "bob")
    players = [joining(tmp_path, "fish", f"ws://{where}", "--name", name, "--player", "random") for name in names]
    assert [ended(player)[0] for player in players] == [0, 0]
    assert ended(server)[0] == 0


def test_a_seed_fixes_what_a_native_player_does(tmp_path: Path) -> None:
    """Without one the server's chance does."""

    def played(folder: str, *options: str) -> bytes:
        limits = ["--most", "2", "--least", "2", "--seed", "5", "--secret", "5a" * 16, "--out", folder]
        server, where = serving(tmp_path, "fish", "--protocol", "native", *limits)
        arguments = ["--player", "random", *options]
        first = joining(tmp_path, "fish", f"ws://{where}", "--name", "ann", *arguments)
        second = joining(tmp_path, "fish", f"ws://{where}", "--name", "bob", *arguments)
        assert [ended(one)[0] for one in (first, second)] == [0, 0]
        code, _, err = ended(server)
        assert (code, err.splitlines()[0]) == (0, SEED_RISK)
        written = (tmp_path / folder / "match-0001.jsonl").read_bytes()
        return b"".join(re.findall(rb'"action":.*?\}', written))

    assert played("a") == played("b") != played("c", "--seed", "1") == played("d", "--seed", "1")


@pytest.mark.parametrize("protocol", ["established", "native"])
def test_the_house_fills_empty_seats(tmp_path: Path, protocol: str) -> None:
    fill = ["--waiting", "1", "--fill", "minimax:depth=1", "--fill", "random"]
    server, where = serving(tmp_path, "fish", *fill, "--protocol", protocol, "--out", "kept")
    player = joining(tmp_path, "fish", where, "--name", "ann", "--player", "minimax", "--protocol", protocol)
    assert ended(player)[0] == 0
    assert ended(server)[0] == 0
    report = json.loads((tmp_path / "kept" / "result.json").read_text())
    names = [player["name"] for player in report["players"]]
    assert names == ["ann", "minimax:depth=1", "random", "minimax:depth=1", "random"]


def test_a_bot_that_crashes_learns_why_and_the_others_play_on(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def choose(view):\n    return view.nonsense\n")
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2")
    bad = joining(tmp_path, "fish", where, "--name", "bad", "--player", "broken.py")
    good = joining(tmp_path, "fish", where, "--name", "good", "--player", "minimax:depth=1")
    code, out, err = ended(bad)
    assert (code, out) == (1, "")
    assert "crashed: AttributeError" in err
    assert "broken.py:2" in err
    assert ended(good)[:2] == (0, "won\n")
    assert ended(server)[1] == "[1,1]\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve-tcp", "chess", "--port", "0"], "there is no game 'chess'"),
        (["serve-tcp", "fish"], "Missing option '--port'"),
        (["serve-tcp", "fish", "--port", "70000"], "70000 is not in the range"),
        (["serve-tcp", "fish", "--port", "0", "--patience", "0"], "must be more than 0 seconds"),
        (["serve-tcp", "fish", "--port", "0", "--waiting", "nan"], "must be more than 0 seconds"),
        (["serve-tcp", "fish", "--port", "0", "--least", "11"], "--least: at most 10 players can sign up"),
        (["serve-tcp", "labyrinth", "--port", "0", "--most", "7"], "--most: a match has 6 seats"),
        (["serve-tcp", "fish", "--port", "0", "--fill", "nobody"], "fish has no strategy 'nobody'"),
        (["serve-tcp", "fish", "--port", "0", "--setup", '{"rows": 1, "columns": 2}'], "too few for the"),
        (["serve-tcp", "fish", "--port", "0", "--setup", '{"rows": "x"}'], "setup: Expected int"),
        (["serve-tcp", "fish", "--port", "0", "--tls-key", "key.pem"], "key.pem"),
        (["serve-tcp", "fish", "--port", "0", "--grace", "5"], "need --protocol native"),
        (["serve-tcp", "fish", "--port", "0", "--allow-origin", "https://x"], "need --protocol native"),
        (["serve-tcp", "fish", "--port", "0", "--protocol", "native", "--grace", "inf"], "--grace: must be"),
        (["serve-tcp", "fish", "--port", "0", "--protocol", "native", "--grace", "-1"], "-1.0 is not in the range"),
        (["serve-tcp", "fish", "--port", "0", "--protocol", "native", "--token-file", "x"], "'x' does not exist"),
        (["serve-tcp", "fish", "--port", "0", "--protocol", "telnet"], "'telnet' is not one of"),
        ([*JOIN, "ws://127.0.0.1:1", "--protocol", "established"], "over a WebSocket, only the native protocol"),
        ([*JOIN, "ws://127.0.0.1:1", "--tls"], "begins with wss://"),
        ([*JOIN, "ws://:x"], "expected ws://HOST:PORT"),
        (
            [*JOIN, "127.0.0.1:1", "--protocol", "native", "--board", "small"],
            "--board: leave it out; the native protocol tells",
        ),
        ([*JOIN, "127.0.0.1:1", "--protocol", "native", "--stay"], "--stay: leave it out; the native"),
        ([*JOIN, "ws://127.0.0.1:1", "--name", " a"], "--name: expected 1 to 64 printable"),
        (["join", "fish", "127.0.0.1", "--name", "a", "--player", "random"], "expected HOST:PORT"),
        (["join", "fish", "127.0.0.1:1", "--name", "a b", "--player", "random"], "--name: fish takes names"),
        (["join", "fish", "127.0.0.1:1", "--name", "a", "--player", "nobody"], "fish has no strategy 'nobody'"),
        (
            ["join", "fish", "127.0.0.1:1", "--name", "a", "--player", "random", "--stay"],
            "--stay: fish has no use for it",
        ),
    ],
)
def test_mistakes_are_told_in_a_sentence(tmp_path: Path, arguments: list[str], message: str) -> None:
    code, out, err = ended(subprocess.Popen([*FAIRPLAY, *arguments], cwd=tmp_path, **PIPES))
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("way", ["", "ws://"])
def test_nobody_listening_is_a_failure(tmp_path: Path, way: str) -> None:
    arguments = ["fish", f"{way}127.0.0.1:1", "--name", "a", "--player", "random", "--retry"]
    code, out, err = ended(joining(tmp_path, *arguments, "0"))
    assert (code, out, err) == (1, "", "Error: nobody listens at 127.0.0.1:1\n")
    code, out, err = ended(joining(tmp_path, *arguments, "0.3"))
    assert err == "nobody listens at 127.0.0.1:1 yet; trying for 0.3 s\nError: nobody listens at 127.0.0.1:1\n"


def test_a_public_address_without_tls_is_warned_about(tmp_path: Path) -> None:
    server, _ = serving(tmp_path, "fish", "--host", "0.0.0.0", "--waiting", "0.1")
    code, out, err = ended(server)
    assert (code, out) == (0, "[0,0]\n")
    assert err.startswith("Warning: anyone who reaches this address")


@pytest.mark.parametrize("protocol", ["established", "native"])
def test_without_a_word_only_this_machine_is_listened_to(tmp_path: Path, protocol: str) -> None:
    server, where = serving(tmp_path, "fish", "--waiting", "0.1", "--protocol", protocol)
    assert where.startswith("127.0.0.1:")
    code, out, err = ended(server)
    if protocol == "established":  # Fish 11.4
        assert (code, out) == (0, "[0,0]\n")
    else:
        assert (code, out) == (1, "")
    assert "too few players: 0 of 5; nothing was played." in err


def test_a_token_without_tls_at_a_public_address_is_warned_about(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("sesame")
    options = ["--host", "0.0.0.0", "--waiting", "0.1", "--protocol", "native", "--token-file", "token"]
    server, _ = serving(tmp_path, "fish", *options)
    assert ended(server)[2].startswith("Warning: others can read the token on its way, and nothing is encrypted\n")


def test_a_transcript_tells_what_both_ends_said(tmp_path: Path) -> None:
    server, where = serving(tmp_path, "fish", "--most", "2", "--least", "2", "--transcript", "server.jsonl")
    own = ["--player", "random", "--transcript", "ann.jsonl", "--no-line-feeds"]
    players = [
        joining(tmp_path, "fish", where, "--name", "ann", *own),
        joining(tmp_path, "fish", where, "--name", "bob", "--player", "random"),
    ]
    assert [ended(player)[0] for player in players] == [0, 0]
    assert ended(server)[0] == 0
    names = ("server.jsonl", "ann.jsonl")
    heard, said = ([json.loads(line) for line in (tmp_path / name).read_text().splitlines()] for name in names)
    peer = next(line["peer"] for line in heard if line["value"] == "ann")
    mirrored = [(line["direction"], line["value"]) for line in heard if line["peer"] == peer]
    other = {"sent": "received", "received": "sent"}
    assert [(other[line["direction"]], line["value"]) for line in said] == mirrored
    assert mirrored[:2] == [("received", "ann"), ("sent", ["start", [True]])]
    assert (tmp_path / "server.jsonl").stat().st_mode & 0o777 == 0o600
    again = joining(tmp_path, "fish", where, "--name", "ann", *own)
    code, _, err = ended(again)
    assert (code, "--transcript: ann.jsonl is there already" in err) == (2, True)


def test_a_transcript_of_native_players_holds_no_secret(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("sesame\n")
    secret = ["--token-file", "token"]
    native = ["--most", "2", "--least", "2", "--protocol", "native"]
    server, where = serving(tmp_path, "fish", *native, *secret, "--transcript", "server.jsonl")
    own = ["--player", "random", *secret]
    players = [
        joining(tmp_path, "fish", f"ws://{where}", "--name", "ann", "--transcript", "ann.jsonl", *own),
        joining(tmp_path, "fish", where, "--name", "bob", "--protocol", "native", *own),
    ]
    assert [ended(player)[0] for player in players] == [0, 0]
    assert ended(server)[0] == 0
    for name in ("server.jsonl", "ann.jsonl"):
        lines = (tmp_path / name).read_text()
        assert "sesame" not in lines
        sessions = {json.loads(line)["value"].get("session") for line in lines.splitlines()}
        assert sessions == {None, "(left out)"}


def test_a_server_that_hangs_up_is_reported_with_the_last_call(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        player = joining(
            tmp_path, "fish", f"127.0.0.1:{listener.getsockname()[1]}", "--name", "ann", "--player", "random"
        )
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b'["start",[true]]')
            said = b""
            while not said.endswith(b'"void"'):
                said += connection.recv(100)
    assert said == b'"ann""void"'
    code, _, err = ended(player)
    assert code == 1
    assert err.startswith("Error: it ended early: gone: the connection closed")
    assert err.endswith("the last call was start\n")


@pytest.mark.parametrize(("game", "spec"), [("fish", "random"), ("trains", "buy-now"), ("labyrinth", "euclid")])
@pytest.mark.parametrize("protocol", ["established", "native"])
def test_a_player_finds_out_which_protocol_is_spoken(tmp_path: Path, protocol: str, game: str, spec: str) -> None:
    """With options for neither; and an established server hears from it what it always has."""
    limits = ["--most", "2", "--least", "2", "--protocol", protocol]
    server, where = serving(tmp_path, game, *limits, "--transcript", "all.jsonl")
    players = [joining(tmp_path, game, where, "--name", name, "--player", spec) for name in ("ann", "bob")]
    told = [ended(player) for player in players]
    assert [(code, err) for code, _, err in told] == [(0, "")] * 2
    assert ended(server)[0] == 0
    assert {out for _, out, _ in told} & {"won\n", "shared first place with 1 other\n"}
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    first = {line["peer"]: line["value"] for line in reversed(lines)}
    if protocol == "established":
        assert sorted(first.values()) == ["ann", "bob"]
    else:
        hellos = [value for value in first.values() if value["type"] == "hello"]
        assert sorted(hello["name"] for hello in hellos) == ["ann", "bob"]
        assert len(first) == 4  # and two refusals


def test_the_wrong_protocol_is_named_at_both_ends(tmp_path: Path) -> None:
    met = []
    for spoken, other in (("established", "native"), ("native", "established")):
        server, where = serving(tmp_path, "fish", "--waiting", "20", "--least", "2", "--protocol", other)
        bad = joining(tmp_path, "fish", where, "--name", "ann", "--player", "random", "--protocol", spoken)
        met.append((spoken, other, server, bad))
    for spoken, other, server, bad in met:
        code, out, err = ended(bad)
        assert (code, out) == (1, "")
        assert f"this server speaks the {other} protocol" in err
        assert err.count("\n") == 1
        assert server.stderr is not None
        said = server.stderr.readline().decode()
        assert said == f"127.0.0.1 spoke the {spoken} protocol; this server speaks the {other} one\n"
        server.terminate()
        ended(server)


def test_a_server_that_refuses_everything_is_visited_twice_and_no_more(tmp_path: Path) -> None:
    said = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        player = joining(tmp_path, "fish", where, "--name", "ann", "--player", "random")
        for _ in range(2):
            connection, _ = listener.accept()
            with connection:
                said.append(connection.recv(1_000))
                connection.sendall(b'{"type":"refused","reason":"go away"}\n')
        assert ended(player) == (1, "", "Error: it ended early: gone: the server refuses: go away\n")
    assert said[0] == b'"ann"'
    assert json.loads(said[1])["type"] == "hello"


def test_what_only_the_established_protocol_can_use_is_refused_at_a_native_server(tmp_path: Path) -> None:
    server, where = serving(tmp_path, "trains", "--waiting", "20", "--least", "2", "--protocol", "native")
    player = joining(tmp_path, "trains", where, "--name", "ann", "--player", "buy-now", "--board", "tiny")
    code, out, err = ended(player)
    assert (code, out) == (2, "")
    assert err == "Error: --board: leave it out; the native protocol tells the player\n"
    server.terminate()
    ended(server)


def test_a_player_of_trains_proposes_a_small_map(tmp_path: Path) -> None:
    server, where = serving(tmp_path, "trains", "--most", "2", "--least", "2", "--out", "kept")
    players = [joining(tmp_path, "trains", where, "--name", name, "--player", "buy-now") for name in ("ann", "bob")]
    assert [ended(player)[0] for player in players] == [0, 0]
    assert ended(server)[0] == 0
    with (tmp_path / "kept" / "match-0001.jsonl").open("rb") as file:
        played = msgspec.json.decode(read_record(file).header.setup, type=Setup)
    assert played.map == find_map("small")
