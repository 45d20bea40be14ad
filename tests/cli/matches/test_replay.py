"""`fairplay replay`."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.core import House
from fairplay.games.trains.deal import check_effort
from fairplay.match.players import house_strategy
from fairplay.match.replay import record_match
from fairplay.run.inline import play_inline

Fairplay = Callable[..., Result]


@pytest.fixture
def record(fairplay: Fairplay, tmp_path: Path) -> Path:
    fairplay("play", "fish", "greedy", "random", "--seed", "7", "--out", "out", "--setup", '{"rows":4,"columns":4}')
    return tmp_path / "out" / "match-0001.jsonl"


def test_a_match_in_words(fairplay: Fairplay, record: Path) -> None:
    text = fairplay("replay", str(record)).output
    assert "red placed a penguin on" in text
    assert "won: nobody can move." in text
    first = fairplay("replay", str(record), "--at", "0").output
    assert "turn 0 of" in first
    assert "the match begins" in first
    assert "turn 3 of" in fairplay("replay", str(record), "--at", "3", "--text").output
    assert "won" in fairplay("replay", str(record), "--text").output


def test_a_match_as_pictures(fairplay: Fairplay, record: Path, tmp_path: Path) -> None:
    assert "drawn into last.svg" in fairplay("replay", str(record), "--svg", "last.svg").output
    assert "(you)" not in (tmp_path / "last.svg").read_text()
    fairplay("replay", str(record), "--at", "0", "--seat", "1", "--svg", "mine.svg")
    assert "white (you)" in (tmp_path / "mine.svg").read_text()
    assert "turns drawn into m.html" in fairplay("replay", str(record), "--html", "m.html").output
    assert 'type="range"' in (tmp_path / "m.html").read_text()


def test_a_match_for_programs(fairplay: Fairplay, record: Path) -> None:
    report = json.loads(fairplay("replay", str(record), "--json").output)
    assert report["consistent"] is True
    assert report["events"][0]["action"]["do"] == "place"
    assert report["players"] == ["greedy", "random"]
    assert report["outcome"]["ending"] == "nobody can move"


def test_a_record_that_follows_from_the_rules_is_consistent(fairplay: Fairplay, record: Path) -> None:
    result = fairplay("replay", str(record), "--verify")
    assert result.exit_code == 0
    assert result.output.startswith("consistent: ")


def test_a_record_whose_score_could_take_too_long_is_refused(
    fairplay: Fairplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the bound were lower, so that no record has to be made that takes for ever."""
    fairplay("play", "trains", "buy-now", "buy-now", "--board", "tiny", "--seed", "7", "--out", "out")
    assert fairplay("tournament", "export", "1", "one.fairplay").exit_code == 0
    monkeypatch.setattr("fairplay.games.trains.deal.MAX_STEPS", 10)
    check_effort.cache_clear()
    reason = "with 45 rails on this map, the longest path could take too long to find; use at most 1"
    for words in (
        ["replay", str(tmp_path / "out" / "match-0001.jsonl"), "--verify"],
        ["replay", "1/0"],
        ["tournament", "import", "one.fairplay", "--db", "other.db"],
        ["play", "trains", "buy-now", "buy-now", "--board", "tiny"],
    ):
        result = fairplay(*words)
        assert result.exit_code in (1, 2)
        assert reason in result.output


def test_a_removal_is_told_in_words(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def choose(view): return None\n")
    fairplay("play", "fish", "bad.py", "random", "--seed", "7", "--out", "bad")
    record = str(tmp_path / "bad" / "match-0001.jsonl")
    assert "red is removed: malformed: choose returned None" in fairplay("replay", record).output
    assert json.loads(fairplay("replay", record, "--json").output)["events"][0]["removed"]["kind"] == "malformed"


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: text.replace(b'"seed":7', b'"seed":8'), "line 1: changed after it was written"),
        (lambda text: text.replace(b'"seat":1', b'"seat":0', 1), "line 3: changed after it was written"),
        (lambda text: text[:-20], "cut off in the middle"),
        (lambda text: b"", "the record is empty"),
        (lambda text: b"not a record\n", "line 1: changed"),
        (lambda text: b"\xff\xfe" * 100, "line 1: cut off"),
    ],
)
def test_a_broken_record_gets_one_clear_sentence(
    fairplay: Fairplay, record: Path, damage: Callable[[bytes], bytes], sentence: str
) -> None:
    record.write_bytes(damage(record.read_bytes()))
    for option in ([], ["--verify"], ["--json"]):
        result = fairplay("replay", str(record), *option)
        assert result.exit_code == 1
        assert sentence in result.output
        assert "match-0001.jsonl" in result.output


def test_a_record_without_its_end_is_shown_but_not_called_consistent(fairplay: Fairplay, record: Path) -> None:
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:6]))
    assert "The record is cut off here." in fairplay("replay", str(record)).output
    result = fairplay("replay", str(record), "--verify")
    assert result.exit_code == 1
    assert "cut off" in result.output


def test_a_record_of_an_unknown_game_or_that_does_not_replay(fairplay: Fairplay, record: Path) -> None:
    from fairplay.match.record import Chain

    seal = len(Chain.SEAL % (b"0" * 32))
    for old, new, sentence in [(b'"fish"', b'"chess"', "there is no game 'chess'"), (b'"rows":4', b'"rows":5', "")]:
        chain, forged = Chain(), b""
        for line in record.read_bytes().splitlines(keepends=True):
            body = line[:-seal].replace(old, new) + b"}"
            chain.advance(body)
            forged += body[:-1] + Chain.SEAL % chain.hash
        path = record.with_name("forged.jsonl")
        path.write_bytes(forged)
        result = fairplay("replay", str(path))
        assert result.exit_code == 1
        assert sentence in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--at", "999"], 2, "this match has turns 0 to"),
        (["--at", "-1"], 2, "this match has turns 0 to"),
        (["--seat", "2", "--svg", "x.svg"], 2, "this match has seats 0 to 1, not 2"),
        (["--seat", "0", "--verify"], 2, "--seat: a record is verified as a whole; leave out --seat or --verify"),
        (["--svg", "no/such/folder.svg"], 1, "no/such/folder.svg: No such file or directory"),
    ],
)
def test_a_mistake_gets_one_clear_sentence(
    fairplay: Fairplay, record: Path, arguments: list[str], code: int, sentence: str
) -> None:
    result = fairplay("replay", str(record), *arguments)
    assert result.exit_code == code
    assert sentence in result.output


def test_no_such_record(fairplay: Fairplay) -> None:
    result = fairplay("replay", "nowhere.jsonl")
    assert result.exit_code == 2
    assert "there is no file nowhere.jsonl" in result.output


def test_stepping_through_with_keys(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fairplay.cli.matches import replay
    from fairplay.cli.matches.replay import load_match

    keys: Iterator[str] = iter(["\x1b[C", " ", "x", "\x1b[D", "G", "g", "q"])
    monkeypatch.setattr(click, "getchar", lambda: next(keys))
    monkeypatch.setattr(click, "clear", lambda: None)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    replay.step_through(load_match(str(record)), {})
    shown = [line.split(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("turn ")]
    last = shown[5].split()[-1]
    assert [line.split()[1] for line in shown] == ["0", "1", "2", "2", "1", last, "0"]


@pytest.mark.parametrize("version", ["0001", "0002"])
def test_records_from_before_there_were_signatures_are_consistent_and_not_signed(
    fairplay: Fairplay, tmp_path: Path, version: str
) -> None:
    shutil.copy(Path(__file__).parents[2] / "store" / "old" / f"{version}.sqlite", tmp_path / "old.db")
    result = fairplay("replay", "old.db#1/0", "--verify", "--house")
    assert result.exit_code == 0
    assert result.output.startswith("consistent, not signed: 12 turns of fish replay to the recorded outcome\n")
    assert "the record names no house players" in result.output
    report = json.loads(fairplay("replay", "old.db#1/0", "--json").output)
    assert (report["consistent"], report["signed"]) == (True, None)


ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


def hostile_record(path: Path) -> str:
    """A record whose players have names that steer a terminal; one of them is removed with such words as well."""

    def crash(view: object) -> None:
        raise RuntimeError(ESCAPES)

    lines: list[bytes] = []
    players = [House(crash), House(house_strategy(GAMES["fish"], "random", Random(1)))]
    names = (f"{ESCAPES}\nred", f"{ESCAPES}\nwhite")
    play_inline(record_match(GAMES["fish"], GAMES["fish"].quick, 7, names, lines.append), players)
    path.write_bytes(b"".join(lines))
    return str(path)


@pytest.mark.parametrize("options", [(), ("--text",), ("--at", "1"), ("--json",), ("--verify",)])
def test_no_escape_of_a_stranger_reaches_the_terminal(
    fairplay: Fairplay, tmp_path: Path, options: tuple[str, ...]
) -> None:
    output = fairplay("replay", hostile_record(tmp_path / "hostile.jsonl"), *options).output
    assert output and not any(each in output for each in ESCAPES if not each.isprintable())
    if options == ("--json",):
        assert json.loads(output)["players"][1] == f"{ESCAPES}\nwhite"
    if not options:
        assert r"\x1b]0;owned\x07" in output and "\nwhite" not in output


def test_what_is_no_record_is_told_apart(fairplay: Fairplay, tmp_path: Path) -> None:
    """Stumble 12: a store, a folder or the number of a tournament is not a damaged record."""
    assert fairplay("play", "fish", "random", "greedy", "--setup", '{"rows": 3, "columns": 4}').exit_code == 0
    (tmp_path / "records").mkdir()
    for name, said in {
        "fairplay.db": "fairplay.db is a store of many matches; `fairplay tournament list --db fairplay.db` lists",
        "records": "records is a folder; name a record in it, such as records/match-0001.jsonl",
        "1": "there is no file 1; match 0 of tournament 1 in the store is named 1/0",
    }.items():
        result = fairplay("replay", name)
        assert (result.exit_code, said in result.output) == (2, True), result.output


def test_house_players_say_what_they_thought(fairplay: Fairplay, toy_record: Path) -> None:
    text = fairplay("replay", str(toy_record), "--explain").output
    assert "75% (30 searched, 1 turn deep): 0,0" in text
    assert "it did something else then" not in text
    assert "75%" in fairplay("replay", str(toy_record), "--explain", "--at", "1").output
    events = json.loads(fairplay("replay", str(toy_record), "--explain", "--json").stdout)["events"]
    assert events[0]["thought"]["candidates"][0]["text"] == events[0]["text"]
    assert "thought" not in events[1]
    assert fairplay("replay", str(toy_record), "--explain", "--html", "x.html").exit_code == 2


def test_a_seat_is_told_its_own_thoughts_alone(fairplay: Fairplay, toy_record: Path) -> None:
    said = [fairplay("replay", str(toy_record), "--explain", "--seat", seat).output for seat in ("0", "1")]
    assert ["75%" in text for text in said] == [True, False]


def test_no_house_player_that_can_say_what_it_thought(fairplay: Fairplay, record: Path) -> None:
    assert (
        "no house player of this match can say what it thought" in fairplay("replay", str(record), "--explain").stderr
    )
