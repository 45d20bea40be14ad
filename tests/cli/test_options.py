"""Groups of options."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner
from msgspec import Struct

from fairplay.cli.options import EngineOptions, check_seconds, choose_seed, group_options
from fairplay.contest.contest import Hidden
from fairplay.core import UsageError
from fairplay.run.engines.pool import Inline, Pool


class Numbers(Struct, frozen=True):
    one: int
    two: float | None


@click.command()
@click.argument("word")
@group_options(
    "numbers",
    Numbers,
    click.option("--one", default=1, help="The first."),
    click.option("--two", type=float, callback=check_seconds, help="The second."),
)
@click.option("--three", default=3)
def command(word: str, numbers: Numbers, three: int) -> None:
    """Say them."""
    click.echo(f"{word} {numbers.one} {numbers.two} {three}")


def test_a_command_gets_a_group_as_one_value() -> None:
    assert CliRunner().invoke(command, ["x"]).output == "x 1 None 3\n"
    assert CliRunner().invoke(command, ["x", "--two", "2", "--one", "5", "--three", "7"]).output == "x 5 2.0 7\n"


def test_help_keeps_the_order_and_the_words() -> None:
    text = CliRunner().invoke(command, ["--help"]).output
    assert "Say them." in text
    assert text.index("--one") < text.index("--two") < text.index("--three")


def test_seconds_are_more_than_none_and_not_for_ever() -> None:
    for wrong in ("0", "-1", "nan", "inf"):
        result = CliRunner().invoke(command, ["x", "--two", wrong])
        assert (result.exit_code, "must be more than 0 seconds" in result.output) == (2, True)


def test_engines() -> None:
    assert isinstance(EngineOptions(1, None).choose_engine(Hidden()), Inline)
    assert isinstance(EngineOptions(1, None).choose_engine(Hidden(), apart=True), Pool)
    assert isinstance(EngineOptions(2, None).choose_engine(Hidden()), Pool)


def test_a_drawn_seed_cannot_be_guessed() -> None:
    drawn = {choose_seed(None) for _ in range(100)}
    assert len(drawn) == 100
    assert max(drawn) >= 2**48 and all(0 <= seed < 2**53 for seed in drawn)
    assert choose_seed(7) == 7
    for wrong in (2**63, -(2**63) - 1):
        with pytest.raises(UsageError, match="--seed: expected a whole number of at most 64 bits"):
            choose_seed(wrong)
