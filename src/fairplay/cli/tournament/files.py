"""`fairplay tournament export` and `import`: tournaments as files, and what of them is proven."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from fairplay.cli.keys import describe_owner, load_own_keys, read_public_keys
from fairplay.cli.options import db_option, json_option, key_option, public_key_option
from fairplay.cli.output import echo, print_json
from fairplay.cli.storage import open_existing_store
from fairplay.store import default_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fairplay.contest.contest import Contest, Result
    from fairplay.store.transfer import ImportReport

__all__ = ["export_command", "import_command"]


@click.command("export", epilog="\b\nExamples:\n  fairplay tournament export 3 third.fairplay")
@click.argument("id", type=int)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@db_option
@json_option
def export_command(id: int, file: Path, db: str | None, *, as_json: bool) -> None:
    """Write a tournament with all its records and signatures to a file.

    Your key is not in it: `fairplay keys show` prints what others need to check the signatures.
    """
    from fairplay.report.json_output.tournaments import ExportDocument
    from fairplay.report.tournament_text import format_match_count
    from fairplay.store.transfer import export_contest

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
    from fairplay.catalog import GAMES
    from fairplay.contest.scoreboard import tables_of
    from fairplay.report.json_output.tournaments import ImportDocument
    from fairplay.store import open_store
    from fairplay.store.transfer import import_contest

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
        show_import(taken, own, named)


def show_import(taken: ImportReport, own: tuple[str, ...], named: tuple[str, ...]) -> None:
    """Print what was taken, and what shows that it was played."""
    from fairplay.report.tournament_text import format_match_count

    unproven = f", {taken.unproven} without a record (unproven)" if taken.unproven else ""
    counts = f"{format_match_count(taken.consistent)} consistent{unproven}; {taken.new} of {taken.matches} new here"
    echo(f"tournament {taken.id}: {counts}")
    for signer, count in taken.signed.items():
        echo(f"  {count} signed by {signer} ({describe_owner(signer, own, named)})")
    if unsigned := taken.consistent - sum(taken.signed.values()):
        echo(f"  {unsigned} not signed: they follow from the rules, but nothing shows who played them")
    if taken.exposed:
        echo(f"  {taken.exposed} of those signed had a player without a sandbox, who could have read the key")
