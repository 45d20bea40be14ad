"""Games that installed packages bring, as pip installs them: one normal, one editable, and some that are broken."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from fairplay.run.isolation.sandbox import find_level

TOYS = Path(__file__).parent / "toys"
MAIN = "from fairplay.cli import main; main()"
BOT = "def choose(view):\n    from {game} import GAME\n    return GAME.rules.legal_actions(view)[0]\n"

PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "{package}"
version = "1.0"
[project.entry-points."fairplay.games"]
{game} = "{package}:GAME"
[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""

installed = pytest.mark.parametrize("game", ["nim", "pebbles"])
"""The same game twice: as a normal install, and under another name as an editable one."""


def install(python: Path, *arguments: str) -> None:
    """Let pip install something without the network."""
    command = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
    offline = ["install", "--no-index", "--no-deps", "--no-build-isolation", *arguments]
    subprocess.run([*command, *offline], check=True, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with Fairplay, Nim, and Pebbles as an editable install."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True, timeout=300)
    python = folder / "venv" / "bin" / "python"
    ours, theirs = sysconfig.get_path("purelib"), next((folder / "venv").glob("lib/python*/site-packages"))
    (theirs / "below.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    shutil.copytree(TOYS, folder / "nim")
    shutil.copytree(TOYS, folder / "pebbles")
    (folder / "pebbles" / "nim").rename(folder / "pebbles" / "pebbles")
    for file in [folder / "pebbles" / "pyproject.toml", *(folder / "pebbles" / "pebbles").glob("*.py")]:
        file.write_text(re.sub(r"\bnim\b", "pebbles", file.read_text("utf-8")).replace("fairplay-nim", "pebbles"))
    install(python, str(folder / "nim"), "--editable", str(folder / "pebbles"))
    return python


def run(python: Path, folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`fairplay` in that environment."""
    command = [str(python), "-c", MAIN, *arguments]
    known = {**os.environ, "XDG_CACHE_HOME": str(folder), **environment}
    return subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, timeout=300)


def succeed(python: Path, folder: Path, *arguments: str) -> str:
    ran = run(python, folder, *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_toy_is_installed_as_its_project_file_says() -> None:
    project = tomllib.loads((TOYS / "pyproject.toml").read_text("utf-8"))["project"]
    metadata = TOYS / "fairplay_nim-1.0.dist-info"
    points = "\n".join(f"{name} = {value}" for name, value in project["entry-points"]["fairplay.games"].items())
    assert (metadata / "entry_points.txt").read_text("utf-8") == f"[fairplay.games]\n{points}\n"
    wanted = f"Metadata-Version: 2.4\nName: {project['name']}\nVersion: {project['version']}\n"
    assert (metadata / "METADATA").read_text("utf-8") == wanted


# -- where a game can be played ----------------------------------------------------------------


def test_installed_games_are_listed_beside_the_others(python: Path, tmp_path: Path) -> None:
    listed = {game["name"]: game for game in json.loads(succeed(python, tmp_path, "games", "--json"))["games"]}
    assert [*listed] == ["fish", "labyrinth", "nim", "pebbles", "trains"]
    assert listed["nim"]["about"] == listed["pebbles"]["about"] == "take matches from one heap; the last match wins"


@installed
def test_a_match_and_its_record(python: Path, tmp_path: Path, game: str) -> None:
    played = json.loads(succeed(python, tmp_path, "play", game, "perfect", "random", "--seed", "3", "--json"))
    assert played["matches"][0]["winners"] == ["perfect"]
    assert "consistent" in succeed(python, tmp_path, "replay", played["matches"][0]["record"], "--verify")


@installed
def test_a_bot_of_the_game_plays_in_the_sandbox(python: Path, tmp_path: Path, game: str) -> None:
    if find_level().level != "sandboxed":
        pytest.skip("needs a working bubblewrap")
    (tmp_path / "bot.py").write_text(BOT.format(game=game))
    report = succeed(python, tmp_path, "play", game, "bot.py", "perfect", "--seed", "3", "--json")
    match = json.loads(report)["matches"][0]
    assert match["faults"] == [None, None]
    assert match["programs"][0]["sandboxed"]


@installed
def test_the_game_is_played_here_by_a_pool_and_by_dask(python: Path, tmp_path: Path, game: str) -> None:
    plan = ["tournament", "run", game, "perfect", "random", "--games", "4", "--seed", "1", "--json"]
    engines = {"here": ["--jobs", "1"], "pool": ["--jobs", "2"], "dask": ["--on", "dask", "--jobs", "1"]}
    tables = {
        name: json.loads(succeed(python, tmp_path, *plan, *engine, "--db", f"{name}.db"))["tables"]["standings"]
        for name, engine in engines.items()
    }
    assert tables["here"] == tables["pool"] == tables["dask"] != []


@installed
def test_a_player_of_the_game_is_a_program(python: Path, tmp_path: Path, game: str) -> None:
    state = json.dumps([3, [0] * 624 + [624], None])
    ran = subprocess.run(
        [python, "-m", "fairplay.run.isolation.bot_process", game, "", "", "random"],
        input=f'{state}\n{{"type":"bye"}}\n',
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert json.loads(ran.stdout)["games"] == [game], ran.stderr


KERNEL = """
from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.kernels.loading import load_kernel
game = GAMES["{game}"]
state = game.rules.start(game.variants["standard"], 2, derived(1, "deal"))
kernel = load_kernel(game, state, how="interpreted")
print(kernel.unpack(kernel.pack([state])[0]) == state, kernel.play_random(1, 20).checksum, game.parts.numbers.VERSION)
"""


def test_the_kernels_of_installed_games_are_found(python: Path, tmp_path: Path) -> None:
    printed = set()
    for game in ("nim", "pebbles"):
        command = [str(python), "-c", KERNEL.format(game=game)]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert ran.stdout.startswith("True "), ran.stderr
        printed.add(ran.stdout)
    assert len(printed) == 1, "they are the same game"


@contextmanager
def serving(python: Path, folder: Path) -> Iterator[httpx.Client]:
    """A client of the page, which runs in that environment."""
    command = [str(python), "-c", MAIN, "serve", "--port", "0", "--db", "page.db"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = re.search(r"http://\S+/", server.stderr.readline())
            assert found is not None
            with httpx.Client(base_url=found[0], timeout=300) as client:
                yield client
        finally:
            server.send_signal(signal.SIGTERM)


def test_the_page_shows_the_games_and_plays_them(python: Path, tmp_path: Path) -> None:
    with serving(python, tmp_path) as client:
        assert {"nim", "pebbles"} <= {game["name"] for game in client.get("/api/games").json()}
        for game in ("nim", "pebbles"):
            assert client.get(f"/new?game={game}").status_code == 200
            assert '<li id="2.3">' in client.get(f"/rules/{game}").text, "out of the file that the package brings"
            wish = {"game": game, "seats": [{"who": "house"}, {"who": "house"}], "pace": 0}
            begun = client.post("/api/matches", json=wish)
            assert begun.status_code == 201, begun.text
            picture = client.get(f"/api/matches/{begun.json()['id']}/moments/0/picture.svg")
            assert "nim-board" in picture.text or "pebbles-board" in picture.text


# -- what does not work ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def broken(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with packages whose games cannot be played."""
    folder = tmp_path_factory.mktemp("broken")
    sources = {
        "needy": "import surely_not_installed",
        "angry": 'raise RuntimeError("not\\ntoday")',
        "quitter": "raise SystemExit",
        "number": "GAME = 5",
        "renamed": "from nim import GAME",
        "fish": "from nim import GAME",
    }
    for game, source in sources.items():
        package = folder / game / f"broken_{game}"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(source)
        (folder / game / "pyproject.toml").write_text(PROJECT.format(package=package.name, game=game))
    install(python, "--target", str(folder / "site"), *(str(folder / game) for game in sources))
    return folder / "site"


def test_a_game_that_cannot_be_loaded_is_named_once_and_left_out(python: Path, tmp_path: Path, broken: Path) -> None:
    for _ in range(2):  # also the second time: only what works is remembered
        listed = run(python, tmp_path, "games", "--json", PYTHONPATH=str(broken))
        names = [game["name"] for game in json.loads(listed.stdout)["games"]]
        assert names == ["fish", "labyrinth", "nim", "pebbles", "trains"]
        named = re.findall(r"^Warning: The game '(\w+)' of the package broken_\w+ (.+)\.$", listed.stderr, re.MULTILINE)
        assert dict(named) == REASONS
        assert len(named) == len(REASONS) == len(listed.stderr.splitlines())


UNLOADED = "cannot be loaded and is left out"
REASONS = {
    "angry": f"{UNLOADED} (RuntimeError: not today)",
    "fish": "is left out: Fairplay has a game of that name",
    "needy": f"{UNLOADED} (ModuleNotFoundError: No module named 'surely_not_installed')",
    "number": f"{UNLOADED} (TypeError: expected a fairplay.core.Game, got int)",
    "quitter": f"{UNLOADED} (SystemExit: )",
    "renamed": f"{UNLOADED} (ValueError: the game calls itself 'nim'; the entry point must have the same name)",
}


def test_other_games_are_played_beside_a_broken_one(python: Path, tmp_path: Path, broken: Path) -> None:
    played = run(python, tmp_path, "play", "fish", "random", "greedy", "--seed", "1", PYTHONPATH=str(broken))
    assert played.returncode == 0 and "Warning" not in played.stderr
    refused = run(python, tmp_path, "play", "needy", "random", "random", PYTHONPATH=str(broken))
    assert refused.returncode == 2
    assert "there is no game 'needy'; there are: " in refused.stderr


# -- what listing costs ------------------------------------------------------------------------


def loaded(python: Path, folder: Path, *arguments: str) -> set[str]:
    """The modules that a command loads."""
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {MAIN}"
    command, known = [str(python), "-c", code, *arguments], {**os.environ, "XDG_CACHE_HOME": str(folder)}
    ran = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, timeout=300, check=True)
    return {*ran.stderr.split()}


def test_listing_the_games_a_second_time_loads_little_more_than_the_help(python: Path, tmp_path: Path) -> None:
    first = loaded(python, tmp_path, "games")
    assert "nim" in first and "fairplay.games.fish" not in first, "what Fairplay's own games say is known beforehand"
    more = loaded(python, tmp_path, "games") - loaded(python, tmp_path, "--help")
    beyond_python = {name for name in more if name.partition(".")[0] not in sys.stdlib_module_names}
    assert beyond_python == {"fairplay.catalog", "fairplay.cli.games", "fairplay.games"}
    assert "importlib.metadata" not in more, "this alone would take a quarter of the time"


def test_the_names_of_games_are_listed_without_loading_them(python: Path, tmp_path: Path) -> None:
    code = "import sys; from fairplay.catalog import GAMES; print(*GAMES); print(*sys.modules)"
    command = [str(python), "-c", code]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    names, modules = ran.stdout.splitlines()
    assert names.split() == ["fish", "labyrinth", "nim", "pebbles", "trains"]
    assert not {"nim", "pebbles", "fairplay.games.fish", "fairplay.core"} & {*modules.split()}


def test_a_game_that_changed_is_asked_again(python: Path, tmp_path: Path) -> None:
    succeed(python, tmp_path, "games")
    [kept] = (tmp_path / "fairplay").glob("games-*.json")
    kept.write_text(kept.read_text("utf-8").replace("take matches", "TAKE MATCHES"))
    assert "TAKE MATCHES" in succeed(python, tmp_path, "games"), "it is read from what was kept"
    module = python.parent.parent.parent / "pebbles" / "pebbles" / "words.py"
    os.utime(module, (1, 1))
    assert "TAKE MATCHES" not in succeed(python, tmp_path, "games")
