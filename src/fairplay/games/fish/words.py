"""Fish in words: the board for a terminal, a turn as a sentence."""

from typing import assert_never

from fairplay.core import Facts, Seat, Turn
from fairplay.core.game import choose_tense
from fairplay.games.fish.board import Layout
from fairplay.games.fish.rules import format_place, penguins_each, remaining_seats
from fairplay.games.fish.state import COLORS, Action, Move, Place, State, View


def seat_name(seat: Seat) -> str:
    """The colour of a seat's penguins (Fish 1.1)."""
    return COLORS[seat]


def board(shown: State | View) -> str:
    """Draw the fish on each tile, letters before it where a penguin stands, a dot for a hole; then the seats.

    The owner of a view gets the numbers of the columns, too, to name positions by.
    """
    if isinstance(shown, View):
        return f"{column_line(shown.state)}\n{board(shown.state)}"
    state = shown
    letters = {cell: COLORS[seat][:2].upper() for seat, cells in enumerate(state.penguins) for cell in cells}
    columns, shifted = state.board.geometry.columns, 1 if state.board.geometry.layout is Layout.STANDARD else 0
    lines = []
    for number, row in enumerate(state.rows):
        spots = (
            f"{letters.get(number * columns + column, '')}{fish or '.'}".rjust(3) for column, fish in enumerate(row)
        )
        lines.append(f"{number:2} {'   ' if number % 2 == shifted else ''}{'   '.join(spots)}")
    return "\n".join([*lines, "", *(seat_line(state, Seat(seat)) for seat in range(len(state.penguins)))])


def column_line(state: State) -> str:
    """The numbers of the columns; every second row stands half a tile to the right of them."""
    return "   " + "   ".join(f"{column:>3}" for column in range(state.board.geometry.columns))


def seat_line(state: State, seat: Seat) -> str:
    """One seat with its score."""
    mark = "removed" if seat in state.out else f"{state.fish[seat]:3} fish"
    return f"{'>' if state.turn == seat else ' '} {COLORS[seat][:2].upper()} {COLORS[seat]:6} {mark}"


def describe_open_turn(turn: Turn[State, Action], *, subject: str = "") -> str:
    """Describe a turn in full."""
    return describe_turn(turn, turn.seat, subject=subject)  # Fish hides nothing


def describe_turn(turn: Turn[State, Action], to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    """Describe a turn as `to` may know it."""
    caught = 0
    name, verb = choose_tense(subject or COLORS[turn.seat], would=would)
    match turn.action:
        case Place(at):
            said = f"{name} {verb('place')} a penguin on {format_place(at)}"
        case Move(start, target):
            caught = View(turn.seat, turn.before).fish_at(start)
            way = f"{format_place(start)} to {format_place(target)}"
            said = f"{name} {verb('move')} {way} and {verb('take')} {caught} fish"
        case _:
            assert_never(turn.action)
    return said + describe_retirements(turn, caught, would=would)


def describe_retirements(turn: Turn[State, Action], caught: int, *, would: bool) -> str:
    """Who retired after a turn that brought `caught` fish, which happens in the original game only (Fish 13.5)."""
    before, after = turn.before, turn.after
    retired = [seat for seat in remaining_seats(after) if before.penguins[seat] and not after.penguins[seat]]
    more = {seat: after.fish[seat] - before.fish[seat] for seat in retired}
    _, verb = choose_tense("", would=would)
    own = f", then {verb('retire')} with {more[turn.seat] - caught} more" if turn.seat in more else ""
    others = [(choose_tense(COLORS[seat], would=would)[0], more[seat]) for seat in retired if seat != turn.seat]
    return own + "".join(f"; {name} {verb('retire')} with {count} more" for name, count in others)


def facts(shown: State | View) -> dict[Seat, Facts]:
    """Fish, and in the original game tiles, of each seat still in."""
    state = shown.state if isinstance(shown, View) else shown
    each = penguins_each(len(state.penguins))
    return {seat: _seat_facts(state, seat, each) for seat in remaining_seats(state)}


def _seat_facts(state: State, seat: Seat, each: int) -> Facts:
    """The facts of one seat; `each`: the penguins that every seat places."""
    count = f"{len(state.penguins[seat])} of {each}"
    tiles = (("tiles", str(state.collected[seat].bit_count())),) if state.board.geometry.original else ()
    return (("fish", str(state.fish[seat])), *tiles, ("penguins", count))
