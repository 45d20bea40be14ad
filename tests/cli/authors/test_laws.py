"""`fairplay laws`: a game from outside keeps them, and one that is broken is told which law it breaks, and how."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairplay.cli import root
from faulty_games import CHANCE_PATHS
from kit import TESTS

GAMES = '''
"""Nim, stripped down or broken."""

from dataclasses import replace
from random import SystemRandom
from types import SimpleNamespace

import nim
from fairplay.core import Parts, Picture, Shown, UsageError, WireError
from fairplay.core.shown import Choice, PartialMove
from fairplay.testing import Kit
from msgspec.structs import replace as put
from nim import rules

NIM = {name: getattr(rules, name) for name in dir(rules) if not name.startswith("_")}


KIT = Kit(longest=100)


def strip(name, clicks=None, **functions):
    def picture(shown, last=None, *, open=False, seats=True, lit=(), chosen=()):
        return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}-board"/>')

    players = replace(nim.GAME.players, ladder={}, reviewer="")
    shown, book = Shown(picture=picture, clicks=clicks), SimpleNamespace(**{**NIM, **functions})
    return replace(nim.GAME, name=name, rules=book, players=players, shown=shown, parts=Parts())


def to_move(state):
    return rules.to_move(state) if len(state.seats) > 1 else None


def legal_actions(view):
    return rules.legal_actions(view) if to_move(view.state) == view.me else ()


def why_illegal(view, action):
    return rules.why_illegal(view, action) if to_move(view.state) == view.me else "it is not your turn"


def scores(state):
    return {seat: (int(len(state.seats) == 1 or seat == state.last),) for seat in sorted(state.seats)}


def buttons(view, clicked, last=None):
    takes = {f"take={each.heap}-{each.matches}": each for each in legal_actions(view)}
    if not takes:
        raise UsageError("it is not your turn")
    if not clicked:
        return PartialMove("Take some.", tuple(Choice(key, key) for key in takes))
    if len(clicked) > 1 or clicked[0] not in takes:
        raise WireError("expected a click on a button")
    return takes[clicked[0]]


BARE = strip("bare", buttons, to_move=to_move, legal_actions=legal_actions, why_illegal=why_illegal, scores=scores)

IMAGINES = strip("imagines", imagine=lambda view, rng: put(view.state, last=0))
CARELESS = strip("careless", start=lambda setup, seats, rng: rules.start(setup, seats, SystemRandom()))
STAYS = strip("stays", remove=lambda state, seat: state)
ENDLESS = strip("endless", apply=lambda state, action: put(rules.apply(state, action), heaps=state.heaps))
ALLOWS = strip("allows", why_illegal=lambda view, action: None)
FORBIDS = strip("forbids", why_illegal=lambda view, action: "no")


def fail(state, action):
    return put(rules.apply(state, action), last=[0, 1, 2][state.turn_number])


FAILS = strip("fails", apply=fail)


def never(setup, seats, rng):
    raise KeyError("no deal")


NEVER = strip("never", start=never)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package that brings these games, as if it were installed."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "toys_of_others.py").write_text(GAMES, "utf-8")
    metadata = folder / "toys-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n", "utf-8")
    names = [name.lower() for name in re.findall(r"^([A-Z]+) = strip\(", GAMES, re.MULTILINE)]
    points = "\n".join(f"{name} = toys_of_others:{name.upper()}" for name in names)
    (metadata / "entry_points.txt").write_text(f"[fairplay.games]\n{points}\n", "utf-8")
    return folder


Laws = Callable[..., subprocess.CompletedProcess[str]]

COMMAND = "from fairplay.cli import main; main()"

TRY = """
import sys, msgspec
from fairplay.testing.report import try_laws
for game, law in msgspec.json.decode(sys.argv[1]):
    print(msgspec.json.encode(try_laws(game, 1, law)).decode())
"""
"""The laws tried on several games, one after the other, without a process for each."""


def run_python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), CHANCE_PATHS])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture
def laws(folder: Path) -> Laws:
    """`fairplay laws`, in a process of its own."""
    return lambda *arguments: run_python(folder, COMMAND, "laws", *arguments)


def try_laws(folder: Path, tried: list[tuple[str, str]]) -> list[Any]:
    """What is found out about each game by the laws whose name contains some words."""
    done = run_python(folder, TRY, json.dumps(tried))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_game_from_outside_keeps_the_laws(laws: Laws) -> None:
    done = laws("nim", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Not tried: 18 laws about chance_rules, parts.editor, ")
    assert re.search(r"\nnim keeps \d\d laws \(seed 1\)\.\n$", done.stdout)


def test_a_game_with_chance_after_the_deal_keeps_the_laws(laws: Laws) -> None:
    done = laws("pig", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\npig keeps 50 laws (seed 1).\n") and "chance_rules" not in done.stdout


def test_a_game_may_lack_much_and_keep_the_laws(laws: Laws) -> None:
    """Counts and illegal actions, and a picture in which anything can be clicked; it ends when one seat is left."""
    done = laws("bare", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nNot tried: 1 law: its kit counts no sequences of actions.\nbare keeps 43 laws (seed 1).\n" in done.stdout


BROKEN = {
    "imagines": "an imagined state looks the same",
    "careless": "the same seed gives the same match and old states never change",
    "stays": "a removed seat is never asked nor scored again",
    "allows": "every class of illegal actions is refused with a reason",
    "forbids": "whoever is to move can move and only legally",
}


def test_a_broken_rule_book_is_named_by_the_law_it_breaks(folder: Path) -> None:
    """With a counterexample that comes again with its seed."""
    *found, again = try_laws(folder, [*BROKEN.items(), ("imagines", BROKEN["imagines"])])
    assert again == found[0]
    for game, document in zip(BROKEN, found, strict=True):
        (broken,) = document["broken"]
        assert broken["law"] == BROKEN[game] and broken["meaning"].endswith(".") and not document["kept"]
        assert "assert" in broken["problem"] and not broken["place"], game
        assert broken["matches"][-1]["setup"] == {"variant": "standard", "heaps": 3}


def test_the_report_tells_the_law_its_meaning_and_the_shortest_counterexample(laws: Laws) -> None:
    done = laws("imagines", "--seed", "2", "--law", "looks the same")
    assert done.returncode == 1
    first, last = done.stdout.split("\n\n")
    assert first.startswith("1. an imagined state looks the same\n   it means:  `view` of what `imagine` makes")
    assert "assert rules.view(imagined, seat) == view\n" in first
    assert "\n   match:     2 seats, variant standard, heaps 3, deal 0\n              no turn yet\n" in first
    assert first.endswith("\n   again:     fairplay laws imagines --law 'an imagined state looks the same' --seed 2")
    assert "0x" not in first, "no address that differs from run to run"
    assert last.endswith("\nimagines breaks 1 of 1 law (seed 2).\n")


def test_an_error_has_its_place_and_is_told_once(laws: Laws) -> None:
    done = laws("fails", "--seed", "1", "--law", "legal")
    assert done.returncode == 1
    assert done.stdout.count("IndexError: list index out of range") == 1
    line = 1 + next(number for number, line in enumerate(GAMES.splitlines()) if "[state.turn_number]" in line)
    assert f"   at:        toys_of_others.py:{line} in fail\n" in done.stdout
    assert "\n   so too:    " in done.stdout


def test_matches_without_an_end_keep_no_other_law_waiting(laws: Laws) -> None:
    done = laws("endless", "--seed", "1")
    assert done.returncode == 1
    assert "1. random play ends and keeps the invariant\n" in done.stdout
    assert "no end after 100 turns" in done.stdout and "laws: matches do not end.\n" in done.stdout


def test_a_game_that_cannot_be_dealt_is_told_so(laws: Laws) -> None:
    done = laws("never")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "Error: the rule book of never fails before any law is tried: KeyError: 'no deal', at "
    )
    assert done.stderr.endswith(" in never\n")


def test_what_is_asked_for_must_be_there(laws: Laws) -> None:
    done = laws("nim", "--law", "an imagined state look")
    assert done.returncode == 0 and "nim keeps 1 law " in done.stdout
    done = laws("nim", "--law", "an imagined state loks the same")
    assert done.returncode == 2
    assert (
        "there is no law 'an imagined state loks the same'; did you mean 'an imagined state looks the same'?"
        in done.stderr
    )


def test_without_the_extra_the_line_to_install_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.setitem(sys.modules, "numba", None)
    result = CliRunner().invoke(root, ["laws", "nim"])
    assert result.exit_code == 2
    assert result.output == "Error: the laws need what the extra 'laws' brings: pip install hypothesis numba\n"


def test_pytest_tries_the_laws_beside_other_tests(folder: Path) -> None:
    (folder / "test_own.py").write_text("def test_own():\n    pass\n", "utf-8")
    run = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
    options = [
        "-p",
        "fairplay.testing.plugin",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-v",
        "-k",
        "own or imagined",
    ]
    done = run_python(folder, run, *options, "--laws-of", "imagines", "--laws-of", "bare", "test_own.py")
    assert done.returncode == 1
    results = re.findall(r"::(test_\w+(?:\[\w+\])?) ([A-Z]+)", done.stdout)
    law = "test_an_imagined_state_looks_the_same"
    assert {("test_own", "PASSED"), (f"{law}[imagines]", "FAILED"), (f"{law}[bare]", "PASSED")} <= {*results}
    assert "assert rules.view(imagined, seat) == view" in done.stdout


def test_nothing_is_left_in_the_folder_of_the_author(tmp_path: Path) -> None:
    example = TESTS.parent / "examples" / "connect_four.py"
    done = run_python(tmp_path, COMMAND, "laws", str(example), "--law", "elsewhere")
    assert done.returncode == 0, done.stdout
    assert [*tmp_path.iterdir()] == []


def test_a_game_that_is_one_file_may_have_its_kit_in_it(laws: Laws, tmp_path: Path) -> None:
    example = (TESTS.parent / "examples" / "connect_four.py").read_text("utf-8")
    counts = 'KIT = Kit(perft=[Perft(Table("standard", 2), 1, (7, 49, {}))])\n'
    file = tmp_path / "four.py"
    for counted, code in ((343, 0), (342, 1)):
        more = f"\n\nfrom fairplay.testing import Kit, Perft, Table\n\n{counts.format(counted)}"
        file.write_text(example + more, "utf-8")
        done = laws(str(file), "--law", "perft", "--seed", "1")
        assert done.returncode == code, done.stdout
    assert "with seed 1 after 0 turns at depth 3\n" in done.stdout
    assert f"\n   again:     fairplay laws {file} --law 'perft' --seed 1\n" in done.stdout


def test_an_unknown_game_is_refused() -> None:
    result = CliRunner().invoke(root, ["laws", "chess"])
    assert result.exit_code == 2
    assert "there is no game 'chess'" in result.output
