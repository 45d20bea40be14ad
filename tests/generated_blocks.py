"""Blocks of Markdown that are generated from the code, each between a comment with its name and the end of a fence."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

BLOCK = re.compile(r"<!-- generated: ([\w ./-]+) -->\n```(\w+)\n(.*?)```\n", re.DOTALL)


def compare_blocks(document: Path, blocks: Mapping[str, str]) -> None:
    """The document holds exactly these blocks; with ``FAIRPLAY_GOLDEN=write`` they are written into it instead."""
    text = document.read_text("utf-8")
    if os.environ.get("FAIRPLAY_GOLDEN") == "write":
        document.write_text(BLOCK.sub(lambda found: renew_block(found, blocks), text), "utf-8")
        pytest.skip("written again")
    assert {found[1]: found[3] for found in BLOCK.finditer(text)} == blocks


def renew_block(found: re.Match[str], blocks: Mapping[str, str]) -> str:
    return f"<!-- generated: {found[1]} -->\n```{found[2]}\n{blocks[found[1]]}```\n"


def lay_out_schema(schema: Any) -> str:
    """Definitions as JSON with a line for each property: short enough to read."""
    parts = []
    for name, definition in schema["$defs"].items():
        rest = {key: value for key, value in definition.items() if key != "properties"}
        if "properties" not in definition:
            parts.append(f"  {json.dumps(name)}: {json.dumps(rest)}")
            continue
        lines = [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in definition["properties"].items()]
        body = ",\n".join(lines)
        parts.append(f'  {json.dumps(name)}: {json.dumps(rest)[:-1]}, "properties": {{\n{body}\n  }}}}')
    head = {key: value for key, value in schema.items() if key != "$defs"}
    text = f'{json.dumps(head)[:-1]}, "$defs": {{\n' + ",\n".join(parts) + "\n}}\n"
    assert json.loads(text) == json.loads(json.dumps(schema))
    return text
