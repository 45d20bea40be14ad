"""`fairplay play GAME human ...`: a person at the terminal, or a script of moves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.cli.matches.person import CLEAR, PAGE, Person, Terminal, hides_something
from fairplay.core import Fault, FaultKind, House, HousePlayers, Seat, Seen
from fairplay.match.players import house_strategy
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline
from toy_thinker import TOYS

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 3, "columns": 4}', "--seed", "3")


def test_a_script_plays_and_is_told_what_is_wrong_without_losing_for_it(fairplay: Fairplay) -> None:
    script = "# my first match\n?\nl 0\nhello\n0,0\n0,0\nb\nq\n"
    result = fairplay("play", "fish", "human", "greedy", *SMALL, "--json", given=script)
    assert result.exit_code == 0, result.output
    (match,) = json.loads(result.stdout)["matches"]
    assert match["levels"] == ["person", "house"]
    assert match["faults"][0] == {"kind": "gone", "detail": "resigned"}
    for said in (
        "red, your action (? for help): ?\nType an action, such as '0,0', '1,2', '2,3'",
        "4 legal actions with '0':\n  0,0  0,1  0,2  0,3\n",
        "'hello' is not an action; expected ROW,COLUMN",
        "red placed a penguin on (0,0)\n  white placed a penguin on",
        "You cannot do 0,0: (0,0) is not a free tile",
        "     0     1     2     3\n 0 RE4     4",
    ):
        assert said in result.stderr
    assert "my first match" not in result.stderr


def test_a_script_that_ends_resigns_and_the_table_says_so(fairplay: Fairplay) -> None:
    result = fairplay("play", "fish", "greedy", "human", *SMALL, "--games", "2", given="0,1\n")
    assert result.exit_code == 0, result.output
    assert "human" in result.stdout
    assert "Match 1 is over: greedy won.\n" in result.stderr and "Match 2 is over" in result.stderr


def test_people_need_a_terminal_or_moves(fairplay: Fairplay) -> None:
    result = fairplay("play", "fish", "human", "greedy", given="")
    assert result.exit_code == 2
    assert "a person needs a terminal, or moves on standard input, one a line" in result.output
    result = fairplay("tournament", "run", "fish", "human", "greedy")
    assert result.exit_code == 2
    assert "people play with `fairplay play`" in result.output


class ScriptedTerminal(Terminal):
    """Answers with a random legal action, after asking for everything that can be asked."""

    def __init__(self, game: Any) -> None:
        super().__init__()
        self.game, self.rng, self.said = game, Random(1), list[str]()
        self.names = {Seat(0): "human"}
        self.view: Any = None
        self.commands = ["?", "l", "m", "b", "l zzz", ""]

    def say(self, text: str, **style: Any) -> None:
        self.said.append(text)

    def ask(self, prompt: str) -> str:
        if self.commands:
            return self.commands.pop(0)
        actions = self.game.rules.legal_actions(self.view)
        return str(self.game.notation.format_action(actions[self.rng.randrange(len(actions))]))


class WatchedPerson(Person):
    """Leaves its view with the terminal."""

    terminal: ScriptedTerminal

    def choose(self, view: Any) -> Any:
        self.terminal.view = view
        return super().choose(view)


@pytest.mark.parametrize(
    ("name", "variant"), [(game.name, variant) for game in GAMES.values() for variant in game.variants]
)
def test_every_game_can_be_played_to_its_end(name: str, variant: str) -> None:
    game = GAMES[name]
    terminal = ScriptedTerminal(game)
    person = WatchedPerson(game, Seat(0), terminal)
    rivals = [House(house_strategy(game, "random", Random(seat))) for seat in range(2)]
    setup = game.quick if game.quick is not None and variant == game.quick.variant else game.variants[variant]
    orders = start_match(game, setup, 1, 3)
    outcome = play_inline(orders, [person, *rivals], [person.watch])
    assert outcome.faults == (None, None, None)
    said = "\n".join(terminal.said)
    assert "legal action" in said and "(no more)" in said
    for seat in range(1, 3):
        assert f"  {game.words.seat_name(Seat(seat))}" in said


def test_long_lists_come_in_pages() -> None:
    game = GAMES["labyrinth"]
    terminal = ScriptedTerminal(game)
    state = game.rules.start(game.variants["plain"], 2, Random(1))
    person, view = Person(game, Seat(0), terminal), game.rules.view(state, Seat(0))
    person._list_actions(view, "")
    assert terminal.said[0].endswith("legal actions:") and len(terminal.said[1].split("  ")) <= 2 * PAGE
    assert "m shows more" in terminal.said[2]
    terminal.said.clear()
    person._list_actions(view, "2 LEFT 90")
    assert all(text.startswith("2 left 90 ") for text in terminal.said[1].strip().split("  ") if text.strip())


def test_games_with_secrets_are_known() -> None:
    """Two people at one terminal must not see each other's cards; in an open game nothing is hidden."""
    for name, hidden in {"fish": False, "trains": True, "labyrinth": True}.items():
        game = GAMES[name]
        setup = next(iter(game.variants.values()))
        assert hides_something(game, game.rules.start(setup, 2, Random(3))) is hidden


def test_people_at_one_screen_hide_their_cards_from_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is next sees an empty screen until the others look away; giving up has to be confirmed."""
    game, screen = GAMES["trains"], StringIO()
    said = iter(["", "q", "n", "keep Ash-Cedar; Ash-Fir", "", "q", "y"])

    def answer(prompt: str) -> str:
        screen.write(prompt)
        return next(said)

    monkeypatch.setattr(Terminal, "interactive", True)
    monkeypatch.setattr(Terminal, "screen", screen)
    monkeypatch.setattr("builtins.input", answer)
    terminal = Terminal()
    terminal.names, terminal.hidden = {Seat(0): "ann", Seat(1): "bob"}, True
    people = [Person(game, Seat(seat), terminal) for seat in range(2)]
    assert game.quick is not None
    setup = msgspec.structs.replace(game.quick, destinations="ordered")
    outcome = play_inline(start_match(game, setup, 1, 2), people, [person.watch for person in people])
    assert outcome.faults[1] == Fault(FaultKind.GONE, "resigned")
    first, second = screen.getvalue().split("bob, it is your turn.")[:2]
    assert "you may keep" in first and first.endswith(CLEAR)
    assert "amber kept 2 destinations" in second and "Ash - Cedar, Ash - Fir" not in second.split("you may keep")[0]


def test_a_person_is_given_hints() -> None:
    game = TOYS["fish"]
    terminal = ScriptedTerminal(game)
    terminal.commands = ["hint"]
    person = WatchedPerson(game, Seat(0), terminal)
    rival = House(house_strategy(game, "random", Random(1)))
    play_inline(start_match(game, game.quick, 1, 2), [person, rival], [person.watch])
    hint = terminal.said.index("0,0: red would place a penguin on (0,0)")
    assert terminal.said[hint + 1] == "  75% (30 searched, 1 turn deep): 0,0"
    seen = [each.number for each in person.past if isinstance(each, Seen)]
    assert seen == list(range(len(seen))) and len(seen) < len(person.past)


def test_a_game_without_anybody_who_thinks_gives_no_hints() -> None:
    game = replace(GAMES["fish"], players=HousePlayers({}))
    terminal = ScriptedTerminal(game)
    state = game.rules.start(game.variants["standard"], 2, Random(1))
    Person(game, Seat(0), terminal)._give_hint(game.rules.view(state, Seat(0)), "")
    assert terminal.said == ["fish has no house player that says what it thinks."]
