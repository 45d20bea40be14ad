"""Whatever is asked, answered and told in a match of any game is what its published schema says, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator, ValidationError

from fairplay.catalog import GAMES
from fairplay.core.convert import text
from fairplay.match.protocol import news_to_json
from fairplay.match.referee import Ask
from fairplay.match.schemas import game_schema
from fairplay.testing.defaults import list_tables
from fairplay.testing.kit import Table
from fairplay.testing.walks import FAULT, hold_dialogue, kit, list_places


@cache
def _close_schema(name: str) -> dict[str, Any]:
    """The schema of a game with every object closed: a field that is written but not published must show."""
    found: dict[str, Any] = game_schema(GAMES[name])
    Draft202012Validator.check_schema(found)
    for definition in found["$defs"].values():
        if definition["type"] == "object":
            definition["additionalProperties"] = False
    return found


@cache
def _validator_of(name: str, kind: str) -> Draft202012Validator:
    return Draft202012Validator({**_close_schema(name), "$ref": f"#/$defs/{kind}"})


def _list_written(name: str, table: Table, seed: int, thrown_out: int | None = None) -> Iterator[tuple[str, Any]]:
    """Everything that is said in a match, with the name of its definition; the reply to one order may be a fault."""
    game = GAMES[name]
    said = hold_dialogue(name, table, seed, {} if thrown_out is None else {thrown_out: FAULT})
    for order, reply in zip(said.orders, said.replies, strict=True):
        if isinstance(order, Ask):
            yield game.codec.ViewJson.__name__, game.codec.view_to_json(order.view)
            if reply is not FAULT:
                yield type(reply).__name__, msgspec.to_builtins(reply)
        else:
            yield type(order.news).__name__, news_to_json(game, order.news)


@given(data=st.data(), seed=st.integers(0, 2**32), thrown_out=st.none() | st.integers(0, 30))
def test_everything_said_in_a_match_fits_the_published_schema(
    name: str, data: st.DataObject, seed: int, thrown_out: int | None
) -> None:
    """Each view, action and news that is written is what the schema for authors of programs says."""
    for kind, value in _list_written(name, data.draw(kit(name).tables), seed, thrown_out):
        _validator_of(name, kind).validate(msgspec.json.decode(text(value)))


_MATCHES = 300
"""Random matches in which every kind of action and news comes up, unless it is rare."""


def test_a_whole_match_uses_every_kind_of_action_and_news_there_is(name: str) -> None:
    """All kinds of actions and news that the game lists come up in random matches, and no others."""
    game, rare = GAMES[name], {kind.__name__ for kind in kit(name).rare}
    tables = list_tables(game)
    first = [tables[0], *(one for before, one in pairwise(tables) if one.setup != before.setup)]  # of every setup
    matches = [*product(first, range(5)), *((tables[seed % len(tables)], seed) for seed in range(5, _MATCHES))]
    expected = {kind.__name__ for kind in (game.codec.ViewJson, *game.actions, *game.news)}
    found = set[str]()
    for played, (table, seed) in enumerate(matches):
        if played >= 5 * len(first) and found >= expected - rare:
            break
        found |= {kind for kind, _ in _list_written(name, table, seed)}
    assert found <= expected
    assert found >= expected - rare, (
        f"{', '.join(expected - rare - found)}: not once in {len(matches)} random matches; if that is right, name them "
        "in the field `rare` of the kit"
    )
    assert expected <= set(_close_schema(name)["$defs"])


@given(data=st.data(), seed=st.integers(0, 2**32))
def test_nothing_that_the_schema_leaves_open_is_written(name: str, data: st.DataObject, seed: int) -> None:
    """The schema describes every place of every value: what no game ever writes is refused there."""
    for kind, value in dict(_list_written(name, data.draw(kit(name).tables), seed)).items():
        shown = msgspec.json.decode(text(value))
        found = list_places(shown)
        if found:
            container, key = data.draw(st.sampled_from(found))
            container[key] = {"?": 0.5}
            with pytest.raises(ValidationError):
                _validator_of(name, kind).validate(shown)
