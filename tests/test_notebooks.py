"""The notebooks of the documentation run from the first cell to the last, in a real kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbclient import NotebookClient
from tools.notebooks import PAGES, ROOT, convert_page

EXAMPLES = ROOT / "examples"  # which a clone has beside its notebooks


@pytest.mark.filterwarnings("ignore")  # of the libraries that run notebooks
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    (tmp_path / "examples").symlink_to(EXAMPLES)
    notebook = convert_page(page.read_text("utf-8"))
    NotebookClient(
        notebook, timeout=300, startup_timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) > 5
    assert any(output.output_type == "execute_result" for cell in cells for output in cell.outputs)
