"""A player of ours as a program of the native protocol: ``python -m fairplay.run.stdio_client GAME PLAYER``.

The first line it reads is the state of its generator, so that chance falls as it would in the referee's own process.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import BinaryIO

import msgspec

from fairplay.catalog import GAMES, find_game
from fairplay.core import AnyGame, Fault, Json, Misbehaved, Player, UsageError
from fairplay.play.players import house_strategy
from fairplay.play.protocol import VERSION, Hello
from fairplay.run.inline import call_player
from fairplay.run.isolation.mounts import own_paths
from fairplay.run.isolation.sandbox import Command

__all__ = ["answer_question", "encode_generator", "isolated_command", "main", "speak_for"]


def encode_generator(rng: Random) -> bytes:
    """The state of a generator as one line."""
    return msgspec.json.encode(rng.getstate()) + b"\n"


def decode_generator(line: bytes) -> Random:
    """The generator whose state `encode_generator` wrote."""
    version, words, gauss = msgspec.json.decode(line)
    rng = Random()
    rng.setstate((version, tuple(words), gauss))
    return rng


def isolated_command(game: AnyGame, spec: str) -> Command:
    """The program that plays `spec` in a process of its own, whose file is not loaded in this one."""
    path, _, _ = spec.partition(":")
    if not path.endswith(".py"):
        house_strategy(game, spec, Random(0))
    elif not Path(path).is_file():
        raise UsageError(f"{spec}: there is no file {path}")
    words = [sys.executable, "-m", "fairplay.run.stdio_client", game.name, spec]
    folder, package = Path.cwd(), Path(__file__).parent.parent
    shown = [*own_paths([sys.executable], folder), *package_folders(), str(package), *GAMES.folders(game.name)]
    if path.endswith(".py"):
        shown += own_paths([path], folder)
    return Command(tuple(words), str(folder), tuple(dict.fromkeys(shown)), proc=False)


def package_folders() -> list[str]:
    """Where Python and installed packages lie, also those of an environment below this one."""
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [sys.prefix, sys.base_prefix, *installed]


def speak_for(game: AnyGame, player: Player, name: str, given: BinaryIO, said: BinaryIO) -> None:
    """Speak for `player` until the match is over; raises Misbehaved where it crashes."""
    encode = msgspec.json.encode

    def say(message: object) -> None:
        said.write(encode(message) + b"\n")
        said.flush()

    say(Hello(VERSION, name, (game.name,)))
    for line in given:
        message = msgspec.json.decode(line)
        if message["type"] == "tell":
            say({"type": "heard", "id": message["id"]})  # views say all there is to know
        elif message["type"] == "ask":
            say(answer_question(game, player, message["id"], message["view"]))
        elif message["type"] == "bye":
            return


def answer_question(game: AnyGame, player: Player, id: int, view: Json) -> dict[str, object]:
    """What `player` says to a question; raises Misbehaved where it crashes, WireError where that is no view."""
    action = call_player(player.choose, game.codec.view_from_json(view))
    if isinstance(action, Fault):
        raise Misbehaved(action)
    return {"type": "answer", "id": id, "action": action_as_json(action)}


def action_as_json(action: object) -> object:
    """What a bot returned as JSON, whatever it is; null for what JSON cannot say."""
    try:
        return msgspec.to_builtins(action)
    except (TypeError, ValueError, RecursionError):
        return None


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The standard streams for the protocol alone: what a bot prints goes to standard error, and it reads nothing."""
    given, said = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return given, said


def main(name: str, spec: str) -> None:
    """Play as `spec` says; exit code 2 where there is no such player."""
    from fairplay.run.entrants import seat_entrant

    sys.setrecursionlimit(10_000)  # a deep search is a player's right
    given, said = own_streams()
    rng = decode_generator(given.readline())
    try:
        game = find_game(name)
        player = seat_entrant(game, spec)(rng)
    except UsageError as error:
        sys.stderr.write(f"Error: {error}\n")
        sys.exit(2)
    plain = "".join(character if " " < character <= "~" else "-" for character in spec)[-64:]
    try:
        speak_for(game, player, plain, given, said)
    except Misbehaved as misbehaved:
        sys.stderr.write(f"{misbehaved.fault.detail}\n")
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:3])
