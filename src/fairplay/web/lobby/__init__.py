"""Where people who do not know each other find a table."""
