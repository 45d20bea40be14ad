"""What lies beside the board: goals and treasures."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.drawing.canvas import tile_keys
from fairplay.games.labyrinth.drawing.cards import show_cards
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Setup, View
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def titles(view: View) -> list[tuple[str, list[str]]]:
    return [(group.title, [card.title for card in group.cards]) for group in show_cards(view)]


def test_the_owner_of_a_view_sees_its_goal_and_what_it_found() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert titles(rules.view(state, ANN)) == [("Your goal", ["Row 1, column 3"])]
    assert titles(rules.view(state, BOB)) == [("Your goal", ["Go home"]), ("Found", ["Row 1, column 1"])]
    home = show_cards(rules.view(state, BOB))[0].cards[0]
    assert (home.detail, home.highlights, home.kind) == ("row 1, column 3", ("at=1,3",), "goal home")
    assert home.picture.startswith("<svg")
    assert GAME.shown.cards is show_cards


def test_a_treasure_is_shown_with_the_tile_it_lies_on() -> None:
    state = rules.start(Setup("original"), 2, derived(1))
    card = show_cards(rules.view(state, ANN))[0].cards[0]
    target = state.targets[ANN]
    assert isinstance(target, str)
    at = locate_target(state.board, target)
    assert at is not None
    assert card.title.lower().startswith(target.replace("-", " "))
    assert card.highlights == (f"at={at[0]},{at[1]}",)
    assert card.detail == f"row {at[0]}, column {at[1]}"
    others = tuple(("ruby", "zircon") if pair == (target, target) else pair for pair in state.board.gems[:-1])
    lost = replace(state, board=replace(state.board, gems=(*others, (target, target))))
    card = show_cards(rules.view(lost, ANN))[0].cards[0]
    assert card.detail == "on the spare tile"
    assert card.highlights == (f"key={tile_keys(lost.board)[-1]}",)
    found = replace(state, found=(("amethyst", "apatite"), ()))
    assert titles(rules.view(found, ANN))[1] == ("Found", ["Apatite fish", "Amethyst goblet"])


def test_goals_are_secret_unless_everything_is_open() -> None:
    """Labyrinth 3.11."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert show_cards(state) == ()
    assert [group.title for group in show_cards(state, open=True)] == [
        "Goal of player 1 (red)",
        "Goal of player 2 (blue)",
        "Found by player 2 (blue)",
    ]
    assert show_cards(rules.view(rules.remove(state, BOB), BOB)) == ()
