"""What mypy and editors know of a loaded game; `make check` looks at these lines, running them shows that they run."""

from __future__ import annotations

from typing import Any, assert_type

import fairplay as fp
from fairplay.games.fish import state as fish
from fairplay.games.labyrinth import state as labyrinth
from fairplay.games.trains import state as trains


def test_each_game_has_types_of_its_own() -> None:
    game = fp.load("fish", rows=4, columns=5)
    assert_type(game, fp.LoadedGame[fish.State, fish.View, fish.Action, fish.Setup])
    position = game.start(seed=1)
    assert_type(position.state, fish.State)
    assert_type(position.view(), fish.View)
    assert_type(position.legal_actions(), list[fish.Action])
    assert_type(position.apply("0,0"), fp.Position[fish.State, fish.View, fish.Action])
    assert_type(game.legal_actions(position), list[fish.Action])
    assert_type(game.parse("0,0"), fish.Action)
    match = fp.play(game, ["random", "random"], seed=1)
    assert_type(match.turns[3].action, fish.Action)
    assert_type(match.turns[3].after, fish.State)
    assert_type(match.outcome, fp.Outcome)
    assert_type(fp.load("trains", map="tiny").parse("draw"), trains.Action)
    assert_type(fp.load("labyrinth").setup, labyrinth.Setup)
    name: str = "fish"
    assert_type(fp.load(name), fp.LoadedGame[Any, Any, Any, Any])
