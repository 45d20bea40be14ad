"""Players that are programs: the same match as in this process, and what they took."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House, Misbehaved, Player
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.record import read_record
from fairplay.match.replay import record_match, replay_record, start_match
from fairplay.run.entrants import seat_entrant
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import Program, end_programs
from fairplay.run.isolation.sandbox import ProgramLimits
from run.programs import FISH, SMALL, Bots, alive, played


def record(name: str, specs: tuple[str, ...], prefix: str, setup: Any, seed: int = 7) -> list[bytes]:
    """The lines of one match, each player as `prefix` says."""
    game, lines = GAMES[name], list[bytes]()
    players = [seat_entrant(game, prefix + spec)(derived(seed, "player", seat)) for seat, spec in enumerate(specs)]
    end_programs(players, play_inline(record_match(game, setup, seed, specs, lines.append), players))
    return lines


@pytest.mark.parametrize(
    ("name", "specs", "variant"),
    [
        ("fish", ("random", "greedy", "minimax:depth=1"), "standard"),
        ("fish", ("random", "random", "random", "random"), "original"),
        ("labyrinth", ("random", "euclid", "riemann"), "plain"),
        ("labyrinth", ("random", "lookahead"), "original"),
        ("trains", ("random", "planner", "cheat"), "standard"),
    ],
)
def test_a_match_of_programs_is_the_match_of_their_strategies(name: str, specs: tuple[str, ...], variant: str) -> None:
    """Same seed, same strategies: the same record, byte for byte, in this process and in others."""
    setup = GAMES[name].variants[variant]
    inline, programs = record(name, specs, "", setup), record(name, specs, "isolated:", setup)
    assert programs == inline
    assert list(replay_record(GAMES[name], read_record(programs)))


def test_a_bot_file_plays_alike_in_a_process_of_its_own(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from fairplay.core.chance import choice\n"
        "from fairplay.games.fish.rules import legal_actions\n"
        "def choose(view, rng):\n"
        "    print('thinking')\n"
        "    return choice(rng, legal_actions(view))\n"
    )
    specs = (str(bot), "random")
    assert record("fish", specs, "isolated:", SMALL) == record("fish", specs, "", SMALL)


def test_both_ways_to_run_a_program_give_the_same_match(bots: Bots, confined: str) -> None:
    result = played(bots())
    assert result.outcome == play_inline(start_match(FISH, SMALL, 1, 2), [House(first), rival()])
    assert result.usage.sandboxed is (confined == "sandbox")


def first(view: Any) -> Any:
    return FISH.rules.legal_actions(view)[0]


def rival() -> Player:
    return House(house_strategy(FISH, "random", derived(1, "rival")))


def test_what_a_program_took_is_reported(bots: Bots) -> None:
    bot = bots("def misbehave(message):\n    time.sleep(0.02)\n    print('here I am', file=sys.stderr)\n")
    usage = played(bot).usage
    assert usage.name == "bot"
    assert usage.replies > 6
    assert usage.seconds >= 0.02 * usage.replies
    assert usage.slowest >= 0.02
    assert "here I am" in usage.stderr


def test_a_program_hears_the_outcome_and_ends_by_itself(bots: Bots) -> None:
    bot = bots("def misbehave(message):\n    if message['type'] == 'bye': print(line, file=sys.stderr); sys.exit(5)\n")
    program = Program(FISH, bot, 60.0, ProgramLimits(parting=60.0))
    outcome = play_inline(start_match(FISH, SMALL, 1, 2), [program, rival()])
    assert program.bye(outcome) == 5
    assert program.usage is not None
    assert '"ranking":' in program.usage.stderr
    assert not alive(bot)


def test_a_program_that_stays_is_ended(bots: Bots, confined: str) -> None:
    bot = bots("def misbehave(message):\n    if message['type'] == 'bye': time.sleep(600)\n")
    program = Program(FISH, bot, 60.0, ProgramLimits(parting=0.1))
    outcome = play_inline(start_match(FISH, SMALL, 1, 2), [program, rival()])
    assert program.bye(outcome) is None
    assert not alive(bot)


def test_a_program_thrown_out_is_ended_at_once_and_stays_out(bots: Bots) -> None:
    bot = bots("def choose(message):\n    return [7]\n")
    program = Program(FISH, bot, 60.0)
    outcome = play_inline(start_match(FISH, SMALL, 1, 2), [program, rival()])
    assert not alive(bot)
    assert outcome.faults[0] is not None
    with pytest.raises(Misbehaved) as again:
        program.hear(object())
    assert again.value.fault == outcome.faults[0]
    assert program.bye(outcome) is None


def test_a_forgotten_program_is_ended(bots: Bots, confined: str) -> None:
    bot = bots()
    program = Program(FISH, bot, 60.0)
    program.greet()
    del program
    gc.collect()
    assert not alive(bot)


def test_programs_do_not_outlive_a_referee_that_is_killed(bots: Bots, confined: str, tmp_path: Path) -> None:
    bot = bots()
    script = tmp_path / "referee.py"
    level = "process" if confined == "limits" else "sandboxed"
    script.write_text(
        "import sys, time\n"
        "from fairplay.catalog import GAMES\n"
        "from fairplay.run.isolation.program import Program\n"
        "from fairplay.run.isolation.command import parse_command\n"
        f"program = Program(GAMES['fish'], parse_command({' '.join(bot.arguments)!r}), 60.0, level={level!r})\n"
        "program.greet()\nprint('greeted', flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        assert referee.stdout.readline() == b"greeted\n"
        referee.kill()
    assert not alive(bot)


def test_a_long_question_is_written_while_the_program_reads_slowly(bots: Bots, confined: str) -> None:
    """Labyrinth's legal actions fill a pipe; a program that talks on standard error meanwhile blocks nobody."""
    labyrinth = GAMES["labyrinth"]
    bot = bots("def misbehave(message):\n    print('x' * 100000, file=sys.stderr)\n    time.sleep(0.01)\n")
    result = played(bot, game="labyrinth", setup=labyrinth.variants["plain"])
    assert result.outcome.faults[0] is None


def test_a_program_that_never_reads_is_out(bots: Bots) -> None:
    bot = bots(
        text='import time\nprint(\'{"type":"hello","version":1,"name":"x","games":["fish"]}\', '
        "flush=True)\ntime.sleep(600)\n"
    )
    result = played(bot, patience=0.5)
    assert result.outcome.faults[0] == Fault(FaultKind.TIMED_OUT, "no answer within 0.5 s")


def test_an_answer_in_pieces_is_an_answer(bots: Bots) -> None:
    """Abuse 1: cut at every byte."""
    bot = bots(
        "def say(**message):\n"
        "    for byte in json.dumps(message).encode() + b'\\n':\n"
        "        os.write(1, bytes([byte])); time.sleep(0.0001)\n"
    )
    assert played(bot).outcome == played(bots()).outcome


def test_no_descriptor_is_left_open(bots: Bots, confined: str) -> None:
    played(bots())
    before = len([*Path("/proc/self/fd").iterdir()])
    for changed in ("", "def choose(message):\n    return [7]\n", "def misbehave(message):\n    sys.exit(1)\n"):
        played(bots(changed))
    assert len([*Path("/proc/self/fd").iterdir()]) == before


def test_no_scratch_folder_is_left(bots: Bots, confined: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    bot = bots("def misbehave(message):\n    open(os.environ['TMPDIR'] + '/note', 'a').write('x')\n")
    assert played(bot).outcome.faults[0] is None
    assert not [*scratch.iterdir()]


def test_a_program_that_cannot_be_started_is_a_fault(bots: Bots) -> None:
    gone = replace(bots(), folder="/no/such/folder")
    result = Program(FISH, gone, 1.0)
    with pytest.raises(Misbehaved) as caught:
        result.greet()
    assert caught.value.fault.kind is FaultKind.CRASHED
    assert "No such file or directory" in caught.value.fault.detail
    assert result.usage is None
    result.close()


def test_farewell_without_an_outcome_ends_everything(bots: Bots) -> None:
    bot = bots()
    programs = [Program(FISH, bot, 1.0) for _ in range(2)]
    assert [usage is None for usage in end_programs([*programs, rival()], None)] == [False, False, True]
    assert not alive(bot)


def test_all_players_out_leaves_nobody_to_win(bots: Bots) -> None:
    """Abuse 35."""
    players = [Program(FISH, bots("def choose(message):\n    return [7]\n"), 60.0) for _ in range(3)]
    outcome = play_inline(start_match(FISH, SMALL, 1, 3), players)
    end_programs(players, outcome)
    assert outcome.winners == ()
    assert all(fault is not None for fault in outcome.faults)
