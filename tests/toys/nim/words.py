"""Nim in words."""

from fairplay.games.nim.rules import Heaps, Take

from fairplay.core import Seat, Turn


def seat_name(seat: Seat) -> str:
    return f"player {seat + 1}"


def board(state: Heaps) -> str:
    return "\n".join(f"{number}: {'|' * size}" for number, size in enumerate(state.heaps))


def turn(turn: Turn[Heaps, Take]) -> str:
    return f"{seat_name(turn.seat)} takes {turn.action.matches} from heap {turn.action.heap}"
