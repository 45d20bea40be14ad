"""docs/reference/json.md holds exactly the schemas of what `--json` prints.

After a change that is meant to alter them: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_json_document.py``.
"""

from __future__ import annotations

from pathlib import Path

from fairplay.report.json_output.schemas import build_schemas
from generated_blocks import compare_blocks, lay_out_schema

DOCUMENT = Path(__file__).parent.parent / "docs" / "reference" / "json.md"


def test_the_document_holds_the_schemas_of_all_documents() -> None:
    compare_blocks(DOCUMENT, {name: lay_out_schema(schema) for name, schema in build_schemas().items()})
