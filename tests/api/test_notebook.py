"""The first lines of a newcomer in a real notebook kernel, where an event loop is running."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = [
    """
import fairplay as fp
game = fp.load("trains", map="small")

def my_function(view):
    return game.legal_actions(view)[0]

match = fp.play(game, ["planner", my_function], seed=7, patience=60)
match
""",
    "match.outcome, match.turns[3].action, match.save('m.jsonl'), match.to_html('m.html')",
    "state = game.start(seed=1, seats=2); state",
    """
print(state, game.legal_actions(state), game.format(game.parse("Ash-Birch red")))
""",
    "table = fp.tournament(game, ['random', 'buy-now', my_function], games=1, seed=1, patience=60); table",
    "table.frame()",
    "fp.replay('m.jsonl') == match",
]


def run_cells(folder: Path) -> list[dict[str, Any]]:
    """What each cell shows, by type; raises where one of them raises."""
    make = nbformat.v4
    notebook = make.new_notebook(cells=[make.new_code_cell(cell.strip()) for cell in CELLS])  # type: ignore[no-untyped-call]  # it has no types
    NotebookClient(notebook, timeout=300, startup_timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return [collect_outputs(cell.outputs) for cell in notebook.cells]


def collect_outputs(outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """What was shown, by type; what was printed is a `stream`."""
    shown: dict[str, Any] = {}
    for output in outputs:
        shown |= output.get("data", {}) | {output["output_type"]: output.get("text")}
    return shown


@pytest.mark.filterwarnings("ignore")  # of the libraries that run notebooks
def test_the_first_lines_run_in_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    folder = tmp_path / "work"
    folder.mkdir()
    shown = run_cells(folder)
    assert "<iframe" in shown[0]["text/html"] and 'type="range"' in shown[0]["text/html"]
    assert shown[0]["text/plain"].startswith("<PlayedMatch trains: planner won against my_function")
    assert "DrawCards()" in shown[1]["text/plain"]
    assert shown[2]["image/svg+xml"].startswith("<svg") and shown[2]["text/plain"] == "<Position trains, amber to move>"
    assert "connections free" in shown[3]["stream"] and shown[3]["stream"].endswith("Ash-Birch red 4\n")
    assert "my_function" in shown[4]["text/html"] and "buy-now" in shown[5]["text/plain"]
    assert shown[6]["text/plain"] == "True"
    assert {path.name for path in folder.iterdir()} == {"m.jsonl", "m.html"}
