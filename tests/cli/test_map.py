"""`fairplay map`: making, checking and drawing maps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fairplay.cli.map import map_group
from fairplay.core import UsageError
from fairplay.games.trains.map import build_network
from fairplay.games.trains.map_files import MAPS, map_from_json

Fairplay = Callable[..., Result]


def ran(*arguments: str) -> Result:
    result = CliRunner().invoke(map_group, arguments)
    if isinstance(result.exception, UsageError):
        return result
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_new_map_is_valid_seats_eight_and_is_fixed_by_its_seed(tmp_path: Path) -> None:
    out = tmp_path / "new.json"
    assert ran("new", "--cities", "12", "--seed", "7", "--out", str(out)).exit_code == 0
    printed = ran("new", "--cities", "12", "--seed", "7").output
    assert printed == out.read_text("utf-8")
    assert printed != ran("new", "--cities", "12", "--seed", "8").output
    assert build_network(map_from_json(json.loads(printed))).destination_count >= 19
    checked = ran("check", str(out))
    assert (checked.exit_code, "12 cities, 66 destinations, seats up to 8" in checked.output) == (0, True)


def test_what_is_wrong_is_listed_with_its_place(tmp_path: Path) -> None:
    value: Any = json.loads(ran("new", "--cities", "7", "--seed", "1").output)
    value["width"] = 5
    value["cities"][1][0] = value["cities"][0][0]
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(value))
    checked = ran("check", str(file))
    assert checked.exit_code == 1
    assert "$.connections" in checked.output or "$.width: width 5 is not between 10 and 800" in checked.output
    assert "flaw" in checked.output


def test_a_map_too_small_for_a_game_says_so(tmp_path: Path) -> None:
    file = tmp_path / "small.json"
    file.write_text('{"width":10,"height":10,"cities":[],"connections":{}}')
    assert "too few destinations for a game" in ran("check", str(file)).output


@pytest.mark.parametrize("name", list(MAPS))
def test_packaged_maps_can_be_checked_and_drawn(name: str, tmp_path: Path) -> None:
    assert ran("check", name).exit_code == 0
    out = tmp_path / "map.svg"
    assert ran("draw", name, "--svg", str(out)).exit_code == 0
    assert out.read_text("utf-8").startswith("<svg")
    assert ran("draw", name).output.strip() == out.read_text("utf-8")


def test_the_list_names_every_map() -> None:
    listed = ran("list").output
    assert all(name in listed for name in MAPS)
    assert "up to 6 seats" in listed


def test_what_is_not_there_or_no_json_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for arguments, reason in [
        (("check", str(tmp_path / "nowhere.json")), "there is no file"),
        (("draw", str(broken)), "malformed JSON"),
        (("new", "--cities", "3"), "7 to 300 cities"),
    ]:
        result = ran(*arguments)
        assert isinstance(result.exception, UsageError)
        assert reason in str(result.exception)


def test_maps_for_programs(fairplay: Fairplay) -> None:
    assert [each["name"] for each in json.loads(fairplay("map", "list", "--json").output)][:2] == ["coast", "continent"]
    assert json.loads(fairplay("map", "check", "small", "--json").output) == {
        "map": "small",
        "valid": True,
        "flaws": [],
    }
    Path("bad.json").write_text('{"width": 5, "height": 100, "cities": [], "connections": {}}')
    result = fairplay("map", "check", "bad.json", "--json")
    assert result.exit_code == 1
    assert json.loads(result.output)["flaws"][0]["at"] == "$.width"


def test_a_match_on_a_map(fairplay: Fairplay) -> None:
    fairplay("map", "new", "--cities", "12", "--seed", "1", "--out", "mine.json")
    for map in ("mine.json", "tiny"):
        result = fairplay(
            "play", "trains", "buy-now", "hold-10", "--map", map, "--seed", "1", "--setup", '{"rails": 20}', "--json"
        )
        assert json.loads(result.output)["setup"]["rails"] == 20
    Path("torn.json").write_text("{")
    for map, sentence in [
        ("torn.json", "torn.json: malformed JSON"),
        ("bad.json", "bad.json: "),
        ("nowhere", "there is no map 'nowhere'"),
    ]:
        Path("bad.json").write_text('{"width": 5, "height": 100, "cities": [], "connections": {}}')
        result = fairplay("play", "trains", "buy-now", "hold-10", "--map", map)
        assert result.exit_code == 2
        assert sentence in result.output
    assert "fish has no maps" in fairplay("play", "fish", "random", "random", "--map", "tiny").output
