"""Commands whose rule book fails: what is named, what is played all the same, and the exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.core.chance import derived_seed
from faulty_games import fails_with_first
from net.commands import Commands, commands_in

pytestmark = pytest.mark.usefixtures("faulty_games")

NAMED = re.compile(
    r"the rule book of faulty_apply failed in match (\d+) \(.+?\), seed \d+, after turn 1: "
    r"ZeroDivisionError: integer division or modulo by zero, at __init__\.py:\d+ in apply"
)

ENGINES = [("--jobs", "1"), ("--jobs", "2"), ("--on", "dask", "--jobs", "2")]


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    with commands_in(tmp_path) as started:
        yield started


def test_one_match_that_breaks_off_is_named_without_a_traceback(fairplay: Callable[..., Result]) -> None:
    seed = next(seed for seed in count() if fails_with_first(seed))
    failed = fairplay("play", "faulty_apply", "first", "first", "--seed", str(seed), "--db", "x.db")
    assert failed.exit_code == 1
    assert NAMED.search(failed.stderr) and "Traceback" not in failed.output
    assert f", seed {seed}, after turn 1" in failed.stderr
    assert failed.stdout == ""


def test_of_several_matches_the_others_are_shown(fairplay: Callable[..., Result]) -> None:
    failed = fairplay("play", "faulty_apply", "first", "first", "--seed", "1", "--games", "4", "--no-store")
    assert failed.exit_code == 1
    numbers = {int(number) for number in NAMED.findall(failed.stderr)}
    assert numbers and f"{4 - len(numbers)} matches, seeds" in failed.stdout
    told = json.loads(
        fairplay("play", "faulty_apply", "first", "first", "--seed", "1", "--games", "4", "--no-store", "--json").stdout
    )
    assert len(told["matches"]) == 4 - len(numbers)


@pytest.mark.parametrize("engine", ENGINES, ids=["one", "two", "dask"])
def test_a_tournament_plays_all_other_matches_and_its_table_says_which_broke_off(
    engine: tuple[str, ...], fairplay: Callable[..., Result]
) -> None:
    run = ("tournament", "run", "faulty_apply", "first", "b=first", "c=first", "--games", "2", "--seed", "1")
    failed = fairplay(*run, *engine, "--db", "x.db")
    assert failed.exit_code == 1 and "Traceback" not in failed.output
    broken = {int(number) for number in NAMED.findall(failed.stdout)}
    assert broken and f": {12 - len(broken)} matches, " in failed.stdout
    assert "Some matches were broken off. All others are kept." in failed.stderr and "Stopped" not in failed.stderr
    assert "once the rule book is mended: " in failed.stderr and " tournament resume 1 " in failed.stderr
    again = fairplay("tournament", "resume", "1", "--jobs", "1", "--db", "x.db")
    assert again.exit_code == 1
    assert {int(number) for number in NAMED.findall(again.stdout)} == broken, "they are tried again"
    listed = json.loads(fairplay("tournament", "matches", "1", "--db", "x.db", "--json").stdout)
    assert {match["number"] for match in listed["matches"]} == set(range(12)) - broken


def test_a_document_for_programs_is_whole_and_the_exit_code_tells(fairplay: Callable[..., Result]) -> None:
    run = ("tournament", "run", "faulty_apply", "first", "b=first", "--games", "4", "--seed", "1")
    failed = fairplay(*run, "--json", "--no-store")
    assert failed.exit_code == 1
    assert NAMED.search(failed.stderr)
    assert json.loads(failed.stdout)["finished"] is None


def test_a_record_that_a_rule_book_cannot_replay_is_named(fairplay: Callable[..., Result], tmp_path: Path) -> None:
    played = fairplay("play", "nim", "random", "random", "--seed", "2", "--no-store", "--out", "out")
    assert played.exit_code == 0
    record = (tmp_path / "out" / "match-0001.jsonl").read_bytes()
    assert b'"game":"nim"' in record
    (tmp_path / "match.jsonl").write_bytes(rename(record.splitlines(keepends=True)))
    failed = fairplay("replay", "match.jsonl", "--text")
    assert failed.exit_code == 1 and "Traceback" not in failed.output
    assert "the rule book of faulty_apply failed in match match.jsonl, seed 2, after turn 1: " in failed.stderr


def rename(lines: list[bytes]) -> bytes:
    """The record of a match of Nim as one of `faulty_apply`, without its signature."""
    from fairplay.match.record import SIGNED, Chain

    chain, changed = Chain(), b""
    for line in lines:
        if not line.startswith(SIGNED):
            body = line[: line.rindex(b',"hash"')] + b"}"
            body = body.replace(b'"game":"nim"', b'"game":"faulty_apply"')
            chain.advance(body)
            changed += body[:-1] + Chain.SEAL % chain.hash
    return changed


@pytest.mark.parametrize("own", [(), ("first",)], ids=["all-remote", "beside-a-house-player"])
def test_a_tournament_of_remote_players_plays_the_other_matches(own: tuple[str, ...], commands: Commands) -> None:
    server = commands.serve(
        *("faulty_apply", *own, "--port", "0", "--least", "2", "--most", "2", "--games", "8", "--jobs", "2")
    )
    port = server.port()
    for name in ("ann", "bob"):
        commands.join(port, name, "--player", "first", game="faulty_apply")
    failure = server.failure
    assert "Traceback" not in failure and server.process.returncode == 1
    told = server.out.read_text()
    broken = {int(number) for number in NAMED.findall(told)}
    assert broken and re.search(r": \d+ matches, the seed is shown when it is over", told)
    assert "To play the rest once the rule book is mended: " in failure


def test_a_knock_out_over_tcp_names_what_failed(commands: Commands) -> None:
    seed = next(seed for seed in count() if fails_with_first(derived_seed(seed, "deal", 0)))
    server = commands.start(
        *("serve-tcp", "faulty_apply", "--protocol", "native", "--port", "0", "--least", "2", "--most", "2"),
        *("--seed", str(seed)),
    )
    port = server.port()
    for name in ("ann", "bob"):
        commands.join(port, name, "--player", "first", game="faulty_apply")
    failure = server.failure
    assert server.process.returncode == 1 and "Traceback" not in failure
    assert NAMED.findall(failure) == ["0"]
