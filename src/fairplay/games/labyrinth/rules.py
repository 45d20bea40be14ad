"""The rule book of Labyrinth, in all variants."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import assert_never

from msgspec.structs import replace

from fairplay.core import Began, Ended, Event, Seat, Tiers, Turn
from fairplay.core.chance import below, shuffled
from fairplay.core.immutable import bits as cells, with_item
from fairplay.games.labyrinth import board as boards
from fairplay.games.labyrinth.deal import TREASURES, deal_match, public_setup as public_setup
from fairplay.games.labyrinth.goals import give_next_goal, locate_target, scores as scores
from fairplay.games.labyrinth.state import Action, Move, NextTarget, Pass, Setup, State, Target, View
from fairplay.games.labyrinth.tiles import DEGREES, Degree, Gem, rotate_tile


def start(setup: Setup, seats: int, rng: Random) -> State:
    """Deal a match; raises SetupError."""
    return deal_match(setup, seats, rng)


def to_move(state: State) -> Seat | None:
    """Whose decision is awaited."""
    return state.turn


# -- what a seat may know and do ---------------------------------------------------------------


def view(state: State, seat: Seat) -> View:
    """What `seat` may know (Labyrinth 3.11)."""
    return View(
        me=seat,
        board=state.board,
        last=state.last,
        colors=state.colors,
        homes=state.homes,
        avatars=state.avatars,
        turn=state.turn,
        target=None if state.avatars[seat] == boards.NOWHERE else state.targets[seat],
        found=state.found[seat],
        limit=state.limit,
        rounds=state.rounds,
        movers=state.movers,
        fresh=state.fresh,
        finisher=state.finisher,
        variant=state.variant,
        turn_number=state.turn_number,
    )


def legal_actions(view: View) -> Sequence[Action]:
    """List a pass, if it is allowed, and all moves in the order of Labyrinth 8.3."""
    if view.turn != view.me:
        return ()
    grid = view.board.grid
    actions: list[Action] = [] if grid.original else [Pass()]
    for shift, _, degrees, ends in boards.slide_options(view.board, view.at, view.last):
        targets = list(cells(ends))
        for degree in degrees:
            moves = all_moves(grid, shift.slide.index, shift.slide.direction, degree)
            actions += [moves[target] for target in targets]
    return actions


@lru_cache(maxsize=1024)
def all_moves(grid: boards.Grid, index: int, direction: boards.Direction, degree: Degree) -> Sequence[Move]:
    """The moves with one slide to each cell; each is made once."""
    return [Move(index, direction, degree, position) for position in grid.positions]


def why_illegal(view: View, action: Action) -> str | None:
    """Say why an action is illegal, or None."""
    if view.turn != view.me:
        return "it is not your turn"
    if isinstance(action, Move):
        return why_no_move(view, action)
    return "passing is not allowed; a move is expected" if view.board.grid.original else None  # Labyrinth 13.2


def why_no_move(view: View, move: Move) -> str | None:
    """Say why a move is illegal, or None (Labyrinth 3.5)."""
    board, last, at = view.board, view.last, view.avatars[view.me]
    grid = board.grid
    shift = grid.shift_for.get((move.index, move.direction))
    if shift is None:
        return f"{format_slide(move.index, move.direction)} is not a slide of this board"
    if last is not None and move.index == last.index and move.direction == boards.OPPOSITE[last.direction]:
        return f"{format_slide(move.index, move.direction)} would undo the last slide"  # Labyrinth 3.6
    if move.degree not in DEGREES:
        return f"{move.degree} is not a quarter turn: 0, 90, 180 or 270"
    if not grid.holds(move.to):
        return f"{format_place(move.to)} is not on the board"
    if not grid.holds(at):
        return "your avatar is not on the board and cannot move"  # Labyrinth 12.3
    at = shift.carry.get(at, at)
    if move.to == at and not grid.original:
        return f"a move must not end on {format_place(at)}, where the slide leaves you"
    sides = shift.move_sides(board.sides) | grid.spread[rotate_tile(board.spare, move.degree)] << shift.entry
    if not grid.flood(sides, 1 << grid.cell(at)) >> grid.cell(move.to) & 1:
        return f"{format_place(move.to)} cannot be reached from {format_place(at)} after this slide"
    return None


def format_place(position: boards.Position) -> str:
    """A position as people write it: (row,column)."""
    return f"({position[0]},{position[1]})"


def format_slide(index: int, direction: boards.Direction) -> str:
    """A slide as people say it, such as ``row 2 left``."""
    return f"{'row' if direction in ('LEFT', 'RIGHT') else 'column'} {index} {direction.lower()}"


# -- what happens ------------------------------------------------------------------------------


def apply(state: State, action: Action) -> State:
    """The state after the awaited seat does `action`.  ASSUME it is legal."""
    match action:
        case Move():
            return apply_move(state, action)
        case Pass():
            return apply_pass(state)
        case _:
            assert_never(action)


def public_action(action: Action) -> Action:
    """The action itself: everyone sees where an avatar goes."""
    return action


def apply_pass(state: State) -> State:
    """Pass the turn on (Labyrinth 3.2)."""
    seat = state.turn
    assert seat is not None
    movers = frozenset() if state.fresh else state.movers
    turn, rounds, fresh = next_turn(state.avatars, seat, state.rounds, state.limit, movers)
    number = state.turn_number + 1
    return replace(state, turn=turn, rounds=rounds, movers=movers, fresh=fresh, turn_number=number)


def apply_move(state: State, move: Move) -> State:
    """Slide, insert, carry along and walk; then a goal may have been reached (Labyrinth 3.3, 3.4, 3.7)."""
    seat = state.turn
    assert seat is not None
    shift = state.board.grid.shift_for[move.index, move.direction]
    board = boards.slide_board(state.board, shift, move.degree)
    avatars = boards.carry_avatars(state.avatars, shift)
    avatars = avatars[:seat] + (move.to,) + avatars[seat + 1 :]
    movers = frozenset((seat,)) if state.fresh else state.movers | {seat}
    turn, rounds, fresh = next_turn(avatars, seat, state.rounds, state.limit, movers)
    after = State(  # by position: keywords would slow this down by 1 %
        board,
        shift.slide,
        state.colors,
        state.homes,
        avatars,
        state.targets,
        state.homeward,
        state.found,
        state.queue,
        state.piles,
        turn,
        state.limit,
        rounds,
        movers,
        fresh,
        None,
        state.variant,
        state.turn_number + 1,
    )
    target = state.targets[seat]
    if move.to != (locate_target(board, target) if isinstance(target, str) else target):
        return after
    if seat in state.homeward:  # Labyrinth 4.1: at once, also within a round
        return replace(after, turn=None, rounds=state.rounds, finisher=seat)
    return give_next_goal(after, seat)


def next_turn(
    avatars: tuple[boards.Position, ...], seat: int, rounds: int, limit: int, movers: frozenset[Seat]
) -> tuple[Seat | None, int, bool]:
    """Find whose turn comes after `seat`, how many rounds are then complete, and whether a round begins."""
    for other in range(seat + 1, len(avatars)):
        if avatars[other] != boards.NOWHERE:
            return Seat(other), rounds, False
    rounds += 1
    if not movers or rounds >= limit:  # Labyrinth 4.2, 4.3
        return None, rounds, True
    return next(Seat(other) for other, spot in enumerate(avatars) if spot != boards.NOWHERE), rounds, True


def remove(state: State, seat: Seat) -> State:
    """Take `seat` out of the match and pass its turn on (Labyrinth 6.4)."""
    avatars = with_item(state.avatars, seat, boards.NOWHERE)
    movers = state.movers - {seat}
    gone = replace(
        state,
        avatars=avatars,
        found=with_item(state.found, seat, ()),
        movers=movers,
    )
    if state.turn is None or avatars.count(boards.NOWHERE) == len(avatars):
        return replace(gone, turn=None)  # Labyrinth 4.4
    if seat == state.turn:
        movers = frozenset() if state.fresh else movers
        turn, rounds, fresh = next_turn(avatars, seat, state.rounds, state.limit, movers)
        return replace(gone, turn=turn, rounds=rounds, movers=movers, fresh=fresh)
    if state.fresh and seat in state.movers and not movers:
        # Only this seat moved in the round before; now that it is gone, no move keeps the match going (4.2).
        return replace(gone, turn=None)
    return gone


# -- what seats are told, and how it ends ------------------------------------------------------


def opening(state: State, wave: int) -> Iterable[tuple[Seat, object]]:
    """Tell every seat how the match begins (Labyrinth 2.6)."""
    return [(seat, Began(view(state, seat))) for seat in state.seats] if wave == 0 else ()


def notices(event: Event[State, Action]) -> Iterable[tuple[Seat, object]]:
    """Tell a seat that has reached its target the next one (Labyrinth 3.9)."""
    if not isinstance(event, Turn):
        return ()
    before, seat, after = event.before, event.seat, event.after
    if len(after.found[seat]) == len(before.found[seat]):
        return ()
    return [(seat, NextTarget(after.targets[seat]))]


def closing(state: State, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
    """Tell every seat whether it won (Labyrinth 5.4)."""
    return [(seat, Ended(seat in ranking[0])) for seat in state.seats]


def ending(state: State) -> str:
    """The name of the way the match ended."""
    if state.finisher is not None:
        return "somebody came home"  # Labyrinth 4.1
    if not state.seats:
        return "nobody is left"  # Labyrinth 4.4
    if not state.movers:
        return "everybody passed"  # Labyrinth 4.2
    return "the last round is over"  # Labyrinth 4.3


# -- what could be hidden ----------------------------------------------------------------------


def imagine(view: View, rng: Random) -> State:
    """Return a state that fits `view`: the others have goals that I neither have nor had."""
    seats = range(len(view.avatars))
    piles: list[tuple[Gem, ...]] = []
    found: list[tuple[Target, ...]] = [() for _ in seats]
    if view.board.grid.original:
        targets, piles, found = imagined_piles(view, rng)
        queue: list[boards.Position] = []
        homeward = frozenset(Seat(seat) for seat in seats if not isinstance(targets[seat], str))
    else:
        targets, homeward, queue = imagined_goals(view, rng)
    found[view.me] = view.found
    return State(
        board=view.board,
        last=view.last,
        colors=view.colors,
        homes=view.homes,
        avatars=view.avatars,
        targets=tuple(targets),
        homeward=homeward,
        found=tuple(found),
        queue=tuple(queue),
        piles=tuple(piles),
        turn=view.turn,
        limit=view.limit,
        rounds=view.rounds,
        movers=view.movers,
        fresh=view.fresh,
        finisher=view.finisher,
        variant=view.variant,
        turn_number=view.turn_number,
    )


def imagined_goals(view: View, rng: Random) -> tuple[list[Target], frozenset[Seat], list[boards.Position]]:
    """Deal a target for every seat, who is going home, and the queue; in a dealt match no goal comes twice (2.3)."""
    # A first target is never the way home, even if it is the home (2.2); later it nearly always is (3.8).
    going_home = view.target == view.home and view.found != ()
    known = {*view.found} if going_home else {*view.found, view.target}
    goals = shuffled(rng, [spot for spot in view.board.grid.fixed if spot not in known])
    targets: list[Target] = []
    homeward = {view.me} if going_home else set()
    for seat in map(Seat, range(len(view.avatars))):
        if seat == view.me and view.target is not None:
            targets.append(view.target)
        elif goals:
            targets.append(goals.pop())
        else:
            targets.append(view.homes[seat])
            homeward.add(seat)
    left = 0 if homeward else below(rng, len(goals) + 1)
    return targets, frozenset(homeward), goals[:left]


def imagined_piles(view: View, rng: Random) -> tuple[list[Target], list[tuple[Gem, ...]], list[tuple[Target, ...]]]:
    """Deal targets, piles and treasures found: those I do not know go into piles of the right size, partly found."""
    size = len(TREASURES) // len(view.avatars)
    deck = shuffled(rng, [gem for gem in TREASURES if gem not in view.found and gem != view.target])
    targets: list[Target] = []
    piles: list[tuple[Gem, ...]] = []
    found: list[tuple[Target, ...]] = []
    for seat in range(len(view.avatars)):
        if seat == view.me and view.target is not None:
            left = size - len(view.found) - isinstance(view.target, str)
            pile: list[Target] = [view.target, *(deck.pop() for _ in range(left))]
            done = 0
        else:
            pile = [*(deck.pop() for _ in range(size)), view.homes[seat]]
            done = below(rng, size + 1)
        found.append(tuple(pile[:done]))
        targets.append(pile[done])
        piles.append(tuple(gem for gem in pile[done + 1 :] if isinstance(gem, str)))
    return targets, piles, found
