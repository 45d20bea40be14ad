"""docs/protocols/native.md is enough: the legal actions written from that page alone are those of the referee.

Everything here works on the JSON of a view, as a program in another language would, and shares no code with the games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core.chance import choice, derived
from fairplay.match.replay import deal_state

PAGE = (Path(__file__).parent.parent / "docs/protocols/native.md").read_text("utf-8").splitlines()


def table(title: str) -> list[list[str]]:
    """The cells of a table of the page, without its first column; `title` is its upper left corner."""
    start = next(number for number, line in enumerate(PAGE) if line.startswith(f"| {title} |"))
    lines = takewhile(lambda line: line.startswith("|"), PAGE[start:])
    return [[cell.strip(" `") for cell in line.split("|")[2:-1]] for line in lines if "---" not in line]


def read_steps(variant: str) -> list[list[list[int]]]:
    """For even and for odd rows: how a step in each direction changes row and column."""
    return [[[int(number) for number in cell.split(", ")] for cell in row] for row in table(f"`{variant}`")[1:]]


STEPS = {variant: read_steps(variant) for variant in ("standard", "original")}


def fish(view: Any) -> Iterator[Any]:
    board, taken = view["board"], [tuple(spot) for seat in view["seats"] for spot in seat["penguins"]]
    free = {
        (row, column): count
        for row, line in enumerate(board)
        for column, count in enumerate(line)
        if count and (row, column) not in taken
    }
    if view["placing"]:
        for spot, count in free.items():
            if view["variant"] == "standard" or count == 1:
                yield {"do": "place", "at": spot}
        return
    for start in view["seats"][view["me"]]["penguins"]:
        for direction in range(6):
            row, column = start
            while True:
                down, right = STEPS[view["variant"]][row % 2][direction]
                row, column = row + down, column + right
                if (row, column) not in free:
                    break
                yield {"do": "move", "start": start, "target": (row, column)}


def trains(view: Any) -> Iterator[Any]:
    if view["picking"]:
        for keep in combinations(view["offer"], view["terms"]["kept"]):
            yield {"do": "pick", "keep": keep}
        return
    yield {"do": "draw"}
    acquired = [connection for seat in view["seats"] for connection in seat["acquired"]]
    for connection in view["map"]["connections"]:
        _, _, color, length = connection
        if connection not in acquired and min(view["cards"][color], view["seats"][view["me"]]["rails"]) >= length:
            yield {"do": "acquire", "connection": connection}


CONNECTORS, OPENINGS, TURNS = table("connector")
OPEN = dict(zip(CONNECTORS, OPENINGS, strict=True))
TURNED = dict(zip(CONNECTORS, TURNS, strict=True))
SIDES = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}
OPPOSITE = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


def labyrinth(view: Any) -> Iterator[Any]:
    original, at = view["variant"] == "original", tuple(view["seats"][view["me"]]["at"])
    rows, columns = len(view["board"]["connectors"]), len(view["board"]["connectors"][0])
    if not original:
        yield {"do": "pass"}
    for index in range(int(original), max(rows, columns), 2):
        for direction, opposite in OPPOSITE.items():
            if index >= (rows if direction in ("LEFT", "RIGHT") else columns):
                continue
            if view["last"] == [index, opposite]:
                continue
            spare = view["spare"]["tilekey"]
            for degree in (0, 90, 180, 270):
                tiles, then = slide(view["board"]["connectors"], spare, index, direction, at)
                for to in walk(tiles, then):
                    if original or to != then:
                        yield {"do": "move", "index": index, "direction": direction, "degree": degree, "to": to}
                spare = TURNED[spare]


def slide(board: Any, spare: str, index: int, direction: str, at: Any) -> tuple[Any, Any]:
    """The tiles by position after a slide, and where an avatar is then."""
    tiles = {(row, column): tile for row, line in enumerate(board) for column, tile in enumerate(line)}
    level = direction in ("LEFT", "RIGHT")
    line = [spot for spot in tiles if spot[0 if level else 1] == index]
    if direction in ("LEFT", "UP"):
        line.reverse()
    moved = {**tiles, line[0]: spare, **{after: tiles[before] for before, after in pairwise(line)}}
    return moved, line[(line.index(at) + 1) % len(line)] if at in line else at


def walk(tiles: Any, start: Any) -> Any:
    reached, queue = {start}, [start]
    for row, column in queue:
        for side in OPEN[tiles[row, column]].split():
            down, right, back = SIDES[side]
            spot = (row + down, column + right)
            if spot in tiles and spot not in reached and back in OPEN[tiles[spot]]:
                reached.add(spot)
                queue.append(spot)
    return reached


LEGAL = {"fish": fish, "trains": trains, "labyrinth": labyrinth}
MATCHES = [
    ("fish", "standard", {"rows": 6, "columns": 5}, 3),
    ("fish", "original", {}, 3),
    ("trains", "standard", {"map": "tiny", "rails": 12, "deck_size": 40}, 2),
    ("labyrinth", "plain", {"rows": 4, "columns": 7}, 2),
    ("labyrinth", "multi-goal", {}, 3),
    ("labyrinth", "original", {}, 2),
]


@pytest.mark.parametrize(("name", "variant", "setup", "seats"), MATCHES, ids=lambda value: str(value))
def test_the_page_tells_what_is_legal(name: str, variant: str, setup: dict[str, Any], seats: int) -> None:
    game = GAMES[name]
    setup = msgspec.to_builtins(game.variants[variant]) | setup
    state = deal_state(game, msgspec.convert(setup, game.setup), 7, seats)
    rng = derived(7, "walk")
    for _ in range(40):
        seat = game.rules.to_move(state)
        if seat is None:
            break
        view = game.rules.view(state, seat)
        actions = game.rules.legal_actions(view)
        shown = msgspec.json.decode(msgspec.json.encode(game.codec.view_to_json(view)))
        assert as_texts(LEGAL[name](shown)) == as_texts(map(msgspec.to_builtins, actions))
        state = game.rules.apply(state, choice(rng, actions))


def as_texts(actions: Any) -> list[bytes]:
    return sorted(msgspec.json.encode(action, order="sorted") for action in actions)
