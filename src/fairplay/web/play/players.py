"""Who plays a match, as its page introduces them: names, pawns, levels."""

from typing import Any

import msgspec
from msgspec import Struct

from fairplay.core import AnyGame, Seat
from fairplay.report.reviews import LineStyle, style_lines
from fairplay.web.games.listing import ROBOT_FACE, find_level
from fairplay.web.matches.tables import TableDefinition, TableSeat
from fairplay.web.watching.timeline import Timeline


class PlayerInfo(Struct, frozen=True):
    """A player of a match."""

    name: str
    seat_name: str  # what the game calls the seat
    line: LineStyle  # in graphs
    token: str = ""  # the pawn: SVG
    person: bool = False
    title: str = ""  # the level of a house player, for people
    spec: str = ""  # what the house player is called in programs
    face: str = ""  # the path of a picture


def describe_players(timeline: Timeline, definition: TableDefinition | None) -> tuple[PlayerInfo, ...]:
    """The players by seat; `definition`: of the table, if the match was played at one."""
    game = timeline.game
    setup = None if definition is None else msgspec.json.decode(definition.setup, type=game.setup)
    return tuple(
        describe_player(game, Seat(seat), name, line, setup, None if definition is None else definition.seats[seat])
        for seat, (name, line) in enumerate(zip(timeline.names, style_lines(game, len(timeline.names)), strict=True))
    )


def describe_player(
    game: AnyGame, seat: Seat, name: str, line: LineStyle, setup: Any, taken: TableSeat | None
) -> PlayerInfo:
    """One player; `taken` is None if nothing is known but the name."""
    token = "" if game.shown.token is None else str(game.shown.token(seat))
    seat_name = game.words.seat_name(seat)
    if taken is None or taken.person:
        return PlayerInfo(name, seat_name, line, token, person=taken is not None)
    level = find_level(game, setup, taken.player)
    title, face = ("", ROBOT_FACE) if level is None else (level.title, level.face)
    return PlayerInfo(name, seat_name, line, token, title=title, spec=taken.player, face=face)
