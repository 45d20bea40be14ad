"""`fairplay games`, `play` and `tournament`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.catalog import GAMES, built_in_games
from fairplay.cli.games import describe_game, read_descriptions
from kit import without_signature

Fairplay = Callable[..., Result]

BOT = """
from fairplay.games.fish import GAME

def choose(view):
    return GAME.rules.legal_actions(view)[0]
"""


def test_help_has_examples(fairplay: Fairplay) -> None:
    for arguments in (
        [],
        ["games"],
        ["play"],
        ["replay"],
        ["harness"],
        ["bench"],
        ["board"],
        ["keys"],
        ["keys", "show"],
        ["keys", "new"],
        ["tournament"],
        *(["tournament", name] for name in ("run", "resume", "show", "list", "matches", "faults", "delete", "import")),
    ):
        result = fairplay(*arguments, "--help")
        assert result.exit_code == 0
        assert "Examples:" in result.output
    assert fairplay("--version").output.startswith("fairplay ")


def test_what_lies_beside_the_command_is_what_the_games_say() -> None:
    again = "python -c 'from fairplay.cli.games import write_descriptions; write_descriptions()'"
    assert read_descriptions() == {name: describe_game(GAMES[name]) for name in built_in_games()}, again


def test_games_are_listed(fairplay: Fairplay) -> None:
    text = fairplay("games").output
    assert "fish" in text
    assert "2 to 4" in text
    assert "minimax[:depth=2]" in text
    assert "boards    coast, continent, small, tiny, vast" in text
    listed = {game["name"]: game for game in json.loads(fairplay("games", "--json").output)["games"]}
    assert listed["fish"]["variants"] == ["standard", "original"]
    assert listed["fish"]["boards"] == ["random", "small", "equal", "original"]
    assert listed["nim"]["boards"] == []
    assert listed["fish"]["strategies"][2] == {
        "name": "minimax",
        "about": "Zig-zag placement, then the search of Fish 8.3, `depth` own moves ahead.",
        "options": {"depth": 2},
    }


def test_the_same_seed_gives_the_same_match(fairplay: Fairplay, tmp_path: Path) -> None:
    arguments = ["play", "fish", "random", "greedy", "--seed", "7", "--json", "--out"]
    results = [json.loads(fairplay(*arguments, folder).output) for folder in ("a", "b")]
    first, second = (result["matches"][0] for result in results)
    assert without_signature(Path("a/match-0001.jsonl")) == without_signature(Path("b/match-0001.jsonl"))
    assert first["record"] != second["record"]
    assert first["ranking"] == second["ranking"]
    assert first["winners"] == ["greedy"]


def test_one_match_for_people(fairplay: Fairplay, tmp_path: Path) -> None:
    result = fairplay("play", "fish", "greedy", "random", "--seed", "7", "--variant", "original")
    assert result.exit_code == 0
    assert "greedy won" in result.output
    assert "seed 7" in result.output
    assert "Record: fairplay.db#1/0" in result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fairplay.db", "fairplay.db.key"]


def test_several_matches_are_dealt_from_the_following_seeds(fairplay: Fairplay, tmp_path: Path) -> None:
    several = json.loads(fairplay("play", "fish", "greedy", "random", "--seed", "7", "--games", "3", "--json").output)
    assert [match["seed"] for match in several["matches"]] == [7, 8, 9]
    last = json.loads(fairplay("play", "fish", "greedy", "random", "--seed", "9", "--json").output)
    assert last["matches"][0]["scores"] == several["matches"][2]["scores"]
    assert (
        "3 matches, seeds 7 to 9" in fairplay("play", "fish", "greedy", "random", "--seed", "7", "--games", "3").output
    )


def test_a_bot_of_ones_own(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(BOT)
    result = json.loads(fairplay("play", "fish", "my_bot.py", "my_bot.py:choose", "--seed", "1", "--json").stdout)
    assert result["matches"][0]["faults"] == [None, None]


def test_a_bot_that_crashes_stalls_or_cheats_is_out_and_its_author_reads_why(
    fairplay: Fairplay, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(
        "def crash(view): return {}['oops']\ndef stall(view):\n    while True: pass\ndef cheat(view): return 'win'\n"
    )
    for name, kind, word in [
        ("crash", "crashed", "oops"),
        ("stall", "timed-out", "0.1 s"),
        ("cheat", "malformed", "'win' is not an action"),
    ]:
        arguments = ["play", "fish", f"bad.py:{name}", "greedy", "--patience", "0.1"]
        text = fairplay(*arguments).output
        assert kind in text
        assert word in text
        assert "greedy won" in text
        match = json.loads(fairplay(*arguments, "--json").stdout)["matches"][0]
        assert match["faults"][0]["kind"] == kind
        assert match["winners"] == ["greedy"]


def test_what_a_bot_prints_does_not_mix_with_the_report(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(
        "print('hello')\n" + BOT.replace("    return", "    print('thinking')\n    return")
    )
    result = fairplay("play", "fish", "chatty.py", "random", "--json")
    match = json.loads(result.stdout)["matches"][0]
    assert match["faults"] == [None, None]
    assert match["programs"][0]["stderr"].startswith("hello\nthinking\n")
    result = fairplay("play", "fish", "chatty.py", "random", "--json", "--trust")
    assert json.loads(result.stdout)["matches"][0]["faults"] == [None, None]
    assert "thinking" in result.stderr


def test_a_setup_may_be_json_or_a_file(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text('{"board": [[1,2,3],[1,2,3],[1,2,3],[0,5]]}')
    for setup in ("board.json", '{"board": [[1,2,3],[1,2,3],[1,2,3],[0,5]]}'):
        result = json.loads(fairplay("play", "fish", "random", "random", "--setup", setup, "--json").output)
        assert result["setup"]["board"] == [[1, 2, 3], [1, 2, 3], [1, 2, 3], [0, 5]]
    original = fairplay("play", "fish", "random", "random", "--setup", '{"variant": "original"}', "--json")
    assert json.loads(original.output)["setup"]["variant"] == "original"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "random"], "there is no game 'chess'; there are: fish"),
        (["fish", "random", "nobody"], "fish has no strategy 'nobody'"),
        (["fish", "random"], "Fish is played by 2 to 4 seats, not 1"),
        (["fish", *["random"] * 5], "Fish is played by 2 to 4 seats, not 5"),
        (["fish", "random", "missing.py"], "there is no file missing.py"),
        (["fish", "random", "random", "--variant", "blitz"], "fish has no variant 'blitz'; it has standard, original"),
        (
            ["fish", "random", "random", "--setup", '{"rows": 2, "columns": 3}'],
            "6 tiles are too few for the 8 penguins",
        ),
        (["fish", "random", "random", "--setup", '{"rows": 0}'], "Expected int >= 1 at $.rows"),
        (["fish", "random", "random", "--setup", '{"rowz": 1}'], "unknown field rowz"),
        (["fish", "random", "random", "--setup", '{"variant": "x"}'], "Invalid enum value 'x' at $.variant"),
        (["fish", "random", "random", "--setup", '{"rows": '], "--setup: malformed JSON"),
        (["fish", "random", "random", "--setup", '{"a":' * 100_000], "--setup: malformed JSON"),
        (["fish", "random", "random", "--setup", "nowhere.json"], "nowhere.json is neither a JSON object nor a file"),
        (["fish", "random", "random", "--setup", "list.json"], "list.json: expected a JSON object"),
        (["fish", "random", "random", "--setup", "binary.json"], "it is not UTF-8 text"),
        (["fish", "random", "random", "--patience", "0"], "must be more than 0 seconds"),
        (["fish", "random", "random", "--seed", str(2**70)], "at most 64 bits"),
        (["fish", "random", "random", "--out", "held"], "held already holds match-0001.jsonl"),
        (["fihs", "random", "random"], "did you mean 'fish'?"),
        (["fish", "random", "greddy"], "did you mean 'greedy'?"),
        (["fish", "random", "minimax:dept=1"], "did you mean 'depth='?"),
        (["fish", "random", "random", "--variant", "orignal"], "did you mean 'original'?"),
        (["trains", "planner", "planner", "--board", "smal"], "did you mean 'small'?"),
        (["fish", "random", "random", "--setup", '{"row": 1}'], "there are variant, rows, columns, fish, holes"),
        (["fish", "random", "bot.js"], "did you mean 'cmd:node bot.js'?"),
        (["fish", "random", "held"], "held is a folder; name a bot file in it"),
        (["fish", "random", "nowhere.js"], "there is no file nowhere.js"),
        (["fish", "random", "native.py"], "if it speaks the native protocol by itself: 'cmd:python3 native.py'"),
        (["fish"], "Missing argument"),
        (["fish", "random", "random", "--games", "0"], "--games"),
    ],
)
def test_a_mistake_gets_one_clear_sentence_and_leaves_nothing(
    fairplay: Fairplay, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    (tmp_path / "bot.js").write_text("")
    (tmp_path / "native.py").write_text("def main(): print({'type': 'hello'})\n")
    (tmp_path / "held").mkdir()
    (tmp_path / "held" / "match-0001.jsonl").write_text("precious")
    result = fairplay("play", *arguments)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "fairplay.db").exists()
    assert (tmp_path / "held" / "match-0001.jsonl").read_text() == "precious"


def test_a_folder_that_cannot_be_made_is_a_failure(fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = fairplay("play", "fish", "random", "random", "--out", "file/inside")
    assert result.exit_code == 1
    assert "Not a directory" in result.output


def test_a_command_that_was_mistyped_is_suggested(fairplay: Fairplay) -> None:
    for words, meant in {("pla", "fish"): "play", ("tournament", "rnu"): "run"}.items():
        result = fairplay(*words)
        assert result.exit_code == 2
        assert f"id you mean '{meant}'?" in result.output


def test_words_of_several_lines_stay_below_their_row(fairplay: Fairplay) -> None:
    """Stumble 13: what a crashed bot says does not break the table, which fits 80 columns."""
    Path("bot.py").write_text("def choose(view):\n    raise ValueError('one\\ntwo ' + 'and more ' * 20)\n")
    lines = fairplay("play", "fish", "bot.py", "random", "--trust", "--seed", "1", "--no-store").stdout.splitlines()
    assert lines[0].startswith(" -. bot.py  red      crashed: ValueError: one")
    rest = lines[1 : lines.index(next(line for line in lines if line.startswith(" 1. random")))]
    assert rest[0].startswith("      two and more") and all(line.startswith("      ") for line in rest)
    assert max(map(len, lines)) <= 80


def test_strict_says_with_its_exit_code_that_a_player_was_thrown_out(fairplay: Fairplay) -> None:
    """Stumble 9; a file that cannot even be loaded is refused beforehand."""
    Path("bot.py").write_text("def choose(view):\n    return 1 / 0\n")
    arguments = ("play", "fish", "bot.py", "random", "--trust", "--seed", "1", "--no-store")
    assert fairplay(*arguments).exit_code == 0
    result = fairplay(*arguments, "--strict", "--games", "2")
    assert (result.exit_code, "thrown out: bot.py" in result.stderr) == (1, True)
    assert fairplay("play", "fish", "greedy", "random", "--strict", "--seed", "1", "--no-store").exit_code == 0
