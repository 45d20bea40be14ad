"""Formats in which line-ups are fixed beforehand: everyone against everyone, one against the rest, one series."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations

from fairplay.contest.contest import Fixture
from fairplay.contest.formats.pairing import LineUp
from fairplay.contest.formats.rounds import Dealer, Field, Removal, Rounds, check_minimum, limit_rounds


def round_robin(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 10,
    removed: Removal = "stay",
    paired: bool = False,
) -> Rounds:
    """All line-ups of `size` players, each `games` times in all rotations."""
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)
    return play_passes(field, lambda playing: combinations(playing, field.size), games, Dealer(paired=paired))


def gauntlet(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 10,
    removed: Removal = "stay",
    paired: bool = False,
) -> Rounds:
    """The first player, the candidate, with all line-ups of the others, each `games` times in all rotations."""
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)

    def line_ups(playing: Sequence[int]) -> Iterable[LineUp]:
        if playing[:1] == [0]:  # without the candidate there is nothing to find out
            yield from ((0, *others) for others in combinations(playing[1:], field.size - 1))

    return play_passes(field, line_ups, games, Dealer(paired=paired))


def play_passes(
    field: Field, line_ups: Callable[[Sequence[int]], Iterable[LineUp]], games: int, dealer: Dealer
) -> Rounds:
    """All line-ups once, then again with new deals.  If players leave, a pass ends a round; else rounds are full."""

    def units(game: int) -> Iterator[list[Fixture]]:
        for line_up in line_ups(field.playing):
            if field.out.isdisjoint(line_up):
                # The other way round every second time, so that nobody always sits behind the same neighbour.
                yield dealer.rotate_line_up(line_up[::-1] if game % 2 else line_up)

    every = map(units, range(games))
    for part in every if field.leaving else [chain.from_iterable(every)]:
        for fixtures in limit_rounds(part):
            field.take(fixtures, (yield fixtures))
    return field.leaders()


def series(players: int, seats: range, *, games: int = 1) -> Rounds:
    """All players in the order of entry, again and again, each time with the next deal."""
    field = Field(players, seats, players, "stay")
    check_minimum(1, games=games)
    return repeat_line_up(field, games)


def repeat_line_up(field: Field, games: int) -> Rounds:
    """All players of `field` in one line-up, each time with the next deal."""
    line_up = tuple(field.playing)
    for fixtures in limit_rounds([Fixture(line_up, deal)] for deal in range(games)):
        field.take(fixtures, (yield fixtures))
    return field.leaders()
