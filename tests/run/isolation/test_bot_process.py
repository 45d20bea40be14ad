"""Players of ours as programs of the native protocol."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, cast

import pytest

from fairplay.catalog import GAMES
from fairplay.core import House, Misbehaved, Seat, UsageError
from fairplay.core.chance import derived
from fairplay.match import protocol
from fairplay.match.players import house_strategy
from fairplay.match.protocol import Conversation
from fairplay.match.replay import start_match
from fairplay.run.entrants import seat_entrant, start_program
from fairplay.run.inline import play_inline
from fairplay.run.isolation.bot_process import VERSION, decode_generator, speak_for
from fairplay.run.isolation.command import encode_generator
from fairplay.run.isolation.program import Program, end_programs
from run.programs import FISH, SMALL


def test_chance_goes_on_where_it_was() -> None:
    rng = Random(5)
    rng.getrandbits(99)
    copy = decode_generator(encode_generator(rng))
    assert [copy.getrandbits(64) for _ in range(700)] == [rng.getrandbits(64) for _ in range(700)]


def question() -> bytes:
    talk = Conversation(FISH)
    return talk.ask(FISH.rules.view(FISH.rules.start(SMALL, 2, derived(1)), Seat(0)), 3.0)


def said(choose: Any, *lines: bytes) -> list[Any]:
    out = BytesIO()
    speak_for("fish", FISH.codec, House(choose), "me", BytesIO(b"".join(lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_it_says_hello_hears_and_answers_until_the_end() -> None:
    tell = b'{"type":"tell","id":1,"deadline":1.0,"news":{"news":"PlayingAs","me":0}}\n'
    lines = said(lambda view: FISH.rules.legal_actions(view)[0], tell, question(), b'{"type":"bye"}\n', question())
    assert lines == [
        {"type": "hello", "version": 1, "name": "me", "games": ["fish"]},
        {"type": "heard", "id": 1},
        {"type": "answer", "id": 1, "action": {"do": "place", "at": [0, 0]}},
    ]


@pytest.mark.parametrize("returned", [None, object(), {1: 2}, float("nan")])
def test_what_is_no_action_is_sent_as_it_is_or_as_nothing(returned: Any) -> None:
    answer = said(lambda view: returned, question())[-1]
    assert answer["type"] == "answer"
    with pytest.raises(Misbehaved):
        talk = Conversation(FISH)
        talk.ask(FISH.rules.view(FISH.rules.start(SMALL, 2, derived(1)), Seat(0)), 3.0)
        talk.reply(json.dumps(answer).encode())


def test_a_crash_ends_it() -> None:
    def crash(view: Any) -> Any:
        raise ValueError("my own mistake")

    with pytest.raises(Misbehaved, match="ValueError: my own mistake"):
        said(crash, question())


def run_program(file: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    codec = cast("ModuleType", FISH.codec).__name__
    arguments = [sys.executable, "-m", "fairplay.run.isolation.bot_process", "fish", codec, file, ""]
    return subprocess.run(arguments, input=given, capture_output=True, timeout=300)


def test_as_a_program_it_keeps_the_standard_streams_to_itself(tmp_path: Path) -> None:
    """What a bot prints goes to standard error, also when it goes around Python; it cannot read the questions."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\nfrom fairplay.games.fish.rules import legal_actions\n"
        "def choose(view):\n"
        "    print('hello')\n    os.write(1, b'world\\n')\n    assert os.read(0, 10) == b''\n"
        "    return legal_actions(view)[0]\n"
    )
    ran = run_program(str(bot), encode_generator(Random(1)) + question() + b'{"type":"bye"}\n')
    assert (ran.returncode, len(ran.stdout.splitlines())) == (0, 2), ran.stderr
    assert {*ran.stderr.split()} == {b"hello", b"world"}


def test_a_player_that_is_none_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    ran = run_program(str(tmp_path / "missing.py"), encode_generator(Random(1)))
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"Error: ")
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("isolated:missing.py", "missing.py: there is no file missing.py"),
        ("isolated:grandmaster", "fish has no strategy 'grandmaster'"),
        ("cmd:", "cmd: needs a program"),
    ],
)
def test_a_wrong_spec_is_found_before_the_first_match(spec: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        seat_entrant(FISH, spec)


def test_an_isolated_file_is_not_loaded_here(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.modules['loaded_in_this_process'] = sys\nraise SystemExit\n")
    player = seat_entrant(FISH, f"isolated:{bot}")(Random(1))
    assert isinstance(player, Program)
    with pytest.raises(Misbehaved) as caught:
        player.greet()
    assert "the file cannot be loaded" in caught.value.fault.detail
    assert "loaded_in_this_process" not in sys.modules


def test_it_speaks_the_version_that_the_referee_expects() -> None:
    assert VERSION == protocol.VERSION


MODULES = (
    "import sys\nfrom fairplay.games.{game}.rules import legal_actions\nknown = set()\n"
    "def choose(view):\n"
    "    print(*sorted(set(sys.modules) - known), file=sys.stderr)\n    known.update(sys.modules)\n"
    "    return legal_actions(view)[0]\n"
)


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_a_bot_imports_msgspec_and_the_values_and_rules_of_its_game(tmp_path: Path, game: str) -> None:
    (tmp_path / "bot").mkdir()
    bot = tmp_path / "bot" / "bot.py"
    bot.write_text(MODULES.format(game=game))
    found = GAMES[game]
    player = start_program(found, f"isolated:{bot}")(Random(1))
    rival = House(house_strategy(found, "random", Random(2)))
    outcome = play_inline(start_match(found, next(iter(found.variants.values())), 1, 2), [player, rival])
    (usage,) = end_programs([player], outcome)
    assert outcome.faults[0] is None and usage is not None
    loaded = [name for name in usage.stderr.split() if "/" not in name]  # the module of the file itself
    ours = {name for name in loaded if name.startswith("fairplay")}
    common = {
        "",
        ".core",
        ".core.*",
        ".games",
        ".match",
        ".match.calls",
        ".run",
        ".run.bot_files",
        ".run.bots",
        ".run.isolation",
    }
    common |= {".run.isolation.bot_process", f".games.{game}", f".games.{game}.*"}
    assert [name for name in ours if not any(fnmatch(name, f"fairplay{each}") for each in common)] == []
    assert not [name for name in ours if re.search(r"drawing|established|players|words|picture\\.|game$", name)]
    others = {name.partition(".")[0] for name in loaded} - {"fairplay", "msgspec", "bot"}
    assert others <= sys.stdlib_module_names | {"__main__"}
    slow = {"asyncio", "dataclasses", "hashlib", "inspect", "logging", "pathlib", "pickle", "subprocess", "threading"}
    assert not slow & others
