"""Labyrinth states and views as JSON that people can read; boards and tiles have the forms of Labyrinth 10.1."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.labyrinth import state as data
from fairplay.games.labyrinth.board import NOWHERE, Board, Position
from fairplay.games.labyrinth.tiles import Gem

TargetJson: TypeAlias = data.Spot | Gem


class SeatJson(Struct, frozen=True):
    """What everyone knows about a seat."""

    color: str
    home: data.Spot
    at: data.Spot | None  # null: removed


class HiddenJson(Struct, frozen=True):
    """What only the referee knows about a seat."""

    target: TargetJson
    going_home: bool
    found: tuple[TargetJson, ...]


class ShownJson(Struct, frozen=True):
    """What everyone sees."""

    original: bool
    board: data.BoardForm
    spare: data.TileForm
    last: data.LastForm
    seats: tuple[SeatJson, ...]
    turn: data.Natural | None
    limit: data.Natural  # rounds at most
    rounds: data.Natural  # completed
    movers: tuple[data.Natural, ...]  # who moved in this round and is still in
    fresh: bool  # no seat has had a turn in this round; movers are those of the round before
    finisher: data.Natural | None  # who came home and ended the match
    variant: data.Variant
    turn_number: data.Natural  # completed turns


class StateJson(ShownJson, frozen=True):
    """All there is, known only to the referee."""

    hidden: tuple[HiddenJson, ...]
    queue: tuple[data.Spot, ...]
    piles: tuple[tuple[str, ...], ...]


class ViewJson(ShownJson, frozen=True):
    """What the seat `me` may know."""

    me: data.Natural
    target: TargetJson | None
    found: tuple[TargetJson, ...]


def state_to_json(state: data.State) -> Json:
    """Write a state as JSON."""
    hidden = tuple(
        HiddenJson(state.targets[seat], seat in state.homeward, state.found[seat]) for seat in range(len(state.avatars))
    )
    return msgspec.to_builtins(
        StateJson(
            **shown_fields(state),
            hidden=hidden,
            queue=state.queue,
            piles=state.piles,
        )
    )


def view_to_json(view: data.View) -> Json:
    """Write a view as JSON."""
    return msgspec.to_builtins(ViewJson(**shown_fields(view), me=view.me, target=view.target, found=view.found))


def state_from_json(value: Json) -> data.State:
    """Read a state; raises WireError."""
    form: StateJson = as_type(value, StateJson)
    board = board_from_json(form)
    count = len(form.seats)
    if len(form.hidden) != count or len(form.piles) not in ({count} if form.original else {0}):
        raise WireError("expected one entry for each seat", "$.hidden" if len(form.hidden) != count else "$.piles")
    read = target_reader(board)
    return data.State(
        board=board,
        last=data.slide_from_form(form.last),
        colors=tuple(seat.color for seat in form.seats),
        homes=tuple(seat.home for seat in form.seats),
        avatars=avatars_from_json(form),
        targets=tuple(read(hidden.target) for hidden in form.hidden),
        homeward=frozenset(Seat(seat) for seat, hidden in enumerate(form.hidden) if hidden.going_home),
        found=tuple(tuple(map(read, hidden.found)) for hidden in form.hidden),
        queue=form.queue,
        piles=tuple(tuple(check_treasure(board, gem, "$.piles") for gem in pile) for pile in form.piles),
        turn=None if form.turn is None else Seat(form.turn),
        **counted_fields(form),
    )


def counted_fields(form: ShownJson) -> dict[str, Any]:
    """The fields that say how far the match is; raises WireError."""
    check_seats(form, {"turn": [form.turn], "movers": form.movers, "finisher": [form.finisher]})
    if form.original != (form.variant == "original"):
        raise WireError("expected the variant of the board", "$.variant")
    return {
        "limit": form.limit,
        "rounds": form.rounds,
        "movers": frozenset(map(Seat, form.movers)),
        "fresh": form.fresh,
        "finisher": None if form.finisher is None else Seat(form.finisher),
        "variant": form.variant,
        "turn_number": form.turn_number,
    }


def view_from_json(value: Json) -> data.View:
    """Read a view; raises WireError."""
    form: ViewJson = as_type(value, ViewJson)
    board = board_from_json(form)
    check_seats(form, {"turn": [form.turn], "me": [form.me]})
    read = target_reader(board)
    if (form.target is None) != (form.seats[form.me].at is None):
        raise WireError("expected a target if the seat is still in, and none otherwise", "$.target")
    return data.View(
        me=Seat(form.me),
        board=board,
        last=data.slide_from_form(form.last),
        colors=tuple(seat.color for seat in form.seats),
        homes=tuple(seat.home for seat in form.seats),
        avatars=avatars_from_json(form),
        turn=None if form.turn is None else Seat(form.turn),
        target=None if form.target is None else read(form.target),
        found=tuple(map(read, form.found)),
        **counted_fields(form),
    )


def shown_fields(shown: data.State | data.View) -> dict[str, Any]:
    """The fields that the JSON of a state and of a view share."""
    board = shown.board
    seats = tuple(
        SeatJson(color, home, None if at == NOWHERE else at)
        for color, home, at in zip(shown.colors, shown.homes, shown.avatars, strict=True)
    )
    return {
        "original": board.grid.original,
        "board": data.BoardForm.of(board),
        "spare": data.TileForm.of(board),
        "last": data.last_to_form(shown.last),
        "seats": seats,
        "turn": shown.turn,
        "limit": shown.limit,
        "rounds": shown.rounds,
        "movers": tuple(sorted(shown.movers)),
        "fresh": shown.fresh,
        "finisher": shown.finisher,
        "variant": shown.variant,
        "turn_number": shown.turn_number,
    }


def board_from_json(form: ShownJson) -> Board:
    """Read the board; raises WireError."""
    if not form.original:
        return data.board_from_form(form.board, form.spare)
    if len(form.board.connectors) != 7 or len(form.board.connectors[0]) != 7:
        raise WireError("the original board has 7 rows and 7 columns", "$.board")
    return data.board_from_form(form.board, form.spare, original=True)


def avatars_from_json(form: ShownJson) -> tuple[Position, ...]:
    """Read where the avatars are."""
    return tuple(NOWHERE if seat.at is None else seat.at for seat in form.seats)


def check_seats(form: ShownJson, places: dict[str, Sequence[int | None]]) -> None:
    """Check numbers of seats, by the field they are in; raises WireError."""
    for place, seats in places.items():
        for seat in seats:
            if seat is not None and seat >= len(form.seats):
                raise WireError(f"there is no seat {seat}", f"$.{place}")
    if form.turn is not None and form.seats[form.turn].at is None:
        raise WireError("a removed seat has no turn", "$.turn")


def target_reader(board: Board) -> Callable[[data.Target], data.Target]:
    """Return a function that reads a target: a position or, in the original game, a treasure."""

    def read(target: data.Target) -> data.Target:
        return check_treasure(board, target, "$.target") if isinstance(target, str) else target

    return read


def check_treasure(board: Board, gem: str, path: str) -> str:
    """Return `gem`; raises WireError unless it lies on a tile of an original board."""
    if not board.grid.original or (gem, gem) not in board.gems:
        raise WireError("expected a treasure that lies on a tile", path)
    return gem
