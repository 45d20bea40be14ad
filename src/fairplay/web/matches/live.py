"""A match that is being played on the web server: a table with its people, the match itself, and a feed to watchers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
import structlog
from msgspec.structs import replace

from fairplay.core import AnyEvent, AnyGame, FairplayError, Outcome, Removed, Seat, UsageError
from fairplay.core.game import find_mover
from fairplay.core.shown import ClickTree, build_click_tree
from fairplay.match.players import describe_house
from fairplay.match.record import HousePlayer, Isolation
from fairplay.match.referee import Orders
from fairplay.match.replay import deal_state
from fairplay.run.awaited import AwaitedMatch, LineLog
from fairplay.web.house.worker import HouseReply
from fairplay.web.matches.people import Backing, SeatedTable
from fairplay.web.matches.seats import ClickResult, HumanSeat, Interpret, interpret_clicks, refuse_clicks
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.feed import Feed, Situation, Watcher
from fairplay.web.watching.timeline import EVERYTHING, Moment, Timeline, Viewer

LOG = structlog.get_logger("fairplay.web")

TOO_LATE = "It is not your turn any more."


class LiveMatch:
    """A match from the moment its table is opened until its record is kept."""

    def __init__(
        self,
        id: str,
        game: AnyGame,
        definition: TableDefinition,
        backing: Backing,
        lines: Sequence[bytes] = (),
        *,
        patience: float,
        log: LineLog[str] | None = None,
    ) -> None:
        """`lines` are those of a match that is resumed.  Without a log, nothing is kept of it."""
        self.id, self.game = id, game
        self.setup = msgspec.json.decode(definition.setup, type=game.setup)
        names = definition.names
        self.timeline = Timeline(game, names, deal_state(game, self.setup, definition.seed, len(names)))
        self.played = AwaitedMatch(game, id, log, lines)
        self.feed = Feed(self)
        self.table = SeatedTable(game, definition, self.timeline, backing, patience, self.feed.publish)
        self.opened_at = monotonic()
        self.hint: tuple[int, asyncio.Future[HouseReply]] | None = None  # what a house player says at a moment
        self.advice: tuple[tuple[int, Seat], Any] | None = None  # what a beginner is told at a moment
        self._moved = asyncio.Event()  # replaced when something has happened
        self._unshown: list[AnyEvent] = []  # not yet in the store
        self._tree: tuple[int, ClickTree] | None = None  # what can be clicked at a moment
        self._has_to_wait = not lines and bool(self.table.missing_people())
        if not self._has_to_wait:
            self.table.started.set()

    @property
    def definition(self) -> TableDefinition:
        """The table as the store keeps it."""
        return self.table.definition

    # -- playing -------------------------------------------------------------------------------

    async def play(self) -> Outcome | None:
        """Wait for everyone to arrive, but not for ever, and play to the end; None: the match was broken off.

        Raises RuleBookError, once everything that happened before is shown.
        """
        if self._has_to_wait:
            await self.table.wait_for_people()
            self.feed.repeat()  # from now on there is something to click
        if self.table.is_discarded:
            return None
        if not await self._start_bots():
            return None
        if self.played.begun is None:
            await self.table.seat_house_players()
        self.table.turn_began = monotonic()
        playing = asyncio.create_task(self._play_on(), name=f"play {self.id}")
        watching = asyncio.create_task(self.table.wait_for_stop(), name=f"people {self.id}")
        is_over = False
        try:
            await asyncio.wait((playing, watching), return_when=asyncio.FIRST_COMPLETED)
            is_over = playing.done()
        finally:
            playing.cancel()
            watching.cancel()
            await asyncio.gather(playing, watching, return_exceptions=True)
            ended = playing.result() if is_over and not playing.exception() else None
            await asyncio.gather(*(bot.end(ended) for bot in self.table.bots.values()))
        await self._show_events()
        return playing.result() if is_over else None

    async def _start_bots(self) -> bool:
        """Start the bots of the owner; if that fails, the match is broken off, or never was."""
        try:
            for bot in self.table.bots.values():
                await bot.start()
        except FairplayError as error:
            LOG.error("a bot cannot be started", table=self.id, reason=str(error))
            await asyncio.gather(*(bot.end(None) for bot in self.table.bots.values()))
            self.table.stop_reason = "A bot could not be started."
            self.table.is_discarded = self.played.begun is None
            return False
        return True

    def conclude(self, outcome: Outcome | None) -> None:
        """Show everyone how the match ended; ASSUME that it is kept, so that they may ask for all of it."""
        self.timeline.outcome = outcome
        self.timeline.cut_off = "" if outcome else self.table.stop_reason
        self.feed.publish(again=True)

    async def _play_on(self) -> Outcome:
        return await self.played.play(self._build_orders(), self.table.seats, [self._note_event], self._show_events)

    def _build_orders(self) -> Orders:
        bots, seats = self.table.bots, enumerate(self.definition.seats)
        levels: tuple[Isolation, ...] = tuple(
            "person" if taken.person else bots[Seat(at)].level if taken.is_bot else "house" for at, taken in seats
        )
        return self.played.build_orders(
            self.setup,
            self.definition.seed,
            self.timeline.names,
            levels=levels,
            house=self._name_house_players(),
            accounts=self.definition.accounts,
        )

    def _name_house_players(self) -> tuple[HousePlayer | None, ...]:
        """The house players by seat, without those who stand in for people."""
        seats = self.definition.seats
        if all(taken.person or taken.is_bot for taken in seats):
            return ()
        is_house = [not taken.person and not taken.is_bot for taken in seats]
        return tuple(
            describe_house(self.game, taken.player, self.table.chance_of(Seat(at))) if is_house[at] else None
            for at, taken in enumerate(seats)
        )

    def _note_event(self, event: AnyEvent) -> None:
        self._unshown.append(event)
        self.table.turn_began = monotonic()
        if isinstance(event, Removed):
            self.table.note_removal(event.seat)

    async def _show_events(self) -> None:
        """Show what has happened, once it is in the store: nothing that anybody has seen can be lost.

        Watchers are sent it when the next player is asked, so that the clock runs from then on.
        """
        await self.played.settle()
        events, self._unshown[:] = tuple(self._unshown), ()
        for event in events:
            self.timeline.add(event)
        if events:
            self._moved.set()
            self._moved = asyncio.Event()

    async def wait_for_moment(self, number: int) -> None:
        """Wait until this moment is there to be seen."""
        while self.timeline.last < number:
            await self._moved.wait()

    # -- moves ---------------------------------------------------------------------------------

    async def wait_for_question(self, seat: Seat, number: int) -> None:
        """Wait until a person is asked whose turn it is at moment `number`; a turn counts once it is in the store."""
        person = self.table.people[seat]
        while number == self.timeline.last and not person.asked.is_set() and self._is_about_to_ask(person):
            waits = [asyncio.ensure_future(event.wait()) for event in (person.asked, self._moved)]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()

    def _is_about_to_ask(self, person: HumanSeat) -> bool:
        mover = find_mover(self.game, self.timeline.states[-1])
        return self.table.status == "playing" and mover == person.seat and not person.is_away

    def find_question(self, seat: Seat, number: int | None = None) -> tuple[Any, Interpret]:
        """The view of a person who is to move, and what clicks come to in it; raises UsageError."""
        person, clicks = self.table.people[seat], self.game.shown.clicks
        if clicks is None:
            raise UsageError(f"{self.game.name} cannot be played by clicks.")
        if number not in (None, self.timeline.last) or person.view is None:
            raise UsageError(TOO_LATE)
        view, turn = person.view, self.timeline.last_turn(self.timeline.last)
        return view, lambda clicked: clicks(view, clicked, turn)

    def click(self, seat: Seat, number: int, clicks: Sequence[str]) -> ClickResult:
        """The result of a person's clicks at moment `number`; raises UsageError or WireError.

        An illegal move is found here, so that the person may choose again.  The referee, who judges every action, would
        remove the player.
        """
        view, interpret = self.find_question(seat, number)
        person = self.table.people[seat]
        person.note_sign_of_life()
        result = interpret_clicks(interpret, clicks)
        if isinstance(result, ClickResult):
            return result
        refusal = None
        with suppress(Exception):  # a rule book that fails here fails again in the referee, who breaks the match off
            refusal = self.game.rules.why_illegal(view, result)
        if refusal is not None:
            return refuse_clicks(interpret, clicks, refusal)
        if not person.answer(result):
            raise UsageError(TOO_LATE)
        return ClickResult(done=True)

    def rename(self, seat: Seat, name: str) -> None:
        """Give a person another name before the match begins; raises UsageError if it cannot be used."""
        self.table.rename(seat, name)
        self.feed.repeat()

    # -- as viewers see it ---------------------------------------------------------------------

    def add_watcher(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers, as the person on `seat` if it is given, who has seen the moments up to `known`."""
        if seat is not None:
            self.table.arrive(seat)
        self.feed.join(watcher, known)

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        """Leave the watchers, and the table if the person on `seat` did."""
        self.feed.leave(watcher)
        if seat is not None:
            self.table.depart(seat)

    def situation(self) -> Situation:
        """How the match stands, and who is here."""
        return self.table.situation(self.feed.onlookers)

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment as a viewer may see it: with what can be clicked, or with everything once the match is over."""
        if number == self.timeline.last and self.table.status in ("over", "cut off"):
            me = None if viewer is None or viewer == EVERYTHING else viewer
            return self.timeline.moment(number, EVERYTHING, me)
        found = self.timeline.moment(number, viewer)
        tree = self._find_click_tree(number, viewer)
        return found if tree is None else replace(found, clicks=tree)

    def _find_click_tree(self, number: int, viewer: Viewer) -> ClickTree | None:
        """What the person on the seat `viewer` can click; None: nothing at this moment, or no such person."""
        clicks, state = self.game.shown.clicks, self.timeline.states[-1]
        if clicks is None or viewer not in self.table.people or number != self.timeline.last:
            return None
        if self.table.status != "playing" or not self.table.people[Seat(viewer)].is_playing:
            return None
        if find_mover(self.game, state) != viewer:
            return None
        if self._tree is None or self._tree[0] != number:
            view, turn = self.game.rules.view(state, Seat(viewer)), self.timeline.last_turn(number)
            self._tree = number, build_click_tree(lambda clicked: clicks(view, clicked, turn))
        return self._tree[1]
