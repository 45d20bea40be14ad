"""The web page: watch, replay, play, run contests.  Nothing here knows a game by name."""
