"""Labyrinth as short texts: `2 left 90 3,4` slides row 2, turns the tile by 90 and goes to row 3, column 4.

Positions are texts of one line, in parts that ` | ` divides:

    plain | │┐└/┘─┬/├┼┤ ┌ | 3+17 0+5 ... | 0 left | purple 1,1 1,1 3,5 / ... | 3,1 5,3 | 0 12 1000 0 fresh - 25

The variant; the tiles row by row and the spare one; the two gems of each tile, by number, those of the spare one last;
the last slide; for each seat its colour, its home, where it stands (`out`: removed), its target (a place, or a treasure
by name; `:home` behind it: the way home at the end), and what it has found; the queue of goals, or the piles of
treasures; whose turn it is, rounds completed and at most, who moved, whether the round is fresh, who came home, and how
many turns were completed.
"""

import re
from collections.abc import Iterable
from typing import assert_never
from urllib.parse import quote, unquote

import msgspec

from fairplay.core import Json, NotationError, Seat, WireError
from fairplay.games.labyrinth.board import NOWHERE
from fairplay.games.labyrinth.codec import state_from_json
from fairplay.games.labyrinth.state import Action, Move, Pass, State, Target, View
from fairplay.games.labyrinth.tiles import CONNECTORS, GEMS

TEXT = re.compile(
    r"(\d{1,4})\s+(left|right|up|down)\s+(0|90|180|270)\s+(\d{1,4})\s*,\s*(\d{1,4})", re.IGNORECASE | re.ASCII
)


def format_action(action: Action) -> str:
    match action:
        case Pass():
            return "pass"
        case Move(index, direction, degree, (row, column)):
            return f"{index} {direction.lower()} {degree} {row},{column}"
        case _:
            assert_never(action)


def parse_action(text: str, shown: State | View | None = None) -> Action:
    """Read an action; raises NotationError."""
    if text.strip().lower() == "pass":
        return Pass()
    found = TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(text, "'pass', or INDEX DIRECTION DEGREE ROW,COLUMN, such as '2 left 90 3,4'")
    index, direction, degree, row, column = found.groups()
    return msgspec.convert(
        {
            "do": "move",
            "index": int(index),
            "direction": direction.upper(),
            "degree": int(degree),
            "to": (int(row), int(column)),
        },
        Move,
    )


# -- positions ---------------------------------------------------------------------------------

POSITION = "VARIANT | TILES | GEMS | SLIDE | SEAT / SEAT | GOALS | TURN ROUNDS LIMIT MOVERS FRESH FINISHER NUMBER"
FRESH = ("begun", "fresh")


def format_position(state: State) -> str:
    """Write a state on one line, its hidden goals too."""
    board, last = state.board, state.last
    tiles = "/".join("".join(CONNECTORS[tile] for tile in row) for row in board.tiles)
    gems = (f"{GEMS.index(first)}+{GEMS.index(second)}" for first, second in board.gems)
    goals = ";".join(map(format_targets, state.piles)) if state.piles else format_targets(state.queue)
    counts = (state.rounds, state.limit, ",".join(map(str, sorted(state.movers))) or "-", FRESH[state.fresh])
    sections = (
        state.variant,
        f"{tiles} {CONNECTORS[board.spare]}",
        " ".join(gems),
        "-" if last is None else f"{last.index} {last.direction.lower()}",
        " / ".join(format_seat(state, Seat(seat)) for seat in range(len(state.avatars))),
        goals or "-",
        " ".join(map(str, (dash(state.turn), *counts, dash(state.finisher), state.turn_number))),
    )
    return " | ".join(sections)


def format_seat(state: State, seat: Seat) -> str:
    """All about one seat."""
    at = "out" if state.avatars[seat] == NOWHERE else format_target(state.avatars[seat])
    target = format_target(state.targets[seat]) + (":home" if seat in state.homeward else "")
    found = format_targets(state.found[seat])
    color = quote(state.colors[seat], safe="", errors="surrogatepass")
    return f"{color} {format_target(state.homes[seat])} {at} {target} {found or '-'}"


def format_targets(targets: Iterable[Target]) -> str:
    """Places and treasures, one after the other."""
    return "+".join(map(format_target, targets))


def format_target(target: Target) -> str:
    """A place or a treasure."""
    return target if isinstance(target, str) else f"{target[0]},{target[1]}"


def dash(seat: int | None) -> str:
    """A seat, or a dash for none."""
    return "-" if seat is None else str(seat)


def parse_position(text: str) -> State:
    """Read a state; raises NotationError."""
    try:
        variant, tiles, gems, last, seats, goals, rest = text.split(" | ")
        original = variant == "original"
        players = [seat.split(" ") for seat in seats.split(" / ")]
        return state_from_json(
            {
                **parse_board(tiles, gems),
                **parse_counts(rest),
                "original": original,
                "variant": variant,
                "last": None if last == "-" else parse_slide(last),
                "seats": [
                    {
                        "color": unquote(color, errors="surrogatepass"),
                        "home": parse_target(home),
                        "at": None if at == "out" else parse_target(at),
                    }
                    for color, home, at, _, _ in players
                ],
                "hidden": [
                    {
                        "target": parse_target(target.removesuffix(":home")),
                        "going_home": target.endswith(":home"),
                        "found": parse_targets(found),
                    }
                    for _, _, _, target, found in players
                ],
                "queue": [] if original else parse_targets(goals),
                "piles": [parse_targets(pile) for pile in goals.split(";")] if original else [],
            }
        )
    except (ValueError, LookupError, WireError):
        raise NotationError(text, POSITION, "a position of Labyrinth") from None


def parse_board(tiles: str, gems: str) -> dict[str, Json]:
    """The board and the spare tile; raises ValueError and LookupError."""
    rows, spare = tiles.split(" ")
    connectors = [[*row] for row in rows.split("/")]
    *pairs, (first, second) = [[GEMS[int(gem)] for gem in pair.split("+")] for pair in gems.split(" ")]
    columns = len(connectors[0])
    treasures = [pairs[start : start + columns] for start in range(0, len(pairs), columns)]
    return {
        "board": {"connectors": connectors, "treasures": treasures},
        "spare": {"tilekey": spare, "1-image": first, "2-image": second},
    }


def parse_counts(text: str) -> dict[str, Json]:
    """How far the match is; raises ValueError."""
    turn, rounds, limit, movers, fresh, finisher, number = text.split(" ")
    return {
        "turn": None if turn == "-" else int(turn),
        "rounds": int(rounds),
        "limit": int(limit),
        "movers": [] if movers == "-" else [int(seat) for seat in movers.split(",")],
        "fresh": FRESH.index(fresh) == 1,
        "finisher": None if finisher == "-" else int(finisher),
        "turn_number": int(number),
    }


def parse_slide(text: str) -> Json:
    """The last slide; raises ValueError."""
    index, direction = text.split(" ")
    return [int(index), direction.upper()]


def parse_targets(text: str) -> Json:
    """Places and treasures; raises ValueError."""
    return [parse_target(target) for target in text.split("+") if target not in ("", "-")]


def parse_target(text: str) -> Json:
    """A place or a treasure; raises ValueError."""
    return [int(number) for number in text.split(",")] if "," in text else text
