"""What is derived from a game's types, and what is said if it cannot be."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairplay.catalog import find_flaws
from fairplay.core import AnyGame, Fault, FaultKind, House, NotationError, NumberError, Seat, SetupError, WireError
from fairplay.core.chance import derived
from fairplay.defaults import game_of
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline

CARDS = '''
"""Who holds the highest card wins."""

from typing import Annotated

from fairplay.core.chance import shuffled
from fairplay.defaults import Action, BySeat, Hidden, Own
from msgspec import Meta, Struct

SEATS = range(2, 5)
VERBS = {"bid": "bid"}
Card = Annotated[int, Meta(ge=0, le=9)]


class State(Struct, frozen=True):
    hands: Own[Card]
    bids: BySeat[Annotated[int, Meta(ge=-1, le=3)]]
    deck: Hidden[tuple[int, ...]]
    turn: int = 0


class Bid(Action):
    amount: Annotated[int, Meta(ge=0, le=3)]
    loudly: bool = False


class Fold(Action):
    pass


def start(setup, seats, rng):
    cards = shuffled(rng, range(10))
    return State(tuple(cards[:seats]), (-1,) * seats, tuple(cards[seats:]))


def to_move(state):
    return state.turn if -1 in [bid for seat, bid in enumerate(state.bids) if seat not in state.removed] else None


def legal_actions(view):
    return [Fold(), *(Bid(amount) for amount in range(1 + view.hands[view.me] % 4))]


def apply(state, action):
    bid = action.amount if isinstance(action, Bid) else 0
    bids = tuple(bid if seat == state.turn else each for seat, each in enumerate(state.bids))
    return State(state.hands, bids, state.deck, (state.turn + 1) % len(bids))


def scores(state):
    return [(bid, card) for bid, card in zip(state.bids, state.hands)]


def imagine(view, rng):
    others = shuffled(rng, [card for card in range(10) if card != view.hands[view.me]])
    hands = [others.pop() if card is None else card for card in view.hands]
    return State(tuple(hands), view.bids, tuple(others), view.turn)
'''


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes a module of a text, which can be found by its name as long as the test runs."""
    made: list[str] = []

    def write(text: str, name: str = "cards") -> ModuleType:
        module = ModuleType(f"written_{name}")
        module.__file__ = f"{name}.py"
        sys.modules[module.__name__] = module
        made.append(module.__name__)
        exec(compile(text, f"{name}.py", "exec"), vars(module))
        return module

    yield write
    for name in made:
        del sys.modules[name]


@pytest.fixture
def cards(written: Any) -> AnyGame:
    return game_of(written(CARDS), "cards")


def deal(game: AnyGame, seats: int) -> Any:
    return game.rules.start(game.setup(), seats, derived(1, "deal"))


def played(game: AnyGame, seats: int, *specs: str) -> Any:
    players = [House(game.players.strategies[spec](derived(5, seat))) for seat, spec in enumerate(specs)]
    return play_inline(start_match(game, game.setup(), 3, seats), players)


def test_five_functions_and_the_types_make_a_game(cards: AnyGame) -> None:
    assert find_flaws(cards) == []
    assert (cards.name, cards.about) == ("cards", "Who holds the highest card wins.")
    assert "highest card" in vars(cards.rules)["__doc__"], "what a page of rules is made from"
    assert played(cards, 4, "random", "search", "random", "search").faults == (None,) * 4


def test_a_seat_sees_its_own_entries_and_nothing_that_is_hidden(cards: AnyGame) -> None:
    state = deal(cards, 3)
    seen = cards.rules.view(state, Seat(1))
    assert seen.hands == (None, state.hands[1], None)
    assert not hasattr(seen, "deck")
    assert seen.bids == state.bids
    told = f"{cards.codec.view_to_json(seen)} {cards.words.board(seen)} {cards.shown.picture(state)}"
    assert "deck" not in told
    assert ">red: ?, blue: ?, green: ?<" in cards.shown.picture(state), "a state is drawn as everybody may see it"


def test_what_is_imagined_looks_the_same(cards: AnyGame) -> None:
    state = deal(cards, 4)
    for seat in map(Seat, range(4)):
        seen = cards.rules.view(state, seat)
        worlds = [cards.rules.imagine(seen, derived(at)) for at in range(8)]
        assert {cards.rules.view(world, seat) for world in worlds} == {seen}
        assert len({*worlds}) > 1


def test_values_travel(cards: AnyGame) -> None:
    state = deal(cards, 2)
    seen = cards.rules.view(state, Seat(0))
    assert pickle.loads(pickle.dumps((state, seen, cards.setup()))) == (state, seen, cards.setup())
    assert cards.codec.state_from_json(cards.codec.state_to_json(state)) == state
    assert cards.codec.view_from_json(cards.codec.view_to_json(seen)) == seen
    assert cards.notation.parse_position(cards.notation.format_position(state)) == state
    with pytest.raises(WireError, match="missing required field hands"):
        cards.codec.state_from_json({})


def test_the_turn_passes_those_who_are_out(cards: AnyGame) -> None:
    rules, state = cards.rules, deal(cards, 3)
    state = rules.remove(state, Seat(0))
    assert rules.to_move(state) == 1
    state = rules.remove(state, Seat(2))
    assert rules.to_move(state) is None, "one seat is left, and need not play on"
    assert [*rules.scores(state)] == [1]
    assert rules.ending(state) == "one seat is left"
    assert rules.ending(rules.remove(state, Seat(1))) == "nobody is left"


def test_actions_are_texts_and_numbers(cards: AnyGame) -> None:
    kinds = {kind.__name__: kind for kind in cards.actions}
    bid = kinds["Bid"](2, True)
    assert cards.notation.format_action(bid) == "bid:2:true"
    assert cards.notation.parse_action("bid:2:true") == bid
    assert cards.notation.parse_action("fold") == kinds["Fold"]()
    for text in ("bid:2", "bid:7:true", "bid:02:true", "bid:2:yes", "call", "", "bid:\ud800:true"):
        with pytest.raises(NotationError, match="expected bid:AMOUNT:LOUDLY or fold"):
            cards.notation.parse_action(text)
    assert cards.parts.numbers is not None
    seen = cards.rules.view(deal(cards, 2), Seat(0))
    encoding = cards.parts.numbers.encoding_of(seen)
    assert encoding.actions == 9
    assert [encoding.number(encoding.action(at, seen), seen) for at in range(9)] == [*range(9)]
    with pytest.raises(NumberError, match="expected a number from 0 to 8, got 9"):
        encoding.action(9, seen)


def test_an_observation_is_relative_to_its_owner(cards: AnyGame) -> None:
    numpy = pytest.importorskip("numpy")
    state = deal(cards, 3)
    assert cards.parts.numbers is not None
    for seat in map(Seat, range(3)):
        seen = cards.rules.view(state, seat)
        encoding = cards.parts.numbers.encoding_of(seen)
        out = numpy.full(encoding.shape, numpy.nan, numpy.float32)
        encoding.observe(seen, out)
        at = sum(channels.size for channels in encoding.channels[:3])
        assert out[at] == 1, "my own card is there"
        assert out[at + 1] == pytest.approx(state.hands[seat] / 9)
        assert out[at + 2 : at + 6].tolist() == [0] * 4, "those of others are not"
        assert out.min() >= 0 and out.max() <= 1


def test_an_irregular_verb_and_a_button_for_each_action(cards: AnyGame) -> None:
    state = deal(cards, 2)
    seen = cards.rules.view(state, Seat(0))
    kinds = {kind.__name__: kind for kind in cards.actions}
    from fairplay.core import Turn

    turn = Turn(state, Seat(0), kinds["Bid"](0), cards.rules.apply(state, kinds["Bid"](0)))
    assert cards.words.describe_turn(turn, None) == "red bid amount 0, loudly no"
    assert cards.words.describe_turn(turn, None, subject="You", would=True) == "You would bid amount 0, loudly no"
    assert cards.shown.clicks is not None
    choices = cards.shown.clicks(seen, ()).choices
    assert [choice.key for choice in choices][:2] == ["do=fold", "do=bid:0:false"]
    assert cards.shown.clicks(seen, ["do=fold"]) == kinds["Fold"]()
    with pytest.raises(WireError, match="expected one of the actions"):
        cards.shown.clicks(seen, ["do=bid:3:true"])


def test_who_does_what_cannot_be_done_is_out(cards: AnyGame) -> None:
    bad = House(lambda view: cards.notation.parse_action("bid:3:true"))
    good = House(cards.players.strategies["random"](derived(1)))
    fault = play_inline(start_match(cards, cards.setup(), 1, 2), [bad, good]).faults[0]
    assert fault == Fault(FaultKind.ILLEGAL, "bid:3:true: that cannot be done now")


def test_what_a_module_has_of_its_own_replaces_what_follows(written: Any) -> None:
    own = (
        CARDS
        + """
UNIT = "tricks"
def seat_name(seat): return "nobody"
def why_illegal(view, action): return "never"
def format_action(action): return "mine"
def ending(state): return "by my own rules"
STRATEGIES = {"first": lambda rng: lambda view: legal_actions(view)[0]}
"""
    )
    game = game_of(written(own), "cards")
    assert (game.unit, game.words.seat_name(Seat(0)), game.rules.ending(None)) == (
        "tricks",
        "nobody",
        "by my own rules",
    )
    assert game.rules.why_illegal(None, None) == "never" and game.notation.format_action(None) == "mine"
    assert [*game.players.strategies] == ["random", "search", "first"]


def test_seats_are_counted(cards: AnyGame) -> None:
    with pytest.raises(SetupError, match="cards is played by 2 to 4 seats"):
        deal(cards, 5)


NESTED = """
class Secret(Struct, frozen=True):
    card: Hidden[int]


class State(Struct, frozen=True):
    secrets: BySeat[Secret]


class Other("""
"""A state in which something is hidden, but not a whole field."""


@pytest.mark.parametrize(
    ("cut", "instead", "words"),
    [
        ("class State(", "class Table(", "a game needs a state: `class State"),
        ("class State(Struct, frozen=True)", "class State(Struct)", "`State` can be changed"),
        ("def scores(", "def points(", "a game needs a function `scores`: `def scores"),
        ("def imagine(", "def guess(", "`State.hands` is not known to all: write `def imagine"),
        ("Annotated[int, Meta(ge=0, le=3)]", "int", "`Bid.amount` has no bounds: `Annotated"),
        ("BySeat[Annotated[int, Meta(ge=-1, le=3)]]", "tuple[int, ...]", "`State.bids` has no greatest length"),
        ("BySeat[Annotated[int, Meta(ge=-1, le=3)]]", "str", "`State.bids` cannot be written as numbers"),
        ("loudly: bool", "loudly: str", "the values of `Bid.loudly` cannot be counted"),
        ("    turn: int = 0", "    mover: int = 0", "who moves instead of a seat that was removed?"),
        ("(Action)", "(Struct, frozen=True)", "a game needs actions: `class Drop"),
        ("def imagine", "def chance(state): ...\ndef imagine", "go together: write both"),
        ("deck: Hidden[tuple[int, ...]]", "deck: Hidden[tuple[int, ...]] | None", "`State.deck` has something inside"),
        ("class State(", NESTED, "`State.secrets` has something inside that is hidden"),
        ("loudly: bool", "loudly: Annotated[int, Meta(ge=0, le=10**12)]", "`Bid.loudly` has more than 100000 values"),
        (
            "loudly: bool",
            "loudly: Annotated[tuple[Card, ...], Meta(max_length=40)]",
            "`Bid.loudly` has more than 100000 values",
        ),
    ],
)
def test_what_cannot_be_derived_is_said_with_the_line_to_write(
    written: Any, cut: str, instead: str, words: str
) -> None:
    assert cut in CARDS
    with pytest.raises(TypeError) as told:
        game_of(written(CARDS.replace(cut, instead)), "cards")
    assert words in str(told.value)


def test_the_default_picture_labels_every_field(cards: AnyGame, tmp_path: Path) -> None:
    picture = str(cards.shown.picture(cards.rules.view(deal(cards, 2), Seat(0))))
    for name in ("hands", "bids"):
        assert f">{name}</text>" in picture
    assert 'role="img" aria-label="hands: ' in picture


def test_of_many_actions_the_parts_are_chosen_one_after_the_other(written: Any) -> None:
    few = "*(Bid(amount) for amount in range(1 + view.hands[view.me] % 4))"
    assert few in CARDS
    many = CARDS.replace(few, "*(Bid(amount, loudly) for amount in range(9) for loudly in (False, True))")
    game = game_of(written(many.replace("le=3)]\n    loudly", "le=8)]\n    loudly")), "cards")
    seen = game.rules.view(deal(game, 2), Seat(0))
    assert game.shown.clicks is not None
    keys = [[choice.key for choice in game.shown.clicks(seen, clicks).choices] for clicks in ([], ["kind=bid"])]
    assert keys == [["kind=fold", "kind=bid"], [f"amount={amount}" for amount in range(9)]]
    assert game.shown.clicks(seen, ["kind=fold"]) == game.notation.parse_action("fold")
    asked = game.shown.clicks(seen, ["kind=bid", "amount=7"])
    assert [choice.label for choice in asked.choices] == ["bid amount 7, loudly no", "bid amount 7, loudly yes"]
    assert game.shown.clicks(seen, ["kind=bid", "amount=7", "do=bid:7:true"]) == game.notation.parse_action(
        "bid:7:true"
    )


def test_a_board_is_written_and_drawn_in_rows(written: Any) -> None:
    text = (Path(__file__).parents[2] / "examples" / "connect_four.py").read_text("utf-8")
    game = game_of(written(text, "connect_four"), "connect_four")
    state = game.rules.apply(deal(game, 2), game.notation.parse_action("drop:3"))
    rows = [*[". . . . . . ."] * 5, ". . . 0 . . ."]
    assert game.words.board(state) == "\n".join(["cells:", *rows, "winner: -1"])
    assert str(game.shown.picture(state)).count(">. . . . . . .</text>") == 5
