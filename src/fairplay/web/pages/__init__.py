"""The pages on which people arrive: home, the lobby, a new table, the list of matches."""
