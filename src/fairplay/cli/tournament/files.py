"""`fairplay tournament export` and `import`: tournaments as files, and what of them is proven; turns as data sets."""

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from fairplay.catalog import GAMES
from fairplay.cli.keys import describe_owner, load_own_keys, read_public_keys
from fairplay.cli.options import db_option, find_kept_game, game_option, json_option, key_option, public_key_option
from fairplay.cli.output import echo, print_json, track_progress
from fairplay.cli.storage import open_existing_store
from fairplay.contest.contest import Contest, Result
from fairplay.contest.scoreboard import tables_of
from fairplay.core import StoreError, UsageError
from fairplay.report.json_output.tournaments import ExportDocument, ImportDocument, TurnsDocument
from fairplay.report.terminal import format_match_count
from fairplay.store import default_url, open_store
from fairplay.store.transfer import ImportReport, export_contest, import_contest


@click.command(
    "export",
    epilog="""\b
Examples:
  fairplay tournament export 3 third.fairplay
  fairplay tournament export 3 turns.npz --turns
""",
)
@click.argument("id", type=int)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--turns", is_flag=True, help="Write every turn as arrays for programs that learn: .npz or .parquet.")
@click.option("--seats", type=int, help="With --turns, only the matches with this many seats.")
@game_option
@db_option
@json_option
def export_command(id: int, file: Path, seats: int | None, db: str | None, *, turns: bool, as_json: bool) -> None:
    """Write a tournament with all its records and signatures to a file.

    Your key is not in it: `fairplay keys show` prints what others need to check the signatures.

    With --turns, write a data set instead: what the seat on turn saw, the mask and the number of its action, and how
    the match ended for it. The file says what the numbers and arrays mean.
    """
    if turns:
        _write_turns(id, file, seats, db, as_json=as_json)
    elif seats is not None:
        raise click.UsageError("--seats works with --turns only.")
    else:
        _write_tournament(id, file, db, as_json=as_json)


def _write_turns(id: int, file: Path, seats: int | None, db: str | None, *, as_json: bool) -> None:
    """Write the turns of all matches of a tournament."""
    try:
        from fairplay.rl.datasets import check_format, export_turns
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise UsageError("for data sets, install numpy: pip install numpy") from None

    check_format(file)
    with open_existing_store(db) as (store, _):
        contest = store.contest(id)
        game = find_kept_game(contest.game)
        seats = choose_seats((len(result.line_up) for result in store.results(id)), seats)
        total = store.summary(id).matches
        with track_progress(store.results(id, records=True), total, "matches", quiet=as_json) as results:
            done = export_turns(game, contest, results, seats, file)
    if as_json:
        print_json(TurnsDocument(id, str(file), done.version, seats, done.matches, done.turns, done.unproven))
        return
    left_out = f"; left out {done.unproven} without a record" if done.unproven else ""
    echo(f"{done.turns} turns of {format_match_count(done.matches)} ({done.version}), written to {file}{left_out}")


def choose_seats(played: Iterable[int], wanted: int | None) -> int:
    """How many seats the matches have that go into one data set; raises UsageError if that is not decided."""
    found = sorted({*played})
    listed = " and ".join(str(seats) for seats in found)
    if wanted is None and len(found) > 1:
        raise UsageError(f"these matches have {listed} seats, and a data set holds matches of one size: add --seats")
    if not found:
        raise StoreError("this tournament has no matches yet")
    if wanted is not None and wanted not in found:
        raise UsageError(f"no match of this tournament has {wanted} seats; there are matches with {listed}")
    return found[0] if wanted is None else wanted


def _write_tournament(id: int, file: Path, db: str | None, *, as_json: bool) -> None:
    """Write a tournament with all its records."""
    with open_existing_store(db) as (store, _):
        done = export_contest(store, id, file)
    if as_json:
        print_json(ExportDocument(id, str(file), done.matches, done.signed, done.unproven))
        return
    unproven = f", {done.unproven} unproven (no record)" if done.unproven else ""
    click.echo(
        f"tournament {id}, {format_match_count(done.matches)} ({done.signed} signed{unproven}), written to {file}"
    )


@click.command(
    "import",
    epilog="""\b
Examples:
  fairplay tournament import third.fairplay --db other.db
  fairplay tournament import third.fairplay --public-key organisers-key.txt
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@game_option
@db_option
@key_option
@public_key_option
@json_option
def import_command(
    file: Path, db: str | None, key: Path | None, public_keys: tuple[str, ...], *, as_json: bool
) -> None:
    """Take a tournament from a file, and say what of it is proven.

    Every record in it is replayed and must lead to its result: the match is consistent. A signature must fit its
    record: the match was played where that key lives. A match without a record is taken too, and stays marked as
    unproven: nothing shows that it was played.
    """

    def table(contest: Contest, results: Iterable[Result]) -> bytes:
        return msgspec.json.encode(tables_of(contest, results, GAMES[contest.game].seats)[0])

    place, named = db or default_url(), read_public_keys(public_keys)
    own = load_own_keys(key, place)
    with open_store(place) as store:
        taken = import_contest(store, file, GAMES, table=table, accept=named)
        place = store.place if "://" in place else place  # without a password
    if as_json:
        print_json(
            ImportDocument(
                id=taken.id,
                db=place,
                matches=taken.matches,
                new=taken.new,
                consistent=taken.consistent,
                unproven=taken.unproven,
                signed=taken.signed,
                exposed=taken.exposed,
                own_keys=own,
            )
        )
    else:
        _show_import(taken, own, named)


def _show_import(taken: ImportReport, own: tuple[str, ...], named: tuple[str, ...]) -> None:
    """Print what was taken, and what shows that it was played."""
    unproven = f", {taken.unproven} without a record (unproven)" if taken.unproven else ""
    counts = f"{format_match_count(taken.consistent)} consistent{unproven}; {taken.new} of {taken.matches} new here"
    echo(f"tournament {taken.id}: {counts}")
    for signer, count in taken.signed.items():
        echo(f"  {count} signed by {signer} ({describe_owner(signer, own, named)})")
    if unsigned := taken.consistent - sum(taken.signed.values()):
        echo(f"  {unsigned} not signed: they follow from the rules, but nothing shows who played them")
    if taken.exposed:
        echo(f"  {taken.exposed} of those signed had a player without a sandbox, who could have read the key")
