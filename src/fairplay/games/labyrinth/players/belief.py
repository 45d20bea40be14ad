"""What a seat can conclude about the goals of the others from what they did.

A guess about a seat is its target and what it found.  Someone who ends on a goal may have found it; someone who could
have gone to a goal and did not hardly looks for it; and someone who stays near a goal may well be waiting for a way.
Memory follows from what was shown: views, and what was seen between them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from fairplay.core import Seat, Seen
from fairplay.core.immutable import with_item
from fairplay.games.labyrinth import board as boards
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.goals import locate_target, locate_target_after
from fairplay.games.labyrinth.players.lookahead import ways_in
from fairplay.games.labyrinth.state import Action, Move, Target, View
from fairplay.games.labyrinth.tiles import Degree, rotate_tile

GOING_HOME = 63
"""The number of the home among the goals.  Those are numbered as the fixed positions, row by row, or as treasures."""

# How likely what someone does is, beside going to its goal if it can:
LEAVING = 0.001  # it could have gone to the goal, and did not
ELSEWHERE = 0.1  # it could not, and ended on just this cell, with many ways to the goal
NO_WAY = 0.08  # the share of this if there is no way to the goal
MOST = 400  # guesses that are kept about a seat


class Guess(NamedTuple):
    """What a seat may look for, and have found: goals by number, those found as bits."""

    target: int
    found: int


Guesses: TypeAlias = dict[Guess, float]


class Scene(NamedTuple):
    """What everyone sees between two turns."""

    board: boards.Board
    last: boards.Slide | None
    avatars: tuple[boards.Position, ...]


class Goals:
    """The goals of a match by number, and what the owner of a view knows of them.

    going_home: is its home, if that is its target, not a goal like others?
    """

    def __init__(self, view: View, *, going_home: bool) -> None:
        self.view, self.going_home = view, going_home
        self.original = view.board.grid.original
        self.all: Sequence[Target] = TREASURES if self.original else view.board.grid.fixed
        self.numbers = {goal: number for number, goal in enumerate(self.all)}
        self.rivals = [Seat(seat) for seat in range(len(view.avatars)) if seat != view.me]
        mine = view.found if going_home or view.target is None else (*view.found, view.target)
        self.known = sum(1 << number for goal in {*mine} if (number := self.numbers.get(goal)) is not None)
        self.pile = len(TREASURES) // len(view.avatars)

    def target(self, seat: Seat, number: int) -> Target:
        """The goal with this number as the rule book has it."""
        return self.view.homes[seat] if number == GOING_HOME else self.all[number]

    def unknown(self, taken: int) -> list[int]:
        """The goals that are neither mine nor among those `taken`."""
        return [number for number in range(len(self.all)) if not (self.known | taken) >> number & 1]

    def first_guesses(self, seat: Seat, *, start: bool) -> Guesses:
        """What to guess before anything was seen; at the start of a match nobody's goal is its home (2.3)."""
        home = self.numbers.get(self.view.homes[seat], GOING_HOME)
        targets = [number for number in self.unknown(0) if not (start and number == home)]
        guesses = {Guess(number, 0): 1.0 for number in targets}
        if not start or not guesses:
            guesses[Guess(GOING_HOME, 0)] = max(1.0, len(targets) / 4)
        return guesses

    def drop_mine(self, guesses: Guesses) -> Guesses:
        """The guesses without what turned out to be mine: no goal comes twice in a match that was dealt."""
        return {guess: chance for guess, chance in guesses.items() if not goals_in(guess) & self.known}

    def fill_up(self, guesses: Guesses) -> Guesses:
        """The same guesses, with a least chance for every target that could still be."""
        likeliest = max((chance, guess) for guess, chance in guesses.items())[1]
        targets = {guess.target for guess in guesses}
        for number in {GOING_HOME, *self.unknown(0)} - targets:
            guesses[Guess(number, likeliest.found & ~(1 << number))] = LEAST
        return guesses

    def next_targets(self) -> dict[int, float]:
        """What I may look for after my target, and how likely that is."""
        if self.going_home:
            return {}
        left = self.unknown(0)
        last = len(self.view.found) + 1 >= self.pile if self.original else self.view.variant == "plain" or not left
        return {GOING_HOME: 1.0} if last else dict.fromkeys(left, 1 / len(left))

    def next_guesses(self, guess: Guess, drawn: float, *, empty: bool) -> Guesses:
        """What a seat may look for once it has found its target.

        drawn: how many goals the others have drawn from the queue; empty: it is known that none are left.
        """
        found = guess.found | 1 << guess.target
        count = found.bit_count()
        left = self.unknown(found)
        home = Guess(GOING_HOME, found)
        if self.original:
            home_chance = 1.0 if count >= self.pile else 0.0
        else:
            queue = len(self.all) - len(self.view.avatars) - drawn - (count - 1)
            home_chance = 1.0 if empty or self.view.variant == "plain" or queue < 0.5 else FEWER
        if not left or home_chance == 1.0:
            return {home: 1.0}
        guesses = {Guess(number, found): (1 - home_chance) / len(left) for number in left}
        return {**guesses, home: home_chance} if home_chance else guesses


FEWER = 0.05  # the chance that the queue is empty though more goals could have been dealt


class RivalTurn:
    """What a seat did, and what it could have done."""

    def __init__(self, goals: Goals, scene: Scene, seat: Seat, action: Action, after: Scene) -> None:
        self.goals, self.seat, self.after = goals, seat, after
        self.options = list(boards.slide_options(scene.board, scene.avatars[seat], scene.last))
        self.board = scene.board
        self.spot = after.avatars[seat]
        self.moved = isinstance(action, Move)
        self.fits = not isinstance(action, Move) or any(
            option.ends >> scene.board.grid.cell(action.to) & 1
            and (option.shift.slide.index, option.shift.slide.direction) == (action.index, action.direction)
            and action.degree in option.degrees
            for option in self.options
        )

    def arrives(self, number: int) -> bool:
        """Did it end on this goal?"""
        return self.moved and self.spot == locate_target(self.after.board, self.goals.target(self.seat, number))

    def chance(self, number: int) -> float:
        """How likely such a turn is for someone who looks for this goal and did not end on it."""
        target = self.goals.target(self.seat, number)
        for option in self.options:
            if option.ends & locate_target_after(self.board, target, option.shift):
                return LEAVING
        cell = 1 << self.board.grid.cell(self.spot)
        ways = sum(1 for cells in ways_in(self.after.board, target) if cells & cell)
        open_way = 1 - 1 / (1 << ways)
        return ELSEWHERE * (NO_WAY + open_way * open_way)


def conclude(goals: Goals, guesses: Guesses, turn: RivalTurn, drawn: float, *, empty: bool) -> Guesses:
    """The guesses after a turn, by the rule of Bayes; `drawn` and `empty` as in `next_guesses`."""
    targets = {guess.target for guess in guesses}
    arrived = {number for number in targets if turn.arrives(number)}
    chances = {number: turn.chance(number) for number in targets - arrived}
    after: Guesses = {}
    for guess, weight in guesses.items():
        if guess.target not in arrived:
            after[guess] = after.get(guess, 0.0) + weight * chances[guess.target]
        elif guess.target != GOING_HOME:  # that would have ended the match
            for following, chance in goals.next_guesses(guess, drawn, empty=empty).items():
                after[following] = after.get(following, 0.0) + weight * chance
    return normalise(after or goals.first_guesses(turn.seat, start=False))


def normalise(guesses: Guesses) -> Guesses:
    """The same guesses with chances that add up to 1, none of them 0, and not too many: the best for each target."""
    if len(guesses) > MOST:
        ranked = sorted(guesses, key=lambda guess: (-guesses[guess], guess))
        best = {guess.target: guess for guess in reversed(ranked)}
        guesses = {guess: guesses[guess] for guess in [*best.values(), *ranked[: MOST - len(best)]]}
    total = sum(guesses.values())
    return {guess: max(chance / total, LEAST) for guess, chance in guesses.items()}


LEAST = 1e-9


def count_found(guesses: Guesses) -> float:
    """How many goals a seat may have found, on average."""
    return sum(chance * guess.found.bit_count() for guess, chance in guesses.items())


def goals_in(guess: Guess) -> int:
    """The goals that a seat has or found, by a guess."""
    return guess.found if guess.target == GOING_HOME else guess.found | 1 << guess.target


# -- what happened between two views -------------------------------------------------------------


def scene_after(scene: Scene, event: Seen) -> Scene:
    """What everyone sees after an event."""
    move, seat = event.action, event.seat
    assert seat is not None, "all chance is in the deal"
    if move is None:
        return scene._replace(avatars=with_item(scene.avatars, seat, boards.NOWHERE))
    if not isinstance(move, Move):
        return scene
    shift = scene.board.grid.shift_for[move.index, move.direction]
    avatars = with_item(boards.carry_avatars(scene.avatars, shift), seat, move.to)
    return Scene(boards.slide_board(scene.board, shift, move.degree), shift.slide, avatars)


def first_scene(view: View, events: Sequence[Seen]) -> Scene | None:
    """The scene before the first event, everyone at home; None if not everything since then was seen."""
    turns = [event for event in events if event.action is not None]
    if len(turns) != view.turn_number or (events and events[0].number != 0):
        return None
    board = view.board
    for event in reversed(turns):
        if isinstance(event.action, Move):
            board = board_before(board, event.action)
    return Scene(board, None, view.homes)


def board_before(board: boards.Board, move: Move) -> boards.Board:
    """The board before a move: the tile that dropped out is pushed back in, as it lies."""
    shift = board.grid.shift_for[move.index, boards.OPPOSITE[move.direction]]
    before = boards.slide_board(board, shift, 0)
    return replace(before, spare=rotate_tile(before.spare, TURNED_BACK[move.degree]))


TURNED_BACK: Mapping[Degree, Degree] = {0: 0, 90: 270, 180: 180, 270: 90}


class GoalBelief:
    """What one seat believes about the others, as far as it was shown."""

    def __init__(self) -> None:
        self.guesses: dict[Seat, Guesses] = {}
        self.goals: Goals | None = None  # as of the last view
        self._unseen: list[Seen] = []
        self._scene: Scene | None = None
        self._found = 0  # goals that I had found at the time of the scene
        self._drawn = 0.0  # goals that had been drawn from the queue by then, and at my last arrival

    def saw(self, seen: Seen) -> None:
        """Keep what happened until the next view."""
        self._unseen.append(seen)

    def look(self, view: View) -> tuple[Goals, Mapping[Seat, Guesses]]:
        """Conclude from what happened up to `view`: for each seat but mine the guesses and how likely they are.

        A second look at the same view changes nothing, not even how numbers are rounded.
        """
        if self.goals is not None and not self._unseen and self.goals.view == view:
            return self.goals, self.guesses
        events, self._unseen = self._unseen, []
        scene = self._scene or first_scene(view, events)
        before = Goals(view, going_home=view.target == view.home)
        if not self.guesses:
            start = scene is not None
            self.guesses = {seat: before.first_guesses(seat, start=start) for seat in before.rivals}
        self._drop_mine(before)
        if scene is not None:
            self._follow(before, scene, events)
        self.goals = Goals(view, going_home=self._is_going_home(view, knows_all=scene is not None))
        self._drop_mine(self.goals)
        self._scene, self._found = Scene(view.board, view.last, view.avatars), len(view.found)
        return self.goals, self.guesses

    def _drop_mine(self, goals: Goals) -> None:
        """Leave out guesses that cannot be true any more."""
        for seat, guesses in self.guesses.items():
            left = goals.drop_mine(guesses) or goals.first_guesses(seat, start=False)
            self.guesses[seat] = goals.fill_up(normalise(left))

    def _follow(self, goals: Goals, scene: Scene, events: Sequence[Seen]) -> None:
        """Conclude from each event, from the scene before the first one on."""
        for event in events:
            after = scene_after(scene, event)
            if event.seat in self.guesses and event.action is not None:
                turn = RivalTurn(goals, scene, event.seat, event.action, after)
                if turn.fits:
                    drawn, empty = self._count_drawn(event.seat), self._is_queue_empty()
                    self.guesses[event.seat] = conclude(goals, self.guesses[event.seat], turn, drawn, empty=empty)
            elif event.seat == goals.view.me and self._found < len(goals.view.found):
                spot = locate_target(after.board, goals.view.found[self._found])
                if event.action is not None and after.avatars[event.seat] == spot:
                    self._found += 1
                    self._drawn = self._count_drawn(None)
            scene = after

    def _is_queue_empty(self) -> bool:
        """Did I see at my last view that there are no more goals?"""
        return self.goals is not None and self.goals.going_home

    def _count_drawn(self, seat: Seat | None) -> float:
        """How many goals all but one seat have drawn from the queue: one for each that they found."""
        return self._found + sum(count_found(each) for other, each in self.guesses.items() if other != seat)

    def _is_going_home(self, view: View, *, knows_all: bool) -> bool:
        """Am I on the way home at the end?  My home may come up as a goal before (Labyrinth 3.8)."""
        if view.target != view.home or (not view.board.grid.original and not view.found):
            return False
        if view.variant != "multi-goal" or view.home in view.found or not knows_all:
            return True
        return self._drawn > len(view.board.grid.fixed) - len(view.avatars) - 0.5
