"""`fairplay serve-tcp`: one knock-out as the established protocols prescribe it, over them or the native one."""

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from fairplay.catalog import find_game
from fairplay.cli.contest_plan import machine_with, settle_trust
from fairplay.cli.network.event_loop import run_until_signal
from fairplay.cli.network.server_options import (
    PROTOCOL,
    ServerOptions,
    SignUpOptions,
    announce_sign_up,
    change_sign_up,
    choose_native_terms,
    explain_too_few,
    open_socket,
    port_option,
    server_options,
    sign_up_options,
    transcript_option,
)
from fairplay.cli.options import SetupOptions, StoreOptions, require_option, setup_options, store_options
from fairplay.cli.output import warn_of_seed
from fairplay.cli.setups import choose_seed, read_fields
from fairplay.cli.storage import StoredContest, explain_stop, hide_files, open_contest_store
from fairplay.cli.tournament.live import MatchLog
from fairplay.contest.contest import Contest, Entrant, Requirement, Result
from fairplay.contest.planning import plan
from fairplay.core import AnyGame, EngineError, SetupError, UsageError
from fairplay.core.convert import text
from fairplay.core.game import established_of
from fairplay.match.replay import deal_state
from fairplay.net.server import HostedResult, Service, serve_contest, sign_up_for
from fairplay.net.transcript import open_transcript
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import knock_out_options
from fairplay.run.keeping import Keeper
from fairplay.setups import build_setup, choose_setup, draw_chance
from fairplay.store import SessionRow


@click.command(
    "serve-tcp",
    epilog="""\b
Waits for players to sign up, plays one tournament (Labyrinth: one match) and prints the result as the
game's protocol prescribes (docs/protocols). Time limits come from the rule book unless they are set here.
For other formats, and for local players beside remote ones, see `fairplay tournament serve`.

\b
With --protocol native, one port serves plain TCP and WebSockets (docs/protocols/native.md), and a token
keeps strangers out. Put it in a file or in FAIRPLAY_TOKEN: everyone on this machine can read a command
line. The established protocols cannot carry a token.

\b
Examples:
  fairplay serve-tcp fish --port 45678
  fairplay serve-tcp fish --port 45678 --transcript fish.jsonl
  fairplay serve-tcp trains --port 45678 --waiting 5 --least 2 --fill buy-now
  fairplay serve-tcp labyrinth --port 45678 --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  fairplay serve-tcp fish --port 45678 --protocol native --token-file token.txt --grace 30
  fairplay serve-tcp fish --port 45678 --protocol native --allow-origin https://play.example.org
""",
)
@click.argument("game")
@port_option
@click.option("--protocol", type=PROTOCOL, default="established", show_default=True, help="The protocol to speak.")
@click.option("--fill", multiple=True, metavar="SPEC", help="Player for empty seats; repeatable, taken in turn.")
@click.option(
    "--fill-to", type=click.IntRange(2), help="Fill up to this many players. [default: the fewest that may start]"
)
@setup_options
@store_options
@sign_up_options
@server_options
@transcript_option
@require_option
def command(
    game: str,
    port: int,
    protocol: str,
    fill: tuple[str, ...],
    fill_to: int | None,
    dealing: SetupOptions,
    keeping: StoreOptions,
    signing_up: SignUpOptions,
    server: ServerOptions,
    transcript: Path | None,
    require: Requirement,
) -> None:
    """Sign players up over TCP, play one tournament, print the result."""
    chosen = find_game(game)
    terms = choose_native_terms(protocol, server)
    if terms is None:
        established_of(chosen)
    setup = choose_server_setup(chosen, dealing.variant, dealing.board, dealing.setup)
    seed = choose_seed(dealing.seed)
    rules = change_sign_up(sign_up_for(chosen, setup), signing_up)
    try:
        deal_state(chosen, setup, seed, min(rules.most, rules.sizes[-1]))
    except SetupError as error:
        raise UsageError(f"--setup: {error}") from None
    hidden = hide_files(keeping.db, keeping.key, folders=(keeping.out,), files=(transcript,))
    wanted = replace(dealing.terms("knock-out", knock_out_options(rules), require), signs_up=True)
    local = [Entrant(spec, settle_trust(spec, trust=False)) for spec in dict.fromkeys(fill)]
    planned = plan(chosen, setup, local, wanted, draw_chance(seed), machine_with(hidden))
    specs = dict(planned.entrants)
    count = (fill_to or rules.periods[0].least) - 1
    filling = tuple(Entrant(name, specs[name]) for name in islice(cycle(fill), count))
    contest = replace(planned, entrants=())
    sock, tls = open_socket(server, port, terms)
    warn_of_seed(contest)
    begun: list[StoredContest] = []
    with sock, open_transcript(transcript, report_to_stderr) as written, open_contest_store(keeping) as store:

        def take_result(competition: Competition, result: Result) -> None:
            store.files.write(result)
            log.note(competition, result)

        log = MatchLog(chosen, quiet=False)
        service = Service(
            contest=contest,
            sign_up=rules,
            native=terms,
            fill=filling,
            limits=server.limits,
            tls=tls,
            transcript=written,
            report=take_result,
            watch_sign_up=announce_sign_up,
        )

        def create(contest: Contest, sessions: Sequence[SessionRow]) -> Keeper:
            stored = store.create(contest, sessions)
            begun.append(stored)
            if stored.lasting:
                click.echo(f"tournament {stored.id} in {stored.place}", err=True)
            return stored.keeper

        again = f" --port {sock.getsockname()[1]}"
        with explain_stop(lambda: begun[0] if begun else None, again):
            hosted = run_until_signal(serve_contest(chosen, service, sock, Pool(1, hidden=hidden), create))
    if hosted.too_few is not None and terms is not None:
        raise EngineError(explain_too_few(hosted.too_few))
    if keeping.out is not None:
        write_result(keeping.out, hosted)
    click.echo(text(hosted.result))
    if hosted.too_few is not None:  # the result that the rule books prescribe is printed all the same
        click.echo(explain_too_few(hosted.too_few), err=True)


def report_to_stderr(message: str) -> None:
    """Say something beside the result."""
    click.echo(f"Warning: {message}", err=True)


def choose_server_setup(game: AnyGame, variant: str | None, board: str | None, setup: str | None) -> Any:
    """What a server plays unless told otherwise, with what is given changed; raises UsageError or SetupError."""
    base = None if game.parts.established is None else game.parts.established.sign_up.SETUP
    return change_setup(game, base, variant, board, read_fields(setup))


def choose_client_setup(game: AnyGame, variant: str | None, board: str | None, setup: str | None) -> Any:
    """What a client of the established protocol goes by, likewise."""
    return change_setup(game, established_of(game).sign_up.CLIENT_SETUP, variant, board, read_fields(setup))


def change_setup(game: AnyGame, base: Any, variant: str | None, board: str | None, fields: dict[str, Any]) -> Any:
    """`base`, if there is one and no other is named, with what is given changed."""
    if base is None or variant is not None or board is not None or "variant" in fields:
        return choose_setup(game, variant, fields, board)
    return build_setup(game, base, fields)


def write_result(folder: Path, hosted: HostedResult) -> None:
    """Who took part, what became of everyone, and the result, beside the records."""
    standing = hosted.standing
    faults = standing.faults if standing else (None,) * len(hosted.names)
    players = [{"name": name, "fault": fault} for name, fault in zip(hosted.names, faults, strict=True)]
    report = {"players": players, "winners": standing.winners if standing else (), "result": hosted.result}
    (folder / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
