"""Labyrinth by clicks."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.core import UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.shown import COMPLETE, UNKNOWN, Choice, ClickTree, PartialMove, Placement, build_click_tree
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.drawing.canvas import slot_middle, tile_keys, tile_middle, translate
from fairplay.games.labyrinth.drawing.clicks import interpret_clicks
from fairplay.games.labyrinth.state import Move, Pass, Setup, State, Variant, View
from games.labyrinth.worlds import ANN, open_board, player, started


def view() -> View:
    return rules.view(started(), ANN)


def wished(*clicked: str, view: View | None = None) -> PartialMove:
    wish = interpret_clicks(view or rules.view(started(), ANN), clicked)
    assert isinstance(wish, PartialMove)
    return wish


def keys(wish: PartialMove, name: str) -> list[str]:
    return [choice.key for choice in wish.choices if choice.key.startswith(name)]


def test_first_all_arrows_are_lit_but_the_one_that_undoes() -> None:
    wish = wished()
    assert wish.prompt.startswith("Turn the spare tile if you like")
    assert "slide=0,RIGHT" not in keys(wish, "slide")
    assert len(keys(wish, "slide")) == len(started().board.grid.shifts) - 1
    assert not keys(wish, "at")
    assert "slide column 2 up" in [choice.label for choice in wish.choices]
    assert wish.choices[-1] == Choice("pass=turn", "Pass")


def test_the_spare_tile_turns_either_way_before_and_after_the_slide() -> None:
    spare = tile_keys(started().board)[-1]  # a corner, open to the south and the west
    slot = translate(slot_middle(started().board.grid))
    assert keys(wished(), "turn") == ["turn=left", "turn=right"]
    assert not wished().places and not wished().chosen
    assert wished("turn=left").places == (Placement(spare, f"{slot}rotate(-270)"),)
    assert wished("turn=left").chosen == ("turn=left",)
    assert wished("turn=right").places == (Placement(spare, f"{slot}rotate(-90)"),)
    assert wished("turn=right") == wished(*["turn=left"] * 3)
    assert wished("turn=left", "turn=right") == wished()
    assert wished("turn=left", "slide=2,RIGHT") == wished("slide=2,RIGHT", "turn=left")


def test_the_slid_board_shows_where_to_go() -> None:
    """The rule book's example: red is carried to (2,0) and reaches (1,2)."""
    wish = wished("slide=2,RIGHT", "turn=left")
    assert wish.prompt.startswith("Walk to a marked tile")
    assert wish.chosen == ("turn=left", "slide=2,RIGHT")
    assert Placement("pawn-0", translate(tile_middle((2, 0)))) in wish.places
    assert "at=1,2" in keys(wish, "at")
    assert "at=2,0" not in keys(wish, "at")
    assert "slide=2,RIGHT" not in keys(wish, "slide")
    assert interpret_clicks(view(), ["slide=2,RIGHT", "turn=left", "at=1,2"]) == Move(2, "RIGHT", 90, (1, 2))


def test_another_arrow_begins_again_with_the_tile_as_it_lies() -> None:
    assert interpret_clicks(view(), ["slide=0,UP", "turn=left", "slide=2,RIGHT", "at=1,2"]) == Move(
        2, "RIGHT", 90, (1, 2)
    )


def test_a_slide_after_which_nothing_can_be_reached_says_so() -> None:
    shut = open_board([player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (1, 1))])
    shut["board"]["connectors"] = [["─"] * 5, ["─", "│", "─", "─", "─"], ["─"] * 5, ["│"] * 5, ["│"] * 5]
    wish = wished("slide=4,RIGHT", view=rules.view(started(shut), ANN))
    assert wish.prompt.startswith("No way leads on")
    assert not keys(wish, "at")


def test_the_goal_is_named_where_it_can_be_reached() -> None:
    state = started(open_board([player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (1, 1))]))
    wish = wished("slide=0,LEFT", view=rules.view(state, ANN))
    assert Choice("at=3,3", "go to (3,3), your goal") in wish.choices
    assert Choice("at=3,1", "go to (3,1)") in wish.choices
    lost = replace(rules.view(state, ANN), target=None)
    assert Choice("at=3,3", "go to (3,3)") in wished("slide=0,LEFT", view=lost).choices


def test_passing_is_a_click_and_in_the_original_game_forbidden() -> None:
    assert interpret_clicks(view(), ["pass=turn"]) == Pass()
    original = rules.view(rules.start(Setup("original"), 2, derived(1)), ANN)
    assert not keys(wished(view=original), "pass")
    refused = interpret_clicks(original, ["pass=turn"])
    assert isinstance(refused, Pass) and rules.why_illegal(original, refused) is not None
    assert f"at={original.at[0]},{original.at[1]}" in keys(wished("slide=1,LEFT", view=original), "at")


def test_undoing_is_for_the_referee_at_once() -> None:
    action = interpret_clicks(view(), ["turn=left", "slide=0,RIGHT"])
    assert isinstance(action, Move)
    assert rules.why_illegal(view(), action) == "row 0 right would undo the last slide"


@pytest.mark.parametrize(
    ("clicked", "error", "reason"),
    [
        (["at=1,2"], UsageError, "choose an arrow first"),
        (["slide=2,UP", "at=1"], WireError, "expected a place"),
        (["turn=45"], WireError, "expected a turn to the left"),
        (["slide=1,LEFT"], WireError, "expected an arrow of this board"),
        (["slide=x,LEFT"], WireError, "expected an arrow of this board"),
        (["slide=0,AWAY"], WireError, "expected an arrow of this board"),
        (["pass=me"], WireError, "expected a click on an arrow"),
        (["pass=turn", "turn=left"], UsageError, "nothing left to click"),
    ],
)
def test_clicks_that_make_no_sense(clicked: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        interpret_clicks(view(), clicked)


# -- what is shown while choosing --------------------------------------------------------------


def apply_places(picture: str, wish: PartialMove) -> dict[str, str]:
    """Where all keyed elements of a picture lie once a page has put them where a partial move says."""
    places = dict(re.findall(r'data-key="([^"]*)"[^>]* transform="([^"]*)"', picture))
    assert {place.key for place in wish.places} <= places.keys()
    return places | {place.key: place.transform for place in wish.places}


@pytest.mark.parametrize("setup", [Setup(), Setup("multi-goal", rows=5, columns=7), Setup("original")])
def test_a_preview_shows_the_board_as_it_will_be(setup: Setup) -> None:
    """Tiles lie where the next picture draws them, and as they are turned there."""
    for seed in range(3):
        state = rules.start(setup, 3, derived(seed))
        seen = rules.view(state, ANN)
        for move in rules.legal_actions(seen)[seed + 1 :: 37]:
            assert isinstance(move, Move)
            turned = ["turn=left"] * (move.degree // 90)
            slid = wished(*turned, f"slide={move.index},{move.direction}", view=seen)
            shown = apply_places(GAME.shown.picture(seen, seats=False), slid)
            after = rules.apply(state, move)
            drawn = apply_places(GAME.shown.picture(after, seats=False), PartialMove("", ()))
            tiles = [key for key in drawn if key.startswith("t")]
            assert {key: shown[key] for key in tiles} == {key: drawn[key] for key in tiles}
            stays = [key for key in drawn if key.startswith(("pawn", "home")) and key != "pawn-0"]
            if move.to not in after.avatars[1:] and slid_to(state, move) not in after.avatars[1:]:
                assert {key: shown[key] for key in stays} == {key: drawn[key] for key in stays}


def slid_to(state: State, move: Move) -> tuple[int, int]:
    carry = state.board.grid.shift_for[move.index, move.direction].carry
    return carry.get(state.avatars[ANN], state.avatars[ANN])


def test_arrows_show_where_one_could_go() -> None:
    for turned in ((), ("turn=left",)):
        first = wished(*turned)
        for choice in first.choices:
            if choice.key.startswith("slide"):
                assert list(choice.highlights) == keys(wished(*turned, choice.key), "at")
    later = wished("slide=2,UP")
    assert not any(choice.highlights for choice in later.choices)


@pytest.mark.parametrize("variant", ["plain", "multi-goal", "original"])
def test_the_whole_tree_of_a_turn_is_small_and_complete(variant: Variant) -> None:
    seen = rules.view(rules.start(Setup(variant), 4, derived(3)), ANN)
    tree = build_click_tree(lambda clicked: interpret_clicks(seen, clicked))
    slides = len(seen.board.grid.shifts)
    assert len(tree.nodes) == 4 * (1 + slides)
    followed = [number for node in tree.nodes for number in node.next.values()]
    assert UNKNOWN not in followed
    assert set(followed) == {COMPLETE, *range(len(tree.nodes))}
    assert len(gzip.compress(msgspec.json.encode(tree), mtime=0)) < 8_000
    actions = {
        interpret_clicks(seen, (*path, key))
        for path, node in walk_tree(tree)
        for key, number in tree.nodes[node].next.items()
        if number == COMPLETE
    }
    assert actions == set(rules.legal_actions(seen))


def walk_tree(tree: ClickTree) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every node with clicks that lead to it."""
    paths: dict[int, tuple[str, ...]] = {0: ()}
    waiting = [0]
    while waiting:
        number = waiting.pop(0)
        yield paths[number], number
        for key, after in tree.nodes[number].next.items():
            if after not in (COMPLETE, *paths):
                paths[after] = (*paths[number], key)
                waiting.append(after)
