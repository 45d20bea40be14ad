"""Where points come from (Trains 5)."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.games.trains import rules
from fairplay.games.trains.map import Destination
from fairplay.games.trains.scoring import add_up_points, count_own_points, score_lines
from fairplay.games.trains.state import Setup, State
from games.trains.sheets import atlas_map, played

ANN, BOB, CAT = map(Seat, range(3))

EXAMPLE = atlas_map(
    "Alma-Bree red 3,Alma-Cove blue 3,Bree-Cove green 4,Cove-Dell blue 5,Cove-Dell white 3,Dell-Erin red 4,"
    "Alma-Bree blue 5,Bree-Erin green 4"
)
OWNED = (
    "Alma-Bree red 3,Alma-Cove blue 3,Bree-Cove green 4",
    "Cove-Dell blue 5,Cove-Dell white 3,Dell-Erin red 4",
    "Alma-Bree blue 5,Bree-Erin green 4",
)
WANTED: tuple[tuple[Destination, ...], ...] = (
    (("Alma", "Cove"), ("Alma", "Dell")),
    (("Cove", "Erin"), ("Dell", "Erin")),
    (("Alma", "Erin"), ("Bree", "Dell")),
)


def example() -> State:
    """Trains 5.8."""
    state = played(Setup(map=EXAMPLE), 3)
    owned = tuple(sum(state.network.bit(one) for one in atlas_map(lines).connections) for lines in OWNED)
    return replace(state, owned=owned, destinations=WANTED, turn=None)


def test_the_example_of_the_rules() -> None:
    assert add_up_points(example()) == {ANN: 10, BOB: 52, CAT: 29}
    assert score_lines(example()) == {
        ANN: lines(10, 0, 10, -10),
        BOB: lines(12, 20, 20, 0),
        CAT: lines(9, 20, 10, -10),
    }


def lines(*points: int) -> tuple[tuple[str, int], ...]:
    labels = ("connections", "longest path", "destinations joined", "destinations missed")
    return tuple(zip(labels, points, strict=True))


def test_the_owner_of_a_view_can_count_its_own_points() -> None:
    state = example()
    assert [count_own_points(rules.view(state, seat)) for seat in (ANN, BOB, CAT)] == [10, 52, 29]


def test_removed_seats_neither_score_nor_compete_for_the_longest_path() -> None:
    state = rules.remove(rules.remove(example(), BOB), CAT)
    assert score_lines(state) == {ANN: lines(10, 20, 10, -10)}
    assert add_up_points(state) == {ANN: 30}
