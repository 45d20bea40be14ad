"""`python -m tools.notebooks`: the pages of docs/notebooks as Jupyter notebooks, without their outputs.

A Python block of a page is a cell of code; everything between two of them is a cell of text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat.v4

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "notebooks").glob("*.md"))
FOLDER = ROOT / "notebooks"
MAKE: Any = nbformat.v4  # without types
CODE = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def convert_page(text: str) -> Any:
    """Turn a page into a notebook."""
    cells = []
    for number, part in enumerate(CODE.split(text)):  # text and code take turns
        if part.strip():
            kind = MAKE.new_code_cell if number % 2 else MAKE.new_markdown_cell
            cells.append(kind(part.strip(), id=f"cell-{number}"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return MAKE.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def main() -> None:
    """EFFECT: writes a notebook for every page."""
    FOLDER.mkdir(exist_ok=True)
    for page in PAGES:
        notebook = convert_page(page.read_text("utf-8"))
        (FOLDER / page.name).with_suffix(".ipynb").write_text(MAKE.writes(notebook) + "\n", "utf-8")


if __name__ == "__main__":
    main()
