"""`fairplay serve-tcp`: one knock-out as the established protocols prescribe it, over them or the native one."""

from itertools import cycle, islice
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from fairplay.cli import contest_plan, options, output, storage
from fairplay.cli.network import serving
from fairplay.contest.contest import Contest, Entrant, Requirement
from fairplay.contest.planning import plan
from fairplay.core import AnyGame, EngineError, SetupError, UsageError
from fairplay.core.convert import text
from fairplay.core.established import SignUp
from fairplay.core.game import established_of
from fairplay.match.replay import deal_state
from fairplay.net.server import HostedResult, Service, sign_up_for
from fairplay.net.transcript import open_transcript
from fairplay.run.engines.pool import Pool
from fairplay.run.hosting import knock_out_options
from fairplay.setups import draw_chance


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
@serving.port_option
@click.option(
    "--protocol", type=serving.PROTOCOL, default="established", show_default=True, help="The protocol to speak."
)
@click.option("--fill", multiple=True, metavar="SPEC", help="Player for empty seats; repeatable, taken in turn.")
@click.option(
    "--fill-to", type=click.IntRange(2), help="Fill up to this many players. [default: the fewest that may start]"
)
@options.setup_options
@options.store_options
@serving.sign_up_options
@serving.server_options
@serving.transcript_option
@options.require_option
def command(
    game: str,
    port: int,
    protocol: str,
    fill: tuple[str, ...],
    fill_to: int | None,
    dealing: options.SetupOptions,
    keeping: options.StoreOptions,
    signing_up: serving.SignUpOptions,
    server: serving.ServerOptions,
    transcript: Path | None,
    require: Requirement,
) -> None:
    """Sign players up over TCP, play one tournament, print the result."""
    chosen = options.choose_game(game)
    terms = serving.choose_native_terms(protocol, server)
    if terms is None:
        established_of(chosen)
    setup = serving.choose_server_setup(chosen, dealing.variant, dealing.board, dealing.setup)
    seed = options.choose_seed(dealing.seed)
    rules = serving.change_sign_up(sign_up_for(chosen, setup), signing_up)
    _check_sizes(chosen, rules)
    try:
        deal_state(chosen, setup, seed, min(rules.most, rules.sizes[-1]))
    except SetupError as error:
        raise UsageError(f"--setup: {error}") from None
    hidden = storage.hide_files(keeping.db, keeping.key, folders=(keeping.out,), files=(transcript,))
    wanted = replace(dealing.terms("knock-out", knock_out_options(rules), require), signs_up=True)
    local = [Entrant(spec, contest_plan.settle_trust(spec, trust=False)) for spec in dict.fromkeys(fill)]
    planned = plan(chosen, setup, local, wanted, draw_chance(seed), contest_plan.machine_with(hidden))
    specs = dict(planned.entrants)
    count = (fill_to or rules.periods[0].least) - 1
    filling = tuple(Entrant(name, specs[name]) for name in islice(cycle(fill), count))
    contest = replace(planned, entrants=())
    with serving.ContestServer(server, port, terms) as serves:
        output.warn_of_seed(contest)
        with (
            open_transcript(transcript, serving.report_to_stderr) as written,
            storage.open_contest_store(keeping) as store,
            serves.explain_stop(),
        ):
            log = output.MatchLog(chosen, quiet=False)
            service = Service(contest=contest, sign_up=rules, fill=filling, transcript=written, report=log.note)
            hosted = serves.serve(chosen, service, Pool(1, hidden=hidden), store, _announce)
    if hosted.too_few is not None and terms is not None:
        raise EngineError(serving.explain_too_few(hosted.too_few))
    if keeping.out is not None:
        _write_result(keeping.out, hosted)
    click.echo(text(hosted.result))
    if hosted.too_few is not None:  # the result that the rule books prescribe is printed all the same
        click.echo(serving.explain_too_few(hosted.too_few), err=True)


def _check_sizes(game: AnyGame, rules: SignUp) -> None:
    """Raises UsageError if a round of this game could leave players without a match."""
    fewest, most = rules.sizes[0], rules.sizes[-1]
    if most < 2 * fewest - 1:
        seats = str(most) if fewest == most else f"{fewest} to {most}"
        raise UsageError(
            f"a knock-out seats any number of players, and {game.name} seats {seats}; use `fairplay tournament serve`"
        )


def _announce(stored: storage.StoredContest, contest: Contest) -> None:
    """EFFECT: says where the contest is kept, if it is."""
    if stored.lasting:
        click.echo(f"tournament {stored.id} in {stored.place}", err=True)


def _write_result(folder: Path, hosted: HostedResult) -> None:
    """Who took part, what became of everyone, and the result, beside the records."""
    standing = hosted.standing
    faults = standing.faults if standing else (None,) * len(hosted.names)
    players = [{"name": name, "fault": fault} for name, fault in zip(hosted.names, faults, strict=True)]
    report = {"players": players, "winners": standing.winners if standing else (), "result": hosted.result}
    (folder / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
