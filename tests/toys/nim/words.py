"""Nim in words."""

from fairplay.core import Facts, Seat, Turn
from nim.rules import Heaps, Take, View, scores


def seat_name(seat: Seat) -> str:
    return f"player {seat + 1}"


def board(shown: Heaps | View) -> str:
    state = shown.state if isinstance(shown, View) else shown
    return "\n".join(f"{number}: {'|' * size}" for number, size in enumerate(state.heaps))


def describe_open_turn(turn: Turn[Heaps, Take]) -> str:
    return describe_turn(turn, turn.seat)  # nothing is hidden


def describe_turn(turn: Turn[Heaps, Take], to: Seat | None) -> str:
    return f"{seat_name(turn.seat)} takes {turn.action.matches} from heap {turn.action.heap}"


def facts(shown: Heaps | View) -> dict[Seat, Facts]:
    state = shown.state if isinstance(shown, View) else shown
    return {seat: (("points", str(score[0])),) for seat, score in scores(state).items()}
