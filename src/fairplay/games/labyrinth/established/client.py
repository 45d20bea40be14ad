"""The player's side of the established protocol of Labyrinth (Labyrinth 11): calls in, answers out."""

from typing import Literal

from fairplay.core import Json, Strategy, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import VOID, Call
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.established.forms import StateForm, position_to_json, view_from_form
from fairplay.games.labyrinth.state import Action, Coordinate, Pass, Setup, Target, View

MAX_TILES = 5_150  # Labyrinth 13.1
ORIGINAL_SHAPE = (7, 7)


class LabyrinthClient:
    """Answers with a strategy, and remembers the target of the latest `setup` (Labyrinth 8.5)."""

    def __init__(self, strategy: Strategy[View, Action], setup: Setup | None = None, *, stay: bool = False) -> None:
        self.strategy = strategy
        self.variant = (setup or Setup()).variant  # Labyrinth 13.6: nothing on the wire says so
        self.original = self.variant == "original"
        self.stay = stay  # Labyrinth 11.12
        self.target: Target | None = None
        self.found: tuple[Target, ...] = ()
        self.over = False
        self.won: bool | None = None

    def answer(self, call: Call) -> Json:
        """Labyrinth 11.6."""
        match call:
            case ("setup", [False, target]) if call.arguments[0] is False:
                self.change_target(self.read_target(target))
                return VOID
            case ("setup", [state, target]):
                self.read_form(state)  # Labyrinth 11.11: only its form is checked
                self.target, self.found = self.read_target(target), ()
                return VOID
            case ("take-turn", [state]):
                return action_to_json(self.strategy(self.view(state)))
            case ("win", [bool(won)]):
                self.over, self.won = not self.stay, won
                return VOID
        raise WireError(f"{call.method} with these arguments is not a call of Labyrinth")

    def change_target(self, target: Target) -> None:
        """Count the target as found, and look for the next one (Labyrinth 3.9)."""
        if self.target is None:
            raise WireError("expected a call of setup with a state first")
        self.target, self.found = target, (*self.found, self.target)

    def view(self, state: Json) -> View:
        """Read what the state says, with the called player as seat 0; raises WireError."""
        if self.target is None:
            raise WireError("expected a call of setup first")
        return view_from_form(self.read_form(state), self.target, self.found, variant=self.variant)

    def read_form(self, state: Json) -> StateForm:
        """Read a state that a player can work with; raises WireError."""
        form: StateForm = as_type(state, StateForm)
        if not form.plmt:
            raise WireError("expected a player", "$.plmt")
        rows, columns = len(form.board.connectors), len(form.board.connectors[0]) if form.board.connectors else 0
        if not 0 < rows * columns <= MAX_TILES:
            raise WireError(f"a board has 1 to {MAX_TILES} tiles", "$.board")
        if self.original and (rows, columns) != ORIGINAL_SHAPE:
            raise WireError("the original board has 7 rows and 7 columns", "$.board")
        return form

    def read_target(self, target: Json) -> Target:
        """Read a position or, in the original game, perhaps a treasure (Labyrinth 13.6); raises WireError."""
        if self.original and isinstance(target, str):
            gem: str = as_type(target, Literal[TREASURES])
            return gem
        position: Coordinate = as_type(target, Coordinate)
        return position.position


def action_to_json(action: Action) -> Json:
    """Write an action as the protocol does (Labyrinth 10.1)."""
    if isinstance(action, Pass):
        return "PASS"
    return [action.index, action.direction, action.degree, position_to_json(action.to)]
