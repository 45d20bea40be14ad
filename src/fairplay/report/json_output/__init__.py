"""What `--json` prints: a struct for each kind of document, out of which docs/reference/json.md is made."""
