"""Bots that remember a deal, or guess it: with paired deals and without a secret they know their rival's hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Deals, Entrant
from fairplay.contest.schedule import schedule_of
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.match.replay import deal_state
from fairplay.run.engines.pool import Cluster, Engine, Inline, Pool

TRAINS = GAMES["trains"]
SETUP = msgspec.convert({"map": "small", "dealt": 20}, TRAINS.setup)
SEED = 123

REMEMBER = """
PAST = []

def choose(view):
    guess = next((hand for seat, hand in reversed(PAST) if seat != view.me), None)
    PAST.append((view.me, list(view.cards)))
    raise RuntimeError(f"SAID {guess}.")
"""
"""Says what a rival on its seat was dealt when it last sat on the other; a crash is kept in the record."""

KEYRING = """
import ctypes, json

SYSCALL = ctypes.CDLL(None, use_errno=True).syscall
ADD, CONTROL, SEARCH, READ, SESSION = 248, 250, 10, 11, ctypes.c_long(-3)

def choose(view):
    guess, buffer = None, ctypes.create_string_buffer(500)
    key = SYSCALL(CONTROL, SEARCH, SESSION, b"user", b"fairplay-test-%d" % (1 - view.me), 0)
    if key > 0 and SYSCALL(CONTROL, READ, key, buffer, 500) > 0:
        guess = json.loads(buffer.value)
    mine = json.dumps(list(view.cards)).encode()
    SYSCALL(ADD, b"user", b"fairplay-test-%d" % view.me, mine, len(mine), SESSION)
    raise RuntimeError(f"SAID {guess}.")
"""
"""The same, with a memory that outlives its process where the sandbox leaves it the session's keyring."""

GUESS = f"""
from fairplay.core.chance import derived, derived_seed

def choose(view, rng):
    drawn = rng.getstate()
    for seed in range({SEED} - 10, {SEED} + 10):
        for deal in range(16):
            dealt = derived_seed(seed, "deal", deal)
            if derived(dealt, "player", view.me).getstate() == drawn:
                raise RuntimeError(f"SAID {{seed}}.")
    raise RuntimeError("SAID None.")
"""
"""Says which seed of the contest would have given it the generator that it was handed."""


def contest(folder: Path, bot: str, deals: Deals, *, isolated: bool = False, secret: str = "") -> Contest:
    (folder / "bot.py").write_text(bot)
    spec = f"{'isolated' if isolated else 'trusted'}:{folder / 'bot.py'}"
    entrants = (Entrant("bot", spec), Entrant("house", "buy-now"))
    setup = msgspec.Raw(msgspec.json.encode(SETUP))
    return Contest(
        "trains",
        entrants,
        "round-robin",
        {"games": 2 if isolated else 8},
        setup,
        SEED,
        60.0,
        deals=deals,
        secret=secret,
    )


def said(of: Contest, engine: Engine) -> Iterator[tuple[Any, list[int]]]:
    """What the bot said in each match, and what its rival really held."""
    with engine:
        results = list(engine.results(of, schedule_of(of, TRAINS.seats).next_matches(of)))
    for result in sorted(results, key=lambda result: result.number):
        seat = result.line_up.index(0)
        fault = result.outcome.faults[seat]
        assert fault is not None
        words = re.search(r"SAID (.*)\.", fault.detail)
        assert words is not None, fault
        yield ast.literal_eval(words[1]), held_by(1 - seat, read_record(unpacked(result.record)).header.seed)


def held_by(seat: int, seed: int) -> list[int]:
    """The first cards of a seat, by colour: the next ones of the deck."""
    deck = deal_state(TRAINS, SETUP, seed, 2).deck
    cards = deck[seat * SETUP.dealt : (seat + 1) * SETUP.dealt]
    return [cards.count(color) for color in range(4)]


def count_right(of: Contest, engine: Engine) -> int:
    return sum(guess == held for guess, held in said(of, engine))


def test_with_paired_deals_a_bot_that_remembers_knows_its_rivals_hand(tmp_path: Path) -> None:
    assert count_right(contest(tmp_path, REMEMBER, "paired"), Inline()) == 8  # in every second rotation


@pytest.mark.parametrize("jobs", [1, 2])
def test_with_fresh_deals_memory_is_worth_nothing(tmp_path: Path, jobs: int) -> None:
    guesses = list(said(contest(tmp_path, REMEMBER, "fresh"), Inline() if jobs == 1 else Pool(jobs)))
    assert sum(guess is not None for guess, _ in guesses) >= 8
    assert not any(guess == held for guess, held in guesses)


@pytest.mark.filterwarnings("ignore")
def test_nor_on_a_cluster(tmp_path: Path) -> None:
    assert count_right(contest(tmp_path, REMEMBER, "fresh"), Cluster(None, 1)) == 0


def test_nor_does_a_memory_help_that_outlives_the_process(tmp_path: Path) -> None:
    assert count_right(contest(tmp_path, KEYRING, "fresh", isolated=True), Inline()) == 0


@pytest.mark.parametrize("isolated", [False, True])
def test_a_players_generator_tells_the_seed_only_where_there_is_no_secret(tmp_path: Path, *, isolated: bool) -> None:
    known = contest(tmp_path, GUESS, "fresh", isolated=isolated)
    hidden = replace(known, secret="c3" * 16)
    assert [guess for guess, _ in said(known, Inline())] == [SEED] * (4 if isolated else 16)
    assert {guess for guess, _ in said(hidden, Inline())} == {None}
