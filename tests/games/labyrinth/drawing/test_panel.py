"""Beneath the board the spare tile, beside it the goal in words, and the seats."""

from __future__ import annotations

from xml.etree import ElementTree

from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.drawing.canvas import slot_middle, tile_keys
from fairplay.games.labyrinth.drawing.panel import show_cards
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Setup, View
from games.labyrinth.drawing.pictures import marked, place_of
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def test_the_owner_of_a_view_reads_what_it_looks_for() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert ">nothing found yet<" in GAME.shown.picture(rules.view(state, ANN))
    assert ">(1,3)<" in GAME.shown.picture(rules.view(state, ANN))
    home = GAME.shown.picture(rules.view(state, BOB))
    assert ">home (1,3)<" in home
    assert ">1 found<" in home
    assert "player 2, you" in home
    gone = rules.remove(state, BOB)
    assert ">you are out<" in GAME.shown.picture(rules.view(gone, BOB))
    assert ">you are out<" not in GAME.shown.picture(rules.view(gone, ANN))


def test_long_names_are_squeezed_into_the_card() -> None:
    state = rules.start(Setup("original"), 2, derived(1))
    long = replace(state, targets=("apricot-square-radiant", state.targets[1]))
    assert "textLength" in GAME.shown.picture(rules.view(long, ANN))


def test_without_seats_the_panel_is_left_out() -> None:
    for shown in (started(), rules.view(started(), ANN)):
        drawing = GAME.shown.picture(shown, seats=False)
        root = ElementTree.fromstring(drawing)
        assert not [e for e in marked(root, "data-seat") if e.get("data-on") is None]
        assert ">Your goal<" not in drawing


def test_the_spare_tile_lies_between_two_knobs() -> None:
    for shown in (started(), rules.view(started(), ANN)):
        root = ElementTree.fromstring(GAME.shown.picture(shown))
        x, y = slot_middle(shown.board.grid)
        (spare,) = marked(root, "data-spare")
        assert (spare.get("data-spare"), place_of(spare)) == ("┐", f"translate({x} {y})")
        assert [knob.get("data-turn") for knob in marked(root, "data-turn")] == ["left", "right"]
    lit = ElementTree.fromstring(GAME.shown.picture(started(), lit=["turn=left"]))
    assert [knob.get("class") for knob in marked(lit, "data-turn")] == ["lit", None]


# -- cards of the page ------------------------------------------------------------------------


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
