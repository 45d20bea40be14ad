"""What lies beside the board of Labyrinth: the spare tile, the goal that the viewer looks for, treasures, the seats."""

from collections.abc import Iterator, Sequence

from fairplay.core import Seat
from fairplay.core.shown import CardGroup, SideCard, parse_click
from fairplay.games.labyrinth.board import NOWHERE, Board, Grid, Position
from fairplay.games.labyrinth.drawing import canvas as places, figures
from fairplay.games.labyrinth.drawing.treasures import draw_treasure, name_treasure, treasure_icon
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import COLORS, State, Target, View
from fairplay.games.labyrinth.words import describe_target, seat_name

# -- the spare tile ----------------------------------------------------------------------------


def draw_slot(grid: Grid) -> str:
    """Draw the place where the spare tile lies."""
    x, y = places.slot_middle(grid)
    side = figures.TILE + 10
    words = f'<text class="small" x="{figures.LANE}" y="{y + 5}">Spare tile</text>' if grid.columns > 4 else ""
    return f'<rect class="bed" x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}" rx="8"/>{words}'


def draw_turn_knobs(canvas: places.Canvas) -> Iterator[str]:
    """Draw the two knobs that turn the spare tile."""
    x, y = places.slot_middle(canvas.board.grid)
    yield draw_knob(canvas, places.TURN_LEFT, x - 74, y, "left", 1)
    yield draw_knob(canvas, places.TURN_RIGHT, x + 74, y, "right", -1)


def draw_knob(canvas: places.Canvas, key: str, x: int, y: int, side: str, flip: int) -> str:
    """Draw a round arrow."""
    return (
        f'<g{canvas.class_attribute(key)} data-turn="{parse_click(key)[1]}"'
        f' transform="translate({x} {y})scale({-flip} 1)"><title>turn the spare tile to the {side}</title>'
        '<circle class="plate" r="25"/><use class="sign" href="#labyrinth-bend"/></g>'
    )


# -- beside the board --------------------------------------------------------------------------


def draw_panel(canvas: places.Canvas) -> Iterator[str]:
    """Draw the panel beside the board: the goal and the seats."""
    left, top = places.canvas_size(canvas)[0] - places.PANEL_WIDTH + 2, figures.LANE
    if isinstance(canvas.shown, View):
        yield draw_goal_card(canvas.shown, left, top, places.PANEL_WIDTH - 26)
        top += places.CARD_HEIGHT + 16
    for seat in range(len(canvas.shown.avatars)):
        yield draw_seat_line(canvas, seat, left, top + places.SEAT_HEIGHT * seat)


def draw_goal_card(view: View, x: float, y: float, width: float) -> str:
    """Draw the goal in words, for its owner alone."""
    words = "you are out" if view.target is None else describe_target(view)
    sign = ""
    if isinstance(view.target, str):
        sign = draw_treasure(view.target)
    elif view.target is not None:
        sign = figures.draw_goal_sign(figures.GOLD)
    found = f"{len(view.found)} found" if view.found else "nothing found yet"
    room = width - 74
    squeezed = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if 9 * len(words) > room else ""
    return (
        f'<rect class="card" x="{x:g}" y="{y:g}" width="{width:g}" height="{places.CARD_HEIGHT}" rx="10"/>'
        f'<text class="small" x="{x + 66:g}" y="{y + 22:g}">Your goal</text>'
        f'<text x="{x + 66:g}" y="{y + 46:g}"{squeezed}>{words}</text>'
        f'<text class="small" x="{x + 66:g}" y="{y + 69:g}">{found}</text>'
        f'<g transform="translate({x + 35:g} {y + 40:g})">{sign}</g>'
    )


def draw_seat_line(canvas: places.Canvas, seat: int, x: float, y: float) -> str:
    shown, color = canvas.shown, canvas.shown.colors[seat]
    out, me = shown.avatars[seat] == NOWHERE, isinstance(shown, View) and shown.me == seat
    mark = "removed" if out else "to move" if shown.turn == seat else ""
    known = f"{len(shown.found[seat])} found" if isinstance(shown, State) and canvas.open and not out else ""
    note = ", ".join(part for part in (color if color in COLORS else "", mark) if part)
    paint = figures.paint_for(color)
    figure = f'<g transform="translate({x + 22:g} {y + 23:g})scale(.75)">{figures.draw_pawn(seat, paint)}</g>'
    ring = f' stroke="{paint}" stroke-width="3"' if shown.turn == seat else ""
    box = f'x="{x:g}" y="{y:g}" width="{places.PANEL_WIDTH - 26}" height="42" rx="9"'
    counted = f'<text class="small" x="{x + places.PANEL_WIDTH - 38:g}" y="{y + 19:g}" text-anchor="end">{known}</text>'
    return (
        f'<g data-seat="{seat}"><rect class="card" {box}{ring}/>{counted if known else ""}'
        f'{figure}<text class="{"out" if out else ""}" x="{x + 44:g}" y="{y + 19:g}">'
        f"{seat_name(Seat(seat))}{', you' if me else ''}</text>"
        f'<text class="small" x="{x + 44:g}" y="{y + 35:g}">{note}</text></g>'
    )


# -- cards of the page ------------------------------------------------------------------------


def show_cards(shown: State | View, *, open: bool = False) -> tuple[CardGroup, ...]:
    """Show the cards of a view's owner; of a state none, as goals are secret, or with `open` those of all seats."""
    if isinstance(shown, View):
        if shown.target is None:
            return ()
        goal = CardGroup("Your goal", (goal_card(shown, shown.me, shown.target),))
        return goal, *found_cards("Found", shown.found)
    if not open:
        return ()
    groups: list[CardGroup] = []
    for seat in shown.seats:
        name = places.seat_label(shown, seat)
        groups.append(CardGroup(f"Goal of {name}", (goal_card(shown, seat, shown.targets[seat]),)))
        groups += found_cards(f"Found by {name}", shown.found[seat])
    return tuple(groups)


def goal_card(shown: State | View, seat: int, target: Target) -> SideCard:
    """The card of what a seat has to go to; pointing at it shows where that is."""
    at = locate_target(shown.board, target)
    home = target == shown.homes[seat]
    if isinstance(target, str):
        title, picture = name_treasure(target).capitalize(), treasure_icon(target)
        detail = "on the spare tile" if at is None else describe_spot(at)
    elif home:
        title, picture, detail = (
            "Go home",
            figures.gate_icon(seat, figures.paint_for(shown.colors[seat])),
            describe_spot(target),
        )
    else:
        title, picture, detail = describe_spot(target).capitalize(), figures.goal_icon(), ""
    return SideCard(
        title,
        detail,
        key=f"card-{seat}-{describe_target_key(target)}",
        highlights=(goal_highlight(shown.board, at),),
        picture=picture,
        kind="goal home" if home else "goal",
        enter="grow",
    )


def found_cards(title: str, found: Sequence[Target]) -> Iterator[CardGroup]:
    """The cards of treasures, if there are any; the latest first."""
    if found:
        yield CardGroup(title, tuple(map(found_card, reversed(found))))


def found_card(target: Target) -> SideCard:
    """The card of a treasure that was found."""
    if isinstance(target, str):
        return SideCard(name_treasure(target).capitalize(), picture=treasure_icon(target), kind="done")
    return SideCard(describe_spot(target).capitalize(), picture=figures.goal_icon(), kind="done")


def goal_highlight(board: Board, at: Position | None) -> str:
    """The key of the place of a goal, or of the spare tile that carries it."""
    return f"key={places.tile_keys(board)[-1]}" if at is None else places.position_key(at)


def describe_spot(at: Position) -> str:
    return f"row {at[0]}, column {at[1]}"


def describe_target_key(target: Target) -> str:
    """What a target is called in keys."""
    return target if isinstance(target, str) else f"{target[0]},{target[1]}"
