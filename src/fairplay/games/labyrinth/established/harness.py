"""The test programs of Labyrinth (12): JSON values in, one JSON value out."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from re import fullmatch
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from fairplay.core import Began, Ended, Fault, FaultKind, Json, Misbehaved, Player, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import Call, Client, FaultyClient, RemotePrograms, TestBench, TestClient, TestProgram
from fairplay.core.immutable import bits as cells
from fairplay.games.labyrinth import state as data
from fairplay.games.labyrinth.board import OPPOSITE, Direction, Grid, Slide, reachable, slide_board
from fairplay.games.labyrinth.deal import start_given
from fairplay.games.labyrinth.established.client import LabyrinthClient
from fairplay.games.labyrinth.established.forms import StateForm, position_to_json, view_from_form
from fairplay.games.labyrinth.players.strategies import LabyrinthStrategy, euclid, riemann
from fairplay.games.labyrinth.tiles import GEMS, Degree

StrategyName: TypeAlias = Literal["Riemann", "Euclid"]
Trouble: TypeAlias = Literal["setUp", "takeTurn", "win"]
Word: TypeAlias = Literal[
    "coordinate", "move", "unreachable", "row", "column", "undo",
    "nonSetup", "nonWin", "invTTBadString", "invTTNat2Int", "illTT",
]  # fmt: skip
Count: TypeAlias = Annotated[int, Meta(ge=1)]  # Labyrinth 12.2: any

STRATEGIES: Mapping[str, LabyrinthStrategy] = {"Riemann": riemann(Random(0)), "Euclid": euclid(Random(0))}


class ListedPlayer(NamedTuple):
    """One player of a specification: PS, BadPS or BadPS2 of Labyrinth 10.1."""

    name: str
    strategy: StrategyName
    trouble: Trouble | Word | None = None
    times: int | None = None


# -- players -----------------------------------------------------------------------------------


class FaultyPlayer:
    """A player that follows its strategy, but goes wrong in one call (Labyrinth 12.4, 12.7)."""

    def __init__(self, spec: ListedPlayer) -> None:
        self.strategy, self.trouble, self.count = STRATEGIES[spec.strategy], spec.trouble, spec.times
        self.calls = {"setUp": 0, "takeTurn": 0, "win": 0}

    def choose(self, view: data.View) -> data.Action:
        self.count_call("takeTurn")
        if self.trouble in MALFORMED_TURNS:
            raise Misbehaved(Fault(FaultKind.MALFORMED, f"answered with {MALFORMED_TURNS[self.trouble]}"))
        if self.trouble in ILLEGAL_MOVES:
            return ILLEGAL_MOVES[self.trouble](view)
        return self.strategy(view)

    def hear(self, news: object) -> None:
        if isinstance(news, Ended):
            self.count_call("win")
        else:
            assert isinstance(news, Began | data.NextTarget)
            self.count_call("setUp")

    def count_call(self, call: str) -> None:
        """Go wrong if this is the call to go wrong in."""
        self.calls[call] += 1
        if (self.trouble, call) in (("nonSetup", "setUp"), ("nonWin", "win")):
            raise Misbehaved(Fault(FaultKind.MALFORMED, 'answered with "ok"'))
        if self.trouble != call or self.calls[call] != (self.count or 1):
            return
        if self.count is None:
            raise Misbehaved(Fault(FaultKind.CRASHED, f"raised in {call}"))
        raise Misbehaved(Fault(FaultKind.TIMED_OUT, f"never returned from call {self.count} of {call}"))


MALFORMED_TURNS: Mapping[str | None, str] = {
    "invTTBadString": '"SKIP"',
    "invTTNat2Int": "index -2",
    "illTT": 'the unfinished [0,"LEFT"',
}


def first_slide(view: data.View) -> tuple[int, Direction, Degree]:
    """The first slide of Labyrinth 8.3 that does not undo the last one, and degree 0."""
    undone = None if view.last is None else Slide(view.last.index, OPPOSITE[view.last.direction])
    slide = next(shift.slide for shift in view.board.grid.shifts if shift.slide != undone)
    return slide.index, slide.direction, 0


def move_off_board(view: data.View) -> data.Action:
    """Walk to a position that does not exist."""
    grid = view.board.grid
    return data.Move(*first_slide(view), (grid.rows, grid.columns))


def stay_put(view: data.View) -> data.Action:
    """Slide, and end where the slide leaves the avatar."""
    index, direction, degree = first_slide(view)
    shift = view.board.grid.shift_for[index, direction]
    return data.Move(index, direction, degree, shift.carry.get(view.at, view.at))


def move_unreachable(view: data.View) -> data.Action:
    """Walk to a position that cannot be reached, if there is one."""
    index, direction, degree = first_slide(view)
    grid = view.board.grid
    shift = grid.shift_for[index, direction]
    closed = grid.everywhere & ~reachable(slide_board(view.board, shift, degree), shift.carry.get(view.at, view.at))
    return (
        data.Move(index, direction, degree, grid.positions[closed.bit_length() - 1]) if closed else move_off_board(view)
    )


def undo_last(view: data.View) -> data.Action:
    """Undo the last slide, if there is one."""
    if view.last is None:
        return data.Pass()
    return data.Move(view.last.index, OPPOSITE[view.last.direction], 0, view.at)


ILLEGAL_MOVES: Mapping[str | None, Callable[[data.View], data.Action]] = {
    "coordinate": move_off_board,
    "move": stay_put,
    "unreachable": move_unreachable,
    "row": lambda view: data.Move(1, "LEFT", 0, view.home),
    "column": lambda view: data.Move(1, "UP", 0, view.home),
    "undo": undo_last,
}


# -- programs ----------------------------------------------------------------------------------


def read_values(values: Sequence[Json], *kinds: object) -> list[Any]:
    """Read the first values as these types; more are ignored (Labyrinth 12.1); raises WireError."""
    if len(values) < len(kinds):
        raise WireError(f"expected {len(kinds)} JSON values, got {len(values)}")
    return [as_type(value, kind) for value, kind in zip(values, kinds, strict=False)]


def cells_to_json(grid: Grid, mask: int) -> Json:
    """Write the positions of a mask, row by row."""
    return [position_to_json(grid.positions[cell]) for cell in cells(mask)]


def xboard(values: Sequence[Json], bench: TestBench) -> Json:
    """Where can one go from a position?"""
    form, at = read_values(values, data.BoardForm, data.Coordinate)
    board = data.board_from_form(form, data.TileForm("┼", GEMS[0], GEMS[0]))  # any tile: it is not on the board
    return cells_to_json(board.grid, reachable(board, at.position))


def xstate(values: Sequence[Json], bench: TestBench) -> Json:
    """Where can the first player go after a slide?  It may undo the last one (Labyrinth 12.5)."""
    form, index, direction, degree = read_values(values, StateForm, data.Natural, Direction, Degree)
    board = data.board_from_form(form.board, form.spare)
    shift = board.grid.shift_for.get((index, direction))
    if shift is None:
        raise WireError(f"{index} {direction} is not a slide of this board")
    if not form.plmt:
        raise WireError("expected a player", "$.plmt")
    at = form.plmt[0].current.position
    return cells_to_json(board.grid, reachable(slide_board(board, shift, degree), shift.carry.get(at, at)))


def xchoice(values: Sequence[Json], bench: TestBench) -> Json:
    """What does a strategy choose?"""
    name, form, target = read_values(values, StrategyName, StateForm, data.Coordinate)
    if not form.plmt:
        raise WireError("expected a player", "$.plmt")
    action = STRATEGIES[name](view_from_form(form, target.position))
    if isinstance(action, data.Pass):
        return "PASS"
    return [action.index, action.direction, action.degree, position_to_json(action.to)]


def xgames(values: Sequence[Json], bench: TestBench) -> Json:
    """Play one match and name the winners."""
    specs, form = read_values(values, tuple[PS, ...], data.Given)
    return play_given([ListedPlayer(*spec) for spec in specs], form, bench)[0]


def xbad(values: Sequence[Json], bench: TestBench) -> Json:
    """Play with players that crash: the winners, and the players that misbehaved."""
    specs, form = read_values(values, tuple[BadPS, ...], data.Given)
    return play_given([read_spec(spec) for spec in specs], form, bench)


def xbad2(values: Sequence[Json], bench: TestBench) -> Json:
    """Play with players that crash or never answer: the winners, and the players that misbehaved."""
    specs, form = read_values(values, tuple[BadPS2, ...], data.Given)
    return play_given([read_spec(spec) for spec in specs], form, bench)


def xserver(values: Sequence[Json], bench: TestBench) -> Json:
    """Play without sockets: the clients sign up in the listed order, and the last one is the youngest (11.3, 11.4)."""
    specs, form = read_values(values, tuple[BadPS2, ...], data.Given)
    named = [spec for spec in (read_spec(spec, WORDS) for spec in specs) if fullmatch("[A-Za-z0-9]{1,20}", spec.name)]
    seated = named[: min(6, len(form.seats))]
    return play_given(seated[::-1], form, bench) if len(seated) >= 2 else [[], []]


PS: TypeAlias = tuple[str, StrategyName]
BadPS: TypeAlias = Annotated[list[str], Meta(min_length=2, max_length=3)]
BadPS2: TypeAlias = Annotated[list[str | int], Meta(min_length=2, max_length=4)]
TROUBLES = frozenset({"setUp", "takeTurn", "win"})
WORDS = TROUBLES | ILLEGAL_MOVES.keys() | MALFORMED_TURNS.keys() | {"nonSetup", "nonWin"}


def read_spec(parts: Sequence[Json], troubles: frozenset[str | None] = TROUBLES) -> ListedPlayer:
    """Read a PS, BadPS or BadPS2, as many elements as there are (Labyrinth 10.1); raises WireError."""
    spec = ListedPlayer(
        *(as_type(part, kind) for part, kind in zip(parts, (str, StrategyName, str, Count), strict=False))
    )
    if spec.trouble is not None and spec.trouble not in troubles:
        raise WireError(f"{spec.trouble!r} is not a call that can go wrong")
    return spec


def play_given(specs: Sequence[ListedPlayer], form: data.Given, bench: TestBench) -> list[list[str]]:
    """Play a given match: the winners, and the players that misbehaved; surplus ones are dropped (Labyrinth 12.3)."""
    names = [spec.name for spec in specs[: len(form.seats)]]
    players: list[Player] = [FaultyPlayer(spec) for spec in specs[: len(form.seats)]]
    outcome = bench.play_match(start_given(form, len(players)), players)
    faulty = [name for name, fault in zip(names, outcome.faults, strict=True) if fault is not None]
    return [sorted(names[seat] for seat in outcome.winners), sorted(faulty)]


PROGRAMS: Mapping[str, TestProgram] = {
    "xboard": xboard,
    "xstate": xstate,
    "xchoice": xchoice,
    "xgames": xgames,
    "xbad": xbad,
    "xbad2": xbad2,
    "xserver": xserver,
    "xserver2": xserver,
}


# -- over TCP ----------------------------------------------------------------------------------


class WrongClient:
    """A client that gives one wrong answer to every call of a method (Labyrinth 12.7)."""

    def __init__(self, client: Client, method: str, answer: Json) -> None:
        self.client, self.method, self.wrong = client, method, answer

    @property
    def over(self) -> bool:
        return self.client.over

    @property
    def won(self) -> bool | None:
        return self.client.won

    def answer(self, call: Call) -> Json:
        answer = self.client.answer(call)
        return self.wrong if call.method == self.method else answer


WRONG_ANSWERS: Mapping[str | None, tuple[str, Json]] = {
    "nonSetup": ("setup", "ok"),
    "nonWin": ("win", "ok"),
    "invTTBadString": ("take-turn", "SKIP"),
    "invTTNat2Int": ("take-turn", [-2, "LEFT", 0, {"row#": 0, "column#": 0}]),
    "illTT": ("take-turn", msgspec.Raw(b'[0,"LEFT"')),
}
METHODS: Mapping[str | None, str] = {"setUp": "setup", "takeTurn": "take-turn", "win": "win"}


def build_client(spec: ListedPlayer) -> Client:
    """Build a client that goes wrong as its specification says (Labyrinth 12.4, 12.7)."""
    honest = LabyrinthClient(ILLEGAL_MOVES.get(spec.trouble, STRATEGIES[spec.strategy]))
    if spec.trouble in WRONG_ANSWERS:
        return WrongClient(honest, *WRONG_ANSWERS[spec.trouble])
    if spec.trouble not in METHODS:
        return honest
    if spec.times is None:
        return FaultyClient(honest, METHODS[spec.trouble], 0, Fault(FaultKind.CRASHED, f"raised in {spec.trouble}"))
    silent = Fault(FaultKind.TIMED_OUT, f"never returned from call {spec.times} of {spec.trouble}")
    return FaultyClient(honest, METHODS[spec.trouble], spec.times - 1, silent)


def build_clients(values: Sequence[Json], depth: int) -> list[TestClient]:
    (specs,) = read_values(values, tuple[BadPS2, ...])
    return [TestClient(spec.name, build_client(spec)) for spec in (read_spec(parts, WORDS) for parts in specs)]


def read_setup(values: Sequence[Json]) -> data.Setup:
    """Read a given match (Labyrinth 2.2)."""
    (form,) = read_values(values, data.Given)
    return data.Setup("multi-goal" if form.goals else "plain", given=form)


REMOTE = RemotePrograms(setup=read_setup, clients=build_clients, sign_up_gap=3.0)
