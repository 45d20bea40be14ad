"""The words are tested: what README.md and docs/ show must run, and what they point at must be there.

- ``pycon`` blocks run as doctests.
- Every line of a ``console`` block that starts with ``$ `` is run in a temporary folder.  It must succeed, unless it
  ends in ``# fails``.  Output shown below it must be its output; ``...`` is anything.
- Lines that end in ``# terminal 1``, ``# terminal 2`` and so on are typed into terminals beside each other, the port
  replaced by a free one.  A line that ends in ``# terminal 1, until Ctrl-C`` is a server that is stopped at the end.
- A ``python`` or ``toml`` block whose first line is a comment with a file name is written into that folder beforehand.
  Where the project has a file of that name, the two must be equal.
- Any other ``python`` block quotes the project: each of its definitions is word for word in some file.  Notebooks are
  run by ``test_notebooks.py``.
"""

from __future__ import annotations

import ast
import doctest
import pkgutil
import re
import shutil
import sys
from pathlib import Path

import pytest

import fairplay
from documents import SHOWN, Block, blocks, check_console

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]

QUOTED = ("src", "tests/toys", "examples")

FILE_NAME = re.compile(r"# ([\w./-]+\.(?:py|toml))\b")
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PATH = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|md|toml))`")
DOTTED = re.compile(r"`(fairplay(?!\.db\b)(?:\.\w+)+)`")
CITED = re.compile(r"Fish (\d+\.\d+(?:(?:, | to )\d+\.\d+)*)")

document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())


@pytest.fixture
def folder(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like a clone that has been set up: examples, toys, `.venv`, and the files that the document shows."""
    for part in ("examples", "tests/toys"):
        shutil.copytree(ROOT / part, tmp_path / part)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    for block in blocks(path):
        if block.language in ("python", "toml") and (name := FILE_NAME.match(block.text)):
            (tmp_path / name[1]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name[1]).write_text(block.text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@document
def test_what_a_document_shows_runs(path: Path, folder: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(path):
        if block.language == "pycon":
            check_session(path, block, names)
        elif block.language == "console":
            check_console(block.text, folder)


def check_session(path: Path, block: Block, names: dict[str, object]) -> None:
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest(block.text, names, path.name, str(path), block.line)
    result = doctest.DocTestRunner(optionflags=SHOWN).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert test.examples, f"{path.name}, line {block.line}: a pycon block without >>>"
    assert not result.failed, "".join(said)


@document
def test_the_files_of_a_document_are_those_of_the_project(path: Path) -> None:
    for block in blocks(path):
        if block.language not in ("python", "toml"):
            continue
        name = FILE_NAME.match(block.text)
        if block.language == "python":
            ast.parse(block.text, f"{path.name}, line {block.line}")
        if block.language == "python" and not name and path.parent.name != "notebooks":
            sources = [source.read_text("utf-8") for part in QUOTED for source in (ROOT / part).rglob("*.py")]
            for quoted in block.text.split("\n\n\n"):
                assert any(quoted in source for source in sources), f"{path.name} quotes what is nowhere:\n{quoted}"
        elif name and (ROOT / name[1]).exists():
            assert block.text == (ROOT / name[1]).read_text("utf-8"), f"{path.name} shows another {name[1]}"


@document
def test_what_a_document_points_at_is_there(path: Path) -> None:
    """Links are relative to the document; paths and dotted names in backquotes to the project or its package."""
    text = path.read_text("utf-8")
    for link, anchor in LINK.findall(text):
        target = (path.parent / link).resolve() if link else path
        assert target.exists(), f"{path.name} links to {link}"
        assert not path.is_relative_to(DOCS) or target.is_relative_to(DOCS), f"{link} of {path.name} is not on the site"
        assert not anchor or anchor in anchors(target), f"{path.name} links to {link}#{anchor}"
    for name in PATH.findall(text):
        assert any((place / name).exists() for place in (ROOT, ROOT / "src/fairplay")), f"{path.name} names {name}"
    for name in DOTTED.findall(text):
        pkgutil.resolve_name(name)


def anchors(path: Path) -> set[str]:
    """The headings of a document as they stand in links."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in HEADING.findall(text)}


LONG = {"learn_fish.py", "learned_fish.py", "liars_dice.py", "openspiel_bot.py", "sealed_bids.py"}
"""Examples that are too long for a page; a test of their own runs them."""


def test_every_example_is_shown_in_a_document() -> None:
    shown = {block.text for path in DOCUMENTS for block in blocks(path)}
    examples = [path for path in (ROOT / "examples").glob("*.*") if path.name not in LONG]
    missing = [path.name for path in examples if path.read_text("utf-8") not in shown]
    assert not missing, f"no document shows {missing} as they are"


@document
def test_commands_are_in_blocks_that_run(path: Path) -> None:
    for block in blocks(path):
        if block.language not in ("console", "toml"):
            hidden = re.search(r"^(\$ |fairplay |python3? |make )", block.text, re.MULTILINE)
            assert not hidden, f"{path.name}, line {block.line}: a command in a block that is not run"


@document
def test_what_is_installed_is_our_own_wheel(path: Path) -> None:
    """The name on the public index belongs to another project."""
    text = path.read_text("utf-8")
    assert not re.search(r"pip install [\"']?fairplay", text)
    assert {*re.findall(r"fairplay-([\d.]+)-py3", text)} <= {fairplay.__version__}


def test_the_glossary_defines_a_term_once_in_one_sentence() -> None:
    glossary = (ROOT / "docs/about/glossary.md").read_text("utf-8")
    lines = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", glossary, re.MULTILINE)
    terms = {term: meaning for term, meaning in lines if term != "term"}
    assert len(terms) == len([term for term, _ in lines if term != "term"]) > 50
    for term, meaning in terms.items():
        assert meaning.endswith(".") and ". " not in meaning, f"{term}: {meaning}"


def test_every_rule_that_the_code_of_fish_cites_is_in_its_rules() -> None:
    rules = set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", (ROOT / "docs/rules/fish.md").read_text("utf-8"), re.MULTILINE))
    cited = {
        number
        for source in (ROOT / "src").rglob("*.py")
        for found in CITED.findall(source.read_text("utf-8"))
        for number in re.split(", | to ", found)
    }
    assert len(cited) > 20
    assert cited <= rules, f"missing in docs/rules/fish.md: {sorted(cited - rules)}"
