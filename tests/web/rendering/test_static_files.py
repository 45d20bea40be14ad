"""Our own files: a browser asks for each version once."""

from __future__ import annotations

import re

import httpx
import pytest

from fairplay.web.rendering.static_files import STATIC_FOLDER, remove_comments, static_version


def test_pages_refer_to_the_files_of_this_version(client: httpx.Client) -> None:
    page = client.get("/").text
    paths = re.findall(r'"(/static/[^"]+[.](?:css|js))"', page)
    assert paths and all(path.startswith(f"/static/{static_version()}/") for path in paths)
    for path in paths:
        answer = client.get(path).raise_for_status()
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("version", ["", "0123456789ab/"])
def test_without_a_version_or_with_an_old_one_the_browser_asks_again(client: httpx.Client, version: str) -> None:
    first = client.get(f"/static/{version}fairplay.css").raise_for_status()
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(f"/static/{version}fairplay.css", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_scripts_import_each_other_within_the_version() -> None:
    for path in STATIC_FOLDER.rglob("*.js"):
        for imported in re.findall(r'(?:from|import) "([^"]+)"', path.read_text()):
            assert imported.startswith("."), f"{path}: {imported}"
            assert (path.parent / imported).resolve().exists(), f"{path}: {imported}"


def test_what_belongs_to_the_root_is_there(client: httpx.Client) -> None:
    for name, kind in (("favicon.ico", "image/x-icon"), ("robots.txt", "text/plain; charset=utf-8")):
        assert client.get(f"/{name}").raise_for_status().headers["content-type"] == kind
    manifest = client.get("/manifest.webmanifest").raise_for_status()
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        assert client.get(icon["src"]).raise_for_status().headers["content-type"] == icon["type"]
    assert client.get(manifest.json()["start_url"]).status_code == 200


def test_nothing_else_is_served(client: httpx.Client) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", f"/static/{static_version()}/../../app.py", "/static/"):
        assert client.get(path).status_code in (404, 405)


def test_scripts_are_sent_without_their_comments() -> None:
    script = '/** What it does.\n * @returns {string}\n */\nexport const site = "http://x"; // stays\n  // goes\nf();\n'
    assert remove_comments(script) == '\n\n\nexport const site = "http://x"; // stays\n\nf();\n'


def test_a_comment_before_code_stays() -> None:
    script = "/** @type {X} */ (f());\ng();\n/* goes */\n"
    assert remove_comments(script) == "/** @type {X} */ (f());\ng();\n\n"


def test_a_script_is_sent_once(client: httpx.Client) -> None:
    first = client.get("/static/common.js").raise_for_status()
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.text == remove_comments((STATIC_FOLDER / "common.js").read_text("utf-8"))
    again = client.get("/static/common.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
