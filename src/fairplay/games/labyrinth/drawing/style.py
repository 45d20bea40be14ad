"""The styles and definitions of pictures of Labyrinth, which apply to nothing else on a page."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from fairplay.games.labyrinth.drawing.figures import define_figures
from fairplay.games.labyrinth.drawing.stone import STONE_DEFINITIONS, STONE_RULES, define_tiles
from fairplay.games.labyrinth.drawing.treasures import define_treasures

__all__ = ["STYLE", "build_definitions"]


def bind_rule(rule: str) -> str:
    """Apply a rule to pictures of Labyrinth alone."""
    selectors, _, body = rule.partition("{")
    return ",".join(f".labyrinth-board {selector}" for selector in selectors.split(",")) + "{" + body


STYLE: Final = ".labyrinth-board{font:600 15px system-ui,sans-serif;fill:#f3eee0}" + "".join(
    bind_rule(rule)
    for rule in (
        *STONE_RULES,
        ":focus:not(:focus-visible){outline:none}",
        ".over{pointer-events:none}",
        ".small{font-size:13px;font-weight:500;fill:#cfcabb}",
        ".card{fill:#3a4448}",
        ".edge{stroke:#17130c;stroke-width:1.8;stroke-linejoin:round}",
        ".under{stroke:#17130c;stroke-width:8;stroke-linejoin:round}",
        ".gate{stroke-width:5}",
        ".halo{fill:#fff;fill-opacity:.5;stroke:#17130c;stroke-opacity:.55;stroke-width:1.5}",
        ".sought{fill:none;stroke-width:5}",
        ".disc{fill:#fffdf2;fill-opacity:.92;stroke:#17130c;stroke-width:8.5}",
        ".strip{fill:none;stroke:#ffcf3f;stroke-width:3;stroke-dasharray:2 7;stroke-linecap:round}",
        ".walk{fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:.1 10}",
        ".shadow{stroke:#17130c;stroke-width:8}",
        ".mine{fill:#fff;fill-opacity:.75;stroke:#17130c;stroke-width:2}",
        ".out{text-decoration:line-through;opacity:.6}",
        # places of the board
        "[data-at]{fill:#fffbe0;fill-opacity:0;stroke-width:6;color:transparent;outline:none}",
        ".lit{cursor:pointer}",
        "[data-at].lit{fill-opacity:.08;stroke:#0d5a30;color:#6dffa0}",
        "[data-at].hint{fill:#4fe585;fill-opacity:.34;color:#eafff0}",
        "[data-at].chosen{fill-opacity:.45;stroke:#0d5a30;color:#fff}",
        "[data-at].lit:hover,[data-at].near{fill-opacity:.5;stroke:#0d5a30;stroke-width:8;color:#fff}",
        "[data-at]:focus-visible{fill-opacity:.5;stroke:#c4006a;stroke-width:8;color:#fff}",
        # arrows and knobs
        ".plate{fill:#4a5458;stroke:#0c1113;stroke-width:1.5}",
        ".sign{fill:#aeb6b4;stroke:#17130c;stroke-width:1}",
        ".slid .plate{fill:#6d5a2d}",
        ".slid .sign{fill:#ffcf3f}",
        ".barred .plate{fill:#2a3135}",
        ".barred .sign{fill:#566066}",
        ".bar{stroke:#e5533d;stroke-width:5;stroke-linecap:round;fill:none}",
        ".lit .plate{fill:#7a5a17;stroke:#ffe38a;stroke-width:2}",
        ".lit .sign{fill:#ffe38a}",
        ".lit:hover .plate,.near .plate{fill:#a87c1d;stroke:#fff}",
        ".hint .plate{fill:#1f7a45;stroke:#d9ffe3;stroke-width:3.5}",
        ".hint .sign{fill:#fff}",
        ".chosen .plate{fill:#ffcf3f;stroke:#fff;stroke-width:3.5}",
        ".chosen .sign{fill:#17130c}",
        ":focus-visible .plate{stroke:#ff5aa8;stroke-width:5}",
        # tiles that a card or a hint points at
        "[data-key].hint .tile,[data-key].hint .still{fill:#8df0a8}",
    )
)


@lru_cache(maxsize=64)
def build_definitions(seats: int, original: bool) -> str:
    """Define everything that pictures with this many seats use again and again."""
    inner = 'x="-31" y="-31" width="62" height="62" rx="9" fill="none"'
    return "".join(
        [
            STONE_DEFINITIONS,
            define_tiles(),
            define_figures(seats),
            f'<g id="labyrinth-place"><rect x="-36" y="-36" width="72" height="72" stroke="none"/><rect {inner}/>',
            f'<rect {inner} stroke="currentColor" stroke-width="2.5"/></g>',
            '<rect id="labyrinth-plate" x="-33" y="-22" width="66" height="44" rx="9"/>',
            '<path id="labyrinth-arrow" d="M0-15 20 5H8V15H-8V5H-20z"/>',
            '<path id="labyrinth-bar" d="M-24-14 24 14"/>',
            '<path id="labyrinth-bend" d="M-10.6 6.2A12 12 0 1 1 9 8L14.5 8.5 6.5 16 1.5 6 6 6.3A8 8 0 1 0-7 3.6z"/>',
            define_treasures() if original else "",
        ]
    )
