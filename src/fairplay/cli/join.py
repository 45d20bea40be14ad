"""`fairplay join`: a player that signs up with a server of a game's established protocol."""

from __future__ import annotations

import asyncio
import inspect
import re
import ssl
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from fairplay.cli.common import chosen_game, chosen_seed
from fairplay.cli.serve_tcp import PROTOCOL, established_desk, server_setup
from fairplay.core import AnyGame, Client, Fault, Misbehaved, Strategy, UsageError
from fairplay.core.chance import derived
from fairplay.net.client import RETRY_FOR, answers, signed_up
from fairplay.play.referee import understood
from fairplay.run.bots import seating
from fairplay.run.inline import guarded

__all__ = ["command"]


@click.command(
    "join",
    epilog="""\b
A SPEC is a house strategy, such as minimax:depth=1, or a Python file: my_bot.py, or my_bot.py:name.
The player sees what the protocol shows and no more; what it does not show has its least value.

\b
Examples:
  fairplay join fish 127.0.0.1:45678 --name ann --player minimax
  fairplay join trains example.org:45678 --name bob --player my_bot.py --map small --tls
""",
)
@click.argument("game")
@click.argument("server", metavar="HOST:PORT")
@click.option("--name", required=True, help="The name to sign up with.")
@click.option("--player", required=True, metavar="SPEC", help="Who plays.")
@click.option("--protocol", type=PROTOCOL, default="established", show_default=True, help="What is spoken.")
@click.option("--map", metavar="FILE|NAME", help="The map to propose, where the game has maps.")
@click.option("--variant", help="Which variant the server plays.")
@click.option("--setup", metavar="FILE|JSON", help="Parameters that the server plays with and does not tell.")
@click.option("--stay", is_flag=True, help="Labyrinth: stay for further matches after the end of one.")
@click.option("--seed", type=int, help="Fixes the player's own chance. [default: a new one]")
@click.option("--retry", type=click.FloatRange(0), default=RETRY_FOR, show_default=True, help="Seconds to keep trying.")
@click.option("--tls", "secured", is_flag=True, help="Use TLS.")
@click.option(
    "--tls-ca",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Whom to trust; implies --tls.",
)
def command(
    game: str,
    server: str,
    name: str,
    player: str,
    protocol: str,
    map: str | None,
    variant: str | None,
    setup: str | None,
    seed: int | None,
    retry: float,
    tls_ca: Path | None,
    *,
    stay: bool,
    secured: bool,
) -> None:
    """Sign a player up with a server and let it play."""
    chosen = chosen_game(game)
    desk = established_desk(chosen)
    parameters = server_setup(chosen, desk, variant, map, setup)
    if not re.fullmatch(desk.sign_up(parameters).name, name):
        raise UsageError(f"--name: {chosen.name} takes names that match {desk.sign_up(parameters).name}")
    address, port = host_and_port(server)
    tls = trusting(tls_ca) if secured or tls_ca else None
    with redirect_stdout(sys.stderr):  # what a bot prints must not mix with our report
        client = seated_client(chosen, player, parameters, chosen_seed(seed), stay=stay)
        fault = asyncio.run(conversation(address, port, name, client, tls, retry))
    if fault is not None:
        raise click.ClickException(f"it ended early: {fault.kind}: {fault.detail}")
    click.echo("won" if client.won else "did not win")


def host_and_port(server: str) -> tuple[str, int]:
    host, colon, port = server.rpartition(":")
    if not colon or not host or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65_535:
        raise UsageError(f"expected HOST:PORT, not '{server}'")
    return host.removeprefix("[").removesuffix("]"), int(port)


def trusting(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"--tls-ca: {ca} cannot be used: {error}") from None


def seated_client(game: AnyGame, spec: str, setup: Any, seed: int, *, stay: bool) -> Client:
    """The player that `spec` names behind the protocol of `game`; raises UsageError."""
    assert game.client is not None, "a game with a desk has a client"
    if stay and "stay" not in inspect.signature(game.client).parameters:
        raise UsageError(f"--stay: a client of {game.name} is told when it is over")
    player = seating(game, spec)(derived(seed, "player", 0))
    options = {"stay": True} if stay else {}
    return game.client(checked(game, player.choose), setup, **options)


def checked(game: AnyGame, choose: Strategy[Any, Any]) -> Strategy[Any, Any]:
    """`choose`, whose crashes and strange answers are told to its author instead of to the server."""

    def strategy(view: Any) -> Any:
        action = understood(game, guarded(choose, view))
        if isinstance(action, Fault):
            raise Misbehaved(action)
        return action

    return strategy


async def conversation(
    host: str, port: int, name: str, client: Client, tls: ssl.SSLContext | None, retry: float
) -> Fault | None:
    connection = await signed_up(host, port, name, tls=tls, retry_for=retry)
    return await answers(connection, client)
