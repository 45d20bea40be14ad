"""Golden playthroughs: whole matches in words, kept as text and reviewed as diffs; and many more as their digests.

After a change that is meant to alter them: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_golden.py``.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import House, Removed, Seat
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.core.game import established_of
from fairplay.match.calls import call_player
from fairplay.match.players import house_strategy
from fairplay.match.referee import Ask, Report, Tell
from fairplay.match.replay import record_match, start_match
from fairplay.run.inline import play_inline

GOLDEN = Path(__file__).parent / "golden"

WRITING = os.environ.get("FAIRPLAY_GOLDEN") == "write"

MATCHES = sorted(path.stem for path in GOLDEN.glob("*.json"))
"""Each ``golden/<name>.json`` says what to play, ``golden/<name>.txt`` what must come of it."""


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    players: list[str]
    seed: int
    setup: dict[str, Any] = {}


def playthrough(plan: Plan) -> str:
    """Every order with its reply, the table now and then, and the outcome."""
    game = GAMES[plan.game]
    setup = msgspec.convert(plan.setup, game.setup)
    players = [
        House(house_strategy(game, spec, derived(plan.seed, "player", seat))) for seat, spec in enumerate(plan.players)
    ]
    orders, reply = start_match(game, setup, plan.seed, len(players)), None
    lines, turns = [f"{plan.game}: {', '.join(plan.players)}, seed {plan.seed}"], 0
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            return "\n".join([*lines, "", *ended(game, done.value)]) + "\n"
        reply = None
        if isinstance(order, Ask):
            reply = call_player(players[order.seat].choose, order.view)
        elif isinstance(order, Tell):
            call = established_of(game).wire.spell_news(order.news)
            said = text(call) if call else "nothing"
            lines.append(
                f"     {game.words.seat_name(order.seat)} is told {said if len(said) < 110 else said[:107] + '...'}"
            )
        elif isinstance(order, Report):
            turns += 1
            event = order.event
            removal = f"{event.seat} is removed: {event.fault.detail}" if isinstance(event, Removed) else ""
            lines.append(f"{turns:4} {removal or game.words.describe_open_turn(event)}")
            if turns % 10 == 0:
                lines += ["", *(f"     {line}" for line in game.words.board(event.after).splitlines()), ""]


def ended(game: Any, outcome: Any) -> list[str]:
    tiers = [", ".join(game.words.seat_name(Seat(seat)) for seat in tier) for tier in outcome.ranking]
    return [
        f"{outcome.ending}",
        *(f"{place}. {tier or '(nobody)'}" for place, tier in enumerate(tiers, 1)),
        f"scores {outcome.scores}",
    ]


@pytest.mark.parametrize("name", MATCHES)
def test_golden_playthrough(name: str) -> None:
    plan = msgspec.json.decode((GOLDEN / f"{name}.json").read_bytes(), type=Plan)
    played, kept = playthrough(plan), GOLDEN / f"{name}.txt"
    if WRITING:
        kept.write_text(played, "utf-8")
    assert played == kept.read_text("utf-8")


def test_every_game_has_a_golden_playthrough() -> None:
    plans = [msgspec.json.decode((GOLDEN / f"{name}.json").read_bytes(), type=Plan) for name in MATCHES]
    assert {plan.game for plan in plans} >= set(GAMES) - {"nim"}


class Played(Plan):
    """What came of a plan: the scores, and a digest of every byte of the record."""

    scores: list[tuple[int, ...] | None] = []
    digest: str = ""


MANY = [msgspec.json.decode(line, type=Played) for line in (GOLDEN / "many.jsonl").read_bytes().splitlines()]


def again(plan: Played) -> Played:
    game, lines = GAMES[plan.game], list[bytes]()
    players = [
        House(house_strategy(game, spec, derived(plan.seed, "player", seat))) for seat, spec in enumerate(plan.players)
    ]
    setup = msgspec.convert(plan.setup, game.setup)
    outcome = play_inline(record_match(game, setup, plan.seed, tuple(plan.players), lines.append), players)
    digest = sha256(b"".join(lines)).hexdigest()
    return Played(plan.game, plan.players, plan.seed, plan.setup, list(outcome.scores), digest)


@pytest.mark.parametrize("plan", MANY, ids=lambda plan: f"{plan.game}-{plan.seed}")
def test_a_match_of_many_is_played_as_ever(plan: Played) -> None:
    assert again(plan) == plan or WRITING


def test_many_matches_are_kept_of_every_house_player() -> None:
    if WRITING:
        (GOLDEN / "many.jsonl").write_bytes(b"".join(msgspec.json.encode(again(plan)) + b"\n" for plan in MANY))
    for game in (GAMES[name] for name in GAMES if name != "nim"):
        specs = {spec.partition(":")[0] for plan in MANY if plan.game == game.name for spec in plan.players}
        assert specs == set(game.players.strategies)
