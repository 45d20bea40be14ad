"""Everything that reads the bytes of strangers, as functions of bytes: whatever comes, only our own errors are raised.

Each target has seeds, which are real values of real matches, to be damaged by whoever calls it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, NoReturn

import msgspec

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Fault, FaultKind, Misbehaved, RecordError, Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.game import established_of
from fairplay.match.packing import packed, unpacked
from fairplay.match.protocol import Conversation
from fairplay.match.record import Chain, read_record
from fairplay.match.referee import Ask, Report, decode_action as as_action
from fairplay.match.replay import record_match, replay_record
from fairplay.net.established import read_call
from fairplay.net.framing import Framer, decode_value, encode_value

NAMES = ("fish", "labyrinth", "trains")
SMALL: dict[str, dict[str, Any]] = {
    "fish": {"rows": 4, "columns": 3},
    "labyrinth": {"rows": 3, "columns": 5, "rounds": 4},
    "trains": {"map": "tiny", "rails": 8, "deck_size": 40},
}
"""Setups of short matches."""

LONGEST, DEEPEST = 2_000, 8
"""Limits of the framing that inputs can reach."""


class Target(NamedTuple):
    """One reader of bytes, and inputs that it likes."""

    run: Callable[[bytes], int]
    seeds: Callable[[], Sequence[bytes]]


# -- a real match to take values from ----------------------------------------------------------


class Said(NamedTuple):
    """A whole match of two: what was asked and answered, what was told, its record."""

    asked: list[tuple[Any, Any]]
    told: list[object]
    lines: list[bytes]


@cache
def said(name: str) -> Said:
    game, rng = GAMES[name], derived(1, name)
    setup = msgspec.convert(SMALL[name], game.setup)
    found = Said([], [], [])
    orders = record_match(game, setup, 1, ("ann", "bob"), found.lines.append)
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration:
            return found
        reply = None
        if isinstance(order, Ask):
            reply = rng.choice([*game.rules.legal_actions(order.view)])
            found.asked.append((order.view, reply))
        elif not isinstance(order, Report):
            found.told.append(order.news)


@cache
def decisions(name: str) -> list[tuple[Any, Any]]:
    """One view for each kind of action, with the action."""
    return list({type(action): (view, action) for view, action in said(name).asked}.values())


# -- the targets: each says how much of its input it understood ------------------------------------


def framing(data: bytes) -> int:
    """The stream cut in two ways means the same, and no more than one value is ever held."""
    cut = data[0] % 7 + 1 if data else 1
    values, failure = framed([data])
    assert framed(data[start : start + cut] for start in range(0, len(data), cut)) == (values, failure)
    return len(values)


def framed(pieces: Iterable[bytes]) -> tuple[list[bytes], type[object]]:
    """The values in the pieces, and how reading them failed: too long and too deep are one."""
    framer, values = Framer(longest=LONGEST, deepest=DEEPEST), list[bytes]()
    try:
        for piece in pieces:
            values += framer.feed(piece)
            assert len(framer.held) <= LONGEST
        values += framer.finish()
    except WireError as error:
        return values, type(error)
    return values, type(framer.failure)


def wire(game: AnyGame, data: bytes) -> int:
    """An answer of the established protocol, to every kind of call."""
    understood = 0
    for news in said(game.name).told[:3]:
        with contextlib.suppress(WireError):
            established_of(game).wire.check_reply(news, decode_value(data))
            understood += 1
    for view, _ in decisions(game.name):
        with contextlib.suppress(WireError):
            action = as_action(game, established_of(game).wire.read_action(view, decode_value(data)))
            assert isinstance(action, Fault) or isinstance(game.rules.why_illegal(view, action), str | None)
            understood += 1
    return understood


class Asked(Exception):  # noqa: N818 - not an error: the client has understood the call
    """The strategy of a client is asked."""


def calls(game: AnyGame, data: bytes) -> int:
    """A few calls of the established protocol, one a line, at the player's end."""

    def strategy(view: object) -> NoReturn:
        raise Asked

    client, understood = established_of(game).client(strategy), 0
    for line in data.split(b"\n")[:8]:
        with contextlib.suppress(WireError):
            with contextlib.suppress(Asked):
                client.answer(read_call(decode_value(line)))
            understood += 1
    return understood


def hello(game: AnyGame, data: bytes) -> int:
    try:
        Conversation(game).welcome(data)
    except Misbehaved as misbehaved:
        assert misbehaved.fault.kind is FaultKind.MALFORMED
        return 0
    return 1


def replies(game: AnyGame, data: bytes) -> int:
    """A reply of the native protocol to a question and to news."""
    understood = 0
    talk = Conversation(game)
    view = decisions(game.name)[0][0]
    talk.ask(view, 1.0)
    for asked in (True, False):
        talk.asked = view if asked else None
        try:
            reply = talk.reply(data)
        except Misbehaved as misbehaved:
            assert misbehaved.fault.kind is FaultKind.MALFORMED
        else:
            assert isinstance(reply, game.actions) if asked else reply is None
            understood += 1
    return understood


def codec(game: AnyGame, data: bytes) -> int:
    """Our own JSON of views and states; whatever is read can be written and read again."""
    understood = 0
    with contextlib.suppress(WireError):
        view = game.codec.view_from_json(decode_value(data))
        assert game.codec.view_from_json(decode_value(encode_value(game.codec.view_to_json(view)))) == view
        understood += 1
    with contextlib.suppress(WireError):
        state = game.codec.state_from_json(decode_value(data))
        assert game.codec.state_from_json(decode_value(encode_value(game.codec.state_to_json(state)))) == state
        understood += 1
    return understood


def record(game: AnyGame, data: bytes) -> int:
    """A record with whatever hashes it has, and packed; then the same lines with hashes that fit, played again."""
    understood, lines = 0, data.splitlines(keepends=True)
    seal = len(Chain.SEAL % (b"0" * Chain.WIDTH))
    for work in (
        lambda: read_record(lines),
        lambda: unpacked(data),
        lambda: play_again(game, [line[:-seal] for line in lines]),
    ):
        with contextlib.suppress(RecordError):
            work()
            understood += 1
    return understood


def play_again(game: AnyGame, bodies: Iterable[bytes]) -> None:
    """Seal lines without their last bracket, so that they are read, and replay them."""
    chain, lines = Chain(), []
    for body in bodies:
        chain.advance(body + b"}")
        lines.append(body + Chain.SEAL % chain.hash)
    for _ in replay_record(game, read_record(lines)):
        pass


def setup(game: AnyGame, data: bytes) -> int:
    """The start of a recorded match: a setup, dealt or refused."""
    header = b'{"fairplay":1,"game":"%b","players":["a","b"],"setup":%b,"seed":1'
    try:
        play_again(game, [header % (game.name.encode(), data.strip())])
    except RecordError:
        return 0
    return 1


# -- their seeds -------------------------------------------------------------------------------


def answers(name: str) -> list[bytes]:
    """What a player of the established protocol says."""
    game = GAMES[name]
    values = []
    for view, action in decisions(name):
        client = established_of(game).client(lambda _, action=action: action)
        for call in (
            established_of(game).wire.spell_news(said(name).told[0]),
            established_of(game).wire.spell_question(view),
        ):
            assert call is not None
            values.append(encode_value(client.answer(call)))
    return values


def spoken(name: str) -> list[bytes]:
    """What a player of the established protocol is called with: a conversation, one call a line."""
    game = GAMES[name]
    told = [call for news in said(name).told[:3] if (call := established_of(game).wire.spell_news(news)) is not None]
    return [
        b"".join(map(encode_value, [*told, established_of(game).wire.spell_question(view)]))
        for view, _ in decisions(name)
    ]


def native(name: str) -> list[bytes]:
    lines = [encode_value({"type": "answer", "id": 1, "action": action}) for _, action in decisions(name)]
    return [*lines, b'{"type":"heard","id":1}\n']


def hellos(name: str) -> list[bytes]:
    return [encode_value({"type": "hello", "version": 1, "name": "bot", "games": [name], "legal": True})]


def values(name: str) -> list[bytes]:
    game, seen = GAMES[name], [view for view, _ in decisions(name)]
    setup = msgspec.convert(SMALL[name], game.setup)
    state = game.rules.start(setup, 2, derived(1))
    later = game.rules.apply(state, game.rules.legal_actions(game.rules.view(state, Seat(0)))[0])
    states = [game.codec.state_to_json(one) for one in (state, later)]
    return [encode_value(value) for value in [*map(game.codec.view_to_json, seen), *states]]


def streams() -> list[bytes]:
    """Values behind each other, little more than may be held at once."""
    kinds = (answers, spoken, native, values)
    return [b"".join(kind(name))[: LONGEST + 200] for kind in kinds for name in NAMES]


def records(name: str) -> list[bytes]:
    lines = said(name).lines
    return [b"".join(lines), b"".join(lines[:3]), packed(lines)]


def setups(name: str) -> list[bytes]:
    game = GAMES[name]
    chosen = [*game.variants.values(), msgspec.convert(SMALL[name], game.setup)]
    return [msgspec.json.encode(setup) for setup in chosen]


def all_targets() -> Iterator[tuple[str, Target]]:
    yield "framing", Target(framing, streams)
    kinds: list[tuple[Callable[..., int], Callable[[str], list[bytes]]]] = [
        (wire, answers),
        (calls, spoken),
        (hello, hellos),
        (replies, native),
        (codec, values),
        (record, records),
        (setup, setups),
    ]
    for name in NAMES:
        for run, seeds in kinds:
            yield f"{run.__name__}-{name}", Target(partial(run, GAMES[name]), partial(seeds, name))


TARGETS: dict[str, Target] = dict(all_targets())
