"""Documents about games, boards, bots and keys."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from fairplay.run.bot_check import Check


class ListedStrategy(Struct, frozen=True):
    """A house player."""

    name: str
    about: str | None
    options: Annotated[dict[str, Any], Meta(description="with their defaults")]


class ListedLevel(Struct, frozen=True):
    """A house player at one level of strength."""

    level: Annotated[int, Meta(description="counted from 1, the weakest; its name in commands is level-N")]
    spec: Annotated[str, Meta(description="the house player, with its options")]
    name: Annotated[str, Meta(description="Beginner, Easy, Medium, Hard or Master, on five levels")]
    rating: Annotated[float | None, Meta(description="comparable within a variant; null: not measured")]
    low: Annotated[float | None, Meta(description="of the 95 % interval")]
    high: float | None
    milliseconds: Annotated[float | None, Meta(description="of CPU time a move, if it was measured")]
    interpreted: Annotated[float | None, Meta(description="the same without numba")]
    missing: Annotated[str, Meta(description="packages that must be installed to play it here")]


class ListedGame(Struct, frozen=True):
    """A game."""

    name: str
    about: str
    seats: tuple[int, ...]
    variants: tuple[str, ...]
    boards: tuple[str, ...]
    levels: Annotated[dict[str, tuple[ListedLevel, ...]], Meta(description="by variant, weakest first")]
    strategies: tuple[ListedStrategy, ...]


class GamesDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.games/1"):
    """The games that are here.  Printed by games."""

    games: tuple[ListedGame, ...]


class ListedBoard(Struct, frozen=True):
    """A board that comes with a game."""

    name: str
    about: str
    seats: tuple[int, ...]


class BoardsDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.boards/1"):
    """The boards that come with a game.  Printed by board GAME list."""

    game: str
    boards: tuple[ListedBoard, ...]


class BoardFlaw(Struct, frozen=True):
    """What is wrong with a board, and where."""

    at: str
    what: str


class BoardDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.board/1"):
    """What is wrong with a board, or how many can play on it.  Printed by board GAME check."""

    board: str
    valid: bool
    flaws: tuple[BoardFlaw, ...]
    problems: tuple[str, ...]
    seats: tuple[int, ...]


class CheckDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.check/1"):
    """Whether a bot is ready to play, and what to fix.  Printed by check."""

    ready: bool
    player: str
    name: Annotated[str | None, Meta(description="as it says itself")]
    games: Annotated[tuple[str, ...], Meta(description="that were played")]
    items: tuple[Check, ...]
    stderr: str


class CounterMatch(Struct, frozen=True):
    """A match in which a law is broken."""

    setup: Any
    seats: int
    seed: Annotated[int, Meta(description="of the deal")]
    turns: Annotated[tuple[str, ...], Meta(description="in the notation of the game")]


class BrokenLaw(Struct, frozen=True):
    """A law that a game breaks, and the shortest counterexample that was found."""

    law: str
    meaning: str
    problem: Annotated[str, Meta(description="what was asserted in vain, or raised")]
    place: Annotated[str, Meta(description="where an error came out of the game; empty: it was none")]
    matches: Annotated[tuple[CounterMatch, ...], Meta(description="that the law looked at, the last one last")]
    given: Annotated[dict[str, str], Meta(description="what else it was tried with")]


class LawsDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.laws/1"):
    """The laws that a game keeps and breaks.  Printed by laws."""

    game: str
    seed: Annotated[int, Meta(description="the same seed gives the same counterexamples")]
    kept: tuple[str, ...]
    broken: tuple[BrokenLaw, ...]
    skipped: Annotated[dict[str, str], Meta(description="laws that were not tried, and why")]


class MeasuredLevel(Struct, frozen=True):
    """A level of a game, and how strong it was."""

    level: Annotated[int, Meta(description="counted from 1, which should be the weakest")]
    name: str
    spec: Annotated[str, Meta(description="the house player, with its options")]
    rating: float | None
    low: Annotated[float | None, Meta(description="of the 95 % interval")]
    high: float | None


class LadderDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.ladder/1"):
    """How strong the levels of a game are.  Printed by ladder."""

    game: str
    variant: str
    seed: int
    matches: Annotated[int, Meta(description="that were played")]
    levels: Annotated[tuple[MeasuredLevel, ...], Meta(description="in the order of the game")]
    inverted: Annotated[tuple[str, ...], Meta(description="levels that are weaker than the one below, beyond doubt")]
    left_out: Annotated[str, Meta(description="levels that cannot be played here, and why")]


class KeysDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.store.keys/1"):
    """Public keys.  Printed by keys show and keys new."""

    file: str
    key: Annotated[str, Meta(description="signs")]
    retired: Annotated[tuple[str, ...], Meta(description="signed before")]


class DifferingCase(Struct, frozen=True):
    """A case whose output is not the expected one."""

    case: str
    expected: Any
    actual: Any


class CasesDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.cases/1"):
    """How many test cases passed.  Printed by harness --cases."""

    passed: int
    failed: int
    differing: tuple[DifferingCase, ...]
