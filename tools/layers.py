"""The layers of the import contracts as drawings, as docs/about/walk.md shows them: `python -m tools.layers`."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def draw_layers() -> dict[str, str]:
    """The layers of each contract by its name, highest first; folders that are still to come are left out."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return {contract["name"]: draw_contract(contract) for contract in settings["contracts"] if "layers" in contract}


def draw_contract(contract: dict[str, Any]) -> str:
    folders = [*(ROOT / "src").glob(contract.get("containers", ["fairplay"])[0].replace(".", "/"))]
    lines = []
    for layer in contract["layers"]:
        parts = [part.strip("( )").removeprefix("fairplay.") for part in layer.replace(":", "|").split("|")]
        there = [
            part
            for part in parts
            if any((folder / part).exists() or (folder / f"{part}.py").exists() for folder in folders)
        ]
        if there:
            lines.append((" | " if "|" in layer else ", ").join(there))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name, drawing in draw_layers().items():
        sys.stdout.write(f"{name}\n\n{drawing}\n")
