"""`fairplay tournament`: many players, many matches, one table; its commands."""
