"""The rules as HTML: an anchor for every rule, and nothing that a page of ours may not have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairplay.web.teaching import find_rules, render_rules

DOCS = Path(__file__).parents[3] / "docs" / "rules"
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


def test_columns_of_numbers_have_a_class_instead_of_a_style() -> None:
    page = render_rules("# T\n\n| | n |\n|---|--:|\n| a | 1 |\n")
    assert '<th class="number">n</th>' in page.html and '<td class="number">1</td>' in page.html
    assert "<td></td>" in page.html and 'role="group"' in page.html


def test_a_game_without_rules_has_none() -> None:
    assert find_rules("chess") is None
