"""Forged results: what was never played verifies as signed by nobody, and the key is nowhere to be found."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, House
from fairplay.match.players import house_strategy
from fairplay.match.record import SIGNED, Chain, read_record
from fairplay.match.replay import record_match
from fairplay.run.inline import play_inline
from fairplay.store import open_store

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4}')
RUN = ("tournament", "run", "fish", "random", "greedy", *SMALL, "--games", "2", "--jobs", "1")


@pytest.fixture(autouse=True)
def _no_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FAIRPLAY_DB", "FAIRPLAY_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def record(fairplay: Fairplay) -> Path:
    """A signed record."""
    fairplay("play", "fish", "greedy", "random", "--seed", "7", "--out", "out", *SMALL)
    return Path("out/match-0001.jsonl")


def bodies_of(record: Path) -> list[bytes]:
    return [line.rpartition(b',"hash"')[0] + b"}" for line in record.read_bytes().splitlines()]


def seal(record: Path, bodies: list[bytes]) -> None:
    """Write a record with these lines, the chain of hashes rebuilt."""
    chain, lines = Chain(), []
    for body in bodies:
        chain.advance(body)
        lines.append(body[:-1] + Chain.SEAL % chain.hash)
    record.write_bytes(b"".join(lines))


def swap_names(record: Path) -> list[bytes]:
    """The other player won."""
    header, *rest = bodies_of(record)
    return [header.replace(b'["greedy","random"]', b'["random","greedy"]'), *rest]


def forge_crash(record: Path) -> list[bytes]:
    """The winner never answered: it crashed at its first question, and the rival won alone."""
    before = read_record(record.read_bytes().splitlines(keepends=True))
    setup = msgspec.json.decode(before.header.setup, type=GAMES["fish"].setup)

    def crash(view: object) -> object:
        return Fault(FaultKind.CRASHED, "RuntimeError: out of luck")

    players = [House(crash), House(house_strategy(GAMES["fish"], "random", Random(1)))]
    lines: list[bytes] = []
    header = before.header
    orders = record_match(GAMES["fish"], setup, header.seed, header.players, lines.append, begun=header)
    outcome = play_inline(orders, players)
    assert outcome.winners == (1,)
    forged = [line.rpartition(b',"hash"')[0] + b"}" for line in lines]
    return [*forged, bodies_of(record)[-1]]


FORGERIES = pytest.mark.parametrize("forge", [swap_names, forge_crash])


@FORGERIES
def test_a_forged_record_that_keeps_the_signature_is_false(
    fairplay: Fairplay, record: Path, forge: Callable[[Path], list[bytes]]
) -> None:
    seal(record, forge(record))
    for option in ("--verify", "--json", "--text"):
        result = fairplay("replay", str(record), option)
        assert result.exit_code == 1
        assert "the signature does not fit" in result.output


@FORGERIES
def test_a_forged_record_without_the_signature_is_consistent_and_signed_by_nobody(
    fairplay: Fairplay, record: Path, forge: Callable[[Path], list[bytes]]
) -> None:
    seal(record, forge(record)[:-1])
    result = fairplay("replay", str(record), "--verify")
    assert result.exit_code == 0
    assert result.output.startswith("consistent, not signed: ")
    assert json.loads(fairplay("replay", str(record), "--json").output)["signed"] is None


def test_a_forger_who_signs_is_somebody_else(fairplay: Fairplay, record: Path) -> None:
    from fairplay.match.packing import Signer

    seal(record, swap_names(record)[:-1])
    lines, forger = record.read_bytes().splitlines(keepends=True), Signer(b"\7" * 32)
    record.write_bytes(b"".join([*lines, forger.sign_lines(lines, "somewhere/0")]))
    assert f"signed by {forger.public} (unknown to you" in fairplay("replay", str(record), "--verify").output
    Path("published.txt").write_text(fairplay("keys", "show").output)
    assert fairplay("replay", str(record), "--verify", "--public-key", "published.txt").exit_code == 1


def test_house_players_tell_that_a_crash_was_forged(fairplay: Fairplay, record: Path) -> None:
    honest = fairplay("replay", str(record), "--verify", "--house")
    assert honest.exit_code == 0
    assert "house: greedy version 1 (seat 0) gives the same" in honest.output
    seal(record, forge_crash(record)[:-1])
    result = fairplay("replay", str(record), "--verify", "--house")
    assert result.exit_code == 1
    assert "greedy version 1 (seat 0) differs in 1 of 1 replies, first in line 2: " in result.output
    assert "did not give the replies that the record has" in result.output
    result = fairplay("replay", str(record), "--verify", "--house", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["house"][0]["verdict"] == "different"


def test_house_players_of_another_version_are_not_called_different(fairplay: Fairplay, record: Path) -> None:
    header, *rest = bodies_of(record)
    seal(record, [header.replace(b'"version":1', b'"version":9'), *rest[:-1]])
    result = fairplay("replay", str(record), "--verify", "--house")
    assert result.exit_code == 0
    assert "greedy version 9 (seat 0) is not checkable: it was version 9 of greedy, and here is version 1" in (
        result.output
    )


def test_house_players_that_are_not_named_are_not_asked(fairplay: Fairplay, record: Path) -> None:
    header, *rest = bodies_of(record)
    bare = {key: value for key, value in json.loads(header).items() if key != "house"}
    seal(record, [msgspec.json.encode(bare | {"fairplay": 1}), *rest[:-1]])
    result = fairplay("replay", str(record), "--verify", "--house")
    assert result.exit_code == 0
    assert result.output.startswith("consistent, not signed: ")  # as all records before there were signatures
    assert "the record names no house players" in result.output
    assert fairplay("replay", str(record), "--house").exit_code == 2


# -- the key -----------------------------------------------------------------------------------


def test_the_key_is_in_no_database_and_no_export(fairplay: Fairplay, tmp_path: Path) -> None:
    fairplay(*RUN, "--out", "records")
    fairplay("tournament", "export", "1", "first.fairplay")
    secret = json.loads(Path("fairplay.db.key").read_text())["secret"]
    spellings = (secret.encode(), bytes.fromhex(secret))
    unpacked = gzip.decompress(Path("first.fairplay").read_bytes())
    with open_store("fairplay.db") as store:
        records = [store.record(1, number) for number in range(4)]
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".key"]
    assert len(files) >= 6
    assert not any(spelling in content for spelling in spellings for content in (unpacked, *records, *files))
    assert all(record.splitlines()[-1].startswith(SIGNED) for record in records)
