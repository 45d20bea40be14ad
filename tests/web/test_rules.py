"""The rules as HTML: an anchor for every rule, and nothing that a page of ours may not have."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from fairplay.web.teaching import find_rules, render_rules

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
