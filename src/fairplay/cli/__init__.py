"""The command line: the only place that knows everything; and what a command must survive."""

import atexit
import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from fairplay import __version__

__all__ = ["main"]

COMMANDS = {
    "games": "list the games, with their variants, boards and house players",
    "play": "play matches between house players, your bots and programs",
    "check": "find out whether a bot is ready to play, and what to fix",
    "laws": "find out whether a game keeps the laws of all games",
    "ladder": "measure whether each level of a game is stronger than the one below",
    "replay": "step through a match, draw it, or verify it",
    "analyse": "review a match: what each turn cost, and what was better",
    "hint": "say what a house player would do, and why",
    "tournament": "run, serve, resume, show, export and import tournaments",
    "keys": "show or renew the key that signs your matches",
    "board": "list, make, check and draw the boards of a game",
    "new-game": "begin a game of your own: one file, its tests and its package",
    "serve": "serve the web page: play, watch, replay, run tournaments",
    "serve-tcp": "sign players up over TCP, play one tournament, print the result",
    "join": "sign a player up with a server and let it play",
    "harness": "run the test programs of a game's established protocol",
    "bench": "measure how fast the games are, beside OpenSpiel",
}

ELSEWHERE = {
    **{name: f"matches.{name}" for name in ("play", "check", "replay")},
    **{name: f"matches.review:{name}_command" for name in ("analyse", "hint")},
    "ladder": "authors.ladder",
    "laws": "authors.laws",
    "join": "network.join",
    "new-game": "new_game",
    "serve-tcp": "network.serve_tcp",
}
"""Commands that are not in a module of their own name, and after a colon what they are called there."""


class LazyGroup(click.Group):
    """Loads a command only when it is used."""

    def __init__(self, name: str | None, *, places: Mapping[str, str], **more: Any) -> None:
        """places: the module of each command, and after a colon what it is called there, unless that is `command`."""
        super().__init__(name, **more)
        self.places = places

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(self.places)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.places:
            return super().get_command(context, name)
        module, _, called = self.places[name].partition(":")
        command: click.Command = getattr(import_module(f"fairplay.cli.{module}"), called or "command")
        return command

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(context)
        if words[0] not in names and not words[0].startswith("-"):
            from fairplay.core.names import suggest_name  # not needed by `--help`

            raise click.UsageError(f"no such command '{words[0]}'{suggest_name(words[0], names)}", context)
        return super().resolve_command(context, words)


class Root(LazyGroup):
    """Turns our errors into one sentence and an exit code."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context: click.Context) -> object:
        try:
            return super().invoke(context)
        except (BrokenPipeError, click.Abort, click.ClickException, click.exceptions.Exit):
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Failure(f"{where}{error.strerror or error}") from None
        except Exception as error:
            from fairplay.core import EngineError, FairplayError, RecordError, StoreError  # not needed by `--help`

            if not isinstance(error, FairplayError):
                raise
            failed = isinstance(error, (EngineError, RecordError, StoreError))
            raise (Failure if failed else Misuse)(str(error)) from None


class Failure(click.ClickException):
    """What was asked for failed; the sentence may quote strangers."""

    exit_code = 1

    def format_message(self) -> str:
        from fairplay.core.names import escape_controls  # not needed by `--help`

        return escape_controls(self.message, keep="\n\t")


class Misuse(Failure):
    """The person at the terminal asked for something impossible."""

    exit_code = 2


EXAMPLES = """\b
Examples:
  fairplay games
  fairplay play fish minimax greedy --seed 7
  fairplay play fish my_bot.py minimax:depth=1 --games 20
  fairplay replay 1/0 --svg last.svg
"""


@click.group(
    "fairplay",
    cls=Root,
    places={name: ELSEWHERE.get(name, name) for name in COMMANDS if name != "tournament"},
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def root() -> None:
    """Run board games between players that nobody has to trust, and say who won."""


@root.group(
    "tournament",
    cls=LazyGroup,
    places={
        "run": "tournament.run",
        **{name: f"tournament.serve:{name}_command" for name in ("serve", "resume")},
        **{name: f"tournament.kept:{name}_command" for name in ("show", "list", "matches", "faults", "delete")},
        **{name: f"tournament.files:{name}_command" for name in ("export", "import")},
    },
    epilog="""\b
Examples:
  fairplay tournament run fish random greedy minimax --games 20 --report fish.html
  fairplay tournament run contest.toml --jobs 4
  fairplay tournament serve fish greedy minimax --port 45678 --format swiss
  fairplay tournament list
  fairplay tournament resume 3
  fairplay tournament matches 3 --player greedy
  fairplay tournament faults 3
""",
)
def tournament() -> None:
    """Let many players meet, and print who is better."""


def main() -> None:
    """Run the `fairplay` program."""
    leave_working_folder()
    if "--trust" in sys.argv[1:] and hasattr(os, "fork"):
        supervise()
    sys.setrecursionlimit(10_000)  # a deep search is a player's right
    signal.signal(signal.SIGTERM, interrupt)
    root(prog_name="fairplay")


def leave_working_folder() -> None:
    """Import nothing from the working folder, where bots may lie; started by `python -c`, this process would."""
    if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 - before every `--help`
        del sys.path[0]


def interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Treat a signal like Ctrl-C: no player process is left behind, and what was finished is kept."""
    raise KeyboardInterrupt(number)


# -- trusted bots ------------------------------------------------------------------------------


def supervise() -> None:
    """Go on in a child process, while this one waits for it and says so if a bot ended it.

    EFFECT: forks, and returns in the child only.  A child that ends as it should says so before; one that ends by
    `os._exit`, by a crash of the interpreter or with its descriptors closed does not.
    """
    listening, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
        _end_with_parent()
        atexit.register(os.write, telling, b"done")
        return
    os.close(telling)
    sys.exit(_wait_for(child, listening))


def _end_with_parent() -> None:
    """Have the kernel send SIGTERM when the parent is killed; elsewhere than on Linux there is no such thing."""
    if sys.platform == "linux":
        import ctypes  # not needed by `--help`

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


PR_SET_PDEATHSIG = 1


def _wait_for(child: int, listening: int) -> int:
    """Wait for the end of the command in `child`; its exit code, or 1 if it did not end as it should."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        os.kill(child, number)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to both
    signal.signal(signal.SIGTERM, pass_on)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os.set_blocking(listening, False)  # somebody that the bot left behind may hold the other end
    try:
        done = os.read(listening, 4) == b"done"
    except BlockingIOError:
        done = False
    if done:
        return code
    how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
    click.echo(
        f"Error: a bot ended the whole command ({how}); what was finished before is kept. "
        "Without --trust, a bot can end only its own process.",
        err=True,
    )
    return 1
