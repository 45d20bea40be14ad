"""Looking at a match again with a player that thinks: what each turn cost, what would have been better, and why."""
