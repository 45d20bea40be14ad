"""The documentation as a site: it builds without a warning, has every page, and needs nothing from other hosts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
LOADED = re.compile(r"<(?:link|script|img|source|iframe)\b[^>]*?\b(?:href|src)=\"?(https?:)?//[^>]*>")


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    missing = [page.as_posix() for page in PAGES if f" {page.as_posix()}\n" not in menu]
    assert not missing


def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="the documentation is not built without zensical")
    for name in ("mkdocs.yml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for name in ("src", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    build = [sys.executable, "-m", "zensical", "build", "--strict"]
    ran = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for page in PAGES:
        folder = page.with_suffix("") if page.name != "index.md" else page.parent
        html = (tmp_path / "site" / folder / "index.html").read_text("utf-8")
        assert not (found := LOADED.search(html)), f"{page} loads {found[0]}"
    assert 'id="fairplay.games.trains.state.View"' in (tmp_path / "site/reference/games/index.html").read_text("utf-8")
    assert 'id="fairplay.api.games.load"' in (tmp_path / "site/reference/api/index.html").read_text("utf-8")
    assert "--paired-deals" in (tmp_path / "site/reference/command-line/index.html").read_text("utf-8")
