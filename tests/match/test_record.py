"""Record format 3: its fields come back as they were written, damage is refused, older forms stay as they were."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import House, RecordError
from fairplay.core.chance import derived
from fairplay.match.packing import Signer, check_signature, packed, packed_levels, unpacked
from fairplay.match.players import house_strategy
from fairplay.match.record import Branch, Chain, DealProof, Entry, Facts, Header, HousePlayer, Note, Record, read_record
from fairplay.match.replay import Script, check_branch, first_replies, record_match, replay_record
from fairplay.run.inline import play_inline

FISH = GAMES["fish"]
SETUP = msgspec.convert({"rows": 4, "columns": 4}, FISH.setup)
DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"
HASH, NONCE = "0f" * 32, "a1" * 16

FACTS: dict[str, Facts] = {
    "branch": {"branch": Branch("3/17", 12)},
    "ponder": {"ponder": True},
    "bots": {"bots": (None, HASH)},
    "rule_book": {"rule_book": HASH},
    "accounts": {"accounts": ("a81", None)},
    "deal": {"deal": DealProof(HASH, 12, HASH, (NONCE, None))},
}


def play(past: Record | None = None, strategy: str = "random", **facts: Any) -> list[bytes]:
    lines: list[bytes] = []
    players = [House(house_strategy(FISH, strategy, derived(1, seat))) for seat in range(2)]
    orders = record_match(FISH, SETUP, 1, ("a", "b"), lines.append, **facts)
    if past is None:
        play_inline(orders, players)
    else:
        play_inline(orders, players, past=Script(FISH, past))
    return lines


def seal(bodies: list[bytes]) -> list[bytes]:
    chain, sealed = Chain(), list[bytes]()
    for body in bodies:
        chain.advance(body)
        sealed.append(body[:-1] + Chain.SEAL % chain.hash)
    return sealed


def example() -> list[bytes]:
    """The bodies of the record in the documentation."""
    found = re.search(r"```json\n(\{\"fairplay\":3.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1].encode().splitlines()


PLAIN = play()


@pytest.mark.parametrize("name", FACTS)
def test_each_field_comes_back_as_it_was_written(name: str) -> None:
    lines = play(**FACTS[name])
    record = read_record(unpacked(packed(lines)))
    assert record.header.fairplay == 3
    assert getattr(record.header, name) == FACTS[name][name]  # type: ignore[literal-required]  # the names above
    assert [*replay_record(FISH, record)] == [*replay_record(FISH, read_record(PLAIN))]
    assert all(f'"{other}"'.encode() not in lines[0] for other in FACTS if other != name)


def test_a_record_that_says_nothing_new_is_written_as_it_always_was() -> None:
    head = {"game": "fish", "players": ["a", "b"], "setup": msgspec.json.decode(msgspec.json.encode(SETUP)), "seed": 1}
    house = HousePlayer("random", 1, 7)
    for told, facts in (
        ({"fairplay": 1}, Facts()),
        ({"fairplay": 1}, Facts(levels=("house", "house"), ponder=False, bots=())),
        ({"fairplay": 2, "seed_chosen": True}, Facts(seed_chosen=True)),
        ({"fairplay": 2, "levels": ["house", "person"]}, Facts(levels=("house", "person"))),
        (
            {"fairplay": 2, "house": [{"strategy": "random", "version": 1, "chance": 7}, None]},
            Facts(house=(house, None)),
        ),
    ):
        lines = play(**facts)
        body = msgspec.json.decode(lines[0])
        del body["hash"]
        assert body == {**head, **told}
        form = f'{{"fairplay":{told["fairplay"]},"game":"fish","players":["a","b"],"setup":'.encode()
        assert lines[0].startswith(form)
        assert [line.split(b',"hash"')[0] for line in lines[1:]] == [line.split(b',"hash"')[0] for line in PLAIN[1:]]


def test_the_example_of_the_documentation_has_every_field() -> None:
    lines = seal(example())
    record = read_record(unpacked(packed(lines)))
    written = [record.header, *record.entries]
    assert [msgspec.json.encode(each) for each in written] == example()[: len(written)]
    optional = {*Header.__struct_fields__} - {"seed_chosen", "house"}
    assert all(getattr(record.header, field) for field in optional)
    assert {key for entry in record.entries for key in msgspec.json.decode(msgspec.json.encode(entry))} == {
        *Entry.__struct_fields__
    }
    assert record.entries[0].note == Note("The corner is safe.", ("0,0", "0,2"))
    assert packed_levels(packed(lines)) == ("person", "landlocked")
    assert [each.seat for each in record.signatures] == [0]
    assert record.fingerprint == msgspec.json.decode(lines[-2])["hash"]


def test_the_organiser_signs_what_players_signed() -> None:
    lines, signer = seal(example()), Signer(b"k" * 32)
    whole = unpacked(signer.sign(packed(lines), "3/18"))
    assert whole[:-1] == lines
    assert read_record(whole).fingerprint == read_record(lines).fingerprint
    signature = check_signature(whole)
    assert signature is not None and signature.key == signer.public
    with pytest.raises(RecordError, match=rf"line {len(whole) + 1}: nothing may follow"):
        read_record([*whole, whole[-1]])


def change(line: int, *swaps: tuple[bytes, bytes]) -> Callable[[list[bytes]], list[bytes]]:
    def changed(bodies: list[bytes]) -> list[bytes]:
        body = bodies[line - 1]
        for old, new in swaps:
            assert old in body
            body = body.replace(old, new)
        return [*bodies[: line - 1], body, *bodies[line:]]

    return changed


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (change(1, (b'"ponder":true', b'"ponder":"yes"')), r"line 1: Expected `bool`, got `str` - at `\$.ponder`"),
        (change(1, (b'"ponder":true', b'"aim":1')), "line 1: Object contains unknown field `aim`; a newer version"),
        (change(1, (b'"fairplay":3', b'"fairplay":2')), "line 1: 'branch' belongs to record format 3, not to format 2"),
        (change(1, (b'"fairplay":3', b'"fairplay":4')), "record format 4 is not known here; expected 1 to 3"),
        (change(1, (b'"accounts":["a81","b07"]', b'"accounts":["a81"]')), "'accounts' speaks of 1 seats, but .* has 2"),
        (change(1, (b'ddeeff",null]', b'ddeeff"]')), "line 1: 'nonces' speaks of 1 seats"),
        (change(1, (b'"00112233', b'"001122')), r"line 1: Expected `str` matching regex .* - at `\$.deal.nonces"),
        (change(1, (b'"2c26b46b', b'"2C26B46B')), r"line 1: Expected `str` matching regex .* - at `\$.rule_book"),
        (change(1, (b'"landlocked"', b'"a\\nb"')), r"line 1: Expected `str` matching regex .* - at `\$.levels"),
        (change(1, (b'"replies":1', b'"replies":-1')), r"line 1: Expected `int` >= 0 - at `\$.branch.replies`"),
        (change(2, (b'"seat":0,', b"")), "line 2: expected a seat, or what befell"),
        (change(2, (b'"note"', b'"remark"')), "line 2: Object contains unknown field `remark`"),
        (change(2, (b"The corner", b"x" * 1_100)), r"line 2: Expected `str` of length <= 1024 - at `\$.note.text`"),
        (change(3, (b'"order":5', b'"order":5,"seat":0')), "line 3: what befell is of no seat"),
        (change(3, (b'"befell"', b'"action":{},"befell"')), "line 3: expected one of 'action', 'fault'"),
        (change(6, (b'"resigned"', b'"action":{},"resigned"')), "line 6: expected one of 'action', 'fault'"),
        (change(4, (b'"together":2', b'"together":0')), r"line 4: Expected `int` >= 1"),
        (
            change(5, (b',"together":2', b"")),
            "line 4: expected 2 lines of order 6, each of another seat, in seat order",
        ),
        (change(5, (b'"seat":1', b'"seat":0')), "line 4: expected 2 lines of order 6"),
        (change(5, (b'"order":6', b'"order":7')), "line 4: expected 2 lines of order 6"),
        (lambda bodies: [*bodies[:4], *bodies[5:]], "line 4: expected 2 lines of order 6"),
        (change(8, (b'"seat":0', b'"seat":2')), "line 8: expected the signature of another of the 2 seats, not 2"),
        (lambda bodies: [*bodies, bodies[-1]], "line 9: expected the signature of another of the 2 seats, not 0"),
        (change(8, (b'"e5564300', b'"e556430')), "line 8: Expected `str` matching regex"),
    ],
)
def test_what_is_damaged_is_refused_with_its_line(damage: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_record(seal(damage(example())))


def test_what_was_cut_off_among_choices_made_together_is_read() -> None:
    assert [entry.together for entry in read_record(seal(example()[:4])).entries] == [1, 1, 2]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"order":4,"befell":6}', "line 2: chance after the deal, but fish has none in this version"),
        (b'{"order":4,"seat":0,"resigned":true}', "line 2: a resignation, which this version cannot replay"),
        (b'{"order":4,"seat":0,"action":{},"together":2}', "line 2: choices made together, but fish has none"),
        (b'{"order":4,"seat":0,"note":{"text":"?"}}', "line 2: expected an action or a fault"),
    ],
)
def test_what_no_game_can_play_is_refused_when_it_is_replayed(line: bytes, reason: str) -> None:
    record = read_record([PLAIN[0], *seal([PLAIN[0][:-44] + b"}", line])[1:]])
    with pytest.raises(RecordError, match=reason):
        list(replay_record(FISH, record))


def test_notes_change_nothing_that_is_replayed() -> None:
    record = read_record(PLAIN)
    first = replace(record.entries[0], note=Note("well"))
    noted = replace(record, entries=(Entry(0, 0, note=Note("hello")), first, *record.entries[1:]))
    assert [*replay_record(FISH, noted)] == [*replay_record(FISH, record)]


def test_a_branch_begins_as_another_match_and_goes_on_in_its_own_way() -> None:
    origin = read_record(PLAIN)
    lines = play(first_replies(origin, 5), "greedy", branch=Branch("3/17", 5))
    branch = read_record(lines)
    assert branch.header.branch == Branch("3/17", 5)
    assert branch.entries[:5] == origin.entries[:5] and branch.entries != origin.entries
    assert branch.outcome is not None and list(replay_record(FISH, branch))
    check_branch(FISH, branch, origin)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda branch: replace(branch, header=replace(branch.header, branch=None)), "line 1: this match is no branch"),
        (
            lambda branch: replace(branch, header=replace(branch.header, seed=2)),
            "3/17 has another setup, seed or number",
        ),
        (lambda branch: replace(branch, entries=branch.entries[1:]), "line 2: 3/17 has another reply here"),
        (lambda branch: replace(branch, entries=branch.entries[:4]), "holds 4 of the 5 replies of 3/17"),
        (
            lambda branch: replace(branch, header=replace(branch.header, branch=Branch("3/17", 900))),
            "no branch can begin after 900",
        ),
    ],
)
def test_what_is_no_branch_is_refused(damage: Any, reason: str) -> None:
    origin = read_record(PLAIN)
    branch = read_record(play(first_replies(origin, 5), branch=Branch("3/17", 5)))
    with pytest.raises(RecordError, match=reason):
        check_branch(FISH, damage(branch), origin)
