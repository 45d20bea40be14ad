"""The JSON Schemas of all documents."""

from typing import Any

import msgspec

from fairplay.report.json_output.catalog import (
    BoardDocument,
    BoardsDocument,
    CasesDocument,
    CheckDocument,
    GamesDocument,
    KeysDocument,
)
from fairplay.report.json_output.matches import AnalysisDocument, HintDocument, ReplayDocument, SeriesDocument
from fairplay.report.json_output.tournaments import (
    DeletionDocument,
    ExportDocument,
    FaultsDocument,
    ImportDocument,
    MatchesDocument,
    TournamentDocument,
    TournamentsDocument,
    TurnsDocument,
)

DOCUMENTS: tuple[type[msgspec.Struct], ...] = (
    GamesDocument,
    SeriesDocument,
    ReplayDocument,
    AnalysisDocument,
    HintDocument,
    CheckDocument,
    TournamentDocument,
    TournamentsDocument,
    MatchesDocument,
    FaultsDocument,
    DeletionDocument,
    ExportDocument,
    TurnsDocument,
    ImportDocument,
    KeysDocument,
    BoardsDocument,
    BoardDocument,
    CasesDocument,
)


def build_schemas() -> dict[str, Any]:
    """A JSON Schema of each document, by the value of its field `schema`."""
    schemas = {}
    for document in DOCUMENTS:
        (reference,), definitions = msgspec.json.schema_components([document], ref_template="#/$defs/{name}")
        schemas[str(document.__struct_config__.tag)] = {"$schema": _DIALECT, **reference, "$defs": definitions}
    return schemas


_DIALECT = "https://json-schema.org/draft/2020-12/schema"
