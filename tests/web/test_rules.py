"""The rules as HTML: an anchor for every rule, and nothing that a page of ours may not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from fairplay.catalog import GAMES
from fairplay.core.game import packaged_text
from fairplay.web.teaching import find_rules, outline_rules, render_rules

DOCS = Path(__file__).parents[2] / "docs" / "rules"
every_game = pytest.mark.parametrize("name", [path.stem for path in sorted(DOCS.glob("*.md"))])


@every_game
def test_the_rules_are_part_of_the_package_with_an_anchor_for_each(name: str) -> None:
    rules = find_rules(name)
    text = (DOCS / f"{name}.md").read_text("utf-8")
    assert rules is not None and rules.title == text.partition("\n")[0].removeprefix("# ")
    for number in re.findall(r"^- \*\*(\d+\.\d+)\*\*", text, re.MULTILINE):
        assert f'<li id="{number}">' in rules.html, number
    assert [section.title for section in rules.sections] == re.findall(r"^## (.+)$", text, re.MULTILINE)
    for section in rules.sections:
        assert f'<h2 id="{section.anchor}">' in rules.html


@every_game
def test_every_anchor_is_there_once_and_every_link_leads_to_one(name: str) -> None:
    rules = find_rules(name)
    assert rules is not None
    anchors = re.findall(r' id="([^"]*)"', rules.html)
    assert len(anchors) == len({*anchors})
    links = re.findall(r'href="([^"]*)"', rules.html)
    assert links and {link.removeprefix("#") for link in links} <= {*anchors}


@every_game
def test_there_are_no_styles_images_or_empty_headers(name: str) -> None:
    rules = find_rules(name)
    assert rules is not None
    assert not re.search(r"style=|<img|<th></th>|<script", rules.html)
    assert rules.html.count("<pre") == rules.html.count('<pre tabindex="0"')


def test_text_is_escaped_and_cited_rules_are_links() -> None:
    page = render_rules("# T\n\n## 1 A\n\n- **1.1** <b> (1.1), (9.9)\n\n## More <i>\n\n```\n</code>\n```\n")
    assert '<li id="1.1"><strong>1.1</strong> &lt;b&gt; (<a href="#1.1">1.1</a>), (9.9)</li>' in page.html
    assert [section.anchor for section in page.sections] == ["1", "more-i"]
    assert "&lt;/code&gt;" in page.html


STRANGE = """Not a title.

Title *in* the middle
=====================

## Who
## Contents title
## Twice
## Twice
##

> # In a quotation

- **1.1** once
- **1.1** again

[a link](javascript:alert(1)), <javascript:alert(2)>, ![a picture](http://elsewhere/x.svg) and <b onclick=x>

    <i>code</i>

| <u> | [a](data:text/html,x) |
|---|--:|
| b | c |

[reference]: http://elsewhere/
[reference]
"""


def test_the_rules_of_a_stranger_are_as_tidy_as_ours() -> None:
    page = render_rules(STRANGE, "The rules of Strange")
    assert page.title == "The rules of Strange" and "<p>Not a title.</p>" in page.html
    assert [(section.anchor, section.title) for section in page.sections] == [
        ("title-in-the-middle", "Title in the middle"),
        ("who-2", "Who"),
        ("contents-title-2", "Contents title"),
        ("twice", "Twice"),
        ("twice-2", "Twice"),
        ("in-a-quotation", "In a quotation"),
    ]
    anchors = re.findall(r' id="([^"]*)"', page.html)
    assert len(anchors) == len({*anchors}) == 8
    assert "<h1" not in page.html and '<pre tabindex="0"><code>&lt;i&gt;code' in page.html
    elements = {*re.findall(r"<([a-z]\w*)", page.html)}
    assert elements == {"p", "h2", "em", "blockquote", "ul", "li", "strong", "pre", "code", "div"} | {
        "table", "thead", "tbody", "tr", "th", "td"
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "#", "# \n\n", "x\n", "***", "- ", "> # T", "|", "```", "    ", "\0", "\ud800"])
def test_any_text_is_a_page(text: str) -> None:
    page = render_rules(text, "The rules of Anything")
    assert page.title == "The rules of Anything"
    page.html.encode("utf-8")


def test_no_anchor_of_a_rule_is_an_element_of_the_page_around_it(client: httpx.Client) -> None:
    page = client.get("/rules/fish").text
    article = page[page.index("<article>") : page.index("</article>")]
    around = re.findall(r' id="([^"]*)"', page.replace(article, ""))
    assert around
    for anchor in around:
        assert f'id="{anchor}"' not in render_rules(f"## {anchor}\n\n## {anchor.replace('-', ' ')}\n").html


def test_columns_of_numbers_have_a_class_instead_of_a_style() -> None:
    page = render_rules("# T\n\n| | n |\n|---|--:|\n| a | 1 |\n")
    assert '<th class="number">n</th>' in page.html and '<td class="number">1</td>' in page.html
    assert "<td></td>" in page.html and 'role="group"' in page.html


def test_a_game_without_rules_has_none() -> None:
    assert find_rules("chess") is None


# -- the games of packages ---------------------------------------------------------------------


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Gives Nim other rules for people, until the test is over."""

    def tell(rules_text: Callable[[], str] | None) -> None:
        monkeypatch.setitem(GAMES["nim"].__dict__, "shown", replace(GAMES["nim"].shown, rules_text=rules_text))

    find_rules.cache_clear()
    yield tell
    find_rules.cache_clear()


def test_a_package_brings_its_rules(client: httpx.Client) -> None:
    page = client.get("/rules/nim").raise_for_status().text
    assert "<title>The rules of Nim" in page and '<li id="2.3">' in page and '<a href="#2.1">2.1</a>' in page
    assert 'href="/rules/nim"' in client.get("/rules/fish").text
    assert client.get("/how-to-play/nim").headers["location"] == "/rules/nim"
    assert 'href="/how-to-play/nim"' in client.get("/").text


def test_rules_that_nobody_wrote_are_read_off_the_game(nim: Callable[..., None], client: httpx.Client) -> None:
    nim(None)
    page = client.get("/rules/nim").raise_for_status().text
    for words in ("The rules of Nim", "Take matches from one heap; the last match wins.", "2 to 3 players", "has not"):
        assert words in page, words
    assert "<strong>take</strong>: <code>heap</code> (0 to 9), <code>matches</code> (1 to 9)" in page
    assert "The rule book of Nim, with its data." in page, "its docstring"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_outlined(name: str) -> None:
    page = render_rules(outline_rules(GAMES[name]))
    for kind in GAMES[name].actions:
        assert f"<strong>{kind.__struct_config__.tag}</strong>" in page.html
    assert [section.anchor for section in page.sections] == ["players", "what-you-can-do-in-a-turn", "about-this-page"]


def test_rules_that_cannot_be_read_are_outlined_with_a_warning(
    nim: Callable[..., None], client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    nim(packaged_text("nim", "nowhere.md"))
    assert "2 to 3 players" in client.get("/rules/nim").raise_for_status().text
    assert client.get("/rules/nim").status_code == 200
    [said] = [each.getMessage() for each in caplog.records if each.name == "fairplay"]
    assert said.startswith("Warning: The rules of nim cannot be read (FileNotFoundError: "), "once"


def test_rules_of_a_package_get_no_script_onto_the_page(nim: Callable[..., None], client: httpx.Client) -> None:
    nim(lambda: "# <script>alert(1)</script>\n\n## <img src=x onerror=alert(1)>\n\n<b>[x](javascript:alert(1))</b>\n")
    page = client.get("/rules/nim").raise_for_status().text
    assert page.count("<script") == client.get("/rules/fish").text.count("<script")
    assert "<img src=x" not in page and "javascript:" not in page.replace("[x](javascript:alert(1))", "")
