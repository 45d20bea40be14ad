"""The process of a bot: plays one match over standard input and output, in the native protocol.

It imports msgspec, the values and the rules of its game, and nothing else before it is needed: most bots are small, and
each match starts one.  The first line that it reads is the state of its generator, so that chance falls as it would in
the referee's own process.
"""

from __future__ import annotations

import atexit
import builtins
import gc
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, BinaryIO, Never

import msgspec

from fairplay.core import Fault, House, Json, Misbehaved, Player, Seat, SeatInfo, Seen, UsageError
from fairplay.core.convert import as_whole_number
from fairplay.match.calls import call_player
from fairplay.run.bots import BotWithMemory, describe_player, find_bot, load_module, make_bot, seed_generators

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairplay.core import AnyCodec, AnyGame

VERSION = 1
"""Of the native protocol; see `match.protocol`, which takes too long to import."""


def decode_generator(line: bytes) -> Random:
    """The generator whose state `encode_generator` wrote."""
    version, words, gauss = msgspec.json.decode(line)
    rng = Random()
    rng.setstate((version, tuple(words), gauss))
    return rng


def speak_for(game: str, codec: AnyCodec, player: Player, name: str, given: BinaryIO, said: BinaryIO) -> None:
    """Speak for `player` until the match is over; raises Misbehaved if it crashes."""
    encode, memory = msgspec.json.encode, player if isinstance(player, BotWithMemory) else None

    def say(message: object) -> None:
        said.write(encode(message) + b"\n")
        said.flush()

    see: Callable[[Seen], object] | None = getattr(player, "saw", None)
    turns = {"turns": True} if see is not None else {}
    say({"type": "hello", "version": VERSION, "name": name, "games": [game], **turns})
    for line in given:
        message = msgspec.json.decode(line)
        kind = message["type"]
        if kind == "ask":
            say(answer_question(codec, player, message["id"], message["view"]))
            continue
        if kind == "saw" and see is not None:
            from fairplay.match.protocol import seen_from_json

            see(seen_from_json(load_game(game), message))
        elif memory is not None:
            _inform_bot(game, memory, message)
        if kind == "tell":
            say({"type": "heard", "id": message["id"]})
        elif kind == "bye":
            return


def _inform_bot(game: str, bot: BotWithMemory, message: Json) -> None:
    """Tell a bot with memory what it is and what it hears; raises Misbehaved if it crashes."""
    match message["type"]:
        case "welcome":
            setup = msgspec.convert(message["setup"], load_game(game).setup) if bot.wants_setup else None
            bot.info = SeatInfo(Seat(message["seat"]), message["seats"], setup)
        case "tell":
            tell_news(load_game(game) if bot.wants_news else None, bot, message["news"])
        case "bye":
            call_player(lambda _: bot.catch_up(), None)


def tell_news(game: AnyGame | None, player: Player, news: Json) -> None:
    """Let `player` hear news, which is read if the game is given; raises Misbehaved if it crashes."""
    if game is not None:
        from fairplay.match.protocol import news_from_json

        news = news_from_json(game, news)
    reply = call_player(player.hear, news)
    if isinstance(reply, Fault):
        raise Misbehaved(reply)


def load_game(name: str) -> AnyGame:
    """The whole game, which most bots can do without."""
    from fairplay.catalog import find_game

    return find_game(name)


def answer_question(codec: AnyCodec, player: Player, id: int, view: Json) -> dict[str, object]:
    """What `player` says to a question; raises Misbehaved if it crashes, WireError if that is not a view."""
    action = call_player(player.choose, codec.view_from_json(view))
    if isinstance(action, Fault):
        raise Misbehaved(action)
    return {"type": "answer", "id": id, "action": _action_as_json(action)}


def _action_as_json(action: object) -> object:
    """What a bot returned as JSON, whatever it is; null for what JSON cannot say."""
    try:
        number = as_whole_number(action)
        return msgspec.to_builtins(action) if number is None else number
    except (TypeError, ValueError, RecursionError):
        return None


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The standard streams for the protocol alone: what a bot prints goes to standard error, and it reads nothing."""
    given, said = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdin = NoTerminal()
    return given, said


class NoTerminal(io.TextIOBase):
    """Standard input when there is none: `input()`, `breakpoint()` and pdb end with a sentence that helps."""

    def readline(self, size: int = -1, /) -> Never:  # type: ignore[override]  # it never returns
        raise RuntimeError(_NO_TERMINAL)

    read = readline  # type: ignore[assignment]  # the same, under another name


_NO_TERMINAL = "there is no terminal in the process of a bot; to debug it: fairplay play --trust --patience 3600"


def main(game: str, codec: str, file: str, name: str) -> None:
    """Play a match of `game`; exit code 2 if there is no such player.

    `name` is that of the function or class in `file`, if it says one; without a file, it is a house player.
    `codec` is the module that reads views; empty: the game itself says what does.
    """
    sys.setrecursionlimit(10_000)  # a deep search is a player's right
    given, said = _own_streams()
    try:
        reader = _find_codec(game, codec)
        rng = decode_generator(given.readline())
        gc.freeze()  # what was loaded so far stays
        gc.enable()
        player = seat_player(game, file, name, rng)
    except UsageError as error:
        sys.stderr.write(f"Error: {error}\n")
        leave(2)
    spec = describe_player(file, name)
    plain = "".join(character if " " < character <= "~" else "-" for character in spec)[-64:]
    try:
        speak_for(game, reader, player, plain, given, said)
    except Misbehaved as misbehaved:
        sys.stderr.write(f"{misbehaved.fault.detail}\n")
        leave(1)
    leave(0)


def _find_codec(game: str, module: str) -> AnyCodec:
    """What reads the views of a game; raises UsageError if there is no such game."""
    if module:
        found: AnyCodec = import_module(module)
        return found
    return load_game(game).codec


def seat_player(game: str, path: str, name: str, rng: Random) -> Player:
    """The player of these names, with a generator of its own; raises UsageError."""
    seed_generators(rng)
    if not path:
        from time import monotonic

        from fairplay.kernels.code import has_compiler
        from fairplay.match.players import house_strategy

        house = House(house_strategy(load_game(game), name, rng, monotonic))
        if house.saw is not None and has_compiler():  # a search may need it, and its first answer is not to wait
            import_module("fairplay.kernels.compiling")
        return house
    vars(builtins).update(exit=sys.exit, quit=sys.exit)  # as a bot has them elsewhere
    folder, file = os.path.split(os.path.realpath(path))
    if (own_name := file.removesuffix(".py")) in sys.stdlib_module_names:
        with suppress(ImportError):
            import_module(own_name)  # now: whoever imports it from here on does not mean the bot
    spec = describe_player(path, name)
    bot = find_bot(spec, load_module(spec, path), name)
    seed_generators(rng)  # again: the bot may have imported NumPy
    player = make_bot(bot, rng)
    if isinstance(player, BotWithMemory):
        _import_for(player, game)
    sys.path.insert(0, folder)  # for what the bot imports while it plays, and for nothing of ours: see above
    return player


def _import_for(bot: BotWithMemory, game: str) -> None:
    """Import what telling it something will need: now, and not while its first answer is awaited."""
    if bot.is_informed:
        load_game(game)
    if bot.wants_news or bot.saw is not None:
        import_module("fairplay.match.protocol")


def leave(status: int) -> Never:
    """End this process: at once, unless something that the bot has loaded wants to know."""
    if atexit._ncallbacks() or _threads_are_left():
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _threads_are_left() -> bool:
    """Has the bot threads of its own?  Then they end as Python wants it."""
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1


if __name__ == "__main__":
    main(*sys.argv[1:5])
