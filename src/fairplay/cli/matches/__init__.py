"""Commands about single matches: play them, check who could play, look at what was played."""
