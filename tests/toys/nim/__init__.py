"""Nim: take from one heap; whoever takes the last match wins.  A toy that shows what a fourth game needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairplay.core import Began, Ended, Game, HousePlayers, Parts, Shown
from fairplay.core.game import packaged_text, read_ladder
from nim import codec, notation, numbers, rules, words
from nim.clicks import clicks
from nim.picture import picture
from nim.rules import Heaps, Setup, Take, View
from nim.strategies import STRATEGIES

if TYPE_CHECKING:
    from fairplay.core.kernel import Kernel


def load_kernel() -> Kernel[Heaps]:
    """The rules over arrays, which need numpy."""
    from nim import kernel

    return kernel


GAME: Game[Heaps, View, Take, Setup] = Game(
    name="nim",
    about="take matches from one heap; the last match wins",
    seats=rules.SEATS,
    variants={"standard": Setup()},
    actions=(Take,),
    news=(Began, Ended),
    unit="points",
    patience=1.0,
    rules=rules,
    codec=codec,
    words=words,
    notation=notation,
    players=HousePlayers(
        strategies=STRATEGIES,
        at_sight=frozenset({"random", "perfect"}),
        ladder=read_ladder("nim"),
        reviewer="search",
    ),
    shown=Shown(
        picture=picture,
        clicks=clicks,
        rules_text=packaged_text("nim", "rules.md"),
    ),
    parts=Parts(
        numbers=numbers,
        kernel=load_kernel,
    ),
)
