"""Change only what a seat may not know: nothing it gets may change, not a byte."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.testing.defaults import hides_something, list_tables
from fairplay.testing.kit import CompleteKit
from fairplay.testing.walks import Walk, kit, walk


def _list_sent(found: Walk, state: Any, seat: Seat) -> list[object]:
    """All that reaches `seat` in `state`, as values and as bytes."""
    game = found.game
    view = game.rules.view(state, seat)
    sent: list[object] = [view, hash(view), repr(view), text(game.codec.view_to_json(view)), game.shown.picture(view)]
    sent.append(game.words.facts(view))
    sent.append(game.shown.cards(view) if game.shown.cards else ())
    if game.rules.to_move(state) == seat:
        sent.append(game.rules.legal_actions(view))
        if game.parts.established is not None:
            sent.append(text(game.parts.established.wire.spell_question(view)))
    return sent


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 20))
def test_hidden_changes_are_invisible(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """If only what a seat may not know is changed, nothing that it gets changes, not a byte."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    for seat in found.seats:
        other = kit(name).scramble(found.state, seat, derived(seed, "scramble"))
        assert _list_sent(found, other, seat) == _list_sent(found, found.state, seat)


def _list_watched(found: Walk, state: Any) -> list[object]:
    """All that everybody may see of a match that is not over."""
    cards = found.game.shown.cards(state) if found.game.shown.cards else ()
    return [found.game.shown.picture(state), found.game.words.facts(state), cards]


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 20))
def test_watchers_see_nothing_hidden_while_a_match_runs(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """If only what is hidden from watchers is changed, the picture, the facts and the cards stay the same."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    if found.game.rules.to_move(found.state) is not None:
        other = kit(name).scramble(found.state, None, derived(seed, "scramble"))
        assert _list_watched(found, other) == _list_watched(found, found.state)


def _disguise_turn(kit: CompleteKit, turn: Turn[Any, Any], to: Seat | None, rng: Random) -> Turn[Any, Any]:
    """The same turn with everything changed that `to` may not know."""
    action = turn.action if to == turn.seat else kit.disguise(turn.action, to, rng)
    return Turn(kit.scramble(turn.before, to, rng), turn.seat, action, kit.scramble(turn.after, to, rng))


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_turn_is_told_without_what_is_hidden(name: str, data: st.DataObject, seed: int) -> None:
    """Neither the words about a turn nor the picture after it tell anyone what is hidden from them."""
    mine = kit(name)
    found = walk(name, data.draw(mine.tables), seed, 8, faults=True)
    game, rng = found.game, derived(seed, "scramble")
    for turn in (event for event in found.events if isinstance(event, Turn)):
        for to in (None, *game.rules.scores(turn.after)):
            other = _disguise_turn(mine, turn, to, rng)
            assert game.words.describe_turn(other, to) == game.words.describe_turn(turn, to)
            if to is not None:
                view = game.rules.view(turn.after, to)
                assert game.shown.picture(view, other) == game.shown.picture(view, turn)
                if game.shown.clicks is not None and game.rules.to_move(turn.after) == to:
                    assert game.shown.clicks(view, (), other) == game.shown.clicks(view, (), turn)
            elif game.rules.to_move(turn.after) is not None:
                assert game.shown.picture(other.after, other) == game.shown.picture(turn.after, turn)


def test_what_is_hidden_in_a_turn_is_told_to_its_owner(name: str) -> None:
    """`describe_turn` tells a seat everything about its own turns; words that told nobody anything would keep the law
    above."""
    found = walk(name, kit(name).first_table, 1, 30)
    turns = [event for event in found.events if isinstance(event, Turn)]
    words = found.game.words
    assert [words.describe_turn(turn, turn.seat) for turn in turns] == [
        words.describe_open_turn(turn) for turn in turns
    ]
    hides = any(words.describe_turn(turn, None) != words.describe_open_turn(turn) for turn in turns)
    assert hides <= kit(name).hides


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_the_opening_tells_nothing_hidden(name: str, data: st.DataObject, seed: int) -> None:
    """What seats are told before the first turn does not depend on what they may not know."""
    game = GAMES[name]
    found = walk(name, data.draw(kit(name).tables), seed, 0)

    def opening(state: Any, seat: Seat) -> list[object]:
        waves = [tuple(game.rules.opening(state, wave)) for wave in range(3)]
        news = [item for wave in waves for told, item in wave if told == seat]
        wire = None if game.parts.established is None else game.parts.established.wire
        return [*news, *(text(wire.spell_news(item)) for item in news if wire is not None)]

    for seat in found.seats:
        other = kit(name).scramble(found.state, seat, derived(seed, "scramble"))
        assert opening(other, seat) == opening(found.state, seat)


def test_the_scrambler_changes_something_where_something_is_hidden(name: str) -> None:
    """`scramble` of the kit changes states if its `hides` says so, and only then; else the other laws of secrecy are
    empty."""
    mine, game = kit(name), GAMES[name]
    assert hides_something(game, mine.scramble, [mine.first_table, *list_tables(game)]) == mine.hides
