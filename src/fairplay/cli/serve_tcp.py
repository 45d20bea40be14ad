"""`fairplay serve-tcp`: a server for one tournament, in a game's established protocol or the native one."""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from fairplay.cli.common import board_option, chosen_game, chosen_seed, chosen_setup, fresh_folder, read_fields
from fairplay.cli.token import chosen_token, token_option
from fairplay.core import AnyGame, House, SetupError, UsageError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.net.reception import NativeTerms
from fairplay.net.server import Hosted, Limits, host, listening
from fairplay.parts.established import Period, SignUp, SignUpDesk, established_of
from fairplay.play.players import house
from fairplay.play.record import deal
from fairplay.run.remote import Entrant, Local

__all__ = ["command", "server_setup"]

PROTOCOL = click.Choice(["established", "native"])
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def seconds(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter("must be more than 0 seconds", context, option)
    return value


@click.command(
    "serve-tcp",
    epilog="""\b
Waits for players to sign up, plays one tournament (Labyrinth: one match) and prints its result as the
protocol of the game prescribes (docs/protocols). The time limits are those of the rule book unless set here.

\b
With --protocol native one port serves plain TCP and WebSockets (docs/protocols/native.md). A token keeps
strangers out. It comes from a file or from the variable FAIRPLAY_TOKEN: everybody on this machine can read
what stands on a command line. The established protocols cannot carry one.

\b
Examples:
  fairplay serve-tcp fish --port 45678
  fairplay serve-tcp trains --port 45678 --waiting 5 --least 2 --fill buy-now
  fairplay serve-tcp labyrinth --port 45678 --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  fairplay serve-tcp fish --port 45678 --protocol native --token-file token.txt --grace 30
  fairplay serve-tcp fish --port 45678 --protocol native --allow-origin https://play.example.org
""",
)
@click.argument("game")
@click.option("--port", type=click.IntRange(0, 65_535), required=True, help="Where to listen; 0 takes any free port.")
@click.option("--host", "address", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--protocol", type=PROTOCOL, default="established", show_default=True, help="What is spoken.")
@click.option("--records", type=click.Path(path_type=Path), help="Folder for the records. [default: a new one]")
@click.option("--fill", multiple=True, metavar="SPEC", help="House players for empty seats, in turn; repeatable.")
@click.option("--fill-to", type=click.IntRange(2), help="Players there are then. [default: the least that may start]")
@click.option("--patience", type=float, callback=seconds, help="Seconds for one answer. [default: by the rule book]")
@click.option("--name-patience", type=float, callback=seconds, help="Seconds for a name. [default: by the rule book]")
@click.option("--waiting", type=float, callback=seconds, help="Seconds of a period. [default: by the rule book]")
@click.option("--least", type=click.IntRange(2), help="Players needed to start. [default: by the rule book]")
@click.option("--most", type=click.IntRange(2, 10_000), help="Players that end it at once. [default: by the rule book]")
@click.option("--unnamed", type=click.IntRange(1), default=256, show_default=True, help="Connections without a name.")
@click.option(
    "--per-address", type=click.IntRange(1), default=128, show_default=True, help="Connections of an address."
)
@token_option("Players must know the token in this file (native). [default: FAIRPLAY_TOKEN, if it is set]")
@click.option("--grace", type=click.FloatRange(0), help="Seconds to come back after a break (native). [default: 10]")
@click.option("--allow-origin", multiple=True, metavar="URL", help="Site whose pages may sign up (native); repeatable.")
@click.option("--seed", type=int, help="Fixes every deal. [default: a new one]")
@click.option("--variant", help="Which variant to play; the clients must be set to it too.")
@board_option("The board to play on, where the game has boards; in Trains the map that house players propose.")
@click.option("--setup", metavar="FILE|JSON", help="Parameters of the matches, as JSON or a file of it.")
@click.option("--tls-cert", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Certificate: use TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Its private key.")
def command(
    game: str,
    port: int,
    address: str,
    protocol: str,
    records: Path | None,
    fill: tuple[str, ...],
    fill_to: int | None,
    patience: float | None,
    name_patience: float | None,
    waiting: float | None,
    least: int | None,
    most: int | None,
    unnamed: int,
    per_address: int,
    token_file: Path | None,
    grace: float | None,
    allow_origin: tuple[str, ...],
    seed: int | None,
    variant: str | None,
    board: str | None,
    setup: str | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Sign players up over TCP, play one tournament, print the result."""
    chosen = chosen_game(game)
    terms = native_terms(protocol, token_file, grace, allow_origin)
    desk = established_of(chosen).desk
    parameters = server_setup(chosen, desk, variant, board, setup)
    first = chosen_seed(seed)
    rules = changed(desk.sign_up(parameters), name_patience, waiting, least, most)
    try:
        deal(chosen, parameters, first, min(rules.most, rules.sizes[-1]))
    except SetupError as error:
        raise UsageError(f"--setup: {error}") from None
    houses = house_players(chosen, fill, (fill_to or rules.periods[0].least) - 1, first)
    tls = certificate(tls_cert, tls_key)
    sock = listening(address, port)
    folder = records_folder(records, chosen)
    click.echo(f"listening on {address} port {sock.getsockname()[1]}; records in {folder}/", err=True)
    if address not in LOOPBACK and tls is None:
        who = (
            "the token can be read on its way"
            if terms and terms.token
            else "anybody who reaches this address may sign up"
        )
        click.echo(f"Warning: {who}, and nothing is encrypted", err=True)
    hosted = asyncio.run(
        host(
            chosen,
            parameters,
            first,
            sock,
            sign_up=rules,
            patience=patience,
            keep=kept_in(folder),
            house=houses,
            limits=Limits(unnamed=unnamed, per_address=per_address),
            tls=tls,
            native=terms,
        )
    )
    write_report(folder, hosted)
    click.echo(text(hosted.result))


def native_terms(
    protocol: str, token_file: Path | None, grace: float | None, origins: tuple[str, ...]
) -> NativeTerms | None:
    """What a server of the native protocol asks and grants; None for the others.  Raises UsageError."""
    token = chosen_token(protocol, token_file)
    if protocol == "native":
        if grace is not None and not math.isfinite(grace):
            raise UsageError("--grace: must be a number of seconds")
        return NativeTerms(token, NativeTerms().grace if grace is None else grace, origins)
    if grace is not None or origins:
        raise UsageError("--grace and --allow-origin need --protocol native")
    return None


def server_setup(game: AnyGame, desk: SignUpDesk, variant: str | None, board: str | None, setup: str | None) -> Any:
    """The standard of the protocol with what is given changed; raises UsageError or SetupError."""
    fields = read_fields(setup)
    if variant is not None or board is not None or "variant" in fields:
        return chosen_setup(game, variant, fields, board)
    try:
        return msgspec.convert({**msgspec.to_builtins(desk.SETUP), **fields}, game.setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"--setup: {str(error).replace('`', '')}") from None


def changed(
    rules: SignUp, name_patience: float | None, waiting: float | None, least: int | None, most: int | None
) -> SignUp:
    """The sign-up of the rule book with what is given changed; raises UsageError."""
    if most is not None and rules.last_is_first and most > rules.most:
        raise UsageError(f"--most: one match has {rules.most} seats")
    most = most or rules.most
    if least is not None and least > most:
        raise UsageError(f"--least: at most {most} can sign up")
    periods = tuple(
        Period(waiting or period.seconds, least or max(2, min(period.least, most))) for period in rules.periods
    )
    return replace(rules, name_patience=name_patience or rules.name_patience, periods=periods, most=most)


def house_players(game: AnyGame, specs: tuple[str, ...], count: int, seed: int) -> list[Entrant]:
    """So many players of the house, the specs taken in turn; raises UsageError."""
    if not specs:
        return []
    chosen = [specs[number % len(specs)] for number in range(count)]
    return [
        Entrant(spec, Local(House(house(game, spec, derived(seed, "house", number)))))
        for number, spec in enumerate(chosen)
    ]


def certificate(cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """The server's side of TLS; raises UsageError."""
    if cert is None:
        if key is not None:
            raise UsageError("--tls-key: a key needs its certificate: --tls-cert")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise UsageError(f"--tls-cert: {cert} and its key cannot be used: {error}") from None
    return context


def records_folder(records: Path | None, game: AnyGame) -> Path:
    try:
        return fresh_folder(records, game)
    except UsageError as error:
        raise UsageError(str(error).replace("--out:", "--records:")) from None


def kept_in(folder: Path) -> Callable[[int], Callable[[bytes], object]]:
    """Writes every match into a file of its own as it happens."""

    def keep(number: int) -> Callable[[bytes], object]:
        path = folder / f"match-{number + 1:04}.jsonl"

        def write(line: bytes) -> None:
            with path.open("ab") as file:  # opened for each line: hundreds of matches may run at once
                file.write(line)

        return write

    return keep


def write_report(folder: Path, hosted: Hosted) -> None:
    """Who took part, what became of everybody, and the result, beside the records."""
    standing = hosted.standing
    faults = standing.faults if standing else (None,) * len(hosted.names)
    players = [{"name": name, "fault": fault} for name, fault in zip(hosted.names, faults, strict=True)]
    report = {"players": players, "winners": standing.winners if standing else (), "result": hosted.result}
    (folder / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
