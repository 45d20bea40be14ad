"""Which tests `make thorough` alone runs: those that take long and seldom find what the others do not.

`make test` keeps every law, every command, what strangers may try, and a whole match of each game in the browser.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

LONG = {
    "browser/*": "the page in a browser",
    "cli/authors/test_laws.py::test_a_game_*keeps_the_laws*": "long laws",
    "cli/authors/test_laws.py::test_a_game_may_lack_much_*": "long laws",
    "cli/network/test_serve_tcp.py::test_a_*tournament_between_processes*[[]labyrinth*": "the commands with every game",
    "cli/network/test_serve_tcp.py::test_a_*tournament_between_processes*[[]trains*": "the commands with every game",
    "cli/network/test_serve_tcp.py::test_a_seed_fixes_*": "the commands again and again",
    "cli/network/test_serve_tcp.py::test_a_player_finds_out*-labyrinth-*": "the commands with every game",
    "cli/network/test_serve_tcp.py::test_a_player_finds_out*-trains-*": "the commands with every game",
    "cli/test_isolation.py*[[]closed descriptors-1[]]": "half a minute of waiting, as with two workers",
    "cli/tournament/test_run.py::test_killed_*": "kills",
    "cli/tournament/test_serve.py::test_a_server_that_is_stopped_*": "restarts",
    "contest/test_rating.py::test_intervals_hold_*": "simulations",
    "contest/test_scoreboard.py::test_intervals_*": "simulations",
    "contest/test_sequential.py::test_it_says_*": "simulations",
    "rl/test_datasets.py*parquet*": "learning",
    "fuzz/*::test_memory_*": "damaged input of great length",
    "games/*/players/test_search.py::test_*compiled*": "compiled players beside interpreted ones",
    "games/*/players/test_search.py::test_it_beats_*": "compiled players",
    "games/*/test_kernel.py::test_compiled*": "compiled kernels beside interpreted ones",
    "games/fish/players/test_strategies.py*net*": "compiled players",
    "games/fish/players/test_strategies.py*search*": "compiled players",
    "games/fish/players/test_nets.py*compiled*": "compiled players beside interpreted ones",
    "laws/test_marathon.py*": "long laws",
    "laws/test_memory.py*search*": "compiled players",
    "laws/test_memory.py*_after_a_restart[[]labyrinth[]]": "compiled players",
    "laws/test_memory.py*_after_a_restart[[]trains[]]": "compiled players",
    "match/review/test_analysis.py::test_the_searches_*[[]labyrinth*": "compiled players",
    "match/review/test_analysis.py::test_the_searches_*[[]trains*": "compiled players",
    "match/review/test_house.py::test_every_house_player_*[[]labyrinth[]]": "compiled players",
    "match/review/test_house.py::test_every_house_player_*[[]trains[]]": "compiled players",
    "net/test_cases.py*": "the cases over a network",
    "net/test_restart.py*": "restarts",
    "rl/test_judges.py*": "learning",
    "rl/test_openspiel.py*": "OpenSpiel",
    "rl/test_vector.py*compiled*": "learning",
    "run/test_fair_turns.py::test_115_*-40[]]": "busy processors",
    "run/test_fair_turns.py::test_an_honest_bot_on_a_busy_machine*": "busy processors",
    "run/isolation/test_runtimes.py::test_java*": "runtimes that take long to start",
    "run/test_partition.py::*[[]connection[]]": "kills",
    "run/test_partition.py::test_results_that_lie_*": "kills",
    "run/test_workers.py*": "kills",
    "soak/*": "long laws",
    "store/test_db_errors.py*restart*": "PostgreSQL",
    "store/test_db_errors.py*stays_away*": "PostgreSQL",
    "store/test_kills.py*": "kills",
    "test_docs.py*shows_runs[[]docs/guides/*": "documents",
    "test_docs.py*shows_runs[[]docs/protocols/*": "documents",
    "test_docs.py*shows_runs[[]docs/tutorial/first-bot*": "documents",
    "test_docs.py*shows_runs[[]docs/tutorial/first-contest*": "documents",
    "test_example_games.py*all_laws[[]liars_dice[]]": "long laws",
    "test_example_games.py*all_laws[[]sealed_bids[]]": "long laws",
    "test_house_versions.py*-search[]]": "compiled players",
    "test_installed_games.py*pool_and_by_dask*": "installed games on every engine",
    "test_learning_example.py*": "learning",
    "test_notebooks.py*": "notebooks",
    "test_site.py*": "documents",
    "test_strength.py*told_search*": "learning",
    "web/house/test_worker.py::*_would_choose_here[[]labyrinth[]]": "compiled players",
    "web/house/test_worker.py::*_would_choose_here[[]trains[]]": "compiled players",
    "web/http/test_timeouts.py*[[]-500]": "connections that last",
    "web/http/test_timeouts.py*lasts_longer*": "connections that last",
    "web/http/test_timeouts.py*used_before*": "connections that last",
    "web/javascript/test_javascript.py::test_what_is_sent_*": "every script, as written and as sent",
    "web/matches/test_api.py*thousand*": "many watchers",
    "web/test_contest_leaks.py::test_the_owner_*": "the pages of contests, byte by byte",
    "web/test_contest_leaks.py*[[]labyrinth[]]": "the pages of contests, byte by byte",
    "web/test_contest_leaks.py*[[]trains[]]": "the pages of contests, byte by byte",
    "web/test_leaks.py*-all[]]": "variants of what is hidden",
    "web/test_postgresql.py*": "PostgreSQL",
    "web/test_restart.py*": "restarts",
    "web/test_schema.py*": "every endpoint, by its description",
    "web/test_two_servers.py*": "restarts",
    "web/tournaments/test_runner.py*restart*": "restarts",
    "*[[]postgresql*": "PostgreSQL",
    "*-postgresql*": "PostgreSQL",
}
"""Patterns of tests, below `tests/`, each with what takes long there."""

KEPT = ("browser/test_playing.py::test_a_whole_game_by_clicks*",)
"""Those of them that `make test` runs all the same."""


def is_left_out(path: str) -> bool:
    """Does `make test` run no test of this module or folder, named by its path below `tests/`?"""
    if any(pattern.startswith(path) for pattern in KEPT):
        return False
    return not {f"{path}*", f"{path}/*", f"{path.rpartition('/')[0]}/*"}.isdisjoint(LONG)


def find_reason(test: str) -> str | None:
    """Why `make test` leaves out this test, named by its path below `tests/`; None if it runs it."""
    if any(fnmatchcase(test, pattern) for pattern in KEPT):
        return None
    return next((reason for pattern, reason in LONG.items() if fnmatchcase(test, pattern)), None)
