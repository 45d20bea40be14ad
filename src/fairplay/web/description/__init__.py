"""The API described: as OpenAPI, as a page, and as a page to try it on."""
