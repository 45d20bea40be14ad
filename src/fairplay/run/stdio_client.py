"""A player of ours as a program of the native protocol: ``python -m fairplay.run.stdio_client GAME PLAYER``.

The first line it reads is the state of its generator, so that chance falls as it would in the referee's own process.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import BinaryIO, Final, Never

import msgspec

from fairplay.catalog import GAMES, find_game
from fairplay.core import AnyGame, Fault, Json, Misbehaved, Player, UsageError
from fairplay.play.players import house_strategy
from fairplay.play.protocol import VERSION, Hello
from fairplay.run.inline import call_player
from fairplay.run.isolation.mounts import folder_paths, is_shown, own_paths
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


def isolated_command(game: AnyGame, spec: str, files: Sequence[str] = ()) -> Command:
    """The program that plays `spec` in a process of its own, whose file is not loaded in this one; raises UsageError.

    `files` are those of all entrants of the contest: nobody sees what belongs to another one.
    """
    work, (path, colon, name) = Path.cwd(), spec.partition(":")
    rivals = {(work / file).resolve() for file in files}
    shown = [*own_paths([sys.executable], work), *installed_folders(), str(PACKAGE), *GAMES.folders(game.name)]
    imports = import_folders(shown)
    shown += [each for folder in imports for each in folder_paths(folder, work, rivals)]
    if path.endswith(".py"):
        if not Path(path).is_file():
            raise UsageError(f"{spec}: there is no file {path}")
        file = Path(path).resolve()
        shown += [str(file), *folder_paths(file.parent, work, rivals - {file})]
        if str(file) != os.path.normpath(work / path):  # a link stands for what it points at
            spec = f"{file}{colon}{name}"
    else:
        house_strategy(game, spec, Random(0))
    words = (sys.executable, "-P", "-m", "fairplay.run.stdio_client", game.name, spec)
    variables = {**VARIABLES, IMPORTS: os.pathsep.join(map(str, imports))}
    return Command(words, str(work), tuple(dict.fromkeys(shown)), tuple(variables.items()), proc=False)


PACKAGE: Final = Path(__file__).parent.parent

VARIABLES: Final = {
    "PYTHONHASHSEED": "0",  # sets are in the same order in every match
    "PYTHONDONTWRITEBYTECODE": "1",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
}
"""What Python and its libraries for numbers need to play the same way in every match, on any number of cores."""

IMPORTS: Final = "FAIRPLAY_IMPORTS"
"""The variable that holds the folders from which the referee's interpreter imports besides installed packages."""


def installed_folders() -> list[str]:
    """Where Python and installed packages lie, also those of an environment below this one."""
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [sys.prefix, sys.base_prefix, *installed]


def import_folders(shown: Sequence[str]) -> list[Path]:
    """The other folders that this interpreter imports from, editable installs among them.

    The folder in front is left out where it is the working folder: that is how Python was started, nothing more.
    """
    first = sys.path[:1] == [str(Path.cwd())]
    editable = [
        str(Path(folder).parent)
        for name, module in list(sys.modules.items())
        if name.startswith("__editable__")
        for folder in getattr(module, "MAPPING", {}).values()
    ]
    found = [Path(path) for path in dict.fromkeys([*sys.path[first:], *editable]) if path]
    return [path for path in found if path.is_dir() and not is_shown(path, shown)]


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
    sys.stdin = NoTerminal()
    return given, said


class NoTerminal(io.TextIOBase):
    """Standard input where there is none: `input()`, `breakpoint()` and pdb end with a sentence that helps."""

    def readline(self, size: int = -1, /) -> Never:  # type: ignore[override]
        raise RuntimeError(NO_TERMINAL)

    read = readline  # type: ignore[assignment]


NO_TERMINAL: Final = "there is no terminal in the process of a bot; to debug it: fairplay play --trust --patience 3600"


def main(name: str, spec: str) -> None:
    """Play as `spec` says; exit code 2 where there is no such player."""
    from fairplay.run.bot_files import seed_generators
    from fairplay.run.entrants import seat_in_process

    sys.setrecursionlimit(10_000)  # a deep search is a player's right
    given, said = own_streams()
    sys.path += [path for path in os.environ.pop(IMPORTS, "").split(os.pathsep) if path and path not in sys.path]
    try:
        game = find_game(name)
        rng = decode_generator(given.readline())
        seed_generators(rng)
        if spec.partition(":")[0].endswith(".py"):
            sys.path.insert(0, str(Path(spec.partition(":")[0]).resolve().parent))
        player = seat_in_process(game, spec)(rng)
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
