"""What a game may bring besides its rules: an established protocol, clicks, an editor."""
