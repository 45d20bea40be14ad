"""The player's side of the established protocol of Fish (Fish 11): calls in, answers out."""

from typing import Any

from fairplay.core import Json, Seat, Strategy, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import VOID, Call
from fairplay.games.fish.board import Layout
from fairplay.games.fish.established.forms import StateForm, state_from_form
from fairplay.games.fish.state import LONGEST_SIDE, Action, Color, Place, Setup, View


class FishClient:
    """Answers with a strategy; it keeps nothing in mind, because each state says it all."""

    def __init__(self, strategy: Strategy[View, Action], setup: Setup | None = None) -> None:
        self.strategy = strategy
        self.layout = Layout((setup or Setup()).variant)  # Fish 13.8: nothing on the wire says so
        self.over = False
        self.won: bool | None = None

    def answer(self, call: Call) -> Json:
        """Fish 11.6."""
        match call:
            case ("setup", [state]):
                action = self.strategy(self.view(state, placing=True))
                assert isinstance(action, Place), "a strategy places when it is asked to"
                return list(action.at)
            case ("take-turn", [state, [*_]]):  # Fish 3.6: any list
                move: Any = self.strategy(self.view(state, placing=False))
                return [list(move.start), list(move.target)]
            case ("start", [bool()]) | ("playing-with", [*_]):  # Fish 11.11, 14.5: rivals in any shape
                return VOID
            case ("playing-as", [color]):
                as_type(color, Color)
                return VOID
            case ("end", [bool(won)]):
                self.over, self.won = True, won
                return VOID
        raise WireError(f"{call.method} with these arguments is not a call of Fish")

    def view(self, state: Json, *, placing: bool) -> View:
        """Read what the state says, with the called player as seat 0; raises WireError."""
        form: StateForm = as_type(state, StateForm)
        if not form.players:
            raise WireError("expected a player", "$.players")
        if len(form.board) > LONGEST_SIDE or any(len(row) > LONGEST_SIDE for row in form.board):
            raise WireError(f"a board has at most {LONGEST_SIDE} rows and columns", "$.board")
        return View(Seat(0), state_from_form(form, placing=placing, layout=self.layout))
