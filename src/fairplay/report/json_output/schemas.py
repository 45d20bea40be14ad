"""The JSON Schemas of all documents."""

import msgspec

from fairplay.report.json_output import catalog, matches, tournaments

DOCUMENTS: tuple[type[msgspec.Struct], ...] = (
    catalog.GamesDocument,
    matches.SeriesDocument,
    matches.ReplayDocument,
    matches.AnalysisDocument,
    matches.HintDocument,
    catalog.CheckDocument,
    catalog.LawsDocument,
    catalog.LadderDocument,
    tournaments.TournamentDocument,
    tournaments.TournamentsDocument,
    tournaments.MatchesDocument,
    tournaments.FaultsDocument,
    tournaments.DeletionDocument,
    tournaments.ExportDocument,
    tournaments.TurnsDocument,
    tournaments.ImportDocument,
    catalog.KeysDocument,
    catalog.BoardsDocument,
    catalog.BoardDocument,
    catalog.CasesDocument,
)


def build_schemas() -> dict[str, object]:
    """A JSON Schema of each document, by the value of its field `schema`."""
    schemas: dict[str, object] = {}
    for document in DOCUMENTS:
        (reference,), definitions = msgspec.json.schema_components([document], ref_template="#/$defs/{name}")
        schemas[str(document.__struct_config__.tag)] = {"$schema": _DIALECT, **reference, "$defs": definitions}
    return schemas


_DIALECT = "https://json-schema.org/draft/2020-12/schema"
