"""Contests as files: whole or not at all, the same everywhere, and not believed without proof."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.contest.contest import Contest, Result
from fairplay.core import RecordError, StoreError
from fairplay.match.packing import Signer, match_name
from fairplay.match.record import Chain
from fairplay.store import open_store, transfer
from fairplay.store.store import PAGE_SIZE, Store
from fairplay.store.transfer import ExportReport, ImportReport, export_contest, import_contest
from store.samples import CONTEST, FISH, result, sample_results

GAMES = {"fish": FISH}
TABLE = b'{"wins":[1,2,3]}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished contest, exported."""
    with open_store(tmp_path / "source.db") as source:
        id = source.create(CONTEST)
        source.add(id, sample_results())
        source.finish(id, TABLE)
        export_contest(source, id, tmp_path / "contest.gz")
    return tmp_path / "contest.gz"


def forged(file: Path, change: Callable[[list[Any]], Any]) -> Path:
    """The file with its lines changed as values, and sealed again as a forger would do it."""
    values = [msgspec.json.decode(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    for value in values:
        del value["hash"]
    change(values)
    chain, lines = Chain(), []
    for value in values:
        body = msgspec.json.encode(value)
        chain.advance(body)
        lines.append(body[:-1] + Chain.SEAL % chain.hash)
    file.write_bytes(gzip.compress(b"".join(lines)))
    return file


def test_a_contest_moves_whole_into_another_store(store: Store, file: Path, tmp_path: Path) -> None:
    store.create(CONTEST)  # so that the numbers differ
    done = import_contest(store, file, GAMES)
    assert done == ImportReport(id=2, matches=12, new=12, unproven=0)
    assert list(store.results(2, records=True)) == list(sample_results())
    assert store.standings(2) == TABLE
    with open_store(tmp_path / "source.db") as source:
        theirs, ours = source.summary(1), store.summary(2)
        assert msgspec.structs.replace(theirs, id=2) == ours
        assert msgspec.json.encode(source.contest(1)) == msgspec.json.encode(store.contest(2))
    export_contest(store, 2, tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == file.read_bytes()


def test_importing_twice_changes_nothing(store: Store, file: Path) -> None:
    first = import_contest(store, file, GAMES)
    assert import_contest(store, file, GAMES) == msgspec.structs.replace(first, new=0)
    assert [line.matches for line in store.contests()] == [12]


def test_a_contest_that_went_on_elsewhere_is_completed(store: Store, tmp_path: Path) -> None:
    with open_store(tmp_path / "source.db") as source:
        id = source.create(CONTEST)
        source.add(id, sample_results()[3:7])
        export_contest(source, id, tmp_path / "half.gz")
        source.add(id, sample_results())
        source.finish(id, TABLE)
        export_contest(source, id, tmp_path / "whole.gz")
    assert import_contest(store, tmp_path / "half.gz", GAMES) == ImportReport(1, matches=4, new=4, unproven=0)
    assert store.standings(1) is None and store.summary(1).finished is None
    assert import_contest(store, tmp_path / "whole.gz", GAMES) == ImportReport(1, matches=12, new=8, unproven=0)
    assert store.standings(1) == TABLE and store.summary(1).finished is not None
    store.finish(1, b"[]")
    assert import_contest(store, tmp_path / "half.gz", GAMES).new == 0
    assert import_contest(store, tmp_path / "whole.gz", GAMES).new == 0
    assert store.standings(1) == b"[]"  # what is finished here stays


def test_a_match_that_ended_otherwise_here_is_named(store: Store, file: Path) -> None:
    id = import_contest(store, file, GAMES).id
    with store.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE matches SET ending = 'otherwise' WHERE number = 5")
    with pytest.raises(StoreError, match=f"^match 5 ended otherwise in tournament {id} of this store$"):
        import_contest(store, file, GAMES)


def test_a_contest_that_is_being_run_is_not_imported(store: Store, file: Path) -> None:
    with store.lease(import_contest(store, file, GAMES).id), pytest.raises(StoreError, match="is being run by"):
        import_contest(store, file, GAMES)


def test_another_definition_under_the_same_fingerprint_is_refused(store: Store, file: Path) -> None:
    import_contest(store, file, GAMES)
    forged(file, lambda lines: lines[0]["contest"].update(patience=9.0))
    with pytest.raises(StoreError, match="the same fingerprint, but another definition"):
        import_contest(store, file, GAMES)


def test_a_definition_of_an_older_version_is_the_same_definition(store: Store, file: Path) -> None:
    """It does not name the deals, a secret, or whether the seed was chosen; in the store, too, it may stand so."""
    with open_store(file.with_name("source.db")) as source:
        kept = msgspec.json.encode(source.contest(1)).decode()
        older = kept.replace(',"deals":"paired","secret":"","seed_chosen":false', "")
        assert older != kept
        with source.database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE contests SET definition = ?", (older,))
        assert import_contest(source, file, GAMES).new == 0
    import_contest(store, file, GAMES)
    forged(file, lambda lines: [lines[0]["contest"].pop(name) for name in ("deals", "secret", "seed_chosen")])
    assert import_contest(store, file, GAMES).new == 0


def test_a_record_must_say_what_the_contest_says_of_the_seed(store: Store, file: Path) -> None:
    forged(file, lambda lines: lines[0]["contest"].update(seed_chosen=True))
    with pytest.raises(RecordError, match="match 0: its record and the tournament do not agree on whether the seed"):
        import_contest(store, file, GAMES)


def test_many_matches_take_several_pages(store: Store, tmp_path: Path) -> None:
    count = PAGE_SIZE + 3
    with open_store(tmp_path / "source.db") as source:
        id = source.create(CONTEST)
        source.add(id, (msgspec.structs.replace(result(number), record=b"") for number in range(count)))
        export_contest(source, id, tmp_path / "many.gz")
    assert import_contest(store, tmp_path / "many.gz", GAMES) == ImportReport(
        1, matches=count, new=count, unproven=count
    )
    assert sum(1 for _ in store.results(1)) == count


# -- what is wrong with a file -----------------------------------------------------------------


def refused(file: Path, kind: type[Exception] = RecordError, games: Any = GAMES) -> str:
    """The sentence with which a file is refused; nothing of it may be stored."""
    with open_store(file.parent / "target.db") as store:
        with pytest.raises(kind) as error:
            import_contest(store, file, games)
        assert store.contests() == []
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_changed_byte_is_found_wherever_it_is(file: Path) -> None:
    content = file.read_bytes()
    for place in range(10, len(content), len(content) // 40):
        changed = bytearray(content)
        changed[place] ^= 0x10
        file.write_bytes(changed)
        assert refused(file).startswith("contest.gz")


@pytest.mark.parametrize("kept", [0, 5, 100, 1_000, -100, -8, -1])
def test_a_file_that_was_cut_off_is_refused(file: Path, kept: int) -> None:
    file.write_bytes(file.read_bytes()[:kept])
    assert refused(file).startswith("contest.gz")


def test_what_is_no_such_file_is_refused(file: Path, tmp_path: Path) -> None:
    file.write_bytes(b"hello")
    assert refused(file).startswith("contest.gz is damaged, or not an exported tournament: Not a gzipped file")
    file.write_bytes(gzip.compress(b""))
    assert refused(file) == "contest.gz: the file is empty; expected a tournament"
    assert "cannot be read: No such file or directory" in refused(tmp_path / "gone.gz", StoreError)
    assert "cannot be read: Is a directory" in refused(tmp_path, StoreError)


def test_a_game_that_is_not_known_is_refused(file: Path) -> None:
    assert refused(file, StoreError, {}) == "contest.gz holds a tournament of fish, which is not known here"


def test_a_line_that_fills_the_memory_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "MAX_LINE_BYTES", 700)
    assert refused(file).startswith("contest.gz: line 2 is too long")


def test_a_file_that_changes_while_it_is_read_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = transfer.check_standings

    def slow_check(*arguments: Any) -> None:
        check(*arguments)
        forged(file, lambda lines: lines[3]["outcome"].update(ending="otherwise"))

    monkeypatch.setattr(transfer, "check_standings", slow_check)
    assert refused(file) == "contest.gz: the file was changed while it was read"


def record_of(line: dict[str, Any], change: Callable[[bytes], bytes]) -> None:
    """Change the record in a line and seal it again."""
    *bodies, _ = line["record"].rstrip("\n").split("\n")
    chain, changed = Chain(), [change(body.encode()) for body in bodies]
    for body in changed:
        chain.advance(body + b"}")
    line["record"] = b"\n".join([*changed, Chain.SEAL % chain.hash]).decode()


FORGERIES: list[tuple[Callable[[list[Any]], Any], str]] = [
    (lambda lines: lines[0].update(tournament=3), "format 3 of tournament files is not known here; expected 1 to 2"),
    (lambda lines: lines[0].update(fingerprint="x"), "line 1: Expected `str` matching regex"),
    (lambda lines: lines[0].update(more=1), "line 1: Object contains unknown field `more`"),
    (lambda lines: lines[0].update(standings="no JSON"), "line 1: JSON is malformed"),
    (lambda lines: lines.pop(), "the file was cut off: matches are missing at its end"),
    (lambda lines: lines.pop(3), "the file was cut off: matches are missing at its end"),
    (lambda lines: lines.append({"matches": 12}), "line 15: nothing may follow the number of matches"),
    (lambda lines: lines.insert(2, lines[1]), "match 0 is there twice or out of order"),
    (lambda lines: lines[4].update(number=2**63), "line 5: Expected `int`"),
    (lambda lines: lines[4].update(line_up=[0, 3]), "match 3: its line-up names a player that is not of this"),
    (lambda lines: lines[4].update(line_up=[0, 1, 2]), "match 3: its outcome is of other seats than its line-up"),
    (lambda lines: lines[4]["outcome"].update(ranking=[[2], [1]]), "match 3: its outcome is of other seats"),
    (lambda lines: lines[4]["outcome"].update(ranking=[[0], [1]]), "match 3: the outcome is not that of its record"),
    (lambda lines: lines[4].update(line_up=[0, 1]), "match 3: its record is of minimax:depth=1, greedy, who are not"),
    (lambda lines: lines[4].update(deal=1), "match 3: its record is of another deal"),
    (lambda lines: lines[0]["contest"].update(seed=8), "match 0: its record is of another deal"),
    (lambda lines: lines[0]["contest"].update(setup={"rows": 5}), "match 0: its record is of another setup"),
    (lambda lines: lines[0]["contest"].update(setup={"rows": "x"}), "match 0: the setup is not one of fish"),
    (lambda lines: lines[4].update(record=lines[5]["record"]), "match 3: its record is of"),
    (lambda lines: lines[4].update(record=lines[4]["record"][:-60]), "match 3: the packed record was changed"),
    (lambda lines: lines[4].update(record=lines[4]["record"].replace("place", "plaice")), "match 3: the packed record"),
    (
        lambda lines: record_of(lines[4], lambda body: body.replace(b"place", b"plaice")),
        "match 3: line 2: Invalid value",
    ),
    (lambda lines: lines[4]["outcome"].update(ending="otherwise"), "match 3: the outcome is not that of its record"),
]


@pytest.mark.parametrize(("change", "reason"), FORGERIES, ids=[reason for _, reason in FORGERIES])
def test_a_forgery_is_refused_and_the_match_is_named(
    file: Path, change: Callable[[list[Any]], Any], reason: str
) -> None:
    assert refused(forged(file, change)).startswith(f"contest.gz: {reason}")


def test_a_forged_result_does_not_replay(file: Path) -> None:
    """Outcome and record agree with each other, but not with the rules."""

    def swap(lines: list[Any]) -> None:
        outcome = lines[4]["outcome"]
        outcome["scores"] = [[99], [0]]
        text = msgspec.json.encode(outcome)
        record_of(lines[4], lambda body: b'{"outcome":' + text if body.startswith(b'{"outcome"') else body)

    assert refused(forged(file, swap)) == (
        "contest.gz: match 3: the match replays to another outcome than the record claims"
    )


def test_a_match_without_a_record_is_taken_and_counted(file: Path, store: Store) -> None:
    forged(file, lambda lines: lines[4].update(record=""))
    assert import_contest(store, file, GAMES) == ImportReport(1, matches=12, new=12, unproven=1)
    with pytest.raises(StoreError, match="was kept without its record"):
        store.record(1, 3)


def test_standings_of_an_earlier_version_are_made_again(file: Path, store: Store) -> None:
    """Whether an earlier version made them or a forger says so: what is kept follows from the results."""

    def table(contest: Contest, results: Iterable[Result]) -> bytes:
        return msgspec.json.encode({"fit": "new", "matches": len(list(results))})

    assert import_contest(store, file, GAMES, table=table).new == 12
    assert msgspec.json.decode(store.standings(1) or b"") == {"fit": "new", "matches": 12}


def test_standings_must_follow_from_the_results_where_somebody_can_tell(file: Path, store: Store) -> None:
    def table(contest: Contest, results: Iterable[Result]) -> bytes:
        wins = [0] * len(contest.entrants)
        for each in results:
            for seat in each.outcome.winners:
                wins[each.line_up[seat]] += 1
        return msgspec.json.encode({"wins": wins})

    with pytest.raises(RecordError, match=r"^contest\.gz: the table is not what its matches give$"):
        import_contest(store, file, GAMES, table=table)
    assert store.contests() == []
    forged(file, lambda lines: lines[0].update(standings=table(CONTEST, sample_results()).decode()))
    assert import_contest(store, file, GAMES, table=table).new == 12
    forged(file, lambda lines: lines[0].update(standings=None, finished=None, fingerprint="0" * 32))
    assert import_contest(store, file, GAMES, table=table).id == 2


# -- writing -----------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_is_told_in_words(store: Store, tmp_path: Path) -> None:
    id = store.create(CONTEST)
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        export_contest(store, id, tmp_path / "gone" / "contest.gz")


def test_an_export_that_fails_leaves_what_was_there(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, folder = file.read_bytes(), {path.name for path in file.parent.iterdir()}

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with open_store(file.parent / "source.db") as source:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match=r"contest\.gz cannot be written: No space left on device"):
            export_contest(source, 1, file)
        monkeypatch.undo()
        monkeypatch.setattr(transfer, "build_match_line", lambda result: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            export_contest(source, 1, file)
    assert file.read_bytes() == before
    assert {path.name for path in file.parent.iterdir()} == folder


def test_an_unknown_contest_is_not_exported(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no tournament 3"):
        export_contest(store, 3, tmp_path / "contest.gz")
    assert not (tmp_path / "contest.gz").exists()


# -- signatures --------------------------------------------------------------------------------

SIGNER = Signer(b"\1" * 32)


def export_signed(tmp_path: Path, *, shift: int = 0) -> Path:
    """A contest whose matches are signed, each as the one `shift` further."""
    with open_store(tmp_path / "signed.db") as source:
        id = source.create(CONTEST)
        contest = source.summary(id).fingerprint
        results = [
            msgspec.structs.replace(each, record=SIGNER.sign(each.record, match_name(contest, each.number + shift)))
            for each in sample_results()
        ]
        source.add(id, results[:-1])
        source.add(id, [sample_results()[-1]])
        assert export_contest(source, id, tmp_path / "contest.gz") == ExportReport(matches=12, signed=11, unproven=0)
    return tmp_path / "contest.gz"


def test_signatures_move_with_their_matches_and_are_counted_by_key(store: Store, tmp_path: Path) -> None:
    file = export_signed(tmp_path)
    report = import_contest(store, file, GAMES)
    assert report == ImportReport(1, matches=12, new=12, unproven=0, signed={SIGNER.public: 11})
    assert report.consistent == 12
    export_contest(store, 1, tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == file.read_bytes()


def test_a_signature_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    def spoil(lines: list[Any]) -> None:
        lines[4]["record"] = lines[4]["record"].replace(SIGNER.public, "0a" * 32)

    assert refused(forged(export_signed(tmp_path), spoil)).startswith(
        "contest.gz: match 3: the signature does not fit: the record was changed after it was signed"
    )


def test_the_signature_of_another_match_is_refused(tmp_path: Path) -> None:
    file = export_signed(tmp_path, shift=1)
    assert refused(file) == "contest.gz: match 0: its signature is of another match"


def test_only_what_accepted_keys_signed_is_taken(store: Store, tmp_path: Path) -> None:
    file = export_signed(tmp_path)
    with pytest.raises(RecordError, match="match 11 is not signed; expected a signature of a key that was named"):
        import_contest(store, file, GAMES, accept=[SIGNER.public])
    with pytest.raises(RecordError, match=f"match 0 is signed by {SIGNER.public}; expected"):
        import_contest(store, file, GAMES, accept=["0a" * 32])
    forged(file, lambda lines: lines[1].update(record=""))
    with pytest.raises(RecordError, match="match 0 has no record; expected"):
        import_contest(store, file, GAMES, accept=[SIGNER.public])
    assert store.contests() == []


def test_a_file_of_the_first_format_is_read(store: Store, file: Path) -> None:
    forged(file, lambda lines: lines[0].update(tournament=1))
    assert import_contest(store, file, GAMES).consistent == 12
