"""`fairplay tournament`: many players, many matches, one table; a module for each of its commands."""
