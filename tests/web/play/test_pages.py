"""Who plays a match, as its page introduces them."""

from __future__ import annotations

import msgspec

from fairplay.catalog import GAMES
from fairplay.match.replay import deal_state
from fairplay.web.games import ROBOT_FACE, describe_levels
from fairplay.web.matches.tables import TableDefinition, TableSeat
from fairplay.web.play.pages import PlayerInfo, describe_players
from fairplay.web.watching.timeline import Timeline

FISH, SETUP = GAMES["fish"], GAMES["fish"].quick
LEVELS = describe_levels(FISH, SETUP)


def introduce(*seats: TableSeat) -> tuple[PlayerInfo, ...]:
    definition = TableDefinition(msgspec.Raw(msgspec.json.encode(SETUP)), 1, seats, 60.0, 1.0)
    timeline = Timeline(FISH, definition.names, deal_state(FISH, SETUP, 1, len(seats)))
    return describe_players(timeline, definition)


def test_every_level_has_its_title_and_a_face() -> None:
    for level in LEVELS:
        found, person = introduce(TableSeat(level.name, level.spec), TableSeat("Kim", "greedy", person=True))
        assert (found.title, found.face, found.spec, found.person) == (level.title, level.face, level.spec, False)
        assert (person.title, person.face, person.spec, person.person) == ("", "", "", True)
    untitled = [level for level in LEVELS if not level.character]
    assert untitled and all(level.face != ROBOT_FACE for level in untitled)


def test_a_house_player_that_is_no_level_is_a_robot() -> None:
    found, _ = introduce(TableSeat("greedy", "greedy"), TableSeat("Kim", "greedy", person=True))
    assert (found.title, found.face, found.spec) == ("", ROBOT_FACE, "greedy")


def test_of_a_player_in_a_tournament_nothing_is_known_but_the_name() -> None:
    timeline = Timeline(FISH, ("a", "b"), deal_state(FISH, SETUP, 1, 2))
    assert [(each.name, each.face, each.person) for each in describe_players(timeline, None)] == [
        ("a", "", False),
        ("b", "", False),
    ]
