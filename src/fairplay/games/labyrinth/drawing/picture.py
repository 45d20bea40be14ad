"""Labyrinth as a drawing: the maze with homes, goals and pawns, the spare tile, and the arrows for slides."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from fairplay.core import AnyTurn, Picture
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, Position, Shift
from fairplay.games.labyrinth.drawing import canvas as places, figures
from fairplay.games.labyrinth.drawing.panel import draw_panel, draw_slot, draw_turn_knobs
from fairplay.games.labyrinth.drawing.treasures import define_treasures, draw_treasure
from fairplay.games.labyrinth.rules import format_slide
from fairplay.games.labyrinth.state import State, Target, View
from fairplay.games.labyrinth.tiles import CONNECTORS, Gem, Pair, Tile
from fairplay.games.labyrinth.words import seat_name

ARROW = 44  # from the board to the middle of an arrow
ARROW_DEGREES = {"UP": 0, "RIGHT": 90, "DOWN": 180, "LEFT": 270}


def draw_picture(
    shown: State | View,
    last: AnyTurn | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Draw a state or a view, `open` with all goals; the last slide is marked even if it was not in `last`."""
    canvas = places.Canvas(shown, open and isinstance(shown, State), seats, frozenset(lit), frozenset(chosen))
    width, height = places.canvas_size(canvas)
    body = "".join(draw_body(canvas, places.find_last_move(shown, last)))
    return Picture.build("labyrinth-board", width, height, describe_shown(shown), draw_base(canvas), body)


def draw_base(canvas: places.Canvas) -> str:
    """Draw what stays the same for a whole match: the frame, and the place of the spare tile."""
    width, height = places.canvas_size(canvas)
    grid = canvas.board.grid
    return "".join(
        [
            f"<style>{STYLE}</style><defs>{build_definitions(len(canvas.shown.avatars), grid.original)}</defs>",
            f'<rect class="page" width="{width}" height="{height}" rx="16"/>',
            *figures.draw_frame(grid),
            draw_slot(grid),
        ]
    )


def draw_body(canvas: places.Canvas, move: places.LastMove | None) -> Iterator[str]:
    """Draw what changes from moment to moment."""
    yield from draw_tiles(canvas, move)
    yield figures.draw_shade(canvas.board.grid)
    yield from draw_places(canvas)
    yield '<g class="over">'
    yield from draw_last_slide(canvas)
    yield from draw_gates(canvas)
    yield from draw_goals(canvas)
    yield from draw_last_walk(canvas.shown, move)
    yield from draw_pawns(canvas.shown, move)
    yield "</g>"
    yield from draw_arrows(canvas)
    yield from draw_turn_knobs(canvas)
    if canvas.seats:
        yield from draw_panel(canvas)


def describe_shown(shown: State | View) -> str:
    """Say what the picture shows, for screen readers."""
    grid = shown.board.grid
    names = ", ".join(
        f"{places.seat_label(shown, seat)} at {describe_place(shown.avatars[seat])}"
        for seat in range(len(shown.avatars))
    )
    turn = "over" if shown.turn is None else f"{seat_name(shown.turn)} to move"
    return f"Labyrinth of {grid.rows} rows and {grid.columns} columns: {names or 'nobody'}; {turn}"


def describe_place(position: Position) -> str:
    """Where an avatar is."""
    return "no place" if position == NOWHERE else f"({position[0]},{position[1]})"


# -- tiles -------------------------------------------------------------------------------------


def draw_tiles(canvas: places.Canvas, move: places.LastMove | None) -> Iterator[str]:
    """Draw the tiles with what lies on them, the spare one last, so that it is pushed in over the others."""
    board, fixed, keys = canvas.board, set(canvas.board.grid.fixed), places.tile_keys(canvas.board)
    sought = {goal.target: goal for goal in visible_goals(canvas) if isinstance(goal.target, str)}
    numbers = iter(range(len(board.gems)))
    for row, line in enumerate(board.tiles):
        for column, tile in enumerate(line):
            number, at = next(numbers), (row, column)
            place = places.tile_transform(places.tile_middle(at), tile)
            head = f'<g data-key="{keys[number]}" transform="{place}"{places.tile_motion(move, at)}>'
            yield f"{head}{draw_tile(tile, board.gems[number], sought, still=at in fixed)}</g>"
    head = f'<g data-key="{keys[-1]}" data-spare="{CONNECTORS[board.spare]}"{places.spare_motion(move)}'
    place = places.tile_transform(places.slot_middle(board.grid), board.spare)
    yield f'{head} transform="{place}">{draw_tile(board.spare, board.gems[-1], sought)}</g>'


def draw_tile(tile: Tile, pair: Pair, sought: dict[Gem, GoalMark], *, still: bool = False) -> str:
    """Draw a tile around (0, 0) with its treasure; its title tells its gems.

    The element around it is turned as the tile lies.  Inside it is turned back, so that light always falls from the top
    left and treasures stand upright.
    """
    art = f"{figures.tile_art(tile, still=still)}{draw_contents(pair, sought)}"
    if places.ANGLES[tile]:
        art = f'<g transform="rotate({-places.ANGLES[tile]})">{art}</g>'
    return f"<title>{' and '.join(dict.fromkeys(pair))}</title>{art}"


def draw_contents(pair: Pair, sought: dict[Gem, GoalMark]) -> str:
    """Draw the treasure on a tile (Labyrinth 13.3), in a ring if it may be known that someone looks for it."""
    gem: Gem = pair[0]
    if pair[1] != gem:
        return ""
    goal = sought.get(gem)
    ring = "" if goal is None else draw_ring(goal)
    return f"{ring}{draw_treasure(gem)}"


def draw_ring(goal: GoalMark) -> str:
    """Draw the ring around a treasure that is looked for, and a small star; it appears after the walk."""
    return (
        f'<g data-key="goal-{goal.whose}-{goal.target}" data-goal="{goal.whose}" data-enter="grow" data-leave="shrink"'
        ' data-step="3" transform="translate(0 0)"><circle class="disc" r="28"/>'
        f'<circle class="sought" r="28" stroke="{goal.paint}"/>'
        f'<g transform="translate(24 -23)scale(.5)">{figures.draw_star(goal.paint, goal.seat)}</g></g>'
    )


def draw_places(canvas: places.Canvas) -> Iterator[str]:
    """Draw the places of the board, which can be clicked; they stay where they are when tiles slide."""
    homes = {home: seat for seat, home in enumerate(canvas.shown.homes) if canvas.shown.avatars[seat] != NOWHERE}
    grid = canvas.board.grid
    for row in range(grid.rows):
        for column in range(grid.columns):
            at = row, column
            home = f", home of {places.seat_label(canvas.shown, homes[at])}" if at in homes else ""
            yield (
                f'<g{canvas.class_attribute(places.position_key(at))} data-at="{row},{column}"'
                f' transform="{places.translate(places.tile_middle(at))}">'
                f"<title>row {row}, column {column}{home}</title>"
                '<use href="#labyrinth-place"/></g>'
            )


# -- homes and goals ---------------------------------------------------------------------------


def draw_gates(canvas: places.Canvas) -> Iterator[str]:
    """Draw the homes, which belong to the board and not to a tile; shared ones are drawn inside each other."""
    shown, seen = canvas.shown, dict[Position, int]()
    for seat, home in enumerate(shown.homes):
        if shown.avatars[seat] == NOWHERE or not canvas.board.grid.holds(home):
            continue
        depth = seen[home] = seen.get(home, -1) + 1
        gate = figures.draw_gate(seat, figures.paint_for(shown.colors[seat]), depth)
        yield (
            f'<g data-key="home-{seat}" data-home="{seat}" data-on="{home[0]},{home[1]}" data-leave="fade"'
            f' transform="{places.translate(places.tile_middle(home))}">{gate}</g>'
        )


class GoalMark(NamedTuple):
    """A mark for what a seat is looking for."""

    whose: str
    target: Target
    paint: str
    seat: int | None


def visible_goals(canvas: places.Canvas) -> Iterator[GoalMark]:
    """List the goals that may be shown: only its owner sees a target (Labyrinth 3.11)."""
    shown = canvas.shown
    if isinstance(shown, View):
        if shown.target is not None:
            yield GoalMark("mine", shown.target, figures.GOLD, None)
    elif canvas.open:
        for seat in shown.seats:
            yield GoalMark(str(seat), shown.targets[seat], figures.paint_for(shown.colors[seat]), seat)


def draw_goals(canvas: places.Canvas) -> Iterator[str]:
    """Draw the goals that are places; one that was reached disappears, and the next one appears after the walk."""
    seen: dict[Position, int] = {}
    for goal in visible_goals(canvas):
        at = goal.target
        if isinstance(at, str) or not canvas.board.grid.holds(at):
            continue  # it is on a tile, or on none
        depth = seen[at] = seen.get(at, -1) + 1
        x, y = places.tile_middle(at)
        place = places.translate((x + 9 * depth, y + 9 * depth))
        yield (
            f'<g data-key="goal-{goal.whose}-{at[0]},{at[1]}" data-goal="{goal.whose}" data-on="{at[0]},{at[1]}"'
            f' data-enter="grow" data-leave="shrink" data-step="3" transform="{place}">'
            f"{figures.draw_goal_sign(goal.paint, goal.seat)}</g>"
        )


# -- the last turn -----------------------------------------------------------------------------


def draw_last_slide(canvas: places.Canvas) -> Iterator[str]:
    """Frame the line that was slid last."""
    last, grid = canvas.shown.last, canvas.board.grid
    if last is None or (last.index, last.direction) not in grid.shift_for:
        return
    level = last.direction in ("LEFT", "RIGHT")
    start, side = figures.LANE, figures.TILE
    x, y = (start, start + side * last.index) if level else (start + side * last.index, start)
    width, height = (side * grid.columns, side) if level else (side, side * grid.rows)
    yield (
        f'<rect class="strip" data-last="{last.index},{last.direction}" x="{x}" y="{y}"'
        f' width="{width}" height="{height}" rx="5"/>'
    )


def draw_last_walk(shown: State | View, move: places.LastMove | None) -> Iterator[str]:
    """Draw the way of the last move, once it has been walked."""
    if move is None or len(move.way) < 2:
        return
    line = "M" + "L".join(f"{x} {y}" for x, y in map(places.tile_middle, move.way))
    paint = figures.paint_for(shown.colors[move.seat])
    yield (
        f'<g data-key="walk-{shown.turn_number}" data-walk="{move.seat}" data-enter="fade" data-step="3"'
        f' transform="translate(0 0)"><path class="walk shadow" d="{line}"/>'
        f'<path class="walk" d="{line}" stroke="{paint}"/></g>'
    )


def draw_pawns(shown: State | View, move: places.LastMove | None) -> Iterator[str]:
    """Draw pawns, side by side if they share a tile."""
    for seat, place in places.pawn_places(shown.board.grid, shown.avatars).items():
        row, column = shown.avatars[seat]
        mine = isinstance(shown, View) and shown.me == seat
        yield (
            f'<g data-key="pawn-{seat}" data-seat="{seat}" data-on="{row},{column}" data-leave="fade"'
            f'{places.pawn_motion(move, seat)} transform="{places.translate(place)}">'
            f"{figures.draw_pawn(seat, figures.paint_for(shown.colors[seat]), mine=mine)}</g>"
        )


# -- arrows ------------------------------------------------------------------------------------


def draw_arrows(canvas: places.Canvas) -> Iterator[str]:
    """Draw one arrow for each slide, at the end where the spare tile goes in."""
    last = canvas.shown.last
    undo = None if last is None else (last.index, OPPOSITE[last.direction])
    for shift in canvas.board.grid.shifts:
        if shift.slide == last:
            yield draw_arrow(canvas, shift, "slid", "last slide:")
        elif (shift.slide.index, shift.slide.direction) == undo:
            yield draw_arrow(canvas, shift, "barred", "would undo the last slide:")
        else:
            yield draw_arrow(canvas, shift, "", "slide")


def draw_arrow(canvas: places.Canvas, shift: Shift, kind: str, words: str) -> str:
    """Draw one arrow; the one that is forbidden is barred."""
    index, direction = shift.slide.index, shift.slide.direction
    x, y = places.tile_middle(canvas.board.grid.positions[shift.entry])
    x += {"LEFT": figures.HALF + ARROW, "RIGHT": -figures.HALF - ARROW}.get(direction, 0)
    y += {"UP": figures.HALF + ARROW, "DOWN": -figures.HALF - ARROW}.get(direction, 0)
    bar = '<use class="bar" href="#labyrinth-bar"/>' if kind == "barred" else ""
    art = f'<use class="plate" href="#labyrinth-plate"/><use class="sign" href="#labyrinth-arrow"/>{bar}'
    if kind:
        art = f'<g class="{kind}">{art}</g>'
    return (
        f'<g{canvas.class_attribute(places.slide_key(shift))} data-slide="{index},{direction}"'
        f' transform="translate({x} {y})rotate({ARROW_DEGREES[direction]})">'
        f"<title>{words} {format_slide(index, direction)}</title>{art}</g>"
    )


# -- styles and definitions -------------------------------------------------------------------


def bind_rule(rule: str) -> str:
    """Apply a rule to pictures of Labyrinth alone."""
    selectors, _, body = rule.partition("{")
    return ",".join(f".labyrinth-board {selector}" for selector in selectors.split(",")) + "{" + body


STYLE = ".labyrinth-board{font:600 15px system-ui,sans-serif;fill:#f3eee0}" + "".join(
    bind_rule(rule)
    for rule in (
        *figures.STONE_RULES,
        ":focus:not(:focus-visible){outline:none}",
        ".over{pointer-events:none}",
        ".small{font-size:13px;font-weight:500;fill:#cfcabb}",
        ".card{fill:#3a4448}",
        ".edge{stroke:#17130c;stroke-width:1.8;stroke-linejoin:round}",
        ".under{stroke:#17130c;stroke-width:8;stroke-linejoin:round}",
        ".gate{stroke-width:5}",
        ".halo{fill:#fff;fill-opacity:.5;stroke:#17130c;stroke-opacity:.55;stroke-width:1.5}",
        ".sought{fill:none;stroke-width:5}",
        ".disc{fill:#fffdf2;fill-opacity:.92;stroke:#17130c;stroke-width:8.5}",
        ".strip{fill:none;stroke:#ffcf3f;stroke-width:3;stroke-dasharray:2 7;stroke-linecap:round}",
        ".walk{fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:.1 10}",
        ".shadow{stroke:#17130c;stroke-width:8}",
        ".mine{fill:#fff;fill-opacity:.75;stroke:#17130c;stroke-width:2}",
        ".out{text-decoration:line-through;opacity:.6}",
        # places of the board
        "[data-at]{fill:#fffbe0;fill-opacity:0;stroke-width:6;color:transparent;outline:none}",
        ".lit{cursor:pointer}",
        "[data-at].lit{fill-opacity:.08;stroke:#0d5a30;color:#6dffa0}",
        "[data-at].hint{fill:#4fe585;fill-opacity:.34;color:#eafff0}",
        "[data-at].chosen{fill-opacity:.45;stroke:#0d5a30;color:#fff}",
        "[data-at].lit:hover,[data-at].near{fill-opacity:.5;stroke:#0d5a30;stroke-width:8;color:#fff}",
        "[data-at]:focus-visible{fill-opacity:.5;stroke:#c4006a;stroke-width:8;color:#fff}",
        # arrows and knobs
        ".plate{fill:#4a5458;stroke:#0c1113;stroke-width:1.5}",
        ".sign{fill:#aeb6b4;stroke:#17130c;stroke-width:1}",
        ".slid .plate{fill:#6d5a2d}",
        ".slid .sign{fill:#ffcf3f}",
        ".barred .plate{fill:#2a3135}",
        ".barred .sign{fill:#566066}",
        ".bar{stroke:#e5533d;stroke-width:5;stroke-linecap:round;fill:none}",
        ".lit .plate{fill:#7a5a17;stroke:#ffe38a;stroke-width:2}",
        ".lit .sign{fill:#ffe38a}",
        ".lit:hover .plate,.near .plate{fill:#a87c1d;stroke:#fff}",
        ".hint .plate{fill:#1f7a45;stroke:#d9ffe3;stroke-width:3.5}",
        ".hint .sign{fill:#fff}",
        ".chosen .plate{fill:#ffcf3f;stroke:#fff;stroke-width:3.5}",
        ".chosen .sign{fill:#17130c}",
        ":focus-visible .plate{stroke:#ff5aa8;stroke-width:5}",
        # tiles that a card or a hint points at
        "[data-key].hint .tile,[data-key].hint .still{fill:#8df0a8}",
    )
)


@lru_cache(maxsize=64)
def build_definitions(seats: int, original: bool) -> str:
    """Define everything that pictures with this many seats use again and again."""
    inner = 'x="-31" y="-31" width="62" height="62" rx="9" fill="none"'
    return "".join(
        [
            figures.STONE_DEFINITIONS,
            figures.define_tiles(),
            figures.define_figures(seats),
            f'<g id="labyrinth-place"><rect x="-36" y="-36" width="72" height="72" stroke="none"/><rect {inner}/>',
            f'<rect {inner} stroke="currentColor" stroke-width="2.5"/></g>',
            '<rect id="labyrinth-plate" x="-33" y="-22" width="66" height="44" rx="9"/>',
            '<path id="labyrinth-arrow" d="M0-15 20 5H8V15H-8V5H-20z"/>',
            '<path id="labyrinth-bar" d="M-24-14 24 14"/>',
            '<path id="labyrinth-bend" d="M-10.6 6.2A12 12 0 1 1 9 8L14.5 8.5 6.5 16 1.5 6 6 6.3A8 8 0 1 0-7 3.6z"/>',
            define_treasures() if original else "",
        ]
    )
