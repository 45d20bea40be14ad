"""How pictures of Fish are coloured and lettered, and how they mark what can be clicked."""

STYLE = ".fish-board{font:700 15px system-ui,DejaVu Sans,sans-serif;fill:#12324a}" + "".join(
    f".fish-board {rule}"
    for rule in (
        ".tile{fill:url(#fish-top);stroke:#a5cfe3;stroke-width:1.2}",
        ".lit{cursor:pointer}",
        ".tile.lit{fill:url(#fish-top-lit);stroke:#c96a00;stroke-width:2.5}",
        ".tile.hint{fill:#bdf0e6;stroke:#0b7d74;stroke-width:3;stroke-dasharray:6 4}",
        ".tile.near{fill:#ffd95c;stroke:#9c4a00;stroke-width:3.5;stroke-dasharray:none}",
        ".tile.lit:hover{fill:#ffd95c;stroke:#9c4a00;stroke-width:3.5;stroke-dasharray:none}",
        ".tile.chosen{fill:#ffcb3d;stroke:#12324a;stroke-width:3.5;stroke-dasharray:none}",
        ".penguin.near use{transform:translate(-12px,2px)}",
        ".penguin.hint use{transform:translate(-12px,2px)}",
        ".penguin.chosen use{transform:translate(-12px,0)}",
        ":focus:not(:focus-visible){outline:none}",
        ".tile:focus-visible{outline:none;stroke:#12324a;stroke-width:6;stroke-dasharray:none}",
        ".penguin:focus-visible{outline:3px solid #12324a}",
        ".hole:focus-visible{outline:3px solid #ffd95c}",
        ".rim{text-anchor:middle;fill:#fff;stroke:none}",
        ".rim path{fill:none;stroke:#fff;stroke-width:1.5;stroke-linecap:round;opacity:.4}",
        ".trail{pointer-events:none;fill:none}",
        ".path{stroke:#d45f00;stroke-width:6;stroke-linecap:round;stroke-dasharray:.1 11}",
        ".halo{stroke:#fff;stroke-width:10;stroke-linecap:round;opacity:.6}",
        ".left{stroke:#ffc23d;stroke-width:2.5;stroke-dasharray:7 5;fill:#ffc23d;fill-opacity:.14}",
        ".came{stroke:#d45f00;stroke-width:2.5;stroke-dasharray:7 5}",
        ".line{fill:#f6fbfe}",
        ".turn{stroke:#ffb224;stroke-width:3}",
        ".name{font-size:16px}",
        ".small{font-weight:500}",
        ".sum{font-size:17px;text-anchor:end}",
        ".out .name{text-decoration:line-through;opacity:.6}",
    )
)
"""Every rule applies to pictures of Fish alone: a page may show other games too.

Definitions have their colours in attributes: rules with an ancestor do not apply inside a copy made by ``use``.
"""
