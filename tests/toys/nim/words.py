"""Nim in words."""

from fairplay.core import Facts, Seat, Turn
from fairplay.core.game import choose_tense
from nim.rules import Heaps, Take, View, scores


def seat_name(seat: Seat) -> str:
    return f"player {seat + 1}"


def board(shown: Heaps | View) -> str:
    state = shown.state if isinstance(shown, View) else shown
    return "\n".join(f"{number}: {'|' * size}" for number, size in enumerate(state.heaps))


def describe_open_turn(turn: Turn[Heaps, Take], *, subject: str = "") -> str:
    return describe_turn(turn, turn.seat, subject=subject)  # nothing is hidden


def describe_turn(turn: Turn[Heaps, Take], to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    begin, verb = choose_tense(subject or seat_name(turn.seat), would=would)
    return f"{begin} {verb('take')} {turn.action.matches} from heap {turn.action.heap}"


def facts(shown: Heaps | View) -> dict[Seat, Facts]:
    state = shown.state if isinstance(shown, View) else shown
    return {seat: (("points", str(score[0])),) for seat, score in scores(state).items()}
