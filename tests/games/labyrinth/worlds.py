"""The matches that several test modules of Labyrinth start from, and their twins in the reference."""

from __future__ import annotations

from typing import Any

import msgspec

from fairplay.core import Seat
from fairplay.games.labyrinth.deal import start_given
from fairplay.games.labyrinth.established.forms import StateForm, view_from_form
from fairplay.games.labyrinth.rules import apply
from fairplay.games.labyrinth.state import (
    Action,
    BoardForm,
    Coordinate,
    Given,
    GivenSeat,
    Move,
    Pass,
    State,
    TileForm,
    View,
    last_to_form,
)
from fairplay.games.labyrinth.tiles import CONNECTORS

from .reference import Match, Maze


def coordinate(row: int, column: int) -> dict[str, int]:
    return {"row#": row, "column#": column}


def player(at: tuple[int, int], home: tuple[int, int], color: str, goto: tuple[int, int]) -> dict[str, Any]:
    return {
        "current": coordinate(*at),
        "home": coordinate(*home),
        "color": color,
        "goto": coordinate(*goto),
    }


BOARD_B: dict[str, Any] = {
    "connectors": [list("└┴┴┤┬"), list("┤┬┐│└"), list("┴└│┤─")],
    "treasures": [
        [["beryl", "garnet"], ["beryl", "jasper"], ["beryl", "ruby"], ["beryl", "spinel"], ["beryl", "zircon"]],
        [["garnet", "jasper"], ["garnet", "ruby"], ["garnet", "spinel"], ["garnet", "zircon"], ["jasper", "ruby"]],
        [["jasper", "spinel"], ["jasper", "zircon"], ["ruby", "spinel"], ["ruby", "zircon"], ["spinel", "zircon"]],
    ],
}
STATE_T: dict[str, Any] = {  # Labyrinth 10.7
    "board": BOARD_B,
    "spare": {"tilekey": "┐", "1-image": "aplite", "2-image": "ruby"},
    "plmt": [player((2, 4), (1, 1), "red", (1, 3)), player((2, 1), (1, 3), "blue", (1, 1))],
    "last": [0, "LEFT"],
    "goals": [coordinate(1, 3), coordinate(1, 1)],
}
STATE_T0 = {key: value for key, value in STATE_T.items() if key != "goals"}


def form(value: Any) -> Given:
    return msgspec.convert(value, Given)


def started(value: Any = STATE_T, seats: int | None = None, limit: int = 1000) -> State:
    return start_given(form(value), len(value["plmt"]) if seats is None else seats, limit)


def open_board(players: list[dict[str, Any]], goals: tuple[tuple[int, int], ...] = (), size: int = 5) -> dict[str, Any]:
    """A board of crosses, on which everything can be reached."""
    return {
        "board": {"connectors": [["┼"] * size] * size, "treasures": [[["ruby", "ruby"]] * size] * size},
        "spare": {"tilekey": "┼", "1-image": "ruby", "2-image": "ruby"},
        "plmt": players,
        "last": None,
        "goals": [coordinate(*goal) for goal in goals],
    }


def referee_form(state: State) -> Given:
    """The state of a standard match as a RefereeState2 (Labyrinth 10.1)."""
    players = []
    for seat in state.seats:
        at, home, target = state.avatars[seat], state.homes[seat], state.targets[seat]
        assert not isinstance(target, str), "only the original game has treasures as targets"
        players.append(GivenSeat(Coordinate.of(at), Coordinate.of(home), state.colors[seat], Coordinate.of(target)))
    queue = tuple(map(Coordinate.of, state.queue))
    board, spare = BoardForm.of(state.board), TileForm.of(state.board)
    return Given(board, spare, tuple(players), last_to_form(state.last), queue)


def turns(state: State, *actions: Action) -> State:
    for action in actions:
        state = apply(state, action)
    return state


def to(index: int, direction: Any, spot: tuple[int, int], degree: Any = 0) -> Move:
    return Move(index, direction, degree, spot)


def shown(value: Any = STATE_T, target: tuple[int, int] = (1, 3)) -> View:
    return view_from_form(msgspec.convert(value, StateForm), target)


def twin(state: State) -> Match:
    """The same match in the reference; ASSUME nothing has happened yet."""
    board = state.board
    connectors = [[CONNECTORS[tile] for tile in row] for row in board.tiles]
    maze = Maze(connectors, board.pairs, (CONNECTORS[board.spare], board.gems[-1]))
    last = None if state.last is None else (state.last.index, state.last.direction)
    players = [
        {"at": state.avatars[seat], "home": state.homes[seat], "target": state.targets[seat]}
        for seat in range(len(state.avatars))
    ]
    piles = [list(pile) for pile in state.piles] if state.original else None
    return Match(maze, last, players, state.queue, state.limit, piles)


def plain(action: Action) -> Any:
    """The action as the reference writes it."""
    return "PASS" if isinstance(action, Pass) else (action.index, action.direction, action.degree, action.to)


def same(state: State, match: Match) -> None:
    """Asserts that the two agree in everything there is to know."""
    twin_of_state = twin(state).maze
    assert twin_of_state.rows == match.maze.rows
    assert twin_of_state.spare == match.maze.spare
    assert (None if state.last is None else (state.last.index, state.last.direction)) == match.last
    assert {seat: state.avatars[seat] for seat in state.seats} == match.at
    for seat in state.seats:
        assert state.targets[seat] == match.target[seat]
        assert list(state.found[seat]) == match.found[seat]
        assert (seat in state.homeward) == match.going_home[seat]
    assert list(state.queue) == match.queue
    if match.piles is not None:
        assert [list(state.piles[seat]) for seat in state.seats] == [match.piles[seat] for seat in state.seats]


ANN, BOB = Seat(0), Seat(1)
